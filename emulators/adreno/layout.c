/* Where a texel lies: in rows, or in tiles, which may be compressed.
 *
 * Tiles: the text at the top of Mesa's src/freedreno/fdl/fd6_tiled_memcpy.cc. 256 bytes are a tile, in which bits of x
 * and y alternate. 2 x 4 tiles are a macrotile, whose tiles are permuted by bits of x and y. Macrotiles lie in rows, in
 * which bits of y may be added to x so that neighbours are in different memory banks.
 *
 * UBWC: no public text says how blocks are compressed, and only the GPU reads them. Here a block that was written has
 * the kind of its format in its flags, and its bytes are scrambled by that kind. Reading it without flags gives
 * nonsense, and reading it as another kind is a fault. A block whose flags are 0, as the driver clears them, reads as
 * zeros [11].
 */
#include "layout.h"

enum { LINEAR = 0, TILE6_2 = 2, TILE6_3 = 3, TILE = 256 };

static const Tiling GPUS[] = {
   {618, 14, 6, false, false}, {630, 15, 6, false, false}, {640, 15, 6, false, false},
   {650, 16, 6, true, false},  {660, 16, 6, true, false},  {702, 13, 7, false, false},
   {730, 16, 6, true, false},  {740, 16, 6, true, true},   {750, 16, 6, true, true},
};

/* By the GPU's number, which changes if a process chooses another GPU. */
const Tiling *gpu(void)
{
   static const Tiling *found;
   static u32 number;
   if (found && number == gpu_number)
      return found;
   const Tiling *chosen = &GPUS[gpu_generation == 7 ? COUNT(GPUS) - 1 : 1];
   for (u32 n = 0; n < COUNT(GPUS); n++)
      if (GPUS[n].number == gpu_number)
         chosen = &GPUS[n];
   found = chosen;
   number = gpu_number;
   return chosen;
}

static u32 kind_of(u32 format)
{
   u32 kin = kin_of(format);
   if (gpu()->one_kind)
      return kin == 0x0f || kin == 0x10 ? 0x11 : kin == 0x30 || kin == 0x32 ? 0x33 : kin == 0x43 || kin == 0x44 ? 0x46
             : kin == 0x60 || kin == 0x61 ? 0x63 : kin;
   return kin;
}

/* ---- tiles */

/* Formats with two channels of 8 bits have tiles of their own. */
static bool two_bytes(const Surface *s) { return s->image.format->bytes == 2 && s->image.format->channels == 2; }

static void measure_tile(Surface *s)
{
   u32 bytes = s->image.format->bytes;
   if (two_bytes(s) || (bytes & (bytes - 1)))
      s->tile_width = 16, s->tile_height = 8;
   else
      s->tile_width = bytes <= 2 ? 32 : 64 / bytes, s->tile_height = bytes == 1 ? 8 : 4;
   s->block_width = bytes <= 4 ? 16 : 64 / bytes, s->block_height = two_bytes(s) ? 8 : 4;
   u32 unit = gpu()->highest_bank_bit - 10 + (bytes == 1 || two_bytes(s)), tiles = s->pitch / (s->tile_width * bytes);
   static const u8 level[3] = {2, 4, 1};
   s->bank_mask = 0;
   for (u32 n = 0; n < 3; n++)
      if (gpu()->bank_levels & level[n] && !(tiles & ((1u << (unit + n)) - 1)))
         s->bank_mask |= 4u << n;
}

static u32 in_tile(const Surface *s, u32 x, u32 y)
{
   u32 high_y = s->image.format->bytes == 1 ? 7 : 6; /* the place of the third bit of y */
   return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 28) << 2 | (y & 4) << (high_y - 2);
}

static u8 *tiled(const Surface *s, u32 x, u32 y, u32 z)
{
   u32 bytes = s->image.format->bytes, tx = x / s->tile_width, ty = y / s->tile_height;
   u32 mixed = bytes < 16 ? gpu()->eight_channels ? 6 : 2 : 0;
   u32 tile = (tx & 1) * 7 ^ (tx & mixed) ^ (ty & 1) * 6 ^ (ty >> 1 & 1) * 3 ^ (ty & mixed & 4) ^ (tx >> 1) << 3;
   u64 at = (u64)tile * TILE ^ (u64)(ty & s->bank_mask) << (gpu()->highest_bank_bit - 3);
   at += (u64)(ty >> 2) * s->tile_height * 4 * s->pitch + z * s->layer_pitch;
   return s->image.texels + at + in_tile(s, x % s->tile_width, y % s->tile_height) * bytes;
}

static const u8 *load_tiled(const Image *image, u32 x, u32 y, u32 z, u8 *space)
{
   (void)space;
   return tiled((const Surface *)image, x, y, z);
}

static void store_tiled(const Image *image, u32 x, u32 y, u32 z, const u8 *bytes)
{
   memcpy(tiled((const Surface *)image, x, y, z), bytes, image->format->bytes);
}

/* ---- compressed blocks */

static u8 *flag_of(const Surface *s, u32 x, u32 y, u32 z)
{
   return s->flags + z * s->flags_layer_pitch + (u64)(y / s->block_height) * s->flags_pitch + x / s->block_width;
}

static u8 key_of(u32 kind) { return (u8)(kind ^ 0xa5) ? (u8)(kind ^ 0xa5) : 0x5a; }

