/* A decoded kernel, and the functions that execute it. The encodings are generated from instructions.py. */
#ifndef EU_H
#define EU_H

#include "../engine/engine.h"

/* The GPU whose code and commands are executed. */
enum Generation { GEN9, GEN11, GEN12, GEN125, GENERATIONS };
extern enum Generation generation;
bool gpu_named(void); /* by EMULATOR_GPU; false: not of this family */
enum { SURFACE_SCRATCH = 6 };

enum Type { T_UB, T_UW, T_UD, T_UQ, T_B, T_W, T_D, T_Q, T_HF = 9, T_F, T_DF };
static inline u32 bytes_of(u32 type) { return 1u << (type & 3); }
static inline bool is_real(u32 type) { return type & 8; }
static inline bool is_signed(u32 type) { return (type & 12) == 4; }

enum File { ARF, GRF, IMMEDIATE };
enum Shape { SCALAR, PACKED, SPREAD }; /* one element for all channels; consecutive elements; any other region */
enum { VXH = 255 };                    /* a vertical stride: each row has an address register of its own */

typedef struct {
   u8 file, type, number, sub;
   u8 immediate, negate, absolute, indirect;
   u8 vertical, width, horizontal; /* codes of the encoding at first, then elements */
   u8 shape;
   i16 distance; /* from an address register */
   u8 address;   /* which */
   bool fits;    /* the whole region lies in registers */
   u16 at, last; /* in bytes of the registers: begin and end */
   u16 offset[LANES];
   u64 value; /* an immediate's value */
} Operand;

/* The values of all channels: integers or real numbers. */
typedef union {
   i64 i[LANES];
   double d[LANES];
} Vector;

typedef struct Instruction Instruction;
typedef void (*Run)(Wave *wave, const Instruction *i);
typedef void (*Compute)(Vector *r, const Vector *a, const Vector *b, const Vector *c, u32 n, u32 width);

typedef struct {
   const char *name;
   void (*fields)(Instruction *i, const u64 *w);
   Run run;
   Compute integer, real;
   u8 sources;
   bool logic, conditional, flow;
   u8 since, until; /* the first and the last generation */
} Opcode;

typedef struct {
   const char *name;
   Compute compute;
   u8 sources;
   bool integer;
} MathFunction;

struct Instruction {
   const Opcode *op;
   u32 address, bytes; /* byte offset in the kernel */
   u8 opcode, swsb, size, nibble, quarter, flag_half, flag, predicate, inverted, no_mask, condition;
   u8 accumulates, saturate, real, sources;
   u8 channels, first; /* the number of channels, and the first one */
   u8 no_clear, no_check, switches; /* Gen9's and Gen11's dependency control (NoDDClr, NoDDChk); the thread is switched after it */
   u8 function, ends, descriptor_a0, extended_a0, extended_sub, bindless_offset; /* messages only */
   u8 sync;
   bool joins;
   i32 jip, uip; /* byte offsets at first, then the numbers of instructions */
   u32 wanted, descriptor, extended;
   Operand dst, src[3];
};

typedef struct Kernel {
   u64 hash;
   u8 *bytes;
   u32 size, count, reported;
   Instruction *code;
   char *findings; /* what hazards.c found; NULL: not checked yet */
   struct Kernel *next;
} Kernel;

/* The state of a context, from which a launch is made. */
typedef struct {
   u64 instruction_base, dynamic_base, surface_base, bindless_base, general_base, binding_pool;
   u64 kernel, scratch_base, curbe; /* scratch_base: relative to general_base; 0: none */
   u32 binding_table, samplers;
   u32 scratch_code;  /* per thread: 1 KiB << code */
   u32 scratch_surface; /* Gen12.5: its surface, as r0 names it; 0: none */
   u32 emit_local, walk_order, local[3]; /* Gen12.5: the ids that each thread gets: which ones, in which order, how many */
   u32 curbe_length, curbe_registers; /* loaded bytes; reserved registers */
   u32 per_thread, cross_thread; /* registers */
   u32 local_size, control;
   u32 start[3];      /* the id of the first group */
   const struct fragments *fragments; /* the draw; NULL: a kernel is launched */
} State;

