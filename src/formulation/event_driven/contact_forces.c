/// formulation/event_driven/contact_forces.c: which contact forces are knowable.
#include "formulation/event_driven/contact_forces.h"

#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "formulation/event_driven/event_driven_tolerances.h"

enum { MAX_MODE_CASES = 4000 };

void slip_contact_forces_layout(slip_arena *arena, slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    int q = r->most, side = 4 * q + (m->space ? SLIP_MAX_CONE_PLANES * m->elements : 0);
    m->lp_A = SLIP_TAKE(arena, double, (size_t)side *(size_t)q);
    m->share = SLIP_TAKE(arena, double, 3 * (size_t)(q + 1) + (size_t)q * (size_t)q);
    m->lp_b = SLIP_TAKE(arena, double, side);
    m->lp_c = SLIP_TAKE(arena, double, q);
    m->lp_low = SLIP_TAKE(arena, double, q);
    m->lp_high = SLIP_TAKE(arena, double, q);
    m->lp_zero = SLIP_TAKE(arena, double, (size_t)q *(size_t)q);
    m->branch = SLIP_TAKE(arena, signed char, q);
}

// forces that are not determined by what they do
static bool forces_are_indeterminate(slip_contact_problem *r)
{
    memcpy(r->K, r->S, (size_t)(r->count * r->count) * sizeof *r->K);
    return !slip_lu(r->count, r->K, r->pivot) || !slip_lu_is_regular(r->count, r->K);
}

// whether forces x obey the laws of a solution whose rates are in r->rate
static bool is_admissible(const slip_contact_problem *r, const double *x)
{
    for (int i = 0; i < r->normal_count; i++)
        if (!(x[i] >= 0.0) || (x[i] > 0.0 && r->rate[i] > slip_contact_problem_zero_tolerance(r)))
            return false;
    for (int i = r->normal_count; i < r->count; i++) {
        int e = r->owner[i], normal = 0;
        while (normal < r->normal_count && r->owner[normal] != e) normal++;
        double load = normal < r->normal_count ? x[normal] : 1.0;
        bool slips = fabs(r->rate[i]) > slip_contact_problem_zero_tolerance(r);
        if (!(fabs(x[i]) <= r->friction[e] * load) || (slips && x[i] != r->x[i])) return false;
    }
    return true;
}

// the shortest forces of the same motion, into r->z: those that S sees of the present ones
static bool least_norm_forces(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    size_t q = (size_t)r->count;
    double *target = m->lp_b, *basis = m->lp_A, *part = basis + q * (q + 1);
    for (size_t i = 0; i < q; i++) {
        target[i] = 0.0;
        for (size_t j = 0; j < q; j++) target[i] += r->S[i * q + j] * r->x[j];
    }
    memcpy(r->K, r->S, q * q * sizeof *r->K);
    slip_least_squares_min_norm(r->count, r->count, r->K, target, basis, part, m->share, r->z);
    double most = 0.0;
    for (size_t i = 0; i < q; i++) most = fmax(most, fabs(r->z[i]));
    for (int i = 0; i < r->normal_count; i++) // what is left is rounding
        if (fabs(r->z[i]) < ZERO_FORCE_RELATIVE * most) r->z[i] = 0.0;
    return is_admissible(r, r->z);
}

// of all forces with the motion of the LCP's the shortest, by a program where the laws bound them and least
// constraint has the same motion; in space they are so already
static void replace_by_least_norm(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    size_t forces = (size_t)r->count * sizeof *r->x;
    if (r->count < 2 || r->normal_count == 0 || m->space || !forces_are_indeterminate(r)) return;
    bool free = least_norm_forces(m);
    if (!free && slip_contact_problem_solve_qp(r, true) != SLIP_CONVERGED) return;
    memcpy(m->lp_b, r->x, forces);
    memcpy(m->scratch_u, r->a, (size_t)m->n * sizeof *r->a);
    memcpy(r->x, r->z, forces);
    for (int i = 0; i < r->normal_count; i++) r->x[i] = fmax(r->x[i], 0.0);
    slip_contact_problem_distribute(r);
    double off = 0.0, size = 0.0;
    for (int k = 0; k < m->n; k++)
        off = fmax(off, fabs(r->a[k] - m->scratch_u[k])), size = fmax(size, fabs(r->free[k]));
    if (off <= SAME_MOTION_RELATIVE * size) return;
    memcpy(r->x, m->lp_b, forces);
    slip_contact_problem_distribute(r);
}

