/* The second half of a draw: a frame's fragment shaders, tile by tile, and the stores of their colours. */
#include "draw.h"

enum { PARAMETERS = 32, EXTENSION = 16, TARGET_WORDS = 16, RAW_FORMATS = 16 };
enum { SHADER_BLEND, OPAQUE, FIXED_FUNCTION, NO_BLEND };

static u64 pair(const u32 *w) { return w[0] | (u64)w[1] << 32; }

/* ---- the render target */

static const struct { u8 number; Format format; } WRITTEN[] = {
   {0, {"RAW8", UINT, 1, 1, {8}}}, {1, {"RAW16", UINT, 1, 2, {16}}}, {3, {"RAW32", UINT, 1, 4, {32}}},
   {5, {"RAW64", UINT, 2, 8, {32, 32}}}, {6, {"RAW96", UINT, 3, 12, {32, 32, 32}}}, {7, {"RAW128", UINT, 4, 16, {32, 32, 32, 32}}},
   {16, {"R8", UNORM, 1, 1, {8}}}, {17, {"R8G8", UNORM, 2, 2, {8, 8}}}, {18, {"R8G8B8", UNORM, 3, 3, {8, 8, 8}}},
   {19, {"R8G8B8A8", UNORM, 4, 4, {8, 8, 8, 8}}}, {20, {"R4G4B4A4", UNORM, 4, 2, {4, 4, 4, 4}}},
   {21, {"R5G6B5", UNORM, 3, 2, {5, 6, 5}}}, {24, {"R10G10B10A2", UNORM, 4, 4, {10, 10, 10, 2}}},
   {28, {"R5G5B5A1", UNORM, 4, 2, {5, 5, 5, 1}}},
};

static Target target_of(const u32 *w)
{
   static const u8 BLOCKS_OF_V6[4] = {[0] = 1, [2] = 2};
   u32 number = BITS(w[1], 3, 7), block = gpu_arch >= 7 ? BITS(w[1], 8, 11) : BLOCKS_OF_V6[BITS(w[1], 10, 11)], n = 0;
   while (n < COUNT(WRITTEN) && WRITTEN[n].number != number)
      n++;
   if (n == COUNT(WRITTEN) || !(w[1] & 1) || (block != 1 && block != 2) || BITS(w[1], 12, 13))
      stop(UNKNOWN, "a render target with the words 0x%08x, 0x%08x", w[0], w[1]);
   Target t = {.texture = {.tiled = block == 1, .base = pair(w + 8)}, .row = w[10], .raw = number < RAW_FORMATS};
   Image *image = &t.texture.image;
   image->format = &WRITTEN[n].format;
   image->srgb = w[1] >> 14 & 1;
   memset(image->place, ABSENT, sizeof image->place);
   for (u32 c = 0; c < 4; c++) /* which number each channel is */
      if ((w[1] >> (16 + 3 * c) & 7) < 4)
         image->place[w[1] >> (16 + 3 * c) & 7] = c;
   return t;
}

static u8 *pixel_at(const Target *t, i32 x, i32 y)
{
   return memory_at(t->texture.base + texel_offset(&t->texture, t->row, (u32)x, (u32)y), t->texture.image.format->bytes, 1, "a render target");
}

/* ---- fragment shaders */

/* A message that is sent before the shader begins. */
static void preload(Wave *wave, u32 message, u32 first)
{
   enum { NO_MESSAGE, VARYING, VARYING_TEXTURE };
   u32 values[4][LANES], count = BITS(message, 11, 12) + 1, type = message & 15;
   if (type > VARYING_TEXTURE || (type == VARYING && BITS(message, 9, 10)))
      stop(UNKNOWN, "a message before the shader, 0x%04x", message);
   if (type == VARYING_TEXTURE)
      texture_at_varying(wave, BITS(message, 4, 6), BITS(message, 7, 8), BITS(message, 9, 10), first);
   if (type != VARYING)
      return;
   interpolate(wave, BITS(message, 4, 8), count, false, values);
   for (u32 k = 0; k < count; k++)
      write_register(wave, first + k, 3, values[k]);
}

