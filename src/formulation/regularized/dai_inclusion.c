/// formulation/regularized/dai_inclusion.c: Xiong 2013, section 4.4: from sgn and dio where they stand to the ODE (32).
#include "formulation/regularized/dai_inclusion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/expression_builders.h"
#include "formulation/regularized/dai_traversal.h"

// operands come before their users, so one loop over the nodes settles what each of them holds
static void find_set_valued(slip_dai_traversal *w)
{
    for (slip_ref k = 0; k < w->original_count; k++) {
        slip_node node = slip_dai_traversal_node(w, k);
        int holds = node.op == SLIP_OP_DIO    ? SLIP_CONTAINS_DIO | SLIP_IS_VARYING
                    : slip_op_is_sgn(node.op) ? SLIP_CONTAINS_SGN | SLIP_IS_VARYING
                                              : 0;
        if (node.op == SLIP_OP_INPUT) holds |= SLIP_IS_VARYING;
        for (int i = 0; i < 3; i++)
            if (node.arg[i] >= 0) holds |= w->holds[node.arg[i]] & ~SLIP_CONTAINS_NOTHING;
        w->holds[k] = (char)(holds ? holds : SLIP_CONTAINS_NOTHING);
    }
    for (int k = 0; k < w->model->state_count; k++)
        w->holds[w->model->states[k].rate.ref] |= SLIP_IS_REFERENCED;
    for (slip_ref k = w->original_count - 1; k >= 0; k--) {
        slip_node node = slip_dai_traversal_node(w, k);
        for (int i = 0; i < 3 && w->holds[k] & SLIP_IS_REFERENCED; i++)
            if (node.arg[i] >= 0) w->holds[node.arg[i]] |= SLIP_IS_REFERENCED;
    }
}

// ------------------------------------------------------------------------------------------ step 1: dio

static slip_ref replace_expression(slip_dai_traversal *w, slip_ref ref);

static slip_ref replace_dio(slip_dai_traversal *w, slip_ref ref)
{
    slip_ref psi = slip_dai_traversal_node(w, ref).arg[0];
    if (slip_dai_traversal_contains(w, psi, SLIP_CONTAINS_DIO | SLIP_CONTAINS_SGN)) {
        slip_dai_traversal_fail(w, ref, "the argument of dio must be single-valued: no sgn or dio inside it");
        return SLIP_NONE;
    }
    slip_inclusion_element made = {
        .is_dio = true, .argument = { psi, SLIP_NONE }, .count = 1, .factor = SLIP_NONE, .original = ref
    };
    made.name = slip_dai_traversal_name(w, ref, "dio", &w->dio_count);
    slip_inclusion_element *element = slip_dai_traversal_add(w, made);
    if (!element) return SLIP_NONE;
    slip_dai_constants c = slip_dai_traversal_constants(w, element);
    int at = w->ode->state_count++;
    slip_ref e = slip_element_state(w->ode, at, element->name, "e");
    slip_dai_normal law = slip_dai_normal_law(w->ode, element->name, psi, e, &c,
                                              (slip_dai_changes){ SLIP_NONE, SLIP_NONE, SLIP_NONE });
    w->ode->rate[at] = law.rate;
    slip_ode_element *view = &w->ode->elements[w->ode->element_count++];
    *view = slip_ode_empty_element(element->name);
    view->gap = psi, view->normal = law.force, view->closed = law.closed;
    return element->force[0] = law.force;
}

// ------------------------------------------------------------------------------------------ step 2: sgn

// dio inside an expression that holds no sgn, by its force
static slip_ref dio_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    slip_dai_traversal *w = context;
    if (slip_graph_node(graph, original).op != SLIP_OP_DIO) return rewritten;
    return replace_expression(w, original);
}

static slip_ref with_forces(slip_dai_traversal *w, slip_ref ref)
{
    return slip_graph_rewrite(w->graph, ref, dio_rule, w);
}

// chi must be nonnegative and continuous; the sign in front of the product may be the user's minus
static bool check_factor(slip_dai_traversal *w, slip_ref sgn, slip_ref *factor, bool *minus)
{
    slip_interval range = slip_graph_interval(w->graph, *factor);
    if (isnan(range.low)) {
        w->status = SLIP_NO_MEMORY;
        return false;
    }
    *minus = !(range.low >= 0.0) && range.high <= 0.0;
    if (*minus) *factor = slip_op1(w->graph, SLIP_OP_NEG, *factor);
    if (!*minus && !(range.low >= 0.0)) {
        slip_dai_traversal_fail(
            w, sgn,
            "the factor of this sgn is not known to be nonnegative; if it is, say so with max(0, ...)");
        return false;
    }
    slip_ref where;
    if (slip_graph_is_discontinuous(w->graph, *factor, &where)) {
        if (where < 0) {
            w->status = SLIP_NO_MEMORY;
            return false;
        }
        slip_dai_traversal_fail(
            w, slip_graph_place(w->graph, where).source ? where : sgn,
            "the factor of a sgn may jump through dio only: no if, comparison, sign, floor or sgn in it");
        return false;
    }
    return true;
}

