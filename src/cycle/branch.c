/// cycle/branch.c: periodic motions along a parameter.
///
/// Pseudo-arclength (Keller 1977): unknowns are the point, the period where it is not known and the
/// parameter, all measured in sizes of their own; a step goes along the tangent of the branch, and Newton's
/// method comes back to it across. So a fold is a point like others. Where events of the orbit change, the
/// branch of these events ends: the border is approached by halving steps, and found by extrapolation of what
/// becomes zero there.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/elementary.h"
#include "core/status.h"
#include "core/text.h"
#include "cycle/found.h"
#include "tangent/tangent.h"

enum { MAX_CORRECTIONS = 8, MAX_LOCATIONS = 40 };
static const double CLOSE = 1e-11, FIRST = 0.02, LONGEST = 0.12, SHORTEST = 1e-6; // steps, of the unit sizes

/// One orbit, or an attempt at one, with its derivatives.
typedef struct spot {
    slip_model *model;
    slip_shot *shot;
    slip_shooting *shooting;
} spot;

typedef struct follower {
    const slip_model *model;
    const slip_cycle_def *def;
    slip_cycle_def own; // with the parameter among the derivatives
    char sensitivity[200], name[80];
    double from, to;
    int n, size; // states; unknowns: states, period, parameter
    bool forced;
    double phase; // of the point in the period of the forcing
    const bool *fixed, *shifts;
    double *scale;             // per unknown
    double *z, *tangent;       // the last point
    double *trial, *direction; // another one
    double *b, *dz;
    slip_pivots system;
    spot here;
    slip_cycle_branch *branch;
    size_t capacity;
    bool failed; // out of memory
    void *memory;
} follower;

const char *slip_cycle_branch_kind_name(slip_cycle_branch_kind kind)
{
#define AS_WORD(name, word, text) word,
    static const char *const words[] = { SLIP_BRANCH_KINDS(AS_WORD) };
    return kind >= 0 && kind < SLIP_BRANCH_COUNT ? words[kind] : "";
}

// ------------------------------------------------------------------------------------------------- one orbit

static void drop(spot *s)
{
    slip_shooting_destroy(s->shooting);
    slip_shot_destroy(s->shot);
    slip_model_destroy(s->model);
    *s = (spot){ 0 };
}

static bool vary(follower *f, double value, slip_model **out)
{
    slip_text sets[2] = { { 0 }, { 0 } };
    slip_text_add(&sets[0], "%s=%.17g", f->name, value);
    if (f->def->period) slip_text_add(&sets[1], "run.until=%s", f->def->period);
    const char *list[] = { sets[0].data, sets[1].data };
    slip_diagnostics *notes = slip_diagnostics_create();
    bool fine = notes && !sets[0].failed && !sets[1].failed &&
                slip_model_vary(f->model, list, f->def->period ? 2 : 1, notes, out) == SLIP_OK;
    slip_diagnostics_destroy(notes);
    slip_text_destroy(&sets[0]);
    slip_text_destroy(&sets[1]);
    return fine;
}

// the motion over a period from the unknowns z. False when there is none, or none with derivatives
static bool look(follower *f, const double *z)
{
    spot *s = &f->here;
    drop(s);
    if (!vary(f, z[f->size - 1], &s->model)) return false;
    double period = f->forced ? s->model->run.until : z[f->n];
    if (!(period > 0.0)) return false;
    if (slip_shot_create(s->model, &f->own, f->forced ? 2.0 * period : 4.0 * period, period / 50.0,
                         f->own.sensitivity, NULL, &s->shot) != SLIP_OK ||
        slip_shooting_create(s->shot, 1, f->forced, NULL, &s->shooting) != SLIP_OK)
        return false;
    slip_shooting *x = s->shooting;
    memcpy(x->shifts, f->shifts, (size_t)f->n * sizeof *x->shifts);
    memcpy(x->scale, f->scale, (size_t)f->n * sizeof *x->scale);
    memcpy(x->node, z, (size_t)f->n * sizeof *x->node);
    x->period = period;
    x->phase = f->phase;
    return slip_shooting_look(x);
}

