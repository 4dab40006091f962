/// model/bodies/inertia_tensors.c: masses and inertia tensors of bodies in space.
///
/// What the equations of motion need of a body is the velocity of its centre of mass and its spin, both
/// linear in the rates (slip_inertia); gravity is a potential as in the plane.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "model/bodies/rigid_bodies.h"
#include "model/model_tolerances.h"

static bool read_moments(slip_reader *r, const slip_body *body, slip_ref moment[6])
{
    slip_yaml *node = slip_yaml_find(body->node, "inertia"), *items[7];
    for (int k = 0; k < 6; k++) moment[k] = SLIP_NONE;
    if (!node) return true;
    if (node->bad) return false;
    char what[120];
    snprintf(what, sizeof what, "the inertia of body '%.80s'", body->name);
    slip_formula_spec wanted = { .what = what, .count = 1, .range = &slip_bounds_nonnegative };
    int count = slip_list_items(node, items, 7);
    if (count != 1 && count != 3 && count != 6) {
        slip_reader_error(r, node->where, "[xx, yy, zz] or [xx, yy, zz, xy, xz, yz]",
                          "%s is one number, three or six, got %d", what, count);
        return false;
    }
    for (int k = 0; k < count; k++) {
        slip_value value;
        if (k == 3) wanted.range = NULL;
        if (!slip_read_formula(r, items[k], &wanted, &value, NULL)) return false;
        moment[k] = value.part[0];
    }
    return true;
}

// eigenvalues of a symmetric 3 x 3 matrix, by its characteristic polynomial (Smith 1961)
static void symmetric_eigenvalues(const double m[6], double out[3])
{
    double mean = (m[0] + m[1] + m[2]) / 3.0, d[3] = { m[0] - mean, m[1] - mean, m[2] - mean };
    double p = sqrt(
        (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 2.0 * (m[3] * m[3] + m[4] * m[4] + m[5] * m[5])) / 6.0);
    double det = d[0] * (d[1] * d[2] - m[5] * m[5]) - m[3] * (m[3] * d[2] - m[5] * m[4]) +
                 m[4] * (m[3] * m[5] - d[1] * m[4]);
    double half = p > 0.0 ? fmax(-1.0, fmin(1.0, 0.5 * det / (p * p * p))) : 0.0,
           angle = slip_acos(half) / 3.0;
    for (int k = 0; k < 3; k++) out[k] = mean + 2.0 * p * slip_cos(angle + 2.0943951023931954923 * k);
}

// No principal moment of a body exceeds the sum of the two others.
static bool check_moments(slip_reader *r, const slip_body *body, const slip_ref moment[6])
{
    double value[6] = { 0 }, principal[3];
    for (int k = 0; k < 6; k++)
        if (moment[k] != SLIP_NONE && !slip_evaluate(r, moment[k], &value[k])) return false;
    if (body->round) return true;
    bool straight = moment[3] == SLIP_NONE;
    memcpy(principal, value, sizeof principal);
    if (!straight) symmetric_eigenvalues(value, principal);
    double sum = principal[0] + principal[1] + principal[2];
    double slack = (straight ? MOMENT_SLACK : EIGENVALUE_MOMENT_SLACK) * fabs(sum);
    slip_yaml *node = slip_yaml_find(body->node, "inertia");
    double least = fmin(principal[0], fmin(principal[1], principal[2])),
           most = fmax(principal[0], fmax(principal[1], principal[2]));
    if (least < -slack)
        slip_reader_error(r, node->where, NULL,
                          "the inertia of body '%.80s' has a negative principal moment, %.4g", body->name,
                          least);
    else if (2.0 * most > sum + slack)
        slip_reader_error(r, node->where, "no principal moment is greater than the sum of the two others",
                          "no body has the inertia of body '%.80s': principal moments %.4g, %.4g and %.4g",
                          body->name, principal[0], principal[1], principal[2]);
    else
        return true;
    return false;
}

