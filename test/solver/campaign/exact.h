/// exact.h: all solutions of a small complementarity problem with integer data, in exact arithmetic.
///
/// Every mode is a set of linear equations and inequalities. The equations are solved in fractions; what they
/// leave free is decided by Fourier and Motzkin's elimination. Fractions keep 62 bits; a problem that needs
/// more is not judged.
#ifndef SLIP_CAMPAIGN_EXACT_H
#define SLIP_CAMPAIGN_EXACT_H

#include <stdbool.h>

enum { EXACT_SIZE = 8, EXACT_POINTS = 32 };

__extension__ typedef __int128 wide;

typedef struct fraction {
    wide over, under; ///< lowest terms, under > 0
} fraction;

/// What one unknown, or the pair of a planar contact, has to obey.
typedef enum exact_law {
    EXACT_BOX,    ///< low <= z <= high, w pushes against a bound
    EXACT_CONTACT ///< this unknown and the next are r_N and r_T
} exact_law;

typedef struct exact_problem {
    int size;
    long long M[EXACT_SIZE][EXACT_SIZE], q[EXACT_SIZE];
    exact_law law[EXACT_SIZE];
    bool has_low[EXACT_SIZE], has_high[EXACT_SIZE];
    long long low[EXACT_SIZE], high[EXACT_SIZE];
    long long quarters[EXACT_SIZE]; ///< 4 mu, at the first unknown of a contact
} exact_problem;

typedef struct exact_answer {
    bool judged; ///< false when the fractions became too long
    int points;  ///< isolated solutions; those of a continuum do not count
    bool continuum;
    double z[EXACT_POINTS][EXACT_SIZE]; ///< rounded
} exact_answer;

exact_answer exact_solve(const exact_problem *p);

#endif
