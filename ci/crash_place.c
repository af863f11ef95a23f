/* Says where a process dies: after install(), a fatal signal, or an unexpected exit, writes the native frames of its
 * thread to stderr, a line each, before it takes its course. runner/verdict/place.py reads them. The runner's child
 * loads this; a process that lives pays only for the installation.
 *
 * Nothing here allocates: the heap may be what is broken. The unwinder is libgcc's, which a driver with C++ or Rust
 * brings anyway, and which passes through the frame of a signal.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { MOST_FRAMES = 64, LIMIT_S = 5, NAME = 16 };
static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { SIGNALS = sizeof signals / sizeof *signals };
static struct sigaction before[SIGNALS];
static char main_name[NAME];
static int caught; /* the first signal, or -1 at an exit */
static pid_t dying; /* the thread of that signal */

struct trace {
   int count;
   uintptr_t at[MOST_FRAMES];
};

static _Unwind_Reason_Code
add_frame(struct _Unwind_Context *context, void *data)
{
   struct trace *trace = data;
   int interrupted = 0;
   uintptr_t at = _Unwind_GetIPInfo(context, &interrupted);
   if (interrupted)
      trace->count = 0; /* the frames before are this handler's */
   if (trace->count < MOST_FRAMES && (at || interrupted))
      trace->at[trace->count++] = interrupted ? at : at - 1; /* inside the call, not behind it */
   return _URC_NO_REASON;
}

/* Nothing can be unwound from the address 0; its caller is where the call stored it. */
static uintptr_t
caller_of_null(void *context)
{
#if defined(__x86_64__)
   return *(uintptr_t *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP] - 1;
#elif defined(__aarch64__)
   return ((ucontext_t *)context)->uc_mcontext.regs[30] - 1;
#else
   (void)context;
   return 0;
#endif
}

static void
write_line(const char *line, int length, int size)
{
   ssize_t written = write(STDERR_FILENO, line, length < size ? length : size - 1);
   (void)written;
}

static void
write_trace(const struct trace *trace, uintptr_t address)
{
   char line[1024], name[NAME] = "";
   prctl(PR_GET_NAME, name);
   const char *kind = syscall(SYS_gettid) == getpid() ? "main thread" : strcmp(name, main_name) ? "thread " : "a thread";
   write_line(line, snprintf(line, sizeof line, "\ncrash place: %s%s, address %#lx\n", kind, kind[7] ? "" : name,
                             (unsigned long)address), sizeof line);
   for (int i = 0; i < trace->count; i++) {
      Dl_info found = {0};
      int known = dladdr((void *)trace->at[i], &found);
      write_line(line, snprintf(line, sizeof line, "crash place: #%d %s+%#lx %s\n", i, known ? found.dli_fname : "?",
                                (unsigned long)(trace->at[i] - (uintptr_t)found.dli_fbase),
                                known && found.dli_sname ? found.dli_sname : ""), sizeof line);
   }
}

static void
give_up(int number)
{
   (void)number;
   signal(caught, SIG_DFL);
   raise(caught);
}

static void
on_signal(int number, siginfo_t *info, void *context)
{
   static struct trace trace;
   int first = 0;
   pid_t own = (pid_t)syscall(SYS_gettid);
   if (!__atomic_compare_exchange_n(&caught, &first, number, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      if (first > 0 && own == dying)
         give_up(first); /* the later handler's turn: faulthandler reads frames of Python while other threads change them */
      while (first > 0)
         pause(); /* another thread was first, and ends the process */
      caught = number;
   }
   dying = own;
   alarm(LIMIT_S);
   _Unwind_Backtrace(add_frame, &trace);
   if (trace.count == 1 && !trace.at[0] && caller_of_null(context))
      trace.at[trace.count++] = caller_of_null(context);
   /* The kernel gives no address with a fault that it cannot place (SI_KERNEL), and none with a signal that was sent. */
   int placed = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0 && info->si_code != SI_KERNEL;
   write_trace(&trace, placed ? (uintptr_t)info->si_addr : UINTPTR_MAX);
   for (int i = 0; i < SIGNALS; i++) {
      if (signals[i] != number)
         continue;
      sigaction(number, &before[i], NULL);
      if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN)
         before[i].sa_handler(number); /* Python's faulthandler, which raises it again */
   }
   signal(number, SIG_DFL);
   raise(number);
}

static void
on_exit_unasked(int code, void *unused)
{
   (void)code;
   (void)unused;
   static struct trace trace;
   if (__atomic_exchange_n(&caught, -1, __ATOMIC_SEQ_CST))
      return;
   _Unwind_Backtrace(add_frame, &trace);
   write_trace(&trace, UINTPTR_MAX);
}

static _Unwind_Reason_Code
end_at_once(struct _Unwind_Context *context, void *data)
{
   (void)context;
   (void)data;
   return _URC_END_OF_STACK;
}

/* To be called in the main thread, after all other handlers of these signals are installed: they still run, after this. */
void
install(void)
{
   struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
   _Unwind_Backtrace(end_at_once, NULL); /* its own start-up, while the heap is well */
   prctl(PR_GET_NAME, main_name);
   signal(SIGALRM, give_up);
   for (int i = 0; i < SIGNALS; i++)
      sigaction(signals[i], &action, &before[i]);
   on_exit(on_exit_unasked, NULL); /* atexit is not a symbol of every libc.so */
}

/* An exit from now on is Python's own. */
void
leave(void)
{
   caught = -1;
}
