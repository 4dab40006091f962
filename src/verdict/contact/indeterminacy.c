/// verdict/contact/indeterminacy.c: is the motion determined where the forces are not?
#include "verdict/contact/indeterminacy.h"
#include "verdict/contact/verdict_tolerances.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/linalg/linalg.h"

typedef struct search {
    const slip_contact_solution *p;
    int count, null, *at;                              // active unknowns; dimension of the null space
    double force;                                      // the largest
    double *K, *V, *value, *v, *x, *base, *da, *spare; // base: a solution from which directions are gone
    slip_indeterminacy found;
} search;

size_t slip_indeterminacy_work_size(int most, int coordinates)
{
    size_t q = (size_t)(most < SLIP_UNIQUENESS_MAX_UNKNOWNS ? most : SLIP_UNIQUENESS_MAX_UNKNOWNS);
    return 2 * q * q + (5 + SLIP_SVD_WORK) * q + (size_t)coordinates;
}

static void carve_work(search *s, double *work)
{
    size_t q = (size_t)s->p->count;
    s->K = work, s->V = work + q * q, s->value = work + 2 * q * q;
    s->v = s->value + q, s->x = s->v + q, s->base = s->x + q, s->at = (void *)(s->base + q);
    s->spare = s->base + 2 * q;
    s->da = s->spare + SLIP_SVD_WORK * q;
}

// D over the rows whose rate vanishes
static void find_kernel(search *s)
{
    const slip_contact_solution *p = s->p;
    s->count = 0;
    for (int i = 0; i < p->count; i++)
        if (fabs(p->rate[i]) <= 10.0 * p->small) s->at[s->count++] = i;
    for (int j = 0; j < s->count; j++)
        for (int i = 0; i < s->count; i++) s->K[i * s->count + j] = p->D[s->at[i] * p->count + s->at[j]];
}

// the rates of rows that do not vanish stay above zero
static bool stays_open(const search *s, const double *x)
{
    const slip_contact_solution *p = s->p;
    for (int i = 0; i < p->normal_count; i++) {
        double rate = p->rate[i];
        if (rate <= 10.0 * p->small) continue;
        for (int j = 0; j < p->count; j++) rate += p->D[i * p->count + j] * (x[j] - p->x[j]);
        if (rate < 0.0) return false;
    }
    return true;
}

// the largest part of MAX_FORCE_RATIO by which the forces may follow v
static double feasible_length(search *s, double sign)
{
    const slip_contact_solution *p = s->p;
    double low = 0.0, high = MAX_FORCE_RATIO;
    for (int k = 0; k < s->count; k++) { // normals end it at the latest
        double pull = -sign * s->v[k], load = s->base[s->at[k]];
        if (s->at[k] < p->normal_count && pull > 0.0)
            high = fmin(high, fmax(load, FORCE_TOLERANCE * s->force) / pull);
    }
    if (high < 4.0 * FORCE_TOLERANCE) return 0.0;
    for (int round = 0; round < 60; round++) {
        double middle = round ? 0.5 * (low + high) : high;
        memcpy(s->x, s->base, (size_t)p->count * sizeof *s->x);
        for (int k = 0; k < s->count; k++) s->x[s->at[k]] += sign * middle * s->v[k];
        for (int i = 0; i < p->normal_count; i++) // rounding must not forbid a direction
            if (s->x[i] < 0.0 && s->x[i] >= -FORCE_TOLERANCE * s->force) s->x[i] = 0.0;
        if (slip_contact_solution_is_admissible(p, s->x, s->force) && stays_open(s, s->x))
            low = middle;
        else
            high = middle;
        if (low == high || (low == 0.0 && high < FORCE_TOLERANCE)) break;
    }
    return low;
}

// the coordinate that v moves most against what forces do to it
static int largest_acceleration_change(search *s, double *most)
{
    const slip_contact_solution *p = s->p;
    int best = -1;
    memset(s->da, 0, (size_t)p->n * sizeof *s->da);
    for (int k = 0; k < s->count; k++)
        for (int j = 0; j < p->n; j++)
            s->da[j] += p->response[(size_t)s->at[k] * (size_t)p->n + (size_t)j] * s->v[k];
    *most = 0.0;
    for (int j = 0; j < p->n; j++) {
        double carried = 0.0;
        for (int k = 0; k < s->count; k++)
            carried =
                fmax(carried, s->force * fabs(p->response[(size_t)s->at[k] * (size_t)p->n + (size_t)j]));
        double part = carried > 0.0 ? fabs(s->da[j]) / carried : 0.0;
        if (part > ACCELERATION_TOLERANCE && fabs(s->da[j]) > *most) *most = fabs(s->da[j]), best = j;
    }
    return best;
}

