/* A decoded shader: clauses of tuples of two instructions on Bifrost, instructions of 64 bits on Valhall (from 9 on). */
#ifndef SHADER_H
#define SHADER_H

#include "../engine/engine.h"
#include "generated.h"

enum Port { PORT_0, PORT_1, PORT_2, PORT_STAGE, PORT_LOW, PORT_HIGH, PORT_FMA, PORT_ADD };

typedef struct Instruction Instruction;
typedef struct Clause Clause;
typedef void (*Run)(Wave *wave, const Instruction *i);
/* One operation on all lanes; the sources are of their kinds. */
typedef void (*Alu)(const Instruction *i, u32 *d, const u32 *const *v);

typedef struct {
   const char *name;
   Run run;
   Alu alu;
   u8 sources;
   char kinds[4]; /* table.py explains the letters */
   char result;
   u8 reads, writes; /* the number of staging registers, if it is fixed */
   u8 staged;        /* 1: it reads some, 2: it writes some */
} Opcode;

typedef struct {
   u8 modifier, bits[4]; /* lowest bit and size, twice */
   const u8 *values[2];  /* enum Option; the second list holds if the first source's port is greater than the second's */
} FieldOf;

typedef struct {
   u64 mask, value;
   const Opcode *op;
   u8 sources[4]; /* Valhall's; words.py explains values that are not bit numbers */
   u8 count;
   FieldOf fields[12];
} Encoding;

/* Valhall: where a source lies. */
enum Place { IN_REGISTER, IN_CONSTANT, IN_UNIFORM, IN_SPECIAL };

typedef struct {
   u8 port, at; /* on Valhall the port is the source's number; the high words of 64-bit sources are four ports on */
   Pick pick;
   bool plain, negate, absolute, inverted;
   u8 halves; /* the halves of its register that it reads: 1 low, 2 high */
   /* Valhall only. */
   u8 place, number;
   bool last, wide; /* last: the register is not used again; wide: it has 64 bits */
   u32 value;
} Source;

struct Instruction {
   const Opcode *op;
   const Clause *clause; /* NULL on Valhall */
   u64 word;
   Source src[4];
   u8 mod[MODIFIERS]; /* enum Option */
   u8 compare;        /* a mask of LESS, EQUAL, GREATER, UNORDERED */
   bool is_add, flush, flush_halves, rounds;
   u8 from, to; /* the first staging register that a message reads, and the first that it writes */
   /* Valhall: what is added to an address; the result's register, and which halves of it; the message's slot; the
    * slots that are waited for, and how lanes go on after the instruction. */
   i32 offset;
   u8 result, halves, slot, waits, flow;
   u32 target; /* of a branch */
};
enum { RECONVERGE = 10, DISCARD = 13, END_OF_SHADER = 15 }; /* Valhall's flows that are not waits */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

enum { NO_REGISTER = 255 };
typedef struct {
   Instruction fma, add;
   u8 read[3]; /* the registers at the ports, or NO_REGISTER */
   /* The registers of the results of the previous tuple; the first tuple has those of the last one. Halves: 1 low, 2 high. */
   u8 write_fma, write_add, halves_fma, halves_add;
   u8 used;     /* the ports that the two instructions read */
   u8 constant; /* the FAU number */
   u32 value[2]; /* of an embedded constant */
} Tuple;

enum { TUPLES = 8, CONSTANTS = 6 };
struct Clause {
   u32 at, next; /* in quadwords */
   u8 count, waits, slot, staging, message, flow;
   bool staging_barrier, controls; /* it can branch, end or wait at a barrier */
   u32 target; /* the clause that it branches to, or NOWHERE, or END */
   Tuple tuple[TUPLES];
};
enum { NOWHERE = 0xffffffff, END = 0xfffffffe };
/* Those of a clause's flows (Mesa's bifrost.h, enum bifrost_flow) after which lanes may part or join: 2, 4 and 6. */
static inline bool clause_reconverges(const Clause *c) { return 0x54 >> c->flow & 1; }

typedef struct Shader {
   u64 address, size;
   u8 *bytes; /* the words that it was decoded from */
   u32 count;
   char *findings;       /* scoreboard.c's findings, a line each */
   u32 reported;         /* marks_taken at the time they were marked */
   u32 flush;            /* the mode of denormals, by Valhall's launch */
   Clause *clause;
   Instruction *instruction; /* Valhall's, `count` instructions */
   struct Shader *next;
} Shader;

/* The addresses at which local and private memory lie. */
#define LOCAL_WINDOW 0x7e0000000000ull
#define PRIVATE_WINDOW 0x7d0000000000ull
#define PACKET_WINDOW 0x7c0000000000ull /* and the memory that Valhall's vertices write */
#define WINDOW_MASK 0xff0000000000ull

