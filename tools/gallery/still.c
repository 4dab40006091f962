/// still.c: one picture of a motion: ghosts, contact forces, curves.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gallery.h"

enum { WIDTH = 760, HEIGHT = 300, SCENE = 400, MARGIN = 18 };
static const double ARROW = 46.0; // px, of the largest force

// ---------------------------------------------------------------------------------------- the view

pixel view_pixel(const view *v, const double *at)
{
    double x = 0.0, y = 0.0;
    for (int k = 0; k < v->dimensions; k++) {
        x += v->right[k] * at[k];
        y += v->up[k] * at[k];
    }
    return (pixel){ v->x0 + v->scale * x, v->y0 - v->scale * y };
}

/// A rectangle of the picture's plane, in metres.
typedef struct bounds {
    double x0, y0, x1, y1;
} bounds;

static void include(bounds *b, const view *v, const double *at, double radius)
{
    view metres = *v;
    metres.scale = 1.0;
    metres.x0 = metres.y0 = 0.0;
    pixel p = view_pixel(&metres, at);
    b->x0 = fmin(b->x0, p.x - radius);
    b->x1 = fmax(b->x1, p.x + radius);
    b->y0 = fmin(b->y0, -p.y - radius);
    b->y1 = fmax(b->y1, -p.y + radius);
}

static void include_shape(bounds *b, const view *v, const slip_drawn_shape *shape, const double *frame)
{
    const double *at = frame + shape->at;
    double corners[8][3];
    if (shape->endless || shape->kind == SLIP_DRAWN_PLANE) return;
    if (shape->size_count) {
        int count = solid_corners(shape, at, corners);
        for (int k = 0; k < count; k++)
            include(b, v, corners[k], shape->kind == SLIP_DRAWN_BOX ? 0.0 : shape->size[0]);
    } else {
        for (int k = 0; k < shape->count; k++)
            include(b, v, at + k * v->dimensions, shape->kind == SLIP_DRAWN_CIRCLE ? at[2] : 0.0);
    }
}

static const double *frame_of(const show *s, int k)
{
    return s->frames + (size_t)k * (size_t)s->drawing.width;
}

// everything that moves, at all times; fixed shapes in so far as they are not much larger
static view look(const show *s)
{
    view v = { .dimensions = s->drawing.dimensions, .right = { 1.0 }, .up = { 0.0, 1.0 }, .scale = 1.0 };
    if (v.dimensions == 3) { // from the right, from above
        const double turn = 0.45, rise = 0.35;
        memcpy(v.right, (double[]){ cos(turn), sin(turn), 0.0 }, sizeof v.right);
        memcpy(v.up, (double[]){ -sin(turn) * sin(rise), cos(turn) * sin(rise), cos(rise) }, sizeof v.up);
    }
    v.left = v.top = MARGIN;
    v.width = SCENE - 2 * MARGIN;
    v.height = HEIGHT - 2 * MARGIN;
    bounds b = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    for (int k = 0; k < s->frame_count; k++)
        for (int i = 0; i < s->drawing.shape_count; i++)
            include_shape(&b, &v, &s->drawing.shapes[i], frame_of(s, k));
    double wide = b.x1 - b.x0, high = b.y1 - b.y0, least = 0.05 * fmax(wide, high);
    if (wide < least) b.x0 -= least, b.x1 += least;
    if (high < least) b.y0 -= least, b.y1 += least;
    const double room = 30.0; // px for arrows
    v.scale = fmin((v.width - room) / (b.x1 - b.x0), (v.height - room) / (b.y1 - b.y0));
    v.x0 = v.left + 0.5 * v.width - v.scale * 0.5 * (b.x0 + b.x1);
    v.y0 = v.top + 0.5 * v.height + v.scale * 0.5 * (b.y0 + b.y1);
    return v;
}

// ---------------------------------------------------------------------------------------- shapes

static void write_places(FILE *out, const view *v, const double *at, int count)
{
    for (int k = 0; k < count; k++) {
        pixel p = view_pixel(v, at + k * v->dimensions);
        fprintf(out, "%s%.1f,%.1f", k ? " " : "", p.x, p.y);
    }
}

// a line without ends goes on to the edge of the scene
static void write_endless(FILE *out, const view *v, const double *at, const char *attributes)
{
    pixel a = view_pixel(v, at), b = view_pixel(v, at + 2);
    double dx = b.x - a.x, dy = b.y - a.y, far = 2000.0 / hypot(dx, dy);
    fprintf(out, "<polyline%s points=\"%.1f,%.1f %.1f,%.1f\"/>\n", attributes, a.x - far * dx, a.y - far * dy,
            a.x + far * dx, a.y + far * dy);
}

