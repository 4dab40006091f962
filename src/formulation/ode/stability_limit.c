/// formulation/ode/stability_limit.c: the largest stable step, from eigenvalues.
#include "formulation/ode/stability_limit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/linalg.h"
#include "formulation/ode/ode_jacobian.h"
#include "formulation/ode/ode_tolerances.h"

// eigenvalues cost 25 m^3 operations: larger groups are looked at before the run only, and the largest by
// power iteration, without their zeros
enum {
    MAX_GROUP_IN_RUN = 64,
    MAX_GROUP_EIGENVALUES = 200,
    POWER_ITERATIONS = 150,
    POWER_ITERATIONS_AVERAGED = 100,
    MODE_TABLE_SIZE = 1 << 12,
    MODE_TABLE_MAX_ENTRIES = MODE_TABLE_SIZE / 2
};

struct slip_stability_limit {
    slip_ode *ode;
    const slip_integrator *integrator;
    slip_ode_jacobian *stuck, *present;
    double *A, *work;     // of the largest group whose eigenvalues are computed
    double *re, *im;      // of the largest group
    double *values;       // of the entries of a larger one
    int largest, exact;   // states of those groups
    int entries;          // of the one with most of them
    int *first, *member;  // elements of group g of `present`: member[first[g] .. first[g + 1])
    int *group_of;        // of each element; -1 when it belongs to none
    unsigned char *modes; // as of the last look
    bool looked;
    uint64_t *seen; // hashes of (group, modes of its elements), open addressing, 0 is free
    int seen_count;
    void *memory;
};

// ------------------------------------------------------------------------------ one eigenvalue, one step

double slip_largest_stable_step(const slip_integrator *integrator, double re, double im)
{
    double size = slip_hypot(re, im);
    if (!(size > 0.0) || re > GROWING_MODE * size)
        return INFINITY; // a mode that grows by itself does not depend on the step
    const double margin = 1.0 + GROWTH_OF_MODE;
    double c = fmin(re, 0.0) / size, s = im / size, low = 0.0, high = 0.0;
    // small z: |R| - 1 is of the order of the error of the method, not a growth
    for (double r = BOUNDARY_SCAN_START; r <= BOUNDARY_SCAN_END && high == 0.0; r += BOUNDARY_SCAN_STEP) {
        if (r > integrator->radius && integrator->growth(r * c, r * s) > margin)
            high = r;
        else
            low = r;
    }
    if (high == 0.0) return INFINITY;
    for (int k = 0; k < 40; k++) {
        double middle = 0.5 * (low + high);
        if (integrator->growth(middle * c, middle * s) > margin)
            high = middle;
        else
            low = middle;
    }
    return low / size;
}

// ------------------------------------------------------------------------------------------ one group

static slip_step_limit no_limit(void)
{
    return (slip_step_limit){ .step = INFINITY, .state = "" };
}

static bool finite_entries(const double *A, int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) sum += 0.0 * A[k];
    return sum == 0.0;
}

// an upper bound for the size of all eigenvalues: a norm, after the rows and columns have been balanced by
// powers of 2; a few times cheaper than the eigenvalues
static double size_bound(slip_stability_limit *g, int m)
{
    if (!slip_balance(m, g->A, m)) return INFINITY;
    double rows = 0.0, columns = 0.0;
    for (int i = 0; i < m; i++) {
        double row = 0.0, column = 0.0;
        for (int j = 0; j < m; j++) row += fabs(g->A[i * m + j]), column += fabs(g->A[j * m + i]);
        rows = fmax(rows, row), columns = fmax(columns, column);
    }
    return fmin(rows, columns);
}

// The largest eigenvalue by its size: mean growth of a vector under repeated multiplication. The stiffest
// mode of closed and sticking contacts is a real, negative one, and counts as such.
static double dominant_size(slip_stability_limit *g, const slip_ode_jacobian *jacobian, int group, int m)
{
    double sum = 0.0;
    slip_ode_jacobian_values(jacobian, group, g->values);
    for (int i = 0; i < m; i++) g->re[i] = 1.0 + (i * 7 % 5) / 8.0;
    for (int k = 0; k < POWER_ITERATIONS; k++) {
        double before = 0.0, after = 0.0;
        slip_ode_jacobian_multiply(jacobian, group, g->values, g->re, g->im);
        for (int i = 0; i < m; i++) before += g->re[i] * g->re[i], after += g->im[i] * g->im[i];
        if (!(after > 0.0) || !isfinite(after)) return 0.0;
        double growth = sqrt(after / before);
        for (int i = 0; i < m; i++) g->re[i] = g->im[i] / sqrt(after);
        if (k >= POWER_ITERATIONS - POWER_ITERATIONS_AVERAGED) sum += slip_ln(growth);
    }
    return slip_exp(sum / POWER_ITERATIONS_AVERAGED);
}

