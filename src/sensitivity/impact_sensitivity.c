/// sensitivity/impact_sensitivity.c: an impact by any law, differentiated.
///
/// A law of impact is a map from the rates v- of the contacts, their matrix W = G M^-1 G', friction and
/// restitution to impulses P. The derivatives of these arguments along a column are exact. The map is
/// differentiated along that direction by fourth-order differences: the law is evaluated at four points
/// beside the impact, and the step is shortened while one-sided differences disagree. So it does not matter
/// whether a law is a complementarity problem, a process in which the slip direction turns, or a sequence of
/// impacts. If the two sides never agree, the impact is at a border: between stick and slip, of the set of
/// contacts, or of their order.
#include <math.h>
#include <string.h>

#include "sensitivity/sensitivity.h"
#include "sensitivity/sensitivity_tolerances.h"

enum { STENCIL_POINTS = 5, STENCIL_CENTRE = 2 };

void slip_impact_sensitivity_layout(slip_arena *a, slip_sensitivity *t, int d)
{
    slip_impact_sensitivity *b = &t->blow;
    const size_t contacts = (size_t)slip_max_impact_contacts(t->system), size = (size_t)d * contacts,
                 n = (size_t)t->n;
    b->d = d;
    b->W = SLIP_TAKE(a, double, size *size);
    b->dW = SLIP_TAKE(a, double, size *size);
    b->near_W = SLIP_TAKE(a, double, size *size);
    double **const of_size[] = { &b->before, &b->dbefore, &b->near_before, &b->after, &b->dP };
    for (size_t k = 0; k < sizeof of_size / sizeof *of_size; k++) *of_size[k] = SLIP_TAKE(a, double, size);
    b->number = SLIP_TAKE(a, double, 3 * contacts);
    b->dnumber = SLIP_TAKE(a, double, 3 * contacts);
    b->near_number = SLIP_TAKE(a, double, 3 * contacts);
    b->work = SLIP_TAKE(a, double, 4 * contacts);
    b->path = SLIP_TAKE(a, unsigned char, contacts);
    b->impulse = SLIP_TAKE(a, double, STENCIL_POINTS *size);
    b->scratch = SLIP_TAKE(a, double, slip_multi_impact_scratch(d, (int)contacts, true));
    b->Y = SLIP_TAKE(a, double, size *n);
    double **const of_constraints[] = { &b->hold, &b->dhold, &b->near_hold };
    for (size_t k = 0; k < sizeof of_constraints / sizeof *of_constraints; k++)
        *of_constraints[k] = SLIP_TAKE(a, double, size *(size_t)t->system->constraint_count);
    b->kept = SLIP_TAKE(a, double, n + (size_t)t->rows);
    b->own = SLIP_TAKE(a, double, t->rows);
    b->contact_state = SLIP_TAKE_PLAIN(a, slip_sens_contact_state, t->elements);
    b->du = SLIP_TAKE(a, double, n *(size_t)t->column_count);
}

// row of unknown i of the impact in hand; -1 where its contact has none
static int impact_row(const slip_sensitivity *t, const slip_rigid_impact *s, int i)
{
    const int d = t->blow.d, c = i % d;
    const slip_element *element = &t->system->elements[s->element[i / d]];
    return c == 0 ? element->normal_row : c <= element->slip_count ? element->tangent_row + c - 1 : -1;
}

// what each impulse does, and what holds against it
static void impulse_responses(slip_sensitivity *t, slip_rigid_impact *s)
{
    slip_impact_sensitivity *b = &t->blow;
    const size_t n = (size_t)t->n, held = (size_t)t->held.count;
    memset(t->bend, 0, held * sizeof *t->bend);
    for (int j = 0; j < b->d * s->hit.contacts; j++) {
        const int row = impact_row(t, s, j);
        memset(t->da, 0, n * sizeof *t->da);
        if (row >= 0) slip_system_row_add(t->system, &t->hit.terms, row, 1.0, t->da);
        slip_sensitivity_solve_balance(t, t->bend);
        memcpy(b->Y + (size_t)j * n, t->da, n * sizeof *t->da);
        memcpy(b->hold + (size_t)j * held, t->df, held * sizeof *t->df);
    }
}

