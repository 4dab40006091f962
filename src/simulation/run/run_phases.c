/// simulation/run/run_phases.c: the samples and the companion of a run in two phases.
#include "simulation/run/run_phases.h"

bool slip_run_progress_create(slip_run_progress *begun, const slip_sim *sim)
{
    if (sim->model->run.no_companion) return true;
    bool fine = slip_trajectory_samples_create(&begun->track, sim);
    if (fine) begun->creep = slip_creep_monitor_create(sim, &fine);
    if (!fine) slip_run_progress_discard(begun);
    return fine;
}

void slip_run_progress_discard(slip_run_progress *begun)
{
    if (begun->recorder) {
        slip_run_skip_second_phase(begun);
        return;
    }
    slip_trajectory_samples_destroy(&begun->track);
    slip_creep_monitor_destroy(begun->creep);
    begun->creep = NULL;
    slip_companion_clear(&begun->companion);
}

void slip_run_progress_destroy(slip_run_progress *begun)
{
    slip_run_progress_discard(begun);
    slip_companion_destroy(&begun->companion);
}
