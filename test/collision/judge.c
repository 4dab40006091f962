#include "judge.h"

#include <math.h>
#include <stdint.h>

#include "scene.h"

static void turn(const double q[4], const double x[3], double sign, double out[3])
{
    // x + 2 w (v x x) + 2 v x (v x x)
    const double w = q[0], v[3] = { sign * q[1], sign * q[2], sign * q[3] };
    const double c[3] = { v[1] * x[2] - v[2] * x[1], v[2] * x[0] - v[0] * x[2], v[0] * x[1] - v[1] * x[0] };
    const double d[3] = { v[1] * c[2] - v[2] * c[1], v[2] * c[0] - v[0] * c[2], v[0] * c[1] - v[1] * c[0] };
    for (int k = 0; k < 3; k++) out[k] = x[k] + 2 * w * c[k] + 2 * d[k];
}

void judge_point(const slip_pose *pose, const double x[3], double out[3])
{
    turn(pose->q, x, 1.0, out);
    for (int k = 0; k < 3; k++) out[k] += pose->x[k];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double most_along(const double *points, int count, int stride, const double n[3])
{
    double most = -INFINITY;
    for (int i = 0; i < count; i++) {
        const double *p = points + stride * i;
        most = fmax(most, n[0] * p[0] + n[1] * p[1] + (stride == 3 ? n[2] * p[2] : 0.0));
    }
    return most;
}

static double support_here(const slip_solid *s, const double n[3])
{
    switch (s->kind) {
    case SLIP_SOLID_SPHERE:
    case SLIP_SOLID_DISC:
        return s->radius * sqrt(dot(n, n));
    case SLIP_SOLID_CAPSULE:
        return s->radius * sqrt(dot(n, n)) + s->half[2] * fabs(n[2]);
    case SLIP_SOLID_BOX:
        return s->half[0] * fabs(n[0]) + s->half[1] * fabs(n[1]) + s->half[2] * fabs(n[2]);
    case SLIP_SOLID_CYLINDER:
        return s->radius * hypot(n[0], n[1]) + s->half[2] * fabs(n[2]);
    case SLIP_SOLID_ELLIPSOID:
        return sqrt(pow(s->half[0] * n[0], 2) + pow(s->half[1] * n[1], 2) + pow(s->half[2] * n[2], 2));
    case SLIP_SOLID_HULL:
        return most_along(s->hull->vertex, s->hull->vertex_count, 3, n);
    case SLIP_SOLID_POLYGON:
        return most_along(s->points, s->point_count, 2, n);
    default:
        return dot(n, s->normal) > 1.0 - 1e-13 ? s->offset : INFINITY;
    }
}

double judge_support(const slip_solid *s, const slip_pose *pose, const double n[3])
{
    double body[3], shape[3];
    turn(pose->q, n, -1.0, body);
    turn(s->local.q, body, -1.0, shape);
    return dot(n, pose->x) + dot(body, s->local.x) + support_here(s, shape);
}

static double above_faces(const slip_hull *h, const double x[3])
{
    double most = -INFINITY;
    for (int f = 0; f < h->face_count; f++) most = fmax(most, dot(h->plane[f], x) - h->plane[f][3]);
    return most;
}

static double outside_polygon(const double *p, int count, const double x[3])
{
    double most = -INFINITY;
    for (int i = 0; i < count; i++) {
        const double *a = p + 2 * i, *b = p + 2 * ((i + 1) % count);
        const double ex = b[0] - a[0], ey = b[1] - a[1];
        most = fmax(most, (ey * (x[0] - a[0]) - ex * (x[1] - a[1])) / hypot(ex, ey));
    }
    return most;
}

static double outside_here(const slip_solid *s, const double x[3])
{
    switch (s->kind) {
    case SLIP_SOLID_SPHERE:
    case SLIP_SOLID_DISC:
        return sqrt(dot(x, x)) - s->radius;
    case SLIP_SOLID_CAPSULE: {
        const double z = x[2] - fmin(s->half[2], fmax(-s->half[2], x[2]));
        return sqrt(x[0] * x[0] + x[1] * x[1] + z * z) - s->radius;
    }
    case SLIP_SOLID_BOX:
        return fmax(fmax(fabs(x[0]) - s->half[0], fabs(x[1]) - s->half[1]), fabs(x[2]) - s->half[2]);
    case SLIP_SOLID_CYLINDER:
        return fmax(hypot(x[0], x[1]) - s->radius, fabs(x[2]) - s->half[2]);
    case SLIP_SOLID_ELLIPSOID: {
        const double y[3] = { x[0] / s->half[0], x[1] / s->half[1], x[2] / s->half[2] };
        return (sqrt(dot(y, y)) - 1.0) * fmin(s->half[0], fmin(s->half[1], s->half[2]));
    }
    case SLIP_SOLID_HULL:
        return above_faces(s->hull, x);
    case SLIP_SOLID_POLYGON:
        return outside_polygon(s->points, s->point_count, x);
    default:
        return dot(x, s->normal) - s->offset;
    }
}

double judge_outside(const slip_solid *s, const slip_pose *pose, const double x[3])
{
    double away[3], body[3], shape[3];
    for (int k = 0; k < 3; k++) away[k] = x[k] - pose->x[k];
    turn(pose->q, away, -1.0, body);
    for (int k = 0; k < 3; k++) body[k] -= s->local.x[k];
    turn(s->local.q, body, -1.0, shape);
    return outside_here(s, shape);
}

double judge_separation(const slip_solid *a, const slip_pose *pa, const slip_solid *b, const slip_pose *pb,
                        const double n[3])
{
    const double back[3] = { -n[0], -n[1], -n[2] };
    return -judge_support(a, pa, back) - judge_support(b, pb, n);
}

static void some_direction(uint64_t *seed, bool flat, double n[3])
{
    double size = 0.0;
    while (!(size > 0.1 && size <= 1.0)) {
        for (int k = 0; k < 3; k++) n[k] = flat && k == 2 ? 0.0 : between(seed, -1.0, 1.0);
        size = sqrt(dot(n, n));
    }
    for (int k = 0; k < 3; k++) n[k] /= size;
}

double judge_gap(const slip_solid *a, const slip_pose *pa, const slip_solid *b, const slip_pose *pb,
                 bool flat)
{
    uint64_t seed = 17;
    double best[3] = { 1, 0, 0 }, most = judge_separation(a, pa, b, pb, best);
    double width = 2.0;
    for (int k = 0; k < 3000; k++) {
        // all over at first, then closer and closer to the best
        double n[3], step[3];
        some_direction(&seed, flat, step);
        if (k > 800) width = fmax(1e-9, width * 0.99);
        const double far = width * uniform(&seed);
        for (int i = 0; i < 3; i++) n[i] = k <= 800 ? step[i] : best[i] + far * step[i];
        const double size = sqrt(dot(n, n));
        if (!(size > 1e-3)) continue;
        for (int i = 0; i < 3; i++) n[i] /= size;
        const double value = judge_separation(a, pa, b, pb, n);
        if (!(value > most)) continue;
        most = value;
        for (int i = 0; i < 3; i++) best[i] = n[i];
    }
    return most;
}