// looks closely when the limit may be below `enough`
static slip_step_limit limit_of_group(slip_stability_limit *g, const slip_ode_jacobian *jacobian, int group,
                                      double enough)
{
    const int *states;
    int m = slip_ode_jacobian_group(jacobian, group, &states);
    slip_step_limit limit = no_limit();
    if (m > MAX_GROUP_EIGENVALUES) {
        double size = dominant_size(g, jacobian, group, m);
        return (slip_step_limit){ slip_largest_stable_step(g->integrator, -size, 0.0), -size, 0.0,
                                  g->ode->state_name[states[0]] };
    }
    slip_ode_jacobian_dense(jacobian, group, g->A);
    if (finite_entries(g->A, m * m) && size_bound(g, m) * enough <= g->integrator->radius) return limit;
    if (!finite_entries(g->A, m * m) || !slip_eigenvalues(m, g->A, g->re, g->im, g->work)) return limit;
    for (int k = 0; k < m; k++) {
        const double least =
            g->integrator->radius - 2.0 * BOUNDARY_SCAN_STEP; // of |h lambda| at the limit of any
        if (slip_hypot(g->re[k], g->im[k]) * limit.step < least) continue;
        double step = slip_largest_stable_step(g->integrator, g->re[k], g->im[k]);
        if (step < limit.step)
            limit = (slip_step_limit){ step, g->re[k], fabs(g->im[k]), g->ode->state_name[states[0]] };
    }
    return limit;
}

slip_step_limit slip_stability_limit_all_stick(slip_stability_limit *g, double t, const double *x,
                                               const double *rate)
{
    slip_step_limit limit = no_limit();
    if (!slip_ode_jacobian_evaluate(g->stuck, t, x, rate)) return limit;
    for (int k = 0; k < slip_ode_jacobian_group_count(g->stuck); k++) {
        slip_step_limit here = limit_of_group(g, g->stuck, k, limit.step);
        if (here.step < limit.step) limit = here;
    }
    return limit;
}

// ------------------------------------------------------------------------------- combinations of modes

static uint64_t hash_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

// notes the modes of a group; true when they are new
static bool is_new_mode(slip_stability_limit *g, int group, const unsigned char *modes)
{
    uint64_t h = hash_mix(0x243f6a8885a308d3u, (uint64_t)group + 1);
    for (int k = g->first[group]; k < g->first[group + 1]; k++) h = hash_mix(h, modes[g->member[k]]);
    if (h == 0) h = 1;
    size_t at = (size_t)(h % MODE_TABLE_SIZE);
    while (g->seen[at] != 0 && g->seen[at] != h) at = (at + 1) % MODE_TABLE_SIZE;
    if (g->seen[at] == h || g->seen_count >= MODE_TABLE_MAX_ENTRIES) return false;
    g->seen[at] = h;
    g->seen_count++;
    return true;
}

slip_step_limit slip_stability_limit_new_modes(slip_stability_limit *g, double t, const double *x,
                                               const double *rate, const unsigned char *modes, double enough)
{
    slip_step_limit limit = no_limit();
    size_t count = (size_t)g->ode->element_count;
    if (g->looked && memcmp(g->modes, modes, count) == 0) return limit;
    bool evaluated = false, whole = !g->looked;
    int groups = whole ? slip_ode_jacobian_group_count(g->present) : g->ode->element_count;
    for (int k = 0; k < groups; k++) {
        if (!whole && g->modes[k] == modes[k]) continue;
        int group = whole ? k : g->group_of[k];
        const int *states;
        if (group < 0 || slip_ode_jacobian_group(g->present, group, &states) > MAX_GROUP_IN_RUN) continue;
        if (!is_new_mode(g, group, modes)) continue;
        if (!evaluated && !slip_ode_jacobian_evaluate(g->present, t, x, rate)) break;
        evaluated = true;
        slip_step_limit here = limit_of_group(g, g->present, group, enough);
        if (here.step < limit.step) limit = here;
    }
    if (count) memcpy(g->modes, modes, count);
    g->looked = true;
    return limit;
}

// ----------------------------------------------------------------------------------------------- life

static void stability_limit_layout(slip_arena *a, slip_stability_limit *g)
{
    int m = g->exact, elements = g->ode->element_count;
    g->A = SLIP_TAKE(a, double, m *m);
    g->work = SLIP_TAKE(a, double, SLIP_EIGENVALUES_WORK *m);
    g->re = SLIP_TAKE(a, double, g->largest);
    g->im = SLIP_TAKE(a, double, g->largest);
    g->values = SLIP_TAKE(a, double, g->entries);
    g->first = SLIP_TAKE(a, int, slip_ode_jacobian_group_count(g->present) + 2);
    g->member = SLIP_TAKE(a, int, elements);
    g->group_of = SLIP_TAKE(a, int, elements);
    g->modes = SLIP_TAKE(a, unsigned char, elements);
    g->seen = SLIP_TAKE(a, uint64_t, MODE_TABLE_SIZE);
}

