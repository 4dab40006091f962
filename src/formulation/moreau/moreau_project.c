/// formulation/moreau/moreau_project.c: positions back onto the constraints, the contacts that push, and out
/// of obstacles.
///
/// The shift is the smallest in the metric of M: dq = M^-1 G' l with G dq = -g. Lifting a body out of
/// the floor adds energy, as the paper warns (5.4). This energy is removed from the kinetic energy: for
/// contacts from the velocity along the shift itself (they separate more slowly), and where there is none
/// from the velocities of the coordinates in the contact, and of those that constraints couple to them; for constraints from the velocities of the
/// coordinates that they couple. A correction whose energy cannot be removed from the velocities is not made,
/// unless it is within the gap slack, which is rounding. So kinetic + potential energy never rises here,
/// which is checked afterwards.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

enum { MAX_PROJECTION_PASSES = 4 };

static double energy_at(slip_moreau *m, double t, const double *q, const double *u, double *kinetic)
{
    double potential, power;
    slip_system_energy(m->system, t, q, u, &m->terms, kinetic, &potential, &power);
    return *kinetic + potential;
}

static void add_correction_row(slip_moreau *m, int row, double g, bool tied, int *count)
{
    m->project.row[*count] = row;
    m->project.tied[*count] = tied;
    m->project.g[(*count)++] = g;
}

// A contact of the scheme as printed that lasts keeps a cushion of O(dt^2): on its very edge it would open
// and strike every other step
static void add_printed(slip_moreau *m, int e, const double *u, int *count, double *largest)
{
    const int row = m->system->elements[e].normal_row;
    const double fall = 1e6 * m->slack[e]; // the way that forces make in a step
    const bool leaving = slip_system_row_rate(m->system, &m->terms, row, u) > 2.0 * fall / m->step;
    const double over = m->terms.gap[e] + (leaving ? 0.0 : fall);
    if (!(m->terms.gap[e] < 0.0) || !(over < 0.0)) return;
    add_correction_row(m, row, over, false, count);
    *largest = fmax(*largest, -over);
}

// how far a contact is off where it should be held: at its level when it pushes, not below when it does not
static double level_violation(const slip_moreau *m, const slip_moreau_step *step, int e, double gap)
{
    const double off = gap - step->history.level[e], slack = m->slack[e];
    const bool pushes = step->state[e] != SLIP_STATE_OPEN;
    return off < -(pushes ? 0.5 : 1.0) * slack || (pushes && off > 0.5 * slack) ? off : 0.0;
}

// A contact that pushed and whose gap has a rate, with rows as they are now, went over an edge: it has ended,
// and is not to be held there
static bool keeps_contact(const slip_moreau *m, const slip_moreau_step *step, int e)
{
    const slip_system *s = m->system;
    const double *u = step->x + m->n;
    const int row = s->elements[e].normal_row;
    double speed = fabs(m->terms.drift[row]) + m->slack[e] / m->step;
    if (step->state[e] == SLIP_STATE_OPEN) return false;
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        speed += fabs(m->terms.value[k] * u[s->column[k]]);
    return fabs(slip_system_row_rate(s, &m->terms, row, u)) <= OVER_EDGE_RATE * speed;
}

// a contact of an internal step: with every other when it pushes
static void add_refined(slip_moreau *m, int e, const slip_moreau_step *step, int *count, double *largest)
{
    const double gap = m->terms.gap[e] - step->history.level[e];
    const bool tied = keeps_contact(m, step, e);
    const double off = tied || gap < 0.0 ? level_violation(m, step, e, m->terms.gap[e]) : 0.0;
    if (tied || off < 0.0) add_correction_row(m, m->system->elements[e].normal_row, gap, tied, count);
    *largest = fmax(*largest, fabs(off));
}

// rows to correct at the present terms: constraints, and contacts if asked
static int list_violated(slip_moreau *m, bool contacts, const slip_moreau_step *step, double *largest)
{
    const slip_system *s = m->system;
    int count = 0;
    *largest = 0.0;
    for (int a = 0; a < s->constraint_count; a++) {
        if (s->redundant[a]) continue;
        add_correction_row(m, a, m->terms.constraint[a], true, &count);
        if (!contacts) *largest = fmax(*largest, fabs(m->terms.constraint[a]));
    }
    for (int e = 0; contacts && e < s->contact_count; e++)
        if (m->max_substeps == 1)
            add_printed(m, e, step->x + m->n, &count, largest);
        else
            add_refined(m, e, step, &count, largest);
    return count;
}

