/// helper.h: scenes in space: numbers of their systems at any state, and vectors beside them.
#ifndef SLIP_TEST_SPATIAL_HELPER_H
#define SLIP_TEST_SPATIAL_HELPER_H

#include "bodies/helper.h"
#include "models.h"

static inline void cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// v turned by a quaternion of length 1.
static inline void rotate(const double *q, const double *v, double *out)
{
    double a[3], b[3];
    cross(q + 1, v, a);
    for (int k = 0; k < 3; k++) a[k] += q[0] * v[k];
    cross(q + 1, a, b);
    for (int k = 0; k < 3; k++) out[k] = v[k] + 2 * b[k];
}

enum { MOST = 64 };

/// A random state of a scene: positions of the order of `size` about the start, quaternions of any length.
static inline void draw_state(const scene *s, double size, unsigned long long *seed, double *q, double *u)
{
    for (int k = 0; k < s->model->coordinate_count; k++) {
        const slip_coordinate *c = &s->model->coordinates[k];
        q[k] = c->start + size * draw(seed);
        u[k] = 2 * draw(seed);
        if (strstr(c->rate_name, ".stretch")) u[k] = 0;
    }
}

static inline double energy_of(scene *s, double t, const double *q, const double *u)
{
    double kinetic, potential, power;
    slip_system_energy(s->system, t, q, u, &s->terms, &kinetic, &potential, &power);
    return kinetic + potential;
}

#endif
