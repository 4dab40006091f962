/// pairs.c: every pair of solids in random places, judged by what touches promise (judge.h).
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "judge.h"
#include "scene.h"

enum { KINDS = SLIP_SOLID_COUNT, ROUNDS = 50 };

static slip_hull *stone;
static const double pentagon[] = { -0.4, -0.3, 0.3, -0.35, 0.55, 0.1, 0.1, 0.45, -0.35, 0.3 };

static int make_stone(void **state)
{
    (void)state;
    uint64_t seed = 4;
    double points[3 * 40];
    for (int i = 0; i < 40; i++) {
        double q[4];
        any_attitude(&seed, q);
        for (int k = 0; k < 3; k++) points[3 * i + k] = (0.6 - 0.1 * k) * q[k] / sqrt(1 - q[3] * q[3]);
    }
    return slip_hull_create(points, 40, SLIP_HULL_TOLERANCE, "stone", NULL, &stone) != SLIP_OK;
}

static int drop_stone(void **state)
{
    (void)state;
    slip_hull_destroy(stone);
    return 0;
}

static slip_solid some_solid(slip_solid_kind kind, uint64_t *seed)
{
    slip_solid s;
    slip_status status = SLIP_OK;
    double size[3], q[4], at[3];
    for (int k = 0; k < 3; k++) size[k] = between(seed, 0.3, 1.0), at[k] = between(seed, -0.2, 0.2);
    any_attitude(seed, q);
    switch (kind) {
    case SLIP_SOLID_SPHERE:
        status = slip_solid_sphere(&s, 0.5 * size[0], NULL);
        break;
    case SLIP_SOLID_CAPSULE:
        status = slip_solid_capsule(&s, 0.3 * size[0], size[1], NULL);
        break;
    case SLIP_SOLID_BOX:
        status = slip_solid_box(&s, size, NULL);
        break;
    case SLIP_SOLID_HULL:
        status = slip_solid_hull(&s, stone, NULL);
        break;
    case SLIP_SOLID_CYLINDER:
        status = slip_solid_cylinder(&s, 0.5 * size[0], size[1], NULL);
        break;
    case SLIP_SOLID_ELLIPSOID:
        status = slip_solid_ellipsoid(&s, size, NULL);
        break;
    case SLIP_SOLID_HALFSPACE:
        // in the plane its normal is along x and y
        status = slip_solid_plane(&s, (double[3]){ q[0], q[1] + 0.1, 0.0 }, 0.1, NULL);
        return s;
    case SLIP_SOLID_DISC:
        status = slip_solid_disc(&s, 0.5 * size[0], NULL);
        break;
    default:
        status = slip_solid_polygon(&s, pentagon, 5, NULL);
        break;
    }
    assert_int_equal(status, SLIP_OK);
    const bool flat = kind == SLIP_SOLID_DISC || kind == SLIP_SOLID_POLYGON;
    if (flat) at[2] = 0.0, q[1] = q[2] = 0.0;
    assert_int_equal(slip_solid_place(&s, at, q, NULL), SLIP_OK);
    return s;
}

typedef struct couple {
    slip_solid a, b;
    slip_pose pa, pb;
    bool flat;
} couple;

static slip_pose some_pose(bool flat, uint64_t *seed)
{
    slip_pose p;
    any_attitude(seed, p.q);
    for (int k = 0; k < 3; k++) p.x[k] = between(seed, -1.0, 1.0);
    if (flat) {
        p.x[2] = p.q[1] = p.q[2] = 0.0;
        const double size = hypot(p.q[0], p.q[3]);
        p.q[0] /= size, p.q[3] /= size;
    }
    return p;
}

