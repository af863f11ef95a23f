/* Moves, conversions, and instructions that move values between lanes. */
#include "alu.h"

static float round_to(float x, u32 mode) /* a float to an integer; without a mode towards zero */
{
   switch (mode) {
   case 1: return rintf(x);
   case 2: return ceilf(x);
   case 3: return floorf(x);
   default: return truncf(x);
   }
}

static u32 float_to_integer(float x, u32 type, u32 mode)
{
   static const double LIMITS[][2] = {[U16] = {0, 0xffff}, [U32] = {0, 0xffffffff}, [S16] = {-0x8000, 0x7fff},
                                      [S32] = {-0x80000000ll, 0x7fffffff}, [TYPE_U8] = {-0x8000, 0xffff}, [U8_32] = {0, 0xff}};
   double rounded = round_to(x, mode);
   if (rounded != rounded)
      return 0;
   rounded = rounded < LIMITS[type][0] ? LIMITS[type][0] : rounded > LIMITS[type][1] ? LIMITS[type][1] : rounded;
   return (u32)(i64)rounded;
}

static float step_towards(float x, bool up)
{
   return nextafterf(x, up ? INFINITY : -INFINITY);
}

/* An exact value to a float, with modes as above. */
static u32 to_float(double x, u32 mode)
{
   float near = (float)x;
   if (mode != 1 && near == near && !isinf(x)) {
      if (mode == 0 ? fabs((double)near) > fabs(x) : mode == 2 ? (double)near < x : (double)near > x)
         near = mode == 0 ? nextafterf(near, 0.f) : step_towards(near, mode == 2);
   }
   return float_bits(near);
}

static u32 to_half(double x, u32 mode)
{
   _Float16 half = (_Float16)x;
   u16 near;
   memcpy(&near, &half, 2);
   double back = (double)half;
   if (mode == 1 || x != x || isinf(x))
      return near;
   if (mode == 0 ? fabs(back) > fabs(x) : mode == 2 ? back < x : back > x) {
      if (mode == 0)
         return near - 1;
      /* the next float in that direction: from infinity the largest number, across zero the smallest of the other sign */
      bool grows = (mode == 2) == !(near >> 15);
      return grows ? near + 1 : (near & 0x7fff) ? near - 1 : near ^ 0x8001;
   }
   return near;
}

static bool is_float(u32 type) { return type == F16 || type == F32; }

/* [8]: without a mode the value is truncated, also from an integer. */
static u32 convert(u32 x, u32 from, u32 to, u32 mode)
{
   if (is_float(from)) {
      float value = from == F16 ? half_float(x) : as_float(x);
      return to == F32 ? (from == F32 ? x : float_bits(value)) : to == F16 ? (from == F16 ? x : to_half(value, mode)) : float_to_integer(value, to, mode);
   }
   i64 value = from == U16 ? (i64)(u16)x : from == S16 ? (i64)(i16)x : from == S32 ? (i64)(i32)x : from == TYPE_U8 ? (i64)(i8)x : from == U8_32 ? (i64)(u8)x : (i64)x; /* [9]: u8 is signed */
   if (to == F32)
      return to_float((double)value, mode);
   if (to == F16)
      return to_half((double)value, mode);
   return to == TYPE_U8 || to == U8_32 ? (u32)value & 0xff : (u32)value;
}

static bool is_plain(const Instruction *i)
{
   if (i->src_type == i->type)
      return true;
   return !is_float(i->src_type) && !is_float(i->type) && i->half == i->dst_half && i->src_type < TYPE_U8 && i->type < TYPE_U8;
}

static void converted(const Instruction *i, const u32 *values, u32 *d, u32 lanes)
{
   for (u32 lane = 0; lane < lanes; lane++)
      d[lane] = convert(values[lane], i->src_type, i->type, i->round);
}

static void put_relative(Wave *wave, const Instruction *i, u32 step, const u32 *values)
{
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec)
   {
      i32 number = wave->reg.a0[lane] + i->dst + (i32)step;
      u32 row = i->dst_half ? number >> 1 : number;
      if (number < 0 || row >= SHARED)
         stop(FAULT, "there is no register r<a0.x + %u> with a0.x = %d", i->dst, wave->reg.a0[lane]);
      u32 *to = &wave->reg.row[row][lane], shift = number & 1 ? 16 : 0;
      *to = i->dst_half ? (*to & ~(0xffffu << shift)) | (values[lane] & 0xffff) << shift : values[lane];
      u64 bit = 1ull << lane % 64;
      if (!i->dst_half || !shift)
         wave->reg.written[2 * row][lane / 64] |= bit;
      if (!i->dst_half || shift)
         wave->reg.written[2 * row + 1][lane / 64] |= bit;
   }
}

/* movs: the value of one lane, which need not execute. */
static const u32 *of_lane(const Wave *wave, const Instruction *i, const u32 *values, u32 *space)
{
   u32 first = mask_lowest(exec_of(wave)), lane = i->index != OF_A0 ? i->index : first < LANES ? (u32)wave->reg.a0[first] : 0;
   if (lane >= wave->lanes)
      stop(FAULT, "there is no lane %u", lane);
   u32 value = values[lane];
   for (u32 n = 0; n < wave->lanes; n++)
      space[n] = value;
   return space;
}

