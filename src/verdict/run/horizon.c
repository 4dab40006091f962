/// verdict/run/horizon.c: up to when two resolutions of the same run agree.
#include "verdict/run/horizon.h"
#include "verdict/contact/verdict_tolerances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct horizon_search {
    slip_sim *sim;
    const slip_trajectory_samples *run;
    double accuracy;
    const volatile sig_atomic_t *stop;
    slip_companion *spare;  // may be NULL
    bool dry_run;           // only looks for a companion that is not there yet:
    bool missing;           // there is one,
    slip_resolution wanted; // this
    double *scale;          // size of the motion along each coordinate
    double widest;          // the largest of them, or of the gaps
    double farthest;        // the largest |coordinate|
    double *difference;     // largest of each coordinate, over its scale
} horizon_search;

// ------------------------------------------------------------------------------------------ companions

static slip_sim *start_companion(const horizon_search *j, slip_resolution r, slip_trajectory_samples *track)
{
    return slip_companion_start(j->sim, j->spare, r, j->scale, j->run->n, track);
}

// The same run at another resolution. False when there is no memory, or when it was only asked for
static bool run_companion(horizon_search *j, slip_resolution r, slip_trajectory_samples *track)
{
    if (j->missing) return false;
    if (slip_companion_find(j->spare, r, track)) return true;
    if (j->dry_run) {
        j->missing = true;
        j->wanted = r;
        return false;
    }
    slip_sim *sim = start_companion(j, r, track);
    if (!sim) return false;
    slip_trajectory_samples_follow(track, j->run, sim, j->stop);
    slip_companion_release(sim, j->spare);
    return true;
}

// no room for twice the step below the limit of stability, or in the run
static bool has_room_above(const slip_sim *sim)
{
    return sim->method->adaptive ||
           (2.0 * sim->def.step <= sim->method->largest_stable_step && sim->last > 2);
}

static double first_factor(const slip_sim *sim)
{
    if (sim->method->adaptive) return COARSER_TOLERANCE;
    return has_room_above(sim) ? 2.0 : 0.5;
}

// ------------------------------------------------------------------------------------------- comparing

static double standstill_size(const horizon_search *j)
{
    const slip_model *model = j->sim->model;
    double size = 0.0;
    if (model->type != SLIP_MECHANICS) return STANDSTILL_SIZE;
    for (int k = 0; k < model->coordinate_count; k++) {
        size = fmax(size, fabs(model->coordinates[k].start));
        size = fmax(size, fabs(model->coordinates[k].rate) * j->sim->def.until);
    }
    return size > 0.0 ? fmin(STANDSTILL_SIZE, MIN_MOTION_SHARE * size) : STANDSTILL_SIZE;
}

// A coordinate at zero, in a model in which nothing moves, has no size of its own: rounding of the others is
// none
static void measure_motion(horizon_search *j)
{
    double widest = 0.0, farthest = 0.0;
    for (int k = 0; k < j->run->n; k++) {
        j->scale[k] = j->run->high[k] - j->run->low[k];
        widest = fmax(widest, j->scale[k]);
        farthest = fmax(farthest, fmax(fabs(j->run->high[k]), fabs(j->run->low[k])));
    }
    double dust = farthest <= standstill_size(j) ? STANDSTILL_SIZE / j->accuracy
                                                 : NO_MOTION_TOLERANCE * fmax(1.0, farthest);
    j->widest = fmax(widest, j->run->widest_gap);
    j->farthest = farthest;
    for (int k = 0; k < j->run->n; k++) {
        double far = fmax(fabs(j->run->high[k]), fabs(j->run->low[k]));
        // contacts that are found are solved to a residual, and have no gap here that says how large things
        // are
        if (j->sim->model->crowd) far = farthest;
        double share = fmax(MIN_MOTION_SHARE * widest, REST_TOLERANCE * fmax(far, j->widest));
        j->scale[k] = fmax(fmax(j->scale[k], share), dust);
    }
}

// what switches does so at an instant: what follows from it is compared
static bool is_mode(const slip_model *model, int k)
{
    return model->type == SLIP_MECHANICS && model->coordinates[k].is_held;
}

