/* Images that a kernel writes, and storage buffers: ldib.b, stib.b, atomic.b, resinfo.b. Typed accesses have
 * coordinates and formats; untyped ones count elements. */
#include "packets.h"
#include "texture.h"

static const char *name_of(const Instruction *i) { return i->op->name; }

static const u32 *descriptor_words(Wave *wave, const Instruction *i, u32 index)
{
   if (i->bindless)
      return bindless_words(wave, i->base, index, "an image's descriptor");
   return (const u32 *)(const void *)memory_at(state_of(wave)->images + index * 64ull, 64, 4, "an image's descriptor");
}

/* The descriptors of the lanes, by index; false: all lanes have the same one. */
static bool indices(Wave *wave, const Instruction *i, u32 *values)
{
   u32 space[LANES];
   if (i->mode == 0) {
      values[0] = i->descriptor;
      return false;
   }
   memcpy(values, row_of(wave, i->descriptor, false, space), wave->lanes * sizeof *values);
   return true;
}

static void coordinates(Wave *wave, const Instruction *i, const Texture *t, i32 at[3][LANES])
{
   u32 space[LANES];
   memset(at, 0, 3 * sizeof *at);
   for (u32 n = 0; n < i->dimensions && n < 3; n++) {
      u32 axis = n == 1 && t->type == TEXTURE_1D ? 2 : n; /* the layer of a 1D array */
      memcpy(at[axis], row_of(wave, i->address + n, false, space), wave->lanes * sizeof **at);
   }
   for (u32 lane = 0; lane < wave->lanes; lane++)
      at[0][lane] += i->offset;
}

typedef void (*Visit)(Wave *wave, const Instruction *i, Mask lanes, const Texture *t, i32 at[3][LANES], u32 texel[4][LANES]);

static void visit(Wave *wave, const Instruction *i, Visit to, u32 texel[4][LANES])
{
   u32 index[LANES];
   i32 at[3][LANES];
   Mask left = exec_of(wave);
   bool several = indices(wave, i, index);
   for (Mask same; mask_any(left); left = mask_without(left, same)) {
      same = several ? same_lanes(left, index) : left;
      Texture t;
      texture_open(&t, descriptor_words(wave, i, index[several ? mask_lowest(left) : 0]), name_of(i));
      if (i->op->run != run_resource_info)
         coordinates(wave, i, &t, at);
      to(wave, i, same, &t, at, texel);
   }
}

static void copy_lanes(Mask lanes, u32 from[4][LANES], u32 to[4][LANES], u32 count)
{
   for (u32 c = 0; c < count; c++)
      EACH_LANE(lane, lanes) to[c][lane] = from[c][lane];
}

/* ---- loads */

static void load(Wave *wave, const Instruction *i, Mask lanes, const Texture *t, i32 at[3][LANES], u32 texel[4][LANES])
{
   (void)wave;
   u32 part[4][LANES];
   Surface surface = t->surface; /* all of it: finding a texel in tiles needs the members after the image */
   Image *image = &surface.image;
   memcpy(image->swizzle, (const u8[4]){X, Y, Z, W}, 4);
   if (i->typed) {
      image_read(image, lanes, at, NULL, part);
      copy_lanes(lanes, part, texel, 4);
      return;
   }
   for (u32 c = 0; c < i->size; c++) {
      image_read(image, lanes, at, NULL, part);
      EACH_LANE(lane, lanes)
      {
         texel[c][lane] = part[0][lane];
         at[0][lane]++;
      }
   }
}

void run_load_resource(Wave *wave, const Instruction *i)
{
   u32 texel[4][LANES];
   visit(wave, i, load, texel);
   put_texel(wave, i, (1u << i->size) - 1, texel);
}

/* ---- stores */

static void store(Wave *wave, const Instruction *i, Mask lanes, const Texture *t, i32 at[3][LANES], u32 texel[4][LANES])
{
   (void)wave;
   if (i->typed) {
      image_write(&t->surface.image, lanes, at, texel);
      return;
   }
   for (u32 c = 0; c < i->size; c++) {
      u32 part[4][LANES] = {0};
      memcpy(part[0], texel[c], sizeof part[0]);
      image_write(&t->surface.image, lanes, at, part);
      EACH_LANE(lane, lanes) at[0][lane]++;
   }
}

void run_store_resource(Wave *wave, const Instruction *i)
{
   u32 texel[4][LANES] = {0}, space[LANES];
   for (u32 c = 0; c < i->size; c++) {
      const u32 *values = row_of(wave, i->data + c, i->half, space);
      for (u32 lane = 0; lane < wave->lanes; lane++)
         texel[c][lane] = i->type == F16 ? float_bits(half_float(values[lane])) : i->type == S16 ? (u32)(i16)values[lane] : values[lane];
   }
   visit(wave, i, store, texel);
}

/* ---- atomics: the operand is in the register after the result's, the value to compare with in the one after that */

static void atomic(Wave *wave, const Instruction *i, Mask lanes, const Texture *t, i32 at[3][LANES], u32 texel[4][LANES])
{
   const Image *image = &t->surface.image;
   bool compares = i->op->flag == ATOMIC_CMPXCHG;
   u32 space[2][LANES];
   if (image->format->bytes != 4 || image->format->channels != 1)
      stop(FAULT, "%s on %s", name_of(i), image->format->name);
   if (i->type != U32 && i->type != S32 && i->type != F32)
      stop(UNKNOWN, "%s of 64 bits", name_of(i));
   const u32 *data = row_of(wave, i->dst + 1, false, space[0]);
   const u32 *compare = compares ? row_of(wave, i->dst + 2, false, space[1]) : NULL;
   EACH_LANE(lane, lanes)
   {
      u8 bytes[WIDEST_TEXEL];
      u32 old, x = (u32)at[0][lane], y = (u32)at[1][lane], z = (u32)at[2][lane];
      texel[0][lane] = 0;
      if (!image_has(image, at[0][lane], at[1][lane], at[2][lane]))
         continue;
      memcpy(&old, image_load(image, x, y, z, bytes), 4);
      u32 value = (u32)atomic_result(i, old, data[lane], compares ? compare[lane] : 0);
      image_store(image, x, y, z, (const u8 *)&value);
      texel[0][lane] = old;
   }
}

void run_atomic_resource(Wave *wave, const Instruction *i)
{
   u32 texel[4][LANES];
   visit(wave, i, atomic, texel);
   put(wave, i->dst, false, texel[0]);
}

/* ---- sizes: always three components */

static void size_of(Wave *wave, const Instruction *i, Mask lanes, const Texture *t, i32 at[3][LANES], u32 texel[4][LANES])
{
   (void)wave, (void)i, (void)at;
   const u32 *size = t->surface.image.size;
   EACH_LANE(lane, lanes)
   {
      texel[0][lane] = size[0];
      texel[1][lane] = t->type == TEXTURE_1D ? size[2] : size[1]; /* [13] */
      texel[2][lane] = size[2];
   }
}

void run_resource_info(Wave *wave, const Instruction *i)
{
   u32 texel[4][LANES];
   visit(wave, i, size_of, texel);
   put_texel(wave, i, 7, texel);
}

void run_resource_base(Wave *wave, const Instruction *i)
{
   (void)wave;
   stop(UNKNOWN, "%s", name_of(i));
}
