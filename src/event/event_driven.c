/// event/event_driven.c: steps between events, and finding the events.
///
/// Cash and Karp's pair with the control of Gomez 2008's listing; every stage is projected and then solved
/// for its accelerations. Event functions are looked at after each step; where one has changed sign, or a
/// cubic through both ends says that it did so and came back, the step is taken again and again from its
/// start until the event is known to 2e-13 s. So an event costs some ten steps, and no interpolation error.
#include "event/event_driven.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/contact_forces.h"
#include "integrator/cash_karp.h"

static const double event_width = 2e-13; // s
enum { MOST_CHANGES = 60, MOST_PROBES = 120, MOST_PASSAGE_PROBES = 40 };

// --------------------------------------------------------------------------------------------- stages

// power of forces and guides, and what friction takes
static void book(slip_event_driven *m, double t, double *rate)
{
    const slip_system *s = m->system;
    const slip_rigid *r = &m->rigid;
    double friction = 0.0, work = 0.0;
    for (int e = 0; e < m->elements; e++) {
        const slip_element *element = &s->elements[e];
        for (int c = 0; c < element->slip_count; c++) {
            double force = c ? r->tangent_y[e] : r->tangent[e];
            friction -= force * slip_system_row_rate(s, &r->terms, element->tangent_row + c, m->u);
            work -= force * r->terms.drift[element->tangent_row + c];
        }
        if (element->has_gap) work -= r->normal[e] * r->terms.drift[element->normal_row];
    }
    if (m->works) {
        double kinetic, potential, power;
        slip_system_energy(s, t, m->q, m->u, &m->rigid.terms, &kinetic, &potential, &power);
        work += power + slip_rigid_constraint_power(&m->rigid, m->u);
    }
    rate[0] = work;
    rate[1] = friction;
}

// projects m->q, m->u and solves for their accelerations
static bool solve_at(slip_event_driven *m, double t)
{
    m->trouble = SLIP_RIGID_NO_POSITION;
    if (!slip_project(m, t, m->q, m->u)) return false;
    m->trouble = SLIP_RIGID_NO_MASS;
    if (!slip_rigid_build(&m->rigid, t, m->q, m->u)) return false;
    m->trouble = slip_event_solve(m);
    return m->trouble == SLIP_RIGID_SOLVED;
}

static bool rate(void *context, double t, const double *x, double *xdot)
{
    slip_event_driven *m = context;
    size_t bytes = (size_t)m->n * sizeof *x;
    memcpy(m->q, x, bytes);
    memcpy(m->u, x + m->n, bytes);
    if (!solve_at(m, t)) return false;
    slip_system_velocity(m->system, t, m->q, m->u, &m->rigid.terms, xdot);
    memcpy(xdot + m->n, m->rigid.a, bytes);
    book(m, t, xdot + 2 * m->n);
    return true;
}

// the end of a step: x itself is projected, and its rate is that of the next step's first stage
static bool arrive(slip_event_driven *m, double t, double *x, double *xdot)
{
    if (!rate(m, t, x, xdot)) return false;
    m->shift = 0.0;
    for (int k = 0; k < m->n; k++) m->shift = fmax(m->shift, fabs(x[k] - m->q[k]));
    memcpy(x, m->q, (size_t)m->n * sizeof *x);
    memcpy(x + m->n, m->u, (size_t)m->n * sizeof *x);
    return true;
}

// ------------------------------------------------------------------------------------ event functions

// what a contact has left before it changes, as an acceleration. Redundant contacts may have nothing left for
// long and still stay: they are no event, and must not hide one behind a flat function
static slip_watch reserve(const slip_rigid *r, double left)
{
    return (slip_watch){ left > slip_rigid_tiny(r) ? left : INFINITY, NAN };
}

// a gap or a slip. One that is below zero by rounding alone and rises has just begun, and does not end yet
static slip_watch not_yet(const slip_event_driven *m, const double *of, double value, double slope)
{
    double size = 1.0;
    for (int k = 0; k < m->n; k++) size = fmax(size, fabs(of[k]));
    bool dust = value <= 0.0 && slope > 0.0 && value > -1e-14 * size;
    return (slip_watch){ dust ? DBL_MIN : value, slope };
}

