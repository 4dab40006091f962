/// model/reader/model_invariants.c: invariants of a model that later layers rely on.
#include <math.h>

#include "model/model.h"

static bool is_node(const slip_model *m, slip_ref ref)
{
    return ref >= 0 && ref < slip_graph_node_count(m->graph);
}

static bool has_motion(const slip_model *m)
{
    bool fine = slip_graph_input_count(m->graph) >= 1 + 2 * m->coordinate_count + m->state_count;
    for (int k = 0; k < m->coordinate_count; k++) {
        const slip_coordinate *c = &m->coordinates[k];
        fine = fine && c->name && c->rate_name && isfinite(c->start) && isfinite(c->rate);
    }
    for (int k = 0; k < m->state_count; k++)
        fine = fine && m->states[k].name && is_node(m, m->states[k].rate.ref) && isfinite(m->states[k].start);
    for (int k = 0; k < m->constraint_count; k++) fine = fine && is_node(m, m->constraints[k].zero.ref);
    return fine;
}

// contacts first; friction of known limit has a limit and a slip
static bool is_contact(const slip_model *m, int k)
{
    const slip_contact *c = &m->contacts[k];
    if (!c->name || c->has_gap != (k < m->contact_count) || c->has_gap != is_node(m, c->gap.ref))
        return false;
    const bool may_rest = c->has_gap || c->load.kind == SLIP_LOAD_JOINT; // one whose force alone is asked for
    if (c->slip.count < (may_rest ? 0 : 1) || c->slip.count > 2) return false;
    if (!c->has_gap && !is_node(m, c->friction.ref)) return false;
    for (int i = 0; i < c->slip.count; i++)
        if (!is_node(m, c->slip.part[i].ref)) return false;
    return fabs(c->restitution) <= 1.0 && fabs(c->restitution_t) <= 1.0;
}

static bool has_quantities(const slip_model *m)
{
    int count =
        m->quantity_count + m->drawn_quantity_count + m->element_quantity_count + m->bound_quantity_count;
    for (int k = 0; k < count; k++) {
        const slip_quantity_input *q = &m->quantities[k];
        if (q->input < 1 || q->input >= slip_graph_input_count(m->graph)) return false;
        if (m->type == SLIP_INCLUSION ? q->element != -1 : q->element < 0 || q->element >= m->element_count)
            return false;
        if (q->element >= 0 && slip_contact_lacks(&m->contacts[q->element], q->quantity)) return false;
    }
    return true;
}

bool slip_model_is_consistent(const slip_model *m)
{
    if (!m->name || !has_motion(m) || !has_quantities(m)) return false;
    for (int k = 0; k < m->element_count; k++)
        if (!is_contact(m, k)) return false;
    int records = m->record_count + m->drawing.width + m->element_record_count;
    for (int k = 0; k < records; k++)
        if (!is_node(m, slip_model_record(m, k))) return false;
    return true;
}
