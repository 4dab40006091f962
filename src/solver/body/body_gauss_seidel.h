/// solver/body/body_gauss_seidel.h: sweeps over the contacts of an island (Gauss-Seidel in blocks).
#ifndef SLIP_SOLVER_BODY_BODY_GAUSS_SEIDEL_H
#define SLIP_SOLVER_BODY_BODY_GAUSS_SEIDEL_H

#include "solver/body/delassus_operator.h"

/// Which contacts threads can solve at the same time. A contact has to wait for those before it that share a
/// free body with it, so it comes one wave behind the last of these: no two of a wave share a body, and wave
/// by wave every body sees its contacts in the order of a plain sweep, or backwards in the reverse one. So
/// the bits are those of one thread.
typedef struct slip_contact_levels {
    int count;      // of waves; 0: sweeps are not shared
    int *contact;   // of the island, wave by wave
    int *first;     // of each wave; count + 1
    int *stage;     // for the thread_pool: parts of waves, in the order they are swept in
    double *change; // of each contact
} slip_contact_levels;

void slip_contact_levels_layout(slip_arena *a, slip_contact_levels *w, int contacts);

/// Finds them where the island has threads that share it, and waves are long enough for that.
void slip_contact_levels_find(slip_contact_levels *w, const slip_island *island);

/// Every contact once, solved exactly while the others are held, forwards or backwards; v goes along. Returns
/// the sum of the squared changes, as velocities.
double slip_island_sweep(const slip_island *island, const slip_contact_levels *waves, bool backwards,
                         double *r);

#endif
