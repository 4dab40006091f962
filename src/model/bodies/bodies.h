/// model/bodies/bodies.h: planar rigid bodies become coordinates, energies, constraints and gaps.
///
/// Every body has a frame: a reference point and an angle against the ground. A body's own joint makes
/// the tree: `revolute` leaves it its angle, `prismatic` a displacement, `weld` nothing, and a body
/// without a joint has x, y and th. Angles are absolute, so the mass matrix of a chain holds cosines of
/// differences only, as in textbooks. Positions are expressions in these coordinates, velocities their
/// exact time derivatives; what closes a loop (the section `joints`) becomes bilateral constraints.
/// Behind slip_model nobody can tell a body from a formula.
#ifndef SLIP_MODEL_BODIES_H
#define SLIP_MODEL_BODIES_H

#include "model/reader.h"

/// Two components as nodes of the model's graph.
typedef struct slip_vec {
    slip_ref x, y;
} slip_vec;

typedef enum slip_mount {
    SLIP_MOUNT_GROUND,
    SLIP_MOUNT_FREE,
    SLIP_MOUNT_REVOLUTE,
    SLIP_MOUNT_PRISMATIC,
    SLIP_MOUNT_WELD
} slip_mount;

/// x and y of the reference point, angle, displacement along a prismatic joint
enum { SLIP_AXIS_X, SLIP_AXIS_Y, SLIP_AXIS_TH, SLIP_AXIS_S, SLIP_AXIS_COUNT };

typedef struct slip_body {
    const char *name;
    slip_symbol *symbol; ///< NULL: the ground of a model that does not list it
    slip_yaml *node;     ///< the same
    slip_mount mount;
    slip_symbol *axis[SLIP_AXIS_COUNT]; ///< its coordinates; NULL where it has none
    slip_symbol_stage stage;            ///< of its pose
    struct slip_body *on;               ///< what it hangs on; NULL when it is free
    slip_vec hang;                      ///< where, in the frame of that body
    bool moves;
    slip_vec at; ///< reference point
    slip_ref th, cos, sin;
    slip_vec velocity; ///< of the reference point
    slip_ref spin;
} slip_body;

/// A point fixed to a body. body == NULL: there was a mistake.
typedef struct slip_place {
    slip_body *body;
    slip_vec local; ///< in the body's frame
    slip_vec arm;   ///< from the body's reference point, in the ground's frame
    slip_vec at;    ///< in the ground's frame
} slip_place;

/// What a contact between shapes needs to be one of the model's contacts.
struct slip_touch {
    slip_ref gap, slip; ///< slip is a velocity
    slip_vec at;        ///< centre of the knob, with its radius before the contact itself
    slip_ref radius;
    slip_vec normal, tangent; ///< in which the gap opens and the slip counts, seen from the knob's body
    bool knob_moves;          ///< else the force is drawn for the body of the surface
};

typedef struct slip_bodies {
    slip_body *items; ///< items[0] is the ground
    int count;
    slip_ref *along; ///< direction of d/dt: 1 for t, u for q
    int along_count;
    slip_ref kinetic, potential; ///< sums over bodies and springs
    slip_ref *forces;            ///< generalised forces, by coordinate
    bool in_place;               ///< a place in a body is being read: points cannot be used in it
    int mistakes;                ///< made before the bodies were read
    const char **suggestions;    ///< "crank.tip.x", ..., made when the first misspelt name is met
    int suggestion_count;
    const slip_yaml **touching; ///< shapes that a contact names; heap memory
    size_t touching_count, touching_capacity;
} slip_bodies;

// ------------------------------------------------------------------- vectors of nodes (vector.c)

slip_ref slip_node_op(slip_reader *r, slip_op op, slip_ref a, slip_ref b);
slip_ref slip_node_number(slip_reader *r, double value);
slip_ref slip_node_if(slip_reader *r, slip_ref condition, slip_ref then, slip_ref otherwise);
bool slip_node_is(slip_reader *r, slip_ref ref, double value);
slip_vec slip_vec_add(slip_reader *r, slip_vec a, slip_vec b);
slip_vec slip_vec_sub(slip_reader *r, slip_vec a, slip_vec b);
slip_vec slip_vec_scale(slip_reader *r, slip_ref scale, slip_vec a);
slip_vec slip_vec_if(slip_reader *r, slip_ref condition, slip_vec then, slip_vec otherwise);
slip_ref slip_vec_dot(slip_reader *r, slip_vec a, slip_vec b);
slip_vec slip_vec_turned(slip_reader *r, slip_vec a);                             ///< by +90 degrees
slip_vec slip_vec_rotate(slip_reader *r, slip_ref cos, slip_ref sin, slip_vec a); ///< by an angle
slip_vec slip_vec_unrotate(slip_reader *r, slip_ref cos, slip_ref sin, slip_vec a);
/// |a|, with a derivative of 0 instead of none where a is exactly 0.
slip_ref slip_vec_length(slip_reader *r, slip_vec a);
slip_ref slip_time_derivative(slip_reader *r, slip_ref f);

// --------------------------------------------------------------------------- poses (poses.c)

/// The first body is placed, then what stands on it; a circle of joints is a mistake.
void slip_place_bodies(slip_reader *r);

/// A body by name; NULL when there is none.
slip_body *slip_known_body(const slip_reader *r, const char *name, size_t length);

/// Local coordinates of a named point; false when there is none of that name.
bool slip_local_point(slip_reader *r, slip_body *body, const char *name, slip_vec *local);

/// A body by name; a mistake at `where` with the nearest name when there is none.
slip_body *slip_find_body(slip_reader *r, slip_span where, const char *name, size_t length);

/// "crank", "crank.tip" or "crank.centre" at a scalar of the file.
slip_place slip_find_place(slip_reader *r, const slip_yaml *text);

/// local coordinates -> ground's frame
slip_vec slip_body_point(slip_reader *r, const slip_body *body, slip_vec local);
/// velocity of the point of the body that `arm` leads to from its reference point now
slip_vec slip_body_velocity(slip_reader *r, const slip_body *body, slip_vec arm);
slip_vec slip_body_centre(slip_reader *r, slip_body *body); ///< local coordinates

/// Points, shapes and groups that nothing uses are checked all the same (unused.c).
void slip_check_unused(slip_reader *r);

// ------------------------------------------------------------------- reading values (values.c)

/// A constant of parameters as a node; `fallback` when the key is absent.
slip_ref slip_read_length(slip_reader *r, slip_yaml *map, const char *parent, const char *key, const char *of,
                          double fallback);
/// [x, y] of constants; false when there was a mistake.
bool slip_read_place(slip_reader *r, slip_yaml *list, const char *what, slip_vec *out);
/// The one of `keys` that a map has; NULL after saying that there is none or that there are several.
slip_yaml *slip_choose_key(slip_reader *r, slip_yaml *map, const char *const *keys, int count,
                           const char *of);
/// The items of a list or the scalar itself; at most `most`.
int slip_list_items(slip_yaml *node, slip_yaml **items, int most);

// --------------------------------------------------------------------- elements between bodies

void slip_read_body_energies(slip_reader *r); ///< masses, gravity (energy.c)
void slip_read_body_elements(slip_reader *r); ///< springs, dampers, motors, loads (elements.c)

/// The length between two points or the angle between two bodies that an element acts on.
slip_ref slip_read_measure(slip_reader *r, slip_yaml *node, const char *of);

// ----------------------------------------------------------------------------- contacts

/// The contacts of one entry of `clearances`; the next free index (clearances.c).
int slip_declare_clearance(slip_reader *r, slip_yaml *node, int index);

#endif
