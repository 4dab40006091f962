/// verdict/run/creep_lanes.c: see creep_lanes.h.
#include "verdict/run/creep_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "symbolic/simd/simd_lanes.h"

enum { L = SLIP_LANES };

struct slip_creep_lanes {
    const slip_equations *equations;
    const int *first;
    slip_tape_lanes slips;
    double *last, *distance; // rows of states; of two ways per element
    double *sticks;          // 1 or 0, rows of elements
    double t[L];
    void *memory;
};

bool slip_creep_lanes_compatible(const slip_creep_monitor *a, const slip_creep_monitor *b)
{
    if (!a || !b) return a == b;
    const slip_equations *e = a->equations, *f = b->equations;
    if (e->n != f->n || e->element_count != f->element_count || !slip_lanes_same_registers(a->tape, b->tape))
        return false;
    for (int k = 0; k < e->n; k++)
        if ((e->velocity[k] == e->u[k]) != (f->velocity[k] == f->u[k])) return false;
    for (int k = 0; k < e->element_count; k++)
        if (e->elements[k].slip_count != f->elements[k].slip_count) return false;
    return true;
}

slip_creep_lanes *slip_creep_lanes_create(const slip_creep_monitor *like)
{
    slip_creep_lanes *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    const slip_equations *e = s->equations = like->equations;
    s->first = like->first;
    const bool taken = slip_tape_lanes_create(&s->slips, like->tape, slip_simd_width_best());
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &s->memory)) {
        s->last = SLIP_TAKE(&arena, double, 2 * e->n * L);
        s->distance = SLIP_TAKE(&arena, double, 2 * e->element_count * L);
        s->sticks = SLIP_TAKE(&arena, double, e->element_count *L);
    }
    if (taken && s->memory) return s;
    slip_creep_lanes_destroy(s);
    return NULL;
}

void slip_creep_lanes_destroy(slip_creep_lanes *s)
{
    if (!s) return;
    slip_tape_lanes_destroy(&s->slips);
    free(s->memory);
    free(s);
}

void slip_creep_lanes_put(slip_creep_lanes *s, int lane, const slip_creep_monitor *w,
                          const unsigned char *modes)
{
    const slip_equations *e = s->equations;
    slip_tape_lanes_load(&s->slips, lane, w->reg);
    for (int k = 0; k < 2 * e->n; k++) s->last[k * L + lane] = w->last[k];
    for (int k = 0; k < e->element_count; k++) {
        s->sticks[k * L + lane] = modes[k] & SLIP_MODE_STICK && e->elements[k].slip_count ? 1.0 : 0.0;
        for (int c = 0; c < 2; c++) s->distance[(2 * k + c) * L + lane] = w->phases[k].distance[c];
    }
    s->t[lane] = w->t;
}

void slip_creep_lanes_get(const slip_creep_lanes *s, int lane, slip_creep_monitor *w)
{
    const slip_equations *e = s->equations;
    for (int k = 0; k < 2 * e->n; k++) w->last[k] = s->last[k * L + lane];
    for (int k = 0; k < e->element_count; k++)
        for (int c = 0; c < 2; c++) w->phases[k].distance[c] = s->distance[(2 * k + c) * L + lane];
    w->t = s->t[lane];
}

// as load_means of creep.c
static void load_means(slip_creep_lanes *s, const slip_ode_lanes *states)
{
    const slip_equations *e = s->equations;
    const double *t = slip_ode_lanes_time(states);
    double *middle = s->slips.rows;
    for (int j = 0; j < L; j++) middle[j] = 0.5 * (s->t[j] + t[j]);
    for (int k = 0; k < e->n; k++) {
        const double *x = slip_ode_lanes_state(states, k), *last = s->last + k * L;
        double *q = slip_tape_lanes_row(&s->slips, 1 + k), *u = q + e->n * L;
        for (int j = 0; j < L; j++) q[j] = 0.5 * (last[j] + x[j]);
        if (e->velocity[k] == e->u[k]) {
            for (int j = 0; j < L; j++) u[j] = (x[j] - last[j]) / (t[j] - s->t[j]);
        } else {
            const double *v = slip_ode_lanes_state(states, e->n + k), *before = last + e->n * L;
            for (int j = 0; j < L; j++) u[j] = 0.5 * (before[j] + v[j]);
        }
    }
    slip_tape_lanes_run(&s->slips);
}

static void add_distances(slip_creep_lanes *s, const double *t)
{
    const slip_equations *e = s->equations;
    for (int k = 0; k < e->element_count; k++) {
        const double *sticks = s->sticks + k * L;
        for (int c = 0; c < e->elements[k].slip_count; c++) {
            const double *rate =
                slip_tape_lanes_row(&s->slips, slip_tape_result(s->slips.tape, s->first[k] + c));
            double *distance = s->distance + (2 * k + c) * L;
            for (int j = 0; j < L; j++) {
                const double longer = distance[j] + rate[j] * (t[j] - s->t[j]);
                distance[j] =
                    sticks[j] > 0.0 && t[j] > s->t[j] ? longer : distance[j]; // it may have begun just now
            }
        }
    }
}

void slip_creep_lanes_update(slip_creep_lanes *s, const slip_ode_lanes *states)
{
    const slip_equations *e = s->equations;
    const double *t = slip_ode_lanes_time(states);
    double any = 0.0;
    for (int k = 0; k < e->element_count * L; k++) any += s->sticks[k];
    if (any > 0.0) {
        load_means(s, states);
        add_distances(s, t);
    }
    for (int k = 0; k < 2 * e->n; k++)
        memcpy(s->last + k * L, slip_ode_lanes_state(states, k), L * sizeof *s->last);
    memcpy(s->t, t, sizeof s->t);
}