void slip_contact_forces_least_norm(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    if (!slip_event_uses_gauss(m)) {
        replace_by_least_norm(m);
        return;
    }
    if (slip_contact_problem_solve_qp(r, true) != SLIP_CONVERGED) return;
    memcpy(r->x, r->z, (size_t)r->count * sizeof *r->x);
    for (int i = 0; i < r->normal_count; i++) r->x[i] = fmax(r->x[i], 0.0);
    slip_contact_problem_distribute(r);
    int element; // where the LCP was taken instead, its forces are the ones in force
    if (m->on_disagreement == SLIP_ON_DISAGREEMENT_LCP &&
        slip_contact_problem_disagreement(r, &element) >
            SLIP_DISAGREEMENT_RELATIVE * slip_contact_problem_power_scale(r))
        slip_event_solve(m);
}

// -------------------------------------------------------------------------------------- small programs

// rows of the present LP: equations first
typedef struct program {
    int rows, equations;
} program;

static void add_lp_row(slip_event_driven *m, program *p, const double *row, double b)
{
    memcpy(m->lp_A + (size_t)p->rows * (size_t)m->rigid.count, row, (size_t)m->rigid.count * sizeof *row);
    m->lp_b[p->rows++] = b;
}

static void set_bounds(slip_event_driven *m)
{
    const slip_contact_problem *r = &m->rigid;
    for (int i = 0; i < r->count; i++) {
        const slip_element *element = &m->system->elements[r->owner[i]];
        bool box = i >= r->normal_count && !element->has_gap && element->slip_count < 2;
        m->lp_low[i] = i < r->normal_count ? 0.0 : box ? -r->friction[r->owner[i]] : -INFINITY;
        m->lp_high[i] = box ? r->friction[r->owner[i]] : INFINITY;
    }
}

static void add_cones(slip_event_driven *m, program *p)
{
    const slip_contact_problem *r = &m->rigid;
    for (int i = r->normal_count; i < r->count; i++) {
        const slip_element *element = &m->system->elements[r->owner[i]];
        if (element->slip_count > 1 || !element->has_gap) continue; // circular ones are cut, see least()
        int normal = 0;
        while (r->owner[normal] != r->owner[i]) normal++;
        for (int side = -1; side <= 1; side += 2) {
            memset(m->lp_c, 0, (size_t)r->count * sizeof *m->lp_c);
            m->lp_c[normal] = r->friction[r->owner[i]];
            m->lp_c[i] = -side;
            add_lp_row(m, p, m->lp_c, 0.0);
        }
    }
}

// circular cones by their present tangent planes
static int add_cuts(slip_event_driven *m, int rows)
{
    const slip_contact_problem *r = &m->rigid;
    for (int i = r->normal_count; i < r->count; i++)
        if (m->system->elements[r->owner[i]].slip_count > 1 &&
            r->row[i] == m->system->elements[r->owner[i]].tangent_row)
            rows = slip_contact_problem_plane_rows(r, i, m->lp_A, m->lp_b, rows);
    return rows;
}

// least value of sign * objective'x; infinite when unbounded. *feasible is cleared when there is no x.
static double minimize_lp(slip_event_driven *m, const program *p, const double *objective, double sign,
                          bool *feasible)
{
    slip_contact_problem *r = &m->rigid;
    int q = r->count;
    slip_solve_options options = r->options;
    options.own[slip_solver_first_option(slip_solver_find("qp")) + SLIP_QP_MIN_NORM] = 0.0;
    slip_outcome outcome;
    if (r->spatial) slip_contact_problem_reset_planes(r);
    do {
        int rows = r->spatial ? add_cuts(m, p->rows) : p->rows;
        for (int i = 0; i < q; i++) m->lp_c[i] = sign * objective[i];
        slip_problem problem = slip_problem_qp(q, m->lp_zero, m->lp_c, rows, m->lp_A, m->lp_b, m->lp_low);
        problem.upper = m->lp_high;
        problem.equalities = p->equations;
        outcome = slip_solve(slip_solver_find("qp"), &problem, &options, r->z, r->zw, r->work, NULL);
    } while (outcome == SLIP_CONVERGED && r->spatial && slip_contact_problem_add_cone_plane(r, r->z));
    *feasible = outcome == SLIP_CONVERGED;
    double value = 0.0;
    for (int i = 0; i < q; i++) value += m->lp_c[i] * r->z[i];
    return *feasible ? value : -INFINITY;
}

