/* Descriptors, and texels in registers. */
#include "resources.h"

u8 component(u32 select, const char *what)
{
   if (select >= 4)
      return X + select - 4;
   if (select > 1)
      stop(FAULT, "%s: a component is selected by %u", what, select);
   return select ? ONE : ZERO;
}

static void read_words(Wave *wave, u32 number, u32 count, u32 *words)
{
   for (u32 n = 0; n < count; n++)
      words[n] = scalar_word(wave, number + n);
}

BufferDescriptor buffer_open(Wave *wave, u32 number)
{
   u32 r[4];
   read_words(wave, number, 4, r);
   BufferDescriptor b = {.base = r[0] | (u64)BITS(r[1], 0, 15) << 32, .stride = BITS(r[1], 16, 29), .records = r[2],
                         .format = BITS(r[3], 12, gpu.gfx >= 11 ? 17 : 18), .bounds = BITS(r[3], 28, 29)};
   if (gpu.gfx == 9)
      b.format = format_of_9(BITS(r[3], 15, 18), BITS(r[3], 12, 14));
   if (gpu.gfx <= 10 && r[1] >> 31 && r[3] >> 23 & 1)
      b.lanes = 8 << BITS(r[3], 21, 22), b.element = 4;
   else if (gpu.gfx == 11 && BITS(r[1], 30, 31) == 3 && !(r[3] >> 23 & 1)) /* parameters of a draw's vertices */
      b.lanes = 8 << BITS(r[3], 21, 22), b.element = 16;
   else if (BITS(r[1], 30, 31) || r[3] >> 23 & 1 || (gpu.gfx >= 12 && BITS(r[3], 18, 19)))
      stop(UNKNOWN, "a swizzled buffer (0x%08x 0x%08x)", r[1], r[3]);
   for (u32 c = 0; c < 4; c++)
      b.select[c] = BITS(r[3], 3 * c, 3 * c + 2);
   return b;
}

/* gfx12's modes: rows, 256 bytes, planes of 4, 64 and 256 KiB, and volumes of these. */
static const u8 TILE_BITS_12[8] = {8, 8, 12, 16, 18, 12, 16, 18};

/* A 3D image that is not accessed as an array of its slices. */
static bool is_volume(const Texture *t, const u32 *r) { return t->type == IMAGE_3D && (gpu.gfx == 9 || !(r[5] >> (gpu.gfx >= 12 ? 4 : 0) & 1)); }
static u32 first_layer(const u32 *r) { return gpu.gfx == 9 ? BITS(r[5], 0, 12) : BITS(r[4], 16, gpu.gfx >= 12 ? 29 : 28); }

u32 pitch_of(const Image *image, bool linear)
{
   u32 bytes = image->format->bytes, unit = gpu.gfx >= 12 ? 128 : 256, align = !linear || unit % bytes ? 1 : unit / bytes;
   return (image->size[0] + align - 1) / align * align;
}

/* On gfx12 the rows of a layer without tiles are padded to 256 bytes. */
static u64 space_of(const Image *image, bool linear)
{
   u64 row = (u64)pitch_of(image, linear) * image->format->bytes;
   return (gpu.gfx >= 12 && linear ? (row + 255) & ~255ull : row) * image->size[1];
}

static u32 at_level(u32 size, u32 level) { return size >> level ? size >> level : 1; }

/* In each layer a level comes after the smaller ones, as in Gfx10Lib and Gfx11Lib of Mesa's addrlib for images without
 * tiles. Returns where the level begins, and sets the layer's size to that of all levels.
 */
