/// study/equilibrium/equilibrium.c: equilibria, and their continuation along a parameter.
#include "slipstick/equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "study/bifurcation/cycle_options.h"
#include "study/bifurcation/lu_determinant.h"
#include "study/bifurcation/initial_guess.h"
#include "study/equilibrium/equilibrium_residual.h"
#include "study/equilibrium/equilibrium_tolerances.h"
#include "base/linalg/lu_complete.h"

enum { MAX_CORRECTIONS = 10, MAX_LOCATE_STEPS = 60, HELD_SET_STEPS = 60 };

slip_equilibrium_def slip_default_equilibrium_def(void)
{
    return (slip_equilibrium_def){ .max_points = 400 };
}

static slip_status equilibrium_no_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "equilibrium", "out of memory");
}

/// A branch while it is followed.
typedef struct equilibrium_path {
    const slip_model *model;
    const slip_equilibrium_def *def;
    char name[80];
    double from, to;
    int n, size; // number of coordinates; of unknowns
    slip_equilibrium_residual *still;
    double *z, *tangent, *trial, *direction, *scale, *b, *dz;
    slip_lu_complete system;
    slip_equilibrium_branch *branch;
    size_t capacity;
    bool failed;
    void *memory;
} equilibrium_path;

// ------------------------------------------------------------------------------------------------- finding

// The position at which the search starts, as the caller gives it.
slip_status slip_equilibrium_first_place(const slip_model *model, const slip_equilibrium_def *def,
                                         double *place, slip_error *error)
{
    int n = model->coordinate_count;
    double *state = calloc(2 * (size_t)n + 1, sizeof *state);
    if (!state) return equilibrium_no_memory(error);
    for (int k = 0; k < n; k++) state[k] = model->coordinates[k].start;
    slip_status status = slip_cycle_read_start(model, def->start, state, error);
    memcpy(place, state, (size_t)n * sizeof *place);
    free(state);
    return status;
}

static slip_status find_at(equilibrium_path *t, double value, double *place, slip_error *error,
                           slip_equilibrium **out)
{
    const char *name = t->name[0] ? t->name : NULL;
    slip_equilibrium *r = *out = calloc(1, sizeof *r);
    if (!r) return equilibrium_no_memory(error);
    slip_equilibrium_residual_destroy(t->still);
    slip_status status = slip_equilibrium_residual_create(t->model, t->def, name, value, error, &t->still);
    if (status != SLIP_OK) return status;
    if (!slip_equilibrium_residual_solve(t->still, place, r->text, sizeof r->text)) return SLIP_OK;
    return slip_equilibrium_residual_describe(t->still, name != NULL, r) == SLIP_OK
               ? SLIP_OK
               : equilibrium_no_memory(error);
}

static slip_status check_model(const slip_model *model, slip_error *error)
{
    if (model->type == SLIP_MECHANICS) return SLIP_OK;
    return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                     "equilibria are those of mechanical models");
}

slip_status slip_equilibrium_find(const slip_model *model, const slip_equilibrium_def *def, slip_error *error,
                                  slip_equilibrium **out)
{
    *out = NULL;
    slip_equilibrium_def fallback = slip_default_equilibrium_def();
    equilibrium_path t = { .model = model, .def = def ? def : &fallback };
    slip_status status = check_model(model, error);
    if (status != SLIP_OK) return status;
    double *place = calloc((size_t)model->coordinate_count + 1, sizeof *place);
    slip_equilibrium *r = NULL;
    status = place ? slip_equilibrium_first_place(model, t.def, place, error) : equilibrium_no_memory(error);
    if (status == SLIP_OK) status = find_at(&t, NAN, place, error, &r);
    slip_equilibrium_residual_destroy(t.still);
    free(place);
    if (status == SLIP_OK)
        *out = r;
    else
        slip_equilibrium_destroy(r);
    return status;
}

