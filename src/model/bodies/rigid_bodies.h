/// model/bodies/rigid_bodies.h: rigid bodies become coordinates, energies, constraints and gaps.
///
/// Every body has a frame: a reference point and its attitude against the ground. A body's own joint makes
/// the tree: `revolute` leaves it an angle, `prismatic` a displacement, `spherical` its attitude, `weld`
/// nothing (joint.h), and a body without a joint has its position and attitude. Positions are expressions in
/// these coordinates, velocities their exact time derivatives; what closes a loop (the section `joints`)
/// becomes bilateral constraints. Behind slip_model nobody can tell a body from a formula.
///
/// The plane is the case without a third component: vectors have two, the attitude is one angle th. Angles
/// in the plane are absolute, so the mass matrix of a chain holds cosines of differences only, as in
/// textbooks. In space (`space: 3`) attitudes are rotation matrices, angles of joints are against what the
/// joint hangs on, and a free attitude is a quaternion whose rates are the spin (attitude.c).
#ifndef SLIP_MODEL_BODIES_RIGID_BODIES_H
#define SLIP_MODEL_BODIES_RIGID_BODIES_H

#include "model/reader/reader.h"

/// Components as nodes of the model's graph; z is not looked at in the plane.
typedef struct slip_vec {
    slip_ref x, y, z;
} slip_vec;

/// A rotation matrix by columns: the axes of a frame.
typedef struct slip_rotation_matrix {
    slip_vec axis[3];
} slip_rotation_matrix;

typedef enum slip_mount {
    SLIP_MOUNT_GROUND,
    SLIP_MOUNT_FREE,
    SLIP_MOUNT_JOINT,  ///< hangs on another body, or on the ground
    SLIP_MOUNT_INVALID ///< by a mistake nobody knows on what: nothing of it is free
} slip_mount;

typedef struct slip_joint_type slip_joint_type; ///< joint.h

/// x, y (and z) of the reference point, angle, displacement along a prismatic joint
enum { SLIP_AXIS_X, SLIP_AXIS_Y, SLIP_AXIS_Z, SLIP_AXIS_TH, SLIP_AXIS_S, SLIP_AXIS_COUNT };
extern const char *const slip_axis_names[SLIP_AXIS_COUNT];

typedef struct slip_body {
    const char *name;
    slip_symbol *symbol; ///< NULL: the ground of a model that does not list it
    slip_yaml *node;     ///< the same
    slip_mount mount;
    const slip_joint_type *joint;       ///< that it hangs on; NULL when it does not
    slip_symbol *axis[SLIP_AXIS_COUNT]; ///< its coordinates; NULL where it has none
    slip_symbol *attitude[4];           ///< its quaternion w, x, y, z; NULL where it has none
    slip_symbol_stage stage;            ///< of its pose
    slip_symbol *held[3];               ///< coordinates of what its joint holds, where that has friction
    int held_count;
    slip_vec joint_axis;  ///< of such a joint, in the ground's frame
    struct slip_body *on; ///< what it hangs on; NULL when it is free
    slip_vec hang;        ///< where, in the frame of that body
    bool moves;
    slip_vec at;       ///< reference point
    slip_vec velocity; ///< of the reference point
    // in the plane
    slip_ref th, cos, sin, spin;
    // in space
    slip_rotation_matrix turn; ///< attitude
    slip_ref quaternion[4];    ///< the same, of length 1
    slip_vec omega, own;       ///< spin in the axes of the ground, and in its own
    bool round;                ///< its inertia is one number: the same about all axes
    bool waits;                ///< turn, quaternion, omega and own are made when something asks (attitude.c)
    // in a crowd
    bool crowd;      ///< free, and its contacts are found: its masses and forces are numbers (found.c)
    int found;       ///< its number among the bodies of the crowd, from 1; 0: it is none
    int first_found; ///< its shapes there
    int found_count;
} slip_body;

