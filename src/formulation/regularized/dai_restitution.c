/// formulation/regularized/dai_restitution.c: restitution of formulation dai, exactly, and its inverse.
///
/// In contact (Xiong 2013, eqs 24-25 with the max on its contact side), scaled by w = sqrt(K/m) and the
/// impact speed:  p' = v,  v' = F,  e' = -(p + e)/a,  F = e - (b/a)(p + e),  from p = e = 0, v = -1.
/// This is linear; its exponential is summed as a Taylor series over steps short enough to need no
/// care about nearly equal eigenvalues of the cubic a s^3 + s^2 + b s + 1 = 0.
#include <float.h>
#include <math.h>

#include "base/json.h"
#include "slipstick/design.h"
#include "formulation/regularized/regularized_tolerances.h"

typedef struct contact {
    double p, v, e;
} contact;

typedef struct groups {
    double a, b;
} groups;

static contact contact_derivative(groups g, contact x)
{
    double e_rate = -(x.p + x.e) / g.a;
    return (contact){ x.v, x.e + g.b * e_rate, e_rate };
}

static double contact_force(groups g, contact x)
{
    return x.e - g.b * (x.p + x.e) / g.a;
}

// exp(A dt) x by its series; |A dt| <= 1 makes 24 terms enough for double precision
static contact contact_flow(groups g, contact x, double dt)
{
    contact sum = x, term = x;
    for (int k = 1; k <= 24; k++) {
        contact d = contact_derivative(g, term);
        double f = dt / k;
        term = (contact){ f * d.p, f * d.v, f * d.e };
        sum.p += term.p, sum.v += term.v, sum.e += term.e;
    }
    return sum;
}

/// A sign change of f between two points, by the Illinois variant of false position: the bracket is kept,
/// and a dozen evaluations do what bisection needs fifty for.
static double find_root(double (*f)(const void *context, double x), const void *context, double low,
                        double high)
{
    double at_low = f(context, low), at_high = f(context, high), x = low;
    for (int k = 0, side = 0; k < 100 && high - low > 4 * DBL_EPSILON * high; k++) {
        x = (at_low * high - at_high * low) / (at_low - at_high);
        if (!(x > low && x < high)) x = 0.5 * (low + high);
        double at = f(context, x);
        if (at == 0.0) return x;
        if ((at > 0.0) == (at_low > 0.0)) {
            low = x, at_low = at;
            if (side < 0) at_high *= 0.5;
            side = -1;
        } else {
            high = x, at_high = at;
            if (side > 0) at_low *= 0.5;
            side = 1;
        }
    }
    return x;
}

/// A quantity of the contact along the flow from x.
typedef struct course {
    groups g;
    contact x;
    double (*quantity)(groups, contact);
} course;

static double quantity_at(const void *context, double t)
{
    const course *c = context;
    return c->quantity(c->g, contact_flow(c->g, c->x, t));
}

// the time in (0, dt] at which quantity(x) changes sign; it is not 0 just behind the start
static double crossing_time(groups g, contact x, double dt, double (*quantity)(groups, contact))
{
    return find_root(quantity_at, &(course){ g, x, quantity }, CROSSING_AFTER_START * dt, dt);
}

static double contact_velocity(groups g, contact x)
{
    (void)g;
    return x.v;
}

static double force_rate(groups g, contact x)
{
    return contact_force(g, contact_derivative(g, x));
}

slip_dai_free_impact slip_dai_impact(double ratio, double beta_w)
{
    const slip_dai_free_impact none = { NAN, NAN, NAN, NAN, NAN };
    groups g = { ratio * beta_w, beta_w };
    if (!(ratio > 0.0 && ratio <= 1.0 && beta_w > 0.0 && beta_w <= MAX_COMPUTED_BETA_W && g.a >= MIN_ALPHA_W))
        return none;
    double norm = 1.0 + g.b / g.a + 1.0 / g.a, dt = fmin(0.2, 1.0 / norm);
    contact x = { 0.0, -1.0, 0.0 };
    slip_dai_free_impact out = { 0 };
    for (double t = 0.0;; t += dt) {
        contact next = contact_flow(g, x, dt);
        if (x.v < 0.0 && next.v >= 0.0)
            out.penetration = -contact_flow(g, x, crossing_time(g, x, dt, contact_velocity)).p;
        if (out.peak_force == 0.0 && force_rate(g, next) <= 0.0)
            out.peak_force = contact_force(g, contact_flow(g, x, crossing_time(g, x, dt, force_rate)));
        if (contact_force(g, next) <= 0.0) {
            double end = crossing_time(g, x, dt, contact_force);
            contact release = contact_flow(g, x, end);
            out.restitution = release.v;
            out.release = -release.p;
            out.duration = t + end;
            return out;
        }
        x = next;
    }
}

typedef struct wish {
    double restitution, beta_w;
} wish;

static double restitution_excess(const void *context, double ratio)
{
    const wish *w = context;
    return slip_dai_impact(ratio, w->beta_w).restitution - w->restitution;
}

