/// crowd/crowd_project.c: overlap is taken out of positions, never out of velocities.
///
/// The least shift, in the metric of the masses, that opens every contact: with W_N the normal rows,
///     0 <= pi  _|_  g_E + W_N' M^-1 W_N pi >= 0          (Acary 2013, "Projected event-capturing", section
///     4)
/// by projected Gauss-Seidel on the bodies themselves; what is left of it is the next step's.
#include <math.h>

#include "crowd/crowd.h"

enum { MOST_SWEEPS = 40 };

// m: overlap that is worth the work
static double worth(const slip_crowd_step *c, const slip_meet *m)
{
    double least = INFINITY;
    for (int s = 0; s < 2; s++) least = fmin(least, c->body[m->body[s]].least);
    return fmax(1e-3 * c->pull * c->h * c->h, 1e-9 * least);
}

// the gap at the end of the step, by the velocities of its end
static double gap_after(const slip_crowd_step *c, const slip_meet *m)
{
    return m->gap + 0.5 * c->h * m->after[0];
}

// what strikes or opens parts by itself
static bool is_kept(const slip_meet *m)
{
    return m->carries && !m->hits && (m->impulse[0] > 0.0 || m->after[0] <= 0.0);
}

static double opened(const slip_crowd_step *c, const slip_meet *m)
{
    double gap = gap_after(c, m);
    for (int s = 0; s < 2; s++) {
        const slip_member *b = &c->body[m->body[s]];
        const double by = v3_dot(m->axis[0], b->shift) + v3_dot(slip_meet_turn(m, s, 0), b->twist);
        gap += s ? -by : by;
    }
    return gap;
}

static void push(slip_crowd_step *c, slip_meet *m, double by)
{
    m->push += by;
    for (int s = 0; s < 2; s++) {
        slip_member *b = &c->body[m->body[s]];
        const double sign = s ? -by : by;
        const slip_v3 turn = slip_meet_turn(m, s, 0);
        if (b->jointed) slip_machine_push(c, m->body[s], m->axis[0], turn, sign);
        if (!slip_member_is_free(b)) continue;
        b->shift = v3_along(b->shift, sign * b->inverse_mass, m->axis[0]);
        b->twist = v3_along(b->twist, sign, slip_matrix_times(b->inverse, turn));
    }
}

static double compliance_of(const slip_crowd_step *c, const slip_meet *m)
{
    double sum = 0.0;
    for (int s = 0; s < 2; s++) {
        const slip_member *b = &c->body[m->body[s]];
        const slip_v3 turn = slip_meet_turn(m, s, 0);
        sum += b->inverse_mass + v3_dot(turn, slip_matrix_times(b->inverse, turn));
        if (b->jointed) sum += slip_machine_yields(c->machine, m->body[s], m->axis[0], turn);
    }
    return sum;
}

static double sweep_islands(slip_crowd_step *c, int first, int end)
{
    double worst = 0.0;
    for (int k = c->start[first]; k < c->start[end]; k++) {
        slip_meet *m = &c->next.items[c->order[k]];
        if (!is_kept(m)) continue;
        const double gap = opened(c, m), compliance = compliance_of(c, m),
                     by = compliance > 0.0 ? fmax(-m->push, -gap / compliance) : 0.0;
        if (gap < 0.0) worst = fmax(worst, -gap / worth(c, m));
        if (by != 0.0) push(c, m, by);
    }
    return worst;
}

static double sweep(slip_crowd_step *c)
{
    const double worst = slip_crowd_share_islands(c, sweep_islands);
    return c->machine ? fmax(worst, slip_machine_open(c, false)) : worst;
}

void slip_crowd_project(slip_crowd_step *c)
{
    bool any = false;
    for (int k = 0; k < c->next.count; k++) {
        slip_meet *m = &c->next.items[k];
        const double gap = is_kept(m) ? gap_after(c, m) : 0.0;
        m->push = 0.0;
        any = any || gap < -worth(c, m);
        if (-gap > c->deepest) c->deepest = -gap;
    }
    if (c->machine && slip_machine_open(c, true) > 1.0) any = true;
    for (int k = 0; k < MOST_SWEEPS && any; k++) any = sweep(c) > 1.0;
}
