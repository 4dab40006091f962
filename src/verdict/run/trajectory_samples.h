/// verdict/run/trajectory_samples.h: where the coordinates of a run were at some hundred instants, so that two runs can be
/// compared.
#ifndef SLIP_VERDICT_RUN_TRAJECTORY_SAMPLES_H
#define SLIP_VERDICT_RUN_TRAJECTORY_SAMPLES_H

#include <signal.h>

#include "simulation/sim/sim.h"

/// Instants that are kept of a run, and so the resolution of its horizon.
enum { SLIP_TRAJECTORY_SAMPLES_MAX = 256 };

typedef struct slip_trajectory_samples {
    int n;        ///< coordinates; the states of an inclusion
    int count;    ///< instants so far
    double *time; ///< SLIP_TRAJECTORY_SAMPLES_MAX
    double *q;    ///< SLIP_TRAJECTORY_SAMPLES_MAX x n
    double *
        depth; ///< SLIP_TRAJECTORY_SAMPLES_MAX: how deep the deepest contact is, m; 0 when none is pressed in
    double *low, *high;       ///< n: bounds of each coordinate, over every step of the run
    double widest_gap;        ///< m, of all contacts over the instants
    slip_run_outcome outcome; ///< how the run behind it stands

    slip_tape *gaps; ///< NULL when there is no contact
    int gap_count;
    double *registers, *row;
    void *memory;
} slip_trajectory_samples;

/// Room for a run of `sim`. False when there is no memory.
bool slip_trajectory_samples_create(slip_trajectory_samples *track, const slip_sim *sim);
void slip_trajectory_samples_destroy(slip_trajectory_samples *track);

/// What was kept so far, for a run that is interrupted.
void slip_trajectory_samples_archive(slip_trajectory_samples *track, slip_archive *archive);

/// The present state of a run that goes on: kept when another instant is due. The steps of a fixed-step run
/// that are kept are even ones, so that a run at twice the step meets them.
void slip_trajectory_samples_record(slip_trajectory_samples *track, const slip_sim *sim);

/// The same where the simulation is ahead in a lane (simulation/sim/ensemble.h), after so many steps; `q` are its
/// coordinates. The time before which no instant is due, and bounds that somebody else has kept.
void slip_trajectory_samples_record_at(slip_trajectory_samples *track, const slip_sim *sim, double t,
                                       long steps, const double *q);
double slip_trajectory_samples_next(const slip_trajectory_samples *track, const slip_sim *sim);
void slip_trajectory_samples_widen(slip_trajectory_samples *track, int k, double low, double high);

/// Runs `sim` on and keeps it at the instants of `leader` that the track lacks, as far as it gets.
void slip_trajectory_samples_follow(slip_trajectory_samples *track, const slip_trajectory_samples *leader,
                                    slip_sim *sim, const volatile sig_atomic_t *stop);

/// The same in a lane: whether all instants so far are at ends of steps; the step at whose end the next one
/// is (LONG_MAX: there is none yet), and its coordinates.
bool slip_trajectory_samples_align(const slip_trajectory_samples *leader, const slip_sim *sim);
long slip_trajectory_samples_due_step(const slip_trajectory_samples *track,
                                      const slip_trajectory_samples *leader, const slip_sim *sim);
void slip_trajectory_samples_add(slip_trajectory_samples *track, const slip_trajectory_samples *leader,
                                 const double *q);

#endif
