/* What must be waited for; not yet. */
#include "bifrost.h"
char *hazards_of(const Shader *shader) { return (void)shader, NULL; }
void hazards_report(Shader *shader) { (void)shader; }