// rows of the system at the present spot; the last one is `last`
static void assemble(follower *f, const double *last)
{
    const slip_shooting *x = f->here.shooting;
    const slip_shot *shot = f->here.shot;
    int n = f->n, size = f->size;
    double *A = f->system.A, *P = f->dz;
    slip_shooting_parameter(x, shot->parameters - 1, P);
    memset(A, 0, (size_t)(size * size) * sizeof *A);
    for (int i = 0; i < n; i++) {
        if (f->fixed[i] || f->shifts[i]) {
            A[i * size + i] = 1.0;
            continue;
        }
        for (int j = 0; j < n; j++)
            A[i * size + j] =
                (x->M[(size_t)j * (size_t)n + (size_t)i] - (i == j)) * f->scale[j] / f->scale[i];
        if (!f->forced) A[i * size + n] = x->F[i] * f->scale[n] / f->scale[i];
        A[i * size + size - 1] = P[i] * f->scale[size - 1] / f->scale[i];
    }
    double across = 0.0;
    for (int j = 0; j < n; j++) across = fmax(across, fabs(x->rate_start[j] * f->scale[j]));
    for (int j = 0; j < n && !f->forced; j++)
        A[n * size + j] = f->fixed[j] ? 0.0 : x->rate_start[j] * f->scale[j] / across;
    for (int j = 0; j < size; j++) A[(size - 1) * size + j] = last[j];
    slip_pivots_factor(&f->system, size);
}

// the tangent of the branch, of unit length, in the sense of `like`
static void find_tangent(follower *f, const double *like, double *tangent)
{
    double length = 0.0;
    assemble(f, like);
    memset(f->b, 0, (size_t)f->size * sizeof *f->b);
    f->b[f->size - 1] = 1.0;
    slip_pivots_solve(&f->system, f->b, tangent);
    for (int j = 0; j < f->size; j++) length += tangent[j] * tangent[j];
    for (int j = 0; j < f->size; j++) tangent[j] /= sqrt(length);
}

// Newton's method from z + ds tangent, across the tangent. True when it is on the branch, in f->trial
static bool correct(follower *f, double ds)
{
    int size = f->size;
    double worst = INFINITY;
    for (int j = 0; j < size; j++) f->trial[j] = f->z[j] + ds * f->tangent[j] * f->scale[j];
    for (int round = 0; round < MAX_CORRECTIONS; round++) {
        if (!look(f, f->trial)) return false;
        double residual = f->here.shooting->residual, before = worst;
        if (residual <= CLOSE) return true;
        if (round > 2 && residual > 0.5 * before) return residual <= 1e3 * CLOSE;
        worst = residual;
        assemble(f, f->tangent);
        for (int i = 0; i < f->n; i++)
            f->b[i] = f->fixed[i] || f->shifts[i] ? 0.0 : -f->here.shooting->R[i] / f->scale[i];
        if (!f->forced) f->b[f->n] = 0.0;
        f->b[size - 1] = 0.0;
        slip_pivots_solve(&f->system, f->b, f->dz);
        for (int j = 0; j < size; j++) f->trial[j] += f->dz[j] * f->scale[j];
    }
    return false;
}

// ------------------------------------------------------------------------------------------------- special
// points

/// Functions that pass zero at special points.
typedef struct tests {
    double fold, doubling, torus;
    bool complex;                   // torus means something
    double gap, strike, turn, rest; // become zero at borders
} tests;

static tests look_at(follower *f, const slip_cycle *c, const double *tangent)
{
    const slip_tangent *t = f->here.shot->tangent;
    tests v = { .fold = tangent[f->size - 1],
                .doubling = 1.0,
                .gap = t->least_gap,
                .strike = t->least_strike,
                .turn = t->least_turn,
                .rest = t->least_rest };
    double modulus = 0.0;
    for (int k = 0; k < c->multiplier_count; k++) {
        double re = c->multiplier_re[k], im = c->multiplier_im[k];
        if (im == 0.0) v.doubling *= 1.0 + re;
        if (im != 0.0) modulus = fmax(modulus, slip_hypot(re, im)), v.complex = true;
    }
    v.torus = modulus - 1.0;
    return v;
}

static bool add_point(follower *f, double value, slip_cycle_branch_kind kind, slip_cycle *cycle)
{
    slip_cycle_branch *b = f->branch;
    if (!slip_grow((void **)&b->points, &f->capacity, (size_t)b->point_count, sizeof *b->points)) {
        slip_cycle_destroy(cycle);
        f->failed = true;
        return false;
    }
    b->points[b->point_count++] = (slip_cycle_branch_point){ value, kind, cycle };
    return true;
}

// the orbit at the present spot
static slip_cycle *describe(follower *f)
{
    slip_cycle *c = calloc(1, sizeof *c);
    if (c && slip_cycle_describe(c, f->here.shooting, NULL) == SLIP_OK && c->found) return c;
    f->failed = f->failed || !c;
    slip_cycle_destroy(c);
    return NULL;
}

