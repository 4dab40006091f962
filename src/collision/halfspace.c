/// collision/halfspace.c: any solid on a half-space: its lowest points.
#include "collision/narrow_phase.h"

#include "collision/convex_hull.h"
#include "base/elementary.h"
#include "collision/collision_tolerances.h"

// The half-space in world coordinates: the height of x above it is n . x - d.
typedef struct ground {
    slip_v3 n;
    double d;
} ground;

static ground ground_of(const slip_placed_solid *p)
{
    const slip_v3 n = v3_to_world(&p->frame, v3_of(p->solid->normal));
    return (ground){ n, p->solid->offset + v3_dot(n, p->frame.at) };
}

static void add_vertex(const ground *g, slip_feature feature, int number, slip_v3 p, slip_manifold *found)
{
    const double gap = v3_dot(g->n, p) - g->d;
    slip_manifold_add(found, slip_manifold_point_id(feature, number, SLIP_FEATURE_FACE, 0),
                      v3_add_scaled(p, -0.5 * gap, g->n), g->n, gap);
}

static void add_points(const slip_placed_solid *a, const ground *g, const double *points, int count,
                       int stride, slip_manifold *found)
{
    for (int i = 0; i < count; i++) {
        const double *x = points + stride * i;
        const slip_v3 p = v3_point_to_world(&a->frame, v3(x[0], x[1], stride == 3 ? x[2] : 0.0));
        add_vertex(g, SLIP_FEATURE_VERTEX, i, p, found);
    }
}

static void add_box(const slip_placed_solid *a, const ground *g, slip_manifold *found)
{
    const double *h = a->solid->half;
    for (int i = 0; i < 8; i++) {
        const slip_v3 corner = v3(i & 1 ? h[0] : -h[0], i & 2 ? h[1] : -h[1], i & 4 ? h[2] : -h[2]);
        add_vertex(g, SLIP_FEATURE_VERTEX, i, v3_point_to_world(&a->frame, corner), found);
    }
}

static void add_ball(const slip_placed_solid *a, const ground *g, double z, int number, slip_manifold *found)
{
    const slip_v3 centre = v3_add_scaled(a->frame.at, z, a->frame.z);
    add_vertex(g, SLIP_FEATURE_ROUND, number, v3_add_scaled(centre, -a->solid->radius, g->n), found);
}

// support of an ellipsoid: x = D^2 n / |D n|, D the semi-axes
static void add_ellipsoid(const slip_placed_solid *a, const ground *g, slip_manifold *found)
{
    const slip_v3 n = v3_to_local(&a->frame, v3_neg(g->n));
    const double *s = a->solid->half;
    const slip_v3 Dn = v3(s[0] * n.x, s[1] * n.y, s[2] * n.z);
    const double size = v3_norm(Dn);
    const slip_v3 x = v3(s[0] * Dn.x / size, s[1] * Dn.y / size, s[2] * Dn.z / size);
    add_vertex(g, SLIP_FEATURE_ROUND, 0, v3_point_to_world(&a->frame, x), found);
}

// The rims of a cylinder: the lowest point of each, which both ends of a lying cylinder have; and, since an
// upright cap has no lowest point, four points that are fixed to it. Number of a rim point: 8 * end, + 0 for
// the lowest, + 1 to 4 for the others.
static void add_rim(const slip_placed_solid *a, const ground *g, int end, slip_manifold *found)
{
    const slip_solid *s = a->solid;
    const slip_axes *f = &a->frame;
    const slip_v3 centre = v3_add_scaled(f->at, end ? s->half[2] : -s->half[2], f->z);
    const double nx = v3_dot(g->n, f->x), ny = v3_dot(g->n, f->y), tilt = slip_hypot(nx, ny);
    // Height of the lowest of the four above the lowest of all: r tilt (1 - max(|cos|, |sin|)).
    const double above = s->radius * (tilt - fmax(fabs(nx), fabs(ny)));
    const bool upright = tilt < 0.5 && (end == 0) == (v3_dot(g->n, f->z) > 0.0);
    if (tilt > 0.0 && (!upright || above > RIM_POINT_LOWER_RELATIVE * s->radius)) {
        const slip_v3 down = v3_add(v3_scale(-nx / tilt, f->x), v3_scale(-ny / tilt, f->y));
        add_vertex(g, SLIP_FEATURE_ROUND, 8 * end, v3_add_scaled(centre, s->radius, down), found);
    }
    if (!upright) return;
    for (int k = 0; k < 4; k++) {
        const slip_v3 out = k & 1 ? f->y : f->x;
        add_vertex(g, SLIP_FEATURE_ROUND, 8 * end + 1 + k,
                   v3_add_scaled(centre, k & 2 ? -s->radius : s->radius, out), found);
    }
}

void slip_collide_halfspace(const slip_placed_solid *a, const slip_placed_solid *b, slip_manifold *found)
{
    const ground g = ground_of(b);
    const slip_solid *s = a->solid;
    switch (s->kind) {
    case SLIP_SOLID_SPHERE:
    case SLIP_SOLID_DISC:
        add_ball(a, &g, 0.0, 0, found);
        break;
    case SLIP_SOLID_CAPSULE:
        add_ball(a, &g, -s->half[2], 0, found);
        add_ball(a, &g, s->half[2], 1, found);
        break;
    case SLIP_SOLID_BOX:
        add_box(a, &g, found);
        break;
    case SLIP_SOLID_HULL:
        add_points(a, &g, s->hull->vertex, s->hull->vertex_count, 3, found);
        break;
    case SLIP_SOLID_POLYGON:
        add_points(a, &g, s->points, s->point_count, 2, found);
        break;
    case SLIP_SOLID_CYLINDER:
        add_rim(a, &g, 0, found);
        add_rim(a, &g, 1, found);
        break;
    case SLIP_SOLID_ELLIPSOID:
        add_ellipsoid(a, &g, found);
        break;
    case SLIP_SOLID_HALFSPACE:
    case SLIP_SOLID_COUNT:
        break;
    }
}
