/// gomez.h: what the two files on Gomez 2008 share.
#ifndef SLIPSTICK_TOOLS_GOMEZ_H
#define SLIPSTICK_TOOLS_GOMEZ_H

#include "page.h"

void gomez_pendulum_figures(page *p);
void gomez_pendulum_numbers(page *p);

#endif
