/// compliant/dai_inclusion.c: Xiong 2013, section 4.4: from sgn and dio where they stand to the ODE (32).
#include "compliant/dai_inclusion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula/build.h"
#include "compliant/dai.h"

/// A walk over the right-hand sides. Everything is remembered per node, so a shared subexpression is
/// looked at once.
typedef struct walk {
    const slip_model *model;
    slip_ode *ode;
    slip_graph *graph;
    slip_error *error;
    slip_status status;
    int original_count; // nodes of the model's graph: only these can hold sgn and dio
    char *holds;        // per original node: what it holds, whether a right-hand side uses it
    slip_ref *replaced; // per original node: what stands for it; SLIP_NONE when not yet known
    int *definition;    // per original node: the definition that is exactly it, + 1; 0 when none is
    bool *taken;        // per definition: its name is an element's
    int *last_sgn;      // per original node: last element whose theta begins with it, + 1
    slip_inclusion_element *elements;
    size_t count, capacity;
    int dio_count, sgn_count;
} walk;

enum { HOLDS_NOTHING = 1, HOLDS_DIO = 2, HOLDS_SGN = 4, IS_USED = 8, VARIES = 16 };

static slip_node node_of(const walk *w, slip_ref ref)
{
    return slip_graph_node(w->graph, ref);
}

static bool is_sgn(slip_op op)
{
    return op == SLIP_OP_SGN || op == SLIP_OP_SGN_X || op == SLIP_OP_SGN_Y;
}

// where it was written; an expression that the program made is where its first written part is
static slip_span place_of(const walk *w, slip_ref ref)
{
    while (!slip_graph_place(w->graph, ref).source && node_of(w, ref).arg[0] >= 0)
        ref = node_of(w, ref).arg[0];
    return slip_graph_place(w->graph, ref);
}

static slip_status refuse(walk *w, slip_ref at, const char *text)
{
    char place[160];
    if (w->status != SLIP_OK) return w->status;
    return w->status = slip_fail(w->error, SLIP_BAD_MODEL,
                                 slip_span_place(place_of(w, at), place, sizeof place), "%s", text);
}

// operands come before their users, so one loop over the nodes settles what each of them holds
static void find_set_valued(walk *w)
{
    for (slip_ref k = 0; k < w->original_count; k++) {
        slip_node node = node_of(w, k);
        int holds = node.op == SLIP_OP_DIO ? HOLDS_DIO | VARIES : is_sgn(node.op) ? HOLDS_SGN | VARIES : 0;
        if (node.op == SLIP_OP_INPUT) holds |= VARIES;
        for (int i = 0; i < 3; i++)
            if (node.arg[i] >= 0) holds |= w->holds[node.arg[i]] & ~HOLDS_NOTHING;
        w->holds[k] = (char)(holds ? holds : HOLDS_NOTHING);
    }
    for (int k = 0; k < w->model->state_count; k++) w->holds[w->model->states[k].rate.ref] |= IS_USED;
    for (slip_ref k = w->original_count - 1; k >= 0; k--) {
        slip_node node = node_of(w, k);
        for (int i = 0; i < 3 && w->holds[k] & IS_USED; i++)
            if (node.arg[i] >= 0) w->holds[node.arg[i]] |= IS_USED;
    }
}

static bool holds(const walk *w, slip_ref ref, int what)
{
    return ref >= 0 && (w->holds[ref] & what) != 0;
}

// ------------------------------------------------------------------------------------ naming elements

// the first definition of a node gives it its name; a minus in front is not part of an element
static void find_definitions(walk *w)
{
    for (int k = w->model->definition_count - 1; k >= 0; k--) {
        const struct slip_definition *d = &w->model->definitions[k];
        for (int c = 0; c < d->value.count; c++) {
            slip_ref part = d->value.part[c];
            if (part >= 0 && node_of(w, part).op == SLIP_OP_NEG) part = node_of(w, part).arg[0];
            if (part >= 0 && part < w->original_count) w->definition[part] = k + 1;
        }
    }
}