// ------------------------------------------------------------------------------------------ along a column

// M da - J'dl = d(-M a + W f), J da = -dJ a - what is left of it: the accelerations and forces that t->input
// has
static void constrained_acceleration(slip_sensitivity *t, int column, double dt, const double *dx)
{
    slip_sensitivity_run_tape(t, SLIP_SENS_IMPACT, column, dt, dx);
    for (int k = 0; k < t->n; k++) t->da[k] = slip_sensitivity_result(t, SLIP_SENS_IMPACT, k);
    for (int i = 0; i < t->held.count; i++)
        t->bend[i] = slip_sensitivity_result(t, SLIP_SENS_IMPACT, t->n + t->held.row[i]);
}

static void change_matrix(slip_sensitivity *t, slip_rigid_impact *s, int column, double dt, const double *dx)
{
    slip_impact_sensitivity *b = &t->blow;
    const int size = b->d * s->hit.contacts, held = t->held.count;
    double *a = t->input + t->in.a, *force = t->input + t->in.force;
    memcpy(b->kept, a, (size_t)t->n * sizeof *a);
    memcpy(b->kept + t->n, force, (size_t)t->rows * sizeof *a);
    for (int j = 0; j < size; j++) {
        const int own = impact_row(t, s, j);
        memcpy(a, b->Y + (size_t)j * (size_t)t->n, (size_t)t->n * sizeof *a);
        memset(force, 0, (size_t)t->rows * sizeof *force);
        if (own >= 0) force[own] = 1.0;
        for (int i = 0; i < held; i++) force[t->held.row[i]] = b->hold[(size_t)j * (size_t)held + (size_t)i];
        constrained_acceleration(t, column, dt, dx);
        slip_sensitivity_solve_balance(t, t->bend);
        memcpy(b->dhold + (size_t)j * (size_t)held, t->df, (size_t)held * sizeof *t->df);
        for (int i = 0; i < size; i++) {
            const int row = impact_row(t, s, i);
            b->dW[i * size + j] = row < 0 || own < 0
                                      ? 0.0
                                      : slip_sensitivity_result(t, SLIP_SENS_IMPACT, t->n + row) +
                                            slip_system_row_dot(t->system, &t->hit.terms, row, t->da);
        }
    }
    memcpy(a, b->kept, (size_t)t->n * sizeof *a);
    memcpy(force, b->kept + t->n, (size_t)t->rows * sizeof *a);
}

