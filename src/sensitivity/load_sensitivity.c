/// sensitivity/load_sensitivity.c: loads on which friction limits depend, and their derivatives.
#include <math.h>

#include "sensitivity/sensitivity.h"

// pair k of the two ends that carry the force of a joint, at side +1 or -1
static double joint_end_pair(const slip_load *load, const double *force, int k, double side)
{
    const double *F = force + load->of, *M = F + load->forces;
    return 0.5 * F[k] + (k < load->moments ? side * M[k] / load->length : 0.0);
}

static double joint_end_force(const slip_load *load, const double *force, double side)
{
    double sum = 0.0;
    for (int k = 0; k < load->forces; k++) {
        const double part = joint_end_pair(load, force, k, side);
        sum += part * part;
    }
    return sqrt(sum);
}

// row whose force alone is followed; -1: several, or none
static int single_load_row(const slip_sensitivity *t, int e)
{
    const slip_element *element = &t->system->elements[e];
    const slip_load *load = &element->contact->load;
    if (element->has_gap) return element->normal_row;
    return load->kind == SLIP_LOAD_CONTACT ? t->system->elements[load->of].normal_row : -1;
}

static bool follows_joint(const slip_sensitivity *t, int e)
{
    const slip_element *element = &t->system->elements[e];
    return !element->has_gap && element->contact->load.kind == SLIP_LOAD_JOINT;
}

double slip_sensitivity_load(const slip_sensitivity *t, const double *force, int e)
{
    const int row = single_load_row(t, e);
    const slip_load *load = &t->system->elements[e].contact->load;
    if (row >= 0) return force[row];
    return follows_joint(t, e) ? joint_end_force(load, force, 1.0) + joint_end_force(load, force, -1.0) : 1.0;
}

double slip_sensitivity_load_partial(const slip_sensitivity *t, const double *force, int e, int row)
{
    const slip_load *load = &t->system->elements[e].contact->load;
    if (!follows_joint(t, e)) return single_load_row(t, e) == row ? 1.0 : 0.0;
    const int k = row - load->of, moment = k - load->forces;
    double sum = 0.0;
    if (k < 0 || moment >= load->moments) return 0.0;
    for (int i = 0; i < 2; i++) {
        const double side = i ? -1.0 : 1.0, size = joint_end_force(load, force, side);
        if (size > 0.0)
            sum += (moment < 0 ? 0.5 * joint_end_pair(load, force, k, side)
                               : side / load->length * joint_end_pair(load, force, moment, side)) /
                   size;
    }
    return sum;
}

double slip_sensitivity_load_change(const slip_sensitivity *t, int e)
{
    double sum = 0.0;
    for (int i = 0; i < t->held.count; i++)
        sum += slip_sensitivity_load_partial(t, t->input + t->in.force, e, t->held.row[i]) * t->df[i];
    return sum;
}