static void write_circle(FILE *out, const view *v, const double *at, const char *attributes)
{
    pixel c = view_pixel(v, at);
    double r = v->scale * at[2];
    fprintf(out, "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", attributes, c.x, c.y, r);
    if (isnan(at[3])) return;
    fprintf(out, "<polyline class=\"spoke\" points=\"%.1f,%.1f %.1f,%.1f\"/>\n", c.x, c.y,
            c.x + r * cos(at[3]), c.y - r * sin(at[3]));
}

static void write_shape(FILE *out, const view *v, const slip_drawn_shape *shape, const double *frame)
{
    const double *at = frame + shape->at;
    char attributes[80];
    snprintf(attributes, sizeof attributes, " class=\"%s%s%s\"", shape->fixed ? "fixed" : "moving",
             shape->style[0] ? " " : "", shape->style);
    switch (shape->kind) {
    case SLIP_DRAWN_POINTS:
        for (int k = 0; k < shape->count; k++) {
            pixel p = view_pixel(v, at + k * v->dimensions);
            fprintf(out, "<circle class=\"dot %s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                    shape->fixed ? "fixed" : "moving", p.x, p.y);
        }
        break;
    case SLIP_DRAWN_LINE:
    case SLIP_DRAWN_POLYGON:
        if (shape->endless) {
            write_endless(out, v, at, attributes);
            break;
        }
        fprintf(out, "<%s%s points=\"", shape->kind == SLIP_DRAWN_LINE ? "polyline" : "polygon", attributes);
        write_places(out, v, at, shape->count);
        fprintf(out, "\"/>\n");
        break;
    case SLIP_DRAWN_CIRCLE:
        write_circle(out, v, at, attributes);
        break;
    default:
        solid_write(out, v, shape, at, attributes);
        break;
    }
}

static void write_shapes(FILE *out, const show *s, const view *v, const double *frame, bool fixed)
{
    for (int k = 0; k < s->drawing.shape_count; k++)
        if (s->drawing.shapes[k].fixed == fixed) write_shape(out, v, &s->drawing.shapes[k], frame);
}

// ------------------------------------------------------------------------------------------ forces

static double force_size(const show *s, const double *at)
{
    double square = 0.0;
    for (int k = 0; k < s->drawing.dimensions; k++)
        square += at[s->drawing.dimensions + k] * at[s->drawing.dimensions + k];
    return sqrt(square);
}

static void write_arrow(FILE *out, const show *s, const view *v, const double *at, double largest)
{
    int d = s->drawing.dimensions;
    double size = force_size(s, at), metres = ARROW * size / largest / v->scale, tip[3];
    if (!(size > 0.02 * largest)) return;
    for (int k = 0; k < d; k++) tip[k] = at[k] + metres * at[d + k] / size;
    pixel a = view_pixel(v, at), b = view_pixel(v, tip);
    double length = hypot(b.x - a.x, b.y - a.y), ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    if (!(length > 3.0)) return;
    fprintf(out, "<polyline class=\"force\" points=\"%.1f,%.1f %.1f,%.1f\"/>\n", a.x, a.y, b.x - 5 * ux,
            b.y - 5 * uy);
    fprintf(out, "<polygon class=\"head\" points=\"%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n", b.x, b.y,
            b.x - 8 * ux - 3.5 * uy, b.y - 8 * uy + 3.5 * ux, b.x - 8 * ux + 3.5 * uy,
            b.y - 8 * uy - 3.5 * ux);
}

static double largest_force(const show *s, const int *chosen, int count)
{
    double largest = 0.0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < s->drawing.force_count; i++)
            largest = fmax(largest, force_size(s, frame_of(s, chosen[k]) + s->drawing.forces[i].at));
    return largest;
}

// ------------------------------------------------------------------------------------- the picture

