/* The job manager. */
#ifndef JOBS_H
#define JOBS_H

#include "bifrost.h"

void run_chain(u64 address);

#endif
