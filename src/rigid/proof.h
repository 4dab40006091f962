/// rigid/proof.h: how many motions an instant has, kept while the contact problem stays what it was.
#ifndef SLIP_RIGID_PROOF_H
#define SLIP_RIGID_PROOF_H

#include "core/archive.h"
#include "rigid/openness.h"

/// What a contact problem is known by: who takes part and how, matrix, rates without forces, and friction. It
/// has not moved as long as numbers are within 2 % of the largest, and each friction within 2 % of its own;
/// within 0.2 % where what was found has little room.
/// An open motion is looked at again after eight looks, or when others take part.
typedef struct slip_proof_key {
    int count;           ///< rows
    const int *who;      ///< per row, anything that tells two problems apart
    const double *W;     ///< count x count
    const double *b;     ///< per row
    const double *limit; ///< per row, of its element: friction coefficient, or known limit
    const double
        *way;    ///< per row, directions of slips, of length 1; NULL when W holds them, or nothing slips
    long number; ///< of W, if another W has another one; else 0
} slip_proof_key;

typedef struct slip_proof {
    int most;     ///< unknowns there is room for
    bool forgets; ///< nothing is recalled, see formula/caches.h
    bool known, wide;
    slip_motion_count found; ///< of the problem below
    slip_openness open;
    int count, *who;
    double *W, *b, *limit, *way;
    bool compared; ///< `same_W` was found to be near W
    double *same_W;
    long number; ///< of that
    double room; ///< by which b may be off
    double *work, *open_work;
    long tried;
    int recalled; ///< since the last renewal

    // room for whoever has to make an instant
    struct {
        int count, normal_count, *owner, *at, *who;
        double *mu, *mass, *x, *rate, *D, *S, *c, *limit, *columns, *way, *response, *a;
    } now;
    void *memory;
} slip_proof;

/// False when there is no memory. `most` unknowns, of which no more than SLIP_UNIQUE_MAX are kept.
bool slip_proof_create(slip_proof *proof, int most, int elements, int coordinates);
void slip_proof_destroy(slip_proof *proof);

/// What it knows; elements and coordinates as when it was made.
void slip_proof_archive(slip_proof *proof, int elements, int coordinates, slip_archive *archive);

/// Whether frictions are the same up to a part, each of its own: coefficients stand beside forces.
bool slip_limits_near(int count, const double *a, const double *b, double part);

/// A problem of so many rows with the W of this number was proved to have one motion; so has every other
/// where `who`, `limit` and `way` are the same and b is off by no more than `room`.
static inline bool slip_proof_knows(const slip_proof *proof, int count, long number)
{
    return !proof->forgets && proof->known && proof->compared && proof->found == SLIP_ONE_STABLE &&
           proof->count == count && proof->number == number && number;
}

/// What was found last is of this problem.
bool slip_proof_holds(slip_proof *proof, const slip_proof_key *key);

/// Looks anew: for a proof of one motion, else for motions that are open.
/// A second solution of the contact problem that was looked at last, with another acceleration of a
/// coordinate.
void slip_proof_exhibit(slip_proof *p, int coordinate, double one, double other);

slip_motion_count slip_proof_renew(slip_proof *proof, const slip_proof_key *key, const slip_instant *instant,
                                   const slip_compliant_constants *constants);

#endif
