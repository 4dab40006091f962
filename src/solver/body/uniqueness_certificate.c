/// solver/body/uniqueness_certificate.c: friction ratios, islands, and the rows of the quadratic form.
#include "solver/body/uniqueness_certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "solver/body/body_quadratic_form.h"
#include "solver/linalg/union_find.h"
#include "solver/body/body_tolerances.h"

/// Weights of the friction terms that are tried. Redundant contacts need weight 1.
static const double FRICTION_WEIGHTS[] = { 1.0, 0.3 };

// Larger islands that are known to be redundant are not tested.
enum { SMALL_ISLAND_CONTACTS = 24 };

struct slip_uniqueness_certificate {
    const slip_uniqueness_case *now;
    int *island, *start, *order, *of_contact; // islands of bodies; contacts of each island, and back
    int *place;                               // of bodies within their island
    double *most;                             // per island: its largest normal impulse
    double *tau;                              // two per contact; kappa for couples
    slip_body_quadratic_form form;
    void *memory;
    size_t size;
};

slip_uniqueness_certificate *slip_uniqueness_certificate_create(void)
{
    return calloc(1, sizeof(slip_uniqueness_certificate));
}

void slip_uniqueness_certificate_destroy(slip_uniqueness_certificate *k)
{
    if (!k) return;
    slip_body_quadratic_form_end(&k->form);
    free(k->memory);
    free(k);
}

static void certificate_layout(slip_arena *a, slip_uniqueness_certificate *k, int bodies, int contacts)
{
    k->island = SLIP_TAKE(a, int, bodies + 1);
    k->place = SLIP_TAKE(a, int, bodies + 1);
    k->start = SLIP_TAKE(a, int, bodies + 2);
    k->most = SLIP_TAKE(a, double, bodies + 1);
    k->order = SLIP_TAKE(a, int, contacts);
    k->of_contact = SLIP_TAKE(a, int, contacts);
    k->tau = SLIP_TAKE(a, double, 2 * (size_t)contacts);
}

static bool make_room(slip_uniqueness_certificate *k)
{
    const slip_body_problem *b = k->now->problem;
    slip_arena measure = { 0 };
    certificate_layout(&measure, k, b->bodies, b->contacts);
    if (measure.used > k->size) {
        free(k->memory);
        k->size = measure.used + measure.used / 4;
        k->memory = slip_arena_memory_uninitialised(k->size);
        if (!k->memory) k->size = 0;
        if (!k->memory) return false;
    }
    slip_arena real = { .base = k->memory };
    certificate_layout(&real, k, b->bodies, b->contacts);
    return true;
}

// ------------------------------------------------------------------------------------------------ islands

// The contact whose normal impulse bounds c: c itself, unless c is a couple.
static int owner_of(const slip_uniqueness_certificate *k, int c)
{
    const slip_body_problem *b = k->now->problem;
    return b->behind ? c - b->behind[c] : c;
}

static bool is_known(const slip_uniqueness_certificate *k, int c)
{
    return k->now->known && k->now->known[c];
}

// A contact whose normal impulse is an unknown.
static bool is_plain(const slip_uniqueness_certificate *k, int c)
{
    return owner_of(k, c) == c && !is_known(k, c);
}

// Returns the number of islands; those without contacts are empty.
static int find_islands(slip_uniqueness_certificate *k)
{
    const slip_body_problem *b = k->now->problem;
    slip_union_find_init(b->bodies, k->island);
    for (int c = 0; c < b->contacts; c++)
        if (b->body[2 * c] >= 0 && b->body[2 * c + 1] >= 0)
            slip_union_find_join(k->island, b->body[2 * c], b->body[2 * c + 1]);
    const int count = slip_union_find_number(b->bodies, k->island);
    for (int c = 0; c < b->contacts; c++) {
        const int one = b->body[2 * c] >= 0 ? b->body[2 * c] : b->body[2 * c + 1];
        k->of_contact[c] = one >= 0 ? k->island[one] : -1;
    }
    slip_union_find_sort(b->contacts, count, k->of_contact, k->start, k->order);
    for (int i = 0; i < count; i++) k->most[i] = 0.0;
    for (int c = 0; c < b->contacts; c++)
        if (k->of_contact[c] >= 0 && is_plain(k, c))
            k->most[k->of_contact[c]] = fmax(k->most[k->of_contact[c]], k->now->r[c * b->dimension]);
    return count;
}

// ------------------------------------------------------------------------------------------------- ratios

