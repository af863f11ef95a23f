/* Scalar instructions, and those that control a wave. */
#include "modes.h"
#include "primitives.h"

void run_scalar(Wave *wave, const Instruction *i)
{
   const Opcode *op = i->op;
   struct Registers *r = &wave->reg;
   u64 all = r->s[EXEC_LO] | (u64)r->s[EXEC_LO + 1] << 32;
   Scalars o = {.exec = all, .scc = r->scc, .literal = i->literal, .m0 = r->s[M0], .constant = i->offset, .ieee = r->ieee};
   if (op->flags & SCALAR_REAL && !gpu.scalar_reals)
      stop(FAULT, "%s: this GPU's scalar unit has no floats", op->name);
   if (op->sources > 0)
      o.s0 = scalar_source(wave, i, i->source[0], op->bits[0], op->real[0]);
   if (op->sources > 1)
      o.s1 = scalar_source(wave, i, i->source[1], op->bits[1], op->real[1]);
   for (u32 n = 0; op->flags & SCALAR_REAL && n < op->sources; n++)
      if (op->real[n] && !(denormals(wave, op->bits[n]) & IN))
         flush(n ? &o.s1 : &o.s0, op->bits[n], 1);
   bool writes = op->result && i->form != SOPC && !(i->form == SOPK && !strncmp(op->name, "S_CMPK", 6));
   if (i->form == SOPK && !writes)
      o.s0 = scalar_source(wave, i, i->dst, 32, false);
   if (writes && i->dst < SCALARS) /* the old value, which some instructions change only in part, or not at all */
      o.d = r->s[i->dst] | (op->result == 64 ? (u64)r->s[i->dst + 1] << 32 : 0);
   bool rounds = op->flags & SCALAR_REAL && op->real_result && round_as_wave(wave, op->result);
   op->scalar(&o);
   if (rounds)
      round_to_nearest();
   if (op->flags & SCALAR_REAL && op->real_result && !(denormals(wave, op->result) & OUT))
      flush(&o.d, op->result, 1);
   r->scc = o.scc;
   if (o.exec != all)
      r->s[EXEC_LO] = (u32)o.exec, r->s[EXEC_LO + 1] = o.exec >> 32;
   if (writes)
      put_scalar(wave, i->dst, op->result == 64 ? 64 : 32, o.d);
}

void run_nothing(Wave *wave, const Instruction *i) { (void)wave, (void)i; }
void run_unknown(Wave *wave, const Instruction *i) { (void)wave, stop(UNKNOWN, "%s (0x%08x 0x%08x)", i->op->name, i->raw[0], i->raw[1]); }

/* ---- the program counter, which is already after this instruction */

static u64 address_of_pc(const Wave *wave) { return wave->reg.base + 4 * (i64)(i32)wave->pc; }

static void go_to(Wave *wave, u64 address)
{
   if (address & 3)
      stop(FAULT, "a jump to 0x%llx", (unsigned long long)address);
   wave->pc = (u32)((i64)(address - wave->reg.base) / 4);
}

void run_get_pc(Wave *wave, const Instruction *i) { put_scalar(wave, i->dst, 64, address_of_pc(wave)); }
void run_set_pc(Wave *wave, const Instruction *i) { go_to(wave, scalar_source(wave, i, i->source[0], 64, false)); }

void run_swap_pc(Wave *wave, const Instruction *i)
{
   u64 to = scalar_source(wave, i, i->source[0], 64, false);
   put_scalar(wave, i->dst, 64, address_of_pc(wave));
   go_to(wave, to);
}

void run_call(Wave *wave, const Instruction *i)
{
   put_scalar(wave, i->dst, 64, address_of_pc(wave));
   wave->pc += i->offset;
}

void run_branch(Wave *wave, const Instruction *i)
{
   const char *condition = strrchr(i->op->name, '_') + 1;
   bool taken = true;
   if (!strncmp(condition, "SCC", 3))
      taken = wave->reg.scc == (u32)(condition[3] - '0');
   else if (!strncmp(condition, "VCC", 3))
      taken = (lane_mask(wave, VCC_LO) != 0) == (condition[3] == 'N');
   else if (!strncmp(condition, "EXEC", 4))
      taken = (exec_of(wave) != 0) == (condition[4] == 'N');
   if (taken)
      wave->pc += i->offset;
}

