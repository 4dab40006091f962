/// simulation/sim/contact_loads.c: a tally of loads. See contact_loads.h.
#include "simulation/sim/contact_loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "physics/contact/damping_law.h"
#include "physics/contact/hertz.h"
#include "simulation/sim/sim_tolerances.h"

/// A force at an instant, and the power that friction takes there.
typedef struct sample {
    double t, force, power;
} sample;

/// What is known of one element. No pointers: it is archived as bytes.
typedef struct tally {
    sample last[2]; // the last one and the one before it
    int smooth;     // how many of them, up to 2, belong to one stretch of contact
    long count;     // of samples
    double force, force_t;
    double since, squares, contact_time, friction_work; // squares: integral of force^2
    long strikes, rigid;                                // rigid: those of them without a duration
    double impulse, impulse_t;
    double estimate, low, high;
    bool struck;                        // an impact since the last sample
    double pending[2], pending_slip[2]; // its tangential impulse and the slip before it
    bool blow;                          // a compliant strike lasts
    double blow_t, blow_peak, blow_impulse, faded_t, faded_impulse;
} tally;

struct slip_contact_loads {
    const slip_model *model;
    int count;
    int (*at)[SLIP_QUANTITY_COUNT]; // per element: where its records are, -1 without one
    tally *tallies;
    bool means; // forces are means of steps, as of time stepping
    const slip_formulation *formulation;
    bool resolves; // strikes have a duration
    double last_t; // s, of the last sample; NaN before the first
    slip_load_observer observer;
};

// ------------------------------------------------------------------------------------------------- samples

static double value_of(const slip_contact_loads *l, int e, const double *records, slip_quantity q)
{
    return l->at[e][q] >= 0 ? records[l->at[e][q]] : 0.0;
}

static sample sample_of(const slip_contact_loads *l, int e, double t, const double *records)
{
    const slip_contact *c = &l->model->contacts[e];
    const double T[2] = { value_of(l, e, records, SLIP_QUANTITY_FRICTION),
                          value_of(l, e, records, SLIP_QUANTITY_FRICTION_Y) };
    const double v[2] = { value_of(l, e, records, SLIP_QUANTITY_SLIP),
                          value_of(l, e, records, SLIP_QUANTITY_SLIP_Y) };
    sample s = { t, 0.0, -(T[0] * v[0] + T[1] * v[1]) };
    if (c->has_gap)
        s.force = value_of(l, e, records, SLIP_QUANTITY_NORMAL);
    else if (l->at[e][SLIP_QUANTITY_FORCE] >= 0)
        s.force = value_of(l, e, records, SLIP_QUANTITY_FORCE);
    else
        s.force = T[1] == 0.0 ? fabs(T[0]) : sqrt(T[0] * T[0] + T[1] * T[1]);
    return s;
}

static void take_peak(tally *y, double force, double t)
{
    if (force > y->force || isnan(y->force)) y->force = force, y->force_t = t;
}

// The top of the parabola through three samples, where the middle one is the largest
static void take_vertex(tally *y, const sample *a, const sample *b, const sample *c)
{
    const double h = b->t - a->t, k = c->t - b->t;
    if (!(b->force > a->force && b->force >= c->force) || !(h > 0.0 && k > 0.0)) return;
    if (h > MAX_SAMPLE_RATIO * k || k > MAX_SAMPLE_RATIO * h) return;
    const double left = (b->force - a->force) / h, right = (c->force - b->force) / k;
    const double curvature = (right - left) / (h + k), slope = left + curvature * h; // at b
    const double s = -0.5 * slope / curvature;
    if (s > -h && s < k) take_peak(y, b->force + 0.5 * slope * s, b->t + s);
}

// The integral of a function from t1 to t2 by the parabola through its values at t0, t1, t2; the trapezoidal rule
// where the first one does not belong to it
static double integral(bool smooth, double h, double k, double f0, double f1, double f2)
{
    if (!smooth || h > MAX_SAMPLE_RATIO * k || k > MAX_SAMPLE_RATIO * h) return 0.5 * k * (f1 + f2);
    const double curvature = ((f2 - f1) / k - (f1 - f0) / h) / (h + k);
    return 0.5 * k * (f1 + f2) - curvature * k * k * k / 6.0;
}

