/// output/plot/animation.c: the drawing of a model along a run, one picture per frame.
///
/// Every frame has the same marks in the same order, so that one of them is an animated SVG (film_svg.c):
/// what is not there at a time is a path without points.
#include "output/plot/animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "output/plot/projected_solids.h"
#include "output/plot/plot_tolerances.h"

enum { FOOT_HEIGHT = 24, MIN_SIZE = 120, MAX_SIZE = 4096 }; // points; FOOT_HEIGHT: below the drawing
static const double PADDING = 30.0, ARROW_LENGTH_SHARE = 0.16, MAX_ARROW_SHARE = 0.4;

slip_animation_def slip_default_animation_def(void)
{
    return (slip_animation_def){
        .from = NAN, .to = NAN, .seconds = NAN, .rate = 25.0, .width = 640, .height = 480
    };
}

// --------------------------------------------------------------------------------------------- frames

// the state at t; false when the run does not get there
static bool frame_at(slip_sim *sim, double t, double *frame)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING && t > slip_sim_draw_reach(sim)) outcome = slip_sim_step(sim);
    if (outcome != SLIP_RUNNING && outcome != SLIP_DONE) return false;
    if (outcome == SLIP_DONE || t <= slip_sim_time(sim)) {
        slip_sim_draw(sim, frame);
        return true;
    }
    return slip_sim_draw_at(sim, t, frame) == SLIP_RUNNING;
}

static slip_status take_frames(slip_animation *f, slip_sim *sim, slip_error *error)
{
    int width = f->drawing.width;
    f->time = calloc((size_t)f->count, sizeof *f->time);
    f->value = calloc((size_t)f->count * (size_t)width, sizeof *f->value);
    if (!f->time || !f->value) return slip_fail(error, SLIP_NO_MEMORY, "animation", "out of memory");
    int wanted = f->count;
    for (f->count = 0; f->count < wanted; f->count++) {
        double t = f->from + (f->to - f->from) * f->count / (wanted - 1);
        if (!frame_at(sim, t, f->value + (size_t)f->count * (size_t)width)) break;
        f->time[f->count] = t;
    }
    if (f->count == 0)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "animation", "the run does not get to t = %g s", f->from);
    return SLIP_OK;
}

// -------------------------------------------------------------------------------------------- measures

static bool is_path(slip_drawn_kind kind)
{
    return kind == SLIP_DRAWN_POINTS || kind == SLIP_DRAWN_LINE || kind == SLIP_DRAWN_POLYGON;
}

static void include_circle(slip_animation *f, double x, double y, double around)
{
    if (!isfinite(x) || !isfinite(y)) return;
    f->low[0] = fmin(f->low[0], x - around), f->high[0] = fmax(f->high[0], x + around);
    f->low[1] = fmin(f->low[1], y - around), f->high[1] = fmax(f->high[1], y + around);
}

