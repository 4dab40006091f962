/// study/bifurcation/lyapunov_exponents.h: Lyapunov exponents and a verdict from the growth of a frame of
/// tangent vectors, block by block.
#ifndef SLIP_STUDY_BIFURCATION_LYAPUNOV_EXPONENTS_H
#define SLIP_STUDY_BIFURCATION_LYAPUNOV_EXPONENTS_H

#include "slipstick/lyapunov.h"

enum { SLIP_LYAPUNOV_BATCHES = 20, SLIP_LYAPUNOV_MAX_POINTS = 128 };

typedef struct slip_lyapunov_series {
    int states, count;  ///< number of states; of those that move freely
    const bool *counts; ///< per state: it moves freely
    int blocks, room;   ///< number of blocks so far; the most there will be
    double *growth;     ///< logarithm of the growth of each tangent vector, `count` per block
    double *time;       ///< s, length of each block
    double clock;       ///< s, length of all blocks
    double *forgotten;  ///< per exponent: time at which its direction collapsed to zero; NaN: it did not
    double *point;      ///< states at the ends of the last blocks, in a ring buffer
    long points;        ///< number of ends of blocks so far
    double *low, *high; ///< per state: range over all these points
} slip_lyapunov_series;

bool slip_lyapunov_series_create(slip_lyapunov_series *e, int states, const bool *counts, int room);
void slip_lyapunov_series_destroy(slip_lyapunov_series *e);

/// Adds a block of length `time`, in which tangent vector c grew by the factor length[c].
void slip_lyapunov_series_add(slip_lyapunov_series *e, double time, const double *length);

/// Adds the state at the end of a block.
void slip_lyapunov_series_add_point(slip_lyapunov_series *e, const double *state);

/// Fills exponents, errors, verdict and points. False when out of memory.
bool slip_lyapunov_series_classify(slip_lyapunov_series *e, bool forced, const bool *shifts,
                                   slip_lyapunov *answer);

#endif
