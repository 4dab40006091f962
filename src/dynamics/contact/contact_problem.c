/// dynamics/contact/contact_problem.c: building the contact problem of one instant from the system.
#include "dynamics/contact/contact_problem.h"
#include "dynamics/dynamics_tolerances.h"
#include "base/linalg/vectors.h"

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------ bilateral constraints

// rows R_j and responses Y_j = M^-1 R_j' with R_i Y_j = delta_ij; redundant and dependent rows drop out
static void eliminate_constraints(slip_contact_problem *r)
{
    const slip_system *s = r->system;
    int n = s->n, count = 0;
    for (int i = 0; i < s->constraint_count; i++) {
        double *R = r->bilateral_row + (size_t)count * (size_t)n,
               *Y = r->bilateral_response + (size_t)count * (size_t)n;
        double z = r->terms.z[i], *by = r->bilateral_by + (size_t)i * (size_t)s->constraint_count;
        if (r->joints) memset(by, 0, (size_t)s->constraint_count * sizeof *by);
        if (s->redundant[i]) continue;
        memset(R, 0, (size_t)n * sizeof *R);
        slip_system_row_add(s, &r->terms, i, 1.0, R);
        slip_system_solve_row(s, &r->terms, i, Y);
        double before = dot_product(n, R, Y);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < count; j++) {
                const double *Rj = r->bilateral_row + (size_t)j * (size_t)n;
                double part = dot_product(n, Rj, Y);
                add_scaled(n, -part, Rj, R);
                add_scaled(n, -part, r->bilateral_response + (size_t)j * (size_t)n, Y);
                z -= part * r->bilateral_z[j];
                if (r->joints) by[j] += part;
            }
        double after = dot_product(n, R, Y);
        if (!(after > DEPENDENT_BILATERAL * before)) continue;
        double scale = 1.0 / sqrt(after);
        for (int k = 0; k < n; k++) R[k] *= scale, Y[k] *= scale;
        if (r->joints) r->bilateral_of[count] = i, by[count] = 1.0 / scale;
        r->bilateral_z[count++] = z * scale;
    }
    r->bilateral_count = count;
}

// takes from an acceleration what the constraints forbid; z == 0 for responses, 1 for whole accelerations
static void apply_constraints(const slip_contact_problem *r, double whole, double *a)
{
    int n = r->system->n;
    for (int j = 0; j < r->bilateral_count; j++) {
        double off = dot_product(n, r->bilateral_row + (size_t)j * (size_t)n, a) + whole * r->bilateral_z[j];
        add_scaled(n, -off, r->bilateral_response + (size_t)j * (size_t)n, a);
    }
}

void slip_contact_problem_constrain(const slip_contact_problem *r, double *response)
{
    apply_constraints(r, 0.0, response);
}

// ----------------------------------------------------------------------------------------- unknowns

// In space the way of a slip is its own direction. It must not turn back on the heading within a step, so
// that what slides stays smooth through zero: a slip on a straight line then passes it as in the plane. A
// slip below the tolerance keeps its heading, since its direction is as good as none
static void find_slip_directions(slip_contact_problem *r)
{
    const slip_system *s = r->system;
    for (int e = 0; e < s->element_count; e++) {
        double *way = r->slip_direction + 2 * e;
        const double *v = r->slip + 2 * e, *heading = r->heading + 2 * e;
        int slide = r->contact_state[e].slide;
        way[0] = slide, way[1] = 0.0;
        if (s->elements[e].slip_count < 2 || !slide) continue;
        double speed = slip_length(v[0], v[1]);
        bool known = speed > r->slow;
        double side = known && v[0] * heading[0] + v[1] * heading[1] < 0.0 ? -1.0 : 1.0;
        for (int c = 0; c < 2; c++) way[c] = known ? side * v[c] / speed : heading[c];
    }
}