static bool is_defined(const walk *w, const char *name)
{
    for (int k = 0; k < w->model->definition_count; k++)
        if (strcmp(w->model->definitions[k].name, name) == 0) return true;
    return false;
}

// an element is called like the definition that is exactly it, else dio1, sgn1, ...
static const char *name_element(walk *w, slip_ref term, const char *word, int *number)
{
    int at = term < w->original_count ? w->definition[term] - 1 : -1;
    if (at >= 0 && !w->taken[at]) {
        w->taken[at] = true;
        return w->model->definitions[at].name;
    }
    char name[64];
    do snprintf(name, sizeof name, "%s%d", word, ++*number);
    while (is_defined(w, name));
    const char *kept = slip_pool_text(w->ode->pool, name, strlen(name));
    if (!kept) w->status = SLIP_NO_MEMORY;
    return kept ? kept : "";
}

static slip_inclusion_element *add_element(walk *w, slip_inclusion_element made)
{
    if (!slip_grow((void **)&w->elements, &w->capacity, w->count, sizeof made)) {
        w->status = SLIP_NO_MEMORY;
        return NULL;
    }
    w->elements[w->count] = made;
    return &w->elements[w->count++];
}

// ------------------------------------------------------------------------------- constants of elements

static void take_given(slip_dai_constants *to, const slip_dai_constants *from)
{
    double *mine[] = { &to->K, &to->alpha, &to->beta, &to->K_t, &to->beta_t };
    const double *theirs[] = { &from->K, &from->alpha, &from->beta, &from->K_t, &from->beta_t };
    for (int k = 0; k < 5; k++)
        if (!isnan(*theirs[k])) *mine[k] = *theirs[k];
}

// those for all, then those for this element; friction falls back on K and beta
static slip_dai_constants constants_of(walk *w, const slip_inclusion_element *element)
{
    slip_dai_constants c = { NAN, NAN, NAN, NAN, NAN };
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < w->model->constants_count; k++) {
            const slip_inclusion_constants *given = &w->model->constants[k];
            bool general = given->name == NULL;
            if (general != (pass == 0) || (!general && strcmp(given->name, element->name) != 0)) continue;
            slip_dai_constants own = given->dai;
            if (!element->is_dio && isnan(own.K_t)) own.K_t = own.K;
            if (!element->is_dio && isnan(own.beta_t)) own.beta_t = own.beta;
            take_given(&c, &own);
        }
    char text[320];
    bool whole = element->is_dio ? !isnan(c.K) && !isnan(c.alpha) && !isnan(c.beta)
                                 : !isnan(c.K_t) && !isnan(c.beta_t);
    if (!whole) {
        snprintf(text, sizeof text,
                 "element '%s' needs %s: an inclusion has no masses to derive them from; give them "
                 "under dai:, for all elements or for this one",
                 element->name, element->is_dio ? "K, alpha and beta" : "K and beta");
        refuse(w, element->original, text);
    }
    return c;
}

// ------------------------------------------------------------------------------------------ step 1: dio

static slip_ref replace(walk *w, slip_ref ref);

static slip_ref replace_dio(walk *w, slip_ref ref)
{
    slip_ref psi = node_of(w, ref).arg[0];
    if (holds(w, psi, HOLDS_DIO | HOLDS_SGN)) {
        refuse(w, ref, "the argument of dio must be single-valued: no sgn or dio inside it");
        return SLIP_NONE;
    }
    slip_inclusion_element made = {
        .is_dio = true, .argument = { psi, SLIP_NONE }, .count = 1, .factor = SLIP_NONE, .original = ref
    };
    made.name = name_element(w, ref, "dio", &w->dio_count);
    slip_inclusion_element *element = add_element(w, made);
    if (!element) return SLIP_NONE;
    slip_dai_constants c = constants_of(w, element);
    int at = w->ode->state_count++;
    slip_ref e = slip_element_state(w->ode, at, element->name, "e");
    slip_dai_normal law = slip_dai_normal_law(w->ode, element->name, psi, e, &c, SLIP_NONE);
    w->ode->rate[at] = law.rate;
    slip_ode_element *view = &w->ode->elements[w->ode->element_count++];
    *view = slip_ode_no_element(element->name);
    view->gap = psi, view->normal = law.force, view->closed = law.closed;
    return element->force[0] = law.force;
}

