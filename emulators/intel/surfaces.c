/* Surfaces by their number in the binding table, and the bytes at an offset of one. */
#include "messages.h"

enum { SURFACE_BUFFER = 4, SURFACE_STRUCTURED, SURFACE_NULL = 7, FORMAT_RAW = 0x1ff };

Surface surface_of(const Message *m) { return surface_numbered(m, m->descriptor & 255); }

Surface surface_numbered(const Message *m, u32 number)
{
   const State *state = state_of(m->wave);
   switch (number) {
   case BTI_LOCAL: return (Surface){.kind = LOCAL};
   case BTI_STATELESS: case BTI_STATELESS_COHERENT: return (Surface){.kind = STATELESS, .base = state->general_base};
   }
   u64 at;
   if (number == BTI_BINDLESS)
      at = state->bindless_base + ((u64)(m->extended >> 12) << 6);
   else
      at = state->surface_base + memory_u32((generation == GEN9 || !state->binding_pool ? state->surface_base : state->binding_pool) + state->binding_table + 4 * number, "the binding table");
   return surface_of_state(at);
}

Surface surface_of_state(u64 at)
{
   const u32 *d = (const u32 *)(const void *)memory_at(at, 64, 64, "a surface's state");
   u32 type = d[0] >> 29, format = BITS(d[0], 18, 26);
   Surface s = {.kind = TYPED, .state = d, .base = (d[8] | (u64)d[9] << 32) & 0xffffffffffffu};
   if (type == SURFACE_NULL) {
      s.kind = NOTHING;
   } else if (type == SURFACE_SCRATCH && generation == GEN125) {
      s.kind = SCRATCH;
   } else if (type == SURFACE_BUFFER || type == SURFACE_STRUCTURED) {
      u64 entries = 1 + (BITS(d[2], 0, 6) | (u64)BITS(d[2], 16, 29) << 7 | (u64)BITS(d[3], 21, 31) << 21);
      s.kind = BUFFER;
      s.size = entries * (format == FORMAT_RAW ? 1 : BITS(d[3], 0, 17) + 1);
   }
   return s;
}

/* The thread's own scratch memory, from its beginning on. */
static u8 *own_scratch(Wave *wave, u64 offset, u32 size, u8 **written)
{
   Group *group = wave->group;
   u64 each = (u64)group->launch->wave_lanes * group->launch->private_size, at = wave->index * each + offset;
   if (offset + size > each)
      stop(FAULT, "%u bytes at 0x%llx of scratch memory, of which a thread has 0x%llx", size, (unsigned long long)offset, (unsigned long long)each);
   *written = group->private_written + at;
   return group->private + at;
}

u8 *scratch_at(Wave *wave, u64 address, u32 size, u8 **written)
{
   const State *state = state_of(wave);
   u64 each = 1024ull << state->scratch_code, base = state->general_base + state->scratch_base;
   if (!state->scratch_base || address < base || address >= base + each * wave->group->waves)
      return NULL;
   u64 offset = address - base;
   if (offset / each != wave->index || offset % each + size > each)
      stop(FAULT, "%u bytes at 0x%llx of scratch memory, of which this thread has 0x%llx to 0x%llx", size, (unsigned long long)offset,
           (unsigned long long)(each * wave->index), (unsigned long long)(each * (wave->index + 1)));
   return own_scratch(wave, offset % each, size, written);
}

/* The bytes of one channel; those that were never written are reported. */
static void note_scratch(const Message *m, u64 address, u32 size, u8 *written, enum Access access)
{
   for (u32 k = 0; k < size; k++)
      if (access != LOAD) {
         written[k] = 1;
      } else if (!written[k]) {
         mark(UNDEFINED, "%s: byte 0x%llx of scratch memory was never written", m->what, (unsigned long long)(address + k));
         break;
      }
}

u8 *global_at(const Message *m, u64 address, u32 size, u32 align, enum Access access)
{
   u8 *written, *own;
   address &= 0xffffffffffffu;
   if (!(own = scratch_at(m->wave, address, size, &written)))
      return memory_at(address, size, align, m->what);
   note_scratch(m, address, size, written, access);
   return own;
}

u8 *surface_at(const Message *m, const Surface *s, u32 channel, u64 offset, u32 size, u32 align, enum Access access)
{
   u8 *own, *written;
   switch (s->kind) {
   case SCRATCH:
      own = own_scratch(m->wave, offset, size, &written);
      note_scratch(m, offset, size, written, access);
      return own;
   case LOCAL: return local_at(m->wave, lane_of(m, channel), (i64)offset, size, align, access, m->what);
   case STATELESS: return global_at(m, s->base + offset, size, align, access);
   case BUFFER: return offset + size > s->size ? NULL : memory_at(s->base + offset, size, align, m->what);
   case TYPED: stop(UNKNOWN, "%s: an image as bytes", m->what);
   case NOTHING: break;
   }
   return NULL;
}
