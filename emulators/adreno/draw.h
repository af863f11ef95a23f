/* Draws that copy and fill. */
#ifndef DRAW_H
#define DRAW_H

#include "packets.h"
#include <math.h>

extern u32 render_mode; /* of CP_SET_MARKER */
/* CP_DRAW_INDX_OFFSET. `state` has the fragment shader's constants. */
void draw(const u32 *body, u32 size, State *state);
void end_fragments(Wave *wave); /* what a fragment shader's end does */

#endif
