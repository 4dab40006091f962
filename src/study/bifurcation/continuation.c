/// study/bifurcation/continuation.c: continuation of periodic orbits along a parameter.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/elementary.h"
#include "base/status.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/cycle_options.h"
#include "study/bifurcation/continuation.h"

slip_cycle_along slip_default_cycle_along(void)
{
    return (slip_cycle_along){ .max_points = 400, .max_branches = 6 };
}

// ---------------------------------------------------------------------------------------------- following

void slip_continuation_accept(slip_continuation *f)
{
    double *kept = f->z;
    f->z = f->trial, f->trial = kept;
    kept = f->tangent;
    f->tangent = f->direction, f->direction = kept;
}

static bool is_in_range(const slip_continuation *f, double value)
{
    double low = fmin(f->from, f->to), high = fmax(f->from, f->to), margin = RANGE_MARGIN * (high - low);
    return value >= low - margin && value <= high + margin;
}

// An event that reaches the section at which the period begins and ends has no defined side there. The
// section is moved on along the orbit.
static bool move_section(slip_continuation *f)
{
    const double part = SECTION_MOVE_FRACTION;
    int n = f->n;
    if (!slip_continuation_evaluate(f, f->z)) return false;
    double period = f->shooting->period;
    if (!slip_flow_map_run(f->shot, slip_shooting_time(f->shooting, 0), part * period, f->z)) return false;
    memcpy(f->trial, f->z, (size_t)f->size * sizeof *f->z);
    memcpy(f->trial, f->shot->end, (size_t)n * sizeof *f->z);
    for (int k = 0; k < n; k++)
        if (f->shifts[k]) f->trial[k] = f->z[k];
    double phase = f->phase;
    f->phase = f->forced ? fmod(phase + part, 1.0) : 0.0;
    if (!slip_continuation_evaluate(f, f->trial) || !(f->shooting->residual < SECTION_MOVE_RESIDUAL)) {
        f->phase = phase;
        return false;
    }
    memset(f->direction, 0, (size_t)f->size * sizeof *f->direction);
    f->direction[f->size - 1] = 1.0;
    double along = f->tangent[f->size - 1]; // the direction along the parameter is kept
    slip_continuation_tangent(f, f->direction, f->tangent);
    for (int j = 0; j < f->size && along * f->tangent[f->size - 1] < 0.0; j++)
        f->direction[j] = -f->direction[j];
    if (along * f->tangent[f->size - 1] < 0.0) slip_continuation_tangent(f, f->direction, f->tangent);
    memcpy(f->z, f->trial, (size_t)f->size * sizeof *f->z);
    return true;
}

/// The state of a continuation along one branch.
typedef struct walk {
    slip_branch_history past;
    double ds;             // arclength step
    const char *signature; // event sequence of the branch
    double period;         // of the first orbit
    bool moved;            // the section has been moved since steps became short
    int outside; // multipliers outside the unit circle at the last point where they could be counted; -1: none
    int changes; // crossings of the unit circle that the test functions have shown since
    double last; // value of the parameter at that point
} walk;

// True if more multipliers have crossed the unit circle than the test functions show: a pair that leaves it
// and becomes real within one step, or two crossings at once.
static bool missed_crossing(walk *w, const slip_branch_tests *now)
{
    const int changes = w->changes + slip_unit_circle_crossings(&w->past.tests[0], now);
    return w->outside >= 0 && now->outside >= 0 && abs(now->outside - w->outside) > changes;
}

static void count_multipliers(slip_continuation *f, walk *w, const slip_branch_tests *now, double value)
{
    if (missed_crossing(w, now) && !f->branch->between[0])
        snprintf(f->branch->between, sizeof f->branch->between,
                 "from %s = %.9g to %.9g the multipliers outside the unit circle change from %d to %d: "
                 "more lies between than was located",
                 f->name, w->last, value, w->outside, now->outside);
    w->changes += slip_unit_circle_crossings(&w->past.tests[0], now);
    if (now->outside >= 0) w->outside = now->outside, w->changes = 0, w->last = value;
}

// Halves a step that failed; false at the end of the branch, where the step is too short.
static bool shorten_step(slip_continuation *f, walk *w, const slip_cycle_branch *all)
{
    w->ds *= 0.5;
    if (w->ds < SECTION_MOVE_STEP && !w->moved) {
        w->moved = true;
        if (move_section(f)) w->ds = 0.1 * ARC_FIRST_STEP;
        return true;
    }
    if (w->ds >= ARC_MIN_STEP) return true;
    double border = slip_continuation_end_value(f, &w->past);
    if (isnan(border) && !f->forced && f->z[f->n] > HOMOCLINIC_PERIOD_RATIO * w->period) {
        size_t used = strlen(f->branch->text);
        snprintf(
            f->branch->text + used, sizeof f->branch->text - used,
            "; the period has grown from %.6g to %.6g s: the orbit approaches an equilibrium (homoclinic)",
            w->period, f->z[f->n]);
    }
    if (!isnan(border) && !f->wanted) slip_continuation_search_grazing(f, border, w->signature, all);
    return false;
}

