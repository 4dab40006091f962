/// solver/lcp/lemke_pivoting.h: Lemke's method on dense data, shared by the solvers `lemke` and `qp`.
#ifndef SLIP_SOLVER_LCP_LEMKE_PIVOTING_H
#define SLIP_SOLVER_LCP_LEMKE_PIVOTING_H

#include <stdbool.h>

#include "base/arena.h"
#include "slipstick/solver.h"

/// Options of the pivoting, in the table of `lemke`.
enum { SLIP_LEMKE_PIVOT, SLIP_LEMKE_REFINE };

/// A dense box problem low <= z <= high, w = M z + q, made into an LCP of `rows` unknowns x >= 0:
///     [low, oo)   z = low + x            (-oo, high]  z = high - x
///     [low, high] z = low + x, and a multiplier of x <= high - low
///     free        solved for and eliminated; if that is singular, z = x - x'
typedef struct slip_lemke_pivoting {
    int n, most;                    // unknowns of the box problem; largest number of rows
    double *M, *q, *low, *high, *z; // the box problem, filled by the caller; z is the answer
    int rows;
    double *A, *b, *x, *y, *scale; // the LCP: y = A x + b
    double *T;                     // its dictionary, rows x (rows + 2)
    int *basic, *nonbasic;
    double dust;         // smaller right-hand sides are zero
    int *first, *second; // rows of each unknown, -1 for none
    int *index, *pivot;
    double *F, *g; // the eliminated unknowns
    int free_count;
    int *free_list;
} slip_lemke_pivoting;

/// Number of rows that the box problem may need: n + free + doubly bounded.
void slip_lemke_pivoting_layout(slip_arena *a, slip_lemke_pivoting *k, int n, int most);

/// Solves; iterations are added to info. RAY when the pivoting ends on one.
slip_outcome slip_lemke_pivoting_solve(slip_lemke_pivoting *k, const slip_solve_options *o,
                                       slip_solve_info *info);

#endif
