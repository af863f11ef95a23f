/* Messages: what `send` passes to the shared functions. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "../engine/image.h"
#include "eu.h"

typedef struct {
   Wave *wave;
   const Instruction *i;
   u32 channels; /* the channels that take part, a bit each */
   u32 descriptor, extended;
   u32 length, extra, response; /* registers */
   bool header;
   char what[40];
   /* A copy of the payload, because the answer may go to the same registers. */
   u8 bytes[46 * REGISTER], written[46 * REGISTER];
} Message;

/* After the header: dword k, and two dwords from k on. */
u32 payload(const Message *m, u32 k);
u64 payload_pair(const Message *m, u32 k);
u32 header_word(const Message *m, u32 k);
/* The place in the answer for the `bytes` of one channel. */
void respond(const Message *m, u32 reg, u32 channel, u32 bytes, u64 value);
/* The answer's bytes, and which of them are defined. */
u8 *response_at(const Message *m, u32 byte, u32 size);
void check_payload(const Message *m, u32 byte, u32 size);
static inline u32 lane_of(const Message *m, u32 channel) { return m->i->first + channel; }

/* ---- surfaces.c */

enum SurfaceKind { LOCAL, STATELESS, BUFFER, TYPED, NOTHING, SCRATCH };
typedef struct {
   enum SurfaceKind kind;
   u64 base, size;
   const u32 *state; /* 16 dwords */
} Surface;

enum { BTI_BINDLESS = 252, BTI_STATELESS_COHERENT = 253, BTI_LOCAL = 254, BTI_STATELESS = 255 };
Surface surface_of(const Message *m);
Surface surface_numbered(const Message *m, u32 number);
Surface surface_of_state(u64 address);
/* NULL outside of a buffer: writes do nothing, reads get 0. */
u8 *surface_at(const Message *m, const Surface *s, u32 channel, u64 offset, u32 size, u32 align, enum Access access);
u8 *global_at(const Message *m, u64 address, u32 size, u32 align, enum Access access);
/* The thread's scratch memory at a GPU address, or NULL if the address is not in it; and the map of its written bytes. */
u8 *scratch_at(Wave *wave, u64 address, u32 size, u8 **written);

/* ---- images.c */

typedef struct {
   Image image;
   u64 base;
   u32 pitch, slice_rows, tiling, standard, first, type; /* in bytes; rows per slice; the first visible layer */
   bool array;
} Texture;
bool texture_of(const Message *m, const Surface *s, Texture *t); /* false: not a surface */
const Format *format_of(u32 number, u8 place[4], bool *srgb); /* formats.c */

void memory_message(const Message *m, bool local); /* lsc.c */
void dataport_0(const Message *m);
void dataport_1(const Message *m);
void typed_message(const Message *m);
void sampler_message(const Message *m);
void target_write(const Message *m); /* draw.c */
/* Changes a value in memory, and returns the old one. `operation`: as the data port numbers them. */
u64 exchange(u8 *there, u32 operation, bool real, u64 a, u64 b, u32 bits);
void fence(const Message *m);
u64 atomic_of_integers(u32 operation, u64 old, u64 a, u64 b, u32 bits);

#endif
