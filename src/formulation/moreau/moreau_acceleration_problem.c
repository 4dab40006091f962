/// formulation/moreau/moreau_acceleration_problem.c: a step of Moreau's rule as a contact problem of
/// accelerations, for the proof that it has one motion (verdict/contact/uniqueness.h). Forces are impulses by
/// the length of the step.
#include <math.h>
#include <string.h>

#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

// direction of the slip of a block as the step begins; false: it is at rest
static bool is_slipping(const slip_moreau *m, int b, double *way)
{
    const slip_element *e = &m->system->elements[m->problem.element[b]];
    const double *v = m->problem.before + (long)b * m->d + 1;
    way[0] = way[1] = 0.0;
    if (!e->slip_count || m->last.mode[m->problem.element[b]] & SLIP_MODE_STICK) return false;
    double speed = e->slip_count > 1 ? sqrt(v[0] * v[0] + v[1] * v[1]) : fabs(v[0]);
    if (speed < SLIP_DIRECTION_SPEED) return false;
    for (int c = 0; c < e->slip_count; c++) way[c] = v[c] / speed;
    return true;
}

// unknown k acts through the column (1, -mu way) of its block when that slides, else through one component
static void add_unknown(const slip_moreau *m, slip_uniqueness_cache *p, int component, const double *way,
                        double mu)
{
    const long size = (long)m->problem.blocks * m->d;
    double *column = p->now.columns + (long)p->now.count * size;
    memset(column, 0, (size_t)size * sizeof *column);
    column[component] = 1.0;
    for (int c = 0; way && c < m->d - 1; c++) column[component + 1 + c] = -mu * way[c];
    p->now.at[p->now.count++] = component;
}

static void list_unknowns(const slip_moreau *m, slip_uniqueness_cache *p)
{
    const slip_system *s = m->system;
    double way[2];
    p->now.count = 0;
    for (int b = 0; b < m->problem.blocks; b++) {
        int e = m->problem.element[b];
        const slip_element *element = &s->elements[e];
        p->now.mu[e] = m->problem.friction[b];
        if (!element->has_gap) continue;
        bool moves = is_slipping(m, b, way);
        p->now.owner[p->now.count] = e;
        p->now.mass[p->now.count] = 1.0 / m->problem.W[(long)b * m->d * ((long)m->problem.blocks * m->d + 1)];
        add_unknown(m, p, b * m->d, moves ? way : NULL, p->now.mu[e]);
    }
    p->now.normal_count = p->now.count;
    for (int b = 0; b < m->problem.blocks; b++) {
        int e = m->problem.element[b];
        if (is_slipping(m, b, way) || p->now.mu[e] == 0.0) continue;
        for (int c = 0; c < s->elements[e].slip_count; c++) {
            p->now.owner[p->now.count] = e;
            add_unknown(m, p, b * m->d + 1 + c, NULL, 0.0);
        }
    }
}

// D = rows W columns, S = columns' W columns
static void fill_matrices(const slip_moreau *m, slip_uniqueness_cache *p)
{
    const long size = (long)m->problem.blocks * m->d;
    const int q = p->now.count, d = m->d;
    for (int j = 0; j < q; j++) {
        const double *column = p->now.columns + (long)j * size;
        const int begin = p->now.at[j] / d * d, end = begin + d;
        for (int i = 0; i < q; i++) {
            double sum = 0.0;
            for (int k = begin; k < end; k++) sum += m->problem.W[(long)p->now.at[i] * size + k] * column[k];
            p->now.D[i * q + j] = sum;
        }
    }
    for (int i = 0; i < q; i++) {
        const double *left = p->now.columns + (long)i * size;
        const int begin = p->now.at[i] / d * d, end = begin + d;
        for (int j = 0; j < q; j++) {
            const double *column = p->now.columns + (long)j * size;
            const int from = p->now.at[j] / d * d, to = from + d;
            double sum = 0.0;
            for (int a = begin; a < end; a++)
                for (int b = from; b < to && left[a] != 0.0; b++)
                    sum += left[a] * m->problem.W[(long)a * size + b] * column[b];
            p->now.S[i * q + j] = sum;
        }
    }
}

// impulse of component c of block b
static double impulse_of(const slip_moreau *m, const double *impulse, int b, int c)
{
    return impulse ? impulse[3 * m->problem.element[b] + c] : m->problem.r[(long)b * m->d + c];
}

