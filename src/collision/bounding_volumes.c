/// collision/bounding_volumes.c: axis-parallel boxes and balls around solids.
#include "collision/narrow_phase.h"

#include <assert.h>

#include "collision/convex_hull.h"
#include "base/elementary.h"

static slip_v3 half_extents_of_box(const slip_placed_solid *p, slip_v3 half)
{
    const slip_axes *f = &p->frame;
    return v3(fabs(f->x.x) * half.x + fabs(f->y.x) * half.y + fabs(f->z.x) * half.z,
              fabs(f->x.y) * half.x + fabs(f->y.y) * half.y + fabs(f->z.y) * half.z,
              fabs(f->x.z) * half.x + fabs(f->y.z) * half.y + fabs(f->z.z) * half.z);
}

// Half extents of a cylinder: those of its axis plus those of a disc perpendicular to it.
static slip_v3 half_extents_of_cylinder(const slip_axes *f, double radius, double half)
{
    const slip_v3 a = f->z;
    return v3(half * fabs(a.x) + radius * sqrt(fmax(0.0, 1 - a.x * a.x)),
              half * fabs(a.y) + radius * sqrt(fmax(0.0, 1 - a.y * a.y)),
              half * fabs(a.z) + radius * sqrt(fmax(0.0, 1 - a.z * a.z)));
}

static slip_v3 half_extents_of_ellipsoid(const slip_axes *f, const double s[3])
{
    const slip_v3 a = v3_scale(s[0], f->x), b = v3_scale(s[1], f->y), c = v3_scale(s[2], f->z);
    return v3(v3_norm(v3(a.x, b.x, c.x)), v3_norm(v3(a.y, b.y, c.y)), v3_norm(v3(a.z, b.z, c.z)));
}

static void aabb_include(slip_aabb *bounds, slip_v3 p)
{
    const double x[3] = { p.x, p.y, p.z };
    for (int i = 0; i < 3; i++) {
        bounds->low[i] = fmin(bounds->low[i], x[i]);
        bounds->high[i] = fmax(bounds->high[i], x[i]);
    }
}

static slip_aabb aabb_of_points(const slip_placed_solid *p, const double *points, int count, int stride)
{
    slip_aabb bounds = { { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
    for (int i = 0; i < count; i++) {
        const double *x = points + stride * i;
        aabb_include(&bounds, v3_point_to_world(&p->frame, v3(x[0], x[1], stride == 3 ? x[2] : 0.0)));
    }
    return bounds;
}

static slip_aabb aabb_about_centre(const slip_placed_solid *p, slip_v3 half)
{
    slip_aabb bounds;
    v3_into(v3_sub(p->frame.at, half), bounds.low);
    v3_into(v3_add(p->frame.at, half), bounds.high);
    return bounds;
}

static slip_aabb aabb_of(const slip_placed_solid *p)
{
    const slip_solid *s = p->solid;
    const double r = s->radius, h = s->half[2];
    switch (s->kind) {
    case SLIP_SOLID_SPHERE:
        return aabb_about_centre(p, v3(r, r, r));
    case SLIP_SOLID_DISC:
        return aabb_about_centre(p, v3(r, r, 0.0));
    case SLIP_SOLID_CAPSULE:
        return aabb_about_centre(p, v3_add(half_extents_of_box(p, v3(0, 0, h)), v3(r, r, r)));
    case SLIP_SOLID_BOX:
        return aabb_about_centre(p, half_extents_of_box(p, v3_of(s->half)));
    case SLIP_SOLID_CYLINDER:
        return aabb_about_centre(p, half_extents_of_cylinder(&p->frame, r, h));
    case SLIP_SOLID_ELLIPSOID:
        return aabb_about_centre(p, half_extents_of_ellipsoid(&p->frame, s->half));
    case SLIP_SOLID_HULL:
        return aabb_of_points(p, s->hull->vertex, s->hull->vertex_count, 3);
    case SLIP_SOLID_POLYGON:
        return aabb_of_points(p, s->points, s->point_count, 2);
    case SLIP_SOLID_HALFSPACE:
    case SLIP_SOLID_COUNT:
        break;
    }
    return aabb_about_centre(p, v3(HUGE_VAL, HUGE_VAL, HUGE_VAL));
}

slip_aabb slip_solid_aabb(const slip_solid *solid, const slip_pose *pose, double margin)
{
    const slip_placed_solid p = slip_placed_solid_at(solid, pose, v3(0, 0, 0));
    slip_aabb bounds = aabb_of(&p);
    for (int i = 0; i < 3; i++) bounds.low[i] -= margin, bounds.high[i] += margin;
    return bounds;
}

static double farthest_point(const slip_solid *s, const double *points, int count, int stride)
{
    const slip_axes local = slip_axes_from_pose(s->local.x, s->local.q);
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        const double *x = points + stride * i;
        most = fmax(most, v3_norm(v3_point_to_world(&local, v3(x[0], x[1], stride == 3 ? x[2] : 0.0))));
    }
    return most;
}

double slip_solid_bounding_radius(const slip_solid *s)
{
    const double away = v3_norm(v3_of(s->local.x));
    switch (s->kind) {
    case SLIP_SOLID_SPHERE:
    case SLIP_SOLID_DISC:
        return away + s->radius;
    case SLIP_SOLID_CAPSULE:
        return away + s->radius + s->half[2];
    case SLIP_SOLID_BOX:
        return away + v3_norm(v3_of(s->half));
    case SLIP_SOLID_CYLINDER:
        return away + slip_hypot(s->radius, s->half[2]);
    case SLIP_SOLID_ELLIPSOID:
        return away + fmax(fmax(s->half[0], s->half[1]), s->half[2]);
    case SLIP_SOLID_HULL:
        return farthest_point(s, s->hull->vertex, s->hull->vertex_count, 3);
    case SLIP_SOLID_POLYGON:
        return farthest_point(s, s->points, s->point_count, 2);
    case SLIP_SOLID_HALFSPACE:
    case SLIP_SOLID_COUNT:
        break;
    }
    return HUGE_VAL;
}
