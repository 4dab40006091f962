/// tangent/follow.c: forces that limits of friction follow, and how they change.
#include <math.h>

#include "tangent/tangent.h"

// pair k of the two ends that carry the force of a joint, at side +1 or -1
static double pair(const slip_load *load, const double *force, int k, double side)
{
    const double *F = force + load->of, *M = F + load->forces;
    return 0.5 * F[k] + (k < load->moments ? side * M[k] / load->length : 0.0);
}

static double end_of(const slip_load *load, const double *force, double side)
{
    double sum = 0.0;
    for (int k = 0; k < load->forces; k++) {
        const double part = pair(load, force, k, side);
        sum += part * part;
    }
    return sqrt(sum);
}

// row whose force alone is followed; -1: several, or none
static int single(const slip_tangent *t, int e)
{
    const slip_element *element = &t->system->elements[e];
    const slip_load *load = &element->contact->load;
    if (element->has_gap) return element->normal_row;
    return load->kind == SLIP_LOAD_CONTACT ? t->system->elements[load->of].normal_row : -1;
}

static bool follows_joint(const slip_tangent *t, int e)
{
    const slip_element *element = &t->system->elements[e];
    return !element->has_gap && element->contact->load.kind == SLIP_LOAD_JOINT;
}

double slip_tangent_load(const slip_tangent *t, const double *force, int e)
{
    const int row = single(t, e);
    const slip_load *load = &t->system->elements[e].contact->load;
    if (row >= 0) return force[row];
    return follows_joint(t, e) ? end_of(load, force, 1.0) + end_of(load, force, -1.0) : 1.0;
}

double slip_tangent_load_by(const slip_tangent *t, const double *force, int e, int row)
{
    const slip_load *load = &t->system->elements[e].contact->load;
    if (!follows_joint(t, e)) return single(t, e) == row ? 1.0 : 0.0;
    const int k = row - load->of, moment = k - load->forces;
    double sum = 0.0;
    if (k < 0 || moment >= load->moments) return 0.0;
    for (int i = 0; i < 2; i++) {
        const double side = i ? -1.0 : 1.0, size = end_of(load, force, side);
        if (size > 0.0)
            sum += (moment < 0 ? 0.5 * pair(load, force, k, side)
                               : side / load->length * pair(load, force, moment, side)) /
                   size;
    }
    return sum;
}

double slip_tangent_load_change(const slip_tangent *t, int e)
{
    double sum = 0.0;
    for (int i = 0; i < t->held; i++)
        sum += slip_tangent_load_by(t, t->input + t->in.force, e, t->held_row[i]) * t->df[i];
    return sum;
}
