/// verdict/run/horizon.h: up to when two resolutions of the same run agree.
///
/// A run knows its own error by a companion: the same model under the same formulation at another resolution.
/// A fixed-step run is accompanied at twice its step where that is stable, else at half; an error-controlled
/// run at ten times its tolerances. Coordinates are compared at some hundred instants, relative to the size
/// of the motion. The horizon is the time up to which all of them agree within the accuracy asked for. Where
/// a coarser companion disagrees, a finer one decides; where that disagrees too, finer pairs and a run from a
/// start that differs by 1e-9 tell whether the step is too long or the motion itself amplifies small
/// differences.
#ifndef SLIP_VERDICT_RUN_HORIZON_H
#define SLIP_VERDICT_RUN_HORIZON_H

#include "verdict/run/companion.h"

/// Starts the next companion that the judge of a finished run will ask for; somebody else leads it on
/// (simulation/sim/ensemble.h), slip_companion_finish the rest of the way. False when there is none, or no memory for
/// it: the judge will see.
bool slip_companion_begin(slip_companion *companion, slip_sim *sim, const slip_trajectory_samples *track,
                          double accuracy);

/// Follows a run that is finished and judges it: fills sim->horizon, and warns where it ends early. `track`
/// is the run's own, `spare` may be NULL. Running out of memory leaves the horizon unknown.
void slip_horizon_find(slip_sim *sim, const slip_trajectory_samples *track, double accuracy,
                       slip_companion *spare, const volatile sig_atomic_t *stop);

#endif
