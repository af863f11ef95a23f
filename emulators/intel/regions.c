/* Operands: regions of registers, immediates, architecture registers; flags and predicates; results. */
#include "alu.h"
#include <stdio.h>
#include <time.h>

/* Architecture registers, by the upper half of their numbers. */
enum { NULL_ = 0, ADDRESS = 1, ACCUMULATOR = 2, FLAG = 3, CHANNEL_ENABLE = 4, STATE = 7, CONTROL = 8, TIMESTAMP = 12 };

/* ---- channels */

u32 channels_of(const Wave *wave, const Instruction *i)
{
   u32 all = all_channels(i);
   return i->no_mask ? all : (u32)(wave->active.w[0] >> i->first) & all;
}

static u32 flag_bits(Wave *wave, const Instruction *i, u32 number, u32 channels)
{
   u32 shift = (i->flag_half ? 16 : 0) + i->first;
   if (shift >= 32)
      stop(FAULT, "%s: there is no channel %u of f%u", i->op->name, shift, number);
   if (~wave->reg.flag_written[number] >> shift & channels)
      mark(UNDEFINED, "f%u.%u was never written", number, i->flag_half);
   return wave->reg.flag[number] >> shift;
}

/* For each group of `size` channels: whether any of them, or all of them, are set. Channels that do not execute
 * count, as on the hardware. */
static u32 by_groups(u32 bits, u32 size, bool all)
{
   u32 result = 0, group = size == 32 ? ~0u : (1u << size) - 1;
   for (u32 k = 0; k < 32; k += size)
      if (all ? (bits >> k & group) == group : (bits >> k & group) != 0)
         result |= group << k;
   return result;
}

u32 predicate_of(Wave *wave, const Instruction *i)
{
   u32 all = all_channels(i), bits, executing = channels_of(wave, i);
   if (!i->predicate)
      return all;
   if (i->predicate == 2 || i->predicate == 3) {
      u32 a = flag_bits(wave, i, 0, executing), b = flag_bits(wave, i, 1, executing);
      bits = i->predicate == 2 ? a | b : a & b;
   } else {
      bits = flag_bits(wave, i, i->flag, executing);
      if (i->predicate > 3) {
         if (i->predicate > 13)
            stop(UNKNOWN, "predicate %u", i->predicate);
         bits = by_groups(bits, 2u << ((i->predicate - 4) >> 1), i->predicate & 1);
      }
   }
   return (i->inverted ? ~bits : bits) & all;
}

void set_flags(Wave *wave, const Instruction *i, u32 values, u32 channels)
{
   u32 shift = (i->flag_half ? 16 : 0) + i->first, *flag = &wave->reg.flag[i->flag];
   if (shift >= 32)
      stop(FAULT, "%s: there is no channel %u of f%u", i->op->name, shift, i->flag);
   *flag = (*flag & ~(channels << shift)) | (values & channels) << shift;
   wave->reg.flag_written[i->flag] |= channels << shift;
}

/* ---- what was never written */

void check_written(const Wave *wave, u32 at, u32 size)
{
   for (u32 k = 0; k < size; k++)
      if (!wave->reg.written[at + k]) {
         mark(UNDEFINED, "byte %u of r%u was never written", (at + k) % REGISTER, (at + k) / REGISTER);
         return;
      }
}

static bool all_written(const u8 *written, u32 size)
{
   u32 k = 0;
   u64 all = 0x0101010101010101u, word;
   for (; k + 8 <= size; k += 8) {
      memcpy(&word, written + k, 8);
      all &= word;
   }
   u8 rest = 1;
   for (; k < size; k++)
      rest &= written[k];
   return all == 0x0101010101010101u && rest;
}

static void check_region(const Wave *wave, const Operand *o, u32 channels)
{
   if (__builtin_expect(all_written(wave->reg.written + o->at, o->last - o->at), 1))
      return;
   for (; channels; channels &= channels - 1)
      if (!all_written(wave->reg.written + o->at + o->offset[__builtin_ctz(channels)], bytes_of(o->type))) {
         check_written(wave, o->at + o->offset[__builtin_ctz(channels)], bytes_of(o->type));
         return;
      }
}

/* ---- sources */

/* The numbers of a vector immediate: V and UV have eight of 4 bits, VF has four small floats. */
static void read_immediate(const Operand *o, u32 n, Vector *v)
{
   u32 bits = (u32)o->value;
   static const u16 none[LANES];
   switch (o->type) {
   case T_UB: case T_B:
      for (u32 k = 0; k < n; k++)
         v->i[k] = o->type == T_UB ? BITS(bits, k % 8 * 4, k % 8 * 4 + 3) : SBITS(bits, k % 8 * 4, k % 8 * 4 + 3);
      break;
   case 8:
      for (u32 k = 0; k < n; k++) {
         u32 byte = bits >> k % 4 * 8 & 0xff, magnitude = byte & 0x7f;
         v->d[k] = as_float((byte & 0x80) << 24 | (magnitude ? (magnitude << 19) + (124u << 23) : 0));
      }
      break;
   default:
      element_load((const u8 *)&o->value, o->type, n, none, SCALAR, v);
   }
}

