/* An emulator as the runner sees it: it exports its marks, dies with 97, and writes what it counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char kept[4096];

void
mock_mark(const char *line)
{
   snprintf(kept + strlen(kept), sizeof kept - strlen(kept), "%s\n", line);
   fprintf(stderr, "emulator: %s\n", line);
}

void
mock_break(void)
{
   fprintf(stderr, "emulator: broken: signal 11 at (nil), add.f\n");
   _exit(97);
}

/* As an emulator in the process `pid` leaves it. */
void
mock_count(int pid, const char *json)
{
   char path[4096];
   snprintf(path, sizeof path, "%s.%d", getenv("EMULATOR_STATISTICS"), pid);
   FILE *file = fopen(path, "w");
   fprintf(file, "%s\n", json);
   fclose(file);
}

int
emulator_assumptions(char *buffer, int size)
{
   return snprintf(buffer, size, "3, 14");
}

int
emulator_marks(char *buffer, int size)
{
   int length = snprintf(buffer, size, "%s", kept);
   kept[0] = 0;
   return length;
}