void run_barrier(Wave *wave, const Instruction *i) { (void)i, wave_barrier(wave, wave->pc); }

/* gfx12's barriers have two parts; waves meet at the wait. Barrier -1 is the work-group's. */
void run_barrier_signal(Wave *wave, const Instruction *i)
{
   if (i->source[0] != 193)
      stop(UNKNOWN, "a barrier %u", i->source[0]);
   if (wave->reg.signalled)
      stop(FAULT, "%s twice without a wait", i->op->name);
   wave->reg.signalled = true;
}

void run_barrier_wait(Wave *wave, const Instruction *i)
{
   if (i->offset != -1)
      stop(UNKNOWN, "a barrier %d", i->offset);
   if (!wave->reg.signalled)
      stop(FAULT, "%s without a signal, which never ends", i->op->name);
   wave->reg.signalled = false;
   wave_barrier(wave, wave->pc);
}

void run_end(Wave *wave, const Instruction *i) { (void)i, wave_end(wave); }

/* ---- modes */

enum { MODE = 1, SHADER_CYCLES = 29, SHADER_CYCLES_HIGH = 30, CYCLE_BITS = 20, CYCLES_OF_AN_INSTRUCTION = 4, GET_REALTIME = 131 };
enum { SCRATCH_LOW = 20, SCRATCH_HIGH = 21 };

void run_round_mode(Wave *wave, const Instruction *i) { wave->reg.mode = (wave->reg.mode & ~0xfu) | (i->offset & 0xf); }
void run_denorm_mode(Wave *wave, const Instruction *i) { wave->reg.mode = (wave->reg.mode & ~0xf0u) | (i->offset & 0xf) << 4; }

void run_get_register(Wave *wave, const Instruction *i)
{
   u32 number = BITS(i->offset, 0, 5), low = BITS(i->offset, 6, 10), bits = BITS(i->offset, 11, 15) + 1;
   u64 cycles = wave->executed * CYCLES_OF_AN_INSTRUCTION;
   u32 value = 0;
   if (number == MODE)
      value = wave->reg.mode;
   else if (number == SHADER_CYCLES)
      value = gpu.gfx >= 12 ? (u32)cycles : BITS(cycles, 0, CYCLE_BITS - 1);
   else if (number == SHADER_CYCLES_HIGH && gpu.gfx >= 12)
      value = cycles >> 32;
   else
      stop(UNKNOWN, "the hardware register %u", number);
   put_scalar(wave, i->dst, 32, value >> low & (u32)((1ull << bits) - 1));
}

/* A message with an answer; "RDNA3" ISA, 4.5. */
void run_message(Wave *wave, const Instruction *i)
{
   if (i->source[0] != GET_REALTIME)
      stop(UNKNOWN, "%s of the message %u", i->op->name, i->source[0]);
   put_scalar(wave, i->dst, i->op->name[strlen(i->op->name) - 2] == '6' ? 64 : 32, now_in_ticks());
}

void run_set_register(Wave *wave, const Instruction *i)
{
   u32 number = BITS(i->offset, 0, 5), low = BITS(i->offset, 6, 10), bits = BITS(i->offset, 11, 15) + 1;
   u32 mask = (u32)((1ull << bits) - 1) << low;
   u32 value = strstr(i->op->name, "IMM32") ? i->literal : scalar_word(wave, i->dst);
   if (gpu.gfx == 10 && (number == SCRATCH_LOW || number == SCRATCH_HIGH) && bits == 32) {
      wave->reg.scratch = insert(wave->reg.scratch, number == SCRATCH_LOW ? 0 : 32, 32, value);
      return;
   }
   if (number != MODE)
      stop(UNKNOWN, "the hardware register %u", number);
   wave->reg.mode = (wave->reg.mode & ~mask) | (value << low & mask);
   wave->reg.ieee = gpu.gfx < 12 && wave->reg.mode >> 9 & 1;
}

void run_move_scalar_relative(Wave *wave, const Instruction *i)
{
   u32 bits = strstr(i->op->name, "B64") ? 64 : 32, step = scalar_word(wave, M0);
   bool of_source = strstr(i->op->name, "RELS") != NULL;
   if (step > SCALARS)
      stop(FAULT, "a register %u after the one that is named", step);
   u64 value = scalar_source(wave, i, i->source[0] + (of_source ? step : 0), bits, false);
   put_scalar(wave, i->dst + (of_source ? 0 : step), bits, value);
}