static slip_watch watch_normal(const slip_event_driven *m, int e)
{
    const slip_rigid *r = &m->rigid;
    const slip_element *element = &m->system->elements[e];
    if (!element->has_gap) return (slip_watch){ INFINITY, NAN };
    if (!r->stance[e].closed)
        return not_yet(m, m->q, r->terms.gap[e],
                       slip_system_row_rate(m->system, &r->terms, element->normal_row, m->u));
    // a contact that holds lets go when its gap accelerates open; its load, as an acceleration, before that
    for (int i = 0; i < r->normal_count; i++)
        if (r->owner[i] == e && r->rate[i] <= slip_rigid_tiny(r))
            return reserve(r, r->x[i] * fabs(r->D[i * r->count + i]));
    return (slip_watch){ -r->normal_rate[e], NAN };
}

static slip_watch watch_tangent(const slip_event_driven *m, int e, double stick_margin)
{
    const slip_rigid *r = &m->rigid;
    const slip_element *element = &m->system->elements[e];
    if (!element->slip_count || !r->stance[e].closed) return (slip_watch){ INFINITY, NAN };
    int slide = r->stance[e].slide;
    if (slide && element->slip_count > 1) { // along the heading, which is the way at the start of the step
        const double *heading = r->heading + 2 * e, *v = r->slip + 2 * e;
        return not_yet(m, m->u, heading[0] * v[0] + heading[1] * v[1],
                       heading[0] * r->slip_rate[e] + heading[1] * r->slip_rate_y[e]);
    }
    if (slide)
        return not_yet(m, m->u,
                       slide * slip_system_row_rate(m->system, &r->terms, element->tangent_row, m->u),
                       slide * r->slip_rate[e]);
    if (m->principle == SLIP_BY_GAUSS && r->normal_count) return (slip_watch){ stick_margin, NAN };
    double starts = slip_rigid_slip_rate(r, e);
    if (starts > slip_rigid_tiny(r)) return (slip_watch){ -starts, NAN };
    double limit = element->has_gap ? r->friction[e] * r->normal[e] : r->friction[e];
    int i = slip_rigid_tangent_of(r, e);
    return reserve(r, (limit - slip_rigid_friction(r, e)) * r->D[i * r->count + i]);
}

// all event functions at the state just solved; returns the least, lifted where it began at zero
static double look(slip_event_driven *m, slip_watch *watch)
{
    bool ask = m->principle == SLIP_BY_GAUSS && m->rigid.normal_count;
    double least = INFINITY, margin = ask ? slip_event_stick_margin(m) : INFINITY;
    for (int e = 0; e < m->elements; e++) {
        watch[2 * e] = watch_normal(m, e);
        watch[2 * e + 1] = watch_tangent(m, e, margin);
        for (int k = 0; k < 2; k++) {
            watch[2 * e + k].value += m->offset[2 * e + k];
            least = fmin(least, watch[2 * e + k].value);
        }
    }
    return least;
}

// what slides in space heads where it goes as the step begins, unless that is as good as nowhere
static void take_headings(slip_event_driven *m)
{
    slip_rigid *r = &m->rigid;
    for (int e = 0; e < m->elements; e++) {
        const double *v = r->slip + 2 * e;
        if (m->system->elements[e].slip_count < 2 || !r->stance[e].slide) continue;
        double speed = slip_length(v[0], v[1]);
        for (int c = 0; c < 2 && speed > r->slow; c++) r->heading[2 * e + c] = v[c] / speed;
    }
}

// the longest step that no slip in space comes to rest in: near rest its direction turns ever faster, unless
// it goes along a straight line or is below the tolerance
static double before_rest(const slip_event_driven *m, double most)
{
    const slip_rigid *r = &m->rigid;
    for (int e = 0; e < m->elements && m->space; e++) {
        const double *d = r->heading + 2 * e, *v = r->slip + 2 * e;
        double speed = slip_length(v[0], v[1]);
        if (m->system->elements[e].slip_count < 2 || !r->stance[e].closed || !r->stance[e].slide ||
            speed <= r->slow)
            continue;
        double along = d[0] * r->slip_rate[e] + d[1] * r->slip_rate_y[e],
               across = d[0] * r->slip_rate_y[e] - d[1] * r->slip_rate[e];
        if (along < 0.0 && fabs(across) > 1e-10 * fabs(along)) most = fmin(most, 0.9 * speed / -along);
    }
    return most;
}