// the largest relative change of what the law is asked with; 0: none changes
static double law_input_changes(slip_sensitivity *t, slip_rigid_impact *s, int column, double dt,
                                const double *dx)
{
    slip_impact_sensitivity *b = &t->blow;
    const int d = b->d, contacts = s->hit.contacts, size = d * contacts;
    double fastest = 0.0, most = 0.0;
    change_matrix(t, s, column, dt, dx);
    slip_sensitivity_run_tape(t, SLIP_SENS_VELOCITY, column, dt, dx);
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, column, dt, dx);
    for (int i = 0; i < size; i++) {
        const int row = impact_row(t, s, i);
        b->before[i] = s->before[i];
        b->dbefore[i] = row < 0 ? 0.0 : slip_sensitivity_result(t, SLIP_SENS_VELOCITY, row);
        fastest = fmax(fastest, fabs(b->before[i]));
    }
    for (int k = 0; k < contacts; k++) {
        const int e = s->element[k];
        const slip_element *element = &t->system->elements[e];
        const double number[] = { s->mu[k], s->e[k], s->e_t[k] };
        memcpy(b->number + 3 * k, number, sizeof number);
        double *to = b->dnumber + 3 * k;
        to[0] = element->slip_count ? slip_sensitivity_result(t, SLIP_SENS_EVENT, t->elements + e) : 0.0;
        to[1] = to[2] = 0.0;
        if (to[0] != 0.0) most = fmax(most, fabs(to[0]) / number[0]);
        if (!element->has_gap) continue;
        to[1] = s->e[k] == element->contact->restitution
                    ? slip_sensitivity_number(t, e, SLIP_SENS_RESTITUTION, column)
                    : 0.0;
        to[2] = s->e_t[k] == element->contact->restitution_t
                    ? slip_sensitivity_number(t, e, SLIP_SENS_RESTITUTION_T, column)
                    : 0.0;
        most = fmax(most, fmax(fabs(to[1]), fabs(to[2])));
    }
    for (int i = 0; i < size; i++) {
        most = fmax(most, fabs(b->dbefore[i]) / fastest);
        for (int j = 0; j < size; j++) {
            const double scale = sqrt(s->hit.W[i * (size + 1)] * s->hit.W[j * (size + 1)]);
            if (scale > 0.0) most = fmax(most, fabs(b->dW[i * size + j]) / scale);
        }
    }
    return most;
}

// ------------------------------------------------------------------------------------------------ the law

static void perturb(const double *x, const double *dx, double by, int count, double *to)
{
    for (int i = 0; i < count; i++) to[i] = x[i] + by * dx[i];
}

// impulses by the law with everything a step further
static bool evaluate_law(slip_sensitivity *t, slip_rigid_impact *s, double by, double *impulse)
{
    slip_impact_sensitivity *b = &t->blow;
    const int contacts = s->hit.contacts, size = b->d * contacts;
    slip_multi_impact c = s->hit;
    double *mu = b->work, *e = mu + contacts, *e_t = e + contacts;
    perturb(s->hit.W, b->dW, by, size * size, b->near_W);
    perturb(b->before, b->dbefore, by, size, b->near_before);
    perturb(b->number, b->dnumber, by, 3 * contacts, b->near_number);
    for (int k = 0; k < contacts; k++)
        mu[k] = b->near_number[3 * k], e[k] = b->near_number[3 * k + 1], e_t[k] = b->near_number[3 * k + 2];
    c.W = b->near_W, c.before = b->near_before;
    c.mu = mu, c.e = e, c.e_t = e_t;
    c.impulse = impulse, c.after = b->after, c.work = e_t + contacts, c.path = b->path,
    c.scratch = b->scratch;
    perturb(b->hold, b->dhold, by, size * t->held.count, b->near_hold);
    const double *joint = s->joint;
    if (joint) s->joint = b->near_hold;
    const bool found = slip_multi_impact_apply(&c);
    s->joint = joint;
    return found;
}

// b->dP by steps of this length; false when both sides do not agree
static bool central_difference(slip_sensitivity *t, slip_rigid_impact *s, double step, double scale)
{
    static const double weight[STENCIL_POINTS] = { 1 / 12.0, -8 / 12.0, 0.0, 8 / 12.0, -1 / 12.0 },
                        left[STENCIL_POINTS] = { 0.5, -2.0, 1.5, 0.0, 0.0 },
                        right[STENCIL_POINTS] = { 0.0, 0.0, -1.5, 2.0, -0.5 };
    slip_impact_sensitivity *b = &t->blow;
    const int size = b->d * s->hit.contacts;
    double hardest = 0.0;
    for (int p = 0; p < STENCIL_POINTS; p++)
        if (!evaluate_law(t, s, (p - STENCIL_CENTRE) * step / scale, b->impulse + p * size)) return false;
    for (int i = 0; i < size; i++) hardest = fmax(hardest, fabs(b->impulse[STENCIL_CENTRE * size + i]));
    for (int i = 0; i < size; i++) {
        double sum = 0.0, before = 0.0, behind = 0.0;
        for (int p = 0; p < STENCIL_POINTS; p++) {
            const double value = b->impulse[p * size + i];
            sum += weight[p] * value, before += left[p] * value, behind += right[p] * value;
        }
        b->dP[i] = sum / step * scale;
        if (fabs(before - behind) >
            (IMPACT_SIDES_FACTOR * step * step * step + IMPACT_SIDES_ROUNDING) * hardest)
            return false;
    }
    return true;
}

