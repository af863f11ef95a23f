/* Descriptors: A6XX_TEX_CONST, A6XX_TEX_SAMP of Mesa's a6xx.xml; border colours: fd6_bcolor_entry of its fd6_texture.h. */
#include "texture.h"

static void measure(Texture *t, const u32 *d)
{
   Surface *s = &t->surface;
   u32 width = BITS(d[1], 0, 14), height = BITS(d[1], 15, 29), depth = BITS(d[5], 17, 29), *size = s->image.size;
   depth = depth ? depth : 1;
   size[0] = width, size[1] = size[2] = 1;
   s->image.dimensions = 1;
   switch (t->type) {
   case TEXTURE_1D:
      size[2] = depth;
      s->image.layered = true;
      break;
   case TEXTURE_2D:
      size[1] = height, size[2] = depth;
      s->image.layered = true;
      s->image.dimensions = 2;
      break;
   case TEXTURE_3D:
      size[1] = height, size[2] = depth;
      s->image.dimensions = 3;
      break;
   case TEXTURE_BUFFER:
      size[0] = width | height << 15;
      s->base += (u64)BITS(d[2], 16, 21) * formats[s->format].bytes;
      break;
   default:
      stop(UNKNOWN, "a texture of type %u", t->type);
   }
   if (!size[0] || !size[1])
      stop(FAULT, "a texture of %ux%ux%u texels", size[0], size[1], size[2]);
}

void texture_open(Texture *t, const u32 *d, const char *what)
{
   u32 any = 0;
   for (u32 n = 0; n < 6; n++)
      any |= d[n];
   if (!any)
      stop(FAULT, "%s: the descriptor is empty", what);
   *t = (Texture){.type = d[2] >> 29, .levels = BITS(d[0], 16, 19) + 1};
   Surface *s = &t->surface;
   s->format = BITS(d[0], 22, 29);
   s->tile = BITS(d[0], 0, 1);
   s->swap = d[0] >> 30;
   s->image.srgb = d[0] >> 2 & 1;
   if (BITS(d[0], 20, 21))
      stop(UNKNOWN, "%s: several samples a texel", what);
   for (u32 c = 0; c < 4; c++) {
      s->image.swizzle[c] = BITS(d[0], 4 + 3 * c, 6 + 3 * c);
      if (s->image.swizzle[c] > ONE)
         stop(FAULT, "%s: component %u of a swizzle is %u", what, c, s->image.swizzle[c]);
   }
   s->base = (d[4] & ~31u) | (u64)BITS(d[5], 0, 16) << 32;
   if (t->type != TEXTURE_BUFFER)
      s->pitch = BITS(d[2], 7, 28);
   s->layer_pitch = (u64)BITS(d[3], 0, 22) << 12;
   s->compressed = d[3] >> 28 & 1;
   if (s->compressed) {
      s->flags_base = (d[7] & ~31u) | (u64)BITS(d[8], 0, 16) << 32;
      s->flags_pitch = BITS(d[10], 0, 6) << 6;
      s->flags_layer_pitch = (u64)BITS(d[9], 0, 16) << 6;
   }
   measure(t, d);
   surface_open(s, what);
   trace("   %s: type %u, %ux%ux%u of %s, tiles %u, words %08x %08x %08x %08x %08x %08x", what, t->type, s->image.size[0], s->image.size[1],
         s->image.size[2], s->image.format->name, s->tile, d[0], d[1], d[2], d[3], d[4], d[5]);
}

/* The place of a format's colour in a border colour entry, and the format that it has there. */
static void border_colour(Sampler *sampler, const Texture *t, const u8 *entry)
{
   static const u8 plain[4] = {X, Y, Z, W};
   static const struct {
      u8 numbers, bits, offset, format;
   } PLACES[] = {
      {UNORM, 8, 48, 0x30}, {SNORM, 8, 52, 0x32}, {UINT, 8, 32, 0x63},  {SINT, 8, 32, 0x64},  {UNORM, 16, 16, 0x60},
      {SNORM, 16, 24, 0x61}, {FLOAT, 16, 32, 0x62}, {UINT, 16, 32, 0x63}, {SINT, 16, 32, 0x64}, {FLOAT, 32, 0, 0x82},
      {UINT, 32, 0, 0x83},  {SINT, 32, 0, 0x84},  {UNORM, 10, 56, 0x36}, {UINT, 10, 32, 0x63}, {UNORM, 5, 42, 0x0a},
      {UNORM, 4, 44, 0x08}, {UNORM, 24, 60, 0xa0}, {UNSIGNED_FLOAT, 11, 32, 0x62}, {SHARED_EXPONENT, 9, 32, 0x62},
   };
   const Format *f = t->surface.image.format;
   u32 offset = 0, format = 0;
   for (u32 n = 0; n < COUNT(PLACES); n++)
      if (PLACES[n].numbers == f->numbers && PLACES[n].bits == f->bits[0])
         offset = PLACES[n].offset, format = PLACES[n].format;
   if (t->surface.format == 0x0e)
      offset = 40, format = 0x0e;
   if (t->surface.image.srgb)
      offset = 64, format = 0x62;
   if (!format)
      stop(UNKNOWN, "the border's colour of %s", f->name);
   u32 texel[4][LANES];
   const u8 *from[LANES] = {entry + offset};
   texels_decode(&formats[format], false, plain, from, 1, texel);
   for (u32 c = 0; c < 4; c++)
      sampler->border[c] = texel[c][0];
}

