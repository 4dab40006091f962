/// model/bodies/used_names.c: the names that formulas and other parts of a model use. A free body that
/// nothing names can be represented by numbers alone.
///
/// Every word that stands where something may act on a body counts, whatever it means there: a body that is
/// moved by formulas without need is slower, not wrong.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/bodies/rigid_bodies.h"

typedef struct word {
    const char *text;
    size_t length;
} word;

struct slip_used_names {
    word *items;
    size_t count, capacity;
};

static int compare_words(const void *a, const void *b)
{
    const word *x = a, *y = b;
    const size_t least = x->length < y->length ? x->length : y->length;
    const int order = memcmp(x->text, y->text, least);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

static bool add_words(struct slip_used_names *w, const slip_yaml *scalar)
{
    if (!scalar->text) return true;
    for (const char *p = scalar->text; *p;) {
        const char *from = p;
        while (isalnum((unsigned char)*p) || *p == '_') p++;
        if (p == from) {
            p++;
            continue;
        }
        if (isdigit((unsigned char)*from)) continue;
        if (!slip_array_grow((void **)&w->items, &w->capacity, w->count, sizeof *w->items)) return false;
        w->items[w->count++] = (word){ from, (size_t)(p - from) };
    }
    return true;
}

static bool is_one_of(const slip_yaml *key, const char *const *names, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(key->text, names[k]) == 0) return true;
    return false;
}

static bool add_tree(struct slip_used_names *w, const slip_yaml *node)
{
    static const char *const passed_over[] = { "detect" };
    if (node->kind == SLIP_YAML_SCALAR) return add_words(w, node);
    for (const slip_yaml *child = node->first; child; child = child->next) {
        if (child->key && is_one_of(child->key, passed_over, 1)) continue;
        if (child->key && !add_words(w, child->key)) return false;
        if (!add_tree(w, child)) return false;
    }
    return true;
}

// of a body what it hangs on: the rest is its own
static bool add_bodies(struct slip_used_names *w, const slip_yaml *bodies)
{
    for (const slip_yaml *body = bodies->first; body; body = body->next) {
        const slip_yaml *joint = slip_yaml_find(body, "joint");
        if (joint && !add_tree(w, joint)) return false;
    }
    return true;
}

// what a contact that is written names as a group
static bool add_groups(struct slip_used_names *w, const slip_yaml *root)
{
    const slip_yaml *groups = slip_yaml_find(root, "groups"), *contacts = slip_yaml_find(root, "contacts");
    for (const slip_yaml *contact = contacts ? contacts->first : NULL; contact; contact = contact->next) {
        const slip_yaml *between = slip_yaml_find(contact, "between");
        for (const slip_yaml *side = between ? between->first : NULL; side; side = side->next) {
            const slip_yaml *group =
                side->kind == SLIP_YAML_SCALAR ? slip_yaml_find(groups, side->text) : NULL;
            if (group && !add_tree(w, group)) return false;
        }
    }
    return true;
}

static bool add_model(struct slip_used_names *w, const slip_yaml *root)
{
    // what names bodies without acting on them while time passes
    static const char *const quiet[] = { "name",      "about",  "include", "parameters", "distributions",
                                         "tables",    "inputs", "groups",  "materials",  "fill",
                                         "record",    "draw",   "run",     "when",       "controllers",
                                         "slipstick", "repeat", "start" };
    for (const slip_yaml *section = root->first; section; section = section->next) {
        if (is_one_of(section->key, quiet, sizeof quiet / sizeof *quiet)) continue;
        const bool bodies = strcmp(section->key->text, "bodies") == 0;
        if (!(bodies ? add_bodies(w, section) : add_tree(w, section))) return false;
    }
    if (!add_groups(w, root)) return false;
    qsort(w->items, w->count, sizeof *w->items, compare_words);
    return true;
}

bool slip_is_name_used(slip_reader *r, const char *name)
{
    slip_bodies *b = r->bodies;
    if (!b->words) {
        b->words = calloc(1, sizeof *b->words);
        if (!b->words || !add_model(b->words, r->root)) return slip_reader_no_memory(r);
    }
    const word wanted = { name, strlen(name) };
    return b->words->count &&
           bsearch(&wanted, b->words->items, b->words->count, sizeof *b->words->items, compare_words);
}

void slip_release_used_names(slip_bodies *b)
{
    if (b->words) free(b->words->items);
    free(b->words);
}
