/* A draw: a rectangle of three vertices, or a fan of four that forms one, without a depth buffer or blending. The
 * vertex shader runs with a work-item per vertex, and writes positions, a layer and parameters; from gfx10 on as next
 * generation geometry. Then the fragment shader runs with a work-item per texel, the four of a quad in consecutive
 * lanes. Registers: Mesa's src/amd/registers/gfx9.json, gfx103.json and gfx11.json; a shader's arguments:
 * radv_shader_args.c, si_shader.c.
 */
#include "draw.h"
#include "hazards.h"
#include "resources.h"
#include <math.h>

enum { /* words from 0xb000 on */
   PGM_LO_PS = 0x20 / 4, RSRC1_PS = 0x28 / 4, USER_DATA_PS = 0x30 / 4,
   PGM_LO_VS = 0x120 / 4, RSRC1_VS = 0x128 / 4, USER_DATA_VS = 0x130 / 4,
   PGM_LO_GS = 0x220 / 4, RSRC1_GS = 0x228 / 4, USER_DATA_GS = 0x230 / 4, PGM_LO_ES = 0x320 / 4,
};
enum { /* words from 0x28000 on */
   SCREEN_SCISSOR = 0x30 / 4, WINDOW_OFFSET = 0x200 / 4, WINDOW_SCISSOR = 0x204 / 4, TARGET_MASK = 0x238 / 4, GENERIC_SCISSOR = 0x240 / 4,
   VPORT_SCISSOR = 0x250 / 4, VPORT = 0x43c / 4, PS_INPUT_ENA = 0x6cc / 4, PS_INPUT_ADDR = 0x6d0 / 4, VS_OUT_CONFIG = 0x6c4 / 4,
   PS_IN_CONTROL = 0x6d8 / 4, COL_FORMAT = 0x714 / 4, BLEND_CONTROL = 0x780 / 4, DEPTH_CONTROL = 0x800 / 4, COLOR_CONTROL = 0x808 / 4,
   VTE_CNTL = 0x818 / 4, STAGES_EN = 0xb54 / 4, COLOR_BASE = 0xc60 / 4, COLOR_VIEW = 0xc6c / 4, COLOR_INFO = 0xc70 / 4,
   COLOR_BASE_EXT = 0xe40 / 4, COLOR_ATTRIB2 = 0xec0 / 4, COLOR_ATTRIB3 = 0xee0 / 4,
   COLOR_BASE_EXT_9 = 0xc64 / 4, COLOR_ATTRIB2_9 = 0xc68 / 4, COLOR_ATTRIB_9 = 0xc74 / 4, COLOR_PITCH_9 = 0x7a0 / 4,
   METADATA_9 = 0xc94 / 4, METADATA_EXT_9 = 0xc98 / 4,
};
enum { PRIMITIVE_TYPE = 0x908 / 4, ATTRIBUTE_RING = 0x1118 / 4, FAN = 5, RECTANGLES = 0x11, AUTO_INDEX = 2 }; /* words from 0x30000 on */

static u32 reg(u32 number) { return context_register[number]; }

/* ---- vertices */

static void start_vertices_9(Wave *wave)
{
   const State *state = state_of(wave);
   u32 vertices = state->draw->vertices;
   put_scalar(wave, EXEC_LO, 64, (1u << vertices) - 1);
   for (u32 n = 0; n < state->user_count; n++)
      put_scalar(wave, n, 32, state->user[n]);
   for (u32 lane = 0; lane < vertices; lane++)
      put_word(wave, 0, lane, lane), put_word(wave, 1, lane, state->draw->instance);
}