static bool is_loaded(const slip_uniqueness_certificate *k, int c)
{
    return k->now->r[c * k->now->problem->dimension] > ZERO_LOAD_TOLERANCE * k->most[k->of_contact[c]];
}

static double slip_of(const slip_uniqueness_certificate *k, int c)
{
    const int d = k->now->problem->dimension;
    const double *u = k->now->u + (long)c * d;
    return d == 3 ? sqrt(u[1] * u[1] + u[2] * u[2]) : fabs(u[1]);
}

static double size_of(const double *tau, int d)
{
    return d == 3 ? sqrt(tau[0] * tau[0] + tau[1] * tau[1]) : fabs(tau[0]);
}

static void limit_vector(double *tau, int d, double limit)
{
    const double size = size_of(tau, d);
    for (int i = 0; i < d - 1 && size > limit; i++) tau[i] *= limit / size;
}

// kappa, limited to the part of the load that the couple may reach. Opening faster than it slips leaves a
// contact a reserve, half of which goes to each of two couples.
static void find_couple(slip_uniqueness_certificate *k, int c, int owner)
{
    const slip_body_problem *b = k->now->problem;
    const int d = b->dimension;
    const double *r = k->now->r + (long)c * d, *u = k->now->u + (long)c * d,
                 load = k->now->r[(long)owner * d], spin = slip_of(k, c), share = b->share[c];
    double *tau = k->tau + 2 * (long)c;
    if (spin > k->now->small && share > 0.0) {
        const double left = 0.5 * fmax(0.0, k->now->u[(long)owner * d] - b->mu[owner] * slip_of(k, owner)),
                     part = fmax(0.0, 1.0 - left / (share * spin));
        for (int i = 0; i < d - 1; i++) tau[i] = -part * share * u[1 + i] / spin;
        return;
    }
    for (int i = 0; i < d - 1 && is_loaded(k, owner); i++) tau[i] = r[1 + i] / load;
    limit_vector(tau, d, share);
}

// tau of a slipping contact opposes its slip; that of a sticking one is the ratio of its forces, if it is
// loaded.
static void find_ratio(slip_uniqueness_certificate *k, int c)
{
    const slip_body_problem *b = k->now->problem;
    const int d = b->dimension, owner = owner_of(k, c);
    const double *r = k->now->r + (long)c * d, *u = k->now->u + (long)c * d, mu = b->mu[c];
    double *tau = k->tau + 2 * (long)c;
    tau[0] = tau[1] = 0.0;
    if (is_known(k, c) || k->of_contact[c] < 0 || !(mu > 0.0)) return;
    if (owner != c) {
        find_couple(k, c, owner);
        return;
    }
    const double slip = slip_of(k, c);
    if (slip > k->now->small) {
        const double part = fmax(0.0, 1.0 - fmax(0.0, u[0]) / (mu * slip));
        for (int i = 0; i < d - 1; i++) tau[i] = -part * mu * u[1 + i] / slip;
        return;
    }
    const bool any = is_loaded(k, c) && size_of(r + 1, d) > ZERO_LOAD_TOLERANCE * k->most[k->of_contact[c]];
    for (int i = 0; i < d - 1 && any; i++) tau[i] = r[1 + i] / r[0];
    limit_vector(tau, d, mu);
}

// A sticking contact: its friction force may have another value.
static bool is_stuck(const slip_uniqueness_certificate *k, int c)
{
    return is_plain(k, c) && k->now->problem->mu[c] > 0.0 && slip_of(k, c) <= k->now->small;
}

// A contact whose friction force is determined by its slip.
static bool is_driven(const slip_uniqueness_certificate *k, int c)
{
    return !is_known(k, c) && slip_of(k, c) > k->now->small &&
           (k->tau[2L * c] != 0.0 || k->tau[2L * c + 1] != 0.0);
}

static const double *tangents_of(const slip_body_problem *b, int c, int slot)
{
    return b->rows + ((2L * c + slot) * b->dimension + 1) * b->side;
}

// The sum over a group of H_T' (tau N - T) for one of its bodies, relative to that of |T|.
static double wrench_error(const slip_uniqueness_certificate *k, const int *group, int count, int slot,
                           const double *tau)
{
    const slip_body_problem *b = k->now->problem;
    const int d = b->dimension, side = b->side;
    double sum[SLIP_BODY_MAX_VELOCITIES] = { 0.0 }, size = 0.0, worst = 0.0;
    for (int a = 0; a < count; a++) {
        const double *H = tangents_of(b, group[a], slot), *r = k->now->r + (long)group[a] * d;
        for (int i = 0; i < d - 1; i++)
            for (int j = 0; j < side; j++) {
                const double h = H[i * side + j];
                if (is_stuck(k, group[a])) sum[j] += h * (tau[2 * a + i] * r[0] - r[1 + i]);
                size = fmax(size, fabs(h) * r[0]);
            }
    }
    for (int j = 0; j < side; j++) worst = fmax(worst, fabs(sum[j]));
    return size > 0.0 ? worst / size : 0.0;
}

