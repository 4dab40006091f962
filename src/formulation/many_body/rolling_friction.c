/// formulation/many_body/rolling_friction.c: contacts that resist rolling and drilling.
///
/// Under the normal impulse P_N a contact resists the relative spin along its surface with a couple of at
/// most `rolling` P_N, and that about its normal with one of at most `drilling` P_N: dry frictions of their
/// own, as of contacts that are declared (model/reader/friction_limits.c). In the contact problem each is one more
/// contact, whose tangents are rows of the spin, times a length that makes them velocities, and whose normal
/// impulse follows P_N (solver/body/body_solver.h). One solve finds forces and couples: the law of rolling friction
/// with one cone for both, |T| <= mu P_N and |C| <= rolling P_N (Acary and Bourrier 2021). Impacts have couples
/// too: P_N is their impulse then.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/many_body/many_body.h"

typedef struct couple {
    int rows;        // of the spin
    slip_v3 axis[2]; // that it is along
    double length;   // m
    double share;    // of P_N, that its impulses may be
    double weight;   // 1/kg, of what follows
    int first;       // of its impulses in those of the contact
} couple;

void slip_rolling_friction_read(slip_many_body *c)
{
    const slip_detect_model *crowd = c->crowd;
    bool kinds[2] = { false, false };
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < crowd->set_count; k++) kinds[i] = kinds[i] || crowd->resists[i][k] > 0.0;
        for (int k = 0; k < crowd->material_count * crowd->material_count; k++)
            kinds[i] = kinds[i] || crowd->resistance[i][k] > 0.0;
    }
    c->couples = kinds[0] + kinds[1];
}

// ------------------------------------------------------------------------------------------- one of them

static double relative_spin(const slip_many_body *c, const slip_contact_point *m, slip_v3 axis, bool fall)
{
    const slip_dynamic_body *a = &c->body[m->body[0]], *b = &c->body[m->body[1]];
    return v3_dot(axis, v3_sub(fall ? a->fall_w : a->w, fall ? b->fall_w : b->w));
}

// how far a unit impulse along an axis, or a couple about it, moves what it acts on
static double axis_mobility(const slip_many_body *c, const slip_contact_point *m, slip_v3 axis, bool turns)
{
    const slip_v3 none = { 0.0, 0.0, 0.0 };
    double sum = 0.0;
    for (int s = 0; s < 2; s++) {
        const slip_dynamic_body *b = &c->body[m->body[s]];
        if (b->jointed)
            sum += slip_articulation_mobility(c->articulation, m->body[s], turns ? none : axis,
                                              turns ? axis : none);
        else if (slip_dynamic_body_is_free(b))
            sum += turns ? v3_dot(axis, slip_matrix3_multiply(b->inverse, axis)) : b->inverse_mass;
    }
    return sum;
}

// kind 0 is rolling, 1 drilling; false where the contact has none, or nothing could turn
static bool describe_couple(const slip_many_body *c, const slip_contact_point *m, int kind, couple *to)
{
    const bool planar = c->crowd->planar;
    if (!(m->resistance[kind] > 0.0) || !m->carries || (kind && planar)) return false;
    *to = (couple){ .rows = kind || planar ? 1 : 2, .first = 2 * kind };
    to->axis[0] = kind ? m->axis[0] : planar ? v3(0.0, 0.0, 1.0) : m->axis[1];
    to->axis[1] = m->axis[2];
    double turns = 0.0;
    for (int k = 0; k < to->rows; k++) turns = fmax(turns, axis_mobility(c, m, to->axis[k], true));
    to->weight = axis_mobility(c, m, m->axis[0], false);
    if (!(turns > 0.0) || !(to->weight > 0.0)) return false;
    to->length = sqrt(to->weight / turns);
    to->share = m->resistance[kind] / to->length;
    return true;
}

// ------------------------------------------------------------------------------------------ the problem

