/// symbolic/compiler/tape_compile.c: from a plan to instructions and registers.
///
/// Registers: inputs first, then constants, then intermediate results, which share registers as soon
/// as their last use is past. Inputs, constants and roots keep theirs.
#include "symbolic/tape/tape.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/caches.h"
#include "symbolic/compiler/tape_cache.h"

typedef struct compiler {
    const slip_graph *graph;
    slip_plan plan;
    slip_tape *tape;
    size_t capacity;         // of code
    int32_t *home_register;  // register of each node, -1 before it has one
    int32_t *remaining_uses; // uses still to come
    int32_t *spare;          // registers to take again
    size_t spare_count, spare_capacity;
    int first_temporary;
    bool failed;
} compiler;

// --------------------------------------------------------------------------------------- registers

static int32_t new_register(compiler *c)
{
    if (c->spare_count > 0) return c->spare[--c->spare_count];
    if (c->tape->registers >= SLIP_MAX_REGISTERS) c->failed = true;
    return c->failed ? 0 : c->tape->registers++;
}

static void release_register(compiler *c, int32_t home_register)
{
    if (!slip_array_grow((void **)&c->spare, &c->spare_capacity, c->spare_count, sizeof *c->spare)) {
        c->failed = true;
        return;
    }
    c->spare[c->spare_count++] = home_register;
}

// The register of an operand; after its last use it may be reused, even by this result.
static uint32_t operand_register(compiler *c, slip_ref node)
{
    int32_t home_register = c->home_register[node];
    assert(home_register >= 0 &&
           c->remaining_uses[node] > 0); // computed before, and used as often as planned
    if (--c->remaining_uses[node] == 0 && home_register >= c->first_temporary)
        release_register(c, home_register);
    return (uint32_t)home_register;
}

static void set_home(compiler *c, slip_ref node)
{
    if (c->home_register[node] < 0) c->home_register[node] = new_register(c);
}

// ------------------------------------------------------------------------------------ instructions

static int emit_instruction(compiler *c, slip_tape_op op, uint32_t to, uint32_t a, uint32_t b, uint32_t third)
{
    slip_tape *t = c->tape;
    if (c->failed || !slip_array_grow((void **)&t->code, &c->capacity, (size_t)t->length, sizeof *t->code)) {
        c->failed = true;
        return 0;
    }
    t->code[t->length] =
        (slip_instruction){ .op = (unsigned)op & 0xff, .to = to & 0xffffff, .a = a, .b = b, .c = third };
    return t->length++;
}

static void set_jump_target(compiler *c, int jump)
{
    if (!c->failed) c->tape->code[jump].c = (uint32_t)c->tape->length;
}

// A lowered graph has operators, functions and leaves, and the latter need no instruction.
static slip_tape_op plain_op(slip_op op)
{
    switch (op) {
#define TAPE_OP_CASE(name, value)                                                                            \
    case SLIP_OP_##name:                                                                                     \
        return SLIP_TAPE_##name;
        SLIP_OPERATOR_VALUES(TAPE_OP_CASE)
        SLIP_INSTRUCTIONS(TAPE_OP_CASE)
#undef TAPE_OP_CASE
    default:
        assert(slip_function_of(op) && !slip_op_is_set_valued(op) && "lowered before");
        return slip_tape_call(op);
    }
}

// outer(inner(a, b), c), or outer(c, inner(a, b)) when `second`
static slip_tape_op fused_op(slip_op outer, slip_op inner, bool second)
{
    static const slip_tape_op first_of[] = { SLIP_TAPE_ADD_ADD, SLIP_TAPE_ADD_SUB, SLIP_TAPE_ADD_MUL,
                                             SLIP_TAPE_ADD_DIV };
    static const slip_tape_op second_of[] = { SLIP_TAPE_ADD_ADD, SLIP_TAPE_SUB_OF_ADD, SLIP_TAPE_ADD_MUL,
                                              SLIP_TAPE_DIV_BY_ADD };
    return (second ? second_of : first_of)[outer - SLIP_OP_ADD] + (slip_tape_op)(inner - SLIP_OP_ADD);
}

static void emit_fused(compiler *c, slip_ref node)
{
    const slip_node *n = slip_graph_at(c->graph, node);
    int which = c->plan.absorbed[node] - 1;
    const slip_node *inner = slip_graph_at(c->graph, n->arg[which]);
    uint32_t a = operand_register(c, inner->arg[0]), b = operand_register(c, inner->arg[1]),
             other = operand_register(c, n->arg[1 - which]);
    set_home(c, node);
    emit_instruction(c, fused_op(n->op, inner->op, which == 1), (uint32_t)c->home_register[node], a, b,
                     other);
}

