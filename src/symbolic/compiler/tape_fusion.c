/// symbolic/compiler/tape_fusion.c: tape fusion: a program built by inlining copies of a tape with operations between them.
#include <stdlib.h>
#include <string.h>

#include "symbolic/compiler/tape_fusion_internal.h"

slip_tape_fusion *slip_fusion_begin(const slip_tape *tape)
{
    slip_tape_fusion *w = calloc(1, sizeof *w);
    slip_tape *made = calloc(1, sizeof *made);
    size_t constants = (size_t)tape->constant_count;
    if (made) made->constants = malloc((constants + 1) * sizeof *made->constants);
    if (!w || !made || !made->constants) {
        slip_tape_destroy(made);
        free(w);
        return NULL;
    }
    if (constants) memcpy(made->constants, tape->constants, constants * sizeof *made->constants);
    made->constant_count = tape->constant_count;
    made->first_constant = tape->first_constant;
    made->registers = tape->registers;
    made->interpreted = tape->interpreted;
    made->time[0] = tape->time[0];
    made->time_count = tape->time_count;
    w->from = tape;
    w->made = made;
    return w;
}

int slip_fusion_registers(slip_tape_fusion *w, int count)
{
    int first = w->made->registers;
    if (first > SLIP_MAX_REGISTERS - count) w->failed = true;
    if (!w->failed) w->made->registers += count;
    return first;
}

void slip_fusion_time(slip_tape_fusion *w, int time)
{
    if (w->made->time_count < SLIP_MAX_TIMES) w->made->time[w->made->time_count++] = time;
}

void slip_fusion_put(slip_tape_fusion *w, slip_instruction i, int origin)
{
    slip_tape *t = w->made;
    size_t count = (size_t)t->length;
    if (w->failed || !slip_array_grow((void **)&t->code, &w->capacity, count, sizeof *t->code) ||
        !slip_array_grow((void **)&t->origin, &w->origin_capacity, count, sizeof *t->origin)) {
        w->failed = true;
        return;
    }
    t->code[count] = i;
    t->origin[count] = origin;
    t->length++;
}

static void put_operation(slip_tape_fusion *w, slip_tape_op op, int to, int a, int b, int c)
{
    slip_fusion_put(w,
                    (slip_instruction){ .op = (unsigned)op & 0xff,
                                        .to = (uint32_t)to & 0xffffff,
                                        .a = (uint32_t)a,
                                        .b = (uint32_t)b,
                                        .c = (uint32_t)c },
                    -1);
}

void slip_fusion_add(slip_tape_fusion *w, int to, int a, int b)
{
    put_operation(w, SLIP_TAPE_ADD, to, a, b, 0);
}
void slip_fusion_mul(slip_tape_fusion *w, int to, int a, int b)
{
    put_operation(w, SLIP_TAPE_MUL, to, a, b, 0);
}
void slip_fusion_mul_add(slip_tape_fusion *w, int to, int a, int b, int c)
{
    put_operation(w, SLIP_TAPE_MUL_ADD, to, a, b, c);
}
void slip_fusion_add_mul(slip_tape_fusion *w, int to, int a, int b, int c)
{
    put_operation(w, SLIP_TAPE_ADD_MUL, to, a, b, c);
}
void slip_fusion_sub_mul(slip_tape_fusion *w, int to, int a, int b, int c)
{
    put_operation(w, SLIP_TAPE_SUB_OF_MUL, to, a, b, c);
}
void slip_fusion_div(slip_tape_fusion *w, int to, int a, int b)
{
    put_operation(w, SLIP_TAPE_DIV, to, a, b, 0);
}
void slip_fusion_sqrt(slip_tape_fusion *w, int to, int a)
{
    put_operation(w, SLIP_TAPE_SQRT, to, a, 0, 0);
}
void slip_fusion_move(slip_tape_fusion *w, int to, int a)
{
    put_operation(w, SLIP_TAPE_MOVE, to, a, 0, 0);
}

// Operands that an operation lacks are register 0, an input, which may be read without harm.
void slip_fusion_inline(slip_tape_fusion *w, const int *place)
{
    const slip_tape *from = w->from;
    uint32_t begin = (uint32_t)w->made->length;
    const slip_hoisted *done = slip_fusion_hoisted(w, place[0]);
    for (int k = 0; k + 1 < from->length; k++) { // all but the END
        slip_instruction i = from->code[k];
        if (done && w->early[k]) { // one operation in its place, so that jumps keep their targets
            slip_fusion_move(w, done->value[k] < 0 ? w->nowhere : place[i.to],
                             done->value[k] < 0 ? place[0] : done->value[k]);
            continue;
        }
        bool jumps = slip_tape_is_jump((slip_tape_op)i.op);
        i.to = (uint32_t)place[i.to] & 0xffffff;
        i.a = (uint32_t)place[i.a];
        i.b = (uint32_t)place[i.b];
        i.c = jumps ? i.c + begin : (uint32_t)place[i.c];
        slip_fusion_put(w, i, k);
    }
}

// ------------------------------------------------------------------------------ what no result needs