static void list_unknowns(slip_contact_problem *r)
{
    const slip_system *s = r->system;
    r->count = 0;
    r->spatial = false;
    for (int e = 0; e < s->element_count; e++)
        if (s->elements[e].has_gap && r->contact_state[e].closed) {
            r->owner[r->count] = e;
            r->row[r->count++] = s->elements[e].normal_row;
        }
    r->normal_count = r->count;
    int in_space = 0; // three feet share a load in one way
    for (int i = 0; i < r->normal_count; i++) in_space += s->elements[r->owner[i]].slip_count > 1;
    r->shared = in_space > 3;
    for (int e = 0; e < s->element_count; e++) {
        if (!r->contact_state[e].closed || r->contact_state[e].slide) continue;
        for (int c = 0; c < s->elements[e].slip_count; c++) {
            r->owner[r->count] = e;
            r->row[r->count++] = s->elements[e].tangent_row + c;
        }
        if (s->elements[e].slip_count > 1) r->spatial = true;
    }
}

int slip_contact_problem_tangent_of(const slip_contact_problem *r, int element)
{
    for (int i = r->normal_count; i < r->count; i++)
        if (r->owner[i] == element) return i;
    return -1;
}

// adds a friction of the given size against the slip
static void add_friction(const slip_contact_problem *r, int e, double size, double *x)
{
    const slip_element *element = &r->system->elements[e];
    for (int c = 0; c < element->slip_count; c++)
        slip_system_row_add(r->system, &r->terms, element->tangent_row + c,
                            -r->slip_direction[2 * e + c] * size, x);
}

// accelerations without the unknown forces; sliding frictions of known limit are known forces
static void free_accelerations(slip_contact_problem *r)
{
    const slip_system *s = r->system;
    memcpy(r->free, r->terms.h, (size_t)s->n * sizeof *r->free);
    for (int e = 0; e < s->element_count; e++)
        if (!s->elements[e].has_gap && r->contact_state[e].slide && r->contact_state[e].closed)
            add_friction(r, e, r->friction[e], r->free);
    slip_system_solve(s, &r->terms, r->free);
    apply_constraints(r, 1.0, r->free);
}

static void force_responses(slip_contact_problem *r)
{
    const slip_system *s = r->system;
    for (int i = 0; i < r->count; i++) {
        double *y = r->response + (size_t)i * (size_t)s->n;
        int e = r->owner[i];
        memset(y, 0, (size_t)s->n * sizeof *y);
        slip_system_row_add(s, &r->terms, r->row[i], 1.0, y);
        if (i < r->normal_count && r->contact_state[e].slide) // eq 2.13: the wrench of N holds its friction
            add_friction(r, e, r->friction[e], y);
        slip_system_solve(s, &r->terms, y);
        apply_constraints(r, 0.0, y);
    }
}

// D, S and c: 2 q^2 short products, which are most of a stage, so they are written out here
static void find_matrices(slip_contact_problem *r)
{
    const slip_system *s = r->system;
    const double *value = r->terms.value;
    int q = r->count, n = s->n;
    r->scale = 0.0;
    for (int i = 0; i < q; i++) {
        int slide = i < r->normal_count ? r->contact_state[r->owner[i]].slide : 0, e = r->owner[i];
        int row = r->row[i], slips = slide ? s->elements[e].slip_count : 0;
        int begin = s->start[row], end = s->start[row + 1];
        for (int j = 0; j < q; j++) {
            const double *y = r->response + (size_t)j * (size_t)n;
            double d = 0.0;
            for (int k = begin; k < end; k++) d += value[k] * y[s->column[k]];
            r->D[i * q + j] = r->S[i * q + j] = d;
        }
        for (int c = 0; c < slips; c++) {
            int tangent = s->elements[e].tangent_row + c, t_begin = s->start[tangent],
                t_end = s->start[tangent + 1];
            double pull = -r->slip_direction[2 * e + c] * r->friction[e];
            for (int j = 0; j < q; j++) {
                const double *y = r->response + (size_t)j * (size_t)n;
                double t = 0.0;
                for (int k = t_begin; k < t_end; k++) t += value[k] * y[s->column[k]];
                r->S[i * q + j] += pull * t;
            }
        }
        r->c[i] = slip_system_row_dot(s, &r->terms, row, r->free) + r->terms.z[row];
        if (fabs(r->c[i]) > r->scale) r->scale = fabs(r->c[i]);
    }
}