// ------------------------------------------------------------------------------------------ step 2: sgn

/// A product with one sgn in it: sign * factor * sgn(theta).
typedef struct product {
    slip_ref sgn;                // the sgn node; SLIP_NONE when the chain ends on a sum or a defined element
    slip_ref rest;               // what the chain ends on
    slip_ref factor;             // product of everything beside it; SLIP_NONE stands for 1
    slip_ref varying;            // what of the factor is not constant; SLIP_NONE stands for 1
    double scale;                // value of the constant rest of the factor, with its sign
    slip_ref over, varying_over; // divisors met on the way down, until the end of it
} product;

// in a product SLIP_NONE stands for 1, so a node that could not be made has to be remembered at once
static slip_ref remembered(walk *w, slip_ref ref)
{
    if (ref < 0 && w->status == SLIP_OK) w->status = SLIP_NO_MEMORY;
    return ref;
}

static slip_ref times(walk *w, slip_ref a, slip_ref b)
{
    if (a < 0) return b;
    return b < 0 ? a : remembered(w, slip_op2(w->graph, SLIP_OP_MUL, a, b));
}

static bool varies(const walk *w, slip_ref ref)
{
    return holds(w, ref, VARIES);
}

static double value_of(walk *w, slip_ref constant)
{
    double value = slip_graph_evaluate(w->graph, constant);
    if (!isnan(value)) return value;
    // not a number, or not enough memory to know
    slip_tape *tape = slip_tape_create(w->graph, &constant, 1);
    if (!tape) {
        w->status = w->status == SLIP_OK ? SLIP_NO_MEMORY : w->status;
        return NAN;
    }
    if (!slip_tape_result_constant(tape, 0, &value) || isnan(value))
        refuse(w, constant, "this factor of a sgn is not a number");
    slip_tape_destroy(tape);
    return value;
}

// one more factor beside the sgn, in the order written: `before` the others or behind them
static void collect(walk *w, product *p, slip_ref factor, bool before)
{
    if (varies(w, factor))
        p->varying = before ? times(w, factor, p->varying) : times(w, p->varying, factor);
    else
        p->scale *= value_of(w, factor);
    p->factor = before ? times(w, factor, p->factor) : times(w, p->factor, factor);
}

static void divide(walk *w, product *p, slip_ref divisor)
{
    if (varies(w, divisor))
        p->varying_over = times(w, divisor, p->varying_over);
    else
        p->scale /= value_of(w, divisor);
    p->over = times(w, divisor, p->over);
}

static slip_ref quotient(walk *w, slip_ref a, slip_ref b)
{
    if (b < 0) return a;
    return remembered(w, slip_op2(w->graph, SLIP_OP_DIV, a < 0 ? slip_graph_constant(w->graph, 1.0) : a, b));
}

static void negate(walk *w, product *p)
{
    p->scale = -p->scale;
    p->factor = remembered(w, p->factor < 0 ? slip_graph_constant(w->graph, -1.0)
                                            : slip_op1(w->graph, SLIP_OP_NEG, p->factor));
}

// c*f where f is a definition: f is the element and c, a constant, stays outside
static bool ends_on_definition(const walk *w, slip_ref start, const product *p)
{
    return p->rest != start && p->rest < w->original_count && w->definition[p->rest] && p->varying < 0 &&
           p->varying_over < 0 && !is_sgn(node_of(w, p->rest).op);
}

