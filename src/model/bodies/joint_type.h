/// model/bodies/joint_type.h: a kind of joint is one file with one record, and one line in registry/joints.def.
///
/// It does two things. As the joint of a body (`bodies.*.joint`) it says which motion against what the body
/// hangs on is left, as coordinates. In the section `joints` it closes a loop: it holds what it does not
/// leave, as constraints or, with a stiffness, as springs. Nobody asks for its name.
#ifndef SLIP_MODEL_BODIES_JOINT_TYPE_H
#define SLIP_MODEL_BODIES_JOINT_TYPE_H

#include "model/bodies/rigid_bodies.h"

/// A joint of the section `joints`, while it is read.
typedef struct slip_joint {
    slip_reader *r;
    slip_yaml *node;
    char of[120];
    const slip_joint_type *type;
    slip_place a, b;
    int index;
    bool rubs;     ///< it has friction
    slip_vec axis; ///< that it turns about or slides along, in the ground's frame; set where it rubs
    bool elastic;  ///< it pulls with a stiffness instead of holding exactly
    slip_ref stiffness, damping, stiffness_r, damping_r;
} slip_joint;

typedef enum slip_joint_picture { SLIP_JOINT_NOT_DRAWN, SLIP_JOINT_PIN, SLIP_JOINT_ROD } slip_joint_picture;

enum { SLIP_JOINT_KEYS = 4 }; // that one kind reads of those that several have

struct slip_joint_type {
    slip_part_info info;
    bool space_only;
    const char *in_plane; ///< of one that is for space only: what to write in the plane

    // as the joint of a body
    const char *carries; ///< what its key means there; NULL: it carries no body
    const char *leaves;  ///< which coordinates a body has on it: "turns about a point: it has th only"
    bool turns;          ///< leaves th, in space about `axis`
    bool slides;         ///< leaves s, along `along`
    bool spins;          ///< leaves the attitude, in space
    bool one_axis;       ///< slides along the axis that it turns about
    bool screws;         ///< and by its lead with every turn: th is left, s follows

    // in the section `joints`
    const char *closes; ///< what its key means there; NULL: it closes no loop
    const char *keys[SLIP_JOINT_KEYS], *keys_in_space[SLIP_JOINT_KEYS]; ///< of the section's, which it reads
    bool holds_angles, holds_angles_in_space; ///< then springs need a stiffness for them
    const slip_option *options;               ///< keys of its own, read with slip_joint_option()
    int option_count;
    void (*hold)(slip_joint *c), (*hold_in_space)(slip_joint *c);
    const char *frictionless;   ///< why it has no `friction`, where it moves; NULL: as its motion says
    slip_joint_picture picture; ///< in the plane; in space only rods are drawn
};

#define PART(symbol, name) extern const slip_joint_type slip_joint_##symbol;
#include "registry/joints.def"
#undef PART

/// NULL past the end.
const slip_joint_type *slip_joint_type_at(int k);

/// The kind that a map names by its key, and the value of that key; NULL after a mistake. `carries`: among
/// those that carry a body, else among those that close loops.
const slip_joint_type *slip_choose_joint(slip_reader *r, slip_yaml *map, bool carries, const char *of,
                                         slip_yaml **value);

// ------------------------------------------------------------------------ what joints hold, to be put
// together

/// Keeps a length or, with `turning`, an angle at 0: as the next constraint, whose name ends in `suffix`
/// (pin_x, pin_y), or as a spring and damper.
void slip_joint_constrain(slip_joint *c, const char *suffix, slip_ref zero, bool turning);

void slip_joint_constrain_place(slip_joint *c); ///< a place of the first body sits on one of the second
void slip_joint_constrain_angle(
    slip_joint *c); ///< in the plane: the first body does not turn against the second
void slip_joint_constrain_line(
    slip_joint *c); ///< in the plane: across the direction `along`, which the second body carries

void slip_joint_constrain_axis(
    slip_joint *c); ///< in space: `axis` of the second and `own_axis` of the first stay parallel
void slip_joint_constrain_line_3d(
    slip_joint *c); ///< the place moves along a line that the second body carries
void slip_joint_constrain_attitude(
    slip_joint *c); ///< in space: the first body does not turn against the second
void slip_joint_constrain_line_of_axis(
    slip_joint *c); ///< in space: the place moves along `axis`, which the second body carries
void slip_joint_constrain_plane(slip_joint *c); ///< in space: the place stays in the plane across `axis`
void slip_joint_constrain_crossed_axes(
    slip_joint *c); ///< in space: `axis` of the second and `own_axis` of the first stay at right angles

/// The two motions that a transmission connects, against its carrier: angles or displacements.
typedef struct slip_transmission {
    slip_ref first, second; ///< first = ratio second + offset
    slip_ref ratio;
    bool turns; ///< the first is an angle, and so is the offset
} slip_transmission;

/// The angle of a body against the carrier, and the displacement along its joint; SLIP_NONE after a mistake.
slip_ref slip_transmission_angle(slip_joint *c, slip_body *body);
slip_ref slip_transmission_slide(slip_joint *c, slip_body *body);

/// Keeps them together, and loses power by the efficiencies of the joint (transmissions.c).
void slip_joint_transmit(slip_joint *c, slip_transmission t);

/// Whether a joint has friction, by its keys; what is wrong with them is reported.
bool slip_joint_has_friction(slip_reader *r, const slip_joint_type *type, const slip_yaml *map,
                             const char *parent, const char *of);

/// Its friction, under a name of its own: `first` is the number of its first constraint, `axis` what it turns
/// about or slides along.
void slip_joint_add_friction(slip_joint *c, const char *name, const char *parent, int first, slip_vec axis);

/// The value of one of its own options, as a node; SLIP_NONE after a mistake.
slip_ref slip_joint_option(slip_joint *c, const slip_option *option);

#endif
