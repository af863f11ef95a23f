/* The draws of the driver's copies and fills: one rectangle, with inputs that are constant over it. */
#ifndef DRAW_H
#define DRAW_H

#include "eu.h"

typedef struct fragments {
   i32 left, top, right, bottom;
   u32 layer;
   u32 attributes, first_register; /* the number of inputs, and where they begin */
   u64 inputs;                     /* of 16 bytes each */
} Fragments;

typedef struct {
   u32 shader[12], binding_table, samplers, attributes; /* 3DSTATE_PS; the tables; 3DSTATE_SBE */
   u64 vertices[4];
} DrawState;

void draw(const DrawState *d, const State *state, u32 instances);
void start_fragments(Wave *wave);

#endif