// what sticks may have a larger friction than what slides
static void find_frictions(slip_contact_problem *r)
{
    const slip_system *s = r->system;
    memcpy(r->friction, r->terms.friction, (size_t)s->element_count * sizeof *r->friction);
    for (int e = 0; e < s->element_count; e++)
        if (r->contact_state[e].closed && !r->contact_state[e].slide &&
            slip_element_holds_at_rest(&s->elements[e], r->friction[e], r->terms.static_friction[e]))
            r->friction[e] = r->terms.static_friction[e];
    slip_friction_loads_apply(&r->loads, r->friction);
}

// what resists at a contact is there while that is closed
static void release_open_resistances(slip_contact_problem *r)
{
    for (int k = 0; k < r->loads.count; k++) {
        const slip_load *load = slip_friction_load_of(&r->loads, r->system, k);
        if (load->kind == SLIP_LOAD_CONTACT)
            r->contact_state[r->loads.element[k]].closed = r->contact_state[load->of].closed;
    }
}

static bool is_free(const slip_contact_problem *r)
{
    for (int e = 0; e < r->system->element_count; e++)
        if (r->contact_state[e].closed) return false;
    return r->loads.count == 0 && r->bilateral_count == 0;
}

// the same where nothing touches and nothing holds
static void rebuild_free(slip_contact_problem *r, bool keep_friction)
{
    const slip_system *s = r->system;
    for (int e = 0; e < s->element_count && !keep_friction; e++) r->friction[e] = r->terms.friction[e];
    find_slip_directions(r);
    slip_contact_problem_clear(r);
    for (int k = 0; k < s->n; k++) r->free[k] = r->terms.h[k];
    slip_system_solve(s, &r->terms, r->free);
}

void slip_contact_problem_rebuild(slip_contact_problem *r, bool keep_friction)
{
    if (is_free(r)) {
        rebuild_free(r, keep_friction);
        return;
    }
    release_open_resistances(r);
    if (!keep_friction) find_frictions(r);
    find_slip_directions(r);
    list_unknowns(r);
    free_accelerations(r);
    force_responses(r);
    find_matrices(r);
}

void slip_contact_problem_find_slips(slip_contact_problem *r, const double *u)
{
    const slip_system *s = r->system;
    for (int e = 0; e < s->element_count; e++)
        for (int c = 0; c < s->elements[e].slip_count; c++)
            r->slip[2 * e + c] = slip_system_row_rate(s, &r->terms, s->elements[e].tangent_row + c, u);
}

bool slip_contact_problem_build(slip_contact_problem *r, double t, const double *q, const double *u)
{
    if (!slip_system_evaluate(r->system, SLIP_LEVEL_ACCELERATION, t, q, u, &r->terms)) return false;
    slip_contact_problem_find_slips(r, u);
    eliminate_constraints(r);
    slip_contact_problem_rebuild(r, false);
    return true;
}

// -------------------------------------------------------------------------------------------- answers

void slip_contact_problem_distribute(slip_contact_problem *r)
{
    const slip_system *s = r->system;
    int q = r->count;
    memcpy(r->a, r->free, (size_t)s->n * sizeof *r->a);
    for (int i = 0; i < q; i++) {
        add_scaled(s->n, r->x[i], r->response + (size_t)i * (size_t)s->n, r->a);
        r->rate[i] = r->c[i] + dot_product(q, r->D + (size_t)i * (size_t)q, r->x);
    }
    for (int e = 0; e < s->element_count; e++) {
        const slip_element *element = &s->elements[e];
        double held = element->has_gap || !r->contact_state[e].closed ? 0.0 : r->friction[e];
        r->normal[e] = r->normal_rate[e] = 0.0;
        r->tangent[e] = 0.0 - r->slip_direction[2 * e] * held,
        r->tangent_y[e] = 0.0 - r->slip_direction[2 * e + 1] * held;
        for (int c = 0; c < 2; c++) {
            int row = element->tangent_row + c;
            *(c ? &r->slip_rate_y[e] : &r->slip_rate[e]) =
                c < element->slip_count ? slip_system_row_dot(s, &r->terms, row, r->a) + r->terms.z[row]
                                        : 0.0;
        }
    }
    for (int i = 0; i < q; i++) {
        int e = r->owner[i];
        if (i < r->normal_count) {
            r->normal[e] = r->x[i];
            r->normal_rate[e] = r->rate[i];
            r->tangent[e] = 0.0 - r->slip_direction[2 * e] * r->friction[e] * r->x[i];
            r->tangent_y[e] = 0.0 - r->slip_direction[2 * e + 1] * r->friction[e] * r->x[i];
        } else if (r->row[i] > s->elements[e].tangent_row) {
            r->tangent_y[e] = r->x[i];
            r->slip_rate_y[e] = r->rate[i];
        } else {
            r->tangent[e] = r->x[i];
            r->slip_rate[e] = r->rate[i];
        }
    }
}