static double test_of(const tests *v, slip_cycle_branch_kind kind)
{
    return kind == SLIP_BRANCH_FOLD ? v->fold : kind == SLIP_BRANCH_DOUBLING ? v->doubling : v->torus;
}

// The place in (0, ds) where a test function is zero: regula falsi with halved ends. The last point stays
static void locate(follower *f, double ds, slip_cycle_branch_kind kind, const tests *first, const tests *last)
{
    double a = 0.0, b = ds, fa = test_of(first, kind), fb = test_of(last, kind);
    slip_cycle *found = NULL;
    double value = NAN;
    for (int look = 0; look < MAX_LOCATIONS && b - a > 1e-13; look++) {
        double s = look % 4 == 3 ? 0.5 * (a + b) : a - fa * (b - a) / (fb - fa);
        s = fmin(fmax(s, a + 1e-3 * (b - a)), b - 1e-3 * (b - a));
        if (!correct(f, s)) break;
        find_tangent(f, f->tangent, f->direction);
        slip_cycle *c = describe(f);
        if (!c) break;
        tests v = look_at(f, c, f->direction);
        slip_cycle_destroy(found);
        found = c;
        double g = test_of(&v, kind), before = value;
        value = f->trial[f->size - 1];
        if (fabs(value - before) < 1e-13 * (fabs(f->to - f->from) + fabs(value)) || g == 0.0) break;
        if ((g > 0.0) == (fa > 0.0))
            a = s, fa = g, fb *= 0.5;
        else
            b = s, fb = g, fa *= 0.5;
    }
    if (found) add_point(f, value, kind, found);
}

// what is special between the last point and one ds further on
static bool look_between(follower *f, double ds, const tests *a, const tests *b)
{
    int count = f->branch->point_count;
    if (a->fold * b->fold < 0.0) locate(f, ds, SLIP_BRANCH_FOLD, a, b);
    if (a->doubling * b->doubling < 0.0) locate(f, ds, SLIP_BRANCH_DOUBLING, a, b);
    if (a->complex && b->complex && a->torus * b->torus < 0.0) locate(f, ds, SLIP_BRANCH_TORUS, a, b);
    return f->branch->point_count > count;
}

// The branch ends within `ds`: where something becomes zero that was `older` and `newer` at the last two
// points
static void end_at_border(follower *f, double older_value, const tests *older, const tests *newer)
{
    const struct {
        slip_cycle_branch_kind kind;
        double before, now;
    } list[] = { { SLIP_BRANCH_GRAZING, older->gap, newer->gap },
                 { SLIP_BRANCH_GRAZING, older->strike, newer->strike },
                 { SLIP_BRANCH_STOP, older->turn, newer->turn },
                 { SLIP_BRANCH_STOP, older->rest, newer->rest } };
    double value = f->z[f->size - 1], best = value, size = INFINITY;
    slip_cycle_branch_kind kind = SLIP_BRANCH_END;
    for (int k = 0; k < 4; k++) {
        if (!isfinite(list[k].before) || !(fabs(list[k].now) < 1e-4) || list[k].now >= list[k].before)
            continue;
        if (fabs(list[k].now) >= size) continue;
        size = fabs(list[k].now);
        kind = list[k].kind;
        best = value + (value - older_value) * list[k].now / (list[k].before - list[k].now);
    }
    add_point(f, best, kind, NULL);
    snprintf(f->branch->text, sizeof f->branch->text, "%s at %s = %.12g%s%.200s",
             kind == SLIP_BRANCH_END ? "the branch could not be followed further"
                                     : "the events of the orbit change",
             f->name, best, f->here.shot && f->here.shot->reason[0] ? ": " : "",
             f->here.shot ? f->here.shot->reason : "");
}

// ---------------------------------------------------------------------------------------------------
// following

static void accept(follower *f)
{
    double *kept = f->z;
    f->z = f->trial, f->trial = kept;
    kept = f->tangent;
    f->tangent = f->direction, f->direction = kept;
}

static bool is_inside(const follower *f, double value)
{
    double low = fmin(f->from, f->to), high = fmax(f->from, f->to), margin = 1e-9 * (high - low);
    return value >= low - margin && value <= high + margin;
}

