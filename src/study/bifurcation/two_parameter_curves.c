/// study/bifurcation/two_parameter_curves.c: continuation of special points from one value of the second
/// parameter to the next.
///
/// Whole branches are followed at both ends of the range of the second parameter, and wherever a curve is
/// lost. Special points that lie on no curve yet start a new one, which is followed both ways.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/continuation.h"
#include "study/bifurcation/special_point.h"
#include "study/bifurcation/two_parameter.h"

enum { MAX_HALVINGS = 3 }; // of a step of the second parameter

/// The end of a curve: its last special point, the branch on which that was found, and the model of the
/// branch.
typedef struct curve_end {
    const slip_cycle_branch *branch;
    int at;                 // index of the special point in the branch
    slip_cycle_branch *own; // the branch, if it is owned by this record
    double across;          // value of the second parameter
    const slip_model *model;
    slip_model *own_model;      // the model, if it is owned by this record
    slip_special_point *before; // the previous point of the curve; NULL: there is none
    double before_across;
} curve_end;

// ------------------------------------------------------------------------------------------ whole branches

static slip_status follow_whole(slip_two_parameter_study *m, int row, slip_error *error)
{
    if (m->full[row]) return SLIP_OK;
    m->plane->whole++;
    return slip_cycle_follow(m->models[row], m->def, m->along, error, &m->full[row]);
}

static bool is_special(const slip_cycle_branch *b, int k)
{
    slip_branch_kind kind = b->points[k].kind;
    return kind != SLIP_BRANCH_PLAIN && kind != SLIP_BRANCH_END && (b->points[k].cycle || k > 0);
}

static const slip_cycle *orbit_of(const slip_cycle_branch *b, int k)
{
    return b->points[k].cycle ? b->points[k].cycle : b->points[k - 1].cycle;
}

static bool is_in_range(const slip_two_parameter_diagram *p, double value)
{
    return value >= fmin(p->from, p->to) && value <= fmax(p->from, p->to);
}

