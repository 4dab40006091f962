/// formulation/moreau/moreau_step_control.c: length of substeps for the required accuracy.
///
/// The midpoint rule errs by dt^3/24 |u'''| in the velocities of a step. u''' is the second difference of the
/// accelerations of three internal steps in a row between which nothing happened; at the start of a run, of
/// the accelerations at both ends and in the middle. Errors count relative to the largest velocity that a
/// coordinate has had, or that an oscillation with such accelerations has; and at least to a share of the
/// velocities of all coordinates, compared by energy: |u_i| sqrt(M_ii). They are to stay below the relative
/// error tolerance of the run.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

enum { SUBSTEPS_BEFORE_GROWTH = 16 };   // substeps in a row that could have been longer before they grow
enum { STEPS_RELAXED_AFTER_EVENT = 4 }; // steps after an event with RELAXED_TOLERANCE_FACTOR

// M_ii of the last evaluation, from the factors of its blocks
static void find_inertia(slip_moreau *m)
{
    const slip_system *s = m->system;
    for (int b = 0; b < s->block_count; b++) {
        const slip_mass_block *block = &s->blocks[b];
        const double *L = m->terms.factor + s->block_offset[b];
        for (int i = 0; i < block->count; i++) {
            double sum = 0.0;
            for (int k = 0; k <= i; k++) sum += L[i * block->count + k] * L[i * block->count + k];
            m->step_control.inertia[block->coordinate[i]] = sum;
        }
    }
}

/// What all coordinates together have, seen from one of them: roots of twice an energy over the root of M_ii.
typedef struct whole_motion {
    double way, speed, pull; // m, m/s, m/s^2, where a coordinate is a length
} whole_motion;

// velocities that differ by less have been rounded: they, what changed them, or positions
static double velocity_rounding(const slip_moreau *m, int i, double dt, const whole_motion *all)
{
    const double speed =
        slip_larger(slip_larger(m->step_control.fastest[i], m->step_control.speed[i]), all->speed);
    const double pull = slip_larger(m->step_control.pull[i], all->pull);
    return DBL_EPSILON * (64.0 * slip_larger(speed, pull * dt) + 16.0 * all->way / dt);
}

// error of coordinate i relative to its size, or to what all of them have
static double relative_error(const slip_moreau *m, int i, double dt, const whole_motion *all)
{
    const slip_moreau_step_control *p = &m->step_control;
    const double bend = p->bend[i], error = dt * dt * dt / 24.0 * bend;
    if (bend == 0.0) return 0.0;
    const double pull = slip_larger(slip_larger(p->hardest[i], p->pull[i]), MIN_ENERGY_SHARE * all->pull);
    double size = slip_larger(slip_larger(p->fastest[i], p->speed[i]), MIN_ENERGY_SHARE * all->speed);
    if (bend > 0.0) size = slip_larger(size, pull * fmin(m->step, sqrt(pull / bend)));
    if (error <= velocity_rounding(m, i, dt, all)) return 0.0;
    return error > 0.0 ? error / size : INFINITY; // not a number: much too far
}

static double worst_of_each(const slip_moreau *m, double dt)
{
    static const whole_motion nothing = { 0.0, 0.0, 0.0 };
    double worst = 0.0;
    for (int i = 0; i < m->n; i++) worst = slip_larger(worst, relative_error(m, i, dt, &nothing));
    return worst;
}

static double worst_of_all(slip_moreau *m, double dt, const double *q)
{
    const slip_moreau_step_control *p = &m->step_control;
    whole_motion sum = { 0.0, 0.0, 0.0 };
    double worst = 0.0;
    find_inertia(m);
    for (int i = 0; i < m->n; i++) {
        const double u = slip_larger(p->fastest[i], p->speed[i]), a = slip_larger(p->hardest[i], p->pull[i]);
        sum.way += p->inertia[i] * q[i] * q[i];
        sum.speed += p->inertia[i] * u * u;
        sum.pull += p->inertia[i] * a * a;
    }
    for (int i = 0; i < m->n; i++) {
        const double part = 1.0 / p->inertia[i];
        const whole_motion all = { sqrt(sum.way * part), sqrt(sum.speed * part), sqrt(sum.pull * part) };
        worst = slip_larger(worst, relative_error(m, i, dt, &all));
    }
    return worst;
}

// bilateral constraints are kept; contacts and frictions push nothing
static bool free_acceleration(slip_moreau *m, double t, const double *q, const double *u, double *a)
{
    if (!slip_system_evaluate(m->system, SLIP_LEVEL_ACCELERATION, t, q, u, &m->terms)) return false;
    memset(m->closed, 0, (size_t)m->system->element_count);
    slip_moreau_assemble(m, SLIP_MOREAU_IMPACT, 0.0, u);
    memcpy(a, m->problem.pull, sizeof(double) * (size_t)m->n);
    return true;
}

