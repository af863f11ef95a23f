/* Attributes: images that are loaded and stored without a sampler, and the buffers of vertices. */
#include "images.h"

enum { BUFFER_WORDS = 4, IN_ROWS = 5, IN_TILES = 6, ONE_DIMENSION = 1, CONTINUATION = 32 };

static u64 pair(const u32 *w) { return w[0] | (u64)w[1] << 32; }

/* ---- an image as an attribute: its buffer, and a second descriptor with the sizes */

typedef struct {
   Texture texture;
   u32 slice;
   u64 row;
} Attribute;

static u64 offset_of(const Texture *t, u32 x, u32 y, u32 z)
{
   const Attribute *a = (const Attribute *)(const void *)t;
   u64 offset = (u64)z * a->slice + texel_offset(t, a->row, x, y);
   if (offset + t->image.format->bytes > t->size)
      stop(FAULT, "the texel %u, %u, %u of an image lies beyond its buffer's %llu bytes", x, y, z, (unsigned long long)t->size);
   return t->base + offset;
}

static const u8 *load_texel(const Image *image, u32 x, u32 y, u32 z, u8 *space)
{
   (void)space;
   return memory_at(offset_of((const Texture *)(const void *)image, x, y, z), image->format->bytes, 1, "an image");
}

static void attribute_of(const State *state, u32 index, const char *what, Attribute *a)
{
   u32 w[2], b[2 * BUFFER_WORDS];
   if (index >= state->attributes)
      stop(FAULT, "%s: attribute %u of %u", what, index, state->attributes);
   memcpy(w, memory_at(state->attribute_table + sizeof w * index, sizeof w, 8, "an attribute"), sizeof w);
   memcpy(b, memory_at(state->attribute_buffers + sizeof b / 2 * BITS(w[0], 0, 8), sizeof b, 16, "an attribute's buffer"), sizeof b);
   u32 type = b[0] & 63;
   if (!type)
      stop(FAULT, "%s: attribute %u has no buffer", what, index);
   if ((type != IN_ROWS && type != IN_TILES) || w[1] || (b[4] & 63) != CONTINUATION)
      stop(UNKNOWN, "%s: an attribute of the type %u, offset %u, of an image", what, type, w[1]);
   *a = (Attribute){
      .texture = {.tiled = type == IN_TILES, .base = pair(b) & 0x00ffffffffffffc0, .size = b[3], .pixel_format = w[0] >> 10},
      .row = b[6], .slice = b[7],
   };
   Image *image = &a->texture.image;
   image->format = format_of(a->texture.pixel_format, image->place, &image->srgb);
   image->load = load_texel;
   image->size[0] = (b[4] >> 16) + 1;
   image->size[1] = BITS(b[5], 0, 15) + 1;
   image->size[2] = BITS(b[5], 16, 31) + 1;
   image->dimensions = 3;
   memcpy(image->swizzle, (const u8[]){X, Y, Z, W}, 4);
   if (b[2] != image->format->bytes)
      stop(FAULT, "%s: texels of %u bytes, %u bytes apart", what, image->format->bytes, b[2]);
}

static u64 address_of(const Texture *t, i32 x, i32 y, i32 z)
{
   return is_valhall() ? texel_address(t, (u32)x, (u32)y, (u32)z) : offset_of(t, (u32)x, (u32)y, (u32)z);
}

/* The first table of attributes has the images; LEA_ATTR_TEX takes the second one if no DTSEL_IMM chooses. */
static void check_table(const Instruction *i)
{
   const Instruction *select = i - 1; /* in the FMA of the same tuple */
   bool first = !strcmp(select->op->name, "DTSEL_IMM") && select->mod[M_table] == O_attribute_1 && i->src[0].port == PORT_STAGE;
   if (!first)
      stop(UNKNOWN, "%s of the second table of attributes", i->op->name);
}

/* x and y are halves of a word. On Valhall z and the layer are, too, and x is a whole word if there is no y. */
static void coordinates(Wave *wave, const Instruction *i, const Image *image, i32 at[3][LANES])
{
   const u32 *xy = raw_operand(wave, i, 0), *z = raw_operand(wave, i, 1);
   bool line = is_valhall() && image->dimensions == 1;
   for (u32 lane = 0; lane < LANES; lane++) {
      at[0][lane] = line ? (i32)xy[lane] : (i32)(xy[lane] & 0xffff), at[1][lane] = line ? 0 : (i32)(xy[lane] >> 16);
      at[2][lane] = (i32)(!is_valhall() ? z[lane] : image->layered ? z[lane] >> 16 : z[lane] & 0xffff);
   }
}

/* The number of an image. On Valhall it is a resource, which the instruction names if no source does. */
static const u32 *numbers(Wave *wave, const Instruction *i, u32 *space)
{
   if (i->op->sources > 2)
      return raw_operand(wave, i, 2);
   for (u32 lane = 0; lane < LANES; lane++)
      space[lane] = BITS(i->word, 16, 19) << 24 | BITS(i->word, 20, 23);
   return space;
}

