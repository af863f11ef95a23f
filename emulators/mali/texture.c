/* The texture instructions (TEXC's word: Mesa's src/panfrost/compiler/bifrost.h). */
#include "draw.h"

enum { SAMPLER_INDEX = 1, TEXTURE_INDEX = 2, DUAL = 1, SECOND_REGISTER = 12 };
enum { FETCH = 6, SAMPLE = 7, EXPLICIT_LEVEL = 4, BIAS = 5, ONE_TEXEL = 1, HALF_FORMATS = 4, INTEGER_FORMATS = 12, WORD_FORMATS = 14 };

/* ---- what an instruction requests */

typedef struct {
   bool fetch, array;
   u8 format, mask;
   u8 index_mode, index; /* TEXC: where the two indices come from */
   bool immediate, has_level, has_offset, has_compare, of_texture; /* whether texels are integers is up to the texture */
   u32 dimension, sampler;
} Request;

/* The other form of TEXC's word: two textures at one place. */
static Request dual_request(u32 word, bool second)
{
   Request r = {.dimension = 2, .immediate = true, .sampler = BITS(word, 0, 1), .index = BITS(word, 4, 5), .format = BITS(word, 25, 27), .mask = word >> 28};
   if (second)
      r.sampler = BITS(word, 6, 7), r.index = BITS(word, 8, 9), r.format = BITS(word, 18, 20), r.mask = BITS(word, 21, 24);
   return r;
}

static bool is_dual(u32 word) { return !(word >> 11 & 1) && BITS(word, 2, 3) == DUAL; }

static Request request_of(u32 word)
{
   u32 operation = BITS(word, 12, 14), level = BITS(word, 20, 22);
   Request r = {
      .fetch = operation == FETCH, .array = word >> 17 & 1, .format = BITS(word, 24, 27), .mask = word >> 28,
      .index = BITS(word, 4, 10), .immediate = word >> 11 & 1, .index_mode = BITS(word, 0, 1), .sampler = BITS(word, 0, 3),
      .has_offset = word >> 15 & 1, .has_compare = word >> 16 & 1, .dimension = BITS(word, 18, 19),
   };
   r.has_level = r.fetch || level == EXPLICIT_LEVEL || level == BIAS;
   if (is_dual(word))
      return dual_request(word, false);
   if (operation < FETCH || r.has_compare || !r.dimension || (r.fetch ? level != ONE_TEXEL : level < EXPLICIT_LEVEL) || (!r.immediate && BITS(word, 2, 3) != 3))
      stop(UNKNOWN, "a texture operation 0x%08x", word);
   return r;
}

static u32 results_of(const Request *r)
{
   u32 count = __builtin_popcount(r->mask);
   bool half = r->format < HALF_FORMATS || (r->format >= INTEGER_FORMATS && r->format < WORD_FORMATS);
   return half ? (count + 1) / 2 : count;
}

/* The word of TEXC if it is a constant of its clause, else 0. */
static u32 word_of(const Instruction *i)
{
   const Tuple *t = i->clause->tuple;
   while (&t->add != i)
      t++;
   u8 port = i->src[2].port;
   return (port == PORT_LOW || port == PORT_HIGH) && t->constant >= 0x20 && !(t->constant & 0x80) ? t->value[port == PORT_HIGH] : 0;
}

u32 texture_registers(const Instruction *i, bool writes)
{
   if (i->op->run == run_texture_2d || i->op->run == run_varying_texture)
      return writes ? i->op->writes : 0;
   u32 word = word_of(i);
   if (!word)
      return 0;
   Request r = request_of(word);
   bool own_texture = !r.immediate && r.index_mode & SAMPLER_INDEX, own_sampler = !r.immediate && r.index_mode & TEXTURE_INDEX;
   return writes ? results_of(&r) : (r.dimension == 3) + r.has_level + r.array + r.has_offset + own_texture + own_sampler;
}

