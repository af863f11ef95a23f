/* Draws, as far as RADV, and of gfx9 radeonsi, copies and fills images with them: rectangles. */
#ifndef DRAW_H
#define DRAW_H

#include "../engine/image.h"
#include "gfx.h"
#include "packets.h"

enum { CORNERS = 3, MOST_VERTICES = 4, PARAMETERS = 8 };
enum { SPI_PS_INPUT_CNTL = 0x644 / 4 }; /* words from 0x28000 on */

struct Draw {
   struct {
      float position[4];
      u32 layer, parameter[PARAMETERS][4];
   } vertex[MOST_VERTICES];
   u32 vertices, instance, program[2]; /* program: what the vertices' shader has as an address */
   bool fragments; /* which of the two shaders runs */
   i32 left, top, right, bottom; /* what is covered; right and bottom are beyond it */
   float x, y, across[2], below[2]; /* where the first vertex is; what a texel to the right and below adds to the weights of the other two */
   u32 quads; /* in a row */
   Image target;
   u32 exported; /* how a fragment's colour lies in registers */
};

void clear_state(void);
/* Of the shader registers. */
void draw(const u32 *registers, u32 vertices, u32 initiator, u32 instances);
/* Where in the target a lane's fragment is; false if the draw does not cover it. */
bool place_of_fragment(const Wave *wave, u32 lane, i32 *x, i32 *y);
bool decode_draw(Instruction *i, u32 w, u32 next); /* export.c: what only shaders of draws have */

#endif
