/// dynamics/force_discontinuity.c: where forces and frictions jump or bend along the motion. See
/// force_discontinuity.h.
#include "dynamics/force_discontinuity.h"
#include "dynamics/dynamics_tolerances.h"

#include <stdlib.h>

enum { SAMPLES_PER_STEP = 4 }; // of a leg that are looked at, and the lowest point between three of them

static bool find_switches(slip_force_discontinuity *b, slip_equations *e)
{
    slip_ref *roots = malloc(((size_t)e->n + 2 * (size_t)e->element_count + 1) * sizeof *roots);
    int count = 0;
    if (!roots) return false;
    for (int k = 0; k < e->n; k++) roots[count++] = e->h[k];
    for (int k = 0; k < e->element_count; k++) {
        roots[count++] = e->elements[k].friction;
        roots[count++] = e->elements[k].static_friction;
    }
    bool fine = slip_switches_create(&b->switches, e->graph, roots, count);
    free(roots);
    return fine;
}

static bool is_state_switch(const slip_switch *w)
{
    return !w->timed && w->level == SLIP_NONE;
}

bool slip_force_discontinuity_create(slip_force_discontinuity *b, slip_equations *e, double until)
{
    *b = (slip_force_discontinuity){ 0 };
    if (!find_switches(b, e)) return false;
    for (int k = 0; k < b->switches.count; k++) b->count += is_state_switch(&b->switches.list[k]);
    if (b->count == 0) return true;
    const size_t n = (size_t)e->n, functions = (size_t)(e->element_count + b->switches.count);
    b->sign = calloc(functions + 4 * n + 1, sizeof *b->sign);
    if (!b->sign) return false;
    b->rate = b->sign + functions, b->rate_end = b->rate + 2 * n;
    return slip_step_scan_create(&b->scan, e, &b->switches, until);
}

void slip_force_discontinuity_destroy(slip_force_discontinuity *b)
{
    slip_step_scan_destroy(&b->scan);
    slip_switches_destroy(&b->switches);
    free(b->sign);
    *b = (slip_force_discontinuity){ 0 };
}

double slip_force_discontinuity_first(slip_force_discontinuity *b, const slip_step_interval *leg)
{
    if (b->count == 0) return 1.0;
    const int gaps = b->scan.equations->element_count;
    b->scan.resolution = leg->h / SAMPLES_PER_STEP;
    slip_step_scan_signs(&b->scan, leg, AT_START_FRACTION, b->sign);
    for (int e = 0; e < gaps; e++) b->sign[e] = 0.0;
    for (int k = 0; k < b->switches.count; k++)
        if (!is_state_switch(&b->switches.list[k])) b->sign[gaps + k] = 0.0;
    const double part = slip_step_scan_first_crossing(&b->scan, leg, b->sign);
    return part > AT_START_FRACTION ? part : 1.0;
}
