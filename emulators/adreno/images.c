/* Textures and images. */
#include "packets.h"

void run_sample(Wave *wave, const Instruction *i) { (void)wave, (void)i; stop(UNKNOWN, "textures"); }
void run_texture_size(Wave *wave, const Instruction *i) { (void)wave, (void)i; stop(UNKNOWN, "textures"); }
void run_load_resource(Wave *wave, const Instruction *i) { (void)wave, (void)i; stop(UNKNOWN, "images"); }
void run_store_resource(Wave *wave, const Instruction *i) { (void)wave, (void)i; stop(UNKNOWN, "images"); }
void run_resource_info(Wave *wave, const Instruction *i) { (void)wave, (void)i; stop(UNKNOWN, "images"); }
void run_resource_base(Wave *wave, const Instruction *i) { (void)wave, (void)i; stop(UNKNOWN, "images"); }
void run_atomic_resource(Wave *wave, const Instruction *i) { (void)wave, (void)i; stop(UNKNOWN, "images"); }
void blit(void) { stop(UNKNOWN, "a blit"); }
