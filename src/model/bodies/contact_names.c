/// model/bodies/contact_names.c: names of contacts that shapes make.
#include "model/bodies/contact_names.h"

#include <stdio.h>
#include <string.h>

static size_t append_part(char *stem, size_t size, const char *part)
{
    size_t at = strlen(stem);
    if (part && at < size) snprintf(stem + at, size - at, "_%.40s", part);
    return strlen(stem);
}

void slip_contact_namer_start_pair(slip_contact_namer *n, const char *a, const char *a_shape, const char *b,
                                   const char *b_shape, int features)
{
    snprintf(n->stem, sizeof n->stem, "%.40s", n->node->key->text);
    if (n->pairs > 1) {
        const char *const parts[] = { a, a_shape, b, b_shape };
        for (int k = 0; k < 4; k++) append_part(n->stem, sizeof n->stem, parts[k]);
    }
    n->features = features;
    n->next = 1;
}

int slip_declare_pair_contact(slip_contact_namer *n, struct slip_shape_contact touch, int index)
{
    slip_reader *r = n->r;
    char name[240];
    snprintf(name, sizeof name, "%s", n->stem);
    if (n->features > 1) snprintf(name, sizeof name, "%s_%d", n->stem, n->next++);
    struct slip_shape_contact *kept = SLIP_POOL_NEW(r->scratch, struct slip_shape_contact, 1);
    bool whole = touch.gap != SLIP_NONE && touch.slip[0] != SLIP_NONE;
    if (slip_dimensions(r) == 3) whole = whole && touch.slip[1] != SLIP_NONE;
    if (!kept || !whole) {
        slip_reader_no_memory(r);
        return index;
    }
    *kept = touch;
    slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_CONTACT, name, n->node);
    if (!s) return index;
    s->index = index;
    s->stage = SLIP_STAGE_DONE;
    s->of_element.touch = kept;
    return index + 1;
}

bool slip_check_contact_name(slip_reader *r, const slip_yaml *key)
{
    if (slip_formula_is_name(key->text, key->length)) return true;
    slip_reader_error(r, key->where, "a name is a letter or _, then letters, digits and _",
                      "'%.80s' cannot be the name of a contact", key->text);
    return false;
}

void slip_declare_failed(slip_reader *r, slip_yaml *node)
{
    slip_symbol *s = slip_declare_derived(r, SLIP_SYMBOL_CONTACT, node->key->text, node);
    node->bad = true;
    if (!s) return;
    s->stage = SLIP_STAGE_FAILED;
    s->index = -1;
}
