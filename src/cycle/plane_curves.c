/// cycle/plane_curves.c: special points from one value of the second parameter to the next.
///
/// Whole branches are followed at both ends of the second parameter, and wherever a curve is lost. What they
/// have that no curve goes through begins a new one, which is followed both ways.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "cycle/follower.h"
#include "cycle/place.h"
#include "cycle/planner.h"

static const double SAME = 1e-7;     // values of the first parameter, of its range
static const double STRAIGHT = 1e-4; // error of a prediction that is believed, likewise
static const double ASTRAY = 0.01; // error that the way back cannot excuse, likewise, beyond the step itself
enum { HALVINGS = 3 };             // of a step of the second parameter
static const double NEAR = 0.25;   // a point of a whole branch that may go on a curve, likewise

/// Where a curve stands: a special point, the branch that it was found on, and the model of that.
typedef struct stand {
    const slip_cycle_branch *branch;
    int at;
    slip_cycle_branch *own; // the same, where nobody else keeps it
    double across;          // the second parameter
    const slip_model *model;
    slip_model *own_model; // the same, where nobody else keeps it
    slip_place *before;    // the place before; NULL: there is none
    double before_across;
} stand;

// ------------------------------------------------------------------------------------------ whole branches

static slip_status follow_whole(slip_planner *m, int row, slip_error *error)
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

static bool is_inside(const slip_plane *p, double value)
{
    return value >= fmin(p->from, p->to) && value <= fmax(p->from, p->to);
}