static void start_vertices(Wave *wave)
{
   const State *state = state_of(wave);
   put_scalar(wave, EXEC_LO, 64, ~0ull);
   memset(wave->reg.v_written, ~0, sizeof wave->reg.v_written); /* lines of parameters are stored whole, with values that were never written */
   put_scalar(wave, 0, 32, state->draw->program[0]);
   put_scalar(wave, 1, 32, state->draw->program[1]);
   u32 vertices = state->draw->vertices, triangles = vertices - 2;
   put_scalar(wave, 2, 32, vertices << 12 | triangles << 22);      /* ids of the group */
   put_scalar(wave, 3, 32, vertices | triangles << 8 | 1u << 28);  /* the wave's number; the number of waves */
   put_scalar(wave, 5, 32, 0);                            /* where the group's parameters begin */
   for (u32 n = 0; n < state->user_count; n++)
      put_scalar(wave, 8 + n, 32, state->user[n]);
   for (u32 lane = 0; lane < vertices; lane++) {
      const u32 values[9] = {[0] = 0 | (lane + 1) << 10 | (lane + 2) << 20, [5] = lane, [8] = state->draw->instance};
      for (u32 n = 0; n < COUNT(values) && n < wave->reg.vectors; n++)
         if (n == 0 || n == 5 || n == 8)
            put_word(wave, n, lane, values[n]);
   }
}

/* gfx11: parameters are in a ring, in which an attribute's values of 32 vertices are consecutive. */
static void read_ring(Draw *d)
{
   enum { NONE = 1 << 7, VERTICES = 32, BYTES = 16 };
   if (reg(VS_OUT_CONFIG) & NONE)
      return;
   for (u32 p = 0; p <= BITS(reg(VS_OUT_CONFIG), 1, 5) && p < PARAMETERS; p++)
      for (u32 v = 0; v < d->vertices; v++)
         memcpy(d->vertex[v].parameter[p], memory_at(((u64)user_register[ATTRIBUTE_RING] << 16) + BYTES * (p * VERTICES + v), BYTES, 4, "a draw"), BYTES);
}

/* ---- fragments */

bool place_of_fragment(const Wave *wave, u32 lane, i32 *x, i32 *y)
{
   const Draw *d = state_of(wave)->draw;
   u32 quad = (wave->group->index * wave->lanes + lane) / 4;
   *x = (d->left & ~1) + 2 * (i32)(quad % d->quads) + (i32)(lane & 1);
   *y = (d->top & ~1) + 2 * (i32)(quad / d->quads) + (i32)(lane >> 1 & 1);
   return *x >= d->left && *x < d->right && *y >= d->top && *y < d->bottom;
}

/* The inputs that each bit of SPI_PS_INPUT_ADDR puts into registers. Those without a bit in SPI_PS_INPUT_ENA have
 * registers that are not written. */
static void start_lane(Wave *wave, u32 lane, i32 x, i32 y)
{
   enum { PERSPECTIVE = 0, LINEAR = 4, LINE = 7, POSITION = 8, FRONT = 12, ANCILLARY = 13, FIXED = 15, INPUTS };
   const Draw *d = state_of(wave)->draw;
   float dx = (float)x + 0.5f - d->x, dy = (float)y + 0.5f - d->y;
   const float at[4] = {(float)x + 0.5f, (float)y + 0.5f, 0, 1};
   for (u32 input = PERSPECTIVE, row = 0; input < INPUTS; input++) {
      u32 words = input == 3 ? 3 : input < LINE ? 2 : 1;
      if (!(reg(PS_INPUT_ADDR) >> input & 1))
         continue;
      u32 value[3] = {0};
      if (input < LINE && input != 3)
         value[0] = float_bits(dx * d->across[0] + dy * d->below[0]), value[1] = float_bits(dx * d->across[1] + dy * d->below[1]);
      else if (input >= POSITION && input < FRONT)
         value[0] = float_bits(at[input - POSITION]);
      else if (input == ANCILLARY)
         value[0] = d->vertex[0].layer << 16;
      else if (input == FIXED)
         value[0] = (u32)x | (u32)y << 16;
      else if (input != LINE && reg(PS_INPUT_ENA) >> input & 1) /* the line stipple is there if nothing is requested */
         stop(UNKNOWN, "a draw whose fragments ask for the input %u", input);
      for (u32 n = 0; n < words; n++, row++)
         if (reg(PS_INPUT_ENA) >> input & 1)
            put_word(wave, row, lane, value[n]);
   }
}