// event functions at the start of a step. One that stands at zero has just begun and is lifted above it.
static void look_before(slip_event_driven *m)
{
    take_headings(m);
    memset(m->offset, 0, (size_t)(2 * m->elements) * sizeof *m->offset);
    look(m, m->before);
    double q = 1.0, u = 1.0;
    for (int k = 0; k < m->n; k++) q = fmax(q, fabs(m->q[k])), u = fmax(u, fabs(m->u[k]));
    for (int k = 0; k < 2 * m->elements; k++) {
        double dust = 4e-16 * (k % 2 ? u : q), slope = m->before[k].slope;
        if (m->before[k].value > 1e3 * dust) continue;
        if (slope > 1e-8) dust = fmin(dust, slope * event_width); // or a slow bounce would end late
        m->offset[k] = fmax(0.0, -m->before[k].value) + dust;
        m->before[k].value += m->offset[k];
    }
}

// time of the lowest point of the cubic through both ends, when that is below zero; else `none`
static double dip(slip_watch a, slip_watch b, double h, double none)
{
    if (!(a.slope < 0.0 && b.slope > 0.0)) return none;
    // f(s) = a + h a' s + c s^2 + d s^3, s in [0, 1]
    double c = 3.0 * (b.value - a.value) - h * (2.0 * a.slope + b.slope),
           d = 2.0 * (a.value - b.value) + h * (a.slope + b.slope);
    double root = sqrt(fmax(c * c - 3.0 * d * h * a.slope, 0.0)), s = -h * a.slope / (c + root);
    if (!(s > 0.0 && s < 1.0)) return none;
    return a.value + s * (h * a.slope + s * (c + s * d)) < 0.0 ? s * h : none;
}

static double first_dip(const slip_event_driven *m, double h)
{
    double first = h;
    for (int k = 0; k < 2 * m->elements; k++)
        first = fmin(first, fmax(dip(m->before[k], m->after[k], h, h), 1e-3 * h));
    return first;
}

// where the tangents at both ends meet, when that is below zero: a gap that nears and recedes may have been
// closed in between however smooth the cubic looks, as when two balls pass through each other in one long
// step
static double below_tangents(slip_watch a, slip_watch b, double h, double none)
{
    if (!(a.slope < 0.0 && b.slope > 0.0)) return none;
    double s = (b.value - a.value - h * b.slope) / (a.slope - b.slope);
    return s > 0.0 && s < h && a.value + s * a.slope < 0.0 ? s : none;
}

// a step of length h into m->probe with its event functions in m->after; NaN when it cannot be taken.
// work.k[0] is of the start and must survive, so the end's rate goes aside
static double probe(slip_event_driven *m, double h)
{
    if (!slip_cash_karp_attempt(&m->problem, m->base.t, m->x, h, &m->work, m->probe)) return NAN;
    if (!arrive(m, m->base.t + h, m->probe, m->work.stage)) return NAN;
    return look(m, m->after);
}

// looks for such a closing of event function k between the ends of [0, h] by halving towards its lowest
// point; the time when it is found, else h. What is before stays, m->after is of the last look
static double find_passage(slip_event_driven *m, int k, double h)
{
    slip_watch a = m->before[k], b = m->after[k];
    double low = 0.0, high = h;
    for (int round = 0; round < MOST_PASSAGE_PROBES; round++) {
        double s = below_tangents(a, b, high - low, NAN);
        if (isnan(s)) return h;
        s = low + fmin(fmax(s, 0.1 * (high - low)), 0.9 * (high - low));
        if (isnan(probe(m, s))) return h;
        slip_watch at = m->after[k];
        if (at.value <= 0.0) return s;
        if (at.slope < 0.0)
            a = at, low = s;
        else
            b = at, high = s;
    }
    return h;
}

// the first such time over all open gaps. The end of the step, m->next, is looked at again when any was
// probed
static double first_passage(slip_event_driven *m, double h)
{
    double first = h;
    for (int e = 0; e < m->elements && first == h; e++) {
        int k = 2 * e;
        if (isnan(below_tangents(m->before[k], m->after[k], h, NAN))) continue;
        first = find_passage(m, k, h);
        if (first == h && (!arrive(m, m->base.t + h, m->next, m->work.stage) || !(look(m, m->after) > 0.0)))
            return 0.5 * h;
    }
    return first;
}