/* The registers of TEXC's second texture, and how many. */
u32 second_registers(const Instruction *i, u32 *first)
{
   u32 word = i->op->run == run_texture ? word_of(i) : 0;
   Request r = dual_request(word, true);
   *first = BITS(word, SECOND_REGISTER, SECOND_REGISTER + 5);
   return word && is_dual(word) ? results_of(&r) : 0;
}

/* ---- results */

/* Texels as the registers hold them; floats are clamped as their format asks. */
static void convert(const char *what, const Texture *t, const Request *asked, u32 texel[4][LANES])
{
   Request own = *asked, *r = &own;
   bool constant = is_constant(t->pixel_format);
   bool integers = constant && !r->of_texture ? r->format >= INTEGER_FORMATS : of_integers(t->image.format);
   if (!r->of_texture && integers != (r->format >= INTEGER_FORMATS))
      stop(UNKNOWN, "%s: texels that are %s, unlike the format of the registers", what, integers ? "integers" : "not integers");
   if (r->of_texture && integers)
      r->format = r->format == HALF_FORMATS ? WORD_FORMATS : INTEGER_FORMATS;
   u32 clamp = integers ? 0 : r->format & 3;
   for (u32 c = 0; clamp && c < 4; c++)
      for (u32 lane = 0; lane < LANES; lane++) {
         float x = as_float(texel[c][lane]), low = clamp == 2 ? -1 : 0;
         x = x > low ? x : low;
         texel[c][lane] = float_bits(clamp > 1 && x > 1 ? 1 : x);
      }
   if (r->format >= HALF_FORMATS && r->format < INTEGER_FORMATS)
      return;
   for (u32 c = 0; c < 4 && r->format < WORD_FORMATS; c++)
      for (u32 lane = 0; lane < LANES; lane++)
         texel[c][lane] = integers ? texel[c][lane] & 0xffff : half_bits(as_float(texel[c][lane]));
}

static void write_texels(Wave *wave, u32 first, const Request *r, u32 texel[4][LANES])
{
   u32 row[4][LANES], count = 0, registers = results_of(r);
   bool packed = (u32)__builtin_popcount(r->mask) > registers;
   for (u32 c = 0; c < 4; c++)
      if (r->mask >> c & 1)
         memcpy(row[count++], texel[c], sizeof row[0]);
   for (u32 n = 0; n < registers; n++) {
      for (u32 lane = 0; packed && lane < LANES; lane++)
         row[n][lane] = row[2 * n][lane] | (2 * n + 1 < count ? row[2 * n + 1][lane] << 16 : 0);
      write_register(wave, first + n, 3, row[n]);
   }
}

/* Reads one texture by one sampler. */
static void read_texture(const State *state, const char *what, const Request *r, Mask lanes, u32 texture, u32 sampler, u32 at[3][LANES],
                         const u32 *level, u32 texel[4][LANES])
{
   u32 found[4][LANES] = {0};
   Texture t;
   texture_of(state, texture, what, &t);
   if (t.image.dimensions != r->dimension)
      stop(FAULT, "%s: a texture of %u dimensions, asked for %u", what, t.image.dimensions, r->dimension);
   if (!r->array && t.image.layered)
      t.image.size[2] = 1;
   EACH_LANE(lane, lanes)
      if (level && level[lane] && (r->fetch || t.levels > 1))
         stop(UNKNOWN, "%s of a level", what);
   if (r->fetch) {
      i32 place[3][LANES];
      memcpy(place, at, sizeof place);
      EACH_LANE(lane, lanes) /* the sampler clamps layers */
         if (t.image.layered && at[2][lane] >= t.image.size[2])
            place[2][lane] = (i32)t.image.size[2] - 1;
      for (u32 a = t.image.dimensions; a < 2; a++)
         memset(place[a], 0, sizeof place[a]);
      image_read(&t.image, lanes, place, NULL, found);
   } else {
      float place[3][LANES];
      Sampler s;
      sampler_of(state, sampler, what, &s);
      memcpy(place, at, sizeof place);
      EACH_LANE(lane, lanes)
         if (r->array && !is_valhall()) /* for a float */
            place[2][lane] = (float)at[2][lane];
      image_sample(&t.image, &s, lanes, place, found);
   }
   convert(what, &t, r, found);
   for (u32 c = 0; c < 4; c++)
      EACH_LANE(lane, lanes) texel[c][lane] = found[c][lane];
}

