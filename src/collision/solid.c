/// collision/solid.c: constructors of solids, with their checks.
#include "collision/collision.h"

#include <assert.h>
#include <string.h>

#include "collision/convex_hull.h"
#include "collision/vector3.h"
#include "collision/collision_tolerances.h"

#define SLIP_SOLID_AS_NAME(name, word, flat) word,
#define SLIP_SOLID_AS_FLAT(name, word, flat) flat,
static const char *const names[SLIP_SOLID_COUNT] = { SLIP_SOLIDS(SLIP_SOLID_AS_NAME) };
static const bool is_flat[SLIP_SOLID_COUNT] = { SLIP_SOLIDS(SLIP_SOLID_AS_FLAT) };

const char *slip_solid_name(slip_solid_kind kind)
{
    return names[kind];
}

bool slip_solid_can_collide(slip_solid_kind a, slip_solid_kind b)
{
    if (a == SLIP_SOLID_HALFSPACE || b == SLIP_SOLID_HALFSPACE) return a != b;
    return is_flat[a] == is_flat[b];
}

static slip_status check_size(slip_solid_kind kind, const char *what, double size, slip_error *error)
{
    if (size >= MIN_SIZE && size <= MAX_SIZE) return SLIP_OK;
    return slip_fail(error, SLIP_BAD_ARGUMENT, names[kind], "%s must be between %g and %g, got %g", what,
                     MIN_SIZE, MAX_SIZE, size);
}

static slip_solid make_solid(slip_solid_kind kind)
{
    return (slip_solid){ .kind = kind, .local = SLIP_POSE_IDENTITY };
}

slip_status slip_solid_sphere(slip_solid *solid, double radius, slip_error *error)
{
    *solid = make_solid(SLIP_SOLID_SPHERE);
    solid->radius = radius;
    return check_size(solid->kind, "radius", radius, error);
}

slip_status slip_solid_disc(slip_solid *solid, double radius, slip_error *error)
{
    *solid = make_solid(SLIP_SOLID_DISC);
    solid->radius = radius;
    return check_size(solid->kind, "radius", radius, error);
}

static slip_status make_with_length(slip_solid *solid, slip_solid_kind kind, double radius, double length,
                                    slip_error *error)
{
    *solid = make_solid(kind);
    solid->radius = radius;
    solid->half[2] = 0.5 * length;
    const slip_status status = check_size(kind, "radius", radius, error);
    return status != SLIP_OK ? status : check_size(kind, "length", length, error);
}

slip_status slip_solid_capsule(slip_solid *solid, double radius, double length, slip_error *error)
{
    return make_with_length(solid, SLIP_SOLID_CAPSULE, radius, length, error);
}

slip_status slip_solid_cylinder(slip_solid *solid, double radius, double length, slip_error *error)
{
    return make_with_length(solid, SLIP_SOLID_CYLINDER, radius, length, error);
}

static slip_status make_with_axes(slip_solid *solid, slip_solid_kind kind, double factor,
                                  const double size[3], slip_error *error)
{
    static const char *const what[3] = { "size along x", "size along y", "size along z" };
    *solid = make_solid(kind);
    for (int i = 0; i < 3; i++) {
        const slip_status status = check_size(kind, what[i], size[i], error);
        if (status != SLIP_OK) return status;
        solid->half[i] = factor * size[i];
    }
    return SLIP_OK;
}

slip_status slip_solid_box(slip_solid *solid, const double edges[3], slip_error *error)
{
    return make_with_axes(solid, SLIP_SOLID_BOX, 0.5, edges, error);
}

slip_status slip_solid_ellipsoid(slip_solid *solid, const double axes[3], slip_error *error)
{
    return make_with_axes(solid, SLIP_SOLID_ELLIPSOID, 1.0, axes, error);
}

slip_status slip_solid_hull(slip_solid *solid, const slip_hull *hull, slip_error *error)
{
    *solid = make_solid(SLIP_SOLID_HULL);
    if (!hull) return slip_fail(error, SLIP_BAD_ARGUMENT, "hull", "there is none");
    solid->hull = hull;
    return SLIP_OK;
}