// (G M^-1 G') l = -g
static void solve_multipliers(slip_moreau *m, int count)
{
    const slip_system *s = m->system;
    for (int i = 0; i < count; i++) {
        double *y = m->project.Y + (long)i * m->n;
        slip_system_solve_row(s, &m->terms, m->project.row[i], y);
        for (int j = 0; j <= i; j++)
            m->project.S[i * count + j] = slip_system_row_dot(s, &m->terms, m->project.row[j], y);
        m->project.lambda[i] = -m->project.g[i];
    }
    slip_cholesky_semidefinite(count, m->project.S, DEPENDENT_CONSTRAINT_PIVOT);
    slip_cholesky_solve(count, m->project.S, m->project.lambda);
}

// contacts that would pull leave the set, one at a time; returns how many rows are left
static int drop_pulling_rows(slip_moreau *m, int count)
{
    for (;;) {
        solve_multipliers(m, count);
        int worst = -1;
        for (int i = 0; i < count; i++)
            if (!m->project.tied[i] && m->project.lambda[i] < 0.0 &&
                (worst < 0 || m->project.lambda[i] < m->project.lambda[worst]))
                worst = i;
        if (worst < 0) return count;
        count--;
        m->project.row[worst] = m->project.row[count];
        m->project.tied[worst] = m->project.tied[count];
        m->project.g[worst] = m->project.g[count];
    }
}

// q := q + the whole shift, by Newton; false when there was nothing to correct
static bool shift_positions(slip_moreau *m, double t, bool contacts, slip_moreau_step *step, double *largest)
{
    double *q = step->x, *u = step->x + m->n;
    memset(m->project.shift, 0, sizeof(double) * (size_t)m->n);
    for (int pass = 0; pass < MAX_PROJECTION_PASSES; pass++) {
        double now;
        if (!slip_system_evaluate(m->system, SLIP_LEVEL_MOTION, t, q, u, &m->terms)) return false;
        int count = list_violated(m, contacts, step, &now);
        if (pass == 0) *largest = now;
        if (!(now > 0.0) || (pass > 0 && now <= PROJECTION_DONE_RELATIVE * *largest)) return pass > 0;
        count = drop_pulling_rows(m, count);
        for (int i = 0; i < count; i++) {
            const double *y = m->project.Y + (long)i * m->n;
            slip_system_move(m->system, t, q, m->project.lambda[i], y, &m->terms, q);
            for (int k = 0; k < m->n; k++) m->project.shift[k] += m->project.lambda[i] * y[k];
        }
    }
    return true;
}

// u := u - b d with the smallest b that takes `excess_energy` from the kinetic energy, which is a parabola in
// b; returns what was paid: all of it, or the most there is
static double remove_kinetic_energy(slip_moreau *m, double t, const double *q, const double *d,
                                    double excess_energy, double *u)
{
    double T[3], *v = m->mean;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < m->n; i++) v[i] = u[i] - 0.5 * k * d[i];
        energy_at(m, t, q, v, &T[k]);
    }
    const double bend = 2.0 * (T[2] - 2.0 * T[1] + T[0]),
                 slope = T[2] - T[0] - bend; // T0 + slope b + bend b^2
    if (!(slope < 0.0) || !(bend > 0.0)) return 0.0;
    const double most = slope * slope / (4.0 * bend), root = most - excess_energy;
    const double b =
        root > 0.0 ? 2.0 * excess_energy / (-slope + 2.0 * sqrt(bend * root)) : -slope / (2.0 * bend);
    for (int i = 0; i < m->n; i++) u[i] -= b * d[i];
    return root > 0.0 ? excess_energy : most;
}

static bool touches_marked(const slip_system *s, int row, const double *marked)
{
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
        if (marked[s->column[k]] != 0.0) return true;
    return false;
}

static bool mark_row(const slip_system *s, int row, double *marked)
{
    bool some = false;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) {
        some = some || marked[s->column[k]] == 0.0;
        marked[s->column[k]] = 1.0;
    }
    return some;
}

// The velocities of what the elements that push touch, and of what constraints couple to that: where a body swings on
// one that has just begun to slip, the constraint moves the contact, and the slip is too slow to pay for it
static void touched_velocities(const slip_moreau *m, const slip_moreau_step *step, double *d)
{
    const slip_system *s = m->system;
    const double *u = step->x + m->n;
    for (int e = 0; e < s->contact_count; e++) {
        const slip_element *element = &s->elements[e];
        for (int c = 0; c < 1 + element->slip_count && step->state[e] != SLIP_STATE_OPEN; c++)
            mark_row(s, element->normal_row + c, d);
    }
    for (bool grows = true; grows;) {
        grows = false;
        for (int a = 0; a < s->constraint_count; a++)
            if (touches_marked(s, a, d)) grows = mark_row(s, a, d) || grows;
    }
    for (int k = 0; k < m->n; k++) d[k] *= u[k];
}