/// Backward pass over the code: registers that are still read.
typedef struct liveness {
    const slip_tape *tape;
    bool *live;     // registers
    bool *dead;     // instructions
    bool **live_at; // registers at a target of a jump; NULL elsewhere
    size_t registers;
} liveness;

static void restore_liveness(liveness *s, int target, bool also)
{
    const bool *there = s->live_at[target];
    for (size_t r = 0; r < s->registers; r++) s->live[r] = there[r] || (also && s->live[r]);
}

static bool has_no_effect(const liveness *s, int k, int end)
{
    for (int i = k + 1; i < end; i++)
        if (!s->dead[i] && s->tape->code[i].op != SLIP_TAPE_JUMP) return false;
    return true;
}

static void visit_jump(liveness *s, int k)
{
    const slip_instruction *i = &s->tape->code[k];
    if (i->op == SLIP_TAPE_JUMP) {
        restore_liveness(s, (int)i->c, false);
        return;
    }
    int end = slip_fusion_end_of_if(s->tape, k); // it is not needed if everything in between is dead
    if (end > k && has_no_effect(s, k, end)) {
        for (int j = k; j < end; j++) s->dead[j] = true;
        restore_liveness(s, end, false);
        return;
    }
    restore_liveness(s, (int)i->c, true);
    s->live[i->a] = s->live[i->b] = true;
}

static void visit_value(liveness *s, int k)
{
    const slip_instruction *i = &s->tape->code[k];
    bool pair = i->op == SLIP_TAPE_SINCOS;
    s->dead[k] = !s->live[i->to] && !(pair && s->live[i->c]);
    if (s->dead[k]) return;
    s->live[i->to] = false;
    s->live[i->c] = !pair;
    s->live[i->a] = s->live[i->b] = true;
}

static bool mark_targets(liveness *s)
{
    const slip_tape *t = s->tape;
    for (int k = 0; k < t->length; k++) {
        if (!slip_tape_is_jump((slip_tape_op)t->code[k].op) || s->live_at[t->code[k].c]) continue;
        s->live_at[t->code[k].c] = malloc(s->registers);
        if (!s->live_at[t->code[k].c]) return false;
    }
    return true;
}

static void eliminate_dead_code(liveness *s)
{
    for (int k = s->tape->length - 1; k >= 0; k--) {
        slip_tape_op op = (slip_tape_op)s->tape->code[k].op;
        if (slip_tape_is_jump(op))
            visit_jump(s, k);
        else if (op != SLIP_TAPE_END)
            visit_value(s, k);
        if (s->live_at[k]) memcpy(s->live_at[k], s->live, s->registers);
    }
}

// The remaining instructions, with jumps to the new places of their targets.
static bool compact_code(slip_tape *t, const bool *dead)
{
    int *now = malloc((size_t)(t->length + 1) * sizeof *now), kept = 0;
    if (!now) return false;
    for (int k = 0; k < t->length; k++) now[k] = dead[k] ? kept : kept++;
    for (int k = 0; k < t->length; k++) {
        if (dead[k]) continue;
        slip_instruction i = t->code[k];
        if (slip_tape_is_jump((slip_tape_op)i.op)) i.c = (uint32_t)now[i.c];
        t->code[now[k]] = i;
        t->origin[now[k]] = t->origin[k];
    }
    t->length = kept;
    free(now);
    return true;
}

static bool remove_dead_instructions(slip_tape *t, const int *results, int count)
{
    size_t length = (size_t)t->length;
    liveness s = { .tape = t, .registers = (size_t)t->registers };
    s.live = calloc(s.registers + 1, sizeof *s.live);
    s.dead = calloc(length, sizeof *s.dead);
    s.live_at = calloc(length, sizeof *s.live_at);
    bool fine = s.live && s.dead && s.live_at && mark_targets(&s);
    if (fine) {
        for (int k = 0; k < count; k++) s.live[results[k]] = true;
        eliminate_dead_code(&s);
        fine = compact_code(t, s.dead);
    }
    for (size_t k = 0; k < length && s.live_at; k++) free(s.live_at[k]);
    free(s.live);
    free(s.dead);
    free(s.live_at);
    return fine;
}

slip_tape *slip_fusion_end(slip_tape_fusion *w, const int *results, int count)
{
    slip_tape *made = w->made;
    struct slip_tape_cache *tape_cache = w->from->tape_cache;
    put_operation(w, SLIP_TAPE_END, 0, 0, 0, 0);
    for (int k = 0; k < w->forestalled_count; k++) free(w->forestalled[k].value);
    free(w->early);
    made->results = malloc((size_t)(count + 1) * sizeof *made->results);
    bool fine = !w->failed && made->results && remove_dead_instructions(made, results, count);
    free(w);
    if (!fine) {
        slip_tape_destroy(made);
        return NULL;
    }
    memcpy(made->results, results, (size_t)count * sizeof *results);
    made->result_count = count;
    made->first_memo = made->registers;
    slip_tape *known = tape_cache ? slip_tape_cache_take_program(tape_cache, made) : NULL;
    if (known) {
        slip_tape_release(made);
        return known;
    }
    made->tape_cache = tape_cache;
    if (!made->interpreted) slip_tape_make_native(made, slip_tape_has_avx());
    return made;
}
