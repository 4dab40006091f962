/// run/begun.c: see begun.h.
#include "run/begun.h"

bool slip_run_begun_watch(slip_run_begun *begun, const slip_sim *sim)
{
    if (sim->model->run.no_companion) return true;
    bool fine = slip_track_create(&begun->track, sim);
    if (fine) begun->creep = slip_creep_watch_create(sim, &fine);
    if (!fine) slip_run_begun_give_up(begun);
    return fine;
}

void slip_run_begun_give_up(slip_run_begun *begun)
{
    if (begun->recorder) {
        slip_run_abandon(begun);
        return;
    }
    slip_track_destroy(&begun->track);
    slip_creep_watch_destroy(begun->creep);
    begun->creep = NULL;
    slip_companion_forget(&begun->companion);
}

void slip_run_begun_destroy(slip_run_begun *begun)
{
    slip_run_begun_give_up(begun);
    slip_companion_destroy(&begun->companion);
}