enum { GROUP_MAX_CONTACTS = 16 };

// The least sum of T^2/N with the same effect on both bodies: tau = H_T x, with (sum N H_T' H_T) x = sum H_T'
// T.
static void distribute_friction(slip_uniqueness_certificate *k, const int *group, int count)
{
    const slip_body_problem *b = k->now->problem;
    const int d = b->dimension, side = b->side, slot = b->body[2 * group[0]] >= 0 ? 0 : 1;
    double A[SLIP_BODY_MAX_VELOCITIES * SLIP_BODY_MAX_VELOCITIES] = { 0.0 },
                                        x[SLIP_BODY_MAX_VELOCITIES] = { 0.0 }, trace = 0.0,
                                        tau[2 * GROUP_MAX_CONTACTS] = { 0.0 };
    for (int a = 0; a < count; a++) {
        const double *H = tangents_of(b, group[a], slot), *r = k->now->r + (long)group[a] * d;
        if (!is_stuck(k, group[a])) continue;
        for (int i = 0; i < d - 1; i++)
            for (int p = 0; p < side; p++) {
                x[p] += H[i * side + p] * r[1 + i];
                for (int q = 0; q <= p; q++) A[p * side + q] += r[0] * H[i * side + p] * H[i * side + q];
            }
    }
    for (int p = 0; p < side; p++) trace += A[p * (side + 1)];
    for (int p = 0; p < side; p++) A[p * (side + 1)] += GROUP_DIAGONAL_SHIFT * trace;
    if (!(trace > 0.0) || !slip_cholesky(side, A)) return;
    slip_cholesky_solve(side, A, x);
    for (int a = 0; a < count; a++) {
        const double *H = tangents_of(b, group[a], slot);
        if (!is_stuck(k, group[a])) continue;
        for (int i = 0; i < d - 1; i++)
            for (int p = 0; p < side; p++) tau[2 * a + i] += H[i * side + p] * x[p];
        if (!is_loaded(k, group[a])) limit_vector(tau + 2 * a, d, b->mu[group[a]]);
        if (size_of(tau + 2 * a, d) > b->mu[group[a]] * (1.0 + CONE_ROUNDING_RELATIVE)) return;
    }
    for (int s = 0; s < 2; s++)
        if (b->body[2 * group[0] + s] >= 0 && wrench_error(k, group, count, s, tau) > ZERO_LOAD_TOLERANCE)
            return;
    for (int a = 0; a < count; a++)
        for (int i = 0; i < d - 1 && is_stuck(k, group[a]); i++) k->tau[2L * group[a] + i] = tau[2 * a + i];
}

static bool same_pair(const slip_body_problem *b, int c, int e)
{
    return b->body[2 * c] == b->body[2 * e] && b->body[2 * c + 1] == b->body[2 * e + 1];
}

// The number of contacts from `from` on that are between the same pair of bodies and contiguous in the list.
static int group_from(const slip_uniqueness_certificate *k, int from, int end, int *group)
{
    int count = 0, at = from;
    for (; at < end && count < GROUP_MAX_CONTACTS; at++) {
        const int c = k->order[at];
        if (!is_plain(k, c)) continue;
        if (count && !same_pair(k->now->problem, group[0], c)) break;
        group[count++] = c;
    }
    return count;
}

// Finds the ratios of an island; returns whether any of them has friction.
static bool find_ratios(slip_uniqueness_certificate *k, int island)
{
    const int first = k->start[island], end = k->start[island + 1], d = k->now->problem->dimension;
    bool any = false;
    for (int i = first; i < end; i++) {
        find_ratio(k, k->order[i]);
        any = any || size_of(k->tau + 2L * k->order[i], d) > 0.0;
    }
    int group[GROUP_MAX_CONTACTS], passed = 0;
    for (int i = first; any && i < end; i += passed) {
        const int count = group_from(k, i, end, group);
        passed = count > 1 ? count : 1;
        if (count > 1) distribute_friction(k, group, count);
    }
    return any;
}

// ---------------------------------------------------------------------------------------------- the form