Mask same_lanes(Mask *left, const u32 *values, u32 *value)
{
   Mask same = {{0}};
   *value = values[mask_lowest(*left)];
   EACH_LANE(lane, *left)
      if (values[lane] == *value)
         same = mask_or(same, mask_of(lane));
   *left = mask_without(*left, same);
   return same;
}

/* For the active lanes; the results go to the registers from `first` on. */
static void read_textures(Wave *wave, const char *what, const Request *r, const u32 *texture, const u32 *sampler, u32 at[3][LANES],
                          const u32 *level, u32 first)
{
   u32 texel[4][LANES] = {0}, t, s;
   for (Mask left = wave->active; mask_any(left);)
      for (Mask same = same_lanes(&left, texture, &t); mask_any(same);) {
         Mask both = same_lanes(&same, sampler, &s);
         read_texture(state_of(wave), what, r, both, t, s, at, level, texel);
      }
   write_texels(wave, first, r, texel);
}

static void fill(u32 *row, u32 value)
{
   for (u32 lane = 0; lane < LANES; lane++)
      row[lane] = value;
}

/* TEXC: the third source says what is requested. The staging registers hold, in this order, what the two sources
 * have no room for. */
void run_texture(Wave *wave, const Instruction *i)
{
   u32 word, number = i->from, at[3][LANES], texture[LANES], sampler[LANES];
   const u32 *words = raw_operand(wave, i, 2), *level = NULL;
   Mask all = exec_of(wave);
   same_lanes(&all, words, &word);
   if (mask_any(all))
      stop(UNKNOWN, "%s with several descriptors", i->op->name);
   Request r = request_of(word);
   if (r.has_offset)
      stop(UNKNOWN, "%s with an offset", i->op->name);
   memcpy(at[0], raw_operand(wave, i, 0), sizeof at[0]);
   memcpy(at[1], raw_operand(wave, i, 1), sizeof at[1]);
   fill(at[2], 0);
   for (u32 n = 0, count = texture_registers(i, false); n < count; n++)
      check_read(wave, number + n, 3);
   if (r.dimension == 3)
      memcpy(at[2], wave->reg.row[number++], sizeof at[2]);
   if (r.has_level)
      level = wave->reg.row[number++];
   if (r.array)
      memcpy(at[2], wave->reg.row[number++], sizeof at[2]);
   fill(texture, r.index);
   fill(sampler, r.immediate ? r.sampler : r.index);
   if (!r.immediate && r.index_mode & TEXTURE_INDEX)
      memcpy(sampler, wave->reg.row[number++], sizeof sampler);
   if (!r.immediate && r.index_mode & SAMPLER_INDEX)
      memcpy(texture, wave->reg.row[number++], sizeof texture);
   read_textures(wave, i->op->name, &r, texture, sampler, at, level, i->to);
   if (!is_dual(word))
      return;
   r = dual_request(word, true);
   fill(texture, r.index);
   fill(sampler, r.sampler);
   read_textures(wave, i->op->name, &r, texture, sampler, at, NULL, BITS(word, SECOND_REGISTER, SECOND_REGISTER + 5));
}

/* ---- Valhall: both numbers are in one source, narrow ones in its low word */

