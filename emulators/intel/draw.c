/* Draws of one rectangle with a pixel shader and one render target: blorp's copies, fills and clears. */
#include "draw.h"
#include "messages.h"

enum { SUBSPAN = 4, SUBSPANS = 8 }; /* pixels of a subspan (two by two); pixels of a thread at most */

static u32 columns_of(const Fragments *f) { return ((u32)(f->right - (f->left & ~1)) + 1) / 2; }
static u32 rows_of(const Fragments *f) { return ((u32)(f->bottom - (f->top & ~1)) + 1) / 2; }

/* The place of a thread's subspan, and which of its pixels are in the rectangle. */
static u32 subspan_of(const Wave *wave, u32 n, i32 *x, i32 *y)
{
   const Fragments *f = state_of(wave)->fragments;
   u32 number = wave->group->index * (wave->lanes / SUBSPAN) + n, columns = columns_of(f), covered = 0;
   if (number >= columns * rows_of(f))
      number = 0;
   *x = (f->left & ~1) + (i32)(number % columns) * 2;
   *y = (f->top & ~1) + (i32)(number / columns) * 2;
   for (u32 k = 0; k < SUBSPAN; k++) {
      i32 px = *x + (i32)(k & 1), py = *y + (i32)(k >> 1);
      covered |= (u32)(px >= f->left && px < f->right && py >= f->top && py < f->bottom) << k;
   }
   return wave->group->index * (wave->lanes / SUBSPAN) + n < columns * rows_of(f) ? covered : 0;
}

static void set(Wave *wave, u32 byte, const void *value, u32 size)
{
   if (byte + size > GRF_BYTES)
      stop(FAULT, "a pixel shader's inputs end after the last register");
   memcpy(wave->reg.grf + byte, value, size);
   memset(wave->reg.written + byte, 1, size);
}

void start_fragments(Wave *wave)
{
   const Fragments *f = state_of(wave)->fragments;
   static const u8 zeros[3 * REGISTER];
   u32 covered = 0;
   set(wave, 0, zeros, sizeof zeros);
   for (u32 n = 0; n < wave->lanes / SUBSPAN; n++) {
      i32 x, y;
      covered |= subspan_of(wave, n, &x, &y) << SUBSPAN * n;
      u16 place[2] = {(u16)x, (u16)y};
      set(wave, (1 + n / 4) * REGISTER + 8 + n % 4 * 4, place, 4);
   }
   u32 halves[2] = {covered & 0xffff, covered >> 16};
   set(wave, 1 * REGISTER + 28, &halves[0], 4);
   set(wave, 2 * REGISTER + 28, &halves[1], 4);
   for (u32 a = 0; a < f->attributes; a++) { /* the constant part of a plane, without slopes */
      const u8 *input = memory_at(f->inputs + 16 * a, 16, 4, "a vertex's inputs");
      for (u32 c = 0; c < 4; c++)
         for (u32 k = 0; k < 4; k++)
            set(wave, (f->first_register + 2 * a) * REGISTER + 16 * c + 4 * k, input + 4 * c, 4);
   }
   wave->reg.dispatched = covered;
   wave->alive = wave->active = (Mask){{covered}};
}

void target_write(const Message *m)
{
   enum { SIMD16, SIMD16_REPLICATED, SIMD8_LOW = 4 };
   u32 kind = BITS(m->descriptor, 8, 10), n = kind == SIMD8_LOW ? 8 : 16, begin = m->header ? REGISTER / 4 : 0;
   u32 texel[4][LANES] = {0};
   i32 at[3][LANES] = {0};
   Mask lanes = {{m->channels}};
   const Fragments *f = state_of(m->wave)->fragments;
   if (!f)
      stop(FAULT, "%s: a kernel writes a render target", m->what);
   if (kind != SIMD16 && kind != SIMD16_REPLICATED && kind != SIMD8_LOW)
      stop(UNKNOWN, "%s: a render target's message %u", m->what, kind);
   Surface s = surface_of(m);
   Texture t;
   if (!texture_of(m, &s, &t))
      return;
   EACH_LANE(k, lanes)
   {
      i32 x, y;
      u32 pixel = m->i->first + k;
      subspan_of(m->wave, pixel / SUBSPAN, &x, &y);
      at[0][k] = x + (i32)(pixel & 1);
      at[1][k] = y + (i32)(pixel >> 1 & 1);
      at[2][k] = (i32)f->layer;
      if (t.image.dimensions == 1)
         at[1][k] = 0;
      for (u32 c = 0; c < 4; c++)
         texel[c][k] = payload(m, begin + (kind == SIMD16_REPLICATED ? c : n * c + k));
   }
   image_write(&t.image, lanes, at, texel);
}

/* Which of the three shaders exists (8, 16 or 32 pixels), and so which words it has. */
static void choose_shader(const u32 *ps, State *state, u32 *pixels, u32 *first_register)
{
   static const struct {
      u8 pixels, word, shift;
   } BY_ENABLED[8] = {[1] = {8, 1, 16}, [2] = {16, 1, 16}, [4] = {32, 1, 16}, [3] = {8, 1, 16}, [5] = {8, 1, 16}, [7] = {8, 1, 16}, [6] = {16, 10, 0}};
   u32 enabled = ps[6] & 7, word = BY_ENABLED[enabled].word;
   *pixels = BY_ENABLED[enabled].pixels;
   *first_register = BITS(ps[7] >> BY_ENABLED[enabled].shift, 0, 6);
   state->kernel = state->instruction_base + ((ps[word] | (u64)ps[word + 1] << 32) & 0xffffffffffc0u);
}

void draw(const DrawState *d, const State *of_context, u32 instances)
{
   enum { FAST_CLEAR = 8 };
   if (!(d->shader[6] & 7) || BITS(d->shader[6], 6, 7)) /* nothing to draw, or a resolve: nothing is compressed here */
      return;
   State state = *of_context;
   Fragments f = {.attributes = d->attributes, .inputs = d->vertices[1] + 16};
   u32 pixels;
   float v[9];
   choose_shader(d->shader, &state, &pixels, &f.first_register);
   Kernel *kernel = kernel_at(state.kernel);
   hazards_report(kernel);
   if (!executes())
      return;
   if (d->shader[6] >> FAST_CLEAR & 1)
      stop(UNKNOWN, "a fast clear (INTEL_DEBUG=nofc keeps the driver from it)");
   memcpy(v, memory_at(d->vertices[0], sizeof v, 4, "a rectangle's corners"), sizeof v);
   f.right = (i32)v[0], f.bottom = (i32)v[1], f.left = (i32)v[3], f.top = (i32)v[7];
   if (f.left < 0 || f.top < 0 || f.right <= f.left || f.bottom <= f.top)
      stop(FAULT, "a rectangle from %d, %d to %d, %d", f.left, f.top, f.right, f.bottom);
   state.binding_table = d->binding_table;
   state.samplers = d->samplers;
   state.scratch_base = 0;
   state.control = 0;
   state.fragments = &f;
   u32 subspans = columns_of(&f) * rows_of(&f), each = pixels / SUBSPAN;
   Launch l = {
      .groups = {(subspans + each - 1) / each, 1, 1},
      .size = {pixels, 1, 1},
      .items = pixels,
      .wave_lanes = pixels,
      .code = kernel,
      .state = &state,
   };
   trace("draw: %d %d to %d %d, %u layers, %u pixels a thread, kernel 0x%llx", f.left, f.top, f.right, f.bottom, instances, pixels,
         (unsigned long long)state.kernel);
   for (f.layer = 0; f.layer < instances; f.layer++)
      launch_run(&l);
}
