/// still_space.c: solids in a picture: outlines, and lines that show how they have turned.
#include <math.h>
#include <string.h>

#include "gallery.h"

static const double PI = 3.14159265358979323846;

// a point of the shape's own frame in the ground's; at holds x y z and the quaternion w x y z
static void place(const double *at, const double *own, double *out)
{
    double w = at[3], x = at[4], y = at[5], z = at[6];
    double tx = 2.0 * (y * own[2] - z * own[1]), ty = 2.0 * (z * own[0] - x * own[2]),
           tz = 2.0 * (x * own[1] - y * own[0]);
    out[0] = at[0] + own[0] + w * tx + y * tz - z * ty;
    out[1] = at[1] + own[1] + w * ty + z * tx - x * tz;
    out[2] = at[2] + own[2] + w * tz + x * ty - y * tx;
}

// the eight corners of a box, the four of a plane, the ends of what has a length, a centre
int solid_corners(const slip_drawn_shape *shape, const double *at, double corners[8][3])
{
    const double *s = shape->size;
    bool box = shape->kind == SLIP_DRAWN_BOX, plane = shape->kind == SLIP_DRAWN_PLANE;
    int count = box ? 8 : plane ? 4 : shape->kind == SLIP_DRAWN_SPHERE ? 1 : 2;
    for (int k = 0; k < count; k++) {
        double own[3] = { 0.0, 0.0, 0.0 };
        if (box)
            for (int j = 0; j < 3; j++) own[j] = (k >> j & 1 ? 0.5 : -0.5) * s[j];
        else if (plane) {
            own[0] = (k == 1 || k == 2 ? 1.0 : -1.0) * s[0];
            own[1] = (k < 2 ? -1.0 : 1.0) * s[0];
        } else if (count == 2)
            own[2] = (k ? 0.5 : -0.5) * s[1];
        place(at, own, corners[k]);
    }
    return count;
}

static void write_loop(FILE *out, const view *v, const char *tag, const char *attributes, double points[][3],
                       int count)
{
    fprintf(out, "<%s%s points=\"", tag, attributes);
    for (int k = 0; k < count; k++) {
        pixel p = view_pixel(v, points[k]);
        fprintf(out, "%s%.1f,%.1f", k ? " " : "", p.x, p.y);
    }
    fprintf(out, "\"/>\n");
}

// the half of a great circle that is seen
static void write_meridian(FILE *out, const view *v, const double *at, double radius, int axis)
{
    enum { STEPS = 48 };
    double seen[STEPS + 1][3], away[3];
    for (int k = 0; k < 3; k++) // towards the eye: right x up
        away[k] = v->right[(k + 1) % 3] * v->up[(k + 2) % 3] - v->right[(k + 2) % 3] * v->up[(k + 1) % 3];
    int first = -1, count = 0;
    double circle[STEPS][3];
    bool front[STEPS];
    for (int k = 0; k < STEPS; k++) {
        double own[3] = { 0.0, 0.0, 0.0 }, toward = 0.0;
        own[(axis + 1) % 3] = radius * cos(2.0 * PI * k / STEPS);
        own[(axis + 2) % 3] = radius * sin(2.0 * PI * k / STEPS);
        place(at, own, circle[k]);
        for (int j = 0; j < 3; j++) toward += away[j] * (circle[k][j] - at[j]);
        front[k] = toward >= 0.0;
    }
    for (int k = 0; k < STEPS; k++)
        if (front[k] && !front[(k + STEPS - 1) % STEPS]) first = k;
    for (int k = 0; first >= 0 && k < STEPS && front[(first + k) % STEPS]; k++)
        memcpy(seen[count++], circle[(first + k) % STEPS], sizeof seen[0]);
    if (count > 1) write_loop(out, v, "polyline", " class=\"spoke\"", seen, count);
}

static void write_box(FILE *out, const view *v, const char *attributes, double c[8][3])
{
    static const int faces[6][4] = { { 0, 1, 3, 2 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 },
                                     { 2, 3, 7, 6 }, { 0, 2, 6, 4 }, { 1, 3, 7, 5 } };
    for (int f = 0; f < 6; f++) {
        double face[4][3];
        for (int k = 0; k < 4; k++) memcpy(face[k], c[faces[f][k]], sizeof face[k]);
        write_loop(out, v, "polygon", attributes, face, 4);
    }
}

// its two faces, and where they are farthest from each other's axis a line between them
static void write_cylinder(FILE *out, const view *v, const char *attributes, const double *at,
                           const double *size)
{
    enum { STEPS = 36 };
    double rim[2][STEPS][3], side[2][2][3];
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < STEPS; k++) {
            double angle = 2.0 * PI * k / STEPS;
            place(at, (double[]){ size[0] * cos(angle), size[0] * sin(angle), (end ? 0.5 : -0.5) * size[1] },
                  rim[end][k]);
        }
    for (int end = 0; end < (size[1] > 0.0 ? 2 : 1); end++)
        write_loop(out, v, "polygon", attributes, rim[end], STEPS);
    double spoke[2][3] = { { at[0], at[1], at[2] }, { rim[0][0][0], rim[0][0][1], rim[0][0][2] } };
    if (!(size[1] > 0.0))
        write_loop(out, v, "polyline", " class=\"spoke\"", spoke, 2); // a coin shows how it has turned
    pixel a = view_pixel(v, rim[0][0]), b = view_pixel(v, rim[1][0]), centre = view_pixel(v, at);
    double most[2] = { 0.0, 0.0 };
    for (int k = 0; k < STEPS && size[1] > 0.0; k++) {
        pixel p = view_pixel(v, rim[0][k]);
        double off = (b.x - a.x) * (p.y - centre.y) - (b.y - a.y) * (p.x - centre.x);
        int which = off > 0.0;
        if (fabs(off) < most[which]) continue;
        most[which] = fabs(off);
        for (int end = 0; end < 2; end++) memcpy(side[which][end], rim[end][k], sizeof rim[end][k]);
    }
    for (int k = 0; k < 2 && size[1] > 0.0; k++) write_loop(out, v, "polyline", attributes, side[k], 2);
}

