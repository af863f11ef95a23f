/* The walk along the paths through a shader, independent of what is checked. */
#ifndef PATHS_H
#define PATHS_H

#include "engine.h"
#include <stdio.h>

/* The first member of a checker. `walk` goes from a place to where paths part or meet, merges what is pending into
 * the places that follow, and writes findings to `out` if `reports` is set. */
typedef struct Paths {
   void (*walk)(struct Paths *p, u32 at);
   u32 count; /* indexed by place */
   bool reports;
   FILE *out;
   bool *reached, *queued;
   u32 *work, work_count;
   char *text;
   size_t size;
} Paths;

void paths_begin(Paths *p, u32 count, void (*walk)(Paths *p, u32 at));
/* To be called if the state at a place has changed. */
void paths_queue(Paths *p, u32 at);
/* Walks until nothing is new. */
void paths_settle(Paths *p);
/* Then walks once more from each place that was reached, with `reports`. Returns the findings, a line each; the
 * caller frees them. */
char *paths_end(Paths *p);

#define UNCHECKED "not checked: "
/* Marks a shader's findings, once for each case that takes the marks; `reported` is kept per shader. An UNCHECKED
 * line is an `unknown`, and marked only if nothing is executed, because an execution marks it when it gets there. */
void findings_report(const char *findings, u32 *reported);

#endif
