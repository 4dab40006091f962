/// symbolic/native/basic_block.c: see basic_block.h.
#include "symbolic/native/basic_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Additional data for reading blocks; per tape register, per value or per operation, as noted.
typedef struct slip_basic_block_work {
    int32_t
        *reader;  // register: the one block that reads it, after writing it; -1 others; SLIP_NEVER_READ none
    int32_t *now; // register: its value, if
    int32_t *stamp;      // register: valid for the block with this number
    int32_t *maker;      // value: the act that makes it, -1 none
    int32_t *uses;       // value
    int32_t *next;       // value: the next act that reads it
    int32_t (*key)[3];   // act: values that its operation was written with
    int32_t *table;      // acts by key, -1 none
    unsigned char *last; // operation: bit 0: it is the last of its block to write there; bit 1: its second
    size_t table_size;
    int which;
} work;

int slip_tape_operands(slip_tape_op op)
{
    const slip_function *f = slip_tape_called(op);
    if (f) return f->arity;
    switch (op) {
    case SLIP_TAPE_NEG:
    case SLIP_TAPE_NOT:
    case SLIP_TAPE_ABS:
    case SLIP_TAPE_SQRT:
    case SLIP_TAPE_MOVE:
    case SLIP_TAPE_SINCOS:
    case SLIP_TAPE_UNLESS:
        return 1;
    case SLIP_TAPE_IF:
        return 3;
    case SLIP_TAPE_JUMP:
    case SLIP_TAPE_END:
        return 0;
    default:
        return slip_tape_is_fused(op) ? 3 : 2;
    }
}

bool slip_tape_is_number(const slip_tape *t, int tape_register)
{
    const int k = tape_register - t->first_constant;
    return k >= 0 && k < t->constant_count && !isnan(t->constants[k]);
}

static bool writes_register(slip_tape_op op)
{
    return !slip_tape_is_jump(op) && op != SLIP_TAPE_END;
}

// -------------------------------------------------------------------------------------------- cutting

static void cut_into_blocks(slip_basic_blocks *s)
{
    const slip_tape *t = s->tape;
    for (int k = 0; k < t->length;) {
        const int begin = k;
        while (k < t->length && s->kind.belongs((slip_tape_op)t->code[k].op) && (k == begin || !s->target[k]))
            k++;
        const bool open = k == begin || !s->target[k];
        if (k < t->length && open && s->kind.ends((slip_tape_op)t->code[k].op)) k++;
        if (k > begin) {
            s->begin[s->count] = begin;
            s->end[s->count++] = k;
        } else {
            k++;
        }
    }
}

// `in` reads a register that it has not written (or has); -1 for operations outside of all blocks.
static void note_read(work *w, uint32_t tape_register, int in, const int32_t *written)
{
    int32_t *reader = &w->reader[tape_register];
    const bool own = in >= 0 && written[tape_register] == in;
    if (!own || (*reader != SLIP_NEVER_READ && *reader != in)) *reader = -1;
    if (*reader == SLIP_NEVER_READ) *reader = in;
}

// Finds the readers of each register; `written` is the last block that wrote it.
static void find_readers(slip_basic_blocks *s, int32_t *written)
{
    const slip_tape *t = s->tape;
    work *w = s->work;
    int in = 0;
    for (int r = 0; r < t->registers; r++) w->reader[r] = SLIP_NEVER_READ, written[r] = -1;
    for (int k = 0; k < t->length; k++) {
        const slip_instruction *i = &t->code[k];
        const slip_tape_op op = (slip_tape_op)i->op;
        const int count = slip_tape_operands(op);
        while (in < s->count && s->end[in] <= k) in++;
        const int here = in < s->count && s->begin[in] <= k ? in : -1;
        if (count > 0) note_read(w, i->a, here, written);
        if (count > 1) note_read(w, i->b, here, written);
        if (count > 2) note_read(w, i->c, here, written);
        if (writes_register(op)) written[i->to] = here;
        if (op == SLIP_TAPE_SINCOS) written[i->c] = here;
    }
    for (int k = 0; k < t->result_count; k++) w->reader[t->results[k]] = -1;
}

bool slip_basic_block_is_doubled(const slip_basic_blocks *s, int which)
{
    return s->end[which] - s->begin[which] <= s->kind.twice;
}

// Number of operations of the longest block, counted as often as they are executed.
static size_t longest_block(const slip_basic_blocks *s)
{
    size_t most = 0;
    for (int k = 0; k < s->count; k++) {
        const size_t length = (size_t)(s->end[k] - s->begin[k]) * (slip_basic_block_is_doubled(s, k) ? 2 : 1);
        if (length > most) most = length;
    }
    return most;
}

