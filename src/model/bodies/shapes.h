/// model/bodies/shapes.h: what bodies touch each other with.
///
/// A shape has knobs (points, circles and spheres that arrive) and at most one surface (what they arrive at).
/// A contact is one knob against one surface, so a box on a line is four contacts, one per corner.
#ifndef SLIP_MODEL_SHAPES_H
#define SLIP_MODEL_SHAPES_H

#include "model/bodies/bodies.h"

/// name, key, whether it is a shape of the plane, of space
#define SLIP_SHAPES(X)                                                                                       \
    X(POINT, "point", 1, 1)                                                                                  \
    X(CORNERS, "corners", 1, 1)                                                                              \
    X(CIRCLE, "circle", 1, 0)                                                                                \
    X(LINE, "line", 1, 0)                                                                                    \
    X(SEGMENT, "segment", 1, 0)                                                                              \
    X(BOX, "box", 1, 1)                                                                                      \
    X(RING, "ring", 1, 0)                                                                                    \
    X(SPHERE, "sphere", 0, 1)                                                                                \
    X(PLANE, "plane", 0, 1)                                                                                  \
    X(CAPSULE, "capsule", 0, 1)                                                                              \
    X(CYLINDER, "cylinder", 0, 1)
#define SLIP_SHAPE_AS_ENUM(name, text, plane, space) SLIP_SHAPE_##name,
typedef enum slip_shape_kind { SLIP_SHAPES(SLIP_SHAPE_AS_ENUM) SLIP_SHAPE_COUNT } slip_shape_kind;

typedef struct slip_knob {
    slip_vec at;     ///< in the ground's frame
    slip_vec arm;    ///< from the body's reference point
    slip_ref radius; ///< 0 for a point
    bool rim;        ///< the edge of a disc about `axis`: the radius is its own
    slip_vec axis;
} slip_knob;

typedef struct slip_surface {
    slip_vec at;          ///< line, plane: a point of it; segment, capsule: where it begins; else its centre
    slip_vec normal;      ///< plane
    slip_vec across[2];   ///< plane: the directions in which slip counts
    slip_vec along;       ///< capsule: from one end to the other
    slip_ref attitude[4]; ///< in space: of the shape's own axes in its body; z is a plane's normal and the
                          ///< axis of capsule and cylinder
    slip_ref cos, sin;    ///< of its direction in the ground's frame
    slip_ref size[3];     ///< segment, capsule, cylinder: length; box: half of each side
    slip_ref radius;      ///< circle, ring, segment
    slip_ref speed;       ///< of the surface along its direction, against its body: a conveyor
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

/// Reads the shapes of space (solids.c): the value of the kind, and the rest of the shape's map.
bool slip_read_solid(slip_reader *r, slip_shape *shape, slip_yaml *map, slip_yaml *value, const char *of);

/// Gap and slip velocity of a knob of `a` against the surface of `b`. Along the surface the slip counts
/// in its direction: the normal points to the knob, and turned by -90 degrees is the direction.
struct slip_touch slip_touch_between(slip_reader *r, const slip_shape *a, const slip_knob *knob,
                                     const slip_shape *b);

#endif