// goes down the factors of a product to its sgn, collecting what stands beside it
static product go_down(walk *w, slip_ref ref)
{
    product p = { SLIP_NONE, ref, SLIP_NONE, SLIP_NONE, 1.0, SLIP_NONE, SLIP_NONE };
    while (w->status == SLIP_OK && !ends_on_definition(w, ref, &p)) {
        slip_node node = node_of(w, p.rest);
        if (is_sgn(node.op)) {
            p.sgn = p.rest;
            return p;
        }
        if (node.op == SLIP_OP_NEG) {
            negate(w, &p);
            p.rest = node.arg[0];
        } else if (node.op == SLIP_OP_MUL) {
            bool left = holds(w, node.arg[0], HOLDS_SGN), right = holds(w, node.arg[1], HOLDS_SGN);
            if (left && right) {
                refuse(w, p.rest, "a product of two sgn is not of the form factor*sgn(theta)");
                return p;
            }
            collect(w, &p, left ? node.arg[1] : node.arg[0], !left);
            p.rest = left ? node.arg[0] : node.arg[1];
        } else if (node.op == SLIP_OP_DIV && !holds(w, node.arg[1], HOLDS_SGN)) {
            divide(w, &p, node.arg[1]);
            p.rest = node.arg[0];
        } else {
            return p;
        }
    }
    return p;
}

static product take_apart(walk *w, slip_ref ref)
{
    product p = go_down(w, ref);
    p.factor = quotient(w, p.factor, p.over);
    p.varying = quotient(w, p.varying, p.varying_over);
    return p;
}

// dio inside an expression that holds no sgn, by its force
static slip_ref dio_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    walk *w = context;
    if (slip_graph_node(graph, original).op != SLIP_OP_DIO) return rewritten;
    return replace(w, original);
}

static slip_ref with_forces(walk *w, slip_ref ref)
{
    return slip_graph_rewrite(w->graph, ref, dio_rule, w);
}

// chi must be nonnegative and continuous; the sign in front of the product may be the user's minus
static bool check_factor(walk *w, slip_ref sgn, slip_ref *factor, bool *minus)
{
    slip_range range = slip_graph_range(w->graph, *factor);
    if (isnan(range.low)) {
        w->status = SLIP_NO_MEMORY;
        return false;
    }
    *minus = !(range.low >= 0.0) && range.high <= 0.0;
    if (*minus) *factor = slip_op1(w->graph, SLIP_OP_NEG, *factor);
    if (!*minus && !(range.low >= 0.0)) {
        refuse(w, sgn,
               "the factor of this sgn is not known to be nonnegative; if it is, say so with max(0, ...)");
        return false;
    }
    slip_ref where;
    if (slip_graph_jumps(w->graph, *factor, &where)) {
        if (where < 0) {
            w->status = SLIP_NO_MEMORY;
            return false;
        }
        refuse(w, slip_graph_place(w->graph, where).source ? where : sgn,
               "the factor of a sgn may jump through dio only: no if, comparison, sign, floor or sgn in it");
        return false;
    }
    return true;
}

// the same theta with a factor that differs by a constant is the same friction, seen by another equation
static slip_inclusion_element *find_sgn(walk *w, const product *p, const slip_node *sgn)
{
    for (int k = w->last_sgn[sgn->arg[0]]; k > 0; k = w->elements[k - 1].before) {
        slip_inclusion_element *e = &w->elements[k - 1];
        if (e->varying == p->varying && e->argument[1] == sgn->arg[1]) return e;
    }
    return NULL;
}

