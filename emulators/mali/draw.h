/* The draws by which the driver fills and copies images: one rectangle, one render target, no blending. */
#ifndef DRAW_H
#define DRAW_H

#include "images.h"

/* What a frame's fragment shaders write to. */
typedef struct {
   Texture texture; /* with the format of its bytes in memory */
   u64 row;
   bool raw; /* its bytes come from the blend descriptor's conversion; else four numbers are stored */
} Target;

/* The fragments of one draw, in tiles of 16 by 16 pixels. */
enum { TILE = 16, VERTICES = 4, PACKET = 256, DRAW_WORDS = 32 };
typedef struct fragments {
   const Target *target;
   const u8 (*packets)[PACKET]; /* Valhall: the vertices' varyings, if the hardware keeps them */
   i32 left, top, right, bottom; /* in pixels; right and bottom are exclusive */
   double x0, y0, width, height; /* of the rectangle; 0 for the frame's own shader */
   u32 corner[3];                /* the vertices at its upper left, upper right, lower left */
   u32 preload;                  /* varyings that are loaded into registers before the shader begins */
} Fragments;

typedef struct {
   u64 tiler;
   u32 words[DRAW_WORDS]; /* the descriptor of its fragments */
   u8 packets[VERTICES][PACKET];
   Fragments fragments;
} Draw;

/* draw.c: a draw is kept until a frame of its tiler takes it. */
void vertex_job(u64 job);
void find_rectangle(Fragments *f, float p[VERTICES][4]);
void cut_rectangle(Fragments *f, const u32 *limits); /* to the limits of x and y */
void find_frame(Fragments *f, const u32 *draw);      /* by the positions and the viewport of a draw's descriptor */
Draw *next_draw(void); /* kept by keep_draw */
void keep_draw(void);
u32 take_draws(u64 tiler, Draw **draws);
void start_vertices(Wave *wave);

/* packets.c: Valhall's draws, whose vertices write to the hardware's own memory. */
typedef struct {
   u32 mode, count, first, instances, sizes; /* `sizes`: of a packet, and of its varyings */
   u64 tiler;
   u32 scissor[2], words[DRAW_WORDS], position[16], varying[16];
   bool varies;
} Vertices;
void vertices_job(u64 job);
void draw_vertices(const Vertices *v);

/* fragments.c */
void fragment_job(u64 job);
void start_fragments(Wave *wave);

/* texture.c: the texel goes to the registers from `first` on. */
void texture_at_varying(Wave *wave, u32 varying, u32 texture, bool half, u32 first);

/* fragments.c: runs one frame, by the address of its descriptor. */
void run_frame(u64 frame);

/* varyings.c: the vertices' values, interpolated at each fragment. */
void interpolate(const Wave *wave, u32 index, u32 components, bool flat, u32 values[4][LANES]);
void pixel_of(const Wave *wave, u32 lane, i32 *x, i32 *y);

/* jobs.c: reads the state that a draw's descriptor names. Returns the address of its shader, or of its second one. */
u64 read_state(State *state, const u32 *draw, bool secondary);
u64 read_environment(State *state, const u32 *w);
void run_shader(Launch *launch, u64 code, const char *what);

#endif
