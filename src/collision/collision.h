/// collision/collision.h: convex solids, and the contact points of two of them.
///
/// A solid is a convex shape in the frame of its body. For two solids at given poses slip_collide finds
/// contact points: places where their surfaces are closer than a margin, each with a gap (negative where they
/// overlap), a unit normal and an identity that stays the same as long as the same features touch.
///
///     slip_solid ball, floor;
///     slip_solid_sphere(&ball, 0.1, &error);
///     slip_solid_plane(&floor, (double[3]){ 0, 0, 1 }, 0.0, &error);
///     slip_manifold_point touch[SLIP_MANIFOLD_MAX_POINTS];
///     int count = slip_collide(&ball, &pose, &floor, &SLIP_POSE_IDENTITY, 0.01, touch);
///
/// Properties of a contact point. The normal n is the exact one of the two features that touch: that of the
/// face where a vertex or a rim touches a face, perpendicular to both edges where two edges touch, along the
/// line of nearest points for round surfaces. `point` lies on that line, halfway between the surfaces, so
/// that the rate of the gap is the normal velocity there:
///     gap' = n . (v_a(point) - v_b(point)),     v(p) the velocity of the body at p.
/// The gap is a smooth function of both poses while the identity stays the same. Overlap is measured as the
/// shortest translation that separates the solids (max over unit n of min_A n.x - max_B n.y, which is the
/// distance where they are apart), exactly for polytopes, and for round solids as long as the overlap is less
/// than their radii of curvature.
///
/// Solids in space collide with solids in space, and solids in the plane z = 0 with those in the plane;
/// half-spaces collide with everything except each other. Nothing here allocates, prints or keeps state.
#ifndef SLIP_COLLISION_COLLISION_H
#define SLIP_COLLISION_COLLISION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct slip_hull;

/// Where a body is: its origin and its attitude, a unit quaternion with the scalar first.
typedef struct slip_pose {
    double x[3], q[4];
} slip_pose;

#define SLIP_POSE_IDENTITY ((slip_pose){ .q = { 1.0 } })

/// name, word, in the plane only
#define SLIP_SOLIDS(X)                                                                                       \
    X(SPHERE, "sphere", false)                                                                               \
    X(CAPSULE, "capsule", false)                                                                             \
    X(BOX, "box", false)                                                                                     \
    X(HULL, "hull", false)                                                                                   \
    X(CYLINDER, "cylinder", false)                                                                           \
    X(ELLIPSOID, "ellipsoid", false)                                                                         \
    X(HALFSPACE, "plane", false)                                                                             \
    X(DISC, "disc", true)                                                                                    \
    X(POLYGON, "polygon", true)

#define SLIP_SOLID_AS_ENUM(name, word, flat) SLIP_SOLID_##name,
typedef enum slip_solid_kind { SLIP_SOLIDS(SLIP_SOLID_AS_ENUM) SLIP_SOLID_COUNT } slip_solid_kind;

/// A convex solid. Made by the functions below, which check it; `points` and `hull` are borrowed.
typedef struct slip_solid {
    slip_solid_kind kind;
    slip_pose local; ///< pose of the shape in its body; SLIP_POSE_IDENTITY unless set
    double radius;   ///< sphere, capsule, cylinder, disc
    double half[3];  ///< box: half edges; ellipsoid: semi-axes; capsule, cylinder: half length of the
                     ///< straight part in half[2], along z
    double normal[3], offset;     ///< half-space: free where normal . x > offset
    const struct slip_hull *hull; ///< hull
    const double *points;         ///< polygon: x, y of its corners, anticlockwise
    int point_count;
} slip_solid;

/// Sizes are in m and have to be finite and positive.
slip_status slip_solid_sphere(slip_solid *solid, double radius, slip_error *error);
/// `length` is that of the straight part, along z, without the round ends.
slip_status slip_solid_capsule(slip_solid *solid, double radius, double length, slip_error *error);
slip_status slip_solid_box(slip_solid *solid, const double edges[3], slip_error *error);
slip_status slip_solid_cylinder(slip_solid *solid, double radius, double length, slip_error *error);
slip_status slip_solid_ellipsoid(slip_solid *solid, const double axes[3], slip_error *error); ///< semi-axes
/// A hull from convex_hull.h, which must outlive the solid.
slip_status slip_solid_hull(slip_solid *solid, const struct slip_hull *hull, slip_error *error);
/// The half-space normal . x <= offset is solid; the normal need not have length 1.
slip_status slip_solid_plane(slip_solid *solid, const double normal[3], double offset, slip_error *error);
slip_status slip_solid_disc(slip_solid *solid, double radius, slip_error *error);
/// Corners x, y one after another, anticlockwise, strictly convex, at most SLIP_POLYGON_MAX; borrowed.
enum { SLIP_POLYGON_MAX = 64 };
slip_status slip_solid_polygon(slip_solid *solid, const double *points, int count, slip_error *error);

/// Places the shape in its body; the quaternion is normalised.
slip_status slip_solid_place(slip_solid *solid, const double at[3], const double attitude[4],
                             slip_error *error);

const char *slip_solid_name(slip_solid_kind kind); ///< "capsule"

/// Whether slip_collide accepts a pair: both in space, both in the plane, or one a half-space.
bool slip_solid_can_collide(slip_solid_kind a, slip_solid_kind b);

/// Most contact points of a pair.
enum { SLIP_MANIFOLD_MAX_POINTS = 8 };

typedef struct slip_manifold_point {
    uint64_t id;      ///< of the features that touch; different for all points of a pair
    int a, b;         ///< bodies, for callers that keep points; slip_collide writes -1
    double point[3];  ///< halfway between the surfaces
    double normal[3]; ///< unit, from b to a
    double gap;       ///< m, negative where they overlap
} slip_manifold_point;

/// Finds the contact points of two solids whose bodies are at `pa` and `pb`, those with gap <= margin, and
/// returns their number, at most SLIP_MANIFOLD_MAX_POINTS. The nearest one is always included. Identities do
/// not depend on the order of a and b, except that their halves are exchanged.
int slip_collide(const slip_solid *a, const slip_pose *pa, const slip_solid *b, const slip_pose *pb,
                 double margin, slip_manifold_point touch[SLIP_MANIFOLD_MAX_POINTS]);

/// An axis-parallel box around a solid, enlarged by `margin` on each side. Half-spaces are unbounded.
typedef struct slip_aabb {
    double low[3], high[3];
} slip_aabb;
slip_aabb slip_solid_aabb(const slip_solid *solid, const slip_pose *pose, double margin);

/// Radius of a ball about the origin of the body that contains the solid; infinite for a half-space.
double slip_solid_bounding_radius(const slip_solid *solid);

/// A vertex, edge or face; and the half of an identity that stands for it.
#define SLIP_FEATURES(X)           X(ROUND) X(VERTEX) X(EDGE) X(FACE)
#define SLIP_FEATURE_AS_ENUM(name) SLIP_FEATURE_##name,
typedef enum slip_feature { SLIP_FEATURES(SLIP_FEATURE_AS_ENUM) SLIP_FEATURE_COUNT } slip_feature;

static inline uint64_t slip_manifold_point_id(slip_feature a, int number_a, slip_feature b, int number_b)
{
    const uint64_t half_a = (uint64_t)a << 28 | (uint64_t)number_a;
    const uint64_t half_b = (uint64_t)b << 28 | (uint64_t)number_b;
    return half_a << 32 | half_b;
}

#endif
