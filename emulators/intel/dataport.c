/* The data ports' untyped messages: memory by offsets into a surface, by 64-bit addresses, and atomics. */
#include "messages.h"
#include <math.h>

static bool takes_part(const Message *m, u32 channel) { return m->channels >> channel & 1; }

/* ---- blocks: 16 bytes or more at one address. A write obeys the channels, a dword each [I3]; a read does not. */

static const u8 BLOCKS[8] = {1, 1, 2, 4, 8, 16};

static void copy_block(const Message *m, const Surface *s, u64 at, u32 size, bool write, u32 within)
{
   for (u32 k = 0; k < size; k += 4) {
      if (write && !(m->channels >> k / 4 % m->i->channels & 1))
         continue;
      u8 *written = NULL, *there = NULL;
      u64 address = s->base + at + k;
      if (s->kind == STATELESS)
         there = scratch_at(m->wave, address & 0xffffffffffffu, 4, &written);
      if (!there)
         there = surface_at(m, s, 0, at + k, 4, 4, write ? STORE : LOAD);
      if (write) {
         u32 from = (m->header ? REGISTER : 0) + within + k;
         if (!written)
            check_payload(m, from, 4);
         else
            memcpy(written, m->written + from, 4);
         if (there)
            memcpy(there, m->bytes + from, 4);
      } else {
         u8 *to = response_at(m, within + k, 4);
         if (there)
            memcpy(to, there, 4);
         else
            memset(to, 0, 4);
         if (written) /* a register that is filled is as defined as when it was spilled */
            memcpy(m->wave->reg.written + (to - m->wave->reg.grf), written, 4);
      }
   }
}

static u32 block_bytes(const Message *m, u32 code)
{
   if (!BLOCKS[code])
      stop(UNKNOWN, "%s: a block of size %u", m->what, code);
   return BLOCKS[code] * 16u;
}

static void block_of_surface(const Message *m, bool write, bool aligned)
{
   u32 code = BITS(m->descriptor, 8, 10);
   Surface s = surface_of(m);
   u64 at = header_word(m, 2);
   at *= aligned ? 16 : 1;
   if (s.kind == STATELESS)
      at += header_word(m, 5) & ~0x3ffu;
   copy_block(m, &s, at, block_bytes(m, code), write, code == 1 ? 16 : 0);
}

static void block_of_address(const Message *m, bool write)
{
   const Surface s = {.kind = STATELESS};
   u64 at = header_word(m, 0) | (u64)header_word(m, 1) << 32;
   copy_block(m, &s, at, block_bytes(m, BITS(m->descriptor, 8, 10)), write, 0);
}

static void scratch_block(const Message *m)
{
   const Surface s = {.kind = STATELESS, .base = state_of(m->wave)->general_base};
   u64 at = (header_word(m, 5) & ~0x3ffu) + 32ull * BITS(m->descriptor, 0, 11);
   copy_block(m, &s, at, REGISTER << BITS(m->descriptor, 12, 13), m->descriptor >> 17 & 1, 0);
}

/* ---- a value, or several dwords, per channel */

static void scattered(const Message *m, bool write, u32 size, u32 unit, u32 n)
{
   Surface s = surface_of(m);
   u64 more = s.kind == STATELESS && m->header ? header_word(m, 5) & ~0x3ffu : 0;
   for (u32 k = 0; k < n; k++) {
      if (!takes_part(m, k))
         continue;
      u64 at = (u64)payload(m, k) * unit + more, value = 0;
      u8 *there = surface_at(m, &s, k, at, size, unit, write ? STORE : LOAD);
      if (write) {
         value = payload(m, n + k);
         if (there)
            memcpy(there, &value, size);
      } else {
         if (there)
            memcpy(&value, there, size);
         respond(m, 0, k, 4, value);
      }
   }
}

