/// solver/body/body_gauss_seidel.h: block Gauss-Seidel sweeps over the contacts of an island.
#ifndef SLIP_SOLVER_BODY_BODY_GAUSS_SEIDEL_H
#define SLIP_SOLVER_BODY_BODY_GAUSS_SEIDEL_H

#include "solver/body/delassus_operator.h"

/// Contacts that threads can solve at the same time. A contact has to wait for the earlier contacts that
/// share a free body with it, so its level is one above the highest of theirs. No two contacts of a level
/// share a body, and level by level every body sees its contacts in the order of a sequential sweep, forwards
/// or backwards. The bits are therefore those of one thread.
typedef struct slip_contact_levels {
    int count;      // number of levels; 0: sweeps are sequential
    int *contact;   // contacts of the island, sorted by level
    int *first;     // first contact of each level; count + 1 entries
    int *stage;     // stages for the thread pool: parts of levels, in the order of the sweep
    double *change; // squared change of each contact
} slip_contact_levels;

void slip_contact_levels_layout(slip_arena *a, slip_contact_levels *w, int contacts);

/// Finds the levels if the island has threads that share it and the levels are long enough to pay.
void slip_contact_levels_find(slip_contact_levels *w, const slip_island *island);

/// Solves every contact once, exactly, with the other impulses held constant, forwards or backwards, and
/// updates v along with it. Returns the sum of the squared changes, in terms of velocities.
double slip_island_sweep(const slip_island *island, const slip_contact_levels *waves, bool backwards,
                         double *r);

#endif
