/// formulation/ode/ode_step_check.c: warnings about a step that is too long for the model.
#include <math.h>
#include <stdio.h>

#include "formulation/ode/ode_run.h"
#include "formulation/ode/ode_tolerances.h"

static void warn_step_limit(slip_ode_run *m, slip_step_limit limit, const char *regime)
{
    if (limit.step < m->base.largest_stable_step) m->base.largest_stable_step = limit.step;
    if (!(m->step > limit.step * (1.0 + STEP_LIMIT_SLACK))) return;
    char mode[64];
    if (limit.im > REAL_EIGENVALUE * fabs(limit.re))
        snprintf(mode, sizeof mode, "%.4g +- %.4gi", limit.re, limit.im);
    else
        snprintf(mode, sizeof mode, "%.4g", limit.re);
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_STEP_TOO_LONG, "",
        "the step of %g s is too long for %s %s: its largest stable step there is %.3g s (eigenvalue %s "
        "1/s, around %s), beyond it expect creep and chatter; integrator sdirk4 has no such limit",
        m->step, m->integrator->info.name, regime, limit.step, mode, limit.state);
    slip_warning_value(w, "largest stable step", limit.step, "s");
    slip_warning_value(w, "eigenvalue, real part", limit.re, "1/s");
    slip_warning_value(w, "eigenvalue, imaginary part", limit.im, "1/s");
    slip_warning_advise(w, "run.step", slip_round_down_two_digits(0.98 * limit.step));
    slip_warning_advise_word(w, "run.integrator", "sdirk4");
}

// an integrator that passes on the step of each stage has no eigenvalue to name
static void warn_staged_limit(slip_ode_run *m, slip_step_limit limit, const char *regime)
{
    if (!(limit.step < m->step)) return;
    if (limit.step < m->base.largest_stable_step) m->base.largest_stable_step = limit.step;
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_STEP_TOO_LONG, "",
        "the step of %g s is too long for %s %s: its largest stable step there is %.3g s (around %s), beyond "
        "it expect creep and chatter; give softer constants, or those of this run with a step of %.2g s or "
        "less (left out, they stiffen as the step shortens); integrator sdirk4 has no such limit",
        m->step, m->integrator->info.name, regime, limit.step, limit.state,
        slip_round_down_two_digits(0.98 * limit.step));
    slip_warning_value(w, "largest stable step", limit.step, "s");
    slip_warning_advise_word(w, "run.integrator", "sdirk4");
}

static slip_status set_staged_limit(slip_ode_run *m, slip_error *error)
{
    slip_staged_limit *stuck = NULL;
    slip_status status = slip_staged_limit_create(m->ode, true, error, &stuck);
    if (status != SLIP_OK) return status;
    warn_staged_limit(m, slip_staged_limit_at(stuck, m->step, 0.0, m->x),
                      "with every contact closed and sticking");
    slip_staged_limit_destroy(stuck);
    return slip_staged_limit_create(m->ode, false, error, &m->staged);
}

slip_status slip_ode_run_set_step_limits(slip_ode_run *m, slip_error *error)
{
    m->base.largest_stable_step = INFINITY;
    if (m->integrator->first_stage > 0.0) return set_staged_limit(m, error);
    slip_status status = slip_stability_limit_create(m->ode, m->integrator, error, &m->guard);
    if (status != SLIP_OK || !m->guard) return status;
    // a start at which f cannot be evaluated is the first step's to report
    if (slip_ode_run_rate(m, 0.0, m->x, m->step))
        warn_step_limit(m, slip_stability_limit_all_stick(m->guard, 0.0, m->x, m->work.k[0]),
                        "with every contact closed and sticking");
    return SLIP_OK;
}

// Bristles that sliding wears off at |v| K/F per second: beyond RK4_REAL_STABILITY per step rk4 multiplies what
// it should damp (Kikuuwe 2008, errata K14). The motion decides when, so this is asked at every step.
static bool is_worn_off(const slip_ode_run *m, const char **element, double *decay)
{
    *decay = slip_ode_fastest_decay(m->ode, element);
    return !m->integrator->adaptive && *decay * m->step > RK4_REAL_STABILITY && !m->decay_warned;
}

static void check_decay(slip_ode_run *m)
{
    const char *element = "";
    double decay;
    if (!is_worn_off(m, &element, &decay)) return;
    m->decay_warned = true;
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_STEP_TOO_LONG, element,
        "friction %s slides too fast for a step of %g s: its law needs |v| K/F below 2.785/step, and "
        "%.3g 1/s is reached; a softer law would do, or integrator sdirk4",
        element, m->step, decay);
    slip_warning_value(w, "|v| K/F", decay, "1/s");
    slip_warning_advise(w, "run.step", slip_round_down_two_digits(RK4_REAL_STABILITY / decay));
    slip_warning_advise_word(w, "run.integrator", "sdirk4");
}

// A contact whose stiffness the program chose, and which gives way to what rests on it
static bool is_too_soft(slip_ode_run *m, const char **element, double *strain)
{
    *strain = slip_ode_largest_strain(m->ode, element);
    if (!(*strain > 1.0)) m->strained_since = m->base.t;
    bool lasts = m->base.t - m->strained_since >= m->ode->patience;
    return !m->strain_warned && (lasts || *strain > SLIP_STRAIN_TOO_DEEP);
}

static void check_strain(slip_ode_run *m)
{
    const char *element = "";
    double strain;
    if (!is_too_soft(m, &element, &strain)) return;
    m->strain_warned = true;
    slip_warning *w = slip_method_warn(
        &m->base, SLIP_WARNING_TOO_SOFT, element,
        "contact %s is too soft for what rests on it: it is pressed in by %.3g %% of the length of its gap, "
        "and the stiffness that this step allows carries no more; take integrator substeps, a smaller step, "
        "or "
        "give it a stiffness of its own (compliance.stiffness)",
        element, strain);
    slip_warning_value(w, "depth", strain, "%");
    // the stiffness goes as 1/step^2
    slip_warning_advise(w, "run.step", slip_round_down_two_digits(0.9 * m->step / sqrt(strain)));
    if (!m->integrator->finer) slip_warning_advise_word(w, "run.integrator", "substeps");
}

// of the present regime
static void check_stability(slip_ode_run *m)
{
    static const char entered[] = "in the regime that the motion has entered";
    slip_method *base = &m->base;
    slip_step_limit limit;
    slip_ode_run_refresh_rate(m);
    m->watched = true;
    if (m->guard) {
        limit = slip_stability_limit_new_modes(m->guard, base->t, m->x, m->work.k[0], base->mode,
                                               base->largest_stable_step);
        warn_step_limit(m, limit, entered);
    } else {
        limit = slip_staged_limit_new_modes(m->staged, m->step, base->t, m->x, base->mode);
        warn_staged_limit(m, limit, entered);
        slip_ode_set_stage(m->ode, m->integrator->first_stage * m->step);
    }
    m->step_warned = m->step > limit.step; // an answer in doubt is in doubt: no need to look on
}

bool slip_ode_run_needs_check(slip_ode_run *m)
{
    const char *element;
    double value;
    return (m->ode->has_decay && is_worn_off(m, &element, &value)) ||
           (m->ode->patience > 0.0 && is_too_soft(m, &element, &value));
}

void slip_ode_run_check_step(slip_ode_run *m, bool changed)
{
    if (m->ode->has_decay) check_decay(m);
    if (m->ode->patience > 0.0) check_strain(m);
    if ((m->guard || m->staged) && (changed || !m->watched) && !m->step_warned) check_stability(m);
}
