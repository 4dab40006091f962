/// verdict/run/companion.c: the same run at another resolution.
#include "verdict/run/companion.h"

#include "base/elementary.h"
#include "verdict/contact/verdict_tolerances.h"

#include <math.h>
#include <stdlib.h>

double slip_resolution_of_step(const slip_sim *sim, double factor)
{
    return sim->method->adaptive ? slip_pow(factor, slip_log10(2.0)) : factor;
}

// Whatever the result depends on changes: step, tolerances, and how stiff the program chose the contacts.
// Compliant formulations are made softer only: the error of a compliant contact goes with its softness, so
// that twice as soft tells as much as half as soft, and a stiffer companion can cost a hundred times the run.
slip_sim_def slip_sim_at_resolution(const slip_sim *sim, double factor)
{
    slip_sim_def def = slip_sim_settings(sim);
    double coarser = slip_resolution_of_step(sim, factor);
    def.draw = def.strict = false;
    def.sensitivity = NULL;
    def.step *= coarser;
    def.softness *= slip_formulation_is_compliant(sim->formulation) ? fmax(1.0, coarser) : coarser;
    if (sim->method->adaptive)
        def.relative *= factor, def.absolute *= factor, def.max_step *= MAX_STEP_FACTOR;
    else // moreau chooses its internal steps by the tolerance: their errors go with the third power
        def.relative *= factor * factor * factor;
    return def;
}

static void nudge_start(slip_sim *sim, const double *scale, int n, double nudge)
{
    slip_method *m = sim->method;
    bool rates = sim->model->type == SLIP_MECHANICS;
    for (int k = 0; k < n && nudge != 0.0; k++)
        m->state[rates ? n + k : k] += nudge * scale[k] * (k % 2 ? -1.0 : 1.0);
    if (nudge != 0.0) m->ops->touched(m);
}

// The simulation of a companion: the spare one, started again, or a new one
static slip_sim *start_companion(const slip_sim *sim, slip_companion *spare, const slip_sim_def *def)
{
    slip_sim *made = NULL;
    if (!spare || !spare->sim) {
        if (slip_sim_create(sim->model, def, NULL, &made) != SLIP_OK) return NULL;
        if (spare) spare->sim = made;
        return made;
    }
    if (slip_sim_restart(spare->sim, sim->model, def, NULL) == SLIP_OK) return spare->sim;
    slip_sim_destroy(spare->sim);
    spare->sim = NULL;
    return NULL;
}

void slip_companion_release(slip_sim *sim, const slip_companion *spare)
{
    if (spare)
        slip_sim_release_but_caches(sim);
    else
        slip_sim_destroy(sim);
}

static bool is_same_resolution(slip_resolution a, slip_resolution b)
{
    return a.factor == b.factor && a.nudge == b.nudge && a.softer == b.softer && a.other == b.other;
}

bool slip_companion_find(const slip_companion *c, slip_resolution r, slip_trajectory_samples *track)
{
    for (int k = 0; c && k < c->count; k++) {
        if (!is_same_resolution(c->made[k].resolution, r)) continue;
        *track = c->made[k].track;
        track->memory = NULL;
        track->gaps = NULL;
        return true;
    }
    return false;
}

slip_sim *slip_companion_start(const slip_sim *run, slip_companion *spare, slip_resolution r,
                               const double *scale, int n, slip_trajectory_samples *track)
{
    slip_sim_def def = slip_sim_at_resolution(run, r.factor);
    if (r.softer > 0.0) def.softness *= r.softer;
    if (r.other) def.branch = "other";
    slip_sim *sim = start_companion(run, spare, &def);
    if (!sim) return NULL;
    if (slip_trajectory_samples_create(track, sim)) {
        nudge_start(sim, scale, n, r.nudge);
        return sim;
    }
    slip_trajectory_samples_destroy(track);
    slip_companion_release(sim, spare);
    return NULL;
}

// ------------------------------------------------------------------------- companions made in advance

slip_trajectory_samples *slip_companion_track(slip_companion *c)
{
    return &c->made[c->count - 1].track;
}

void slip_companion_finish(slip_companion *c, const slip_trajectory_samples *track,
                           const volatile sig_atomic_t *stop)
{
    slip_trajectory_samples_follow(slip_companion_track(c), track, c->sim, stop);
    slip_sim_release_but_caches(c->sim);
}

void slip_companion_clear(slip_companion *c)
{
    for (int k = 0; k < c->count; k++) slip_trajectory_samples_destroy(&c->made[k].track);
    c->count = 0;
}

void slip_companion_destroy(slip_companion *c)
{
    slip_companion_clear(c);
    slip_sim_destroy(c->sim);
    c->sim = NULL;
}