// whether a curve of this kind goes through a value already
static bool is_taken(const slip_planner *m, int row, slip_branch_kind kind, double value)
{
    for (int k = 0; k < m->plane->curve_count; k++) {
        const slip_plane_curve *c = &m->plane->curves[k];
        if (strcmp(c->kind, slip_branch_kind_name(kind)) == 0 &&
            fabs(c->points[row].along - value) <= SAME * m->range)
            return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------ the next value

// how far the next step is, of the last one
static double reach(const stand *s, double across)
{
    return s->before ? (across - s->across) / (s->across - s->before_across) : 0.0;
}

static double predict(const stand *s, double across)
{
    const double value = s->branch->points[s->at].value;
    return s->before ? value + reach(s, across) * (value - s->before->value) : value;
}

// How the unknowns are expected to change. All of them at a point that orbits reach; before a border, where
// the orbit is not the same from one value to the next, the parameter alone
static double *expect(const stand *s, const slip_place *here, double across)
{
    double *shift = calloc((size_t)here->size + 1, sizeof *shift);
    const slip_place *old = s->before;
    if (!shift || !old) return shift;
    if (slip_is_border(here->kind))
        shift[here->size - 1] = predict(s, across) - here->value;
    else if (old->size == here->size && fabs(old->phase - here->phase) < 1e-9)
        for (int k = 0; k < here->size; k++) shift[k] = reach(s, across) * (here->z[k] - old->z[k]);
    return shift;
}

// How to look for a point of a kind: where it is expected first, then further away
enum { LOOKS = 3 };

static const slip_place_look *looks_for(slip_branch_kind kind)
{
    static const slip_place_look points[LOOKS] = { { 0.0, -0.02, 1, 6 },
                                                   { 0.0, 0.0, -1, 8 },
                                                   { 0.0, 0.0, 1, 10 } };
    static const slip_place_look borders[LOOKS] = { { 0.05, 0.0, 1, 40 },
                                                    { 0.2, 0.0, 1, 40 },
                                                    { 0.6, 0.0, 1, 40 } };
    return slip_is_border(kind) ? borders : points;
}

// from where a curve stands to what another model has there: a branch, with the number of the point that was
// looked for, or -1. NULL when out of memory
static slip_cycle_branch *look(slip_planner *m, const stand *s, double across, const slip_model *model,
                               const slip_place_look *how, int *found)
{
    slip_place *here = slip_place_create(s->branch, s->at, how->back, m->range);
    double *shift = here && here->cycle ? expect(s, here, across) : NULL;
    slip_cycle_branch *next = NULL;
    *found = -1;
    if (shift) next = slip_place_follow(here, model, m->def, m->along->along, shift, how, found);
    m->failed = m->failed || !here || (here->cycle && !next);
    free(shift);
    slip_place_destroy(here);
    return next;
}

// whether from a new point the way back leads to where the curve stands: not so behind a jump to another
// orbit
static bool leads_back(slip_planner *m, const stand *s, const slip_cycle_branch *b, int at)
{
    const double value = s->branch->points[s->at].value;
    const slip_place_look *list = looks_for(b->points[at].kind);
    const stand there = { .branch = b, .at = at };
    bool same = false;
    for (int k = 0; k < LOOKS && !same && !m->failed; k++) {
        int found;
        slip_cycle_branch *back = look(m, &there, s->across, s->model, &list[k], &found);
        same = back && found >= 0 && fabs(back->points[found].value - value) <= SAME * m->range;
        slip_cycle_branch_destroy(back);
    }
    return same;
}

// How far orbits are from where a straight way leads, less what a bent one may be: all unknowns of a point
// that orbits reach, the parameter alone of a border
static double surprise(const slip_planner *m, const stand *s, double across, const slip_place *old,
                       const slip_place *now)
{
    const slip_place *older = s->before;
    double error = 0.0, step = 0.0;
    bool all = !slip_is_border(now->kind) && older->size == now->size && old->size == now->size;
    for (int k = all ? 0 : now->size - 1; k < now->size; k++) {
        const bool last = k == now->size - 1;
        const double size = last ? m->range : k < now->n ? now->scale[k] : now->z[k];
        const double a = last ? older->value : older->z[k], b = last ? old->value : old->z[k],
                     c = last ? now->value : now->z[k];
        error = fmax(error, fabs(c - b - reach(s, across) * (b - a)) / size);
        step = fmax(step, fabs(c - b) / size);
    }
    return error - 0.3 * step;
}

// A curve that goes on as it was going is believed; else the way back decides. A multiplier that leaves the
// unit circle is not one that comes back
static bool is_believed(slip_planner *m, const stand *s, double across, const slip_cycle_branch *b, int at)
{
    slip_place *old = slip_place_create(s->branch, s->at, 0.0, m->range),
               *now = slip_place_create(b, at, 0.0, m->range);
    m->failed = m->failed || !old || !now;
    const bool turned = !m->failed && old->turn * now->turn < 0;
    const double value = b->points[at].value, expected = predict(s, across),
                 step = fabs(expected - s->branch->points[s->at].value);
    const bool astray = s->before && fabs(value - expected) > step + ASTRAY * m->range;
    bool straight = s->before && !m->failed && surprise(m, s, across, old, now) <= STRAIGHT;
    slip_place_destroy(old);
    slip_place_destroy(now);
    return !turned && !astray && (straight || leads_back(m, s, b, at));
}

// The branch that has the next point of a curve; NULL: none has, and `why` says so. Between rows, row is -1
static slip_cycle_branch *look_around(slip_planner *m, const stand *s, double across, const slip_model *model,
                                      int row, int *at, char *why, size_t size)
{
    slip_branch_kind kind = s->branch->points[s->at].kind;
    const slip_place_look *list = looks_for(kind);
    for (int k = 0; k < LOOKS && !m->failed; k++) {
        slip_cycle_branch *b = look(m, s, across, model, &list[k], at);
        if (!b) continue;
        if (*at < 0)
            snprintf(why, size, "%s", b->text);
        else if (row >= 0 && is_taken(m, row, kind, b->points[*at].value))
            snprintf(why, size, "another curve of its kind is met");
        else if (!is_believed(m, s, across, b, *at))
            snprintf(why, size, "that at %.9g belongs to another orbit", b->points[*at].value);
        else
            return b;
        slip_cycle_branch_destroy(b);
    }
    return NULL;
}

static void leave(stand *s)
{
    slip_place_destroy(s->before);
    slip_cycle_branch_destroy(s->own);
    slip_model_destroy(s->own_model);
}

// the stand moves on to `next`
static void move(slip_planner *m, stand *s, stand next)
{
    next.before = slip_place_create(s->branch, s->at, 0.0, m->range);
    next.before_across = s->across;
    if (next.before) next.before->cycle = NULL; // it goes with its branch
    m->failed = m->failed || !next.before;
    leave(s);
    *s = next;
}

// to another value of the second parameter, with smaller steps where need be; model NULL: to be made
static bool advance(slip_planner *m, stand *s, double across, const slip_model *model, int row, int halvings,
                    char *why, size_t size)
{
    slip_model *own = model ? NULL : slip_planner_vary(m, across, NULL);
    stand next = { .at = -1, .across = across, .model = model ? model : own, .own_model = own };
    if (!next.model) return false;
    next.branch = next.own = look_around(m, s, across, next.model, row, &next.at, why, size);
    if (next.branch) {
        move(m, s, next);
        return true;
    }
    slip_model_destroy(own);
    return halvings > 0 && !m->failed &&
           advance(m, s, 0.5 * (s->across + across), NULL, -1, halvings - 1, why, size) &&
           advance(m, s, across, model, row, halvings - 1, why, size);
}

// the nearest point of a whole branch that may go on the curve
static const slip_cycle_branch *look_everywhere(slip_planner *m, const stand *s, int row, int *at)
{
    slip_branch_kind kind = s->branch->points[s->at].kind;
    const char *events = orbit_of(s->branch, s->at)->signature;
    const slip_cycle_branch *found = NULL;
    const double across = m->plane->rows[row], expected = predict(s, across);
    double best = NEAR * m->range;
    for (const slip_cycle_branch *b = m->full[row]; b; b = b->next)
        for (int k = 0; k < b->point_count; k++) {
            double far = fabs(b->points[k].value - expected);
            if (b->points[k].kind != kind || !is_special(b, k) || far >= best) continue;
            if (b->periods != s->branch->periods) continue;
            if (!orbit_of(b, k) || !slip_same_events(orbit_of(b, k)->signature, events)) continue;
            if (is_taken(m, row, kind, b->points[k].value) || !is_believed(m, s, across, b, k)) continue;
            best = far, *at = k, found = b;
        }
    return found;
}

// ------------------------------------------------------------------------------------------------- curves

static void mark(slip_plane_curve *c, int row, const slip_cycle_branch *b, int at)
{
    const slip_cycle *orbit = orbit_of(b, at);
    c->points[row].along = b->points[at].value;
    c->points[row].period = orbit ? orbit->period : NAN;
}

static void say_why(const slip_planner *m, const stand *s, int row, const char *why, char *text, size_t size)
{
    const slip_plane *p = m->plane;
    if (!is_inside(p, s->branch->points[s->at].value) || !is_inside(p, predict(s, p->rows[row])))
        snprintf(text, size, "it leaves the range of %s before %s = %.9g", p->along, p->across, p->rows[row]);
    else
        snprintf(text, size, "last found at %s = %.9g with %s = %.9g; then: %.160s", p->across, s->across,
                 p->along, s->branch->points[s->at].value, why);
}

// the next point of a curve, by a short branch, else by a whole one. False with a status: there is none
static bool go_on(slip_planner *m, stand *s, int row, char *why, size_t size, slip_status *status,
                  slip_error *error)
{
    const double across = m->plane->rows[row];
    if (advance(m, s, across, m->models[row], row, HALVINGS, why, size)) return true;
    if (m->failed) return false;
    *status = follow_whole(m, row, error);
    stand next = { .at = -1, .across = across, .model = m->models[row] };
    if (*status == SLIP_OK) next.branch = look_everywhere(m, s, row, &next.at);
    if (next.branch) move(m, s, next);
    return next.branch;
}

// curve number `curve` from point k of a branch at `row` on, towards greater numbers of values or smaller
static slip_status extend(slip_planner *m, int curve, int row, const slip_cycle_branch *b, int k, int sense,
                          slip_error *error)
{
    slip_plane *p = m->plane;
    stand s = { .branch = b, .at = k, .across = p->rows[row], .model = m->models[row] };
    slip_status status = SLIP_OK;
    for (row += sense; row >= 0 && row < p->row_count && !m->failed; row += sense) {
        slip_plane_curve *c = &p->curves[curve];
        char why[480] = "";
        bool found =
            go_on(m, &s, row, why, sizeof why, &status, error) && is_inside(p, s.branch->points[s.at].value);
        if (found) mark(c, row, s.branch, s.at);
        if (!found && status == SLIP_OK)
            say_why(m, &s, row, why, sense > 0 ? c->end : c->begin, sizeof c->end);
        if (!found) break;
    }
    leave(&s);
    return status;
}

// what a whole branch has that is on no curve yet
static slip_status begin_curves(slip_planner *m, int row, slip_error *error)
{
    slip_status status = SLIP_OK;
    for (const slip_cycle_branch *b = m->full[row]; b; b = b->next)
        for (int k = 0; k < b->point_count && status == SLIP_OK && !m->failed; k++) {
            slip_branch_kind kind = b->points[k].kind;
            if (!is_special(b, k) || !orbit_of(b, k) || !is_inside(m->plane, b->points[k].value) ||
                is_taken(m, row, kind, b->points[k].value))
                continue;
            slip_plane_curve *c =
                slip_planner_curve(m, slip_branch_kind_name(kind), orbit_of(b, k)->signature);
            if (!c) break;
            mark(c, row, b, k);
            int curve = m->plane->curve_count - 1;
            status = extend(m, curve, row, b, k, 1, error);
            if (status == SLIP_OK) status = extend(m, curve, row, b, k, -1, error);
        }
    return status;
}

slip_status slip_planner_cycles(slip_planner *m, slip_error *error)
{
    slip_plane *p = m->plane;
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
    if (status == SLIP_OK && m->failed) status = slip_fail(error, SLIP_NO_MEMORY, "plane", "out of memory");
    return status;
}