void start_fragments(Wave *wave)
{
   const State *state = state_of(wave);
   const Fragments *f = state->fragments;
   Mask covered = {{0}};
   u32 place[LANES], ones[LANES], zeros[LANES] = {0};
   for (u32 lane = 0; lane < wave->lanes; lane++) {
      i32 x, y;
      pixel_of(wave, lane, &x, &y);
      place[lane] = (u32)x | (u32)y << 16;
      ones[lane] = 1;
      if (x >= f->left && x < f->right && y >= f->top && y < f->bottom)
         covered = mask_or(covered, mask_of(lane));
   }
   const u32 *rows[] = {[7] = ones, [9] = zeros, [10] = zeros, [11] = place, [12] = is_valhall() ? ones : NULL, [13] = zeros};
   for (u32 bit = is_valhall() ? 9 : 0; bit < COUNT(rows); bit++)
      if (rows[bit] && state->preload >> bit & 1)
         write_register(wave, bit == 7 ? 60 : 48 + bit, 3, rows[bit]);
   wave->alive = wave->active = covered;
   if (!mask_any(covered))
      wave->state = ENDED;
   for (u32 n = 0; n < 2 && mask_any(covered); n++)
      preload(wave, f->preload >> 16 * n & 0xffff, 4 * n);
}

static void run_fragments(Fragments *f, const u32 *draw)
{
   static State state;
   if (f->left >= f->right || f->top >= f->bottom)
      return;
   u32 across = (u32)((f->right - 1) / TILE - f->left / TILE + 1), down = (u32)((f->bottom - 1) / TILE - f->top / TILE + 1);
   Launch launch = {.wave_lanes = gpu_lanes, .state = &state, .groups = {across, down, 1}, .size = {TILE, TILE, 1}, .items = TILE * TILE};
   u64 code = is_valhall() ? read_environment(&state, draw + 16) : read_state(&state, draw, false);
   u64 blend = is_valhall() ? pair(draw + 12) & ~15ull : pair(draw + 14) + 64;
   state.stage = FRAGMENT_STAGE;
   state.fragments = f;
   f->preload = state.messages;
   u32 w[4];
   memcpy(w, memory_mapped(blend, sizeof w, 16, "a blend descriptor"), sizeof w);
   memcpy(state.blend, w + 2, sizeof state.blend);
   trace("fragments: %d, %d to %d, %d", f->left, f->top, f->right, f->bottom);
   run_shader(&launch, code, "fragments");
}

/* The test of a fragment; here every fragment passes. */
void run_test(Wave *wave, const Instruction *i) { write_register(wave, i->to, 3, raw_operand(wave, i, 0)); }

/* Writes the colours of the fragments to the render targets. */
void run_blend(Wave *wave, const Instruction *i)
{
   const Fragments *f = state_of(wave)->fragments;
   u32 low = raw_operand(wave, i, 1)[mask_lowest(exec_of(wave))], high = raw_operand(wave, i, 2)[mask_lowest(exec_of(wave))];
   u32 texel[4][LANES], registers = BITS(high, 24, 26), mode = low & 3;
   if (!f)
      stop(FAULT, "a shader that is not a fragment shader writes a colour");
   if (mode == NO_BLEND)
      return;
   if (mode != OPAQUE || (!is_valhall() && registers > 3))
      stop(UNKNOWN, "%s: the descriptor 0x%08x, 0x%08x", i->op->name, low, high);
   u8 own = i->mod[M_register_format];
   bool half = is_valhall() ? own == O_f16 || own == O_s16 || own == O_u16 : registers == 0;
   for (u32 c = 0; c < (half ? 2 : 4); c++)
      check_read(wave, i->from + c, 3);
   for (u32 c = 0; c < 4; c++)
      for (u32 lane = 0; lane < LANES; lane++) {
         u32 word = wave->reg.row[i->from + (half ? c / 2 : c)][lane];
         texel[c][lane] = half ? float_bits(half_float(word >> 16 * (c & 1) & 0xffff)) : word;
      }
   u8 place[4], *to[LANES] = {0};
   bool srgb = f->target->texture.image.srgb;
   const Format *format = f->target->texture.image.format;
   memcpy(place, f->target->texture.image.place, sizeof place);
   if (f->target->raw)
      format = format_of(high & 0x3fffff, place, &srgb);
   if (format->bytes != f->target->texture.image.format->bytes)
      stop(FAULT, "%s: texels of %u bytes for a target of %u", i->op->name, format->bytes, f->target->texture.image.format->bytes);
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec)
   {
      i32 x, y;
      pixel_of(wave, lane, &x, &y);
      to[lane] = pixel_at(f->target, x, y);
   }
   store_texels(format, place, srgb, to, texel);
}

