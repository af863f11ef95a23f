/* The draws by which a driver copies and fills images: one rectangle, without a depth buffer, straight to memory.
 *
 * The vertex shader runs with a work-item per vertex, and writes a position and at most four numbers; then the fragment
 * shader runs with a work-item per texel. Registers: Mesa's a6xx.xml.
 */
#include "draw.h"
#include "texture.h"

enum {
   GRAS_CL_CNTL = 0x8000, GRAS_CL_VPORT = 0x8010, GRAS_SC_SCREEN_SCISSOR = 0x80b0, GRAS_SC_VIEWPORT_SCISSOR = 0x80d0,
   GRAS_SC_WINDOW_SCISSOR = 0x80f0,
   RB_RENDER_CNTL = 0x8801, RB_SRGB_CNTL = 0x880f, RB_MRT = 0x8820, RB_MRT_FLAGS = 0x8903, RB_DEPTH_CNTL = 0x8871,
   SP_FS_CTRL_REG0 = 0xa980, SP_FS_OBJ_START = 0xa983, SP_FS_OUTPUT = 0xa98e, SP_FS_TEX_COUNT = 0xa9a7,
   SP_FS_TEX_SAMP = 0xa9e0, SP_FS_TEX_CONST = 0xa9e4, SP_FS_INSTRLEN = 0xab05, SP_PS_ALIASED_COMPONENTS = 0xaa03,
};
enum { CONTROL, BLEND_CONTROL, BUF_INFO, PITCH, ARRAY_PITCH, BASE };                   /* for RB_MRT */
enum { TRIANGLE_FAN = 5, RECTANGLES = 8, VERTEX_INDEX = 2, STRAIGHT = 1, WAVE = 64, WITHOUT_VIEWPORT = 1 << 8 };

u32 render_mode; /* values of CP_SET_MARKER */

/* Other conditions are assumed to hold. */
bool is_for_this_mode(u32 condition)
{
   enum { BY_RENDER_MODE = 3, BY_THREAD = 5, BINNED = 2, BINNING = 1 << 25, ON_CHIP = 1 << 26, RENDERS = 1 << 26, TO_MEMORY = 1 << 27 };
   u32 kind = BITS(condition, 28, 31), mode = render_mode & 15;
   if (kind == BY_RENDER_MODE)
      return condition & (mode == STRAIGHT ? TO_MEMORY : mode == BINNED ? BINNING : ON_CHIP);
   return kind != BY_THREAD || condition & RENDERS;
}

struct fragments {
   i32 left, top;
   u32 width, height;
   float first[4], right[4], down[4]; /* the numbers at the corner, and their step per texel to the right and below */
   Surface target;
   u32 output;
   bool half;
};

static u32 reg(u32 number) { return gpu_register[number]; }

static i32 whole(float value)
{
   if (!(value > -32768 && value < 32768))
      stop(UNKNOWN, "a draw to %g", value);
   return (i32)lrintf(value);
}

/* The rectangle between two vertices, in texels, or to be transformed by the viewport. */
static void place(struct fragments *f, const struct vertex *corner, const struct vertex *across, const struct vertex *below)
{
   static const float none[4] = {0, 1, 0, 1};
   const float *viewport = (const float *)(const void *)&gpu_register[GRAS_CL_VPORT]; /* x, its scale, y, its scale */
   if (reg(GRAS_CL_CNTL) & WITHOUT_VIEWPORT)
      viewport = none;
   float x0 = corner->position[0] * viewport[1] + viewport[0], y0 = corner->position[1] * viewport[3] + viewport[2];
   float x1 = across->position[0] * viewport[1] + viewport[0], y1 = below->position[1] * viewport[3] + viewport[2];
   if (x0 == x1 || y0 == y1)
      stop(UNKNOWN, "a draw of a rectangle that is empty or flipped");
   f->left = whole(x0 < x1 ? x0 : x1), f->top = whole(y0 < y1 ? y0 : y1);
   f->width = (u32)whole(fabsf(x1 - x0)), f->height = (u32)whole(fabsf(y1 - y0));
   for (u32 c = 0; c < 4; c++) {
      f->right[c] = (across->number[c] - corner->number[c]) / (x1 - x0);
      f->down[c] = (below->number[c] - corner->number[c]) / (y1 - y0);
      f->first[c] = corner->number[c] + (f->left - x0) * f->right[c] + (f->top - y0) * f->down[c];
   }
}

