/// study/bifurcation/flow_differences.h: derivatives of a shot by differences of runs, for formulations and laws of impact
/// that have no exact ones.
#ifndef SLIP_STUDY_BIFURCATION_FLOW_DIFFERENCES_H
#define SLIP_STUDY_BIFURCATION_FLOW_DIFFERENCES_H

#include "study/bifurcation/flow_map.h"

enum { SLIP_FLOW_DIFFERENCES_MAX = 4 }; ///< parameters

/// Simulations of the model with each parameter a little smaller and larger.
typedef struct slip_flow_differences {
    int count;
    char name[SLIP_FLOW_DIFFERENCES_MAX][80];
    double step[SLIP_FLOW_DIFFERENCES_MAX],
        until[SLIP_FLOW_DIFFERENCES_MAX]; ///< until: derivative of the run's end
    slip_model *model[2][SLIP_FLOW_DIFFERENCES_MAX];
    slip_sim *sim[2][SLIP_FLOW_DIFFERENCES_MAX];
    double *state, *start, *low,
        *high; ///< of a run: all states of the formulation, also beyond those of the model
    int all;
} slip_flow_differences;

/// Of the parameters by commas (NULL: none), for the simulation of the shot.
slip_status slip_flow_differences_create(const slip_flow_map *shot, const slip_model *model,
                                         const slip_sim_def *settings, const char *parameters,
                                         slip_error *error, slip_flow_differences **differences);
void slip_flow_differences_destroy(slip_flow_differences *differences);

/// Fills J and the rates at both ends of a shot whose run is done. False with a reason.
bool slip_flow_differences_fill(slip_flow_map *shot, double t0, double length, const double *state);

/// The whole state of the formulation: what the model does not know of starts as at the beginning of a run.
const double *slip_flow_differences_state(slip_flow_differences *differences, int states,
                                          const double *state);

#endif
