/* The emulators' images without a GPU, for test_texels.py and test_samplers.py. Compiled with the sources that it tests. */
#include "layout.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

static u8 *memory;
static u64 memory_size;
static char stopped[512];

u32 gpu_generation = 6, gpu_number = 630;

EXPORT void choose(u32 number);
EXPORT void choose(u32 number) { gpu_number = number, gpu_generation = number == 702 ? 6 : number / 100; }

void stop(enum Mark kind, const char *format, ...)
{
   va_list values;
   va_start(values, format);
   vsnprintf(stopped, sizeof stopped, format, values);
   va_end(values);
   fprintf(stderr, "%d: %s\n", kind, stopped);
   abort();
}

u8 *memory_find(u64 address, u64 size) { return address < memory_size && size <= memory_size - address ? memory + address : NULL; }

EXPORT void decode_texels(u32 number, u32 srgb, const u8 *place, const u8 *bytes, u32 count, u32 *texels);
EXPORT void decode_texels(u32 number, u32 srgb, const u8 *place, const u8 *bytes, u32 count, u32 *texels)
{
   const Format *f = &formats[number];
   for (u32 first = 0; first < count; first += LANES) {
      const u8 *from[LANES] = {0};
      u32 texel[4][LANES], lanes = count - first < LANES ? count - first : LANES;
      for (u32 i = 0; i < lanes; i++)
         from[i] = bytes + (u64)(first + i) * f->bytes;
      texels_decode(f, srgb, place, from, lanes, texel);
      for (u32 i = 0; i < lanes; i++)
         for (u32 c = 0; c < 4; c++)
            texels[(first + i) * 4 + c] = texel[c][i];
   }
}

EXPORT void encode_texels(u32 number, u32 srgb, const u8 *place, const u32 *texels, u32 count, u8 *bytes);
EXPORT void encode_texels(u32 number, u32 srgb, const u8 *place, const u32 *texels, u32 count, u8 *bytes)
{
   const Format *f = &formats[number];
   for (u32 first = 0; first < count; first += LANES) {
      u8 *to[LANES] = {0};
      u32 texel[4][LANES], lanes = count - first < LANES ? count - first : LANES;
      for (u32 i = 0; i < lanes; i++) {
         to[i] = bytes + (u64)(first + i) * f->bytes;
         for (u32 c = 0; c < 4; c++)
            texel[c][i] = texels[(first + i) * 4 + c];
      }
      texels_encode(f, srgb, place, to, lanes, texel);
   }
}

/* Texels of one float each; a position of three coordinates per lane. */
EXPORT void sample(const u32 *size, u32 dimensions, u32 layered, const float *texels, const u8 *wrap, u32 flags, u32 weight_bits,
                   float border, const float *positions, u32 count, float *values);
EXPORT void sample(const u32 *size, u32 dimensions, u32 layered, const float *texels, const u8 *wrap, u32 flags, u32 weight_bits,
                   float border, const float *positions, u32 count, float *values)
{
   Image image = {.format = &formats[0x4a], .layered = layered, .place = {0, 1, 2, 3}, .swizzle = {X, Y, Z, W}, .dimensions = dimensions};
   memcpy(image.size, size, sizeof image.size);
   image.row = size[0] * 4;
   image.layer = image.row * size[1];
   image.texels = (u8 *)(uintptr_t)texels;
   Sampler sampler = {.linear = flags & 1, .normalized = flags >> 1 & 1, .floors_layer = flags >> 2 & 1, .weight_bits = weight_bits, .border = {float_bits(border)}};
   memcpy(sampler.wrap, wrap, 3);
   for (u32 first = 0; first < count; first += LANES) {
      float at[3][LANES] = {{0}};
      u32 texel[4][LANES], lanes = count - first < LANES ? count - first : LANES;
      for (u32 i = 0; i < lanes; i++)
         for (u32 a = 0; a < 3; a++)
            at[a][i] = positions[(first + i) * 3 + a];
      image_sample(&image, &sampler, mask_first(lanes), at, texel);
      for (u32 i = 0; i < lanes; i++)
         values[first + i] = as_float(texel[0][i]);
   }
}

/* A tiled surface at address 0 of `bytes`, with its flags at `flags` if that is not 0: the texel's place, or its value. */
static Surface surface;

EXPORT void tiles(u32 number, const u32 *size, u64 pitch, u64 layer_pitch, u8 *bytes, u64 count, u64 flags, u64 flags_pitch);
EXPORT void tiles(u32 number, const u32 *size, u64 pitch, u64 layer_pitch, u8 *bytes, u64 count, u64 flags, u64 flags_pitch)
{
   memory = bytes;
   memory_size = count;
   surface = (Surface){.format = number, .tile = 3, .pitch = pitch, .layer_pitch = layer_pitch, .compressed = flags != 0,
                       .flags_base = flags, .flags_pitch = flags_pitch};
   memcpy(surface.image.size, size, sizeof surface.image.size);
   surface_open(&surface, "a test");
}

EXPORT u64 offset(u32 x, u32 y, u32 z);
EXPORT u64 offset(u32 x, u32 y, u32 z)
{
   u8 space[WIDEST_TEXEL];
   return (u64)(image_load(&surface.image, x, y, z, space) - memory);
}

EXPORT void load(u32 x, u32 y, u32 z, u8 *to);
EXPORT void load(u32 x, u32 y, u32 z, u8 *to)
{
   u8 space[WIDEST_TEXEL];
   memcpy(to, image_load(&surface.image, x, y, z, space), surface.image.format->bytes);
}

EXPORT void store(u32 x, u32 y, u32 z, const u8 *from);
EXPORT void store(u32 x, u32 y, u32 z, const u8 *from) { image_store(&surface.image, x, y, z, from); }