// the same theta with a factor that differs by a constant is the same friction, seen by another equation
static slip_inclusion_element *find_sgn(slip_dai_traversal *w, const slip_sgn_product *p,
                                        const slip_node *sgn)
{
    for (int k = w->last_sgn[sgn->arg[0]]; k > 0; k = w->elements[k - 1].before) {
        slip_inclusion_element *e = &w->elements[k - 1];
        if (e->varying == p->varying && e->argument[1] == sgn->arg[1]) return e;
    }
    return NULL;
}

static slip_inclusion_element *make_sgn(slip_dai_traversal *w, slip_ref term, const slip_sgn_product *p,
                                        slip_ref factor)
{
    static const char *const suffix[2][2] = { { "a", "" }, { "a.x", "a.y" } };
    slip_node sgn = slip_dai_traversal_node(w, p->sgn);
    slip_inclusion_element made = { .argument = { sgn.arg[0], sgn.arg[1] },
                                    .count = sgn.op == SLIP_OP_SGN ? 1 : 2,
                                    .factor = factor,
                                    .original = p->sgn,
                                    .varying = p->varying,
                                    .scale = p->scale,
                                    .before = w->last_sgn[sgn.arg[0]] };
    for (int k = 0; k < made.count; k++)
        if (slip_dai_traversal_contains(w, made.argument[k], SLIP_CONTAINS_DIO | SLIP_CONTAINS_SGN)) {
            slip_dai_traversal_fail(w, p->sgn,
                                    "the argument of sgn must be single-valued: no sgn or dio inside it");
            return NULL;
        }
    made.name = slip_dai_traversal_name(w, term, "sgn", &w->sgn_count);
    slip_ref chi = with_forces(w, factor), a[2] = { SLIP_NONE, SLIP_NONE };
    slip_inclusion_element *element = slip_dai_traversal_add(w, made);
    if (!element || w->status != SLIP_OK) return NULL;
    w->last_sgn[sgn.arg[0]] = (int)w->count;
    slip_dai_constants c = slip_dai_traversal_constants(w, element);
    int at = w->ode->state_count;
    w->ode->state_count += made.count;
    for (int k = 0; k < made.count; k++)
        a[k] = slip_element_state(w->ode, at + k, made.name, suffix[made.count - 1][k]);
    slip_dai_tangent law =
        slip_dai_tangent_law(w->ode, made.name, true, chi, made.count, made.argument, a, &c);
    slip_ode_element *view = &w->ode->elements[w->ode->element_count++];
    *view = slip_ode_empty_element(made.name);
    view->slip_count = made.count, view->limit = chi, view->stick = law.stick;
    for (int k = 0; k < made.count; k++) {
        w->ode->rate[at + k] = law.rate[k];
        element->force[k] = law.force[k];
        view->slip[k] = made.argument[k];
        view->force[k] = slip_op1(w->graph, SLIP_OP_NEG, law.force[k]);
    }
    return element;
}

static slip_ref replace_product(slip_dai_traversal *w, slip_ref term, slip_sgn_product p)
{
    slip_node sgn = slip_dai_traversal_node(w, p.sgn);
    slip_inclusion_element *element = find_sgn(w, &p, &sgn);
    double ratio = element ? p.scale / element->scale : 1.0;
    if (!element) {
        slip_ref factor = p.factor < 0 ? slip_graph_constant(w->graph, 1.0) : p.factor;
        bool minus = false;
        if (!check_factor(w, p.sgn, &factor, &minus)) return SLIP_NONE;
        element = make_sgn(w, term, &p, factor);
        if (minus) ratio = -1.0;
        if (element && minus) element->scale = -element->scale;
    }
    if (!element) return SLIP_NONE;
    slip_ref force = element->force[sgn.op == SLIP_OP_SGN_Y];
    if (ratio == -1.0) return slip_op1(w->graph, SLIP_OP_NEG, force);
    return ratio == 1.0 ? force
                        : slip_op2(w->graph, SLIP_OP_MUL, slip_graph_constant(w->graph, ratio), force);
}