// the end of [0, h] at which the least event function is not positive any more, to event_width; m->probe
// and m->after are there. NaN when a step on the way cannot be taken.
static double locate(slip_event_driven *m, double h, double at_end)
{
    double a = 0.0, b = h, fa = INFINITY, fb = at_end,
           width = fmax(event_width, 4.0 * DBL_EPSILON * m->base.t);
    for (int k = 0; k < 2 * m->elements; k++)
        if (m->after[k].value <= 0.0) fa = fmin(fa, m->before[k].value);
    double at = h; // where m->probe is
    int run = 0;   // how often the same end has moved, > 0 for a
    for (int round = 0; round < MOST_PROBES && b - a > width; round++) {
        bool halve = !isfinite(fa) || !isfinite(fb) || run >= 3 || run <= -3;
        double s = halve ? 0.5 * (a + b) : a + (b - a) * fa / (fa - fb);
        s = fmin(fmax(s, a + 0.4 * width), b - 0.4 * width);
        double f = probe(m, s);
        if (isnan(f)) return NAN;
        at = s;
        if (f > 0.0) {
            a = s, fa = f, run = halve || run < 0 ? 1 : run + 1;
            if (run > 1) fb *= 0.5; // Illinois: the end that stays counts half
        } else {
            b = s, fb = f, run = halve || run > 0 ? -1 : run - 1;
            if (run < -1) fa *= 0.5;
        }
    }
    if (at != b && isnan(probe(m, b))) return NAN;
    return b;
}

// -------------------------------------------------------------------------------------------- stepping

static void set_modes(slip_event_driven *m)
{
    for (int e = 0; e < m->elements; e++) {
        const slip_element *element = &m->system->elements[e];
        const slip_stance *stance = &m->rigid.stance[e];
        bool stick = element->slip_count && stance->closed && stance->slide == 0;
        m->base.mode[e] = (unsigned char)((element->has_gap && stance->closed ? SLIP_MODE_CLOSED : 0) |
                                          (stick ? SLIP_MODE_STICK : 0));
    }
}

// rigid and work.k[0] are those of (t, x): makes everything else so
static slip_run_outcome present(slip_event_driven *m)
{
    slip_run_outcome outcome = slip_event_check_agreement(m);
    if (outcome != SLIP_RUNNING) return outcome;
    slip_event_check_trust(m);
    look_before(m);
    set_modes(m);
    m->fresh = true;
    return SLIP_RUNNING;
}

static slip_run_outcome observe(slip_method *method)
{
    slip_event_driven *m = (slip_event_driven *)method;
    if (m->fresh) return SLIP_RUNNING;
    slip_run_outcome outcome = m->started ? SLIP_RUNNING : slip_event_begin(m);
    if (outcome != SLIP_RUNNING) return outcome;
    m->started = true;
    if (!arrive(m, method->t, m->x, m->work.k[0])) return slip_event_no_solution(m, m->trouble, method->t);
    return present(m);
}

// x, t and the ledger after a step of length h that ended in `x`
static void accept(slip_event_driven *m, double **x, double h, double step, double t_after)
{
    double *old = m->x;
    m->x = *x;
    *x = old;
    m->base.state = m->x;
    m->base.t = h == step ? t_after : m->base.t + h;
    m->base.work = m->x[2 * m->n];
    m->base.friction = m->x[2 * m->n + 1];
    m->base.planned = fmin(m->control.next, m->control.max);
    m->fresh = false;
}

// x is the state before: what holds moved by more than the tolerance, so its gap may have jumped
static void look_for_jumps(slip_event_driven *m, double t, const double *x)
{
    double reach = 0.0;
    for (int k = 0; k < m->n; k++) reach = fmax(reach, fabs(m->x[k]));
    if (m->shift > m->control.absolute + m->control.relative * reach)
        slip_event_look_for_jumps(m, t, x, m->base.t, m->x);
}

static slip_run_outcome pass_event(slip_event_driven *m)
{
    m->base.crossed = true;
    if (m->base.t - m->last_change > 1e-12 * fmax(1.0, m->base.t)) m->changes = 0;
    m->last_change = m->base.t;
    if (++m->changes > MOST_CHANGES)
        return slip_method_fail(
            &m->base, "at t = %.12g s contacts change between sticking, sliding and opening without end",
            m->base.t);
    return slip_event_pass(m);
}

