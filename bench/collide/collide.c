/// collide.c: processor time of the narrow phase for each pair of kinds: that touch as bodies of a simulation
/// do, that overlap or are near by chance, that are apart; and of the broad phase for each box, from 10^2 to
/// 10^5 boxes.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "collision/broad_phase.h"
#include "collision/convex_hull.h"

enum { POSES = 64 };

static double uniform(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

// an attitude, or one about z where solids are in the plane
static void turn(uint64_t *seed, bool flat, double q[4])
{
    double size = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = flat && (k == 1 || k == 2) ? 0.0 : uniform(seed) - 0.5;
        size += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) q[k] /= sqrt(size);
}

static slip_solid make(slip_solid_kind kind, const slip_hull *hull)
{
    static const double square[] = { -0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5 };
    slip_solid s;
    switch (kind) {
    case SLIP_SOLID_SPHERE:
        slip_solid_sphere(&s, 0.5, NULL);
        break;
    case SLIP_SOLID_CAPSULE:
        slip_solid_capsule(&s, 0.3, 0.8, NULL);
        break;
    case SLIP_SOLID_BOX:
        slip_solid_box(&s, (double[3]){ 1, 0.8, 0.6 }, NULL);
        break;
    case SLIP_SOLID_HULL:
        slip_solid_hull(&s, hull, NULL);
        break;
    case SLIP_SOLID_CYLINDER:
        slip_solid_cylinder(&s, 0.4, 0.8, NULL);
        break;
    case SLIP_SOLID_ELLIPSOID:
        slip_solid_ellipsoid(&s, (double[3]){ 0.5, 0.4, 0.3 }, NULL);
        break;
    case SLIP_SOLID_HALFSPACE:
        slip_solid_plane(&s, (double[3]){ 1, 0, 0 }, 0.4, NULL);
        break;
    case SLIP_SOLID_DISC:
        slip_solid_disc(&s, 0.5, NULL);
        break;
    default:
        slip_solid_polygon(&s, square, 4, NULL);
        break;
    }
    return s;
}

typedef struct place {
    slip_pose a, b;
} place;

static double nearest(const slip_solid *a, const slip_solid *b, const place *p, slip_manifold_point *best)
{
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS];
    const int count = slip_collide(a, &p->a, b, &p->b, HUGE_VAL, t);
    *best = t[0];
    for (int k = 1; k < count; k++)
        if (t[k].gap < best->gap) *best = t[k];
    return best->gap;
}

// moves a along its normal until the gap is as given
static void bring(const slip_solid *a, const slip_solid *b, place *p, double gap)
{
    slip_manifold_point t;
    for (int tries = 0; tries < 30 && fabs(nearest(a, b, p, &t) - gap) > 1e-9; tries++)
        for (int k = 0; k < 3; k++) p->a.x[k] += (gap - t.gap) * t.normal[k];
}

typedef struct cost {
    double ns, touches;
} cost;

// `apart` along x between centres, in any attitude or upright; brought together where `touching`, to gaps of
// a millionth of their size on either side of 0
static cost pair_cost(const slip_solid *a, const slip_solid *b, double apart, bool upright, bool touching)
{
    uint64_t seed = 1;
    place p[POSES];
    const bool flat = a->kind >= SLIP_SOLID_DISC || b->kind >= SLIP_SOLID_DISC;
    for (int k = 0; k < POSES; k++) {
        p[k].a = p[k].b = SLIP_POSE_IDENTITY;
        p[k].a.x[0] = apart + 0.01 * uniform(&seed);
        if (!upright) turn(&seed, flat, p[k].a.q);
        if (!upright && b->kind != SLIP_SOLID_HALFSPACE) turn(&seed, flat, p[k].b.q);
        if (touching) bring(a, b, &p[k], 2e-6 * (uniform(&seed) - 0.5));
    }
    slip_manifold_point t[SLIP_MANIFOLD_MAX_POINTS];
    long calls = 0, found = 0;
    const double start = processor_time();
    while (processor_time() - start < 0.02)
        for (int k = 0; k < POSES; k++, calls++)
            found += slip_collide(a, &p[k].a, b, &p[k].b, touching ? 0.001 : 0.02, t);
    return (cost){ 1e9 * (processor_time() - start) / (double)calls, (double)found / (double)calls };
}

static void pairs(const slip_hull *hull)
{
    printf("narrow phase, ns a pair (touches)\n%-22s %16s %16s %16s %16s\n", "", "touching", "face on face",
           "deep or near", "apart");
    for (int a = 0; a < SLIP_SOLID_COUNT; a++)
        for (int b = a; b < SLIP_SOLID_COUNT; b++) {
            if (!slip_solid_can_collide((slip_solid_kind)a, (slip_solid_kind)b) || a == SLIP_SOLID_HALFSPACE)
                continue;
            const slip_solid sa = make((slip_solid_kind)a, hull), sb = make((slip_solid_kind)b, hull);
            const cost c[4] = { pair_cost(&sa, &sb, 1.0, false, true), pair_cost(&sa, &sb, 1.0, true, true),
                                pair_cost(&sa, &sb, 0.9, false, false),
                                pair_cost(&sa, &sb, 1.6, false, false) };
            printf("%-10s %-10s ", slip_solid_name((slip_solid_kind)a), slip_solid_name((slip_solid_kind)b));
            for (int k = 0; k < 4; k++) printf(" %10.0f (%.1f)", c[k].ns, c[k].touches);
            printf("\n");
        }
}

static void boxes(double spread)
{
    for (int count = 100; count <= 100000; count *= 10) {
        uint64_t seed = 1;
        slip_aabb *box = calloc((size_t)count, sizeof *box);
        slip_broad_phase *broad = slip_broad_phase_create();
        if (!box || !broad) return;
        const double wide = 1.1 * cbrt(count);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) {
                const double middle = wide * uniform(&seed), half = 0.5 * pow(spread, -uniform(&seed));
                box[i].low[k] = middle - half, box[i].high[k] = middle + half;
            }
        long calls = 0;
        slip_broad_phase_find(broad, count, box, NULL, NULL);
        const double start = processor_time();
        for (; processor_time() - start < 0.1; calls++) slip_broad_phase_find(broad, count, box, NULL, NULL);
        printf("%8d boxes, sizes 1 to %-4g  %7.0f ns a box, %5.1f tests, %5.1f pairs a box\n", count,
               1.0 / spread, 1e9 * (processor_time() - start) / (double)calls / count,
               (double)broad->tests / count, (double)broad->pair_count / count);
        slip_broad_phase_destroy(broad);
        free(box);
    }
}

int main(void)
{
    uint64_t seed = 7;
    double points[3 * 32];
    slip_hull *hull;
    for (int i = 0; i < 32; i++) {
        double q[4];
        turn(&seed, false, q);
        const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        for (int k = 0; k < 3; k++) points[3 * i + k] = 0.5 * q[k] / size;
    }
    if (slip_hull_create(points, 32, SLIP_HULL_TOLERANCE, "stone", NULL, &hull) != SLIP_OK) return 1;
    pairs(hull);
    slip_hull_destroy(hull);
    printf("broad phase\n");
    boxes(1.0);
    boxes(100.0);
    return 0;
}
