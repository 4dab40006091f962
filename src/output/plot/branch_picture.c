/// output/plot/branch_picture.c: periodic motions along a parameter: lines that are whole where they are stable, and
/// marks where something is special.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "slipstick/cycle.h"
#include "output/plot/chart.h"

static const slip_pen STABLE_PEN = { .stroke = SLIP_INK_BODY, .width = 1.8 },
                      UNSTABLE = { .stroke = SLIP_INK_BODY, .width = 1.4, .dash = 4 };

/// What is drawn upwards.
typedef struct ordinate_source {
    const slip_cycle_branch *all;
    int state; // its greatest value less its least: walls alone do not move; -1: the period
    char name[120];
} ordinate_source;

static slip_status choose_ordinate(ordinate_source *s, const char *of, slip_error *error)
{
    const slip_cycle *first = s->all->point_count ? s->all->points[0].cycle : NULL;
    slip_text names = { 0 };
    s->state = -1;
    if (!first) return slip_fail(error, SLIP_BAD_ARGUMENT, "picture", "there is no orbit to draw");
    if (of && strcmp(of, "period") == 0) {
        snprintf(s->name, sizeof s->name, "period, s");
        return SLIP_OK;
    }
    for (int k = 0; k < first->state_count && s->state < 0; k++) {
        if (!of || strcmp(first->state_name[k], of) == 0) s->state = k;
        slip_text_add(&names, "%s, ", first->state_name[k]);
    }
    slip_status status = SLIP_OK;
    if (s->state >= 0)
        snprintf(s->name, sizeof s->name, "extent of %.100s", first->state_name[s->state]);
    else
        status = slip_fail(error, SLIP_UNKNOWN_NAME, of, "is not a state; there are %speriod",
                           names.data ? names.data : "");
    slip_text_destroy(&names);
    return status;
}

// a border is no orbit itself: it is drawn as high as the last one before it
static double ordinate(const ordinate_source *s, const slip_cycle_branch *b, int k)
{
    while (k > 0 && !b->points[k].cycle) k--;
    const slip_cycle *c = b->points[k].cycle;
    return !c ? NAN : s->state < 0 ? c->period : c->high[s->state] - c->low[s->state];
}

static void measure_ranges(slip_chart *on, const ordinate_source *s)
{
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (const slip_cycle_branch *b = s->all; b; b = b->next)
        for (int k = 0; k < b->point_count; k++) {
            const double at[] = { b->points[k].value, ordinate(s, b, k) };
            for (int axis = 0; axis < 2; axis++)
                low[axis] = fmin(low[axis], at[axis]), high[axis] = fmax(high[axis], at[axis]);
        }
    for (int axis = 0; axis < 2; axis++) slip_chart_range(on, axis, low[axis], high[axis]);
}

// between two points; one that is special is on the border of both
static bool is_stable(const slip_cycle_branch_point *a, const slip_cycle_branch_point *b)
{
    const slip_cycle *c = a->kind == SLIP_BRANCH_PLAIN || !b->cycle ? a->cycle : b->cycle;
    return c && c->stable;
}

static void draw_line(const slip_chart *on, const ordinate_source *s, const slip_cycle_branch *b)
{
    bool last = false;
    for (int k = 1; k < b->point_count; k++) {
        const bool stable = is_stable(&b->points[k - 1], &b->points[k]);
        if (k == 1 || stable != last) {
            slip_picture_begin(on->picture, stable ? STABLE_PEN : UNSTABLE, false);
            slip_picture_point(on->picture, slip_chart_x(on, b->points[k - 1].value),
                               slip_chart_y(on, ordinate(s, b, k - 1)));
        }
        slip_picture_point(on->picture, slip_chart_x(on, b->points[k].value),
                           slip_chart_y(on, ordinate(s, b, k)));
        last = stable;
    }
}

static slip_pen point_pen(slip_branch_kind kind)
{
    const slip_special_point_style *look =
        slip_special_point_style_at(slip_special_point_style_of(slip_branch_kind_name(kind)));
    const slip_pen full = { .fill = look->pen.stroke },
                   hollow = { .stroke = look->pen.stroke, .fill = SLIP_INK_PAPER, .width = 1.6 };
    return look->pen.dash > 0.0 || kind == SLIP_BRANCH_END ? hollow : full;
}

static void draw_marks(const slip_chart *on, const ordinate_source *s, const slip_cycle_branch *b)
{
    for (int k = 0; k < b->point_count; k++) {
        const slip_branch_kind kind = b->points[k].kind;
        if (kind != SLIP_BRANCH_PLAIN && !isnan(ordinate(s, b, k)))
            slip_picture_circle(on->picture, point_pen(kind), slip_chart_x(on, b->points[k].value),
                                slip_chart_y(on, ordinate(s, b, k)), 4.0);
    }
}

static void draw_legend(slip_chart *on, const ordinate_source *s)
{
    bool shown[SLIP_BRANCH_COUNT] = { false };
    slip_chart_legend(on, STABLE_PEN, false, "stable");
    slip_chart_legend(on, UNSTABLE, false, "unstable");
    for (const slip_cycle_branch *b = s->all; b; b = b->next)
        for (int k = 0; k < b->point_count; k++) shown[b->points[k].kind] = true;
    for (slip_branch_kind kind = SLIP_BRANCH_PLAIN + 1; kind < SLIP_BRANCH_COUNT; kind++)
        if (shown[kind])
            slip_chart_legend(
                on, point_pen(kind), true,
                slip_special_point_style_at(slip_special_point_style_of(slip_branch_kind_name(kind)))->text);
}

slip_status slip_cycle_branch_picture(const char *path, const slip_cycle_branch *branch, const char *along,
                                      const char *of, const char *title, slip_error *error)
{
    ordinate_source s = { .all = branch };
    char name[80];
    slip_status status = slip_picture_check_name(path, error);
    if (status == SLIP_OK) status = choose_ordinate(&s, of, error);
    if (status != SLIP_OK) return status;
    slip_picture p = { 0 };
    slip_chart on;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(along, "="), along);
    slip_chart_begin(&on, &p, title);
    draw_legend(&on, &s);
    measure_ranges(&on, &s);
    slip_chart_axis(&on, 0, name);
    slip_chart_axis(&on, 1, s.name);
    for (const slip_cycle_branch *b = branch; b; b = b->next) draw_line(&on, &s, b);
    for (const slip_cycle_branch *b = branch; b; b = b->next) draw_marks(&on, &s, b);
    status = slip_picture_write(path, &p, title, error);
    slip_picture_destroy(&p);
    return status;
}
