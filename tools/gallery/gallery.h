/// gallery.h: one run of a model: its picture, what it is said to do, and what it did.
#ifndef SLIPSTICK_TOOLS_GALLERY_H
#define SLIPSTICK_TOOLS_GALLERY_H

#include <stdbool.h>
#include <stdio.h>

#include "../figures/svg.h"
#include "slipstick/slipstick.h"

/// How a number is read off a run.
typedef enum fact_kind {
    FACT_NONE,
    FACT_AT,      ///< column at the first step at or behind `from`; INFINITY: at the end
    FACT_EVENT,   ///< time of the `count`-th event of the kind `other` of element `column` ("": any)
    FACT_PERIOD,  ///< mean time between the first `count` of such events
    FACT_MAX,     ///< of a column between `from` and `to`
    FACT_MIN,     ///< the same
    FACT_RATE,    ///< mean rate of a column between `from` and `to`
    FACT_REACH,   ///< when a column first crosses `level`, behind `from`
    FACT_WHEN,    ///< a column when `other` first crosses `level`, behind `from`
    FACT_GAIN,    ///< energy at the end over energy at the start
    FACT_VERDICT, ///< the worst verdict, as a word
} fact_kind;

/// What the paper states or a closed form gives, and how we measure it. A measured number that lies further
/// than `tolerance` from the printed one ends the program: a page that was written is a page that holds.
typedef struct fact {
    const char *what, *printed, *unit, *source;
    double tolerance;
    fact_kind kind;
    const char *column, *other;
    double from, to, level;
    int count;
} fact;

enum { MAX_FACTS = 3, MAX_CURVES = 2 };

typedef struct entry {
    const char *model;              ///< "xiong/bouncing-mass"
    double begin, end;              ///< s, what the picture shows; end 0: the whole run
    int ghosts;                     ///< frames in the picture; 0: five
    const char *curves[MAX_CURVES]; ///< columns of the plot; NULL: the first coordinate
    fact facts[MAX_FACTS];
} entry;

/// NULL: the model is shown without facts.
const entry *entry_of(const char *model);

/// What a fact came to.
typedef struct measured {
    bool known;
    double value, before, before_other, start; ///< before: at the step before
    char word[40];
    int seen;
} measured;

/// Everything that is kept of a run.
typedef struct show {
    const entry *entry;
    slip_model *model;
    slip_sim *sim;
    slip_drawing drawing;
    double begin, end, until;
    int frame_count;
    double *times, *frames; ///< equally distant, frame_count x drawing.width
    int curve_count;
    const char *curve_name[MAX_CURVES];
    svg_curve curves[MAX_CURVES];
    measured measured[MAX_FACTS];
    char outcome[40];
} show;

enum { FRAMES = 240 };

/// Runs models/NAME.yaml under `root`; what goes wrong is printed and ends the program.
show show_run(const char *root, const char *name, const entry *e);
void show_free(show *s);

/// The picture: frames as ghosts, contact forces as arrows, curves beside it.
void still_write(FILE *out, const show *s);

/// A place of the scene in pixels.
typedef struct pixel {
    double x, y;
} pixel;

/// How the scene is seen: `right` and `up` span the picture.
typedef struct view {
    int dimensions;
    double right[3], up[3];
    double scale, x0, y0; ///< pixels per metre, where the origin is
    double left, top, width, height;
} view;

pixel view_pixel(const view *v, const double *at);

/// A shape of space (still_space.c), and the corners that it needs room for.
void solid_write(FILE *out, const view *v, const slip_drawn_shape *shape, const double *at,
                 const char *attributes);
int solid_corners(const slip_drawn_shape *shape, const double *at, double corners[8][3]);

#endif
