/// dynamics/contact/contact_problem_solve.c: the contact LCP (2.36) and Gauss' QP (2.39) of one instant.
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "symbolic/graph/caches.h"
#include "dynamics/contact/contact_problem.h"
#include "dynamics/dynamics_tolerances.h"

static double largest_abs(int n, const double *x)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
    return most;
}

// unknown number of the normal force of an element; its contact is held
static int normal_unknown(const slip_contact_problem *r, int element)
{
    int i = 0;
    while (r->owner[i] != element) i++;
    return i;
}

// every force within its law up to `dust`, every gap rate not falling; what rounding pushed below zero is zero
static bool is_within_laws(slip_contact_problem *r, double dust)
{
    double small = slip_contact_problem_rounding(r);
    for (int i = 0; i < r->normal_count; i++) {
        if (!(r->x[i] >= -dust) || !(r->rate[i] >= -small)) return false;
        if (r->x[i] < 0.0) r->x[i] = 0.0;
    }
    for (int i = r->normal_count; i < r->count; i++) {
        int e = r->owner[i];
        const slip_element *element = &r->system->elements[e];
        double limit = element->has_gap ? r->friction[e] * r->x[normal_unknown(r, e)] : r->friction[e];
        bool first = element->slip_count > 1 && r->row[i] == element->tangent_row;
        double held = first ? slip_length(r->x[i], r->x[i + 1]) : fabs(r->x[i]);
        if (!(held <= limit + dust) || !(fabs(r->rate[i]) <= small)) return false;
    }
    return true;
}

static bool is_admissible(slip_contact_problem *r)
{
    return is_within_laws(r, FORCE_ROUNDING * largest_abs(r->count, r->x));
}

// one sliding contact, c + D N = g'': exact up to the border at which Painleve's paradox begins (2.84
// - 2.89). Where two solutions exist (D < 0 <= c) it is the open one, as for Gauss' principle, unless
// r->hold asks for the other
static slip_contact_outcome solve_single_contact(slip_contact_problem *r)
{
    if (r->c[0] < 0.0 && !(r->D[0] > SINGLE_CONTACT_ROUNDING * r->S[0])) return SLIP_CONTACT_INFEASIBLE;
    bool held = r->hold && r->c[0] > 0.0 && r->D[0] < -SINGLE_CONTACT_ROUNDING * r->S[0];
    r->x[0] = r->c[0] < 0.0 || held ? -r->c[0] / r->D[0] : 0.0;
    slip_contact_problem_distribute(r);
    if (r->x[0] > 0.0) r->rate[0] = r->normal_rate[r->owner[0]] = 0.0; // what is left is rounding
    return SLIP_CONTACT_SOLVED;
}

// ------------------------------------------------------------------------------------------------ LCP

// K over the unknowns in at[0..m), and on the right what their rates lack at forces r->x
static void fill_kernel(slip_contact_problem *r, int m, const int *at)
{
    slip_contact_problem_distribute(r);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) r->K[i * m + j] = r->D[at[i] * r->count + at[j]];
        r->k[i] = -r->rate[at[i]];
    }
}

// K k = right side. Where contacts depend on each other, of all answers the shortest; *open says so
static bool solve_kernel(slip_contact_problem *r, int m, const int *at, bool *open)
{
    *open = false;
    fill_kernel(r, m, at);
    if (m == 0) return true;
    if (slip_lu(m, r->K, r->pivot) && slip_lu_is_regular(m, r->K)) {
        slip_lu_solve(m, r->K, r->pivot, r->k);
        return true;
    }
    *open = true;
    fill_kernel(r, m, at);
    return slip_contact_problem_least_norm(r, m);
}

// Rates that the law makes zero are zero: what is left of them is rounding, which light parts make large
static void clear_rates(slip_contact_problem *r)
{
    for (int i = 0; i < r->count; i++) {
        int e = r->owner[i];
        const slip_element *element = &r->system->elements[e];
        if (!(fabs(r->rate[i]) <= slip_contact_problem_zero_tolerance(r)) || element->slip_count > 1)
            continue;
        double limit = i < r->normal_count ? 0.0
                       : element->has_gap  ? r->friction[e] * r->x[normal_unknown(r, e)]
                                           : r->friction[e];
        if (i < r->normal_count ? !(r->x[i] > 0.0) : !(fabs(r->x[i]) < limit)) continue;
        r->rate[i] = 0.0;
        *(i < r->normal_count ? &r->normal_rate[e] : &r->slip_rate[e]) = 0.0;
    }
}

