/// sensitivity/orthonormal_frame.c: columns of derivatives as a frame that is made orthonormal on the way.
///
/// The variational equations are linear and homogeneous in columns of states, so that a combination of
/// columns is one again, and its rate is the same combination of their rates.
#include <math.h>
#include <string.h>

#include "sensitivity/sensitivity.h"
#include "sensitivity/sensitivity_tolerances.h"

typedef struct frame {
    slip_sensitivity *t;
    const bool *counts;
    int size; // 2 n
} frame;

static double *frame_column(const frame *f, double *x, int c)
{
    return x + (size_t)c * (size_t)f->size;
}

static double column_dot(const frame *f, int a, int b)
{
    const double *x = frame_column(f, f->t->x, a), *y = frame_column(f, f->t->x, b);
    double sum = 0.0;
    for (int k = 0; k < f->size; k++)
        if (f->counts[k]) sum += x[k] * y[k];
    return sum;
}

// column c := factor (c - share b), with its rate; b < 0: none
static void combine_columns(const frame *f, int c, int b, double share, double factor)
{
    double *const of[] = { f->t->x, f->t->work.k[0] };
    for (int i = 0; i < 2; i++) {
        double *to = frame_column(f, of[i], c);
        const double *from = b < 0 ? NULL : frame_column(f, of[i], b);
        for (int k = 0; k < f->size; k++) to[k] = factor * (to[k] - (from ? share * from[k] : 0.0));
    }
}

static void clear_column(const frame *f, int c)
{
    memset(frame_column(f, f->t->x, c), 0, (size_t)f->size * sizeof(double));
    memset(frame_column(f, f->t->work.k[0], c), 0, (size_t)f->size * sizeof(double));
}

bool slip_sensitivity_orthonormalize(slip_sensitivity *t, const bool *counts, bool forgets, double *length)
{
    const frame f = { t, counts, 2 * t->n };
    if (t->lost || !t->settled) return false;
    t->ahead = false; // of the old columns
    for (int c = 0; c < t->column_count; c++) {
        double whole = sqrt(column_dot(&f, c, c));
        for (int pass = 0; pass < 2; pass++) // twice is enough (Giraud, Langou, Rozloznik 2005)
            for (int b = 0; b < c; b++)
                if (length[b] > 0.0) combine_columns(&f, c, b, column_dot(&f, b, c), 1.0);
        length[c] = sqrt(column_dot(&f, c, c));
        if (!(length[c] > 0.0) || (forgets && length[c] <= DEPENDENT_COLUMN * whole)) {
            length[c] = 0.0;
            clear_column(&f, c);
        } else {
            combine_columns(&f, c, -1, 0.0, 1.0 / length[c]);
        }
    }
    return true;
}
