/* Masks of lanes, and the numbers of a lane. */
#ifndef LANES_H
#define LANES_H

#define MASK_WORDS ((LANES + 63) / 64)

typedef struct {
   u64 w[MASK_WORDS];
} Mask;

#define EACH_WORD(i) for (u32 i = 0; i < MASK_WORDS; i++)
/* Loops over the lanes of a mask, lowest first. */
#define EACH_LANE(lane, mask)                                                                                          \
   for (u32 word_ = 0, lane; word_ < MASK_WORDS; word_++)                                                              \
      for (u64 left_ = (mask).w[word_]; left_ && (lane = word_ * 64 + __builtin_ctzll(left_), 1); left_ &= left_ - 1)

static inline Mask mask_and(Mask a, Mask b) { EACH_WORD(i) a.w[i] &= b.w[i]; return a; }
static inline Mask mask_or(Mask a, Mask b) { EACH_WORD(i) a.w[i] |= b.w[i]; return a; }
static inline Mask mask_without(Mask a, Mask b) { EACH_WORD(i) a.w[i] &= ~b.w[i]; return a; }
static inline bool mask_any(Mask a) { u64 all = 0; EACH_WORD(i) all |= a.w[i]; return all; }
static inline bool mask_equal(Mask a, Mask b) { u64 odd = 0; EACH_WORD(i) odd |= a.w[i] ^ b.w[i]; return !odd; }
static inline bool mask_has(Mask a, u32 lane) { return a.w[lane / 64] >> lane % 64 & 1; }
static inline u32 mask_count(Mask a) { u32 n = 0; EACH_WORD(i) n += __builtin_popcountll(a.w[i]); return n; }

static inline Mask mask_of(u32 lane)
{
   Mask m = {{0}};
   m.w[lane / 64] = 1ull << lane % 64;
   return m;
}

static inline Mask mask_first(u32 count) /* the lowest `count` lanes */
{
   Mask m = {{0}};
   EACH_WORD(i) m.w[i] = count >= 64 * (i + 1) ? ~0ull : count > 64 * i ? (1ull << (count - 64 * i)) - 1 : 0;
   return m;
}

static inline u32 mask_lowest(Mask a) /* LANES if there is none */
{
   EACH_WORD(i) if (a.w[i]) return 64 * i + __builtin_ctzll(a.w[i]);
   return LANES;
}

/* ---- bit patterns as numbers */

static inline float as_float(u32 x) { float f; memcpy(&f, &x, 4); return f; }
static inline u32 float_bits(float f) { u32 x; memcpy(&x, &f, 4); return x; }
static inline float half_float(u32 x) { u16 y = x; _Float16 f; memcpy(&f, &y, 2); return (float)f; }
static inline u32 half_bits(float f) { _Float16 h = (_Float16)f; u16 x; memcpy(&x, &h, 2); return x; }

#endif
