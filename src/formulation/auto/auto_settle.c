/// formulation/auto/auto_settle.c: has the boundary layer settled on the rigid solution?
#include <math.h>

#include "formulation/auto/auto.h"
#include "formulation/auto/auto_tolerances.h"

// the contact states that the compliant contacts have
static void set_contact_states(slip_auto *m)
{
    slip_contact_problem *r = &m->rigid->rigid;
    for (int e = 0; e < m->elements; e++) {
        const slip_element *element = &m->rigid->system->elements[e];
        const double *v = m->slip_rate + 2 * (size_t)e;
        bool closed = !element->has_gap || m->N[e] > 0.0, stick = m->soft->mode[e] & SLIP_MODE_STICK;
        bool plane = element->slip_count < 2;
        double speed = slip_length(v[0], v[1]);
        r->contact_state[e] = (slip_contact_state){ closed, (signed char)(stick                  ? 0
                                                                          : !plane || v[0] > 0.0 ? 1
                                                                                                 : -1) };
        for (int c = 0; c < 2; c++) r->heading[2 * e + c] = speed > 0.0 ? v[c] / speed : 0.0;
    }
}

// z'' + D C z' + D K z = 0 over the unknowns of the rigid problem, at the loads N by element: its slowest
// decay. A direction that moves nothing (dependent contacts) has eigenvalue 0 and is left out. 0 when
// something grows.
static double slowest_decay(slip_auto *m, const double *N)
{
    const slip_contact_problem *r = &m->rigid->rigid;
    slip_boundary_layer l = { .count = r->count };
    if (r->count > SLIP_SET_MAX_ROWS) return 0.0;
    for (int j = 0; j < r->count; j++) {
        int e = r->owner[j];
        slip_compliant_constants c = m->rigid->compliance[e];
        double K = c.K_t, C = c.C_t;
        if (j < r->normal_count) {
            c = slip_auto_contact_constants(m, e);
            slip_normal_force f = slip_compliant_normal(&c, slip_compliant_static_depth(&c, N[e]), 0.0);
            K = f.stiffness, C = f.damping;
        }
        for (int i = 0; i < r->count; i++) {
            l.P[i * r->count + j] = r->D[i * r->count + j] * C;
            l.Q[i * r->count + j] = r->D[i * r->count + j] * K;
        }
    }
    if (!slip_boundary_layer_eigenvalues(&l)) return 0.0;
    double size = 0.0, slowest = INFINITY;
    for (int k = 0; k < 2 * l.count; k++) size = fmax(size, slip_length(l.re[k], l.im[k]));
    for (int k = 0; k < 2 * l.count; k++) {
        if (slip_length(l.re[k], l.im[k]) <= ZERO_EIGENVALUE * size) continue;
        slowest = fmin(slowest, -l.re[k]);
    }
    return fmax(slowest, 0.0);
}

static bool loads_match(double N, double rigid)
{
    return fabs(N - rigid) <= LOAD_MATCH_TOLERANCE * rigid;
}

// one of the solutions is what the contacts do: the same loads, and what sticks sticks
static bool is_on_branch(const slip_auto *m, const slip_contact_set *set, const slip_contact_branch *branch)
{
    for (int i = 0; i < set->count; i++) {
        if (set->contact[i] && !loads_match(m->N[set->element[i]], branch->N[i])) return false;
        if (set->slips[i] && branch->mode[i] != SLIP_IS_STICKING) return false;
    }
    return true;
}

// The rigid half would have to trust what it is given, or nothing may be known against it: dependent
// contacts, whose forces are open and whose motion is not
static bool follows_in_the_plane(slip_auto *m)
{
    slip_contact_set *set = &m->rigid->monitor->now;
    slip_set_verdict *j = &m->rigid->monitor->judgement;
    if (!slip_set_from_problem(&m->rigid->rigid, m->rigid->compliance, set)) return false;
    slip_set_find_verdict(set, m->rigid->compliance, NULL, 1 << 12, j);
    if (j->verdict == SLIP_TRUSTED) return is_on_branch(m, set, &j->branch[0]);
    if (j->verdict != SLIP_UNKNOWN_VERDICT || !j->dependent || j->motions != 1) return false;
    for (int k = 0; k < j->kept; k++)
        if (j->stability[k] != SLIP_IS_UNSTABLE && is_on_branch(m, set, &j->branch[k])) return true;
    return false;
}

static bool follows_in_space(slip_auto *m)
{
    slip_contact_problem *r = &m->rigid->rigid;
    if (!slip_contact_problem_cone_unique(r) || slip_contact_problem_solve_lcp(r) != SLIP_CONTACT_SOLVED)
        return false;
    for (int i = 0; i < r->count; i++) {
        int e = r->owner[i];
        if (i < r->normal_count && !loads_match(m->N[e], r->normal[e])) return false;
        if (i >= r->normal_count && fabs(r->rate[i]) > slip_contact_problem_zero_tolerance(r)) return false;
    }
    return true;
}

double slip_auto_contact_time(slip_auto *m, int e, double *load)
{
    const slip_contact_problem *r = &m->rigid->rigid;
    int row = r->system->elements[e].normal_row;
    slip_compliant_constants c = slip_auto_contact_constants(m, e);
    slip_system_solve_row(r->system, &r->terms, row, m->shift);
    slip_contact_problem_constrain(r, m->shift);
    double mass = 1.0 / slip_system_row_dot(r->system, &r->terms, row, m->shift);
    *load = mass * r->scale;
    return sqrt(mass / slip_compliant_normal(&c, slip_compliant_static_depth(&c, *load), 0.0).stiffness);
}

bool slip_auto_follows_rigid(slip_auto *m, double t, double *decay)
{
    slip_contact_problem *r = &m->rigid->rigid;
    const double *q = m->soft->state, *u = q + m->n;
    set_contact_states(m);
    m->rigid->monitor->full = 0; // what it knew is of another time
    r->warm = false;
    if (!slip_contact_problem_build(r, t, q, u) || r->count == 0) return false;
    if (!(r->spatial ? follows_in_space(m) : follows_in_the_plane(m))) return false;
    *decay = slowest_decay(m, m->N);
    return *decay > 0.0;
}
