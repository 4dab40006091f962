/// draw.h: what a model looks like, frame by frame.
///
///     slip_drawing drawing = slip_model_drawing(model);        // which shapes there are
///     def.draw = true;                                         // before slip_sim_create
///     double *frame = malloc(drawing.width * sizeof *frame);
///     slip_sim_draw(sim, frame);                               // where they are now, and which forces act
///
/// A frame is `width` numbers, metres and newtons in the ground's frame. Every shape and every drawn contact
/// force has its place in it, `at`, and finds there:
///     points, line, polygon             `count` times x y (z); a polygon is closed and filled
///     circle (plane only)               x y radius angle; the angle is NaN where the model gives none
///     sphere, box, capsule, cylinder,
///     plane (space only)                x y z and the attitude as a quaternion w x y z
///     a force                           x y (z) of the contact, its force fx fy (fz), mode
/// A force is that on the body which the contact's gap belongs to: the normal part pushes along the direction
/// in which the gap opens, friction is included. Mode is 0 open, 1 stick, 2 slip.
///
/// Shapes come from the `draw:` section of a model, and from its bodies without being asked for. Drawing
/// takes no memory and does not change a run by a bit: the numbers are evaluated as recorded quantities are.
#ifndef SLIPSTICK_DRAW_H
#define SLIPSTICK_DRAW_H

#include <stdbool.h>

#include "slipstick/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
#define SLIP_DRAWN(X) \
    X(POINTS, "points") \
    X(LINE, "line") \
    X(POLYGON, "polygon") \
    X(CIRCLE, "circle") \
    X(SPHERE, "sphere") \
    X(BOX, "box") \
    X(CAPSULE, "capsule") \
    X(CYLINDER, "cylinder") \
    X(ELLIPSOID, "ellipsoid") \
    X(HULL, "hull") \
    X(PLANE, "plane")
// clang-format on

#define SLIP_DRAWN_AS_ENUM(name, word) SLIP_DRAWN_##name,
typedef enum slip_drawn_kind { SLIP_DRAWN(SLIP_DRAWN_AS_ENUM) SLIP_DRAWN_COUNT } slip_drawn_kind;

/// "points", "line", ...
const char *slip_drawn_kind_name(slip_drawn_kind kind);

/// One shape. The strings live as long as the model.
typedef struct slip_drawn_shape {
    const char *name; ///< as the model calls it; several shapes of a body may share one
    slip_drawn_kind kind;
    int at;           ///< place of its first number within a frame
    int count;        ///< points, line, polygon: how many points; else 1
    int size_count;   ///< numbers in `size`; 0 in the plane
    double size[3];   ///< m: radius | three full edges | radius, length | radius, length | three semi-axes |
                      ///< reach of a hull | half the width drawn; the axis of capsule and cylinder and the
                      ///< normal of a plane are the shape's own z
    int corner_count; ///< of a hull
    const double *corners; ///< of a hull: x, y, z of each in its own frame; they live as long as the model
    bool fixed;            ///< it never moves
    bool endless;          ///< a line that goes on past both of its ends, or a plane past its edges
    const char *style;     ///< "", "thin", "dashed" or "accent"
} slip_drawn_shape;

/// A contact or friction whose force can be drawn.
typedef struct slip_drawn_force {
    const char *name; ///< of the element
    int at;           ///< place of its first number within a frame
} slip_drawn_force;

typedef struct slip_drawing {
    int dimensions; ///< 2 or 3; 0: the model says nothing to draw
    int width;      ///< numbers per frame
    int shape_count;
    const slip_drawn_shape *shapes;
    int force_count;
    const slip_drawn_force *forces;
} slip_drawing;

/// Frames are asked of a simulation: slip_sim_draw, sim.h.
slip_drawing slip_model_drawing(const slip_model *model);

#ifdef __cplusplus
}
#endif
#endif
