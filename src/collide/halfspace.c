/// halfspace.c: any solid on a half-space: the points of it that are lowest.
#include "collide/pairs.h"

#include "collide/hull.h"
#include "core/elementary.h"

// the half-space where it is: height of x above it is n . x - d
typedef struct ground {
    slip_v3 n;
    double d;
} ground;

static ground ground_of(const slip_placed *p)
{
    const slip_v3 n = v3_out(&p->frame, v3_of(p->solid->normal));
    return (ground){ n, p->solid->offset + v3_dot(n, p->frame.at) };
}

static void at_point(const ground *g, slip_feature feature, int number, slip_v3 p, slip_found *found)
{
    const double gap = v3_dot(g->n, p) - g->d;
    slip_found_add(found, slip_touch_id(feature, number, SLIP_FEATURE_FACE, 0), v3_along(p, -0.5 * gap, g->n),
                   g->n, gap);
}

static void points(const slip_placed *a, const ground *g, const double *points, int count, int stride,
                   slip_found *found)
{
    for (int i = 0; i < count; i++) {
        const double *x = points + stride * i;
        const slip_v3 p = v3_point_out(&a->frame, v3(x[0], x[1], stride == 3 ? x[2] : 0.0));
        at_point(g, SLIP_FEATURE_VERTEX, i, p, found);
    }
}

static void box(const slip_placed *a, const ground *g, slip_found *found)
{
    const double *h = a->solid->half;
    for (int i = 0; i < 8; i++) {
        const slip_v3 corner = v3(i & 1 ? h[0] : -h[0], i & 2 ? h[1] : -h[1], i & 4 ? h[2] : -h[2]);
        at_point(g, SLIP_FEATURE_VERTEX, i, v3_point_out(&a->frame, corner), found);
    }
}

static void ball(const slip_placed *a, const ground *g, double z, int number, slip_found *found)
{
    const slip_v3 centre = v3_along(a->frame.at, z, a->frame.z);
    at_point(g, SLIP_FEATURE_ROUND, number, v3_along(centre, -a->solid->radius, g->n), found);
}

// support of an ellipsoid: x = D^2 n / |D n|, D the semi-axes
static void ellipsoid(const slip_placed *a, const ground *g, slip_found *found)
{
    const slip_v3 n = v3_in(&a->frame, v3_neg(g->n));
    const double *s = a->solid->half;
    const slip_v3 Dn = v3(s[0] * n.x, s[1] * n.y, s[2] * n.z);
    const double size = v3_norm(Dn);
    const slip_v3 x = v3(s[0] * Dn.x / size, s[1] * Dn.y / size, s[2] * Dn.z / size);
    at_point(g, SLIP_FEATURE_ROUND, 0, v3_point_out(&a->frame, x), found);
}

// Each rim of a cylinder: its lowest point, which both ends of a lying cylinder have; and, since a cap that
// stands has no lowest point, four that are fixed to it. Number of a rim point: 8 * end, + 0 for the lowest,
// + 1 to 4.
static void rim(const slip_placed *a, const ground *g, int end, slip_found *found)
{
    const slip_solid *s = a->solid;
    const slip_axes *f = &a->frame;
    const slip_v3 centre = v3_along(f->at, end ? s->half[2] : -s->half[2], f->z);
    const double nx = v3_dot(g->n, f->x), ny = v3_dot(g->n, f->y), tilt = slip_hypot(nx, ny);
    // as far as the lowest of the four is above the lowest of all: r tilt (1 - max(|cos|, |sin|))
    const double above = s->radius * (tilt - fmax(fabs(nx), fabs(ny)));
    const bool upright = tilt < 0.5 && (end == 0) == (v3_dot(g->n, f->z) > 0.0);
    if (tilt > 0.0 && (!upright || above > 1e-9 * s->radius)) {
        const slip_v3 down = v3_add(v3_scale(-nx / tilt, f->x), v3_scale(-ny / tilt, f->y));
        at_point(g, SLIP_FEATURE_ROUND, 8 * end, v3_along(centre, s->radius, down), found);
    }
    if (!upright) return;
    for (int k = 0; k < 4; k++) {
        const slip_v3 out = k & 1 ? f->y : f->x;
        at_point(g, SLIP_FEATURE_ROUND, 8 * end + 1 + k,
                 v3_along(centre, k & 2 ? -s->radius : s->radius, out), found);
    }
}

void slip_touch_halfspace(const slip_placed *a, const slip_placed *b, slip_found *found)
{
    const ground g = ground_of(b);
    const slip_solid *s = a->solid;
    switch (s->kind) {
    case SLIP_SOLID_SPHERE:
    case SLIP_SOLID_DISC:
        ball(a, &g, 0.0, 0, found);
        break;
    case SLIP_SOLID_CAPSULE:
        ball(a, &g, -s->half[2], 0, found);
        ball(a, &g, s->half[2], 1, found);
        break;
    case SLIP_SOLID_BOX:
        box(a, &g, found);
        break;
    case SLIP_SOLID_HULL:
        points(a, &g, s->hull->vertex, s->hull->vertex_count, 3, found);
        break;
    case SLIP_SOLID_POLYGON:
        points(a, &g, s->points, s->point_count, 2, found);
        break;
    case SLIP_SOLID_CYLINDER:
        rim(a, &g, 0, found);
        rim(a, &g, 1, found);
        break;
    case SLIP_SOLID_ELLIPSOID:
        ellipsoid(a, &g, found);
        break;
    case SLIP_SOLID_HALFSPACE:
    case SLIP_SOLID_COUNT:
        break;
    }
}
