/// model/bodies/shapes.h: what bodies touch each other with.
///
/// A shape has knobs (points and circles that arrive) and at most one surface (what they arrive at).
/// A contact is one knob against one surface, so a box on a line is four contacts, one per corner.
#ifndef SLIP_MODEL_SHAPES_H
#define SLIP_MODEL_SHAPES_H

#include "model/bodies/bodies.h"

#define SLIP_SHAPES(X)                                                                                       \
    X(POINT, "point")                                                                                        \
    X(CORNERS, "corners")                                                                                    \
    X(CIRCLE, "circle") X(LINE, "line") X(SEGMENT, "segment") X(BOX, "box") X(RING, "ring")
#define SLIP_SHAPE_AS_ENUM(name, text) SLIP_SHAPE_##name,
typedef enum slip_shape_kind { SLIP_SHAPES(SLIP_SHAPE_AS_ENUM) SLIP_SHAPE_COUNT } slip_shape_kind;

typedef struct slip_knob {
    slip_vec at;     ///< in the ground's frame
    slip_vec arm;    ///< from the body's reference point
    slip_ref radius; ///< 0 for a point
} slip_knob;

typedef struct slip_surface {
    slip_vec at;       ///< line: a point of it; segment: where it begins; else its centre
    slip_ref cos, sin; ///< of its direction in the ground's frame
    slip_ref size[2];  ///< segment: length; box: half width, half height
    slip_ref radius;   ///< circle, ring, segment
    slip_ref speed;    ///< of the surface along its direction, against its body: a conveyor
} slip_surface;

typedef struct slip_shape {
    slip_body *body;
    const char *name; ///< of the shape; NULL for the only one of a body
    slip_shape_kind kind;
    slip_yaml *where;
    bool good;
    int knob_count;
    slip_knob *knobs;
    slip_surface surface;
} slip_shape;

/// Reads one shape of a body; its name is for messages, NULL for the only one.
slip_shape slip_read_shape(slip_reader *r, slip_body *body, const char *name, slip_yaml *map);

/// Gap and slip velocity of a knob of `a` against the surface of `b`. Along the surface the slip counts
/// in its direction: the normal points to the knob, and turned by -90 degrees is the direction.
struct slip_touch slip_touch_between(slip_reader *r, const slip_shape *a, const slip_knob *knob,
                                     const slip_shape *b);

#endif
