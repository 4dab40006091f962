/// formulation/many_body/articulation_loads.c: limits of friction that follow forces of the step: of joints,
/// and normal forces of contacts.
///
/// A friction with a load L has the limit c L. L is measured in the answer with that limit, and looked for as
/// without contacts that are found (dynamics/contact/load_dependent_friction.h,
/// formulation/moreau/moreau_load_friction.c). Forces are impulses over the length of the step, those
/// of impacts too.
///
/// In a jam the forces are not unique, and the measured load jumps: below some limit it is too large, above
/// it too small, and at the limit itself it may be anything in between. After some rounds such a limit is
/// found by bisection.
#include <math.h>
#include <stdio.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/articulation.h"
#include "verdict/monitor/verdict_monitor.h"

// ---------------------------------------------------------------------------------------------- loads

static double sum_of_set(const slip_many_body *c, int set)
{
    double sum = 0.0, resting = 0.0;
    for (int k = 0; k < c->next.count; k++)
        if (c->next.items[k].set == set) sum += c->next.items[k].impulse[0];
    for (int k = 0; k < c->resting.count; k++)
        if (c->resting.items[k].set == set) resting += c->resting.items[k].impulse[0];
    return sum + resting;
}

// N s: of a contact that is declared, or of all of a set
static double normal_impulse(const slip_many_body *c, int element)
{
    const slip_articulation *m = c->articulation;
    for (int k = 0; k < m->declared_count; k++)
        if (m->declared[k].element == element) return m->declared[k].impulse[0];
    for (int k = 0; k < c->crowd->set_count; k++)
        if (c->crowd->element[k] == element) return sum_of_set(c, k);
    return 0.0;
}

// Rounds after which a load that does not converge is found by bisection.
enum { ROUNDS_BEFORE_BISECTION = 12 };

// Bracket of each load; newer evaluations override older ones.
static void update_bracket(slip_articulation *m, int k)
{
    const double load = m->loads.load[k];
    if (m->loads.found[k] > load) {
        m->low[k] = fmax(m->low[k], load);
        if (m->high[k] <= load) m->high[k] = INFINITY;
    } else {
        m->high[k] = fmin(m->high[k], load);
        if (m->low[k] >= load) m->low[k] = -INFINITY;
    }
}

// The load that was measured is taken where it goes with the answer: what sticks, and needs no more than the
// limit of that load, would stick under it too; and where nothing rubs it is asked for alone
static void accept_load(slip_many_body *c, int k)
{
    slip_articulation *m = c->articulation;
    slip_declared_contact *w = NULL;
    for (int i = 0; i < m->declared_count && !w; i++)
        if (m->declared[i].element == m->loads.element[k]) w = &m->declared[i];
    if (w) {
        const double needed = sqrt(w->impulse[1] * w->impulse[1] + w->impulse[2] * w->impulse[2]),
                     most = c->h * m->terms.friction[w->element] * m->loads.found[k];
        if (!slip_declared_contact_sticks(w) || !(needed <= most)) return;
        w->impulse[0] = most;
    }
    m->loads.load[k] = m->loads.found[k];
}

// limits as loads say
static void apply_limits(slip_articulation *m)
{
    const slip_friction_loads *l = &m->loads;
    for (int k = 0; k < m->declared_count; k++) {
        slip_declared_contact *w = &m->declared[k];
        for (int i = 0; i < l->count; i++) {
            if (l->element[i] != w->element) continue;
            w->limit = m->terms.friction[w->element] * l->load[i];
            w->carries = w->heaviness > 0.0 && w->limit > 0.0;
        }
    }
}

void slip_articulation_loads_begin(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    slip_friction_loads_begin(&m->loads);
    for (int k = 0; k < m->loads.count; k++) m->low[k] = -INFINITY, m->high[k] = INFINITY;
    apply_limits(m);
}

double slip_articulation_loads_residual(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    slip_friction_loads *l = &m->loads;
    double off = 0.0, most = 0.0;
    if (!l->count) return 0.0;
    if (slip_friction_loads_need_joints(l, m->system)) slip_articulation_joint_forces(c);
    for (int k = 0; k < l->count; k++) {
        const slip_load *load = slip_friction_load_of(l, m->system, k);
        l->found[k] = load->kind == SLIP_LOAD_JOINT ? slip_joint_load(load, m->lambda)
                                                    : normal_impulse(c, load->of) / c->h;
        accept_load(c, k);
        update_bracket(m, k);
        const double miss = fabs(l->found[k] - l->load[k]);
        off = fmax(off, l->round > ROUNDS_BEFORE_BISECTION ? fmin(miss, m->high[k] - m->low[k]) : miss);
        most = fmax(most, fmax(l->found[k], l->load[k]));
    }
    for (int k = 0; k < c->next.count; k++) most = fmax(most, c->next.items[k].impulse[0] / c->h);
    return off > c->options.tolerance * most ? off / most : 0.0;
}

void slip_articulation_loads_iterate(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    slip_friction_loads_iterate(&m->loads);
    for (int k = 0; k < m->loads.count && m->loads.round > ROUNDS_BEFORE_BISECTION; k++)
        if (isfinite(m->high[k] - m->low[k])) m->loads.load[k] = 0.5 * (m->low[k] + m->high[k]);
    apply_limits(m);
}

// what contacts that are found do to their sum is not looked into
static bool doubts_sum(slip_many_body *c)
{
    const slip_articulation *m = c->articulation;
    for (int k = 0; k < m->loads.count; k++) {
        const slip_load *load = slip_friction_load_of(&m->loads, m->system, k);
        char text[SLIP_SET_VERDICT_LENGTH];
        if (load->kind != SLIP_LOAD_CONTACT || !c->model->contacts[load->of].found) continue;
        snprintf(text, sizeof text,
                 "friction of '%.60s' follows the forces of detected contacts, and no proof is known "
                 "that one motion goes with it",
                 c->model->contacts[m->loads.element[k]].name);
        slip_method_set_verdict(&c->base, SLIP_UNKNOWN_VERDICT, text);
        return true;
    }
    return false;
}

bool slip_articulation_check_loads(slip_many_body *c)
{
    const slip_articulation *m = c->articulation;
    if (!m->loads.count) return false;
    if (doubts_sum(c)) return true;
    bool slides = !c->last.count;
    for (int k = 0; k < m->declared_count; k++) {
        const slip_declared_contact *w = &m->declared[k];
        const bool own = w->element == m->loads.element[0];
        slides = slides && (own ? !slip_declared_contact_sticks(w) : w->impulse[0] == 0.0);
    }
    return slip_verdict_monitor_check_loads(&c->base, &m->loads, m->system, &m->terms, slides);
}
