/// formulation/ode/baumgarte.c: bilateral constraints in an ODE. See baumgarte.h.
#include "formulation/ode/baumgarte.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "formulation/ode/ode_elements.h"
#include "dynamics/mass_formula.h"
#include "formulation/ode/ode_tolerances.h"

static slip_status fail_constraint(const slip_ode *ode, const char *formulation, int constraint,
                                   const char *why, slip_error *error)
{
    return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(ode->model),
                     "formulation %s takes %s (constraint '%s'); moreau, lcp and gauss take any", formulation,
                     why, ode->model->constraints[constraint].name);
}

// values of `count` expressions at the start
static bool evaluate_at_start(const slip_ode *ode, const slip_ref *roots, int count, double *values)
{
    slip_tape *tape = slip_tape_create(ode->graph, roots, count);
    double *reg = tape ? calloc((size_t)slip_tape_registers(tape) + 1, sizeof *reg) : NULL;
    if (reg) {
        slip_tape_start(tape, reg);
        for (int k = 0; k < 2 * ode->n; k++) reg[1 + k] = ode->start[k];
        slip_tape_run(tape, reg);
        for (int k = 0; k < count; k++) values[k] = reg[slip_tape_result(tape, k)];
    }
    bool fine = reg != NULL;
    free(reg);
    slip_tape_destroy(tape);
    return fine;
}

static slip_status check_independence(slip_ode *ode, const slip_mass_formula *formula,
                                      const char *formulation, slip_error *error)
{
    const slip_equations *e = ode->equations;
    slip_mass_pivots pivots = slip_mass_formula_pivots(formula);
    slip_ref roots[3 * SLIP_MASS_FORMULA_MAX];
    double value[3 * SLIP_MASS_FORMULA_MAX];
    int m = e->constraint_count;
    for (int k = 0; k < m; k++) {
        roots[k] = pivots.diagonal[k];
        roots[m + k] = pivots.pivot[k];
        roots[2 * m + k] = e->constraints[k].rate;
    }
    if (!evaluate_at_start(ode, roots, 3 * m, value)) return SLIP_NO_MEMORY;
    for (int k = 0; k < m; k++) {
        if (!(value[m + k] > DEPENDENT_CONSTRAINT * value[k]))
            return fail_constraint(ode, formulation, k,
                                   "constraints that are independent of one another at the start", error);
        if (fabs(value[2 * m + k]) > REPORTED_CONSTRAINT_RATE)
            slip_ode_warn(ode, SLIP_WARNING_BAD_START, "",
                          "the rates at the start break constraint '%s' (its rate is %.3g): they are drawn "
                          "to it within a few steps",
                          ode->model->constraints[k].name, value[2 * m + k]);
    }
    return SLIP_OK;
}

// what the constraint is to do: -z - 2 w (J u + d) - w^2 g
static slip_ref feedback_acceleration(slip_ode *ode, int k, double w)
{
    slip_graph *g = ode->graph;
    slip_equations *e = ode->equations;
    slip_ref rate = slip_graph_product(g, slip_graph_constant(g, 2.0 * w), e->constraints[k].rate);
    slip_ref gap = slip_graph_product(g, slip_graph_constant(g, w * w), e->constraint_zero[k]);
    slip_ref sum =
        slip_graph_sum(g, slip_graph_sum(g, slip_equations_drift_rate(e, &e->constraints[k]), rate), gap);
    return slip_graph_difference(g, slip_graph_constant(g, 0.0), sum);
}

slip_status slip_ode_add_baumgarte(slip_ode *ode, const char *formulation, double step, slip_error *error)
{
    slip_equations *e = ode->equations;
    slip_ref want[SLIP_MASS_FORMULA_MAX], lambda[SLIP_MASS_FORMULA_MAX];
    bool too_large = false;
    if (e->constraint_count == 0) return SLIP_OK;
    if (ode->resting_count > 0) // they balance what pushes, and would have to know of lambda
        return slip_fail(
            error, SLIP_UNSUPPORTED, slip_model_file(ode->model),
            "formulation %s takes no bilateral constraints (constraint '%s') beside frictions of the law %s",
            formulation, ode->model->constraints[0].name,
            e->elements[ode->resting[0]].contact->law->info.name);
    slip_mass_formula *formula = slip_mass_formula_create(e, &too_large);
    if (too_large)
        return fail_constraint(ode, formulation, 0,
                               "no more than 32 bilateral constraints, and coupled coordinates", error);
    slip_status status = formula ? check_independence(ode, formula, formulation, error) : SLIP_NO_MEMORY;
    if (status != SLIP_OK) return status;
    for (int k = 0; k < e->constraint_count; k++)
        want[k] = feedback_acceleration(ode, k, FEEDBACK_PER_STEP / step);
    if (!slip_mass_formula_multipliers(formula, ode->rate + ode->n, want, lambda)) return SLIP_NO_MEMORY;
    for (int k = 0; k < e->constraint_count; k++) {
        const slip_row *row = &e->constraints[k];
        slip_element_push(ode, row, lambda[k], false);
        if (row->drift < 0) continue; // a guide that moves does work: lambda J u = -lambda d
        slip_ref *work = &ode->power[SLIP_LEDGER_WORK];
        *work =
            slip_graph_difference(ode->graph, *work, slip_graph_product(ode->graph, lambda[k], row->drift));
    }
    return slip_graph_failed(ode->graph) ? SLIP_NO_MEMORY : SLIP_OK;
}