static u32 element_address(Wave *wave, const Instruction *i, const Operand *o, u32 k)
{
   u32 bytes = bytes_of(o->type), row = o->width ? k / o->width : 0, column = o->width ? k % o->width : k;
   u32 number = o->address + (o->vertical == VXH ? row : 0);
   if (number >= ADDRESSES)
      stop(FAULT, "%s: there is no address register %u", i->op->name, number);
   if (!(wave->reg.a0_written >> number & 1))
      mark(UNDEFINED, "a0.%u was never written", number);
   i32 at = (i32)wave->reg.a0[number] + o->distance + (i32)(((o->vertical == VXH ? 0 : row * o->vertical) + column * o->horizontal) * bytes);
   if (at < 0 || at + (i32)bytes > GRF_BYTES)
      stop(FAULT, "%s: byte %d of the registers", i->op->name, at);
   return (u32)at;
}

static void read_indirect(Wave *wave, const Instruction *i, const Operand *o, u32 channels, Vector *v)
{
   static const u16 none[LANES];
   memset(v, 0, sizeof *v);
   for (u32 left = channels; left; left &= left - 1) {
      u32 k = __builtin_ctz(left), at = element_address(wave, i, o, k);
      check_written(wave, at, bytes_of(o->type));
      Vector one;
      element_load(wave->reg.grf + at, o->type, 1, none, SCALAR, &one);
      v->i[k] = one.i[0];
   }
}

/* The accumulators' channel of a region's element: a dword or a word. */
static u32 accumulator_at(const Instruction *i, const Operand *o, u32 k)
{
   u32 bytes = bytes_of(o->type), c = ((o->number & 15u) * REGISTER + o->sub + o->offset[k]) / bytes;
   if ((bytes != 4 && bytes != 2) || o->type == T_HF)
      stop(UNKNOWN, "%s: an accumulator as type %u", i->op->name, o->type);
   if (c >= LANES)
      stop(FAULT, "%s: the accumulator has no channel %u", i->op->name, c);
   return c;
}

static void read_accumulator(Wave *wave, const Instruction *i, const Operand *o, u32 channels, Vector *v)
{
   u32 shift = 64 - 8 * bytes_of(o->type);
   for (u32 k = 0; k < i->channels; k++) {
      u32 c = accumulator_at(i, o, k);
      if (channels >> k & 1 && !(wave->reg.acc_written >> c & 1))
         mark(UNDEFINED, "channel %u of the accumulator was never written", c);
      if (o->type == T_F)
         v->d[k] = as_float((u32)wave->reg.acc[c]);
      else
         v->i[k] = is_signed(o->type) ? wave->reg.acc[c] << shift >> shift : (i64)((u64)wave->reg.acc[c] << shift >> shift);
   }
}

/* The architecture registers whose contents are kept as bytes. */
static void read_architecture(Wave *wave, const Instruction *i, const Operand *o, Vector *v)
{
   u32 image[2 * LANES] = {0};
   const struct Registers *r = &wave->reg;
   struct timespec now;
   switch (o->number >> 4) {
   case NULL_: break;
   case ADDRESS: memcpy(image, r->a0, sizeof r->a0); break;
   case FLAG:
      if (!r->flag_written[o->number & 1]) /* a thread of 16 channels writes half of it, and saves the whole */
         mark(UNDEFINED, "f%u was never written", o->number & 1);
      image[0] = r->flag[o->number & 1];
      break;
   case CHANNEL_ENABLE: image[0] = (u32)wave->active.w[0]; break;
   case STATE: image[2] = image[3] = r->dispatched; break;
   case CONTROL: image[0] = r->control; break;
   case TIMESTAMP:
      clock_gettime(CLOCK_MONOTONIC, &now);
      image[0] = (u32)now.tv_nsec;
      image[1] = (u32)now.tv_sec;
      break;
   default: stop(UNKNOWN, "%s: architecture register 0x%x", i->op->name, o->number);
   }
   if (o->sub + o->offset[i->channels - 1] + 8 > (int)sizeof image)
      stop(FAULT, "%s: architecture register 0x%x ends before its region", i->op->name, o->number);
   element_load((const u8 *)image + o->sub, o->type, i->channels, o->offset, o->shape, v);
}

/* The bits, unchanged. */
void read_bits(Wave *wave, const Instruction *i, const Operand *o, u32 channels, Vector *v)
{
   if (o->file == IMMEDIATE) {
      read_immediate(o, i->channels, v);
   } else if (o->indirect) {
      read_indirect(wave, i, o, channels, v);
   } else if (o->file == GRF) {
      if (!o->fits)
         stop(FAULT, "%s: a region ends after the last register", i->op->name);
      check_region(wave, o, channels);
      element_load(wave->reg.grf + o->at, o->type, i->channels, o->offset, o->shape, v);
   } else if (o->number >> 4 == ACCUMULATOR) {
      read_accumulator(wave, i, o, channels, v);
   } else {
      read_architecture(wave, i, o, v);
   }
}