static double first_error(slip_moreau *m, double t, double dt, slip_moreau_step *step)
{
    const double *u = step->x + m->n;
    double *A = step->history.a, *B = step->history.a_before, *E = m->mean, *v = m->trial.mid;
    if (!free_acceleration(m, t, step->x, u, A)) return 0.0;
    for (int i = 0; i < m->n; i++) v[i] = u[i] + 0.5 * dt * A[i];
    slip_system_move(m->system, t, step->x, 0.5 * dt, u, &m->terms, m->middle);
    if (!free_acceleration(m, t + 0.5 * dt, m->middle, v, B)) return INFINITY;
    slip_system_move(m->system, t, step->x, dt, v, &m->terms, m->middle);
    for (int i = 0; i < m->n; i++) v[i] = u[i] + dt * B[i];
    if (!free_acceleration(m, t + dt, m->middle, v, E)) return INFINITY;
    for (int i = 0; i < m->n; i++) {
        m->step_control.speed[i] = fabs(u[i]);
        m->step_control.pull[i] = slip_larger(fabs(A[i]), fabs(B[i]));
        m->step_control.bend[i] = 4.0 * fabs(A[i] - 2.0 * B[i] + E[i]) / (dt * dt);
    }
    return worst_of_all(m, dt, step->x);
}

// the longest halving of a step that is no longer than `wish`
static double largest_halving(double whole, double least, double wish)
{
    return fmax(least, wish < whole ? ldexp(whole, -(int)ceil(slip_log2(whole / wish) - WHOLE_NUMBER_SLACK))
                                    : whole);
}

void slip_moreau_first_substep(slip_moreau *m, double t, slip_moreau_step *step)
{
    double dt = m->step;
    const double least = m->step / m->max_substeps;
    for (int try = 0; try < 40 && dt > least; try++) {
        const double error = first_error(m, t, dt, step);
        if (error <= ACCEPTED_ERROR_FACTOR * m->tolerance) break;
        dt *= fmax(0.1, 0.9 * slip_exp(slip_ln(m->tolerance / error) / 3.0));
    }
    step->history.substep_length = largest_halving(m->step, least, dt);
    step->history.known = 0;
}

// u''' of coordinate i by the accelerations of three internal steps
static double third_rate(const slip_moreau *m, int i, double dt, const slip_moreau_step *step)
{
    const slip_moreau_history *c = &step->history;
    const double a = (m->trial.x[m->n + i] - step->x[m->n + i]) / dt;
    const double late = 0.5 * (dt + c->span), early = 0.5 * (c->span + c->span_before);
    return fabs((a - c->a[i]) / late - (c->a[i] - c->a_before[i]) / early) * 2.0 / (late + early);
}

// Shorter at once, longer after a while: a change of length costs accuracy, since what forces do in an
// internal step is off by a part that goes with its length
static void set_substep_length(slip_moreau *m, double whole, double wish, slip_moreau_history *c)
{
    const double least = whole / m->max_substeps;
    if (wish < c->substep_length) {
        if (wish < 0.9 * c->substep_length) c->substep_length = largest_halving(whole, least, wish);
        c->calm = 0;
    } else if (wish >= 1.9 * c->substep_length &&
               ++c->calm >= (c->substep_length < whole / 8.0 ? 2 : SUBSTEPS_BEFORE_GROWTH)) {
        c->substep_length = largest_halving(whole, least, 2.0 * c->substep_length);
        c->calm = 0;
    }
}

// s, at which the error would be the tolerance, with some room; infinite without an error, and where it is
// beyond all that anybody asks for
static double desired_length(double dt, double tolerance, double worst, double pace)
{
    if (worst * NEGLIGIBLE_ERROR_FACTOR < tolerance && pace <= dt) return INFINITY; // 0.9 * 100^(1/3) is 4.2
    return dt * fmax(0.2, 0.9 * slip_exp(slip_ln(tolerance / worst) / 3.0));
}

// Upper bound of dt^2 |u'''| by the accelerations of three internal steps of one length, whatever is rounded
static double third_rate_bound(double a, double before, double before_that)
{
    enum { SAFE = 64 }; // roundings
    const double b = 2.0 * before, d = before_that;
    return fabs(a - b + d) + SAFE * DBL_EPSILON * (fabs(a) + fabs(b) + fabs(d));
}