bool slip_read_moments(slip_reader *r, const slip_body *body, slip_ref moment[6])
{
    return read_moments(r, body, moment) && check_moments(r, body, moment);
}

static slip_ref unless_zero(slip_reader *r, slip_ref ref)
{
    return slip_node_is(r, ref, 0.0) ? SLIP_NONE : ref;
}

static slip_ref multiply_nodes(slip_reader *r, slip_ref a, slip_ref b)
{
    return slip_node_op(r, SLIP_OP_MUL, a, b);
}

// whether its joint is at a place that does not move, so that the body does nothing but turn about it
static bool is_on_pivot(slip_reader *r, const slip_body *body)
{
    for (int k = 0; k < 3; k++)
        if (!slip_node_is(r, slip_vec_part(body->velocity, k), 0.0)) return false;
    return !body->round;
}

// The moments about the pivot, J + m (c.c 1 - c c') (Steiner), instead of a centre that moves: the same
// energy, by numbers that do not change while the body turns
static void move_to_pivot(slip_reader *r, slip_vec c, slip_inertia *out)
{
    static const int at[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
    for (int k = 0; k < 6; k++) {
        slip_ref own = out->moment[k] == SLIP_NONE ? slip_node_number(r, 0.0) : out->moment[k];
        slip_ref across = multiply_nodes(r, slip_vec_part(c, at[k][0]), slip_vec_part(c, at[k][1]));
        slip_ref far =
            slip_node_op(r, SLIP_OP_SUB, k < 3 ? slip_vec_dot(r, c, c) : slip_node_number(r, 0.0), across);
        out->moment[k] = slip_node_op(r, SLIP_OP_ADD, own, multiply_nodes(r, out->mass, far));
    }
    out->mass = SLIP_NONE;
}

static bool read_inertia(slip_reader *r, slip_body *body, slip_vec g, slip_inertia *out)
{
    char of[120];
    snprintf(of, sizeof of, "body '%.80s'", body->name);
    slip_vec local = slip_body_centre(r, body);
    slip_ref mass = slip_read_length(r, body->node, "bodies.*", "mass", of, 0.0);
    if (!slip_read_moments(r, body, out->moment)) return false;
    if (mass == SLIP_NONE || !slip_vec_is_complete(r, local) || body->stage != SLIP_STAGE_DONE) return false;
    slip_complete_attitude(r, body);
    slip_vec arm = slip_body_rotate(r, body, local), v = slip_body_velocity(r, body, arm);
    slip_vec w = body->round ? body->omega : body->own;
    slip_add_weight(r, g, slip_vec_scale(r, mass, slip_vec_add(r, body->at, arm)));
    out->mass = unless_zero(r, mass);
    out->round = body->round;
    if (out->mass != SLIP_NONE && is_on_pivot(r, body)) move_to_pivot(r, local, out);
    for (int k = 0; k < 6; k++) out->moment[k] = unless_zero(r, out->moment[k]);
    for (int k = 0; k < 3; k++) {
        out->velocity[k] = slip_vec_part(v, k);
        out->spin[k] = slip_vec_part(w, k);
    }
    return true;
}

// the rate nu of a quaternion's length moves nothing; it has a mass of 1 to be an equation of its own
static void add_length_rate_mass(slip_reader *r, const slip_body *body)
{
    if (!body->attitude[0]) return;
    slip_ref nu = body->attitude[0]->rate, two = slip_node_number(r, 2.0);
    slip_ref T = slip_node_op(r, SLIP_OP_DIV, slip_node_op(r, SLIP_OP_POW, nu, two), two);
    r->bodies->kinetic = slip_node_op(r, SLIP_OP_ADD, r->bodies->kinetic, T);
}

void slip_read_inertias(slip_reader *r, slip_vec g)
{
    slip_bodies *b = r->bodies;
    slip_model *m = r->model;
    int count = 0;
    for (int k = 1; k < b->count; k++) count += !b->items[k].crowd;
    m->inertias = SLIP_READER_NEW(r, slip_inertia, count);
    for (int k = 1; k < b->count && m->inertias && !slip_reader_stopped(r); k++) {
        if (b->items[k].crowd) continue; // numbers, found.c
        add_length_rate_mass(r, &b->items[k]);
        slip_inertia *to = &m->inertias[m->inertia_count];
        if (!read_inertia(r, &b->items[k], g, to)) continue;
        bool any = to->mass != SLIP_NONE;
        for (int c = 0; c < 6; c++) any = any || to->moment[c] != SLIP_NONE;
        m->inertia_count += any;
    }
    m->known = SLIP_READER_NEW(r, slip_known_derivative, b->known_count);
    for (size_t k = 0; m->known && k < b->known_count; k++) m->known[k] = b->known[k];
    m->known_count = m->known ? (int)b->known_count : 0;
}

// ------------------------------------------------------------------------------------------- checks

// which inputs an expression depends on
static bool mark_dependencies(slip_reader *r, slip_ref ref, bool *moved)
{
    slip_partial *partials = NULL;
    int count = slip_graph_gradient(r->model->graph, ref, &partials);
    for (int k = 0; k < count; k++)
        if (partials[k].input <= 2 * r->model->coordinate_count) moved[partials[k].input] = true;
    free(partials);
    return count >= 0 || slip_reader_no_memory(r);
}

static void refuse_attitude_in_kinetic(slip_reader *r, const bool *used)
{
    int n = r->model->coordinate_count;
    for (size_t k = 0; k < r->symbol_count; k++) {
        const slip_symbol *s = r->symbols[k];
        if (s->kind != SLIP_SYMBOL_COORDINATE || !s->of_coordinate.turns ||
            (!used[1 + s->index] && !used[1 + n + s->index]))
            continue;
        slip_reader_error(r, r->model->kinetic.where, "give the body a mass and an inertia",
                          "a kinetic energy written as a formula cannot use how body '%.80s' turns",
                          s->of_coordinate.turns->name);
        return;
    }
}

void slip_check_inertias(slip_reader *r)
{
    slip_model *m = r->model;
    int n = m->coordinate_count;
    bool *moved = calloc(1 + 2 * (size_t)n, sizeof *moved), good = moved != NULL;
    if (!good) slip_reader_no_memory(r);
    if (good && m->kinetic.ref != SLIP_NONE) {
        good = mark_dependencies(r, m->kinetic.ref, moved);
        if (good) refuse_attitude_in_kinetic(r, moved);
    }
    if (good) mark_dependencies(r, r->bodies->kinetic, moved);
    for (int k = 1; k < r->bodies->count && good; k++) {
        const slip_body *body = &r->bodies->items[k];
        for (int c = 0; c < SLIP_AXIS_COUNT && body->crowd; c++)
            if (body->axis[c]) moved[1 + n + body->axis[c]->index] = true;
        for (int c = 0; c < 4 && body->crowd; c++)
            if (body->attitude[c]) moved[1 + n + body->attitude[c]->index] = true;
    }
    for (int k = 0; k < m->inertia_count && good; k++)
        for (int c = 0; c < 3 && good; c++) {
            const slip_inertia *i = &m->inertias[k];
            bool turns = false;
            for (int j = 0; j < 6; j++) turns = turns || i->moment[j] != SLIP_NONE;
            if (i->mass != SLIP_NONE) good = mark_dependencies(r, i->velocity[c], moved);
            if (turns && good) good = mark_dependencies(r, i->spin[c], moved);
        }
    for (int k = 0; k < m->mass_coordinate_count && good; k++)
        if (!moved[1 + n + k])
            slip_reader_error(r, m->coordinates[k].where,
                              "give the body a mass, or an inertia where it only turns",
                              "coordinate '%.80s' moves nothing that has mass", m->coordinates[k].name);
    free(moved);
}
