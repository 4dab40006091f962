/// dynamics/equations.h: the dynamics interface in symbols: front ends produce it, formulations start from
/// it.
///
/// For a mechanical model, at (t, q, u):
///     q' = u,   M(t, q) u' = h(t, q, u) + sum_k w_N,k lambda_N,k + sum_k w_T,k lambda_T,k + J' lambda
///     gap rate        g_N' = w_N . u + d_N        (d_N: rheonomic part, moving guides)
///     slip velocity   v_T  = w_T . u + d_T        (one or two components)
///     accelerations   g_N'' = w_N . u' + z_N,     v_T' = w_T . u' + z_T
/// M and h come from the kinetic and potential energy by Lagrange's equations with exact
/// derivatives, or are given. Everything is a node of one graph, so a formulation can add its own
/// expressions, differentiate the whole and compile it to one tape.
///
/// Where bodies turn in space q' = H(q) u instead: their coordinates are quaternions, their rates spins.
/// Only what moves q needs to know, see `velocity`; forces and rows belong to u.
///
/// An element is what pushes: contacts first, then frictions with a known limit (contacts without a
/// gap), in the order of the model file. Rows are numbered: bilateral constraints first, then for each
/// element its normal row (if it has a gap) and its tangent rows.
#ifndef SLIP_DYNAMICS_EQUATIONS_H
#define SLIP_DYNAMICS_EQUATIONS_H

#include "model/model.h"

/// A linear form in the rates: sum_k value[k] u[column[k]] + drift. Only nonzero entries are kept.
typedef struct slip_row {
    int count;
    int *column;
    slip_ref *value;
    slip_ref drift; ///< SLIP_NONE when zero
    slip_ref rate;  ///< the whole form as one expression
} slip_row;

/// A contact of the model with what the waist adds to it: its rows, in symbols and by number.
typedef struct slip_element {
    const slip_contact *contact;
    const char *name; ///< these three are the contact's own: every step asks for them
    bool has_gap;
    int slip_count;                          ///< 0, 1 or 2
    int normal_row;                          ///< -1 without a gap
    int tangent_row;                         ///< first of slip_count; -1 without slip
    slip_ref gap, friction, static_friction; ///< the contact's formulas; SLIP_NONE when absent
    bool bounded;                            ///< friction from below by zero, which the formula may pass
    slip_row normal;                         ///< w_N, d_N; empty without a gap
    slip_row tangent[2];                     ///< w_T, d_T
    double
        law_parameter[SLIP_LAW_MAX_PARAMETERS]; ///< as in the contact, and chosen where it leaves them open
    double viscous;                             ///< N s/m: friction of a law that stands among the forces h
} slip_element;

/// Coordinates that are coupled through M: M is block diagonal over these.
typedef struct slip_mass_block {
    int count;
    int *coordinate;
    slip_ref *entry; ///< count x count, row-major, symmetric
} slip_mass_block;

typedef struct slip_equations {
    slip_pool *pool; ///< owns the arrays
    slip_graph *graph;
    const slip_model *model;
    const void *origin;     ///< of the model, by which the tape_cache knows them
    int n;                  ///< coordinates
    slip_ref time;          ///< input 0
    slip_ref *q, *u;        ///< inputs 1 .. n, n+1 .. 2n
    slip_ref *velocity;     ///< q' = H(q) u, mostly u itself
    bool turns;             ///< some q' is not
    slip_ref *along_motion; ///< direction of d/dt without u': t -> 1, q -> q'; nothing for a quaternion,
                            ///< which is seen through nodes of known rate only
    int block_count;
    slip_mass_block *blocks;
    struct slip_mass_formula *mass_formula; ///< M^-1 in symbols, made when first asked for (mass_formula.h)
    bool masses_fixed; ///< that formula was asked for and is too large, though masses change along the motion
    slip_ref *h;
    int constraint_count;
    slip_row *constraints; ///< velocity level; constraint_zero holds the position level
    slip_ref *constraint_zero;
    int element_count, contact_count;
    slip_element *elements;
    int row_count;
    slip_ref kinetic, potential; ///< kinetic is T2 - T0, so their sum is the Jacobi energy
    slip_ref driven; ///< T1 + 2 T0: what the kinetic energy has beyond that, from guides that move
    slip_ref power;  ///< of the generalised forces: sum Q u - dL/dt, what changes the Jacobi energy

    struct {
        slip_graph_mark graph;
        slip_pool_mark pool;
        slip_element *elements;
        slip_ref *h, power;
    } derived; ///< as they were when they were derived, for the tape_cache of the graph
    struct slip_time_event_cache *timetable; ///< that was found last (equations_time_events.c); NULL: none
} slip_equations;

void slip_time_event_cache_destroy(struct slip_time_event_cache *kept); ///< NULL is fine

/// Derives the equations of a mechanical model in a graph of its own. The model must outlive them. Where the
/// graph of the model has a tape_cache, equations that were derived before for a variation of the same model
/// are taken from there, as they were before anybody added to them.
slip_status slip_equations_create(const slip_model *model, slip_error *error, slip_equations **equations);

/// The same where contacts are found, too (many_body.h): of all coordinates but those of bodies that are
/// numbers, which have no mass and no force here. A mistake when a formula acts on one of them.
slip_status slip_equations_create_many_body(const slip_model *model, slip_error *error,
                                            slip_equations **equations);
void slip_equations_destroy(slip_equations *equations);

/// z of a row: the part of its rate's rate that does not hold u'. SLIP_NONE when out of memory.
slip_ref slip_equations_drift_rate(slip_equations *equations, const slip_row *row);

#endif