// r->x := forces of the last answer, those of unloaded contacts 0
static void recall_forces(slip_contact_problem *r)
{
    for (int i = 0; i < r->count; i++) {
        int e = r->owner[i], row = r->system->elements[e].tangent_row;
        r->x[i] = i < r->normal_count ? r->normal[e] : r->row[i] > row ? r->tangent_y[e] : r->tangent[e];
    }
}

// r->x plus the kernel's answer is a solution
static bool correct_forces(slip_contact_problem *r, int m, const int *at, bool *open)
{
    if (!solve_kernel(r, m, at, open)) return false;
    for (int i = 0; i < m; i++) r->x[at[i]] += r->k[i];
    slip_contact_problem_distribute(r);
    for (int i = 0; i < m; i++)
        if (!(fabs(r->rate[at[i]]) <= slip_contact_problem_zero_tolerance(r))) return false;
    clear_rates(r);
    double rounding = *open ? OPEN_FORCE_ROUNDING : FORCE_ROUNDING;
    return is_within_laws(r, rounding * largest_abs(r->count, r->x));
}

// Unknowns of the last answer: loaded contacts keep g'' = 0, sticking elements v_T' = 0. Where that leaves
// forces open, the shortest ones may be outside the laws, although others are not: of all forces then those
// nearest to the last ones, which were inside
static bool retry_lcp_active_set(slip_contact_problem *r, double *last)
{
    int q = r->count, m = 0, *at = r->pivot + 2 * r->most;
    bool open;
    for (int i = 0; i < q; i++)
        if (i >= r->normal_count || r->loaded[r->owner[i]]) at[m++] = i;
    memset(r->x, 0, (size_t)q * sizeof *r->x);
    if (correct_forces(r, m, at, &open)) return true;
    if (!open) return false;
    memcpy(r->x, last, (size_t)q * sizeof *r->x);
    return correct_forces(r, m, at, &open);
}

// The forces of the last answer once more: what rests, rests by the same ones. Worth a look where a solve
// costs more
static bool retry_last_forces(slip_contact_problem *r)
{
    enum { FEW = 8 };
    if (r->count <= FEW) return false;
    slip_contact_problem_distribute(r);
    for (int i = 0; i < r->normal_count; i++)
        if (r->x[i] > 0.0 && !(fabs(r->rate[i]) <= slip_contact_problem_rounding(r))) return false;
    return is_admissible(r);
}

// the last answer first: its forces, then its active set
static bool retry_last_answer(slip_contact_problem *r)
{
    double *last = r->z; // of the solvers, which come later
    recall_forces(r);
    memcpy(last, r->x, (size_t)r->count * sizeof *last);
    return retry_last_forces(r) || retry_lcp_active_set(r, last);
}

// unknowns N, then (P_R, xi_L) of each sticking contact (Flores 2010, eq 85), then T of sticking frictions
static slip_problem lcp_of(slip_contact_problem *r)
{
    int q = r->count, m = r->normal_count, cones = 0, boxes = 0;
    for (int i = m; i < q; i++) r->system->elements[r->owner[i]].has_gap ? cones++ : boxes++;
    int size = m + 2 * cones + boxes, *at = r->pivot;
    memset(r->Z, 0, (size_t)size * (size_t)size * sizeof *r->Z);
    for (int i = 0; i < m; i++) at[i] = i;
    for (int i = m, cone = m, box = m + 2 * cones; i < q; i++) {
        bool contact = r->system->elements[r->owner[i]].has_gap;
        at[i] = contact ? cone : box;
        cone += contact ? 2 : 0, box += contact ? 0 : 1;
    }
    for (int i = 0; i < size; i++) r->low[i] = 0.0, r->high[i] = INFINITY, r->zq[i] = 0.0;
    for (int i = 0; i < q; i++) {
        double *row = r->Z + (size_t)at[i] * (size_t)size;
        for (int j = 0; j < q; j++) row[at[j]] += r->D[i * q + j];
        r->zq[at[i]] = r->c[i];
    }
    for (int i = m; i < q; i++) {
        int e = r->owner[i];
        if (!r->system->elements[e].has_gap) {
            r->low[at[i]] = -r->friction[e], r->high[at[i]] = r->friction[e];
            continue;
        }
        int n = at[normal_unknown(r, e)], right = at[i], left = at[i] + 1;
        for (int k = 0; k < size; k++) // T = P_R - mu N
            r->Z[(size_t)k * (size_t)size + (size_t)n] -=
                r->friction[e] * r->Z[(size_t)k * (size_t)size + (size_t)right];
        r->Z[(size_t)right * (size_t)size + (size_t)left] = 1.0; // xi_R = v_T' + xi_L
        r->Z[(size_t)left * (size_t)size + (size_t)n] = 2.0 * r->friction[e];
        r->Z[(size_t)left * (size_t)size + (size_t)right] = -1.0; // P_L = 2 mu N - P_R
    }
    slip_problem p = slip_problem_lcp(size, r->Z, r->zq);
    if (boxes) p.kind = SLIP_KIND_RELAY, p.lower = r->low, p.upper = r->high;
    return p;
}

