/* The job manager. */
#ifndef JOBS_H
#define JOBS_H

#include "shader.h"

void run_chain(u64 address);

#endif
