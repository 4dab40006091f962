/// system/timetables.c: what the equations of a model do with the time.
///
/// To find it takes thousands of evaluations, and it follows from few of the parameters. So equations that
/// come back from the shelf bring their last timetable, and give it away as long as what it was made from is
/// the same.
#include <stdlib.h>
#include <string.h>

#include "formula/shelf.h"
#include "system/scan.h"

struct slip_kept_timetable {
    slip_timetable table;
    slip_reads reads;
    int count;
    slip_ref roots[];
};

void slip_kept_timetable_destroy(struct slip_kept_timetable *kept)
{
    if (!kept) return;
    slip_timetable_destroy(&kept->table);
    slip_reads_destroy(&kept->reads);
    free(kept);
}

static bool copy_numbers(double **to, const double *from, int count)
{
    *to = malloc(((size_t)count + 1) * sizeof **to);
    if (*to && count) memcpy(*to, from, (size_t)count * sizeof **to);
    return *to != NULL;
}

static bool copy_table(slip_timetable *to, const slip_timetable *from)
{
    *to = *from;
    to->switches = to->start = to->length = NULL;
    return copy_numbers(&to->switches, from->switches, from->switch_count) &&
           copy_numbers(&to->start, from->start, from->cell_count) &&
           copy_numbers(&to->length, from->length, from->cell_count);
}

// ---------------------------------------------------------------------------------------------- making

// nodes that were there when the equations were derived keep their numbers on the shelf, others do not
static bool stay(const slip_equations *e, const slip_ref *roots, int count)
{
    for (int k = 0; k < count; k++)
        if (roots[k] >= 0 && (size_t)roots[k] >= e->derived.graph.nodes) return false;
    return true;
}

static bool is_known(const slip_equations *e, const slip_ref *roots, int count, double until)
{
    const struct slip_kept_timetable *kept = e->timetable;
    return kept && kept->count == count && memcmp(&kept->table.until, &until, sizeof until) == 0 &&
           memcmp(kept->roots, roots, (size_t)count * sizeof *roots) == 0 &&
           slip_reads_hold(&kept->reads, e->graph);
}

// made, and a copy kept; without memory for that it is only made
static bool make_and_keep(slip_equations *e, slip_shelf *shelf, const slip_ref *roots, int count,
                          double until, slip_timetable *table)
{
    struct slip_kept_timetable *kept = calloc(1, sizeof *kept + (size_t)count * sizeof *roots);
    if (!kept) return slip_timetable_create(table, e->graph, roots, count, until);
    kept->count = count;
    memcpy(kept->roots, roots, (size_t)count * sizeof *roots);
    slip_reads_open(&kept->reads, shelf);
    const bool fine = slip_timetable_create(table, e->graph, roots, count, until);
    slip_reads_close(&kept->reads, shelf);
    slip_kept_timetable_destroy(e->timetable);
    e->timetable = fine && copy_table(&kept->table, table) ? kept : NULL;
    if (!e->timetable) slip_kept_timetable_destroy(kept);
    return fine;
}

static bool find(slip_equations *e, const slip_ref *roots, int count, double until, slip_timetable *table)
{
    slip_shelf *shelf = slip_graph_shelf(e->graph);
    if (!shelf || !stay(e, roots, count)) return slip_timetable_create(table, e->graph, roots, count, until);
    if (is_known(e, roots, count, until)) return copy_table(table, &e->timetable->table);
    return make_and_keep(e, shelf, roots, count, until, table);
}

// ------------------------------------------------------------------------------------------- expressions

static int put_row(const slip_row *row, slip_ref *roots, int count)
{
    roots[count++] = row->rate;
    return count;
}

bool slip_equations_timetable(slip_equations *e, double until, slip_timetable *table)
{
    size_t most = (size_t)e->n + 2 * (size_t)e->constraint_count + 5 * (size_t)e->element_count + 1;
    for (int b = 0; b < e->block_count; b++) most += (size_t)e->blocks[b].count * (size_t)e->blocks[b].count;
    slip_ref *roots = malloc(most * sizeof *roots);
    int count = 0;
    if (!roots) return *table = (slip_timetable){ 0 }, false;
    for (int k = 0; k < e->n; k++) roots[count++] = e->h[k];
    for (int b = 0; b < e->block_count; b++)
        for (int k = 0; k < e->blocks[b].count * e->blocks[b].count; k++)
            roots[count++] = e->blocks[b].entry[k];
    for (int k = 0; k < e->constraint_count; k++) {
        roots[count++] = e->constraint_zero[k];
        count = put_row(&e->constraints[k], roots, count);
    }
    for (int k = 0; k < e->element_count; k++) {
        const slip_element *el = &e->elements[k];
        roots[count++] = el->has_gap ? el->gap : SLIP_NONE;
        roots[count++] = el->friction;
        if (el->has_gap) count = put_row(&el->normal, roots, count);
        for (int c = 0; c < el->slip_count; c++) count = put_row(&el->tangent[c], roots, count);
    }
    bool fine = find(e, roots, count, until, table);
    free(roots);
    return fine;
}