/// A point fixed to a body. body == NULL: there was a mistake.
typedef struct slip_place {
    slip_body *body;
    slip_vec local; ///< in the body's frame
    slip_vec arm;   ///< from the body's reference point, in the ground's frame
    slip_vec at;    ///< in the ground's frame
} slip_place;

/// What a contact between shapes needs to be one of the model's contacts.
struct slip_shape_contact {
    slip_ref gap, slip[2]; ///< slip is a velocity; one component in the plane, two in space
    slip_vec at;           ///< where it touches
    slip_ref curvature;    ///< m, radius R of spheres, 1/R = 1/R1 + 1/R2; SLIP_NONE where it is not known
    slip_vec normal, tangent[2]; ///< in which the gap opens and the slip counts, seen from the feature's body
    const slip_body *own, *other; ///< of the feature, of the surface; NULL where contacts are found
    bool found;                   ///< stands for all contacts of a set: gap and slip are 0
    bool feature_moves;           ///< else the force is drawn for the body of the surface
};

/// What a joint with clearance would hold without it: a guess is moved until it does.
typedef struct slip_centring {
    slip_ref zero;
    const slip_yaml *node; ///< the clearance
    slip_ref play;         ///< by how much it may be off
} slip_centring;

typedef struct slip_bodies {
    slip_body *items; ///< items[0] is the ground
    int count;
    bool space;                   ///< three dimensions
    slip_known_derivative *known; ///< rates along the motion, sorted by node; heap memory
    size_t known_count, known_capacity;
    slip_ref *along; ///< direction of d/dt: 1 for t, u for q
    int along_count;
    slip_ref kinetic, potential; ///< sums over bodies and springs
    slip_ref *forces;            ///< generalised forces, by coordinate
    bool finds;                  ///< some contacts of the model are found
    bool in_place;               ///< a place in a body is being read: points cannot be used in it
    slip_centring *centrings;    ///< of joints with clearance; heap memory
    size_t centring_count, centring_capacity;
    int mistakes;             ///< made before the bodies were read
    const char **suggestions; ///< "crank.tip.x", ..., made when the first misspelt name is met
    int suggestion_count;
    const slip_yaml **touching; ///< shapes that a contact names; heap memory
    size_t touching_count, touching_capacity;
    struct slip_detect_reading *found; ///< contacts that are found; NULL: none
    struct slip_used_names *words;     ///< that formulas use (named.c); NULL: not asked for yet
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
slip_vec slip_vec_perpendicular(slip_reader *r, slip_vec a);                      ///< by +90 degrees
slip_vec slip_vec_rotate(slip_reader *r, slip_ref cos, slip_ref sin, slip_vec a); ///< by an angle
slip_vec slip_vec_unrotate(slip_reader *r, slip_ref cos, slip_ref sin, slip_vec a);
/// |a|, with a derivative of 0 instead of none where a is exactly 0.
slip_ref slip_vec_length(slip_reader *r, slip_vec a);
slip_vec slip_vec_over(slip_reader *r, slip_vec a, slip_ref divisor);
slip_vec slip_vec_cross(slip_reader *r, slip_vec a, slip_vec b); ///< in space
slip_vec slip_vec_none(void);                                    ///< a mistake was made
slip_vec slip_vec_zero(slip_reader *r);
bool slip_vec_is_complete(const slip_reader *r, slip_vec a); ///< no component is missing
slip_ref slip_vec_part(slip_vec a, int k);
int slip_dimensions(const slip_reader *r);
slip_ref slip_time_derivative(slip_reader *r, slip_ref f);
slip_vec slip_vec_rate(slip_reader *r, slip_vec a);

/// The rate of a node along the motion, from now on taken and not derived; nodes without inputs are left.
void slip_set_known_rate(slip_reader *r, slip_ref node, slip_ref rate);

// ------------------------------------------------------------------------ attitudes in space (turn.c)

slip_rotation_matrix slip_rotation_matrix_identity(slip_reader *r);
slip_rotation_matrix slip_rotation_matrix_about(slip_reader *r, slip_vec axis,
                                                slip_ref angle); ///< axis of length 1
slip_rotation_matrix slip_rotation_matrix_of(slip_reader *r, const slip_ref quaternion[4]); ///< of length 1
slip_rotation_matrix slip_rotation_matrix_product(slip_reader *r, const slip_rotation_matrix *outer,
                                                  const slip_rotation_matrix *inner);
slip_vec slip_rotation_matrix_apply(slip_reader *r, const slip_rotation_matrix *turn, slip_vec a);
slip_vec slip_rotation_matrix_apply_inv(slip_reader *r, const slip_rotation_matrix *turn, slip_vec a);

/// a b for quaternions; a[0] or b[0] may be SLIP_NONE for a vector.
void slip_quaternion_nodes_product(slip_reader *r, const slip_ref a[4], const slip_ref b[4], slip_ref out[4]);
void slip_quaternion_nodes_about(slip_reader *r, slip_vec axis, slip_ref angle, slip_ref out[4]);
void slip_quaternion_nodes_identity(slip_reader *r, slip_ref out[4]);

/// A turn that brings z to a direction of constants; false when out of memory.
bool slip_quaternion_nodes_to_direction(slip_reader *r, slip_vec direction, slip_ref out[4]);

/// A direction of constants, made one long; false after a mistake, and for one without length.
bool slip_read_direction(slip_reader *r, slip_yaml *list, const char *what, slip_vec *out);

/// Axis and angle, or four numbers of a quaternion; none when node is NULL. False after a mistake.
bool slip_read_rotation(slip_reader *r, slip_yaml *node, const char *what, slip_ref quaternion[4]);

// ---------------------------------------------------------------- free attitudes in space (attitude.c)

/// Coordinates for the quaternion of a body; their number is added to *count.
void slip_declare_attitude(slip_reader *r, slip_body *body, int *count);

/// Turns a body by its quaternion, on top of what it hangs on.
void slip_pose_attitude(slip_reader *r, slip_body *body);

/// The same, but now only that it is missing: thousands of free bodies that only touch what they meet are
/// numbers, and formulas for how they turn would be most of their memory.
void slip_defer_attitude(slip_reader *r, slip_body *body);

/// Makes what was left, if it was: before turn, omega or own of a body are looked at.
void slip_complete_attitude(slip_reader *r, slip_body *body);

/// p/|p| alone, which drawings need; of a body that is numbers p, which is given to them at length 1.
void slip_body_quaternion(slip_reader *r, const slip_body *body, slip_ref out[4]);

/// Start and rate of one of the four coordinates.
void slip_read_attitude_start(slip_reader *r, const slip_symbol *s, slip_coordinate *c);

/// qw, qx, qy, qz, wx, wy, wz, w1, w2, w3 of a body; false when the name is none of these.
bool slip_attitude_in_formula(slip_reader *r, slip_body *body, const char *name, bool rate, slip_ref *value,
                              bool *moves);

/// What the joint of a body leaves it: an angle th, a displacement s, its attitude.
bool slip_body_turns(const slip_body *body);
bool slip_body_slides(const slip_body *body);
bool slip_body_spins(const slip_body *body);

// ------------------------------------------------------------ friction of joints (joint_friction.c)

/// Coordinates for what the joint of a body holds, where it has friction; their number is added to *count.
void slip_declare_constrained_axes(slip_reader *r, slip_body *body, int *count);

/// The value of one of them; 0 when there is none.
slip_ref slip_constrained_axis_value(slip_reader *r, const slip_body *body, int k);

/// Constraints and frictions of such joints; the next free number of a constraint.
int slip_declare_mount_frictions(slip_reader *r, int index);

/// Whether a joint, with friction or without, has this name.
bool slip_is_joint(slip_reader *r, const char *name, size_t length);

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

/// local directions -> ground's frame
slip_vec slip_body_rotate(slip_reader *r, slip_body *body, slip_vec local);
/// local coordinates -> ground's frame
slip_vec slip_body_point(slip_reader *r, slip_body *body, slip_vec local);
/// velocity of the point of the body that `arm` leads to from its reference point now
slip_vec slip_body_velocity(slip_reader *r, slip_body *body, slip_vec arm);
slip_vec slip_body_centre(slip_reader *r, slip_body *body); ///< local coordinates

/// Points, shapes and groups that nothing uses are checked all the same (unused.c).
void slip_check_unused(slip_reader *r);

// ------------------------------------------------------------------- reading values (reading.c)

/// A constant of parameters as a node; `fallback` when the key is absent.
slip_ref slip_read_length(slip_reader *r, slip_yaml *map, const char *parent, const char *key, const char *of,
                          double fallback);
/// [x, y] or [x, y, z] of constants; false when there was a mistake.
bool slip_read_place(slip_reader *r, slip_yaml *list, const char *what, slip_vec *out);
/// A direction is an angle in the plane and a list of three in space; anything else is a mistake.
void slip_check_direction(slip_reader *r, slip_yaml *node);
/// The one of `keys` that a map has; NULL after saying that there is none or that there are several.
slip_yaml *slip_choose_key(slip_reader *r, slip_yaml *map, const char *const *keys, int count,
                           const char *of);
/// The items of a list or the scalar itself; at most `most`.
int slip_list_items(slip_yaml *node, slip_yaml **items, int most);

// --------------------------------------------------------------------- elements between bodies

void slip_read_body_energies(slip_reader *r); ///< masses, gravity (energy.c)
bool slip_read_gravity(slip_reader *r, slip_vec *g);
void slip_add_weight(slip_reader *r, slip_vec g, slip_vec moment);
void slip_read_inertias(slip_reader *r, slip_vec g); ///< in space (tensors.c)

/// xx, yy, zz, xy, xz, yz of one, three or six numbers; the others are SLIP_NONE. False after a mistake.
bool slip_read_moments(slip_reader *r, const slip_body *body, slip_ref moment[6]);
/// False, with a message, for a coordinate that moves nothing that has mass.
void slip_check_inertias(slip_reader *r);
void slip_read_body_elements(slip_reader *r); ///< springs, dampers, motors, loads (springs.c)

/// The length between two points or the angle between two bodies that an element acts on.
slip_ref slip_read_measure(slip_reader *r, slip_yaml *node, const char *of);

/// Generalised forces of a force along a rate that is linear in u: Q_k += force d rate/d u_k.
void slip_add_generalized_force(slip_reader *r, slip_ref force, slip_ref rate);

/// Two directions that make a frame with a constant one, t1 x t2 = axis (constraints.c).
bool slip_perpendicular_axes(slip_reader *r, slip_vec axis, slip_vec *t1, slip_vec *t2);

// ----------------------------------------------------------------------------- contacts

/// The contacts of one entry of `clearances`; the next free index (clearances.c).
int slip_declare_clearance(slip_reader *r, slip_yaml *node, int index);

/// Whether a formula or a part that acts on bodies uses this name (named.c).
bool slip_is_name_used(slip_reader *r, const char *name);
void slip_release_used_names(slip_bodies *b);

/// Materials of a crowd (materials.c): the table of pairs; which one a body has, -1: none.
void slip_read_materials(slip_reader *r, struct slip_detect_model *crowd);

/// "rolling" and "spinning"; says so where a contact or a pair in the plane has the second.
const char *slip_contact_couple_key(int kind);
void slip_refuse_spinning_friction(slip_reader *r, const slip_yaml *node);

/// Where the bodies of `fill:` start (fill.c); a mistake where no contact is found: crowd is NULL.
void slip_place_fills(slip_reader *r, struct slip_detect_model *crowd);
int slip_material_of(slip_reader *r, const slip_yaml *body);

/// Whether a name is one of "ball*".
bool slip_name_begins(const slip_yaml *pattern, const char *name);

void slip_release_detected(slip_bodies *bodies); ///< what is not in a pool (found.c)

#endif