// the group of the first state that decides on an element's mode
static int group_of_element(const slip_stability_limit *g, const slip_ode_element *element,
                            const int *group_of_state)
{
    const slip_ref asked[] = { element->slip[0], element->gap };
    for (int k = 0; k < 2; k++) {
        slip_partial *partials = NULL;
        int count = asked[k] >= 0 ? slip_graph_gradient(g->ode->graph, asked[k], &partials) : 0, found = -1;
        for (int i = 0; i < count && found < 0; i++) {
            int state = partials[i].input - 1;
            if (state >= 0 && state < g->ode->base_count) found = group_of_state[state];
        }
        free(partials);
        if (found >= 0) return found;
    }
    return -1;
}

static bool sort_elements(slip_stability_limit *g)
{
    int *group_of_state = malloc(((size_t)g->ode->state_count + 1) * sizeof *group_of_state);
    if (!group_of_state) return false;
    int groups = slip_ode_jacobian_group_count(g->present);
    for (int k = 0; k < groups; k++) {
        const int *states;
        int m = slip_ode_jacobian_group(g->present, k, &states);
        for (int i = 0; i < m; i++) group_of_state[states[i]] = k;
    }
    for (int k = 0; k < g->ode->element_count; k++) {
        g->group_of[k] = group_of_element(g, &g->ode->elements[k], group_of_state);
        if (g->group_of[k] >= 0) g->first[g->group_of[k] + 2]++;
    }
    for (int k = 0; k < groups; k++) g->first[k + 2] += g->first[k + 1];
    for (int k = 0; k < g->ode->element_count; k++)
        if (g->group_of[k] >= 0) g->member[g->first[g->group_of[k] + 1]++] = k;
    free(group_of_state);
    return true;
}

void slip_stability_limit_archive(slip_stability_limit *g, slip_archive *a)
{
    slip_archive_open(a, "guard");
    slip_archive_bytes(a, "modes", g->modes, (size_t)g->ode->element_count);
    slip_archive_bool(a, "looked", &g->looked);
    slip_archive_int(a, "seen_count", &g->seen_count);
    int left = g->seen_count;
    for (int k = 0; k < MODE_TABLE_SIZE && left > 0 && a->status == SLIP_OK;) { // the places that are taken
        int place = k;
        while (!slip_archive_reads(a) && !g->seen[place]) place++;
        slip_archive_int(a, "place", &place);
        if (place < k || place >= MODE_TABLE_SIZE) {
            slip_archive_fail(a, SLIP_BAD_ARGUMENT, "there is no place %d", place);
            return;
        }
        slip_archive_bytes(a, "seen", &g->seen[place], sizeof *g->seen);
        k = place + 1, left--;
    }
    slip_archive_close(a);
    if (g->seen_count < 0 || g->seen_count > MODE_TABLE_MAX_ENTRIES)
        slip_archive_fail(a, SLIP_BAD_ARGUMENT, "%d regimes", g->seen_count);
}

void slip_stability_limit_destroy(slip_stability_limit *g)
{
    if (!g) return;
    slip_ode_jacobian_destroy(g->stuck);
    slip_ode_jacobian_destroy(g->present);
    free(g->memory);
    free(g);
}

static void measure_groups(slip_stability_limit *g, const slip_ode_jacobian *jacobian)
{
    for (int k = 0; k < slip_ode_jacobian_group_count(jacobian); k++) {
        const int *states;
        const int m = slip_ode_jacobian_group(jacobian, k, &states),
                  entries = slip_ode_jacobian_entry_count(jacobian, k);
        if (m > g->largest) g->largest = m;
        if (m > g->exact && m <= MAX_GROUP_EIGENVALUES) g->exact = m;
        if (m > MAX_GROUP_EIGENVALUES && entries > g->entries) g->entries = entries;
    }
}

static slip_status allocate_stability_limit(slip_stability_limit *g)
{
    measure_groups(g, g->stuck);
    measure_groups(g, g->present);
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &g->memory)) stability_limit_layout(&arena, g);
    if (!g->memory) return SLIP_NO_MEMORY;
    return sort_elements(g) ? SLIP_OK : SLIP_NO_MEMORY;
}

slip_status slip_stability_limit_create(slip_ode *ode, const slip_integrator *integrator, slip_error *error,
                                        slip_stability_limit **out)
{
    *out = NULL;
    if (!integrator->growth) return SLIP_OK;
    slip_stability_limit *g = calloc(1, sizeof *g);
    if (!g) return slip_fail(error, SLIP_NO_MEMORY, "step guard", "out of memory");
    g->ode = ode;
    g->integrator = integrator;
    slip_status status = slip_ode_jacobian_create(ode, true, error, &g->stuck);
    if (status == SLIP_OK) status = slip_ode_jacobian_create(ode, false, error, &g->present);
    if (status == SLIP_OK && allocate_stability_limit(g) != SLIP_OK)
        status = slip_fail(error, SLIP_NO_MEMORY, "step guard", "out of memory");
    if (status != SLIP_OK) {
        slip_stability_limit_destroy(g);
        return status;
    }
    *out = g;
    return SLIP_OK;
}
