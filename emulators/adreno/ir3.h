/* A decoded shader, and the functions that execute it. The encodings are generated from instructions.py. */
#ifndef IR3_H
#define IR3_H

#include "../engine/engine.h"

enum Type { F16, F32, U16, U32, S16, S32, TYPE_U8, U8_32 };
enum Kind { K_NONE, K_FLOAT, K_UNSIGNED, K_SIGNED, K_BITS, K_WORD };
enum Wait { NO_WAIT, BY_SLOTS, BY_SS, BY_SY, BY_EITHER }; /* synchronisation.py */
enum { OF_A0 = LANES };
enum Where { GPR, CONSTANT, IMMEDIATE, RELATIVE_GPR, RELATIVE_CONSTANT };

typedef struct {
   u8 where; /* enum Where */
   bool half, negate, absolute, repeats;
   u16 number;
   i32 value; /* the bits of an immediate, or the distance from a0.x */
} Source;

typedef struct Instruction Instruction;
typedef void (*Run)(Wave *wave, const Instruction *i);
/* One operation on all lanes; halves are the low 16 bits of each word. */
typedef void (*Alu)(u32 *d, const u32 *a, const u32 *b, const u32 *c, u32 lanes);

enum Flag {
   PLAIN, BR, BRAO, BRAA, BANY, BALL, SWZ, GAT, SCT, HALF, PAIR, INDEXED, SUM,
   ATOMIC_ADD, ATOMIC_SUB, ATOMIC_XCHG, ATOMIC_INC, ATOMIC_DEC, ATOMIC_CMPXCHG, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_AND,
   ATOMIC_OR, ATOMIC_XOR,
};

typedef struct {
   const char *name;
   Run run;
   Alu alu[2], condition[2][6]; /* full, half */
   u8 category, sources;
   u8 kind, result; /* enum Kind */
   bool wide;
   u8 flag; /* enum Flag */
   u8 result_wait, source_wait, constant_wait; /* enum Wait: how its effects are waited for */
   bool waits, barrier, cycle, late;
} Opcode;

struct Instruction {
   u64 word;
   const Opcode *op;
   Source src[4];
   u16 targets[4]; /* swz, gat and sct only */
   i32 offset, offset_high, offset_low;
   u16 dst, repeat, size, type, src_type, round, condition;
   u16 address, index, data, shift, descriptor, sampler, texture, mode, mask, base, base_low, base_high, dimensions;
   bool sy, ss, jp, saturate, halve, half, dst_half, dst_relative, dst_a1;
   bool inverted, inverted2, address_immediate, data_immediate, address_const, bindless, typed, has_offset;
   bool of_lane; /* a mov to a shared register from one lane: its index, or OF_A0 for a0.x */
   bool uniform; /* its result is for the whole wave, although it is not a shared register (up0) */
   bool mixed, packed, is_3d, is_array, indirect, bit18, bit50, bit53, joins, controls;
   u8 predicate, predicate2, nops;
};

typedef struct Shader {
   u64 hash, *words, size; /* the words that it was decoded from; in bytes */
   u32 generation, count;
   char *findings; /* hazards.c's findings, a line each */
   u32 reported;         /* marks_taken at the time they were marked */
   Instruction *code;
   struct Shader *next;
} Shader;

typedef struct {
   u64 base, size;
} Buffer;

enum { UBOS = 64, BINDLESS = 8, TEXTURES = 256, SAMPLERS = 256 };

/* The command stream's state that a launch reads. */
typedef struct {
   u32 constants[CONSTANTS], constant_count; /* how many the launch has */
   bool constant_loaded[CONSTANTS];
   Buffer ubo[UBOS];
   u64 bindless[BINDLESS], images;
   u32 texture[TEXTURES][16], sampler[SAMPLERS][4];
   bool has_texture[TEXTURES], has_sampler[SAMPLERS];
   u64 border_colours;
   u32 footprint; /* in rows */
   u16 group_id, local_id, linear_id;
   bool preamble_done;
   struct vertices *vertices; /* draws only, as is the next; both NULL: a kernel's launch */
   const struct fragments *fragments;
} State;

