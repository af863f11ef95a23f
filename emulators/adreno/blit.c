/* The 2D engine, CP_BLIT: copies, conversions, scaling and fills; the clears of a7xx. Registers: Mesa's a6xx.xml. */
#include "layout.h"
#include "packets.h"
#include <math.h>

enum {
   GRAS_2D_BLIT_CNTL = 0x8400, GRAS_2D_SRC_TL_X = 0x8401, GRAS_2D_DST_TL = 0x8405, GRAS_2D_DST_BR = 0x8406,
   GRAS_2D_SCISSOR_TL = 0x840a, GRAS_2D_SCISSOR_BR = 0x840b, RB_2D_BLIT_CNTL = 0x8c00, RB_2D_DST_INFO = 0x8c17,
   RB_2D_DST = 0x8c18, RB_2D_DST_PITCH = 0x8c1a, RB_2D_DST_FLAGS = 0x8c20, RB_2D_DST_FLAGS_PITCH = 0x8c22,
   RB_BLIT_SCISSOR_TL = 0x88d1, RB_BLIT_DST_INFO = 0x88d7, RB_BLIT_DST = 0x88d8, RB_BLIT_DST_PITCH = 0x88da, RB_BLIT_FLAG_DST = 0x88dc,
   RB_BLIT_FLAG_DST_PITCH = 0x88de, RB_BLIT_CLEAR_COLOR = 0x88df, RB_BLIT_INFO = 0x88e3, RB_BLIT_CLEAR_MODE = 0x88e4,
   RB_2D_SRC_SOLID_C0 = 0x8c2c, SP_PS_2D_SRC_6 = 0xb4c0, SP_PS_2D_SRC_7 = 0xb2c0, TPL1_2D_SRC_CNTL = 0xb2d2,
};
/* From SP_PS_2D_SRC_INFO. */
enum { SRC_INFO, SRC_SIZE, SRC, SRC_PITCH = 4, SRC_FLAGS = 10, SRC_FLAGS_PITCH = 12 };
/* a6xx_2d_ifmt */
enum { IFMT_RAW, IFMT_UNORM8_SRGB = 1, IFMT_FLOAT16 = 3, IFMT_FLOAT32, IFMT_INT8, IFMT_INT16, IFMT_INT32, IFMT_UNORM8 = 16 };
enum { ROTATE_0, ROTATE_180 = 2, ROTATE_HFLIP = 4, ROTATE_VFLIP };

typedef struct {
   i32 left, top, width, height;
} Box;

static Box box_of(u32 corner, u32 other)
{
   i32 left = BITS(corner, 0, 13), top = BITS(corner, 16, 29);
   return (Box){left, top, (i32)BITS(other, 0, 13) - left + 1, (i32)BITS(other, 16, 29) - top + 1};
}

static Surface surface_of(u32 info, u64 base, u64 pitch, i32 width, i32 height)
{
   Surface s = {.format = BITS(info, 0, 7), .tile = BITS(info, 8, 9), .swap = BITS(info, 10, 11), .base = base, .pitch = pitch};
   s.compressed = info >> 12 & 1;
   s.image.srgb = info >> 13 & 1;
   if (BITS(info, 14, 15))
      stop(UNKNOWN, "a blit with several samples a texel");
   memcpy(s.image.size, (const u32[3]){(u32)width, (u32)height, 1}, sizeof s.image.size);
   memcpy(s.image.swizzle, (const u8[4]){X, Y, Z, W}, 4);
   s.image.dimensions = 2;
   return s;
}

static Surface written_surface(Box box)
{
   Surface s = surface_of(gpu_register[RB_2D_DST_INFO], register_pair(RB_2D_DST), (gpu_register[RB_2D_DST_PITCH] & 0xffff) << 6,
                          box.left + box.width, box.top + box.height);
   s.flags_base = register_pair(RB_2D_DST_FLAGS);
   s.flags_pitch = (gpu_register[RB_2D_DST_FLAGS_PITCH] & 0xff) << 6;
   surface_open(&s, "a blit's destination");
   return s;
}

