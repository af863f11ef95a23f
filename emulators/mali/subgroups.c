/* Exchange between the lanes of a warp. */
#include "shader.h"

static u32 group_size(const Instruction *i)
{
   switch (i->mod[M_subgroup]) {
   case O_subgroup2: return 2;
   case O_subgroup8: return 8;
   case O_subgroup16: return 16;
   default: return 4; /* the only one that CLPER_OLD has */
   }
}

static u32 value_of_inactive(u8 option)
{
   switch (option) {
   case O_umax: return 0xffffffff;
   case O_i1: return 1;
   case O_v2i1: return 0x00010001;
   case O_smin: return 0x80000000;
   case O_smax: return 0x7fffffff;
   case O_v2smin: return 0x80008000;
   case O_v2smax: return 0x7fff7fff;
   case O_v4smin: return 0x80808080;
   case O_v4smax: return 0x7f7f7f7f;
   case O_f1: return 0x3f800000;
   case O_v2f1: return 0x3c003c00;
   case O_infn: return 0xff800000;
   case O_inf: return 0x7f800000;
   case O_v2infn: return 0xfc00fc00;
   case O_v2inf: return 0x7c007c00;
   default: return 0;
   }
}

void run_permute(Wave *wave, const Instruction *i)
{
   u32 space[LANES], size = group_size(i), *d = result_of(wave, i);
   const u32 *v = raw_operand(wave, i, 0), *which = operand(wave, i, 1, space);
   u8 how = i->mod[M_lane_op];
   if (how == O_accumulate || size > gpu_lanes)
      stop(UNKNOWN, "%s with %s in groups of %u", i->op->name, option_names[how], size);
   for (u32 lane = 0; lane < gpu_lanes; lane++) {
      u32 n = how == O_xor ? lane ^ which[lane] : how == O_shift ? lane + which[lane] : which[lane];
      u32 from = (lane & ~(size - 1)) | (n & (size - 1));
      d[lane] = wave->reg.exec >> from & 1 ? v[from] : value_of_inactive(i->mod[M_inactive_result]);
   }
}

/* The lanes of a group whose source is not 0, as bits. */
void run_ballot(Wave *wave, const Instruction *i)
{
   const u32 *v = raw_operand(wave, i, 0);
   u32 size = group_size(i), all = 0, *d = result_of(wave, i);
   Mask exec = exec_of(wave);
   EACH_LANE(lane, exec) all |= (u32)(v[lane] != 0) << lane;
   for (u32 lane = 0; lane < LANES; lane++)
      d[lane] = all >> (lane & ~(size - 1)) & ((1u << size) - 1);
}
