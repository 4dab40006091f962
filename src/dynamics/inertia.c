/// dynamics/inertia.c: bodies in space, by d'Alembert's principle in the form of Jourdain and Kane.
///
/// With v the velocity of a centre of mass, w the spin in the body's axes, both linear in the rates u, and
/// a dot for the rate along the motion,
///     sum (m v' . dv/du_i + (I w' + w x I w) . dw/du_i) = Q_i
/// holds for any rates, whether or not they are derivatives of coordinates. The part of v' and w' that
/// holds u' gives M, the rest goes to h. About an inertia that is the same in all directions w x I w
/// vanishes and the axes do not matter.
#include "dynamics/inertia.h"

#include <stdlib.h>

#include "dynamics/derivation.h"

bool slip_mass_list_add(slip_mass_list *list, int row, int column, slip_ref value)
{
    if (!slip_array_grow((void **)&list->items, &list->capacity, list->count, sizeof *list->items))
        return false;
    list->items[list->count++] = (struct slip_mass_item){ row, column, value };
    return true;
}

static slip_ref sum_ref(slip_equations *e, slip_ref a, slip_ref b)
{
    return slip_graph_sum(e->graph, a, b);
}
static slip_ref product_ref(slip_equations *e, slip_ref a, slip_ref b)
{
    return slip_graph_product(e->graph, a, b);
}
static slip_ref difference_ref(slip_equations *e, slip_ref a, slip_ref b)
{
    return slip_graph_difference(e->graph, a, b);
}
static slip_ref constant_ref(slip_equations *e, double value)
{
    return slip_graph_constant(e->graph, value);
}

/// Three components of v or of w, with their partial derivatives by the rates.
typedef struct part {
    slip_ref rate[3];       // v, w
    slip_ref momentum[3];   // m v, I w
    slip_ref push[3];       // what is left of the momentum's rate without u', and w x I w
    slip_ref weight[3][3];  // m 1, I
    slip_partial *slope[3]; // by u alone
    int slope_count[3];
} part;

static slip_ref weight_times(slip_equations *e, const part *p, int row, const slip_ref *x)
{
    slip_ref total = constant_ref(e, 0.0);
    for (int k = 0; k < 3; k++) total = sum_ref(e, total, product_ref(e, p->weight[row][k], x[k]));
    return total;
}

static bool find_rate_partials(slip_equations *e, part *p)
{
    bool good = true;
    for (int c = 0; c < 3 && good; c++) {
        slip_partial *all = NULL;
        int count = slip_graph_gradient(e->graph, p->rate[c], &all), kept = 0;
        for (int k = 0; k < count; k++) {
            int i = all[k].input - 1 - e->n;
            if (i >= 0 && i < e->n) all[kept++] = (slip_partial){ i, all[k].value };
        }
        p->slope[c] = all;
        p->slope_count[c] = kept;
        good = count >= 0;
    }
    return good;
}

static bool add_masses(slip_equations *e, const part *p, slip_mass_list *mass)
{
    bool good = true;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            slip_node weight = slip_graph_node(e->graph, p->weight[a][b]);
            if (weight.op == SLIP_OP_CONSTANT && weight.value == 0.0) continue;
            for (int i = 0; i < p->slope_count[a] && good; i++)
                for (int j = 0; j < p->slope_count[b] && good; j++) {
                    int row = p->slope[a][i].input, column = p->slope[b][j].input;
                    if (row < column) continue;
                    slip_ref both = product_ref(e, p->slope[a][i].value, p->slope[b][j].value);
                    good = slip_mass_list_add(mass, row, column, product_ref(e, p->weight[a][b], both));
                }
        }
    return good;
}

