/// cycle/exponents.h: from the lengths of a frame, block by block, to exponents and a verdict.
#ifndef SLIP_CYCLE_EXPONENTS_H
#define SLIP_CYCLE_EXPONENTS_H

#include "slipstick/lyapunov.h"

enum { SLIP_EXPONENTS_BATCHES = 20, SLIP_EXPONENTS_POINTS = 128 };

typedef struct slip_exponents {
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
} slip_exponents;

bool slip_exponents_create(slip_exponents *e, int states, const bool *counts, int room);
void slip_exponents_destroy(slip_exponents *e);

/// A block of `time`, in which column c became length[c] times as long.
void slip_exponents_add(slip_exponents *e, double time, const double *length);

/// The state at the end of a block.
void slip_exponents_point(slip_exponents *e, const double *state);

/// Fills exponents, errors, verdict and points. False when out of memory.
bool slip_exponents_judge(slip_exponents *e, bool forced, const bool *shifts, slip_lyapunov *answer);

#endif
