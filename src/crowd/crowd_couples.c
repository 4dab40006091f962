/// crowd/crowd_couples.c: contacts that resist rolling and drilling.
///
/// Under the normal impulse P_N a contact resists the relative spin along its surface with a couple of at
/// most `rolling` P_N, and that about its normal with one of at most `drilling` P_N: dry frictions of their
/// own, as of contacts that are written (model/resistances.c). In the contact problem each is one more
/// contact, whose tangents are rows of the spin, times a length that makes them velocities, and whose normal
/// impulse follows P_N (solver/bodies.h). One solve finds forces and couples: the law of rolling friction
/// with one cone for both, |T| <= mu P_N and |C| <= rolling P_N (Acary and Bourrier 2021). Strikes have no
/// couples (stepping/moreau_loads.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd/crowd.h"

typedef struct couple {
    int rows;        // of the spin
    slip_v3 axis[2]; // that it is along
    double length;   // m
    double share;    // of P_N, that its impulses may be
    double weight;   // 1/kg, of what follows
    int first;       // of its impulses in those of the contact
} couple;

void slip_crowd_read_couples(slip_crowd_step *c)
{
    const slip_crowd *crowd = c->crowd;
    bool kinds[2] = { false, false };
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < crowd->set_count; k++) kinds[i] = kinds[i] || crowd->resists[i][k] > 0.0;
        for (int k = 0; k < crowd->material_count * crowd->material_count; k++)
            kinds[i] = kinds[i] || crowd->resistance[i][k] > 0.0;
    }
    c->couples = kinds[0] + kinds[1];
}

// ------------------------------------------------------------------------------------------- one of them

static double spin_of(const slip_crowd_step *c, const slip_meet *m, slip_v3 axis, bool fall)
{
    const slip_member *a = &c->body[m->body[0]], *b = &c->body[m->body[1]];
    return v3_dot(axis, v3_sub(fall ? a->fall_w : a->w, fall ? b->fall_w : b->w));
}

// how far a unit impulse along an axis, or a couple about it, moves what it acts on
static double yields(const slip_crowd_step *c, const slip_meet *m, slip_v3 axis, bool turns)
{
    const slip_v3 none = { 0.0, 0.0, 0.0 };
    double sum = 0.0;
    for (int s = 0; s < 2; s++) {
        const slip_member *b = &c->body[m->body[s]];
        if (b->jointed)
            sum += slip_machine_yields(c->machine, m->body[s], turns ? none : axis, turns ? axis : none);
        else if (slip_member_is_free(b))
            sum += turns ? v3_dot(axis, slip_matrix_times(b->inverse, axis)) : b->inverse_mass;
    }
    return sum;
}

// kind 0 is rolling, 1 drilling; false where the contact has none, or nothing could turn
static bool describe(const slip_crowd_step *c, const slip_meet *m, int kind, couple *to)
{
    const bool planar = c->crowd->planar;
    if (!(m->resistance[kind] > 0.0) || m->hits || !m->carries || (kind && planar)) return false;
    *to = (couple){ .rows = kind || planar ? 1 : 2, .first = 2 * kind };
    to->axis[0] = kind ? m->axis[0] : planar ? v3(0.0, 0.0, 1.0) : m->axis[1];
    to->axis[1] = m->axis[2];
    double turns = 0.0;
    for (int k = 0; k < to->rows; k++) turns = fmax(turns, yields(c, m, to->axis[k], true));
    to->weight = yields(c, m, m->axis[0], false);
    if (!(turns > 0.0) || !(to->weight > 0.0)) return false;
    to->length = sqrt(to->weight / turns);
    to->share = m->resistance[kind] / to->length;
    return true;
}

// ------------------------------------------------------------------------------------------ the problem

