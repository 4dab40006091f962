/// dynamics/contact/load_dependent_friction.c: loads and limits that agree, by Broyden's method.
#include "dynamics/contact/load_dependent_friction.h"
#include "dynamics/dynamics_tolerances.h"

#include <math.h>
#include <string.h>

void slip_friction_loads_layout(slip_arena *a, const slip_system *s, slip_friction_loads *l)
{
    l->count = 0;
    for (int e = 0; e < s->element_count; e++)
        l->count += s->elements[e].contact->load.kind != SLIP_LOAD_NONE;
    l->element = SLIP_TAKE(a, int, l->count);
    double **const of_count[] = { &l->load, &l->found, &l->off, &l->off_before, &l->step, &l->way };
    for (size_t k = 0; k < sizeof of_count / sizeof *of_count; k++)
        *of_count[k] = SLIP_TAKE(a, double, l->count);
    l->H = SLIP_TAKE(a, double, l->count * l->count);
    const int c = l->count ? s->constraint_count : 0, n = l->count ? s->n : 0;
    l->Y = SLIP_TAKE(a, double, c *n);
    l->A = SLIP_TAKE(a, double, c *c);
    l->B = SLIP_TAKE(a, double, l->count * l->count);
    l->y = SLIP_TAKE(a, double, 2 * n);
    l->lambda = SLIP_TAKE(a, double, c);
    for (int e = 0, k = 0; e < s->element_count && a->base; e++)
        if (s->elements[e].contact->load.kind != SLIP_LOAD_NONE) l->element[k++] = e;
}

void slip_friction_loads_apply(const slip_friction_loads *l, double *friction)
{
    for (int k = 0; k < l->count; k++) friction[l->element[k]] *= l->load[k];
}

double slip_joint_load(const slip_load *load, const double *lambda)
{
    const double *F = lambda + load->of, *M = F + load->forces;
    double plus = 0.0, minus = 0.0;
    for (int k = 0; k < load->forces; k++) {
        const double pair = k < load->moments ? M[k] / load->length : 0.0;
        plus += (0.5 * F[k] + pair) * (0.5 * F[k] + pair);
        minus += (0.5 * F[k] - pair) * (0.5 * F[k] - pair);
    }
    return sqrt(plus) + sqrt(minus);
}

bool slip_friction_loads_need_joints(const slip_friction_loads *l, const slip_system *s)
{
    for (int k = 0; k < l->count; k++)
        if (slip_friction_load_of(l, s, k)->kind == SLIP_LOAD_JOINT) return true;
    return false;
}

void slip_friction_loads_begin(slip_friction_loads *l)
{
    l->round = 0;
}

// H := that of plain iteration, load := found
static void broyden_start(slip_friction_loads *l)
{
    memset(l->H, 0, (size_t)(l->count * l->count) * sizeof *l->H);
    for (int k = 0; k < l->count; k++) l->H[k * (l->count + 1)] = -1.0;
}

// H += (s - H y) s'H / s'H y for the step s that changed what is off by y (Broyden 1965)
static void broyden_update(slip_friction_loads *l)
{
    const int n = l->count;
    double *s = l->step, *Hy = l->way, *sH = l->off_before, size = 0.0;
    for (int i = 0; i < n; i++) l->off_before[i] = l->off[i] - l->off_before[i];
    for (int i = 0; i < n; i++) {
        Hy[i] = 0.0;
        for (int j = 0; j < n; j++) Hy[i] += l->H[i * n + j] * l->off_before[j];
    }
    for (int j = 0; j < n; j++) {
        sH[j] = 0.0;
        for (int i = 0; i < n; i++) sH[j] += s[i] * l->H[i * n + j];
        size += s[j] * Hy[j];
    }
    if (size == 0.0) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) l->H[i * n + j] += (s[i] - Hy[i]) * sH[j] / size;
}

slip_load_iteration slip_friction_loads_iterate(slip_friction_loads *l)
{
    enum { MAX_ROUNDS = 60, PATIENT = 20 };
    const int n = l->count;
    double size = 0.0, worst = 0.0;
    memcpy(l->off_before, l->off, (size_t)n * sizeof *l->off);
    for (int k = 0; k < n; k++) {
        l->off[k] = l->found[k] - l->load[k];
        size = fmax(size, fmax(l->found[k], l->load[k]));
        worst = fmax(worst, fabs(l->off[k]));
    }
    if (!isfinite(size)) return SLIP_LOADS_DIVERGED;
    if (worst <= (l->round < PATIENT ? LOADS_CONVERGED : LOADS_CONVERGED_LATE) * size)
        return SLIP_LOADS_CONVERGED;
    if (l->round >= MAX_ROUNDS) return SLIP_LOADS_DIVERGED;
    if (l->round++ == 0)
        broyden_start(l);
    else
        broyden_update(l);
    for (int i = 0; i < n; i++) {
        double step = 0.0;
        for (int j = 0; j < n; j++) step -= l->H[i * n + j] * l->off[j];
        const double next = fmax(0.0, l->load[i] + step);
        l->step[i] = next - l->load[i];
        l->load[i] = next;
    }
    return SLIP_LOADS_ITERATE;
}
