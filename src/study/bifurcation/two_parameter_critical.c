/// study/bifurcation/two_parameter_critical.c: where the contact problem at the start loses its solution, or
/// has several.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "study/bifurcation/two_parameter.h"
#include "slipstick/domain_map.h"

enum { MAX_CHANGES = 8 };

/// The changes at one value of the second parameter.
typedef struct changes {
    int count;
    slip_critical list[MAX_CHANGES];
} changes;

static const char *change_kind(const slip_critical *c)
{
    return c->before == 0 || c->after == 0 ? SLIP_TWO_PARAMETER_INCONSISTENT : SLIP_TWO_PARAMETER_AMBIGUOUS;
}

static slip_status find_changes(const slip_two_parameter_study *m, int row, changes *found, slip_error *error)
{
    const slip_two_parameter_diagram *p = m->plane;
    slip_critical_def def = slip_default_critical_def();
    def.model = m->models[row];
    def.parameter = p->along;
    def.low = fmin(p->from, p->to), def.high = fmax(p->from, p->to);
    found->count = 0;
    while (found->count < MAX_CHANGES && def.low < def.high) {
        slip_critical *c = &found->list[found->count];
        slip_status status = slip_find_critical(&def, error, c);
        if (status != SLIP_OK || isnan(c->at)) return status;
        found->count++;
        def.low = nextafter(c->at, INFINITY);
    }
    return SLIP_OK;
}

// The nearest curve that this change continues: it has a point at the previous value of the second parameter,
// with the same numbers of solutions on both sides. NULL: none.
static slip_two_parameter_curve *continues_curve(slip_two_parameter_study *m, int first, int row,
                                                 const slip_critical *c, const int *sides)
{
    slip_two_parameter_curve *best = NULL;
    for (int k = first; k < m->plane->curve_count; k++) {
        slip_two_parameter_curve *curve = &m->plane->curves[k];
        const int *s = sides + 2 * (k - first);
        if (isnan(curve->points[row - 1].along) || !isnan(curve->points[row].along)) continue;
        if (s[0] != c->before || s[1] != c->after) continue;
        if (!best || fabs(curve->points[row - 1].along - c->at) < fabs(best->points[row - 1].along - c->at))
            best = curve;
    }
    return best;
}

enum { MAX_CURVES = 64 };

static void join_changes(slip_two_parameter_study *m, int first, int row, const changes *found, int *sides)
{
    slip_two_parameter_diagram *p = m->plane;
    for (int k = 0; k < found->count && !m->failed; k++) {
        const slip_critical *c = &found->list[k];
        slip_two_parameter_curve *curve = row ? continues_curve(m, first, row, c, sides) : NULL;
        if (!curve && p->curve_count - first < MAX_CURVES) {
            int *s = sides + 2 * (p->curve_count - first);
            s[0] = c->before, s[1] = c->after;
            curve = slip_two_parameter_study_curve(m, change_kind(c), "");
            if (curve && row)
                snprintf(curve->begin, sizeof curve->begin, "no such change at %s = %.9g", p->across,
                         p->rows[row - 1]);
        }
        if (curve) curve->points[row].along = c->at;
    }
    for (int k = first; row && k < p->curve_count; k++)
        if (!isnan(p->curves[k].points[row - 1].along) && isnan(p->curves[k].points[row].along))
            snprintf(p->curves[k].end, sizeof p->curves[k].end, "no such change at %s = %.9g", p->across,
                     p->rows[row]);
}

slip_status slip_two_parameter_study_critical(slip_two_parameter_study *m, slip_error *error)
{
    slip_two_parameter_diagram *p = m->plane;
    int first = p->curve_count, sides[2 * MAX_CURVES], without = 0;
    char why[200] = "";
    for (int row = 0; row < p->row_count && !m->failed; row++) {
        changes found = { 0 };
        slip_error said = { 0 };
        slip_status status = find_changes(m, row, &found, &said);
        if (status == SLIP_NO_MEMORY) m->failed = true;
        if (status != SLIP_OK) {
            found.count = 0;
            if (!without++) snprintf(why, sizeof why, "%.199s", said.text);
        }
        join_changes(m, first, row, &found, sides);
    }
    if (m->failed) return slip_fail(error, SLIP_NO_MEMORY, "two-parameter", "out of memory");
    if (without == p->row_count)
        snprintf(p->critical, sizeof p->critical, "no curves of the contact problem: %s", why);
    else if (without)
        snprintf(p->critical, sizeof p->critical, "no contact problem at %d of %d values of %s: %s", without,
                 p->row_count, p->across, why);
    else if (p->curve_count == first)
        snprintf(p->critical, sizeof p->critical,
                 "the number of solutions of the contact problem does not change over this range");
    else
        snprintf(p->critical, sizeof p->critical,
                 "the number of solutions of the contact problem at the start changes");
    return SLIP_OK;
}
