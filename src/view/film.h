/// view/film.h: a film from inside.
#ifndef SLIP_VIEW_FILM_H
#define SLIP_VIEW_FILM_H

#include "slipstick/draw.h"
#include "slipstick/view.h"
#include "view/picture.h"

struct slip_film {
    slip_drawing drawing;
    const char *title;
    double from, to, rate;
    int width, height, count;
    double *time, *value;     ///< count; count x drawing.width
    double low[2], high[2];   ///< m, of all frames, in the plane of the picture
    double scale, per_newton; ///< points per metre and per newton
};

/// A frame without its time: the same marks in the same order for every frame.
void slip_film_draw(const slip_film *film, int frame, slip_picture *picture);

#endif
