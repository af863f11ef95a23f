/* Images: a surface's state, where a texel lies, and the data port's typed messages. */
#include "messages.h"

enum { TYPE_1D, TYPE_2D, TYPE_3D, TYPE_CUBE, TYPE_BUFFER, TYPE_NULL = 7 };
enum { LINEAR, TILE_W, TILE_X, TILE_Y }; /* on Gen12.5 TILE_W is Tile64, and TILE_Y is Tile4 */

enum { TILE_64K = 2 }; /* else 4 KiB: the standard tiles of Gen9 to Gen12 (Yf, Ys) */

/* ---- where texels lie */

/* Deposits the lowest bits of a number at the places of a mask. */
static u64 spread(u64 number, u32 mask)
{
   u64 spread = 0;
   for (; mask; mask &= mask - 1, number >>= 1)
      if (number & 1)
         spread |= mask & -mask;
   return spread;
}

/* Bits of the byte's column and of the row alternate, from the lowest on; the texel's size says how many of the
 * column's come first (Intel's Skylake reference manual, volume 5, "TileYF" and "TileYS"). */
static u64 in_standard_tiles(const Texture *t, u64 column, u64 row)
{
   u32 bytes = t->image.format->bytes, size = t->standard == TILE_64K ? 16 : 12, all = (1u << size) - 1;
   u32 columns = all & (bytes >= 8 ? 0xaacf : bytes >= 2 ? 0xaa8f : 0xaa0f), rows = all & ~columns;
   u32 across = (u32)__builtin_popcount(columns), down = size - across;
   u64 tile = (row >> down) * (t->pitch >> across) + (column >> across);
   return (tile << size) + spread(column, columns) + spread(row, rows);
}

static u64 offset_of(const Texture *t, u32 x, u32 y, u32 z)
{
   u64 column = (u64)x * t->image.format->bytes, row = y;
   if (t->type == TYPE_BUFFER)
      return (u64)x * t->pitch;
   z += t->first;
   if (t->type == TYPE_1D && t->tiling == LINEAR) /* layers of one row, in texels */
      column += (u64)z * t->slice_rows * t->image.format->bytes;
   else
      row += (u64)z * t->slice_rows;
   if (t->standard)
      return in_standard_tiles(t, column, row);
   switch (t->tiling) {
   case TILE_X: /* 8 rows of 512 bytes */
      return (row / 8 * (t->pitch / 512) + column / 512) * 4096 + row % 8 * 512 + column % 512;
   case TILE_Y:
      if (generation == GEN125) /* 32 rows of 128 bytes: blocks of 8 rows of 64 bytes, and in these cells of 4 rows of 16 */
         return (row / 32 * (t->pitch / 128) + column / 128) * 4096 + row % 32 / 8 * 1024 + column % 128 / 64 * 512 +
                row % 8 / 4 * 256 + column % 64 / 16 * 64 + row % 4 * 16 + column % 16;
      /* 32 rows of 128 bytes, in columns of 16 */
      return (row / 32 * (t->pitch / 128) + column / 128) * 4096 + column % 128 / 16 * 512 + row % 32 * 16 + column % 16;
   default:
      return row * t->pitch + column;
   }
}

static u8 *texel_at(const Image *image, u32 x, u32 y, u32 z)
{
   const Texture *t = (const Texture *)(const void *)image;
   return memory_at(t->base + offset_of(t, x, y, z), image->format->bytes, 1, "an image");
}

static const u8 *load_texel(const Image *image, u32 x, u32 y, u32 z, u8 *space)
{
   (void)space;
   return texel_at(image, x, y, z);
}

static void store_texel(const Image *image, u32 x, u32 y, u32 z, const u8 *bytes)
{
   memcpy(texel_at(image, x, y, z), bytes, image->format->bytes);
}

/* The components of a read, by the state's four selects. */
static void swizzle(Texture *t, u32 selects)
{
   for (u32 c = 0; c < 4; c++) {
      u32 select = selects >> (25 - 3 * c) & 7;
      t->image.swizzle[c] = select >= 4 ? select - 4 : select == 1 ? ONE : ZERO;
   }
}

