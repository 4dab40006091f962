/// output/plot/sweep_picture.c: the results of a sweep over what was varied first, a dot for each; those that are
/// not to be trusted look different.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "slipstick/sweep.h"
#include "output/plot/picture.h"
#include "output/plot/plot.h"
#include "output/plot/plot_tolerances.h"

enum { WIDTH = 800, HEIGHT = 480, LEFT = 74, RIGHT = 20, TOP = 46, BOTTOM = 52 };

static const double TEXT_SIZE = 12.0, SMALL_TEXT_SIZE = 11.0;
static const slip_pen GRID_PEN = { .stroke = SLIP_INK_GRID, .width = 1 };

/// What is shown: a kept value, or a column of the points.
typedef struct subject {
    const slip_sweep *sweep;
    const char *name;
    bool points;
    int column;
} subject;

typedef struct range {
    double low, high;
} range;

typedef struct sheet {
    slip_picture *picture;
    range x, y;
} sheet;

// ---------------------------------------------------------------------------------------------- subject

static bool find_subject(subject *s, const char *name(const slip_sweep *, int), bool points,
                         const char *wanted)
{
    for (int k = points ? 1 : 0; name(s->sweep, k); k++) {
        if (wanted && strcmp(name(s->sweep, k), wanted) != 0) continue;
        s->name = name(s->sweep, k);
        s->points = points;
        s->column = k;
        return true;
    }
    return false;
}

static bool has_points(const slip_sweep *sweep)
{
    for (long k = 0; k < slip_sweep_run_count(sweep); k++)
        if (slip_sweep_result_of(sweep, k).point_count) return true;
    return false;
}

static slip_status choose_subject(subject *s, const char *wanted, slip_error *error)
{
    if (has_points(s->sweep) && find_subject(s, slip_sweep_point_name, true, wanted)) return SLIP_OK;
    if (find_subject(s, slip_sweep_value_name, false, wanted)) return SLIP_OK;
    return slip_fail(error, SLIP_UNKNOWN_NAME, wanted ? wanted : "picture",
                     "is not among what was kept of the runs");
}

static long count_of(const subject *s, long run)
{
    const slip_sweep_result r = slip_sweep_result_of(s->sweep, run);
    return s->points ? r.point_count : r.done;
}

static double subject_value(const subject *s, long run, long k)
{
    const slip_sweep_result r = slip_sweep_result_of(s->sweep, run);
    return s->points ? r.points[k * slip_sweep_point_width(s->sweep) + s->column] : r.values[s->column];
}

// ------------------------------------------------------------------------------------------------ sheet