// A pair of bodies may have more contact forces than relative velocities; loads can then be
// self-equilibrated.
static bool is_redundant(const slip_uniqueness_certificate *k, int island, int bodies)
{
    const slip_body_problem *b = k->now->problem;
    const int d = b->dimension, most = d == 2 ? 3 : 6;
    int group[GROUP_MAX_CONTACTS], passed = 0;
    long forces = 0;
    for (int i = k->start[island]; i < k->start[island + 1]; i += passed) {
        const int count = group_from(k, i, k->start[island + 1], group);
        passed = count > 1 ? count : 1;
        forces += count * d < most ? count * d : most;
    }
    return forces > (long)bodies * b->side;
}

static int number_bodies(slip_uniqueness_certificate *k, int island)
{
    const slip_body_problem *b = k->now->problem;
    int count = 0;
    for (int i = 2 * k->start[island]; i < 2 * k->start[island + 1]; i++) {
        const int body = b->body[2 * k->order[i / 2] + i % 2];
        if (body >= 0) k->place[body] = -1;
    }
    for (int i = 2 * k->start[island]; i < 2 * k->start[island + 1]; i++) {
        const int body = b->body[2 * k->order[i / 2] + i % 2];
        if (body >= 0 && k->place[body] < 0) k->place[body] = count++;
    }
    return count;
}

// L of the normal: H_N - w tau.H_T, less its part of the margin.
static void lean_normal(const slip_uniqueness_certificate *k, int c, double weight, double *lean)
{
    const slip_body_problem *b = k->now->problem;
    const int d = b->dimension, side = b->side;
    for (int s = 0; s < 2; s++) {
        const double *H = b->rows + (2L * c + s) * d * side;
        for (int j = 0; j < side; j++) {
            double sum = (1.0 - FORM_MARGIN) * H[j];
            for (int i = 1; i < d; i++) sum -= weight * k->tau[2 * c + i - 1] * H[i * side + j];
            lean[s * d * side + j] = b->body[2 * c + s] >= 0 ? sum : 0.0;
        }
    }
}

// The contribution of a couple to L.
static void lean_couple(const slip_uniqueness_certificate *k, int couple, double weight, double *lean)
{
    const slip_body_problem *b = k->now->problem;
    const int d = b->dimension, side = b->side;
    for (int s = 0; s < 2; s++) {
        const double *H = b->rows + (2L * couple + s) * d * side;
        for (int i = 1; i < d && b->body[2 * couple + s] >= 0; i++)
            for (int j = 0; j < side; j++)
                lean[s * d * side + j] -= weight * k->tau[2 * couple + i - 1] * H[i * side + j];
    }
}

static void fill_contact(slip_uniqueness_certificate *k, int at, int c, double weight)
{
    const slip_body_problem *b = k->now->problem;
    const int d = b->dimension, side = b->side, size = d * side;
    double *lean = k->form.lean + 2L * at * size, *back = k->form.back + 2L * at * size;
    memset(back, 0, 2 * sizeof(double) * (size_t)size);
    lean_normal(k, c, weight, lean);
    for (int s = 0; s < 2; s++) {
        const int body = b->body[2 * c + s];
        const double *H = b->rows + (2L * c + s) * size,
                     *inverse = b->inverse + (long)(body < 0 ? 0 : body) * side * side;
        k->form.body[2 * at + s] = body < 0 ? -1 : k->place[body];
        for (int i = side; i < size; i++) lean[s * size + i] = body < 0 ? 0.0 : (weight - FORM_MARGIN) * H[i];
        for (int i = 0; i < d && body >= 0; i++)
            for (int p = 0; p < side; p++) {
                double sum = 0.0;
                for (int q = 0; q < side; q++) sum += inverse[p * side + q] * H[i * side + q];
                back[(s * d + i) * side + p] = sum;
            }
    }
}

// Scales rows so that the diagonal of H M^-1 H' is 1; rows that are not unknowns are zero.
static void scale_contact(slip_uniqueness_certificate *k, int at, int c)
{
    const slip_body_problem *b = k->now->problem;
    const int d = b->dimension, side = b->side;
    for (int i = 0; i < d; i++) {
        double own = 0.0;
        for (int s = 0; s < 2; s++)
            for (int j = 0; j < side && b->body[2 * c + s] >= 0; j++)
                own += b->rows[((2L * c + s) * d + i) * side + j] *
                       k->form.back[((2L * at + s) * d + i) * side + j];
        const bool idle = !(own > 0.0) || (i == 0 && !is_plain(k, c));
        const double by = idle ? 0.0 : 1.0 / sqrt(own);
        k->form.idle[at * d + i] = idle;
        for (int s = 0; s < 2; s++)
            for (int j = 0; j < side; j++) {
                const long to = ((2L * at + s) * d + i) * side + j;
                k->form.lean[to] *= by, k->form.back[to] *= by;
            }
    }
}