static void start_fragments(Wave *wave)
{
   const State *state = state_of(wave);
   u64 covered = 0;
   for (u32 lane = 0; lane < wave->lanes; lane++) {
      i32 x, y;
      covered |= (u64)place_of_fragment(wave, lane, &x, &y) << lane;
      start_lane(wave, lane, x, y);
   }
   put_scalar(wave, EXEC_LO, 64, covered);
   for (u32 n = 0; n < state->user_count; n++)
      put_scalar(wave, n, 32, state->user[n]);
   put_scalar(wave, state->user_count, 32, 0); /* where the vertices' parameters are in local memory */
}

/* ---- the rectangle and its target */

static i32 whole(float value)
{
   if (!(value > -32768 && value < 32768))
      stop(UNKNOWN, "a draw to %g", value);
   return (i32)lrintf(value);
}

/* The part of the kernel driver's clear state that draws depend on and that drivers do not set themselves. */
void clear_state(void)
{
   static const u32 scissors[] = {SCREEN_SCISSOR, WINDOW_SCISSOR, GENERIC_SCISSOR, VPORT_SCISSOR};
   for (u32 n = 0; n < COUNT(scissors); n++)
      context_register[scissors[n]] = 0, context_register[scissors[n] + 1] = 0x40004000;
}

static void cut(Draw *d, u32 scissor)
{
   i32 left = (i32)BITS(reg(scissor), 0, 14), top = (i32)BITS(reg(scissor), 16, 30), right = (i32)BITS(reg(scissor + 1), 0, 14), bottom = (i32)BITS(reg(scissor + 1), 16, 30);
   d->left = left > d->left ? left : d->left, d->top = top > d->top ? top : d->top;
   d->right = right < d->right ? right : d->right, d->bottom = bottom < d->bottom ? bottom : d->bottom;
}

static void need_plane(const float a[4], const float b[4], const float c[4], const float d[4])
{
   for (u32 n = 0; n < 4; n++)
      if (!(fabsf(a[n] + c[n] - b[n] - d[n]) <= 1e-5f * (fabsf(a[n]) + fabsf(b[n]) + fabsf(c[n]) + fabsf(d[n]))))
         stop(UNKNOWN, "a draw of a fan that is not a rectangle, or whose parameters are not a plane (%g, %g, %g, %g)", a[n], b[n], c[n], d[n]);
}

/* Turns the corners of a fan of four into those of a rectangle: the fan's last vertex is the rectangle's third. */
static void fold_fan(Draw *d)
{
   need_plane(d->vertex[0].position, d->vertex[1].position, d->vertex[2].position, d->vertex[3].position);
   for (u32 p = 0; p < PARAMETERS; p++) {
      float numbers[MOST_VERTICES][4];
      for (u32 v = 0; v < MOST_VERTICES; v++)
         memcpy(numbers[v], d->vertex[v].parameter[p], sizeof numbers[v]);
      need_plane(numbers[0], numbers[1], numbers[2], numbers[3]);
   }
   d->vertex[2] = d->vertex[3];
}

static void place(Draw *d)
{
   const float *scale = (const float *)(const void *)&context_register[VPORT]; /* x, its offset, y, its offset */
   float at[CORNERS][2];
   for (u32 v = 0; v < CORNERS; v++)
      for (u32 axis = 0; axis < 2; axis++) {
         float position = d->vertex[v].position[axis] / d->vertex[v].position[3];
         at[v][axis] = (BITS(reg(VTE_CNTL), 2 * axis, 2 * axis + 1) == 3 ? position * scale[2 * axis] + scale[2 * axis + 1] : position);
      }
   float a = at[1][0] - at[0][0], b = at[1][1] - at[0][1], c = at[2][0] - at[0][0], e = at[2][1] - at[0][1], area = a * e - b * c;
   bool upright = (a == 0 && e == 0) || (b == 0 && c == 0);
   if (!upright || area == 0)
      stop(UNKNOWN, "a draw that is not an upright rectangle with its corner first");
   d->x = at[0][0], d->y = at[0][1];
   d->across[0] = e / area, d->below[0] = -c / area;
   d->across[1] = -b / area, d->below[1] = a / area;
   float x1 = d->x + a + c, y1 = d->y + b + e;
   d->left = whole(fminf(d->x, x1)), d->right = whole(fmaxf(d->x, x1));
   d->top = whole(fminf(d->y, y1)), d->bottom = whole(fmaxf(d->y, y1));
   cut(d, SCREEN_SCISSOR), cut(d, WINDOW_SCISSOR), cut(d, GENERIC_SCISSOR), cut(d, VPORT_SCISSOR);
   d->quads = (u32)(d->right - (d->left & ~1) + 1) / 2;
}

