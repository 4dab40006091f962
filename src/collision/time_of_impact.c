/// collision/time_of_impact.c: times of impact.
#include "collision/time_of_impact.h"

#include "collision/vector3.h"
#include "base/elementary.h"
#include "collision/collision_tolerances.h"

enum { ADVANCEMENT_STEPS_MAX = 200 };

slip_pose slip_constant_motion_pose(const slip_constant_motion *d, double t)
{
    slip_pose out = d->pose;
    const slip_v3 w = v3_of(d->w);
    const double rate = v3_norm(w);
    for (int k = 0; k < 3; k++) out.x[k] += t * d->v[k];
    if (!(rate > 0.0)) return out;
    double s, c;
    slip_sincos(0.5 * rate * t, &s, &c);
    const slip_v3 turn = v3_scale(s / rate, w), v = v3(d->pose.q[1], d->pose.q[2], d->pose.q[3]);
    // (c, turn) times q, from the left.
    const slip_v3 u = v3_add(v3_add_scaled(v3_scale(c, v), d->pose.q[0], turn), v3_cross(turn, v));
    out.q[0] = c * d->pose.q[0] - v3_dot(turn, v);
    v3_into(u, out.q + 1);
    return out;
}

// First t >= 0 with |x + t v| <= r; HUGE_VAL for none.
static double time_into_ball(slip_v3 x, slip_v3 v, double r)
{
    const double c = v3_dot(x, x) - r * r, half = v3_dot(x, v), a = v3_dot(v, v);
    if (c <= 0.0) return 0.0;
    const double root2 = half * half - a * c;
    if (half >= 0.0 || root2 < 0.0) return HUGE_VAL;
    return c / (-half + sqrt(root2)); // without cancellation
}

static double smallest_dimension(const slip_solid *s, double reach)
{
    if (s->kind == SLIP_SOLID_BOX || s->kind == SLIP_SOLID_ELLIPSOID)
        return fmin(s->half[0], fmin(s->half[1], s->half[2]));
    return s->radius > 0.0 ? fmin(s->radius, reach) : reach;
}

static bool centred_sphere(const slip_solid *s)
{
    const bool round = s->kind == SLIP_SOLID_SPHERE || s->kind == SLIP_SOLID_DISC;
    return round && s->local.x[0] == 0.0 && s->local.x[1] == 0.0 && s->local.x[2] == 0.0;
}

static slip_v3 difference(const double a[3], const double b[3])
{
    return v3_sub(v3_of(a), v3_of(b));
}

// a and b with their motions.
typedef struct pair {
    const slip_solid *a, *b;
    const slip_constant_motion *da, *db;
    double reach_a, reach_b;
} pair;

// An upper bound on the speed at which a solid approaches along -n: that of its origin, plus that of its
// farthest point around it.
static double approach_speed(const slip_constant_motion *d, double reach, slip_v3 n)
{
    const slip_v3 lever = v3_cross(n, v3_of(d->w));
    const double turn =
        v3_norm(lever) > 0.0 ? v3_norm(lever) * reach : 0.0; // a half-space at rest is unbounded
    return turn - v3_dot(n, v3_of(d->v));
}

static const slip_manifold_point *nearest_point(const slip_manifold_point *t, int count)
{
    const slip_manifold_point *best = t;
    for (int k = 1; k < count; k++)
        if (t[k].gap < best->gap) best = &t[k];
    return best;
}

// Along the normal of the nearest points the solids cannot close the gap before gap / speed; then the gap is
// measured again.
static double conservative_advancement(const pair *p, double t, double end, double near)
{
    const double smaller = fmin(smallest_dimension(p->a, p->reach_a), smallest_dimension(p->b, p->reach_b));
    for (int k = 0; k < ADVANCEMENT_STEPS_MAX && t <= end; k++) {
        slip_manifold_point touch[SLIP_MANIFOLD_MAX_POINTS];
        const slip_pose pa = slip_constant_motion_pose(p->da, t), pb = slip_constant_motion_pose(p->db, t);
        const int count = slip_collide(p->a, &pa, p->b, &pb, HUGE_VAL, touch);
        const slip_manifold_point *now = nearest_point(touch, count);
        const slip_v3 n = v3_of(now->normal);
        if (count == 0 || now->gap <= near + TIME_OF_IMPACT_GAP_RELATIVE * smaller) return t;
        const double speed =
            approach_speed(p->da, p->reach_a, n) + approach_speed(p->db, p->reach_b, v3_neg(n));
        if (!(speed > 0.0)) return HUGE_VAL;
        t += (now->gap - near) / speed;
    }
    return t <= end ? t : HUGE_VAL;
}

static double time_onto_plane(const slip_solid *ball, const slip_constant_motion *d, const slip_solid *plane,
                              const slip_pose *pose, double near)
{
    const slip_axes body = slip_axes_from_pose(pose->x, pose->q),
                    local = slip_axes_from_pose(plane->local.x, plane->local.q);
    const slip_v3 n = v3_to_world(&body, v3_to_world(&local, v3_of(plane->normal)));
    const slip_v3 at =
        v3_point_to_world(&body, v3_point_to_world(&local, v3_scale(plane->offset, v3_of(plane->normal))));
    const double gap = v3_dot(n, v3_sub(v3_of(d->pose.x), at)) - ball->radius - near;
    const double speed = -v3_dot(n, v3_of(d->v));
    return gap <= 0.0 ? 0.0 : speed > 0.0 ? gap / speed : HUGE_VAL;
}

static bool at_rest(const slip_constant_motion *d)
{
    return v3_norm(v3_of(d->v)) == 0.0 && v3_norm(v3_of(d->w)) == 0.0;
}

double slip_time_of_impact(const slip_solid *a, const slip_constant_motion *da, const slip_solid *b,
                           const slip_constant_motion *db, double end, double near)
{
    const pair p = { a, b, da, db, slip_solid_bounding_radius(a), slip_solid_bounding_radius(b) };
    double t = 0.0;
    if (a->kind == SLIP_SOLID_HALFSPACE && centred_sphere(b) && at_rest(da))
        t = time_onto_plane(b, db, a, &da->pose, near);
    else if (b->kind == SLIP_SOLID_HALFSPACE && centred_sphere(a) && at_rest(db))
        t = time_onto_plane(a, da, b, &db->pose, near);
    else {
        // Not before balls around both meet, which is exact for spheres.
        const slip_v3 x = difference(da->pose.x, db->pose.x), v = difference(da->v, db->v);
        const double balls = p.reach_a + p.reach_b + near;
        t = balls < HUGE_VAL ? time_into_ball(x, v, balls) : 0.0;
        if (t <= end && !(centred_sphere(a) && centred_sphere(b)))
            t = conservative_advancement(&p, t, end, near);
    }
    return t <= end ? t : HUGE_VAL;
}
