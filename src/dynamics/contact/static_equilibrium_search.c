/// dynamics/contact/static_equilibrium_search.c: steps towards rest.
#include "dynamics/contact/static_equilibrium_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/linalg/linalg.h"
#include "dynamics/dynamics_tolerances.h"

enum { MAX_STEPS = 200, MAX_COORDINATES = 300, MAX_ROWS = 900 };

// -------------------------------------------------------------------------------------------------- memory

static void static_search_layout(slip_arena *a, slip_static_search *r)
{
    int n = r->n, m = r->rows;
    slip_terms_layout(a, r->system, &r->terms);
    r->q = SLIP_TAKE(a, double, n);
    r->u = SLIP_TAKE(a, double, n);
    r->frozen = SLIP_TAKE(a, bool, n);
    r->M = SLIP_TAKE(a, double, n);
    r->K = SLIP_TAKE(a, double, n *n);
    r->L = SLIP_TAKE(a, double, n *n);
    r->B = SLIP_TAKE(a, double, n *n);
    r->h = SLIP_TAKE(a, double, n);
    r->dq = SLIP_TAKE(a, double, n);
    r->force = SLIP_TAKE(a, double, 4 * n);
    r->to = SLIP_TAKE(a, double, n);
    r->G = SLIP_TAKE(a, double, m *n);
    r->R = SLIP_TAKE(a, double, m *n);
    r->D = SLIP_TAKE(a, double, m *m);
    r->y = SLIP_TAKE(a, double, m);
    r->lambda = SLIP_TAKE(a, double, m);
    r->P = SLIP_TAKE(a, double, m *m);
    r->column = SLIP_TAKE(a, double, m);
    r->spare = SLIP_TAKE(a, double, (SLIP_LEAST_SQUARES_WORK + 1) * m);
    r->kept = SLIP_TAKE(a, double, 2 * m);
    r->list = SLIP_TAKE(a, int, m);
    r->pivot = SLIP_TAKE(a, int, m);
}

// what the rate of a quaternion's length is called (docs/bodies.md)
static bool is_quaternion_length_rate(const slip_coordinate *c)
{
    static const char word[] = ".stretch";
    size_t length = strlen(c->rate_name);
    return length > sizeof word - 1 && strcmp(c->rate_name + length - (sizeof word - 1), word) == 0;
}

slip_status slip_static_search_create(const slip_model *model, slip_error *error, slip_static_search **out)
{
    *out = NULL;
    slip_static_search *r = calloc(1, sizeof *r);
    if (!r) return slip_fail(error, SLIP_NO_MEMORY, "start: at rest", "out of memory");
    slip_status status = slip_system_create(model, error, &r->system);
    if (status == SLIP_OK) {
        r->n = r->system->n;
        r->rows = r->system->row_count;
        if (r->n > MAX_COORDINATES || r->rows > MAX_ROWS)
            status = slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                               "start: at rest takes up to %d coordinates and %d rows of contacts",
                               MAX_COORDINATES, MAX_ROWS);
    }
    if (status == SLIP_OK) {
        slip_arena arena = { 0 };
        while (slip_arena_next_pass(&arena, &r->memory)) static_search_layout(&arena, r);
        if (!r->memory) status = slip_fail(error, SLIP_NO_MEMORY, "start: at rest", "out of memory");
    }
    if (status != SLIP_OK) {
        slip_static_search_destroy(r);
        return status;
    }
    slip_terms_init(r->system, &r->terms);
    for (int k = 0; k < r->n; k++) {
        const slip_coordinate *c = &model->coordinates[k];
        r->frozen[k] = c->is_state || c->is_held || is_quaternion_length_rate(c);
        r->u[k] = c->is_state || c->is_held ? c->rate : 0.0;
    }
    *out = r;
    return SLIP_OK;
}

void slip_static_search_destroy(slip_static_search *r)
{
    if (!r) return;
    slip_system_destroy(r->system);
    free(r->memory);
    free(r);
}

// --------------------------------------------------------------------------------------- terms at one place

static bool evaluate_statics(slip_static_search *r, const double *q)
{
    return slip_system_evaluate(r->system, SLIP_LEVEL_MOTION, 0.0, q, r->u, &r->terms);
}

