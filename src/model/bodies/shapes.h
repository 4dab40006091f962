/// model/bodies/shapes.h: the shapes with which bodies touch. A kind of shape is one file with one record,
/// and one line in registry/shapes.def.
///
/// A shape has point features (points, circles and spheres) and at most one surface feature. A contact is one
/// point feature against one surface, so a box on a line is four contacts, one per corner. How a surface
/// computes the gap of a point feature is in its record; a pair of kinds with a gap function of its own is
/// one file with one record, and one line in registry/pairs.def.
#ifndef SLIP_MODEL_SHAPES_H
#define SLIP_MODEL_SHAPES_H

#include "collision/collision.h"
#include "model/bodies/rigid_bodies.h"
#include "model/reader/drawing.h"

typedef struct slip_point_feature {
    slip_vec at;     ///< in the ground's frame
    slip_vec arm;    ///< from the body's reference point
    slip_ref radius; ///< 0 for a point
    bool rim;        ///< the edge of a disc about `axis`: the radius is its own
    slip_vec axis;
} slip_point_feature;

typedef struct slip_surface_feature {
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
} slip_surface_feature;

typedef struct slip_shape_type slip_shape_type;

typedef struct slip_shape {
    slip_body *body;
    const char *name; ///< of the shape; NULL for the only one of a body
    const slip_shape_type *type;
    slip_yaml *where;
    bool good;
    bool solid;                   ///< as numbers: features need not be made
    slip_vec local;               ///< of a solid: its middle, or a point of a plane, in the body's frame
    const struct slip_hull *hull; ///< hull, mesh
    double hollow;                ///< of a mesh: how far its faces are inside of it, m; 0 where it is convex
    const double *outline; ///< hull in the plane: x, y of its corners, anticlockwise; as many as features
    slip_ref angle;        ///< in the plane: of a solid in its body, rad
    int feature_count;
    slip_point_feature *features;
    slip_surface_feature surface;
} slip_shape;

/// Reads one shape of a body; its name is for messages, NULL for the only one.
slip_shape slip_read_shape(slip_reader *r, slip_body *body, const char *name, slip_yaml *map);

/// The same for detected contacts and for drawings, without the point features of a free body in space.
slip_shape slip_read_solid(slip_reader *r, slip_body *body, const char *name, slip_yaml *map);

/// True when point features of `a` can touch the surface of `b`.
bool slip_shape_can_touch(const slip_reader *r, const slip_shape *a, const slip_shape *b);

/// Gap and slip velocity of a feature of `a` against the surface of `b`. The normal points to the feature; in
/// the plane, slip is positive along the normal turned by -90 degrees.
struct slip_shape_contact slip_shape_contact_between(slip_reader *r, const slip_shape *a,
                                                     const slip_point_feature *feature, const slip_shape *b);

// ------------------------------------------------------------------------------------ records of shapes

/// One shape while it is read. Mistakes are reported, and shape->good becomes false.
typedef struct slip_shape_reading {
    slip_reader *r;
    slip_shape *shape;
    slip_yaml *map, *value; ///< the shape, and the value of its kind
    char of[160];           ///< "shape 'top' of body 'block'"
} slip_shape_reading;

/// The construction of one contact: `gap`, and `normal` from the surface to the feature, are to be found.
typedef struct slip_gap_builder {
    slip_reader *r;
    const slip_shape *a, *b;
    const slip_point_feature *feature;
    slip_ref gap;
    slip_vec normal;
} slip_gap_builder;

typedef struct slip_scene slip_scene; ///< of planar bodies, while it is drawn

enum { SLIP_SHAPE_KEYS = 4 };

struct slip_shape_type {
    slip_part_info info;      ///< its summary is the meaning of its key
    slip_key_type value;      ///< of its key
    const slip_bounds *range; ///< of its key, where that is a constant; NULL: any number
    const char *keys[SLIP_SHAPE_KEYS], *keys_in_space[SLIP_SHAPE_KEYS]; ///< of those that shapes share

    /// Fills in point features and surface. NULL: the kind does not exist in the plane, or in space.
    void (*read)(slip_shape_reading *c), (*read_in_space)(slip_shape_reading *c);

    /// Gap and normal of a point feature over this surface. NULL: the kind has no surface there.
    void (*find_gap)(slip_gap_builder *m), (*find_gap_in_space)(slip_gap_builder *m);

    /// The shape as numbers, for detected contacts: `local` and the attitude of the surface are set by the
    /// caller. NULL: it is no solid.
    bool (*solid)(slip_reader *r, const slip_shape *shape, slip_solid *solid);
    bool (*solid_in_space)(slip_reader *r, const slip_shape *shape, slip_solid *solid);