static slip_inclusion_element *make_sgn(walk *w, slip_ref term, const product *p, slip_ref factor)
{
    static const char *const suffix[2][2] = { { "a", "" }, { "a.x", "a.y" } };
    slip_node sgn = node_of(w, p->sgn);
    slip_inclusion_element made = { .argument = { sgn.arg[0], sgn.arg[1] },
                                    .count = sgn.op == SLIP_OP_SGN ? 1 : 2,
                                    .factor = factor,
                                    .original = p->sgn,
                                    .varying = p->varying,
                                    .scale = p->scale,
                                    .before = w->last_sgn[sgn.arg[0]] };
    for (int k = 0; k < made.count; k++)
        if (holds(w, made.argument[k], HOLDS_DIO | HOLDS_SGN)) {
            refuse(w, p->sgn, "the argument of sgn must be single-valued: no sgn or dio inside it");
            return NULL;
        }
    made.name = name_element(w, term, "sgn", &w->sgn_count);
    slip_ref chi = with_forces(w, factor), a[2] = { SLIP_NONE, SLIP_NONE };
    slip_inclusion_element *element = add_element(w, made);
    if (!element || w->status != SLIP_OK) return NULL;
    w->last_sgn[sgn.arg[0]] = (int)w->count;
    slip_dai_constants c = constants_of(w, element);
    int at = w->ode->state_count;
    w->ode->state_count += made.count;
    for (int k = 0; k < made.count; k++)
        a[k] = slip_element_state(w->ode, at + k, made.name, suffix[made.count - 1][k]);
    slip_dai_tangent law =
        slip_dai_tangent_law(w->ode, made.name, true, chi, made.count, made.argument, a, &c);
    slip_ode_element *view = &w->ode->elements[w->ode->element_count++];
    *view = slip_ode_no_element(made.name);
    view->slip_count = made.count, view->limit = chi, view->stick = law.stick;
    for (int k = 0; k < made.count; k++) {
        w->ode->rate[at + k] = law.rate[k];
        element->force[k] = law.force[k];
        view->slip[k] = made.argument[k];
        view->force[k] = slip_op1(w->graph, SLIP_OP_NEG, law.force[k]);
    }
    return element;
}

static slip_ref replace_product(walk *w, slip_ref term, product p)
{
    slip_node sgn = node_of(w, p.sgn);
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

// a product inside another: also through definitions, which no longer stand for themselves there
static product within(walk *w, const product *outer, slip_ref ref)
{
    product all = *outer;
    slip_ref start;
    do {
        start = ref;
        product inner = take_apart(w, ref);
        all.factor = times(w, all.factor, inner.factor);
        all.varying = times(w, all.varying, inner.varying);
        all.scale *= inner.scale;
        all.sgn = inner.sgn;
        all.rest = ref = inner.rest;
    } while (w->status == SLIP_OK && all.sgn < 0 && ref != start &&
             (node_of(w, ref).op == SLIP_OP_MUL || node_of(w, ref).op == SLIP_OP_DIV ||
              node_of(w, ref).op == SLIP_OP_NEG));
    return all;
}

// factor*(sum with sgn in it): a constant stays outside as in eq 48, anything else goes to each term
static slip_ref replace_scaled_sum(walk *w, slip_ref ref, product p)
{
    slip_node sum = node_of(w, p.rest);
    if (ends_on_definition(w, ref, &p)) return slip_op2(w->graph, SLIP_OP_MUL, p.factor, replace(w, p.rest));
    if (sum.op != SLIP_OP_ADD && sum.op != SLIP_OP_SUB) {
        refuse(w, p.rest,
               "sgn stands inside another function; the procedure needs it as a term factor*sgn(theta)");
        return SLIP_NONE;
    }
    if (p.varying < 0) return slip_op2(w->graph, SLIP_OP_MUL, p.factor, replace(w, p.rest));
    slip_ref part[2];
    for (int k = 0; k < 2; k++) {
        if (!holds(w, sum.arg[k], HOLDS_SGN)) {
            slip_ref factor = with_forces(w, p.factor); // first: elements are numbered in the order written
            part[k] = slip_op2(w->graph, SLIP_OP_MUL, factor, with_forces(w, sum.arg[k]));
            continue;
        }
        product inner = within(w, &p, sum.arg[k]);
        part[k] = w->status != SLIP_OK ? SLIP_NONE
                  : inner.sgn >= 0     ? replace_product(w, sum.arg[k], inner)
                                       : replace_scaled_sum(w, sum.arg[k], inner);
    }
    return slip_op2(w->graph, sum.op, part[0], part[1]);
}

static slip_ref replace_term(walk *w, slip_ref ref)
{
    slip_node node = node_of(w, ref);
    if (node.op == SLIP_OP_ADD || node.op == SLIP_OP_SUB) {
        slip_ref left = replace(w, node.arg[0]); // elements are numbered in the order written
        return slip_op2(w->graph, node.op, left, replace(w, node.arg[1]));
    }
    if (node.op == SLIP_OP_NEG) return slip_op1(w->graph, SLIP_OP_NEG, replace(w, node.arg[0]));
    // a constant that divides a whole term stays outside: -F*sgn(v)/M has the factor F
    if (node.op == SLIP_OP_DIV && !varies(w, node.arg[1]))
        return slip_op2(w->graph, SLIP_OP_DIV, replace(w, node.arg[0]), node.arg[1]);
    product p = take_apart(w, ref);
    if (w->status != SLIP_OK) return SLIP_NONE;
    return p.sgn >= 0 ? replace_product(w, ref, p) : replace_scaled_sum(w, ref, p);
}

static slip_ref replace(walk *w, slip_ref ref)
{
    if (ref < 0 || w->status != SLIP_OK) return SLIP_NONE;
    bool original = ref < w->original_count;
    if (original && w->replaced[ref] >= 0) return w->replaced[ref];
    slip_ref instead = ref;
    if (node_of(w, ref).op == SLIP_OP_DIO)
        instead = replace_dio(w, ref);
    else if (original && holds(w, ref, HOLDS_SGN))
        instead = replace_term(w, ref);
    else if (!original || holds(w, ref, HOLDS_DIO))
        instead = with_forces(w, ref);
    if (original) w->replaced[ref] = instead;
    return remembered(w, instead);
}

// -------------------------------------------------------------------------------------------- the ODE

static slip_status walk_states(walk *w)
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
        if (node_of(w, k).op == SLIP_OP_DIO && w->holds[k] & IS_USED) replace(w, k);
    for (int k = 0; k < own && w->status == SLIP_OK; k++)
        ode->rate[k] = replace(w, model->states[k].rate.ref);
    return w->status;
}

