/// model/reader/repeat_blocks.c: `repeat:`, parts that are written once and stand for many. Done to the tree before it is
/// checked.
///
///     repeat:
///       - for: {i: 1..n}
///         coordinates: {x(i): 0.1*i}
///         contacts: {touch(i): {gap: x(i+1) - x(i)}}
///
/// A map whose name has no index is merged with the one of that name in the model; what has one is copied for
/// every value of the indices.
#include <stdlib.h>
#include <string.h>

#include "model/reader/indices.h"

typedef struct repetition {
    slip_reader *r;
    slip_indices ix;
    const slip_yaml *ranges; // `for`
} repetition;

slip_yaml *slip_indices_copy(slip_indices *ix, const slip_yaml *node, slip_span cause)
{
    slip_reader *r = ix->r;
    if (++r->copied_nodes > SLIP_YAML_NODES) {
        slip_reader_error(r, cause, NULL, "the model gets more than %d keys and values this way",
                          SLIP_YAML_NODES);
        return NULL;
    }
    if (node->kind == SLIP_YAML_SCALAR) return slip_indices_expand(ix, node, NULL);
    slip_yaml *copy = SLIP_POOL_NEW(r->scratch, slip_yaml, 1);
    if (!copy) slip_reader_no_memory(r);
    if (!copy) return NULL;
    *copy = *node;
    copy->first = copy->last = copy->next = copy->key = NULL;
    copy->count = 0;
    for (const slip_yaml *child = node->first; child; child = child->next) {
        slip_yaml *key = child->key ? slip_indices_expand_key(ix, child->key) : NULL;
        slip_yaml *value = slip_indices_copy(ix, child, cause);
        if (!value || (child->key && !key)) return NULL;
        slip_yaml_append(copy, key, value);
    }
    return copy;
}

// ----------------------------------------------------------------------------------------------- copies

static bool append_copy(repetition *p, const slip_yaml *child, slip_yaml *into)
{
    slip_yaml *key = slip_indices_expand_key(&p->ix, child->key),
              *value = slip_indices_copy(&p->ix, child, p->ranges->where);
    if (!key || !value) return false;
    slip_yaml_append(into, key, value);
    return true;
}

// a copy for every value that `range` and the indices behind it take: of a range, or of a list of numbers
static bool append_copies(repetition *p, const slip_yaml *range, const slip_yaml *child, slip_yaml *into)
{
    if (!range) return append_copy(p, child, into);
    slip_indices *ix = &p->ix;
    long first = 0, last = -1, value;
    bool good = true;
    if (range->kind == SLIP_YAML_SCALAR)
        good = slip_indices_range(ix, range, 0, range->length, &first, &last);
    if (!good || !slip_indices_push(ix, range->key, 0, range->key->length)) return false;
    for (long k = first; k <= last && good; k++) {
        ix->list[ix->count - 1].value = k;
        good = append_copies(p, range->next, child, into);
    }
    for (const slip_yaml *item = range->first; item && good; item = item->next) {
        good =
            item->kind == SLIP_YAML_SCALAR && slip_indices_number(ix, item, 0, item->length, false, &value);
        if (!good) break;
        ix->list[ix->count - 1].value = value;
        good = append_copies(p, range->next, child, into);
    }
    ix->count--;
    return good;
}

// ---------------------------------------------------------------------------------------------- merging

// whether a name has one of the indices of `for` in it: expanding it with any values changes it
static bool has_index(repetition *p, const slip_yaml *key, bool *indexed)
{
    slip_indices all = { .r = p->r };
    *indexed = false;
    for (const slip_yaml *range = p->ranges->first; range; range = range->next)
        if (!slip_indices_push(&all, range->key, 0, range->key->length)) return false;
    for (int k = 0; k < all.count; k++) all.list[k].value = SLIP_MAX_INDEX / 2; // x(i - 3) is not negative
    return slip_indices_expand(&all, key, indexed) != NULL;
}