// Makes the orbit in f->trial the last point of the branch. False at the end of the branch.
static bool accept_point(slip_continuation *f, walk *w, slip_cycle *c)
{
    slip_continuation_tangent(f, f->tangent, f->direction);
    double value = f->trial[f->size - 1];
    slip_branch_tests now = slip_continuation_test_functions(f, c, f->direction);
    if (w->ds > MISSED_CROSSING_STEP && missed_crossing(w, &now)) {
        slip_cycle_destroy(c);
        w->ds *= 0.5;
        return true;
    }
    count_multipliers(f, w, &now, value);
    if (slip_continuation_locate_special(f, w->ds, &w->past.tests[0], &now)) { // other orbits were evaluated
        if (!slip_continuation_correct(f, w->ds)) {
            slip_cycle_destroy(c);
            return false;
        }
        slip_continuation_tangent(f, f->tangent, f->direction);
    }
    if (f->joins || f->vanishes) {
        slip_cycle_destroy(c);
        snprintf(f->branch->text, sizeof f->branch->text, "%s at %s = %.12g",
                 f->joins ? "it meets a branch that is known," : "the orbit shrinks to an equilibrium",
                 f->name, f->branch->points[f->branch->point_count - 1].value);
        return false;
    }
    if (!slip_continuation_add_point(f, value, SLIP_BRANCH_PLAIN, c)) return false;
    for (int k = SLIP_BRANCH_HISTORY - 1; k > 0; k--)
        w->past.tests[k] = w->past.tests[k - 1], w->past.value[k] = w->past.value[k - 1];
    w->past.tests[0] = now, w->past.value[0] = value;
    slip_continuation_accept(f);
    if (!is_in_range(f, value)) {
        snprintf(f->branch->text, sizeof f->branch->text, "the end of the range was reached");
        return false;
    }
    w->moved = w->moved && w->ds < 0.5 * ARC_FIRST_STEP;
    w->ds = fmin(ARC_STEP_GROWTH * w->ds, ARC_MAX_STEP);
    return true;
}

// True if the wanted kind of special point is among those from `count` on.
static bool has_wanted(const slip_continuation *f, int count)
{
    for (int k = count; f->wanted && k < f->branch->point_count; k++)
        if (f->branch->points[k].kind == f->wanted) return true;
    return false;
}

static double largest_multiplier(const slip_cycle *c)
{
    return c->multiplier_count ? slip_hypot(c->multiplier_re[0], c->multiplier_im[0]) : 0.0;
}

// Formulations that do not report events: a sharp turn of the branch in one step, or a jump of its
// multipliers, shows that the corrector has converged to another branch.
static bool jumped_to_other_branch(slip_continuation *f, const slip_cycle *c, double ds)
{
    const slip_cycle *last = NULL;
    double along = 0.0;
    if (f->shot->tangent || ds < JUMP_LEAST_STEP) return false;
    for (int k = f->branch->point_count - 1; k >= 0 && !last; k--) last = f->branch->points[k].cycle;
    const double before = last ? largest_multiplier(last) : NAN, now = largest_multiplier(c);
    if (fmax(before, now) > JUMP_MULTIPLIER_LEAST &&
        (now > JUMP_MULTIPLIER_RATIO * before || before > JUMP_MULTIPLIER_RATIO * now))
        return true;
    slip_continuation_tangent(f, f->tangent, f->direction);
    for (int j = 0; j < f->size; j++) along += f->tangent[j] * f->direction[j];
    return along < JUMP_COSINE;
}

void slip_continuation_run(slip_continuation *f, int max_points, const slip_cycle *first,
                           const slip_cycle_branch *all)
{
    walk w = { .ds = ARC_FIRST_STEP, .signature = first->signature, .period = first->period };
    f->all = all;
    f->joins = f->vanishes = false;
    for (int k = 0; k < SLIP_BRANCH_HISTORY; k++)
        w.past.tests[k] = slip_continuation_test_functions(f, first, f->tangent),
        w.past.value[k] = f->z[f->size - 1];
    w.outside = w.past.tests[0].outside, w.last = w.past.value[0];
    while (f->branch->point_count < max_points && !f->failed) {
        slip_cycle *c = slip_continuation_correct(f, w.ds) ? slip_continuation_describe(f) : NULL;
        if (c && (!slip_same_event_sequence(c->signature, w.signature) || jumped_to_other_branch(f, c, w.ds)))
            slip_cycle_destroy(c), c = NULL;
        int count = f->branch->point_count;
        if (c ? !accept_point(f, &w, c) : !shorten_step(f, &w, all)) return;
        if (has_wanted(f, count)) return;
    }
    snprintf(f->branch->text, sizeof f->branch->text, "%d points were reached", f->branch->point_count);
}

