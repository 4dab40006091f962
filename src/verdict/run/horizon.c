/// verdict/run/horizon.c: up to when two resolutions of the same run agree.
#include "verdict/run/horizon.h"
#include "verdict/run/agreement.h"
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
    slip_agreement_measure measure;
} horizon_search;

// ------------------------------------------------------------------------------------------ companions

static slip_sim *start_companion(const horizon_search *j, slip_resolution r, slip_trajectory_samples *track)
{
    return slip_companion_start(j->sim, j->spare, r, j->measure.size, j->run->n, track);
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

static void store_horizon(horizon_search *j, slip_agreement found, double factor)
{
    slip_horizon *h = &j->sim->horizon;
    h->known = true;
    h->until = found.until;
    h->again = found.again;
    h->coordinate = found.coordinate;
    h->accuracy = j->accuracy;
    h->agreement = found.largest;
    h->coordinate_count = j->run->n;
    h->chaotic = false;
    h->resolution = NAN;
    memcpy(j->sim->agreement, j->measure.difference, (size_t)j->run->n * sizeof *j->sim->agreement);
    describe_companion(j->sim, factor, h->companion, sizeof h->companion);
    if (found.until >= j->sim->def.until)
        snprintf(h->text, sizeof h->text, "agrees with a run at %s to %.2g %% of the motion", h->companion,
                 100.0 * h->agreement);
}

// When a start that differs by next to nothing is elsewhere; the end of the run if it never is. `track` is the
// run at that resolution
static double parting_time(horizon_search *j, const slip_trajectory_samples *track, double factor,
                           double *grown)
{
    slip_trajectory_samples nudged = { 0 };
    double parted = j->sim->def.until;
    if (run_companion(j, (slip_resolution){ .factor = factor, .nudge = INITIAL_PERTURBATION }, &nudged)) {
        const slip_agreement found = slip_agreement_of(&j->measure, track, &nudged, NULL);
        parted = found.until, *grown = found.largest;
    }
    slip_trajectory_samples_destroy(&nudged);
    return parted;
}

// Does a start that differs by next to nothing end elsewhere, and is that the motion's own doing? Then it does
// so as early at a finer resolution. A scheme amplifies too, where the place of an impact within its step
// decides the rebound; but less at a finer step
static bool amplifies_perturbation(horizon_search *j, const slip_trajectory_samples *fine, double ratio,
                                   double *grown)
{
    double finer = 0.0;
    const double until = j->sim->def.until, parted = parting_time(j, j->run, 1.0, grown);
    if (parted >= until) return false;
    const double later = parting_time(j, fine, ratio, &finer);
    return later < until && later <= LATER_PARTING * parted;
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
        bool agree = slip_agreement_of(&j->measure, fine, &finer, fine).until >= j->sim->def.until;
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

// "two resolutions agree to 1 % up to t = 3.1 s of 10 s only (x goes first; they differ by 2.3 %, ...)"
static int explain_difference(const horizon_search *j)
{
    slip_horizon *h = &j->sim->horizon;
    const char *first = h->coordinate >= 0 ? j->sim->method->state_name[h->coordinate] : NULL;
    int at =
        snprintf(h->text, sizeof h->text, "two resolutions agree to %g %% up to t = %.4g s of %g s only (",
                 100.0 * j->accuracy, h->until, j->sim->def.until);
    if (first) at += snprintf(h->text + at, sizeof h->text - (size_t)at, "%.40s goes first; ", first);
    at += snprintf(h->text + at, sizeof h->text - (size_t)at, "they differ by %.2g %%", 100.0 * h->agreement);
    if (!isnan(h->again))
        at += snprintf(h->text + at, sizeof h->text - (size_t)at, ", and agree again from t = %.4g s",
                       h->again);
    return at + snprintf(h->text + at, sizeof h->text - (size_t)at, "): ");
}

static void explain_chaos(horizon_search *j, double grown)
{
    slip_horizon *h = &j->sim->horizon;
    const int at = explain_difference(j);
    snprintf(
        h->text + at, sizeof h->text - (size_t)at,
        "the motion itself amplifies small differences (a change of the start by 1e-9 grows to %.2g %%), "
        "so no %s helps beyond that",
        100.0 * grown, j->sim->method->adaptive ? "relative error" : "step");
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
    int at = explain_difference(j);
    at += snprintf(h->text + at, sizeof h->text - (size_t)at, "%s", now);
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
    if (amplifies_perturbation(j, fine, ratio, &grown))
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
    slip_agreement found = { .until = sim->def.until };
    j->measure.rest = SOFT_REST_TOLERANCE;
    if (run_companion(j, (slip_resolution){ .factor = 1.0, .softer = SOFTER_CONTACTS }, &softer))
        found = slip_agreement_of(&j->measure, j->run, &softer, &softer);
    slip_trajectory_samples_destroy(&softer);
    if (found.until >= sim->def.until || j->dry_run || (j->stop && *j->stop)) return;
    store_horizon(j, found, 1.0);
    slip_horizon *h = &sim->horizon;
    const char *first = h->coordinate >= 0 ? sim->method->state_name[h->coordinate] : "the motion";
    snprintf(h->companion, sizeof h->companion, "contacts twice as soft");
    snprintf(h->text, sizeof h->text,
             "on contacts twice as soft the motion is the same to %g %% up to t = %.4g s of %g s only (%.40s "
             "goes first; it differs by %.2g %%): it depends on the stiffness that was chosen, and a rigid "
             "formulation does not",
             100.0 * j->accuracy, h->until, sim->def.until, first, 100.0 * h->agreement);
    slip_warning *w = slip_method_warn(sim->method, SLIP_WARNING_NOT_CONVERGED, "", "%s", h->text);
    slip_warning_value(w, "horizon", h->until, "s");
    slip_warning_value(w, "agreement", h->agreement, "");
    slip_warning_advise_word(w, "run.formulation", "moreau");
}

// Detected contacts that have a second solution at times: is the motion the same if that is taken?
static void judge_second_motion(horizon_search *j)
{
    slip_sim *sim = j->sim;
    slip_verdict_record *trust = &sim->method->trust;
    slip_trajectory_samples other = { 0 };
    slip_warning *w = trust->warned[SLIP_AMBIGUOUS];
    if (!sim->model->crowd || trust->worst != SLIP_AMBIGUOUS || !w || strcmp(sim->def.branch, "other") == 0)
        return;
    slip_agreement found = { .until = 0.0 };
    const bool made = run_companion(j, (slip_resolution){ .factor = 1.0, .other = true }, &other);
    if (made) found = slip_agreement_of(&j->measure, j->run, &other, NULL);
    slip_trajectory_samples_destroy(&other);
    if (!made || j->dry_run || (j->stop && *j->stop)) return;
    const bool same = found.until >= sim->def.until;
    w->text = slip_log_store_text(
        sim->method->log,
        same ? "%s; a run that takes it wherever a search finds one agrees to %.2g %% of the motion, so that "
               "the choice does not matter"
             : "%s; a run that takes it wherever a search finds one differs by %.2g %% of the motion "
               "(slipstick run --branch other)",
        w->text, 100.0 * found.largest);
    trust->text = w->text;
    if (!same) return;
    w->kind = SLIP_WARNING_SECOND_SOLUTION;
    trust->resolved = true;
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
    slip_agreement found = slip_agreement_of(&j->measure, j->run, &other, up ? &other : j->run);
    store_horizon(j, found, first);
    if (found.until < until && up && !(j->stop && *j->stop)) { // the coarser one may be to blame
        slip_trajectory_samples_destroy(&other);
        if (!run_companion(j, (slip_resolution){ .factor = finer }, &other)) {
            slip_trajectory_samples_destroy(&other);
            return;
        }
        found = slip_agreement_of(&j->measure, j->run, &other, j->run);
        store_horizon(j, found, finer);
        if (found.until >= until && slip_formulation_is_compliant(sim->formulation)) judge_softness(j);
    }
    if (found.until < until)
        explain_disagreement(j, &other, finer);
    else
        judge_second_motion(j);
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
    if (j->sim->agreement && slip_agreement_create(&j->measure, j->sim, track, j->accuracy)) judge_run(j);
}

void slip_horizon_find(slip_sim *sim, const slip_trajectory_samples *track, double accuracy,
                       slip_companion *spare, const volatile sig_atomic_t *stop)
{
    horizon_search j = { .sim = sim, .run = track, .accuracy = accuracy, .stop = stop, .spare = spare };
    judge_all(&j);
    slip_agreement_destroy(&j.measure);
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
    slip_agreement_destroy(&j.measure);
    return begun;
}