static double square(double x)
{
    return x * x;
}

// Adds the interval that a sample ends; returns the impulse over it
static double add_interval(const slip_contact_loads *l, tally *y, const sample *s)
{
    const sample *b = &y->last[0], *a = &y->last[1];
    const double k = s->t - b->t, h = b->t - a->t;
    if (!(k > 0.0)) return 0.0;
    if (l->means) { // the sample stands for the whole step
        const double before = y->struck ? b->force : s->force;
        y->squares += k * square(before);
        y->friction_work += k * (y->struck ? b->power : s->power);
        y->contact_time += before > 0.0 ? k : 0.0;
        return k * before;
    }
    const bool smooth = y->smooth == 2 && s->force > 0.0;
    y->squares += integral(smooth, h, k, square(a->force), square(b->force), square(s->force));
    y->friction_work += integral(smooth, h, k, a->power, b->power, s->power);
    y->contact_time += b->force > 0.0 && s->force > 0.0 ? k : b->force > 0.0 ? 0.5 * k : 0.0;
    if (smooth) take_vertex(y, a, b, s);
    return integral(smooth, h, k, a->force, b->force, s->force);
}

static void end_blow(tally *y, double impulse)
{
    if (!(impulse <= y->impulse)) y->impulse = impulse, y->impulse_t = y->blow_t;
}

// A blow ends where the contact opens. Its force may also fall to what a load at rest may be: what comes later counts
// if the contact opens soon, as a load that stays is no part of the blow.
static void follow_blow(tally *y, const sample *s, double impulse, bool has_gap)
{
    if (has_gap && !y->blow && y->count > 0 && !(y->last[0].force > 0.0) && s->force > 0.0) {
        y->blow = true;
        y->strikes++;
        y->blow_t = s->t;
        y->blow_peak = y->blow_impulse = 0.0;
        y->faded_t = NAN;
    }
    if (!y->blow) return;
    y->blow_impulse += impulse;
    y->blow_peak = fmax(y->blow_peak, s->force);
    const bool opens = !(s->force > 0.0), fades = s->force <= BLOW_ENDS_BELOW * y->blow_peak;
    if (isnan(y->faded_t) && fades) y->faded_t = s->t, y->faded_impulse = y->blow_impulse;
    const bool stays = s->t - y->faded_t > BLOW_TAIL_RATIO * (y->faded_t - y->blow_t);
    if (opens || stays) end_blow(y, stays ? y->faded_impulse : y->blow_impulse), y->blow = false;
}

// the work of the tangential impulse of a rigid impact, whose slip is known at both ends now
static void finish_impact(const slip_contact_loads *l, int e, tally *y, const double *records)
{
    const double after[2] = { value_of(l, e, records, SLIP_QUANTITY_SLIP),
                              value_of(l, e, records, SLIP_QUANTITY_SLIP_Y) };
    for (int c = 0; c < 2 && y->struck; c++)
        if (isfinite(y->pending[c]) && isfinite(y->pending_slip[c]) && isfinite(after[c]))
            y->friction_work -= 0.5 * y->pending[c] * (y->pending_slip[c] + after[c]);
}

static void add_sample(slip_contact_loads *l, int e, double t, const double *records)
{
    tally *y = &l->tallies[e];
    const sample s = sample_of(l, e, t, records);
    if (!isfinite(s.force)) return;
    if (y->count == 0) y->since = t;
    const double impulse = y->count ? add_interval(l, y, &s) : 0.0;
    if (l->resolves) follow_blow(y, &s, impulse, l->model->contacts[e].has_gap);
    finish_impact(l, e, y, records);
    // a step of time stepping with an impact in it has a mean force that no one feels
    if (!(l->means && y->struck)) take_peak(y, s.force, t);
    y->smooth = !(s.force > 0.0) || y->struck || l->means ? 0 : y->smooth;
    if (s.force > 0.0 && !l->means && y->smooth < 2) y->smooth++;
    if (!y->count || s.t > y->last[0].t) y->last[1] = y->last[0];
    y->last[0] = l->means && y->struck ? (sample){ t, y->last[0].force, y->last[0].power } : s;
    y->count++;
    y->struck = false;
}

