/// formulation/ode/impact_check_simultaneous.c: what impacts of compliant contacts amount to. See
/// impact_check_simultaneous.h.
#include "formulation/ode/impact_check_simultaneous.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "model/model.h"
#include "formulation/ode/rigid_impact_reference.h"
#include "formulation/ode/ode_tolerances.h"

enum { MAX_FRICTION_CHECKS = 64 }; // impacts with friction that are looked at in a run

struct slip_simultaneous_check {
    const slip_ode *ode;
    int count;
    const int *element;
    double *speed;         // m/s, with which an impact that lasts began; 0: there is none
    unsigned char *shared; // another contact was closed meanwhile
    double fastest;        // m/s, of all impacts so far
    bool paused, told;
    int off; // the first that was, -1: none
    double off_speed, made;

    slip_impact_reference *rebound; // NULL where nothing rubs
    struct blow {
        double t; // s; below 0: nothing to compare with
        slip_contact_rates before, after;
    } * blow;
    int looks;
    bool turned; // `off` is by friction: this came out
    slip_contact_rates came;
};

slip_simultaneous_check *slip_simultaneous_check_create(const slip_ode *ode, int count, const int *element,
                                                        slip_contact_response *response)
{
    slip_simultaneous_check *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    *s = (slip_simultaneous_check){ .ode = ode, .count = count, .element = element, .off = -1 };
    s->speed = calloc((size_t)count + 1, sizeof *s->speed);
    s->shared = calloc((size_t)count + 1, sizeof *s->shared);
    s->blow = calloc((size_t)count + 1, sizeof *s->blow);
    if (s->speed && s->shared && s->blow &&
        slip_impact_reference_create(ode, count, response, &s->rebound) == SLIP_OK) {
        for (int k = 0; k < count; k++) s->blow[k].t = -1.0;
        return s;
    }
    slip_simultaneous_check_destroy(s);
    return NULL;
}

void slip_simultaneous_check_destroy(slip_simultaneous_check *s)
{
    if (!s) return;
    free(s->speed);
    free(s->shared);
    free(s->blow);
    slip_impact_reference_destroy(s->rebound);
    free(s);
}

void slip_simultaneous_check_archive(slip_simultaneous_check *s, slip_archive *a)
{
    slip_archive_doubles(a, "strike_speed", s->speed, (size_t)s->count);
    slip_archive_bytes(a, "strike_shared", s->shared, (size_t)s->count);
    slip_archive_double(a, "strike_fastest", &s->fastest);
    slip_archive_bool(a, "strikes_told", &s->told);
    slip_archive_doubles(a, "strike_blow", &s->blow[0].t,
                         sizeof *s->blow / sizeof(double) * (size_t)s->count);
    slip_archive_int(a, "strikes_looked_at", &s->looks);
}

void slip_simultaneous_check_pause(slip_simultaneous_check *s, bool paused)
{
    s->paused = paused;
}

// what the constants were chosen for; NaN where the model gives them
static double design_restitution(const slip_simultaneous_check *s, int k)
{
    const slip_contact *c = s->ode->equations->elements[s->element[k]].contact;
    return c->restitution_given ? c->restitution : NAN;
}

// without a restitution there is none
static void predict_rigid_impact(slip_simultaneous_check *s, int k, double t, const double *x)
{
    struct blow *b = &s->blow[k];
    const double e = design_restitution(s, k);
    b->t = -1.0;
    if (!s->rebound || s->looks >= MAX_FRICTION_CHECKS || !(s->speed[k] > 0.0)) return;
    s->looks++;
    if (slip_impact_reference_solve(s->rebound, k, t, x, isnan(e) ? 0.0 : e, &b->before, &b->after)) b->t = t;
}

// an impact that forces matter little in, so that it can be compared with a rigid law
static bool is_compared(const slip_simultaneous_check *s, double speed, double load)
{
    return speed > MIN_SPEED_OVER_CREEP * s->ode->creep && speed > MIN_SPEED_OVER_LOAD * load;
}

void slip_simultaneous_check_begin(slip_simultaneous_check *s, int k, double t, const double *x, double speed,
                                   double load, const double *gap)
{
    if (s->paused || s->told) return;
    s->speed[k] = is_compared(s, speed, load) ? speed : 0.0;
    s->fastest = fmax(s->fastest, s->speed[k]);
    s->shared[k] = 0;
    for (int j = 0; j < s->count; j++) {
        if (j == k || (gap[j] > 0.0 && s->speed[j] == 0.0)) continue;
        s->shared[k] = s->shared[j] = 1;
    }
    predict_rigid_impact(s, k, t, x);
}

