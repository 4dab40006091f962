/// formulation/moreau/moreau_problem.c: the contact problem of one step of Moreau's rule.
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

void slip_moreau_free_velocity(slip_moreau *m, double dt, const double *u)
{
    double *v = m->problem.free;
    for (int i = 0; i < m->n; i++) v[i] = dt * m->terms.h[i];
    slip_system_solve(m->system, &m->terms, v);
    for (int i = 0; i < m->n; i++) v[i] += u[i];
}

// J M^-1 J' of the bilateral constraints, factored; redundant ones drop out
static void factor_constraint_matrix(slip_moreau *m)
{
    const slip_system *s = m->system;
    slip_moreau_problem *p = &m->problem;
    const int count = s->constraint_count;
    for (int a = 0; a < count; a++) {
        double *y = p->JY + (long)a * m->n;
        slip_system_solve_row(s, &m->terms, a, y);
        for (int b = 0; b <= a; b++)
            p->S[a * count + b] =
                s->redundant[a] || s->redundant[b] ? 0.0 : slip_system_row_dot(s, &m->terms, b, y);
    }
    slip_cholesky_semidefinite(count, p->S, DEPENDENT_CONSTRAINT_PIVOT);
}

// what a row turns by from the midpoint to the end of an internal step
static double row_turn_rate(const slip_moreau *m, int row)
{
    return m->problem.law == SLIP_MOREAU_SUBSTEP ? 0.5 * m->problem.length * m->terms.z[row] : 0.0;
}

// v := v + M^-1 J' L such that J v + drift = 0 (drift only for velocities); L into `impulse`
static void project_on_constraints(slip_moreau *m, double *v, double *impulse, bool velocity)
{
    const slip_system *s = m->system;
    const slip_moreau_problem *p = &m->problem;
    for (int a = 0; a < s->constraint_count; a++) {
        impulse[a] = -slip_system_row_dot(s, &m->terms, a, v);
        if (velocity) impulse[a] -= m->terms.drift[a] + row_turn_rate(m, a);
    }
    slip_cholesky_solve(s->constraint_count, p->S, impulse);
    for (int a = 0; a < s->constraint_count; a++)
        for (int i = 0; i < m->n; i++) v[i] += impulse[a] * p->JY[(long)a * m->n + i];
}

static void add_block(slip_moreau *m, int element, double limit)
{
    const slip_element *e = &m->system->elements[element];
    slip_moreau_problem *p = &m->problem;
    const int b = p->blocks++;
    p->element[b] = element;
    p->row[b * m->d] = e->normal_row;
    for (int c = 0; c < m->d - 1; c++) p->row[b * m->d + 1 + c] = c < e->slip_count ? e->tangent_row + c : -1;
    p->filled_in = p->filled_in || e->normal_row < 0 || e->slip_count < m->d - 1;
    p->mu[b] = !e->has_gap ? 1.0 : e->slip_count ? m->terms.friction[element] : 0.0;
    p->friction[b] = e->has_gap ? p->mu[b] : limit;
}

static bool is_closed(const slip_moreau *m, int e)
{
    return m->problem.law == SLIP_MOREAU_REFERENCE ? m->terms.gap[e] <= m->slack[e] : m->closed[e];
}

static void find_active(slip_moreau *m)
{
    m->problem.blocks = 0;
    m->problem.filled_in = false;
    for (int e = 0; e < m->system->element_count; e++) {
        const bool has_gap = m->system->elements[e].has_gap;
        if (!has_gap && slip_moreau_is_impact(m)) {
            if (m->problem.blocks > 0 && slip_moreau_follows_impulse(m, e)) add_block(m, e, 0.0);
            continue;
        }
        if (has_gap && !is_closed(m, e)) continue;
        const double limit = has_gap ? 0.0 : slip_moreau_friction_limit(m, e);
        if (has_gap || limit > 0.0) add_block(m, e, limit);
    }
}

