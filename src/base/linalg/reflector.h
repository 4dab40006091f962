/// base/linalg/reflector.h: Householder reflections H = I - tau v v', and lengths that neither overflow nor
/// underflow.
#ifndef SLIP_BASE_LINALG_REFLECTOR_H
#define SLIP_BASE_LINALG_REFLECTOR_H

/// sqrt of the sum of squares of n numbers, `stride` apart, however large or small they are.
double slip_norm(int n, const double *x, int stride);

/// The reflection that takes (head, tail) to (new head, 0), with v = (1, tail): replaces the head and the n
/// numbers of the tail, and returns tau, 0 when the tail is zero already.
double slip_reflector(int n, double *head, double *tail);

/// A := H A for `rows` x `columns` numbers whose rows are `stride` apart; v has `rows` numbers, the 1 among
/// them. `work` holds `columns` numbers.
void slip_reflect_left(int rows, int columns, double *A, int stride, const double *v, double tau,
                       double *work);

/// A := A H; v has `columns` numbers, the 1 among them.
void slip_reflect_right(int rows, int columns, double *A, int stride, const double *v, double tau);

#endif