static void place_rectangle(struct fragments *f, u32 kind, const struct vertex *v)
{
   if (kind == RECTANGLES)
      place(f, &v[0], &v[1], &v[1]);
   else if (v[0].position[1] == v[1].position[1])
      place(f, &v[0], &v[1], &v[3]);
   else
      place(f, &v[0], &v[3], &v[1]);
}

/* ---- the target */

static void cut(u32 *width, u32 *height, u32 scissor)
{
   u32 corner = reg(scissor), other = reg(scissor + 1);
   if (corner)
      stop(UNKNOWN, "a draw that is cut off at the left or the top");
   *width = BITS(other, 0, 15) + 1 < *width ? BITS(other, 0, 15) + 1 : *width;
   *height = BITS(other, 16, 31) + 1 < *height ? BITS(other, 16, 31) + 1 : *height;
}

static void open_target(struct fragments *f, u32 layer)
{
   u32 info = reg(RB_MRT + BUF_INFO), width = 1 << 16, height = 1 << 16;
   if (reg(RB_MRT + CONTROL) & 3 || BITS(reg(RB_MRT + CONTROL), 7, 10) != 15 || reg(RB_DEPTH_CNTL) & 1)
      stop(UNKNOWN, "a draw that blends, masks or tests");
   cut(&width, &height, GRAS_SC_SCREEN_SCISSOR);
   cut(&width, &height, GRAS_SC_VIEWPORT_SCISSOR);
   cut(&width, &height, GRAS_SC_WINDOW_SCISSOR);
   Surface *s = &f->target;
   *s = (Surface){.format = BITS(info, 0, 7), .tile = BITS(info, 8, 9), .swap = BITS(info, 13, 14), .base = register_pair(RB_MRT + BASE)};
   s->base += ((u64)reg(RB_MRT + ARRAY_PITCH) << 6) * layer;
   s->pitch = BITS(reg(RB_MRT + PITCH), 0, 15) << 6;
   s->compressed = gpu_generation == 7 ? info >> 11 & 1 : reg(RB_RENDER_CNTL) >> 16 & 1;
   s->flags_base = register_pair(RB_MRT_FLAGS) + ((u64)BITS(reg(RB_MRT_FLAGS + 2), 11, 28) << 7) * layer;
   s->flags_pitch = BITS(reg(RB_MRT_FLAGS + 2), 0, 10) << 6;
   s->image.srgb = reg(RB_SRGB_CNTL) & 1;
   memcpy(s->image.size, (const u32[3]){width, height, 1}, sizeof s->image.size);
   surface_open(s, "a draw's target");
   f->output = BITS(reg(SP_FS_OUTPUT), 0, 7);
   f->half = reg(SP_FS_OUTPUT) >> 8 & 1;
}

/* ---- fragments */

static void place_of(const Wave *wave, u32 lane, i32 *x, i32 *y)
{
   const struct fragments *f = state_of((Wave *)wave)->fragments;
   u32 n = wave->group->index * WAVE + lane;
   *x = (i32)(n % f->width), *y = (i32)(n / f->width);
}

/* bary.f: the number at the centre of the texel. */
void run_interpolate(Wave *wave, const Instruction *i)
{
   const struct fragments *f = state_of(wave)->fragments;
   u32 values[LANES];
   if (!f || i->src[0].where != IMMEDIATE)
      stop(UNKNOWN, "%s", instruction_text(i));
   for (u32 step = 0; step <= i->repeat; step++) {
      u32 c = (u32)i->src[0].value + (i->src[0].repeats ? step : 0);
      if (c >= 4)
         stop(UNKNOWN, "a draw with more than four numbers a vertex");
      for (u32 lane = 0; lane < wave->lanes; lane++) {
         i32 x, y;
         place_of(wave, lane, &x, &y);
         float value = (float)(f->first[c] + (x + 0.5) * f->right[c] + (y + 0.5) * f->down[c]);
         values[lane] = i->dst_half ? half_bits(value) : float_bits(value);
      }
      put(wave, i->dst + step, i->dst_half, values);
   }
}

static u32 widened(const Format *format, u32 half)
{
   return format->numbers == UINT ? half : format->numbers == SINT ? (u32)(i16)half : float_bits(half_float(half));
}