static slip_yaml *map_named(slip_reader *r, slip_yaml *into, slip_yaml *child)
{
    slip_yaml *there = slip_yaml_find(into, child->key->text);
    if (there && there->kind == SLIP_YAML_MAP) return there;
    if (there) {
        slip_reader_error(r, child->key->where, NULL, "'%.80s' is given twice", child->key->text);
        slip_reader_note(r, there->key->where, "the first one is here");
        return NULL;
    }
    slip_yaml *made = SLIP_POOL_NEW(r->scratch, slip_yaml, 1);
    if (!made) slip_reader_no_memory(r);
    if (!made) return NULL;
    *made = (slip_yaml){ .kind = SLIP_YAML_MAP, .where = child->where };
    slip_yaml_append(into, child->key, made);
    return made;
}

static bool merge_block(repetition *p, slip_yaml *map, slip_yaml *into)
{
    for (slip_yaml *child = map->first; child && !slip_reader_stopped(p->r); child = child->next) {
        bool indexed;
        if (child == p->ranges || child->bad) continue;
        if (!has_index(p, child->key, &indexed)) return false;
        if (indexed) {
            if (!append_copies(p, p->ranges->first, child, into)) return false;
            continue;
        }
        if (child->kind != SLIP_YAML_MAP) {
            slip_reader_error(p->r, child->key->where, "x(i): for every i one with its own name",
                              "'%.80s' is repeated, but its name has no index", child->key->text);
            return false;
        }
        slip_yaml *target = map_named(p->r, into, child);
        if (!target || !merge_block(p, child, target)) return false;
    }
    return true;
}

static void repeat_block(slip_reader *r, slip_yaml *block)
{
    repetition p = { .r = r, .ix = { .r = r } };
    if (block->bad) return;
    p.ranges = slip_yaml_find(block, "for");
    if (!p.ranges || p.ranges->kind != SLIP_YAML_MAP || p.ranges->count == 0) {
        slip_reader_error(r, p.ranges ? p.ranges->where : block->where, "for: {i: 1..5}",
                          "what is repeated says which index runs over what");
        return;
    }
    merge_block(&p, block, r->root);
}

static void expand_sums(slip_reader *r, slip_yaml *node)
{
    if (node->kind == SLIP_YAML_SCALAR && !node->bad) slip_expand_sums(r, node);
    for (slip_yaml *child = node->first; child && !slip_reader_stopped(r); child = child->next)
        expand_sums(r, child);
}

bool slip_expand_repeats(slip_reader *r)
{
    int before = slip_diagnostics_error_count(r->notes);
    slip_yaml *repeat = slip_yaml_find(r->root, "repeat");
    if (repeat) {
        slip_yaml_remove(r->root, repeat);
        if (repeat->kind == SLIP_YAML_MAP) repeat_block(r, repeat);
        for (slip_yaml *block = repeat->first; block && repeat->kind == SLIP_YAML_LIST; block = block->next)
            if (!slip_reader_stopped(r)) repeat_block(r, block);
        if (repeat->kind == SLIP_YAML_SCALAR)
            slip_reader_error(r, repeat->where, "repeat: {for: {i: 1..5}, coordinates: {x(i): 0}}",
                              "expected a map with 'for', or a list of such maps, got %s",
                              slip_yaml_describe(repeat));
    }
    const bool filled = !slip_reader_stopped(r) && slip_expand_fills(r);
    for (slip_yaml *section = r->root->first; section && !slip_reader_stopped(r); section = section->next)
        if (section->kind != SLIP_YAML_SCALAR) expand_sums(r, section); // else a text such as `about`
    if ((repeat || filled) && !slip_reader_stopped(r) && !slip_yaml_refuse_duplicates(r->root, r->notes))
        slip_reader_no_memory(r);
    return !slip_reader_stopped(r) && slip_diagnostics_error_count(r->notes) == before;
}
