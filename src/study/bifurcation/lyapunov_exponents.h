/// study/bifurcation/lyapunov_exponents.h: from the lengths of a frame, block by block, to exponents and a verdict.
#ifndef SLIP_STUDY_BIFURCATION_LYAPUNOV_EXPONENTS_H
#define SLIP_STUDY_BIFURCATION_LYAPUNOV_EXPONENTS_H

#include "slipstick/lyapunov.h"

enum { SLIP_LYAPUNOV_BATCHES = 20, SLIP_LYAPUNOV_MAX_POINTS = 128 };

typedef struct slip_lyapunov_series {
    int states, count; ///< all; those that count
    const bool *counts;
    int blocks, room;   ///< known so far
    double *growth;     ///< ln of the length, `count` per block
    double *time;       ///< length of each block, s
    double clock;       ///< s, of all of them
    double *forgotten;  ///< per exponent: when its direction was forgotten; NaN: not
    double *point;      ///< states at the ends of the last blocks, in turn
    long points;        ///< seen so far
    double *low, *high; ///< per state, of these points
} slip_lyapunov_series;

bool slip_lyapunov_series_create(slip_lyapunov_series *e, int states, const bool *counts, int room);
void slip_lyapunov_series_destroy(slip_lyapunov_series *e);

/// A block of `time`, in which column c became length[c] times as long.
void slip_lyapunov_series_add(slip_lyapunov_series *e, double time, const double *length);

/// The state at the end of a block.
void slip_lyapunov_series_add_point(slip_lyapunov_series *e, const double *state);

/// Fills exponents, errors, verdict and points. False when out of memory.
bool slip_lyapunov_series_classify(slip_lyapunov_series *e, bool forced, const bool *shifts,
                                   slip_lyapunov *answer);

#endif