void slip_equilibrium_destroy(slip_equilibrium *r)
{
    if (!r) return;
    for (int k = 0; k < r->coordinate_count && r->name; k++) free(r->name[k]);
    free(r->name), free(r->place), free(r->low), free(r->high);
    free(r->re), free(r->im), free(r->derivative);
    free(r);
}

// ------------------------------------------------------------------------------------------------ one point

static bool evaluate_at(equilibrium_path *t, const double *z)
{
    slip_equilibrium_residual_destroy(t->still);
    t->still = NULL;
    return slip_equilibrium_residual_create(t->model, t->def, t->name, z[t->n], NULL, &t->still) == SLIP_OK &&
           slip_equilibrium_residual_evaluate(t->still, z) && !t->still->held;
}

static void assemble_system(equilibrium_path *t, const double *last)
{
    const slip_equilibrium_residual *s = t->still;
    int n = t->n, size = t->size;
    double *A = t->system.A;
    memset(A, 0, (size_t)(size * size) * sizeof *A);
    for (int i = 0; i < n; i++) {
        bool out = s->fixed[i] || s->fixed[n + i];
        for (int j = 0; j < n; j++)
            A[i * size + j] = out || s->fixed[j] ? i == j : s->A[(n + i) * s->states + j] * t->scale[j];
        if (!out) A[i * size + n] = s->P[i] * t->scale[n];
    }
    memcpy(A + (size_t)n * (size_t)size, last, (size_t)size * sizeof *last);
    slip_lu_complete_factor(&t->system, size);
}

static void find_tangent(equilibrium_path *t, const double *like, double *tangent)
{
    double length = 0.0;
    assemble_system(t, like);
    memset(t->b, 0, (size_t)t->size * sizeof *t->b);
    t->b[t->n] = 1.0;
    slip_lu_complete_solve(&t->system, t->b, tangent);
    for (int j = 0; j < t->size; j++) length += tangent[j] * tangent[j];
    for (int j = 0; j < t->size; j++) tangent[j] /= sqrt(length);
}

// The determinant of the system at the point evaluated last, with the tangent as its last row. It changes
// sign at branch points, and not at folds (Keller 1977).
static double branch_point_test(equilibrium_path *t, const double *tangent)
{
    assemble_system(t, tangent);
    return slip_factored_determinant(&t->system);
}

// Pseudo-arclength corrector: Newton's method from z + ds tangent, orthogonal to the tangent.
static bool correct_point(equilibrium_path *t, double ds)
{
    for (int j = 0; j < t->size; j++) t->trial[j] = t->z[j] + ds * t->tangent[j] * t->scale[j];
    double before = INFINITY;
    for (int round = 0; round < MAX_CORRECTIONS; round++) {
        if (!evaluate_at(t, t->trial)) return false;
        double residual = t->still->residual;
        if (residual <= CORRECTED_EXACTLY || (round > 2 && residual > 0.5 * before))
            return residual <= CORRECTED_ENOUGH;
        before = residual;
        assemble_system(t, t->tangent);
        for (int i = 0; i < t->n; i++) t->b[i] = -t->still->a[i];
        t->b[t->n] = 0.0;
        slip_lu_complete_solve(&t->system, t->b, t->dz);
        for (int j = 0; j < t->size; j++) t->trial[j] += t->dz[j] * t->scale[j];
    }
    return false;
}

static bool add_branch_point(equilibrium_path *t, double value, slip_branch_kind kind, slip_equilibrium *rest)
{
    slip_equilibrium_branch *b = t->branch;
    if (!slip_array_grow((void **)&b->points, &t->capacity, (size_t)b->point_count, sizeof *b->points)) {
        slip_equilibrium_destroy(rest);
        t->failed = true;
        return false;
    }
    b->points[b->point_count++] = (slip_equilibrium_point){ value, kind, rest };
    return true;
}

static slip_equilibrium *describe_equilibrium(equilibrium_path *t)
{
    slip_equilibrium *r = calloc(1, sizeof *r);
    if (r && slip_equilibrium_residual_describe(t->still, true, r) == SLIP_OK) return r;
    slip_equilibrium_destroy(r);
    t->failed = true;
    return NULL;
}

