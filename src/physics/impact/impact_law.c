/// physics/impact/impact_law.c: the records of all impact laws, in the order of registry/impact_laws.def, and functions that they share.
#include <math.h>
#include <string.h>

#include "physics/impact/impact_law.h"
#include "physics/impact/impact_tolerances.h"

#define PART(symbol, name) &slip_impact_##symbol,
static const slip_impact_law *const laws[] = {
#include "registry/impact_laws.def"
};
#undef PART

const slip_impact_law *slip_impact_at(int k)
{
    return k >= 0 && k < (int)(sizeof laws / sizeof *laws) ? laws[k] : NULL;
}

const slip_impact_law *slip_impact_named(const char *name)
{
    for (int k = 0; slip_impact_at(k); k++)
        if (strcmp(laws[k]->info.name, name) == 0) return laws[k];
    return NULL;
}

bool slip_multi_impact_apply(slip_multi_impact *c)
{
    c->turns = 0;
    c->unfinished = false;
    for (int k = 1; k < c->contacts; k++)
        if (c->law[k] != c->law[0]) return slip_impact_sequence(c);
    return c->contacts == 0 || c->law[0]->strike(c);
}

// dT = P (v- + v+)/2, since v+ - v- = W P
double slip_multi_impact_energy_gain(const slip_multi_impact *c)
{
    double sum = 0.0;
    for (int i = 0; i < c->d * c->contacts; i++) sum += 0.5 * c->impulse[i] * (c->before[i] + c->after[i]);
    return sum;
}

double slip_multi_impact_energy_scale(const slip_multi_impact *c)
{
    double sum = 0.0;
    for (int i = 0; i < c->d * c->contacts; i++)
        sum += 0.5 * fabs(c->impulse[i]) * (fabs(c->before[i]) + fabs(c->after[i]));
    return sum;
}

// The path of a contact as far as the velocities before and after show it; `rest` is the rounding of a
// velocity.
static unsigned char path_between(const slip_multi_impact *c, int k)
{
    const double *v = c->before + k * c->d, *w = c->after + k * c->d;
    double slid = 0.0, slides = 0.0, along = 0.0, rest = 0.0;
    for (int i = 0; i < c->d * c->contacts; i++)
        rest = fmax(rest, VELOCITY_ROUNDING_RELATIVE * fabs(c->before[i]));
    for (int t = 1; t < c->d; t++) slid += v[t] * v[t], slides += w[t] * w[t], along += v[t] * w[t];
    if (!(c->impulse[k * c->d] > 0.0) || c->mu[k] == 0.0) return 0;
    return (unsigned char)((sqrt(slid) > rest ? SLIP_PATH_SLID : 0) | (sqrt(slides) <= rest ? SLIP_PATH_STUCK
                                                                       : along < 0.0 ? SLIP_PATH_REVERSED
                                                                                     : 0));
}

static bool any_jams(const slip_multi_impact *c)
{
    for (int k = 0; k < c->contacts; k++)
        if (slip_multi_impact_jams(c, k, c->before)) return true;
    return false;
}

// Adds the approach velocity `by` to the contacts that jam.
static void add_small_approach(const slip_multi_impact *c, double *q, double by)
{
    for (int k = 0; k < c->contacts; k++)
        if (slip_multi_impact_jams(c, k, c->before)) q[k * c->d] -= by;
}

bool slip_multi_impact_solve(const slip_multi_impact *c, double *q, double *r, double *w, double *spare)
{
    const int size = c->d * c->contacts;
    double most = 0.0;
    for (int i = 0; i < size; i++) most = fmax(most, fabs(c->before[i]));
    const double by = SMALL_APPROACH_RELATIVE * most;
    if (!any_jams(c)) return c->solve(c->context, c->contacts, c->W, q, c->mu, r, w);
    add_small_approach(c, q, by);
    bool found = c->solve(c->context, c->contacts, c->W, q, c->mu, spare, w);
    add_small_approach(c, q, by);
    found = found && c->solve(c->context, c->contacts, c->W, q, c->mu, r, w);
    add_small_approach(c, q, -2.0 * by);
    if (!found) return c->solve(c->context, c->contacts, c->W, q, c->mu, r, w);
    for (int i = 0; i < size; i++) r[i] = 2.0 * spare[i] - r[i];
    for (int k = 0; k < c->contacts; k++) r[k * c->d] = fmax(0.0, r[k * c->d]);
    for (int i = 0; i < size; i++) {
        w[i] = q[i];
        for (int j = 0; j < size; j++) w[i] += c->W[(long)i * size + j] * r[j];
    }
    return true;
}

void slip_multi_impact_finish(slip_multi_impact *c)
{
    const int size = c->d * c->contacts;
    for (int i = 0; i < size; i++) {
        c->after[i] = c->before[i];
        for (int j = 0; j < size; j++) c->after[i] += c->W[(long)i * size + j] * c->impulse[j];
    }
    for (int k = 0; k < c->contacts; k++) {
        c->path[k] = path_between(c, k);
        if (c->path[k] && slip_multi_impact_jams(c, k, c->before)) c->path[k] |= SLIP_PATH_JAMMED;
        for (int t = 1; t < c->d && c->path[k] & SLIP_PATH_STUCK; t++)
            c->after[k * c->d + t] = 0.0; // exactly zero, without rounding
    }
}
