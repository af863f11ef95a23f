/* The paths through a shader, and the findings of checks along them. */
#include "paths.h"
#include <stdlib.h>

void paths_begin(Paths *p, u32 count, void (*walk)(Paths *p, u32 at))
{
   p->walk = walk;
   p->count = count;
   p->reached = calloc(count + 1, 1);
   p->queued = calloc(count + 1, 1);
   p->work = calloc(count + 1, sizeof *p->work);
   p->out = open_memstream(&p->text, &p->size);
}

void paths_queue(Paths *p, u32 at)
{
   p->reached[at] = true;
   if (!p->queued[at])
      p->work[p->work_count++] = at;
   p->queued[at] = true;
}

void paths_settle(Paths *p)
{
   while (p->work_count) {
      u32 at = p->work[--p->work_count];
      p->queued[at] = false;
      p->walk(p, at);
   }
}

char *paths_end(Paths *p)
{
   paths_settle(p);
   p->reports = true;
   for (u32 at = 0; at < p->count; at++)
      if (p->reached[at])
         p->walk(p, at);
   fclose(p->out);
   free(p->reached), free(p->queued), free(p->work);
   return p->text;
}

void findings_report(const char *findings, u32 *reported)
{
   if (*reported == marks_taken + 1)
      return;
   *reported = marks_taken + 1;
   for (const char *line = findings; *line;) {
      int length = (int)strcspn(line, "\n");
      bool unchecked = !strncmp(line, UNCHECKED, strlen(UNCHECKED));
      if (!unchecked)
         mark(HAZARD, "%.*s", length, line);
      else if (!executes())
         mark(UNKNOWN, "%.*s", length, line);
      line += length + (line[length] == '\n');
   }
}