static u64 take_level(Texture *t, const u32 *r, u32 number, const char *what)
{
   static const u32 last[4] = {31, 7, 19, 16}; /* the last bit of the smallest level's number, on gfx9 to gfx12 */
   Image *image = &t->image, level = *image;
   bool linear = !BITS(r[3], 20, 24);
   u32 end = last[gpu.gfx - 9], smallest = gpu.gfx >= 12 ? BITS(r[1], 12, end) : BITS(r[gpu.gfx == 11 ? 1 : 5], end - 3, end);
   if (smallest && linear && (gpu.gfx == 9 || gpu.gfx >= 12))
      stop(UNKNOWN, "%s: rows of %u levels", what, smallest + 1);
   u64 begin = 0;
   image->layer = 0;
   for (u32 n = 0; n <= smallest; n++) {
      for (u32 axis = 0; axis < 2; axis++)
         level.size[axis] = at_level(image->size[axis], n);
      image->layer += space_of(&level, linear);
      begin += n > number ? space_of(&level, linear) : 0;
   }
   for (u32 axis = 0; axis < (is_volume(t, r) ? 3 : 2); axis++)
      image->size[axis] = at_level(image->size[axis], number);
   return begin;
}

/* Only these instructions and draws access a tiled surface, so its texels may lie in rows. */
static void place_texels(Texture *t, const u32 *r, u32 level, const char *what)
{
   Image *image = &t->image;
   bool linear = !BITS(r[3], 20, 24);
   u64 begin = take_level(t, r, level, what);
   u32 *size = image->size, bytes = image->format->bytes, pitch = pitch_of(image, linear);
   if (linear) {
      u32 own = BITS(r[4], 0, gpu.gfx >= 12 ? 15 : 13) + 1;
      bool has = gpu.gfx > 9 && (t->type == IMAGE_1D || t->type == IMAGE_2D) && own > 1;
      pitch = gpu.gfx == 9 ? BITS(r[4], 13, 28) + 1 : has ? own : pitch; /* gfx9: set for every type */
   }
   if (pitch != pitch_of(image, linear))
      image->layer = (u64)pitch * bytes * size[1];
   image->row = (u64)pitch * bytes;
   u64 base = (r[0] | (u64)BITS(r[1], 0, 7) << 32) << 8;
   if (gpu.gfx >= 12) /* the bits below a tile's size say how it is rotated */
      base &= ~((1ull << TILE_BITS_12[BITS(r[3], 20, 24) & 7]) - 1);
   t->first_layer = is_volume(t, r) ? 0 : first_layer(r);
   u64 last = begin + image->layer * (t->first_layer + size[2] - 1) + image->row * (size[1] - 1) + (u64)size[0] * bytes;
   image->texels = memory_at(base, last, 1, what) + begin + image->layer * t->first_layer;
   trace("   %s: an image of type %u, %s, mode %u, at 0x%llx, %ux%ux%u, rows of %llu bytes, layers of %llu from %u on", what, t->type,
         image->format->name, BITS(r[3], 20, 24), (unsigned long long)base, size[0], size[1], size[2], (unsigned long long)image->row,
         (unsigned long long)image->layer, t->first_layer);
}

