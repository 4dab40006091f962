/// study/analysis/domain_map.c: domains of behaviour over two states (Gomez 2008, sections 2.7 and 2.8).
#include "slipstick/domain_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/analysis/domain_map.h"
#include "base/status.h"
#include "formulation/event_driven/event_driven.h"
#include "study/analysis/analysis_tolerances.h"

enum { MAX_CLOSING_STEPS = 40 };

struct slip_domain_map {
    slip_system *system;
    slip_contact_problem rigid;
    slip_domain_axis axis[2];
    char name[2][64];
    int place[2];         // index of each axis in (q, u)
    double *start, *slip; // initial (q, u) of the model; slip velocity of each element there
    double *x;            // (q, u) of a point of the map
    double *G, *residual, *correction, *basis, *part, *coefficient;
    slip_domain_point *points;
    void *memory;
};

const char *slip_domain_name(slip_domain domain)
{
#define AS_WORD(name, word, text) word,
    static const char *const words[] = { SLIP_DOMAINS(AS_WORD) };
    return domain >= 0 && domain < SLIP_DOMAIN_COUNT ? words[domain] : "unknown";
}

const char *slip_domain_text(slip_domain domain)
{
#define AS_TEXT(name, word, text) text,
    static const char *const texts[] = { SLIP_DOMAINS(AS_TEXT) };
    return domain >= 0 && domain < SLIP_DOMAIN_COUNT ? texts[domain] : "unknown";
}

// --------------------------------------------------------------------------------- a point of the map

static void add_constraint_row(slip_domain_map *m, int row, double residual, int offset, int at)
{
    int n = m->system->n;
    double *g = m->G + (size_t)at * (size_t)n;
    memset(g, 0, (size_t)n * sizeof *g);
    slip_system_row_add(m->system, &m->rigid.terms, row, 1.0, g);
    for (int k = 0; k < 2; k++) // the coordinates of the axes are prescribed
        if (m->place[k] >= offset && m->place[k] < offset + n) g[m->place[k] - offset] = 0.0;
    m->residual[at] = residual;
}

static void apply_correction(slip_domain_map *m, int rows, double *x)
{
    int n = m->system->n;
    slip_least_squares_min_norm(rows, n, m->G, m->residual, m->basis, m->part, m->coefficient, m->correction);
    for (int k = 0; k < n; k++) x[k] -= m->correction[k];
}

// Closes the contacts that are closed at the start, by the coordinates that are not axes.
static bool close_contacts(slip_domain_map *m)
{
    const slip_system *s = m->system;
    int n = s->n;
    for (int round = 0; round < MAX_CLOSING_STEPS; round++) {
        double worst = 0.0, size = 1.0;
        int rows = 0;
        if (!slip_system_evaluate(s, SLIP_LEVEL_MOTION, 0.0, m->x, m->x + n, &m->rigid.terms)) return false;
        for (int i = 0; i < s->constraint_count; i++)
            add_constraint_row(m, i, m->rigid.terms.constraint[i], 0, rows++);
        for (int e = 0; e < s->element_count; e++)
            if (s->elements[e].has_gap && m->rigid.contact_state[e].closed)
                add_constraint_row(m, s->elements[e].normal_row, m->rigid.terms.gap[e], 0, rows++);
        for (int i = 0; i < rows; i++) worst = fmax(worst, fabs(m->residual[i]));
        for (int k = 0; k < n; k++) size = fmax(size, fabs(m->x[k]));
        if (worst <= GAPS_CONVERGED * size) return true;
        if (!(worst < GAPS_DIVERGED)) return false;
        apply_correction(m, rows, m->x);
    }
    return false;
}