static void include_shape(slip_animation *f, const slip_drawn_shape *s, const double *frame)
{
    int d = f->drawing.dimensions;
    double xy[4 * SLIP_OUTLINE_POINTS];
    if (is_path(s->kind)) {
        for (int k = 0; k < s->count && !s->endless; k++) {
            slip_project_point(d, frame + s->at + d * k, xy);
            include_circle(f, xy[0], xy[1], 0.0);
        }
    } else if (s->kind == SLIP_DRAWN_CIRCLE) {
        include_circle(f, frame[s->at], frame[s->at + 1], frame[s->at + 2]);
    } else if (s->kind != SLIP_DRAWN_PLANE) {
        int count = slip_project_outline(s, frame + s->at, xy);
        for (int k = 0; k < count; k++) include_circle(f, xy[2 * k], xy[2 * k + 1], 0.0);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double force_size(const slip_animation *f, const double *force)
{
    double sum = 0.0;
    for (int c = 0; c < f->drawing.dimensions; c++) sum += force[c] * force[c];
    return sqrt(sum);
}

// the force that 19 of 20 stay below; 0 when there is none, NaN when out of memory
static double typical_largest_force(const slip_animation *f)
{
    int d = f->drawing.dimensions;
    size_t most = (size_t)f->count * (size_t)f->drawing.force_count, count = 0;
    if (most == 0) return 0.0;
    double *all = malloc(most * sizeof *all);
    if (!all) return NAN;
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->drawing.force_count; k++) {
            const double *at = f->value + (size_t)i * (size_t)f->drawing.width + f->drawing.forces[k].at;
            double size = force_size(f, at + d);
            if (size > 0.0 && isfinite(size)) all[count++] = size;
        }
    if (count) qsort(all, count, sizeof *all, compare_doubles);
    double found = count ? all[(count - 1) * 19 / 20] : 0.0;
    free(all);
    return found;
}

static slip_status measure_scene(slip_animation *f, slip_error *error)
{
    f->low[0] = f->low[1] = INFINITY, f->high[0] = f->high[1] = -INFINITY;
    for (int i = 0; i < f->count; i++)
        for (int k = 0; k < f->drawing.shape_count; k++)
            include_shape(f, &f->drawing.shapes[k], f->value + (size_t)i * (size_t)f->drawing.width);
    if (!(f->low[0] <= f->high[0])) f->low[0] = f->low[1] = -1.0, f->high[0] = f->high[1] = 1.0;
    double wide = fmax(f->high[0] - f->low[0], LEAST_SCENE), high = fmax(f->high[1] - f->low[1], LEAST_SCENE);
    f->scale = fmin((f->width - 2 * PADDING) / wide, (f->height - 2 * PADDING - FOOT_HEIGHT) / high);
    double force = typical_largest_force(f);
    if (isnan(force)) return slip_fail(error, SLIP_NO_MEMORY, "animation", "out of memory");
    f->per_newton = force > 0.0 ? ARROW_LENGTH_SHARE * fmin(f->width, f->height) / force : 0.0;
    return SLIP_OK;
}

// --------------------------------------------------------------------------------------------- drawing

static void to_picture(const slip_animation *f, const double *xy, double *out)
{
    out[0] = 0.5 * f->width + (xy[0] - 0.5 * (f->low[0] + f->high[0])) * f->scale;
    out[1] = 0.5 * (f->height - FOOT_HEIGHT) - (xy[1] - 0.5 * (f->low[1] + f->high[1])) * f->scale;
}

static slip_pen pen_of(const slip_drawn_shape *s)
{
    bool accent = strcmp(s->style, "accent") == 0, thin = strcmp(s->style, "thin") == 0;
    bool open = s->kind == SLIP_DRAWN_LINE;
    slip_pen pen = { .stroke = s->fixed ? SLIP_INK_GROUND
                               : accent ? SLIP_INK_ACCENT
                                        : SLIP_INK_BODY,
                     .width = thin || s->fixed ? 1.2
                              : open           ? 3.0
                                               : 2.0,
                     .dash = strcmp(s->style, "dashed") == 0 ? 6.0 : 0.0 };
    pen.fill = open       ? SLIP_INK_NONE
               : s->fixed ? SLIP_INK_GROUND_FILL
               : accent   ? SLIP_INK_ACCENT_FILL
                          : SLIP_INK_BODY_FILL;
    return pen;
}

static void draw_path(const slip_animation *f, slip_picture *p, const slip_drawn_shape *s,
                      const double *frame)
{
    int d = f->drawing.dimensions;
    double flat[2], at[2], far[2] = { 0.0, 0.0 };
    if (s->endless && s->count > 1) { // on past both ends, out of the picture
        double a[2], b[2];
        slip_project_point(d, frame + s->at, a);
        slip_project_point(d, frame + s->at + d * (s->count - 1), b);
        double length = slip_hypot(b[0] - a[0], b[1] - a[1]), reach = 2.0 * (f->width + f->height) / f->scale;
        for (int c = 0; c < 2 && length > 0.0; c++) far[c] = (b[c] - a[c]) / length * reach;
    }
    slip_picture_begin(p, pen_of(s), s->kind == SLIP_DRAWN_POLYGON);
    for (int k = 0; k < s->count; k++) {
        slip_project_point(d, frame + s->at + d * k, flat);
        double way = k == 0 ? -1.0 : k + 1 == s->count ? 1.0 : 0.0;
        for (int c = 0; c < 2; c++) flat[c] += way * far[c];
        to_picture(f, flat, at);
        slip_picture_point(p, at[0], at[1]);
    }
}

static void draw_circle(const slip_animation *f, slip_picture *p, const slip_drawn_shape *s,
                        const double *frame)
{
    const double *v = frame + s->at;
    double at[2], rim[2] = { v[0] + v[2] * slip_cos(v[3]), v[1] + v[2] * slip_sin(v[3]) }, to[2];
    slip_pen pen = pen_of(s);
    to_picture(f, v, at);
    to_picture(f, rim, to);
    slip_picture_circle(p, pen, at[0], at[1], fmax(1.0, v[2] * f->scale));
    pen.fill = SLIP_INK_NONE;
    slip_picture_begin(p, pen, false);
    if (isnan(v[3])) return;
    slip_picture_point(p, at[0], at[1]);
    slip_picture_point(p, to[0], to[1]);
}

static void draw_edges(const slip_animation *f, slip_picture *p, const slip_drawn_shape *s,
                       const double *frame)
{
    double xy[8], corner[2], at[2];
    slip_pen pen = pen_of(s);
    pen.fill = SLIP_INK_NONE, pen.width = 1.2;
    slip_project_box_edges(s, frame + s->at, xy);
    to_picture(f, xy, corner);
    slip_picture_begin(p, pen, false);
    for (int k = 1; k < 4; k++) {
        to_picture(f, xy + 2 * k, at);
        slip_picture_point(p, corner[0], corner[1]);
        slip_picture_point(p, at[0], at[1]);
        slip_picture_point(p, NAN, NAN);
    }
}

static void draw_shape(const slip_animation *f, slip_picture *p, const slip_drawn_shape *s,
                       const double *frame)
{
    double xy[4 * SLIP_OUTLINE_POINTS], at[2];
    if (s->kind == SLIP_DRAWN_POINTS) {
        for (int k = 0; k < s->count; k++) {
            slip_project_point(f->drawing.dimensions, frame + s->at + f->drawing.dimensions * k, xy);
            to_picture(f, xy, at);
            slip_picture_circle(p, pen_of(s), at[0], at[1], 4.0);
        }
    } else if (is_path(s->kind)) {
        draw_path(f, p, s, frame);
    } else if (s->kind == SLIP_DRAWN_CIRCLE) {
        draw_circle(f, p, s, frame);
    } else {
        int count = slip_project_outline(s, frame + s->at, xy);
        slip_picture_begin(p, pen_of(s), true);
        for (int k = 0; k < count; k++) {
            to_picture(f, xy + 2 * k, at);
            slip_picture_point(p, at[0], at[1]);
        }
        if (s->kind == SLIP_DRAWN_BOX) draw_edges(f, p, s, frame);
    }
}

static void draw_arrow(slip_picture *p, slip_ink ink, const double *at, double dx, double dy)
{
    double length = slip_hypot(dx, dy), head = fmin(9.0, 0.5 * length), ux = dx / length, uy = dy / length;
    double ex = at[0] + dx, ey = at[1] + dy;
    bool seen = length > 1.0 && isfinite(ex) && isfinite(ey);
    slip_picture_begin(p, (slip_pen){ .stroke = ink, .width = 2.6 }, false);
    if (seen) {
        slip_picture_point(p, at[0], at[1]);
        slip_picture_point(p, ex - ux * head, ey - uy * head);
    }
    slip_picture_begin(p, (slip_pen){ .fill = ink }, true);
    if (!seen) return;
    slip_picture_point(p, ex, ey);
    slip_picture_point(p, ex - ux * head - uy * head * 0.5, ey - uy * head + ux * head * 0.5);
    slip_picture_point(p, ex - ux * head + uy * head * 0.5, ey - uy * head - ux * head * 0.5);
}

// an arrow and a dot for each mode, of which one at the most is seen: pens are the same in every frame
static void draw_force(const slip_animation *f, slip_picture *p, const double *v)
{
    static const slip_ink inks[] = { SLIP_INK_MUTED, SLIP_INK_LINE_3, SLIP_INK_LINE_2 };
    int d = f->drawing.dimensions, mode = v[2 * d] >= 1.5 ? 2 : v[2 * d] >= 0.5 ? 1 : 0;
    double flat[2], at[2], way[2], size = force_size(f, v + d) * f->per_newton;
    double most = MAX_ARROW_SHARE * fmin(f->width, f->height), factor = size > most ? most / size : 1.0;
    slip_project_point(d, v, flat);
    slip_project_point(d, v + d, way);
    to_picture(f, flat, at);
    bool there = isfinite(at[0]) && isfinite(at[1]);
    for (int k = 1; k < 3; k++) {
        double length = k == mode && there ? f->per_newton * factor : 0.0;
        draw_arrow(p, inks[k], at, length * way[0], -length * way[1]);
    }
    for (int k = 0; k < 3; k++) {
        double gone = k == mode && there ? 0.0 : NAN;
        slip_picture_circle(
            p, (slip_pen){ .stroke = inks[k], .fill = k ? inks[k] : SLIP_INK_PAPER, .width = 1.4 },
            at[0] + gone, at[1] + gone, 3.2);
    }
}

// how far the film is, and how long a length is
static void draw_foot(const slip_animation *f, slip_picture *p, double t)
{
    double y = f->height - 16.0, left = 96.0, right = f->width - 20.0;
    double share = f->to > f->from ? (t - f->from) / (f->to - f->from) : 1.0;
    slip_picture_line(p, (slip_pen){ .stroke = SLIP_INK_GRID, .width = 4 }, left, y, right, y);
    slip_picture_line(p, (slip_pen){ .stroke = SLIP_INK_MUTED, .width = 4 }, left, y,
                      left + share * (right - left), y);
    double unit = slip_pow10((int)floor(slip_log10(140.0 / f->scale))), length = unit;
    if (5.0 * unit * f->scale <= 140.0)
        length = 5.0 * unit;
    else if (2.0 * unit * f->scale <= 140.0)
        length = 2.0 * unit;
    slip_picture_begin(p, (slip_pen){ .stroke = SLIP_INK_MUTED, .width = 1.4 }, false);
    slip_picture_point(p, 20, y - 26);
    slip_picture_point(p, 20, y - 22);
    slip_picture_point(p, 20 + length * f->scale, y - 22);
    slip_picture_point(p, 20 + length * f->scale, y - 26);
    slip_picture_label(p, SLIP_INK_MUTED, 11, -1, 0, 22, y - 29, length < SHORT_SCALE ? "%g mm" : "%g m",
                       length < SHORT_SCALE ? 1000.0 * length : length);
}

void slip_animation_draw_frame(const slip_animation *f, int frame, slip_picture *p)
{
    const double *v = f->value + (size_t)frame * (size_t)f->drawing.width;
    p->width = f->width, p->height = f->height;
    for (int fixed = 1; fixed >= 0; fixed--)
        for (int k = 0; k < f->drawing.shape_count; k++)
            if (f->drawing.shapes[k].fixed == (fixed == 1)) draw_shape(f, p, &f->drawing.shapes[k], v);
    for (int k = 0; k < f->drawing.force_count; k++) draw_force(f, p, v + f->drawing.forces[k].at);
    draw_foot(f, p, f->time[frame]);
}

// ------------------------------------------------------------------------------------------------ film

static slip_status set_up_animation(slip_animation *f, const slip_sim *sim, const slip_animation_def *def,
                                    slip_error *error)
{
    double until = slip_sim_settings(sim).until;
    f->from = isnan(def->from) ? 0.0 : def->from;
    f->to = isnan(def->to) ? until : def->to;
    f->rate = def->rate;
    f->width = def->width, f->height = def->height;
    double seconds = isnan(def->seconds) ? fmin(20.0, fmax(2.0, f->to - f->from)) : def->seconds;
    if (!(f->from >= 0.0 && f->to > f->from && f->to <= until))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "from", "%g s to %g s lies outside the run (0 to %g s)",
                         f->from, f->to, until);
    if (!(f->rate > 0.0 && seconds > 0.0 && f->rate * seconds <= 5000.0))
        return slip_fail(error, SLIP_BAD_ARGUMENT, "animation",
                         "%g frames a second for %g s: an animation has at most 5000 frames", f->rate,
                         seconds);
    if (f->width < MIN_SIZE || f->height < MIN_SIZE || f->width > MAX_SIZE || f->height > MAX_SIZE)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "size",
                         "%d x %d is not the size of an animation (%d to %d)", f->width, f->height, MIN_SIZE,
                         MAX_SIZE);
    f->count = (int)fmax(2.0, ceil(f->rate * seconds));
    return SLIP_OK;
}

