/// model/reader/symbol_table.c: the names of a model. One namespace, so that no name can mean two things.
#include <stdlib.h>
#include <string.h>

#include "model/reader/reader.h"

const char *slip_symbol_word(slip_symbol_kind kind)
{
    static const char *const words[] = { "parameter", "definition", "function",   "coordinate", "state",
                                         "contact",   "friction",   "constraint", "body" };
    return words[kind];
}

slip_value slip_symbol_rate(const slip_symbol *symbol)
{
    slip_value rate = slip_scalar(symbol->rate);
    rate.dimension = slip_dimension_rate(&symbol->value.dimension);
    return rate;
}

static size_t hash_name(const char *name, size_t length)
{
    uint64_t h = 14695981039346656037u;
    for (size_t k = 0; k < length; k++) h = (h ^ (unsigned char)name[k]) * 1099511628211u;
    return (size_t)(h ^ h >> 29);
}

// the slot where the name is or would be
static slip_symbol **symbol_slot(slip_symbol **slots, size_t count, const char *name, size_t length)
{
    size_t at = hash_name(name, length) & (count - 1);
    while (slots[at] && (strncmp(slots[at]->name, name, length) != 0 || slots[at]->name[length] != '\0'))
        at = (at + 1) & (count - 1);
    return &slots[at];
}

slip_symbol *slip_lookup(const slip_reader *r, const char *name, size_t length)
{
    return r->slot_count ? *symbol_slot(r->slots, r->slot_count, name, length) : NULL;
}

// at most half full
static bool reserve_symbol(slip_reader *r)
{
    if (!slip_array_grow((void **)&r->symbols, &r->symbol_capacity, r->symbol_count, sizeof *r->symbols))
        return false;
    if (2 * (r->symbol_count + 1) <= r->slot_count) return true;
    size_t count = r->slot_count ? 2 * r->slot_count : 64;
    slip_symbol **slots = calloc(count, sizeof *slots);
    if (!slots) return false;
    for (size_t k = 0; k < r->symbol_count; k++)
        *symbol_slot(slots, count, r->symbols[k]->name, strlen(r->symbols[k]->name)) = r->symbols[k];
    free(r->slots);
    r->slots = slots;
    r->slot_count = count;
    return true;
}

// elements are only ever written before a dot (floor.normal), so they may share a function's name
static bool is_element(slip_symbol_kind kind)
{
    return kind == SLIP_SYMBOL_CONTACT || kind == SLIP_SYMBOL_FRICTION || kind == SLIP_SYMBOL_CONSTRAINT ||
           kind == SLIP_SYMBOL_BODY;
}

static bool check_name(slip_reader *r, slip_symbol_kind kind, slip_span where, const char *name,
                       size_t length)
{
    const char *word = slip_symbol_word(kind);
    if (!slip_formula_is_name(name, length)) {
        slip_reader_error(r, where, "a name is a letter or _, then letters, digits and _",
                          "'%.80s' cannot be the name of a %s", name, word);
        return false;
    }
    if (!is_element(kind) && slip_formula_is_reserved(name)) {
        slip_reader_error(r, where, "choose another name",
                          "'%.80s' means something in formulas already and cannot be "
                          "the name of a %s",
                          name, word);
        return false;
    }
    return true;
}

// `name` is the model's own copy
static slip_symbol *add_symbol(slip_reader *r, slip_symbol_kind kind, const char *name, slip_span where,
                               slip_yaml *node)
{
    size_t length = strlen(name);
    slip_symbol *other = slip_lookup(r, name, length);
    if (other && node->bad && other->kind == kind) return NULL; // a duplicate key: said already
    if (other) {
        slip_reader_error(r, where, NULL, "'%.80s' is already the name of a %s", name,
                          slip_symbol_word(other->kind));
        slip_reader_note(r, other->node->key->where, "the %s '%.80s' is here", slip_symbol_word(other->kind),
                         name);
        other->stage = SLIP_STAGE_FAILED; // what uses the name could mean either
        other->used = true;
        return NULL;
    }
    slip_symbol *symbol = SLIP_POOL_NEW(r->scratch, slip_symbol, 1);
    if (!symbol || !reserve_symbol(r)) {
        slip_reader_no_memory(r);
        return NULL;
    }
    *symbol = (slip_symbol){ .name = name, .kind = kind, .node = node, .rate = SLIP_NONE };
    if (kind == SLIP_SYMBOL_COORDINATE) symbol->of_coordinate.velocity = SLIP_NONE;
    r->symbols[r->symbol_count++] = symbol;
    *symbol_slot(r->slots, r->slot_count, name, length) = symbol;
    return symbol;
}

slip_symbol *slip_declare_part(slip_reader *r, slip_symbol_kind kind, const slip_yaml *key, size_t length,
                               slip_yaml *node)
{
    slip_span where = slip_yaml_part(key, 0, length);
    const char *name = slip_reader_text(r, key->text, length);
    if (!name || (node->bad && !slip_formula_is_name(name, length))) return NULL; // said already
    return check_name(r, kind, where, name, length) ? add_symbol(r, kind, name, where, node) : NULL;
}

slip_symbol *slip_declare_derived(slip_reader *r, slip_symbol_kind kind, const char *name, slip_yaml *node)
{
    const char *kept = slip_reader_text(r, name, strlen(name));
    return kept ? add_symbol(r, kind, kept, node->key->where, node) : NULL;
}

slip_symbol *slip_declare(slip_reader *r, slip_symbol_kind kind, const slip_yaml *key, slip_yaml *node)
{
    return slip_declare_part(r, kind, key, key->length, node);
}

slip_symbol *slip_reference(slip_reader *r, slip_symbol_kind kind, const slip_yaml *key, const char *what)
{
    slip_symbol *symbol = slip_lookup(r, key->text, key->length);
    if (symbol && symbol->kind == kind) return symbol;
    if (symbol && symbol->stage == SLIP_STAGE_FAILED) return NULL;
    enum { MAX_NAMES = 1000 };
    const char *names[MAX_NAMES] = { NULL };
    int count = 0;
    for (size_t k = 0; k < r->symbol_count && count < MAX_NAMES; k++)
        if (r->symbols[k]->kind == kind) names[count++] = r->symbols[k]->name;
    char hint[200];
    slip_suggest_name(key->text, names, count, hint, (int)sizeof hint);
    if (symbol)
        slip_reader_error(r, key->where, hint, "'%.80s' is a %s, not a %s", key->text,
                          slip_symbol_word(symbol->kind), what);
    else
        slip_reader_error(r, key->where, hint, "there is no %s '%.80s'", what, key->text);
    return NULL;
}