// Sets gap rates to zero and slips to those at the start. The second pass only measures the residual, because
// the pseudo-inverse also returns a result for contradictory conditions.
static bool set_rates(slip_domain_map *m)
{
    const slip_system *s = m->system;
    double *u = m->x + s->n, worst = 0.0, size = 1.0;
    for (int round = 0; round < 2; round++) {
        int rows = 0;
        for (int i = 0; i < s->constraint_count; i++)
            add_constraint_row(m, i, slip_system_row_rate(s, &m->rigid.terms, i, u), s->n, rows), rows++;
        for (int e = 0; e < s->element_count; e++) {
            const slip_element *element = &s->elements[e];
            if (!m->rigid.contact_state[e].closed) continue;
            if (element->has_gap)
                add_constraint_row(m, element->normal_row,
                                   slip_system_row_rate(s, &m->rigid.terms, element->normal_row, u), s->n,
                                   rows),
                    rows++;
            if (element->slip_count)
                add_constraint_row(m, element->tangent_row,
                                   slip_system_row_rate(s, &m->rigid.terms, element->tangent_row, u) -
                                       m->slip[e],
                                   s->n, rows),
                    rows++;
        }
        worst = 0.0;
        for (int i = 0; i < rows; i++) worst = fmax(worst, fabs(m->residual[i]));
        if (round == 0) apply_correction(m, rows, u);
    }
    for (int k = 0; k < s->n; k++) size = fmax(size, fabs(u[k]));
    return worst <= RATES_CONSISTENT * size;
}

slip_domain_point slip_domain_map_evaluate(slip_domain_map *m, double x, double y)
{
    slip_contact_problem *r = &m->rigid;
    int n = m->system->n;
    slip_domain_point point = { { x, y }, SLIP_DOMAIN_UNREACHABLE, 0, NAN };
    memcpy(m->x, m->start, (size_t)(2 * n) * sizeof *m->x);
    m->x[m->place[0]] = x;
    m->x[m->place[1]] = y;
    if (!close_contacts(m) || !set_rates(m) || !slip_contact_problem_build(r, 0.0, m->x, m->x + n))
        return point;
    r->warm = false;
    slip_contact_outcome answer = slip_contact_problem_solve_lcp(r);
    point.solutions = answer == SLIP_CONTACT_INFEASIBLE ? 0
                      : answer == SLIP_CONTACT_SOLVED   ? slip_contact_problem_motion_count(r)
                                                        : -1;
    r->warm = false;
    if (slip_contact_problem_solve_gauss(r) != SLIP_CONTACT_SOLVED) {
        point.domain = SLIP_DOMAIN_NONE;
        return point;
    }
    point.domain = SLIP_DOMAIN_HOLDS;
    point.force = 0.0;
    for (int i = 0; i < r->normal_count; i++) {
        point.force += r->x[i];
        if (r->rate[i] > slip_contact_problem_zero_tolerance(r)) point.domain = SLIP_DOMAIN_VANISHES;
    }
    return point;
}

// ----------------------------------------------------------------------------------------------- life

static slip_status find_axis(slip_domain_map *m, int which, const slip_model *model, slip_error *error)
{
    const slip_domain_axis *axis = &m->axis[which];
    int n = m->system->n;
    if (axis->count < 1 || !isfinite(axis->low) || !isfinite(axis->high) ||
        (axis->count > 1 && !(axis->high > axis->low)))
        return slip_fail(error, SLIP_BAD_ARGUMENT, axis->name,
                         "an axis goes from a number to a larger one in 1 or more "
                         "points, got %g:%g:%d",
                         axis->low, axis->high, axis->count);
    for (int k = 0; k < n; k++) {
        const char *name = model->coordinates[k].name;
        size_t length = strlen(name);
        if (strncmp(axis->name, name, length) != 0) continue;
        if (axis->name[length] == '\0') return m->place[which] = k, SLIP_OK;
        if (strcmp(axis->name + length, "'") == 0) return m->place[which] = n + k, SLIP_OK;
    }
    return slip_fail(error, SLIP_UNKNOWN_NAME, axis->name, "is not a coordinate or a rate of this model");
}