// the same up to where the list begins
static bool same_events(const char *a, const char *b)
{
    slip_text twice = { 0 };
    slip_text_add(&twice, "%s, %s", a, a);
    bool same = strlen(a) == strlen(b) && (!twice.data || strstr(twice.data, b));
    slip_text_destroy(&twice);
    return same;
}

// An event that comes to the ends of the period is on neither side of them: they are moved on along the orbit
static bool move_on(follower *f)
{
    const double part = 0.31; // of the period
    int n = f->n;
    if (!look(f, f->z)) return false;
    double period = f->here.shooting->period;
    if (!slip_shot_run(f->here.shot, slip_shooting_time(f->here.shooting, 0), part * period, f->z))
        return false;
    memcpy(f->trial, f->z, (size_t)f->size * sizeof *f->z);
    memcpy(f->trial, f->here.shot->end, (size_t)n * sizeof *f->z);
    for (int k = 0; k < n; k++)
        if (f->shifts[k]) f->trial[k] = f->z[k];
    double phase = f->phase;
    f->phase = f->forced ? fmod(phase + part, 1.0) : 0.0;
    if (!look(f, f->trial) || !(f->here.shooting->residual < 1e-6)) {
        f->phase = phase;
        return false;
    }
    memset(f->direction, 0, (size_t)f->size * sizeof *f->direction);
    f->direction[f->size - 1] = 1.0;
    double along = f->tangent[f->size - 1]; // the sense stays, as far as the parameter tells
    find_tangent(f, f->direction, f->tangent);
    for (int j = 0; j < f->size && along * f->tangent[f->size - 1] < 0.0; j++)
        f->direction[j] = -f->direction[j];
    if (along * f->tangent[f->size - 1] < 0.0) find_tangent(f, f->direction, f->tangent);
    memcpy(f->z, f->trial, (size_t)f->size * sizeof *f->z);
    return true;
}

static void walk(follower *f, int max_points, const char *signature, tests last)
{
    double ds = FIRST, older_value = f->z[f->size - 1];
    tests older = last;
    bool moved = false;
    while (f->branch->point_count < max_points && !f->failed) {
        bool found = correct(f, ds);
        slip_cycle *c = found ? describe(f) : NULL;
        if (c && !same_events(c->signature, signature)) slip_cycle_destroy(c), c = NULL;
        if (!c) {
            ds *= 0.5;
            if (ds < 1e-3 && !moved) {
                moved = true;
                if (move_on(f)) ds = 0.1 * FIRST;
                continue;
            }
            if (ds >= SHORTEST) continue;
            end_at_border(f, older_value, &older, &last);
            return;
        }
        find_tangent(f, f->tangent, f->direction);
        double value = f->trial[f->size - 1];
        tests now = look_at(f, c, f->direction);
        if (look_between(f, ds, &last, &now)) { // it looked elsewhere
            if (!correct(f, ds)) {
                slip_cycle_destroy(c);
                return;
            }
            find_tangent(f, f->tangent, f->direction);
        }
        if (!add_point(f, value, SLIP_BRANCH_PLAIN, c)) return;
        older = last, older_value = f->z[f->size - 1];
        last = now;
        accept(f);
        if (!is_inside(f, value)) {
            snprintf(f->branch->text, sizeof f->branch->text, "the end of the range was reached");
            return;
        }
        moved = moved && ds < 0.5 * FIRST;
        ds = fmin(1.5 * ds, LONGEST);
    }
    snprintf(f->branch->text, sizeof f->branch->text, "%d points were reached", f->branch->point_count);
}

// -----------------------------------------------------------------------------------------------------
// starting

static slip_status read_along(follower *f, const char *along, slip_error *error)
{
    char *rest = NULL;
    size_t length = strcspn(along, "=");
    if (along[length] == '=' && length < sizeof f->name) {
        snprintf(f->name, sizeof f->name, "%.*s", (int)length, along);
        f->from = strtod(along + length + 1, &rest);
        if (rest && *rest == ':') f->to = strtod(rest + 1, &rest);
        if (rest && !*rest && isfinite(f->from) && isfinite(f->to) && f->from != f->to) return SLIP_OK;
    }
    return slip_fail(error, SLIP_BAD_ARGUMENT, "along", "needs NAME=FROM:TO, got '%s'", along);
}

static void layout(slip_arena *a, follower *f)
{
    double **const list[] = { &f->scale, &f->z, &f->tangent, &f->trial, &f->direction, &f->b, &f->dz };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) *list[k] = SLIP_TAKE(a, double, f->size);
    slip_pivots_layout(a, f->size, &f->system);
}