static Request request_of_word(const Instruction *i)
{
   bool fetch = !strcmp(i->op->name, "TEX_FETCH"), wide = i->word >> 46 & 1;
   u8 type = i->mod[M_register_type], integers = type == O_u || type == O_s, how = i->mod[M_va_lod], dimension = i->mod[M_dimension];
   if (dimension == O_cube || i->mod[M_texel_offset] || i->mod[M_shadow] || (!fetch && how != O_zero_lod && how != O_explicit))
      stop(UNKNOWN, "%s with %s, %s", i->op->name, option_names[how], option_names[dimension]);
   return (Request){
      .fetch = fetch, .array = i->mod[M_array] == O_array, .mask = BITS(i->word, 22, 25), .has_level = how == O_explicit,
      .of_texture = type == O_auto, .format = integers ? (wide ? WORD_FORMATS : INTEGER_FORMATS) : wide ? HALF_FORMATS : 0,
      .dimension = dimension == O_d1 ? 1 : dimension == O_d2 ? 2 : 3,
   };
}

void run_ask_texture(Wave *wave, const Instruction *i)
{
   const u32 *low = raw_operand(wave, i, 0), *high = raw_operand(wave, i, 1), *level = NULL;
   u32 number = i->from, at[3][LANES] = {0}, texture[LANES], sampler[LANES];
   Request r = request_of_word(i);
   bool wide = i->mod[M_wide] == O_wide;
   u32 count = r.dimension + r.array + r.has_level;
   if (message_registers(i, false) != count || message_registers(i, true) != results_of(&r))
      stop(FAULT, "%s: %u registers for %u, %u for %u", i->op->name, message_registers(i, false), count, message_registers(i, true), results_of(&r));
   for (u32 n = 0; n < count; n++)
      check_read(wave, number + n, 3);
   for (u32 lane = 0; lane < LANES; lane++) {
      texture[lane] = wide ? high[lane] : (low[lane] >> 27) << 24 | BITS(low[lane], 16, 26);
      sampler[lane] = wide ? low[lane] : BITS(low[lane], 11, 15) << 24 | BITS(low[lane], 0, 10);
   }
   for (u32 a = 0; a < r.dimension; a++)
      memcpy(at[a], wave->reg.row[number++], sizeof at[a]);
   if (r.array)
      memcpy(at[2], wave->reg.row[number++], sizeof at[2]);
   if (r.has_level)
      level = wave->reg.row[number];
   read_textures(wave, i->op->name, &r, texture, sampler, at, level, i->to);
}

/* All four components of one texture by one sampler. */
static void read_texture_2d(Wave *wave, const char *what, u32 texture, u32 sampler, bool half, u32 at[3][LANES], u32 first)
{
   u32 textures[LANES], samplers[LANES];
   Request r = {.dimension = 2, .mask = 15, .format = half ? 0 : HALF_FORMATS};
   fill(textures, texture);
   fill(samplers, sampler);
   read_textures(wave, what, &r, textures, samplers, at, NULL, first);
}

/* TEXS_2D: both indices are in the word. */
void run_texture_2d(Wave *wave, const Instruction *i)
{
   u32 at[3][LANES] = {0};
   memcpy(at[0], raw_operand(wave, i, 0), sizeof at[0]);
   memcpy(at[1], raw_operand(wave, i, 1), sizeof at[1]);
   read_texture_2d(wave, i->op->name, BITS(i->word, 6, 8), BITS(i->word, 10, 12), i->op->writes == 2, at, i->to);
}

/* The texel at a varying; the sampler has the texture's number. */
void texture_at_varying(Wave *wave, u32 varying, u32 texture, bool half, u32 first)
{
   u32 at[4][LANES] = {0};
   interpolate(wave, varying, 2, false, at);
   read_texture_2d(wave, "VAR_TEX", texture, texture, half, at, first);
}

void run_varying_texture(Wave *wave, const Instruction *i)
{
   texture_at_varying(wave, BITS(i->word, 0, 2), BITS(i->word, 3, 4), i->op->writes == 2, i->to);
}
