/// formulation/regularized/dai_inclusion_elements.c: names and constants of the elements of an inclusion.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formulation/regularized/dai_traversal.h"

// where it was written; an expression that the program made is where its first written part is
static slip_span source_span(const slip_dai_traversal *w, slip_ref ref)
{
    while (!slip_graph_place(w->graph, ref).source && slip_dai_traversal_node(w, ref).arg[0] >= 0)
        ref = slip_dai_traversal_node(w, ref).arg[0];
    return slip_graph_place(w->graph, ref);
}

slip_status slip_dai_traversal_fail(slip_dai_traversal *w, slip_ref at, const char *text)
{
    char place[160];
    if (w->status != SLIP_OK) return w->status;
    return w->status = slip_fail(w->error, SLIP_BAD_MODEL,
                                 slip_span_place(source_span(w, at), place, sizeof place), "%s", text);
}

// in a product SLIP_NONE stands for 1, so a node that could not be made has to be remembered at once
slip_ref slip_dai_traversal_check(slip_dai_traversal *w, slip_ref ref)
{
    if (ref < 0 && w->status == SLIP_OK) w->status = SLIP_NO_MEMORY;
    return ref;
}

// ------------------------------------------------------------------------------------ naming elements

// the first definition of a node gives it its name; a minus in front is not part of an element
void slip_dai_traversal_definitions(slip_dai_traversal *w)
{
    for (int k = w->model->definition_count - 1; k >= 0; k--) {
        const struct slip_definition *d = &w->model->definitions[k];
        for (int c = 0; c < d->value.count; c++) {
            slip_ref part = d->value.part[c];
            if (part >= 0 && slip_dai_traversal_node(w, part).op == SLIP_OP_NEG)
                part = slip_dai_traversal_node(w, part).arg[0];
            if (part >= 0 && part < w->original_count) w->definition[part] = k + 1;
        }
    }
}

static bool is_defined(const slip_dai_traversal *w, const char *name)
{
    for (int k = 0; k < w->model->definition_count; k++)
        if (strcmp(w->model->definitions[k].name, name) == 0) return true;
    return false;
}

// an element is called like the definition that is exactly it, else dio1, sgn1, ...
const char *slip_dai_traversal_name(slip_dai_traversal *w, slip_ref term, const char *word, int *number)
{
    int at = term < w->original_count ? w->definition[term] - 1 : -1;
    if (at >= 0 && !w->taken[at]) {
        w->taken[at] = true;
        return w->model->definitions[at].name;
    }
    char name[64];
    do snprintf(name, sizeof name, "%s%d", word, ++*number);
    while (is_defined(w, name));
    const char *kept = slip_pool_text(w->ode->pool, name, strlen(name));
    if (!kept) w->status = SLIP_NO_MEMORY;
    return kept ? kept : "";
}

slip_inclusion_element *slip_dai_traversal_add(slip_dai_traversal *w, slip_inclusion_element made)
{
    if (!slip_array_grow((void **)&w->elements, &w->capacity, w->count, sizeof made)) {
        w->status = SLIP_NO_MEMORY;
        return NULL;
    }
    w->elements[w->count] = made;
    return &w->elements[w->count++];
}

// ------------------------------------------------------------------------------- constants of elements

static void take_given(slip_dai_constants *to, const slip_dai_constants *from)
{
    double *mine[] = { &to->K, &to->alpha, &to->beta, &to->K_t, &to->beta_t };
    const double *theirs[] = { &from->K, &from->alpha, &from->beta, &from->K_t, &from->beta_t };
    for (int k = 0; k < 5; k++)
        if (!isnan(*theirs[k])) *mine[k] = *theirs[k];
}

// those for all, then those for this element; friction falls back on K and beta
slip_dai_constants slip_dai_traversal_constants(slip_dai_traversal *w, const slip_inclusion_element *element)
{
    slip_dai_constants c = { NAN, NAN, NAN, NAN, NAN };
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < w->model->constants_count; k++) {
            const slip_inclusion_constants *given = &w->model->constants[k];
            bool general = given->name == NULL;
            if (general != (pass == 0) || (!general && strcmp(given->name, element->name) != 0)) continue;
            slip_dai_constants own = given->dai;
            if (!element->is_dio && isnan(own.K_t)) own.K_t = own.K;
            if (!element->is_dio && isnan(own.beta_t)) own.beta_t = own.beta;
            take_given(&c, &own);
        }
    char text[320];
    bool whole = element->is_dio ? !isnan(c.K) && !isnan(c.alpha) && !isnan(c.beta)
                                 : !isnan(c.K_t) && !isnan(c.beta_t);
    if (!whole) {
        snprintf(text, sizeof text,
                 "element '%s' needs %s: an inclusion has no masses to derive them from; give them "
                 "under dai:, for all elements or for this one",
                 element->name, element->is_dio ? "K, alpha and beta" : "K and beta");
        slip_dai_traversal_fail(w, element->original, text);
    }
    return c;
}