// the time up to which two tracks agree; largest differences into j->difference when `keep`
static double agreement_time(horizon_search *j, const slip_trajectory_samples *a,
                             const slip_trajectory_samples *b, bool keep)
{
    int count = a->count < b->count ? a->count : b->count;
    double agreed = j->run->count && count == j->run->count ? j->sim->def.until : 0.0;
    double allowed = fmax(IGNORED_DEPTH, IGNORED_DEPTH_SHARE * j->widest), depth = 0.0;
    if (count < j->run->count && count > 0) agreed = j->run->time[count - 1];
    if (keep) memset(j->difference, 0, (size_t)j->run->n * sizeof *j->difference);
    bool apart = false;
    for (int i = 0; i < count; i++) {
        depth = fmin(allowed, fmax(depth, fmax(a->depth[i], b->depth[i])));
        for (int k = 0; k < j->run->n; k++) {
            if (is_mode(j->sim->model, k)) continue;
            size_t at = (size_t)i * (size_t)j->run->n + (size_t)k;
            double off = fmax(0.0, fabs(a->q[at] - b->q[at]) - 2.0 * depth) / j->scale[k];
            if (isnan(off)) off = INFINITY;
            if (keep && off > j->difference[k]) j->difference[k] = off;
            if (off <= j->accuracy || apart) continue;
            apart = true;
            agreed = i ? j->run->time[i - 1] : 0.0;
        }
    }
    return agreed;
}

static double largest_difference(const horizon_search *j)
{
    double most = 0.0;
    for (int k = 0; k < j->run->n; k++) most = fmax(most, j->difference[k]);
    return most;
}

// ------------------------------------------------------------------------------------------- verdict

// its steps matter beside its tolerances: contacts that it made compliant answer in times that follow the
// step
static bool uses_both(const slip_sim *sim)
{
    return sim->method->adaptive && !sim->formulation->no_step_error;
}

static void describe_companion(const slip_sim *sim, double factor, char *text, size_t size)
{
    slip_sim_def def = slip_sim_at_resolution(sim, factor);
    if (uses_both(sim))
        snprintf(text, size, "relative error %g and step %g s", def.relative, def.step);
    else if (sim->method->adaptive)
        snprintf(text, size, "relative error %g", def.relative);
    else
        snprintf(text, size, "step %g s", def.step);
}

static void store_horizon(horizon_search *j, double horizon, double factor)
{
    slip_horizon *h = &j->sim->horizon;
    h->known = true;
    h->until = horizon;
    h->accuracy = j->accuracy;
    h->agreement = largest_difference(j);
    h->coordinate_count = j->run->n;
    h->chaotic = false;
    h->resolution = NAN;
    memcpy(j->sim->agreement, j->difference, (size_t)j->run->n * sizeof *j->difference);
    describe_companion(j->sim, factor, h->companion, sizeof h->companion);
    if (horizon >= j->sim->def.until)
        snprintf(h->text, sizeof h->text, "agrees with a run at %s to %.2g %% of the motion", h->companion,
                 100.0 * h->agreement);
}

// does a start that differs by next to nothing end elsewhere?
static bool amplifies_perturbation(horizon_search *j, double *grown)
{
    slip_trajectory_samples nudged = { 0 };
    bool apart = false;
    if (run_companion(j, (slip_resolution){ .factor = 1.0, .nudge = INITIAL_PERTURBATION }, &nudged)) {
        apart = agreement_time(j, j->run, &nudged, true) < j->sim->def.until;
        *grown = largest_difference(j);
    }
    slip_trajectory_samples_destroy(&nudged);
    return apart;
}

/// Finer and finer pairs, as far as the length of the run makes that affordable.
static int affordable_halvings(const slip_sim *sim)
{
    if (sim->method->adaptive) return 3;
    double steps = fmax((double)sim->steps, (double)sim->method->finer_steps);
    return steps <= 2e4 ? 4 : steps <= 2e5 ? 2 : (double)sim->method->finer_steps <= 4e5 ? 1 : 0;
}

// the coarsest resolution that the next finer one confirms to the end; 0 when none was found. `fine` is at
// half
static double find_resolution(horizon_search *j, slip_trajectory_samples *fine, double *finest)
{
    double ratio = j->sim->method->adaptive ? 0.1 : 0.5, factor = ratio;
    for (int k = 0; k < affordable_halvings(j->sim) && !(j->stop && *j->stop); k++, factor *= ratio) {
        slip_trajectory_samples finer = { 0 };
        if (!run_companion(j, (slip_resolution){ .factor = factor * ratio }, &finer)) return 0.0;
        *finest = factor * ratio;
        bool agree = agreement_time(j, fine, &finer, false) >= j->sim->def.until;
        slip_trajectory_samples_destroy(fine);
        *fine = finer;
        if (agree) return factor;
    }
    return 0.0;
}

