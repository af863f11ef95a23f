/* The code of the shaders that are launched. */
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>

u64 code_hash(const void *code, u64 bytes)
{
   u64 hash = 0xcbf29ce484222325u;
   for (u64 n = 0; n + 8 <= bytes; n += 8) {
      u64 word;
      memcpy(&word, (const u8 *)code + n, 8);
      hash = (hash ^ word ^ hash >> 29) * 0x9e3779b97f4a7c15u;
   }
   return hash;
}

/* EMULATOR_SHADERS: the folder to which the code of each launched shader is written. */
void code_keep(u64 hash, const void *code, u64 bytes)
{
   const char *folder = getenv("EMULATOR_SHADERS");
   char path[4096];
   if (!folder)
      return;
   snprintf(path, sizeof path, "%s/%016llx.bin", folder, (unsigned long long)hash);
   FILE *file = fopen(path, "wbe");
   if (file) {
      fwrite(code, 1, bytes, file);
      fclose(file);
   }
}
