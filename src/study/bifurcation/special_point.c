/// study/bifurcation/special_point.c: from a special point of one model to that of a neighbouring one.
///
/// At a fold the branch is not a function of its parameter. An orbit nearby is therefore found by the
/// pseudo-arclength corrector (arclength_corrector.c), and the branch is followed from there.
#include "study/bifurcation/special_point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/cycle_options.h"
#include "study/bifurcation/continuation.h"

bool slip_is_discontinuity_border(slip_branch_kind kind)
{
    return kind >= SLIP_BRANCH_GRAZING && kind <= SLIP_BRANCH_BORDER;
}

static double phase_of(const slip_cycle *c)
{
    return c->forced ? c->start / c->period : 0.0;
}

// States of two points can only be subtracted if both sections have the same phase.
static bool are_alike(const slip_cycle_branch_point *a, const slip_cycle_branch_point *b)
{
    return a->cycle && b->cycle && fabs(phase_of(a->cycle) - phase_of(b->cycle)) < PHASES_EQUAL;
}

static double scaled_distance(const slip_cycle_branch_point *a, const slip_cycle_branch_point *b,
                              double range)
{
    double sum = (a->value - b->value) / range;
    sum *= sum;
    for (int k = 0; k < a->cycle->state_count; k++) {
        double d = (a->cycle->state[k] - b->cycle->state[k]) / a->cycle->size[k];
        sum += d * d;
    }
    return sqrt(sum);
}

// The index of an orbit at least `back` before the last orbit ahead of border k.
static int orbit_before_border(const slip_cycle_branch *b, int k, double back, double range)
{
    double way = 0.0;
    int j = k - 1;
    for (; j > 0 && way < back; j--) {
        const slip_cycle_branch_point *p = &b->points[j - 1];
        if (!p->cycle) break;
        if (are_alike(p, p + 1)) way += scaled_distance(p, p + 1, range);
    }
    return j;
}

static void fill_unknowns(double *z, const slip_special_point *p, const slip_cycle_branch_point *from)
{
    memcpy(z, from->cycle->state, (size_t)p->n * sizeof *z);
    if (!p->forced) z[p->n] = from->cycle->period;
    z[p->size - 1] = from->value;
}

// The secant through the neighbours of point j, or through the point itself where a neighbour is missing.
static void set_secant(slip_special_point *p, const slip_cycle_branch *b, int j)
{
    const slip_cycle_branch_point *here = &b->points[j], *a = here, *c = here;
    if (j > 0 && are_alike(here, here - 1)) a = here - 1;
    if (j + 1 < b->point_count && are_alike(here, here + 1)) c = here + 1;
    fill_unknowns(p->way, p, c);
    for (int k = 0; k < p->size; k++) p->way[k] -= p->z[k];
    if (a == here) return;
    double *other = p->scale + p->n; // as long as z
    fill_unknowns(other, p, a);
    for (int k = 0; k < p->size; k++) p->way[k] += p->z[k] - other[k];
}

// The largest modulus of the multipliers that cross the unit circle at this kind of point: at 1, at -1, or as
// a pair.
static double unit_circle_excess(const slip_cycle *c, slip_branch_kind kind)
{
    double most = -INFINITY;
    for (int k = 0; k < c->multiplier_count; k++) {
        const double re = c->multiplier_re[k], im = c->multiplier_im[k];
        if (kind == SLIP_BRANCH_BRANCHING && im == 0.0) most = fmax(most, re);
        if (kind == SLIP_BRANCH_DOUBLING && im == 0.0) most = fmax(most, -re);
        if (kind == SLIP_BRANCH_TORUS && im != 0.0) most = fmax(most, slip_hypot(re, im));
    }
    return most;
}

static int crossing_sign(const slip_cycle_branch *b, int k)
{
    const slip_cycle_branch_point *here = &b->points[k], *a = here - 1, *c = here + 1;
    if (k == 0 || k + 1 == b->point_count || slip_is_discontinuity_border(here->kind) || !a->cycle ||
        !c->cycle)
        return 0;
    double slope = a->value + c->value - 2.0 * here->value;
    if (here->kind != SLIP_BRANCH_FOLD)
        slope = (unit_circle_excess(c->cycle, here->kind) - unit_circle_excess(a->cycle, here->kind)) *
                (c->value - a->value);
    return slope > 0.0 ? 1 : slope < 0.0 ? -1 : 0;
}

