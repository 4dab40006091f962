/// stepping/moreau_project.c: positions back onto the constraints and out of the obstacles.
///
/// The shift is the smallest in the metric of M: dq = M^-1 G' l with G dq = -g. Lifting a body out of
/// the floor puts energy in, as the paper warns (5.4). Whatever a shift puts in is taken back from the
/// kinetic energy: for contacts from the velocity along the shift itself (they separate more slowly),
/// for constraints from the velocities of the coordinates they tie together. What cannot be paid for is
/// not shifted. So kinetic + potential energy never rises here, which is checked after the fact.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/dense.h"
#include "stepping/moreau.h"

enum { MOST_PASSES = 4 };

static double energy_at(slip_moreau *m, double t, const double *q, const double *u, double *kinetic)
{
    double potential, power;
    slip_system_energy(m->system, t, q, u, &m->terms, kinetic, &potential, &power);
    return *kinetic + potential;
}

// rows to correct at the present terms: constraints (as equalities), and penetrating contacts if asked. A
// contact that lasts keeps a cushion of O(dt^2): on its very edge it would open and strike every other step.
static int violated(slip_moreau *m, bool contacts, const double *u, double *largest)
{
    const slip_system *s = m->system;
    int count = 0;
    *largest = 0.0;
    for (int a = 0; a < s->constraint_count; a++) {
        m->project.row[count] = a;
        m->project.g[count++] = m->terms.constraint[a];
        if (!contacts) *largest = fmax(*largest, fabs(m->terms.constraint[a]));
    }
    for (int e = 0; contacts && e < s->element_count; e++) {
        const int row = s->elements[e].normal_row;
        if (!s->elements[e].has_gap || !(m->terms.gap[e] < 0.0)) continue;
        const double fall = 1e6 * m->slack[e]; // the way that forces make in a step
        const bool leaving = slip_system_row_rate(s, &m->terms, row, u) > 2.0 * fall / m->step;
        const double over = m->terms.gap[e] + (leaving ? 0.0 : fall);
        if (!(over < 0.0)) continue;
        m->project.row[count] = row;
        m->project.g[count++] = over;
        *largest = fmax(*largest, -over);
    }
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
    slip_semi_cholesky(count, m->project.S, 1e-12);
    slip_cholesky_solve(count, m->project.S, m->project.lambda);
}

// contacts that would pull leave the set, one at a time; returns how many rows are left
static int without_pulling(slip_moreau *m, int count)
{
    for (;;) {
        solve_multipliers(m, count);
        int worst = -1;
        for (int i = m->system->constraint_count; i < count; i++)
            if (m->project.lambda[i] < 0.0 && (worst < 0 || m->project.lambda[i] < m->project.lambda[worst]))
                worst = i;
        if (worst < 0) return count;
        count--;
        m->project.row[worst] = m->project.row[count];
        m->project.g[worst] = m->project.g[count];
    }
}

// q := q + the whole shift, by Newton; false when there was nothing to correct
static bool shift(slip_moreau *m, double t, bool contacts, double *q, const double *u, double *largest)
{
    memset(m->project.shift, 0, sizeof(double) * (size_t)m->n);
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        double now;
        if (!slip_system_evaluate(m->system, SLIP_LEVEL_MOTION, t, q, u, &m->terms)) return false;
        int count = violated(m, contacts, u, &now);
        if (pass == 0) *largest = now;
        if (!(now > 0.0) || (pass > 0 && now <= 1e-12 * *largest)) return pass > 0;
        count = without_pulling(m, count);
        for (int i = 0; i < count; i++) {
            const double *y = m->project.Y + (long)i * m->n;
            slip_system_move(m->system, t, q, m->project.lambda[i], y, &m->terms, q);
            for (int k = 0; k < m->n; k++) m->project.shift[k] += m->project.lambda[i] * y[k];
        }
    }
    return true;
}