// T2 - T0: with r0 the rate at u = 0, (r - r0) I (r - r0)/2 - r0 I r0/2; and T1 + 2 T0 = r0 I r
static void add_energy(slip_equations *e, part *p)
{
    slip_ref half = constant_ref(e, 0.5), direction[1] = { constant_ref(e, 1.0) };
    slip_ref moving[3], still[3], T = constant_ref(e, 0.0);
    for (int c = 0; c < 3; c++) {
        still[c] = slip_at_zero_rates(e, p->rate[c]);
        moving[c] = difference_ref(e, p->rate[c], still[c]);
    }
    for (int c = 0; c < 3; c++) {
        T = sum_ref(e, T, product_ref(e, moving[c], weight_times(e, p, c, moving)));
        T = difference_ref(e, T, product_ref(e, still[c], weight_times(e, p, c, still)));
        e->driven = sum_ref(e, e->driven, product_ref(e, still[c], p->momentum[c]));
        slip_ref slip = slip_graph_directional(e->graph, p->rate[c], direction, 1); // explicit in t: -dL/dt
        e->power = difference_ref(e, e->power, product_ref(e, p->momentum[c], slip));
    }
    e->kinetic = sum_ref(e, e->kinetic, product_ref(e, half, T));
}

static bool add_inertia_part(slip_equations *e, part *p, bool gyro, slip_mass_list *mass)
{
    slip_ref rate[3];
    for (int c = 0; c < 3; c++) {
        p->momentum[c] = weight_times(e, p, c, p->rate);
        rate[c] = slip_along_motion(e, p->rate[c]);
    }
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3, f = (c + 2) % 3;
        p->push[c] = weight_times(e, p, c, rate);
        if (!gyro) continue;
        p->push[c] = sum_ref(e, p->push[c], product_ref(e, p->rate[d], p->momentum[f]));
        p->push[c] = difference_ref(e, p->push[c], product_ref(e, p->rate[f], p->momentum[d]));
    }
    bool good = find_rate_partials(e, p);
    for (int c = 0; c < 3 && good; c++)
        for (int k = 0; k < p->slope_count[c]; k++) {
            slip_ref *h = &e->h[p->slope[c][k].input];
            *h = difference_ref(e, *h, product_ref(e, p->slope[c][k].value, p->push[c]));
        }
    good = good && add_masses(e, p, mass);
    if (good) add_energy(e, p);
    for (int c = 0; c < 3; c++) free(p->slope[c]);
    return good;
}

// xx, yy, zz, xy, xz, yz
static const int moment_at[3][3] = { { 0, 3, 4 }, { 3, 1, 5 }, { 4, 5, 2 } };

static slip_status add_body_inertia(slip_equations *e, const slip_inertia *body, slip_mass_list *mass)
{
    slip_ref zero = constant_ref(e, 0.0);
    bool good = zero >= 0;
    part moving = { 0 }, turning = { 0 };
    for (int a = 0; a < 3 && good; a++) {
        moving.rate[a] = body->velocity[a];
        turning.rate[a] = body->spin[a];
        for (int b = 0; b < 3; b++) {
            slip_ref moment =
                body->round ? (a == b ? body->moment[0] : SLIP_NONE) : body->moment[moment_at[a][b]];
            moving.weight[a][b] = a == b && body->mass >= 0 ? body->mass : zero;
            turning.weight[a][b] = moment >= 0 ? moment : zero;
        }
    }
    if (good && body->mass >= 0) good = add_inertia_part(e, &moving, false, mass);
    bool turns = false;
    for (int k = 0; k < 6; k++) turns = turns || body->moment[k] >= 0;
    if (good && turns) good = add_inertia_part(e, &turning, !body->round, mass);
    return good && !slip_graph_failed(e->graph) ? SLIP_OK : SLIP_NO_MEMORY;
}

slip_status slip_add_body_inertias(slip_equations *e, slip_mass_list *mass)
{
    slip_status status = SLIP_OK;
    for (int k = 0; k < e->model->inertia_count && status == SLIP_OK; k++)
        status = add_body_inertia(e, &e->model->inertias[k], mass);
    return status;
}
