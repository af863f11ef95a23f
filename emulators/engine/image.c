/* Texels by coordinates: bounds, addressing modes, filters. */
#include "image.h"
#include <math.h>

bool image_has(const Image *image, i64 x, i64 y, i64 z)
{
   return x >= 0 && x < image->size[0] && y >= 0 && y < image->size[1] && z >= 0 && z < image->size[2];
}

static u8 *in_rows(const Image *image, u32 x, u32 y, u32 z)
{
   return image->texels + z * image->layer + y * image->row + (u64)x * image->format->bytes;
}

const u8 *image_load(const Image *image, u32 x, u32 y, u32 z, u8 *space)
{
   return image->load ? image->load(image, x, y, z, space) : in_rows(image, x, y, z);
}

void image_store(const Image *image, u32 x, u32 y, u32 z, const u8 *bytes)
{
   if (image->store)
      image->store(image, x, y, z, bytes);
   else
      memcpy(in_rows(image, x, y, z), bytes, image->format->bytes);
}

/* Lanes after the last one of the mask need no work. */
static u32 lanes_of(Mask lanes)
{
   for (u32 k = MASK_WORDS; k--;)
      if (lanes.w[k])
         return 64 * k + 64 < LANES ? 64 * k + 64 : LANES;
   return 0;
}

/* ---- reads */

static void fetch(const Image *image, Mask lanes, i32 at[3][LANES], const u32 *border, u32 texel[4][LANES])
{
   u8 space[LANES][WIDEST_TEXEL];
   const u8 *from[LANES];
   u32 count = lanes_of(lanes);
   memset(from, 0, count * sizeof *from);
   EACH_LANE(lane, lanes)
   {
      i32 x = at[0][lane], y = at[1][lane], z = at[2][lane];
      if (image_has(image, x, y, z))
         from[lane] = image_load(image, x, y, z, space[lane]);
   }
   texels_decode(image->format, image->srgb, image->place, from, count, texel);
   for (u32 c = 0; border && c < 4; c++)
      for (u32 i = 0; image->place[c] < image->format->channels && i < count; i++)
         texel[c][i] = from[i] ? texel[c][i] : border[c];
}

static void swizzle(const Image *image, u32 count, u32 texel[4][LANES])
{
   static const u8 plain[4] = {X, Y, Z, W};
   if (!memcmp(image->swizzle, plain, 4))
      return;
   u32 before[4][LANES];
   bool integer = image->format->numbers == UINT || image->format->numbers == SINT;
   memcpy(before, texel, sizeof before);
   for (u32 c = 0; c < 4; c++) {
      u32 from = image->swizzle[c], value = from == ONE ? integer ? 1 : float_bits(1.0f) : 0;
      for (u32 i = 0; i < count; i++)
         texel[c][i] = from < ZERO ? before[from][i] : value;
   }
}

void image_read(const Image *image, Mask lanes, i32 at[3][LANES], const u32 *border, u32 texel[4][LANES])
{
   fetch(image, lanes, at, border, texel);
   swizzle(image, lanes_of(lanes), texel);
}

/* Whether all bits of a texel belong to a channel. */
static bool is_whole(const Image *image)
{
   u32 bits = 0;
   for (u32 c = 0; c < 4; c++)
      bits += image->place[c] < image->format->channels ? image->format->bits[image->place[c]] : 0;
   return bits == image->format->bytes * 8u;
}

void image_write(const Image *image, Mask lanes, i32 at[3][LANES], u32 texel[4][LANES])
{
   u8 space[LANES][WIDEST_TEXEL];
   u8 *to[LANES] = {0};
   bool whole = is_whole(image);
   EACH_LANE(lane, lanes)
   {
      i32 x = at[0][lane], y = at[1][lane], z = at[2][lane];
      if (!image_has(image, x, y, z))
         continue;
      if (!image->store) {
         to[lane] = in_rows(image, x, y, z);
      } else { /* bits that belong to no channel are kept */
         to[lane] = space[lane];
         if (whole)
            memset(space[lane], 0, image->format->bytes);
         else
            memcpy(space[lane], image_load(image, x, y, z, space[lane]), image->format->bytes);
      }
   }
   texels_encode(image->format, image->srgb, image->place, to, lanes_of(lanes), texel);
   if (image->store)
      EACH_LANE(lane, lanes)
         if (to[lane])
            image->store(image, at[0][lane], at[1][lane], at[2][lane], to[lane]);
}

/* ---- samplers */

enum { FAR = 1 << 29 }; /* a coordinate beyond it gives the same as one at it */