slip_status slip_animation_create(slip_sim *sim, const slip_model *model, const slip_animation_def *given,
                                  slip_error *error, slip_animation **out)
{
    slip_animation_def none = slip_default_animation_def();
    *out = NULL;
    slip_animation *f = calloc(1, sizeof *f);
    if (!f) return slip_fail(error, SLIP_NO_MEMORY, "animation", "out of memory");
    f->drawing = slip_model_drawing(model);
    f->title = slip_model_name(model);
    slip_status status =
        f->drawing.dimensions
            ? set_up_animation(f, sim, given ? given : &none, error)
            : slip_fail(error, SLIP_UNSUPPORTED, slip_model_name(model),
                        "there is nothing to draw; a draw: section in the model file says what to show");
    if (status == SLIP_OK) status = take_frames(f, sim, error);
    if (status == SLIP_OK) status = measure_scene(f, error);
    if (status != SLIP_OK) {
        slip_animation_destroy(f);
        return status;
    }
    *out = f;
    return SLIP_OK;
}

void slip_animation_destroy(slip_animation *f)
{
    if (!f) return;
    free(f->time);
    free(f->value);
    free(f);
}

int slip_animation_frame_count(const slip_animation *f)
{
    return f->count;
}

int slip_animation_width(const slip_animation *f)
{
    return f->width;
}

int slip_animation_height(const slip_animation *f)
{
    return f->height;
}

double slip_animation_rate(const slip_animation *f)
{
    return f->rate;
}

bool slip_animation_pixels(const slip_animation *f, int frame, unsigned char *rgb)
{
    slip_picture p = { 0 };
    slip_animation_draw_frame(f, frame, &p);
    slip_picture_label(&p, SLIP_INK_INK, 13, -1, 0, 20, f->height - 12.0, "%.*f s",
                       f->to - f->from < 1 ? 3 : 2, f->time[frame]);
    bool fine = !p.failed && slip_raster(&p, 1.0, rgb, f->width, f->height);
    slip_picture_destroy(&p);
    return fine;
}