// ------------------------------------------------------------------------------------------- special points

// The largest real part of a complex pair of eigenvalues; NaN: there is none.
static double largest_pair_real_part(const slip_equilibrium *r)
{
    double most = NAN;
    for (int k = 0; k < r->count; k++)
        if (r->im[k] != 0.0) most = fmax(isnan(most) ? -INFINITY : most, r->re[k]);
    return most;
}

static double test_of(equilibrium_path *t, const slip_equilibrium *r, slip_branch_kind kind)
{
    if (kind == SLIP_BRANCH_BRANCHING) return branch_point_test(t, t->direction);
    return kind == SLIP_BRANCH_FOLD ? t->direction[t->n] : largest_pair_real_part(r);
}

static void locate_special(equilibrium_path *t, double ds, slip_branch_kind kind, double fa, double fb)
{
    double a = 0.0, b = ds, value = NAN;
    slip_equilibrium *found = NULL;
    for (int k = 0; k < MAX_LOCATE_STEPS && b - a > EQUILIBRIUM_LOCATED; k++) {
        double s = k % 4 == 3 ? 0.5 * (a + b) : a - fa * (b - a) / (fb - fa);
        s = fmin(fmax(s, a + EQUILIBRIUM_LOCATE_INSET * (b - a)), b - EQUILIBRIUM_LOCATE_INSET * (b - a));
        if (!correct_point(t, s)) break;
        find_tangent(t, t->tangent, t->direction);
        slip_equilibrium *r = describe_equilibrium(t);
        if (!r) break;
        slip_equilibrium_destroy(found);
        found = r;
        double g = test_of(t, r, kind), before = value;
        value = t->trial[t->n];
        if (fabs(value - before) < EQUILIBRIUM_LOCATED * (fabs(t->to - t->from) + fabs(value)) || g == 0.0 ||
            isnan(g))
            break;
        if ((g > 0.0) == (fa > 0.0))
            a = s, fa = g, fb *= 0.5;
        else
            b = s, fb = g, fa *= 0.5;
    }
    if (found) add_branch_point(t, value, kind, found);
}

// ---------------------------------------------------------------------------------------------- following

static bool is_in_range(const equilibrium_path *t, double value)
{
    double low = fmin(t->from, t->to), high = fmax(t->from, t->to),
           margin = EQUILIBRIUM_RANGE_MARGIN * (high - low);
    return value >= low - margin && value <= high + margin;
}

static void accept_trial(equilibrium_path *t)
{
    double *kept = t->z;
    t->z = t->trial, t->trial = kept;
    kept = t->tangent;
    t->tangent = t->direction, t->direction = kept;
}

// Adds the special points between the last point and t->trial, at a distance ds.
static void look_between(equilibrium_path *t, double ds, const slip_equilibrium *last,
                         const slip_equilibrium *now, double before, double behind)
{
    int count = t->branch->point_count;
    double fold = t->tangent[t->n] * t->direction[t->n],
           pairs = largest_pair_real_part(last) * largest_pair_real_part(now), end = t->direction[t->n];
    if (before * behind < 0.0) locate_special(t, ds, SLIP_BRANCH_BRANCHING, before, behind);
    const bool crosses =
        t->branch->point_count > count; // a fold at a branch point belongs to the other branch
    if (fold < 0.0 && !crosses) locate_special(t, ds, SLIP_BRANCH_FOLD, t->tangent[t->n], end);
    if (pairs < 0.0)
        locate_special(t, ds, SLIP_BRANCH_HOPF, largest_pair_real_part(last), largest_pair_real_part(now));
    if (t->branch->point_count > count && correct_point(t, ds)) find_tangent(t, t->tangent, t->direction);
}

