/// crowd/machine_loads.c: limits of friction that follow forces of the step: of joints, and normal forces of
/// contacts.
///
/// A friction with a load L has the limit c L. L is measured in the answer with that limit, and looked for as
/// without contacts that are found (rigid/loads.h, stepping/moreau_loads.c). The force of a joint is that of
/// its constraints. They are eliminated from the problem (machine.h), and recovered from what pushes:
///     J M^-1 J' lambda = -d - J u_A - J M^-1 (h f + W P),       J u_E = -d (machine_step.c)
/// Forces are impulses over the length of the step. A strike is none: what strikes has no part in them.
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "crowd/crowd.h"
#include "crowd/machine.h"
#include "rigid/sentry.h"

// ------------------------------------------------------------------------------------------ what pushes

// (force, couple) on a body of the machine, into impulses of its coordinates
static void push_frame(slip_machine *m, int member, double sign, slip_v3 force, slip_v3 couple)
{
    const slip_frame *f = &m->frames[m->frame_of[member]];
    const slip_limb *part = &m->parts[f->part];
    const double by[6] = { force.x, force.y, force.z, couple.x, couple.y, couple.z };
    for (int k = 0; k < part->count; k++)
        for (int i = 0; i < 6; i++)
            m->push[m->coordinate[part->first + k]] += sign * by[i] * f->jacobian[i * part->count + k];
}

static void push_meet(slip_crowd_step *c, const slip_meet *meet)
{
    const slip_v3 own = slip_couples_of(c, meet);
    for (int s = 0; s < 2; s++) {
        if (!c->body[meet->body[s]].jointed) continue;
        slip_v3 force = v3(0.0, 0.0, 0.0), couple = own;
        for (int k = 0; k < 3; k++) {
            force = v3_along(force, meet->impulse[k], meet->axis[k]);
            couple = v3_along(couple, meet->impulse[k], slip_meet_turn(meet, s, k));
        }
        push_frame(c->machine, meet->body[s], s ? -1.0 : 1.0, force, couple);
    }
}

static void push_written(slip_machine *m, const slip_written *w)
{
    const slip_system *s = m->system;
    const slip_element *e = &s->elements[w->element];
    for (int r = 0; r < 3; r++) {
        const int row = slip_element_row(e, r);
        for (int k = row < 0 ? 0 : s->start[row]; row >= 0 && k < s->start[row + 1]; k++)
            m->push[s->column[k]] += w->impulse[r] * m->terms.value[k];
    }
}

// h f + W P, into m->push
static void add_up(slip_crowd_step *c)
{
    slip_machine *m = c->machine;
    for (int k = 0; k < c->n; k++) m->push[k] = c->h * m->terms.h[k];
    for (int k = 0; k < c->next.count; k++)
        if (c->next.items[k].carries && !c->next.items[k].hits) push_meet(c, &c->next.items[k]);
    for (int k = 0; k < m->written_count; k++)
        if (m->written[k].carries && !m->written[k].hits) push_written(m, &m->written[k]);
}

// forces of all constraints, into m->lambda
static void find_joints(slip_crowd_step *c)
{
    slip_machine *m = c->machine;
    const double *u = c->state + c->n;
    add_up(c);
    for (int p = 0; p < m->part_count; p++) {
        const slip_limb *part = &m->parts[p];
        double *x = m->force + part->row;
        for (int a = 0; a < part->rows; a++) {
            const int row = m->tie[part->row + a];
            x[a] = -m->held[row] - slip_system_row_dot(m->system, &m->terms, row, u);
            for (int k = 0; k < part->count; k++)
                x[a] -= part->tied[(long)a * part->count + k] * m->push[m->coordinate[part->first + k]];
        }
        slip_cholesky_solve(part->rows, part->factor, x);
        for (int a = 0; a < part->rows; a++) m->lambda[m->tie[part->row + a]] = x[a] / c->h;
    }
}

// ---------------------------------------------------------------------------------------------- loads

static double sum_of_set(const slip_meets *meets, int set)
{
    double sum = 0.0;
    for (int k = 0; k < meets->count; k++)
        if (meets->items[k].set == set && !meets->items[k].hits) sum += meets->items[k].impulse[0];
    return sum;
}

// N s: of a contact that is written, or of all of a set
static double normal_of(const slip_crowd_step *c, int element)
{
    const slip_machine *m = c->machine;
    for (int k = 0; k < m->written_count; k++)
        if (m->written[k].element == element) return m->written[k].hits ? 0.0 : m->written[k].impulse[0];
    for (int k = 0; k < c->crowd->set_count; k++)
        if (c->crowd->element[k] == element) return sum_of_set(&c->next, k) + sum_of_set(&c->resting, k);
    return 0.0;
}

// limits as loads say
static void limit(slip_machine *m)
{
    const slip_loads *l = &m->loads;
    for (int k = 0; k < m->written_count; k++) {
        slip_written *w = &m->written[k];
        for (int i = 0; i < l->count; i++) {
            if (l->element[i] != w->element) continue;
            w->limit = m->terms.friction[w->element] * l->load[i];
            w->carries = w->heaviness > 0.0 && w->limit > 0.0;
        }
    }
}

void slip_machine_loads_begin(slip_crowd_step *c)
{
    slip_loads_begin(&c->machine->loads);
    limit(c->machine);
}

double slip_machine_loads_off(slip_crowd_step *c)
{
    slip_machine *m = c->machine;
    slip_loads *l = &m->loads;
    double off = 0.0, most = 0.0;
    if (!l->count) return 0.0;
    if (slip_loads_need_joints(l, m->system)) find_joints(c);
    for (int k = 0; k < l->count; k++) {
        const slip_load *load = slip_loads_of(l, m->system, k);
        l->found[k] = load->kind == SLIP_LOAD_JOINT ? slip_loads_of_joint(load, m->lambda)
                                                    : normal_of(c, load->of) / c->h;
        off = fmax(off, fabs(l->found[k] - l->load[k]));
        most = fmax(most, fmax(l->found[k], l->load[k]));
    }
    for (int k = 0; k < c->next.count; k++) most = fmax(most, c->next.items[k].impulse[0] / c->h);
    return off > c->options.tolerance * most ? off / most : 0.0;
}

void slip_machine_loads_next(slip_crowd_step *c)
{
    slip_loads_next(&c->machine->loads);
    limit(c->machine);
}

bool slip_machine_doubts(slip_crowd_step *c)
{
    const slip_machine *m = c->machine;
    if (!m->loads.count) return false;
    bool slides = !c->next.count && !c->last.count;
    for (int k = 0; k < m->written_count; k++) {
        const slip_written *w = &m->written[k];
        const bool own = w->element == m->loads.element[0];
        slides = slides && (own ? !slip_written_sticks(w) : w->impulse[0] == 0.0);
    }
    return slip_sentry_doubts_loads(&c->base, &m->loads, m->system, &m->terms, slides);
}
