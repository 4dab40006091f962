/// model/reader/drawing.h: how front ends hand over what a model looks like.
///
/// slip_read_drawing makes a canvas, lets the bodies put themselves on it, reads the `draw:` section on top
/// and keeps the result in the model. Everything is nodes of the model's graph in the ground's frame, metres.
///
/// A planar shape is its points (slip_draw_points) or its circle. A shape of a spatial body is handed over as
/// the position of the shape's own centre and its attitude, a unit quaternion w x y z from the shape's frame
/// to the ground's, both as expressions, and sizes as numbers:
///
///     slip_draw_solid(canvas, SLIP_DRAWN_BOX, body->name, at, attitude, (double[]){ a, b, c }, 3);
///
/// A contact is handed over with slip_draw_force: its place, the direction in which its gap opens and the
/// direction or two in which its slip counts, as unit vectors; `reversed` when the body that the force is
/// drawn for lies on the other side. Unused components of slip_draw_axis are ignored in the plane.
#ifndef SLIP_MODEL_READER_DRAWING_H
#define SLIP_MODEL_READER_DRAWING_H

#include "model/reader/reader.h"

/// Two or three components.
typedef struct slip_draw_axis {
    slip_ref part[3];
} slip_draw_axis;

typedef struct slip_canvas {
    slip_reader *r;
    int dimensions;  ///< 2 or 3; 0 until the first shape
    slip_span first; ///< that shape
    slip_ref *values;
    size_t value_count, value_capacity;
    slip_drawn_shape *shapes;
    size_t shape_count, shape_capacity;
    slip_drawn_force *forces;
    size_t force_count, force_capacity;
} slip_canvas;

/// True when a shape of so many components fits on the canvas; else a mistake at `where`.
bool slip_draw_fits(slip_canvas *c, int dimensions, slip_span where, const char *what);

/// A shape without its numbers; they follow with slip_draw_value.
slip_drawn_shape *slip_draw_shape(slip_canvas *c, slip_drawn_kind kind, const char *name, int count);
void slip_draw_value(slip_canvas *c, slip_ref value);

/// In the plane: SLIP_DRAWN_POINTS, LINE or POLYGON through xy[0] .. xy[2 count - 1].
slip_drawn_shape *slip_draw_points(slip_canvas *c, slip_drawn_kind kind, const char *name, const slip_ref *xy,
                                   int count);

/// In space: SLIP_DRAWN_SPHERE, BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL or PLANE; sizes as in
/// slip_drawn_shape.
slip_drawn_shape *slip_draw_solid(slip_canvas *c, slip_drawn_kind kind, const char *name, slip_draw_axis at,
                                  const slip_ref attitude[4], const double *size, int size_count);

/// A zigzag between two points of the plane.
void slip_draw_spring(slip_canvas *c, const char *name, const slip_ref from[2], const slip_ref to[2]);

/// The force of a contact or friction by name.
typedef struct slip_force_place {
    const char *name;     ///< of the element; in an inclusion of the definition
    const char *friction; ///< whose friction; NULL: its own
    slip_draw_axis at;
    bool has_normal;
    slip_draw_axis normal;
    int tangent_count;
    slip_draw_axis tangent[2];
    bool reversed;
    bool has_gap, slips; ///< what the element is: it can open, it can stick
} slip_force_place;
void slip_draw_force(slip_canvas *c, const slip_force_place *place);

/// The entries of draw.contacts (draw_contacts.c).
void slip_draw_contacts(slip_canvas *c, slip_yaml *map);

/// Reads the numbers of a list; false when there was a mistake. `what` is for messages.
bool slip_draw_read(slip_canvas *c, slip_yaml *list, const char *what, slip_ref *out, int most);

/// Bodies, their joints, springs, clearances and contacts (bodies/draw_plane.c, bodies/draw_space.c).
void slip_draw_bodies(slip_canvas *c);
void slip_draw_bodies_in_space(slip_canvas *c); ///< without the contacts

#endif
