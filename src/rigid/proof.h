/// rigid/proof.h: what slip_unique_motion() found, kept while the contact problem stays what it was.
#ifndef SLIP_RIGID_PROOF_H
#define SLIP_RIGID_PROOF_H

#include "rigid/unique.h"

typedef struct slip_proof {
    int most;   ///< unknowns there is room for
    bool known; ///< `found` is of the problem below
    slip_motion_count found;
    int count, normal_count, *owner;
    double *D, *c; ///< as of the last proof: what moved the problem
    double *work;
    long tried;

    // room for whoever has to make an instant
    struct {
        int count, normal_count, *owner, *at;
        double *mu, *mass, *x, *rate, *D, *S, *c, *columns;
    } now;
    void *memory;
} slip_proof;

/// False when there is no memory. `most` unknowns, of which no more than SLIP_UNIQUE_MOST are kept.
bool slip_proof_create(slip_proof *proof, int most, int elements);
void slip_proof_destroy(slip_proof *proof);

/// The proof of an instant, or the last one when the problem has moved by less than 2 % since; `c` are the
/// rates without forces.
slip_motion_count slip_prove(slip_proof *proof, const slip_instant *instant, const double *c,
                             const slip_compliant_constants *constants);

#endif
