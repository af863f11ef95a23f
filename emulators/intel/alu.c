/* The instructions that only compute. */
#include "alu.h"
#include <fenv.h>

enum { ADD = 64 };
enum { Z = 1, NZ, G, GE, L, LE, R = 8, O, U }; /* conditions */

static void read_sources(Wave *wave, const Instruction *i, u32 channels, Vector v[3])
{
   for (u32 n = 0; n < i->sources; n++)
      read_operand(wave, i, &i->src[n], channels, &v[n]);
}

/* An instruction computes with real numbers if any source is real; integer sources are converted. */
static bool real_sources(const Instruction *i, Vector v[3])
{
   bool real = false;
   for (u32 n = 0; n < i->sources; n++)
      real |= is_real(i->src[n].type);
   for (u32 n = 0; real && n < i->sources; n++)
      for (u32 k = 0; !is_real(i->src[n].type) && k < i->channels; k++)
         v[n].d[k] = real_of_integer(v[n].i[k], i->src[n].type, T_DF);
   return real;
}

static void flush(const Wave *wave, u32 type, u32 n, Vector *v)
{
   u32 keeps = type == T_F ? 0x80 : type == T_HF ? 0x400 : 0x40;
   if (wave->reg.control & keeps)
      return;
   for (u32 k = 0; k < n; k++)
      v->d[k] = flushed(wave, type, v->d[k]);
}

/* ---- conditions */

static bool holds(u32 condition, double a, double b)
{
   switch (condition) {
   case Z: return a == b;
   case NZ: return a != b;
   case G: return a > b;
   case GE: return a >= b;
   case L: return a < b;
   case LE: return a <= b;
   case U: return a != a || b != b;
   default: stop(UNKNOWN, "condition %u", condition);
   }
}

static bool holds_of_integers(u32 condition, i64 a, i64 b)
{
   switch (condition) {
   case Z: return a == b;
   case NZ: return a != b;
   case G: return a > b;
   case GE: return a >= b;
   case L: return a < b;
   case LE: return a <= b;
   default: stop(UNKNOWN, "condition %u of integers", condition);
   }
}

/* Unsigned 64-bit numbers compare as signed ones if their highest bits are flipped. */
static i64 ordered(i64 x, u32 type) { return type == T_UQ ? (i64)((u64)x ^ 1ull << 63) : x; }

static u32 conditions(const Instruction *i, bool real, u32 type, const Vector *a, const Vector *b)
{
   u32 bits = 0;
   for (u32 k = 0; k < i->channels; k++) {
      bool is = real ? holds(i->condition, a->d[k], b->d[k])
                     : holds_of_integers(i->condition, ordered(a->i[k], type), ordered(b->i[k], type));
      bits |= (u32)is << k;
   }
   return bits;
}

/* An integer, cut to the destination's type. */
static i64 narrowed(i64 x, u32 type)
{
   u32 bits = 8 * bytes_of(type);
   if (bits == 64)
      return x;
   return is_signed(type) ? (i64)((u64)x << (64 - bits)) >> (64 - bits) : (i64)((u64)x & (~0ull >> (64 - bits)));
}

/* The condition of a result compares the stored value with 0 [I4]. */
static void set_result_flags(Wave *wave, const Instruction *i, bool real, const Vector *v, u32 channels)
{
   static const Vector zero;
   Vector stored;
   u32 type = i->dst.type, mode = rounding_of(wave);
   bool stored_real = is_real(type);
   for (u32 k = 0; k < i->channels; k++)
      if (stored_real)
         stored.d[k] = round_real(real ? v->d[k] : (double)v->i[k], type, mode);
      else
         stored.i[k] = narrowed(real ? real_to_integer(v->d[k], type) : v->i[k], type);
   set_flags(wave, i, conditions(i, stored_real, type, &stored, &zero), channels);
}

/* ---- results */

static bool unsigned_product(const Instruction *i)
{
   return i->op->name[0] == 'm' && i->sources == 2 && !is_signed(i->src[0].type) && !is_signed(i->src[1].type);
}

/* A move of 64 bits: an unsigned value may look negative. */
static bool is_wide(const Instruction *i) { return i->sources == 1 && bytes_of(i->src[0].type) == 8; }