static void open_target(Draw *d)
{
   static const u8 places[4][4][4] = {/* by channels less one and COMP_SWAP */
      {{0, ABSENT, ABSENT, ABSENT}, {ABSENT, 0, ABSENT, ABSENT}, {ABSENT, ABSENT, 0, ABSENT}, {ABSENT, ABSENT, ABSENT, 0}},
      {{0, 1, ABSENT, ABSENT}, {0, ABSENT, ABSENT, 1}, {1, 0, ABSENT, ABSENT}, {1, ABSENT, ABSENT, 0}},
      {{0, 1, 2, ABSENT}, {0, 1, ABSENT, 2}, {2, 1, 0, ABSENT}, {2, 1, ABSENT, 0}},
      {{0, 1, 2, 3}, {2, 1, 0, 3}, {3, 2, 1, 0}, {1, 2, 3, 0}},
   };
   bool old = gpu.gfx == 9, linear = !(old ? BITS(reg(COLOR_ATTRIB_9), 18, 22) : BITS(reg(COLOR_ATTRIB3), 14, 18));
   u32 info = reg(COLOR_INFO), size = reg(old ? COLOR_ATTRIB2_9 : COLOR_ATTRIB2), view = reg(COLOR_VIEW), mode = BITS(reg(COLOR_CONTROL), 4, 6);
   u32 level = old ? BITS(view, 24, 27) : BITS(view, 26, 29);
   if (mode != 1 || reg(BLEND_CONTROL) >> 30 & 1 || reg(DEPTH_CONTROL) & 3 || BITS(reg(TARGET_MASK), 0, 3) != 15 || reg(TARGET_MASK) >> 4 || size >> 28 || level)
      stop(UNKNOWN, "a draw that blends, masks or tests, to a level or to several targets (mode %u)", mode);
   Image *image = &d->target;
   image->format = format_of_color(gpu.gfx >= 11 ? BITS(info, 0, 4) : BITS(info, 2, 6), BITS(info, 8, 10), &image->srgb);
   memcpy(image->place, places[image->format->channels - 1][BITS(info, 11, 12)], 4);
   image->size[0] = BITS(size, 14, 27) + 1, image->size[1] = BITS(size, 0, 13) + 1, image->size[2] = 1;
   image->row = (u64)(old && linear ? BITS(reg(COLOR_PITCH_9), 0, 15) + 1 : pitch_of(image, linear)) * image->format->bytes;
   u64 base = (reg(COLOR_BASE) | (u64)BITS(reg(old ? COLOR_BASE_EXT_9 : COLOR_BASE_EXT), 0, 7) << 32) << 8;
   u32 layer = BITS(view, 0, old ? 10 : 12) + d->vertex[0].layer;
   base += image->row * image->size[1] * layer;
   image->texels = memory_at(base, image->row * (image->size[1] - 1) + (u64)image->size[0] * image->format->bytes, 1, "a draw's target");
   d->exported = BITS(reg(COL_FORMAT), 0, 3);
   trace("   draw: %d,%d to %d,%d of %s at 0x%llx, %ux%u, layer %u", d->left, d->top, d->right, d->bottom, image->format->name, (unsigned long long)base,
         image->size[0], image->size[1], layer);
}

/* gfx9 decompresses texels (DCC) by a draw before a shader stores to them. Texels are never compressed here, so there
 * is nothing to do, unless the image was cleared by its metadata only. They have a byte for each 256 bytes of texels,
 * which is 0 in a new image.
 */
