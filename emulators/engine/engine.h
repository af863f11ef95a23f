/* What every emulated GPU needs. A family includes this after its family.h, which defines how many lanes a wave has
 * (LANES) and a wave's registers (struct Registers).
 *
 * A library holds one family: engine and family are compiled together. Everything runs inside the driver's submit call,
 * one submission at a time. So waits are no-ops, and no second process has to be kept alive.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef int64_t i64;

#include "family.h"
#include "lanes.h"

#define BITS(word, low, high) ((u32)((word) >> (low) & ((2ull << ((high) - (low))) - 1)))
#define SBITS(word, low, high) ((i32)((i64)((u64)(word) << (63 - (high))) >> (63 - (high) + (low))))
#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct Wave Wave;
typedef struct Group Group;
typedef struct Launch Launch;

/* ---- marks.c: what an emulator reports. */

enum Mark {
   UNKNOWN,   /* not emulated: a limit of the emulator */
   FAULT,     /* the driver made the GPU do what it must not */
   HAZARD,    /* a result is used before the hardware has it */
   RACE,      /* two work-items touch one word of local memory, and nothing orders them */
   UNDEFINED, /* a register or a word that nothing has written is read */
   MARKS,
};

void mark(enum Mark kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A mark that ends the submission. Outside of a submission it only marks, and returns. */
_Noreturn void stop(enum Mark kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Runs `execute` until it returns or calls `stop`; false if it was stopped. One submission at a time. */
bool submission(void (*execute)(void *), void *argument);
/* Counts instructions, packets or texels. More than the submission's budget, which tests may lower, is a fault. */
void spend(u64 count);
extern u64 submission_budget;

/* ---- words.c: an instruction as text. */
void words_begin(void);
void words_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *words_text(void); /* since words_begin */

/* ---- bare.c: commands without a driver, for tests. */
void run_stream(u64 address, u32 words); /* the family's */
/* Sets the instruction that the next marks name; NULL: none. The text is made only if a mark needs it. */
extern _Thread_local const char *(*mark_place)(void);

struct Statistics {
   u64 submissions, launches, groups, instructions, lane_instructions, nanoseconds;
   u64 marks[MARKS];
};
extern struct Statistics statistics;

/* How often the marks have been taken. A shader's findings are marked once for each case that takes the marks. */
extern u32 marks_taken;
/* False with EMULATOR_EXECUTE=0: shaders are checked as they are launched, and nothing is executed or written. */
bool executes(void);

/* EMULATOR_TRACE: launches and the instructions of one lane; NULL if it is not set. */
void trace(const char *format, ...) __attribute__((format(printf, 1, 2)));
extern bool tracing;

/* ---- memory.c: what a submission may touch. */

typedef struct {
   u64 start, end; /* in GPU addresses */
   u8 *host;
} Range;

/* Sets the buffers of a submission; the array is sorted and kept. */
void memory_set(const Range *ranges, u32 count);
/* `size` bytes at a GPU address, or NULL if they are in no buffer of the submission. */
u8 *memory_find(u64 address, u64 size);
/* The same, but a fault that names `what` if they are in no buffer, or if the address is not aligned. */
u8 *memory_at(u64 address, u64 size, u32 align, const char *what);
/* Some kernel drivers let a job reach everything that is mapped, whatever its submission lists. These look up what
 * drivers leave out of the lists: descriptors and code, but not a shader's own accesses. */
void memory_set_mapped(const Range *ranges, u32 count);
u8 *memory_find_mapped(u64 address, u64 size);
u8 *memory_mapped(u64 address, u64 size, u32 align, const char *what);
u32 memory_u32(u64 address, const char *what);
u64 memory_u64(u64 address, const char *what);

/* ---- shaders.c: the machine code of shaders, in words of 8 bytes. */

u64 code_hash(const void *code, u64 bytes);
void code_keep(u64 hash, const void *code, u64 bytes); /* if EMULATOR_SHADERS names a folder */

/* ---- launch.c: a launch, its groups and their waves. */

enum State { RUNS, WAITS, ENDED };

typedef struct {
   u32 pc;
   Mask lanes;
} Path;

/* Lanes that diverge are paths. The path with the lowest program counter runs, and others join it at their address. */
struct Wave {
   Group *group;
   u32 index;  /* in the group */
   u32 lanes;  /* 64 or 128 of LANES, as the launch says */
   enum State state;
   u32 pc;
   Mask active; /* the lanes of the current path */
   Mask alive;  /* the lanes that have not ended */
   u32 parked_count, waiting_count;
   Path parked[LANES], waiting[LANES];
   u64 executed;
   u32 fences; /* counts the fences that order the lanes of a wave among themselves */
   u32 released; /* counts fences that other waves see, too: the wave that passes a value on has one, and so has the wave that takes it */
   u32 turns; /* backward jumps since another path ran */
   u32 granted; /* joins that the path may skip when it runs */
   struct Registers reg;
};

/* A lane's access to local memory, for races. */
typedef struct {
   u32 epoch;  /* number of the group's barriers before it */
   u32 fences, released; /* counters of the wave */
   u16 item;  /* + 1; 0: no work-item */
   u8 how;
} Touch;

struct Group {
   Launch *launch;
   u32 index, id[3];
   u32 waves, epoch;
   Wave *wave;
   u8 *local;
   bool *local_written; /* a byte */
   Touch *wrote, *read, *read_before; /* per byte: the last access, and the last one by another lane */
   u8 *private; /* items * launch->private_size */
   u8 *private_written;
};

struct Launch {
   u32 groups[3], size[3]; /* groups; work-items of one */
   u32 items;              /* of a group */
   u32 wave_lanes;
   u32 local_size, private_size; /* in bytes, per group and per work-item */
   const void *code;       /* the family's */
   const void *state;      /* the family's */
};

/* What a family defines. */
void family_start(Wave *wave);           /* the registers that the hardware sets */
void family_run(Wave *wave, u64 budget); /* runs the wave until it waits or ends, or `budget` instructions have run */

void launch_run(Launch *launch);
void wave_goto(Wave *wave, u32 pc);                    /* the active lanes go on there */
void wave_branch(Wave *wave, Mask taken, u32 to, u32 other); /* some go to one address, the rest to the other */
void wave_join(Wave *wave);                            /* call at an address at which paths may meet */
void wave_barrier(Wave *wave, u32 pc);                 /* the active lanes wait, and go on there */
void wave_end(Wave *wave);                             /* the active lanes have ended */
u32 wave_item(const Wave *wave, u32 lane);             /* the work-item's number in its group */

/* ---- local.c: local and private memory: bounds, reads of what was never written, races. */

enum Access { LOAD, STORE, ATOMIC };
u8 *local_at(Wave *wave, u32 lane, i64 offset, u32 size, u32 align, enum Access access, const char *what);
u8 *private_at(Wave *wave, u32 lane, i64 offset, u32 size, u32 align, enum Access access, const char *what);
#define POISON 0xdead7e7eu

#endif
