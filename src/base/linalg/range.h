/// base/linalg/range.h: matrices in units in which squares and products of their entries stay in range.
#ifndef SLIP_BASE_LINALG_RANGE_H
#define SLIP_BASE_LINALG_RANGE_H

#include <stdbool.h>
#include <stddef.h>

/// Whether all numbers are finite. Where the largest is beyond 2^300 or below 2^-300, all are divided by the
/// power of 2 that brings it near 1, and *exponent says which; else it is 0.
bool slip_range_enter(size_t count, double *A, int *exponent);

/// Results of such numbers, multiplied by 2^exponent.
void slip_range_leave(int count, double *x, int exponent);

#endif