// moved along a random direction until they are `apart` along it
static couple some_couple(slip_solid_kind a, slip_solid_kind b, double apart, uint64_t *seed)
{
    couple c = { .flat = a >= SLIP_SOLID_DISC || b >= SLIP_SOLID_DISC };
    c.a = some_solid(a, seed), c.b = some_solid(b, seed);
    c.pa = some_pose(c.flat, seed), c.pb = some_pose(c.flat, seed);
    double n[3], q[4];
    any_attitude(seed, q);
    double size = 0.0;
    for (int k = 0; k < 3; k++) n[k] = c.flat && k == 2 ? 0.0 : q[k], size = hypot(size, n[k]);
    for (int k = 0; k < 3; k++) n[k] /= size;
    const slip_solid *plane = a == SLIP_SOLID_HALFSPACE ? &c.a : b == SLIP_SOLID_HALFSPACE ? &c.b : NULL;
    if (plane) {
        const slip_pose *pose = plane == &c.a ? &c.pa : &c.pb;
        const slip_pose here = { .q = { pose->q[0], pose->q[1], pose->q[2], pose->q[3] } };
        judge_point(&here, plane->normal, n);
        for (int k = 0; k < 3; k++) n[k] = plane == &c.a ? -n[k] : n[k];
    }
    const double now = judge_separation(&c.a, &c.pa, &c.b, &c.pb, n);
    for (int k = 0; k < 3; k++) c.pa.x[k] += (apart - now) * n[k];
    return c;
}

static int collide(const couple *c, double margin, slip_manifold_point *t)
{
    return slip_collide(&c->a, &c->pa, &c->b, &c->pb, margin, t);
}

static const slip_manifold_point *nearest(const slip_manifold_point *t, int count)
{
    const slip_manifold_point *best = t;
    for (int k = 1; k < count; k++)
        if (t[k].gap < best->gap) best = &t[k];
    return best;
}

static void surface_point(const slip_manifold_point *t, double side, double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = t->point[k] + side * 0.5 * t->gap * t->normal[k];
}

static void explain(const couple *c, const char *what, double value, double expected)
{
    print_error("%s and %s: %s %.12g, should be %.12g\n", slip_solid_name(c->a.kind),
                slip_solid_name(c->b.kind), what, value, expected);
}

#define judge(c, condition, what, value, expected)                                                           \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            explain(c, what, value, expected);                                                               \
            fail();                                                                                          \
        }                                                                                                    \
    } while (0)

static void judge_touches(const couple *c, const slip_manifold_point *t, int count)
{
    for (int k = 0; k < count; k++) {
        double x[3];
        const double *n = t[k].normal, length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        judge(c, fabs(length - 1.0) < 1e-12, "length of a normal", length, 1.0);
        surface_point(&t[k], 1.0, x);
        double out = judge_outside(&c->a, &c->pa, x);
        judge(c, out < 1e-8, "point outside a by", out, 0.0);
        surface_point(&t[k], -1.0, x);
        out = judge_outside(&c->b, &c->pb, x);
        judge(c, out < 1e-8, "point outside b by", out, 0.0);
        for (int i = 0; i < k; i++) judge(c, t[i].id != t[k].id, "two have identity", (double)t[k].id, 0.0);
    }
}

typedef void judgement(const couple *c, uint64_t *seed);

static void for_all(judgement *judge_one, double low, double high, int rounds)
{
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++) {
            if (!slip_solid_can_collide((slip_solid_kind)a, (slip_solid_kind)b)) continue;
            uint64_t seed = (uint64_t)(100 * a + b + 1);
            for (int k = 0; k < rounds; k++) {
                const couple c =
                    some_couple((slip_solid_kind)a, (slip_solid_kind)b, between(&seed, low, high), &seed);
                judge_one(&c, &seed);
            }
        }
}

