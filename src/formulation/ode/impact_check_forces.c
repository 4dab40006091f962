/// formulation/ode/impact_check_forces.c: what forces take from a restitution while a contact of some steps
/// lasts.
#include "formulation/ode/impact_check_forces.h"
#include "formulation/ode/ode_tolerances.h"

#include <math.h>
#include <stdlib.h>

struct slip_force_check {
    slip_ode *ode;
    slip_tape *tape; // rates of the gaps
    double *reg;
    double *xdot, *moved;
    double *before, *after; // rates of the gaps, at both ends of a step
    unsigned char *was;     // per contact: SLIP_MODE_CLOSED, and IMPACT_CHECKED once an impact was looked at
};

enum { IMPACT_CHECKED = 128 };

void slip_force_check_destroy(slip_force_check *b)
{
    if (!b) return;
    slip_tape_destroy(b->tape);
    free(b->reg);
    free(b->xdot);
    free(b->moved);
    free(b->before);
    free(b->after);
    free(b->was);
    free(b);
}

void slip_force_check_archive(slip_force_check *b, slip_archive *a)
{
    slip_archive_bytes(a, "bounces", b->was, (size_t)b->ode->bounce_count);
}

static bool init_force_check(slip_force_check *b)
{
    slip_ode *ode = b->ode;
    size_t size = (size_t)(ode->state_count + ode->ledger_count), count = (size_t)ode->bounce_count;
    slip_ref *roots = malloc(count * sizeof *roots);
    for (size_t k = 0; roots && k < count; k++) roots[k] = ode->bounces[k].rate;
    b->tape = roots ? slip_tape_create(ode->graph, roots, (int)count) : NULL;
    free(roots);
    b->reg = b->tape ? calloc((size_t)slip_tape_registers(b->tape) + 1, sizeof *b->reg) : NULL;
    b->xdot = calloc(size, sizeof *b->xdot);
    b->moved = calloc(size, sizeof *b->moved);
    b->before = calloc(count, sizeof *b->before);
    b->after = calloc(count, sizeof *b->after);
    b->was = calloc(count, 1);
    if (!b->before || !b->after || !b->reg || !b->xdot || !b->moved || !b->was) return false;
    slip_tape_start(b->tape, b->reg);
    return true;
}

slip_status slip_force_check_create(slip_ode *ode, slip_error *error, slip_force_check **out)
{
    *out = NULL;
    if (ode->bounce_count == 0) return SLIP_OK;
    slip_force_check *b = calloc(1, sizeof *b);
    if (b) b->ode = ode;
    if (!b || !init_force_check(b)) {
        slip_force_check_destroy(b);
        return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    }
    *out = b;
    return SLIP_OK;
}

// rates of all gaps at (t, x), into `rates`
static void gap_rates(slip_force_check *b, double t, const double *x, double *rates)
{
    slip_ode_load_state(b->ode, b->reg, t, x);
    slip_tape_run(b->tape, b->reg);
    for (int k = 0; k < b->ode->bounce_count; k++) rates[k] = b->reg[slip_tape_result(b->tape, k)];
}

// rates of all gaps before the step from (t, x), and after it had nothing touched: once for all that touch in
// it
static bool gap_rates_over_step(slip_force_check *b, double h, double t, const double *x)
{
    if (!(h > 0.0) || !slip_ode_rate(b->ode, t, x, b->xdot)) return false;
    gap_rates(b, t, x, b->before);
    for (int i = 0; i < b->ode->state_count; i++) b->moved[i] = x[i] + h * b->xdot[i];
    gap_rates(b, t + h, b->moved, b->after);
    return true;
}

// An impact that ends at the depth d = release v has to climb from there: from heights, a drop realises
// sqrt((e - lost)^2 - 2 lost) with lost = a d/v^2 (docs/dai.md).
static double realised_restitution(double e, double lost)
{
    double rest = fmax(0.0, e - lost);
    return sqrt(fmax(0.0, rest * rest - 2.0 * lost));
}