static bool decompresses(void)
{
   enum { DECOMPRESS_9 = 6, NEW = 0, WHOLE = 0xff };
   if (gpu.gfx != 9 || BITS(reg(COLOR_CONTROL), 4, 6) != DECOMPRESS_9)
      return false;
   u8 state = *memory_at((reg(METADATA_9) | (u64)BITS(reg(METADATA_EXT_9), 0, 7) << 32) << 8, 1, 1, "a draw's metadata");
   if (state != NEW && state != WHOLE)
      stop(UNKNOWN, "a draw to an image that its metadata clear (0x%02x)", state);
   return true;
}

/* ---- both shaders */

static void run_shader(State *state, const u32 *registers, u32 program, u32 rsrc1, u32 user, u32 groups, bool narrow)
{
   state->code = ((u64)registers[program + 1] << 32 | registers[program]) << 8 & 0xffffffffffffull;
   state->rsrc1 = registers[rsrc1], state->rsrc2 = registers[rsrc1 + 1], state->rsrc3 = 0;
   state->user_count = BITS(state->rsrc2, 1, 5);
   if (state->user_count > COUNT(state->user) || state->rsrc2 & 1)
      stop(UNKNOWN, "a draw with %u user registers and private memory (0x%08x)", state->user_count, state->rsrc2);
   memcpy(state->user, registers + user, sizeof state->user);
   Launch launch = {.groups = {groups, 1, 1}, .size = {narrow ? 32 : 64, 1, 1}, .items = narrow ? 32 : 64, .wave_lanes = narrow ? 32 : 64, .state = state};
   if (!memory_find(state->code, 4))
      stop(FAULT, "a draw of the shader at 0x%llx, which is in no buffer of the submission", (unsigned long long)state->code);
   forget_code();
   hazards_report(state->code, launch.wave_lanes, true);
   if (!executes())
      return;
   launch_run(&launch);
   statistics.launches--; /* not a kernel's */
}

void draw(const u32 *registers, u32 vertices, u32 initiator, u32 instances)
{
   enum { NARROW_VERTICES = 22, NARROW_FRAGMENTS = 15 };
   if (gpu.gfx >= 12)
      stop(UNKNOWN, "a draw on gfx12, whose registers are in other places");
   u32 kind = BITS(user_register[PRIMITIVE_TYPE], 0, 5);
   if (initiator != AUTO_INDEX || !((kind == RECTANGLES && vertices == CORNERS) || (kind == FAN && vertices == MOST_VERTICES)))
      stop(UNKNOWN, "a draw of %u vertices (0x%x), of kind %u", vertices, initiator, kind);
   for (u32 n = 0; n < instances && !decompresses(); n++) {
      Draw d = {.vertices = vertices, .instance = n, .program = {registers[PGM_LO_GS], registers[PGM_LO_GS + 1]}};
      State state = {.draw = &d, .start = gpu.gfx == 9 ? start_vertices_9 : start_vertices};
      if (gpu.gfx == 9)
         run_shader(&state, registers, PGM_LO_VS, RSRC1_VS, USER_DATA_VS, 1, false);
      else
         run_shader(&state, registers, PGM_LO_ES, RSRC1_GS, USER_DATA_GS, 1, reg(STAGES_EN) >> NARROW_VERTICES & 1);
      if (gpu.gfx >= 11 && executes())
         read_ring(&d);
      if (executes() && kind == FAN)
         fold_fan(&d);
      if (executes())
         place(&d), open_target(&d);
      d.fragments = true;
      state.start = start_fragments;
      bool narrow = gpu.gfx > 9 && reg(PS_IN_CONTROL) >> NARROW_FRAGMENTS & 1, empty = d.left >= d.right || d.top >= d.bottom;
      u32 quads = empty ? 0 : d.quads * ((u32)(d.bottom - (d.top & ~1) + 1) / 2), per_wave = narrow ? 8 : 16;
      run_shader(&state, registers, PGM_LO_PS, RSRC1_PS, USER_DATA_PS, (quads + per_wave - 1) / per_wave, narrow);
   }
}
