/* Marks, the end of a submission, the emulator's own death, statistics, trace. */
#include "engine.h"
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *const WORDS[MARKS] = {"unknown", "fault", "hazard", "race", "undefined"};
enum { BROKEN = 97, KEPT = 64 * 1024, SAME = 8 };

struct Statistics statistics;
u32 marks_taken;
u64 submission_budget = 1ull << 44; /* half a day */
_Thread_local const char *(*mark_place)(void);
bool tracing;

static pthread_mutex_t submitting = PTHREAD_MUTEX_INITIALIZER, marking = PTHREAD_MUTEX_INITIALIZER;
static char kept[KEPT];
static size_t kept_size;
static u32 count_of[MARKS];
static sigjmp_buf way_out;
static _Thread_local bool inside;
static u64 spent; /* by this submission */
static FILE *trace_file;
static int statistics_file = -1;

static void write_mark(enum Mark kind, const char *format, va_list values)
{
   char text[1024];
   int n = snprintf(text, sizeof text, "%s: ", WORDS[kind]);
   const char *place = mark_place ? mark_place() : "";
   n += snprintf(text + n, sizeof text - n, "%s%s", place, *place ? ": " : "");
   n = n < (int)sizeof text ? n : (int)sizeof text - 1;
   vsnprintf(text + n, sizeof text - n, format, values);
   size_t size = strlen(text);
   pthread_mutex_lock(&marking);
   statistics.marks[kind]++;
   if (count_of[kind]++ < SAME && kept_size + size + 2 < KEPT) { /* a faulty kernel repeats the same mark a million times */
      memcpy(kept + kept_size, text, size);
      kept_size += size;
      kept[kept_size++] = '\n';
      kept[kept_size] = 0;
      fprintf(stderr, "emulator: %s\n", text);
   }
   if (tracing)
      fprintf(trace_file, "%s\n", text);
   pthread_mutex_unlock(&marking);
}

void mark(enum Mark kind, const char *format, ...)
{
   va_list values;
   va_start(values, format);
   write_mark(kind, format, values);
   va_end(values);
}

void stop(enum Mark kind, const char *format, ...)
{
   va_list values;
   va_start(values, format);
   write_mark(kind, format, values);
   va_end(values);
   if (!inside) {
      fprintf(stderr, "emulator: broken: a stop outside of a submission\n");
      _exit(BROKEN);
   }
   siglongjmp(way_out, 1);
}

void spend(u64 count)
{
   spent += count;
   if (spent > submission_budget)
      stop(FAULT, "the submission does not end");
}

/* Writes the marks since the last call, one per line, at most size - 1 bytes. Returns their length. */
__attribute__((visibility("default"))) int emulator_marks(char *buffer, int size);
int emulator_marks(char *buffer, int size)
{
   pthread_mutex_lock(&marking);
   int length = (int)kept_size;
   if (size > 0) {
      size_t n = kept_size < (size_t)size - 1 ? kept_size : (size_t)size - 1;
      memcpy(buffer, kept, n);
      buffer[n] = 0;
   }
   kept_size = 0;
   marks_taken++;
   memset(count_of, 0, sizeof count_of);
   pthread_mutex_unlock(&marking);
   return length;
}

/* A crash in the emulator's own code is not a crash of the driver. */
static void broken(int signal, siginfo_t *info, void *context)
{
   (void)context;
   char text[256];
   const char *place = inside && mark_place ? mark_place() : "";
   int n = snprintf(text, sizeof text, "emulator: broken: signal %d at %p, %s\n", signal, info->si_addr, place);
   if (n > 0 && write(2, text, n) < 0)
      _exit(BROKEN);
   _exit(BROKEN);
}

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

static void watch(struct sigaction *before)
{
   struct sigaction ours = {.sa_sigaction = broken, .sa_flags = SA_SIGINFO | SA_NODEFER};
   for (u32 i = 0; i < COUNT(SIGNALS); i++)
      sigaction(SIGNALS[i], &ours, &before[i]);
}

static void unwatch(const struct sigaction *before)
{
   for (u32 i = 0; i < COUNT(SIGNALS); i++)
      sigaction(SIGNALS[i], &before[i], NULL);
}

bool executes(void)
{
   static int known = -1;
   if (known < 0) {
      const char *value = getenv("EMULATOR_EXECUTE");
      known = !value || strcmp(value, "0");
   }
   return known;
}

static void open_files(void)
{
   const char *path = getenv("EMULATOR_TRACE");
   if (path && (trace_file = fopen(path, "ae")))
      tracing = true;
   if ((path = getenv("EMULATOR_STATISTICS"))) {
      char own[4096];
      snprintf(own, sizeof own, "%s.%d", path, getpid());
      statistics_file = open(own, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
   }
}

/* EMULATOR_STATISTICS.PID: one JSON object, written again after each submission, because a child ends by _exit. */
static void keep_statistics(void)
{
   if (statistics_file < 0)
      return;
   char text[640];
   const struct Statistics *s = &statistics;
   int n = snprintf(text, sizeof text,
                    "{\"submissions\": %llu, \"launches\": %llu, \"groups\": %llu, \"instructions\": %llu, "
                    "\"lane_instructions\": %llu, \"seconds\": %.6f",
                    (unsigned long long)s->submissions, (unsigned long long)s->launches, (unsigned long long)s->groups,
                    (unsigned long long)s->instructions, (unsigned long long)s->lane_instructions, s->nanoseconds * 1e-9);
   for (u32 i = 0; i < MARKS; i++)
      n += snprintf(text + n, sizeof text - n, ", \"%s\": %llu", WORDS[i], (unsigned long long)s->marks[i]);
   n += snprintf(text + n, sizeof text - n, "}\n");
   if (pwrite(statistics_file, text, n, 0) != n)
      statistics_file = -1;
}

static u64 cpu_time(void)
{
   struct timespec now;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
   return now.tv_sec * 1000000000ull + now.tv_nsec;
}

bool submission(void (*execute)(void *), void *argument)
{
   static bool opened;
   struct sigaction before[COUNT(SIGNALS)];
   fenv_t own; /* of the thread: its rounding mode and traps must not affect the GPU */
   pthread_mutex_lock(&submitting);
   fegetenv(&own);
   fesetenv(FE_DFL_ENV);
   if (!opened)
      open_files();
   opened = true;
   u64 begun = cpu_time();
   watch(before);
   inside = true;
   spent = 0;
   bool done = !sigsetjmp(way_out, 0);
   if (done)
      execute(argument);
   inside = false;
   mark_place = NULL;
   unwatch(before);
   fesetenv(&own);
   statistics.submissions++;
   statistics.nanoseconds += cpu_time() - begun;
   keep_statistics();
   if (tracing)
      fflush(trace_file);
   pthread_mutex_unlock(&submitting);
   return done;
}

void trace(const char *format, ...)
{
   if (!tracing)
      return;
   va_list values;
   va_start(values, format);
   vfprintf(trace_file, format, values);
   va_end(values);
   fputc('\n', trace_file);
}