static Surface read_surface(bool *filtered)
{
   u32 first = gpu_generation == 7 ? SP_PS_2D_SRC_7 : SP_PS_2D_SRC_6, info = gpu_register[first + SRC_INFO], size = gpu_register[first + SRC_SIZE];
   Surface s = surface_of(info, register_pair(first + SRC), BITS(gpu_register[first + SRC_PITCH], 3, 23), (i32)BITS(size, 0, 14), (i32)BITS(size, 15, 29));
   if (gpu_generation == 7 && gpu_register[TPL1_2D_SRC_CNTL] >> 29 == 5) /* a buffer: rows begin at any byte */
      s.base += (u64)BITS(gpu_register[TPL1_2D_SRC_CNTL], 16, 21) * formats[s.format].bytes;
   s.flags_base = register_pair(first + SRC_FLAGS);
   s.flags_pitch = (gpu_register[first + SRC_FLAGS_PITCH] & 0xff) << 6;
   *filtered = info >> 16 & 1;
   surface_open(&s, "a blit's source");
   return s;
}

/* ---- fills */

/* A component of the fill's colour: a code or a number, as the engine keeps it internally. */
static u32 solid(const Format *f, u32 inside, u32 value)
{
   switch (inside) {
   case IFMT_RAW: case IFMT_UNORM8: case IFMT_UNORM8_SRGB: /* newer GPUs have no bit 4 */
      if (f->numbers != UNORM && f->numbers != SNORM)
         return value;
      return float_bits(f->numbers == SNORM ? fmaxf((float)(i8)value / 127, -1) : (float)(value & 255) / 255);
   case IFMT_FLOAT16:
      return float_bits(half_float(value));
   case IFMT_INT8: /* also for depths, of which the bytes are copied */
      return f->numbers == UNORM ? float_bits((float)(value & 255) / 255) : value;
   default:
      return value;
   }
}

static void fill(const Surface *s, Box box, const u8 *one)
{
   const Image *image = &s->image;
   u32 bytes = image->format->bytes;
   for (i32 y = box.top; y < box.top + box.height; y++) {
      if (image->store) {
         for (i32 x = box.left; x < box.left + box.width; x++)
            image_store(image, (u32)x, (u32)y, 0, one);
         continue;
      }
      u8 *row = image->texels + (u64)y * image->row + (u64)box.left * bytes;
      u64 size = (u64)box.width * bytes;
      if (bytes == 1) {
         memset(row, one[0], size);
         continue;
      }
      memcpy(row, one, bytes);
      for (u64 done = bytes; done < size; done *= 2)
         memcpy(row + done, row, done < size - done ? done : size - done);
   }
}

static void fill_with_colour(const Surface *s, Box box)
{
   const Image *image = &s->image;
   const u32 *colour = gpu_register + RB_2D_SRC_SOLID_C0;
   trace("   with %08x %08x %08x %08x", colour[0], colour[1], colour[2], colour[3]);
   u32 texel[4][LANES], inside = BITS(gpu_register[RB_2D_BLIT_CNTL], 24, 28);
   for (u32 c = 0; c < 4; c++)
      texel[c][0] = solid(image->format, inside, colour[c]);
   u8 one[WIDEST_TEXEL] = {0};
   u8 *const to[LANES] = {one};
   texels_encode(image->format, false, image->place, to, 1, texel); /* the colour is already encoded */
   fill(s, box, one);
}

static u32 bits_before(const Format *f, u32 channel)
{
   u32 sum = 0;
   for (u32 k = 0; k < channel; k++)
      sum += f->bits[k < f->channels ? k : 0];
   return sum;
}

/* The colour is packed as red, green, blue and alpha, with the format's widths, a single component by itself; the texel has
 * the surface's order. */
static void packed_texel(const Image *image, const u32 *colour, u8 *one)
{
   const Format *f = image->format;
   for (u32 c = 0; c < 4; c++) {
      u32 channel = image->place[c], from = f->channels == 1 ? 0 : bits_before(f, c), to = bits_before(f, channel);
      if (channel >= f->channels)
         continue;
      for (u32 n = 0; n < f->bits[channel]; n++)
         one[(to + n) / 8] |= (u8)((colour[(from + n) / 32] >> (from + n) % 32 & 1) << (to + n) % 8);
   }
}

