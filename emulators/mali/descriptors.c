/* The descriptors of textures and samplers (Mesa's src/panfrost/lib/genxml/v7.xml). */
#include "images.h"

enum { TEXTURE_WORDS = 8, LINEAR = 2, TILED = 1, PLANE = 32, GENERIC = 1, IN_TILES = 1, IN_ROWS = 2 };

/* On Valhall each layer has a plane of 32 bytes, which says how its texels lie. */
static void read_plane(const Texture *t, u32 layer, u32 *w)
{
   memcpy(w, memory_mapped(t->surfaces + (u64)PLANE * layer * t->levels, PLANE, PLANE, "a plane"), PLANE);
   u32 layout = BITS(w[0], 8, 11);
   if (BITS(w[0], 4, 7) != GENERIC || (layout != IN_ROWS && layout != IN_TILES))
      stop(UNKNOWN, "a plane of type %u, layout %u", BITS(w[0], 4, 7), layout);
}

/* The plane of the first layer says how all layers lie, and what their texels are if they differ from the texture's
 * pixel format. */
static void read_layout(Texture *t)
{
   enum { A8 = 26 };
   u32 w[8];
   read_plane(t, 0, w);
   t->tiled = BITS(w[0], 8, 11) == IN_TILES;
   if (w[0] >> 24 == A8)
      t->pixel_format = A8 << 12 | BITS(t->pixel_format, 0, 11);
}

static u64 plane_address(const Texture *t, u32 x, u32 y, u32 z)
{
   u32 w[8];
   bool layered = t->image.layered;
   read_plane(t, layered ? z : 0, w);
   u64 offset = texel_offset(t, w[4], x, y) + (layered ? 0 : (u64)z * w[6]);
   return (w[2] | (u64)w[3] << 32) + offset;
}

u64 texel_address(const Texture *t, u32 x, u32 y, u32 z)
{
   const Image *image = &t->image;
   u32 w[4], layer = image->layered ? z : 0;
   if (is_valhall())
      return plane_address(t, x, y, z);
   memcpy(w, memory_at(t->surfaces + 16ull * layer * t->levels, sizeof w, 8, "a texture's surface"), sizeof w);
   u64 base = w[0] | (u64)w[1] << 32;
   if (base & 15)
      stop(UNKNOWN, "a texture's surface 0x%llx, which is compressed", (unsigned long long)base);
   u64 slice = image->layered ? 0 : (u64)z * w[3];
   return base + slice + texel_offset(t, w[2], x, y);
}

static const u8 *load_texel(const Image *image, u32 x, u32 y, u32 z, u8 *space)
{
   (void)space;
   return memory_at(texel_address((const Texture *)(const void *)image, x, y, z), image->format->bytes, 1, "a texture");
}

/* What the driver gives where a kernel reads a texture that is not bound: zeros, from no memory (panfrost_emit_null_texture). */
static const u8 *load_nothing(const Image *image, u32 x, u32 y, u32 z, u8 *space)
{
   (void)image, (void)x, (void)y, (void)z;
   return memset(space, 0, WIDEST_TEXEL);
}

/* Where a texture's or a sampler's descriptor lies. */
static u64 descriptor_at(u64 table, u32 index, const State *state, const char *what)
{
   return is_valhall() ? resource_at(state, index, what) : table + 32ull * index;
}

void texture_of(const State *state, u32 index, const char *what, Texture *t)
{
   u32 w[TEXTURE_WORDS];
   if (!is_valhall() && index >= state->textures)
      stop(FAULT, "%s: texture %u of %u", what, index, state->textures);
   memcpy(w, memory_mapped(descriptor_at(state->texture_table, index, state, what), sizeof w, 32, "a texture"), sizeof w);
   u32 dimension = BITS(w[0], 4, 5), layout = BITS(w[2], 12, 15);
   if ((w[0] & 15) != 2)
      stop(FAULT, "%s: texture %u is a descriptor of type %u", what, index, w[0] & 15);
   bool known = is_valhall() ? !layout : layout == LINEAR || layout == TILED;
   if (!dimension || BITS(w[3], 13, 15) || !known || w[0] & 0x300)
      stop(UNKNOWN, "%s: a texture of dimension %u, layout %u, with the words 0x%08x, 0x%08x", what, dimension, layout, w[0], w[3]);
   *t = (Texture){.pixel_format = w[0] >> 10, .tiled = layout == TILED, .levels = BITS(w[2], 16, 20) + 1, .surfaces = w[4] | (u64)w[5] << 32};
   Image *image = &t->image;
   bool constant = is_constant(t->pixel_format);
   if (is_valhall() && !constant)
      read_layout(t);
   image->format = format_of(t->pixel_format, image->place, &image->srgb);
   image->load = constant ? load_nothing : load_texel;
   image->dimensions = dimension;
   image->layered = dimension != 3;
   image->size[0] = BITS(w[1], 0, 15) + 1;
   image->size[1] = BITS(w[1], 16, 31) + 1;
   image->size[2] = (dimension == 3 ? BITS(w[7], 0, 15) : BITS(w[6], 0, 15)) + 1;
   for (u32 c = 0; c < 4; c++)
      image->swizzle[c] = constant ? ZERO : w[2] >> 3 * c & 7;
}

static u8 wrap_of(u32 mode, const char *what)
{
   switch (mode) {
   case 8: return REPEAT;
   case 9: return CLAMP_TO_EDGE;
   case 11: return CLAMP_TO_BORDER;
   case 12: return MIRROR_REPEAT;
   case 13: return MIRROR_ONCE;
   default: stop(UNKNOWN, "%s: a sampler that wraps by %u", what, mode);
   }
}

void sampler_of(const State *state, u32 index, const char *what, Sampler *s)
{
   u32 w[8];
   if (!is_valhall() && index >= state->samplers) /* the driver states the number of textures here, and its table has more samplers [M11] */
      mark(UNDEFINED, "%s: sampler %u of %u", what, index, state->samplers);
   memcpy(w, memory_mapped(descriptor_at(state->sampler_table, index, state, what), sizeof w, 32, "a sampler"), sizeof w);
   if ((w[0] & 15) != 1)
      stop(FAULT, "%s: sampler %u is a descriptor of type %u", what, index, w[0] & 15);
   bool nearest = w[0] >> 28 & 1;
   if (nearest != (w[0] >> 27 & 1) || BITS(w[2], 24, 25) || w[0] >> 22 & 1)
      stop(UNKNOWN, "%s: a sampler with the words 0x%08x, 0x%08x", what, w[0], w[2]);
   *s = (Sampler){.linear = !nearest, .normalized = w[0] >> 25 & 1, .mirrors_coordinate = true, .weight_bits = 8};
   for (u32 a = 0; a < 3; a++)
      s->wrap[a] = wrap_of(w[0] >> (16 - 4 * a) & 15, what);
   memcpy(s->border, w + 4, sizeof s->border);
}