slip_status slip_solid_plane(slip_solid *solid, const double normal[3], double offset, slip_error *error)
{
    *solid = make_solid(SLIP_SOLID_HALFSPACE);
    const double size = fmax(fmax(fabs(normal[0]), fabs(normal[1])), fabs(normal[2]));
    if (!(size >= MIN_SIZE && size <= MAX_SIZE && isfinite(normal[0] + normal[1] + normal[2])))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "plane", "the normal (%g, %g, %g) has no direction",
                         normal[0], normal[1], normal[2]);
    if (!isfinite(offset)) return slip_fail(error, SLIP_BAD_ARGUMENT, "plane", "the offset is %g", offset);
    const slip_v3 n = v3_scale(1.0 / size, v3_of(normal));
    const double length = v3_norm(n);
    v3_into(v3_scale(1.0 / length, n), solid->normal);
    solid->offset = offset / (length * size);
    return SLIP_OK;
}

// twice the area of the corner at i
static double corner_area(const double *p, int count, int i)
{
    const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % count), *c = p + 2 * ((i + 2) % count);
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

// Twice the area, which shows whether the corners go round once.
static double total_area(const double *p, int count)
{
    double twice = 0.0;
    for (int i = 0; i < count; i++) {
        const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % count);
        twice += (a[0] - p[0]) * (b[1] - p[1]) - (a[1] - p[1]) * (b[0] - p[0]);
    }
    return 0.5 * twice;
}

// Each corner is to the left of every edge: convex, anticlockwise, and once round.
static int outside_some_edge(const double *p, int count)
{
    for (int i = 0; i < count; i++) {
        const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % count);
        for (int k = 0; k < count; k++) {
            if (k == i || k == (i + 1) % count) continue;
            const double *c = p + 2 * k;
            if (!((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0)) return k;
        }
    }
    return -1;
}

slip_status slip_solid_polygon(slip_solid *solid, const double *points, int count, slip_error *error)
{
    *solid = make_solid(SLIP_SOLID_POLYGON);
    if (count < 3 || count > SLIP_POLYGON_MAX)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "polygon", "needs 3 to %d corners, got %d",
                         SLIP_POLYGON_MAX, count);
    for (int i = 0; i < 2 * count; i++)
        if (!(fabs(points[i]) <= MAX_SIZE))
            return slip_fail(error, SLIP_BAD_ARGUMENT, "polygon", "corner %d is at %g", i / 2 + 1, points[i]);
    solid->points = points;
    solid->point_count = count;
    if (total_area(points, count) < 0.0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "polygon",
                         "corners go round clockwise: give them in the opposite order");
    for (int i = 0; i < count; i++)
        if (!(corner_area(points, count, i) > 0.0))
            return slip_fail(error, SLIP_BAD_ARGUMENT, "polygon",
                             "not convex, or three in a line, at corner %d", (i + 1) % count + 1);
    const int wrong = outside_some_edge(points, count);
    if (wrong >= 0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "polygon", "crosses itself near corner %d", wrong + 1);
    return SLIP_OK;
}

slip_status slip_solid_place(slip_solid *solid, const double at[3], const double attitude[4],
                             slip_error *error)
{
    double norm2 = 0.0, sum = 0.0;
    for (int i = 0; i < 4; i++) norm2 += attitude[i] * attitude[i];
    for (int i = 0; i < 3; i++) sum += fabs(at[i]);
    if (!(norm2 > MIN_QUATERNION_NORM2 && norm2 < MAX_QUATERNION_NORM2))
        return slip_fail(error, SLIP_BAD_ARGUMENT, names[solid->kind], "the quaternion has length %g",
                         sqrt(norm2));
    if (!(sum <= MAX_SIZE))
        return slip_fail(error, SLIP_BAD_ARGUMENT, names[solid->kind], "placed at (%g, %g, %g)", at[0], at[1],
                         at[2]);
    if (is_flat[solid->kind] && (at[2] != 0.0 || attitude[1] != 0.0 || attitude[2] != 0.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, names[solid->kind],
                         "is in the plane: it moves along x and y and turns about z");
    memcpy(solid->local.x, at, sizeof solid->local.x);
    for (int i = 0; i < 4; i++) solid->local.q[i] = attitude[i] / sqrt(norm2);
    return SLIP_OK;
}