// factor*(sum with sgn in it): a constant stays outside as in eq 48, anything else goes to each term
static slip_ref replace_scaled_sum(slip_dai_traversal *w, slip_ref ref, slip_sgn_product p)
{
    slip_node sum = slip_dai_traversal_node(w, p.rest);
    if (slip_sgn_product_is_defined(w, ref, &p))
        return slip_op2(w->graph, SLIP_OP_MUL, p.factor, replace_expression(w, p.rest));
    if (sum.op != SLIP_OP_ADD && sum.op != SLIP_OP_SUB) {
        slip_dai_traversal_fail(
            w, p.rest,
            "sgn stands inside another function; the procedure needs it as a term factor*sgn(theta)");
        return SLIP_NONE;
    }
    if (p.varying < 0) return slip_op2(w->graph, SLIP_OP_MUL, p.factor, replace_expression(w, p.rest));
    slip_ref part[2];
    for (int k = 0; k < 2; k++) {
        if (!slip_dai_traversal_contains(w, sum.arg[k], SLIP_CONTAINS_SGN)) {
            slip_ref factor = with_forces(w, p.factor); // first: elements are numbered in the order written
            part[k] = slip_op2(w->graph, SLIP_OP_MUL, factor, with_forces(w, sum.arg[k]));
            continue;
        }
        slip_sgn_product inner = slip_sgn_product_within(w, &p, sum.arg[k]);
        part[k] = w->status != SLIP_OK ? SLIP_NONE
                  : inner.sgn >= 0     ? replace_product(w, sum.arg[k], inner)
                                       : replace_scaled_sum(w, sum.arg[k], inner);
    }
    return slip_op2(w->graph, sum.op, part[0], part[1]);
}

static slip_ref replace_term(slip_dai_traversal *w, slip_ref ref)
{
    slip_node node = slip_dai_traversal_node(w, ref);
    if (node.op == SLIP_OP_ADD || node.op == SLIP_OP_SUB) {
        slip_ref left = replace_expression(w, node.arg[0]); // elements are numbered in the order written
        return slip_op2(w->graph, node.op, left, replace_expression(w, node.arg[1]));
    }
    if (node.op == SLIP_OP_NEG) return slip_op1(w->graph, SLIP_OP_NEG, replace_expression(w, node.arg[0]));
    // a constant that divides a whole term stays outside: -F*sgn(v)/M has the factor F
    if (node.op == SLIP_OP_DIV && !slip_dai_traversal_is_varying(w, node.arg[1]))
        return slip_op2(w->graph, SLIP_OP_DIV, replace_expression(w, node.arg[0]), node.arg[1]);
    slip_sgn_product p = slip_sgn_product_of(w, ref);
    if (w->status != SLIP_OK) return SLIP_NONE;
    return p.sgn >= 0 ? replace_product(w, ref, p) : replace_scaled_sum(w, ref, p);
}

static slip_ref replace_expression(slip_dai_traversal *w, slip_ref ref)
{
    if (ref < 0 || w->status != SLIP_OK) return SLIP_NONE;
    bool original = ref < w->original_count;
    if (original && w->replaced[ref] >= 0) return w->replaced[ref];
    slip_ref instead = ref;
    if (slip_dai_traversal_node(w, ref).op == SLIP_OP_DIO)
        instead = replace_dio(w, ref);
    else if (original && slip_dai_traversal_contains(w, ref, SLIP_CONTAINS_SGN))
        instead = replace_term(w, ref);
    else if (!original || slip_dai_traversal_contains(w, ref, SLIP_CONTAINS_DIO))
        instead = with_forces(w, ref);
    if (original) w->replaced[ref] = instead;
    return slip_dai_traversal_check(w, instead);
}

// -------------------------------------------------------------------------------------------- the ODE

static slip_status walk_states(slip_dai_traversal *w)
{
    const slip_model *model = w->model;
    slip_ode *ode = w->ode;
    int own = model->state_count;
    ode->state_count = own;
    ode->element_count = 0;
    for (int k = 0; k < own; k++) {
        ode->state_name[k] = model->states[k].name;
        ode->start[k] = model->states[k].start;
        ode->state[k] = slip_graph_input_ref(w->graph, 1 + k);
    }
    // every dio before any sgn, so that dio elements and their states come first (eq 32)
    for (slip_ref k = 0; k < w->original_count && w->status == SLIP_OK; k++)
        if (slip_dai_traversal_node(w, k).op == SLIP_OP_DIO && w->holds[k] & SLIP_IS_REFERENCED)
            replace_expression(w, k);
    for (int k = 0; k < own && w->status == SLIP_OK; k++)
        ode->rate[k] = replace_expression(w, model->states[k].rate.ref);
    return w->status;
}