slip_special_point *slip_special_point_create(const slip_cycle_branch *b, int k, double back, double range)
{
    int j = slip_is_discontinuity_border(b->points[k].kind) ? orbit_before_border(b, k, back, range) : k;
    const slip_cycle *c = j >= 0 ? b->points[j].cycle : NULL;
    size_t n = c ? (size_t)c->state_count : 0;
    slip_special_point *p = calloc(1, sizeof *p);
    double *room = calloc(4 * n + 8, sizeof *room);
    bool *shifts = calloc(n + 1, sizeof *shifts);
    if (!p || !room || !shifts) {
        free(p), free(room), free(shifts);
        return NULL;
    }
    *p = (slip_special_point){ .kind = b->points[k].kind,
                               .value = b->points[k].value,
                               .n = (int)n,
                               .shifts = shifts,
                               .z = room,
                               .way = room + n + 2,
                               .scale = room + 2 * n + 4,
                               .cycle = c };
    if (!c) return p;
    p->turn = crossing_sign(b, k);
    p->forced = c->forced;
    p->size = p->n + !p->forced + 1;
    p->periods = b->periods;
    p->phase = phase_of(c);
    memcpy(p->scale, c->size, n * sizeof *room);
    for (size_t i = 0; i < n; i++) shifts[i] = c->advance[i] != 0.0;
    fill_unknowns(p->z, p, &b->points[j]);
    set_secant(p, b, j);
    return p;
}

void slip_special_point_destroy(slip_special_point *p)
{
    if (!p) return;
    free(p->z);
    free(p->shifts);
    free(p);
}

// --------------------------------------------------------------------------------------------- following

// Corrects the shifted point onto the branch of the new model, with its tangent. NULL when there is no orbit,
// or none with the same events.
static slip_cycle *correct_onto_branch(slip_continuation *f, const slip_special_point *p, const double *shift,
                                       const slip_special_point_search *look)
{
    double length = 0.0;
    for (int k = 0; k < f->size; k++) {
        f->trial[k] = p->z[k] + shift[k];
        f->tangent[k] = p->way[k] / f->scale[k];
        length += f->tangent[k] * f->tangent[k];
    }
    for (int k = 0; k < f->size; k++)
        f->tangent[k] = length > 0.0 ? f->tangent[k] / sqrt(length) : k == f->size - 1;
    if (!slip_continuation_newton(f, f->tangent)) return NULL;
    slip_continuation_tangent(f, f->tangent, f->direction);
    slip_continuation_accept(f);
    if (look->offset != 0.0) {
        if (!slip_continuation_correct(f, look->offset)) return NULL;
        slip_continuation_tangent(f, f->tangent, f->direction);
        slip_continuation_accept(f);
    }
    for (int k = 0; k < f->size; k++) f->tangent[k] *= look->sense;
    slip_cycle *c = slip_continuation_describe(f);
    if (c && slip_same_event_sequence(c->signature, p->cycle->signature)) return c;
    slip_cycle_destroy(c);
    return NULL;
}

static void follow_branch(slip_continuation *f, const slip_special_point *p, const double *shift,
                          const slip_special_point_search *look)
{
    slip_cycle_branch *b = f->branch;
    slip_cycle *first = correct_onto_branch(f, p, shift, look);
    if (first && slip_continuation_add_point(f, f->z[f->size - 1], SLIP_BRANCH_PLAIN, first))
        slip_continuation_run(f, look->points, first, b);
    else
        snprintf(b->text, sizeof b->text, "the orbit is not found again near %s = %.9g", f->name,
                 p->z[p->size - 1] + shift[p->size - 1]);
}

slip_cycle_branch *slip_special_point_follow(const slip_special_point *p, const slip_model *model,
                                             const slip_cycle_def *def, const char *along,
                                             const double *shift, const slip_special_point_search *look,
                                             int *at)
{
    slip_continuation f = { .model = model,
                            .def = def,
                            .own = *def,
                            .n = p->n,
                            .size = p->size,
                            .forced = p->forced,
                            .phase = p->phase,
                            .shifts = p->shifts,
                            .wanted = p->kind };
    bool *fixed = calloc((size_t)p->n + 1, sizeof *fixed);
    slip_cycle_branch *b = slip_continuation_add_branch(&f, "");
    *at = -1;
    f.failed = !fixed || !b ||
               slip_cycle_option_along(along, f.name, sizeof f.name, &f.from, &f.to, NULL) != SLIP_OK ||
               !slip_continuation_allocate(&f);
    if (!f.failed) {
        slip_cycle_option_fixed(model, fixed);
        f.fixed = fixed;
        f.own.sensitivity = f.name;
        slip_continuation_set_periods(&f, p->periods);
        b->periods = p->periods;
        memcpy(f.scale, p->scale, (size_t)p->n * sizeof *f.scale);
        if (!f.forced) f.scale[f.n] = p->z[f.n];
        f.scale[f.size - 1] = fabs(f.to - f.from);
        follow_branch(&f, p, shift, look);
    }
    slip_continuation_free(&f);
    free(fixed);
    for (int k = 0; b && !f.failed && k < b->point_count; k++)
        if (b->points[k].kind == p->kind) *at = k;
    if (!f.failed) return b;
    slip_cycle_branch_destroy(b);
    return NULL;
}