static void follow_path(equilibrium_path *t, const slip_equilibrium *last)
{
    double ds = EQUILIBRIUM_FIRST_STEP, before = branch_point_test(t, t->tangent);
    slip_equilibrium_branch *b = t->branch;
    while (b->point_count < t->def->max_points && !t->failed) {
        slip_equilibrium *r = correct_point(t, ds) ? describe_equilibrium(t) : NULL;
        if (!r) {
            ds *= 0.5;
            if (ds >= EQUILIBRIUM_MIN_STEP) continue;
            add_branch_point(t, t->z[t->n], SLIP_BRANCH_END, NULL);
            bool holds = t->still && t->still->held;
            snprintf(b->text, sizeof b->text, "%s at %s = %.12g%s%.200s",
                     holds ? "friction or a contact begins to hold it"
                           : "the branch could not be followed further",
                     t->name, t->z[t->n], t->still && t->still->reason[0] ? ": " : "",
                     t->still ? t->still->reason : "");
            if (holds) b->points[b->point_count - 1].kind = SLIP_BRANCH_EDGE;
            return;
        }
        find_tangent(t, t->tangent, t->direction);
        const double behind = branch_point_test(t, t->direction);
        look_between(t, ds, last, r, before, behind);
        before = behind;
        double value = t->trial[t->n];
        if (!add_branch_point(t, value, SLIP_BRANCH_PLAIN, r)) return;
        last = r;
        accept_trial(t);
        if (!is_in_range(t, value)) {
            snprintf(b->text, sizeof b->text, "the end of the range was reached");
            return;
        }
        ds = fmin(EQUILIBRIUM_STEP_GROWTH * ds, EQUILIBRIUM_MAX_STEP);
    }
    snprintf(b->text, sizeof b->text, "%d points were reached", b->point_count);
}

// True if the set is near the last one: no further from its ends than its width.
static bool is_beside_last(const slip_equilibrium *now, const slip_equilibrium *last)
{
    for (int k = 0; k < now->coordinate_count; k++) {
        const double width = last->high[k] - last->low[k];
        if (!isfinite(width)) continue;
        const double room = width + SET_OVERLAP_ROUNDING * fmax(1.0, fabs(last->place[k]));
        if (now->place[k] < last->low[k] - room || now->place[k] > last->high[k] + room) return false;
    }
    return true;
}

static void middle_of_set(const slip_equilibrium *r, double *place)
{
    for (int k = 0; k < r->coordinate_count; k++)
        if (isfinite(r->low[k]) && isfinite(r->high[k])) place[k] = 0.5 * (r->low[k] + r->high[k]);
}

// Follows a set of equilibria that friction holds, each time from the middle of the last one. Where there is
// no set any more, or only a distant one, the steps are halved until its edge is located.
static slip_status follow_held_set(equilibrium_path *t, const slip_equilibrium *first, slip_error *error)
{
    const double range = t->to - t->from, longest = range / HELD_SET_STEPS;
    const slip_equilibrium *last = first;
    slip_equilibrium *kept = NULL; // the last set, if it is not a point of the branch
    double known = t->from, step = longest;
    slip_status status = SLIP_OK;
    while (known != t->to && fabs(step) > HELD_STEP_LEAST * (fabs(known) + fabs(range)) &&
           status == SLIP_OK && t->branch->point_count < t->def->max_points && !t->failed) {
        const double value = fabs(t->to - known) <= fabs(step) ? t->to : known + step;
        slip_equilibrium *r = NULL;
        memcpy(t->trial, last->place, (size_t)t->n * sizeof *t->trial);
        middle_of_set(last, t->trial);
        status = find_at(t, value, t->trial, error, &r);
        if (status != SLIP_OK || !r->found || !r->held || !is_beside_last(r, last)) {
            slip_equilibrium_destroy(r);
            step *= 0.5;
            continue;
        }
        const bool shown = fabs(step) >= HELD_STEP_SHOWN * fabs(longest) || value == t->to;
        if (shown && !add_branch_point(t, value, SLIP_BRANCH_PLAIN, r)) break;
        slip_equilibrium_destroy(kept);
        kept = shown ? NULL : r;
        last = r, known = value;
        if (fabs(step) > HELD_STEP_GROWING * fabs(longest))
            step = copysign(fmin(EQUILIBRIUM_STEP_GROWTH * fabs(step), fabs(longest)), range);
    }
    slip_equilibrium_destroy(kept);
    if (status != SLIP_OK || t->failed) return status;
    if (known == t->to) {
        snprintf(t->branch->text, sizeof t->branch->text, "the end of the range was reached");
    } else {
        add_branch_point(t, known, SLIP_BRANCH_EDGE, NULL);
        snprintf(t->branch->text, sizeof t->branch->text, "friction holds no place any more at %s = %.12g",
                 t->name, known);
    }
    return SLIP_OK;
}