bool texture_of(const Message *m, const Surface *s, Texture *t)
{
   if (s->kind == NOTHING)
      return false;
   if (!s->state)
      stop(FAULT, "%s: an image, by a surface without a state", m->what);
   const u32 *d = s->state;
   memset(t, 0, sizeof *t);
   Image *image = &t->image;
   image->format = format_of(BITS(d[0], 18, 26), image->place, &image->srgb);
   image->load = load_texel;
   image->store = store_texel;
   t->base = s->base;
   t->type = d[0] >> 29;
   t->array = d[0] >> 28 & 1;
   t->tiling = BITS(d[0], 12, 13);
   t->pitch = BITS(d[3], 0, 17) + 1;
   t->slice_rows = BITS(d[1], 0, 14) << 2;
   t->first = BITS(d[4], 18, 28);
   u32 width = BITS(d[2], 0, 13) + 1, height = BITS(d[2], 16, 29) + 1, depth = BITS(d[3], 21, 31) + 1;
   if (t->tiling == TILE_W)
      stop(UNKNOWN, "%s: an image in W tiles, or in those of 64 KiB", m->what);
   t->standard = generation == GEN125 || t->tiling == LINEAR ? 0 : BITS(d[5], 18, 19);
   if (t->standard && t->type != TYPE_2D)
      stop(UNKNOWN, "%s: an image of type %u in standard tiles", m->what, t->type);
   if (d[5] & 15)
      stop(UNKNOWN, "%s: level %u of an image", m->what, d[5] & 15);
   if (t->type == TYPE_BUFFER) {
      width = 1 + (BITS(d[2], 0, 6) | BITS(d[2], 16, 29) << 7 | BITS(d[3], 21, 31) << 21);
      t->first = 0;
   }
   if (t->type == TYPE_1D || t->type == TYPE_BUFFER)
      height = 1;
   if (t->type == TYPE_BUFFER || (t->type != TYPE_3D && !t->array))
      depth = 1;
   if (t->type == TYPE_3D) {
      depth = depth > t->first ? depth - t->first : 0;
   }
   image->size[0] = width, image->size[1] = height, image->size[2] = depth;
   image->layered = t->type != TYPE_3D;
   image->dimensions = t->type == TYPE_3D ? 3 : t->type == TYPE_2D || t->type == TYPE_CUBE ? 2 : 1;
   swizzle(t, d[7]);
   trace("   texture: type %u, %ux%ux%u at 0x%llx, pitch %u, tiles %u/%u, rows %u, format 0x%x", t->type, width, height, depth,
         (unsigned long long)t->base, t->pitch, t->tiling, t->standard, t->slice_rows, BITS(d[0], 18, 26));
   return true;
}

/* ---- typed messages: eight channels, x, y and z */

enum { TYPED_READ = 5, TYPED_ATOMIC = 6, TYPED_WRITE = 13, CHANNELS = 8, ANSWERS = 13 };

static u32 coordinates_of(const Texture *t) { return t->image.dimensions + (t->image.layered && t->array); }

static u32 operands_of(u32 operation) { return operation == 5 || operation == 6 || operation == 15 ? 0 : operation == 14 ? 2 : 1; }

static void typed_atomic(const Message *m, const Texture *t, i32 at[3][LANES], u32 first)
{
   u32 operation = BITS(m->descriptor, 8, 11);
   if (t->image.format->bytes != 4)
      stop(UNKNOWN, "%s: an atomic operation on texels of %u bytes", m->what, t->image.format->bytes);
   for (u32 k = 0; k < CHANNELS; k++) {
      if (!(m->channels >> k & 1))
         continue;
      u32 old = 0;
      if (image_has(&t->image, at[0][k], at[1][k], at[2][k])) {
         u8 *there = texel_at(&t->image, at[0][k], at[1][k], at[2][k]);
         memcpy(&old, there, 4);
         u32 a = operands_of(operation) > 0 ? payload(m, CHANNELS * first + k) : 0;
         u32 b = operands_of(operation) > 1 ? payload(m, CHANNELS * (first + 1) + k) : 0;
         u32 value = (u32)atomic_of_integers(operation, old, a, b, 32);
         memcpy(there, &value, 4);
         old = operation == 15 ? value : old;
      }
      if (m->descriptor >> ANSWERS & 1)
         respond(m, 0, k, 4, old);
   }
}

void typed_message(const Message *m)
{
   u32 type = BITS(m->descriptor, 14, 18), mask = BITS(m->descriptor, 8, 11), component = 0, answer = 0;
   i32 at[3][LANES] = {0};
   u32 texel[4][LANES] = {0};
   Mask lanes = {{m->channels & 0xff}};
   Surface s = surface_of(m);
   Texture t;
   bool there = texture_of(m, &s, &t);
   if (!there && type == TYPED_READ) {
      for (u32 c = 0; c < 4; c++)
         for (u32 k = 0; !(mask >> c & 1) && k < CHANNELS; k++)
            respond(m, c, k, 4, 0);
      return;
   }
   if (!there)
      return;
   /* A message may have a layer for an image that is not an array, and on Gen12.5 none for an array. The data comes
    * after the coordinates that it has. */
   for (u32 c = 0; c < 4; c++)
      component += !(mask >> c & 1);
   u32 data = type == TYPED_WRITE ? component : type == TYPED_ATOMIC ? operands_of(BITS(m->descriptor, 8, 11)) : 0;
   u32 there_are = m->length + m->extra - m->header - data, count = coordinates_of(&t);
   for (u32 c = 0; c < count && c < there_are; c++)
      EACH_LANE(k, lanes) at[c == 1 && t.image.dimensions == 1 ? 2 : c][k] = (i32)payload(m, CHANNELS * c + k);
   switch (type) {
   case TYPED_ATOMIC:
      typed_atomic(m, &t, at, there_are);
      break;
   case TYPED_WRITE:
      for (u32 c = 0, k = 0; c < 4; c++) {
         if (mask >> c & 1)
            continue;
         EACH_LANE(lane, lanes) texel[c][lane] = payload(m, CHANNELS * (there_are + k) + lane);
         k++;
      }
      image_write(&t.image, lanes, at, texel);
      break;
   default:
      image_read(&t.image, lanes, at, NULL, texel);
      for (u32 c = 0; c < 4; c++) {
         if (mask >> c & 1)
            continue;
         EACH_LANE(lane, lanes) respond(m, answer, lane, 4, texel[c][lane]);
         answer++;
      }
   }
}
