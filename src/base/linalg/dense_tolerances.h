/// base/linalg/dense_tolerances.h: tolerances of the dense linear algebra.
#ifndef SLIP_BASE_LINALG_DENSE_TOLERANCES_H
#define SLIP_BASE_LINALG_DENSE_TOLERANCES_H

/// Of the largest pivot, or of the largest entry of a factor: a direction of which less is left counts as
/// lost, and the matrix as singular along it. Elimination of small matrices leaves 1e-14 to 1e-13 of a true
/// zero; two decades are a margin for matrices that were themselves integrated or differenced.
static const double RANK_TOLERANCE = 1e-11;

/// Of the larger one: moduli of eigenvalues that differ by less are equal, and the pair is ordered by its
/// imaginary part. Conjugate eigenvalues have one modulus up to the rounding of the iteration.
static const double EQUAL_MODULUS_RELATIVE = 1e-12;

#endif
