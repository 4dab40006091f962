/// output/plot/projected_solids.c: solids as the convex hull of some of their points.
#include "output/plot/projected_solids.h"
#include "base/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// rad: where the eye is, from the x axis and above the floor
static const double VIEW_AZIMUTH = -1.05, VIEW_ELEVATION = 0.35;

enum { RIM_POINTS = 24, BALL_POINTS = 30 };
static const double FULL_TURN = 6.283185307179586;

void slip_project_point(int dimensions, const double *place, double *xy)
{
    if (dimensions < 3) {
        memcpy(xy, place, 2 * sizeof *xy);
        return;
    }
    xy[0] = -slip_sin(VIEW_AZIMUTH) * place[0] + slip_cos(VIEW_AZIMUTH) * place[1];
    xy[1] =
        -slip_sin(VIEW_ELEVATION) * (slip_cos(VIEW_AZIMUTH) * place[0] + slip_sin(VIEW_AZIMUTH) * place[1]) +
        slip_cos(VIEW_ELEVATION) * place[2];
}

// v turned by the quaternion w x y z: v + 2 r x (r x v + w v)
static void rotate_vector(const double *q, const double *v, double *out)
{
    const double *r = q + 1;
    double a[3] = { r[1] * v[2] - r[2] * v[1] + q[0] * v[0], r[2] * v[0] - r[0] * v[2] + q[0] * v[1],
                    r[0] * v[1] - r[1] * v[0] + q[0] * v[2] };
    out[0] = v[0] + 2.0 * (r[1] * a[2] - r[2] * a[1]);
    out[1] = v[1] + 2.0 * (r[2] * a[0] - r[0] * a[2]);
    out[2] = v[2] + 2.0 * (r[0] * a[1] - r[1] * a[0]);
}

/// Points of a solid as they are collected.
typedef struct cloud {
    const double *frame;
    double xy[2 * SLIP_OUTLINE_POINTS];
    int count;
} cloud;

static void add_point(cloud *c, double x, double y, double z)
{
    double v[3] = { x, y, z }, turned[3];
    rotate_vector(c->frame + 3, v, turned);
    for (int k = 0; k < 3; k++) turned[k] += c->frame[k];
    if (c->count < SLIP_OUTLINE_POINTS) slip_project_point(3, turned, c->xy + 2 * c->count++);
}

static void add_rim(cloud *c, double radius, double z)
{
    for (int k = 0; k < RIM_POINTS; k++) {
        const double angle = FULL_TURN * k / RIM_POINTS;
        add_point(c, radius * slip_cos(angle), radius * slip_sin(angle), z);
    }
}

// a ball is the same circle from everywhere
static void add_ball(cloud *c, double radius, double z)
{
    double centre[2];
    add_point(c, 0.0, 0.0, z);
    memcpy(centre, c->xy + 2 * --c->count, sizeof centre);
    for (int k = 0; k < BALL_POINTS; k++) {
        const double angle = FULL_TURN * k / BALL_POINTS;
        c->xy[2 * c->count] = centre[0] + radius * slip_cos(angle);
        c->xy[2 * c->count++ + 1] = centre[1] + radius * slip_sin(angle);
    }
}

// The outline of an ellipsoid is an ellipse: what is farthest along each direction of the picture.
static void add_ellipsoid(cloud *c, const double *s)
{
    double e[3][2], centre[2];
    add_point(c, 0.0, 0.0, 0.0);
    memcpy(centre, c->xy, sizeof centre);
    for (int k = 0; k < 3; k++) {
        c->count = 0;
        add_point(c, k == 0 ? s[0] : 0.0, k == 1 ? s[1] : 0.0, k == 2 ? s[2] : 0.0);
        for (int i = 0; i < 2; i++) e[k][i] = c->xy[i] - centre[i];
    }
    c->count = 0;
    for (int k = 0; k < BALL_POINTS; k++) {
        const double angle = FULL_TURN * k / BALL_POINTS, u = slip_cos(angle), w = slip_sin(angle);
        double along[3], size2 = 0.0;
        for (int i = 0; i < 3; i++) along[i] = u * e[i][0] + w * e[i][1], size2 += along[i] * along[i];
        for (int i = 0; i < 2; i++)
            c->xy[2 * c->count + i] =
                centre[i] + (along[0] * e[0][i] + along[1] * e[1][i] + along[2] * e[2][i]) / sqrt(size2);
        c->count++;
    }
}

