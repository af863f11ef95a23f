/* Accesses to buffers by descriptor: MUBUF and MTBUF; "RDNA3" ISA, 9. */
#include "resources.h"

enum Bounds { OF_STRUCTURES_AND_OFFSETS, OF_STRUCTURES, NONE, OF_BYTES };

typedef struct {
   u64 address;
   u32 inside; /* bytes of the access that are in the buffer: all, none, or the first words */
} Place;

/* Private memory by a buffer, or a ring: a lane's elements are `lanes` elements apart. */
static Place place_of_element(const BufferDescriptor *b, const Instruction *i, u32 index, u32 offset, u32 bytes, u32 scalar_offset)
{
   u32 within = offset % b->element;
   if (within + bytes > b->element)
      stop(UNKNOWN, "%s of %u bytes of a swizzled buffer", i->op->name, bytes);
   u64 row = (u64)(index / b->lanes) * b->stride * b->lanes + (u64)(offset - within) * b->lanes;
   return (Place){b->base + scalar_offset + row + index % b->lanes * b->element + within, bytes};
}

static Place place_of(const BufferDescriptor *b, u32 index, u32 offset, u32 bytes, u32 scalar_offset)
{
   u64 at = (u64)index * b->stride + offset, end = at + bytes;
   Place p = {b->base + scalar_offset + at, bytes};
   bool outside = false;
   switch (b->bounds) {
   case OF_STRUCTURES_AND_OFFSETS: outside = index >= b->records || (b->stride && offset + (u64)bytes > b->stride); break;
   case OF_STRUCTURES: outside = index >= b->records; break;
   case NONE: outside = !b->records; break;
   case OF_BYTES: /* each word separately */
      if (end > b->records)
         p.inside = bytes > 4 && at < b->records ? (b->records - (u32)at) & ~3u : 0;
      break;
   }
   if (outside)
      p.inside = 0;
   return p;
}

/* The bytes of an access. Outside of the buffer, reads get zeros and writes are dropped. */
static u8 *begin(const Instruction *i, const Place *p, u32 bytes, u8 *space)
{
   u32 align = i->op->access == ATOMIC ? bytes : 1;
   if (p->inside == bytes)
      return memory_at(p->address, bytes, align, i->op->name);
   memset(space, 0, WIDEST_TEXEL);
   if (p->inside)
      memcpy(space, memory_at(p->address, p->inside, 1, i->op->name), p->inside);
   return space;
}

static void finish(const Instruction *i, const Place *p, const u8 *at, const u8 *space)
{
   if (at == space && p->inside && i->op->access == STORE)
      memcpy(memory_at(p->address, p->inside, 1, i->op->name), space, p->inside);
}

static void access_texel(Wave *wave, const Instruction *i, const BufferDescriptor *b, const Format *format, bool srgb, u32 lane, u8 *at, bool inside)
{
   static const u8 plain[4] = {X, Y, Z, W};
   u8 place[4];
   u32 texel[4][LANES], one[4], moved[4] = {0}, mask = (1u << i->op->bytes) - 1;
   bool halves = i->op->part == LOW_HALF;
   u8 *to[LANES] = {at};
   const u8 *from[LANES] = {at};
   for (u32 c = 0; c < 4; c++)
      place[c] = c < format->channels ? plain[c] : ABSENT;
   if (i->op->access == STORE) {
      get_texel(wave, i->data, lane, mask, halves, format, one);
      for (u32 c = 4; c--;)
         if (b->select[c] >= 4 && c < i->op->bytes)
            moved[b->select[c] - 4] = one[c];
      for (u32 c = 0; c < 4; c++)
         texel[c][0] = i->form == MTBUF ? one[c] : moved[c];
      texels_encode(format, srgb, place, to, 1, texel);
      return;
   }
   texels_decode(format, srgb, place, from, 1, texel);
   bool integers = format->numbers == UINT || format->numbers == SINT;
   for (u32 c = 0; c < 4; c++) {
      u32 from_component = component(b->select[c], i->op->name);
      one[c] = from_component == ZERO ? 0 : from_component == ONE ? (integers ? 1 : float_bits(1)) : inside ? texel[from_component][0] : 0;
   }
   put_texel(wave, i->dst, lane, mask, halves, format, one);
}

void run_buffer(Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave);
   if (!exec)
      return;
   BufferDescriptor b = buffer_open(wave, i->source[0]);
   u32 scalar_offset = (u32)scalar_source(wave, i, i->source[1], 32, false), bytes = i->op->bytes;
   bool formatted = i->op->flags & FORMATTED, srgb = false;
   const Format *format = formatted ? format_of(i->form == MTBUF ? i->format : b.format, &srgb) : NULL;
   const u32 *index = i->index_lane ? vector_source(wave, i->address, BOTH, exec) : NULL;
   const u32 *offset = i->offset_lane ? vector_source(wave, i->address + i->index_lane, BOTH, exec) : NULL;
   if (gpu.gfx == 9) { /* structures are counted if the access has an index */
      b.bounds = i->index_lane && b.stride ? OF_STRUCTURES : OF_BYTES;
      b.records -= b.bounds == OF_BYTES ? (scalar_offset < b.records ? scalar_offset : b.records) : 0;
   }
   Place places[LANES];
   if (i->tfe)
      stop(UNKNOWN, "%s with a status", i->op->name);
   EACH_LANE(lane, (Mask){{exec}})
   {
      u32 at = (offset ? offset[lane] : 0) + i->offset;
      places[lane] = b.lanes ? place_of_element(&b, i, b.element > 4 && index ? index[lane] : lane, at, bytes, scalar_offset)
                             : place_of(&b, index ? index[lane] : 0, at, formatted ? format->bytes : bytes, scalar_offset);
   }
   EACH_LANE(lane, (Mask){{exec}})
   {
      u8 space[WIDEST_TEXEL];
      u8 *at = begin(i, &places[lane], formatted ? format->bytes : bytes, space);
      if (formatted)
         access_texel(wave, i, &b, format, srgb, lane, at, places[lane].inside);
      else if (i->op->access == LOAD)
         load_value(wave, i, i->dst, lane, at);
      else if (i->op->access == STORE)
         store_value(wave, i, i->data, lane, at);
      else
         atomic_value(wave, i, i->data, i->dst, lane, at);
      finish(i, &places[lane], at, space);
   }
}