// a term with a sgn or dio that the equations use is what stands for it there
static slip_ref record_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    (void)graph;
    const slip_dai_traversal *w = context;
    bool known = original < w->original_count &&
                 slip_dai_traversal_contains(w, original, SLIP_CONTAINS_DIO | SLIP_CONTAINS_SGN) &&
                 w->replaced[original] >= 0;
    return known ? w->replaced[original] : rewritten;
}

static slip_status walk_records(slip_dai_traversal *w)
{
    for (int k = 0; k < w->ode->record_count && w->status == SLIP_OK; k++) {
        slip_ref *record = &w->ode->record[k], where;
        *record = slip_dai_traversal_check(w, slip_graph_rewrite(w->graph, *record, record_rule, w));
        if (w->status != SLIP_OK || !slip_graph_is_set_valued(w->graph, *record, &where)) continue;
        if (where < 0)
            w->status = SLIP_NO_MEMORY;
        else
            slip_dai_traversal_fail(
                w, where,
                "this is recorded or drawn but stands in no right-hand side, so it has no value: define a "
                "whole "
                "term of an equation, and record that");
    }
    return w->status;
}

// an upper bound for the elements: every set-valued node, times its users, fits in twice the nodes
static int max_elements(const slip_graph *graph)
{
    int count = 0;
    for (slip_ref k = 0; k < slip_graph_node_count(graph); k++) {
        slip_node node = slip_graph_node(graph, k);
        if (node.op == SLIP_OP_DIO || slip_op_is_sgn(node.op)) count++;
        for (int i = 0; i < 3; i++)
            if (node.arg[i] >= 0 && slip_op_is_sgn(slip_graph_node(graph, node.arg[i]).op)) count++;
    }
    return count;
}

slip_status slip_inclusion_derive(const slip_model *model, slip_error *error, slip_ode **out,
                                  slip_inclusion *found)
{
    *out = NULL;
    int elements = max_elements(model->graph), nodes = slip_graph_node_count(model->graph);
    slip_ode *ode = NULL;
    slip_status status =
        slip_ode_create(model, NULL, model->state_count + 2 * elements, elements, error, &ode);
    if (status != SLIP_OK) return status;
    slip_dai_traversal w = {
        .model = model, .ode = ode, .graph = ode->graph, .error = error, .original_count = nodes
    };
    w.holds = calloc((size_t)nodes + 1, 1);
    w.replaced = malloc(((size_t)nodes + 1) * sizeof *w.replaced);
    w.definition = calloc((size_t)nodes + 1, sizeof *w.definition);
    w.last_sgn = calloc((size_t)nodes + 1, sizeof *w.last_sgn);
    w.taken = calloc((size_t)model->definition_count + 1, sizeof *w.taken);
    status = w.holds && w.replaced && w.definition && w.last_sgn && w.taken ? SLIP_OK : SLIP_NO_MEMORY;
    if (status == SLIP_OK) {
        for (int k = 0; k < nodes; k++) w.replaced[k] = SLIP_NONE;
        find_set_valued(&w);
        slip_dai_traversal_definitions(&w);
        status = walk_states(&w);
    }
    if (status == SLIP_OK) status = walk_records(&w);
    if (status == SLIP_OK && found) {
        found->count = (int)w.count;
        found->elements = SLIP_POOL_NEW(ode->pool, slip_inclusion_element, w.count);
        if (found->elements && w.count) memcpy(found->elements, w.elements, w.count * sizeof *w.elements);
        if (!found->elements) status = SLIP_NO_MEMORY;
    }
    if (status == SLIP_OK) status = slip_ode_compile(ode, error);
    free(w.holds);
    free(w.replaced);
    free(w.definition);
    free(w.last_sgn);
    free(w.taken);
    free(w.elements);
    if (status != SLIP_OK) {
        slip_ode_destroy(ode);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "formulation dai", "out of memory")
                                        : status;
    }
    *out = ode;
    return SLIP_OK;
}

slip_status slip_dai_inclusion(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                               slip_ode **ode)
{
    (void)settings; // the constants of an inclusion are the user's, not derived from the step
    return slip_inclusion_derive(model, error, ode, NULL);
}