// whether friction made of an impact what it should have; the gap counts where a restitution was stated
static bool friction_impact_differs(slip_simultaneous_check *s, int k, double t, const double *x)
{
    const struct blow *b = &s->blow[k];
    if (!s->rebound || s->shared[k] || b->t < 0.0 || t - b->t > MAX_DURATION_OVER_TAU * s->ode->tau)
        return false;
    s->came = slip_impact_reference_rates(s->rebound, k, t, x);
    double across = slip_hypot(s->came.slip[0] - b->after.slip[0], s->came.slip[1] - b->after.slip[1]);
    double along = isnan(design_restitution(s, k)) ? 0.0 : s->came.gap - b->after.gap;
    double fast = slip_hypot(b->before.gap, slip_hypot(b->before.slip[0], b->before.slip[1]));
    if (!(slip_hypot(across, along) > FRICTION_RATE_TOLERANCE * fast)) return false;
    // what is pressed on again at once goes on to rub, and what friction has not done yet it does then
    return fmax(s->came.gap, b->after.gap) > MIN_REBOUND_OF_SPEED * -b->before.gap ||
           !slip_impact_reference_is_pressed(s->rebound, k, t, x);
}

// whether an impact that contact k takes part in goes on without it
static bool goes_on(const slip_simultaneous_check *s, int k, const double *gap)
{
    for (int j = 0; j < s->count && s->shared[k]; j++)
        if (j != k && s->shared[j] && s->speed[j] > 0.0 && gap[j] <= 0.0) return true;
    return false;
}

// What came of an impact of several contacts, which is over: on average over them, and of each. Contacts that
// touch one after another within an impact turn the body a little, which the average leaves out.
static void compare_shared_impact(slip_simultaneous_check *s, const double *rate)
{
    double before = 0.0, after = 0.0, stated = 0.0, worst = 0.0;
    int k = -1;
    for (int j = 0; j < s->count; j++) {
        const double began = s->shared[j] ? s->speed[j] : 0.0, e = design_restitution(s, j);
        if (!(began > 0.0) || isnan(e)) continue;
        before += began, after += rate[j], stated += e * began;
        if (fabs(rate[j] / began - e) >= worst) k = j, worst = fabs(rate[j] / began - e);
    }
    if (k < 0 || s->off >= 0) return;
    const double allowed = SHARED_RESTITUTION_TOLERANCE + RESTITUTION_RELATIVE_TOLERANCE * stated / before;
    if (!(fabs(after - stated) > allowed * before) && !(worst > EACH_RESTITUTION_TOLERANCE)) return;
    if (!(worst * s->speed[k] > REBOUND_OF_FASTEST_IMPACT * s->fastest)) return;
    s->off = k;
    s->off_speed = s->speed[k];
    s->made = rate[k] / s->speed[k];
}

void slip_simultaneous_check_end(slip_simultaneous_check *s, int k, double t, const double *x,
                                 const double *gap, const double *rate)
{
    if (s->paused || s->told || goes_on(s, k, gap)) return;
    if (s->off < 0 && s->speed[k] > 0.0 && friction_impact_differs(s, k, t, x)) s->off = k, s->turned = true;
    if (!s->shared[k]) {
        s->speed[k] = 0.0;
        return;
    }
    compare_shared_impact(s, rate);
    for (int j = 0; j < s->count; j++)
        if (s->shared[j]) s->speed[j] = 0.0;
}

static void warn_friction_impact(const slip_simultaneous_check *s, slip_method *method, const char *name)
{
    const struct blow *b = &s->blow[s->off];
    slip_warning *w = slip_method_warn(
        method, SLIP_WARNING_RESTITUTION, name,
        "contact %s: it struck at %.3g m/s with a slip of %.3g m/s, and came off at %.3g m/s with a slip of "
        "%.3g m/s; a rigid contact would have %.3g and %.3g m/s. Its constants are chosen for the normal "
        "direction alone, and friction changes the impact while it lasts. Rigid formulations (lcp, "
        "moreau) give the stated rebound",
        name, -b->before.gap, b->before.slip[0], s->came.gap, s->came.slip[0], b->after.gap,
        b->after.slip[0]);
    slip_warning_value(w, "impact speed", -b->before.gap, "m/s");
    slip_warning_value(w, "rebound", s->came.gap, "m/s");
    slip_warning_value(w, "slip", s->came.slip[0], "m/s");
    slip_warning_value(w, "rigid rebound", b->after.gap, "m/s");
    slip_warning_value(w, "rigid slip", b->after.slip[0], "m/s");
}

void slip_simultaneous_check_report(slip_simultaneous_check *s, slip_method *method)
{
    if (s->off < 0 || s->told) return;
    s->told = true;
    if (s->turned) {
        warn_friction_impact(s, method, s->ode->elements[s->element[s->off]].name);
        return;
    }
    const char *name = s->ode->elements[s->element[s->off]].name;
    double e = design_restitution(s, s->off);
    slip_warning *w = slip_method_warn(
        method, SLIP_WARNING_RESTITUTION, name,
        "contact %s: it struck at %.3g m/s while others were closed, and came off with a restitution of "
        "%.3g, not %.3g: forces of contacts that strike one after another within one impact answer one "
        "another. Rigid formulations (lcp, moreau) give the stated restitution",
        name, s->off_speed, s->made, e);
    slip_warning_value(w, "restitution", s->made, "");
    slip_warning_value(w, "stated restitution", e, "");
    slip_warning_value(w, "impact speed", s->off_speed, "m/s");
}
