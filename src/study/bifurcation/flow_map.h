/// study/bifurcation/flow_map.h: the motion over a given time from a given state, with its derivatives.
#ifndef SLIP_STUDY_BIFURCATION_FLOW_MAP_H
#define SLIP_STUDY_BIFURCATION_FLOW_MAP_H

#include "simulation/sim/sim.h"
#include "simulation/sim/turning_points.h"
#include "slipstick/cycle.h"

/// An event on the way; arrays are parts of `numbers`.
typedef struct slip_flow_map_event {
    double t, approach;
    slip_event_kind kind;
    const char *element;
    double *before, *after;     ///< states
    double *dt;                 ///< per column: states of the start, then parameters
    double *d_before, *d_after; ///< column by column: states
} slip_flow_map_event;

typedef struct slip_flow_map {
    slip_sim *sim;
    struct slip_sensitivity *tangent;          ///< of event-driven formulations; NULL: of another one
    struct slip_flow_differences *differences; ///< runs beside the one in hand; NULL with a tangent
    double *step_derivatives;        ///< a row of derivatives that ride along with steps; NULL: none do
    int states, parameters, columns; ///< columns: derivatives to all states, then to parameters
    double *end;                     ///< states
    double *J;                       ///< columns one behind the other, states numbers each
    double *rate_start, *rate_end;   ///< x' at both ends
    double begun;                    ///< s, when it began
    double divergence, least_gap;
    bool held; ///< something held on the way
    double work, friction, impact;
    double
        restitutions; ///< product of e^2 over the impacts of one contact each; NaN where there were several
    size_t row_count, row_capacity; ///< the motion: t since its start, then the states
    double *rows;
    slip_turning_points turns; ///< of the states, inside steps
    size_t event_count, event_capacity;
    slip_flow_map_event *events;
    bool muted; ///< events do not count
    bool out_of_memory;
    char reason[300]; ///< why there is no answer
    slip_sim **spare; ///< where its simulation goes; NULL: nowhere
    void *memory;
} slip_flow_map;

/// Of a model whose run.until is as long as any shot. `parameters` by commas, or NULL. `spare` (may be NULL)
/// is a simulation that is started again for it, where there is one, and gets it back; it must outlive the
/// shot.
slip_status slip_flow_map_create(const slip_model *model, const slip_cycle_def *def, double until,
                                 double max_step, const char *parameters, slip_sim **spare, slip_error *error,
                                 slip_flow_map **shot);
void slip_flow_map_destroy(slip_flow_map *shot);

/// From t0 for a time of `length`, from `state`. False with a reason.
bool slip_flow_map_run(slip_flow_map *shot, double t0, double length, const double *state);

/// Name of a parameter.
const char *slip_flow_map_parameter_name(const slip_flow_map *shot, int parameter);

/// Derivative of the run's end, as the model has it, to a parameter.
double slip_flow_map_end_derivative(const slip_flow_map *shot, int parameter);

#endif
