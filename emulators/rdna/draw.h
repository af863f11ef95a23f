/* The draws by which RADV, and on gfx9 radeonsi, copies and fills images: rectangles. */
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
   u32 vertices, instance, program[2]; /* program: the address register of the vertex shader */
   bool fragments; /* the fragment shader runs */
   i32 left, top, right, bottom; /* the covered texels; right and bottom are exclusive */
   float x, y, across[2], below[2]; /* the first vertex; the step per texel, to the right and below, of the weights of the other two */
   u32 quads; /* per row */
   Image target;
   u32 exported; /* the format of a fragment's colour in registers */
};

void clear_state(void);
/* Executes a draw by the shader registers. */
void draw(const u32 *registers, u32 vertices, u32 initiator, u32 instances);
/* The place of a lane's fragment in the target; false if the draw does not cover it. */
bool place_of_fragment(const Wave *wave, u32 lane, i32 *x, i32 *y);
bool decode_draw(Instruction *i, u32 w, u32 next); /* export.c: the instructions that only draws have */

#endif
