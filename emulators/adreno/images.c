/* Textures: reads at integer coordinates (isam, isaml), through samplers (sam, samb, saml), and their sizes.
 *
 * The coordinates are in consecutive registers. A 1D image has a second one, which is ignored; an array's layer comes
 * last.
 */
#include "texture.h"

static const char *name_of(const Instruction *i) { return i->op->name; }
static bool by_integers(const Instruction *i) { return i->op->name[0] == 'i'; }

/* ---- the texture and the sampler: ir3-cat5.xml's #cat5-s2en-bindless-desc-mode */

struct bound {
   const u32 *texture, *sampler; /* their words; the sampler may be NULL if none is used */
};

static const u32 *loaded_texture(Wave *wave, u32 index)
{
   State *state = state_of(wave);
   if (index >= TEXTURES || !state->has_texture[index])
      stop(FAULT, "texture %u was not loaded", index);
   return state->texture[index];
}

static const u32 *loaded_sampler(Wave *wave, u32 index)
{
   State *state = state_of(wave);
   return index < SAMPLERS && state->has_sampler[index] ? state->sampler[index] : NULL;
}

/* The registers with a texture's and a sampler's index; halves without bindless sets. */
static const u32 *index_row(Wave *wave, const Instruction *i, u32 n, u32 *space)
{
   bool half = i->mode == 0 || i->mode == 4;
   return texture_row(wave, i, i->descriptor + n, half, space);
}

static struct bound bound_by(Wave *wave, const Instruction *i, u32 texture, u32 sampler, bool samples)
{
   struct bound b = {0};
   if (!i->indirect || i->mode == 0 || i->mode == 4) {
      b.texture = loaded_texture(wave, texture);
      b.sampler = samples ? loaded_sampler(wave, sampler) : NULL;
      return b;
   }
   bool own_base = i->mode == 1 || i->mode == 3 || i->mode == 7;
   b.texture = bindless_words(wave, i->base, texture, "a texture's descriptor");
   if (samples)
      b.sampler = bindless_words(wave, own_base ? (u32)wave->reg.a1 & 7 : i->base, sampler, "a sampler's descriptor");
   return b;
}

/* Both indices if they do not depend on the lane. */
static bool immediate_indices(Wave *wave, const Instruction *i, u32 *texture, u32 *sampler)
{
   u32 a1 = (u32)wave->reg.a1 >> 3 & 255;
   if (!i->indirect) {
      *texture = i->texture, *sampler = i->sampler;
   } else if (i->mode == 6) {
      *texture = i->descriptor >> 4, *sampler = i->descriptor & 15;
   } else if (i->mode == 7) { /* a7xx swaps the two in a1.x: ir3_compiler_nir.c */
      *texture = gpu_generation == 7 ? i->descriptor : a1;
      *sampler = gpu_generation == 7 ? a1 : i->descriptor;
   } else {
      return false;
   }
   return true;
}

typedef void (*Visit)(Wave *wave, const Instruction *i, Mask lanes, struct bound bound, u32 texel[4][LANES]);

/* Calls a function for each texture and sampler, with the lanes that ask for it. */
static void visit(Wave *wave, const Instruction *i, bool samples, Visit to)
{
   u32 texel[4][LANES], space[2][LANES], both[LANES], texture, sampler;
   Mask left = exec_of(wave);
   if (!mask_any(left))
      return;
   if (immediate_indices(wave, i, &texture, &sampler)) {
      to(wave, i, left, bound_by(wave, i, texture, sampler, samples), texel);
   } else {
      const u32 *textures = index_row(wave, i, 0, space[0]), *samplers = index_row(wave, i, samples ? 1 : 0, space[1]);
      for (u32 lane = 0; lane < wave->lanes; lane++)
         both[lane] = textures[lane] << 16 | (samplers[lane] & 0xffff);
      for (Mask same; mask_any(left); left = mask_without(left, same)) {
         u32 lane = mask_lowest(left);
         same = same_lanes(left, both);
         u32 part[4][LANES];
         to(wave, i, same, bound_by(wave, i, textures[lane], samplers[lane], samples), part);
         EACH_LANE(n, same)
            for (u32 c = 0; c < 4; c++)
               texel[c][n] = part[c][n];
      }
   }
   put_texel(wave, i, i->mask, texel);
}

/* ---- reads */

static void check_plain(const Instruction *i)
{
   bool vector = by_integers(i) && i->op->sources == 1; /* isam: the bits mean .v and an offset */
   if (i->has_offset || (!vector && (i->bit50 || i->bit53)))
      stop(UNKNOWN, "%s with an offset, a projection or a comparison", name_of(i));
}