/* Up to four dwords per channel; the mask names those that are left out. `address`: by 64-bit addresses. */
static void untyped(const Message *m, bool write, bool address)
{
   u32 mask = BITS(m->descriptor, 8, 11), n = BITS(m->descriptor, 12, 13) == 1 ? 16 : 8, component = 0;
   Surface s = {.kind = STATELESS};
   if (!address)
      s = surface_of(m);
   for (u32 c = 0; c < 4; c++) {
      if (mask >> c & 1)
         continue;
      for (u32 k = 0; k < n; k++) {
         if (!takes_part(m, k))
            continue;
         u64 at = (address ? payload_pair(m, 2 * k) : payload(m, k)) + 4 * c;
         u8 *there = surface_at(m, &s, k, at, 4, 4, write ? STORE : LOAD);
         u32 value = 0;
         if (write) {
            value = payload(m, n * (component + (address ? 2 : 1)) + k);
            if (there)
               memcpy(there, &value, 4);
         } else {
            if (there)
               memcpy(&value, there, 4);
            respond(m, component * n / 8, k, 4, value);
         }
      }
      component++;
   }
}

/* One to eight bytes per channel, by 64-bit addresses. */
static void scattered_by_address(const Message *m, bool write)
{
   u32 type = BITS(m->descriptor, 8, 9), count = BITS(m->descriptor, 10, 11), n = m->descriptor >> 12 & 1 ? 16 : 8;
   u32 size = type == 0 ? 1u << count : type == 1 ? 4 : 8, unit = size == 8 ? 8 : 4;
   if (type && count)
      stop(UNKNOWN, "%s: %u elements a channel", m->what, 1u << count);
   for (u32 k = 0; k < n; k++) {
      if (!takes_part(m, k))
         continue;
      u64 value = 0;
      u8 *there = global_at(m, payload_pair(m, 2 * k), size, type ? 4 : 1, write ? STORE : LOAD);
      if (write) {
         value = unit == 8 ? payload_pair(m, 2 * (n + k)) : payload(m, 2 * n + k);
         memcpy(there, &value, size);
      } else {
         memcpy(&value, there, size);
         respond(m, 0, k, unit, value);
      }
   }
}

/* ---- atomics: one channel after the other, the lowest first; each gets the value before its own operation */

u64 atomic_of_integers(u32 operation, u64 old, u64 a, u64 b, u32 bits)
{
   enum { AND = 1, OR, XOR, MOV, INC, DEC, ADD, SUB, REVSUB, IMAX, IMIN, UMAX, UMIN, CMPWR, PREDEC };
   u32 shift = 64 - bits;
   old = old << shift >> shift, a = a << shift >> shift, b = b << shift >> shift;
   bool less = (i64)(old << shift) < (i64)(a << shift);
   switch (operation) {
   case AND: return old & a;
   case OR: return old | a;
   case XOR: return old ^ a;
   case MOV: return a;
   case INC: return old + 1;
   case DEC: case PREDEC: return old - 1;
   case ADD: return old + a;
   case SUB: return old - a;
   case REVSUB: return a - old;
   case IMAX: return less ? a : old;
   case IMIN: return less ? old : a;
   case UMAX: return old > a ? old : a;
   case UMIN: return old < a ? old : a;
   case CMPWR: return old == a ? b : old;
   default: stop(UNKNOWN, "atomic operation %u", operation);
   }
}

static double real_of(u64 bits, u32 width) { return width == 16 ? half_float((u32)bits) : as_float((u32)bits); }

static u64 atomic_of_reals(u32 operation, u64 old, u64 a, u64 b, u32 width)
{
   enum { FMAX = 1, FMIN, FCMPWR, FADD };
   double x = real_of(old, width), y = real_of(a, width), result;
   switch (operation) {
   case FMAX: result = fmax(x, y); break;
   case FMIN: result = fmin(x, y); break;
   case FCMPWR: return x == y ? b : old;
   case FADD: result = x + y; break;
   default: stop(UNKNOWN, "atomic operation %u of real numbers", operation);
   }
   return width == 16 ? half_bits((float)result) : float_bits((float)result);
}

enum { PREDECREMENT = 15, ANSWERS = 13 }; /* a bit of the descriptor */

u64 exchange(u8 *there, u32 operation, bool real, u64 a, u64 b, u32 bits)
{
   u64 old = 0;
   memcpy(&old, there, bits / 8);
   u64 value = real ? atomic_of_reals(operation, old, a, b, bits) : atomic_of_integers(operation, old, a, b, bits);
   memcpy(there, &value, bits / 8);
   return !real && operation == PREDECREMENT ? value : old;
}

static bool takes_b(bool real, u32 operation) { return operation == (real ? 3u : 14u); }
static bool takes_a(bool real, u32 operation) { return real || !(operation == 5 || operation == 6 || operation == 15); }