extern u32 gpu_generation; /* 6 or 7: which encodings and registers apply */
extern u32 gpu_number;     /* as 630 */
extern u32 gpu_narrow_wave;
extern bool gpu_without_double_threads;
void choose_gpu(void); /* by EMULATOR_GPU, such as a630 */

/* decode.c */
const Shader *shader_at(u64 address, u64 bytes);
void decode(Instruction *i, u64 word);
/* text.c: the instruction nearly as Mesa's disassembler writes it, in a static buffer, valid until the next call. */
const char *instruction_text(const Instruction *i);

/* operands.c: the registers that an instruction reads and writes; r0.x is 0, as in a Source. */
typedef struct {
   u16 number, count;
   bool half;
   u8 index; /* of the source or result */
} Operand;
enum { OPERANDS = 16 };
u32 reads_of(const Shader *shader, const Instruction *i, Operand *operands);
/* The alias that replaces a register of a texture instruction (a7xx), or NULL. */
const Instruction *alias_before(const Shader *shader, const Instruction *i, u32 number, bool half);
u32 writes_of(const Instruction *i, Operand *operands);
u32 constants_of(const Instruction *i, Operand *operands); /* the ones that it reads; all if it reads through a0.x */

/* hazards.c */
typedef struct {
   u16 first, last; /* GPUs, such as 630 */
   u8 alu, other, late, after_second, after_prede;
   bool all_late, scalar;
} Delays;
extern const Delays delays[];
extern const u32 delays_count;
char *hazards_of(const Shader *shader, u32 gpu);
void hazards_report(Shader *shader);

void note_assumptions(const Shader *shader); /* assumptions.c */

/* alu.c: operands */
const u32 *read_source(Wave *wave, const Instruction *i, u32 n, u32 step, u8 kind, u32 *space);
void put(Wave *wave, u32 number, bool half, const u32 *values);
const u32 *row_of(Wave *wave, u32 number, bool half, u32 *space);
u64 address_of(const Wave *wave, u32 number, u32 lane);
void refresh(Wave *wave);
static inline bool is_half(u32 type) { return type == F16 || type == U16 || type == S16 || type == TYPE_U8; }
static inline u32 bytes_of(u32 type) { return type == TYPE_U8 || type == U8_32 ? 1 : is_half(type) ? 2 : 4; }
static inline State *state_of(Wave *wave) { return (State *)wave->group->launch->state; }
static inline Mask exec_of(const Wave *wave)
{
   Mask m;
   memcpy(m.w, wave->reg.exec, sizeof m.w);
   return m;
}

/* The generated table. */
typedef struct {
   u64 mask, value;
   void (*fields)(Instruction *i, u64 word);
   Opcode op;
   u16 from, to; /* GPUs, such as 600 and 799 */
} Encoding;
extern const Encoding encodings[];
extern const u32 encoding_count;

#define RUNS_OF_FAMILY                                                                                                 \
   X(alu) X(interpolate) X(compare) X(move) X(multi) X(movmsk) X(dot) X(reverse) X(nop) X(fence) X(jump) X(end) X(getlast) X(getone) X(shps) X(shpe)         \
   X(predicate) X(branch) X(barrier) X(broadcast) X(quad_shuffle) X(shuffle) X(get_wave) X(get_fiber)                    \
   X(load_global) X(store_global) X(load_local) X(store_local) X(load_private) X(store_private) X(load_constants)        \
   X(store_constant) X(load_ubo) X(load_ubo_constants) X(atomic_local) X(atomic_global) X(atomic_resource)               \
   X(load_resource) X(store_resource) X(resource_info) X(resource_base) X(sample) X(texture_size)
#define X(name) void run_##name(Wave *wave, const Instruction *i);
RUNS_OF_FAMILY
#undef X

#endif
