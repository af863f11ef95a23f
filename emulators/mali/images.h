/* Images, by their descriptors. */
#ifndef IMAGES_H
#define IMAGES_H

#include "shader.h"
#include "../engine/image.h"

/* formats.c: the 22 bits of a pixel format: its number, the channel of each component, whether it is sRGB. */
const Format *format_of(u32 pixel_format, u8 place[4], bool *srgb);
/* The format of what has no memory: stores do nothing, loads read zeros. */
bool is_constant(u32 pixel_format);

/* An image, and where its texels lie: in rows, or in tiles of 16 by 16 texels. */
typedef struct {
   Image image; /* must be the first member: the engine passes a pointer to it */
   bool tiled;
   u32 levels, pixel_format;
   u64 surfaces; /* a texture: an address and two strides for each layer and level */
   u64 base, size; /* an attribute: the buffer */
} Texture;

/* descriptors.c: a texture and a sampler of a launch, by their numbers. */
void texture_of(const State *state, u32 index, const char *what, Texture *t);
void sampler_of(const State *state, u32 index, const char *what, Sampler *s);

/* The place of a texel in a texture, and in the rows or tiles of a surface. */
u64 texel_address(const Texture *t, u32 x, u32 y, u32 z);
u64 texel_offset(const Texture *t, u64 row_stride, u32 x, u32 y);

/* Takes from `left` the lanes that ask for the same, and says what that is. */
Mask same_lanes(Mask *left, const u32 *values, u32 *value);

/* The staging registers of messages: how many an instruction reads or writes. */
u32 texture_registers(const Instruction *i, bool writes);
u32 second_registers(const Instruction *i, u32 *first);
u32 attribute_registers(const Instruction *i, bool writes);

bool of_integers(const Format *f);
/* Stores components as texels, for the lanes that have bytes. If several components are one channel, the first is stored. */
void store_texels(const Format *f, const u8 place[4], bool srgb, u8 *const to[LANES], u32 texel[4][LANES]);

#endif