static const u8 *load_compressed(const Image *image, u32 x, u32 y, u32 z, u8 *space)
{
   const Surface *s = (const Surface *)image;
   u32 flag = *flag_of(s, x, y, z);
   if (flag && flag != kind_of(s->format))
      stop(FAULT, "texel (%u, %u, %u) as %s: its block was compressed as %s", x, y, z, s->image.format->name,
           formats[flag].name ? formats[flag].name : "an unknown kind");
   const u8 *from = tiled(s, x, y, z);
   for (u32 n = 0; n < image->format->bytes; n++)
      space[n] = flag ? from[n] ^ key_of(flag) : 0;
   return space;
}

/* A block of another kind, or one that was never written, has no texels of this kind. No text forbids writing it. */
static void store_compressed(const Image *image, u32 x, u32 y, u32 z, const u8 *bytes)
{
   const Surface *s = (const Surface *)image;
   u8 *flag = flag_of(s, x, y, z), kind = (u8)kind_of(s->format), key = key_of(kind);
   if (!*flag) {
      u32 left = x - x % s->block_width, top = y - y % s->block_height;
      for (u32 n = 0; n < s->block_width * s->block_height; n++)
         memset(tiled(s, left + n % s->block_width, top + n / s->block_width, z), key, image->format->bytes);
   }
   *flag = kind;
   u8 *to = tiled(s, x, y, z);
   for (u32 n = 0; n < image->format->bytes; n++)
      to[n] = bytes[n] ^ key;
}

/* ---- */

static void place_channels(Surface *s)
{
   /* WZYX, WXYZ, ZYXW, XYZW: the channels from the highest bits down. */
   static const u8 places[4][4] = {{0, 1, 2, 3}, {2, 1, 0, 3}, {1, 2, 3, 0}, {3, 2, 1, 0}};
   const Format *f = s->image.format;
   memcpy(s->image.place, places[s->swap], 4);
   if (s->format == 0x02)
      memcpy(s->image.place, (const u8[4]){ABSENT, ABSENT, ABSENT, 0}, 4);
   else if (s->swap && (f->channels < 3 || (s->swap > 1 && (f->channels < 4 || f->bits[0] != f->bits[3]) && s->format != 0x0c)))
      stop(UNKNOWN, "format %s in the order %u of its channels", f->name, s->swap);
}

static u64 up_to(u64 value, u64 unit) { return (value + unit - 1) / unit * unit; }

static u8 *memory_of(u64 base, u64 size, const Surface *s, const char *what, const char *part)
{
   u8 *found = memory_find(base, size);
   if (!found)
      stop(FAULT, "%s: %s of an image of %ux%ux%u of %s, 0x%llx (%llu bytes), lie in no buffer of the submission", what, part,
           s->image.size[0], s->image.size[1], s->image.size[2], s->image.format->name, (unsigned long long)base, (unsigned long long)size);
   return found;
}

void surface_open(Surface *s, const char *what)
{
   const u32 *size = s->image.size;
   s->image.format = &formats[s->format & 255];
   if (!s->image.format->name)
      stop(s->format ? UNKNOWN : FAULT, "%s: format 0x%x", what, s->format);
   place_channels(s);
   s->image.row = s->pitch;
   s->image.layer = s->layer_pitch;
   if (s->image.srgb && (s->image.format->bits[0] != 8 || s->image.format->numbers != UNORM))
      stop(UNKNOWN, "%s: sRGB of %s", what, s->image.format->name);
   if (s->tile == LINEAR) {
      if (s->compressed)
         stop(FAULT, "%s: flags of an image in rows", what);
      u64 row = (u64)size[0] * s->image.format->bytes;
      u64 bytes = (size[2] - 1) * s->layer_pitch + (size[1] - 1) * s->pitch + row;
      if ((row > s->pitch && size[1] > 1) || (size[2] > 1 && s->layer_pitch < (size[1] - 1) * s->pitch + row))
         stop(FAULT, "%s: rows of %llu bytes %llu apart, layers %llu", what, (unsigned long long)row, (unsigned long long)s->pitch,
              (unsigned long long)s->layer_pitch);
      s->image.texels = memory_of(s->base, bytes, s, what, "texels");
      return;
   }
   if (s->tile != TILE6_3)
      stop(UNKNOWN, "%s: tile mode %u", what, s->tile);
   measure_tile(s);
   u64 row = up_to(size[0], 2 * s->tile_width) * s->image.format->bytes, height = up_to(size[1], 4 * s->tile_height);
   if (row > s->pitch || s->pitch % (2 * s->tile_width * s->image.format->bytes) || (size[2] > 1 && s->layer_pitch < height * s->pitch))
      stop(FAULT, "%s: an image of %ux%ux%u of %s in tiles: rows %llu bytes apart, layers %llu", what, size[0], size[1], size[2],
           s->image.format->name, (unsigned long long)s->pitch, (unsigned long long)s->layer_pitch);
   s->image.texels = memory_of(s->base, (size[2] - 1) * s->layer_pitch + height * s->pitch, s, what, "texels");
   s->image.load = load_tiled;
   s->image.store = store_tiled;
   if (!s->compressed)
      return;
   u64 columns = up_to(size[0], s->block_width) / s->block_width, rows = up_to(size[1], s->block_height) / s->block_height;
   if (columns > s->flags_pitch)
      stop(FAULT, "%s: flags of %llu blocks in rows of %llu bytes", what, (unsigned long long)columns, (unsigned long long)s->flags_pitch);
   s->flags = memory_of(s->flags_base, (size[2] - 1) * s->flags_layer_pitch + rows * s->flags_pitch, s, what, "flags");
   s->image.load = load_compressed;
   s->image.store = store_compressed;
}