static slip_run_outcome step_failed(slip_event_driven *m, slip_run_outcome outcome)
{
    if (outcome == SLIP_STEP_TOO_SMALL && m->trouble != SLIP_RIGID_SOLVED)
        return slip_event_no_solution(m, m->trouble, m->base.t);
    return outcome;
}

static slip_run_outcome advance(slip_method *method, double step, double t_after)
{
    slip_event_driven *m = (slip_event_driven *)method;
    slip_run_outcome outcome = observe(method);
    double most = before_rest(m, fmin(step, m->control.max));
    while (outcome == SLIP_RUNNING) {
        double taken = most;
        m->trouble = SLIP_RIGID_SOLVED;
        outcome = slip_integrator_cash_karp.step(&m->problem, &m->control, method->t, m->x, most, &m->work,
                                                 m->next, &taken);
        if (outcome != SLIP_RUNNING) return step_failed(m, outcome);
        if (!arrive(m, method->t + taken, m->next,
                    m->work.stage)) { // the end has no accelerations: come nearer
            most = 0.5 * taken;
            if (most < fmax(event_width, 16.0 * DBL_EPSILON * method->t))
                return slip_event_no_solution(m, m->trouble, method->t);
            continue;
        }
        double least = look(m, m->after), lowest = least > 0.0 ? first_dip(m, taken) : taken;
        if (least > 0.0 && lowest == taken) lowest = first_passage(m, taken);
        if (lowest < taken && lowest > event_width) { // it went below zero and came back
            most = lowest;
            continue;
        }
        if (least > 0.0) {
            accept(m, &m->next, taken, step, t_after);
            look_for_jumps(m, m->base.t - taken, m->next);
            memcpy(m->work.k[0], m->work.stage, (size_t)m->problem.count * sizeof *m->work.stage);
            return present(m);
        }
        double at = locate(m, taken, least);
        if (isnan(at)) {
            most = 0.5 * taken;
            continue;
        }
        if (at == taken) { // the event is the end of the step
            probe(m, at);
        }
        accept(m, &m->probe, at, step, t_after);
        look_for_jumps(m, m->base.t - at, m->probe);
        outcome = pass_event(m);
        return outcome;
    }
    return outcome;
}

// --------------------------------------------------------------------------------------------- looking

static void record(slip_method *method, double *records, double *kinetic, double *potential)
{
    slip_event_driven *m = (slip_event_driven *)method;
    double power;
    bool known = observe(method) == SLIP_RUNNING; // else: what it was before
    if (known && m->system->readings.count) slip_contact_least_norm(m);
    slip_system_record(m->system, method->t, m->x, m->x + m->n, known ? slip_contact_quantities : NULL, m,
                       &m->rigid.terms, records);
    slip_system_energy(m->system, method->t, m->x, m->x + m->n, &m->rigid.terms, kinetic, potential, &power);
}

// Runs ahead and comes back: an event on the way is passed as the run itself will pass it. All that changes
// lies in the structure, its memory and the log; the first two are put aside whole and the log is muted, so
// what comes after a peek is as if there had been none. Only why it cannot go on stays: that is the answer.
static slip_run_outcome peek(slip_method *method, double t, double *row)
{
    slip_event_driven *m = (slip_event_driven *)method;
    slip_run_outcome outcome = observe(method);
    if (outcome != SLIP_RUNNING) return outcome;
    *m->aside = *m;
    memcpy(m->aside_memory, m->memory, m->memory_bytes);
    slip_log_mute(method->log);
    m->peeking = true;
    method->crossed = false;
    while (outcome == SLIP_RUNNING && method->t < t) outcome = advance(method, t - method->t, t);
    if (outcome == SLIP_RUNNING) {
        double kinetic, potential;
        memcpy(row, m->x, (size_t)method->state_count * sizeof *row);
        record(method, row + method->state_count, &kinetic, &potential);
    }
    slip_log_unmute(method->log);
    memcpy(m->memory, m->aside_memory, m->memory_bytes);
    bool crossed = method->crossed;
    *m = *m->aside;
    method->crossed = crossed;
    return outcome;
}

static void touched(slip_method *method)
{
    slip_event_driven *m = (slip_event_driven *)method;
    m->started = m->fresh = false;
}

static void destroy(slip_method *method)
{
    slip_event_driven *m = (slip_event_driven *)method;
    slip_log_destroy(method->log);
    slip_system_destroy(m->system);
    if (m->sentry) free(m->sentry->open_work);
    free(m->sentry);
    free(m->memory);
    free(m);
}

