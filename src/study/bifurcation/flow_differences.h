/// study/bifurcation/flow_differences.h: derivatives of a flow map by difference quotients of runs, for
/// formulations and impact laws without exact derivatives.
#ifndef SLIP_STUDY_BIFURCATION_FLOW_DIFFERENCES_H
#define SLIP_STUDY_BIFURCATION_FLOW_DIFFERENCES_H

#include "study/bifurcation/flow_map.h"

enum { SLIP_FLOW_DIFFERENCES_MAX = 4 }; ///< parameters

/// Simulations of the model with each parameter perturbed in both directions.
typedef struct slip_flow_differences {
    int count;
    char name[SLIP_FLOW_DIFFERENCES_MAX][80];
    double step[SLIP_FLOW_DIFFERENCES_MAX],
        until[SLIP_FLOW_DIFFERENCES_MAX]; ///< perturbation; derivative of run.until
    slip_model *model[2][SLIP_FLOW_DIFFERENCES_MAX];
    slip_sim *sim[2][SLIP_FLOW_DIFFERENCES_MAX];
    double *state, *start, *low, *high; ///< states of a run, including those that only the formulation has
    int all;                            ///< number of these states
} slip_flow_differences;

/// Makes the perturbed simulations for a list of parameters, separated by commas (NULL: none).
slip_status slip_flow_differences_create(const slip_flow_map *shot, const slip_model *model,
                                         const slip_sim_def *settings, const char *parameters,
                                         slip_error *error, slip_flow_differences **differences);
void slip_flow_differences_destroy(slip_flow_differences *differences);

/// Fills J and the rates at both ends of a flow map whose run has been made. False with a reason.
bool slip_flow_differences_fill(slip_flow_map *shot, double t0, double length, const double *state);

/// The whole state of the formulation: states that the model does not have take their values at the start of
/// a run.
const double *slip_flow_differences_state(slip_flow_differences *differences, int states,
                                          const double *state);

#endif