static void widen_range(range *r, double value)
{
    if (!isfinite(value)) return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static range with_air(range r)
{
    if (!(r.low <= r.high)) return (range){ 0.0, 1.0 };
    const double air =
        r.high > r.low ? CHART_MARGIN_OF_RANGE * (r.high - r.low) : MARGIN_OF_VALUE * fmax(fabs(r.low), 1.0);
    return (range){ r.low - air, r.high + air };
}

static void measure_ranges(sheet *on, const subject *s)
{
    range x = { INFINITY, -INFINITY }, y = x;
    for (long run = 0; run < slip_sweep_run_count(s->sweep); run++) {
        widen_range(&x, slip_sweep_point(s->sweep, run, 0));
        for (long k = 0; k < count_of(s, run); k++) widen_range(&y, subject_value(s, run, k));
    }
    on->x = with_air(x);
    on->y = with_air(y);
}

static double x_of(const sheet *s, double x)
{
    return LEFT + (x - s->x.low) / (s->x.high - s->x.low) * (s->picture->width - RIGHT - LEFT);
}

static double y_of(const sheet *s, double y)
{
    const double bottom = s->picture->height - BOTTOM;
    return bottom - (y - s->y.low) / (s->y.high - s->y.low) * (bottom - TOP);
}

static const char *scale_text(const slip_ticks *ticks, char *text, size_t size)
{
    text[0] = '\0';
    if (ticks->exponent) snprintf(text, size, ", 1e%d", ticks->exponent);
    return text;
}

static void draw_axes(const sheet *s, const subject *of)
{
    const double right = s->picture->width - RIGHT, bottom = s->picture->height - BOTTOM;
    const slip_ticks x = slip_ticks_of(s->x.low, s->x.high, 8), y = slip_ticks_of(s->y.low, s->y.high, 6);
    char text[64];
    for (int k = 0; k < x.count; k++) {
        slip_picture_line(s->picture, GRID_PEN, x_of(s, x.at[k]), TOP, x_of(s, x.at[k]), bottom);
        slip_tick_text(&x, x.at[k], text, sizeof text);
        slip_picture_label(s->picture, SLIP_INK_MUTED, SMALL_TEXT_SIZE, 0, 0, x_of(s, x.at[k]), bottom + 20,
                           "%s", text);
    }
    for (int k = 0; k < y.count; k++) {
        slip_picture_line(s->picture, GRID_PEN, LEFT, y_of(s, y.at[k]), right, y_of(s, y.at[k]));
        slip_tick_text(&y, y.at[k], text, sizeof text);
        slip_picture_label(s->picture, SLIP_INK_MUTED, SMALL_TEXT_SIZE, 1, 0, LEFT - 7, y_of(s, y.at[k]) + 4,
                           "%s", text);
    }
    slip_picture_label(s->picture, SLIP_INK_INK, TEXT_SIZE, 0, 0, 0.5 * (LEFT + right), bottom + 40, "%s%s",
                       slip_sweep_key(of->sweep, 0), scale_text(&x, text, sizeof text));
    slip_picture_label(s->picture, SLIP_INK_INK, TEXT_SIZE, 0, 1, 20, 0.5 * (TOP + bottom), "%s%s", of->name,
                       scale_text(&y, text, sizeof text));
}

// ------------------------------------------------------------------------------------------------- dots

// trusted: a full dot; unchecked: a full one in grey; doubtful: a hollow one; no answer: a stroke at the foot
static void draw_runs(const sheet *s, const subject *of, slip_trust trust)
{
    const slip_pen pens[] = { [SLIP_TRUST_TRUSTED] = { .fill = SLIP_INK_LINE_1 },
                              [SLIP_TRUST_UNCHECKED] = { .fill = SLIP_INK_MUTED },
                              [SLIP_TRUST_DOUBTFUL] = { .stroke = SLIP_INK_LINE_2,
                                                        .fill = SLIP_INK_PAPER,
                                                        .width = 1.2 } },
                   stroke = { .stroke = SLIP_INK_LINE_2, .width = 1.6 };
    const double bottom = s->picture->height - BOTTOM;
    for (long run = 0; run < slip_sweep_run_count(of->sweep); run++) {
        const slip_sweep_result r = slip_sweep_result_of(of->sweep, run);
        const double x = x_of(s, slip_sweep_point(of->sweep, run, 0));
        if (!r.done || r.trust != trust) continue;
        if (r.refused || r.outcome != SLIP_DONE)
            slip_picture_line(s->picture, stroke, x, bottom - 8, x, bottom);
        for (long k = 0; k < count_of(of, run); k++) {
            const double y = subject_value(of, run, k);
            if (isfinite(y))
                slip_picture_circle(s->picture, pens[trust], x, y_of(s, y),
                                    trust == SLIP_TRUST_DOUBTFUL ? 2.4 : 1.7);
        }
    }
}

static void draw_title(const sheet *s, const subject *of, const char *title)
{
    const slip_sweep_summary n = slip_sweep_summarize(of->sweep);
    const long done = slip_sweep_done_count(of->sweep), others = done - n.trusted - n.unchecked;
    slip_picture_label(s->picture, SLIP_INK_INK, 15, -1, 0, LEFT, 24, "%s", title);
    slip_picture_label(
        s->picture, SLIP_INK_MUTED, SMALL_TEXT_SIZE, 1, 0, s->picture->width - RIGHT, 24,
        others ? "%ld runs%s; %ld are not to be trusted (hollow, or a stroke where there is no answer)"
               : "%ld runs, all %s",
        done,
        others        ? n.unchecked ? ", unchecked (grey)" : ""
        : n.unchecked ? "unchecked (grey)"
                      : "trusted",
        others);
}

slip_status slip_sweep_picture(const char *path, const slip_sweep *sweep, const char *of, slip_error *error)
{
    subject s = { .sweep = sweep };
    slip_status status = slip_picture_check_name(path, error);
    if (status == SLIP_OK) status = choose_subject(&s, of, error);
    if (status != SLIP_OK) return status;
    slip_picture p = { .width = WIDTH, .height = HEIGHT };
    sheet on = { .picture = &p };
    measure_ranges(&on, &s);
    draw_axes(&on, &s);
    draw_runs(&on, &s, SLIP_TRUST_DOUBTFUL);
    draw_runs(&on, &s, SLIP_TRUST_UNCHECKED);
    draw_runs(&on, &s, SLIP_TRUST_TRUSTED);
    draw_title(&on, &s, slip_sweep_title(sweep));
    status = slip_picture_write(path, &p, slip_sweep_title(sweep), error);
    slip_picture_destroy(&p);
    return status;
}
