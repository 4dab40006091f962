/// collision/sphere_capsule.c: spheres and capsules: points and segments with a radius.
#include "collision/narrow_phase.h"

#include "collision/collision_tolerances.h"

// the segment of a capsule; a point for a sphere
typedef struct segment {
    slip_v3 centre, axis;
    double half, radius;
} segment;

static segment segment_of(const slip_placed_solid *p)
{
    const bool capsule = p->solid->kind == SLIP_SOLID_CAPSULE;
    return (segment){ p->frame.at, p->frame.z, capsule ? p->solid->half[2] : 0.0, p->solid->radius };
}

static double clamp_to_half(double x, double half)
{
    return fmin(half, fmax(-half, x));
}

// The feature of a capsule: an end, or the straight part.
static slip_feature feature_at(const segment *s, double at, int *number)
{
    *number = at <= -s->half ? 0 : at >= s->half ? 1 : 0;
    return s->half == 0.0 || fabs(at) >= s->half ? SLIP_FEATURE_ROUND : SLIP_FEATURE_EDGE;
}

// The contact point between the points at s and t of the two axes.
static slip_manifold_point touch_at(const segment *a, double s, const segment *b, double t, uint64_t id)
{
    const slip_v3 pa = v3_add_scaled(a->centre, s, a->axis), pb = v3_add_scaled(b->centre, t, b->axis);
    const slip_v3 apart = v3_sub(pa, pb);
    slip_v3 n = v3_unit(apart);
    // Axes that intersect: the separation is shortest along any common normal.
    if (v3_dot(n, n) == 0.0) n = v3_unit(v3_cross(a->axis, b->axis));
    if (v3_dot(n, n) == 0.0) n = v3_perpendicular(a->half > 0.0 ? a->axis : b->axis);
    const double distance = v3_dot(n, apart);
    slip_manifold_point touch = { .id = id, .a = -1, .b = -1, .gap = distance - a->radius - b->radius };
    v3_into(v3_add_scaled(pb, 0.5 * (distance + b->radius - a->radius), n), touch.point);
    v3_into(n, touch.normal);
    return touch;
}

// Nearest points of two segments: Ericson, Real-Time Collision Detection (2005), section 5.1.9, with axes of
// length 1 and parameters from the middle.
static void nearest_on_segments(const segment *a, const segment *b, double *s, double *t)
{
    const slip_v3 r = v3_sub(a->centre, b->centre);
    const double across = v3_dot(a->axis, b->axis), c = v3_dot(a->axis, r), f = v3_dot(b->axis, r);
    const slip_v3 normal = v3_cross(a->axis, b->axis);
    const double sine2 = v3_dot(normal, normal);
    *s = sine2 > 0.0 ? clamp_to_half((across * f - c) / sine2, a->half) : clamp_to_half(-c, a->half);
    *t = clamp_to_half(across * *s + f, b->half);
    *s = clamp_to_half(across * *t - c, a->half);
}

// Nearly parallel capsules touch at both ends of their overlap, where the end of one touches the straight
// part of the other.
static void add_parallel_segments(const segment *a, const segment *b, slip_manifold *found)
{
    const bool same = v3_dot(a->axis, b->axis) >= 0.0;
    const double shift = v3_dot(a->axis, v3_sub(b->centre, a->centre));
    if (!(fmax(-a->half, shift - b->half) < fmin(a->half, shift + b->half))) return;
    for (int end = 0; end < 2; end++) {
        const bool of_a = end ? a->half <= shift + b->half : -a->half >= shift - b->half;
        const int end_b = same ? end : 1 - end;
        slip_manifold_point touch;
        if (of_a) {
            const double s = end ? a->half : -a->half;
            const slip_v3 p = v3_add_scaled(a->centre, s, a->axis);
            const double t = clamp_to_half(v3_dot(b->axis, v3_sub(p, b->centre)), b->half);
            touch =
                touch_at(a, s, b, t, slip_manifold_point_id(SLIP_FEATURE_ROUND, end, SLIP_FEATURE_EDGE, 0));
        } else {
            const double t = end_b ? b->half : -b->half;
            const slip_v3 p = v3_add_scaled(b->centre, t, b->axis);
            const double s = clamp_to_half(v3_dot(a->axis, v3_sub(p, a->centre)), a->half);
            touch =
                touch_at(a, s, b, t, slip_manifold_point_id(SLIP_FEATURE_EDGE, 0, SLIP_FEATURE_ROUND, end_b));
        }
        slip_manifold_add_point(found, &touch);
    }
}

void slip_collide_sphere_capsule(const slip_placed_solid *pa, const slip_placed_solid *pb,
                                 slip_manifold *found)
{
    const segment a = segment_of(pa), b = segment_of(pb);
    double s, t;
    nearest_on_segments(&a, &b, &s, &t);
    if (a.half > 0.0 && b.half > 0.0 && fabs(v3_dot(a.axis, b.axis)) > SEGMENTS_ALONGSIDE_COSINE)
        add_parallel_segments(&a, &b, found);
    int number_a, number_b;
    const slip_feature feature_a = feature_at(&a, s, &number_a), feature_b = feature_at(&b, t, &number_b);
    const slip_manifold_point *end = slip_manifold_nearest(found);
    const slip_manifold_point touch =
        touch_at(&a, s, &b, t, slip_manifold_point_id(feature_a, number_a, feature_b, number_b));
    // A point between the ends is added only if it is deeper than they are by more than rounding.
    if (!end || touch.gap < end->gap - NEARER_THAN_ENDS_RELATIVE * (a.radius + b.radius))
        slip_manifold_add_point(found, &touch);
}