// M^-1 w' of unknown i, constraints eliminated
static void block_response(slip_moreau *m, int i)
{
    const slip_system *s = m->system;
    slip_moreau_problem *p = &m->problem;
    double *y = p->Y + (long)i * m->n;
    p->response[i] = y;
    if (p->row[i] < 0) return;
    slip_terms rows = m->terms;
    rows.value = p->of.value;
    slip_system_solve_row(s, &rows, p->row[i], y);
    if (s->constraint_count) project_on_constraints(m, y, p->coupled + (long)i * s->constraint_count, false);
}

// gamma_A of unknown i, and its rate with forces alone
static void unknown_rates(slip_moreau *m, int i, const double *u)
{
    const slip_system *s = m->system;
    slip_moreau_problem *p = &m->problem;
    const int row = p->row[i], *column = s->column;
    const double *value = m->terms.value, *free = p->free;
    double before = 0.0, after = 0.0;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) { // slip_system_row_dot of both
        before += value[k] * u[column[k]];
        after += value[k] * free[column[k]];
    }
    const double drift = m->terms.drift[row], by = row_turn_rate(m, row);
    p->before[i] = before + drift - by;
    p->q[i] = after + drift + by;
}

// both where a program has made them
static void copy_fused_row(slip_moreau *m, int i)
{
    slip_moreau_problem *p = &m->problem;
    const int row = p->row[i];
    p->response[i] = p->made.Y + (long)row * m->n;
    p->before[i] = p->made.before[row];
    p->q[i] = p->made.q[row];
}

static void fill_unknown(slip_moreau *m, int i, const double *u)
{
    slip_moreau_problem *p = &m->problem;
    if (p->made.Y)
        copy_fused_row(m, i);
    else
        unknown_rates(m, i, u);
    p->smooth_change[i] = slip_moreau_is_impact(m)
                              ? m->step * slip_system_row_dot(m->system, &m->terms, p->row[i], p->pull)
                              : p->q[i] - p->before[i];
}

double slip_moreau_smooth_rate_change(const slip_moreau *m, int b)
{
    const slip_moreau_problem *p = &m->problem;
    const double own = fabs(p->smooth_change[b * m->d]);
    if (p->law == SLIP_MOREAU_REFERENCE) return own;
    return slip_larger(own, m->strength[p->element[b]] * (slip_moreau_is_impact(m) ? m->step : p->length));
}

// Within two steps, or for a strike that was located within a part of one, twice of which strikes leave; and
// what rounding and solvers leave
double slip_moreau_rate_tolerance(const slip_moreau *m, int b)
{
    const slip_moreau_problem *p = &m->problem;
    const int i = b * m->d, row = p->row[i];
    double noise =
        (slip_moreau_is_impact(m) ? SOFT_LANDING_OF_STEP : 2.0) * slip_moreau_smooth_rate_change(m, b);
    if (p->law == SLIP_MOREAU_SUBSTEP)
        noise = slip_larger(noise, 2.0 * SOFT_LANDING_OF_STEP * m->strength[p->element[b]] * m->step);
    for (int k = m->system->start[row]; k < m->system->start[row + 1]; k++) {
        const int at = m->system->column[k];
        noise += fabs(m->terms.value[k]) * (RATE_NOISE_OF_VELOCITY * fabs(p->u[at]) +
                                            RATE_NOISE_OF_CHANGE * fabs(p->free[at] - p->u[at]));
    }
    return noise;
}

// Whether a block has restitution. As printed: always. In a strike also one that opens: with one restitution
// for all of them no energy is made then
static bool has_restitution(const slip_moreau *m, int b)
{
    const slip_moreau_problem *p = &m->problem;
    if (p->law == SLIP_MOREAU_REFERENCE) return true;
    if (p->law == SLIP_MOREAU_IMPACT) return fabs(p->before[b * m->d]) > slip_moreau_rate_tolerance(m, b);
    return p->law == SLIP_MOREAU_SUBSTEP && p->hits[b];
}