static void right_gap(const couple *c, uint64_t *seed)
{
    (void)seed;
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS];
    const int count = collide(c, 3.0, t);
    judge(c, count > 0, "touches", count, 1.0);
    judge_touches(c, t, count);
    const slip_manifold_point *best = nearest(t, count);
    // below: the solids are that far apart along the normal
    const double along = judge_separation(&c->a, &c->pa, &c->b, &c->pb, best->normal);
    judge(c, fabs(along - best->gap) < 1e-9, "gap", best->gap, along);
    // no direction parts them farther; half-spaces have one only
    if (c->a.kind == SLIP_SOLID_HALFSPACE || c->b.kind == SLIP_SOLID_HALFSPACE) return;
    const double most = judge_gap(&c->a, &c->pa, &c->b, &c->pb, c->flat);
    judge(c, most <= best->gap + 1e-9, "gap", best->gap, most);
    // nothing beyond the margin
    judge(c, collide(c, best->gap - 1e-6, t) == 0, "touches beyond the margin", 1.0, 0.0);
    judge(c, collide(c, best->gap + 1e-6, t) > 0, "touches within the margin", 0.0, 1.0);
}

static void separated(void **state)
{
    (void)state;
    for_all(right_gap, 0.0, 0.5, ROUNDS);
}

static void overlapping(void **state)
{
    (void)state;
    for_all(right_gap, -0.06, 0.0, ROUNDS);
}

// Brought together along their normals until they all but touch, a millionth of their size on either side: as
// bodies of a simulation do
static void right_when_touching(const couple *c, uint64_t *seed)
{
    if (c->a.kind == SLIP_SOLID_HALFSPACE || c->b.kind == SLIP_SOLID_HALFSPACE) return;
    const double gap = between(seed, -1e-6, 1e-6);
    couple near = *c;
    for (int k = 0; k < 30; k++) {
        slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS];
        const slip_manifold_point *best = nearest(t, collide(&near, 3.0, t));
        for (int i = 0; i < 3; i++) near.pa.x[i] += (gap - best->gap) * best->normal[i];
    }
    right_gap(&near, seed);
}

// of a size from a hundredth up to that of the others, along each axis
static slip_solid thin_solid(slip_solid_kind kind, uint64_t *seed)
{
    slip_solid s = some_solid(kind, seed);
    for (int k = 0; k < 3; k++) s.half[k] *= pow(10.0, between(seed, -2.0, 0.0));
    s.radius *= pow(10.0, between(seed, -2.0, 0.0));
    return s;
}

// needles, plates and coins
static void right_when_thin(const couple *c, uint64_t *seed)
{
    couple thin = *c;
    thin.a = thin_solid(c->a.kind, seed);
    thin.b = thin_solid(c->b.kind, seed);
    right_when_touching(&thin, seed);
}

static void thin(void **state)
{
    (void)state;
    for_all(right_when_thin, 0.0, 0.2, 20);
}

static void touching(void **state)
{
    (void)state;
    for_all(right_when_touching, -0.01, 0.2, 20);
}

// a turn that takes axes to axes: a quaternion of equal numbers, up to signs, in one, two or four places
static void square_turn(bool flat, uint64_t *seed, double q[4])
{
    const int places = (int)between(seed, 0.0, 3.0);
    for (int k = 0; k < 4; k++) q[k] = 0.0;
    if (flat || places < 2) {
        q[0] = 1.0;
        q[flat ? 3 : 1 + (int)between(seed, 0.0, 3.0)] = places ? 1.0 : 0.0;
    } else {
        for (int k = 0; k < 4; k++) q[k] = between(seed, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
    }
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++) q[k] /= size;
}

// axes parallel or square to one another: standing, lying, crossed
static void right_when_square(const couple *c, uint64_t *seed)
{
    couple square = *c;
    if (c->a.kind == SLIP_SOLID_HALFSPACE || c->b.kind == SLIP_SOLID_HALFSPACE) return;
    square_turn(c->flat, seed, square.pa.q);
    square_turn(c->flat, seed, square.pb.q);
    square.a.local = square.b.local = SLIP_POSE_IDENTITY;
    right_when_touching(&square, seed);
}

static void square(void **state)
{
    (void)state;
    for_all(right_when_square, 0.0, 0.2, 40);
}

