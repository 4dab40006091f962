/// dynamics/contact/impact_problem.h: an impact of the contacts of a rigid system, from its rows.
#ifndef SLIP_DYNAMICS_CONTACT_IMPACT_PROBLEM_H
#define SLIP_DYNAMICS_CONTACT_IMPACT_PROBLEM_H

#include "dynamics/contact/contact_problem.h"
#include "dynamics/contact/rigid_impact.h"

typedef struct slip_impact_problem {
    slip_rigid_impact rigid_impact;
    double *response; ///< what each impulse does to the rates, n numbers each
    double *W;
    double *joint; ///< impulses of the constraints per impulse of each unknown, where joints are followed
    slip_contact_problem *rigid;
    slip_outcome outcome; ///< of the last contact problem
} slip_impact_problem;

/// Measures or carves.
void slip_impact_problem_layout(slip_arena *arena, const slip_system *system, int d, slip_impact_problem *s);

/// Row of unknown i of the impact in hand; -1 where its contact has none.
int slip_impact_problem_row(const slip_impact_problem *s, const slip_system *system, int i);

/// The problem of the contacts that were added to s->rigid_impact, at rates u, with the terms of r.
void slip_impact_problem_assemble(slip_impact_problem *s, slip_contact_problem *r, const double *u);

/// At the end of a dynamic jam (Genot and Brogliato 1999): a sliding contact within tolerance of its jam
/// limit is treated as beyond it, if the model names an impact law for it.
void slip_impact_problem_force_jam(slip_impact_problem *s, const slip_system *system);

#endif