// a thick stroke from end to end
static void write_bar(FILE *out, const view *v, double ends[8][3], double radius)
{
    pixel a = view_pixel(v, ends[0]), b = view_pixel(v, ends[1]);
    fprintf(out,
            "<line class=\"moving\" opacity=\"0.4\" style=\"stroke-width:%.1f;stroke-linecap:round\" "
            "x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
            "y2=\"%.1f\"/>\n",
            2.0 * radius * v->scale, a.x, a.y, b.x, b.y);
}

// the ground as a grid
static void write_grid(FILE *out, const view *v, const char *attributes, double c[8][3])
{
    enum { CELLS = 32 };
    write_loop(out, v, "polygon", attributes, c, 4);
    for (int k = 1; k < CELLS; k++)
        for (int turn = 0; turn < 2; turn++) {
            double line[2][3];
            for (int j = 0; j < 3; j++) {
                double s = (double)k / CELLS;
                line[0][j] = turn ? c[0][j] + s * (c[3][j] - c[0][j]) : c[0][j] + s * (c[1][j] - c[0][j]);
                line[1][j] = turn ? c[1][j] + s * (c[2][j] - c[1][j]) : c[3][j] + s * (c[2][j] - c[3][j]);
            }
            write_loop(out, v, "polyline", " class=\"grid\"", line, 2);
        }
}

enum { OUTLINE = 200 }; // points of a solid that its outline is made of

// The convex outline of points as they are seen: from the leftmost on, always the one that leaves all others
// on one side
static void write_outline(FILE *out, const char *attributes, const pixel *p, int count)
{
    int first = 0, at, steps = 0;
    for (int k = 1; k < count; k++)
        if (p[k].x < p[first].x) first = k;
    fprintf(out, "<polygon%s points=\"", attributes);
    at = first;
    do {
        int next = at ? 0 : count > 1;
        for (int k = 0; k < count; k++) {
            const double turn =
                (p[next].x - p[at].x) * (p[k].y - p[at].y) - (p[next].y - p[at].y) * (p[k].x - p[at].x);
            if (turn < 0.0) next = k;
        }
        fprintf(out, "%s%.1f,%.1f", steps ? " " : "", p[at].x, p[at].y);
        at = next;
    } while (at != first && ++steps < count);
    fprintf(out, "\"/>\n");
}

static void write_hull(FILE *out, const view *v, const char *attributes, const slip_drawn_shape *shape,
                       const double *at)
{
    pixel seen[OUTLINE];
    int count = 0;
    const int stride = 1 + (shape->corner_count - 1) / OUTLINE;
    for (int k = 0; k < shape->corner_count; k += stride) {
        double x[3];
        place(at, shape->corners + 3 * k, x);
        seen[count++] = view_pixel(v, x);
    }
    write_outline(out, attributes, seen, count);
}

static void write_ellipsoid(FILE *out, const view *v, const char *attributes, const slip_drawn_shape *shape,
                            const double *at)
{
    enum { AROUND = 20, UP = 10 };
    pixel seen[AROUND * UP];
    for (int k = 0; k < AROUND * UP; k++) {
        const double a = 2.0 * PI * (k % AROUND) / AROUND, b = PI * (0.5 + k / AROUND) / UP;
        const double own[3] = { shape->size[0] * sin(b) * cos(a), shape->size[1] * sin(b) * sin(a),
                                shape->size[2] * cos(b) };
        double x[3];
        place(at, own, x);
        seen[k] = view_pixel(v, x);
    }
    write_outline(out, attributes, seen, AROUND * UP);
}

void solid_write(FILE *out, const view *v, const slip_drawn_shape *shape, const double *at,
                 const char *attributes)
{
    double c[8][3];
    solid_corners(shape, at, c);
    pixel p = view_pixel(v, at);
    switch (shape->kind) {
    case SLIP_DRAWN_SPHERE:
        fprintf(out, "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", attributes, p.x, p.y,
                v->scale * shape->size[0]);
        for (int axis = 0; axis < 3; axis += 2) write_meridian(out, v, at, shape->size[0], axis);
        break;
    case SLIP_DRAWN_BOX:
        write_box(out, v, attributes, c);
        break;
    case SLIP_DRAWN_HULL:
        write_hull(out, v, attributes, shape, at);
        break;
    case SLIP_DRAWN_ELLIPSOID:
        write_ellipsoid(out, v, attributes, shape, at);
        break;
    case SLIP_DRAWN_CAPSULE:
        write_bar(out, v, c, shape->size[0]);
        break;
    case SLIP_DRAWN_CYLINDER:
        write_cylinder(out, v, attributes, at, shape->size);
        break;
    default:
        if (shape->endless) { // past the edges of the scene
            slip_drawn_shape wide = *shape;
            wide.size[0] = fmax(shape->size[0], 3.0 * (v->width + v->height) / v->scale);
            solid_corners(&wide, at, c);
        }
        write_grid(out, v, attributes, c);
        break;
    }
}