/* The event CCU_RESOLVE of a7xx: a clear without a draw. */
void clear(void)
{
   enum { CLEAR = 2, GMEM = 1 };
   u32 what = gpu_register[RB_BLIT_INFO], info = gpu_register[RB_BLIT_DST_INFO];
   if (BITS(what, 0, 1) != CLEAR || gpu_register[RB_BLIT_CLEAR_MODE] & GMEM || BITS(info, 3, 4))
      stop(UNKNOWN, "event CCU_RESOLVE 0x%x to 0x%x in mode %u", what, info, gpu_register[RB_BLIT_CLEAR_MODE]);
   Box box = box_of(gpu_register[RB_BLIT_SCISSOR_TL], gpu_register[RB_BLIT_SCISSOR_TL + 1]);
   if (box.width <= 0 || box.height <= 0)
      stop(FAULT, "a clear of %dx%d texels from %d, %d", box.width, box.height, box.left, box.top);
   Surface s = {.tile = BITS(info, 0, 1), .compressed = info >> 2 & 1, .swap = BITS(info, 5, 6), .format = BITS(info, 7, 14)};
   s.base = register_pair(RB_BLIT_DST);
   s.pitch = (gpu_register[RB_BLIT_DST_PITCH] & 0xffff) << 6;
   s.flags_base = register_pair(RB_BLIT_FLAG_DST);
   s.flags_pitch = BITS(gpu_register[RB_BLIT_FLAG_DST_PITCH], 0, 10) << 6;
   s.image.dimensions = 2;
   memcpy(s.image.size, (const u32[3]){(u32)(box.left + box.width), (u32)(box.top + box.height), 1}, sizeof s.image.size);
   surface_open(&s, "a clear's destination");
   spend((u64)box.width * (u64)box.height);
   u8 one[WIDEST_TEXEL] = {0};
   packed_texel(&s.image, gpu_register + RB_BLIT_CLEAR_COLOR, one);
   trace("   clear: %dx%d of %s at 0x%llx", box.width, box.height, s.image.format->name, (unsigned long long)s.base);
   fill(&s, box, one);
}

/* ---- copies */

struct copy {
   Surface from, to;
   double left, top, across, down; /* in the source; the step for one texel of the destination */
   bool filtered;
};

/* Formats that are copied as bytes, because no two codes mean the same value. */
static bool same_bytes(const struct copy *c)
{
   const Format *f = c->from.image.format;
   bool exact = f->numbers != SNORM && f->numbers != SHARED_EXPONENT && f->numbers != UNSIGNED_FLOAT;
   return c->from.format == c->to.format && c->from.swap == c->to.swap && c->from.image.srgb == c->to.image.srgb && exact &&
          c->across == 1 && c->down == 1;
}

static void copy_rows(const struct copy *c, Box box)
{
   const Image *from = &c->from.image, *to = &c->to.image;
   u32 bytes = from->format->bytes;
   u8 space[WIDEST_TEXEL];
   for (i32 y = 0; y < box.height; y++) {
      i32 sy = (i32)c->top + y, sx = (i32)c->left;
      if (!from->load && !to->store) {
         memmove(to->texels + (u64)(box.top + y) * to->row + (u64)box.left * bytes, from->texels + (u64)sy * from->row + (u64)sx * bytes,
                 (u64)box.width * bytes);
         continue;
      }
      for (i32 x = 0; x < box.width; x++)
         image_store(to, (u32)(box.left + x), (u32)(box.top + y), 0, image_load(from, (u32)(sx + x), (u32)sy, 0, space));
   }
}

static void convert_row(const struct copy *c, i32 y, i32 top, i32 first, u32 count)
{
   static const Sampler nearest = {.wrap = {CLAMP_TO_EDGE, CLAMP_TO_EDGE, CLAMP_TO_EDGE}};
   Sampler sampler = nearest;
   sampler.linear = c->filtered && c->from.image.format->numbers != UINT && c->from.image.format->numbers != SINT;
   u32 texel[4][LANES];
   i32 at[3][LANES] = {{0}};
   float position[3][LANES] = {{0}};
   Mask lanes = mask_first(count);
   EACH_LANE(lane, lanes)
   {
      i32 x = first + (i32)lane;
      at[0][lane] = x, at[1][lane] = y;
      position[0][lane] = (float)(c->left + (x + 0.5) * c->across);
      position[1][lane] = (float)(c->top + (y - top + 0.5) * c->down);
   }
   image_sample(&c->from.image, &sampler, lanes, position, texel);
   image_write(&c->to.image, lanes, at, texel);
}