static void emit_plain(compiler *c, slip_ref node)
{
    const slip_node *n = slip_graph_at(c->graph, node);
    uint32_t r[3] = { 0 };
    for (int j = 0; j < slip_op_arity(n->op); j++) r[j] = operand_register(c, n->arg[j]);
    set_home(c, node);
    emit_instruction(c, plain_op(n->op), (uint32_t)c->home_register[node], r[0], r[1], r[2]);
}

static void emit_sincos(compiler *c, slip_ref node)
{
    const slip_node *n = slip_graph_at(c->graph, node);
    slip_ref partner = c->plan.partner[node];
    slip_ref sine = n->op == SLIP_OP_SIN ? node : partner, cosine = n->op == SLIP_OP_SIN ? partner : node;
    uint32_t angle = operand_register(c, n->arg[0]);
    operand_register(c, n->arg[0]);
    set_home(c, sine);
    set_home(c, cosine);
    emit_instruction(c, SLIP_TAPE_SINCOS, (uint32_t)c->home_register[sine], angle, 0,
                     (uint32_t)c->home_register[cosine]);
}

// --------------------------------------------------------------------------------------- branches

static void emit_region(compiler *c, int region);

static int emit_condition(compiler *c, slip_ref node)
{
    const slip_node *n = slip_graph_at(c->graph, node);
    if (c->plan.absorbed[node] == 0)
        return emit_instruction(c, SLIP_TAPE_UNLESS, 0, operand_register(c, n->arg[0]), 0, 0);
    const slip_node *asked = slip_graph_at(c->graph, n->arg[0]);
    uint32_t a = operand_register(c, asked->arg[0]), b = operand_register(c, asked->arg[1]);
    return emit_instruction(c, asked->op == SLIP_OP_LT ? SLIP_TAPE_UNLESS_LT : SLIP_TAPE_UNLESS_LE, 0, a, b,
                            0);
}

// one branch of an `if`: its own operations, then its value into the register of the `if`
static void emit_branch(compiler *c, slip_ref node, int region, slip_ref value)
{
    // the last operation of the branch can write there directly
    bool direct = c->plan.region[value] == region && c->plan.uses[value] == 1 &&
                  c->home_register[value] < 0 && c->plan.absorbed[value] >= 0;
    if (direct) c->home_register[value] = c->home_register[node];
    emit_region(c, region);
    if (direct)
        c->remaining_uses[value]--;
    else
        emit_instruction(c, SLIP_TAPE_MOVE, (uint32_t)c->home_register[node], operand_register(c, value), 0,
                         0);
}

static void emit_if(compiler *c, slip_ref node)
{
    const slip_node *n = slip_graph_at(c->graph, node);
    int region = c->plan.branch[node], first = emit_condition(c, node);
    set_home(c, node);
    emit_branch(c, node, region, n->arg[1]);
    int over = emit_instruction(c, SLIP_TAPE_JUMP, 0, 0, 0, 0);
    set_jump_target(c, first);
    emit_branch(c, node, region + 1, n->arg[2]);
    set_jump_target(c, over);
}

// The recursion is as deep as regions are nested.
static void emit_region(compiler *c, int region)
{
    for (slip_ref k = c->plan.first[region]; k >= 0 && !c->failed; k = c->plan.next[k]) {
        slip_op op = slip_graph_at(c->graph, k)->op;
        if (op == SLIP_OP_CONSTANT || op == SLIP_OP_INPUT || c->plan.absorbed[k] < 0 ||
            c->plan.partner[k] == -2)
            continue;
        if (op == SLIP_OP_IF && c->plan.branch[k] >= 0)
            emit_if(c, k);
        else if (c->plan.absorbed[k] > 0)
            emit_fused(c, k);
        else if (c->plan.partner[k] >= 0)
            emit_sincos(c, k);
        else
            emit_plain(c, k);
    }
}

// ------------------------------------------------------------------------------------ the whole tape

static bool place_leaves(compiler *c, int input_count)
{
    slip_tape *t = c->tape;
    t->first_constant = t->registers = input_count;
    size_t capacity = 0, places = 0;
    for (int k = 0; k < c->plan.node_count; k++) {
        const slip_node *n = slip_graph_at(c->graph, k);
        c->home_register[k] = n->op == SLIP_OP_INPUT ? n->arg[0] : -1;
        if (n->op != SLIP_OP_CONSTANT || c->plan.uses[k] == 0) continue;
        if (!slip_array_grow((void **)&t->constants, &capacity, (size_t)t->constant_count,
                             sizeof *t->constants) ||
            !slip_array_grow((void **)&t->constant_node, &places, (size_t)t->constant_count,
                             sizeof *t->constant_node))
            return false;
        t->constant_node[t->constant_count] = k;
        t->constants[t->constant_count++] = n->value;
        c->home_register[k] = t->registers++;
    }
    c->first_temporary = t->registers;
    return t->registers < SLIP_MAX_REGISTERS;
}