static void atomic_of_surface(const Message *m, bool real, u32 bits)
{
   u32 n = m->descriptor >> 12 & 1 ? 8 : 16, operation = BITS(m->descriptor, 8, real ? 10 : 11);
   Surface s = surface_of(m);
   for (u32 k = 0; k < n; k++) {
      if (!takes_part(m, k))
         continue;
      u8 *there = surface_at(m, &s, k, payload(m, k), bits / 8, bits / 8, ATOMIC);
      u64 a = takes_a(real, operation) ? payload(m, n + k) : 0, b = takes_b(real, operation) ? payload(m, 2 * n + k) : 0;
      u64 old = there ? exchange(there, operation, real, a, b, bits) : 0;
      if (m->descriptor >> ANSWERS & 1)
         respond(m, 0, k, 4, old);
   }
}

static void atomic_of_address(const Message *m, bool real, u32 bits)
{
   u32 n = 8, operation = BITS(m->descriptor, 8, real ? 10 : 11);
   bool wide = bits == 64;
   for (u32 k = 0; k < n; k++) {
      if (!takes_part(m, k))
         continue;
      u8 *there = global_at(m, payload_pair(m, 2 * k), bits / 8, bits / 8, ATOMIC);
      u64 a = 0, b = 0;
      if (takes_a(real, operation))
         a = wide ? payload_pair(m, 2 * (n + k)) : payload(m, 2 * n + k);
      if (takes_b(real, operation))
         b = wide ? payload_pair(m, 2 * (2 * n + k)) : payload(m, 3 * n + k);
      u64 old = exchange(there, operation, real, a, b, bits);
      if (m->descriptor >> ANSWERS & 1)
         respond(m, 0, k, wide ? 8 : 4, old);
   }
}

/* ---- dispatch, by the message's type */

void fence(const Message *m)
{
   m->wave->released++;
   if (m->response)
      memset(response_at(m, 0, m->response * REGISTER), 0, m->response * REGISTER);
}

void dataport_0(const Message *m)
{
   u32 n = m->descriptor >> 8 & 1 ? 16 : 8, bytes = 1u << BITS(m->descriptor, 10, 11), type = BITS(m->descriptor, 14, 17);
   if (m->descriptor >> 18 & 1) {
      scratch_block(m);
      return;
   }
   m->wave->fences++; /* messages of one thread to local memory keep their order */
   switch (type) {
   case 0: block_of_surface(m, false, true); break;
   case 1: block_of_surface(m, false, false); break;
   case 8: block_of_surface(m, true, true); break;
   case 3: scattered(m, false, 4, 4, n); break;
   case 11: scattered(m, true, 4, 4, n); break;
   case 4: scattered(m, false, bytes, 1, n); break;
   case 12: scattered(m, true, bytes, 1, n); break;
   case 7: fence(m); break;
   default: stop(UNKNOWN, "%s: data port 0, message 0x%x", m->what, type);
   }
}

void dataport_1(const Message *m)
{
   u32 type = BITS(m->descriptor, 14, 18);
   m->wave->fences++;
   switch (type) {
   case 0x01: untyped(m, false, false); break;
   case 0x09: untyped(m, true, false); break;
   case 0x11: untyped(m, false, true); break;
   case 0x19: untyped(m, true, true); break;
   case 0x10: scattered_by_address(m, false); break;
   case 0x1a: scattered_by_address(m, true); break;
   case 0x14: block_of_address(m, false); break;
   case 0x15: block_of_address(m, true); break;
   case 0x02: atomic_of_surface(m, false, 32); break;
   case 0x03: atomic_of_surface(m, false, 16); break;
   case 0x1b: atomic_of_surface(m, true, 32); break;
   case 0x1c: atomic_of_surface(m, true, 16); break;
   case 0x12: atomic_of_address(m, false, m->descriptor >> 12 & 1 ? 64 : 32); break;
   case 0x13: atomic_of_address(m, false, 16); break;
   case 0x1d: atomic_of_address(m, true, 32); break;
   case 0x1e: atomic_of_address(m, true, 16); break;
   case 0x05: case 0x0d: case 0x06: typed_message(m); break;
   default: stop(UNKNOWN, "%s: data port 1, message 0x%x", m->what, type);
   }
}