static void copy(Box box, Box seen, u32 control)
{
   struct copy c = {.to = written_surface(box)};
   c.from = read_surface(&c.filtered);
   i32 corner[4]; /* left, right, top, bottom */
   for (u32 n = 0; n < 4; n++)
      corner[n] = SBITS(gpu_register[GRAS_2D_SRC_TL_X + n], 8, 24);
   i32 width = corner[1] - corner[0] + 1, height = corner[3] - corner[2] + 1;
   if (width <= 0 || height <= 0)
      stop(FAULT, "a blit of %dx%d texels", width, height);
   c.across = (double)width / box.width, c.down = (double)height / box.height;
   c.left = corner[0], c.top = corner[2];
   u32 rotation = BITS(control, 0, 2);
   if (rotation != ROTATE_0 && rotation != ROTATE_180 && rotation != ROTATE_HFLIP && rotation != ROTATE_VFLIP)
      stop(UNKNOWN, "a blit turned by %u", rotation);
   if (rotation == ROTATE_180 || rotation == ROTATE_HFLIP)
      c.left = corner[1] + 1, c.across = -c.across;
   if (rotation == ROTATE_180 || rotation == ROTATE_VFLIP)
      c.top = corner[3] + 1, c.down = -c.down;
   bool inside = image_has(&c.from.image, corner[0], corner[2], 0) && image_has(&c.from.image, corner[1], corner[3], 0);
   if (inside && same_bytes(&c) && !memcmp(&seen, &box, sizeof box)) {
      copy_rows(&c, box);
      return;
   }
   c.left -= box.left * c.across; /* positions count the destination's own texels */
   for (i32 y = seen.top; y < seen.top + seen.height; y++)
      for (i32 x = 0; x < seen.width; x += LANES)
         convert_row(&c, y, box.top, seen.left + x, seen.width - x < LANES ? (u32)(seen.width - x) : LANES);
}

static i32 larger(i32 a, i32 b) { return a > b ? a : b; }
static i32 smaller(i32 a, i32 b) { return a < b ? a : b; }

/* Blits as the engine's registers say. */
void blit(void)
{
   u32 control = gpu_register[RB_2D_BLIT_CNTL];
   Box box = box_of(gpu_register[GRAS_2D_DST_TL], gpu_register[GRAS_2D_DST_BR]), seen = box;
   if (control != gpu_register[GRAS_2D_BLIT_CNTL])
      stop(FAULT, "the 2D engine's halves are set to 0x%x and 0x%x", gpu_register[GRAS_2D_BLIT_CNTL], control);
   if (BITS(control, 20, 23) != 15)
      stop(UNKNOWN, "a blit of some components only");
   if (box.width <= 0 || box.height <= 0)
      stop(FAULT, "a blit to %dx%d texels", box.width, box.height);
   if (control >> 16 & 1) {
      Box scissor = box_of(gpu_register[GRAS_2D_SCISSOR_TL], gpu_register[GRAS_2D_SCISSOR_BR]);
      seen.left = larger(box.left, scissor.left), seen.top = larger(box.top, scissor.top);
      seen.width = smaller(box.left + box.width, scissor.left + scissor.width) - seen.left;
      seen.height = smaller(box.top + box.height, scissor.top + scissor.height) - seen.top;
   }
   u32 from = gpu_generation == 7 ? SP_PS_2D_SRC_7 : SP_PS_2D_SRC_6;
   trace("   blit: %dx%d to %d, %d; control 0x%x, to 0x%x at 0x%llx + 0x%x, from 0x%x at 0x%llx + 0x%x, %d to %d, %d to %d", box.width, box.height,
         box.left, box.top, control, gpu_register[RB_2D_DST_INFO], (unsigned long long)register_pair(RB_2D_DST),
         (gpu_register[RB_2D_DST_PITCH] & 0xffff) << 6, gpu_register[from + SRC_INFO], (unsigned long long)register_pair(from + SRC),
         BITS(gpu_register[from + SRC_PITCH], 3, 23), SBITS(gpu_register[GRAS_2D_SRC_TL_X], 8, 24), SBITS(gpu_register[GRAS_2D_SRC_TL_X + 1], 8, 24),
         SBITS(gpu_register[GRAS_2D_SRC_TL_X + 2], 8, 24), SBITS(gpu_register[GRAS_2D_SRC_TL_X + 3], 8, 24));
   if (seen.width <= 0 || seen.height <= 0)
      return;
   spend((u64)seen.width * (u64)seen.height);
   if (control >> 7 & 1) {
      Surface s = written_surface(box);
      fill_with_colour(&s, seen);
   } else {
      copy(box, seen, control);
   }
}
