/// recording/network.c: which forces are kept, and what goes when there is no room.
#include "recording/network.h"

#include <math.h>
#include <string.h>

enum { AT_ONCE = 20000 }; // lines of one instant

void slip_network_layout(slip_arena *a, const slip_sim *sim, slip_network *n)
{
    const bool any = sim->method->found != NULL;
    n->room = any ? SLIP_KEPT_LINES : 0;
    n->first = SLIP_TAKE(a, int, any ? SLIP_KEPT_NETWORKS + 1 : 0);
    n->time = SLIP_TAKE(a, double, any ? SLIP_KEPT_NETWORKS : 0);
    n->value = SLIP_TAKE(a, float, (size_t)n->room *SLIP_LINE_NUMBERS);
    n->list = SLIP_TAKE(a, slip_found_contact, any ? AT_ONCE : 0);
    n->stride = 1;
    n->count = 0;
}

static void thin_out(slip_network *n)
{
    int kept = 0, at = 0;
    for (int k = 0; k < n->count; k += 2) {
        const int count = n->first[k + 1] - n->first[k];
        memmove(n->value + (size_t)at * SLIP_LINE_NUMBERS, n->value + (size_t)n->first[k] * SLIP_LINE_NUMBERS,
                (size_t)count * SLIP_LINE_NUMBERS * sizeof *n->value);
        n->time[kept] = n->time[k];
        n->first[kept++] = at;
        at += count;
    }
    n->count = kept;
    n->first[kept] = at;
    n->stride *= 2;
}

static void put(const slip_found_contact *c, float *to)
{
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        to[i] = (float)c->centre[0][i];
        to[3 + i] = (float)c->centre[1][i];
        square += c->force[i] * c->force[i];
    }
    to[6] = (float)sqrt(square);
}

void slip_network_add(slip_network *n, slip_sim *sim)
{
    if (!n->room || sim->steps % n->stride) return;
    int count = slip_sim_found(sim, n->list, AT_ONCE);
    if (count > AT_ONCE) count = AT_ONCE;
    while (n->count > 1 && (n->count == SLIP_KEPT_NETWORKS || n->first[n->count] + count > n->room))
        thin_out(n);
    if (sim->steps % n->stride || n->first[n->count] + count > n->room) return;
    for (int k = 0; k < count; k++)
        put(&n->list[k], n->value + (size_t)(n->first[n->count] + k) * SLIP_LINE_NUMBERS);
    n->time[n->count++] = sim->method->t;
    n->first[n->count] = n->first[n->count - 1] + count;
}
