/* A decoded instruction, and the functions that execute it. Opcodes are generated: generate.py. */
#ifndef GFX_H
#define GFX_H

#include "../engine/engine.h"

enum Form { UNKNOWN_FORM, SOP1, SOP2, SOPC, SOPK, SOPP, SMEM, VOP1, VOP2, VOPC, VOP3, VOP3SD, VOP3P, VOPD, EXPORT, PARAMETERS_OF_DRAW, DS, FLAT, GLOBAL, SCRATCH, MUBUF, MTBUF, MIMG, VSAMPLE, FORMS };

typedef struct Instruction Instruction;
typedef struct Opcode Opcode;
typedef struct Draw Draw;
typedef void (*Run)(Wave *wave, const Instruction *i);

/* The operands of a vector instruction, a number per lane. */
typedef struct {
   u64 s0[LANES], s1[LANES], s2[LANES], d[LANES];
   u64 carry, bits; /* a bit per lane: carry in, and the bits that come out */
   u32 lanes, literal, m0;
   bool ieee;
} Operands;

typedef struct {
   u64 s0, s1, d, exec;
   u32 scc, literal, m0;
   i32 constant;
   bool ieee;
} Scalars;

enum Flag {
   READS_RESULT = 1, READS_CARRY = 2, SETS_CARRY = 4, COMPARES = 8, COMPARES_EXEC = 16, PACKED = 32, KEEPS_DENORMALS = 64,
   FLUSHES_DENORMALS = 128, CARRY_IN_SOURCE = 256, RETURNS = 512, TWO_ADDRESSES = 1024, STRIDE64 = 2048, FORMATTED = 4096,
   PACKED_FLOAT = 8192, PRODUCTS = 16384, SCALAR_REAL = 32768, SCALAR_RESULT = 65536,
   SIGNED_LITERAL = 131072, /* a literal is sign-extended to 64 bits */
   ZEROES_UPPER_HALF = 262144, /* gfx9: a result of 16 bits clears the rest of its register */
   ADDRESS_BY_LANE = 524288, /* the address is M0 plus four times the lane's number, without a register */
    READS_LOW = 1048576, READS_HIGH = 2097152, /* only that half of its source */
    PERMUTES = 4194304, /* the bytes that its third source names */
};
enum Dimension { LINE, PLANE, VOLUME, CUBE, ARRAY_1D, ARRAY_2D };
enum Part { WHOLE, SIGNED, LOW_HALF, LOW_SIGNED, HIGH_HALF, HIGH_SIGNED };
enum Operation {
   NO_OPERATION, ADD, SUB, RSUB, CSUB, COND_SUB, INC, DEC, MIN_I, MAX_I, MIN_U, MAX_U, AND, OR, XOR, MSKOR, SWAP, CMPSWAP, CMPSWAP_F, ADD_F, MIN_F, MAX_F,
   LOAD_MIP, STORE_MIP, SAMPLE, SAMPLE_L, SAMPLE_LZ, SAMPLE_D, SAMPLE_B, RESINFO, BRANCH_ALWAYS, WAIT_COUNTS,
};

struct Opcode {
   const char *name;
   Run run;
   void (*lanes)(Operands *o), (*saturated)(Operands *o);
   void (*scalar)(Scalars *o);
   u8 sources, bits[3], result; /* bits of each source, and of the result */
   bool real[3], real_result;
   u32 flags;                   /* enum Flag */
   u8 access, bytes, part, operation; /* memory only: enum Access, bytes of a lane, enum Part, enum Operation */
};

/* The registers that an instruction uses. */
enum Halves { LOW = 1, HIGH = 2, BOTH = 3 };
enum How { READ, WRITTEN, AWAITED }; /* awaited: it is written once memory has answered */
typedef struct {
   u16 number, count; /* vectors from 256 on */
   u8 how, halves;    /* enum Halves: of a vector register of gfx11, 16 bits are either half */
   bool mask; /* a bit per lane, so two registers in waves of 64 */
} Use;
enum { USES = 12 };

struct Instruction {
   u64 pc; /* address */
   u32 raw[5];
   Run run;
   const Opcode *op, *second; /* second: of a pair (VOPD) */
   u8 form, words;
   u16 source[3], source2[2]; /* 0 to 255: scalars and constants; from 256 on: vectors */
   u16 dst, dst2, mask_dst;
   u32 literal, dpp;
   u8 dpp_kind; /* 16, 8 or 0 */
   bool sdwa;   /* gfx9 and gfx10: bytes and halves of operands */
   u8 negate, absolute, negate_high, select, select_high, omod, high; /* a bit per source; the fourth bit of `high` is the result's */
   bool clamp, long_form, glc, offset_lane, index_lane, tfe, r128, a16, d16, unnormalized, nsa;
   i32 offset;
   u8 address, data, data2, scalar_address, mask, dimension;
   u16 format;
   u8 coordinates[16];
   Use uses[USES];
   u8 use_count;
};

/* The part of a launch that the engine does not know. */
typedef struct {
   u64 code;
   u32 user[16], user_count, rsrc1, rsrc2, rsrc3;
   u32 first[3]; /* the engine's first group */
   u32 tile[3];  /* gfx12: log2 of the sizes of the tiles in which a group's items are ordered */
   Draw *draw;   /* a draw, and the function that sets its waves up; NULL: a kernel */
   void (*start)(Wave *wave);
} State;

