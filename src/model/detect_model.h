/// model/detect_model.h: bodies whose contacts are detected during the motion.
///
/// A body that moves freely and touches what it meets needs no formulas: its mass, inertia and weight are
/// numbers, and so are the rows of its contacts. Its coordinates are inputs of the graph as all others, so
/// that records and drawings can name them. What moves in a known way, and the ground, take part with poses
/// that depend on t alone; bodies that hang on joints, and those that formulas act on, with poses that depend
/// on t and on coordinates that the equations of motion move (equations.h).
#ifndef SLIP_MODEL_DETECT_MODEL_H
#define SLIP_MODEL_DETECT_MODEL_H

#include "collision/collision.h"
#include "model/model.h"

typedef struct slip_detect_body {
    const char *name;
    int coordinate;      ///< its first one: x, y, z, then where it turns qw, qx, qy, qz; -1: it has none
    bool turns;          ///< it has an attitude of its own
    bool plain;          ///< what is drawn of it takes the quaternion for one of length 1
    bool in_ground_axes; ///< its rates are those of the spin in the axes of the ground; else in its own
    int material;        ///< index among the materials; -1: none
    double mass;         ///< kg; 0 without coordinates
    double moment[6];    ///< kg m^2, about its centre, in its own axes: xx, yy, zz, xy, xz, yz
    double centre[3];    ///< of mass, in its own frame, m
    bool jointed;        ///< formulas move it: the nodes below depend on coordinates, too
    int on;              ///< index of the body to which its joint connects it; -1: the ground, or no joint
    slip_ref at[3], turn[4], velocity[3],
        spin[3]; ///< without coordinates: nodes of t; spin in the ground's axes
    bool moves;  ///< it does, without coordinates
} slip_detect_body;

/// Sets are bits.
enum { SLIP_DETECT_SETS = 64 };

typedef struct slip_detect_shape {
    int body;
    slip_solid solid; ///< about the centre of mass of its body
    double hollow;    ///< m, of a mesh: depth of the hollows that its hull, the solid, closes; 0: none
    bool runs;        ///< its surface does, as a belt
    slip_ref belt[3]; ///< how fast then, against its body, in the axes of the ground: nodes of t, and of
                      ///< coordinates on a body that formulas move
    uint64_t sets;    ///< it touches what shares one of these; the lowest one that both have says how
} slip_detect_shape;

typedef struct slip_detect_model {
    bool planar; ///< a body has x, y and, where it turns, th; shapes lie in z = 0
    int body_count, shape_count, set_count;
    slip_detect_body *bodies;      ///< that take part
    slip_detect_shape *shapes;     ///< body by body
    int element[SLIP_DETECT_SETS]; ///< of each set: its number among the contacts of the model
    double gravity[3];             ///< m/s^2; NaN where it varies
    slip_ref pull[3];              ///< the same as nodes of t
    bool pull_varies;
    bool *numeric; ///< per coordinate of the model: of a body that is numbers
    bool mixed;    ///< there are others, or contacts that are written
    int material_count;
    double *friction, *at_rest, *restitution; ///< of pairs of materials, row by row; NaN: as the contact says
    double *resistance[2]; ///< the same: lengths, of the couples against rolling and drilling over the normal
                           ///< force
    double resists[2][SLIP_DETECT_SETS]; ///< those of each set
} slip_detect_model;

/// A mesh that is not convex may touch with a hollow that its solid, the hull, closes: not a plane, which touches a
/// mesh where it touches the hull.
static inline bool slip_detect_hollow_matters(const slip_detect_shape *mesh, const slip_detect_shape *other)
{
    return mesh->hollow > 0.0 && other->solid.kind != SLIP_SOLID_HALFSPACE;
}

#endif