// an approach below the least noise there can be is none
static bool is_hit(const slip_moreau *m, int b)
{
    const slip_moreau_problem *p = &m->problem;
    const double rate = p->before[b * m->d];
    const double least = p->law == SLIP_MOREAU_SUBSTEP
                             ? 2.0 * SOFT_LANDING_OF_STEP * m->strength[p->element[b]] * m->step
                             : 0.0;
    return rate < -least && rate < -slip_moreau_rate_tolerance(m, b);
}

// restitution enters the right-hand side (69), (70)
static void add_restitution(slip_moreau *m, int b)
{
    slip_moreau_problem *p = &m->problem;
    const slip_contact *contact = m->system->elements[p->element[b]].contact;
    for (int c = 0; c < m->d; c++) {
        const int i = b * m->d + c;
        if (p->row[i] < 0) continue;
        p->eps[i] = c ? contact->restitution_t : contact->restitution;
        p->q[i] += p->eps[i] * p->before[i];
    }
}

static void fill_rows(slip_moreau *m, const double *u)
{
    slip_moreau_problem *p = &m->problem;
    for (int i = 0; i < p->blocks * m->d; i++) {
        p->eps[i] = 0.0;
        if (p->row[i] >= 0)
            fill_unknown(m, i, u);
        else
            p->before[i] = p->smooth_change[i] = p->q[i] = 0.0;
    }
    for (int b = 0; b < p->blocks; b++) {
        const bool has_gap = p->row[b * m->d] >= 0;
        p->hits[b] = has_gap && is_hit(m, b);
        if (has_gap && has_restitution(m, b)) add_restitution(m, b);
    }
}

/// The entries of a row.
typedef struct sparse_row {
    int count;
    const int *column;
    const double *value;
} sparse_row;

static sparse_row system_row(const slip_moreau *m, int row)
{
    const int begin = row < 0 ? 0 : m->system->start[row], end = row < 0 ? 0 : m->system->start[row + 1];
    return (sparse_row){ end - begin, m->system->column + begin, m->problem.of.value + begin };
}

// w y of four y in a row, n numbers each, as slip_system_row_dot has each: one sum need not wait for another
static void four_dots(const sparse_row *w, const double *y, long n, double *dot)
{
    double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
    for (int k = 0; k < w->count; k++) {
        const double value = w->value[k], *at = y + w->column[k];
        a += value * at[0], b += value * at[n];
        c += value * at[2 * n], d += value * at[3 * n];
    }
    dot[0] = a, dot[1] = b, dot[2] = c, dot[3] = d;
}

static double one_dot(const sparse_row *w, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < w->count; k++) sum += w->value[k] * y[w->column[k]];
    return sum;
}

static void fill_delassus(slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d, n = m->n;
    for (int j = 0; j < size; j++) {
        const sparse_row w = system_row(m, p->row[j]);
        double *row = p->W + (long)j * size;
        int i = j;
        for (; i + 3 < size; i += 4) four_dots(&w, p->Y + (long)i * n, n, row + i);
        for (; i < size; i++) row[i] = one_dot(&w, p->Y + (long)i * n);
        for (i = j; i < size; i++) {
            if (p->row[i] < 0) row[i] = 0.0;
            p->W[(long)i * size + j] = row[i];
        }
    }
}

// the same where a program has made it; unknowns stand in the order of their rows
static void copy_fused_delassus(slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d, rows = m->system->row_count, *row = p->row;
    for (int i = 0; i < size; i++) {
        const double *from = p->made.W + (long)row[i] * rows;
        for (int j = 0; j <= i; j++)
            p->W[(long)i * size + j] = p->W[(long)j * size + i] =
                row[i] < 0 || row[j] < 0 ? 0.0 : from[row[j]];
    }
}