/* A coordinate in texels, reduced to two images if it repeats. */
static double place_of(const Sampler *s, enum Wrap wrap, float coordinate, u32 size)
{
   double u = coordinate == coordinate ? coordinate : 0;
   if (wrap == MIRROR_REPEAT && s->mirrors_coordinate)
      u = u - u == 0 ? fabs(u - 2 * rint(0.5 * u)) : 0;
   if (s->normalized)
      u *= size;
   if (wrap == REPEAT || wrap == MIRROR_REPEAT) {
      u32 period = wrap == REPEAT ? size : 2 * size;
      u = u - u == 0 ? u - floor(u / period) * period : 0;
   }
   return u < -FAR ? -FAR : u > FAR ? FAR : u;
}

static i32 wrapped(enum Wrap wrap, i32 i, i32 size)
{
   switch (wrap) {
   case REPEAT:
      return i < 0 ? i + size : i >= size ? i - size : i;
   case MIRROR_REPEAT: /* from one texel before two images to one after; the index is mirrored, not the coordinate */
      i = i < 0 ? i + 2 * size : i >= 2 * size ? i - 2 * size : i;
      return i < size ? i : 2 * size - 1 - i;
   case MIRROR_ONCE:
      i = i < 0 ? -1 - i : i;
      return i < size ? i : size - 1;
   case CLAMP_TO_EDGE:
      return i < 0 ? 0 : i < size ? i : size - 1;
   case CLAMP_TO_BORDER:
      break;
   }
   return i;
}

static i32 layer_of(float coordinate, bool floors, u32 layers)
{
   double layer = coordinate == coordinate ? floors ? floor(coordinate) : rint(coordinate) : 0;
   return layer < 0 ? 0 : layer >= layers ? (i32)layers - 1 : (i32)layer;
}

struct axis {
   i32 low[LANES];
   float weight[LANES]; /* the weight of the next texel */
};

static float weight_of(const Sampler *s, double part)
{
   if (!s->weight_bits)
      return (float)part;
   double steps = 1u << s->weight_bits;
   return (float)(floor(part * steps + 0.5) / steps);
}

static void axes_of(const Image *image, const Sampler *s, Mask lanes, float at[3][LANES], struct axis *axes)
{
   double shift = s->linear ? 0.5 : 0;
   for (u32 a = 0; a < image->dimensions; a++)
      EACH_LANE(lane, lanes)
      {
         double u = place_of(s, s->wrap[a], at[a][lane], image->size[a]) - shift, low = floor(u);
         axes[a].low[lane] = (i32)low;
         axes[a].weight[lane] = s->linear ? weight_of(s, u - low) : 0;
      }
}

/* Reads the texel at one corner of each lane's filter. */
static void corner_of(const Image *image, const Sampler *s, Mask lanes, float at[3][LANES], const struct axis *axes,
                      u32 corner, u32 texel[4][LANES])
{
   i32 index[3][LANES];
   for (u32 a = 0; a < 3; a++)
      EACH_LANE(lane, lanes)
         if (a < image->dimensions)
            index[a][lane] = wrapped(s->wrap[a], axes[a].low[lane] + (i32)(corner >> a & 1), (i32)image->size[a]);
         else
            index[a][lane] = a == 2 && image->layered ? layer_of(at[2][lane], s->floors_layer, image->size[2]) : 0;
   fetch(image, lanes, index, s->border, texel);
}

void image_sample(const Image *image, const Sampler *s, Mask lanes, float at[3][LANES], u32 texel[4][LANES])
{
   struct axis axes[3];
   u32 count = lanes_of(lanes);
   axes_of(image, s, lanes, at, axes);
   if (!s->linear) {
      corner_of(image, s, lanes, at, axes, 0, texel);
      swizzle(image, count, texel);
      return;
   }
   double sum[4][LANES] = {0};
   for (u32 corner = 0; corner < 1u << image->dimensions; corner++) {
      corner_of(image, s, lanes, at, axes, corner, texel);
      EACH_LANE(lane, lanes)
      {
         double weight = 1;
         for (u32 a = 0; a < image->dimensions; a++)
            weight *= corner >> a & 1 ? axes[a].weight[lane] : 1 - axes[a].weight[lane];
         for (u32 c = 0; c < 4 && weight > 0; c++) /* an infinity with weight 0 must not become a NaN */
            sum[c][lane] += weight * as_float(texel[c][lane]);
      }
   }
   EACH_LANE(lane, lanes)
      for (u32 c = 0; c < 4; c++)
         texel[c][lane] = float_bits((float)sum[c][lane]);
   swizzle(image, count, texel);
}