// ---------------------------------------------------------------------------------------- further branches

slip_cycle_branch *slip_continuation_add_branch(slip_continuation *f, const char *origin)
{
    slip_cycle_branch *b = calloc(1, sizeof *b);
    if (!b) {
        f->failed = true;
        return NULL;
    }
    snprintf(b->origin, sizeof b->origin, "%s", origin);
    b->periods = 1;
    f->branch = b;
    f->capacity = 0;
    return b;
}

// Where the doubled branch begins its multipliers are squares, hence positive. A real multiplier below -1 at
// its first point has passed a further doubling, which must not be stepped over; then a point nearer to the
// beginning is taken.
static slip_cycle *first_doubled_orbit(slip_continuation *f, double ds)
{
    slip_cycle *c = slip_continuation_describe(f);
    for (double part = 0.5; c && slip_period_doubling_test(c) < 0.0 && part * ds >= DOUBLED_FIRST_STEP_LEAST;
         part *= 0.5) {
        slip_cycle *nearer = slip_continuation_correct(f, part * ds) ? slip_continuation_describe(f) : NULL;
        if (!nearer) break;
        slip_cycle_destroy(c);
        c = nearer;
    }
    if (c && slip_period_doubling_test(c) < 0.0)
        snprintf(
            f->branch->between, sizeof f->branch->between,
            "between its beginning and its first point, at %s = %.9g, lies a further doubling that was not "
            "located",
            f->name, f->trial[f->size - 1]);
    return c;
}

// The first orbit of a further branch: at its seed, or, where the seed is a branch point, a short distance
// along its tangent.
static slip_cycle *first_orbit_of_branch(slip_continuation *f, const slip_branch_seed *s)
{
    f->phase = s->phase;
    slip_continuation_set_periods(f, s->periods);
    memcpy(f->z, s->z, (size_t)f->size * sizeof *f->z);
    memcpy(f->tangent, s->tangent, (size_t)f->size * sizeof *f->z);
    if (!s->beside) return slip_continuation_evaluate(f, f->z) ? slip_continuation_describe(f) : NULL;
    for (size_t k = 0; k < sizeof FIRST_ORBIT_TRIES / sizeof *FIRST_ORBIT_TRIES; k++) {
        if (!slip_continuation_correct(f, FIRST_ORBIT_TRIES[k])) continue;
        slip_cycle *c =
            s->doubled ? first_doubled_orbit(f, FIRST_ORBIT_TRIES[k]) : slip_continuation_describe(f);
        slip_continuation_tangent(f, f->tangent, f->direction);
        slip_continuation_accept(f);
        return c;
    }
    return NULL;
}

static void follow_seed(slip_continuation *f, size_t k, int max_points, slip_cycle_branch *all)
{
    slip_branch_seed s = f->seeds[k];
    slip_cycle_branch *end = all;
    while (end->next) end = end->next;
    slip_cycle_branch *b = slip_continuation_add_branch(f, s.origin);
    slip_cycle *first = b ? first_orbit_of_branch(f, &s) : NULL;
    if (!b) return;
    end->next = b;
    b->periods = s.periods;
    if (!first) {
        snprintf(b->text, sizeof b->text, "its first orbit could not be found");
        return;
    }
    if (slip_continuation_add_point(f, f->z[f->size - 1], SLIP_BRANCH_PLAIN, first))
        slip_continuation_run(f, max_points, first, all);
}

// ------------------------------------------------------------------------------------------------ starting

static void continuation_layout(slip_arena *a, slip_continuation *f)
{
    double **const list[] = { &f->scale,     &f->z,      &f->tangent, &f->trial,
                              &f->direction, &f->secant, &f->b,       &f->dz };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) *list[k] = SLIP_TAKE(a, double, f->size);
    slip_lu_complete_layout(a, f->size, &f->system);
}

bool slip_continuation_allocate(slip_continuation *f)
{
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &f->memory)) continuation_layout(&arena, f);
    return f->memory != NULL;
}