static inline const State *state_of(const Wave *wave) { return wave->group->launch->state; }

/* The tables of opcodes, by form and number, and those of pairs (VOPD). */
typedef struct {
   const Opcode *of[FORMS];
   u16 count[FORMS];
   const Opcode *pairs[32];
} Opcodes;
extern const Opcodes opcodes_of_gfx900, opcodes_of_gfx1010, opcodes_of_gfx1030, opcodes_of_rdna3, opcodes_of_rdna4;

extern bool gpu_known; /* a GPU has been chosen */
extern struct Gpu {
   const char *name;
   const Opcodes *opcodes;
   bool (*decode_memory)(Instruction *i, u32 w, const u32 *words);
   u8 gfx; /* 9 to 12 */
   bool scalar_reals; /* from gfx11.5 on the scalar unit computes with floats, too */
} gpu;
void choose_gpu(void); /* by EMULATOR_GPU, such as navi31 */

u64 now_in_ticks(void); /* packets.c: the GPU's clock, 100 MHz */

/* decode.c */
const Instruction *instruction_at(u64 address);
void forget_code(void); /* to be called if code may have changed */
void decode(Instruction *i, const u32 *words);
void choose(Instruction *i, enum Form form, u32 number);
void decode_ds(Instruction *i, u32 w, u32 next);
void decode_smem(Instruction *i, u32 w, u32 next, u32 opcode, i32 offset);
void decode_buffer_fields(Instruction *i, u32 w, u32 next);
bool decode_memory_11(Instruction *i, u32 w, const u32 *words);
bool decode_memory_12(Instruction *i, u32 w, const u32 *words); /* memory_12.c */
bool decode_memory_10(Instruction *i, u32 w, const u32 *words); /* gfx10.c */
bool decode_memory_9(Instruction *i, u32 w, const u32 *words); /* gfx9.c */
bool is_of_gfx9(const Instruction *i);
const Instruction *indexed(const Wave *wave, const Instruction *i, Instruction *own);
u16 format_of_9(u32 data, u32 numbers); /* formats.c */
void decode_selection(Instruction *i, u32 extra);
void rename_registers(Instruction *i);
void fetch_selected(Wave *wave, const Instruction *i, u32 n, u64 lanes, u64 *values);
void put_selected(Wave *wave, const Instruction *i, const u64 *values, u64 lanes);
const char *instruction_text(const Instruction *i); /* text.c */

/* operands.c */
u64 exec_of(const Wave *wave);
u64 lane_mask(const Wave *wave, u32 number);
void put_lane_mask(Wave *wave, u32 number, u64 mask);
u64 inline_constant(u32 number, u32 bits);
u64 scalar_source(Wave *wave, const Instruction *i, u32 number, u32 bits, bool real);
void put_scalar(Wave *wave, u32 number, u32 bits, u64 value);
u32 scalar_word(Wave *wave, u32 number);
/* The words of a register; reported if a lane of it was never written. */
const u32 *vector_source(Wave *wave, u32 number, enum Halves halves, u64 lanes);
void put_vector(Wave *wave, u32 number, u32 bits, bool high, const u64 *values, u64 lanes);
void put_word(Wave *wave, u32 number, u32 lane, u32 value);
void put_half(Wave *wave, u32 number, u32 lane, bool high, u32 value);

/* atomics.c */
u64 atomic_result(enum Operation operation, u64 old, u64 data, u64 compare, u32 bytes);
/* the values of a lane */
void load_value(Wave *wave, const Instruction *i, u32 number, u32 lane, const u8 *from);
void store_value(Wave *wave, const Instruction *i, u32 number, u32 lane, u8 *to);
void atomic_value(Wave *wave, const Instruction *i, u32 data, u32 result, u32 lane, u8 *at);

/* valu.c */
void fetch_source(Wave *wave, const Instruction *i, const Opcode *op, u32 n, u32 number, u64 lanes, u64 *values);

void collect_uses(Instruction *i); /* uses.c */
u32 image_addresses(const Instruction *i); /* images.c: how many address registers it has */

#define RUNS_OF_FAMILY                                                                                                 \
   X(vector) X(pair) X(scalar) X(nothing) X(unknown) X(read_first_lane) X(read_lane) X(write_lane) X(permute_row) X(permute_half) X(swap)          \
   X(move_relative) X(fma_mix) X(dot_signs) X(get_pc) X(set_pc) X(swap_pc) X(call) X(message) X(get_register) X(set_register)        \
   X(move_scalar_relative) X(barrier) X(barrier_signal) X(barrier_wait) X(end) X(branch) X(round_mode) X(denorm_mode) X(index_registers) X(scalar_load) X(scalar_buffer_load) X(clock)  \
   X(flat) X(scratch) X(buffer) X(local) X(local_permute) X(local_swizzle) X(local_append) X(image) X(image_size)
#define X(name) void run_##name(Wave *wave, const Instruction *i);
RUNS_OF_FAMILY
#undef X

#endif
