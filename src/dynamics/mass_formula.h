/// dynamics/mass_formula.h: M^-1 in symbols, where a formulation wants more of it than the solution of M u' =
/// r.
///
/// M = L D L' block by block as expressions, so that y = L^-1 w' turns a row into one whose products with
/// another are w_1 M^-1 w_2' = sum_i y_1i y_2i / D_i. Bilateral constraints J u + d = 0 are kept the same
/// way, by the factors of J M^-1 J'.
#ifndef SLIP_DYNAMICS_MASS_FORMULA_H
#define SLIP_DYNAMICS_MASS_FORMULA_H

#include "dynamics/equations.h"

/// Mass blocks larger than this, or more constraints, are left alone: the expressions would grow too long.
enum { SLIP_MASS_FORMULA_MAX = 32 };

typedef struct slip_mass_formula slip_mass_formula;

/// Lives in the pool of the equations. NULL when out of memory, or (*too_large) for the reason above.
slip_mass_formula *slip_mass_formula_create(slip_equations *equations, bool *too_large);

/// 1/(w M^-1 w') of a row with the constraints held, an expression of (t, q); SLIP_NONE when out of memory.
/// Huge where the row moves nothing.
slip_ref slip_mass_formula_along(slip_mass_formula *formula, const slip_row *row);

/// w M^-1 r of a row and forces r, n expressions, without constraints; SLIP_NONE when out of memory.
slip_ref slip_mass_formula_response(slip_mass_formula *formula, const slip_row *row, const slip_ref *r);

/// Forces lambda, one per constraint, that give J u' = wanted when M u' = r + J' lambda. `r` holds n
/// expressions, `wanted` one per constraint. False when out of memory.
bool slip_mass_formula_multipliers(slip_mass_formula *formula, const slip_ref *r, const slip_ref *wanted,
                                   slip_ref *lambda);

/// Diagonal of J M^-1 J' and what elimination leaves of it, one per constraint: a constraint that depends on
/// those before it leaves nothing.
typedef struct slip_mass_pivots {
    const slip_ref *diagonal, *pivot;
} slip_mass_pivots;
slip_mass_pivots slip_mass_formula_pivots(const slip_mass_formula *formula);

#endif