static void write_scene(FILE *out, const show *s)
{
    enum { MOST = 12 };
    int wanted = s->entry && s->entry->ghosts ? s->entry->ghosts : 5, chosen[MOST], count = 0;
    if (wanted > MOST) wanted = MOST;
    for (; count < wanted && s->frame_count; count++)
        chosen[count] = wanted == 1 ? s->frame_count - 1 : count * (s->frame_count - 1) / (wanted - 1);
    view v = look(s);
    double largest = largest_force(s, chosen, count);
    fprintf(out, "<svg x=\"0\" y=\"0\" width=\"%d\" height=\"%d\">\n", SCENE, HEIGHT);
    if (count) write_shapes(out, s, &v, frame_of(s, chosen[count - 1]), true);
    for (int k = 0; k < count; k++) {
        const double *frame = frame_of(s, chosen[k]);
        bool last = k == count - 1;
        fprintf(out, "<g opacity=\"%.2f\">\n", last ? 1.0 : 0.16 + 0.34 * k / (count > 1 ? count - 1 : 1));
        write_shapes(out, s, &v, frame, false);
        for (int i = 0; i < s->drawing.force_count && largest > 0.0; i++)
            write_arrow(out, s, &v, frame + s->drawing.forces[i].at, largest);
        fprintf(out, "</g>\n");
    }
    if (largest > 0.0)
        fprintf(out, "<text class=\"small\" x=\"%d\" y=\"%d\">longest arrow %.3g N</text>\n", MARGIN,
                HEIGHT - 8, largest);
    fprintf(out, "</svg>\n");
}

// 1, 2 or 5 times a power of ten, at most five of them in a range
static double tick_of(double range)
{
    double power = pow(10.0, floor(log10(range / 5.0)));
    for (int k = 0; k < 3; k++) {
        static const double steps[] = { 1.0, 2.0, 5.0 };
        if (steps[k] * power * 5.0 >= range) return steps[k] * power;
    }
    return 10.0 * power;
}

static void write_plot(FILE *out, const show *s)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < s->curve_count; k++)
        for (int i = 0; i < s->curves[k].count; i++) {
            low = fmin(low, s->curves[k].y[i]);
            high = fmax(high, s->curves[k].y[i]);
        }
    if (!(high - low > 1e-4 * fmax(fabs(low), fabs(high)))) { // what stays as it is is drawn as a line
        double about = low < INFINITY ? low : 0.0, some = fmax(0.5 * fabs(about), 1.0);
        low = about - some;
        high = about + some;
    }
    double y_tick = tick_of(high - low), x_tick = tick_of(s->end - s->begin);
    svg_axes a = { .left = SCENE + 70,
                   .top = 40,
                   .width = WIDTH - SCENE - 70 - 22,
                   .height = HEIGHT - 40 - 46,
                   .x0 = s->begin,
                   .x1 = s->end,
                   .y0 = floor(low / y_tick) * y_tick,
                   .y1 = ceil(high / y_tick) * y_tick,
                   .x_tick = x_tick,
                   .y_tick = y_tick,
                   .title = "",
                   .subtitle = "",
                   .x_label = "t, s",
                   .y_label = "" };
    svg_draw_axes(out, &a);
    static const char *const classes[] = { "c1", "c2" };
    for (int k = 0; k < s->curve_count; k++) {
        svg_draw_curve(out, &a, &s->curves[k], classes[k]);
        fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"26\">%s</text>\n", classes[k], a.left + 90.0 * k,
                s->curve_name[k]);
    }
}

void still_write(FILE *out, const show *s)
{
    svg_begin(out, WIDTH, HEIGHT, slip_model_name(s->model),
              "Frames of the motion with contact forces, and its course in time");
    fprintf(out, "<style>\n"
                 "  .moving { stroke: #2a6fcb; stroke-width: 2; fill: none } polygon.moving, circle.moving { "
                 "fill: #2a6fcb; fill-opacity: 0.18 }\n"
                 "  .fixed { stroke: #8a8982; stroke-width: 2; fill: none } polygon.fixed { fill: #8a8982; "
                 "fill-opacity: 0.12 }\n"
                 "  circle.dot.moving { fill: #2a6fcb; fill-opacity: 1 } circle.dot.fixed { fill: #8a8982 }\n"
                 "  .thin { stroke-width: 1 } circle.thin { fill: none } .dashed { stroke-dasharray: 5 4 } "
                 ".accent { stroke: #d9622b }\n"
                 "  .spoke { stroke: #2a6fcb; stroke-width: 1 } .force { stroke: #d9622b; stroke-width: 2 } "
                 ".head { fill: #d9622b }\n"
                 "  text.small { font-size: 11px }\n"
                 "@media (prefers-color-scheme: dark) {\n"
                 "  .moving, .spoke { stroke: #5b9cf0 } polygon.moving, circle.moving, circle.dot.moving { "
                 "fill: #5b9cf0 }\n"
                 "  .fixed { stroke: #77797d } .force, .accent { stroke: #ef8a55 } .head { fill: #ef8a55 "
                 "}\n}\n</style>\n");
    write_scene(out, s);
    write_plot(out, s);
    svg_end(out);
}
