/// formulation/moreau/moreau_load_friction.c: friction limits that depend on loads, in the contact problem of
/// a step.
///
/// Forces are impulses over the length of the problem. In an impact, which has none, limits follow impulses
/// (dynamics/contact/impact_friction.c).
#include <string.h>

#include "formulation/moreau/moreau.h"

bool slip_moreau_follows_impulse(const slip_moreau *m, int e)
{
    const slip_element *element = &m->system->elements[e];
    const slip_load *load = &element->contact->load;
    if (load->kind == SLIP_LOAD_NONE || !element->slip_count || !(m->terms.friction[e] > 0.0)) return false;
    return load->kind == SLIP_LOAD_JOINT || m->closed[load->of];
}

double slip_moreau_friction_limit(const slip_moreau *m, int e)
{
    double limit = m->terms.friction[e];
    for (int k = 0; k < m->loads.count; k++)
        if (m->loads.element[k] == e) limit *= m->loads.load[k];
    return limit;
}

void slip_moreau_restore_loads(slip_moreau *m, const slip_moreau_step *step)
{
    if (m->loads.count) memcpy(m->loads.load, step->history.load, sizeof(double) * (size_t)m->loads.count);
}

static double normal_impulse(const slip_moreau *m, int element)
{
    const slip_moreau_problem *p = &m->problem;
    for (int b = 0; b < p->blocks; b++)
        if (p->element[b] == element) return p->r[b * m->d] / p->length;
    return 0.0;
}

double slip_moreau_constraint_impulse(const slip_moreau *m, int a)
{
    const slip_moreau_problem *p = &m->problem;
    double impulse = p->lambda[a];
    for (int i = 0; i < p->blocks * m->d; i++)
        if (p->row[i] >= 0) impulse += p->r[i] * p->coupled[(long)i * m->system->constraint_count + a];
    return impulse;
}

// impulses of the constraints by the time, into the scratch of the problem
static void find_lambda(slip_moreau *m)
{
    for (int a = 0; a < m->system->constraint_count; a++)
        m->joint_force[a] = slip_moreau_constraint_impulse(m, a) / m->problem.length;
}

slip_load_iteration slip_moreau_iterate_loads(slip_moreau *m, slip_moreau_step *step)
{
    slip_friction_loads *l = &m->loads;
    if (l->count == 0) return SLIP_LOADS_CONVERGED;
    if (m->joints) find_lambda(m);
    for (int k = 0; k < l->count; k++) {
        const slip_load *load = slip_friction_load_of(l, m->system, k);
        l->found[k] = load->kind == SLIP_LOAD_JOINT ? slip_joint_load(load, m->joint_force)
                                                    : normal_impulse(m, load->of);
    }
    const slip_load_iteration answer = slip_friction_loads_iterate(l);
    memcpy(step->history.load, l->load, sizeof(double) * (size_t)l->count);
    return answer;
}