// True if a curve of this kind already goes through this value.
static bool is_on_curve(const slip_two_parameter_study *m, int row, slip_branch_kind kind, double value)
{
    for (int k = 0; k < m->plane->curve_count; k++) {
        const slip_two_parameter_curve *c = &m->plane->curves[k];
        if (strcmp(c->kind, slip_branch_kind_name(kind)) == 0 &&
            fabs(c->points[row].along - value) <= SAME_VALUE * m->range)
            return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------ the next value

// Length of the next step of the second parameter, relative to the last one.
static double step_ratio(const curve_end *s, double across)
{
    return s->before ? (across - s->across) / (s->across - s->before_across) : 0.0;
}

static double predict_value(const curve_end *s, double across)
{
    const double value = s->branch->points[s->at].value;
    return s->before ? value + step_ratio(s, across) * (value - s->before->value) : value;
}

// The predicted change of the unknowns: of all of them at a point that orbits reach, and of the parameter
// alone before a border, where the stored orbit is at another distance from the border each time.
static double *predict_unknowns(const curve_end *s, const slip_special_point *here, double across)
{
    double *shift = calloc((size_t)here->size + 1, sizeof *shift);
    const slip_special_point *old = s->before;
    if (!shift || !old) return shift;
    if (slip_is_discontinuity_border(here->kind))
        shift[here->size - 1] = predict_value(s, across) - here->value;
    else if (old->size == here->size && fabs(old->phase - here->phase) < PHASES_EQUAL)
        for (int k = 0; k < here->size; k++) shift[k] = step_ratio(s, across) * (here->z[k] - old->z[k]);
    return shift;
}

// The searches for a point of one kind, in the order in which they are tried: where it is predicted, then
// further away.
enum { SEARCH_COUNT = 3 };

static const slip_special_point_search *searches_for(slip_branch_kind kind)
{
    static const slip_special_point_search points[SEARCH_COUNT] = {
        { .offset = -0.02, .sense = 1, .points = 6 },
        { .sense = -1, .points = 8 },
        { .sense = 1, .points = 10 },
    };
    static const slip_special_point_search borders[SEARCH_COUNT] = {
        { .back = 0.05, .sense = 1, .points = 40 },
        { .back = 0.2, .sense = 1, .points = 40 },
        { .back = 0.6, .sense = 1, .points = 40 },
    };
    return slip_is_discontinuity_border(kind) ? borders : points;
}

// From the end of a curve to the corresponding point of another model: a branch, with the index of that
// point, or -1. NULL when out of memory.
static slip_cycle_branch *search_once(slip_two_parameter_study *m, const curve_end *s, double across,
                                      const slip_model *model, const slip_special_point_search *how,
                                      int *found)
{
    slip_special_point *here = slip_special_point_create(s->branch, s->at, how->back, m->range);
    double *shift = here && here->cycle ? predict_unknowns(s, here, across) : NULL;
    slip_cycle_branch *next = NULL;
    *found = -1;
    if (shift) next = slip_special_point_follow(here, model, m->def, m->along->along, shift, how, found);
    m->failed = m->failed || !here || (here->cycle && !next);
    free(shift);
    slip_special_point_destroy(here);
    return next;
}

// True if the search from the new point, back to the model of the curve's end, finds that end again. It does
// not if the new point belongs to another orbit.
static bool returns_to_start(slip_two_parameter_study *m, const curve_end *s, const slip_cycle_branch *b,
                             int at)
{
    const double value = s->branch->points[s->at].value;
    const slip_special_point_search *list = searches_for(b->points[at].kind);
    const curve_end there = { .branch = b, .at = at };
    bool same = false;
    for (int k = 0; k < SEARCH_COUNT && !same && !m->failed; k++) {
        int found;
        slip_cycle_branch *back = search_once(m, &there, s->across, s->model, &list[k], &found);
        same = back && found >= 0 && fabs(back->points[found].value - value) <= SAME_VALUE * m->range;
        slip_cycle_branch_destroy(back);
    }
    return same;
}

// Error of the linear prediction, less an allowance for the curvature of the curve. It is taken over all
// unknowns at a point that orbits reach, and over the parameter alone at a border.
static double prediction_error(const slip_two_parameter_study *m, const curve_end *s, double across,
                               const slip_special_point *old, const slip_special_point *now)
{
    const slip_special_point *older = s->before;
    double error = 0.0, step = 0.0;
    bool all = !slip_is_discontinuity_border(now->kind) && older->size == now->size && old->size == now->size;
    for (int k = all ? 0 : now->size - 1; k < now->size; k++) {
        const bool last = k == now->size - 1;
        const double size = last ? m->range : k < now->n ? now->scale[k] : now->z[k];
        const double a = last ? older->value : older->z[k], b = last ? old->value : old->z[k],
                     c = last ? now->value : now->z[k];
        error = fmax(error, fabs(c - b - step_ratio(s, across) * (b - a)) / size);
        step = fmax(step, fabs(c - b) / size);
    }
    return error - PREDICTION_CURVATURE * step;
}

// A point that continues the curve smoothly is accepted; otherwise the search back decides. A point where a
// multiplier leaves the unit circle does not continue one where it enters.
static bool is_accepted(slip_two_parameter_study *m, const curve_end *s, double across,
                        const slip_cycle_branch *b, int at)
{
    slip_special_point *old = slip_special_point_create(s->branch, s->at, 0.0, m->range),
                       *now = slip_special_point_create(b, at, 0.0, m->range);
    m->failed = m->failed || !old || !now;
    const bool turned = !m->failed && old->turn * now->turn < 0;
    const double value = b->points[at].value, expected = predict_value(s, across),
                 step = fabs(expected - s->branch->points[s->at].value);
    const bool astray = s->before && fabs(value - expected) > step + PREDICTION_REJECTED * m->range;
    bool straight = s->before && !m->failed && prediction_error(m, s, across, old, now) <= PREDICTION_TRUSTED;
    slip_special_point_destroy(old);
    slip_special_point_destroy(now);
    return !turned && !astray && (straight || returns_to_start(m, s, b, at));
}

// The short branch with the next point of a curve; NULL: there is none, and `why` says so. `row` is -1 at a
// value of the second parameter between two rows of the diagram.
static slip_cycle_branch *search_nearby(slip_two_parameter_study *m, const curve_end *s, double across,
                                        const slip_model *model, int row, int *at, char *why, size_t size)
{
    slip_branch_kind kind = s->branch->points[s->at].kind;
    const slip_special_point_search *list = searches_for(kind);
    for (int k = 0; k < SEARCH_COUNT && !m->failed; k++) {
        slip_cycle_branch *b = search_once(m, s, across, model, &list[k], at);
        if (!b) continue;
        if (*at < 0)
            snprintf(why, size, "%s", b->text);
        else if (row >= 0 && is_on_curve(m, row, kind, b->points[*at].value))
            snprintf(why, size, "another curve of its kind is met");
        else if (!is_accepted(m, s, across, b, *at))
            snprintf(why, size, "that at %.9g belongs to another orbit", b->points[*at].value);
        else
            return b;
        slip_cycle_branch_destroy(b);
    }
    return NULL;
}

static void drop_stand(curve_end *s)
{
    slip_special_point_destroy(s->before);
    slip_cycle_branch_destroy(s->own);
    slip_model_destroy(s->own_model);
}

// Moves the end of the curve to `next`.
static void move_to(slip_two_parameter_study *m, curve_end *s, curve_end next)
{
    next.before = slip_special_point_create(s->branch, s->at, 0.0, m->range);
    next.before_across = s->across;
    if (next.before) next.before->cycle = NULL; // the orbit is destroyed with its branch
    m->failed = m->failed || !next.before;
    drop_stand(s);
    *s = next;
}

// Advances the end of a curve to another value of the second parameter, by halved steps if necessary. If
// model is NULL, it is made here.
static bool advance_to(slip_two_parameter_study *m, curve_end *s, double across, const slip_model *model,
                       int row, int halvings, char *why, size_t size)
{
    slip_model *own = model ? NULL : slip_two_parameter_study_vary(m, across, NULL);
    curve_end next = { .at = -1, .across = across, .model = model ? model : own, .own_model = own };
    if (!next.model) return false;
    next.branch = next.own = search_nearby(m, s, across, next.model, row, &next.at, why, size);
    if (next.branch) {
        move_to(m, s, next);
        return true;
    }
    slip_model_destroy(own);
    return halvings > 0 && !m->failed &&
           advance_to(m, s, 0.5 * (s->across + across), NULL, -1, halvings - 1, why, size) &&
           advance_to(m, s, across, model, row, halvings - 1, why, size);
}

// The nearest special point of a whole branch that may continue the curve.
static const slip_cycle_branch *search_whole_branch(slip_two_parameter_study *m, const curve_end *s, int row,
                                                    int *at)
{
    slip_branch_kind kind = s->branch->points[s->at].kind;
    const char *events = orbit_of(s->branch, s->at)->signature;
    const slip_cycle_branch *found = NULL;
    const double across = m->plane->rows[row], expected = predict_value(s, across);
    double best = CURVE_MAX_JUMP * m->range;
    for (const slip_cycle_branch *b = m->full[row]; b; b = b->next)
        for (int k = 0; k < b->point_count; k++) {
            double far = fabs(b->points[k].value - expected);
            if (b->points[k].kind != kind || !is_special(b, k) || far >= best) continue;
            if (b->periods != s->branch->periods) continue;
            if (!orbit_of(b, k) || !slip_same_event_sequence(orbit_of(b, k)->signature, events)) continue;
            if (is_on_curve(m, row, kind, b->points[k].value) || !is_accepted(m, s, across, b, k)) continue;
            best = far, *at = k, found = b;
        }
    return found;
}

// ------------------------------------------------------------------------------------------------- curves

static void mark_point(slip_two_parameter_curve *c, int row, const slip_cycle_branch *b, int at)
{
    const slip_cycle *orbit = orbit_of(b, at);
    c->points[row].along = b->points[at].value;
    c->points[row].period = orbit ? orbit->period : NAN;
}

static void explain_end(const slip_two_parameter_study *m, const curve_end *s, int row, const char *why,
                        char *text, size_t size)
{
    const slip_two_parameter_diagram *p = m->plane;
    if (!is_in_range(p, s->branch->points[s->at].value) || !is_in_range(p, predict_value(s, p->rows[row])))
        snprintf(text, size, "it leaves the range of %s before %s = %.9g", p->along, p->across, p->rows[row]);
    else
        snprintf(text, size, "last found at %s = %.9g with %s = %.9g; then: %.160s", p->across, s->across,
                 p->along, s->branch->points[s->at].value, why);
}

// Finds the next point of a curve on a short branch, or else on a whole one. False if there is none; then
// *status tells a failure from the end of the curve.
static bool continue_curve(slip_two_parameter_study *m, curve_end *s, int row, char *why, size_t size,
                           slip_status *status, slip_error *error)
{
    const double across = m->plane->rows[row];
    if (advance_to(m, s, across, m->models[row], row, MAX_HALVINGS, why, size)) return true;
    if (m->failed) return false;
    *status = follow_whole(m, row, error);
    curve_end next = { .at = -1, .across = across, .model = m->models[row] };
    if (*status == SLIP_OK) next.branch = search_whole_branch(m, s, row, &next.at);
    if (next.branch) move_to(m, s, next);
    return next.branch;
}

// Extends a curve from point k of a branch at `row`, towards larger rows (sense 1) or smaller ones (-1).
static slip_status extend_curve(slip_two_parameter_study *m, int curve, int row, const slip_cycle_branch *b,
                                int k, int sense, slip_error *error)
{
    slip_two_parameter_diagram *p = m->plane;
    curve_end s = { .branch = b, .at = k, .across = p->rows[row], .model = m->models[row] };
    slip_status status = SLIP_OK;
    for (row += sense; row >= 0 && row < p->row_count && !m->failed; row += sense) {
        slip_two_parameter_curve *c = &p->curves[curve];
        char why[480] = "";
        bool found = continue_curve(m, &s, row, why, sizeof why, &status, error) &&
                     is_in_range(p, s.branch->points[s.at].value);
        if (found) mark_point(c, row, s.branch, s.at);
        if (!found && status == SLIP_OK)
            explain_end(m, &s, row, why, sense > 0 ? c->end : c->begin, sizeof c->end);
        if (!found) break;
    }
    drop_stand(&s);
    return status;
}

// Starts a curve at each special point of a whole branch that lies on none yet.
static slip_status begin_curves(slip_two_parameter_study *m, int row, slip_error *error)
{
    slip_status status = SLIP_OK;
    for (const slip_cycle_branch *b = m->full[row]; b; b = b->next)
        for (int k = 0; k < b->point_count && status == SLIP_OK && !m->failed; k++) {
            slip_branch_kind kind = b->points[k].kind;
            if (!is_special(b, k) || !orbit_of(b, k) || !is_in_range(m->plane, b->points[k].value) ||
                is_on_curve(m, row, kind, b->points[k].value))
                continue;
            slip_two_parameter_curve *c =
                slip_two_parameter_study_curve(m, slip_branch_kind_name(kind), orbit_of(b, k)->signature);
            if (!c) break;
            mark_point(c, row, b, k);
            int curve = m->plane->curve_count - 1;
            status = extend_curve(m, curve, row, b, k, 1, error);
            if (status == SLIP_OK) status = extend_curve(m, curve, row, b, k, -1, error);
        }
    return status;
}

slip_status slip_two_parameter_study_cycles(slip_two_parameter_study *m, slip_error *error)
{
    slip_two_parameter_diagram *p = m->plane;
    slip_status status = follow_whole(m, 0, error);
    if (status == SLIP_OK) snprintf(p->text, sizeof p->text, "%s", m->full[0]->text);
    if (status == SLIP_OK) status = begin_curves(m, 0, error);
    if (status == SLIP_OK) status = follow_whole(m, p->row_count - 1, error);
    bool more = true;
    bool *seen = calloc((size_t)p->row_count, sizeof *seen);
    m->failed = m->failed || !seen;
    while (more && status == SLIP_OK && !m->failed) { // new curves may need further whole branches
        more = false;
        for (int row = 1; row < p->row_count && status == SLIP_OK && !m->failed; row++) {
            if (!m->full[row] || seen[row]) continue;
            seen[row] = more = true;
            status = begin_curves(m, row, error);
        }
    }
    free(seen);
    if (status == SLIP_OK && m->failed)
        status = slip_fail(error, SLIP_NO_MEMORY, "two-parameter", "out of memory");
    return status;
}
