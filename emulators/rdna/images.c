/* Image instructions; "RDNA3" ISA, 10. */
#include "resources.h"

enum { COORDINATES = 12 };
static const u8 coordinate_counts[8] = {1, 2, 3, 3, 2, 3, 2, 3}; /* by dimension; the last two have samples */

static u32 words_before(const Instruction *i)
{
   bool array = i->dimension == ARRAY_1D || i->dimension == ARRAY_2D;
   return i->op->operation == SAMPLE_B ? 1 : i->op->operation == SAMPLE_D ? 2 * (coordinate_counts[i->dimension] - array) : 0;
}

u32 image_addresses(const Instruction *i)
{
   if (i->op->operation == RESINFO)
      return 1; /* the level */
   bool level = i->op->operation == SAMPLE_L || i->op->operation == LOAD_MIP || i->op->operation == STORE_MIP;
   u32 count = coordinate_counts[i->dimension] + words_before(i) + level;
   return i->a16 ? (count + 1) / 2 : count;
}

/* The n-th address of a lane: a word, or a half. */
static u32 address_of(Wave *wave, const Instruction *i, u32 n, u64 one, u32 lane)
{
   if (n >= COORDINATES)
      stop(UNKNOWN, "%s with %u addresses", i->op->name, n);
   u32 number = i->coordinates[i->a16 ? n / 2 : n];
   u32 word = vector_source(wave, number, i->a16 ? (n & 1 ? HIGH : LOW) : BOTH, one)[lane];
   return i->a16 ? word >> 16 * (n & 1) & 0xffff : word;
}

/* Coordinates in the engine's order: x, y, and z or the layer. */
static void coordinates(Wave *wave, const Instruction *i, u32 skipped, u64 exec, u32 at[3][LANES])
{
   u32 count = coordinate_counts[i->dimension];
   memset(at, 0, 3 * sizeof *at);
   if (i->dimension == CUBE || i->dimension > ARRAY_2D)
      stop(UNKNOWN, "%s of dimension %u", i->op->name, i->dimension);
   EACH_LANE(lane, (Mask){{exec}})
      for (u32 n = 0; n < count; n++)
         at[i->dimension == ARRAY_1D && n == 1 ? 2 : n][lane] = address_of(wave, i, skipped + n, 1ull << lane, lane);
}

static void sample(Wave *wave, const Instruction *i, Texture *t, u64 exec, u32 texel[4][LANES])
{
   union {
      u32 u[3][LANES];
      float f[3][LANES];
   } at;
   Sampler sampler;
   sampler_open(wave, i, &sampler);
   bool integers = t->image.format->numbers == UINT || t->image.format->numbers == SINT;
   for (u32 c = 0; c < 4; c++)
      sampler.border[c] = sampler.border[c] ? (integers ? 1 : float_bits(1)) : 0;
   sampler.linear &= !integers;
   coordinates(wave, i, words_before(i), exec, at.u);
   for (u32 n = 0; i->a16 && n < 3; n++)
      EACH_LANE(lane, (Mask){{exec}}) at.f[n][lane] = half_float(at.u[n][lane]);
   image_sample(&t->image, &sampler, (Mask){{exec}}, at.f, texel);
}

static void store(Wave *wave, const Instruction *i, Texture *t, u64 exec, i32 at[3][LANES])
{
   u32 texel[4][LANES], one[4];
   memset(texel, 0, sizeof texel);
   EACH_LANE(lane, (Mask){{exec}})
   {
      get_texel(wave, i->data, lane, i->mask, i->d16, t->image.format, one);
      u32 first = i->mask ? (u32)__builtin_ctz(i->mask) : 0;
      for (u32 c = 0; gpu.gfx >= 12 && c < 4; c++) /* components that are not in the mask get the first one that is; before that, zero */
         one[c] = i->mask >> c & 1 ? one[c] : one[first];
      for (u32 c = 4; c--;)
         if (t->select[c] >= 4)
            texel[t->select[c] - 4][lane] = one[c];
   }
   image_write(&t->image, (Mask){{exec}}, at, texel);
}

static void atomic(Wave *wave, const Instruction *i, Texture *t, u64 exec, i32 at[3][LANES])
{
   u8 space[WIDEST_TEXEL], outside[8];
   if (t->image.format->bytes != 4)
      stop(UNKNOWN, "%s of texels of %u bytes", i->op->name, t->image.format->bytes);
   EACH_LANE(lane, (Mask){{exec}})
   {
      u32 x = at[0][lane], y = at[1][lane], z = at[2][lane];
      bool has = image_has(&t->image, at[0][lane], at[1][lane], at[2][lane]);
      memset(outside, 0, sizeof outside);
      u8 *texel = has ? (u8 *)image_load(&t->image, x, y, z, space) : outside;
      atomic_value(wave, i, i->data, i->dst, lane, texel);
   }
}

/* gfx9: the descriptor says how many coordinates there are; the instruction says whether one of them is a layer. */
static const Instruction *with_dimension(const Instruction *i, const Texture *t, Instruction *own)
{
   bool layers = i->dimension == ARRAY_2D;
   if (gpu.gfx > 9)
      return i;
   *own = *i;
   own->dimension = t->type == IMAGE_3D ? VOLUME : t->type == IMAGE_1D ? LINE : t->type == IMAGE_1D_ARRAY ? (layers ? ARRAY_1D : LINE) : layers ? ARRAY_2D : PLANE;
   return own;
}

void run_image(Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave);
   union {
      u32 u[3][LANES];
      i32 i[3][LANES];
   } at;
   u32 texel[4][LANES], one[4];
   if (!exec)
      return;
   if (i->tfe)
      stop(UNKNOWN, "%s with a status", i->op->name);
   Texture t;
   Instruction own;
   texture_open(wave, i, &t);
   i = with_dimension(i, &t, &own);
   if (i->op->operation >= SAMPLE && i->op->operation <= SAMPLE_B) {
      sample(wave, i, &t, exec, texel);
   } else {
      coordinates(wave, i, 0, exec, at.u);
      if (i->op->access == STORE) {
         store(wave, i, &t, exec, at.i);
         return;
      }
      if (i->op->access == ATOMIC) {
         atomic(wave, i, &t, exec, at.i);
         return;
      }
      image_read(&t.image, (Mask){{exec}}, at.i, NULL, texel);
   }
   EACH_LANE(lane, (Mask){{exec}})
   {
      for (u32 c = 0; c < 4; c++)
         one[c] = texel[c][lane];
      put_texel(wave, i->dst, lane, i->mask, i->d16, t.image.format, one);
   }
}

/* Width, height or layers, depth or layers, levels. */
void run_image_size(Wave *wave, const Instruction *i)
{
   Texture t;
   Instruction own;
   if (!exec_of(wave))
      return;
   texture_open(wave, i, &t);
   i = with_dimension(i, &t, &own);
   const u32 *size = t.image.size;
   u32 answer[4] = {size[0], i->dimension == ARRAY_1D ? size[2] : size[1], size[2], 1};
   static const Format words = {.numbers = UINT};
   EACH_LANE(lane, (Mask){{exec_of(wave)}})
      put_texel(wave, i->dst, lane, i->mask, false, &words, answer);
}
