/* Instructions that only shaders of draws have: exports, and the interpolation of vertices' parameters; "RDNA3" ISA,
 * 11.2, 11.3, 12, 15.9 and 15.10. */
#include "draw.h"
#include "primitives.h"

enum { COLOR = 0, NOWHERE = 9, POSITION = 12, LAYER = 13, PRIMITIVE = 20, PARAMETER = 32 }; /* targets of an export */
enum { FIRST, ACROSS, BELOW }; /* the parameter of the first vertex, and the differences of the other two */

static Draw *draw_of(const Wave *wave, const Instruction *i, bool fragments)
{
   Draw *d = state_of(wave)->draw;
   if (!d || d->fragments != fragments)
      stop(FAULT, "%s in a shader of another kind", i->op->name);
   return d;
}

/* ---- exports */

/* A colour as a texel: four words, floats or integers. */
static void unpack(const Draw *d, const u32 word[4], u32 texel[4])
{
   enum { ONE_WORD = 1, TWO_WORDS, RED_AND_ALPHA, HALVES, UNORMS, SNORMS, UINTS, SINTS, WORDS };
   memset(texel, 0, 4 * sizeof *texel);
   if (d->exported == ONE_WORD || d->exported == TWO_WORDS || d->exported == WORDS) {
      memcpy(texel, word, d->exported == WORDS ? 16 : 4 * d->exported);
      return;
   }
   if (d->exported == RED_AND_ALPHA) {
      texel[0] = word[0], texel[3] = word[gpu.gfx == 9 ? 3 : 1];
      return;
   }
   for (u32 c = 0; c < 4; c++) {
      u32 half = word[c / 2] >> 16 * (c % 2) & 0xffff;
      switch (d->exported) {
      case HALVES: texel[c] = float_bits(half_float(half)); break;
      case UNORMS: texel[c] = float_bits((float)half / 65535); break;
      case SNORMS: texel[c] = float_bits((i16)half == -32768 ? -1 : (float)(i16)half / 32767); break;
      case UINTS: texel[c] = half; break;
      case SINTS: texel[c] = (u32)(i32)(i16)half; break;
      default: stop(UNKNOWN, "a draw whose colours are exported as %u", d->exported);
      }
   }
}

static void export_color(Wave *wave, const Instruction *i, u64 exec)
{
   const Draw *d = draw_of(wave, i, true);
   u32 texel[4][LANES], word[4], one[4];
   i32 at[3][LANES] = {{0}};
   memset(texel, 0, sizeof texel);
   u64 covered = exec;
   EACH_LANE(lane, (Mask){{exec}})
   {
      for (u32 c = 0; c < 4; c++)
         word[c] = i->mask >> c & 1 ? vector_source(wave, i->coordinates[c], BOTH, 1ull << lane)[lane] : 0;
      unpack(d, word, one);
      for (u32 c = 0; c < 4; c++)
         texel[c][lane] = one[c];
      if (!place_of_fragment(wave, lane, &at[0][lane], &at[1][lane]))
         covered &= ~(1ull << lane);
   }
   image_write(&d->target, (Mask){{covered}}, at, texel);
}

void run_export(Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave);
   u32 target = i->data;
   if (target == COLOR)
      export_color(wave, i, exec);
   if (target == COLOR || target == NOWHERE)
      return;
   Draw *d = draw_of(wave, i, false);
   if (target == PRIMITIVE)
      return;
   if (target != POSITION && target != LAYER && (target < PARAMETER || target >= PARAMETER + PARAMETERS))
      stop(UNKNOWN, "an export to %u", target);
   for (u32 c = 0; c < 4; c++) {
      if (!(i->mask >> c & 1))
         continue;
      const u32 *row = vector_source(wave, i->coordinates[c], BOTH, exec);
      for (u32 lane = 0; lane < d->vertices; lane++) {
         if (!(exec >> lane & 1))
            continue;
         if (target == POSITION)
            d->vertex[lane].position[c] = as_float(row[lane]);
         else if (target == LAYER)
            d->vertex[lane].layer = c == 2 ? row[lane] : d->vertex[lane].layer;
         else
            d->vertex[lane].parameter[target - PARAMETER][c] = row[lane];
      }
   }
}

/* ---- interpolation */

static u32 parameter(const Draw *d, u32 attribute, u32 c, u32 which)
{
   enum { CONSTANT = 1 << 5 };
   u32 control = context_register[SPI_PS_INPUT_CNTL + attribute % 32], from = BITS(control, 0, 4);
   if (control & CONSTANT || from >= PARAMETERS)
      stop(UNKNOWN, "a draw whose attribute %u is 0x%x", attribute, control);
   u32 first = d->vertex[0].parameter[from][c];
   if (which == FIRST)
      return first;
   return float_bits(as_float(d->vertex[which].parameter[from][c]) - as_float(first));
}