// whether that is the last one again, bit for bit
static bool is_same_fused_delassus(const slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d, rows = m->system->row_count, *row = p->row;
    for (int i = 0; i < size; i++)
        for (int j = 0; j <= i; j++)
            if (row[i] >= 0 && row[j] >= 0 &&
                memcmp(&p->W[(long)i * size + j], &p->made.W[(long)row[i] * rows + row[j]], sizeof(double)) !=
                    0)
                return false;
    return true;
}

// the unknowns that an element does not have: coupled to nothing, as heavy as those it has
static void fill_missing(slip_moreau *m, double dt)
{
    const slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d;
    for (int b = 0; b < p->blocks && p->filled_in; b++) {
        double most = 0.0;
        bool any = false;
        for (int c = 0; c < m->d; c++) any = any || p->row[b * m->d + c] < 0;
        if (!any) continue;
        for (int c = 0; c < m->d; c++) most = fmax(most, p->W[(long)(b * m->d + c) * (size + 1)]);
        if (!(most > 0.0)) most = 1.0;
        for (int c = 0; c < m->d; c++) {
            const int i = b * m->d + c;
            if (p->row[i] >= 0) continue;
            p->W[(long)i * (size + 1)] = most;
            if (c == 0) p->q[i] = -most * dt * p->friction[b]; // P_N = F dt
        }
    }
}

// a row as Y and W are made of it
static void store_row(slip_moreau *m, int row)
{
    const double *value = m->terms.value;
    double most = 0.0;
    for (int k = m->system->start[row]; k < m->system->start[row + 1]; k++)
        most = slip_larger(most, fabs(value[k]));
    const double least = m->problem.of.least[row] = m->rounding * most;
    for (int k = m->system->start[row]; k < m->system->start[row + 1]; k++)
        m->problem.of.value[k] = fabs(value[k]) <= least ? 0.0 : value[k];
}

// whether a row would be kept as it is kept
static bool is_row_unchanged(const slip_moreau *m, int row)
{
    const double *value = m->terms.value, *kept = m->problem.of.value, least = m->problem.of.least[row];
    for (int k = m->system->start[row]; k < m->system->start[row + 1]; k++)
        if (value[k] != kept[k] && !(kept[k] == 0.0 && fabs(value[k]) <= least)) return false;
    return true;
}

static bool are_rows_unchanged(const slip_moreau *m)
{
    for (int i = 0; i < m->problem.blocks * m->d; i++)
        if (m->problem.row[i] >= 0 && !is_row_unchanged(m, m->problem.row[i])) return false;
    return true;
}

// Whether masses and constraint rows are those that JY and S, and with them Y and W, were made of; from now
// on they are
static bool stand_constraints(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    const slip_system *s = m->system;
    const size_t factor = (size_t)s->factor_size * sizeof *p->of.factor;
    const size_t rows = (size_t)s->start[s->constraint_count] * sizeof *p->of.value;
    if (p->of.kept && memcmp(p->of.factor, m->terms.factor, factor) == 0 &&
        (!rows || memcmp(p->of.value, m->terms.value, rows) == 0))
        return true;
    memcpy(p->of.factor, m->terms.factor, factor);
    memcpy(p->of.value, m->terms.value, rows);
    p->of.kept = true;
    p->of.own = false;
    return false;
}

static bool same_blocks(const slip_moreau_problem *p)
{
    return p->of.blocks == p->blocks &&
           memcmp(p->of.element, p->element, (size_t)p->blocks * sizeof *p->element) == 0;
}

static void keep_blocks(slip_moreau_problem *p)
{
    p->of.blocks = p->blocks;
    memcpy(p->of.element, p->element, (size_t)p->blocks * sizeof *p->element);
}

void slip_moreau_forget(slip_moreau_problem *p)
{
    p->of.kept = p->of.own = false;
    p->of.blocks = -1;
    p->factored.count = 0;
}

