/// verdict/contact/uniqueness_cache.h: result of a uniqueness proof, reused while the contact problem stays
/// the same.
#ifndef SLIP_VERDICT_CONTACT_UNIQUENESS_CACHE_H
#define SLIP_VERDICT_CONTACT_UNIQUENESS_CACHE_H

#include "base/archive.h"
#include "verdict/contact/indeterminacy.h"

/// Key of a contact problem: participants and their modes, matrix, free rates, and friction. It counts as
/// unchanged while all numbers stay within 2 % of the largest, and each friction within 2 % of itself; 0.2 %
/// where the proof has little margin. An indeterminate motion is checked again after eight checks, or when
/// the participants change.
typedef struct slip_uniqueness_key {
    int count;           ///< rows
    const int *who;      ///< per row, anything that tells two problems apart
    const double *W;     ///< count x count
    const double *b;     ///< per row
    const double *limit; ///< per row, of its element: friction coefficient, or known limit
    const double
        *way;    ///< per row, directions of slips, of length 1; NULL when W holds them, or nothing slips
    long number; ///< of W, if another W has another one; else 0
} slip_uniqueness_key;

typedef struct slip_uniqueness_cache {
    int most;     ///< unknowns there is room for
    bool forgets; ///< nothing is recalled, see symbolic/graph/caches.h
    bool known, wide;
    slip_motion_uniqueness found; ///< of the problem below
    slip_indeterminacy open;
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
} slip_uniqueness_cache;

/// False when there is no memory. `most` unknowns, of which no more than SLIP_UNIQUENESS_MAX_UNKNOWNS are
/// kept.
bool slip_uniqueness_cache_create(slip_uniqueness_cache *proof, int most, int elements, int coordinates);
void slip_uniqueness_cache_destroy(slip_uniqueness_cache *proof);

/// What it knows; elements and coordinates as when it was made.
void slip_uniqueness_cache_archive(slip_uniqueness_cache *proof, int elements, int coordinates,
                                   slip_archive *archive);

/// Whether frictions are the same up to a part, each of its own: coefficients stand beside forces.
bool slip_limits_near(int count, const double *a, const double *b, double part);

/// A problem of so many rows with the W of this number was proved to have one motion; so has every other
/// where `who`, `limit` and `way` are the same and b is off by no more than `room`.
static inline bool slip_uniqueness_cache_knows(const slip_uniqueness_cache *proof, int count, long number)
{
    return !proof->forgets && proof->known && proof->compared && proof->found == SLIP_UNIQUE_STABLE &&
           proof->count == count && proof->number == number && number;
}

/// What was found last is of this problem.
bool slip_uniqueness_cache_is_valid(slip_uniqueness_cache *proof, const slip_uniqueness_key *key);

/// Looks anew: for a proof of one motion, else for motions that are open.
/// A second solution of the contact problem that was looked at last, with another acceleration of a
/// coordinate.
void slip_uniqueness_cache_set_second(slip_uniqueness_cache *p, int coordinate, double one, double other);

slip_motion_uniqueness slip_uniqueness_cache_renew(slip_uniqueness_cache *proof,
                                                   const slip_uniqueness_key *key,
                                                   const slip_contact_solution *instant,
                                                   const slip_compliant_constants *constants);

#endif