double slip_contact_problem_slip_rate(const slip_contact_problem *r, int e)
{
    return r->system->elements[e].slip_count > 1 ? slip_length(r->slip_rate[e], r->slip_rate_y[e])
                                                 : fabs(r->slip_rate[e]);
}

double slip_contact_problem_friction(const slip_contact_problem *r, int e)
{
    return r->system->elements[e].slip_count > 1 ? slip_length(r->tangent[e], r->tangent_y[e])
                                                 : fabs(r->tangent[e]);
}

double slip_contact_problem_disagreement(const slip_contact_problem *r, int *element)
{
    double worst = 0.0;
    *element = -1;
    for (int i = 0; i < r->normal_count; i++) {
        double product = fabs(r->x[i] * r->rate[i]);
        if (product > worst) worst = product, *element = r->owner[i];
    }
    return worst;
}

double slip_contact_problem_power_scale(const slip_contact_problem *r)
{
    double most = 0.0;
    for (int i = 0; i < r->normal_count; i++) most = fmax(most, r->x[i]);
    return most * r->scale + MIN_POWER_SCALE;
}

// a := accelerations of all forces but those of the constraints
static void without_constraints(const slip_contact_problem *r, double *a)
{
    const slip_system *s = r->system;
    memcpy(a, r->terms.h, (size_t)s->n * sizeof *a);
    for (int e = 0; e < s->element_count; e++) {
        if (s->elements[e].has_gap)
            slip_system_row_add(s, &r->terms, s->elements[e].normal_row, r->normal[e], a);
        for (int c = 0; c < s->elements[e].slip_count; c++)
            slip_system_row_add(s, &r->terms, s->elements[e].tangent_row + c,
                                c ? r->tangent_y[e] : r->tangent[e], a);
    }
    slip_system_solve(s, &r->terms, a);
}

// R' of the orthonormal rows pushes with mu = -(R a + z); J = B R, so B' lambda = mu. z counts in whole
// accelerations alone.
static void find_multipliers(const slip_contact_problem *r, double whole, const double *a, double *lambda)
{
    const int n = r->system->n, c = r->system->constraint_count, *of = r->bilateral_of;
    memset(lambda, 0, (size_t)c * sizeof *lambda);
    for (int j = r->bilateral_count - 1; j >= 0; j--) {
        double sum =
            -(dot_product(n, r->bilateral_row + (size_t)j * (size_t)n, a) + whole * r->bilateral_z[j]);
        for (int k = j + 1; k < r->bilateral_count; k++)
            sum -= r->bilateral_by[(size_t)of[k] * (size_t)c + (size_t)j] * lambda[of[k]];
        lambda[of[j]] = sum / r->bilateral_by[(size_t)of[j] * (size_t)c + (size_t)j];
    }
}

void slip_contact_problem_multipliers(slip_contact_problem *r)
{
    without_constraints(r, r->line);
    find_multipliers(r, 1.0, r->line, r->lambda);
}

void slip_contact_problem_impulse_multipliers(const slip_contact_problem *r, const double *response,
                                              double *lambda)
{
    find_multipliers(r, 0.0, response, lambda);
}

double slip_contact_problem_drive_power(slip_contact_problem *r, const double *u)
{
    const int n = r->system->n;
    if (r->bilateral_count == 0) return 0.0;
    double *a = r->free, power = 0.0; // free is built anew before it is used again
    without_constraints(r, a);
    for (int j = 0; j < r->bilateral_count; j++) {
        const double *R = r->bilateral_row + (size_t)j * (size_t)n;
        power -= (dot_product(n, R, a) + r->bilateral_z[j]) * dot_product(n, R, u);
    }
    return power;
}
