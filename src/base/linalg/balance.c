/// base/linalg/balance.c: similar matrices whose rows and columns are of like size.
///
/// B. Parlett and C. Reinsch, Balancing a matrix for calculation of eigenvalues and eigenvectors (Numer.
/// Math. 13, 1969): D^-1 A D with powers of 2, which round nothing, in sweeps over the coordinates until none
/// gains much. Lengths are Euclidean and hold the diagonal, so that a matrix is not made worse (R. James, J.
/// Langou, B. Lowery, On matrix balancing and eigenvector computation, 2014).
#include <math.h>
#include <stdbool.h>

#include "base/linalg/kernel.h"
#include "base/linalg/linalg.h"
#include "base/linalg/reflector.h"

/// A change that leaves more than this of the sum of both lengths is not worth making.
static const double GAIN = 0.95;

// Every change gains, so sweeps come to an end; along a long chain of coordinates that may take a while, and
// any scaling will do
enum { MAX_SWEEPS = 50 };

// the exponent of the power of 2 nearest to sqrt(row / column); 0 when one of them is zero
static int balancing_exponent(double row, double column)
{
    if (!(row > 0.0) || !(column > 0.0)) return 0;
    int of_row, of_column;
    const double ratio = frexp(row, &of_row) / frexp(column, &of_column); // 1/2 < ratio < 2
    const int twice = of_row - of_column;
    // the ratio is 2^twice times that: of an odd power one half is left over
    const int half = twice >= 0 ? twice / 2 : -((1 - twice) / 2);
    const double rest = twice - 2 * half ? 2.0 * ratio : ratio; // 1/2 < rest < 4
    return rest >= 2.0 ? half + 1 : half;
}

static void scale_coordinate(int n, double *A, int stride, int i, int exponent)
{
    const double up = ldexp(1.0, exponent), down = ldexp(1.0, -exponent);
    double *row = row_of(A, stride, i), *column = A + i;
    for (int k = 0; k < n; k++) row[k] *= down;
    for (int k = 0; k < n; k++) column[(size_t)k * (size_t)stride] *= up;
}

bool slip_balance(int n, double *A, int stride)
{
    bool changed = true;
    for (int sweep = 0; sweep < MAX_SWEEPS && changed; sweep++) {
        changed = false;
        for (int i = 0; i < n; i++) {
            const double row = slip_norm(n, row_in(A, stride, i), 1), column = slip_norm(n, A + i, stride);
            if (!(row + column < INFINITY)) return false; // NaN too
            int exponent = balancing_exponent(row, column);
            if (exponent > 1000) exponent = 1000; // 2^-exponent is a number then
            if (exponent < -1000) exponent = -1000;
            if (exponent == 0 || ldexp(column, exponent) + ldexp(row, -exponent) >= GAIN * (row + column))
                continue;
            scale_coordinate(n, A, stride, i, exponent);
            changed = true;
        }
    }
    return true;
}
