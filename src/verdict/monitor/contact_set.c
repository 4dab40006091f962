/// verdict/monitor/contact_set.c: the contacts of a rigid problem at one instant, as the verdict looks at them.
#include "dynamics/contact/contact_problem.h"

#include <assert.h>
#include "verdict/contact/contact_stability.h"

double slip_contact_problem_mass(const slip_contact_problem *r, int e)
{
    double *y = r->line;
    int row = r->system->elements[e].normal_row;
    slip_system_solve_row(r->system, &r->terms, row, y);
    slip_contact_problem_constrain(r, y);
    return 1.0 / slip_system_row_dot(r->system, &r->terms, row, y);
}

bool slip_set_from_problem(const slip_contact_problem *r, const slip_compliant_constants *constants,
                           slip_contact_set *set)
{
    int at[SLIP_SET_MAX_ROWS], max = SLIP_SET_MAX_CONTACTS;
    *set = (slip_contact_set){ .scale = r->scale };
    for (int i = 0; i < r->count; i++) {
        int e = r->owner[i], k = 0;
        bool normal = i < r->normal_count;
        while (k < set->count && set->element[k] != e) k++;
        if (k == max) return false;
        if (k == set->count) {
            set->count++;
            set->element[k] = e;
            set->contact[k] = r->system->elements[e].has_gap;
            set->slide[k] = r->contact_state[e].slide;
            set->mu[k] = r->system->elements[e].slip_count ? r->friction[e] : 0.0;
            if (set->contact[k] && constants[e].zeta > 0.0) set->mass[k] = slip_contact_problem_mass(r, e);
        }
        if (!normal) set->slips[k] = true, set->slide[k] = 0;
        assert(i < SLIP_SET_MAX_ROWS); // one normal and one tangential force for each contact
        at[i] = 2 * k + !normal;
    }
    int rows = 2 * set->count;
    for (int i = 0; i < r->count; i++) {
        set->b[at[i]] = r->c[i];
        for (int j = 0; j < r->count; j++) set->W[at[i] * rows + at[j]] = r->D[i * r->count + j];
    }
    return true;
}

slip_contact_solution slip_contact_problem_instant(const slip_contact_problem *r, const double *mass)
{
    return (slip_contact_solution){ .count = r->count,
                                    .normal_count = r->normal_count,
                                    .owner = r->owner,
                                    .mu = r->friction,
                                    .mass = mass,
                                    .D = r->D,
                                    .S = r->S,
                                    .x = r->x,
                                    .rate = r->rate,
                                    .small = slip_contact_problem_zero_tolerance(r),
                                    .scale = r->scale,
                                    .n = r->system->n,
                                    .response = r->response,
                                    .a = r->a };
}