static bool take_work(slip_basic_blocks *s)
{
    work *w = s->work;
    const size_t registers = (size_t)s->tape->registers + 1, most = longest_block(s);
    const size_t stores = most < registers ? 2 * most : 2 * registers;
    const size_t acts = most + stores + 1, values = 5 * most + 1;
    s->most_values = values;
    for (w->table_size = 4; w->table_size < 2 * most; w->table_size *= 2) {}
    s->acts = malloc(acts * sizeof *s->acts);
    s->values = malloc(values * sizeof *s->values);
    w->key = malloc(acts * sizeof *w->key);
    w->last = malloc((size_t)s->tape->length + 1);
    w->reader = malloc((3 * registers + 3 * values + w->table_size) * sizeof *w->reader);
    if (!s->acts || !s->values || !w->key || !w->last || !w->reader) return false;
    w->now = w->reader + registers;
    w->stamp = w->now + registers;
    w->maker = w->stamp + registers;
    w->uses = w->maker + values;
    w->next = w->uses + values;
    w->table = w->next + values;
    return true;
}

bool slip_basic_blocks_find(slip_basic_blocks *s, const slip_tape *t, slip_basic_block_rules kind)
{
    const size_t length = (size_t)t->length + 1;
    *s = (slip_basic_blocks){ .tape = t, .kind = kind };
    s->target = calloc(length, sizeof *s->target);
    s->begin = malloc(2 * length * sizeof *s->begin);
    s->work = calloc(1, sizeof *s->work);
    if (!s->target || !s->begin || !s->work) return false;
    s->end = s->begin + length;
    for (int k = 0; k < t->length; k++)
        if (slip_tape_is_jump((slip_tape_op)t->code[k].op)) s->target[t->code[k].c] = true;
    cut_into_blocks(s);
    if (!take_work(s)) return false;
    find_readers(s, s->work->now);
    memset(s->work->stamp, 0xff, (size_t)t->registers * sizeof *s->work->stamp);
    return true;
}

void slip_basic_blocks_destroy(slip_basic_blocks *s)
{
    if (s->work) {
        free(s->work->key);
        free(s->work->last);
        free(s->work->reader); // the block of all numbers
    }
    free(s->work);
    free(s->target);
    free(s->begin);
    free(s->acts);
    free(s->values);
    *s = (slip_basic_blocks){ 0 };
}

// --------------------------------------------------------------------------------------------- values

static int new_value(slip_basic_blocks *s, int32_t given, int32_t maker)
{
    const int v = s->value_count++;
    s->values[v] = (slip_block_value){ given, SLIP_NEVER_READ };
    s->work->maker[v] = maker;
    return v;
}

static void set_value(work *w, uint32_t tape_register, int value)
{
    w->now[tape_register] = value;
    w->stamp[tape_register] = w->which;
}

static int value_of(slip_basic_blocks *s, uint32_t tape_register)
{
    work *w = s->work;
    if (w->stamp[tape_register] != w->which)
        set_value(w, tape_register, new_value(s, (int32_t)tape_register, -1));
    return w->now[tape_register];
}

static bool is_symmetric(slip_tape_op op)
{
    if (slip_tape_is_fused(op)) return (op - SLIP_TAPE_ADD_ADD) % 3 != 1;
    return op == SLIP_TAPE_ADD || op == SLIP_TAPE_MUL;
}

// where the act of this operation on these values is, or is to be
static int32_t *find_value(slip_basic_blocks *s, slip_tape_op op, const int32_t *v)
{
    work *w = s->work;
    uint64_t hash = (uint64_t)op + 1;
    for (int j = 0; j < 3; j++) hash = (hash ^ (uint32_t)v[j]) * 0x9e3779b97f4a7c15u;
    for (size_t at = (size_t)(hash >> 32);; at++) {
        int32_t *slot = &w->table[at & (w->table_size - 1)];
        if (*slot < 0) return slot;
        if (s->acts[*slot].op == op && memcmp(w->key[*slot], v, sizeof w->key[0]) == 0) return slot;
    }
}

// An `if` takes the place of the comparison that decides it
static void read_if(slip_basic_blocks *s, slip_block_op *a, const int32_t *v)
{
    const int32_t maker = s->work->maker[v[0]];
    const bool compared = maker >= 0 && slip_tape_is_comparison((slip_tape_op)s->acts[maker].op);
    a->condition = compared ? (uint8_t)s->acts[maker].op : 0;
    a->reads = 0;
    for (int j = 0; j < (compared ? 2 : 1); j++)
        a->read[a->reads++].value = compared ? s->acts[maker].read[j].value : v[0];
    a->read[a->reads++].value = v[1];
    a->read[a->reads++].value = v[2];
}