// one direction in which forces are free: does it move the accelerations, and can it be gone?
static void try_direction(search *s)
{
    double size = 0.0, most;
    for (int k = 0; k < s->count; k++) size = fmax(size, fabs(s->v[k]));
    for (int k = 0; k < s->count && size > 0.0; k++) {
        s->v[k] *= s->force / size;
        if (fabs(s->v[k]) < FORCE_TOLERANCE * s->force) s->v[k] = 0.0;
    }
    int j = size > 0.0 ? largest_acceleration_change(s, &most) : -1;
    if (j < 0) return;
    double low = -feasible_length(s, -1.0), high = feasible_length(s, 1.0), own = s->p->a[j];
    if (!((high - low) * most > ACCELERATION_TOLERANCE * s->p->scale)) return;
    for (int i = 0; i < s->p->count; i++)
        own += s->p->response[(size_t)i * (size_t)s->p->n + (size_t)j] * (s->base[i] - s->p->x[i]);
    double a = own + low * s->da[j], b = own + high * s->da[j];
    if (s->found.motion && fabs(b - a) <= s->found.high - s->found.low) return;
    s->found.motion = true;
    s->found.coordinate = j;
    s->found.low = fmin(a, b), s->found.high = fmax(a, b);
}

// entry i of vector k of the null space: they come last
static double null_vector_entry(const search *s, int k, int i)
{
    return s->V[(s->count - 1 - k) * s->count + i];
}

// The solution with the loads spread out, as far as it is one: from a corner few directions lead on
static void spread_loads(search *s)
{
    const slip_contact_solution *p = s->p;
    for (int i = 0; i < s->count; i++) s->v[i] = 0.0;
    for (int k = 0; k < s->null; k++) {
        double along = 0.0;
        for (int i = 0; i < s->count; i++) along += null_vector_entry(s, k, i) * p->x[s->at[i]];
        for (int i = 0; i < s->count; i++) s->v[i] -= along * null_vector_entry(s, k, i);
    }
    double part = 1.0;
    for (int shorter = 0; shorter < 7; shorter++, part *= 0.7) {
        memcpy(s->base, p->x, (size_t)p->count * sizeof *s->base);
        for (int i = 0; i < s->count; i++) s->base[s->at[i]] += part * s->v[i];
        if (slip_contact_solution_is_admissible(p, s->base, s->force) && stays_open(s, s->base)) return;
    }
    memcpy(s->base, p->x, (size_t)p->count * sizeof *s->base);
}

static void try_all(search *s)
{
    const slip_contact_solution *p = s->p;
    for (int j = 0; j < p->n; j++) { // what moves coordinate j most, within the null space
        memset(s->v, 0, (size_t)s->count * sizeof *s->v);
        for (int k = 0; k < s->null; k++) {
            double along = 0.0;
            for (int i = 0; i < s->count; i++)
                along +=
                    null_vector_entry(s, k, i) * p->response[(size_t)s->at[i] * (size_t)p->n + (size_t)j];
            for (int i = 0; i < s->count; i++) s->v[i] += along * null_vector_entry(s, k, i);
        }
        try_direction(s);
    }
    for (int k = 0; k < s->null && !s->found.motion; k++) {
        for (int i = 0; i < s->count; i++) s->v[i] = null_vector_entry(s, k, i);
        try_direction(s);
    }
}

slip_indeterminacy slip_indeterminacy_find(const slip_contact_solution *p, double *work)
{
    search s = { .p = p };
    if (p->count == 0) return s.found;
    if (p->count > SLIP_UNIQUENESS_MAX_UNKNOWNS) return s.found.dimension = -1, s.found;
    carve_work(&s, work);
    for (int i = 0; i < p->count; i++) s.force = fmax(s.force, fabs(p->x[i]));
    find_kernel(&s);
    if (s.count == 0 || s.force == 0.0) return s.found;
    if (!slip_svd(s.count, s.K, s.value, s.V, s.spare)) return s.found.dimension = -1, s.found;
    while (s.null < s.count && s.value[s.count - 1 - s.null] <= SINGULAR_VALUE_ZERO * s.value[0]) s.null++;
    s.found.dimension = s.null;
    spread_loads(&s);
    try_all(&s);
    return s.found;
}

void slip_indeterminacy_text(const slip_indeterminacy *o, const slip_model *model, char *text, size_t size)
{
    const slip_coordinate *c = &model->coordinates[o->coordinate];
    bool plain = !c->rate_name || strchr(c->rate_name, '\''); // else a spin of a body in space
    snprintf(text, size,
             "the motion is not determined: redundant contacts leave open who carries the load, and with it "
             "the %s of %s, %s %.4g %s %.4g",
             plain ? "acceleration" : "rate", plain ? c->name : c->rate_name,
             o->two ? "either" : "anything from", o->low, o->two ? "or" : "to", o->high);
}
