/// dynamics/derivation.h: what the files share that derive the equations in the graph.
#ifndef SLIP_DYNAMICS_DERIVATION_H
#define SLIP_DYNAMICS_DERIVATION_H

#include "base/status.h"
#include "model/detect_model.h"
#include "dynamics/equations.h"

/// M, h and the energies, from kinetic and potential energy or masses, and forces (lagrange.c).
slip_status slip_derive_dynamics(slip_equations *e, slip_error *error);

/// Total time derivative with u' left out.
slip_ref slip_along_motion(slip_equations *e, slip_ref f);

/// f at u = 0.
slip_ref slip_at_zero_rates(slip_equations *e, slip_ref f);

/// Which coordinate an input is the rate of; -1 when it is none.
static inline int slip_rate_of(const slip_equations *e, int input)
{
    return input > e->n && input <= 2 * e->n ? input - e->n - 1 : -1;
}

/// Moved by numbers, not by these equations (many_body.h).
static inline bool slip_is_many_body_coordinate(const slip_equations *e, int k)
{
    return slip_model_is_numeric_body(e->model, k);
}

static inline slip_ref slip_zero(slip_equations *e)
{
    return slip_graph_constant(e->graph, 0.0);
}

static inline bool slip_is_zero(const slip_equations *e, slip_ref a)
{
    if (a < 0) return false; // out of memory: not known to be zero
    slip_node node = slip_graph_node(e->graph, a);
    return node.op == SLIP_OP_CONSTANT && node.value == 0.0;
}

/// A mistake in the model: `text` has one %s, for the name.
static inline slip_status slip_fail_at(slip_error *error, slip_span where, const char *text, const char *name)
{
    char place[160];
    return slip_fail(error, SLIP_BAD_MODEL, slip_span_place(where, place, sizeof place), text, name);
}

#endif
