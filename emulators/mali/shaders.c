/* The shaders that have been decoded. */
#include "shader.h"
#include <stdlib.h>

static Shader *known;
static u32 known_parts; /* clauses and instructions, of all shaders together */

static void forget_shaders(void)
{
   for (Shader *s = known, *next; s; s = next) {
      next = s->next;
      free(s->bytes);
      free(s->clause);
      free(s->instruction);
      free(s->findings);
      free(s);
   }
   known = NULL;
   known_parts = 0;
}

/* The shader at an address. It is decoded again if its bytes have changed, and kept at least until the next call. */
Shader *shader_at(u64 address, u32 flush)
{
   enum { MOST = 1 << 14 };
   u32 end = is_valhall() ? 8 : 4; /* zero bytes */
   for (Shader *s = known; s; s = s->next) {
      const u8 *bytes = s->address == address && s->flush == flush ? memory_find_mapped(address, s->size + end) : NULL;
      u64 behind = 0;
      if (bytes && (memcpy(&behind, bytes + s->size, end), !behind) && !memcmp(bytes, s->bytes, s->size))
         return s;
   }
   static Shader fresh; /* belongs to nobody until it is complete: a stop may leave it */
   free(fresh.clause), free(fresh.instruction);
   fresh = (Shader){.address = address, .flush = flush};
   is_valhall() ? decode_words(&fresh, address) : decode_clauses(&fresh, address);
   if (!fresh.count)
      stop(FAULT, "a launch without a shader");
   if (known_parts + fresh.count > MOST)
      forget_shaders();
   known_parts += fresh.count;
   Shader *s = malloc(sizeof *s);
   *s = fresh;
   fresh.clause = NULL, fresh.instruction = NULL;
   s->bytes = memcpy(malloc(s->size), memory_mapped(address, s->size, 1, "the shader's code"), s->size);
   code_keep(code_hash(s->bytes, s->size), s->bytes, s->size);
   s->next = known;
   return known = s;
}
