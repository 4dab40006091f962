/// solver/lcp/enumeration.h: one mode of an enumeration, shared by the loop over modes and the treatment of singular modes.
#ifndef SLIP_SOLVER_LCP_ENUMERATION_H
#define SLIP_SOLVER_LCP_ENUMERATION_H

#include "solver/problem/solver_record.h"
#include "solver/linalg/nnls.h"

typedef enum slip_mode_state { AT_LOW, AT_HIGH, BETWEEN, OPEN, STICK, SLIP_UP, SLIP_DOWN } slip_mode_state;

/// An unknown of the equations of a mode.
typedef struct slip_mode_unknown {
    int at;       // entry of z
    double along; // FC2D slip: z[at + 1] = along z[at]
    bool free;    // may be negative
} slip_mode_unknown;

typedef struct slip_enumeration {
    const slip_problem *p;
    double tolerance, apart;
    int n, blocks, d;
    double *W, *J, *x, *b, *z, *w, *kept;
    double *scale; // powers of two: z = scale z', w' = scale w equilibrates the matrix
    double force;  // the largest |q| after scaling, which is also the size of an unknown
    int *state, *choice, *pivot;
    slip_mode_unknown *unknowns; // as many equations: w = 0 at the same entries
    int unknown_count;
    slip_nnls nnls;
    double *point, *way, *halves; // scratch of singular modes
    double *out;
    int most, found, kept_count;
    bool continuum;
    bool unclear; // some mode could not be decided because of rounding: solutions may have been missed
} slip_enumeration;

/// q + W z of one row, for the present z.
double slip_mode_row(const slip_enumeration *k, int row);

/// Coefficient of an unknown in a row of w.
double slip_mode_coefficient(const slip_enumeration *k, int row, const slip_mode_unknown *x);

/// Puts unknown i into z.
void slip_mode_set_unknown(slip_enumeration *k, int i, double value);

/// Moves z onto the law of the mode, within rounding, and returns its residual.
double slip_mode_residual(slip_enumeration *k);

/// The distance of two points, relative to the size of the scaled unknowns; 0 if they are equal.
double slip_mode_distance(const slip_enumeration *k, const double *a, const double *b);

/// Finds a point of a mode with a singular matrix, into z; sets k->continuum and k->unclear. False when it
/// has none.
bool slip_mode_singular(slip_enumeration *k);

void slip_mode_singular_layout(slip_arena *a, slip_enumeration *k);

#endif