// Takes sizes and unknowns from the first orbit, and the tangent towards the far end of the range.
static bool begin_at_first_orbit(slip_continuation *f, const slip_cycle *c, const bool *fixed,
                                 const bool *shifts)
{
    f->n = c->state_count;
    f->forced = c->forced;
    f->size = f->n + !f->forced + 1;
    f->fixed = fixed, f->shifts = shifts;
    if (!slip_continuation_allocate(f)) return false;
    memcpy(f->scale, c->size, (size_t)f->n * sizeof *f->scale);
    memcpy(f->z, c->state, (size_t)f->n * sizeof *f->z);
    if (!f->forced) f->scale[f->n] = f->z[f->n] = c->period;
    f->scale[f->size - 1] = fabs(f->to - f->from);
    f->z[f->size - 1] = f->from;
    if (!slip_continuation_evaluate(f, f->z)) return false;
    memset(f->direction, 0, (size_t)f->size * sizeof *f->direction);
    f->direction[f->size - 1] = f->to > f->from ? 1.0 : -1.0;
    slip_continuation_tangent(f, f->direction, f->tangent);
    return true;
}

void slip_continuation_free(slip_continuation *f)
{
    slip_continuation_drop_orbit(f);
    slip_sim_destroy(f->spare);
    slip_model_destroy(f->timed);
    for (size_t k = 0; k < f->seed_count; k++) free(f->seeds[k].z);
    free(f->seeds);
    free(f->memory);
}

static slip_status start_continuation(slip_continuation *f, slip_cycle *first, const slip_cycle_along *along,
                                      slip_cycle_branch *all, slip_error *error)
{
    size_t n = (size_t)first->state_count;
    bool *masks = calloc(2 * n + 1, sizeof *masks);
    bool fine = masks && slip_continuation_add_point(f, f->from, SLIP_BRANCH_PLAIN, first);
    if (!masks) slip_cycle_destroy(first);
    if (fine) slip_cycle_option_fixed(f->model, masks);
    for (size_t k = 0; k < n && fine; k++) masks[n + k] = first->advance[k] != 0.0;
    if (fine && begin_at_first_orbit(f, first, masks, masks + n))
        slip_continuation_run(f, along->max_points, first, all);
    else if (fine)
        snprintf(all->text, sizeof all->text, "the first orbit could not be found again");
    int branches = 1;
    for (size_t k = 0; k < f->seed_count && branches < along->max_branches && !f->failed; k++, branches++)
        follow_seed(f, k, along->max_points, all);
    free(masks);
    return fine && !f->failed ? SLIP_OK : slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
}

// Finds the first orbit, at the first value of the parameter.
static slip_status find_first(slip_continuation *f, slip_error *error, slip_cycle **first)
{
    char set[120];
    const char *change = set;
    slip_model *plain = NULL;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_status status = SLIP_OK;
    snprintf(set, sizeof set, "%s=%.17g", f->name, f->from);
    if (!notes || slip_model_vary(f->model, &change, 1, notes, &plain) != SLIP_OK)
        status = slip_fail(error, SLIP_UNKNOWN_NAME, f->name, "is not a parameter of this model");
    if (status == SLIP_OK) status = slip_cycle_find(plain, &f->own, error, first);
    slip_model_destroy(plain);
    slip_diagnostics_destroy(notes);
    return status;
}

slip_status slip_cycle_follow(const slip_model *model, const slip_cycle_def *def,
                              const slip_cycle_along *along, slip_error *error, slip_cycle_branch **out)
{
    *out = NULL;
    slip_continuation f = { .model = model, .def = def, .own = *def, .doubled = along->doubled };
    slip_cycle *first = NULL;
    slip_status status = slip_cycle_option_along(along->along, f.name, sizeof f.name, &f.from, &f.to, error);
    if (status == SLIP_OK && (along->max_points < 1 || along->max_branches < 1))
        status = slip_fail(error, SLIP_BAD_ARGUMENT, "points", "at least one is needed");
    if (status != SLIP_OK) return status;
    f.own.sensitivity = f.name;
    slip_continuation_set_periods(&f, 1);
    slip_cycle_branch *all = slip_continuation_add_branch(&f, "");
    if (!all) return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    status = find_first(&f, error, &first);
    if (status == SLIP_OK && first->found) {
        status = start_continuation(&f, first, along, all, error);
    } else if (status == SLIP_OK) {
        snprintf(all->text, sizeof all->text, "no cycle was found to begin with: %.400s", first->text);
        slip_cycle_destroy(first);
    }
    slip_continuation_free(&f);
    if (status == SLIP_OK)
        *out = all;
    else
        slip_cycle_branch_destroy(all);
    return status;
}

void slip_cycle_branch_destroy(slip_cycle_branch *b)
{
    while (b) {
        slip_cycle_branch *next = b->next;
        for (int k = 0; k < b->point_count; k++) slip_cycle_destroy(b->points[k].cycle);
        free(b->points);
        free(b);
        b = next;
    }
}
