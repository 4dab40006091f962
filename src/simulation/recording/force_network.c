/// simulation/recording/force_network.c: contact forces between bodies along a run, in limited memory.
#include "simulation/recording/force_network.h"

#include <math.h>
#include <string.h>

enum { MAX_LINES_PER_INSTANT = 20000 }; // lines of one instant

void slip_force_network_layout(slip_arena *a, const slip_sim *sim, slip_force_network *n)
{
    const bool any = sim->method->found != NULL;
    n->room = any ? SLIP_FORCE_NETWORK_MAX_LINES : 0;
    n->first = SLIP_TAKE(a, int, any ? SLIP_FORCE_NETWORK_MAX_INSTANTS + 1 : 0);
    n->time = SLIP_TAKE(a, double, any ? SLIP_FORCE_NETWORK_MAX_INSTANTS : 0);
    n->value = SLIP_TAKE(a, float, (size_t)n->room *SLIP_FORCE_NETWORK_LINE_NUMBERS);
    n->list = SLIP_TAKE(a, slip_detected_contact, any ? MAX_LINES_PER_INSTANT : 0);
    n->stride = 1;
    n->count = 0;
}

static void halve_instants(slip_force_network *n)
{
    int kept = 0, at = 0;
    for (int k = 0; k < n->count; k += 2) {
        const int count = n->first[k + 1] - n->first[k];
        memmove(n->value + (size_t)at * SLIP_FORCE_NETWORK_LINE_NUMBERS,
                n->value + (size_t)n->first[k] * SLIP_FORCE_NETWORK_LINE_NUMBERS,
                (size_t)count * SLIP_FORCE_NETWORK_LINE_NUMBERS * sizeof *n->value);
        n->time[kept] = n->time[k];
        n->first[kept++] = at;
        at += count;
    }
    n->count = kept;
    n->first[kept] = at;
    n->stride *= 2;
}

static void store_line(const slip_detected_contact *c, float *to)
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        to[i] = (float)c->centre[0][i];
        to[3 + i] = (float)c->centre[1][i];
        square += c->force[i] * c->force[i];
    }
    to[6] = (float)sqrt(square);
}

void slip_force_network_add(slip_force_network *n, slip_sim *sim)
{
    if (!n->room || sim->steps % n->stride) return;
    int count = slip_sim_detected_contacts(sim, n->list, MAX_LINES_PER_INSTANT);
    if (count > MAX_LINES_PER_INSTANT) count = MAX_LINES_PER_INSTANT;
    while (n->count > 1 &&
           (n->count == SLIP_FORCE_NETWORK_MAX_INSTANTS || n->first[n->count] + count > n->room))
        halve_instants(n);
    if (sim->steps % n->stride || n->first[n->count] + count > n->room) return;
    for (int k = 0; k < count; k++)
        store_line(&n->list[k],
                   n->value + (size_t)(n->first[n->count] + k) * SLIP_FORCE_NETWORK_LINE_NUMBERS);
    n->time[n->count++] = sim->method->t;
    n->first[n->count] = n->first[n->count - 1] + count;
}
