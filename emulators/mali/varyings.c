/* Attributes and varyings of vertices: records in buffers, one a vertex. */
#include "draw.h"

enum { IN_ORDER = 1 };
#define IN_PACKET 0x80000000u /* for a varying's number that is its place */

typedef struct {
   const Format *format; /* NULL: zeros */
   u8 place[4];
   u64 base, size, stride;
   u32 offset, pixel_format;
} Record;

/* Valhall: a resource of a table; its buffer is one, too. */
static Record record_of_resource(const State *state, u32 handle, const char *what)
{
   enum { ATTRIBUTE = 5, BUFFER = 9, IN_ROWS = 1 };
   u32 w[5], b[4];
   bool srgb;
   memcpy(w, memory_mapped(resource_at(state, handle, what), sizeof w, 32, "an attribute"), sizeof w);
   if ((w[0] & 15) != ATTRIBUTE || BITS(w[0], 4, 7) != IN_ROWS || BITS(w[1], 6, 7))
      stop(UNKNOWN, "%s: an attribute with the words 0x%08x, 0x%08x", what, w[0], w[1]);
   memcpy(b, memory_mapped(resource_at(state, (w[1] & 63) << 24 | w[3], what), sizeof b, 32, "an attribute's buffer"), sizeof b);
   if ((b[0] & 15) != BUFFER)
      stop(FAULT, "%s: an attribute's buffer is a descriptor of type %u", what, b[0] & 15);
   Record r = {.pixel_format = w[0] >> 10, .offset = w[2], .stride = w[4], .size = b[1], .base = b[2] | (u64)b[3] << 32};
   r.format = format_of(r.pixel_format, r.place, &srgb);
   return r;
}

/* The second table has the varyings. */
static Record record_of(const State *state, bool second, u32 index, const char *what)
{
   u32 w[2], b[4], count = second ? state->varyings : state->attributes;
   bool srgb;
   if (is_valhall())
      return record_of_resource(state, index, what);
   if (index >= count)
      stop(FAULT, "%s: %s %u of %u", what, second ? "varying" : "attribute", index, count);
   memcpy(w, memory_at((second ? state->varying_table : state->attribute_table) + sizeof w * index, sizeof w, 8, "an attribute"), sizeof w);
   Record r = {.pixel_format = w[0] >> 10, .offset = w[1]};
   if (is_constant(r.pixel_format))
      return r;
   u64 buffers = second ? state->varying_buffers : state->attribute_buffers;
   memcpy(b, memory_at(buffers + sizeof b * BITS(w[0], 0, 8), sizeof b, 16, "an attribute's buffer"), sizeof b);
   if ((b[0] & 63) != IN_ORDER)
      stop(UNKNOWN, "%s: a buffer of the type %u", what, b[0] & 63);
   r.base = (b[0] | (u64)b[1] << 32) & 0x00ffffffffffffc0, r.stride = b[2], r.size = b[3];
   r.format = format_of(r.pixel_format, r.place, &srgb);
   return r;
}

static u64 record_address(const Record *r, u32 vertex, const char *what)
{
   u64 at = r->offset + vertex * r->stride;
   if (at + r->format->bytes > r->size)
      stop(FAULT, "%s: vertex %u lies beyond its buffer's %llu bytes", what, vertex, (unsigned long long)r->size);
   return r->base + at;
}

static void record_values(const Record *r, const u32 *vertices, Mask lanes, const char *what, u32 values[4][LANES])
{
   const u8 *from[LANES] = {0};
   memset(values, 0, sizeof(u32[4][LANES]));
   if (!r->format)
      return;
   EACH_LANE(lane, lanes) from[lane] = memory_at(record_address(r, vertices[lane], what), r->format->bytes, 1, what);
   texels_decode(r->format, false, r->place, from, LANES, values);
}

/* ---- vertices */

void run_load_attribute(Wave *wave, const Instruction *i)
{
   u32 values[4][LANES];
   u32 number = is_valhall() ? BITS(i->word, 16, 19) << 24 | BITS(i->word, 20, 23) : BITS(i->word, 6, 9);
   Record r = record_of(state_of(wave), false, number, i->op->name);
   if (i->mod[M_register_format] != O_f32 && i->mod[M_register_format] != O_auto)
      stop(UNKNOWN, "%s as %s", i->op->name, option_names[i->mod[M_register_format]]);
   record_values(&r, raw_operand(wave, i, 0), exec_of(wave), i->op->name, values);
   for (u32 n = 0; n < attribute_registers(i, true); n++)
      write_register(wave, i->to + n, 3, values[n]);
}