/* ---- the frame */

enum { NEVER, ALWAYS, INTERSECT }; /* when a frame's own shader runs, which loads memory into the tiles */

/* The tiles that a draw touches. They begin with the clear colour, or with the frame's own shader, and are written whole. */
static void begin_tiles(const Target *target, const Fragments *drawn, u32 mode, u64 shaders, const u32 *colour, i32 width, i32 height)
{
   u32 draw[DRAW_WORDS];
   Fragments f = {.target = target, .left = 0, .top = 0, .right = width, .bottom = height};
   if (mode != NEVER) {
      memcpy(draw, memory_at(shaders, sizeof draw, 64, "a frame's shader"), sizeof draw);
      if (is_valhall()) /* it covers the frame [M13] */
         f.width = width, f.height = height, f.corner[1] = 1, f.corner[2] = 2;
      else
         find_frame(&f, draw);
   }
   i32 right = (drawn->right + TILE - 1) / TILE * TILE, bottom = (drawn->bottom + TILE - 1) / TILE * TILE;
   f.left = drawn->left / TILE * TILE, f.top = drawn->top / TILE * TILE;
   f.right = f.right < right ? f.right : right, f.bottom = f.bottom < bottom ? f.bottom : bottom;
   if (mode != NEVER)
      run_fragments(&f, draw);
   for (i32 y = f.top; mode == NEVER && y < f.bottom; y++)
      for (i32 x = f.left; x < f.right; x++)
         memcpy(pixel_at(target, x, y), colour, target->texture.image.format->bytes);
}

void fragment_job(u64 job)
{
   u32 w[16];
   memcpy(w, memory_at(job, sizeof w, 64, "a job"), sizeof w);
   if (w[9] >> 31)
      stop(UNKNOWN, "a frame with a map of its tiles");
   run_frame(pair(w + 10) & ~63ull);
}

void run_frame(u64 frame)
{
   u32 p[PARAMETERS], r[TARGET_WORDS];
   memcpy(p, memory_at(frame, sizeof p, 64, "a frame"), sizeof p);
   Draw *draws;
   u32 count = take_draws(pair(p + 14), &draws), mode = p[0] & 7;
   i32 width = (i32)BITS(p[8], 0, 15) + 1, height = (i32)BITS(p[8], 16, 31) + 1;
   if (BITS(p[0], 3, 8) || mode > INTERSECT || BITS(p[11], 0, 2) || BITS(p[11], 19, 22) || p[12] & 0x1c0400)
      stop(UNKNOWN, "a frame with the words 0x%08x, 0x%08x, 0x%08x", p[0], p[11], p[12]);
   u64 at = frame + sizeof p + (p[12] >> 21 & 1 ? 4 * EXTENSION : 0);
   memcpy(r, memory_at(at, sizeof r, 64, "a render target"), sizeof r);
   Target target = target_of(r);
   trace("frame of %ux%u: %u draws to 0x%llx, its shader's mode %u", width, height, count, (unsigned long long)target.texture.base, mode);
   if (count > 1) /* a tile begins once for all draws */
      stop(UNKNOWN, "a frame of %u draws", count);
   for (u32 n = 0; n < count; n++) {
      Fragments *f = &draws[n].fragments;
      f->target = &target;
      f->right = f->right < width ? f->right : width;
      f->bottom = f->bottom < height ? f->bottom : height;
      begin_tiles(&target, f, mode, pair(p + 6), r + 12, width, height);
      f->packets = draws[n].packets;
      run_fragments(f, draws[n].words);
   }
}