// The velocity direction along which the energy put in by the position correction is removed, into
// problem.free.
static const double *correction_direction(slip_moreau *m, bool contacts, bool touched,
                                          const slip_moreau_step *step)
{
    const slip_system *s = m->system;
    const double *u = step->x + m->n;
    double *d = m->problem.free;
    if (contacts && !touched) {
        double along = 0.0, length = 0.0; // as long as makes b = 1 a sensible step
        for (int i = 0; i < m->n; i++) {
            along = fmax(along, fabs(u[i]));
            length = fmax(length, fabs(m->project.shift[i]));
        }
        for (int i = 0; i < m->n; i++) d[i] = length > 0.0 ? m->project.shift[i] * (along / length) : 0.0;
        return d;
    }
    memset(d, 0, sizeof(double) * (size_t)m->n);
    if (contacts)
        touched_velocities(m, step, d);
    else
        for (int k = 0; k < s->start[s->constraint_count]; k++) d[s->column[k]] = u[s->column[k]];
    return d;
}

// Takes `excess_energy` from the kinetic energy, or gives it when it is negative; returns what was paid. What
// a contact leaves with is what it is lifted by
static double compensate_energy(slip_moreau *m, double t, bool contacts, double excess_energy,
                                slip_moreau_step *step)
{
    double *q = step->x, *u = step->x + m->n, paid = 0.0;
    if (excess_energy > 0.0 || !contacts)
        paid =
            remove_kinetic_energy(m, t, q, correction_direction(m, contacts, false, step), excess_energy, u);
    if (contacts && m->max_substeps > 1 && paid != excess_energy)
        paid += remove_kinetic_energy(m, t, q, correction_direction(m, contacts, true, step),
                                      excess_energy - paid, u);
    return paid;
}

// a shift by no more than the slack of the gaps, or than rounding of the constraints, is nothing to pay for
static bool is_rounding(const slip_moreau *m, bool contacts, double largest)
{
    double slack = INFINITY, far = 1.0;
    for (int i = 0; i < m->n; i++) far = fmax(far, fabs(m->project.q[i]));
    if (!contacts) return m->max_substeps > 1 && largest <= PROJECTION_ROUNDING * far;
    for (int e = 0; e < m->system->contact_count; e++) slack = fmin(slack, m->slack[e]);
    return m->max_substeps > 1 && largest <= PROJECTION_ROUNDING_SLACKS * slack;
}

static bool project_and_compensate(slip_moreau *m, double t, bool contacts, slip_moreau_step *step)
{
    double *q = step->x, *u = step->x + m->n, kinetic, largest = 0.0;
    const size_t bytes = sizeof(double) * (size_t)m->n;
    memcpy(m->project.q, q, bytes);
    memcpy(m->project.u, u, bytes);
    if (!shift_positions(m, t, contacts, step, &largest)) {
        memcpy(q, m->project.q, bytes);
        return false;
    }
    const double before = energy_at(m, t, m->project.q, u, &kinetic);
    double part = 1.0, margin = 8.0 * DBL_EPSILON; // rounding is not to add energy either
    for (int try = 0; try < MAX_PARTIAL_PROJECTIONS && part > MIN_PROJECTED_PART; try++) {
        if (part < 1.0) slip_system_move(m->system, t, m->project.q, part, m->project.shift, &m->terms, q);
        memcpy(u, m->project.u, bytes);
        double excess_energy = energy_at(m, t, q, u, &kinetic) - before, paid = excess_energy;
        const double rounding = margin * (fabs(before) + fabs(kinetic));
        if (excess_energy > 0.0 ||
            (m->max_substeps > 1 && excess_energy < -rounding)) { // an internal step also gives back
            excess_energy += rounding;
            paid = compensate_energy(m, t, contacts, excess_energy, step);
        }
        const double after = energy_at(m, t, q, u, &kinetic);
        if (after <= before || (paid != excess_energy && is_rounding(m, contacts, part * largest))) {
            step->projected = fmax(step->projected, part * largest);
            step->projection += after - before;
            return true;
        }
        if (paid == excess_energy)
            margin *= 8.0;
        else
            part *= fmin(0.5, 0.9 * paid / excess_energy);
    }
    memcpy(q, m->project.q, bytes); // not to be had for free
    memcpy(u, m->project.u, bytes);
    return false;
}

bool slip_moreau_project(slip_moreau *m, double t, slip_moreau_step *step)
{
    const bool printed = m->max_substeps == 1;
    bool moved = false;
    if (m->projection == SLIP_PROJECT_NONE) return false;
    if (m->system->constraint_count) moved = project_and_compensate(m, t, false, step);
    if (m->projection == SLIP_PROJECT_CONSTRAINTS) return moved;
    if (printed || moved)
        slip_system_evaluate(m->system, SLIP_LEVEL_GAP, t, step->x, step->x + m->n, &m->terms);
    const double *gap = printed || moved ? m->terms.gap : step->history.gap;
    for (int e = 0; e < m->system->contact_count; e++)
        if (printed ? gap[e] < 0.0 : level_violation(m, step, e, gap[e]) != 0.0)
            return project_and_compensate(m, t, true, step) || moved;
    return moved;
}
