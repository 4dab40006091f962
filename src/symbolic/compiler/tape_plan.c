/// symbolic/compiler/tape_plan.c: decides which operations share an instruction, and which are needed in one branch only.
///
/// Regions form a tree: region 0 is always computed, and each `if` opens two below its own, one per
/// branch. A node belongs to the innermost region that holds all its uses, so what only one branch
/// needs is skipped with it. A region too cheap to be worth a jump is merged into the one around it:
/// its nodes are then computed always and the `if` selects. Either way the result is the same.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/tape/tape.h"

enum {
    MAX_REGION_NESTING = 64, // regions nested deeper are not opened, which bounds the search for a common one
    MIN_COST_FOR_JUMP = 8,   // in simple operations; a mispredicted jump costs about as much
};

typedef struct region {
    int32_t parent, depth;
    int32_t owner; // the `if`
    int weight;
} region;

typedef struct planner {
    slip_plan *plan;
    region *regions;
    size_t count, capacity;
} planner;

static int op_cost(slip_op op)
{
    const slip_function *f = slip_function_of(op);
    if (f) return slip_function_cost(f);
    switch (op) {
    case SLIP_OP_CONSTANT:
    case SLIP_OP_INPUT:
        return 0;
    case SLIP_OP_DIV:
        return 4;
    case SLIP_OP_POW:
        return 25;
    default:
        return 1;
    }
}

static int open_region(planner *p, int32_t parent, int32_t owner)
{
    if (!slip_array_grow((void **)&p->regions, &p->capacity, p->count, sizeof *p->regions)) return -1;
    int32_t depth = parent < 0 ? 0 : p->regions[parent].depth + 1;
    p->regions[p->count] = (region){ parent, depth, owner, 0 };
    return (int)p->count++;
}

static int32_t common_region(const planner *p, int32_t a, int32_t b)
{
    while (a != b) {
        if (p->regions[a].depth >= p->regions[b].depth)
            a = p->regions[a].parent;
        else
            b = p->regions[b].parent;
    }
    return a;
}

static void note_use(planner *p, slip_ref node, int32_t in)
{
    slip_plan *plan = p->plan;
    plan->region[node] = plan->uses[node]++ == 0 ? in : common_region(p, plan->region[node], in);
}

// Users come before operands: when a node is visited, all its uses are known.
static bool find_regions(planner *p)
{
    slip_plan *plan = p->plan;
    for (int k = plan->node_count - 1; k >= 0; k--) {
        if (plan->uses[k] == 0) continue;
        const slip_node *n = slip_graph_at(plan->graph, k);
        int32_t in = plan->region[k];
        p->regions[in].weight += op_cost(n->op);
        bool opens = n->op == SLIP_OP_IF && p->regions[in].depth < MAX_REGION_NESTING;
        if (opens) {
            plan->branch[k] = open_region(p, in, k);
            if (plan->branch[k] < 0 || open_region(p, in, k) < 0) return false;
        }
        for (int j = 0; j < slip_op_arity(n->op); j++)
            note_use(p, n->arg[j], opens && j > 0 ? plan->branch[k] + j - 1 : in);
    }
    return true;
}

// Merges regions that are not worth a jump into the enclosing ones.
static bool merge_regions(planner *p)
{
    slip_plan *plan = p->plan;
    int32_t *into = malloc(p->count * sizeof *into);
    if (!into) return false;
    for (size_t k = p->count; k-- > 1;) p->regions[p->regions[k].parent].weight += p->regions[k].weight;
    into[0] = 0;
    for (size_t k = 1; k < p->count; k++)
        into[k] = p->regions[k].weight >= MIN_COST_FOR_JUMP ? (int32_t)k : into[p->regions[k].parent];
    for (int k = 0; k < plan->node_count; k++) {
        if (plan->uses[k] > 0) plan->region[k] = into[plan->region[k]];
        int32_t b = plan->branch[k];
        if (b >= 0 && into[b] != b && into[b + 1] != b + 1) plan->branch[k] = -1;
    }
    free(into);
    return true;
}

// ----------------------------------------------------------------------------------------- sharing

static bool may_be_absorbed(const slip_plan *plan, slip_ref inner, slip_ref by)
{
    slip_op op = slip_graph_at(plan->graph, inner)->op;
    return (op == SLIP_OP_ADD || op == SLIP_OP_SUB || op == SLIP_OP_MUL) && plan->uses[inner] == 1 &&
           plan->region[inner] == plan->region[by] && plan->absorbed[inner] == 0;
}

