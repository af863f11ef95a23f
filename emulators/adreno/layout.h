/* Surfaces of an a6xx or a7xx: formats, and where their texels lie. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "../engine/image.h"
#include "ir3.h"

/* A surface of a descriptor or of the 2D engine's registers, and what is derived from it. */
typedef struct {
   Image image; /* must be the first member: the engine passes a pointer to it */
   u32 format;  /* a6xx_format */
   u32 tile, swap;
   u64 base, pitch, layer_pitch;
   bool compressed;
   u64 flags_base, flags_pitch, flags_layer_pitch;
   /* Tiled surfaces only. */
   u8 *flags;
   u32 tile_width, tile_height, block_width, block_height, bank_mask;
} Surface;

/* How a GPU lays out tiles: Mesa's src/freedreno/common/freedreno_devices.py. */
typedef struct {
   u16 number;
   u8 highest_bank_bit, bank_levels;
   bool eight_channels, one_kind; /* macrotile mode; whether normalized formats and integers are one kind */
} Tiling;
const Tiling *gpu(void);

/* Formats by number; one without a name is not emulated. */
extern const Format formats[256];
/* UBWC's kinds: formats of one kind can read each other's blocks. */
u32 kin_of(u32 format);

/* Fills the derived members, and checks that all of the memory lies in one buffer of the submission. Size, format,
 * tile, swap and addresses must be set. */
void surface_open(Surface *surface, const char *what);

#endif