static bool take_memory(follower *f)
{
    slip_arena count = { 0 };
    layout(&count, f);
    f->memory = slip_arena_memory(count.used);
    slip_arena real = { .base = f->memory };
    if (f->memory) layout(&real, f);
    return f->memory != NULL;
}

// from the first orbit: sizes, tangent towards the far end of the range
static bool begin(follower *f, const slip_cycle *c, const bool *fixed, const bool *shifts,
                  const double *scale)
{
    f->n = c->state_count;
    f->forced = c->forced;
    f->size = f->n + !f->forced + 1;
    f->fixed = fixed, f->shifts = shifts;
    if (!take_memory(f)) return false;
    memcpy(f->scale, scale, (size_t)f->n * sizeof *scale);
    memcpy(f->z, c->state, (size_t)f->n * sizeof *scale);
    if (!f->forced) f->scale[f->n] = f->z[f->n] = c->period;
    f->scale[f->size - 1] = fabs(f->to - f->from);
    f->z[f->size - 1] = f->from;
    if (!look(f, f->z)) return false;
    memset(f->direction, 0, (size_t)f->size * sizeof *f->direction);
    f->direction[f->size - 1] = f->to > f->from ? 1.0 : -1.0;
    find_tangent(f, f->direction, f->tangent);
    return true;
}

static slip_status start(follower *f, slip_cycle *first, int max_points, slip_error *error)
{
    const slip_model *model = f->model;
    int n = model->coordinate_count;
    bool *masks = calloc(4 * (size_t)n + 1, sizeof *masks);
    double *scale = calloc(2 * (size_t)n + 1, sizeof *scale);
    bool fine = masks && scale;
    for (int k = 0; k < n && fine; k++) {
        masks[k] = model->coordinates[k].is_held || model->coordinates[k].is_state;
        masks[n + k] = model->coordinates[k].is_held;
    }
    for (int k = 0; k < 2 * n && fine; k++) {
        masks[2 * n + k] = first->advance[k] != 0.0;
        scale[k] = first->size[k];
    }
    fine = fine && add_point(f, f->from, SLIP_BRANCH_PLAIN, first);
    if (fine && begin(f, first, masks, masks + 2 * n, scale)) {
        tests v = look_at(f, first, f->tangent);
        walk(f, max_points, first->signature, v);
    } else if (fine) {
        snprintf(f->branch->text, sizeof f->branch->text, "the first orbit could not be found again");
    }
    free(masks);
    free(scale);
    return fine && !f->failed ? SLIP_OK : slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
}

slip_status slip_cycle_follow(const slip_model *model, const slip_cycle_def *def, const char *along,
                              int max_points, slip_error *error, slip_cycle_branch **out)
{
    *out = NULL;
    follower f = { .model = model, .def = def, .own = *def };
    slip_cycle *first = NULL;
    slip_status status = read_along(&f, along, error);
    if (status != SLIP_OK) return status;
    snprintf(f.sensitivity, sizeof f.sensitivity, "%s", f.name);
    f.own.sensitivity = f.sensitivity;
    f.branch = calloc(1, sizeof *f.branch);
    slip_model *plain = NULL;
    char set[120];
    snprintf(set, sizeof set, "%s=%.17g", f.name, f.from);
    const char *change = set;
    slip_diagnostics *notes = slip_diagnostics_create();
    if (!f.branch || !notes || slip_model_vary(model, &change, 1, notes, &plain) != SLIP_OK)
        status = slip_fail(error, SLIP_UNKNOWN_NAME, f.name, "is not a parameter of this model");
    if (status == SLIP_OK) status = slip_cycle_find(plain, &f.own, error, &first);
    if (status == SLIP_OK && first->found) {
        status = start(&f, first, max_points, error);
    } else if (status == SLIP_OK) {
        snprintf(f.branch->text, sizeof f.branch->text, "no cycle was found to begin with: %.400s",
                 first->text);
        slip_cycle_destroy(first);
    }
    drop(&f.here);
    free(f.memory);
    slip_model_destroy(plain);
    slip_diagnostics_destroy(notes);
    if (status == SLIP_OK)
        *out = f.branch;
    else
        slip_cycle_branch_destroy(f.branch);
    return status;
}

void slip_cycle_branch_destroy(slip_cycle_branch *b)
{
    if (!b) return;
    for (int k = 0; k < b->point_count; k++) slip_cycle_destroy(b->points[k].cycle);
    free(b->points);
    free(b);
}