static slip_block_op *new_act(slip_basic_blocks *s, int op, int at)
{
    slip_block_op *a = &s->acts[s->act_count++];
    *a = (slip_block_op){ .op = (uint16_t)op, .at = at, .to = -1, .second = -1 };
    return a;
}

// the value of operation k, by an act that is there or a new one
static int value_by(slip_basic_blocks *s, int k, slip_tape_op op, const int32_t *v, int count)
{
    work *w = s->work;
    int32_t key[3] = { v[0], v[1], v[2] };
    if (is_symmetric(op) && key[0] > key[1]) key[0] = v[1], key[1] = v[0];
    int32_t *slot = find_value(s, op, key);
    if (*slot >= 0) return s->acts[*slot].to;
    *slot = s->act_count;
    memcpy(w->key[s->act_count], key, sizeof key);
    slip_block_op *a = new_act(s, op, k);
    a->to = new_value(s, -1, *slot);
    a->reads = (uint8_t)count;
    for (int j = 0; j < count; j++) a->read[j].value = v[j];
    if (op == SLIP_TAPE_IF) read_if(s, a, v);
    return a->to;
}

static void record_store(slip_basic_blocks *s, int k, uint32_t tape_register)
{
    const int32_t reader = s->work->reader[tape_register];
    const int value = s->work->now[tape_register];
    if (reader == s->work->which || reader == SLIP_NEVER_READ) return;
    if (s->values[value].given == (int32_t)tape_register) return;
    slip_block_op *a = new_act(s, SLIP_BLOCK_OP_STORE, k);
    a->target = tape_register;
    a->reads = 1;
    a->read[0].value = value;
}

static void read_operation(slip_basic_blocks *s, int k)
{
    work *w = s->work;
    const slip_instruction *i = &s->tape->code[k];
    const slip_tape_op op = (slip_tape_op)i->op;
    const uint32_t operand[] = { i->a, i->b, i->c };
    const int count = slip_tape_operands(op);
    int32_t v[3] = { -1, -1, -1 };
    for (int j = 0; j < count; j++) v[j] = value_of(s, operand[j]);
    if (!writes_register(op) || op == SLIP_TAPE_SINCOS) {
        slip_block_op *a = new_act(s, op, k);
        a->reads = (uint8_t)count;
        for (int j = 0; j < count; j++) a->read[j].value = v[j];
        if (!writes_register(op)) return;
        set_value(w, i->to, a->to = new_value(s, -1, s->act_count - 1));
        set_value(w, i->c, a->second = new_value(s, -1, s->act_count - 1));
    } else {
        set_value(w, i->to, op == SLIP_TAPE_MOVE ? v[0] : value_by(s, k, op, v, count));
    }
    if (w->last[k] & 1) record_store(s, k, i->to);
    if (w->last[k] & 2) record_store(s, k, i->c);
}

// from behind: where a register is written last
static void find_last(slip_basic_blocks *s)
{
    work *w = s->work;
    const int done = -2 - w->which; // a mark of this block that is not the number of a block
    for (int k = s->end[w->which] - 1; k >= s->begin[w->which]; k--) {
        const slip_instruction *i = &s->tape->code[k];
        const slip_tape_op op = (slip_tape_op)i->op;
        w->last[k] = 0;
        if (!writes_register(op)) continue;
        if (w->stamp[i->to] != done) w->last[k] |= 1, w->stamp[i->to] = done;
        if (op == SLIP_TAPE_SINCOS && w->stamp[i->c] != done) w->last[k] |= 2, w->stamp[i->c] = done;
    }
}

// ------------------------------------------------------------------------------------------ who reads

static bool is_needed(const slip_basic_blocks *s, const slip_block_op *a)
{
    const int32_t *uses = s->work->uses;
    if (a->to < 0) return true;
    return uses[a->to] > 0 || (a->second >= 0 && uses[a->second] > 0);
}

static void remove_dead_ops(slip_basic_blocks *s)
{
    int32_t *uses = s->work->uses;
    memset(uses, 0, (size_t)s->value_count * sizeof *uses);
    for (int k = s->act_count - 1; k >= 0; k--) {
        slip_block_op *a = &s->acts[k];
        if (!is_needed(s, a)) a->op = SLIP_BLOCK_OP_NONE, a->reads = 0;
        for (int j = 0; j < a->reads; j++) uses[a->read[j].value]++;
    }
}