static void fill_island(slip_uniqueness_certificate *k, int island, double weight)
{
    const slip_body_problem *b = k->now->problem;
    const int first = k->start[island], size = b->dimension * b->side;
    for (int i = first; i < k->start[island + 1]; i++) fill_contact(k, i - first, k->order[i], weight);
    for (int i = first; i < k->start[island + 1]; i++) {
        const int c = k->order[i], owner = i - (c - owner_of(k, c)); // couples follow it directly, here too
        if (owner != i) lean_couple(k, c, weight, k->form.lean + 2L * (owner - first) * size);
    }
    for (int i = first; i < k->start[island + 1]; i++) scale_contact(k, i - first, k->order[i]);
}

// Returns SLIP_QUADRATIC_FORM_POSITIVE, or the contact of the island where the form fails, or why it was not
// tested.
static int test_island(slip_uniqueness_certificate *k, int island)
{
    const slip_body_problem *b = k->now->problem;
    const int contacts = k->start[island + 1] - k->start[island], bodies = number_bodies(k, island);
    if (contacts > SMALL_ISLAND_CONTACTS && is_redundant(k, island, bodies))
        return SLIP_QUADRATIC_FORM_COSTLY;
    if (!slip_body_quadratic_form_begin(&k->form, b->dimension, b->side, bodies, contacts))
        return SLIP_QUADRATIC_FORM_NO_MEMORY;
    fill_island(k, island, FRICTION_WEIGHTS[0]);
    int found = slip_body_quadratic_form_analyse(&k->form);
    if (found != SLIP_QUADRATIC_FORM_POSITIVE) return found;
    found = slip_body_quadratic_form_factor(&k->form);
    for (size_t i = 1;
         i < sizeof FRICTION_WEIGHTS / sizeof *FRICTION_WEIGHTS && found != SLIP_QUADRATIC_FORM_POSITIVE;
         i++) {
        if (contacts > SMALL_ISLAND_CONTACTS) break;
        fill_island(k, island, FRICTION_WEIGHTS[i]);
        const int again = slip_body_quadratic_form_factor(&k->form);
        if (again == SLIP_QUADRATIC_FORM_POSITIVE) found = again;
    }
    return found;
}

// The contact with the most friction relative to its load.
static int largest_friction_ratio(const slip_uniqueness_certificate *k, int island)
{
    const int d = k->now->problem->dimension;
    int found = k->start[island];
    for (int i = found; i < k->start[island + 1]; i++)
        if (size_of(k->tau + 2L * k->order[i], d) > size_of(k->tau + 2L * k->order[found], d)) found = i;
    return k->order[found];
}

static void record_uncertified(slip_uniqueness_certificate *k, int island, int found, bool *doubted,
                               slip_uniqueness_result *to)
{
    const slip_body_problem *b = k->now->problem;
    if (!to->open++)
        to->contact = found >= 0 ? k->order[k->start[island] + found] : largest_friction_ratio(k, island);
    to->costly += found == SLIP_QUADRATIC_FORM_COSTLY;
    for (int i = k->start[island]; i < k->start[island + 1]; i++) {
        const int c = k->order[i];
        for (int s = 0; s < 2; s++)
            if (b->body[2 * c + s] >= 0) doubted[b->body[2 * c + s]] = true;
        if (is_driven(k, c)) to->stuck = false;
    }
}

bool slip_uniqueness_certify(slip_uniqueness_certificate *k, const slip_uniqueness_case *now, bool *doubted,
                             slip_uniqueness_result *answer)
{
    k->now = now;
    *answer = (slip_uniqueness_result){ .contact = -1, .stuck = true };
    if (!make_room(k)) return false;
    memset(doubted, 0, sizeof(bool) * (size_t)now->problem->bodies);
    const int islands = find_islands(k);
    for (int i = 0; i < islands; i++) {
        if (k->start[i] == k->start[i + 1] || !find_ratios(k, i)) continue;
        const int found = test_island(k, i);
        if (found == SLIP_QUADRATIC_FORM_NO_MEMORY) return false;
        if (found != SLIP_QUADRATIC_FORM_POSITIVE) record_uncertified(k, i, found, doubted, answer);
    }
    return true;
}
