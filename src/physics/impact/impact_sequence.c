/// physics/impact/impact_sequence.c: several contacts, one after another.
///
/// A process law says nothing about two contacts in simultaneous impact. The sequence is a law of its own:
/// the contact that approaches fastest gets its impulse, which changes the velocities of the others, until
/// none approaches. It ends after finitely many impacts or converges to rest; if it does not within the
/// limit, the remaining approach is removed by one impact of all contacts without restitution, which creates
/// no energy.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "physics/impact/impulse_process.h"

enum { MAX_IMPACTS_PER_CONTACT = 400 }; // per contact

bool slip_multi_impact_jams(const slip_multi_impact *c, int k, const double *rates)
{
    const int i = k * c->d, size = c->d * c->contacts;
    const double *v = rates + i, *A = c->W + (long)i * size + i;
    const double speed = c->d == 2 ? fabs(v[1]) : slip_hypot(v[1], v[2]);
    if (!c->pressed || !c->pressed[k] || !(speed > c->small) || fabs(v[0]) > c->small) return false;
    double slope = A[0];
    for (int t = 1; t < c->d; t++) slope -= c->mu[k] * A[t] * v[t] / speed;
    return slope < 0.0;
}

static int next_contact(const slip_multi_impact *c)
{
    int next = -1;
    double fastest = c->small;
    for (int j = 0; j < c->contacts; j++) {
        const int k = c->order == SLIP_ORDER_REVERSED ? c->contacts - 1 - j : j;
        const double approach = -c->after[k * c->d];
        if (!(approach > fastest)) continue;
        next = k, fastest = approach;
        if (c->order != SLIP_ORDER_FASTEST_FIRST) return next;
    }
    for (int k = 0; k < c->contacts && next < 0; k++)
        if (slip_multi_impact_jams(c, k, c->after)) next = k;
    return next;
}

void slip_multi_impact_add(slip_multi_impact *c, int k, const double *by)
{
    const int size = c->d * c->contacts;
    for (int t = 0; t < c->d; t++) {
        c->impulse[k * c->d + t] += by[t];
        for (int i = 0; i < size; i++) c->after[i] += c->W[(long)i * size + k * c->d + t] * by[t];
    }
}

static bool strike_by_process(slip_multi_impact *c, int k)
{
    const int d = c->d, size = d * c->contacts, at = k * d;
    slip_impulse_process p = { .d = d, .mu = c->mu[k] };
    for (int i = 0; i < d; i++) {
        p.v[i] = c->after[at + i];
        for (int j = 0; j < d; j++) p.A[i * d + j] = c->W[(long)(at + i) * size + at + j];
    }
    if (fabs(p.v[0]) <= c->small) p.v[0] = 0.0;
    if (!slip_impulse_process_run(&p, c->law[k], c->e[k], c->pressed && c->pressed[k])) return false;
    c->work[k] += p.work;
    c->path[k] |= p.path;
    slip_multi_impact_add(c, k, (const double[3]){ p.P, p.T[0], p.T[1] });
    for (int i = 0; i < d; i++) c->after[at + i] = p.v[i]; // the same value with all its digits
    return true;
}

// Applies an algebraic law to one contact as if it were alone.
static bool strike_alone(slip_multi_impact *c, int k)
{
    const int d = c->d, size = d * c->contacts, at = k * d;
    double A[9], before[3], impulse[3], after[3], work = 0.0, scratch[5 * 3 + 1 + 9];
    unsigned char path = 0;
    for (int i = 0; i < d; i++) {
        before[i] = c->after[at + i];
        for (int j = 0; j < d; j++) A[i * d + j] = c->W[(long)(at + i) * size + at + j];
    }
    slip_multi_impact one = *c;
    one.contacts = 1;
    one.W = A, one.before = before, one.mu = c->mu + k, one.e = c->e + k, one.e_t = c->e_t + k;
    one.law = c->law + k, one.pressed = c->pressed ? c->pressed + k : NULL;
    one.impulse = impulse, one.after = after, one.work = &work, one.path = &path, one.scratch = scratch;
    if (!c->law[k]->strike(&one)) return false;
    c->work[k] += work;
    c->path[k] |= path;
    slip_multi_impact_add(c, k, impulse);
    return true;
}

slip_multi_impact slip_multi_impact_alone(const slip_multi_impact *c, int k)
{
    const int d = c->d, size = d * c->contacts, gaps = c->contacts - c->frictions;
    double *W = c->spare, *before = W + (long)size * size, *impulse = before + size, *after = impulse + size;
    for (int i = 0; i < size; i++) {
        const bool idle = i / d < gaps && i / d != k;
        before[i] = idle ? 0.0 : c->after[i];
        for (int j = 0; j < size; j++) {
            const bool uncoupled = idle || (j / d < gaps && j / d != k);
            W[(long)i * size + j] = !uncoupled ? c->W[(long)i * size + j] : i == j ? 1.0 : 0.0;
        }
    }
    slip_multi_impact one = *c;
    one.W = W, one.before = before, one.impulse = impulse, one.after = after;
    one.work = after + 4L * size; // behind what a process needs
    one.path = (unsigned char *)(one.work + c->contacts);
    one.scratch = one.work + 2L * c->contacts;
    return one;
}

// The same where frictions follow the impulse of the contact.
static bool strike_alone_with_frictions(slip_multi_impact *c, int k)
{
    const int d = c->d;
    slip_multi_impact one = slip_multi_impact_alone(c, k);
    if (!c->law[k]->strike(&one)) return false;
    c->work[k] += one.work[k];
    c->path[k] |= one.path[k];
    for (int j = 0; j < c->contacts; j++) slip_multi_impact_add(c, j, one.impulse + (long)j * d);
    return true;
}

// All contacts that still approach, at once and without restitution.
static bool finish_without_restitution(slip_multi_impact *c)
{
    const int d = c->d, size = d * c->contacts;
    double *r = c->scratch, *w = r + size, *q = w + size;
    c->unfinished = true;
    memcpy(q, c->after, sizeof(double) * (size_t)size);
    if (!c->solve(c->context, c->contacts, c->W, q, c->mu, r, w)) return false;
    for (int k = 0; k < c->contacts; k++) {
        c->work[k] += 0.5 * r[k * d] * (q[k * d] + w[k * d]);
        slip_multi_impact_add(c, k, r + k * d);
    }
    return true;
}

static bool strike_one(slip_multi_impact *c, int k)
{
    if (c->frictions)
        return (c->law[k]->process ? slip_multi_impact_process_with_frictions
                                   : strike_alone_with_frictions)(c, k);
    return (c->law[k]->process ? strike_by_process : strike_alone)(c, k);
}

bool slip_impact_sequence(slip_multi_impact *c)
{
    const int size = c->d * c->contacts;
    memcpy(c->after, c->before, sizeof(double) * (size_t)size);
    memset(c->impulse, 0, sizeof(double) * (size_t)size);
    memset(c->work, 0, sizeof(double) * (size_t)c->contacts);
    memset(c->path, 0, (size_t)c->contacts);
    c->unfinished = false;
    for (c->turns = 0; c->turns < MAX_IMPACTS_PER_CONTACT * c->contacts; c->turns++) {
        const int k = next_contact(c);
        if (k < 0) return true;
        if (!strike_one(c, k)) return false;
    }
    return finish_without_restitution(c);
}