static void same_either_way(const couple *c, uint64_t *seed)
{
    (void)seed;
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS], r[SLIP_MANIFOLD_MAX_POINTS];
    const couple back = { c->b, c->a, c->pb, c->pa, c->flat };
    const int count = collide(c, 0.1, t);
    judge(c, collide(&back, 0.1, r) == count, "touches", 0.0, count);
    if (!count) return;
    const slip_manifold_point *s = nearest(t, count), *o = nearest(r, count);
    judge(c, fabs(s->gap - o->gap) < 1e-10, "gap the other way", o->gap, s->gap);
    for (int k = 0; k < 3; k++)
        judge(c, fabs(s->normal[k] + o->normal[k]) < 1e-6, "normal the other way", o->normal[k],
              -s->normal[k]);
}

static void symmetric(void **state)
{
    (void)state;
    for_all(same_either_way, -0.03, 0.05, 40);
}

// quaternion product
static void after(const double p[4], const double q[4], double out[4])
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
    out[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

static slip_pose moved(const slip_pose *move, const slip_pose *p)
{
    slip_pose out;
    judge_point(move, p->x, out.x);
    after(move->q, p->q, out.q);
    return out;
}

static void same_elsewhere(const couple *c, uint64_t *seed)
{
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS], r[SLIP_MANIFOLD_MAX_POINTS];
    const slip_pose move = some_pose(c->flat, seed);
    couple there = *c;
    there.pa = moved(&move, &c->pa), there.pb = moved(&move, &c->pb);
    const int count = collide(c, 0.1, t);
    judge(c, collide(&there, 0.1, r) == count, "touches elsewhere", 0.0, count);
    for (int k = 0; k < count; k++) {
        int same = 0;
        while (same < count && r[same].id != t[k].id) same++;
        judge(c, same < count, "same identity elsewhere", 0.0, 1.0);
        judge(c, fabs(r[same].gap - t[k].gap) < 1e-9, "gap elsewhere", r[same].gap, t[k].gap);
    }
}

static void moved_together(void **state)
{
    (void)state;
    for_all(same_elsewhere, -0.03, 0.05, 40);
}

// A body that moves with velocity v and spin w for a time h.
static slip_pose after_time(const slip_pose *p, const double v[3], const double w[3], double h)
{
    slip_pose out = *p;
    const double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double s = sin(0.5 * rate * h) / rate;
    const double turned[4] = { cos(0.5 * rate * h), s * w[0], s * w[1], s * w[2] };
    after(turned, p->q, out.q);
    for (int k = 0; k < 3; k++) out.x[k] += h * v[k];
    return out;
}

static double normal_velocity(const slip_manifold_point *t, const slip_pose *p, const double v[3],
                              const double w[3])
{
    double r[3];
    for (int k = 0; k < 3; k++) r[k] = t->point[k] - p->x[k];
    const double at[3] = { v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2],
                           v[2] + w[0] * r[1] - w[1] * r[0] };
    return t->normal[0] * at[0] + t->normal[1] * at[1] + t->normal[2] * at[2];
}

// gap' = n . (v_a - v_b) at the point, for each touch whose features stay
static void rate_is_velocity(const couple *c, uint64_t *seed)
{
    double v[2][3], w[2][3];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            v[i][k] = c->flat && k == 2 ? 0.0 : between(seed, -1, 1);
            w[i][k] = c->flat && k != 2 ? 0.0 : between(seed, -1, 1);
        }
    const double h = 1e-5;
    couple before = *c, later = *c;
    before.pa = after_time(&c->pa, v[0], w[0], -h), later.pa = after_time(&c->pa, v[0], w[0], h);
    before.pb = after_time(&c->pb, v[1], w[1], -h), later.pb = after_time(&c->pb, v[1], w[1], h);
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS], r[SLIP_MANIFOLD_MAX_POINTS], s[SLIP_MANIFOLD_MAX_POINTS];
    const int count = collide(c, 0.1, t), n = collide(&before, 0.1, r), m = collide(&later, 0.1, s);
    for (int k = 0; k < count; k++) {
        int i = 0, j = 0;
        while (i < n && r[i].id != t[k].id) i++;
        while (j < m && s[j].id != t[k].id) j++;
        if (i == n || j == m) continue;
        const double rate = (s[j].gap - r[i].gap) / (2 * h);
        const double velocity =
            normal_velocity(&t[k], &c->pa, v[0], w[0]) - normal_velocity(&t[k], &c->pb, v[1], w[1]);
        judge(c, fabs(rate - velocity) < 1e-5, "rate of the gap", rate, velocity);
    }
}