static void put(slip_crowd_step *c, const slip_meet *m, const couple *k, long contact)
{
    slip_crowd_problem *p = &c->problem;
    const int side = p->side, d = p->dimension;
    const long at = p->contacts++;
    const slip_v3 none = { 0.0, 0.0, 0.0 };
    double *shift = p->shift + d * at;
    memset(p->rows + 2 * d * side * at, 0, (size_t)(2 * d * side) * sizeof *p->rows);
    memset(shift, 0, (size_t)d * sizeof *shift);
    memset(p->r + d * at, 0, (size_t)d * sizeof *p->r);
    for (int s = 0; s < 2; s++) {
        const double by = s ? -k->length : k->length;
        const slip_member *b = &c->body[m->body[s]];
        const int body = b->jointed               ? slip_machine_put(c, m->body[s])
                         : slip_member_is_free(b) ? slip_crowd_put_body(c, m->body[s])
                                                  : SLIP_GROUND;
        const int to = s == 1 && body >= 0 && p->body[2 * at] == body ? 0 : s; // of the same part
        if (to == s) p->body[2 * at + s] = body;
        if (s == 1 && to == 0) p->body[2 * at + 1] = SLIP_GROUND;
        double *rows = p->rows + (2 * d * at + d * to) * side;
        slip_v3 turns[3] = { none, none, none };
        for (int i = 0; i < k->rows; i++) turns[1 + i] = k->axis[i];
        if (b->jointed) slip_machine_rows(c, m->body[s], (slip_v3[3]){ none, none, none }, turns, by, rows);
        for (int i = 1; i <= k->rows; i++) {
            if (slip_member_is_free(b))
                slip_crowd_put_rates(c, by, none, turns[i], rows + side * i);
            else
                shift[i] += by * (b->jointed ? slip_machine_drift(c->machine, m->body[s], none, turns[i])
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

void slip_couples_put(slip_crowd_step *c, const slip_meet *m)
{
    const long contact = c->problem.contacts - 1;
    couple k;
    for (int kind = 0; kind < 2; kind++)
        if (describe(c, m, kind, &k)) put(c, m, &k, contact);
}

int slip_couples_take(const slip_crowd_step *c, slip_meet *m, int at)
{
    const slip_crowd_problem *p = &c->problem;
    const int first = at, d = p->dimension;
    couple k;
    memset(m->couple, 0, sizeof m->couple);
    for (int kind = 0; kind < 2; kind++) {
        if (!describe(c, m, kind, &k)) continue;
        for (int i = 0; i < k.rows; i++) m->couple[k.first + i] = k.length * p->r[(long)d * at + 1 + i];
        at++;
    }
    return at - first;
}

slip_v3 slip_couples_of(const slip_crowd_step *c, const slip_meet *m)
{
    if (c->crowd->planar) return v3(0.0, 0.0, m->couple[0]);
    slip_v3 sum = v3_scale(m->couple[2], m->axis[0]);
    for (int k = 0; k < 2; k++) sum = v3_along(sum, m->couple[k], m->axis[1 + k]);
    return sum;
}

// as for impulses (crowd_solve.c)
void slip_couples_book(slip_crowd_step *c)
{
    const slip_v3 none = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < c->next.count; i++) {
        const slip_meet *m = &c->next.items[i];
        couple k;
        for (int kind = 0; kind < 2; kind++) {
            if (!describe(c, m, kind, &k)) continue;
            for (int row = 0; row < k.rows; row++) {
                const double by = m->couple[k.first + row];
                const slip_v3 axis = k.axis[row];
                c->base.friction -= 0.5 * by * (spin_of(c, m, axis, false) + spin_of(c, m, axis, true));
                for (int s = 0; s < 2; s++) {
                    const slip_member *b = &c->body[m->body[s]];
                    if (slip_member_is_free(b)) continue;
                    const double own = b->jointed ? slip_machine_drift(c->machine, m->body[s], none, axis)
                                                  : 0.5 * v3_dot(axis, v3_add(b->w, b->fall_w));
                    c->base.work -= s ? -by * own : by * own;
                }
            }
        }
    }
}