/* Clamps to the range of the destination, a real number to [0, 1]. Returns whether the result is real then. */
static bool saturated(const Instruction *i, bool real, Vector *v)
{
   if (is_real(i->dst.type)) {
      for (u32 k = 0; k < i->channels; k++) {
         double d = real ? v->d[k] : (double)v->i[k];
         v->d[k] = d > 0 ? d < 1 ? d : 1 : 0; /* a NaN becomes 0 */
      }
      return true;
   }
   for (u32 k = 0; k < i->channels; k++)
      if (real)
         v->i[k] = real_to_integer(v->d[k], i->dst.type);
      else if (is_wide(i) && v->i[k] < 0 && is_signed(i->src[0].type) == (i->dst.type == T_UQ))
         v->i[k] = is_signed(i->src[0].type) ? 0 : clamp_integer(INT64_MAX, i->dst.type);
      else if (unsigned_product(i) && v->i[k] < 0) /* beyond 63 bits */
         v->i[k] = clamp_integer(INT64_MAX, i->dst.type);
      else
         v->i[k] = clamp_integer(v->i[k], i->dst.type);
   return false;
}

/* The accumulator's channel for an instruction's channel: counted modulo 8 with at most eight channels [I5]. */
static u32 accumulator_of(const Instruction *i, u32 k) { return (k + i->first) & (i->channels <= 8 ? 7 : 15); }

static void accumulate(Wave *wave, const Instruction *i, bool real, const Vector *v, u32 channels)
{
   for (; channels; channels &= channels - 1) {
      u32 k = __builtin_ctz(channels), c = accumulator_of(i, k);
      wave->reg.acc[c] = real ? (i64)float_bits((float)v->d[k]) : v->i[k];
      wave->reg.acc_written |= 1u << c;
   }
}

static void finish(Wave *wave, const Instruction *i, bool real, Vector *v, u32 channels, bool conditional)
{
   if (i->saturate)
      real = saturated(i, real, v);
   if (conditional && i->condition)
      set_result_flags(wave, i, real, v, channels);
   write_result(wave, i, v, real, channels);
   if (i->accumulates)
      accumulate(wave, i, real, v, channels);
}

/* To the nearest, a sum of doubles may be rounded twice, because a double has more than twice a float's bits. In a
 * direction, rounding twice that way is rounding once. */
static void set_rounding(u32 mode)
{
   static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
   fesetround(modes[mode]);
}

static void compute_rounding(Compute compute, u32 mode, Vector *r, const Vector v[3], u32 n, u32 width)
{
   if (mode)
      set_rounding(mode);
   compute(r, &v[0], &v[1], &v[2], n, width);
   if (mode)
      set_rounding(0);
}

/* A sum of 64 bits: whether it overflows needs more bits than it has. */
static void saturate_wide_sum(const Instruction *i, const Vector v[2], Vector *r)
{
   bool is_unsigned = i->dst.type == T_UQ;
   const __int128 least = is_unsigned ? 0 : INT64_MIN, most = is_unsigned ? (__int128)UINT64_MAX : INT64_MAX;
   for (u32 k = 0; k < i->channels; k++) {
      __int128 sum = 0;
      for (u32 n = 0; n < 2; n++)
         sum += i->src[n].type == T_UQ ? (__int128)(u64)v[n].i[k] : (__int128)v[n].i[k];
      r->i[k] = (i64)(sum < least ? least : sum > most ? most : sum);
   }
}

static u32 width_of(const Instruction *i) { return 8 * bytes_of(i->src[0].type); }

void run_alu(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i), n = i->channels;
   Vector v[3], r;
   read_sources(wave, i, channels, v);
   bool real = real_sources(i, v);
   for (u32 k = 0; real && k < i->sources; k++)
      flush(wave, i->src[k].type, n, &v[k]);
   Compute compute = real ? i->op->real : i->op->integer;
   if (!compute)
      stop(UNKNOWN, "%s of %s", i->op->name, real ? "real numbers" : "integers");
   compute_rounding(compute, real ? rounding_of(wave) : 0, &r, v, n, width_of(i));
   if (!real && i->saturate && i->opcode == ADD && bytes_of(i->dst.type) == 8)
      saturate_wide_sum(i, v, &r);
   if (real) { /* computed in the sources' precision: rounded to it before the conversion */
      u32 type = i->src[0].type;
      if (type == T_F && i->dst.type != T_F)
         for (u32 k = 0; k < n; k++)
            r.d[k] = round_real(r.d[k], T_F, rounding_of(wave));
      flush(wave, is_real(i->dst.type) ? i->dst.type : type, n, &r);
   }
   finish(wave, i, real, &r, channels, true);
}