void texture_open(Wave *wave, const Instruction *i, Texture *t)
{
   const char *what = i->op->name;
   u32 r[8] = {0};
   read_words(wave, i->source[0], i->r128 ? 4 : 8, r);
   *t = (Texture){.type = r[3] >> 28};
   Image *image = &t->image;
   image->format = format_of(gpu.gfx == 9 ? format_of_9(BITS(r[1], 20, 25), BITS(r[1], 26, 29)) : gpu.gfx >= 12 ? BITS(r[1], 17, 24) : BITS(r[1], 20, gpu.gfx >= 11 ? 27 : 28), &image->srgb);
   if (t->type < IMAGE_1D || t->type > IMAGE_2D_ARRAY || t->type == 11)
      stop(t->type < IMAGE_1D ? FAULT : UNKNOWN, "%s: an image of type %u", what, t->type);
   u32 first_level = gpu.gfx >= 12 ? BITS(r[1], 25, 29) : BITS(r[3], 12, 15), last_level = gpu.gfx >= 12 ? BITS(r[3], 15, 19) : BITS(r[3], 16, 19);
   if (first_level != last_level)
      stop(UNKNOWN, "%s: levels %u to %u", what, first_level, last_level);
   u32 *size = image->size, layers = BITS(r[4], 0, gpu.gfx >= 12 ? 13 : 12) + 1, first = first_layer(r);
   size[0] = (gpu.gfx == 9 ? BITS(r[2], 0, 13) : r[1] >> 30 | BITS(r[2], 0, gpu.gfx >= 12 ? 13 : 11) << 2) + 1;
   size[1] = t->type == IMAGE_1D || t->type == IMAGE_1D_ARRAY ? 1 : BITS(r[2], 14, gpu.gfx >= 12 ? 29 : 27) + 1;
   size[2] = t->type == IMAGE_1D || t->type == IMAGE_2D ? 1 : is_volume(t, r) ? layers : layers - first;
   if (size[2] > layers)
      stop(FAULT, "%s: layers %u to %u", what, first, layers - 1);
   image->dimensions = t->type == IMAGE_1D || t->type == IMAGE_1D_ARRAY ? 1 : t->type == IMAGE_3D ? 3 : 2;
   image->layered = t->type != IMAGE_3D;
   for (u32 c = 0; c < 4; c++) {
      image->place[c] = c < image->format->channels ? c : ABSENT;
      t->select[c] = BITS(r[3], 3 * c, 3 * c + 2);
      image->swizzle[c] = component(t->select[c], what);
   }
   place_texels(t, r, first_level, what);
}

void sampler_open(Wave *wave, const Instruction *i, Sampler *s)
{
   static const u8 wraps[] = {REPEAT, MIRROR_REPEAT, CLAMP_TO_EDGE, MIRROR_ONCE, 255, 255, CLAMP_TO_BORDER, 255};
   u32 r[4];
   read_words(wave, i->source[1], 4, r);
   *s = (Sampler){.normalized = !(r[0] >> 15 & 1 || i->unnormalized), .linear = BITS(r[2], 20, 21) & 1, .weight_bits = 8};
   for (u32 axis = 0; axis < 3; axis++)
      if ((s->wrap[axis] = wraps[BITS(r[0], 3 * axis, 3 * axis + 2)]) == 255)
         stop(UNKNOWN, "%s: addressing mode %u", i->op->name, BITS(r[0], 3 * axis, 3 * axis + 2));
   u32 border = r[3] >> 30;
   if (border == 3)
      stop(UNKNOWN, "%s: a border colour from a table", i->op->name);
   for (u32 c = 0; c < 4; c++)
      s->border[c] = border == 2 || (border == 1 && c == 3); /* one, in the format's kind of number: */
}

/* ---- texels in registers; halves are floats, or integers of 16 bits */

static bool is_integer(const Format *f) { return f->numbers == UINT || f->numbers == SINT; }

void put_texel(Wave *wave, u32 number, u32 lane, u32 mask, bool halves, const Format *format, const u32 *texel)
{
   u32 n = 0;
   for (u32 c = 0; c < 4; c++) {
      if (!(mask >> c & 1))
         continue;
      if (halves)
         put_half(wave, number + n / 2, lane, n & 1, is_integer(format) ? texel[c] & 0xffff : half_bits(as_float(texel[c])));
      else
         put_word(wave, number + n, lane, texel[c]);
      n++;
   }
}

void get_texel(Wave *wave, u32 number, u32 lane, u32 mask, bool halves, const Format *format, u32 *texel)
{
   u32 n = 0;
   for (u32 c = 0; c < 4; c++) {
      texel[c] = 0;
      if (!(mask >> c & 1))
         continue;
      if (halves) {
         u32 half = vector_source(wave, number + n / 2, n & 1 ? HIGH : LOW, 1ull << lane)[lane] >> 16 * (n & 1) & 0xffff;
         texel[c] = format->numbers == UINT ? half : format->numbers == SINT ? (u32)(i16)half : float_bits(half_float(half));
      } else {
         texel[c] = vector_source(wave, number + n, BOTH, 1ull << lane)[lane];
      }
      n++;
   }
}