static void path_layout(slip_arena *a, equilibrium_path *t)
{
    double **const list[] = { &t->z, &t->tangent, &t->trial, &t->direction, &t->scale, &t->b, &t->dz };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) *list[k] = SLIP_TAKE(a, double, t->size);
    slip_lu_complete_layout(a, t->size, &t->system);
}

static bool path_allocate(equilibrium_path *t)
{
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &t->memory)) path_layout(&arena, t);
    return t->memory != NULL;
}

static slip_status start_path(equilibrium_path *t, slip_error *error)
{
    slip_equilibrium *first = NULL;
    t->n = t->model->coordinate_count;
    t->size = t->n + 1;
    if (!path_allocate(t)) return equilibrium_no_memory(error);
    slip_status status = slip_equilibrium_first_place(t->model, t->def, t->z, error);
    if (status == SLIP_OK) status = find_at(t, t->from, t->z, error, &first);
    if (status != SLIP_OK || !first->found) {
        if (status == SLIP_OK)
            snprintf(t->branch->text, sizeof t->branch->text,
                     "no equilibrium was found to begin with: %.400s", first->text);
        slip_equilibrium_destroy(first);
        return status;
    }
    double most = 0.0;
    for (int k = 0; k < t->n; k++) most = fmax(most, fabs(t->z[k]));
    for (int k = 0; k < t->n; k++)
        t->scale[k] = most > 0.0 ? fmax(fabs(t->z[k]), SMALLEST_COORDINATE_SIZE * most) : 1.0;
    t->scale[t->n] = fabs(t->to - t->from);
    t->z[t->n] = t->from;
    if (!add_branch_point(t, t->from, SLIP_BRANCH_PLAIN, first)) return equilibrium_no_memory(error);
    if (first->held) return follow_held_set(t, first, error);
    if (!evaluate_at(t, t->z)) {
        snprintf(
            t->branch->text, sizeof t->branch->text,
            "something holds it, a contact or friction with a limit of 0: it is followed where nothing does");
        return SLIP_OK;
    }
    memset(t->direction, 0, (size_t)t->size * sizeof *t->direction);
    t->direction[t->n] = t->to > t->from ? 1.0 : -1.0;
    find_tangent(t, t->direction, t->tangent);
    follow_path(t, first);
    return t->failed ? equilibrium_no_memory(error) : SLIP_OK;
}

slip_status slip_equilibrium_follow(const slip_model *model, const slip_equilibrium_def *def,
                                    slip_error *error, slip_equilibrium_branch **out)
{
    *out = NULL;
    equilibrium_path t = { .model = model, .def = def };
    slip_status status = check_model(model, error);
    if (status == SLIP_OK)
        status = slip_cycle_option_along(def->along, t.name, sizeof t.name, &t.from, &t.to, error);
    if (status != SLIP_OK) return status;
    t.branch = calloc(1, sizeof *t.branch);
    status = t.branch ? start_path(&t, error) : equilibrium_no_memory(error);
    slip_equilibrium_residual_destroy(t.still);
    free(t.memory);
    if (status == SLIP_OK)
        *out = t.branch;
    else
        slip_equilibrium_branch_destroy(t.branch);
    return status;
}

void slip_equilibrium_branch_destroy(slip_equilibrium_branch *b)
{
    if (!b) return;
    for (int k = 0; k < b->point_count; k++) slip_equilibrium_destroy(b->points[k].rest);
    free(b->points);
    free(b);
}
