/// xiong.h: what the two files on Xiong 2013 share.
#ifndef SLIPSTICK_TOOLS_XIONG_H
#define SLIPSTICK_TOOLS_XIONG_H

#include "page.h"

/// Example I, a rolling sphere; II, two masses and a conveyor; III, periodic motion.
void xiong_figure_7(page *p);
void xiong_figure_9(page *p);
void xiong_figure_11(page *p);
void xiong_numbers_7(page *p);
void xiong_numbers_9(page *p);
void xiong_numbers_11(page *p);

#endif