static void image_of(const State *state, u32 number, const char *what, Attribute *a)
{
   is_valhall() ? texture_of(state, number, what, &a->texture) : attribute_of(state, number, what, a);
}

/* ---- the contents of registers, by the format that an instruction names */

static bool halves(u8 option) { return option == O_f16 || option == O_s16 || option == O_u16; }

static u32 vector_size(const Instruction *i)
{
   switch (i->mod[M_vecsize]) {
   case O_v2: return 2;
   case O_v3: return 3;
   case O_v4: return 4;
   default: return 1;
   }
}

u32 attribute_registers(const Instruction *i, bool writes)
{
   if (i->op->run == run_address_image || i->op->run == run_address_attribute)
      return writes ? 3 : 0;
   u32 count = vector_size(i);
   if (i->op->run == run_store_converted)
      return writes ? 0 : count;
   return !writes ? 0 : halves(i->mod[M_register_format]) ? (count + 1) / 2 : count;
}

static void check_kind(const Instruction *i, const Format *f, u8 option)
{
   bool floats = option == O_f16 || option == O_f32;
   if (option != O_none && option != O_auto && (floats == of_integers(f) || option == O_f64 || option == O_i64))
      stop(UNKNOWN, "%s as %s of texels that are %s", i->op->name, option_names[option], of_integers(f) ? "integers" : "not integers");
}

/* ---- instructions */

void run_load_image(Wave *wave, const Instruction *i)
{
   u32 space[LANES], texel[4][LANES] = {0}, which, count = vector_size(i);
   const u32 *index = numbers(wave, i, space);
   u8 format = i->mod[M_register_format];
   i32 at[3][LANES];
   for (Mask left = exec_of(wave); mask_any(left);) {
      Mask lanes = same_lanes(&left, index, &which);
      u32 found[4][LANES];
      Attribute a;
      image_of(state_of(wave), which, i->op->name, &a);
      coordinates(wave, i, &a.texture.image, at);
      check_kind(i, a.texture.image.format, format);
      image_read(&a.texture.image, lanes, at, NULL, found);
      for (u32 c = 0; c < 4; c++)
         EACH_LANE(lane, lanes) texel[c][lane] = found[c][lane];
   }
   for (u32 n = 0; halves(format) && n < (count + 1) / 2; n++)
      for (u32 lane = 0; lane < LANES; lane++) {
         u32 low = texel[2 * n][lane], high = texel[2 * n + 1][lane];
         texel[n][lane] = format == O_f16 ? half_bits(as_float(low)) | half_bits(as_float(high)) << 16 : (low & 0xffff) | high << 16;
      }
   for (u32 n = 0; n < attribute_registers(i, true); n++)
      write_register(wave, i->to + n, 3, texel[n]);
}

/* A texel's address, and the format to convert it to. The address of a texel outside of the image is 0 [M8]. */
void run_address_image(Wave *wave, const Instruction *i)
{
   u32 space[LANES], row[3][LANES] = {0}, which;
   const u32 *index = numbers(wave, i, space);
   i32 at[3][LANES];
   if (!is_valhall())
      check_table(i);
   for (Mask left = exec_of(wave); mask_any(left);) {
      Mask lanes = same_lanes(&left, index, &which);
      Attribute a;
      image_of(state_of(wave), which, i->op->name, &a);
      coordinates(wave, i, &a.texture.image, at);
      check_kind(i, a.texture.image.format, i->mod[M_register_format]);
      EACH_LANE(lane, lanes)
      {
         i32 x = at[0][lane], y = at[1][lane], z = at[2][lane];
         u64 address = image_has(&a.texture.image, x, y, z) ? address_of(&a.texture, x, y, z) : 0;
         row[0][lane] = (u32)address, row[1][lane] = address >> 32;
         row[2][lane] = a.texture.pixel_format;
      }
   }
   for (u32 n = 0; n < 3; n++)
      write_register(wave, i->to + n, 3, row[n]);
}

void run_store_converted(Wave *wave, const Instruction *i)
{
   const u32 *low = raw_operand(wave, i, 0), *high = raw_operand(wave, i, 1), *conversion = raw_operand(wave, i, 2);
   u32 count = vector_size(i), texel[4][LANES] = {0}, pixel_format;
   for (u32 n = 0; n < count; n++) {
      check_read(wave, i->from + n, 3);
      memcpy(texel[n], wave->reg.row[i->from + n], sizeof texel[n]);
   }
   for (Mask left = exec_of(wave); mask_any(left);) {
      Mask lanes = same_lanes(&left, conversion, &pixel_format);
      u8 place[4], *to[LANES] = {0};
      bool srgb;
      if (is_constant(pixel_format))
         continue;
      const Format *f = format_of(pixel_format, place, &srgb);
      EACH_LANE(lane, lanes)
      {
         u64 address = low[lane] | (u64)high[lane] << 32;
         to[lane] = address ? memory_at(address, f->bytes, 1, i->op->name) : NULL;
      }
      store_texels(f, place, srgb, to, texel);
   }
}