static void sample_all(void *context, double t, const double *records)
{
    slip_contact_loads *l = context;
    if (t < l->last_t) return; // a substep at the rounding of one before it
    for (int e = 0; e < l->count; e++) add_sample(l, e, t, records);
    l->last_t = t;
}

void slip_contact_loads_observe(slip_contact_loads *l, slip_method *m)
{
    if (!l) return;
    bool struck = false;
    for (int e = 0; e < l->count; e++) struck = struck || l->tallies[e].struck;
    if (m->t == l->last_t && !struck) return;
    double kinetic, potential;
    m->ops->record(m, l->observer.records, &kinetic, &potential);
    sample_all(l, m->t, l->observer.records);
}

// ------------------------------------------------------------------------------------------------- impacts

// the mass that an impulse stopped and threw back, and the force that a Hertz contact would have had
static void estimate_peak(const slip_contact *c, tally *y, const slip_event *event)
{
    // a stiffness without an exponent may be that of a linear spring
    const double hertz = slip_contact_hertz_stiffness(c);
    const double n = isnan(hertz) ? c->compliance.beta : HERTZ_EXPONENT,
                 K = isnan(hertz) ? c->compliance.K : hertz;
    if (!(K > 0.0 && n > 0.0) || !(event->approach > 0.0)) return;
    const double mass = event->impulse / ((1.0 + c->restitution) * event->approach);
    const double force = slip_elastic_peak_force(K, n, mass, event->approach);
    if (force <= y->estimate) return;
    y->estimate = force;
    slip_peak_force_range(n, c->restitution, &y->low, &y->high);
    y->low *= force, y->high *= force;
}

void slip_contact_loads_event(slip_contact_loads *l, const slip_event *event)
{
    if (!l || event->kind != SLIP_EVENT_IMPACT || !(event->impulse > 0.0) || isnan(event->approach)) return;
    for (int e = 0; e < l->count; e++) {
        const slip_contact *c = &l->model->contacts[e];
        tally *y = &l->tallies[e];
        if (strcmp(c->name, event->element) != 0) continue;
        y->strikes++, y->rigid++;
        y->struck = true;
        for (int k = 0; k < 2; k++) y->pending[k] = event->impulse_t[k], y->pending_slip[k] = event->slip[k];
        if (!(event->impulse <= y->impulse)) y->impulse = event->impulse, y->impulse_t = event->t;
        estimate_peak(c, y, event);
        return;
    }
}

// ------------------------------------------------------------------------------------------------- results

const char *slip_loaded_name(slip_loaded kind)
{
    static const char *const names[] = { "contact", "friction", "joint" };
    return kind >= 0 && kind <= SLIP_LOADED_JOINT ? names[kind] : "";
}

const char *slip_load_number_name(int k)
{
#define AS_NAME(name, member) name,
    static const char *const names[] = { SLIP_LOAD_NUMBERS(AS_NAME) };
    return k >= 0 && k < (int)(sizeof names / sizeof *names) ? names[k] : NULL;
}

double slip_load_number(const slip_element_loads *loads, int k)
{
#define AS_VALUE(name, member) (double)loads->member,
    const double values[] = { SLIP_LOAD_NUMBERS(AS_VALUE) };
    return k >= 0 && k < (int)(sizeof values / sizeof *values) ? values[k] : NAN;
}

static slip_loaded kind_of(const slip_contact *c)
{
    return c->has_gap                        ? SLIP_LOADED_CONTACT
           : c->load.kind == SLIP_LOAD_JOINT ? SLIP_LOADED_JOINT
                                             : SLIP_LOADED_FRICTION;
}

static double pressure_of(const slip_contact *c, double force)
{
    const slip_elasticity *e = &c->elastic;
    if (isnan(slip_contact_hertz_stiffness(c)) || isnan(force)) return NAN;
    return slip_hertz_pressure(force, slip_hertz_modulus(e->young, e->poisson), e->radius);
}

