/// base/linalg/eigenvalues.c: eigenvalues of general real matrices.
///
/// Coordinates that are eigenvalues as they stand are put aside, the others balanced, reduced to Hessenberg
/// form by reflections (Golub and Van Loan, 7.4) and iterated on by Francis' method (francis.c). Only values
/// are asked for, so nothing outside the block that is worked on is kept up to date.
#include <math.h>
#include <string.h>

#include "base/linalg/francis.h"
#include "base/linalg/kernel.h"
#include "base/linalg/linalg.h"
#include "base/linalg/range.h"
#include "base/linalg/reflector.h"

// --------------------------------------------------------------------------------------------- isolation

/// Rows and columns low to high - 1 are left.
typedef struct block {
    int n, low, high;
    double *A;
} block;

static bool is_alone_in_row(const block *b, int i)
{
    const double *row = row_in(b->A, b->n, i);
    for (int k = b->low; k < b->high; k++)
        if (k != i && row[k] != 0.0) return false;
    return true;
}

static bool is_alone_in_column(const block *b, int i)
{
    for (int k = b->low; k < b->high; k++)
        if (k != i && row_in(b->A, b->n, k)[i] != 0.0) return false;
    return true;
}

static void exchange(const block *b, int i, int j)
{
    if (i == j) return;
    double *p = row_of(b->A, b->n, i), *q = row_of(b->A, b->n, j);
    for (int k = b->low; k < b->high; k++) {
        const double keep = p[k];
        p[k] = q[k], q[k] = keep;
    }
    for (int k = b->low; k < b->high; k++) {
        double *row = row_of(b->A, b->n, k), keep = row[i];
        row[i] = row[j], row[j] = keep;
    }
}

// Eigenvalues that stand on the diagonal of a triangle, after coordinates have changed places. Where a row
// has nothing beside its diagonal, the coordinate goes last; where a column has, it goes first
static void isolate(block *b, double *re, double *im)
{
    for (int i = b->high - 1; i >= b->low; i--)
        if (is_alone_in_row(b, i)) {
            exchange(b, i, b->high - 1);
            b->high--;
            re[b->high] = row_in(b->A, b->n, b->high)[b->high], im[b->high] = 0.0;
            i = b->high; // all others may be alone now
        }
    for (int i = b->low; i < b->high; i++)
        if (is_alone_in_column(b, i)) {
            exchange(b, i, b->low);
            re[b->low] = row_in(b->A, b->n, b->low)[b->low], im[b->low] = 0.0;
            i = b->low++;
        }
}

// ----------------------------------------------------------------------------------------- Hessenberg form

static void reduce(int n, double *A, int stride, double *work)
{
    double *v = work, *sums = work + n;
    for (int j = 0; j + 2 < n; j++) {
        const int size = n - j - 1;
        for (int i = 0; i < size; i++) v[i] = row_in(A, stride, j + 1 + i)[j];
        const double tau = slip_reflector(size - 1, &v[0], &v[1]);
        row_of(A, stride, j + 1)[j] = v[0];
        for (int i = j + 2; i < n; i++) row_of(A, stride, i)[j] = 0.0;
        v[0] = 1.0;
        slip_reflect_left(size, size, row_of(A, stride, j + 1) + j + 1, stride, v, tau, sums);
        slip_reflect_right(n, size, A + j + 1, stride, v, tau);
    }
}

bool slip_eigenvalues(int n, double *A, double *re, double *im, double *work)
{
    int exponent;
    block b = { .n = n, .high = n, .A = A };
    if (!slip_range_enter((size_t)n * (size_t)n, A, &exponent)) return false;
    isolate(&b, re, im);
    const int size = b.high - b.low;
    if (size > 0) {
        double *rest = row_of(A, n, b.low) + b.low;
        if (!slip_balance(size, rest, n)) return false;
        reduce(size, rest, n, work);
        if (!slip_francis(size, rest, n, re + b.low, im + b.low)) return false;
    }
    slip_range_leave(n, re, exponent);
    slip_range_leave(n, im, exponent);
    return true;
}