    bool bare;  ///< its features are points, or the centre of a disc or ball, as round surfaces require
    bool round; ///< its surface accepts bare features only
    bool
        symmetric_pair; ///< two of this kind make one contact: the feature of the first on the surface of the second
    bool ball;          ///< in space: its surface and its features are spheres
    bool flat;          ///< its surface is a plane
    bool has_directions; ///< its surface defines the directions in which slip is measured

    void (*draw)(slip_scene *scene, const char *name, const slip_shape *shape);
    void (*draw_in_space)(slip_canvas *canvas, const char *name, const slip_shape *shape);
};

/// Two kinds of shape with a gap function of their own.
typedef struct slip_shape_pair {
    const slip_shape_type *feature, *surface;
    void (*find_gap)(slip_gap_builder *m), (*find_gap_in_space)(slip_gap_builder *m); ///< NULL: as others
} slip_shape_pair;

#define PART(symbol, name) extern const slip_shape_type slip_shape_##symbol;
#include "registry/shapes.def"
#undef PART
#define PART(symbol, name) extern const slip_shape_pair slip_pair_##symbol;
#include "registry/pairs.def"
#undef PART

const slip_shape_type *slip_shape_type_at(int k); ///< NULL past the end

// --------------------------------------------------------------------------- for the files of shapes:
// reading

slip_ref slip_shape_length(slip_shape_reading *c, const char *key, double fallback); ///< of its map
/// A size at a node of the file: positive, or 0 or more.
slip_ref slip_shape_size(slip_shape_reading *c, slip_yaml *node, const char *what, bool may_vanish);
slip_vec slip_shape_place(slip_shape_reading *c, slip_yaml *list);
slip_vec slip_shape_offset(slip_shape_reading *c); ///< the key `at`: where it stands in its body
slip_rotation_matrix slip_shape_rotation(slip_shape_reading *c);       ///< the key `attitude`
void slip_shape_rotate_surface(slip_shape_reading *c, slip_ref angle); ///< in the plane
bool slip_shape_alloc_points(slip_shape_reading *c, int count);        ///< false when out of memory
slip_point_feature *slip_shape_set_point(slip_shape_reading *c, int k, slip_vec local, slip_ref radius);
/// From one place to another: two features of its radius are to come; false after a mistake.
bool slip_shape_span(slip_shape_reading *c, const char *example, slip_vec end[2]);
bool slip_shape_check_length(slip_shape_reading *c, slip_ref length, const char *instead);

// --------------------------------------------------------------------------- for the files of shapes:
// meeting

slip_ref slip_gap_op(slip_gap_builder *m, slip_op op, slip_ref a, slip_ref b);
slip_ref slip_gap_number(slip_gap_builder *m, double value);
slip_ref slip_gap_less(slip_gap_builder *m, slip_ref a, slip_ref b);
slip_ref slip_gap_side(slip_gap_builder *m, slip_ref x); ///< -1 or 1, never 0
slip_vec slip_gap_in_surface_frame(slip_gap_builder *m,
                                   slip_vec at); ///< from the surface: x along it, y away from it
slip_vec slip_gap_to_ground_frame(slip_gap_builder *m, slip_vec local); ///< and back, a direction
void slip_gap_to_plane(slip_gap_builder *m);  ///< the gap along the normal, which is known
void slip_gap_to_sphere(slip_gap_builder *m); ///< around a centre, from outside

// --------------------------------------------------------------------------- for the files of shapes:
// drawing

void slip_scene_border(slip_scene *s, const char *name, slip_vec at, slip_ref cos, slip_ref sin); ///< endless
void slip_scene_circle(slip_scene *s, const char *name, slip_vec at, slip_ref radius, slip_ref angle,
                       const char *style);
void slip_scene_hole(slip_scene *s, const char *name, slip_vec at, slip_ref radius);
/// The features as points, a line or a polygon, in an order of their own or NULL.
void slip_scene_points(slip_scene *s, slip_drawn_kind kind, const char *name, const slip_shape *shape,
                       const int *order);
void slip_scene_round_segment(slip_scene *s, const char *name, const slip_shape *shape);

void slip_draw_points_in_space(slip_canvas *c, const char *name, const slip_shape *shape);
/// A solid in the attitude of the surface; its sizes are constants, `scale` times `size`, SLIP_NONE: 1.
void slip_draw_solid_shape(slip_canvas *c, slip_drawn_kind kind, const char *name, const slip_shape *shape,
                           slip_vec at, const slip_ref *size, int count, double scale);
void slip_draw_hull(slip_canvas *c, const char *name, const slip_shape *shape); ///< with its corners

struct slip_detect_shape;

/// The belt of a shape with a `speed`, whose contacts are found. False after a mistake.
bool slip_read_moving_surface(slip_reader *r, const slip_body *body, const slip_shape *shape,
                              struct slip_detect_shape *to);

#endif