static inline State *state_of(const Wave *wave) { return (State *)wave->group->launch->state; }
static inline u32 all_channels(const Instruction *i) { return i->channels == 32 ? ~0u : (1u << i->channels) - 1; }
static inline void put_bits(u64 *w, u32 high, u32 low, u64 value)
{
   u64 mask = ((2ull << (high - low)) - 1) << low % 64;
   w[low / 64] = (w[low / 64] & ~mask) | (value << low % 64 & mask);
}

/* decode.c */
Kernel *kernel_at(u64 address);
void decode_all(Kernel *k); /* its size in bytes */
bool decode(Instruction *i, const u64 *words); /* false: not a known instruction */
/* hazards.c */
void hazards_report(Kernel *kernel);
char *hazards_of(const Kernel *kernel);
/* text.c: in a static buffer, valid until the next call. */
const char *instruction_text(const Instruction *i);

/* regions.c */
u32 channels_of(const Wave *wave, const Instruction *i); /* the channels that execute, before predication; a bit each */
u32 predicate_of(Wave *wave, const Instruction *i);
void set_flags(Wave *wave, const Instruction *i, u32 values, u32 channels);
void read_operand(Wave *wave, const Instruction *i, const Operand *o, u32 channels, Vector *v);
void read_bits(Wave *wave, const Instruction *i, const Operand *o, u32 channels, Vector *v);
void write_result(Wave *wave, const Instruction *i, const Vector *v, bool real, u32 channels);
void check_written(const Wave *wave, u32 at, u32 size);
/* numbers.c */
void element_load(const u8 *p, u32 type, u32 n, const u16 *offsets, u8 shape, Vector *v);
void elements_store(u8 *p, u32 type, u32 n, const Vector *v, bool real, u32 mode);
i64 real_to_integer(double d, u32 type);
double real_of_integer(i64 x, u32 from, u32 to);
double round_real(double d, u32 type, u32 mode);
i64 clamp_integer(i64 value, u32 type);
u32 rounding_of(const Wave *wave); /* 0 nearest, 1 up, 2 down, 3 to zero */
double flushed(const Wave *wave, u32 type, double d);

/* send.c */
void send_message(Wave *wave, const Instruction *i, u32 channels);

extern const Opcode opcodes[128];
extern const MathFunction math_functions[16];
/* The functions that expand a compacted word. */
typedef struct {
   void (*two)(u64 c, u64 *w), (*source1)(u64 c, u64 *w), (*three)(u64 c, u64 *w);
} Expansion;
extern const Expansion expansions[GENERATIONS];
void decode_older(Instruction *i, const u64 *w); /* older.c: decodes an uncompacted word of Gen9 or Gen11 */
#define X(name) void move_##name(const u64 *from, u64 *to);
X(common) X(destination) X(destination_by_address) X(source0) X(source0_by_address) X(source1) X(source1_by_address)
X(modifiers3) X(registers3) X(registers3_align16) X(split)
#undef X

#define RUNS_OF_FAMILY                                                                                                 \
   X(alu) X(bfn) X(move) X(select) X(compare) X(select_by) X(bfe) X(fbh) X(dp4a) X(mach) X(carry) X(math) X(send) X(sync)     \
   X(nop) X(jmpi) X(if) X(else) X(endif) X(while) X(break) X(cont) X(halt)
#define X(name) void run_##name(Wave *wave, const Instruction *i);
RUNS_OF_FAMILY
#undef X
#define X(name) void finish_##name(Instruction *i, const u64 *w);
X(two) X(three) X(table) X(branch) X(send) X(sync)
#undef X

#endif