void sampler_open(Sampler *s, const u32 *d, const Texture *t, u64 border_colours)
{
   enum { BORDER_BYTES = 128, WEIGHT_BITS = 8 }; /* [12] */
   u32 filter = BITS(d[0], 1, 2);
   *s = (Sampler){.linear = filter == 1, .normalized = !(d[1] >> 5 & 1), .weight_bits = WEIGHT_BITS, .floors_layer = true}; /* [21] */
   if (filter > 1)
      stop(UNKNOWN, "a filter of kind %u", filter);
   if (BITS(d[2], 0, 1))
      stop(UNKNOWN, "a reduction of kind %u", BITS(d[2], 0, 1));
   bool bordered = false;
   for (u32 axis = 0; axis < 3; axis++) {
      s->wrap[axis] = BITS(d[0], 5 + 3 * axis, 7 + 3 * axis);
      if (s->wrap[axis] > MIRROR_ONCE)
         stop(FAULT, "a sampler wraps by mode %u", s->wrap[axis]);
      bordered |= s->wrap[axis] == CLAMP_TO_BORDER;
   }
   if (bordered)
      border_colour(s, t, memory_at(border_colours + (u64)(d[2] >> 7) * BORDER_BYTES, BORDER_BYTES, 4, "a border's colour"));
   const Format *f = t->surface.image.format;
   if (f->numbers == UINT || f->numbers == SINT)
      s->linear = false;
}

const u32 *bindless_words(Wave *wave, u32 base, u32 index, const char *what)
{
   return (const u32 *)(const void *)memory_at(state_of(wave)->bindless[base & (BINDLESS - 1)] + index * 64ull, 64, 4, what);
}

Mask same_lanes(Mask left, const u32 *values)
{
   u32 first = values[mask_lowest(left)];
   Mask same = {{0}};
   EACH_LANE(lane, left)
      same.w[lane / 64] |= (u64)(values[lane] == first) << lane % 64;
   return same;
}

static bool is_alias(const Instruction *i) { return i->op->category == 7 && !strcmp(i->op->name, "alias"); }

const Instruction *alias_before(const Shader *shader, const Instruction *i, u32 number, bool half)
{
   for (const Instruction *a = i; a > shader->code && is_alias(a - 1); a--)
      if ((a - 1)->base == 0 && (a - 1)->targets[0] == number && (a - 1)->half == half)
         return a - 1;
   return NULL;
}

static const u32 *alias_of(Wave *wave, const Instruction *alias, u32 *space)
{
   return read_source(wave, alias, 0, 0, alias->bit53 ? K_UNSIGNED : K_FLOAT, space);
}

const u32 *texture_row(Wave *wave, const Instruction *i, u32 number, bool half, u32 *space)
{
   const Instruction *alias = alias_before(wave->group->launch->code, i, number, half);
   return alias ? alias_of(wave, alias, space) : row_of(wave, number, half, space);
}

const u32 *target_alias(Wave *wave, u32 component, u32 *space)
{
   const Shader *shader = wave->group->launch->code;
   for (u32 pc = 0; pc < shader->count; pc++) {
      const Instruction *a = &shader->code[pc];
      if (is_alias(a) && a->base == 1 && a->targets[0] == component)
         return alias_of(wave, a, space);
   }
   return NULL;
}

void put_texel(Wave *wave, const Instruction *i, u32 components, u32 texel[4][LANES])
{
   for (u32 c = 0; c < 4; c++) {
      if (!(components >> c & 1))
         continue;
      if (i->type == F16)
         for (u32 lane = 0; lane < wave->lanes; lane++)
            texel[c][lane] = half_bits(as_float(texel[c][lane]));
      else if (i->dst_half)
         for (u32 lane = 0; lane < wave->lanes; lane++)
            texel[c][lane] &= 0xffff;
      put(wave, i->dst + c, i->dst_half, texel[c]);
   }
}
