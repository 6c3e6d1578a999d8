/* A 5 x 7 font: capital letters, digits, and what labels need besides. */
#ifndef CLAMPLER_DEMO_FONT_H
#define CLAMPLER_DEMO_FONT_H

#include <stdint.h>

/* Seven rows from the top; bit 4 is the left column. Small letters give capitals, unknown characters a blank. */
const uint8_t *font_glyph(char character);

#endif