static void lcp_answer(slip_contact_problem *r, const slip_problem *p)
{
    const double *z = r->z;
    int cones = 0;
    for (int i = r->normal_count; i < r->count; i++) cones += r->system->elements[r->owner[i]].has_gap;
    for (int i = 0; i < r->normal_count; i++) r->x[i] = fmax(z[i], 0.0);
    int cone = r->normal_count, box = p->size - (r->count - r->normal_count - cones);
    for (int i = r->normal_count; i < r->count; i++) {
        int e = r->owner[i];
        if (!r->system->elements[e].has_gap) {
            r->x[i] = z[box++];
            continue;
        }
        double limit = r->friction[e] * r->x[normal_unknown(r, e)];
        r->x[i] = fmin(fmax(z[cone] - limit, -limit), limit);
        cone += 2;
    }
}

static void store_active_set(slip_contact_problem *r, const double *multiplier)
{
    double most = largest_abs(r->normal_count, r->x),
           top = multiplier ? largest_abs(r->normal_count, multiplier) : 0.0;
    for (int i = 0; i < r->normal_count; i++) {
        r->loaded[r->owner[i]] = r->x[i] > ACTIVE_RELATIVE * most;
        r->tight[r->owner[i]] = multiplier && multiplier[i] > ACTIVE_RELATIVE * top;
    }
    r->warm = slip_graph_keeps(r->system->equations->graph, SLIP_CACHE_GUESSES);
}

// Where nothing slides, the LCP and least constraint are the same convex program, and an answer of one is one
// of the other: for large heaps, on which pivoting gives up
static bool by_least_constraint(slip_contact_problem *r)
{
    int element;
    if (slip_contact_problem_solve_qp(r, true) != SLIP_CONVERGED) return false;
    memcpy(r->x, r->z, (size_t)r->count * sizeof *r->x);
    for (int i = 0; i < r->normal_count; i++) r->x[i] = fmax(r->x[i], 0.0);
    slip_contact_problem_distribute(r);
    if (slip_contact_problem_disagreement(r, &element) >
        SLIP_DISAGREEMENT_RELATIVE * slip_contact_problem_power_scale(r))
        return false;
    for (int i = 0; i < r->count; i++)
        if (!(i < r->normal_count ? r->rate[i] >= -slip_contact_problem_zero_tolerance(r)
                                  : fabs(r->rate[i]) <= slip_contact_problem_zero_tolerance(r)))
            return false;
    store_active_set(r, NULL);
    return true;
}

static slip_contact_outcome solve_lcp(slip_contact_problem *r)
{
    r->stages++;
    if (r->count == 0) {
        slip_contact_problem_distribute(r);
        return SLIP_CONTACT_SOLVED;
    }
    if (r->count == 1 && r->normal_count == 1) return solve_single_contact(r);
    if (r->warm && retry_last_answer(r)) return SLIP_CONTACT_SOLVED;
    r->cold++;
    // loads that are open are shared evenly, whether something sticks or all slide: a change between the two
    // is none of the loads
    if (r->spatial) return slip_contact_problem_solve_cone(r);
    if (r->shared && slip_contact_problem_solve_cone(r) == SLIP_CONTACT_SOLVED) return SLIP_CONTACT_SOLVED;
    slip_problem p = lcp_of(r);
    slip_outcome outcome = slip_solve(r->solver, &p, &r->options, r->z, r->zw, r->work, NULL);
    if (outcome == SLIP_RAY &&
        p.size <= SLIP_CONTACT_MAX_ENUMERATED) { // a ray proves nothing here; trying every mode does
        outcome = slip_solve(slip_solver_find("enum"), &p, &r->options, r->z, r->zw, r->work, NULL);
        if (outcome != SLIP_CONVERGED) return SLIP_CONTACT_INFEASIBLE;
    }
    if (outcome != SLIP_CONVERGED)
        return by_least_constraint(r) ? SLIP_CONTACT_SOLVED : SLIP_CONTACT_NOT_CONVERGED;
    lcp_answer(r, &p);
    slip_contact_problem_distribute(r);
    clear_rates(r);
    store_active_set(r, NULL);
    return SLIP_CONTACT_SOLVED;
}

