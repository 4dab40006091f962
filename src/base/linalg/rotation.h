/// base/linalg/rotation.h: plane rotations, made one by one and applied in sequences.
#ifndef SLIP_BASE_LINALG_ROTATION_H
#define SLIP_BASE_LINALG_ROTATION_H

#include <stddef.h>

/// The rotation (c, s) that takes (x, y) to (r, 0): c x + s y = r, c y - s x = 0. Returns r. x and y are not
/// beyond the range of range.h.
double slip_rotation(double x, double y, double *c, double *s);

/// Applies `count` rotations to count + 1 rows of n numbers, which are `step` apart, up or down in memory:
/// the k-th one turns rows k and k + 1, so each row but the first and the last is turned twice.
void slip_rotate_rows(int count, const double *c, const double *s, int n, double *rows, ptrdiff_t step);

#endif