static void add_couple(slip_many_body *c, const slip_contact_point *m, const couple *k, long contact)
{
    slip_many_body_problem *p = &c->problem;
    const int side = p->side, d = p->dimension;
    const long at = p->contacts++;
    const slip_v3 none = { 0.0, 0.0, 0.0 };
    double *shift = p->shift + d * at;
    memset(p->rows + 2 * d * side * at, 0, (size_t)(2 * d * side) * sizeof *p->rows);
    memset(shift, 0, (size_t)d * sizeof *shift);
    memset(p->r + d * at, 0, (size_t)d * sizeof *p->r);
    for (int s = 0; s < 2; s++) {
        const double by = s ? -k->length : k->length;
        const slip_dynamic_body *b = &c->body[m->body[s]];
        const int body = b->jointed                     ? slip_articulation_add_part(c, m->body[s])
                         : slip_dynamic_body_is_free(b) ? slip_many_body_add_body(c, m->body[s])
                                                        : SLIP_GROUND;
        const int to = s == 1 && body >= 0 && p->body[2 * at] == body ? 0 : s; // of the same part
        if (to == s) p->body[2 * at + s] = body;
        if (s == 1 && to == 0) p->body[2 * at + 1] = SLIP_GROUND;
        double *rows = p->rows + (2 * d * at + d * to) * side;
        slip_v3 turns[3] = { none, none, none };
        for (int i = 0; i < k->rows; i++) turns[1 + i] = k->axis[i];
        if (b->jointed)
            slip_articulation_rows(c, m->body[s], (slip_v3[3]){ none, none, none }, turns, by, rows);
        for (int i = 1; i <= k->rows; i++) {
            if (slip_dynamic_body_is_free(b))
                slip_many_body_pack_velocity(c, by, none, turns[i], rows + side * i);
            else
                shift[i] += by * (b->jointed ? slip_articulation_row_drift(c->articulation, m->body[s], none,
                                                                           turns[i])
                                             : v3_dot(turns[i], b->fall_w));
        }
    }
    p->behind[at] = (int)(at - contact);
    p->share[at] = k->share;
    p->weight[at] = k->weight;
    p->mu[at] = 1.0;
    p->r[d * at] = k->share * m->impulse[0];
    for (int i = 0; i < k->rows; i++) p->r[d * at + 1 + i] = m->couple[k->first + i] / k->length;
}

void slip_rolling_friction_add_rows(slip_many_body *c, const slip_contact_point *m)
{
    const long contact = c->problem.contacts - 1;
    couple k;
    for (int kind = 0; kind < 2; kind++)
        if (describe_couple(c, m, kind, &k)) add_couple(c, m, &k, contact);
}

int slip_rolling_friction_read_impulses(const slip_many_body *c, slip_contact_point *m, int at)
{
    const slip_many_body_problem *p = &c->problem;
    const int first = at, d = p->dimension;
    couple k;
    memset(m->couple, 0, sizeof m->couple);
    for (int kind = 0; kind < 2; kind++) {
        if (!describe_couple(c, m, kind, &k)) continue;
        for (int i = 0; i < k.rows; i++) m->couple[k.first + i] = k.length * p->r[(long)d * at + 1 + i];
        at++;
    }
    return at - first;
}

slip_v3 slip_rolling_friction_total(const slip_many_body *c, const slip_contact_point *m)
{
    if (c->crowd->planar) return v3(0.0, 0.0, m->couple[0]);
    slip_v3 sum = v3_scale(m->couple[2], m->axis[0]);
    for (int k = 0; k < 2; k++) sum = v3_add_scaled(sum, m->couple[k], m->axis[1 + k]);
    return sum;
}

// as for impulses (many_body_solve.c)
void slip_rolling_friction_add_work(slip_many_body *c)
{
    const slip_v3 none = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < c->next.count; i++) {
        const slip_contact_point *m = &c->next.items[i];
        couple k;
        for (int kind = 0; kind < 2; kind++) {
            if (!describe_couple(c, m, kind, &k)) continue;
            for (int row = 0; row < k.rows; row++) {
                const double by = m->couple[k.first + row];
                const slip_v3 axis = k.axis[row];
                c->base.friction -=
                    0.5 * by * (relative_spin(c, m, axis, false) + relative_spin(c, m, axis, true));
                for (int s = 0; s < 2; s++) {
                    const slip_dynamic_body *b = &c->body[m->body[s]];
                    if (slip_dynamic_body_is_free(b)) continue;
                    const double own =
                        b->jointed ? slip_articulation_row_drift(c->articulation, m->body[s], none, axis)
                                   : 0.5 * v3_dot(axis, v3_add(b->w, b->fall_w));
                    c->base.work -= s ? -by * own : by * own;
                }
            }
        }
    }
}
