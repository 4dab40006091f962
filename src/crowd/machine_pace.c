/// crowd/machine_pace.c: how long a step may be for the forces of a machine.
///
/// The midpoint rule takes forces at a position that is half a step ahead, so what swings faster than 2/h
/// grows without end; and it looks for forces that depend on velocities by iteration, which ends where h
/// |dh/du|/(2 m) is below 1. Both are bounded by row sums: w^2 <= |M^-1 dh/dq|, c <= |M^-1 dh/du|.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd.h"
#include "crowd/machine.h"
#include "system/inertia.h"

// part of a period, over 2 pi, and contraction over 1/2, that a substep may have
static const double SWING = 1.0, DAMPING = 1.0;

static bool add_root(slip_machine *m, slip_ref *roots, slip_ref value, int row, int column, bool rate)
{
    slip_force_slope *to = &m->slopes[m->slope_count];
    *to = (slip_force_slope){ .row = row, .column = column, .rate = rate };
    roots[m->slope_count++] = value;
    return value >= 0;
}

// dh_i/du_j, or of h_i along the motion, whose slope over u_j at rest is dh_i/dq q'_j
static bool add_slopes(slip_machine *m, slip_equations *e, slip_ref *roots, int i, slip_ref of, bool rate)
{
    slip_partial *partials = NULL;
    const int count = of < 0 ? -1 : slip_graph_gradient(e->graph, of, &partials);
    bool fine = count >= 0;
    for (int k = 0; k < count && fine; k++) {
        const int j = partials[k].input - e->n - 1;
        if (j < 0 || j >= e->n || m->part_of[j] < 0) continue;
        fine = add_root(m, roots, rate ? partials[k].value : slip_at_rest(e, partials[k].value), i, j, rate);
    }
    free(partials);
    return fine;
}

bool slip_machine_make_pace(struct slip_crowd_step *c)
{
    slip_machine *m = c->machine;
    slip_equations *e = m->system->equations;
    int count = 0;
    for (int p = 0; p < m->part_count; p++) count += m->parts[p].count;
    const size_t most = 2 * (size_t)count * (size_t)count;
    m->slopes = SLIP_POOL_NEW(c->pool, slip_force_slope, most);
    slip_ref *roots = malloc((most + 1) * sizeof *roots);
    bool fine = m->slopes && roots;
    for (int k = 0; k < e->n && fine; k++) {
        if (m->part_of[k] < 0) continue;
        fine = add_slopes(m, e, roots, k, slip_along_motion(e, e->h[k]), false) &&
               add_slopes(m, e, roots, k, e->h[k], true);
    }
    m->slope_tape = fine ? slip_tape_create(e->graph, roots, m->slope_count) : NULL;
    m->slope_reg =
        m->slope_tape ? calloc((size_t)slip_tape_registers(m->slope_tape) + 1, sizeof *m->slope_reg) : NULL;
    if (m->slope_reg) slip_tape_start(m->slope_tape, m->slope_reg);
    free(roots);
    return m->slope_reg != NULL;
}

// the largest sum of |M^-1 slope| over a row
static double row_sum(slip_crowd_step *c, bool rate)
{
    slip_machine *m = c->machine;
    double most = 0.0;
    for (int p = 0; p < m->part_count; p++) {
        const slip_limb *part = &m->parts[p];
        for (int i = 0; i < part->count; i++) {
            memset(m->push, 0, (size_t)c->n * sizeof *m->push);
            for (int k = 0; k < m->slope_count; k++) {
                const slip_force_slope *s = &m->slopes[k];
                if (s->rate != rate || m->part_of[s->row] != p) continue;
                m->push[s->column] += part->inverse[i * part->count + m->place[s->row]] *
                                      m->slope_reg[slip_tape_result(m->slope_tape, k)];
            }
            double sum = 0.0;
            for (int k = 0; k < c->n; k++) sum += fabs(m->push[k]);
            most = fmax(most, sum);
        }
    }
    return most;
}

double slip_machine_substeps(slip_crowd_step *c, double t, double step)
{
    slip_machine *m = c->machine;
    if (!m->slope_count) return 1.0;
    const double *q = c->state, *u = c->state + c->n;
    if (!slip_machine_weigh(c, t)) return 1.0; // the step itself says what is wrong
    m->slope_reg[0] = t;
    memcpy(m->slope_reg + 1, q, (size_t)c->n * sizeof *q);
    memcpy(m->slope_reg + 1 + c->n, u, (size_t)c->n * sizeof *u);
    slip_tape_run(m->slope_tape, m->slope_reg);
    return fmax(step * sqrt(row_sum(c, false)) / SWING, step * row_sum(c, true) / DAMPING);
}