static bool compile_tape(compiler *c, const slip_ref *roots, int count, int input_count)
{
    size_t nodes = (size_t)c->plan.node_count + 1;
    c->home_register = malloc(nodes * sizeof *c->home_register);
    c->remaining_uses = malloc(nodes * sizeof *c->remaining_uses);
    c->tape->results = malloc((size_t)(count + 1) * sizeof *c->tape->results);
    if (!c->home_register || !c->remaining_uses || !c->tape->results || !place_leaves(c, input_count))
        return false;
    memcpy(c->remaining_uses, c->plan.uses,
           nodes * sizeof *c->remaining_uses); // a root has one use that never comes
    emit_region(c, 0);
    emit_instruction(c, SLIP_TAPE_END, 0, 0, 0, 0);
    c->tape->result_count = count;
    for (int k = 0; k < count; k++) {
        assert(c->failed || c->home_register[roots[k]] >= 0);
        c->tape->results[k] = c->home_register[roots[k]];
    }
    return !c->failed;
}

// Keeps the graph that the cache compares with, if there is a cache.
static void keep_origin(slip_tape *t, slip_tape_cache *tape_cache, slip_graph *low, slip_ref *lowered)
{
    t->tape_cache = tape_cache;
    if (tape_cache) {
        t->low = low;
        t->roots = lowered;
        return;
    }
    slip_graph_destroy(low);
    free(lowered);
}

static slip_tape *make_tape(const slip_graph *graph, slip_graph *low, slip_ref *lowered, int count,
                            int inputs)
{
    compiler c = { .graph = low, .tape = calloc(1, sizeof *c.tape) };
    bool fine = c.tape && slip_plan_create(&c.plan, low, lowered, count);
    fine = fine && compile_tape(&c, lowered, count, inputs);
    slip_plan_destroy(&c.plan);
    free(c.home_register);
    free(c.remaining_uses);
    free(c.spare);
    if (fine) {
        c.tape->first_memo = c.tape->registers;
        c.tape->time_count = c.tape->first_constant > 0; // input 0
        c.tape->interpreted = !slip_graph_keeps(graph, SLIP_CACHE_CODE);
        if (!c.tape->interpreted) slip_tape_make_native(c.tape, slip_tape_has_avx());
        keep_origin(c.tape, graph->tape_cache, low, lowered);
        return c.tape;
    }
    slip_tape_release(c.tape);
    slip_graph_destroy(low);
    free(lowered);
    return NULL;
}

slip_tape *slip_tape_create(const slip_graph *graph, const slip_ref *roots, int count)
{
    if (slip_graph_failed(graph)) return NULL; // a node may be missing when memory ran out
    slip_ref *lowered = malloc((size_t)(count + 1) * sizeof *lowered);
    slip_graph *low = lowered ? slip_graph_lower(graph, roots, lowered, count) : NULL;
    const int inputs = slip_graph_input_count(graph);
    slip_tape *known = low && graph->tape_cache
                           ? slip_tape_cache_take_tape(graph->tape_cache, low, lowered, count, inputs)
                           : NULL;
    if (low && !known) return make_tape(graph, low, lowered, count, inputs);
    slip_graph_destroy(low);
    free(lowered);
    return known;
}

void slip_tape_release(slip_tape *t)
{
    if (!t) return;
    slip_tape_drop_native(t);
    slip_graph_destroy(t->low);
    free(t->roots);
    free(t->code);
    free(t->constants);
    free(t->constant_node);
    free(t->results);
    free(t->origin);
    free(t);
}

void slip_tape_destroy(slip_tape *t)
{
    if (t && t->tape_cache)
        slip_tape_cache_put_tape(t->tape_cache, t);
    else
        slip_tape_release(t);
}

int slip_tape_registers(const slip_tape *t)
{
    return t->registers;
}
int slip_tape_length(const slip_tape *t)
{
    return t->length;
}
int slip_tape_result(const slip_tape *t, int k)
{
    assert(k >= 0 && k < t->result_count);
    return t->results[k];
}

bool slip_tape_result_constant(const slip_tape *t, int k, double *value)
{
    int at = slip_tape_result(t, k) - t->first_constant;
    if (at < 0 || at >= t->constant_count) return false;
    *value = t->constants[at];
    return true;
}