static void widen_bounds(slip_event_driven *m, const program *p, int unknown, slip_force_bounds *bounds)
{
    double *objective = m->rigid.zq; // least() leaves it alone
    memset(objective, 0, (size_t)m->rigid.count * sizeof *objective);
    objective[unknown] = 1.0;
    bool bounded;
    double low = minimize_lp(m, p, objective, 1.0, &bounded);
    bounds->low = fmin(bounds->low, bounded ? low : 0.0); // N >= 0, so a minimum exists
    double high = -minimize_lp(m, p, objective, -1.0, &bounded);
    bounds->high = fmax(bounds->high, high);
}

// ---------------------------------------------------------------------------------------------- gauss

// the minimisers share their motion: independent rows of S x = S x*
static program same_motion(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    int q = r->count;
    program p = { 0 };
    double *work = r->K, *row = r->zq; // K has room for 2q x 2q
    for (int i = 0; i < q; i++) {
        const double *s = r->S + (size_t)i * (size_t)q;
        double before = 0.0, after = 0.0;
        memcpy(row, s, (size_t)q * sizeof *row);
        for (int k = 0; k < q; k++) before += row[k] * row[k];
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < p.rows; j++) {
                double part = 0.0;
                for (int k = 0; k < q; k++) part += work[j * q + k] * row[k];
                for (int k = 0; k < q; k++) row[k] -= part * work[j * q + k];
            }
        for (int k = 0; k < q; k++) after += row[k] * row[k];
        if (!(after > DEPENDENT_EQUATION_SQUARED * before)) continue;
        double scale = 1.0 / sqrt(after), b = 0.0;
        for (int k = 0; k < q; k++) {
            work[p.rows * q + k] = row[k] * scale;
            b += row[k] * scale * r->x[k];
        }
        add_lp_row(m, &p, work + (size_t)p.rows * (size_t)q, b);
    }
    p.equations = p.rows;
    return p;
}

// ------------------------------------------------------------------------------------------------ LCP

enum { UNDECIDED, HOLDS, OPENS };

// for the contacts decided so far: g'' = 0, or N = 0; for the others g'' >= 0 and N >= 0
static program lcp_case(slip_event_driven *m)
{
    slip_contact_problem *r = &m->rigid;
    program p = { 0 };
    set_bounds(m);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < r->count; i++) {
            bool equation = i >= r->normal_count || m->branch[i] == HOLDS;
            if (equation == (pass == 0)) add_lp_row(m, &p, r->D + (size_t)i * (size_t)r->count, -r->c[i]);
            if (i < r->normal_count && m->branch[i] == OPENS) m->lp_high[i] = 0.0;
        }
        if (pass == 0) p.equations = p.rows;
    }
    add_cones(m, &p);
    return p;
}

// every way in which contacts can hold or open; a way of opening that cannot really open is left out,
// because it is a border of the one that holds
static void lcp_cases(slip_event_driven *m, int at, int unknown, int *left, slip_force_bounds *bounds)
{
    slip_contact_problem *r = &m->rigid;
    if (--*left < 0) return;
    bool feasible;
    program p = lcp_case(m);
    memset(r->zq, 0, (size_t)r->count * sizeof *r->zq);
    minimize_lp(m, &p, r->zq, 1.0, &feasible);
    if (!feasible) return;
    if (at == r->normal_count) {
        widen_bounds(m, &p, unknown, bounds);
        return;
    }
    m->branch[at] = HOLDS;
    lcp_cases(m, at + 1, unknown, left, bounds);
    m->branch[at] = OPENS;
    p = lcp_case(m);
    bool bounded;
    double wide = -minimize_lp(m, &p, r->D + (size_t)at * (size_t)r->count, -1.0, &bounded);
    if (!bounded || wide + r->c[at] > 10.0 * slip_contact_problem_zero_tolerance(r))
        lcp_cases(m, at + 1, unknown, left, bounds);
    m->branch[at] = UNDECIDED;
}

