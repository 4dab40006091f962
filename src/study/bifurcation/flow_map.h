/// study/bifurcation/flow_map.h: the flow map over a given time from a given state, with its derivatives.
#ifndef SLIP_STUDY_BIFURCATION_FLOW_MAP_H
#define SLIP_STUDY_BIFURCATION_FLOW_MAP_H

#include "simulation/sim/sim.h"
#include "simulation/sim/turning_points.h"
#include "slipstick/cycle.h"

/// An event of the motion. All arrays are in one block, which begins with `before`.
typedef struct slip_flow_map_event {
    double t, approach;
    slip_event_kind kind;
    const char *element;
    double *before, *after;     ///< states
    double *dt;                 ///< derivatives of t, per column: initial states, then parameters
    double *d_before, *d_after; ///< derivatives of the states, column by column
} slip_flow_map_event;

typedef struct slip_flow_map {
    slip_sim *sim;
    struct slip_sensitivity *tangent; ///< sensitivities of an event-driven formulation; NULL: of another
    struct slip_flow_differences
        *differences;         ///< perturbed runs for difference quotients; NULL with `tangent`
    double *step_derivatives; ///< derivatives that a formulation with fixed steps integrates; NULL: none
    int states, parameters, columns; ///< columns: derivatives with respect to all states, then to parameters
    double *end;                     ///< states at the end
    double *J;                       ///< derivatives of `end`, column by column
    double *rate_start, *rate_end;   ///< x' at both ends
    double begun;                    ///< s, time of the start
    double divergence, least_gap;
    bool held; ///< something stuck or was held during the motion
    double work, friction, impact;
    double restitutions;            ///< product of e^2 over all impacts
    size_t row_count, row_capacity; ///< rows of the motion: t since its start, then the states
    double *rows;
    slip_turning_points turns; ///< of the states, inside steps
    size_t event_count, event_capacity;
    slip_flow_map_event *events;
    bool muted; ///< events are ignored: they belong to a perturbed run
    bool out_of_memory;
    char reason[300]; ///< why the last run has no result
    slip_sim **spare; ///< where the simulation is kept for reuse afterwards; NULL: it is destroyed
    void *memory;
} slip_flow_map;

/// For a model whose run.until is at least as long as any motion asked for. `parameters` are separated by
/// commas, or NULL. `spare` (may be NULL) holds a simulation to be reused, if there is one, and receives it
/// again afterwards; it must outlive the flow map.
slip_status slip_flow_map_create(const slip_model *model, const slip_cycle_def *def, double until,
                                 double max_step, const char *parameters, slip_sim **spare, slip_error *error,
                                 slip_flow_map **shot);
void slip_flow_map_destroy(slip_flow_map *shot);

/// Runs from `state` at t0 for a time of `length`. False with a reason.
bool slip_flow_map_run(slip_flow_map *shot, double t0, double length, const double *state);

/// Name of a parameter.
const char *slip_flow_map_parameter_name(const slip_flow_map *shot, int parameter);

/// Derivative of the model's run.until with respect to a parameter.
double slip_flow_map_end_derivative(const slip_flow_map *shot, int parameter);

#endif
