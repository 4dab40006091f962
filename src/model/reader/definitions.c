/// model/reader/definitions.c: all parameters and definitions, each after those it needs.
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/reader/reader.h"

// "a -> b -> a"; a long circle is cut in the middle
static void report_cycle(slip_reader *r, slip_symbol *last, slip_symbol *first)
{
    enum { SHOWN = 8 };
    slip_symbol *chain[SHOWN];
    int length = 0;
    for (slip_symbol *s = last;; s = s->parent) {
        if (length < SHOWN) chain[length] = s;
        length++;
        s->stage = SLIP_STAGE_FAILED;
        if (s == first) break;
    }
    slip_text text = { 0 };
    int shown = length < SHOWN ? length : SHOWN;
    slip_text_add(&text, "%.60s", first->name);
    if (length > SHOWN) slip_text_add(&text, " -> ...");
    for (int k = shown - (length > SHOWN ? 1 : 2); k >= 0; k--)
        slip_text_add(&text, " -> %.60s", chain[k]->name);
    slip_text_add(&text, " -> %.60s", first->name);
    if (text.failed)
        slip_reader_no_memory(r);
    else
        slip_reader_error(r, first->node->key->where, NULL, "%s '%.80s' depends on itself: %s",
                          slip_symbol_word(first->kind), first->name, text.data);
    slip_text_destroy(&text);
}

// reads the formula of a symbol whose needs are met
static void finish_symbol(slip_reader *r, slip_symbol *s, slip_formula_reading *c, slip_value value)
{
    s->stage = SLIP_STAGE_FAILED;
    s->node->bad = true;
    if (!slip_formula_reading_check(r, c, s->node, value)) return;
    if (s->kind == SLIP_SYMBOL_PARAMETER) {
        double number;
        if (!slip_value_of(r, value.part[0], &number)) return;
        s->formula = value.part[0];
        s->node->dimension = value.dimension;
        value.part[0] = slip_graph_parameter(r->model->graph, s->name, number);
        if (value.part[0] == SLIP_NONE) slip_reader_no_memory(r);
    }
    s->value = value;
    s->uses = c->uses;
    s->node->bad = false;
    s->stage = SLIP_STAGE_DONE;
    if (s->node->counts) { // repeat: {for: {i: 1..n}}
        s->used = true;
        slip_note_structural(r, &s->value.part[0], 1);
    }
}

typedef struct stack {
    slip_symbol **items;
    size_t count, capacity;
} stack;

static bool push_symbol(slip_reader *r, stack *st, slip_symbol *s)
{
    if (!slip_array_grow((void **)&st->items, &st->capacity, st->count, sizeof *st->items))
        return slip_reader_no_memory(r);
    st->items[st->count++] = s;
    return true;
}

// one attempt at the symbol on top: done, failed, or the names it needs are now on top of it
static void resolve_top(slip_reader *r, stack *st)
{
    slip_symbol *s = st->items[st->count - 1];
    if (s->stage == SLIP_STAGE_DONE || s->stage == SLIP_STAGE_FAILED) {
        st->count--;
        return;
    }
    bool parameter = s->kind == SLIP_SYMBOL_PARAMETER;
    char what[120];
    snprintf(what, sizeof what, "%s '%.90s'", slip_symbol_word(s->kind), s->name);
    slip_formula_spec wanted = { .what = what,
                                 .may_use = parameter ? 0 : SLIP_USES_MOTION,
                                 .count = parameter ? 1 : 0,
                                 .set_valued = !parameter && r->inclusion };
    s->stage = SLIP_STAGE_OPEN;
    slip_formula_reading c = { .r = r, .wanted = &wanted };
    slip_value value;
    bool good = slip_formula_reading_parse(&c, s->node, &value);
    if (c.circle) {
        report_cycle(r, s, c.circle);
    } else if (c.pending_count) {
        for (size_t k = c.pending_count; k > 0; k--) {
            c.pending[k - 1]->parent = s;
            if (!push_symbol(r, st, c.pending[k - 1])) break;
        }
    } else if (good) {
        finish_symbol(r, s, &c, value);
    } else {
        s->stage = SLIP_STAGE_FAILED;
        s->node->bad = true;
    }
    free(c.pending);
}

void slip_read_pending(slip_reader *r, slip_symbol **symbols, size_t count)
{
    stack st = { 0 };
    for (size_t k = 0; k < count && !slip_reader_stopped(r); k++) {
        slip_symbol *s = symbols[k];
        if (s->node->bad && s->stage == SLIP_STAGE_WAITING) s->stage = SLIP_STAGE_FAILED;
        if (!push_symbol(r, &st, s)) break;
        while (st.count > 0 && !slip_reader_stopped(r)) resolve_top(r, &st);
    }
    free(st.items);
}

static void read_kinds(slip_reader *r, bool definitions)
{
    for (size_t k = 0; k < r->symbol_count && !slip_reader_stopped(r); k++) {
        slip_symbol_kind kind = r->symbols[k]->kind;
        if (kind == SLIP_SYMBOL_PARAMETER || (kind == SLIP_SYMBOL_DEFINITION && definitions))
            slip_read_pending(r, &r->symbols[k], 1);
    }
}

void slip_read_parameters(slip_reader *r)
{
    read_kinds(r, false);
}

void slip_read_definitions(slip_reader *r)
{
    read_kinds(r, true);
}