/* With one type and no modifier the bits are copied. */
void run_move(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i);
   const Operand *o = &i->src[0];
   Vector v;
   if (o->type == i->dst.type && (o->type & 3) && !o->negate && !o->absolute && !i->saturate && !i->condition && !i->accumulates &&
       !(i->dst.file == ARF && is_real(o->type))) {
      Instruction own = *i;
      own.src[0].type = own.dst.type = o->type & 3;
      read_bits(wave, &own, &own.src[0], channels, &v);
      write_result(wave, &own, &v, false, channels);
      return;
   }
   read_operand(wave, i, o, channels, &v);
   bool real = is_real(o->type);
   if (!real && is_real(i->dst.type)) {
      if (i->dst.type == T_DF)
         set_rounding(rounding_of(wave));
      for (u32 k = 0; k < i->channels; k++)
         v.d[k] = real_of_integer(v.i[k], o->type, i->dst.type);
      if (i->dst.type == T_DF)
         set_rounding(0);
      real = true;
   }
   finish(wave, i, real, &v, channels, true);
}

/* sel: chooses by the predicate, or with a condition the smaller or greater value. Of a NaN and a number the number is chosen. */
void run_select(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i), chosen = predicate_of(wave, i), n = i->channels;
   Vector v[3], r;
   read_sources(wave, i, channels, v);
   bool real = real_sources(i, v);
   if (i->condition) {
      chosen = 0;
      for (u32 k = 0; k < n; k++) {
         double a = v[0].d[k], b = v[1].d[k];
         bool first;
         if (!real)
            first = holds_of_integers(i->condition, ordered(v[0].i[k], i->src[0].type), ordered(v[1].i[k], i->src[0].type));
         else if (a != a || b != b)
            first = a == a;
         else if (a == 0 && b == 0 && (i->condition == GE || i->condition == L)) /* -0 is less than +0 */
            first = i->condition == GE ? !signbit(a) || signbit(b) : signbit(a);
         else
            first = holds(i->condition, a, b);
         chosen |= (u32)first << k;
      }
      channels &= i->predicate ? predicate_of(wave, i) : ~0u;
   }
   for (u32 k = 0; k < n; k++)
      r.i[k] = chosen >> k & 1 ? v[0].i[k] : v[1].i[k];
   finish(wave, i, real, &r, channels, false);
}

/* All bits set if the condition holds. cmpn is also true for a NaN on the right, for the sel that follows. */
void run_compare(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i);
   Vector v[3], r;
   read_sources(wave, i, channels, v);
   bool real = real_sources(i, v), lets_nan = i->op->name[3] == 'n' && (i->condition == GE || i->condition == L);
   for (u32 k = 0; real && k < 2; k++)
      flush(wave, i->src[k].type, i->channels, &v[k]);
   u32 bits = conditions(i, real, i->src[0].type, &v[0], &v[1]);
   for (u32 k = 0; real && lets_nan && k < i->channels; k++)
      bits |= (u32)(v[1].d[k] != v[1].d[k]) << k;
   set_flags(wave, i, bits, channels);
   Instruction own = *i;
   own.dst.type &= 3;
   for (u32 k = 0; k < i->channels; k++)
      r.i[k] = -(i64)(bits >> k & 1);
   write_result(wave, &own, &r, false, channels);
}

/* csel: chooses by comparing the third source with 0. */
void run_select_by(Wave *wave, const Instruction *i)
{
   static const Vector zero;
   u32 channels = channels_of(wave, i) & predicate_of(wave, i);
   Vector v[3], r;
   read_sources(wave, i, channels, v);
   u32 bits = conditions(i, is_real(i->src[2].type), i->src[2].type, &v[2], &zero);
   for (u32 k = 0; k < i->channels; k++)
      r.i[k] = bits >> k & 1 ? v[0].i[k] : v[1].i[k];
   finish(wave, i, is_real(i->src[0].type), &r, channels, false);
}

/* bfn: bit n of its table is the result if the sources' bits form n, with the first source's bit lowest. */
void run_bfn(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i);
   Vector v[3], r = {0};
   read_sources(wave, i, channels, v);
   for (u32 n = 0; n < 8; n++)
      for (u32 k = 0; i->function >> n & 1 && k < i->channels; k++)
         r.i[k] |= (n & 1 ? v[0].i[k] : ~v[0].i[k]) & (n & 2 ? v[1].i[k] : ~v[1].i[k]) & (n & 4 ? v[2].i[k] : ~v[2].i[k]);
   finish(wave, i, false, &r, channels, true);
}

/* A field of `width` bits from `offset` on, cut off at the end of the word. On Gen9 the sources share one type,
 * which Mesa 26.2 takes from the first one; the result's type says whether the field is signed [I11]. */