static int by_place(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

static double turn_of(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Andrew's monotone chain
static int convex_outline(double *xy, int count, double *out)
{
    int used = 0;
    qsort(xy, (size_t)count, 2 * sizeof *xy, by_place);
    for (int pass = 0, least = 1; pass < 2; pass++, least = used)
        for (int i = 0; i < count; i++) {
            const double *p = xy + 2 * (pass ? count - 1 - i : i);
            if (pass && i == 0) continue;
            while (used > least && turn_of(out + 2 * (used - 2), out + 2 * (used - 1), p) <= 0.0) used--;
            memcpy(out + 2 * used++, p, 2 * sizeof *p);
        }
    return used > 1 ? used - 1 : used; // the first one came again
}

int slip_project_outline(const slip_drawn_shape *shape, const double *frame, double *xy)
{
    cloud c = { .frame = frame };
    const double *s = shape->size;
    switch (shape->kind) {
    case SLIP_DRAWN_SPHERE:
        add_ball(&c, s[0], 0.0);
        break;
    case SLIP_DRAWN_CAPSULE:
        add_ball(&c, s[0], -0.5 * s[1]);
        add_ball(&c, s[0], 0.5 * s[1]);
        break;
    case SLIP_DRAWN_CYLINDER:
        add_rim(&c, s[0], -0.5 * s[1]);
        add_rim(&c, s[0], 0.5 * s[1]);
        break;
    case SLIP_DRAWN_ELLIPSOID:
        add_ellipsoid(&c, s);
        break;
    case SLIP_DRAWN_HULL:
        for (int k = 0, step = 1 + (shape->corner_count - 1) / SLIP_OUTLINE_POINTS; k < shape->corner_count;
             k += step)
            add_point(&c, shape->corners[3 * k], shape->corners[3 * k + 1], shape->corners[3 * k + 2]);
        break;
    case SLIP_DRAWN_PLANE:
        for (int k = 0; k < 4; k++) add_point(&c, k & 1 ? s[0] : -s[0], k & 2 ? s[0] : -s[0], 0.0);
        break;
    default:
        for (int k = 0; k < 8; k++)
            add_point(&c, (k & 1 ? 0.5 : -0.5) * s[0], (k & 2 ? 0.5 : -0.5) * s[1],
                      (k & 4 ? 0.5 : -0.5) * s[2]);
    }
    for (int k = 0; k < 2 * c.count; k++)
        if (!isfinite(c.xy[k])) return 0;
    double out[2 * (2 * SLIP_OUTLINE_POINTS + 2)];
    int count = convex_outline(c.xy, c.count, out);
    memcpy(xy, out, 2 * (size_t)count * sizeof *xy);
    return count;
}

void slip_project_box_edges(const slip_drawn_shape *shape, const double *frame, double xy[8])
{
    const double eye[3] = { slip_cos(VIEW_ELEVATION) * slip_cos(VIEW_AZIMUTH),
                            slip_cos(VIEW_ELEVATION) * slip_sin(VIEW_AZIMUTH), slip_sin(VIEW_ELEVATION) };
    double corner[3];
    for (int k = 0; k < 3; k++) {
        double axis[3] = { k == 0, k == 1, k == 2 }, turned[3];
        rotate_vector(frame + 3, axis, turned);
        double towards = turned[0] * eye[0] + turned[1] * eye[1] + turned[2] * eye[2];
        corner[k] = (towards > 0.0 ? 0.5 : -0.5) * shape->size[k];
    }
    cloud c = { .frame = frame };
    for (int k = -1; k < 3; k++)
        add_point(&c, k == 0 ? -corner[0] : corner[0], k == 1 ? -corner[1] : corner[1],
                  k == 2 ? -corner[2] : corner[2]);
    memcpy(xy, c.xy, 8 * sizeof *xy);
}
