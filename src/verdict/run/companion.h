/// verdict/run/companion.h: the same run at another resolution, for its horizon (horizon.h).
#ifndef SLIP_VERDICT_RUN_COMPANION_H
#define SLIP_VERDICT_RUN_COMPANION_H

#include "verdict/run/trajectory_samples.h"
#include "slipstick/run.h"

/// A resolution relative to that of the run: its step, or its tolerances.
typedef struct slip_resolution {
    double factor;
    double nudge;  ///< relative change of the rates at the start
    double softer; ///< contacts over those of the run; 0: as the factor has it
    bool other;    ///< detected contacts: the second motion is taken where a search finds one
} slip_resolution;

/// Companions that were made before the judge asks for them, and a simulation that is kept for those of run
/// after run. Zeros at first.
enum { SLIP_MAX_COMPANIONS = 10 };
typedef struct slip_companion {
    slip_sim *sim;
    int count; ///< of the present run; the last one may be on its way
    struct {
        slip_resolution resolution;
        slip_trajectory_samples track;
    } made[SLIP_MAX_COMPANIONS];
} slip_companion;

/// What a step changes by where tolerances change by `factor`.
double slip_resolution_of_step(const slip_sim *sim, double factor);

/// The settings of a companion.
slip_sim_def slip_sim_at_resolution(const slip_sim *sim, double factor);

/// The track of a companion that was made in advance; it stays where it is. False when there is none.
bool slip_companion_find(const slip_companion *companion, slip_resolution resolution,
                         slip_trajectory_samples *track);

/// A companion at its start, with a track of its own; nudges are relative to `scale`, one number for each of
/// its n coordinates. `spare` may be NULL. NULL when there is no memory.
slip_sim *slip_companion_start(const slip_sim *sim, slip_companion *spare, slip_resolution resolution,
                               const double *scale, int n, slip_trajectory_samples *track);
void slip_companion_release(slip_sim *companion, const slip_companion *spare);

/// Of companions that are made in advance (slip_companion_begin).
slip_trajectory_samples *slip_companion_track(slip_companion *companion); ///< of the one on its way
void slip_companion_finish(slip_companion *companion, const slip_trajectory_samples *track,
                           const volatile sig_atomic_t *stop);
void slip_companion_clear(slip_companion *companion); ///< those of the present run
void slip_companion_destroy(slip_companion *companion);

#endif
