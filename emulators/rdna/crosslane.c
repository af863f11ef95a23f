/* Vector instructions whose result in a lane depends on other lanes. */
#include "primitives.h"

static void read_word(Wave *wave, const Instruction *i, u32 n, u64 lanes, u64 *values)
{
   static const Opcode words = {.bits = {32, 32, 32}};
   fetch_source(wave, i, &words, n, i->source[n], lanes, values);
}

void run_read_first_lane(Wave *wave, const Instruction *i)
{
   u64 values[LANES], exec = exec_of(wave);
   u32 lane = exec ? __builtin_ctzll(exec) : 0;
   read_word(wave, i, 0, 1ull << lane, values);
   put_scalar(wave, i->dst, 32, values[lane]);
}

static u32 chosen_lane(Wave *wave, const Instruction *i) { return scalar_source(wave, i, i->source[1], 32, false) & (wave->lanes - 1); }

void run_read_lane(Wave *wave, const Instruction *i)
{
   u64 values[LANES];
   u32 lane = chosen_lane(wave, i);
   read_word(wave, i, 0, 1ull << lane, values);
   put_scalar(wave, i->dst, 32, values[lane]);
}

void run_write_lane(Wave *wave, const Instruction *i)
{
   put_word(wave, i->dst, chosen_lane(wave, i), (u32)scalar_source(wave, i, i->source[0], 32, false));
}

/* Within rows of 16 lanes, or from the other row. */
void run_permute_row(Wave *wave, const Instruction *i)
{
   u64 values[LANES], own[LANES], exec = exec_of(wave);
   bool of_lanes = strstr(i->op->name, "_VAR_") != NULL; /* gfx12: each lane has its own selector */
   u64 selectors = of_lanes ? 0 : (u32)scalar_source(wave, i, i->source[1], 32, false) | scalar_source(wave, i, i->source[2], 32, false) << 32;
   bool inactive = i->select & 1, zeros = i->select >> 1 & 1;
   u32 across = strstr(i->op->name, "PERMLANEX") ? 16 : 0;
   read_word(wave, i, 0, 0, values);
   if (of_lanes)
      read_word(wave, i, 1, exec, own);
   for (u32 lane = 0; lane < wave->lanes; lane++) {
      u32 from = ((lane & ~15u) ^ across) | ((of_lanes ? own[lane] : selectors >> 4 * (lane & 15)) & 15);
      if (!(exec >> lane & 1))
         continue;
      if (inactive || exec >> from & 1)
         put_word(wave, i->dst, lane, (u32)values[from]);
      else if (zeros)
         put_word(wave, i->dst, lane, 0);
   }
}

void run_permute_half(Wave *wave, const Instruction *i)
{
   u64 values[LANES], swapped[LANES];
   if (wave->lanes == 32)
      return;
   read_word(wave, i, 0, exec_of(wave) << 32 | exec_of(wave) >> 32, values);
   for (u32 lane = 0; lane < LANES; lane++)
      swapped[lane] = values[lane ^ 32];
   put_vector(wave, i->dst, 32, false, swapped, exec_of(wave));
}

void run_swap(Wave *wave, const Instruction *i)
{
   u64 a[LANES], b[LANES], exec = exec_of(wave);
   bool narrow = !strcmp(i->op->name, "V_SWAP_B16"), high_a = narrow && i->high & 8, high_b = narrow && i->high & 1;
   u32 other = i->source[0] - 256;
   if (i->source[0] < 256)
      stop(FAULT, "a swap with no vector register");
   for (u32 lane = 0; lane < LANES; lane++) {
      a[lane] = wave->reg.v[i->dst][lane] >> (high_a ? 16 : 0);
      b[lane] = wave->reg.v[other][lane] >> (high_b ? 16 : 0);
   }
   put_vector(wave, i->dst, narrow ? 16 : 32, high_a, b, exec);
   put_vector(wave, other, narrow ? 16 : 32, high_b, a, exec);
}

void run_move_relative(Wave *wave, const Instruction *i)
{
   bool of_source = strstr(i->op->name, "RELS") != NULL, of_result = !of_source || strstr(i->op->name, "RELSD");
   u32 step = scalar_word(wave, M0), dst = i->dst + (of_result ? step : 0);
   u64 values[LANES], exec = exec_of(wave);
   Instruction at = *i;
   if (of_source)
      at.source[0] += step;
   if (at.source[0] < i->source[0] || at.source[0] >= 512 || dst >= VECTORS)
      stop(FAULT, "a register %u after the one that is named", step);
   read_word(wave, &at, 0, exec, values);
   put_vector(wave, dst, 32, false, values, exec);
}

/* ---- sources that are floats or halves, sums of signed or unsigned products */

static float mixed(const Wave *wave, const Instruction *i, u32 n, u64 word)
{
   bool half = i->select_high >> n & 1;
   u32 number = i->source[n];
   float x = as_float((u32)word);
   if (half)
      x = half_float(number >= 240 && number <= 248 ? inline_constant(number, 16) : word >> (i->select >> n & 1 ? 16 : 0));
   u32 bits = float_bits(x);
   if (!half && !(wave->reg.mode >> 4 & 1) && !(bits & 0x7f800000))
      bits &= 0x80000000;
   bits &= i->negate_high >> n & 1 ? 0x7fffffff : 0xffffffff;
   return as_float(bits ^ (i->negate >> n & 1 ? 0x80000000 : 0));
}

void run_fma_mix(Wave *wave, const Instruction *i)
{
   u64 s[3][LANES], d[LANES], exec = exec_of(wave);
   bool half = strstr(i->op->name, "F16") != NULL, unfused = !strncmp(i->op->name, "V_MAD", 5);
   for (u32 n = 0; n < 3; n++)
      read_word(wave, i, n, exec, s[n]);
   for (u32 lane = 0; lane < wave->lanes; lane++) {
      float a = mixed(wave, i, 0, s[0][lane]), b = mixed(wave, i, 1, s[1][lane]), c = mixed(wave, i, 2, s[2][lane]), p = a * b;
      float r = unfused ? p + c : fmaf(a, b, c);
      r = i->clamp ? r > 0 ? r < 1 ? r : 1 : 0 : r;
      d[lane] = half ? half_bits(r) : float_bits(r);
      if (!half && !(wave->reg.mode >> 5 & 1) && !(d[lane] & 0x7f800000))
         d[lane] &= 0x80000000;
   }
   put_vector(wave, i->dst, half ? 16 : 32, strstr(i->op->name, "MIXHI") != NULL, d, exec);
}

/* A bit of `negate` says that a source is signed. */
void run_dot_signs(Wave *wave, const Instruction *i)
{
   u64 s[3][LANES], d[LANES], exec = exec_of(wave);
   u32 bits = strstr(i->op->name, "IU8") ? 8 : 4;
   for (u32 n = 0; n < 3; n++)
      read_word(wave, i, n, exec, s[n]);
   for (u32 lane = 0; lane < wave->lanes; lane++) {
      i64 sum = (i32)s[2][lane];
      for (u32 at = 0; at < 32; at += bits) {
         u64 mask = (1u << bits) - 1, a = s[0][lane] >> at & mask, b = s[1][lane] >> at & mask;
         sum += (i->negate & 1 ? sign_extend(a, bits) : (i64)a) * (i->negate & 2 ? sign_extend(b, bits) : (i64)b);
      }
      if (i->clamp)
         sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
      d[lane] = (u32)sum;
   }
   put_vector(wave, i->dst, 32, false, d, exec);
}
