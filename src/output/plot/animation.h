/// output/plot/animation.h: a film from inside.
#ifndef SLIP_OUTPUT_PLOT_ANIMATION_H
#define SLIP_OUTPUT_PLOT_ANIMATION_H

#include "slipstick/draw.h"
#include "slipstick/plot.h"
#include "output/plot/picture.h"

struct slip_animation {
    slip_drawing drawing;
    const char *title;
    double from, to, rate;
    int width, height, count;
    double *time, *value;     ///< count; count x drawing.width
    double low[2], high[2];   ///< m, of all frames, in the plane of the picture
    double scale, per_newton; ///< points per metre and per newton
};

/// A frame without its time: the same marks in the same order for every frame.
void slip_animation_draw_frame(const slip_animation *film, int frame, slip_picture *picture);

#endif