bool slip_contact_loads_get(const slip_contact_loads *l, int k, slip_element_loads *out)
{
    if (!l || k < 0 || k >= l->count) return false;
    const slip_contact *c = &l->model->contacts[k];
    const tally *y = &l->tallies[k];
    const double seconds = l->last_t - y->since;
    const bool numerical = l->resolves && y->strikes > 0 && !l->formulation->knows_stiffness(c);
    const bool struck = y->rigid > 0 || numerical;
    *out =
        (slip_element_loads){ .element = c->name,
                              .kind = kind_of(c),
                              .unit = c->angular && kind_of(c) != SLIP_LOADED_JOINT ? "N m" : "N",
                              .force = struck ? NAN : y->force,
                              .force_t = struck ? NAN : y->force_t,
                              .between_impacts = l->resolves ? NAN : y->force,
                              .numerical = numerical ? y->force : NAN,
                              .estimate = y->estimate,
                              .low = y->low,
                              .high = y->high,
                              .impulse = y->impulse,
                              .impulse_t = y->impulse_t,
                              .rms = !struck && seconds > 0.0 ? sqrt(fmax(y->squares, 0.0) / seconds) : NAN,
                              .contact_time = y->count ? y->contact_time : NAN,
                              .strikes = y->strikes,
                              .friction_work = y->count ? y->friction_work : NAN };
    out->pressure = pressure_of(c, struck ? y->estimate : y->force);
    return true;
}

// ---------------------------------------------------------------------------------------------------- life

void slip_contact_loads_restart(slip_contact_loads *l)
{
    if (!l) return;
    for (int e = 0; e < l->count; e++)
        l->tallies[e] = (tally){ .force = NAN,
                                 .force_t = NAN,
                                 .impulse = NAN,
                                 .impulse_t = NAN,
                                 .estimate = NAN,
                                 .low = NAN,
                                 .high = NAN };
    l->last_t = NAN;
}

static void find_records(slip_contact_loads *l, const slip_method *m)
{
    const int first = m->record_count - l->model->load_record_count;
    for (int e = 0; e < l->count; e++)
        for (int q = 0; q < SLIP_QUANTITY_COUNT; q++) l->at[e][q] = -1;
    for (int k = 0; k < l->model->load_record_count; k++) {
        const slip_load_record *r = &l->model->load_records[k];
        l->at[r->element][r->quantity] = first + k;
    }
}

bool slip_contact_loads_create(const slip_model *model, slip_method *m, const slip_formulation *formulation,
                               slip_contact_loads **out)
{
    *out = NULL;
    if (!model->load_record_count) return true;
    slip_contact_loads *l = calloc(1, sizeof *l);
    if (!l) return false;
    *out = l;
    l->model = model;
    l->count = model->element_count;
    l->at = calloc((size_t)l->count, sizeof *l->at);
    l->tallies = calloc((size_t)l->count, sizeof *l->tallies);
    l->observer =
        (slip_load_observer){ l, calloc((size_t)m->record_count, sizeof *l->observer.records), sample_all };
    if (!l->at || !l->tallies || !l->observer.records) return false;
    l->means = formulation->family && strcmp(formulation->family, SLIP_FAMILY_TIME_STEPPING) == 0;
    l->formulation = formulation;
    l->resolves = slip_formulation_is_compliant(formulation);
    find_records(l, m);
    slip_contact_loads_restart(l);
    m->loads = &l->observer;
    return true;
}

void slip_contact_loads_destroy(slip_contact_loads *l)
{
    if (!l) return;
    free(l->at);
    free(l->tallies);
    free(l->observer.records);
    free(l);
}

void slip_contact_loads_archive(slip_contact_loads *l, slip_archive *a)
{
    if (!l || (slip_archive_reads(a) && !slip_archive_has(a, "loads"))) return;
    slip_archive_open(a, "loads");
    slip_archive_double(a, "last_t", &l->last_t);
    slip_archive_bytes(a, "tallies", l->tallies, (size_t)l->count * sizeof *l->tallies);
    slip_archive_close(a);
}
