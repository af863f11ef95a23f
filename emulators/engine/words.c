/* An instruction as text, which a family's text.c writes piece by piece. Each thread has one text, valid until the
 * next one begins. */
#include "engine.h"
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char text[256];
static _Thread_local u32 length;

void words_begin(void)
{
   length = 0;
   text[0] = 0;
}

void words_add(const char *format, ...)
{
   va_list values;
   va_start(values, format);
   length += vsnprintf(text + length, sizeof text - length, format, values);
   va_end(values);
   length = length < sizeof text ? length : sizeof text - 1;
}

const char *words_text(void) { return text; }
