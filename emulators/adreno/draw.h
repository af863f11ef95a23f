/* Draws that copy and fill. */
#ifndef DRAW_H
#define DRAW_H

#include "packets.h"
#include <math.h>

extern u32 render_mode; /* of CP_SET_MARKER */
/* CP_COND_REG_EXEC: whether what is behind it is for this mode of rendering, or this half of the command processor. */
bool is_for_this_mode(u32 condition);
/* CP_DRAW_INDX_OFFSET. `state` has the fragment shader's constants. */
void draw(const u32 *body, u32 size, State *state);
void end_fragments(Wave *wave); /* what a fragment shader's end does */

#endif
