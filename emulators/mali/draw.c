/* The first half of a draw: its vertex shader runs for four vertices, which must form a rectangle.
 *
 * The hardware's tiler sorts draws into tiles, in memory of its own. Here a list keeps them until a fragment job comes.
 */
#include "draw.h"
#include <math.h>

enum { JOB_WORDS = 96, FRAGMENT_DRAW = 32, VERTEX_DRAW = 64, TRIANGLE_FAN = 12, DRAWS = 64, POSITION_SIZE = 16 };

static Draw known[DRAWS];
static u32 known_count;

static u64 pair(const u32 *w) { return w[0] | (u64)w[1] << 32; }

/* ---- the shaders of vertices */

void start_vertices(Wave *wave)
{
   const State *state = state_of(wave);
   u32 values[5][LANES]; /* in the bits 10 to 14 */
   for (u32 lane = 0; lane < LANES; lane++) {
      u32 vertex = wave_item(wave, lane);
      u64 position = state->positions + (u64)POSITION_SIZE * vertex;
      const u32 bifrost[] = {(u32)position, position >> 32, 0, vertex, 0}, valhall[] = {0, vertex, vertex, 0, 0};
      for (u32 n = 0; n < 5; n++)
         values[n][lane] = is_valhall() ? valhall[n] : bifrost[n];
   }
   for (u32 n = 0; n < 5; n++)
      if (state->preload >> (10 + n) & 1 && (is_valhall() ? n > 0 : n != 2))
         write_register(wave, 58 + n, 3, values[n]);
}

static void run_vertices(const u32 *job, u32 count, bool secondary)
{
   static State state;
   Launch launch = {.wave_lanes = gpu_lanes, .state = &state, .groups = {1, 1, 1}, .size = {count, 1, 1}, .items = count};
   u64 code = read_state(&state, job + VERTEX_DRAW, secondary);
   state.stage = VERTEX_STAGE;
   state.positions = pair(job + FRAGMENT_DRAW + 4);
   run_shader(&launch, code, secondary ? "varyings of vertices" : "positions of vertices");
}

/* ---- the rectangle */

/* A pixel is drawn if its middle lies inside. */
void cut_rectangle(Fragments *f, const u32 *v)
{
   i32 least_x = (i32)BITS(v[0], 0, 15), least_y = (i32)BITS(v[0], 16, 31), most_x = (i32)BITS(v[1], 0, 15), most_y = (i32)BITS(v[1], 16, 31);
   f->left = (i32)ceil(f->x0 - 0.5), f->right = (i32)ceil(f->x0 + f->width - 0.5);
   f->top = (i32)ceil(f->y0 - 0.5), f->bottom = (i32)ceil(f->y0 + f->height - 0.5);
   f->left = f->left > least_x ? f->left : least_x;
   f->top = f->top > least_y ? f->top : least_y;
   f->right = f->right <= most_x ? f->right : most_x + 1;
   f->bottom = f->bottom <= most_y ? f->bottom : most_y + 1;
}

void find_rectangle(Fragments *f, float p[VERTICES][4])
{
   double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
   for (u32 n = 0; n < VERTICES; n++) {
      if (!(fabsf(p[n][0]) < 65536 && fabsf(p[n][1]) < 65536 && p[n][3] == 1))
         stop(UNKNOWN, "a draw of a vertex at %g, %g, w %g", p[n][0], p[n][1], p[n][3]);
      x0 = fmin(x0, p[n][0]), x1 = fmax(x1, p[n][0]);
      y0 = fmin(y0, p[n][1]), y1 = fmax(y1, p[n][1]);
   }
   u32 found = 0;
   for (u32 n = 0; n < VERTICES; n++) {
      bool right = p[n][0] == x1, below = p[n][1] == y1;
      if ((!right && p[n][0] != x0) || (!below && p[n][1] != y0))
         stop(UNKNOWN, "a draw that is not an upright rectangle");
      found |= 1u << (right + 2 * below);
      if (!(right && below))
         f->corner[right + 2 * below] = n;
   }
   if (found != 15)
      stop(UNKNOWN, "a draw of an empty rectangle");
   f->x0 = x0, f->y0 = y0, f->width = x1 - x0, f->height = y1 - y0;
}

void find_frame(Fragments *f, const u32 *draw)
{
   float p[VERTICES][4];
   u32 v[8];
   memcpy(p, memory_at(pair(draw + 4), sizeof p, 16, "the positions of vertices"), sizeof p);
   find_rectangle(f, p);
   memcpy(v, memory_at(pair(draw + 24), sizeof v, 32, "a viewport"), sizeof v);
   cut_rectangle(f, v + 6);
}

Draw *next_draw(void)
{
   if (known_count == DRAWS)
      stop(UNKNOWN, "more than %u draws before their fragments", DRAWS);
   known[known_count] = (Draw){0};
   return &known[known_count];
}

void keep_draw(void) { known_count++; }

void vertex_job(u64 job)
{
   u32 w[JOB_WORDS], count;
   memcpy(w, memory_at(job, sizeof w, 64, "a job"), sizeof w);
   count = w[8] + 1;
   if (BITS(w[10], 0, 7) != TRIANGLE_FAN || BITS(w[10], 8, 10) || w[13] + 1 != VERTICES || count != VERTICES || BITS(w[9], 0, 27) != 32u << 22)
      stop(UNKNOWN, "a draw of the mode %u, %u indices, %u vertices, 0x%08x instances", BITS(w[10], 0, 7), w[13] + 1, count, w[9]);
   if (w[VERTEX_DRAW + 1])
      stop(UNKNOWN, "a draw from vertex %u on", w[VERTEX_DRAW + 1]);
   Draw *d = next_draw();
   run_vertices(w, count, false);
   if (w[10] >> 18 & 1)
      run_vertices(w, count, true);
   if (!executes())
      return;
   d->tiler = pair(w + 18);
   memcpy(d->words, w + FRAGMENT_DRAW, sizeof d->words);
   find_frame(&d->fragments, d->words);
   keep_draw();
}

/* The draws of a tiler, in order. They are kept until the next call. */
u32 take_draws(u64 tiler, Draw **draws)
{
   static Draw taken[DRAWS];
   u32 count = 0, rest = 0;
   for (u32 n = 0; n < known_count; n++)
      if (known[n].tiler == tiler)
         taken[count++] = known[n];
      else
         known[rest++] = known[n];
   known_count = rest;
   *draws = taken;
   return count;
}