static void rates(void **state)
{
    (void)state;
    for_all(rate_is_velocity, -0.03, 0.08, ROUNDS);
}

// While one body turns, the gap goes along without jumps: no point of it moves faster than its reach allows.
static void no_jumps(const couple *c, uint64_t *seed)
{
    const double h = 1e-3, reach = slip_solid_bounding_radius(&c->a);
    if (c->a.kind == SLIP_SOLID_HALFSPACE) return;
    double w[3] = { 0, 0, 1 }, before = NAN;
    const double still[3] = { 0, 0, 0 };
    for (int k = 0; k < 3 && !c->flat; k++) w[k] = between(seed, -1, 1);
    const double rate = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (int k = 0; k < 100; k++) {
        couple now = *c;
        slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS];
        now.pa = after_time(&c->pa, still, w, h * k);
        const int count = collide(&now, 3.0, t);
        const double gap = nearest(t, count)->gap, step = fabs(gap - before);
        judge(&now, !(step > reach * rate * h + 1e-9), "step of the gap", step, reach * rate * h);
        before = gap;
    }
}

static void turning(void **state)
{
    (void)state;
    for_all(no_jumps, -0.03, 0.05, 6);
}

// one in the middle of the other, in the same attitude: overlap, a direction, numbers
static void one_in_the_other(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int a = 0; a < KINDS; a++)
        for (int b = 0; b < KINDS; b++) {
            if (!slip_solid_can_collide((slip_solid_kind)a, (slip_solid_kind)b)) continue;
            if (a == SLIP_SOLID_HALFSPACE || b == SLIP_SOLID_HALFSPACE) continue;
            couple c = { some_solid((slip_solid_kind)a, &seed), some_solid((slip_solid_kind)b, &seed),
                         SLIP_POSE_IDENTITY, SLIP_POSE_IDENTITY, false };
            c.a.local = c.b.local = SLIP_POSE_IDENTITY;
            slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS];
            const int count = collide(&c, 0.0, t);
            judge(&c, count > 0, "touches", count, 1.0);
            for (int k = 0; k < count; k++) {
                const double *n = t[k].normal, *x = t[k].point;
                const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
                judge(&c, fabs(length - 1.0) < 1e-12, "length of a normal", length, 1.0);
                judge(&c, t[k].gap < 0.0 && isfinite(t[k].gap + x[0] + x[1] + x[2]), "gap", t[k].gap, -1.0);
            }
        }
}

// the same bits again
static void same_again(const couple *c, uint64_t *seed)
{
    (void)seed;
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS], r[SLIP_MANIFOLD_MAX_POINTS];
    memset(t, 0, sizeof t);
    memset(r, 0, sizeof r);
    const int count = collide(c, 0.1, t);
    assert_int_equal(collide(c, 0.1, r), count);
    assert_memory_equal(t, r, sizeof t);
}

static void deterministic(void **state)
{
    (void)state;
    for_all(same_again, -0.03, 0.05, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separated),      cmocka_unit_test(overlapping),
        cmocka_unit_test(symmetric),      cmocka_unit_test(rates),
        cmocka_unit_test(moved_together), cmocka_unit_test(deterministic),
        cmocka_unit_test(turning),        cmocka_unit_test(one_in_the_other),
        cmocka_unit_test(touching),       cmocka_unit_test(square),
        cmocka_unit_test(thin),
    };
    return cmocka_run_group_tests_name("collide.pairs", tests, make_stone, drop_stone);
}
