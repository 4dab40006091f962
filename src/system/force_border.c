/// system/force_border.c: where forces and frictions jump or bend along the motion. See force_border.h.
#include "system/force_border.h"

#include <stdlib.h>

enum { PLACES = 4 };             // of a leg that are looked at, and the lowest point between three of them
static const double SOON = 1e-6; // of a leg: a border that is nearer is where the leg begins

static bool find_switches(slip_force_border *b, slip_equations *e)
{
    slip_ref *roots = malloc(((size_t)e->n + (size_t)e->element_count + 1) * sizeof *roots);
    int count = 0;
    if (!roots) return false;
    for (int k = 0; k < e->n; k++) roots[count++] = e->h[k];
    for (int k = 0; k < e->element_count; k++) roots[count++] = e->elements[k].friction;
    bool fine = slip_switches_create(&b->switches, e->graph, roots, count);
    free(roots);
    return fine;
}

static bool is_watched(const slip_switch *w)
{
    return !w->timed && w->level == SLIP_NONE;
}

bool slip_force_border_create(slip_force_border *b, slip_equations *e, double until)
{
    *b = (slip_force_border){ 0 };
    if (!find_switches(b, e)) return false;
    for (int k = 0; k < b->switches.count; k++) b->count += is_watched(&b->switches.list[k]);
    if (b->count == 0) return true;
    const size_t n = (size_t)e->n, functions = (size_t)(e->element_count + b->switches.count);
    b->sign = calloc(functions + 4 * n + 1, sizeof *b->sign);
    if (!b->sign) return false;
    b->rate = b->sign + functions, b->rate_end = b->rate + 2 * n;
    return slip_scan_create(&b->scan, e, &b->switches, until);
}

void slip_force_border_destroy(slip_force_border *b)
{
    slip_scan_destroy(&b->scan);
    slip_switches_destroy(&b->switches);
    free(b->sign);
    *b = (slip_force_border){ 0 };
}

double slip_force_border_first(slip_force_border *b, const slip_leg *leg)
{
    if (b->count == 0) return 1.0;
    const int gaps = b->scan.equations->element_count;
    b->scan.resolution = leg->h / PLACES;
    slip_scan_sides(&b->scan, leg, SOON, b->sign);
    for (int e = 0; e < gaps; e++) b->sign[e] = 0.0;
    for (int k = 0; k < b->switches.count; k++)
        if (!is_watched(&b->switches.list[k])) b->sign[gaps + k] = 0.0;
    const double part = slip_scan_first(&b->scan, leg, b->sign);
    return part > SOON ? part : 1.0;
}
