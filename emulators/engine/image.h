/* Images: formats, texels, addressing, filters. What every GPU has; where a texel lies is the family's.
 *
 * A texel is four words, floats or integers as its format says. All functions take a wave at a time: [component][lane].
 */
#ifndef IMAGE_H
#define IMAGE_H

#include "engine.h"

enum Numbers { UNORM, SNORM, UINT, SINT, FLOAT, UNSIGNED_FLOAT, SHARED_EXPONENT };

typedef struct {
   const char *name;
   u8 numbers; /* enum Numbers: of all channels */
   u8 channels, bytes;
   u8 bits[4]; /* of each channel, the one in the lowest bits first */
} Format;

enum { X, Y, Z, W, ZERO, ONE }; /* of a swizzle */
enum { ABSENT = 4, WIDEST_TEXEL = 16 };

typedef struct Image Image;
struct Image {
   const Format *format;
   bool srgb;          /* the first three components are coded so; 8 bits */
   bool layered;       /* z is a layer: an integer, and clamped, not filtered */
   u8 place[4];        /* the channel that a component is, or ABSENT */
   u8 swizzle[4];      /* what a read answers; after the border's colour */
   u32 dimensions;     /* that a sampler addresses: x; x and y; all */
   u32 size[3];        /* width, height, depth or layers; what an image has not is 1 */
   u64 row, layer;     /* bytes from one to the next, where texels lie in rows */
   u8 *texels;
   /* Where they do not: the bytes of a texel, there or in `space`; and what becomes of new ones. */
   const u8 *(*load)(const Image *image, u32 x, u32 y, u32 z, u8 *space);
   void (*store)(const Image *image, u32 x, u32 y, u32 z, const u8 *bytes);
};

enum Wrap { REPEAT, CLAMP_TO_EDGE, MIRROR_REPEAT, CLAMP_TO_BORDER, MIRROR_ONCE };

typedef struct {
   u8 wrap[3]; /* enum Wrap */
   bool linear, normalized;
   bool mirrors_coordinate; /* of MIRROR_REPEAT: a coordinate is mirrored before it is a texel's; else the texel's number is */
   bool floors_layer; /* or the nearest is taken, of two the even one */
   u8 weight_bits; /* of a filter's weights; 0: exact */
   u32 border[4];
} Sampler;

bool image_has(const Image *image, i64 x, i64 y, i64 z);
/* The bytes of one texel, which the image has. */
const u8 *image_load(const Image *image, u32 x, u32 y, u32 z, u8 *space);
void image_store(const Image *image, u32 x, u32 y, u32 z, const u8 *bytes);

/* Texels at integer coordinates. What a format has not is 0, alpha 1. What lies outside reads, in the components that the format
 * has, as the border's colour; NULL: as zeros. */
void image_read(const Image *image, Mask lanes, i32 at[3][LANES], const u32 *border, u32 texel[4][LANES]);
/* What lies outside is dropped; nothing is swizzled. */
void image_write(const Image *image, Mask lanes, i32 at[3][LANES], u32 texel[4][LANES]);
void image_sample(const Image *image, const Sampler *sampler, Mask lanes, float at[3][LANES], u32 texel[4][LANES]);

/* ---- format.c: bytes of lanes as texels, and back. A lane without bytes (NULL) is left out. */
void texels_decode(const Format *format, bool srgb, const u8 place[4], const u8 *const from[LANES], u32 lanes, u32 texel[4][LANES]);
void texels_encode(const Format *format, bool srgb, const u8 place[4], u8 *const to[LANES], u32 lanes, u32 texel[4][LANES]);

#endif
