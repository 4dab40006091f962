/// cycle/differences.h: derivatives of a shot by differences of runs, for formulations and laws of impact
/// that have no exact ones.
#ifndef SLIP_CYCLE_DIFFERENCES_H
#define SLIP_CYCLE_DIFFERENCES_H

#include "cycle/shot.h"

enum { SLIP_DIFFERENCES_MOST = 4 }; ///< parameters

/// Simulations of the model with each parameter a little smaller and larger.
typedef struct slip_differences {
    int count;
    char name[SLIP_DIFFERENCES_MOST][80];
    double step[SLIP_DIFFERENCES_MOST], until[SLIP_DIFFERENCES_MOST]; ///< until: derivative of the run's end
    slip_model *model[2][SLIP_DIFFERENCES_MOST];
    slip_sim *sim[2][SLIP_DIFFERENCES_MOST];
    double *state, *start, *low,
        *high; ///< of a run: all states of the formulation, also beyond those of the model
    int all;
} slip_differences;

/// Of the parameters by commas (NULL: none), for the simulation of the shot.
slip_status slip_differences_create(const slip_shot *shot, const slip_model *model,
                                    const slip_sim_def *settings, const char *parameters, slip_error *error,
                                    slip_differences **differences);
void slip_differences_destroy(slip_differences *differences);

/// Fills J and the rates at both ends of a shot whose run is done. False with a reason.
bool slip_differences_take(slip_shot *shot, double t0, double length, const double *state);

/// The whole state of the formulation: what the model does not know of starts as at the beginning of a run.
const double *slip_differences_state(slip_differences *differences, int states, const double *state);

#endif
