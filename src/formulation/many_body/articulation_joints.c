/// formulation/many_body/articulation_joints.c: forces of joints, and of motors that prescribe a motion: those of the constraints.
///
/// They are eliminated from the problem (articulation.h), and recovered from what pushes:
///     J M^-1 J' lambda = -d - J u_A - J M^-1 (h f + W P),       J u_E = -d (articulation_step.c)
#include <math.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/articulation.h"
#include "base/linalg/linalg.h"

// ------------------------------------------------------------------------------------------ what pushes

// (force, couple) on a body of the articulation, into impulses of its coordinates
static void push_frame(slip_articulation *m, int member, double sign, slip_v3 force, slip_v3 couple)
{
    const slip_body_frame *f = &m->frames[m->frame_of[member]];
    const slip_articulated_part *part = &m->parts[f->part];
    const double by[6] = { force.x, force.y, force.z, couple.x, couple.y, couple.z };
    for (int k = 0; k < part->count; k++)
        for (int i = 0; i < 6; i++)
            m->push[m->coordinate[part->first + k]] += sign * by[i] * f->jacobian[i * part->count + k];
}

static void push_contact_point(slip_many_body *c, const slip_contact_point *meet)
{
    const slip_v3 own = slip_rolling_friction_total(c, meet);
    for (int s = 0; s < 2; s++) {
        if (!c->body[meet->body[s]].jointed) continue;
        slip_v3 force = v3(0.0, 0.0, 0.0), couple = own;
        for (int k = 0; k < 3; k++) {
            force = v3_add_scaled(force, meet->impulse[k], meet->axis[k]);
            couple = v3_add_scaled(couple, meet->impulse[k], slip_contact_point_torque(meet, s, k));
        }
        push_frame(c->articulation, meet->body[s], s ? -1.0 : 1.0, force, couple);
    }
}

static void push_declared_contact(slip_articulation *m, const slip_declared_contact *w)
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
static void sum_impulses(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    for (int k = 0; k < c->n; k++) m->push[k] = c->h * m->terms.h[k];
    for (int k = 0; k < c->next.count; k++)
        if (c->next.items[k].carries) push_contact_point(c, &c->next.items[k]);
    for (int k = 0; k < m->declared_count; k++)
        if (m->declared[k].carries) push_declared_contact(m, &m->declared[k]);
}

void slip_articulation_joint_forces(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    const double *u = c->state + c->n;
    sum_impulses(c);
    for (int p = 0; p < m->part_count; p++) {
        const slip_articulated_part *part = &m->parts[p];
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

// what moves in a known way puts in -lambda drift, as of contacts (formulation/moreau/moreau_energy_balance.c)
void slip_articulation_add_drive_work(slip_many_body *c)
{
    const slip_articulation *m = c->articulation;
    if (!m->rheonomic) return;
    slip_articulation_joint_forces(c);
    for (int a = 0; a < m->system->constraint_count; a++)
        c->base.work -= c->h * m->lambda[a] * m->terms.drift[a];
}