static void measure_loads(slip_contact_problem *r)
{
    slip_friction_loads *l = &r->loads;
    if (r->joints) slip_contact_problem_multipliers(r);
    for (int k = 0; k < l->count; k++) {
        const slip_load *load = slip_friction_load_of(l, r->system, k);
        l->found[k] = load->kind == SLIP_LOAD_JOINT ? slip_joint_load(load, r->lambda) : r->normal[load->of];
    }
}

// limits that follow forces, by solving again with those that were found
slip_contact_outcome slip_contact_problem_solve_lcp(slip_contact_problem *r)
{
    slip_friction_loads *l = &r->loads;
    slip_contact_outcome answer = solve_lcp(r);
    if (l->count == 0) return answer;
    for (slip_friction_loads_begin(l); answer == SLIP_CONTACT_SOLVED; answer = solve_lcp(r)) {
        measure_loads(r);
        slip_load_iteration settled = slip_friction_loads_iterate(l);
        if (settled == SLIP_LOADS_DIVERGED) return SLIP_CONTACT_NOT_CONVERGED;
        if (settled == SLIP_LOADS_CONVERGED) break;
        slip_contact_problem_rebuild(r, false);
    }
    return answer;
}

int slip_contact_problem_motion_count(slip_contact_problem *r)
{
    enum { MAX_SOLUTIONS = 12 };
    double all[MAX_SOLUTIONS * SLIP_CONTACT_MAX_ENUMERATED],
        kept[MAX_SOLUTIONS * SLIP_CONTACT_MAX_ENUMERATED];
    bool continuum = false;
    int q = r->count, motions = 0;
    if (r->spatial) return 1; // circular cones have no modes to try
    slip_problem p = lcp_of(r);
    if (q == 0 || p.size > SLIP_CONTACT_MAX_ENUMERATED) return 1;
    memcpy(kept, r->x, (size_t)q * sizeof *kept);
    int found = slip_solutions(&p, &r->options, all, MAX_SOLUTIONS, &continuum, r->work);
    double rates[MAX_SOLUTIONS * SLIP_CONTACT_MAX_ENUMERATED];
    for (int k = 0; k < found && k < MAX_SOLUTIONS; k++) {
        memcpy(r->z, all + (size_t)k * (size_t)p.size, (size_t)p.size * sizeof *r->z);
        lcp_answer(r, &p);
        slip_contact_problem_distribute(r);
        bool known = false; // S x tells motions apart: it is what the forces do
        for (int other = 0; other < motions && !known; other++) {
            double off = 0.0;
            for (int i = 0; i < q; i++) {
                double sum = 0.0;
                for (int j = 0; j < q; j++) sum += r->S[i * q + j] * r->x[j];
                off = fmax(off, fabs(sum - rates[other * q + i]));
            }
            known = off <= 1e3 * slip_contact_problem_zero_tolerance(r);
        }
        if (known) continue;
        for (int i = 0; i < q; i++) {
            rates[motions * q + i] = 0.0;
            for (int j = 0; j < q; j++) rates[motions * q + i] += r->S[i * q + j] * r->x[j];
        }
        motions++;
    }
    memcpy(r->x, kept, (size_t)q * sizeof *kept);
    slip_contact_problem_distribute(r);
    return motions > 1 ? motions : continuum ? 1 : motions;
}

// ---------------------------------------------------------------------------------------------- Gauss

