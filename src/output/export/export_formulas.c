/// output/export/export_formulas.c: all formulas of an exported model, in one list of roots.
#include <stdlib.h>
#include <string.h>

#include "formulation/ode/ode_work.h"
#include "output/export/export_model.h"
#include "simulation/sim/value_checks_internal.h"

// -------------------------------------------------------------------------------- dependent parameters

/// Parameters that are formulas of others, as formulas.
typedef struct dependents {
    const slip_model *model;
    slip_ref *value; // per parameter of the graph; SLIP_NONE: it stays
} dependents;

static slip_ref dependent_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    const dependents *d = context;
    const slip_node n = slip_graph_node(graph, original);
    return n.op == SLIP_OP_PARAMETER && d->value[n.index] >= 0 ? d->value[n.index] : rewritten;
}

// A formula uses parameters that stand before it
static bool resolve_dependents(slip_export *e)
{
    const slip_model *m = e->model;
    const size_t count = (size_t)slip_graph_parameter_count(e->graph);
    dependents d = { m, malloc((count + 1) * sizeof *d.value) };
    bool fine = d.value != NULL;
    for (size_t k = 0; fine && k < count; k++) d.value[k] = SLIP_NONE;
    for (int k = 0; fine && k < m->parameter_count; k++) {
        const slip_parameter *p = &m->parameters[k];
        if (p->formula < 0) continue;
        const int at = slip_graph_node(e->graph, p->node).index;
        d.value[at] = slip_graph_rewrite(e->graph, p->formula, dependent_rule, &d);
        fine = d.value[at] >= 0;
    }
    fine = fine && slip_graph_rewrite_all(e->graph, e->refs, e->roots.count, dependent_rule, &d);
    free(d.value);
    return fine;
}

// ------------------------------------------------------------------------------------------------ roots

static int mass_entries(const slip_ode *ode)
{
    int count = 0;
    for (int b = 0; ode->equations && b < ode->equations->block_count; b++) {
        const int m = ode->equations->blocks[b].count;
        count += m > 1 ? m * (m + 1) / 2 : 0;
    }
    return count;
}

static void place_roots(slip_export *e)
{
    slip_export_roots *r = &e->roots;
    const int elements = e->element_count;
    r->rate = 0;
    r->mode = r->rate + e->state_count;
    r->decay = r->mode + 2 * elements;
    r->strain = r->decay + (e->has_decay ? elements : 0);
    r->mass = r->strain + (e->has_strain ? elements : 0);
    r->check = r->mass + mass_entries(e->ode);
    r->outputs = r->check + e->check_count;
    r->count = r->outputs + e->output_count;
}

static slip_ref or_zero(slip_export *e, slip_ref ref)
{
    return ref >= 0 ? ref : slip_graph_constant(e->graph, 0.0);
}

static void fill_elements(slip_export *e)
{
    for (int k = 0; k < e->element_count; k++) {
        const slip_ode_element *element = &e->ode->elements[k];
        e->refs[e->roots.mode + 2 * k] = or_zero(e, element->closed);
        e->refs[e->roots.mode + 2 * k + 1] = or_zero(e, element->stick);
        if (e->has_decay) e->refs[e->roots.decay + k] = or_zero(e, element->decay);
        if (e->has_strain) e->refs[e->roots.strain + k] = or_zero(e, element->strain);
    }
}

static void fill_mass(slip_export *e)
{
    const slip_equations *q = e->ode->equations;
    int at = e->roots.mass;
    for (int b = 0; q && b < q->block_count; b++) {
        const int m = q->blocks[b].count;
        for (int i = 0; m > 1 && i < m; i++)
            for (int j = 0; j <= i; j++) e->refs[at++] = q->blocks[b].entry[i * m + j];
    }
}

static slip_ref checked_formula(const slip_model *m, const slip_checked_value *v)
{
    switch (v->kind) {
    case SLIP_VALUE_GAP:
        return m->contacts[v->index].gap.ref;
    case SLIP_VALUE_FRICTION:
        return m->contacts[v->index].friction.ref;
    case SLIP_VALUE_FORCE:
        return m->forces[v->index].ref;
    default:
        return m->constraints[v->index].zero.ref;
    }
}

static bool *tunable_parameters(const slip_export *e)
{
    bool *tunable = calloc((size_t)slip_graph_parameter_count(e->graph) + 1, sizeof *tunable);
    for (int k = 0; tunable && k < e->parameter_count; k++)
        tunable[slip_graph_node(e->graph, e->model->parameters[e->parameters[k].source].node).index] = true;
    return tunable;
}

bool slip_export_collect_formulas(slip_export *e)
{
    place_roots(e);
    e->refs = SLIP_POOL_NEW(e->pool, slip_ref, e->roots.count + 1);
    e->graph = slip_graph_copy(e->ode->graph);
    if (!e->refs || !e->graph) return false;
    slip_graph_use_cache(e->graph, NULL);
    for (int k = 0; k < e->state_count; k++) e->refs[e->roots.rate + k] = e->ode->rate[k];
    fill_elements(e);
    fill_mass(e);
    for (int k = 0; k < e->check_count; k++)
        e->refs[e->roots.check + k] = checked_formula(e->model, &e->sim->values->items[k]);
    for (int k = 0; k < e->output_count; k++) e->refs[e->roots.outputs + k] = e->outputs[k].source;
    if (!resolve_dependents(e)) return false;
    bool *tunable = tunable_parameters(e);
    if (tunable) e->source = slip_formula_source_create(e->graph, tunable, e->refs, e->roots.count);
    free(tunable);
    return e->source != NULL;
}