// a term with a sgn or dio that the equations use is what stands for it there
static slip_ref record_rule(void *context, slip_graph *graph, slip_ref original, slip_ref rewritten)
{
    (void)graph;
    const walk *w = context;
    bool known = original < w->original_count && holds(w, original, HOLDS_DIO | HOLDS_SGN) &&
                 w->replaced[original] >= 0;
    return known ? w->replaced[original] : rewritten;
}

static slip_status walk_records(walk *w)
{
    for (int k = 0; k < w->ode->record_count && w->status == SLIP_OK; k++) {
        slip_ref *record = &w->ode->record[k], where;
        *record = remembered(w, slip_graph_rewrite(w->graph, *record, record_rule, w));
        if (w->status != SLIP_OK || !slip_graph_is_set_valued(w->graph, *record, &where)) continue;
        if (where < 0)
            w->status = SLIP_NO_MEMORY;
        else
            refuse(w, where,
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
        if (node.op == SLIP_OP_DIO || is_sgn(node.op)) count++;
        for (int i = 0; i < 3; i++)
            if (node.arg[i] >= 0 && is_sgn(slip_graph_node(graph, node.arg[i]).op)) count++;
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
    walk w = { .model = model, .ode = ode, .graph = ode->graph, .error = error, .original_count = nodes };
    w.holds = calloc((size_t)nodes + 1, 1);
    w.replaced = malloc(((size_t)nodes + 1) * sizeof *w.replaced);
    w.definition = calloc((size_t)nodes + 1, sizeof *w.definition);
    w.last_sgn = calloc((size_t)nodes + 1, sizeof *w.last_sgn);
    w.taken = calloc((size_t)model->definition_count + 1, sizeof *w.taken);
    status = w.holds && w.replaced && w.definition && w.last_sgn && w.taken ? SLIP_OK : SLIP_NO_MEMORY;
    if (status == SLIP_OK) {
        for (int k = 0; k < nodes; k++) w.replaced[k] = SLIP_NONE;
        find_set_valued(&w);
        find_definitions(&w);
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