// the optimality conditions (2.41) on the active sets: loaded N and all T free, tight g'' = 0. Fills x, and
// r->k with x of the free ones and the multipliers; counts in *free and *tight. False when they are singular
static bool gauss_kernel(slip_contact_problem *r, int *free, int *tight)
{
    int q = r->count, f = 0, m = 0, *at = r->pivot + 2 * r->most, *held = r->pivot + 3 * r->most;
    for (int i = 0; i < q; i++) {
        if (i >= r->normal_count || r->loaded[r->owner[i]]) at[f++] = i;
        if (i >= r->normal_count || r->tight[r->owner[i]]) held[m++] = i;
    }
    int side = f + m;
    memset(r->K, 0, (size_t)(side * side) * sizeof *r->K);
    for (int i = 0; i < f; i++) {
        for (int j = 0; j < f; j++) r->K[i * side + j] = r->S[at[i] * q + at[j]];
        r->k[i] = 0.0;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < f; j++) {
            r->K[(f + i) * side + j] = r->D[held[i] * q + at[j]];
            r->K[j * side + f + i] = -r->D[held[i] * q + at[j]];
        }
        r->k[f + i] = -r->c[held[i]];
    }
    if (side && !slip_lu(side, r->K, r->pivot)) return false;
    if (side) slip_lu_solve(side, r->K, r->pivot, r->k);
    memset(r->x, 0, (size_t)q * sizeof *r->x);
    for (int i = 0; i < f; i++) r->x[at[i]] = r->k[i];
    *free = f, *tight = m;
    return true;
}

// the multiplier z of N_i >= 0
static double gauss_z(const slip_contact_problem *r, int i, int f, int m)
{
    const int q = r->count, *at = r->pivot + 2 * r->most, *held = r->pivot + 3 * r->most;
    double z = 0.0;
    for (int j = 0; j < f; j++) z += r->S[i * q + at[j]] * r->k[j];
    for (int j = 0; j < m; j++) z -= r->D[held[j] * q + i] * r->k[f + j];
    return z;
}

// as many loaded contacts as tight ones: the loads are fixed by g'' = 0, so one that is negative has to be
// exchanged for another, the one whose multiplier allows it (dual simplex step). False when none does
static bool gauss_exchange(slip_contact_problem *r, int leave, int f, int m)
{
    int q = r->count, *at = r->pivot + 2 * r->most, *held = r->pivot + 3 * r->most, enter = -1;
    double *y = r->z, least = INFINITY;
    for (int i = 0; i < m; i++) { // D_QF' y = e_leave
        for (int j = 0; j < m; j++) r->K[i * m + j] = r->D[held[j] * q + at[i]];
        y[i] = at[i] == leave;
    }
    if (!slip_lu(m, r->K, r->pivot)) return false;
    slip_lu_solve(m, r->K, r->pivot, y);
    for (int i = 0; i < r->normal_count; i++) {
        if (r->loaded[r->owner[i]]) continue;
        double alpha = 0.0;
        for (int j = 0; j < m; j++) alpha += y[j] * r->D[held[j] * q + i];
        if (!(alpha < -EXCHANGE_PIVOT)) continue;
        double z = gauss_z(r, i, f, m);
        if (z < -alpha * least) least = z / -alpha, enter = i;
    }
    if (enter < 0) return false;
    r->loaded[r->owner[leave]] = false;
    r->loaded[r->owner[enter]] = true;
    return true;
}

typedef enum exchange { OPTIMAL, EXCHANGED, LOST } exchange;

// one step of an active-set method: the worst sign that is broken, loads first
static exchange gauss_improve(slip_contact_problem *r, int f, int m)
{
    const int *held = r->pivot + 3 * r->most;
    double dust = SIGN_VIOLATION * largest_abs(f + m, r->k), pull = 0.0, low = -LOAD_VIOLATION_SHARE * dust;
    int load = -1, let = -1, hold = -1, take = -1;
    for (int i = 0; i < r->normal_count; i++)
        if (r->loaded[r->owner[i]] && !(r->x[i] >= low)) low = r->x[i], load = i;
    if (load >= 0 && f == m && r->count == r->normal_count)
        return gauss_exchange(r, load, f, m) ? EXCHANGED : LOST;
    if (load >= 0) return r->loaded[r->owner[load]] = false, EXCHANGED;
    low = -dust;
    for (int j = 0; j < m; j++)
        if (held[j] < r->normal_count && !(r->k[f + j] >= low)) low = r->k[f + j], let = held[j];
    if (let >= 0) return r->tight[r->owner[let]] = false, EXCHANGED;
    low = -slip_contact_problem_rounding(r);
    for (int i = 0; i < r->normal_count; i++)
        if (!r->tight[r->owner[i]] && !(r->rate[i] >= low)) low = r->rate[i], hold = i;
    if (hold >= 0) return r->tight[r->owner[hold]] = true, EXCHANGED;
    for (int i = 0; i < r->count; i++) // S is semidefinite, so its diagonal bounds it
        if (r->S[i * r->count + i] > pull) pull = r->S[i * r->count + i];
    low = -dust * pull;
    for (int i = 0; i < r->normal_count; i++) {
        double z = r->loaded[r->owner[i]] ? 0.0 : gauss_z(r, i, f, m);
        if (!(z >= low)) low = z, take = i;
    }
    return take >= 0 ? (r->loaded[r->owner[take]] = true, EXCHANGED) : OPTIMAL;
}

