/* A message's payload, its answer, and its shared function. */
#include "messages.h"
#include <stdio.h>

enum { SAMPLER = 2, GATEWAY = 3, RENDER_CACHE = 5, SPAWNER = 7, CONSTANT_CACHE = 9, DATA_CACHE_0 = 10, DATA_CACHE_1 = 12, SLM = 14, UGM };
enum { GATEWAY_BARRIER = 4 };

/* Checks that the message has these bytes, and that they were written. */
void check_payload(const Message *m, u32 byte, u32 size)
{
   if (byte + size > (m->length + m->extra) * REGISTER)
      stop(FAULT, "%s: byte %u of a message of %u registers", m->what, byte, m->length + m->extra);
   for (u32 k = 0; k < size; k++)
      if (!m->written[byte + k]) {
         mark(UNDEFINED, "%s: byte %u of the message was never written", m->what, byte + k);
         return;
      }
}

static u32 word_of(const Message *m, u32 k)
{
   u32 value;
   check_payload(m, 4 * k, 4);
   memcpy(&value, m->bytes + 4 * k, 4);
   return value;
}

static void copy_payload(Message *m)
{
   const struct Registers *r = &m->wave->reg;
   u32 first = m->length * REGISTER, rest = m->extra * REGISTER, at[] = {m->i->src[0].at, m->i->src[1].at};
   memcpy(m->bytes, r->grf + at[0], first);
   memcpy(m->written, r->written + at[0], first);
   memcpy(m->bytes + first, r->grf + at[1], rest);
   memcpy(m->written + first, r->written + at[1], rest);
}

u32 header_word(const Message *m, u32 k)
{
   if (!m->header)
      stop(FAULT, "%s: a message without a header", m->what);
   return word_of(m, k);
}

u32 payload(const Message *m, u32 k) { return word_of(m, k + (m->header ? REGISTER / 4 : 0)); }
u64 payload_pair(const Message *m, u32 k) { return payload(m, k) | (u64)payload(m, k + 1) << 32; }

u8 *response_at(const Message *m, u32 byte, u32 size)
{
   if (byte + size > m->response * REGISTER)
      stop(FAULT, "%s: byte %u of an answer of %u registers", m->what, byte, m->response);
   memset(m->wave->reg.written + m->i->dst.at + byte, 1, size);
   return m->wave->reg.grf + m->i->dst.at + byte;
}

void respond(const Message *m, u32 reg, u32 channel, u32 bytes, u64 value)
{
   memcpy(response_at(m, reg * REGISTER + channel * bytes, bytes), &value, bytes);
}

/* A descriptor in an address register. */
static u32 address_word(Wave *wave, u32 word)
{
   if ((wave->reg.a0_written >> 2 * word & 3) != 3)
      mark(UNDEFINED, "a0.%u was never written", 2 * word);
   return wave->reg.a0[2 * word] | (u32)wave->reg.a0[2 * word + 1] << 16;
}

static void gateway(const Message *m)
{
   if ((m->descriptor & 7) != GATEWAY_BARRIER)
      stop(UNKNOWN, "%s: operation %u of the gateway", m->what, m->descriptor & 7);
   m->wave->reg.signalled = true;
}

void send_message(Wave *wave, const Instruction *i, u32 channels)
{
   Message m;
   m.wave = wave;
   m.i = i;
   m.channels = channels;
   m.descriptor = i->descriptor_a0 ? address_word(wave, 0) : i->descriptor;
   m.extended = i->extended_a0 ? address_word(wave, i->extended_sub) : i->extended;
   m.length = BITS(m.descriptor, 25, 28);
   m.response = i->dst.file == GRF ? BITS(m.descriptor, 20, 24) : 0;
   m.header = m.descriptor >> 19 & 1 && i->function < SLM;
   /* A bindless surface takes more bits of the descriptor, so the length is in the instruction. */
   m.extra = i->src[1].file == GRF ? BITS(i->bindless_offset ? i->extended : m.extended, 6, 10) : 0;
   snprintf(m.what, sizeof m.what, "send");
   if (i->src[0].at + m.length * REGISTER > GRF_BYTES || i->src[1].at + m.extra * REGISTER > GRF_BYTES ||
       i->dst.at + m.response * REGISTER > GRF_BYTES)
      stop(FAULT, "%s: a message, or its answer, ends after the last register", m.what);
   copy_payload(&m);
   if (i->ends && i->function == GATEWAY) /* always so on Gen12.5 */
      return;
   switch (i->function) {
   case SPAWNER: break; /* the thread's end */
   case GATEWAY: gateway(&m); break;
   case SAMPLER: sampler_message(&m); break;
   case RENDER_CACHE: target_write(&m); break;
   case CONSTANT_CACHE: case DATA_CACHE_0: dataport_0(&m); break;
   case DATA_CACHE_1: dataport_1(&m); break;
   case SLM: case UGM: memory_message(&m, i->function == SLM); break;
   default: stop(UNKNOWN, "%s: shared function %u", m.what, i->function);
   }
}
