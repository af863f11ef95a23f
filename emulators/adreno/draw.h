/* The draws that copy and fill. */
#ifndef DRAW_H
#define DRAW_H

#include "packets.h"
#include <math.h>

extern u32 render_mode; /* from CP_SET_MARKER */
/* CP_COND_REG_EXEC: whether the next packets are for this mode of rendering, or this half of the command processor. */
bool is_for_this_mode(u32 condition);
/* CP_DRAW_INDX_OFFSET. The states have the shaders' constants. */
void draw(const u32 *body, u32 size, State *of_vertices, State *state);
void end_fragments(Wave *wave); /* called at a fragment shader's end */

/* vertices.c */
struct vertex {
   float position[4], number[4];
   u32 layer;
};
/* Runs the vertex shader. True if it writes numbers besides a position. */
bool run_vertices(State *state, struct vertex *to, u32 count);
void start_vertices(Wave *wave); /* puts the attributes into their registers */
void end_vertices(Wave *wave);

#endif