/* Each quad of lanes has the three of them. */
void run_load_parameter(Wave *wave, const Instruction *i)
{
   const Draw *d = draw_of(wave, i, true);
   EACH_LANE(lane, (Mask){{exec_of(wave)}})
      put_word(wave, i->dst, lane, lane % 4 < 3 ? parameter(d, i->data, i->mask, lane % 4) : 0);
}

/* The first vertex's parameter plus the second one's part, then plus the third one's part. */
void run_interpolate(Wave *wave, const Instruction *i)
{
   u64 exec = exec_of(wave);
   bool second = i->offset;
   const u32 *row[3];
   float result[LANES];
   for (u32 n = 0; n < 3; n++)
      row[n] = vector_source(wave, i->source[n] - 256u, BOTH, n == 1 ? exec : 0);
   EACH_LANE(lane, (Mask){{exec}})
   {
      u32 quad = lane & ~3u, from[3] = {quad + (second ? BELOW : ACROSS), lane, second ? lane : quad};
      float value[3];
      for (u32 n = 0; n < 3; n++)
         value[n] = as_float(row[n][from[n]] ^ (u32)(i->negate >> n & 1) << 31);
      result[lane] = fmaf(value[0], value[1], value[2]);
   }
   EACH_LANE(lane, (Mask){{exec}}) put_word(wave, i->dst, lane, float_bits(result[lane]));
}

/* gfx9 and gfx10: the parameters are read from local memory directly. */
void run_interpolate_10(Wave *wave, const Instruction *i)
{
   enum { MOVE = 2 };
   static const u8 moved[4] = {ACROSS, BELOW, FIRST, FIRST};
   const Draw *d = draw_of(wave, i, true);
   u64 exec = exec_of(wave);
   u32 operation = (u32)i->offset;
   const u32 *weight = operation == MOVE ? NULL : vector_source(wave, i->source[0] - 256u, BOTH, exec);
   EACH_LANE(lane, (Mask){{exec}})
   {
      u32 value = parameter(d, i->data, i->mask, operation == MOVE ? moved[i->source[0] & 3] : operation ? BELOW : ACROSS);
      u32 more = operation ? wave->reg.v[i->dst][lane] : parameter(d, i->data, i->mask, FIRST);
      put_word(wave, i->dst, lane, operation == MOVE ? value : float_bits(fmaf(as_float(value), as_float(weight[lane]), as_float(more))));
   }
}

/* ---- decoding */

bool decode_draw(Instruction *i, u32 w, u32 next)
{
   static const Opcode export = {.name = "EXP", .run = run_export}, load = {.name = "LDS_PARAM_LOAD", .run = run_load_parameter};
   static const Opcode between[2] = {{.name = "V_INTERP_P10_F32", .run = run_interpolate}, {.name = "V_INTERP_P2_F32", .run = run_interpolate}};
   static const Opcode between_10[3] = {
      {.name = "V_INTERP_P1_F32", .run = run_interpolate_10},
      {.name = "V_INTERP_P2_F32", .run = run_interpolate_10},
      {.name = "V_INTERP_MOV_F32", .run = run_interpolate_10},
   };
   i->dst = BITS(w, 0, 7);
   if (w >> 26 == (gpu.gfx == 9 ? 0x31 : 0x3e)) {
      bool halves = gpu.gfx <= 10 && w >> 10 & 1; /* two registers of two halves each */
      i->op = &export;
      i->form = EXPORT;
      i->words = 2;
      i->mask = halves ? !!BITS(w, 0, 1) | !!BITS(w, 2, 3) << 1 : BITS(w, 0, 3);
      i->data = BITS(w, 4, 9);
      for (u32 n = 0; n < 4; n++)
         i->coordinates[n] = next >> 8 * n & 255;
   } else if (gpu.gfx >= 11 && w >> 24 == 0xce && !BITS(w, 20, 21)) {
      i->op = &load;
      i->form = PARAMETERS_OF_DRAW;
      i->mask = BITS(w, 8, 9);
      i->data = BITS(w, 10, 15);
   } else if (gpu.gfx >= 11 && w >> 24 == 0xcd && BITS(w, 16, 22) < 2 && !(w >> 15 & 1)) {
      i->form = PARAMETERS_OF_DRAW;
      i->words = 2;
      i->offset = BITS(w, 16, 22);
      i->op = &between[i->offset];
      i->source[0] = BITS(next, 0, 8), i->source[1] = BITS(next, 9, 17), i->source[2] = BITS(next, 18, 26);
      i->negate = BITS(next, 29, 31);
   } else if (gpu.gfx <= 10 && w >> 26 == (gpu.gfx == 9 ? 0x35 : 0x32) && BITS(w, 16, 17) < 3) {
      i->form = PARAMETERS_OF_DRAW;
      i->offset = BITS(w, 16, 17);
      i->op = &between_10[i->offset];
      i->dst = BITS(w, 18, 25);
      i->data = BITS(w, 10, 15);
      i->mask = BITS(w, 8, 9);
      i->source[0] = 256 + BITS(w, 0, 7);
   } else {
      return false;
   }
   return true;
}
