/// run/track.h: where the coordinates of a run were at some hundred instants, so that two runs can be
/// compared.
#ifndef SLIP_RUN_TRACK_H
#define SLIP_RUN_TRACK_H

#include <signal.h>

#include "sim/sim.h"

/// Instants that are kept of a run, and so the resolution of its horizon.
enum { SLIP_TRACK_INSTANTS = 256 };

typedef struct slip_track {
    int n;         ///< coordinates; the states of an inclusion
    int count;     ///< instants so far
    double *time;  ///< SLIP_TRACK_INSTANTS
    double *q;     ///< SLIP_TRACK_INSTANTS x n
    double *depth; ///< SLIP_TRACK_INSTANTS: how deep the deepest contact is, m; 0 when none is pressed in
    double *low, *high;       ///< n: bounds of each coordinate, over every step of the run
    double widest_gap;        ///< m, of all contacts over the instants
    slip_run_outcome outcome; ///< how the run behind it stands

    slip_tape *gaps; ///< NULL when there is no contact
    int gap_count;
    double *registers, *row;
    void *memory;
} slip_track;

/// Room for a run of `sim`. False when there is no memory.
bool slip_track_create(slip_track *track, const slip_sim *sim);
void slip_track_destroy(slip_track *track);

/// What was kept so far, for a run that is interrupted.
void slip_track_archive(slip_track *track, slip_archive *archive);

/// The present state of a run that goes on: kept when another instant is due. The steps of a fixed-step run
/// that are kept are even ones, so that a run at twice the step meets them.
void slip_track_look(slip_track *track, const slip_sim *sim);

/// The same where the simulation is ahead in a lane (sim/ensemble.h), after so many steps; `q` are its
/// coordinates. The time before which no instant is due, and bounds that somebody else has kept.
void slip_track_look_at(slip_track *track, const slip_sim *sim, double t, long steps, const double *q);
double slip_track_next(const slip_track *track, const slip_sim *sim);
void slip_track_widen(slip_track *track, int k, double low, double high);

/// Runs `sim` on and keeps it at the instants of `leader` that the track lacks, as far as it gets.
void slip_track_follow(slip_track *track, const slip_track *leader, slip_sim *sim,
                       const volatile sig_atomic_t *stop);

/// The same in a lane: whether all instants so far are at ends of steps; the step at whose end the next one
/// is (LONG_MAX: there is none yet), and its coordinates.
bool slip_track_meets(const slip_track *leader, const slip_sim *sim);
long slip_track_due(const slip_track *track, const slip_track *leader, const slip_sim *sim);
void slip_track_take(slip_track *track, const slip_track *leader, const double *q);

#endif
