/// stepping/moreau_pace.c: how long an internal step may be for the accuracy it is to have.
///
/// The midpoint rule errs by dt^3/24 |u'''| in the velocities of a step. u''' is the second difference of the
/// accelerations of three internal steps in a row between which nothing happened; at the start of a run, of
/// the accelerations at both ends and in the middle. Errors count relative to the largest velocity that a
/// coordinate has had, or that an oscillation with such accelerations has.
#include <float.h>
#include <math.h>
#include <string.h>

#include "stepping/moreau.h"

static const double TOLERANCE = 1e-6; // of the velocities, per internal step
static const double SLACK = 4.0;      // an internal step stands up to this much above the tolerance

// error of coordinate i relative to its size, from u' and u'''
static double relative_error(const slip_moreau *m, int i, double dt, double speed, double a, double bend)
{
    const double hardest = slip_larger(m->hardest[i], fabs(a));
    double size = slip_larger(m->fastest[i], speed);
    if (bend > 0.0) size = slip_larger(size, hardest * fmin(m->step, sqrt(hardest / bend)));
    const double error = dt * dt * dt / 24.0 * bend;
    const double rounding = 64.0 * DBL_EPSILON * slip_larger(size, fabs(a) * dt);
    return error > rounding ? error / size : 0.0;
}

// bilateral constraints are kept; contacts and frictions push nothing
static bool free_acceleration(slip_moreau *m, double t, const double *q, const double *u, double *a)
{
    if (!slip_system_evaluate(m->system, SLIP_LEVEL_ACCELERATION, t, q, u, &m->terms)) return false;
    memset(m->closed, 0, (size_t)m->system->element_count);
    slip_moreau_assemble(m, SLIP_MOREAU_INSTANT, 0.0, u);
    memcpy(a, m->problem.pull, sizeof(double) * (size_t)m->n);
    return true;
}

static double first_error(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    const double *u = step->x + m->n;
    double *A = step->course.a, *B = step->course.a_before, *E = m->mean, *v = m->trial.mid;
    double worst = 0.0;
    if (!free_acceleration(m, t, step->x, u, A)) return 0.0;
    for (int i = 0; i < m->n; i++) v[i] = u[i] + 0.5 * dt * A[i];
    slip_system_move(m->system, t, step->x, 0.5 * dt, u, &m->terms, m->middle);
    if (!free_acceleration(m, t + 0.5 * dt, m->middle, v, B)) return INFINITY;
    slip_system_move(m->system, t, step->x, dt, v, &m->terms, m->middle);
    for (int i = 0; i < m->n; i++) v[i] = u[i] + dt * B[i];
    if (!free_acceleration(m, t + dt, m->middle, v, E)) return INFINITY;
    for (int i = 0; i < m->n; i++) {
        const double bend = 4.0 * fabs(A[i] - 2.0 * B[i] + E[i]) / (dt * dt);
        const double error = relative_error(m, i, dt, fabs(u[i]), slip_larger(fabs(A[i]), fabs(B[i])), bend);
        worst = error >= 0.0 ? slip_larger(worst, error) : INFINITY; // not a number: much too far
    }
    return worst;
}

void slip_moreau_first_pace(slip_moreau *m, double t, slip_moreau_step *step)
{
    double dt = m->step;
    const double least = m->step / m->max_substeps;
    for (int try = 0; try < 40 && dt > least; try++) {
        const double error = first_error(m, t, dt, step);
        if (error <= SLACK * TOLERANCE) break;
        dt *= fmax(0.1, 0.9 * cbrt(TOLERANCE / error));
    }
    step->course.pace = fmax(dt, least);
    step->course.known = 0;
}

// u''' of coordinate i by the accelerations of three internal steps
static double third_rate(const slip_moreau *m, int i, double dt, const slip_moreau_step *step)
{
    const slip_moreau_course *c = &step->course;
    const double a = (m->trial.x[m->n + i] - step->x[m->n + i]) / dt;
    const double late = 0.5 * (dt + c->span), early = 0.5 * (c->span + c->span_before);
    return fabs((a - c->a[i]) / late - (c->a[i] - c->a_before[i]) / early) * 2.0 / (late + early);
}

bool slip_moreau_keeps_pace(slip_moreau *m, double whole, double *dt, slip_moreau_step *step)
{
    slip_moreau_course *c = &step->course;
    const double least = whole / m->max_substeps;
    double worst = 0.0;
    if (c->known < 2) return true;
    for (int i = 0; i < m->n; i++) {
        const double u = m->trial.x[m->n + i], a = m->turnover[i] / *dt;
        worst = slip_larger(worst, relative_error(m, i, *dt, fabs(u), a, third_rate(m, i, *dt, step)));
    }
    const double wish = *dt * (worst > 0.0 ? fmin(2.0, fmax(0.2, 0.9 * cbrt(TOLERANCE / worst))) : 2.0);
    const bool stands = worst <= SLACK * TOLERANCE || *dt <= least;
    if (!stands || wish < *dt || *dt >= 0.99 * c->pace) c->pace = fmax(least, fmin(whole, wish));
    if (!stands) *dt = fmax(least, wish);
    return stands;
}

void slip_moreau_remember(slip_moreau *m, double dt, const double *u, bool smooth, slip_moreau_step *step)
{
    slip_moreau_course *c = &step->course;
    double *const old = c->a_before;
    c->a_before = c->a;
    c->a = old;
    c->span_before = c->span;
    c->span = dt;
    for (int i = 0; i < m->n; i++) c->a[i] = (step->x[m->n + i] - u[i]) / dt;
    c->known = smooth ? (c->known < 2 ? c->known + 1 : 2) : 0;
}