static bool differentiate_law(slip_sensitivity *t, slip_rigid_impact *s, double scale)
{
    memset(t->blow.dP, 0, (size_t)(t->blow.d * s->hit.contacts) * sizeof *t->blow.dP);
    if (scale == 0.0) return true;
    if (!isfinite(scale)) return false; // less friction than none
    for (size_t k = 0; k < sizeof IMPACT_DIFFERENCE_STEPS / sizeof *IMPACT_DIFFERENCE_STEPS; k++)
        if (central_difference(t, s, IMPACT_DIFFERENCE_STEPS[k], scale)) return true;
    return false;
}

// ------------------------------------------------------------------------------------------------- rates

static bool find_impact_derivative(slip_sensitivity *t, slip_rigid_impact *s, const double *x)
{
    slip_impact_sensitivity *b = &t->blow;
    const int size = b->d * s->hit.contacts;
    const size_t n = (size_t)t->n;
    impulse_responses(t, s);
    for (int c = 0; c < t->column_count; c++) {
        const double *dx = x + (size_t)c * 2 * n, dt = t->event.dtau[c];
        if (!differentiate_law(t, s, law_input_changes(t, s, c, dt, dx))) return false;
        slip_sensitivity_run_tape(t, SLIP_SENS_VELOCITY, c, dt, dx);
        constrained_acceleration(t, c, dt, dx);
        for (int i = 0; i < t->held.count; i++)
            t->bend[i] += slip_sensitivity_result(t, SLIP_SENS_VELOCITY, t->held.row[i]);
        slip_sensitivity_solve_balance(t, t->bend);
        for (int j = 0; j < size; j++)
            for (size_t k = 0; k < n; k++) t->da[k] += b->dP[j] * b->Y[(size_t)j * n + k];
        memcpy(b->du + (size_t)c * n, t->da, n * sizeof *t->da);
    }
    return true;
}

// the impulses of all contacts as forces, and nothing that holds but constraints
static void set_impulse_forces(slip_sensitivity *t, slip_rigid_impact *s)
{
    memset(t->hit.force, 0, (size_t)t->rows * sizeof *t->hit.force);
    for (int i = 0; i < t->blow.d * s->hit.contacts; i++) {
        const int row = impact_row(t, s, i);
        if (row >= 0) t->hit.force[row] = s->hit.impulse[i];
    }
    memset(t->contact_state, 0, (size_t)t->elements * sizeof *t->contact_state);
    slip_sensitivity_set_slot(t, &t->hit);
}

void slip_impact_sensitivity_find(slip_sensitivity *t, slip_rigid_impact *s, const double *x)
{
    double *own = t->blow.own;
    memcpy(own, t->hit.force, (size_t)t->rows * sizeof *own);
    set_impulse_forces(t, s);
    if (!t->lost && s->rates_matter)
        slip_sensitivity_end(t, "friction at the impact of '%s' depends on the rates after it, as of a patch",
                             t->system->elements[s->element[0]].name);
    if (!t->lost && !find_impact_derivative(t, s, x))
        slip_sensitivity_end(
            t,
            "the impact of '%s' is at a border: with a little more or less other contacts take "
            "part in it, stick or slide, and the derivatives are others",
            t->system->elements[s->element[0]].name);
    memcpy(t->hit.force, own, (size_t)t->rows * sizeof *own);
    t->blow.taken = !t->lost;
}