/* A launch, as its descriptors have it. */
enum { UNIFORMS = 512 };
typedef struct {
   u32 uniform[UNIFORMS], uniforms, ubos, preload;
   u64 ubo_table;
   /* How many of each there are, and their address. */
   u32 textures, samplers, attributes;
   u64 texture_table, sampler_table, attribute_table, attribute_buffers;
   u64 resources; /* Valhall's tables of descriptors; their number is in the lowest bits */
   u32 flush;
   /* Draws only. */
   enum Stage { COMPUTE_STAGE, VERTEX_STAGE, FRAGMENT_STAGE } stage;
   u32 varyings, messages, blend[2];
   u64 varying_table, varying_buffers, positions;
   const struct fragments *fragments;
   u8 *packets;
   u32 packet_size, packet_bytes;
   bool barriers, narrow; /* it may have barriers; it has half of the registers */
} State;

extern u32 gpu_arch, gpu_lanes; /* 6 and 4, 7 and 8, 9 or 10 and 16 */
static inline bool is_valhall(void) { return gpu_arch >= 9; }
void choose_gpu(void); /* by EMULATOR_GPU, as g52 */
u32 named_arch(void);  /* named by the launch; 0: none */

/* shaders.c, clauses.c, decode.c, valhall.c */
Shader *shader_at(u64 address, u32 flush);
void decode_clauses(Shader *shader, u64 address);
void decode_words(Shader *shader, u64 address);
u32 decode_clause(Clause *c, const u8 *bytes, u32 quads);
/* Decodes by one of the tables. False if the word is not one of its instructions. */
bool decode_instruction(Instruction *i, u64 word, const Encoding *list, u32 count);

/* valhall.c, hazards.c: how many staging registers an instruction of Valhall, or of a clause, reads and writes. */
u32 message_registers(const Instruction *i, bool writes);
u32 clause_registers(const Instruction *i, bool writes);
u32 loaded_registers(const Instruction *i); /* the registers that a load writes, on both */
/* resources.c: Valhall's descriptors of 32 bytes, by table and number; the bytes of a buffer; a program's environment. */
u64 resource_at(const State *state, u32 handle, const char *what);
const u8 *buffer_bytes(const State *state, u32 handle, u32 offset, u32 bytes, const char *what);

/* flow.c, warp.c */
void branch_from(Wave *wave, Mask taken, u32 to, u32 next, bool reconverges); /* after a clause or an instruction */
void run_clauses(Wave *wave, u64 end);
void run_words(Wave *wave, u64 end);
void refresh(Wave *wave);

/* text.c: in a static buffer, valid until the next call. */
const char *instruction_text(const Instruction *i);
void trace_shader(const Shader *shader);

/* scoreboard.c */
void hazards_report(Shader *shader, const State *state);

/* operands.c: operand_high returns the high word of a 64-bit source. */
const u32 *operand_high(Wave *wave, const Instruction *i, u32 n, const u32 *low, u32 *space);
const u32 *operand(Wave *wave, const Instruction *i, u32 n, u32 *space);
const u32 *raw_operand(Wave *wave, const Instruction *i, u32 n);
void write_register(Wave *wave, u32 number, u8 halves, const u32 *values);
void check_read(Wave *wave, u32 number, u8 halves);
void check_register(const State *state, u32 number);
static inline const State *state_of(const Wave *wave) { return wave->group->launch->state; }
static inline Mask exec_of(const Wave *wave) { return (Mask){{wave->reg.exec}}; }
/* The row of an instruction's result. */
static inline u32 *result_of(Wave *wave, const Instruction *i) { return wave->reg.result[i->is_add]; }

/* The generated tables. */
extern const Encoding fma_encodings[], add_encodings[], valhall_encodings[];
extern const u32 fma_encoding_count, add_encoding_count, valhall_encoding_count;
extern const char *const option_names[], *const modifier_names[];

#define RUNS_OF_FAMILY                                                                                                 \
   X(alu) X(nop) X(segment) X(branch_zero) X(jump) X(permute) X(ballot) X(clock) X(barrier) X(load) X(store)          \
   X(atomic_begin) X(atomic) X(atomic_post) X(exchange) X(unknown)                                                      \
   X(texture) X(texture_2d) X(load_image) X(address_image) X(store_converted)   \
   X(load_attribute) X(address_attribute) X(load_varying) X(load_flat) X(test) X(blend) X(varying_texture)              \
   X(branch) X(atom) X(address_buffer) X(ask_texture) X(address_packet) X(load_packet)
#define X(name) void run_##name(Wave *wave, const Instruction *i);
RUNS_OF_FAMILY
#undef X

#endif