static bool check_restitution(slip_method *method, const struct slip_ode_checked_contact *contact,
                              const char *name, double pull, double speed, double step)
{
    double e = contact->restitution, lost = pull * contact->release / speed;
    if (e < MIN_CHECKED_RESTITUTION || !(lost > 0.0 && lost < MAX_IMPACT_SPEED_CHANGE) ||
        !(realised_restitution(e, lost) < (1.0 - RESTITUTION_RELATIVE_TOLERANCE) * e))
        return false;
    slip_warning *w = slip_method_warn(
        method, SLIP_WARNING_RESTITUTION, name,
        "contact %s: forces act on it while an impact lasts, so its first one, at %.3g m/s, realises a "
        "restitution of about %.3g, not %.3g, by the height it reaches; with a smaller step it lasts less, "
        "and "
        "integrator substeps makes it as short as the motion asks for",
        name, speed, realised_restitution(e, lost), e);
    slip_warning_value(w, "restitution", realised_restitution(e, lost), "");
    slip_warning_value(w, "stated restitution", e, "");
    slip_warning_value(w, "impact speed", speed, "m/s");
    // to first order e - realised is lost (1 + e)/e
    double within = RESTITUTION_ADVICE_MARGIN * RESTITUTION_RELATIVE_TOLERANCE * e * e / (1.0 + e);
    slip_warning_advise(w, "run.step", slip_round_down_two_digits(step * within / lost));
    slip_warning_advise_word(w, "run.integrator", "substeps");
    return true;
}

static void check_duration(slip_method *method, const struct slip_ode_checked_contact *contact,
                           const char *name, double pull, double speed, double step)
{
    double turned = fabs(pull) * contact->lasts / speed,
           allowed = pull > 0.0 ? MAX_LOAD_SPEED_CHANGE : MAX_CURVATURE_SPEED_CHANGE;
    if (!(turned > allowed && speed * contact->lasts > MIN_IMPACT_DEPTH) ||
        (pull > 0.0 && turned > MAX_IMPACT_SPEED_CHANGE))
        return;
    slip_warning *w = slip_method_warn(method, SLIP_WARNING_TOO_SOFT, name,
                                       "contact %s is too soft for its impacts: with what this step allows "
                                       "the first one, at %.3g m/s, lasts "
                                       "%.2g s, and the motion that it interrupts changes the approach by "
                                       "%.2g %% meanwhile; take integrator "
                                       "substeps, or a step of %.2g s or less",
                                       name, speed, contact->lasts, 100.0 * turned,
                                       slip_round_down_two_digits(step * allowed / turned));
    slip_warning_value(w, "impact speed", speed, "m/s");
    slip_warning_value(w, "duration", contact->lasts, "s");
    slip_warning_advise(w, "run.step", slip_round_down_two_digits(step * allowed / turned));
    slip_warning_advise_word(w, "run.integrator", "substeps");
}

// True if it was looked at: a bounce too low to be seen says nothing about those that matter
static bool check_impact(const slip_force_check *b, slip_method *method, int k, double step, double h)
{
    const struct slip_ode_checked_contact *contact = &b->ode->bounces[k];
    const char *name = b->ode->elements[contact->element].name;
    double pull = (b->before[k] - b->after[k]) / h, speed = -0.5 * (b->before[k] + b->after[k]);
    if (pull > 0.0 && speed * speed < 2.0 * pull * MIN_BOUNCE_OF_DEPTH * contact->depth) return false;
    if (!(speed > 0.0)) return true;
    if (!check_restitution(method, contact, name, pull, speed, step))
        check_duration(method, contact, name, pull, speed, step);
    return true;
}

void slip_force_check_update(slip_force_check *b, slip_method *method, double step, double t, const double *x)
{
    bool looked = false, seen = false;
    for (int k = 0; k < b->ode->bounce_count; k++) {
        unsigned char now = method->mode[b->ode->bounces[k].element] & SLIP_MODE_CLOSED, was = b->was[k];
        bool touches = now && !(was & SLIP_MODE_CLOSED) && !(was & IMPACT_CHECKED) && !isnan(t);
        if (touches && !looked) seen = gap_rates_over_step(b, method->t - t, t, x), looked = true;
        const bool checked = touches && (!seen || check_impact(b, method, k, step, method->t - t));
        b->was[k] = (unsigned char)(now | (was & IMPACT_CHECKED) | (checked ? IMPACT_CHECKED : 0));
    }
}
