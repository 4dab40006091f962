/// collision/vector3.h: vectors, rotations and frames in three dimensions, inline.
#ifndef SLIP_COLLISION_VECTOR3_H
#define SLIP_COLLISION_VECTOR3_H

#include <math.h>

#include "collision/collision.h"

typedef struct slip_v3 {
    double x, y, z;
} slip_v3;

/// Columns are the axes of a frame, in world coordinates.
typedef struct slip_axes {
    slip_v3 x, y, z, at;
} slip_axes;

static inline slip_v3 v3(double x, double y, double z)
{
    return (slip_v3){ x, y, z };
}

static inline slip_v3 v3_of(const double a[3])
{
    return (slip_v3){ a[0], a[1], a[2] };
}

static inline void v3_into(slip_v3 a, double into[3])
{
    into[0] = a.x, into[1] = a.y, into[2] = a.z;
}

static inline slip_v3 v3_add(slip_v3 a, slip_v3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline slip_v3 v3_sub(slip_v3 a, slip_v3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline slip_v3 v3_scale(double s, slip_v3 a)
{
    return v3(s * a.x, s * a.y, s * a.z);
}

static inline slip_v3 v3_neg(slip_v3 a)
{
    return v3(-a.x, -a.y, -a.z);
}

/// a + s b
static inline slip_v3 v3_add_scaled(slip_v3 a, double s, slip_v3 b)
{
    return v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double v3_dot(slip_v3 a, slip_v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline slip_v3 v3_cross(slip_v3 a, slip_v3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_norm(slip_v3 a)
{
    return sqrt(v3_dot(a, a));
}

/// a / |a|; a itself where that is 0.
static inline slip_v3 v3_unit(slip_v3 a)
{
    const double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z), larger = x > y ? x : y;
    const double size = larger > z ? larger : z;
    if (!(size > 0.0)) return a;
    const slip_v3 b = v3_scale(1.0 / size, a); // no overflow or underflow of squares
    return v3_scale(1.0 / v3_norm(b), b);
}

/// A unit vector perpendicular to the unit vector n; the same n gives the same vector.
static inline slip_v3 v3_perpendicular(slip_v3 n)
{
    const slip_v3 axis = fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    return v3_unit(v3_cross(n, axis));
}

/// From the frame to world coordinates; and back.
static inline slip_v3 v3_to_world(const slip_axes *f, slip_v3 a)
{
    return v3_add_scaled(v3_add_scaled(v3_scale(a.x, f->x), a.y, f->y), a.z, f->z);
}

static inline slip_v3 v3_to_local(const slip_axes *f, slip_v3 a)
{
    return v3(v3_dot(f->x, a), v3_dot(f->y, a), v3_dot(f->z, a));
}

/// The same for points.
static inline slip_v3 v3_point_to_world(const slip_axes *f, slip_v3 a)
{
    return v3_add(f->at, v3_to_world(f, a));
}

static inline slip_v3 v3_point_to_local(const slip_axes *f, slip_v3 a)
{
    return v3_to_local(f, v3_sub(a, f->at));
}

/// Axes of a unit quaternion.
static inline slip_axes slip_axes_from_pose(const double x[3], const double q[4])
{
    const double w = q[0], i = q[1], j = q[2], k = q[3];
    return (slip_axes){ .x = v3(1 - 2 * (j * j + k * k), 2 * (i * j + w * k), 2 * (i * k - w * j)),
                        .y = v3(2 * (i * j - w * k), 1 - 2 * (i * i + k * k), 2 * (j * k + w * i)),
                        .z = v3(2 * (i * k + w * j), 2 * (j * k - w * i), 1 - 2 * (i * i + j * j)),
                        .at = v3_of(x) };
}

#endif
