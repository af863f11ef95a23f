/* What is pending along the paths through a shader: the part of it that does not depend on what that is. */
#ifndef PATHS_H
#define PATHS_H

#include "engine.h"
#include <stdio.h>

/* The first member of a checker. Its walk goes from a place on to where paths part or meet, brings what is pending there along,
 * and says what is wrong to `out` if it `speaks`. */
typedef struct Paths {
   void (*walk)(struct Paths *p, u32 at);
   u32 count; /* of places */
   bool speaks;
   FILE *out;
   bool *reached, *queued;
   u32 *work, work_count;
   char *text;
   size_t size;
} Paths;

void paths_begin(Paths *p, u32 count, void (*walk)(Paths *p, u32 at));
/* Something is pending at a place that was not before. */
void paths_queue(Paths *p, u32 at);
/* Walk until nothing is new. */
void paths_settle(Paths *p);
/* Then walk once more from each place that was reached, speaking. Returns what was said, a line each, to be freed. */
char *paths_end(Paths *p);

#define UNCHECKED "not checked: "
/* Marks a shader's findings, once for each who takes the marks; `reported` is the shader's own. What an UNCHECKED line says is
 * unknown, and marked only if nothing executes: an execution says so when it comes to it. */
void findings_report(const char *findings, u32 *reported);

#endif