void read_operand(Wave *wave, const Instruction *i, const Operand *o, u32 channels, Vector *v)
{
   u32 n = i->channels;
   read_bits(wave, i, o, channels, v);
   if (is_real(o->type)) {
      for (u32 k = 0; o->absolute && k < n; k++)
         v->d[k] = fabs(v->d[k]);
      for (u32 k = 0; o->negate && k < n; k++)
         v->d[k] = -v->d[k];
      return;
   }
   if (!o->absolute && !o->negate)
      return;
   /* A negated or absolute integer has its type's bits, so that of the least number is that number again [I2]. An
    * accumulator has more bits. */
   u32 spare = o->file == ARF && o->number >> 4 == ACCUMULATOR ? 0 : 64 - 8 * bytes_of(o->type);
   for (u32 k = 0; k < n; k++) {
      i64 x = v->i[k];
      x = o->absolute && !i->op->logic && x < 0 ? -x : x;
      x = !o->negate ? x : i->op->logic ? ~x : -x;
      v->i[k] = is_signed(o->type) || !spare ? (i64)((u64)x << spare) >> spare : (i64)((u64)x << spare >> spare);
   }
}

/* ---- results */

/* cr0.0: whether denormals of a type are kept, and how results are rounded. */
double flushed(const Wave *wave, u32 type, double d)
{
   u32 keeps = type == T_F ? 0x80 : type == T_HF ? 0x400 : 0x40;
   double least = type == T_F ? 0x1p-126 : type == T_HF ? 0x1p-14 : 0x1p-1022;
   return !(wave->reg.control & keeps) && fabs(d) < least ? copysign(0, d) : d;
}

u32 rounding_of(const Wave *wave) { return BITS(wave->reg.control, 4, 5); }

static void write_architecture(Wave *wave, const Instruction *i, const u8 *bytes, u32 channels)
{
   const Operand *o = &i->dst;
   struct Registers *r = &wave->reg;
   u8 *to;
   u32 size;
   switch (o->number >> 4) {
   case ADDRESS: to = (u8 *)r->a0, size = sizeof r->a0; break;
   case FLAG: to = (u8 *)&r->flag[o->number & 1], size = 4; break;
   case CONTROL: to = (u8 *)&r->control, size = 4; break;
   default: stop(UNKNOWN, "%s: a result in architecture register 0x%x", i->op->name, o->number);
   }
   for (; channels; channels &= channels - 1) {
      u32 k = __builtin_ctz(channels), at = o->sub + o->offset[k], bytes_each = bytes_of(o->type);
      if (at + bytes_each > size)
         stop(FAULT, "%s: architecture register 0x%x ends before its region", i->op->name, o->number);
      memcpy(to + at, bytes + k * bytes_each, bytes_each);
      if (o->number >> 4 == ADDRESS)
         r->a0_written |= ((1u << (bytes_each + 1) / 2) - 1) << at / 2;
      else if (o->number >> 4 == FLAG)
         r->flag_written[o->number & 1] |= (bytes_each == 4 ? ~0u : (1u << bytes_each * 8) - 1) << at * 8;
   }
}

static void write_accumulator(Wave *wave, const Instruction *i, const Vector *v, bool real, u32 channels)
{
   const Operand *o = &i->dst;
   for (; channels; channels &= channels - 1) {
      u32 k = __builtin_ctz(channels), c = accumulator_at(i, o, k);
      wave->reg.acc[c] = real ? (i64)float_bits((float)v->d[k]) : v->i[k];
      wave->reg.acc_written |= 1u << c;
   }
}

static void write_registers(Wave *wave, const Instruction *i, const u8 *bytes, u32 channels)
{
   const Operand *o = &i->dst;
   u32 size = bytes_of(o->type);
   if (!o->indirect && !o->fits)
      stop(FAULT, "%s: a result after the last register", i->op->name);
   if (!o->indirect && o->horizontal == 1 && channels == all_channels(i)) {
      memcpy(wave->reg.grf + o->at, bytes, i->channels * size);
      memset(wave->reg.written + o->at, 1, i->channels * size);
      return;
   }
   for (; channels; channels &= channels - 1) {
      u32 k = __builtin_ctz(channels), at = o->indirect ? element_address(wave, i, o, k) : o->at + (u32)o->offset[k];
      memcpy(wave->reg.grf + at, bytes + k * size, size);
      memset(wave->reg.written + at, 1, size);
   }
}

void write_result(Wave *wave, const Instruction *i, const Vector *v, bool real, u32 channels)
{
   const Operand *o = &i->dst;
   if (o->file == ARF && o->number >> 4 == NULL_)
      return;
   if (o->file == ARF && o->number >> 4 == ACCUMULATOR) {
      write_accumulator(wave, i, v, real, channels);
      return;
   }
   u8 bytes[LANES * 8] __attribute__((aligned(64)));
   elements_store(bytes, o->type, i->channels, v, real, rounding_of(wave));
   if (o->file == ARF)
      write_architecture(wave, i, bytes, channels);
   else
      write_registers(wave, i, bytes, channels);
}