// "the step of 0.001 s is too large" or "the relative error of 1e-06 and the step of 0.001 s are too large"
static void describe_too_large(const slip_sim *sim, char *text, size_t size)
{
    const slip_sim_def *def = &sim->def;
    if (uses_both(sim))
        snprintf(text, size, "the relative error of %g and the step of %g s are too large", def->relative,
                 def->step);
    else if (sim->method->adaptive)
        snprintf(text, size, "the relative error of %g is too large", def->relative);
    else
        snprintf(text, size, "the step of %g s is too large", def->step);
}

// the values of a resolution, without their names
static void describe_values(const slip_sim *sim, double factor, char *text, size_t size)
{
    slip_sim_def def = slip_sim_at_resolution(sim, factor);
    if (uses_both(sim))
        snprintf(text, size, "%g and %g s", def.relative, def.step);
    else if (sim->method->adaptive)
        snprintf(text, size, "%g", def.relative);
    else
        snprintf(text, size, "%g s", def.step);
}

static void explain_chaos(horizon_search *j, double grown)
{
    slip_horizon *h = &j->sim->horizon;
    snprintf(
        h->text, sizeof h->text,
        "two resolutions agree to %g %% up to t = %.4g s of %g s only: the motion itself amplifies small "
        "differences (a change of the start by 1e-9 grows to %.2g %%), so no %s helps beyond that",
        100.0 * j->accuracy, h->until, j->sim->def.until, 100.0 * grown,
        j->sim->method->adaptive ? "relative error" : "step");
    h->chaotic = true;
}

static void explain_resolution(horizon_search *j, slip_trajectory_samples *fine, double ratio)
{
    slip_sim *sim = j->sim;
    slip_horizon *h = &sim->horizon;
    double finest = ratio, factor = find_resolution(j, fine, &finest);
    bool found = factor > 0.0, both = uses_both(sim);
    char now[128], tried[64];
    describe_too_large(sim, now, sizeof now);
    describe_values(sim, found ? factor : finest, tried, sizeof tried);
    int at =
        snprintf(h->text, sizeof h->text,
                 "two resolutions agree to %g %% up to t = %.4g s of %g s only (they differ by %.2g %%): %s",
                 100.0 * j->accuracy, h->until, sim->def.until, 100.0 * h->agreement, now);
    if (found)
        snprintf(h->text + at, sizeof h->text - (size_t)at, "; %s %s tried, and %s to the end", tried,
                 both ? "were" : "was", both ? "agree" : "agrees");
    else
        snprintf(h->text + at, sizeof h->text - (size_t)at, ", and so was every one tried, down to %s",
                 tried);
    h->resolution = !found                  ? NAN
                    : sim->method->adaptive ? sim->def.relative * factor
                                            : sim->def.step * factor;
}

static void explain_disagreement(horizon_search *j, slip_trajectory_samples *fine, double ratio)
{
    slip_sim *sim = j->sim;
    slip_horizon *h = &sim->horizon;
    double grown = 0.0;
    if (amplifies_perturbation(j, &grown))
        explain_chaos(j, grown);
    else
        explain_resolution(j, fine, ratio);
    if (j->dry_run || (j->stop && *j->stop)) return;
    slip_warning *w = slip_method_warn(
        sim->method, h->chaotic ? SLIP_WARNING_CHAOTIC : SLIP_WARNING_NOT_CONVERGED, "", "%s", h->text);
    slip_warning_value(w, "horizon", h->until, "s");
    slip_warning_value(w, "agreement", h->agreement, "");
    if (isnan(h->resolution)) return;
    slip_warning_advise(w, sim->method->adaptive ? "run.relative" : "run.step", h->resolution);
    if (uses_both(sim))
        slip_warning_advise(w, "run.step",
                            sim->def.step * slip_resolution_of_step(sim, h->resolution / sim->def.relative));
}