static void absorb_operand(slip_plan *plan, slip_ref k)
{
    const slip_node *n = slip_graph_at(plan->graph, k);
    if (n->op < SLIP_OP_ADD || n->op > SLIP_OP_DIV) return;
    int best = -1;
    for (int j = 0; j < 2; j++) {
        if (!may_be_absorbed(plan, n->arg[j], k)) continue;
        // the product first: its latency is the longest
        if (best < 0 || slip_graph_at(plan->graph, n->arg[j])->op == SLIP_OP_MUL) best = j;
    }
    if (best < 0) return;
    plan->absorbed[k] = best + 1;
    plan->absorbed[n->arg[best]] = -1;
}

// A comparison that only its `if` uses becomes part of the jump.
static void absorb_comparison(slip_plan *plan, slip_ref k)
{
    const slip_node *n = slip_graph_at(plan->graph, k);
    if (n->op != SLIP_OP_IF || plan->branch[k] < 0) return;
    slip_ref c = n->arg[0];
    slip_op op = slip_graph_at(plan->graph, c)->op;
    if ((op != SLIP_OP_LT && op != SLIP_OP_LE) || plan->uses[c] != 1 || plan->region[c] != plan->region[k])
        return;
    plan->absorbed[k] = 1;
    plan->absorbed[c] = -1;
}

// sin and cos of one angle in one region are computed together at the first of them.
static void pair_sine_cosine(slip_plan *plan, slip_ref k, int32_t *seen)
{
    const slip_node *n = slip_graph_at(plan->graph, k);
    if (n->op != SLIP_OP_SIN && n->op != SLIP_OP_COS) return;
    int32_t other = seen[n->arg[0]];
    seen[n->arg[0]] = k;
    if (other < 0 || plan->region[other] != plan->region[k]) return;
    plan->partner[other] = k;
    plan->partner[k] = -2;
}

static bool share_instructions(planner *p)
{
    slip_plan *plan = p->plan;
    int32_t *seen = malloc((size_t)(plan->node_count + 1) * sizeof *seen);
    if (!seen) return false;
    memset(seen, 0xff, (size_t)(plan->node_count + 1) * sizeof *seen);
    for (int k = 0; k < plan->node_count; k++) {
        if (plan->uses[k] == 0) continue;
        absorb_operand(plan, k);
        absorb_comparison(plan, k);
        pair_sine_cosine(plan, k, seen);
    }
    free(seen);
    return true;
}

// the nodes of each region as a list, operands first
static bool list_regions(planner *p)
{
    slip_plan *plan = p->plan;
    plan->region_count = (int)p->count;
    plan->first = malloc(p->count * sizeof *plan->first);
    if (!plan->first) return false;
    memset(plan->first, 0xff, p->count * sizeof *plan->first);
    for (int k = plan->node_count - 1; k >= 0; k--) {
        if (plan->uses[k] == 0) continue;
        plan->next[k] = plan->first[plan->region[k]];
        plan->first[plan->region[k]] = k;
    }
    return true;
}

static bool allocate_plan(slip_plan *plan, size_t count)
{
    int32_t *block = calloc(6 * count, sizeof *block);
    if (!block) return false;
    plan->uses = block;
    plan->region = block + count;
    plan->absorbed = block + 2 * count;
    plan->partner = block + 3 * count;
    plan->next = block + 4 * count;
    plan->branch = block + 5 * count;
    memset(plan->partner, 0xff, count * sizeof *block);
    memset(plan->branch, 0xff, count * sizeof *block);
    return true;
}

bool slip_plan_create(slip_plan *plan, const slip_graph *graph, const slip_ref *roots, int count)
{
    *plan = (slip_plan){ .graph = graph, .node_count = slip_graph_node_count(graph) };
    planner p = { .plan = plan };
    bool fine = allocate_plan(plan, (size_t)plan->node_count + 1) && open_region(&p, -1, -1) == 0;
    for (int k = 0; k < count && fine; k++) note_use(&p, roots[k], 0);
    fine = fine && find_regions(&p) && merge_regions(&p) && share_instructions(&p) && list_regions(&p);
    free(p.regions);
    if (!fine) slip_plan_destroy(plan);
    return fine;
}

void slip_plan_destroy(slip_plan *plan)
{
    free(plan->uses); // the block of all six
    free(plan->first);
    *plan = (slip_plan){ 0 };
}