// forces of the model at a place, and those of the rows as they are
static bool force_at(slip_static_search *r, const double *q, double *force)
{
    size_t bytes = (size_t)r->n * sizeof *force;
    if (!evaluate_statics(r, q)) return false;
    memcpy(force, r->terms.h, bytes);
    memset(force + r->n, 0, bytes);
    for (int row = 0; row < r->rows; row++)
        if (r->lambda[row] != 0.0)
            slip_system_row_add(r->system, &r->terms, row, r->lambda[row], force + r->n);
    return true;
}

static void make_symmetric(int n, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) A[i * n + j] = A[j * n + i] = 0.5 * (A[i * n + j] + A[j * n + i]);
}

// K + L = -d force/dq along the rates, symmetric part
static bool find_stiffness(slip_static_search *r)
{
    int n = r->n;
    double *ahead = r->force, *behind = r->force + 2 * (size_t)n;
    for (int j = 0; j < n; j++) {
        double eps = STIFFNESS_DIFFERENCE_STEP * (1.0 + fabs(r->q[j]));
        memset(r->dq, 0, (size_t)n * sizeof *r->dq);
        r->dq[j] = 1.0;
        slip_system_move(r->system, 0.0, r->q, eps, r->dq, &r->terms, r->to);
        if (!force_at(r, r->to, ahead)) return false;
        slip_system_move(r->system, 0.0, r->q, -eps, r->dq, &r->terms, r->to);
        if (!force_at(r, r->to, behind)) return false;
        for (int i = 0; i < n; i++) {
            r->K[i * n + j] = (behind[i] - ahead[i]) / (2.0 * eps);
            r->L[i * n + j] = (behind[n + i] - ahead[n + i]) / (2.0 * eps);
        }
    }
    make_symmetric(n, r->K);
    make_symmetric(n, r->L);
    return true;
}

// masses of the coordinates, one by one: coupled ones would make a chain that falls wind itself up
static bool find_mass(slip_static_search *r)
{
    int n = r->n;
    r->scale = 0.0;
    if (!evaluate_statics(r, r->q)) return false;
    for (int k = 0; k < n; k++) {
        memset(r->dq, 0, (size_t)n * sizeof *r->dq);
        r->dq[k] = 1.0;
        slip_system_solve(r->system, &r->terms, r->dq);
        r->M[k] = 1.0 / r->dq[k];
        if (!r->frozen[k]) r->scale = fmax(r->scale, fabs(r->terms.h[k] / r->M[k]));
    }
    return true;
}

// ---------------------------------------------------------------------------------------------- one step

static bool factor_step_matrix(slip_static_search *r, double s, double rows)
{
    int n = r->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            bool out = r->frozen[i] || r->frozen[j];
            r->B[i * n + j] =
                out ? (i == j) : r->K[i * n + j] + rows * r->L[i * n + j] + (i == j ? s * r->M[i] : 0.0);
        }
    return slip_cholesky(n, r->B);
}

static void step_response(const slip_static_search *r, double *x)
{
    for (int k = 0; k < r->n; k++)
        if (r->frozen[k]) x[k] = 0.0;
    slip_cholesky_solve(r->n, r->B, x);
}

// rows, what they move, and where they would be without forces: y = G B^-1 h + gaps
static void build_rows(slip_static_search *r)
{
    int n = r->n, m = r->rows;
    const slip_system *s = r->system;
    memset(r->G, 0, (size_t)m * (size_t)n * sizeof *r->G);
    for (int row = 0; row < m; row++) {
        double *G = r->G + (size_t)row * (size_t)n, *R = r->R + (size_t)row * (size_t)n;
        slip_system_row_add(s, &r->terms, row, 1.0, G);
        memcpy(R, G, (size_t)n * sizeof *R);
        step_response(r, R);
    }
    for (int row = 0; row < m; row++) {
        const double *G = r->G + (size_t)row * (size_t)n;
        r->y[row] = row < s->constraint_count ? r->terms.constraint[row] : 0.0;
        for (int k = 0; k < n; k++) r->y[row] += G[k] * r->h[k];
        for (int other = 0; other < m; other++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) sum += G[k] * r->R[(size_t)other * (size_t)n + (size_t)k];
            r->D[(size_t)row * (size_t)m + (size_t)other] = sum;
        }
    }
    for (int e = 0; e < s->element_count; e++)
        if (s->elements[e].has_gap) r->y[s->elements[e].normal_row] += r->terms.gap[e];
}

