/* Images: formats, texels, addressing, filters, which all GPUs share. A family says where a texel lies.
 *
 * A texel is four words, floats or integers as its format says. All functions take a wave at a time: [component][lane].
 */
#ifndef IMAGE_H
#define IMAGE_H

#include "engine.h"

enum Numbers { UNORM, SNORM, UINT, SINT, FLOAT, UNSIGNED_FLOAT, SHARED_EXPONENT };

typedef struct {
   const char *name;
   u8 numbers; /* enum Numbers, for all channels */
   u8 channels, bytes;
   u8 bits[4]; /* of each channel, the lowest bits first */
} Format;

enum { X, Y, Z, W, ZERO, ONE }; /* values of a swizzle */
enum { ABSENT = 4, WIDEST_TEXEL = 16 };

typedef struct Image Image;
struct Image {
   const Format *format;
   bool srgb;          /* the first three components are sRGB codes of 8 bits */
   bool layered;       /* z is a layer: an integer, clamped and not filtered */
   u8 place[4];        /* the channel that a component is, or ABSENT */
   u8 swizzle[4];      /* applied to what a read returns; not to the border's colour */
   u32 dimensions;     /* the coordinates that a sampler addresses: x; x and y; all */
   u32 size[3];        /* width, height, depth or layers; 1 for those that the image does not have */
   u64 row, layer;     /* bytes from one to the next, if texels lie in rows */
   u8 *texels;
   /* Otherwise: the bytes of a texel, in place or in `space`; and the store of new bytes. */
   const u8 *(*load)(const Image *image, u32 x, u32 y, u32 z, u8 *space);
   void (*store)(const Image *image, u32 x, u32 y, u32 z, const u8 *bytes);
};

enum Wrap { REPEAT, CLAMP_TO_EDGE, MIRROR_REPEAT, CLAMP_TO_BORDER, MIRROR_ONCE };

typedef struct {
   u8 wrap[3]; /* enum Wrap */
   bool linear, normalized;
   bool mirrors_coordinate; /* MIRROR_REPEAT mirrors the coordinate, else the number of the texel */
   bool floors_layer; /* filters, or takes the nearest texel (the even one of two) */
   u8 weight_bits; /* of a filter's weights; 0: the weights are exact */
   u32 border[4];
} Sampler;

bool image_has(const Image *image, i64 x, i64 y, i64 z);
/* The bytes of one texel inside the image. */
const u8 *image_load(const Image *image, u32 x, u32 y, u32 z, u8 *space);
void image_store(const Image *image, u32 x, u32 y, u32 z, const u8 *bytes);

/* Reads texels at integer coordinates. Components that the format does not have are 0, alpha 1. Outside of the image
 * the format's components are those of the border's colour, or zeros if it is NULL. */
void image_read(const Image *image, Mask lanes, i32 at[3][LANES], const u32 *border, u32 texel[4][LANES]);
/* Stores outside of the image are dropped. There is no swizzle. */
void image_write(const Image *image, Mask lanes, i32 at[3][LANES], u32 texel[4][LANES]);
void image_sample(const Image *image, const Sampler *sampler, Mask lanes, float at[3][LANES], u32 texel[4][LANES]);

/* ---- format.c: converts the lanes' bytes to texels, and back. Lanes without bytes (NULL) are left out. */
void texels_decode(const Format *format, bool srgb, const u8 place[4], const u8 *const from[LANES], u32 lanes, u32 texel[4][LANES]);
void texels_encode(const Format *format, bool srgb, const u8 place[4], u8 *const to[LANES], u32 lanes, u32 texel[4][LANES]);

#endif
