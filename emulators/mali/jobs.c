/* The job manager of Bifrost: a chain of descriptors in memory. Mesa's src/panfrost/lib/genxml/v7.xml has their layout. */
#include "jobs.h"
#include "draw.h"
#include <time.h>

enum Job { NULL_JOB = 1, WRITE_VALUE = 2, CACHE_FLUSH = 3, COMPUTE = 4, FRAGMENT = 9, INDEXED_VERTEX = 10, MALLOC_VERTEX = 11 };
enum { CHAIN = 1 << 16 };

static u64 pair(const u32 *w) { return w[0] | (u64)w[1] << 32; }

static void check_items(u64 items)
{
   if (items > 1024)
      stop(FAULT, "a work-group of %llu work-items", (unsigned long long)items);
}

/* The sizes of a launch, each less one, packed into the number of bits that each needs. */
static void read_invocation(Launch *launch, const u32 *w)
{
   u32 shifts[7] = {0, BITS(w[1], 0, 4), BITS(w[1], 5, 9), BITS(w[1], 10, 15), BITS(w[1], 16, 21), BITS(w[1], 22, 27), 32}, n[6];
   for (u32 k = 0; k < 6; k++) {
      if (shifts[k + 1] < shifts[k])
         stop(FAULT, "a job whose sizes overlap");
      n[k] = shifts[k] >= 32 || shifts[k + 1] == shifts[k] ? 1 : BITS(w[0], shifts[k], shifts[k + 1] - 1) + 1;
   }
   for (u32 k = 0; k < 3; k++)
      launch->size[k] = n[k], launch->groups[k] = n[3 + k];
   u64 items = (u64)n[0] * n[1] * n[2];
   check_items(items);
   launch->items = items;
}

static void read_storage(Launch *launch, u64 address)
{
   u32 w[8];
   memcpy(w, memory_at(address, sizeof w, 64, "the local storage's descriptor"), sizeof w);
   u32 scale = BITS(w[1], 8, 12);
   launch->private_size = pair(w + 2) ? 16u << BITS(w[0], 0, 4) : 0;
   launch->local_size = w[1] >> 31 || !scale ? 0 : 1u << (scale - 1);
   if (launch->private_size > 1 << 20 || launch->local_size > 1 << 20)
      stop(FAULT, "a launch with %u bytes of private memory and %u of local memory", launch->private_size, launch->local_size);
   if (launch->local_size)
      memory_at(pair(w + 4), launch->local_size, 1, "local memory");
}

/* The renderer state's preload word has the number of uniforms above the register bits. */
u64 read_state(State *state, const u32 *draw, bool secondary)
{
   u32 w[16];
   memcpy(w, memory_mapped(pair(draw + 14), sizeof w, 64, "the renderer state"), sizeof w);
   memset(state, 0, sizeof *state);
   state->ubos = BITS(w[4], 0, 7);
   state->barriers = BITS(w[4], 11, 11);
   state->narrow = (w[4] >> (secondary ? 14 : 12) & 3) == 2;
   state->preload = BITS(w[12 + secondary], 0, 14);
   state->uniforms = 2 * BITS(w[12 + secondary], 15, 21);
   state->messages = gpu_arch >= 7 ? w[15] : 0;
   state->varyings = BITS(w[3], 16, 31), state->varying_table = pair(draw + 22), state->varying_buffers = pair(draw + 20);
   state->ubo_table = pair(draw + 6);
   state->samplers = BITS(w[2], 0, 15), state->sampler_table = pair(draw + 10);
   state->textures = BITS(w[2], 16, 31), state->texture_table = pair(draw + 8);
   state->attributes = BITS(w[3], 0, 15), state->attribute_table = pair(draw + 18), state->attribute_buffers = pair(draw + 16);
   if (state->uniforms)
      memcpy(state->uniform, memory_mapped(pair(draw + 12), 4 * state->uniforms, 8, "the uniforms"), 4 * state->uniforms);
   if (state->ubos)
      memory_mapped(state->ubo_table, 8 * state->ubos, 8, "the table of uniform buffers");
   return pair(w + (secondary ? 14 : 0));
}

