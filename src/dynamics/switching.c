/// dynamics/switching.c: where the equations of a system bend or jump.
#include "dynamics/switching.h"

#include <stdlib.h>
#include <string.h>

// the switches below the roots of one owner
static bool find_switches_below(const slip_switching *w, const slip_equations *e, const slip_ref *roots,
                                const int *owner, int count, int whose, slip_ref *scratch, bool *used)
{
    int found = 0;
    for (int k = 0; k < count; k++)
        if (owner[k] == whose) scratch[found++] = roots[k];
    memset(used, 0, (size_t)w->switches.count * sizeof *used);
    return slip_switches_below(&w->switches, e->graph, scratch, found, used);
}

static bool assign_switches(slip_switching *w, const slip_equations *e, const slip_ref *roots,
                            const int *owner, int count)
{
    int switches = w->switches.count, elements = e->element_count;
    size_t capacity = 0;
    slip_ref *scratch = malloc((size_t)(count + 1) * sizeof *scratch);
    bool *used = malloc((size_t)switches * sizeof *used);
    w->always = calloc((size_t)switches, sizeof *w->always);
    w->start = calloc((size_t)elements + 1, sizeof *w->start);
    bool fine = scratch && used && w->always && w->start &&
                find_switches_below(w, e, roots, owner, count, -1, scratch, w->always);
    for (int k = 0; k < elements && fine; k++) {
        fine = find_switches_below(w, e, roots, owner, count, k, scratch, used);
        w->start[k + 1] = w->start[k];
        for (int i = 0; i < switches && fine; i++) {
            if (!used[i] || w->switches.list[i].timed) continue;
            fine = slip_array_grow((void **)&w->list, &capacity, (size_t)w->start[k + 1], sizeof *w->list);
            if (fine) w->list[w->start[k + 1]++] = i;
        }
    }
    free(scratch);
    free(used);
    return fine;
}

static bool compile_switch_tape(slip_switching *w, const slip_equations *e)
{
    int count = w->switches.count;
    slip_ref *roots = malloc(2 * (size_t)count * sizeof *roots);
    for (int k = 0; roots && k < count; k++) {
        const slip_switch *s = &w->switches.list[k];
        roots[k] = s->level >= 0 ? s->within : s->locked;
        roots[count + k] = s->level >= 0 ? s->own : s->locked;
    }
    w->tape = roots ? slip_tape_create(e->graph, roots, 2 * count) : NULL;
    free(roots);
    return w->tape != NULL;
}

bool slip_switching_create(slip_equations *e, slip_ref *roots, const int *owner, int count,
                           slip_switching **out)
{
    *out = NULL;
    slip_switching *w = calloc(1, sizeof *w);
    slip_ref *pieces = malloc((size_t)(count + 1) * sizeof *pieces);
    bool fine = w && pieces;
    if (fine && count) memcpy(pieces, roots, (size_t)count * sizeof *pieces);
    fine = fine && slip_switches_create(&w->switches, e->graph, pieces, count);
    bool some = fine && w->switches.count > 0;
    if (some)
        fine = assign_switches(w, e, pieces, owner, count) &&
               slip_switches_lock(&w->switches, e->graph, pieces, count) && compile_switch_tape(w, e);
    if (some && fine) {
        memcpy(roots, pieces, (size_t)count * sizeof *roots);
        *out = w;
    } else {
        slip_switching_destroy(w);
    }
    free(pieces);
    return fine;
}

void slip_switching_destroy(slip_switching *w)
{
    if (!w) return;
    slip_switches_destroy(&w->switches);
    slip_tape_destroy(w->tape);
    free(w->always);
    free(w->start);
    free(w->list);
    free(w);
}
