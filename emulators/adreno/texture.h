/* Descriptors, and what instructions on images have in common. */
#ifndef TEXTURE_H
#define TEXTURE_H

#include "layout.h"

enum { TEXTURE_1D, TEXTURE_2D, TEXTURE_CUBE, TEXTURE_3D, TEXTURE_BUFFER, TEXTURE_IMAGE_BUFFER };

typedef struct {
   Surface surface;
   u32 type, levels;
} Texture;

/* By the 16 words of A6XX_TEX_CONST. */
void texture_open(Texture *texture, const u32 *words, const char *what);
/* By the 4 words of A6XX_TEX_SAMP, for images of that format. */
void sampler_open(Sampler *sampler, const u32 *words, const Texture *texture, u64 border_colours);
/* The 64 bytes of a descriptor in a bindless set. */
const u32 *bindless_words(Wave *wave, u32 base, u32 index, const char *what);
/* The lanes of `left` that ask for the same as its first one. */
Mask same_lanes(Mask left, const u32 *values);
/* A source register of a texture instruction, or what the aliases before it put in its place (a7xx). */
const u32 *texture_row(Wave *wave, const Instruction *i, u32 number, bool half, u32 *space);
/* What an alias says that a component of the first render target is, NULL: nothing. */
const u32 *target_alias(Wave *wave, u32 component, u32 *space);
/* A texel's components in the registers from `dst` on; which ones: a bit each. */
void put_texel(Wave *wave, const Instruction *i, u32 components, u32 texel[4][LANES]);

#endif