static const slip_method_ops ops = { destroy, observe, advance, peek, record, touched };

// ------------------------------------------------------------------------------------------- creating

static void layout_names(slip_arena *a, slip_event_driven *m)
{
    const slip_model *model = m->system->equations->model;
    const char **elements = SLIP_TAKE(a, const char *, m->elements),
               **states = SLIP_TAKE(a, const char *, 2 * m->n),
               **records = SLIP_TAKE(a, const char *, model->record_count);
    for (int e = 0; e < m->elements && a->base; e++) elements[e] = m->system->elements[e].name;
    for (int k = 0; k < model->record_count && a->base; k++) records[k] = model->records[k].name;
    for (int k = 0; k < m->n && a->base; k++) {
        states[k] = model->coordinates[k].name;
        states[m->n + k] = model->coordinates[k].rate_name;
    }
    m->base.element_name = elements;
    m->base.state_name = states;
    m->base.record_name = records;
}

static void layout(slip_arena *a, slip_event_driven *m)
{
    int count = m->problem.count, e = m->elements, contacts = m->system->contact_count;
    layout_names(a, m);
    m->base.mode = SLIP_TAKE(a, unsigned char, e);
    slip_rigid_layout(a, m->system, &m->rigid);
    slip_project_layout(a, m);
    slip_integrator_cash_karp.layout(a, count, &m->work);
    m->x = SLIP_TAKE(a, double, count);
    m->next = SLIP_TAKE(a, double, count);
    m->probe = SLIP_TAKE(a, double, count);
    m->q = SLIP_TAKE(a, double, m->n);
    m->u = SLIP_TAKE(a, double, m->n);
    m->scratch_u = SLIP_TAKE(a, double, m->n);
    m->before = SLIP_TAKE(a, slip_watch, 2 * e);
    m->after = SLIP_TAKE(a, slip_watch, 2 * e);
    m->offset = SLIP_TAKE(a, double, 2 * e);
    m->saved_stance = SLIP_TAKE(a, slip_stance, e);
    m->saved_heading = SLIP_TAKE(a, double, 2 * e);
    m->before_heading = SLIP_TAKE(a, double, 2 * e);
    m->impulse = SLIP_TAKE(a, double, m->d *contacts * m->n);
    m->W = SLIP_TAKE(a, double, m->d * m->d * contacts * contacts);
    m->wq = SLIP_TAKE(a, double, m->d *contacts);
    m->mu = SLIP_TAKE(a, double, contacts);
    m->struck = SLIP_TAKE(a, bool, e);
    m->candidate = SLIP_TAKE(a, bool, e);
    m->due = SLIP_TAKE(a, bool, e);
    m->before_slide = SLIP_TAKE(a, signed char, e);
    m->reported = SLIP_TAKE(a, slip_constant, 1);
    m->compliance = SLIP_TAKE(a, slip_compliant_constants, e);
    slip_contact_bounds_layout(a, m);
}

static slip_status take_memory(slip_event_driven *m)
{
    slip_arena count = { 0 };
    layout(&count, m);
    slip_arena real = { .base = slip_arena_memory(2 * count.used + sizeof *m) };
    if (!real.base) return SLIP_NO_MEMORY;
    m->memory = real.base;
    m->memory_bytes = count.used;
    layout(&real, m);
    m->aside_memory = SLIP_TAKE(&real, char, count.used);
    m->aside = SLIP_TAKE(&real, slip_event_driven, 1);
    slip_terms_start(m->system, &m->rigid.terms);
    return SLIP_OK;
}

static slip_status choose(slip_event_driven *m, const slip_model *model, const slip_sim_def *settings,
                          slip_error *error)
{
    static const char *const words[] = { "warn", "lcp", "stop" };
    int word = 0;
    while (word < 3 && strcmp(words[word], settings->on_disagreement) != 0) word++;
    char place[160];
    bool of_model =
        model->run.on_disagreement && strcmp(settings->on_disagreement, model->run.on_disagreement) == 0;
    if (word == 3)
        return slip_fail(error, SLIP_UNKNOWN_NAME,
                         of_model ? slip_span_place(model->run.on_disagreement_at, place, sizeof place)
                                  : "on-disagreement",
                         "'%s' is none of warn, lcp, stop", settings->on_disagreement);
    m->on_disagreement = (slip_on_disagreement)word;
    m->rigid.hold = strcmp(settings->branch, "contact") == 0;
    const char *solver = strcmp(settings->solver, "auto") == 0 ? "lemke" : settings->solver;
    m->rigid.solver = slip_solver_find(m->principle == SLIP_BY_LCP ? solver : "lemke");
    if (!m->rigid.solver || !slip_rigid_solver_suits(&m->rigid, m->system))
        return slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                         "solver %s does not take the contact LCP of this model; lemke does", solver);
    return SLIP_OK;
}

