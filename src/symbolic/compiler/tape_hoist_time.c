/// symbolic/compiler/tape_hoist_time.c: hoists the operations that depend on time alone out of the inlined copies of a tape.
///
/// Two stages of a step share their time, and a function of time need not wait for a stage: a drive is
/// therefore computed once for each time of the step, and the stages run without calls between their
/// operations.
#include <stdlib.h>
#include <string.h>

#include "symbolic/compiler/tape_fusion_internal.h"

/// A pass over the tape.
typedef struct survey {
    const slip_tape *tape;
    bool *known; // per register: its value depends on the time alone
    bool *early; // per operation
    bool worth;  // there are calls and jumps among them
} survey;

static bool depends_on_time_only(const survey *s, const slip_instruction *i)
{
    const bool pair = i->op == SLIP_TAPE_SINCOS, jumps = slip_tape_is_jump((slip_tape_op)i->op);
    return s->known[i->a] && s->known[i->b] && (pair || jumps || s->known[i->c]);
}

// Operands that an operation lacks are register 0, the time.
static void survey_value(survey *s, int k)
{
    const slip_instruction *i = &s->tape->code[k];
    const bool pair = i->op == SLIP_TAPE_SINCOS,
               known = depends_on_time_only(s, i) && !pair; // a pair has two results
    s->early[k] = known;
    s->known[i->to] = known;
    if (pair) s->known[i->c] = false;
    if (known && i->op >= SLIP_TAPE_CALL) s->worth = true;
}

static void forget_between(survey *s, int begin, int end)
{
    for (int k = begin; k < end; k++) {
        const slip_instruction *i = &s->tape->code[k];
        if (slip_tape_is_jump((slip_tape_op)i->op)) continue;
        s->known[i->to] = false;
        if (i->op == SLIP_TAPE_SINCOS) s->known[i->c] = false;
    }
}

// An `if` is hoisted as a whole: condition and both branches. The second branch must not depend on values
// that the first one wrote.
static int survey_if(survey *s, int k)
{
    const slip_tape *t = s->tape;
    const int end = slip_fusion_end_of_if(t, k), second = (int)t->code[k].c;
    bool whole = end > 0 && depends_on_time_only(s, &t->code[k]);
    if (end < 0) return -1;
    for (int j = k + 1; j < end && whole; j++) {
        if (j == second) forget_between(s, k + 1, second);
        if (slip_tape_is_jump((slip_tape_op)t->code[j].op))
            whole = j == second - 1; // nested ones stay where they are
        else
            survey_value(s, j), whole = s->early[j];
    }
    for (int j = k; j < end; j++) s->early[j] = whole;
    if (whole)
        s->worth = true;
    else
        forget_between(s, k + 1, end);
    return end;
}

static bool survey_tape(survey *s)
{
    const slip_tape *t = s->tape;
    if (t->time_count == 0 || t->time[0] != 0) return false;
    s->known[0] = true;
    for (int k = 0; k < t->constant_count; k++) s->known[t->first_constant + k] = true;
    for (int k = 0; k + 1 < t->length;) {
        if (t->code[k].op == SLIP_TAPE_JUMP) return false;
        if (!slip_tape_is_jump((slip_tape_op)t->code[k].op)) {
            survey_value(s, k++);
            continue;
        }
        k = survey_if(s, k);
        if (k < 0) return false;
    }
    return s->worth;
}

static bool find_hoistable(slip_tape_fusion *w)
{
    const slip_tape *t = w->from;
    survey s = { .tape = t };
    s.known = calloc((size_t)t->registers + 1, sizeof *s.known);
    s.early = calloc((size_t)t->length + 1, sizeof *s.early);
    if (!s.known || !s.early) w->failed = true;
    const bool worth = !w->failed && survey_tape(&s);
    free(s.known);
    if (worth) {
        w->early = s.early;
        w->nowhere = slip_fusion_registers(w, 1);
    } else {
        free(s.early);
    }
    return worth;
}

// the results of an `if` are the same registers on both sides
static int register_for(slip_tape_fusion *w, const int *value, int begin, int k)
{
    for (int j = begin; j < k; j++)
        if (value[j] >= 0 && w->from->code[j].to == w->from->code[k].to) return value[j];
    return slip_fusion_registers(w, 1);
}

// Emits all hoisted operations with registers of their own; now[r] is the present place of register r of the
// tape.
static void emit_hoisted(slip_tape_fusion *w, const slip_hoisted *done, int *now)
{
    const slip_tape *t = w->from;
    int begin = -1, end = -1; // of the present `if`
    uint32_t shift = 0;       // between its operations and their copies
    for (int k = 0; k + 1 < t->length; k++) {
        slip_instruction i = t->code[k];
        const bool jumps = slip_tape_is_jump((slip_tape_op)i.op);
        done->value[k] = -1;
        if (!w->early[k]) continue;
        if (jumps && k >= end)
            begin = k, end = slip_fusion_end_of_if(t, k), shift = (uint32_t)(w->made->length - k);
        if (!jumps)
            done->value[k] = k < end ? register_for(w, done->value, begin, k) : slip_fusion_registers(w, 1);
        i.a = (uint32_t)now[i.a];
        i.b = (uint32_t)now[i.b];
        i.c = jumps ? i.c + shift : (uint32_t)now[i.c];
        if (!jumps) now[t->code[k].to] = done->value[k];
        i.to = jumps ? 0 : (uint32_t)done->value[k] & 0xffffff;
        slip_fusion_put(w, i, k);
    }
}

void slip_fusion_hoist_time(slip_tape_fusion *w, int time)
{
    const slip_tape *t = w->from;
    if (w->failed || w->forestalled_count == SLIP_MAX_TIMES) return;
    if (!w->early && (w->forestalled_count > 0 || !find_hoistable(w))) return;
    int *now = malloc(((size_t)t->registers + 1) * sizeof *now);
    slip_hoisted *done = &w->forestalled[w->forestalled_count];
    done->time = time;
    done->value = malloc((size_t)t->length * sizeof *done->value);
    if (now && done->value) {
        for (int r = 0; r < t->registers; r++) now[r] = r;
        now[0] = time;
        emit_hoisted(w, done, now);
        w->forestalled_count++;
    } else {
        w->failed = true;
        free(done->value);
    }
    free(now);
}

const slip_hoisted *slip_fusion_hoisted(const slip_tape_fusion *w, int time)
{
    for (int k = 0; k < w->forestalled_count; k++)
        if (w->forestalled[k].time == time) return &w->forestalled[k];
    return NULL;
}
