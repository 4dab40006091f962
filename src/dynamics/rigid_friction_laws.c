/// dynamics/rigid_friction_laws.c: laws of friction as rigid formulations have them: a limit that follows from the speed, and
/// a viscous force among the others.
#include "dynamics/rigid_friction_laws.h"

#include <stddef.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "physics/friction/law_terms.h"
#include "model/reader/parameter_dependents.h"

// A parameter of the law of element k: the formula that gives it, if there is one, so that derivatives see
// what it depends on
static slip_ref parameter_of(slip_equations *e, int k, int p)
{
    const slip_model *model = e->model;
    const size_t at =
        (size_t)k * sizeof(slip_contact) + offsetof(slip_contact, law_parameter) + (size_t)p * sizeof(double);
    for (int i = 0; i < model->dependent_count; i++)
        if (model->dependents[i].section == SLIP_SECTION_CONTACTS && model->dependents[i].offset == at)
            return model->dependents[i].formula;
    return slip_graph_constant(e->graph, model->contacts[k].law_parameter[p]);
}

static bool apply_limit_factor(slip_equations *e, int k, const slip_law *law)
{
    slip_element *element = &e->elements[k];
    slip_law_terms in = { .graph = e->graph, .count = element->slip_count, .limit = element->friction };
    for (int c = 0; c < element->slip_count; c++) in.velocity[c] = element->tangent[c].rate;
    for (int p = 0; p < law->option_count; p++) in.parameter[p] = parameter_of(e, k, p);
    element->friction = slip_op2(e->graph, SLIP_OP_MUL, element->friction, law->share(&in));
    return element->friction >= 0;
}

// the forces as they were derived stay what they are
static bool copy_forces(slip_equations *e)
{
    if (e->h != e->derived.h) return true;
    slip_ref *h = SLIP_POOL_NEW(e->pool, slip_ref, e->n);
    if (!h) return false;
    memcpy(h, e->h, (size_t)e->n * sizeof *h);
    e->h = h;
    return true;
}

// Q = -D w v, where v = w'u + d
static bool add_viscous_force(slip_equations *e, int k, int p)
{
    slip_element *element = &e->elements[k];
    slip_graph *g = e->graph;
    const slip_ref D = parameter_of(e, k, p);
    element->viscous = element->contact->law_parameter[p];
    if (!copy_forces(e)) return false;
    for (int c = 0; c < element->slip_count; c++) {
        const slip_row *row = &element->tangent[c];
        const slip_ref drag = slip_op1(g, SLIP_OP_NEG, slip_op2(g, SLIP_OP_MUL, D, row->rate));
        for (int i = 0; i < row->count; i++) {
            const int at = row->column[i];
            const slip_ref Q = slip_op2(g, SLIP_OP_MUL, row->value[i], drag);
            e->h[at] = slip_op2(g, SLIP_OP_ADD, e->h[at], Q);
            e->power = slip_op2(g, SLIP_OP_ADD, e->power, slip_op2(g, SLIP_OP_MUL, Q, e->u[at]));
            if (e->h[at] < 0 || e->power < 0) return false;
        }
    }
    return true;
}

slip_status slip_add_rigid_friction_laws(slip_equations *e)
{
    for (int k = 0; k < e->element_count; k++) {
        const slip_contact *c = e->elements[k].contact;
        if (!c->law || e->elements[k].friction < 0) continue;
        if (c->law->share && !apply_limit_factor(e, k, c->law)) return SLIP_NO_MEMORY;
        if (!c->law->viscous || c->has_gap || !(c->law_parameter[c->law->viscous - 1] > 0.0)) continue;
        if (!add_viscous_force(e, k, c->law->viscous - 1)) return SLIP_NO_MEMORY;
    }
    return SLIP_OK;
}