static bool does_work(const slip_system *s)
{
    const slip_equations *e = s->equations;
    slip_node power = slip_graph_node(e->graph, e->power);
    bool still = power.op == SLIP_OP_CONSTANT && power.value == 0.0;
    for (int k = 0; k < e->constraint_count; k++) still = still && e->constraints[k].drift == SLIP_NONE;
    return !still;
}

static void fill_base(slip_event_driven *m, const slip_model *model)
{
    slip_method *base = &m->base;
    base->ops = &ops;
    base->state_count = 2 * m->n;
    base->state = m->x;
    base->record_count = model->record_count;
    base->element_count = m->elements;
    base->has_energy = true;
    base->adaptive = true;
    base->planned = m->control.next;
    base->largest_stable_step = INFINITY;
    m->reported[0] = (slip_constant){ "gauss", "largest |N g''|", 0.0 };
    base->constants = m->reported;
    base->constant_count = m->principle == SLIP_BY_GAUSS;
    static const char *const measures[] = { "energy_gained", "impacts_with_gain", "gap_jumps",
                                            "lcp_fallbacks" };
    for (int k = 0; k < SLIP_EVENT_MEASURES; k++) m->measures[k] = (slip_constant){ "", measures[k], 0.0 };
    base->measures = m->measures;
    base->measure_count = m->principle == SLIP_BY_GAUSS ? SLIP_EVENT_MEASURES : SLIP_EVENT_FALLBACKS;
    for (int k = 0; k < m->n; k++) {
        m->x[k] = model->coordinates[k].start;
        m->x[m->n + k] = model->coordinates[k].rate;
    }
}

slip_status slip_event_driven_create(const slip_model *model, const slip_sim_def *settings,
                                     slip_principle principle, slip_error *error, slip_method **out)
{
    *out = NULL;
    slip_event_driven *m = calloc(1, sizeof *m);
    if (!m) return slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    m->principle = principle;
    m->base.log = slip_log_create();
    m->sentry = calloc(1, sizeof *m->sentry);
    slip_status status = m->base.log && m->sentry
                             ? slip_system_create(model, error, &m->system)
                             : slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    if (status == SLIP_OK) {
        m->n = m->system->n;
        m->elements = m->system->element_count;
        for (int e = 0; e < m->elements; e++) m->space = m->space || m->system->elements[e].slip_count > 1;
        m->d = m->space ? 3 : 2;
        m->problem = (slip_ode_problem){ .count = 2 * m->n + SLIP_EVENT_LEDGER,
                                         .quadratures = SLIP_EVENT_LEDGER,
                                         .context = m,
                                         .rate = rate };
        m->control = (slip_step_control){ settings->relative, settings->absolute,
                                          fmin(settings->step, settings->max_step), settings->max_step };
        m->rest_flight = 1e-6 * settings->step;
        m->last_change = -1.0;
        m->works = does_work(m->system);
    }
    if (status == SLIP_OK) status = choose(m, model, settings, error);
    if (status == SLIP_OK && take_memory(m) != SLIP_OK)
        status = slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    if (status == SLIP_OK && m->system->contact_count > 1) {
        m->sentry->open_work = calloc((size_t)slip_openness_size(&m->rigid), sizeof(double));
        if (!m->sentry->open_work) status = slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    }
    if (status == SLIP_OK)
        status = slip_compliant_choose(m->system->equations, SLIP_LAW_AS_GIVEN, 0.1 * settings->step, NULL,
                                       m->compliance, error);
    if (status != SLIP_OK) {
        destroy(&m->base);
        return status;
    }
    m->sentry->constants = m->compliance;
    m->rigid.slow = settings->absolute;
    fill_base(m, model);
    *out = &m->base;
    return SLIP_OK;
}