static void domain_map_layout(slip_arena *a, slip_domain_map *m)
{
    const slip_system *s = m->system;
    int n = s->n, rows = s->row_count, rank = rows < n ? rows : n;
    slip_contact_problem_layout(a, s, &m->rigid);
    m->start = SLIP_TAKE(a, double, 2 * n);
    m->x = SLIP_TAKE(a, double, 2 * n);
    m->slip = SLIP_TAKE(a, double, s->element_count);
    m->G = SLIP_TAKE(a, double, rows *n);
    m->residual = SLIP_TAKE(a, double, rows);
    m->correction = SLIP_TAKE(a, double, n);
    m->basis = SLIP_TAKE(a, double, (rank + 1) * n);
    m->part = SLIP_TAKE(a, double, rows *(rank + 1));
    m->coefficient = SLIP_TAKE(a, double, rank + rank * rank + 1);
    m->points = SLIP_TAKE(a, slip_domain_point, (size_t)m->axis[0].count * (size_t)m->axis[1].count);
}

static slip_status domain_map_allocate(slip_domain_map *m)
{
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &m->memory)) domain_map_layout(&arena, m);
    if (!m->memory) return SLIP_NO_MEMORY;
    slip_terms_init(m->system, &m->rigid.terms);
    return SLIP_OK;
}

// Determines the contacts that are closed at the start, and their slip.
static slip_status set_contact_modes(slip_domain_map *m, const slip_model *model, slip_error *error)
{
    const slip_system *s = m->system;
    int n = s->n, held = 0;
    for (int k = 0; k < n; k++) {
        m->start[k] = model->coordinates[k].start;
        m->start[n + k] = model->coordinates[k].rate;
    }
    if (!slip_system_evaluate(s, SLIP_LEVEL_ACCELERATION, 0.0, m->start, m->start + n, &m->rigid.terms))
        return slip_fail(error, SLIP_BAD_MODEL, slip_model_file(model),
                         "the mass matrix is not positive definite");
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        bool closed = !element->has_gap || fabs(m->rigid.terms.gap[e]) <= GAP_CLOSED;
        if (element->slip_count)
            m->slip[e] = slip_system_row_rate(s, &m->rigid.terms, element->tangent_row, m->start + n);
        int slide = fabs(m->slip[e]) <= MAP_SLIP_ZERO ? 0 : m->slip[e] > 0.0 ? 1 : -1;
        m->rigid.contact_state[e] = (slip_contact_state){ .closed = closed, .slide = (signed char)slide };
        held += element->has_gap && closed;
    }
    return held ? SLIP_OK
                : slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                            "no contact holds at the start, so there is no contact problem to map");
}

// Evaluates the map row by row. The progress function may stop it; the map then ends with the last complete
// row. False when there is none.
static bool evaluate_grid(slip_domain_map *m, bool (*progress)(void *context, double fraction), void *context)
{
    slip_domain_axis *x = &m->axis[0], *y = &m->axis[1];
    int count = x->count * y->count;
    for (int k = 0; k < count; k++) {
        m->points[k] = slip_domain_map_evaluate(m, slip_domain_axis_value(x, k % x->count),
                                                slip_domain_axis_value(y, k / x->count));
        if (!progress || progress(context, (k + 1.0) / count) || k + 1 == count) continue;
        int rows = (k + 1) / x->count;
        y->high = rows > 1 ? slip_domain_axis_value(y, rows - 1) : y->low;
        y->count = rows;
        return rows > 0;
    }
    return true;
}

slip_status slip_domain_map_create(const slip_model *model, const slip_domain_axis axis[2], slip_error *error,
                                   slip_domain_map **out)
{
    return slip_domain_map_create_watched(model, axis, NULL, NULL, error, out);
}