void run_address_attribute(Wave *wave, const Instruction *i)
{
   const u32 *vertex = raw_operand(wave, i, 0);
   u32 row[3][LANES] = {0};
   Record r = record_of(state_of(wave), true, BITS(i->word, 6, 9), i->op->name);
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec)
   {
      u64 address = r.format ? record_address(&r, vertex[lane], i->op->name) : 0;
      row[0][lane] = (u32)address, row[1][lane] = address >> 32, row[2][lane] = r.pixel_format;
   }
   for (u32 n = 0; n < 3; n++)
      write_register(wave, i->to + n, 3, row[n]);
}

/* ---- fragments */

/* Four lanes of a wave are two by two pixels. */
void pixel_of(const Wave *wave, u32 lane, i32 *x, i32 *y)
{
   const Fragments *f = state_of(wave)->fragments;
   u32 item = wave_item(wave, lane), quad = item / 4;
   *x = (f->left & ~(TILE - 1)) + (i32)(wave->group->id[0] * TILE + quad % (TILE / 2) * 2 + (item & 1));
   *y = (f->top & ~(TILE - 1)) + (i32)(wave->group->id[1] * TILE + quad / (TILE / 2) * 2 + (item >> 1 & 1));
}

/* Valhall: four consecutive words in the hardware's own memory. */
static void packet_values(const Fragments *f, u32 offset, u32 vertex, u32 values[4][LANES])
{
   if (!f->packets || offset + 16 > PACKET)
      stop(FAULT, "a varying at %u of a packet", offset);
   for (u32 c = 0; c < 4; c++)
      for (u32 lane = 0; lane < LANES; lane++)
         memcpy(&values[c][lane], &f->packets[vertex][offset + 4 * c], 4);
}

/* Interpolates between three corners of a rectangle; the fourth is taken to lie in their plane. */
void interpolate(const Wave *wave, u32 index, u32 components, bool flat, u32 values[4][LANES])
{
   const char *what = "a varying";
   const Fragments *f = state_of(wave)->fragments;
   u32 corner[3][4][LANES], vertices[LANES];
   if (!f || f->width == 0)
      stop(FAULT, "%s outside of a draw", what);
   Record r = {0};
   if (!(index & IN_PACKET))
      r = record_of(state_of(wave), true, index, what);
   for (u32 k = 0; k < 3; k++) {
      for (u32 lane = 0; lane < LANES; lane++)
         vertices[lane] = f->corner[k];
      if (index & IN_PACKET)
         packet_values(f, index & ~IN_PACKET, f->corner[k], corner[k]);
      else
         record_values(&r, vertices, wave->active, what, corner[k]);
   }
   for (u32 c = 0; c < components; c++)
      EACH_LANE(lane, wave->active)
      {
         i32 x, y;
         u32 a = corner[0][c][lane], b = corner[1][c][lane], d = corner[2][c][lane];
         pixel_of(wave, lane, &x, &y);
         values[c][lane] = a;
         if (flat && (a != b || a != d))
            stop(UNKNOWN, "a flat varying that the vertices do not agree on");
         if (flat || (a == b && a == d))
            continue;
         double right = (x + 0.5 - f->x0) / f->width, down = (y + 0.5 - f->y0) / f->height, first = as_float(a);
         values[c][lane] = float_bits((float)(first + (as_float(b) - first) * right + (as_float(d) - first) * down));
      }
}

static void load_varying(Wave *wave, const Instruction *i, bool flat)
{
   u32 values[4][LANES] = {0};
   u8 format = i->mod[M_register_format];
   if (format == O_f16)
      stop(UNKNOWN, "%s as halves", i->op->name);
   u32 count = attribute_registers(i, true), number = BITS(i->word, 3, 7);
   if (is_valhall())
      number = BITS(i->word, 8, 11) << 24 | BITS(i->word, 12, 19);
   interpolate(wave, number, count, flat, values);
   for (u32 n = 0; n < count; n++)
      write_register(wave, i->to + n, 3, values[n]);
}

void run_load_varying(Wave *wave, const Instruction *i)
{
   if (i->mod[M_sample] != O_center)
      stop(UNKNOWN, "%s at %s", i->op->name, option_names[i->mod[M_sample]]);
   load_varying(wave, i, false);
}

void run_load_flat(Wave *wave, const Instruction *i) { load_varying(wave, i, true); }

/* LD_VAR_BUF_IMM: its number is a place among the vertex's varyings. */
void run_load_packet(Wave *wave, const Instruction *i)
{
   u32 values[4][LANES] = {0}, count = attribute_registers(i, true);
   u8 format = i->mod[M_source_format];
   if ((format != O_flat32 && format != O_f32) || i->mod[M_sample] != O_center)
      stop(UNKNOWN, "%s of %s at %s", i->op->name, option_names[format], option_names[i->mod[M_sample]]);
   interpolate(wave, IN_PACKET | BITS(i->word, 16, 23), count, format == O_flat32, values);
   for (u32 n = 0; n < count; n++)
      write_register(wave, i->to + n, 3, values[n]);
}