static bool is_slow(int op)
{
    return op == SLIP_TAPE_DIV || op == SLIP_TAPE_SQRT ||
           (op >= SLIP_TAPE_ADD_DIV && op <= SLIP_TAPE_DIV_BY_MUL);
}

// Where both sides of an `if` are computed and one is selected, the result waits for the slowest of condition
// and sides. Machine code for one set of numbers does better to jump: the processor guesses which side comes,
// and goes on with it before the condition is known. That pays for a division or root that nobody else needs:
// it is done at the `if`, on the side that asks for it.
static void defer_slow_side(slip_basic_blocks *s, slip_block_op *a)
{
    const work *w = s->work;
    slip_read read[SLIP_MAX_READS];
    int reads = a->condition ? 2 : 1;
    memcpy(read, a->read, sizeof read);
    const slip_read sides[] = { a->read[reads], a->read[reads + 1] };
    for (int j = 0; j < 2; j++) {
        const int32_t maker = w->maker[sides[j].value];
        slip_block_op *m = maker >= 0 ? &s->acts[maker] : NULL;
        if (m && is_slow(m->op) && w->uses[sides[j].value] == 1) {
            a->side[j] = (uint8_t)m->op;
            for (int i = 0; i < m->reads; i++) read[reads++] = m->read[i];
            m->op = SLIP_BLOCK_OP_NONE, m->reads = 0;
        } else {
            read[reads++] = sides[j];
        }
    }
    memcpy(a->read, read, sizeof read);
    a->reads = (uint8_t)reads;
}

static void find_next(slip_basic_blocks *s)
{
    int32_t *next = s->work->next;
    for (int v = 0; v < s->value_count; v++) next[v] = SLIP_NEVER_READ;
    for (int k = s->act_count - 1; k >= 0; k--) {
        slip_block_op *a = &s->acts[k];
        if (a->to >= 0) s->values[a->to].first = next[a->to];
        if (a->second >= 0) s->values[a->second].first = next[a->second];
        for (int j = 0; j < a->reads; j++) a->read[j].next = next[a->read[j].value];
        for (int j = 0; j < a->reads; j++) next[a->read[j].value] = k;
    }
    for (int v = 0; v < s->value_count; v++)
        if (s->values[v].given >= 0) s->values[v].first = next[v];
}

static slip_block_op second_of(const slip_block_op *first, int values, int registers)
{
    slip_block_op a = *first;
    if (a.to >= 0) a.to += values;
    if (a.second >= 0) a.second += values;
    a.target += (uint32_t)registers;
    for (int j = 0; j < a.reads; j++) {
        a.read[j].value += values;
        a.read[j].next = a.read[j].next == SLIP_NEVER_READ ? SLIP_NEVER_READ : a.read[j].next + 1;
    }
    return a;
}

// Each act twice, the second time for the other set of registers: one need not wait for the other
static void duplicate_ops(slip_basic_blocks *s)
{
    const int values = s->value_count, registers = s->tape->registers;
    for (int v = 0; v < values; v++) {
        slip_block_value *m = &s->values[v], *other = &s->values[values + v];
        if (m->first != SLIP_NEVER_READ) m->first *= 2;
        *other = *m;
        if (m->given >= 0) other->given += registers;
        if (m->first != SLIP_NEVER_READ) other->first++;
    }
    for (int k = s->act_count - 1; k >= 0; k--) {
        slip_block_op a = s->acts[k];
        for (int j = 0; j < a.reads; j++)
            if (a.read[j].next != SLIP_NEVER_READ) a.read[j].next *= 2;
        s->acts[2 * k + 1] = second_of(&a, values, registers);
        s->acts[2 * k] = a;
    }
    s->value_count *= 2;
    s->act_count *= 2;
}

void slip_basic_block_read(slip_basic_blocks *s, int which)
{
    work *w = s->work;
    w->which = which;
    s->act_count = s->value_count = 0;
    for (w->table_size = 4; w->table_size < 2 * (size_t)(s->end[which] - s->begin[which]);)
        w->table_size *= 2;
    memset(w->table, 0xff, w->table_size * sizeof *w->table);
    find_last(s);
    for (int k = s->begin[which]; k < s->end[which]; k++) read_operation(s, k);
    remove_dead_ops(s);
    for (int k = 0; k < s->act_count && s->kind.waits; k++)
        if (s->acts[k].op == SLIP_TAPE_IF) defer_slow_side(s, &s->acts[k]);
    find_next(s);
    if (slip_basic_block_is_doubled(s, which)) duplicate_ops(s);
}
