/* The sampler: reads by coordinates, by texel numbers, and queries of an image's sizes. */
#include "messages.h"

enum { SAMPLE = 0, SAMPLE_L = 2, LD = 7, RESINFO = 10, SAMPLE_LZ = 24, LD_LZ = 26 };

/* Texture coordinate modes. */
static const u8 WRAPS[8] = {REPEAT, MIRROR_REPEAT, CLAMP_TO_EDGE, CLAMP_TO_EDGE, CLAMP_TO_BORDER, MIRROR_ONCE, CLAMP_TO_BORDER, MIRROR_REPEAT};

static void sampler_open(const Message *m, Sampler *s, u64 address)
{
   const u32 *d = (const u32 *)(const void *)memory_at(address, 16, 16, "a sampler's state");
   *s = (Sampler){
      .linear = BITS(d[0], 17, 19) == 1,
      .normalized = !(d[3] >> 10 & 1),
      .weight_bits = 8, /* [12] */
      .wrap = {WRAPS[BITS(d[3], 6, 8)], WRAPS[BITS(d[3], 3, 5)], WRAPS[BITS(d[3], 0, 2)]},
   };
   if (BITS(d[0], 17, 19) > 1)
      stop(UNKNOWN, "%s: filter %u", m->what, BITS(d[0], 17, 19));
   if (s->wrap[0] == CLAMP_TO_BORDER || s->wrap[1] == CLAMP_TO_BORDER || s->wrap[2] == CLAMP_TO_BORDER)
      memcpy(s->border, memory_at(state_of(m->wave)->dynamic_base + (d[2] & ~63u), 16, 4, "a border's colour"), 16);
}

/* Parameter k of each channel; 0 if the message does not have it. */
static void parameter(const Message *m, u32 n, u32 k, Mask lanes, u32 *values)
{
   u32 have = (m->length + m->extra - m->header) * REGISTER / 4 / n;
   EACH_LANE(lane, lanes) values[lane] = k < have ? payload(m, n * k + lane) : 0;
}

static void read_sizes(const Texture *t, Mask lanes, u32 texel[4][LANES])
{
   const u32 *size = t->image.size;
   u32 second = t->image.dimensions == 1 ? t->array ? size[2] : 0 : size[1];
   EACH_LANE(lane, lanes)
   {
      texel[0][lane] = size[0];
      texel[1][lane] = second;
      texel[2][lane] = t->image.dimensions == 3 || t->array ? size[2] : 0;
      texel[3][lane] = 1;
   }
}

/* By texel numbers: u, v, level, r; without a level u, v, r. */
static void load_texels(const Message *m, const Texture *t, u32 n, bool has_level, Mask lanes, u32 texel[4][LANES])
{
   u32 at[3][LANES] = {0}, level[LANES];
   u32 third = has_level ? 3 : 2;
   parameter(m, n, 0, lanes, at[0]);
   if (t->image.dimensions > 1)
      parameter(m, n, 1, lanes, at[1]);
   if (t->image.dimensions == 3 || t->array)
      parameter(m, n, t->image.dimensions == 1 ? 1 : third, lanes, at[2]);
   if (has_level) {
      parameter(m, n, 2, lanes, level);
      EACH_LANE(lane, lanes)
         if (level[lane])
            stop(UNKNOWN, "%s: level %u of an image", m->what, level[lane]);
   }
   image_read(&t->image, lanes, (i32(*)[LANES])at, NULL, texel);
}

static void sample(const Message *m, const Texture *t, u32 n, u32 first, u64 samplers, Mask lanes, u32 texel[4][LANES])
{
   union {
      u32 u[3][LANES];
      float f[3][LANES];
   } at = {{{0}}};
   Sampler sampler;
   sampler_open(m, &sampler, samplers + BITS(m->descriptor, 8, 11) * 16);
   u32 dimensions = t->image.dimensions;
   for (u32 c = 0; c < dimensions; c++)
      parameter(m, n, first + c, lanes, at.u[c]);
   if (t->array)
      parameter(m, n, first + dimensions, lanes, at.u[2]);
   if (t->image.format->numbers == UINT || t->image.format->numbers == SINT)
      sampler.linear = false;
   image_sample(&t->image, &sampler, lanes, at.f, texel);
}

void sampler_message(const Message *m)
{
   const State *state = state_of(m->wave);
   u32 type = BITS(m->descriptor, 12, 16), n = BITS(m->descriptor, 17, 18) == 2 ? 16 : 8, left_out = 0;
   u64 samplers = state->dynamic_base + state->samplers;
   u32 texel[4][LANES] = {0};
   Mask lanes = {{m->channels & (n == 16 ? 0xffff : 0xff)}};
   if (BITS(m->descriptor, 29, 30))
      stop(UNKNOWN, "%s: the sampler, of 16 bits", m->what);
   if (m->header) {
      left_out = header_word(m, 2) >> 12 & 15;
      samplers = state->dynamic_base + (header_word(m, 3) & ~31u);
      if (header_word(m, 2) & 0xfff)
         stop(UNKNOWN, "%s: the sampler, with offsets", m->what);
   }
   Surface s = surface_of(m);
   Texture t;
   if (texture_of(m, &s, &t))
      switch (type) {
      case RESINFO: read_sizes(&t, lanes, texel); break;
      case LD: load_texels(m, &t, n, true, lanes, texel); break;
      case LD_LZ: load_texels(m, &t, n, false, lanes, texel); break;
      case SAMPLE: case SAMPLE_LZ: sample(m, &t, n, 0, samplers, lanes, texel); break;
      case SAMPLE_L: sample(m, &t, n, 1, samplers, lanes, texel); break;
      default: stop(UNKNOWN, "%s: message %u of the sampler", m->what, type);
      }
   u32 unit = n / 8;
   for (u32 c = 0, k = 0; c < 4; c++) {
      if (left_out >> c & 1 || (k + 1) * unit > m->response)
         continue;
      EACH_LANE(lane, lanes) respond(m, k * unit, lane, 4, texel[c][lane]);
      k++;
   }
}