bool slip_moreau_is_known_unique(const slip_moreau *m)
{
    const slip_uniqueness_cache *p = &m->monitor.proof;
    const slip_moreau_problem *problem = &m->problem;
    double way[2];
    if (!slip_uniqueness_cache_knows(p, problem->blocks * m->d, problem->matrix) || !(problem->length > 0.0))
        return false;
    const double rate = 1.0 / problem->length;
    for (int b = 0; b < problem->blocks; b++) {
        const int begin = b * m->d;
        if (is_slipping(m, b, way) || p->who[begin] != 2 * problem->element[b] ||
            p->limit[begin] != problem->friction[b])
            return false;
        for (int i = begin; i < begin + m->d; i++) {
            const double now = (problem->before[i] + problem->smooth_change[i]) * rate;
            if (!(fabs(p->b[i] - now) <= p->room)) return false;
        }
    }
    return true;
}

bool slip_moreau_uniqueness_key(slip_moreau *m, slip_uniqueness_key *key)
{
    slip_uniqueness_cache *p = &m->monitor.proof;
    const slip_moreau_problem *problem = &m->problem;
    const int size = problem->blocks * m->d;
    double way[2];
    bool any = false;
    if (size > p->most || !(problem->length > 0.0)) return false;
    const double rate = 1.0 / problem->length;
    for (int b = 0; b < problem->blocks; b++) {
        const bool moves = is_slipping(m, b, way);
        any = any || moves;
        for (int c = 0; c < m->d; c++) {
            const int i = b * m->d + c;
            p->now.limit[i] = problem->friction[b];
            p->now.who[i] = 2 * problem->element[b] + moves;
            p->now.way[i] = c ? way[c - 1] : 0.0;
            p->now.c[i] = (problem->before[i] + problem->smooth_change[i]) * rate;
        }
    }
    *key = (slip_uniqueness_key){ .count = size,
                                  .who = p->now.who,
                                  .W = problem->W,
                                  .b = p->now.c,
                                  .limit = p->now.limit,
                                  .way = any ? p->now.way : NULL,
                                  .number = problem->matrix };
    return true;
}

// what unknowns do to accelerations, and these
static void fill_response(slip_moreau *m, slip_uniqueness_cache *p, const double *impulse)
{
    const slip_moreau_problem *problem = &m->problem;
    const int size = problem->blocks * m->d, n = m->n;
    for (int k = 0; k < p->now.count; k++) {
        const double *column = p->now.columns + (long)k * size;
        const int begin = p->now.at[k] / m->d * m->d;
        double *response = p->now.response + (long)k * n;
        memset(response, 0, (size_t)n * sizeof *response);
        for (int i = begin; i < begin + m->d; i++)
            for (int j = 0; j < n && problem->row[i] >= 0 && column[i] != 0.0; j++)
                response[j] += column[i] * problem->response[i][j];
    }
    for (int j = 0; j < n; j++) p->now.a[j] = (problem->free[j] - problem->start[j]) / problem->length;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < n && problem->row[i] >= 0; j++)
            p->now.a[j] +=
                impulse_of(m, impulse, i / m->d, i % m->d) / problem->length * problem->response[i][j];
}

slip_contact_solution slip_moreau_acceleration_problem(slip_moreau *m, const double *impulse)
{
    slip_uniqueness_cache *p = &m->monitor.proof;
    const slip_moreau_problem *problem = &m->problem;
    const long size = (long)problem->blocks * m->d;
    const double dt = problem->length;
    double scale = 1.0;
    list_unknowns(m, p);
    fill_matrices(m, p);
    fill_response(m, p, impulse);
    for (int i = 0; i < p->now.count; i++) {
        const int k = p->now.at[i];
        double rate = (problem->before[k] + problem->smooth_change[k]) / dt;
        scale = fmax(scale, fabs(rate));
        for (int j = 0; j < size; j++)
            if (problem->row[j] >= 0)
                rate += problem->W[(long)k * size + j] * impulse_of(m, impulse, j / m->d, j % m->d) / dt;
        p->now.x[i] = impulse_of(m, impulse, k / m->d, k % m->d) / dt;
        p->now.rate[i] = rate;
    }
    return (slip_contact_solution){ .count = p->now.count,
                                    .normal_count = p->now.normal_count,
                                    .owner = p->now.owner,
                                    .mu = p->now.mu,
                                    .mass = p->now.mass,
                                    .D = p->now.D,
                                    .S = p->now.S,
                                    .x = p->now.x,
                                    .rate = p->now.rate,
                                    .small = 1e-6 * scale,
                                    .scale = scale,
                                    .n = m->n,
                                    .response = p->now.response,
                                    .a = p->now.a };
}