// dq = B^-1 (h + G' lambda)
static void displacement_step(slip_static_search *r)
{
    int n = r->n;
    memcpy(r->h, r->terms.h, (size_t)n * sizeof *r->h);
    step_response(r, r->h);
    build_rows(r);
    slip_static_solve_contacts(r);
    memcpy(r->dq, r->h, (size_t)n * sizeof *r->dq);
    for (int row = 0; row < r->rows; row++)
        for (int k = 0; k < n; k++) r->dq[k] += r->R[(size_t)row * (size_t)n + (size_t)k] * r->lambda[row];
}

// the largest part of the step, against `reach` of its coordinate
static double largest_displacement(slip_static_search *r, bool relative)
{
    double most = -1.0;
    for (int k = 0; k < r->n; k++) {
        double size = fabs(r->dq[k]) / (relative ? 1.0 + fabs(r->q[k]) : 1.0);
        if (!(size <= most)) most = size, r->worst = k;
    }
    return most;
}

// As thin a fluid as the stiffness allows, or thicker; false when nothing helps. Where a corner stands on a
// corner the rows turn at once, and their stiffness means nothing: then without it
static bool factor_safely(slip_static_search *r, double *s)
{
    double thick = *s;
    for (int k = 0; k < 8; k++, thick *= 4.0)
        if (factor_step_matrix(r, thick, 1.0)) return *s = thick, true;
    for (int k = 0; k < 60; k++, *s *= 4.0)
        if (factor_step_matrix(r, *s, 0.0)) return true;
    return false;
}

slip_static_search_outcome slip_static_search_run(slip_static_search *r)
{
    memset(r->lambda, 0, (size_t)r->rows * sizeof *r->lambda);
    if (!find_mass(r)) return SLIP_STATIC_SINGULAR_MASS;
    double s = fmax(FIRST_SHIFT_FACTOR * r->scale, MIN_FIRST_SHIFT), before = INFINITY;
    for (int k = 0; k < MAX_STEPS; k++) {
        if (!find_stiffness(r) || !evaluate_statics(r, r->q)) return SLIP_STATIC_NOT_CONVERGED;
        double size = INFINITY;
        for (int tries = 0; tries < 60 && !(size <= MAX_STATIC_STEP);
             tries++) { // not further than what is known here holds
            if (tries) s *= 4.0;
            if (!factor_safely(r, &s)) return SLIP_STATIC_NOT_CONVERGED;
            displacement_step(r);
            size = largest_displacement(r, true);
        }
        if (!(size <= MAX_STATIC_STEP)) return SLIP_STATIC_NOT_CONVERGED;
        double unbalanced = s * largest_displacement(r, false);
        const bool rests =
            size <= STATIC_STEP_DONE && unbalanced <= STATIC_FORCE_DONE * r->scale + STATIC_FORCE_DONE_MIN;
        if (rests && k == 0 && size <= STATIC_ALREADY_THERE)
            return SLIP_STATIC_FOUND; // where it is, to the last bit
        slip_system_move(r->system, 0.0, r->q, 1.0, r->dq, &r->terms, r->q);
        if (rests) return SLIP_STATIC_FOUND;
        if (fabs(r->q[r->worst]) > STATIC_DIVERGED) return SLIP_STATIC_DIVERGED;
        double ratio = unbalanced / before;
        s *= ratio > 2.0 ? 2.0 : fmin(fmax(ratio, 0.1), 0.5);
        before = unbalanced;
    }
    return fabs(r->q[r->worst]) > 1e3 ? SLIP_STATIC_DIVERGED : SLIP_STATIC_NOT_CONVERGED;
}

// ------------------------------------------------------------------------------------------- what was found

typedef struct basis {
    int count;
    double *rows; // orthonormal
} basis;