static void check_level(Wave *wave, const Instruction *i, Mask lanes, const Texture *t)
{
   u32 space[LANES];
   if (i->op->sources < 2)
      return;
   const u32 *level = texture_row(wave, i, i->src[1].number, i->half, space);
   EACH_LANE(lane, lanes)
      if (by_integers(i) ? level[lane] != 0 : t->levels > 1 && as_float(level[lane]) > 0)
         stop(UNKNOWN, "%s of another level than the first", name_of(i));
}

static void check_type(const Instruction *i, const Texture *t)
{
   if (i->is_3d != (t->type == TEXTURE_3D))
      stop(FAULT, "%s%s of a texture of type %u", name_of(i), i->is_3d ? ".3d" : "", t->type);
}

/* Component n of the coordinates; integers are extended, halves widened. */
static const u32 *coordinate(Wave *wave, const Instruction *i, u32 n, u32 *space)
{
   const u32 *row = texture_row(wave, i, i->src[0].number + n, i->half, space);
   if (!i->half)
      return row;
   for (u32 lane = 0; lane < wave->lanes; lane++)
      space[lane] = by_integers(i) ? (u32)(i16)row[lane] : float_bits(half_float(row[lane]));
   return space;
}

static void coordinates(Wave *wave, const Instruction *i, const Texture *t, u32 at[3][LANES])
{
   u32 space[LANES];
   memset(at, 0, 3 * sizeof *at);
   u32 used = t->surface.image.dimensions;
   for (u32 n = 0; n < used; n++)
      memcpy(at[n], coordinate(wave, i, n, space), wave->lanes * 4);
   if (i->is_array)
      memcpy(at[2], coordinate(wave, i, 2, space), wave->lanes * 4);
}

/* isam.v: the components are consecutive texels. */
static void read_row(const Image *image, Mask lanes, i32 at[3][LANES], u32 first, u32 components, u32 texel[4][LANES])
{
   u32 one[4][LANES];
   EACH_LANE(lane, lanes) at[0][lane] += (i32)first;
   for (u32 c = 0; c < 4; c++) {
      if (components >> c & 1) {
         image_read(image, lanes, at, NULL, one);
         memcpy(texel[c], one[0], sizeof one[0]);
      }
      EACH_LANE(lane, lanes) at[0][lane]++;
   }
}

static void sample(Wave *wave, const Instruction *i, Mask lanes, struct bound bound, u32 texel[4][LANES])
{
   union {
      u32 u[3][LANES];
      i32 i[3][LANES];
      float f[3][LANES];
   } at;
   Texture t;
   texture_open(&t, bound.texture, name_of(i));
   check_type(i, &t);
   check_level(wave, i, lanes, &t);
   coordinates(wave, i, &t, at.u);
   Image *image = &t.surface.image;
   if (!by_integers(i)) {
      Sampler sampler;
      if (!bound.sampler)
         stop(FAULT, "%s: its sampler was not loaded", name_of(i));
      sampler_open(&sampler, bound.sampler, &t, state_of(wave)->border_colours);
      image_sample(image, &sampler, lanes, at.f, texel);
   } else if (i->bit50) {
      read_row(image, lanes, at.i, i->bit53 ? i->src[1].number : 0, i->mask, texel);
   } else {
      image_read(image, lanes, at.i, NULL, texel);
   }
}

void run_sample(Wave *wave, const Instruction *i)
{
   if (i->dst >= DUMMY) /* only loads descriptors into the cache (prefetch_sam_ir3) */
      return;
   check_plain(i);
   visit(wave, i, !by_integers(i), sample);
}

/* ---- sizes */

static void write_size(Wave *wave, const Instruction *i, Mask lanes, struct bound bound, u32 texel[4][LANES])
{
   u32 space[LANES];
   Texture t;
   texture_open(&t, bound.texture, name_of(i));
   const u32 *size = t.surface.image.size, *level = NULL;
   bool info = !strcmp(name_of(i), "getinfo");
   if (info && i->mask & 3)
      stop(UNKNOWN, "getinfo of the format");
   if (i->op->sources)
      level = texture_row(wave, i, i->src[0].number, i->half, space);
   EACH_LANE(lane, lanes)
   {
      if (level && level[lane] >= t.levels)
         stop(FAULT, "%s of level %u of %u", name_of(i), level[lane], t.levels);
      for (u32 c = 0; c < 3; c++) {
         u32 n = size[c] >> (level && !(c == 2 && t.surface.image.layered) ? level[lane] : 0);
         texel[c][lane] = n ? n : 1;
      }
      texel[3][lane] = info ? 1 : size[2]; /* samples; layers */
      if (info)
         texel[2][lane] = t.levels;
   }
}

void run_texture_size(Wave *wave, const Instruction *i) { visit(wave, i, false, write_size); }
