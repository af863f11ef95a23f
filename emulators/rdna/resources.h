/* Descriptors of buffers, images and samplers: the types SQ_BUF_RSRC, SQ_IMG_RSRC and SQ_IMG_SAMP of Mesa's gfx11-rsrc.json and gfx12-rsrc.json. */
#ifndef RESOURCES_H
#define RESOURCES_H

#include "../engine/image.h"
#include "gfx.h"

typedef struct {
   u64 base;
   u32 stride, records, format, bounds;
   u32 lanes, element; /* swizzled: elements of this many bytes, for this many lanes, are interleaved, as in gfx10's private memory; 0: they are not */
   u8 select[4];
} BufferDescriptor;

enum { IMAGE_1D = 8, IMAGE_2D, IMAGE_3D, IMAGE_1D_ARRAY = 12, IMAGE_2D_ARRAY };

typedef struct {
   Image image;
   u32 type, first_layer, layers;
   u8 select[4];
} Texture;

const Format *format_of(u32 number, bool *srgb);
const Format *format_of_color(u32 format, u32 numbers, bool *srgb);
u32 pitch_of(const Image *image, bool linear); /* texels per row */
BufferDescriptor buffer_open(Wave *wave, u32 number);
void texture_open(Wave *wave, const Instruction *i, Texture *t);
void sampler_open(Wave *wave, const Instruction *i, Sampler *s);
u8 component(u32 select, const char *what); /* X to ONE, by a descriptor's number */

/* Moves a texel's components to the registers of a lane, as words or halves, and back. */
void put_texel(Wave *wave, u32 number, u32 lane, u32 mask, bool halves, const Format *format, const u32 *texel);
void get_texel(Wave *wave, u32 number, u32 lane, u32 mask, bool halves, const Format *format, u32 *texel);

#endif
