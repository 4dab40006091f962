/// collide.c: processor time of the narrow phase for each pair of kinds, lying on one another and apart, and
/// of the broad phase for each box, from 10^2 to 10^5 boxes.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "collide/broad.h"
#include "collide/hull.h"

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

// ns a pair; `apart` along x between centres, and how many touches there are
static double pair_cost(const slip_solid *a, const slip_solid *b, double apart, bool upright, double *touches)
{
    uint64_t seed = 1;
    slip_pose pa[POSES], pb[POSES];
    const bool flat = a->kind >= SLIP_SOLID_DISC || b->kind >= SLIP_SOLID_DISC;
    for (int k = 0; k < POSES; k++) {
        pa[k] = pb[k] = SLIP_POSE_HERE;
        pa[k].x[0] = apart + 0.01 * uniform(&seed);
        if (upright) continue;
        turn(&seed, flat, pa[k].q);
        if (b->kind != SLIP_SOLID_HALFSPACE) turn(&seed, flat, pb[k].q);
    }
    slip_touch t[SLIP_TOUCH_MAX];
    long calls = 0, found = 0;
    const double start = processor_time();
    while (processor_time() - start < 0.02)
        for (int k = 0; k < POSES; k++, calls++) found += slip_collide(a, &pa[k], b, &pb[k], 0.02, t);
    *touches = (double)found / (double)calls;
    return 1e9 * (processor_time() - start) / (double)calls;
}

static void pairs(const slip_hull *hull)
{
    printf("narrow phase, ns a pair (touches)\n%-22s %16s %16s %16s\n", "", "near, any turn", "apart",
           "face on face");
    for (int a = 0; a < SLIP_SOLID_COUNT; a++)
        for (int b = a; b < SLIP_SOLID_COUNT; b++) {
            if (!slip_solid_meets((slip_solid_kind)a, (slip_solid_kind)b) || a == SLIP_SOLID_HALFSPACE)
                continue;
            const slip_solid sa = make((slip_solid_kind)a, hull), sb = make((slip_solid_kind)b, hull);
            double touches[3];
            const double near = pair_cost(&sa, &sb, 0.9, false, &touches[0]);
            const double apart = pair_cost(&sa, &sb, 1.6, false, &touches[1]);
            const double lying = pair_cost(&sa, &sb, 1.0, true, &touches[2]);
            printf("%-10s %-10s  %10.0f (%.1f) %10.0f (%.1f) %10.0f (%.1f)\n",
                   slip_solid_name((slip_solid_kind)a), slip_solid_name((slip_solid_kind)b), near, touches[0],
                   apart, touches[1], lying, touches[2]);
        }
}

static void boxes(double spread)
{
    for (int count = 100; count <= 100000; count *= 10) {
        uint64_t seed = 1;
        slip_extent *box = calloc((size_t)count, sizeof *box);
        slip_broad *broad = slip_broad_create();
        if (!box || !broad) return;
        const double wide = 1.1 * cbrt(count);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) {
                const double middle = wide * uniform(&seed), half = 0.5 * pow(spread, -uniform(&seed));
                box[i].low[k] = middle - half, box[i].high[k] = middle + half;
            }
        long calls = 0;
        slip_broad_find(broad, count, box, NULL, NULL);
        const double start = processor_time();
        for (; processor_time() - start < 0.1; calls++) slip_broad_find(broad, count, box, NULL, NULL);
        printf("%8d boxes, sizes 1 to %-4g  %7.0f ns a box, %5.1f tests, %5.1f pairs a box\n", count,
               1.0 / spread, 1e9 * (processor_time() - start) / (double)calls / count,
               (double)broad->tests / count, (double)broad->pair_count / count);
        slip_broad_destroy(broad);
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