double slip_dai_ratio(double restitution, double beta_w)
{
    if (restitution >= 1.0 && restitution < 1.0 + RESTITUTION_ROUNDING)
        return beta_w > 0.0 && beta_w <= MAX_COMPUTED_BETA_W ? 1.0 : NAN;
    if (!(restitution < 1.0 && beta_w > 0.0 && beta_w <= MAX_COMPUTED_BETA_W)) return NAN;
    wish w = { restitution, beta_w };
    double low = fmax(MIN_ALPHA_OVER_BETA, MIN_ALPHA_W / beta_w);
    if (restitution_excess(&w, low) > 0.0) return NAN;
    return find_root(restitution_excess, &w, low, 1.0);
}

// How far the constants may go for a step T, found by dropping a ball under rk4 over the whole range of
// restitution and phase of touch-down within a step (docs/dai.md; test/xiong/design.c holds them to it).
// beta w = 1.5 has the smallest error of all beta w that reach down to 0.3; w T = 0.15 keeps it below 0.25 %.
static const double W_T = 0.15, BETA_W = 1.5, MAX_BETA_W = 3.4;
static const double MIN_ALPHA_OVER_STEP = 1.0; // alpha >= T; rk4 is stable from 0.36 T on
static const double STICK_W_T = 0.5, STICK_DAMPING = 0.7;
// without a step to keep to: almost dead impacts, and frictions that answer sooner than the contact
static const double IMPLICIT_BETA_W = 32.0, IMPLICIT_STICK_OF_TAU = 0.15;

void slip_design_dai_friction(double mass, double step, double *K_t, double *beta_t)
{
    double w = STICK_W_T / step;
    *K_t = mass * w * w;
    *beta_t = 2.0 * STICK_DAMPING / w;
}

typedef struct dead_wish {
    double restitution, alpha_w;
} dead_wish;

static double damped_restitution_excess(const void *context, double beta_w)
{
    const dead_wish *w = context;
    return slip_dai_impact(w->alpha_w / beta_w, beta_w).restitution - w->restitution;
}

// At the least alpha, more damping makes the contact deader, down to 0.132 at beta w = 3.4 for alpha w = 0.15
// and to 0.0048 at 14 for 0.01.
static double beta_for_restitution(double restitution, double alpha_w, double max_beta_w)
{
    dead_wish w = { restitution, alpha_w };
    return damped_restitution_excess(&w, max_beta_w) >= 0.0
               ? max_beta_w
               : find_root(damped_restitution_excess, &w, BETA_W, max_beta_w);
}

static slip_dai_design design_contact(double restitution, double mass, double w, double least_alpha_w,
                                      double max_beta_w)
{
    double b = BETA_W, ratio = slip_dai_ratio(restitution, b);
    if (!(ratio * b >= least_alpha_w)) {
        b = beta_for_restitution(restitution, least_alpha_w, max_beta_w);
        ratio = least_alpha_w / b;
    }
    slip_dai_free_impact impact = slip_dai_impact(ratio, b);
    slip_dai_design d = { .K = mass * w * w, .beta = b / w };
    d.alpha = ratio * d.beta;
    d.restitution = impact.restitution;
    d.reachable = fabs(impact.restitution - restitution) < RESTITUTION_REACHED;
    d.contact_time = impact.duration / w;
    d.penetration = impact.penetration / w;
    d.peak_force = impact.peak_force * sqrt(d.K * mass);
    d.release = impact.release / w;
    return d;
}

static bool makes_sense(double restitution, double mass, double time)
{
    return restitution >= 0.0 && restitution <= 1.0 && mass > 0.0 && time > 0.0;
}

static slip_dai_design no_design(void)
{
    return (slip_dai_design){ NAN, NAN, NAN, NAN, NAN, NAN, false, NAN, NAN, NAN, NAN };
}

slip_dai_design slip_design_dai(double restitution, double mass, double step)
{
    if (!makes_sense(restitution, mass, step)) return no_design();
    slip_dai_design d = design_contact(restitution, mass, W_T / step, MIN_ALPHA_OVER_STEP * W_T, MAX_BETA_W);
    slip_design_dai_friction(mass, step, &d.K_t, &d.beta_t);
    return d;
}

slip_dai_design slip_design_dai_stiff(double restitution, double mass, double tau)
{
    if (!makes_sense(restitution, mass, tau)) return no_design();
    slip_dai_design d = design_contact(restitution, mass, 1.0 / tau, IMPLICIT_ALPHA_W, IMPLICIT_BETA_W);
    slip_design_dai_friction(mass, IMPLICIT_STICK_OF_TAU * tau, &d.K_t, &d.beta_t);
    return d;
}

char *slip_dai_design_json(const slip_dai_design *d)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_number(&json, "K", d->K);
    slip_json_number(&json, "alpha", d->alpha);
    slip_json_number(&json, "beta", d->beta);
    slip_json_number(&json, "K_t", d->K_t);
    slip_json_number(&json, "beta_t", d->beta_t);
    slip_json_number(&json, "restitution", d->restitution);
    slip_json_bool(&json, "reachable", d->reachable);
    slip_json_number(&json, "contact_time", d->contact_time);
    slip_json_number(&json, "penetration", d->penetration);
    slip_json_number(&json, "peak_force", d->peak_force);
    slip_json_number(&json, "release", d->release);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
