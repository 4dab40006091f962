/// dynamics/system.h: the dynamics interface in numbers, for formulations that do not turn the model into an
/// ODE.
///
/// A slip_system is the compiled form of slip_equations and is read only; slip_terms hold its values at
/// one (t, q, u) and belong to one user, in memory carved by slip_terms_layout. Nothing here allocates
/// after that.
///
///     slip_system_evaluate(system, SLIP_LEVEL_GAP, t, q, u, &terms);        // gaps alone: cheap
///     slip_system_evaluate(system, SLIP_LEVEL_FREE, t, q, u, &terms);       // + M, h: flight
///     slip_system_evaluate(system, SLIP_LEVEL_MOTION, t, q, u, &terms);     // + rows, mu
///     slip_system_evaluate(system, SLIP_LEVEL_ACCELERATION, t, q, u, &terms); // + z of the rows
///
/// Rows are linear forms in u: rate_i = sum_k value[k] u[column[k]] + drift[i] over k in
/// [start[i], start[i+1]), and rate_i' = (the same with u') + z[i]; numbered as in equations.h.
#ifndef SLIP_DYNAMICS_SYSTEM_H
#define SLIP_DYNAMICS_SYSTEM_H

#include <assert.h>

#include "dynamics/equations.h"
#include "dynamics/recorded_quantities.h"
#include "dynamics/switching.h"

typedef enum slip_level {
    SLIP_LEVEL_GAP,
    SLIP_LEVEL_FREE,
    SLIP_LEVEL_MOTION,
    SLIP_LEVEL_ACCELERATION,
    SLIP_LEVEL_COUNT
} slip_level;

typedef struct slip_system {
    slip_equations *equations;
    int n, moving;        ///< coordinates; those that move stand before the modes
    int constraint_count; ///< rows [0, constraint_count)
    bool *redundant;      ///< per constraint: it holds wherever the others do (redundant_constraints.h)
    int element_count, contact_count;
    bool *
        open_load; ///< per element: its limit follows the force of a joint that redundant constraints leave open
    const slip_element *elements;
    int row_count;
    int *start, *column; ///< pattern of the rows: start has row_count + 1 entries
    int block_count;     ///< mass blocks
    const slip_mass_block *blocks;
    int *block_offset; ///< of each block's factor in slip_terms.factor
    int factor_size;
    slip_recorded_quantities readings; ///< recorded quantities of elements
    slip_switching *switching;         ///< where it bends or jumps; NULL: nowhere, or it is not locked
    struct slip_system_tapes *code;    ///< tapes and routes
} slip_system;

typedef struct slip_terms {
    double *gap;             ///< per element; 0 without a gap
    double *constraint;      ///< g of each bilateral constraint
    double *h;               ///< n
    double *value;           ///< entries of the rows
    double *drift;           ///< per row
    double *friction;        ///< per element: mu with a gap, the limit without
    double *static_friction; ///< the same while it sticks; 0 where the model has none of its own
    double *z;               ///< per row
    double *factor;          ///< Cholesky factors of the mass blocks, each row-major
    double *flat;            ///< all of the above up to z, contiguous
    double *scratch;         ///< n
    double *reg[SLIP_LEVEL_COUNT], *energy_reg, *velocity_reg, *switch_reg; ///< registers of the tapes
} slip_terms;

/// The same quantities as expressions, locked where the tapes are, laid out as in slip_terms; SLIP_NONE where
/// they are zero throughout. `mass` is laid out like `factor`, lower triangles alone.
typedef struct slip_symbols {
    const slip_ref *gap, *constraint, *h, *value, *drift, *friction, *static_friction, *z, *mass;
} slip_symbols;

slip_symbols slip_system_symbols(const slip_system *system);

slip_status slip_system_create(const slip_model *model, slip_error *error, slip_system **system);

/// The same with every condition and kink locked: see switching.h. All sides are free until they are set.
slip_status slip_system_create_locked(const slip_model *model, slip_error *error, slip_system **system);

/// What formulas move in a model whose contacts are found (slip_equations_create_many_body).
slip_status slip_system_create_many_body(const slip_model *model, slip_error *error, slip_system **system);
void slip_system_destroy(slip_system *system);

/// Measures (arena->base == NULL) or carves. After carving call slip_terms_init once.
void slip_terms_layout(slip_arena *arena, const slip_system *system, slip_terms *terms);
void slip_terms_init(const slip_system *system, slip_terms *terms);

/// False when a mass matrix is not positive definite at this state (never at SLIP_LEVEL_GAP).
bool slip_system_evaluate(const slip_system *system, slip_level level, double t, const double *q,
                          const double *u, slip_terms *terms);

/// Sets a switch to a side: SLIP_SIDE_FREE, the sign of its value, or the number that a floor is held at.
void slip_system_set_side(const slip_system *system, int k, double side, slip_terms *terms);

/// The value of every switch, positive or negative by its side (a floor: positive while it keeps its number),
/// and the side that each has by itself where it is free.
void slip_system_switches(const slip_system *system, double t, const double *q, const double *u,
                          slip_terms *terms, double *value, double *side);

/// q' of the rates u: the same numbers but where bodies turn in space (slip_equations.velocity).
void slip_system_velocity(const slip_system *system, double t, const double *q, const double *u,
                          slip_terms *terms, double *velocity);

/// q_end := q + scale q'(v): where rates lead, or a correction that is measured as rates are; quaternions
/// keep their length. q_end may be q.
void slip_system_move(const slip_system *system, double t, const double *q, double scale, const double *v,
                      slip_terms *terms, double *q_end);

/// x := M^-1 x with the factors of the last evaluation.
void slip_system_solve(const slip_system *system, const slip_terms *terms, double *x);

/// y := M^-1 (row i)', dense, n numbers.
void slip_system_solve_row(const slip_system *system, const slip_terms *terms, int row, double *y);

/// row . u, without and with its drift; x += scale * row'.
static inline double slip_system_row_dot(const slip_system *system, const slip_terms *terms, int row,
                                         const double *u)
{
    assert(row >= 0 && row < system->row_count);
    double sum = 0.0;
    for (int k = system->start[row]; k < system->start[row + 1]; k++)
        sum += terms->value[k] * u[system->column[k]];
    return sum;
}
static inline double slip_system_row_rate(const slip_system *system, const slip_terms *terms, int row,
                                          const double *u)
{
    return slip_system_row_dot(system, terms, row, u) + terms->drift[row];
}

/// Whether an element at rest has a larger friction than sliding. A limit that falls to 0 lets go: what it
/// stands for, as the force that closes a brake, is gone.
static inline bool slip_element_holds_at_rest(const slip_element *element, double sliding, double at_rest)
{
    return at_rest > sliding && (element->has_gap || sliding > 0.0);
}

void slip_system_row_add(const slip_system *system, const slip_terms *terms, int row, double scale,
                         double *x);

/// Kinetic (T2 - T0) and potential energy, and the power of the generalised forces, at (t, q, u).
void slip_system_energy(const slip_system *system, double t, const double *q, const double *u,
                        slip_terms *terms, double *kinetic, double *potential, double *power);

/// T1 + 2 T0 where slip_system_energy looked last: what the kinetic energy has beyond the T2 - T0 that it
/// gave.
double slip_system_rheonomic_energy(const slip_system *system, const slip_terms *terms);

/// Recorded quantities. `reader` gives those of the elements; NULL: as it gave them last.
void slip_system_record(const slip_system *system, double t, const double *q, const double *u,
                        slip_quantity_reader *reader, void *context, slip_terms *terms, double *records);

#endif
