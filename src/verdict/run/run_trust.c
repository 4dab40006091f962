/// verdict/run/run_trust.c: whether a run is trusted.
#include <math.h>

#include "verdict/run/run_trust.h"
#include "simulation/sim/sim.h"
#include "slipstick/run.h"
#include "verdict/contact/verdict_tolerances.h"

// Of the largest energy of the run: with a larger error of the scheme the motion is visibly wrong, while an
// ordinary step of a scheme of first order stays below it.
const double SLIP_MAX_ENERGY_ERROR = 0.05;

static const char SCHEME_ENERGY_DOUBT[] =
    "the scheme itself changed the energy by more than 5 %: take a smaller step";

static const char NO_COMPANION[] =
    "no second run at another resolution was made, so nothing is known about the error of this one";
static const char NO_VERDICT[] = "the verdict on rigid contacts is off (run.verdict)";

const char *slip_trust_name(slip_run_outcome outcome, slip_trust trust)
{
    static const char *const words[] = { [SLIP_TRUST_DOUBTFUL] = "doubtful",
                                         [SLIP_TRUST_TRUSTED] = "trusted",
                                         [SLIP_TRUST_UNCHECKED] = "unchecked" };
    if (outcome == SLIP_DONE) return words[trust];
    if (outcome == SLIP_STOPPED || outcome == SLIP_PAUSED) return slip_run_outcome_name(outcome);
    return "ended early";
}

double slip_run_energy_error(slip_sim *sim)
{
    slip_energy e = slip_sim_energy(sim);
    if (!e.known) return NAN;
    double turned = fabs(e.work) + fabs(e.friction) + fabs(e.contact) + fabs(e.impact);
    double size = fmax(fmax(fabs(e.start), fabs(e.kinetic + e.potential)), turned);
    size = fmax(size, fmax(e.kinetic, sim->energy_passed)); // a potential energy may be what one likes
    return size > ENERGY_ROUNDING ? fabs(e.numerical) / size : 0.0;
}

// the farthest that a coordinate is from where it starts, and from zero
static void measure_motion(const slip_sim *sim, double *moved, double *reach)
{
    const slip_model *model = sim->model;
    for (int k = 0; model->type == SLIP_MECHANICS && k < model->coordinate_count; k++) {
        *reach = fmax(*reach, fabs(sim->method->state[k]));
        *moved = fmax(*moved, fabs(sim->method->state[k] - model->coordinates[k].start));
    }
}

// The largest energy on the way to `until`, or the work done and taken back, whichever is more; 0 when the
// run does not get there. Rounding of what stands still does any work beside none
static double energy_throughput(slip_sim *sim, double until, const volatile sig_atomic_t *stop)
{
    double largest = 0.0, turned = 0.0, before = 0.0, moved = 0.0, reach = MIN_EXTENT;
    slip_sim_set_stop_flag(sim, stop);
    slip_sim_ignore_stop(sim);
    while (sim->method->t < until) {
        slip_run_outcome outcome = slip_sim_step(sim);
        if (outcome != SLIP_RUNNING && outcome != SLIP_DONE) return 0.0;
        slip_energy e = slip_sim_energy(sim);
        largest = fmax(largest, fmax(e.kinetic, fabs(e.kinetic + e.potential)));
        turned += fabs(e.work - before);
        before = e.work;
        measure_motion(sim, &moved, &reach);
        if (outcome == SLIP_DONE) break;
    }
    return moved > 0.0 && moved <= STANDSTILL_TOLERANCE * reach ? INFINITY : fmax(largest, turned);
}

void slip_run_measure_energy(slip_sim *sim, const volatile sig_atomic_t *stop)
{
    sim->energy_passed = 0.0;
    if (!(slip_run_energy_error(sim) > SLIP_MAX_ENERGY_ERROR)) return;
    slip_sim_def def = slip_sim_settings(sim);
    def.draw = def.strict = false;
    def.sensitivity = NULL;
    slip_sim *again = NULL;
    if (slip_sim_create(sim->model, &def, NULL, &again) != SLIP_OK) return;
    sim->energy_passed = energy_throughput(again, sim->method->t, stop);
    slip_sim_destroy(again);
}

// A verdict of an instant, as where a mode changes, is none on the motion; and `auto` has acted on its own
static bool is_contact_doubtful(const slip_method *m)
{
    const slip_verdict_record *t = &m->trust;
    if (!t->judged || t->resolved || t->worst == SLIP_TRUSTED) return false;
    double unknown = t->seconds[SLIP_UNKNOWN_VERDICT];
    if (t->now == SLIP_UNKNOWN_VERDICT) unknown += m->t - t->since;
    return t->worst != SLIP_UNKNOWN_VERDICT || unknown > 0.0;
}

static const char *doubt_of(slip_sim *sim, const slip_run_info *info)
{
    const slip_verdict_record *t = &sim->method->trust;
    if (info->outcome != SLIP_DONE) return info->text[0] ? info->text : slip_run_outcome_text(info->outcome);
    const char *warning = slip_sim_warning(sim, 0);
    if (is_contact_doubtful(sim->method) && !warning) return t->text ? t->text : slip_verdict_text(t->worst);
    if (warning) return warning;
    return slip_run_energy_error(sim) > SLIP_MAX_ENERGY_ERROR ? SCHEME_ENERGY_DOUBT : NULL;
}

// `auto` judges its contacts whatever the model says; compliant contacts have no verdict
static bool is_verdict_left_out(const slip_sim *sim)
{
    const slip_model *model = sim->model;
    const bool touches = model->type == SLIP_MECHANICS && (model->element_count > 0 || model->crowd);
    return touches && model->run.verdict == SLIP_JUDGE_NONE && !sim->method->trust.judged &&
           !slip_formulation_is_compliant(sim->formulation);
}

slip_trust slip_run_judge(slip_sim *sim, const slip_run_info *info, const char **reason)
{
    *reason = doubt_of(sim, info);
    if (*reason) return SLIP_TRUST_DOUBTFUL;
    *reason = is_verdict_left_out(sim) ? NO_VERDICT : !sim->horizon.known ? NO_COMPANION : "";
    return **reason ? SLIP_TRUST_UNCHECKED : SLIP_TRUST_TRUSTED;
}

const char *slip_run_trust(slip_sim *sim, const slip_run_info *info, const char **doubt)
{
    const char *reason;
    const slip_trust trust = slip_run_judge(sim, info, &reason);
    if (doubt) *doubt = reason;
    return slip_trust_name(info->outcome, trust);
}

void slip_run_check_energy(slip_sim *sim, const volatile sig_atomic_t *stop)
{
    slip_run_measure_energy(sim, stop);
    double part = slip_run_energy_error(sim);
    if (!(part > SLIP_MAX_ENERGY_ERROR)) return;
    slip_warning *w =
        slip_method_warn(sim->method, SLIP_WARNING_ENERGY_CREATED, "", "%s", SCHEME_ENERGY_DOUBT);
    slip_warning_value(w, "part of the energy", part, "");
}