// Whether every error is below a hundredth of the tolerance. `third_rate` and `relative_error` then have
// nothing to tell. Looked at together, in pairs where the processor has them: few steps are judged otherwise
static bool error_is_negligible(const slip_moreau *m, double dt, double tolerance,
                                const slip_moreau_step *step)
{
    const double by_dt = 1.0 / dt, least = NEGLIGIBLE_ERROR_SHARE * 24.0 * tolerance * by_dt;
    const double *restrict end = m->trial.x + m->n, *restrict fastest = m->step_control.fastest;
    const double *restrict u = step->x + m->n, *restrict a = step->history.a,
                           *restrict b = step->history.a_before;
    int above = 0;
    if (step->history.span != dt || step->history.span_before != dt) return false;
    for (int i = 0; i < m->n; i++) {
        const double bend = third_rate_bound((end[i] - u[i]) * by_dt, a[i], b[i]);
        above += !(bend <= least * slip_larger(fastest[i], fabs(end[i])));
    }
    return above == 0;
}

// Whether every error is below what positions are rounded by, as of what rests: `rounding` of the way alone,
// squared
static bool error_is_rounding(slip_moreau *m, double dt, const slip_moreau_step *step)
{
    const double by_dt = 1.0 / dt, part = dt * dt / (24.0 * 16.0 * DBL_EPSILON);
    double way = 0.0, all = 0.0;
    if (step->history.span != dt || step->history.span_before != dt) return false;
    find_inertia(m);
    for (int i = 0; i < m->n; i++) {
        const double a = (m->trial.x[m->n + i] - step->x[m->n + i]) * by_dt,
                     inertia = m->step_control.inertia[i];
        const double error = part * third_rate_bound(a, step->history.a[i], step->history.a_before[i]);
        way += inertia * step->x[i] * step->x[i];
        all += inertia * error * error;
    }
    return all <= 0.99 * way;
}

static double tolerance_of(const slip_moreau *m, const slip_moreau_step *step)
{
    return step->history.rough > 0.0 ? RELAXED_TOLERANCE_FACTOR * m->tolerance : m->tolerance;
}

// the largest relative error of the attempt; of all coordinates together where each alone would ask for less
static double worst_error(slip_moreau *m, double whole, double dt, double tolerance,
                          const slip_moreau_step *step)
{
    for (int i = 0; i < m->n; i++) {
        m->step_control.speed[i] = fabs(m->trial.x[m->n + i]);
        m->step_control.pull[i] = m->turnover[i] / dt;
        m->step_control.bend[i] = third_rate(m, i, dt, step);
    }
    const double worst = worst_of_each(m, dt);
    return worst > tolerance || step->history.substep_length < whole ? worst_of_all(m, dt, step->x) : worst;
}

bool slip_moreau_accept_error_surely(slip_moreau *m, double dt, slip_moreau_step *step)
{
    const double tolerance = tolerance_of(m, step);
    if (!error_is_negligible(m, dt, tolerance, step) && !error_is_rounding(m, dt, step) &&
        !(worst_error(m, dt, dt, tolerance, step) * NEGLIGIBLE_ERROR_FACTOR < tolerance))
        return false;
    set_substep_length(m, dt, INFINITY, &step->history);
    return true;
}

bool slip_moreau_accept_error(slip_moreau *m, double whole, double *dt, slip_moreau_step *step)
{
    slip_moreau_history *c = &step->history;
    const double least = whole / m->max_substeps, tolerance = tolerance_of(m, step);
    if (c->known < 2) return true;
    if (c->substep_length == whole && *dt == whole && error_is_negligible(m, whole, tolerance, step)) {
        set_substep_length(m, whole, INFINITY, c);
        return true;
    }
    const double worst = worst_error(m, whole, *dt, tolerance, step);
    const double wish = desired_length(*dt, tolerance, worst, c->substep_length);
    const bool stands = worst <= ACCEPTED_ERROR_FACTOR * tolerance || *dt <= least;
    set_substep_length(m, whole, wish, c);
    if (!stands) *dt = fmin(*dt, c->substep_length);
    return stands;
}

void slip_moreau_save_accelerations(slip_moreau *m, double dt, bool smooth, slip_moreau_step *step)
{
    slip_moreau_history *c = &step->history;
    const double *u = step->x + m->n, *u_end = m->trial.x + m->n;
    double *const old = c->a_before;
    c->a_before = c->a;
    c->a = old;
    c->span_before = c->span;
    c->span = dt;
    for (int i = 0; i < m->n; i++) c->a[i] = (u_end[i] - u[i]) / dt;
    c->known = smooth ? (c->known < 2 ? c->known + 1 : 2) : 0;
    c->rough = smooth ? c->rough - dt : STEPS_RELAXED_AFTER_EVENT * m->step;
}
