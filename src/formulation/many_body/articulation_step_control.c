/// formulation/many_body/articulation_step_control.c: the longest step for the forces of an articulation.
///
/// The midpoint rule takes forces at a position that is half a step ahead, so an oscillation faster than 2/h
/// is unstable; and it finds forces that depend on velocities by iteration, which converges where h
/// |dh/du|/(2 m) is below 1. Both are bounded by row sums: w^2 <= |M^-1 dh/dq|, c <= |M^-1 dh/du|.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "formulation/many_body/articulation.h"
#include "dynamics/derivation.h"
#include "formulation/many_body/many_body_tolerances.h"

typedef struct collected {
    slip_ref *roots;
    size_t roots_capacity, slopes_capacity;
} collected;

static bool add_root(slip_articulation *m, collected *c, slip_ref value, slip_force_derivative slope)
{
    const size_t count = (size_t)m->slope_count;
    if (value < 0 || !slip_array_grow((void **)&c->roots, &c->roots_capacity, count, sizeof *c->roots) ||
        !slip_array_grow((void **)&m->slopes, &c->slopes_capacity, count, sizeof *m->slopes))
        return false;
    m->slopes[count] = slope;
    c->roots[count] = value;
    m->slope_count++;
    return true;
}

// dh_i/du_j, or of h_i along the motion, whose slope over u_j at rest is dh_i/dq q'_j
static bool add_slopes(slip_articulation *m, slip_equations *e, collected *c, int i, slip_ref of, bool rate)
{
    slip_partial *partials = NULL;
    const int count = of < 0 ? -1 : slip_graph_gradient(e->graph, of, &partials);
    bool fine = count >= 0;
    for (int k = 0; k < count && fine; k++) {
        const int j = partials[k].input - e->n - 1;
        if (j < 0 || j >= e->n || m->part_of[j] < 0) continue;
        const slip_ref value = rate ? partials[k].value : slip_at_zero_rates(e, partials[k].value);
        fine = add_root(m, c, value, (slip_force_derivative){ .row = i, .column = j, .rate = rate });
    }
    free(partials);
    return fine;
}

bool slip_articulation_compile_slopes(struct slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    slip_equations *e = m->system->equations;
    collected all = { 0 };
    bool fine = true;
    for (int p = 0; p < m->part_count && fine; p++) {
        slip_articulated_part *part = &m->parts[p];
        part->slope = m->slope_count;
        for (int i = 0; i < part->count && fine; i++) {
            const int k = m->coordinate[part->first + i];
            fine = add_slopes(m, e, &all, k, slip_along_motion(e, e->h[k]), false) &&
                   add_slopes(m, e, &all, k, e->h[k], true);
        }
        part->slopes = m->slope_count - part->slope;
    }
    if (fine && m->slope_count) {
        m->slope_tape = slip_tape_create(e->graph, all.roots, m->slope_count);
        m->slope_reg = m->slope_tape
                           ? calloc((size_t)slip_tape_registers(m->slope_tape) + 1, sizeof *m->slope_reg)
                           : NULL;
        if (m->slope_reg) slip_tape_start(m->slope_tape, m->slope_reg);
        fine = m->slope_reg != NULL;
    }
    free(all.roots);
    return fine;
}

// sum of |M^-1 slope| over row i of a part; m->push is zero before and after
static double mass_weighted_row_sum(const slip_articulation *m, const slip_articulated_part *part, int i,
                                    bool rate)
{
    double sum = 0.0;
    for (int k = part->slope; k < part->slope + part->slopes; k++) {
        const slip_force_derivative *s = &m->slopes[k];
        if (s->rate == rate)
            m->push[s->column] += part->inverse[i * part->count + m->place[s->row]] *
                                  m->slope_reg[slip_tape_result(m->slope_tape, k)];
    }
    for (int k = part->slope; k < part->slope + part->slopes; k++) {
        sum += fabs(m->push[m->slopes[k].column]);
        m->push[m->slopes[k].column] = 0.0;
    }
    return sum;
}

static double largest_row_sum(slip_many_body *c, bool rate)
{
    slip_articulation *m = c->articulation;
    double most = 0.0;
    memset(m->push, 0, (size_t)c->n * sizeof *m->push);
    for (int p = 0; p < m->part_count; p++)
        for (int i = 0; i < m->parts[p].count; i++)
            most = fmax(most, mass_weighted_row_sum(m, &m->parts[p], i, rate));
    return most;
}

double slip_articulation_substep_count(slip_many_body *c, double t, double step)
{
    slip_articulation *m = c->articulation;
    if (!m->slope_count) return 1.0;
    const double *q = c->state, *u = c->state + c->n;
    if (!slip_articulation_evaluate_mass(c, t)) return 1.0; // the step itself says what is wrong
    m->slope_reg[0] = t;
    memcpy(m->slope_reg + 1, q, (size_t)c->n * sizeof *q);
    memcpy(m->slope_reg + 1 + c->n, u, (size_t)c->n * sizeof *u);
    slip_tape_run(m->slope_tape, m->slope_reg);
    return fmax(step * sqrt(largest_row_sum(c, false)) / MAX_PHASE_PER_SUBSTEP,
                step * largest_row_sum(c, true) / MAX_DAMPING_PER_SUBSTEP);
}