// from the last active sets by a few exchanges; the solver is for where this gets lost
static bool retry_gauss_active_set(slip_contact_problem *r)
{
    enum { MAX_EXCHANGES = 12 };
    int f, m, *held = r->pivot + 3 * r->most;
    for (int round = 0; round < MAX_EXCHANGES; round++) {
        if (!gauss_kernel(r, &f, &m)) return false;
        slip_contact_problem_distribute(r);
        for (int i = 0; i < m; i++)
            if (!(fabs(r->rate[held[i]]) <= slip_contact_problem_zero_tolerance(r))) return false;
        exchange done = gauss_improve(r, f, m);
        if (done != EXCHANGED) return done == OPTIMAL && is_admissible(r);
    }
    return false;
}

slip_problem slip_contact_problem_qp(slip_contact_problem *r)
{
    int q = r->count, m = r->normal_count, row = 0;
    double *A = r->Z, *b = r->zq;
    memset(r->limits, 0, (size_t)q * sizeof *r->limits);
    for (int i = 0; i < q; i++) {
        int e = r->owner[i];
        bool box = i >= m && !r->system->elements[e].has_gap && r->system->elements[e].slip_count < 2;
        r->low[i] = i < m ? 0.0 : box ? -r->friction[e] : -INFINITY;
        r->high[i] = box ? r->friction[e] : INFINITY;
    }
    for (int k = 0; k < q; k++) { // v_T' = 0 first, then g'' >= 0
        int i = k < q - m ? m + k : k - (q - m);
        memcpy(A + (size_t)row * (size_t)q, r->D + (size_t)i * (size_t)q, (size_t)q * sizeof *A);
        b[row++] = -r->c[i];
    }
    for (int i = m; i < q; i++) {
        int e = r->owner[i];
        const slip_element *element = &r->system->elements[e];
        bool circle = element->slip_count > 1;
        if (circle && r->row[i] == element->tangent_row)
            row = slip_contact_problem_plane_rows(r, i, A, b, row);
        if (circle || !element->has_gap) continue;
        for (int side = -1; side <= 1; side += 2) { // mu N - side T >= 0
            memset(A + (size_t)row * (size_t)q, 0, (size_t)q * sizeof *A);
            A[row * q + normal_unknown(r, e)] = r->friction[e];
            A[row * q + i] = -side;
            b[row++] = 0.0;
        }
    }
    slip_problem p = slip_problem_qp(q, r->S, r->limits, row, A, b, r->low);
    p.upper = r->high;
    p.equalities = q - m;
    return p;
}

slip_contact_outcome slip_contact_problem_solve_gauss(slip_contact_problem *r)
{
    r->stages++;
    if (r->count == 0) {
        slip_contact_problem_distribute(r);
        return SLIP_CONTACT_SOLVED;
    }
    if (r->count == 1 && r->normal_count == 1) return solve_single_contact(r);
    if (r->warm && retry_gauss_active_set(r)) return SLIP_CONTACT_SOLVED;
    r->cold++;
    slip_outcome outcome = slip_contact_problem_solve_qp(r, false); // every minimiser gives the same motion
    if (outcome != SLIP_CONVERGED)
        return outcome == SLIP_INFEASIBLE ? SLIP_CONTACT_INFEASIBLE : SLIP_CONTACT_NOT_CONVERGED;
    memcpy(r->x, r->z, (size_t)r->count * sizeof *r->x);
    for (int i = 0; i < r->normal_count; i++) r->x[i] = fmax(r->x[i], 0.0);
    store_active_set(r, r->z + r->count + (r->count - r->normal_count));
    if (retry_gauss_active_set(r)) return SLIP_CONTACT_SOLVED; // the same answer with all its digits
    memcpy(r->x, r->z, (size_t)r->count * sizeof *r->x);
    for (int i = 0; i < r->normal_count; i++) r->x[i] = fmax(r->x[i], 0.0);
    slip_contact_problem_distribute(r);
    return SLIP_CONTACT_SOLVED;
}