/* Valhall: a shader's environment, and the program that it names. */
u64 read_environment(State *state, const u32 *w)
{
   enum { PROGRAM = 8 };
   u32 p[8];
   if (!pair(w + 10))
      stop(FAULT, "a launch without a shader");
   memcpy(p, memory_mapped(pair(w + 10), sizeof p, 32, "a shader's program"), sizeof p);
   if ((p[0] & 15) != PROGRAM)
      stop(FAULT, "a shader's program is a descriptor of type %u", p[0] & 15);
   memset(state, 0, sizeof *state);
   state->flush = BITS(p[0], 17, 18);
   state->narrow = p[0] >> 30 == 2;
   state->barriers = true;
   state->preload = p[1] & 0xffff;
   state->uniforms = 2 * BITS(w[1], 0, 7);
   state->resources = pair(w + 8);
   if (state->uniforms)
      memcpy(state->uniform, memory_mapped(pair(w + 14), 4 * state->uniforms, 8, "the uniforms"), 4 * state->uniforms);
   return pair(p + 2);
}

void run_shader(Launch *launch, u64 code, const char *what)
{
   const State *state = launch->state;
   if (!code)
      stop(FAULT, "a launch without a shader");
   Shader *shader = shader_at(code, state->flush);
   launch->code = shader;
   trace("%s: %ux%ux%u groups of %ux%ux%u, local %u, private %u bytes, %u uniforms, shader at 0x%llx", what, launch->groups[0],
         launch->groups[1], launch->groups[2], launch->size[0], launch->size[1], launch->size[2], launch->local_size,
         launch->private_size, state->uniforms, (unsigned long long)code);
   if (tracing)
      trace_shader(shader);
   hazards_report(shader, state);
   if (executes())
      launch_run(launch);
}

void run_groups(const u32 *size, const u32 *first, const u32 *groups, const u32 *environment)
{
   static State state;
   Launch launch = {.wave_lanes = gpu_lanes, .state = &state, .items = 1};
   for (u32 k = 0; k < 3; k++) {
      launch.size[k] = BITS(*size, 10 * k, 10 * k + 9) + 1, launch.groups[k] = groups[k];
      launch.items *= launch.size[k];
      if (first[k])
         stop(UNKNOWN, "a launch whose first group is not 0");
   }
   check_items(launch.items);
   u64 code = read_environment(&state, environment);
   read_storage(&launch, pair(environment + 12));
   run_shader(&launch, code, "launch");
}

/* Valhall's compute job has the sizes, and the environment. */
static void compute_payload(u64 job)
{
   u32 w[24];
   memcpy(w, memory_at(job + 32, sizeof w, 32, "a compute job"), sizeof w);
   run_groups(w, w + 5, w + 2, w + 8);
}

static void compute(u64 job)
{
   u32 w[64];
   memcpy(w, memory_at(job, sizeof w, 64, "a compute job"), sizeof w);
   const u32 *draw = w + 16;
   static State state;
   Launch launch = {.wave_lanes = gpu_lanes, .state = &state};
   read_invocation(&launch, w + 8);
   u64 code = read_state(&state, draw, false);
   read_storage(&launch, pair(draw + 28));
   run_shader(&launch, code, "launch");
}

static void write_value(u64 job)
{
   u32 w[6];
   memcpy(w, memory_at(job + 32, sizeof w, 1, "a job"), sizeof w);
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   u64 ticks = t.tv_sec * 1000000000ull + t.tv_nsec, zero = 0, value = pair(w + 4);
   switch (w[2]) {
   case 1: case 2: memcpy(memory_at(pair(w), 8, 8, "a written time"), &ticks, 8); break;
   case 3: memcpy(memory_at(pair(w), 8, 8, "a written zero"), &zero, 8); break;
   case 4: case 5: case 6: case 7: memcpy(memory_at(pair(w), 1 << (w[2] - 4), 1, "a written value"), &value, 1 << (w[2] - 4)); break;
   default: stop(UNKNOWN, "a job that writes a value of type %u", w[2]);
   }
}

void run_chain(u64 address)
{
   for (u32 n = 0; address; n++) {
      if (n == CHAIN)
         stop(FAULT, "a chain of more than %u jobs", CHAIN);
      u32 w[8], done = 1;
      memcpy(w, memory_at(address, sizeof w, 64, "a job"), sizeof w);
      spend(1);
      u32 type = BITS(w[4], 1, 7);
      switch (type) {
      case NULL_JOB: case CACHE_FLUSH: break;
      case WRITE_VALUE: write_value(address); break;
      case COMPUTE: is_valhall() ? compute_payload(address) : compute(address); break;
      case INDEXED_VERTEX: case MALLOC_VERTEX: case FRAGMENT:
         if (executes()) /* otherwise it can be ignored: it does not launch a kernel */
            type == FRAGMENT ? fragment_job(address) : type == MALLOC_VERTEX ? vertices_job(address) : vertex_job(address);
         break;
      default: stop(UNKNOWN, "a job of type %u", type);
      }
      memcpy(memory_at(address, 4, 64, "a job"), &done, 4); /* its exception status */
      address = pair(w + 6);
   }
}