// -------------------------------------------------------------------------------------------- answers

// Bounds of the normal force of an element that holds.
static slip_force_bounds normal_force_bounds(slip_event_driven *m, int element)
{
    slip_contact_problem *r = &m->rigid;
    int unknown = 0;
    while (unknown < r->normal_count && r->owner[unknown] != element) unknown++;
    if (unknown == r->normal_count) return (slip_force_bounds){ 0.0, 0.0, true };
    slip_force_bounds bounds = { r->x[unknown], r->x[unknown], true };
    if (m->principle == SLIP_PRINCIPLE_GAUSS) {
        program p = same_motion(m);
        if (p.equations == r->count) return bounds;
        set_bounds(m);
        add_cones(m, &p);
        widen_bounds(m, &p, unknown, &bounds);
    } else {
        int left = MAX_MODE_CASES;
        memset(m->branch, UNDECIDED, (size_t)r->count);
        lcp_cases(m, 0, unknown, &left, &bounds);
        if (left < 0) return (slip_force_bounds){ NAN, NAN, false };
    }
    double size = 0.0;
    for (int i = 0; i < r->count; i++) size = fmax(size, fabs(r->x[i]));
    bounds.unique = bounds.high - bounds.low <= FORCE_UNIQUE_RELATIVE * size;
    return bounds;
}

void slip_contact_forces_quantities(void *context, int e, unsigned wanted, double *value)
{
    slip_event_driven *m = context;
    const slip_contact_problem *r = &m->rigid;
    const slip_element *element = &m->system->elements[e];
    value[SLIP_QUANTITY_GAP] = r->contact_state[e].closed ? 0.0 : r->terms.gap[e];
    value[SLIP_QUANTITY_NORMAL] = r->normal[e];
    value[SLIP_QUANTITY_FRICTION] = r->tangent[e];
    value[SLIP_QUANTITY_FRICTION_Y] = r->tangent_y[e];
    value[SLIP_QUANTITY_STICK] = (m->base.mode[e] & SLIP_MODE_STICK) != 0;
    value[SLIP_QUANTITY_CLOSED] = (m->base.mode[e] & SLIP_MODE_CLOSED) != 0;
    value[SLIP_QUANTITY_LIMIT] = element->has_gap ? r->friction[e] * r->normal[e] : r->friction[e];
    for (int k = 0; k < r->loads.count; k++)
        if (r->loads.element[k] == e) value[SLIP_QUANTITY_FORCE] = r->loads.load[k];
    for (int k = 0; k < element->slip_count; k++)
        value[k ? SLIP_QUANTITY_SLIP_Y : SLIP_QUANTITY_SLIP] =
            slip_system_row_rate(m->system, &r->terms, element->tangent_row + k, m->u);
    for (int k = 0; k < element->slip_count && element->viscous > 0.0; k++)
        value[k ? SLIP_QUANTITY_FRICTION_Y : SLIP_QUANTITY_FRICTION] -=
            element->viscous * value[k ? SLIP_QUANTITY_SLIP_Y : SLIP_QUANTITY_SLIP];
    enum {
        BOUNDS = 1u << SLIP_QUANTITY_NORMAL_MIN | 1u << SLIP_QUANTITY_NORMAL_MAX |
                 1u << SLIP_QUANTITY_NORMAL_UNIQUE
    };
    if (!(wanted & BOUNDS)) return;
    slip_force_bounds bounds = normal_force_bounds(m, e);
    value[SLIP_QUANTITY_NORMAL_MIN] = bounds.low;
    value[SLIP_QUANTITY_NORMAL_MAX] = bounds.high;
    value[SLIP_QUANTITY_NORMAL_UNIQUE] = bounds.unique;
}