// Two resolutions agree, and so does a motion on contacts that are too soft with itself: is it the same on
// softer ones?
static void judge_softness(horizon_search *j)
{
    slip_sim *sim = j->sim;
    slip_trajectory_samples softer = { 0 };
    double horizon = sim->def.until;
    for (int k = 0; k < j->run->n; k++)
        j->scale[k] = fmax(j->scale[k], SOFT_REST_TOLERANCE * fmax(j->farthest, j->widest));
    if (run_companion(j, (slip_resolution){ .factor = 1.0, .softer = SOFTER_CONTACTS }, &softer))
        horizon = agreement_time(j, j->run, &softer, true);
    slip_trajectory_samples_destroy(&softer);
    if (horizon >= sim->def.until || j->dry_run || (j->stop && *j->stop)) return;
    store_horizon(j, horizon, 1.0);
    slip_horizon *h = &sim->horizon;
    snprintf(h->companion, sizeof h->companion, "contacts twice as soft");
    snprintf(h->text, sizeof h->text,
             "on contacts twice as soft the motion is the same to %g %% up to t = %.4g s of %g s only (it "
             "differs by %.2g "
             "%%): it depends on the stiffness that was chosen, and a rigid formulation does not",
             100.0 * j->accuracy, h->until, sim->def.until, 100.0 * h->agreement);
    slip_warning *w = slip_method_warn(sim->method, SLIP_WARNING_NOT_CONVERGED, "", "%s", h->text);
    slip_warning_value(w, "horizon", h->until, "s");
    slip_warning_value(w, "agreement", h->agreement, "");
    slip_warning_advise_word(w, "run.formulation", "moreau");
}

static void judge_run(horizon_search *j)
{
    slip_sim *sim = j->sim;
    double until = sim->def.until, finer = sim->method->adaptive ? 1.0 / COARSER_TOLERANCE : 0.5;
    bool up = has_room_above(sim);
    slip_trajectory_samples other = { 0 };
    double first = first_factor(sim);
    if (!run_companion(j, (slip_resolution){ .factor = first }, &other)) {
        slip_trajectory_samples_destroy(&other);
        return;
    }
    double horizon = agreement_time(j, j->run, &other, true);
    store_horizon(j, horizon, first);
    if (horizon < until && up && !(j->stop && *j->stop)) { // the coarser one may be to blame
        slip_trajectory_samples_destroy(&other);
        if (!run_companion(j, (slip_resolution){ .factor = finer }, &other)) {
            slip_trajectory_samples_destroy(&other);
            return;
        }
        horizon = agreement_time(j, j->run, &other, true);
        store_horizon(j, horizon, finer);
        if (horizon >= until && slip_formulation_is_compliant(sim->formulation)) judge_softness(j);
    }
    if (horizon < until) explain_disagreement(j, &other, finer);
    slip_trajectory_samples_destroy(&other);
    if (j->stop && *j->stop)
        sim->horizon = (slip_horizon){ .text = "not known: stopped before it was found" };
}

static void judge_all(horizon_search *j)
{
    const slip_trajectory_samples *track = j->run;
    if (track->n == 0 || track->count == 0) return;
    free(j->sim->agreement);
    j->sim->agreement = calloc((size_t)track->n, sizeof *j->sim->agreement);
    j->scale = calloc((size_t)track->n, sizeof *j->scale);
    j->difference = calloc((size_t)track->n, sizeof *j->difference);
    if (j->sim->agreement && j->scale && j->difference) {
        measure_motion(j);
        judge_run(j);
    }
}

void slip_horizon_find(slip_sim *sim, const slip_trajectory_samples *track, double accuracy,
                       slip_companion *spare, const volatile sig_atomic_t *stop)
{
    horizon_search j = { .sim = sim, .run = track, .accuracy = accuracy, .stop = stop, .spare = spare };
    judge_all(&j);
    free(j.scale);
    free(j.difference);
}

// ------------------------------------------------------------------------- companions made in advance

// Judged with the companions that are there, the run tells which one it lacks; what else the horizon_search
// says is said again when all are there
bool slip_companion_begin(slip_companion *c, slip_sim *sim, const slip_trajectory_samples *track,
                          double accuracy)
{
    horizon_search j = { .sim = sim, .run = track, .accuracy = accuracy, .spare = c, .dry_run = true };
    const slip_horizon before = sim->horizon;
    if (c->count < SLIP_MAX_COMPANIONS) judge_all(&j);
    sim->horizon = before;
    const bool begun = j.missing && start_companion(&j, j.wanted, &c->made[c->count].track);
    if (begun) c->made[c->count++].resolution = j.wanted;
    free(j.scale);
    free(j.difference);
    return begun;
}