// u := u - b d with the smallest b that takes `owed` from the kinetic energy, which is a parabola in b;
// returns what was paid: all of it, or the most there is
static double pay(slip_moreau *m, double t, const double *q, const double *d, double owed, double *u)
{
    double T[3], *v = m->mean;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < m->n; i++) v[i] = u[i] - 0.5 * k * d[i];
        energy_at(m, t, q, v, &T[k]);
    }
    const double bend = 2.0 * (T[2] - 2.0 * T[1] + T[0]),
                 slope = T[2] - T[0] - bend; // T0 + slope b + bend b^2
    if (!(slope < 0.0) || !(bend > 0.0)) return 0.0;
    const double most = slope * slope / (4.0 * bend), root = most - owed;
    const double b = root > 0.0 ? 2.0 * owed / (-slope + 2.0 * sqrt(bend * root)) : -slope / (2.0 * bend);
    for (int i = 0; i < m->n; i++) u[i] -= b * d[i];
    return root > 0.0 ? owed : most;
}

// the direction in which this shift is paid for, into problem.free
static const double *purse(slip_moreau *m, bool contacts, const double *u)
{
    const slip_system *s = m->system;
    double *d = m->problem.free;
    if (contacts) {
        double along = 0.0, length = 0.0; // as long as makes b = 1 a sensible step
        for (int i = 0; i < m->n; i++) {
            along = fmax(along, fabs(u[i]));
            length = fmax(length, fabs(m->project.shift[i]));
        }
        for (int i = 0; i < m->n; i++) d[i] = length > 0.0 ? m->project.shift[i] * (along / length) : 0.0;
        return d;
    }
    memset(d, 0, sizeof(double) * (size_t)m->n);
    for (int k = 0; k < s->start[s->constraint_count]; k++) d[s->column[k]] = u[s->column[k]];
    return d;
}

static void project(slip_moreau *m, double t, bool contacts, slip_moreau_step *step)
{
    double *q = step->x, *u = step->x + m->n, kinetic, largest = 0.0;
    const size_t bytes = sizeof(double) * (size_t)m->n;
    memcpy(m->project.q, q, bytes);
    memcpy(m->project.u, u, bytes);
    if (!shift(m, t, contacts, q, u, &largest)) {
        memcpy(q, m->project.q, bytes);
        return;
    }
    const double before = energy_at(m, t, m->project.q, u, &kinetic);
    double part = 1.0, margin = 8.0 * DBL_EPSILON; // rounding is not to add energy either
    for (int try = 0; try < 6 && part > 1e-3; try++) {
        if (part < 1.0) slip_system_move(m->system, t, m->project.q, part, m->project.shift, &m->terms, q);
        memcpy(u, m->project.u, bytes);
        double owed = energy_at(m, t, q, u, &kinetic) - before, paid = owed;
        if (owed > 0.0) {
            owed += margin * (fabs(before) + fabs(kinetic));
            paid = pay(m, t, q, purse(m, contacts, u), owed, u);
        }
        const double after = energy_at(m, t, q, u, &kinetic);
        if (after <= before) {
            step->projected = fmax(step->projected, part * largest);
            step->projection += after - before;
            return;
        }
        if (paid == owed)
            margin *= 8.0;
        else
            part *= fmin(0.5, 0.9 * paid / owed);
    }
    memcpy(q, m->project.q, bytes); // not to be had for free
    memcpy(u, m->project.u, bytes);
}

void slip_moreau_project(slip_moreau *m, double t, slip_moreau_step *step)
{
    step->projected = step->projection = 0.0;
    if (m->projection == SLIP_PROJECT_NONE) return;
    if (m->system->constraint_count) project(m, t, false, step);
    if (m->projection == SLIP_PROJECT_CONSTRAINTS) return;
    slip_system_evaluate(m->system, SLIP_LEVEL_GAP, t, step->x, step->x + m->n, &m->terms);
    for (int e = 0; e < m->system->element_count; e++)
        if (m->system->elements[e].has_gap && m->terms.gap[e] < 0.0) {
            project(m, t, true, step);
            return;
        }
}