// Y and W, where they are others than before
static void fill_matrix(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    if (p->of.own && same_blocks(p) && are_rows_unchanged(m)) return;
    for (int i = 0; i < p->blocks * m->d; i++)
        if (p->row[i] >= 0) store_row(m, p->row[i]);
    keep_blocks(p);
    p->of.own = true;
    for (int i = 0; i < p->blocks * m->d; i++) block_response(m, i);
    fill_delassus(m);
    p->matrix++;
}

// W where a program has made it and Y
static void update_fused_matrix(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    const bool stands = same_blocks(p) && is_same_fused_delassus(m);
    p->of.own = false;
    if (stands) return;
    keep_blocks(p);
    copy_fused_delassus(m);
    p->matrix++;
}

// velocity change per second that forces make, constraints kept
static void force_velocity_rate(slip_moreau *m)
{
    slip_moreau_problem *p = &m->problem;
    for (int i = 0; i < m->n; i++) p->pull[i] = m->terms.h[i];
    slip_system_solve(m->system, &m->terms, p->pull);
    if (m->system->constraint_count) project_on_constraints(m, p->pull, p->lambda, false);
}

static void use_static_friction(slip_moreau *m, int e)
{
    const slip_element *element = &m->system->elements[e];
    if (!slip_element_holds_at_rest(element, m->terms.friction[e], m->terms.static_friction[e])) return;
    m->sliding[e] = m->terms.friction[e];
    m->terms.friction[e] = m->terms.static_friction[e];
}

void slip_moreau_use_kinetic_friction(slip_moreau *m)
{
    for (int e = 0; e < m->system->element_count && m->holds; e++) {
        if (!isnan(m->sliding[e])) m->terms.friction[e] = m->sliding[e];
        m->sliding[e] = NAN;
    }
}

void slip_moreau_use_static_friction(slip_moreau *m, const slip_moreau_step *step)
{
    for (int e = 0; e < m->system->element_count && m->holds; e++) {
        m->sliding[e] = NAN;
        const bool starts = step->state[e] == SLIP_STATE_OPEN && step->mode[e] & SLIP_MODE_STICK;
        if (step->state[e] == SLIP_STATE_STICKING || starts) use_static_friction(m, e);
    }
}

// what turns back was at rest in between
bool slip_moreau_hold_reversed(slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    bool any = false;
    for (int b = 0; b < p->blocks && m->holds; b++) {
        const double before = m->terms.friction[p->element[b]];
        double along = 0.0;
        for (int i = b * m->d + 1; i < (b + 1) * m->d; i++) along += p->before[i] * p->w[i];
        if (along < 0.0) use_static_friction(m, p->element[b]);
        any = any || m->terms.friction[p->element[b]] > before;
    }
    return any;
}

void slip_moreau_assemble(slip_moreau *m, slip_moreau_problem_kind law, double dt, const double *u)
{
    slip_moreau_problem *p = &m->problem;
    p->law = law;
    p->length = dt;
    p->u = u;
    for (int k = 0; k < m->n; k++) p->start[k] = u[k];
    if (!p->flown) {
        slip_moreau_free_velocity(m, dt, u);
        p->made.Y = NULL;
    }
    p->flown = false;
    if (!m->keeps_matrices) slip_moreau_forget(p);
    find_active(m);
    if (!p->made.Y && !stand_constraints(m) && m->system->constraint_count) factor_constraint_matrix(m);
    if (slip_moreau_is_impact(m)) force_velocity_rate(m);
    if (m->system->constraint_count) project_on_constraints(m, p->free, p->lambda, true);
    fill_rows(m, u);
    if (p->made.Y)
        update_fused_matrix(m);
    else
        fill_matrix(m);
    fill_missing(m, dt);
    p->largest = 0.0;
    for (int i = 0; i < p->blocks * m->d; i++) p->largest = slip_larger(p->largest, fabs(p->q[i]));
    // as printed, states are only guesses, unless friction at rest depends on them
    p->still = m->max_substeps > 1 || m->holds ? LAW_EXACT_RELATIVE * p->largest : -1.0;
}
