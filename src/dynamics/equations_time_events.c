/// dynamics/equations_time_events.c: what the equations of a model do with the time.
///
/// To find it takes thousands of evaluations, and it follows from few of the parameters. So equations that
/// come back from the tape_cache bring their last timetable, and give it away as long as what it was made from is
/// the same.
#include <stdlib.h>
#include <string.h>

#include "symbolic/compiler/tape_cache.h"
#include "dynamics/step_scan.h"

struct slip_time_event_cache {
    slip_time_schedule table;
    slip_parameter_reads reads;
    int count;
    slip_ref roots[];
};

void slip_time_event_cache_destroy(struct slip_time_event_cache *kept)
{
    if (!kept) return;
    slip_time_schedule_destroy(&kept->table);
    slip_parameter_reads_destroy(&kept->reads);
    free(kept);
}

static bool copy_numbers(double **to, const double *from, int count)
{
    *to = malloc(((size_t)count + 1) * sizeof **to);
    if (*to && count) memcpy(*to, from, (size_t)count * sizeof **to);
    return *to != NULL;
}

static bool copy_table(slip_time_schedule *to, const slip_time_schedule *from)
{
    *to = *from;
    to->switches = to->start = to->length = NULL;
    return copy_numbers(&to->switches, from->switches, from->switch_count) &&
           copy_numbers(&to->start, from->start, from->cell_count) &&
           copy_numbers(&to->length, from->length, from->cell_count);
}

// ---------------------------------------------------------------------------------------------- making

// nodes that were there when the equations were derived keep their numbers on the tape_cache, others do not
static bool nodes_persist(const slip_equations *e, const slip_ref *roots, int count)
{
    for (int k = 0; k < count; k++)
        if (roots[k] >= 0 && (size_t)roots[k] >= e->derived.graph.nodes) return false;
    return true;
}

static bool is_cached(const slip_equations *e, const slip_ref *roots, int count, double until)
{
    const struct slip_time_event_cache *kept = e->timetable;
    return kept && kept->count == count && memcmp(&kept->table.until, &until, sizeof until) == 0 &&
           memcmp(kept->roots, roots, (size_t)count * sizeof *roots) == 0 &&
           slip_parameter_reads_unchanged(&kept->reads, e->graph);
}

// made, and a copy kept; without memory for that it is only made
static bool find_and_cache(slip_equations *e, slip_tape_cache *tape_cache, const slip_ref *roots, int count,
                           double until, slip_time_schedule *table)
{
    struct slip_time_event_cache *kept = calloc(1, sizeof *kept + (size_t)count * sizeof *roots);
    if (!kept) return slip_time_schedule_create(table, e->graph, roots, count, until);
    kept->count = count;
    memcpy(kept->roots, roots, (size_t)count * sizeof *roots);
    slip_parameter_reads_open(&kept->reads, tape_cache);
    const bool fine = slip_time_schedule_create(table, e->graph, roots, count, until);
    slip_parameter_reads_close(&kept->reads, tape_cache);
    slip_time_event_cache_destroy(e->timetable);
    e->timetable = fine && copy_table(&kept->table, table) ? kept : NULL;
    if (!e->timetable) slip_time_event_cache_destroy(kept);
    return fine;
}

static bool find_time_events(slip_equations *e, const slip_ref *roots, int count, double until,
                             slip_time_schedule *table)
{
    slip_tape_cache *tape_cache = slip_graph_cache(e->graph);
    if (!tape_cache || !nodes_persist(e, roots, count))
        return slip_time_schedule_create(table, e->graph, roots, count, until);
    if (is_cached(e, roots, count, until)) return copy_table(table, &e->timetable->table);
    return find_and_cache(e, tape_cache, roots, count, until, table);
}

// ------------------------------------------------------------------------------------------- expressions

static int append_row_refs(const slip_row *row, slip_ref *roots, int count)
{
    roots[count++] = row->rate;
    return count;
}

bool slip_equations_timetable(slip_equations *e, double until, slip_time_schedule *table)
{
    size_t most = (size_t)e->n + 2 * (size_t)e->constraint_count + 6 * (size_t)e->element_count + 1;
    for (int b = 0; b < e->block_count; b++) most += (size_t)e->blocks[b].count * (size_t)e->blocks[b].count;
    slip_ref *roots = malloc(most * sizeof *roots);
    int count = 0;
    if (!roots) return *table = (slip_time_schedule){ 0 }, false;
    for (int k = 0; k < e->n; k++) roots[count++] = e->h[k];
    for (int b = 0; b < e->block_count; b++)
        for (int k = 0; k < e->blocks[b].count * e->blocks[b].count; k++)
            roots[count++] = e->blocks[b].entry[k];
    for (int k = 0; k < e->constraint_count; k++) {
        roots[count++] = e->constraint_zero[k];
        count = append_row_refs(&e->constraints[k], roots, count);
    }
    for (int k = 0; k < e->element_count; k++) {
        const slip_element *el = &e->elements[k];
        roots[count++] = el->has_gap ? el->gap : SLIP_NONE;
        roots[count++] = el->friction;
        roots[count++] = el->static_friction;
        if (el->has_gap) count = append_row_refs(&el->normal, roots, count);
        for (int c = 0; c < el->slip_count; c++) count = append_row_refs(&el->tangent[c], roots, count);
    }
    bool fine = find_time_events(e, roots, count, until, table);
    free(roots);
    return fine;
}
