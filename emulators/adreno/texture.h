/* Descriptors, and functions that all instructions on images use. */
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
/* The lanes of `left` that ask for the same as its first lane. */
Mask same_lanes(Mask left, const u32 *values);
/* A source register of a texture instruction, or the alias that replaces it (a7xx). */
const u32 *texture_row(Wave *wave, const Instruction *i, u32 number, bool half, u32 *space);
/* The alias for a component of the first render target, or NULL. */
const u32 *target_alias(Wave *wave, u32 component, u32 *space);
/* Writes a texel's components to the registers from `dst` on; the mask has a bit for each component. */
void put_texel(Wave *wave, const Instruction *i, u32 components, u32 texel[4][LANES]);

#endif