/* At the end of a fragment, its colour is in the output's registers. */
void end_fragments(Wave *wave)
{
   const struct fragments *f = state_of(wave)->fragments;
   u32 texel[4][LANES], space[LANES];
   i32 at[3][LANES] = {{0}};
   Mask lanes = exec_of(wave);
   for (u32 c = 0; c < 4; c++) {
      bool aliased = gpu_generation == 7 && reg(SP_PS_ALIASED_COMPONENTS) >> c & 1;
      const u32 *values = aliased ? target_alias(wave, c, space) : row_of(wave, f->output + c, f->half, space);
      if (!values)
         stop(FAULT, "a draw: component %u of its target is an alias of nothing", c);
      for (u32 lane = 0; lane < wave->lanes; lane++)
         texel[c][lane] = f->half && !aliased ? widened(f->target.image.format, values[lane]) : values[lane];
   }
   EACH_LANE(lane, lanes)
   {
      i32 x, y;
      place_of(wave, lane, &x, &y);
      at[0][lane] = f->left + x;
      at[1][lane] = y < (i32)f->height ? f->top + y : -1;
   }
   image_write(&f->target.image, lanes, at, texel);
}

/* The count may be left over from an earlier draw, whose textures are gone. They are reported missing when they are read. */
static void load_textures(State *state)
{
   for (u32 n = 0; n < BITS(reg(SP_FS_TEX_COUNT), 0, 7); n++) {
      const u8 *texture = memory_find(register_pair(SP_FS_TEX_CONST) + n * 64, 64);
      const u8 *sampler = memory_find(register_pair(SP_FS_TEX_SAMP) + n * 16, 16);
      state->has_texture[n] = texture, state->has_sampler[n] = sampler;
      if (texture)
         memcpy(state->texture[n], texture, 64);
      if (sampler)
         memcpy(state->sampler[n], sampler, 16);
   }
}

void draw(const u32 *body, u32 size, State *of_vertices, State *state)
{
   struct fragments f = {0};
   struct vertex vertex[4];
   if (size < 3)
      stop(FAULT, "a draw of %u words", size);
   u32 kind = BITS(body[0], 0, 5), source_of_indices = BITS(body[0], 6, 7);
   if (source_of_indices != VERTEX_INDEX || body[1] != 1 || (render_mode & 15) != STRAIGHT)
      stop(UNKNOWN, "a draw with an index, of %u instances, in mode %u", body[1], render_mode & 15);
   if (!(kind == TRIANGLE_FAN && body[2] == 4) && !(kind == RECTANGLES && body[2] == 2))
      stop(UNKNOWN, "a draw of kind %u of %u vertices", kind, body[2]);
   bool numbers = run_vertices(of_vertices, vertex, body[2]);
   if (numbers && kind == RECTANGLES)
      stop(UNKNOWN, "a draw of a rectangle whose two vertices have numbers");
   place_rectangle(&f, kind, vertex);
   open_target(&f, vertex[0].layer);
   const Shader *shader = shader_at(register_pair(SP_FS_OBJ_START), reg(SP_FS_INSTRLEN) * 128ull);
   trace("   draw: %ux%u to %d, %d of %s at 0x%llx, %g %g and %g %g a texel", f.width, f.height, f.left, f.top, f.target.image.format->name,
         (unsigned long long)f.target.base, f.first[0], f.first[1], f.right[0], f.down[1]);
   for (u32 pc = 0; tracing && pc < shader->count; pc++)
      trace("   %4u %016llx %s", pc, (unsigned long long)shader->code[pc].word, instruction_text(&shader->code[pc]));
   load_textures(state);
   u32 footprint = BITS(reg(SP_FS_CTRL_REG0), 7, 12);
   state->footprint = (footprint ? footprint : 1) * 4;
   state->group_id = state->local_id = state->linear_id = DUMMY;
   state->preamble_done = false;
   state->fragments = &f;
   Launch l = {.groups = {(f.width * f.height + WAVE - 1) / WAVE, 1, 1}, .size = {WAVE, 1, 1}, .items = WAVE, .wave_lanes = WAVE};
   l.code = shader;
   l.state = state;
   launch_run(&l);
   statistics.launches--; /* not a kernel's */
   state->fragments = NULL;
}
