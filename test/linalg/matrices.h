/// matrices.h: the matrices on which linear algebra is tried.
#ifndef SLIP_TEST_LINALG_MATRICES_H
#define SLIP_TEST_LINALG_MATRICES_H

#include <stdbool.h>

enum { MOST = 50 };

/// A family with one matrix for each n.
typedef struct family {
    const char *name;
    void (*fill)(int n, double *A);
    bool regular; ///< and not so ill-conditioned that LU may refuse it, for n up to 16
} family;

extern const family families[];
extern const int family_count;

/// Sizes that are tried: all small ones, and some around the groups of four.
extern const int sizes[];
extern const int size_count;

/// Uniform in [-1, 1), the same sequence in every run from seed_draws on.
double draw(void);
void seed_draws(unsigned seed);

/// A := A A' with small whole numbers made of A first, so that it is exact; or (A + A') / 2.
void make_symmetric(int n, double *A);

/// A := B C for whole numbers -3 ... 3 in B (n x rank) and C (rank x n): exact, of that rank.
void fill_of_rank(int n, int rank, double *B, double *C, double *A);

/// Square root of the sum of squares, without overflow.
double frobenius(int n, const double *A);

#endif
