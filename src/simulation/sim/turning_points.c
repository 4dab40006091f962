/// simulation/sim/turning_points.c: extremes of columns inside the step ahead.
#include "simulation/sim/turning_points.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulation/sim/sim.h"

enum { NODES = SLIP_TURNING_NODES, DEGREE = NODES - 1, PIECES = 16, MAX_BISECTIONS = 40 };
static const double SAME_INSTANT = 1e-3; // of a step: turns that near share a row

bool slip_turning_points_create(slip_turning_points *p, const slip_sim *sim, bool records)
{
    *p = (slip_turning_points){ .states = sim->method->state_count };
    const int derivatives = slip_derivative_columns_width(sim->derivatives);
    p->columns = records ? sim->column_count - derivatives - 1 : p->states;
    p->width = records ? sim->column_count - 1 : p->states;
    bool fine = (p->t = calloc(2 * (size_t)p->columns + 1, sizeof *p->t)) != NULL;
    for (int i = 0; i < NODES && fine; i++)
        fine = (p->node[i] = calloc((size_t)p->width + 1, sizeof *p->node[i])) != NULL;
    if (fine) p->node[DEGREE][0] = NAN;
    return fine;
}

void slip_turning_points_destroy(slip_turning_points *p)
{
    for (int i = 0; i < NODES; i++) free(p->node[i]);
    free(p->t);
    *p = (slip_turning_points){ 0 };
}

// ------------------------------------------------------------------------------------------- one column

// the polynomial through equidistant values, in s from 0 to 1
static void fit_polynomial(const double *f, double *c)
{
    const double a = f[1] - f[0], b = f[2] - f[1], d = f[3] - f[2], e = f[4] - f[3];
    // forward differences of order 1 to 4 over steps of 1/4, and Newton's formula expanded
    const double d1 = a, d2 = b - a, d3 = d - 2.0 * b + a, d4 = e - 3.0 * d + 3.0 * b - a;
    c[0] = f[0];
    c[1] = 4.0 * (d1 - d2 / 2.0 + d3 / 3.0 - d4 / 4.0);
    c[2] = 16.0 * (d2 / 2.0 - d3 / 2.0 + d4 * 11.0 / 24.0);
    c[3] = 64.0 * (d3 / 6.0 - d4 / 4.0);
    c[4] = 256.0 * d4 / 24.0;
}

static double value_at(const double *c, double s)
{
    return c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * c[4])));
}

static double slope_at(const double *c, double s)
{
    return c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * 4.0 * c[4]));
}

// where the slope is zero between a and b, where it has opposite signs
static double turn_between(const double *c, double a, double b)
{
    const bool rises = slope_at(c, a) > 0.0;
    for (int k = 0; k < MAX_BISECTIONS; k++) {
        const double middle = 0.5 * (a + b);
        *((slope_at(c, middle) > 0.0) == rises ? &a : &b) = middle;
    }
    return 0.5 * (a + b);
}

// The places of the greatest and the least value inside, where they are off both ends by more than `small`
static int turns_of(const double *f, double small, double *place)
{
    double c[DEGREE + 1], at[2] = { NAN, NAN }, best[2];
    fit_polynomial(f, c);
    best[0] = fmax(f[0], f[DEGREE]) + small, best[1] = -(fmin(f[0], f[DEGREE]) - small);
    for (int i = 0; i < PIECES; i++) {
        const double a = (double)i / PIECES, b = (double)(i + 1) / PIECES;
        if (!(slope_at(c, a) * slope_at(c, b) < 0.0)) continue;
        const double s = turn_between(c, a, b), v = value_at(c, s);
        if (v > best[0]) best[0] = v, at[0] = s;
        if (-v > best[1]) best[1] = -v, at[1] = s;
    }
    int count = 0;
    for (int k = 0; k < 2; k++)
        if (!isnan(at[k])) place[count++] = at[k];
    return count;
}

// ------------------------------------------------------------------------------------------- the step

// a row of the step ahead, with derivatives where they are wanted; states alone where that spares a solve
static bool take_node(slip_turning_points *p, slip_sim *sim, double t, int width, double *row)
{
    slip_method *m = sim->method;
    row[0] = t;
    if (width == p->states && m->ops->interpolate && m->ops->interpolate(m, t, row + 1)) return true;
    const slip_run_outcome outcome = slip_sim_peek_row(sim, t);
    memcpy(row, sim->row, (size_t)(1 + width) * sizeof *row);
    return outcome == SLIP_RUNNING;
}

// what the tolerances of the run do not tell from none
static double small_change(const slip_sim *sim, double size)
{
    return sim->def.absolute + sim->def.relative * size;
}

static int by_time(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int merge_instants(slip_turning_points *p, int count, double h)
{
    int kept = 0;
    qsort(p->t, (size_t)count, sizeof *p->t, by_time);
    for (int k = 0; k < count; k++)
        if (!kept || p->t[k] - p->t[kept - 1] > SAME_INSTANT * h) p->t[kept++] = p->t[k];
    return kept;
}

static int turns_of_columns(slip_turning_points *p, const slip_sim *sim, double t, double h)
{
    int count = 0;
    for (int k = 1; k <= p->columns; k++) {
        double f[NODES], place[2], most = 0.0;
        for (int i = 0; i < NODES; i++) f[i] = p->node[i][k], most = fmax(most, fabs(f[i]));
        const int turns = turns_of(f, small_change(sim, most), place);
        for (int i = 0; i < turns; i++) p->t[count++] = t + place[i] * h;
    }
    return count;
}

int slip_turning_points_find(slip_turning_points *p, slip_sim *sim, const double *now)
{
    slip_method *m = sim->method;
    p->node[DEGREE][0] = NAN;
    if (!m->ops->look_ahead || sim->outcome != SLIP_RUNNING) return 0;
    if (!isfinite(m->ops->look_ahead(m, sim->def.until))) return 0;
    const double t = m->t, end = slip_sim_next_step_end(sim), h = end - t;
    if (!(h > 64.0 * DBL_EPSILON * end)) return 0;
    memcpy(p->node[0], now, (size_t)(1 + p->columns) * sizeof *now);
    bool fine = take_node(p, sim, end, p->width, p->node[DEGREE]);
    for (int i = 1; i < DEGREE && fine; i++)
        fine = take_node(p, sim, t + h * i / DEGREE, p->columns, p->node[i]);
    if (!fine) return p->node[DEGREE][0] = NAN, 0;
    return merge_instants(p, turns_of_columns(p, sim, t, h), h);
}

const double *slip_turning_points_before_jump(slip_turning_points *p, const slip_sim *sim)
{
    double *before = p->node[DEGREE];
    const double *start = p->node[0] + 1, *now = sim->method->state;
    if (before[0] != sim->method->t) return NULL;
    for (int k = 0; k < p->states; k++) {
        const double small = small_change(sim, fmax(fabs(before[1 + k]), fabs(now[k])));
        const bool high = before[1 + k] > fmax(start[k], now[k]) + small,
                   low = before[1 + k] < fmin(start[k], now[k]) - small;
        if (high || low) return before[0] = nextafter(before[0], -INFINITY), before;
    }
    return NULL;
}