void run_bfe(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i);
   bool negative = is_signed(generation == GEN9 ? i->dst.type : i->src[2].type);
   Vector v[3], r;
   read_sources(wave, i, channels, v);
   for (u32 k = 0; k < i->channels; k++) {
      u32 width = v[0].i[k] & 31, offset = v[1].i[k] & 31, x = (u32)v[2].i[k];
      u32 left = offset + width < 32 ? 32 - offset - width : 0, right = offset + width < 32 ? 32 - width : offset;
      r.i[k] = !width ? 0 : negative ? (i64)((i32)(x << left) >> right) : (i64)(x << left >> right);
   }
   finish(wave, i, false, &r, channels, true);
}

/* The place of the highest bit that differs from the sign. */
void run_fbh(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i);
   Vector v[3], r;
   read_sources(wave, i, channels, v);
   for (u32 k = 0; k < i->channels; k++) {
      u32 x = (u32)v[0].i[k];
      x = is_signed(i->src[0].type) && x >> 31 ? ~x : x;
      r.i[k] = x ? __builtin_clz(x) : -1;
   }
   finish(wave, i, false, &r, channels, true);
}

void run_dp4a(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i);
   Vector v[3], r;
   read_sources(wave, i, channels, v);
   for (u32 k = 0; k < i->channels; k++) {
      i64 sum = v[0].i[k];
      for (u32 byte = 0; byte < 4; byte++) {
         u8 x = (u64)v[1].i[k] >> 8 * byte, y = (u64)v[2].i[k] >> 8 * byte;
         sum += (is_signed(i->src[1].type) ? (i8)x : x) * (is_signed(i->src[2].type) ? (i8)y : y);
      }
      r.i[k] = sum;
   }
   finish(wave, i, false, &r, channels, true);
}

/* The high half of a product. An earlier instruction has accumulated the part of one factor's low 16 bits. */
void run_mach(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i);
   bool unsigned_sources = !is_signed(i->src[0].type) && !is_signed(i->src[1].type);
   Vector v[3], r = {0};
   read_sources(wave, i, channels, v);
   for (u32 left = channels; left; left &= left - 1) {
      u32 k = __builtin_ctz(left), c = accumulator_of(i, k);
      if (!(wave->reg.acc_written >> c & 1))
         mark(UNDEFINED, "channel %u of the accumulator was never written", c);
      i64 before = wave->reg.acc[c], high = is_signed(i->src[1].type) ? v[1].i[k] >> 16 : (i64)((u32)v[1].i[k] >> 16);
      /* 48 bits were written before; the sum has 66 bits, of which the accumulator keeps 64. */
      __int128 sum = (unsigned_sources ? (__int128)((u64)before & 0xffffffffffffu) : (__int128)before) + (__int128)v[0].i[k] * high * 0x10000;
      r.i[k] = unsigned_sources ? (i64)(u32)(sum >> 32) : (i64)(sum >> 32);
      wave->reg.acc[c] = (i64)sum;
   }
   if (i->condition)
      set_result_flags(wave, i, false, &r, channels);
   write_result(wave, i, &r, false, channels);
}

/* addc, subb: the carry, or the borrow, goes into the accumulator. */
void run_carry(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i);
   bool minus = i->op->name[0] == 's';
   Vector v[3], r, carry;
   read_sources(wave, i, channels, v);
   for (u32 k = 0; k < i->channels; k++) {
      u32 a = (u32)v[0].i[k], b = (u32)v[1].i[k], sum = minus ? a - b : a + b;
      r.i[k] = sum;
      carry.i[k] = minus ? a < b : sum < a;
   }
   if (i->condition)
      set_result_flags(wave, i, false, &r, channels);
   write_result(wave, i, &r, false, channels);
   accumulate(wave, i, false, &carry, channels);
}

void run_math(Wave *wave, const Instruction *i)
{
   u32 channels = channels_of(wave, i) & predicate_of(wave, i), n = i->channels;
   const MathFunction *f = &math_functions[i->function];
   Vector v[3], r;
   if (!f->compute)
      stop(UNKNOWN, "function %u of math", i->function);
   read_sources(wave, i, channels, v);
   for (u32 k = 0; !f->integer && k < i->sources; k++)
      flush(wave, i->src[k].type, n, &v[k]);
   f->compute(&r, &v[0], &v[1], &v[2], n, 32);
   if (!f->integer) {
      for (u32 k = 0; k < n; k++)
         r.d[k] = round_real(r.d[k], T_F, 0);
      flush(wave, i->dst.type, n, &r);
   }
   finish(wave, i, !f->integer, &r, channels, false);
}

void run_nop(Wave *wave, const Instruction *i) { (void)wave, (void)i; }