// adds the part of a row that is new; false when there is none
static bool add_basis_row(basis *b, int n, const double *row)
{
    double *own = b->rows + (size_t)b->count * (size_t)n, length = 0.0, left = 0.0;
    for (int k = 0; k < n; k++) own[k] = row[k], length += row[k] * row[k];
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < b->count; j++) {
            const double *other = b->rows + (size_t)j * (size_t)n;
            double dot = 0.0;
            for (int k = 0; k < n; k++) dot += own[k] * other[k];
            for (int k = 0; k < n; k++) own[k] -= dot * other[k];
        }
    for (int k = 0; k < n; k++) left += own[k] * own[k];
    if (!(left > HELD_ROW_SQUARED * length)) return false;
    for (int k = 0; k < n; k++) own[k] /= sqrt(left);
    b->count++;
    return true;
}

static void add_held(slip_static_search *r, basis *b, bool sticking)
{
    const slip_system *s = r->system;
    int n = r->n;
    for (int k = 0; k < n; k++) {
        memset(r->to, 0, (size_t)n * sizeof *r->to);
        r->to[k] = 1.0;
        if (r->frozen[k]) add_basis_row(b, n, r->to);
    }
    for (int row = 0; row < s->constraint_count; row++) add_basis_row(b, n, r->G + (size_t)row * (size_t)n);
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        int normal = element->normal_row, tangent = element->tangent_row;
        bool loaded = !element->has_gap || r->lambda[normal] > 0.0;
        if (element->has_gap && loaded) add_basis_row(b, n, r->G + (size_t)normal * (size_t)n);
        bool dragged = false;
        for (int k = 0; k < element->slip_count; k++) dragged = dragged || r->terms.drift[tangent + k] != 0.0;
        if (!sticking || dragged || !(slip_static_friction_limit(r, e) > 0.0)) continue;
        for (int k = 0; k < element->slip_count; k++)
            add_basis_row(b, n, r->G + (size_t)(tangent + k) * (size_t)n);
    }
}

// eigenvalues of K where nothing holds it, against the largest: the least of them
static double least_free_eigenvalue(slip_static_search *r, const basis *held)
{
    int n = r->n, free_count = 0;
    double least = INFINITY, size = 0.0;
    basis all = { .count = held->count, .rows = held->rows };
    for (int k = 0; k < n && all.count < n; k++) {
        memset(r->to, 0, (size_t)n * sizeof *r->to);
        r->to[k] = 1.0;
        add_basis_row(&all, n, r->to);
    }
    free_count = all.count - held->count;
    double *Z = held->rows + (size_t)held->count * (size_t)n, *A = r->B, *re = r->h, *im = r->dq;
    for (int i = 0; i < free_count; i++)
        for (int j = 0; j < free_count; j++) {
            double sum = 0.0;
            for (int p = 0; p < n; p++)
                for (int q = 0; q < n; q++)
                    sum += Z[(size_t)i * (size_t)n + (size_t)p] * (r->K[p * n + q] + r->L[p * n + q]) *
                           Z[(size_t)j * (size_t)n + (size_t)q];
            A[i * free_count + j] = sum;
        }
    for (int k = 0; k < n * n; k++) size = fmax(size, fabs(r->K[k] + r->L[k]));
    double *work = malloc((size_t)(SLIP_EIGENVALUES_WORK * n + 1) * sizeof *work);
    bool fine = work && (free_count == 0 || slip_eigenvalues(free_count, A, re, im, work));
    for (int k = 0; k < free_count && fine; k++) least = fmin(least, re[k]);
    free(work);
    return fine && isfinite(least) ? least / fmax(size, NONZERO_STIFFNESS) : 1.0;
}

void slip_static_search_classify(slip_static_search *r, slip_static_equilibrium *rest)
{
    int n = r->n;
    basis loose = { .rows = malloc((size_t)(n + 1) * (size_t)n * sizeof(double) + 1) },
          tight = { .rows = malloc((size_t)(n + 1) * (size_t)n * sizeof(double) + 1) };
    if (loose.rows && tight.rows && find_stiffness(r) && evaluate_statics(r, r->q)) {
        add_held(r, &loose, false);
        add_held(r, &tight, true);
        rest->held = tight.count > loose.count;
        double soft = least_free_eigenvalue(r, &tight);
        rest->neutral = fabs(soft) <= NEUTRAL_EIGENVALUE;
        rest->unstable = soft < -NEUTRAL_EIGENVALUE;
    }
    free(loose.rows);
    free(tight.rows);
}