void run_move(Wave *wave, const Instruction *i)
{
   u32 space[LANES] __attribute__((aligned(64))), d[LANES] __attribute__((aligned(64)));
   u8 kind = is_float(i->src_type) ? K_FLOAT : K_UNSIGNED;
   bool plain = is_plain(i);
   for (u32 step = 0; step <= i->repeat; step++) {
      const u32 *values = read_source(wave, i, 0, step, plain && i->src[0].where != CONSTANT ? K_UNSIGNED : kind, space);
      if (!plain) {
         converted(i, values, d, wave->lanes);
         values = d;
      }
      if (i->of_lane)
         values = of_lane(wave, i, values, d);
      if (i->dst_relative)
         put_relative(wave, i, step, values);
      else
         put(wave, i->dst < A0 ? i->dst + step : i->dst, i->dst_half, values);
   }
}

/* swz, gat, sct: all sources are read before a destination is written. */
void run_multi(Wave *wave, const Instruction *i)
{
   u32 space[LANES], d[4][LANES];
   for (u32 n = 0; n < i->size; n++)
      converted(i, read_source(wave, i, n, 0, K_UNSIGNED, space), d[n], wave->lanes);
   for (u32 n = 0; n < i->size; n++)
      put(wave, i->targets[n], i->dst_half, d[n]);
}

void run_movmsk(Wave *wave, const Instruction *i)
{
   u32 d[LANES];
   for (u32 n = 0; n < i->size; n++) {
      u32 word = n < LANES / 32 ? (u32)(wave->reg.exec[n / 2] >> 32 * (n % 2)) : 0;
      for (u32 lane = 0; lane < wave->lanes; lane++)
         d[lane] = word;
      put(wave, i->dst + n, false, d);
   }
}

/* ---- exchange between lanes */

void run_shuffle(Wave *wave, const Instruction *i)
{
   enum { XOR = 1, UP, DOWN, ROTATE_UP = 6, ROTATE_DOWN };
   u32 space[LANES], by_space[LANES], d[LANES], n = wave->lanes;
   const u32 *values = row_of(wave, i->data, i->half, space), *by = by_space;
   if (i->data_immediate)
      for (u32 lane = 0; lane < n; lane++)
         by_space[lane] = i->index;
   else
      by = row_of(wave, i->index, false, by_space);
   for (u32 lane = 0; lane < n; lane++) {
      u32 from = lane;
      switch (i->mode) {
      case XOR: from = lane ^ by[lane]; break;
      case UP: from = lane - by[lane]; break;
      case DOWN: from = lane + by[lane]; break;
      case ROTATE_UP: from = (lane - by[lane]) & (n - 1); break;
      case ROTATE_DOWN: from = (lane + by[lane]) & (n - 1); break;
      default: stop(UNKNOWN, "shuffle mode %u", i->mode);
      }
      d[lane] = values[from < n ? from : lane];
   }
   put(wave, i->dst, i->dst_half, d);
}

void run_quad_shuffle(Wave *wave, const Instruction *i)
{
   u32 space[LANES], by_space[LANES], d[LANES];
   const u32 *values = row_of(wave, i->src[0].number, i->half, space);
   const u32 *by = i->base_high ? NULL : row_of(wave, i->src[1].number, i->half, by_space);
   for (u32 lane = 0; lane < wave->lanes; lane++)
      d[lane] = values[by ? (lane & ~3u) | (by[lane] & 3) : lane ^ i->base_high];
   put(wave, i->dst, i->dst_half, d);
}

/* brcst.active: the upper half of each cluster gets the value of the last active lane of the lower half. */
void run_broadcast(Wave *wave, const Instruction *i)
{
   u32 space[LANES], d[LANES], size = 2u << i->base_high;
   const u32 *values = row_of(wave, i->src[0].number, i->half, space);
   Mask exec = exec_of(wave), write = {{0}};
   for (u32 cluster = 0; cluster < wave->lanes; cluster += size) {
      u32 last = LANES;
      for (u32 lane = cluster; lane < cluster + size / 2; lane++)
         last = mask_has(exec, lane) ? lane : last;
      for (u32 lane = cluster + size / 2; lane < cluster + size && last < LANES; lane++) {
         d[lane] = values[last];
         write = mask_or(write, mask_of(lane));
      }
   }
   Mask active = wave->active;
   wave->active = mask_and(active, write);
   refresh(wave);
   put(wave, i->dst, i->dst_half, d);
   wave->active = active;
   refresh(wave);
}

void run_get_wave(Wave *wave, const Instruction *i)
{
   u32 d[LANES];
   for (u32 lane = 0; lane < LANES; lane++)
      d[lane] = wave->index;
   put(wave, i->dst, i->dst_half, d);
}

void run_get_fiber(Wave *wave, const Instruction *i)
{
   u32 d[LANES];
   for (u32 lane = 0; lane < LANES; lane++)
      d[lane] = lane;
   put(wave, i->dst, i->dst_half, d);
}