slip_status slip_domain_map_create_watched(const slip_model *model, const slip_domain_axis axis[2],
                                           bool (*progress)(void *context, double fraction), void *context,
                                           slip_error *error, slip_domain_map **out)
{
    *out = NULL;
    slip_domain_map *m = calloc(1, sizeof *m);
    if (!m) return slip_fail(error, SLIP_NO_MEMORY, "map", "out of memory");
    slip_status status = SLIP_OK;
    if (model->type != SLIP_MECHANICS)
        status = slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                           "only a mechanical model has contacts to map");
    if (status == SLIP_OK) status = slip_system_create(model, error, &m->system);
    for (int k = 0; k < 2 && status == SLIP_OK; k++) {
        m->axis[k] = axis[k];
        snprintf(m->name[k], sizeof m->name[k], "%s", axis[k].name);
        m->axis[k].name = m->name[k];
        status = find_axis(m, k, model, error);
    }
    for (int e = 0; status == SLIP_OK && e < m->system->element_count; e++)
        if (m->system->elements[e].slip_count > 1)
            status = slip_fail(error, SLIP_UNSUPPORTED, slip_model_file(model),
                               "'%s' slips in two directions; the contact problem of a map knows one",
                               m->system->elements[e].name);
    m->rigid.solver = slip_solver_find("lemke");
    if (status == SLIP_OK && domain_map_allocate(m) != SLIP_OK)
        status = slip_fail(error, SLIP_NO_MEMORY, "map", "out of memory");
    if (status == SLIP_OK) status = set_contact_modes(m, model, error);
    if (status == SLIP_OK && !evaluate_grid(m, progress, context))
        status = slip_fail(error, SLIP_BAD_ARGUMENT, "map", "stopped before a row of the map was whole");
    if (status != SLIP_OK) {
        slip_domain_map_destroy(m);
        return status;
    }
    *out = m;
    return SLIP_OK;
}

void slip_domain_map_destroy(slip_domain_map *m)
{
    if (!m) return;
    slip_system_destroy(m->system);
    free(m->memory);
    free(m);
}

// -------------------------------------------------------------------------------------------- looking

const slip_domain_axis *slip_domain_map_axis(const slip_domain_map *m, int which)
{
    return which == 0 || which == 1 ? &m->axis[which] : NULL;
}

slip_domain_point slip_domain_map_point(const slip_domain_map *m, int i, int j)
{
    return m->points[(size_t)j * (size_t)m->axis[0].count + (size_t)i];
}

int slip_domain_map_count(const slip_domain_map *m, slip_domain domain)
{
    int count = 0;
    for (int k = 0; k < m->axis[0].count * m->axis[1].count; k++) count += m->points[k].domain == domain;
    return count;
}

int slip_domain_map_ambiguous_count(const slip_domain_map *m)
{
    int several = 0;
    for (int k = 0; k < m->axis[0].count * m->axis[1].count; k++) several += m->points[k].solutions > 1;
    return several;
}

double slip_domain_map_middle(const slip_domain_map *m)
{
    return fmin(fmax(0.0, m->axis[1].low), m->axis[1].high);
}

int slip_domain_map_borders(slip_domain_map *m, double y, slip_domain_border *where, int most)
{
    int count = 0;
    slip_domain before = slip_domain_map_evaluate(m, m->axis[0].low, y).domain;
    for (int i = 1; i < m->axis[0].count; i++) {
        double a = slip_domain_axis_value(&m->axis[0], i - 1), b = slip_domain_axis_value(&m->axis[0], i);
        slip_domain after = slip_domain_map_evaluate(m, b, y).domain;
        if (after == before) continue;
        for (double c = 0.5 * (a + b); c > a && c < b; c = 0.5 * (a + b))
            if (slip_domain_map_evaluate(m, c, y).domain == before)
                a = c;
            else
                b = c;
        if (count < most) where[count] = (slip_domain_border){ b, before, after };
        count++;
        before = after;
    }
    return count;
}
