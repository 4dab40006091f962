/// simulation/sim/value_checks.c: checks that the formulas of the model have a valid value wherever the
/// motion goes.
#include "simulation/sim/value_checks.h"
#include "base/elementary.h"
#include "simulation/sim/value_checks_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef slip_checked_value item;

// --------------------------------------------------------------------------------------------- making

static bool may_be_negative(const slip_model *model, slip_ref ref)
{
    return !(slip_graph_interval(model->graph, ref).low >= 0.0);
}

// Adds a check if the formula may have no valid value.
static void add_check(slip_value_checks *v, slip_ref *roots, const slip_formula *formula, item it)
{
    const slip_model *model = v->model;
    if (formula->ref < 0) return;
    bool negative = it.kind == SLIP_VALUE_FRICTION && may_be_negative(model, formula->ref);
    if (!negative && !slip_graph_may_fail(model->graph, formula->ref)) return;
    it.where = formula->where;
    roots[v->count] = formula->ref;
    v->items[v->count++] = it;
}

static void collect_checks(slip_value_checks *v, slip_ref *roots)
{
    const slip_model *model = v->model;
    for (int k = 0; k < model->element_count; k++) {
        const slip_contact *c = &model->contacts[k];
        if (c->has_gap) add_check(v, roots, &c->gap, (item){ .kind = SLIP_VALUE_GAP, .index = k });
        if (c->slip.count)
            add_check(v, roots, &c->friction, (item){ .kind = SLIP_VALUE_FRICTION, .index = k });
    }
    for (int k = 0; k < model->coordinate_count && model->forces; k++)
        add_check(v, roots, &model->forces[k], (item){ .kind = SLIP_VALUE_FORCE, .index = k });
    for (int k = 0; k < model->constraint_count; k++)
        add_check(v, roots, &model->constraints[k].zero, (item){ .kind = SLIP_VALUE_CONSTRAINT, .index = k });
}

bool slip_value_checks_create(const slip_model *model, slip_value_checks **out)
{
    *out = NULL;
    if (model->type != SLIP_MECHANICS) return true;
    size_t most = 2 * (size_t)model->element_count + (size_t)model->coordinate_count +
                  (size_t)model->constraint_count + 1;
    slip_value_checks *v = calloc(1, sizeof *v);
    slip_ref *roots = malloc(most * sizeof *roots);
    bool fine = v && roots && (v->items = calloc(most, sizeof *v->items)) != NULL;
    if (fine) {
        v->model = model;
        collect_checks(v, roots);
        v->tape = v->count ? slip_tape_create(model->graph, roots, v->count) : NULL;
        v->reg = v->tape ? calloc((size_t)slip_tape_registers(v->tape) + 1, sizeof *v->reg) : NULL;
        fine = v->count == 0 || v->reg;
        if (v->reg) slip_tape_start(v->tape, v->reg);
    }
    free(roots);
    if (fine && v->count) {
        *out = v;
    } else {
        slip_value_checks_destroy(v);
    }
    return fine;
}

void slip_value_checks_archive(slip_value_checks *v, slip_archive *a)
{
    for (int k = 0; v && k < v->count; k++) slip_archive_bool(a, "value_warned", &v->items[k].warned);
}

void slip_value_checks_destroy(slip_value_checks *v)
{
    if (!v) return;
    slip_tape_destroy(v->tape);
    free(v->reg);
    free(v->items);
    free(v);
}

// ------------------------------------------------------------------------------------------- checking

// Evaluates the formulas at the state after the time `ahead`, estimated with constant rates.
static void evaluate_checks(slip_value_checks *v, const slip_method *m, double ahead)
{
    int n = v->model->coordinate_count;
    v->reg[0] = m->t + ahead;
    memcpy(v->reg + 1, m->state, 2 * (size_t)n * sizeof *v->reg);
    for (int k = 0; k < n && ahead > 0.0; k++)
        if (v->model->coordinates[k].velocity < 0) v->reg[1 + k] += ahead * m->state[n + k];
    slip_tape_run(v->tape, v->reg);
}

static const char *checked_name(const slip_value_checks *v, const item *it)
{
    if (it->kind == SLIP_VALUE_FORCE) return v->model->coordinates[it->index].name;
    if (it->kind == SLIP_VALUE_CONSTRAINT) return v->model->constraints[it->index].name;
    return v->model->contacts[it->index].name;
}

static slip_run_outcome report_no_value(const slip_value_checks *v, slip_method *m, const item *it,
                                        double value)
{
    static const char *const what[] = { [SLIP_VALUE_GAP] = "gap of contact",
                                        [SLIP_VALUE_FRICTION] = "friction of",
                                        [SLIP_VALUE_FORCE] = "force on coordinate",
                                        [SLIP_VALUE_CONSTRAINT] = "constraint" };
    char place[160];
    return slip_method_fail(
        m,
        "at t = %.9g s the %s '%s' (%s) is %s: the run ends there. Correct the formula, or bound what it "
        "divides by or takes the root of, with max or if",
        m->t, what[it->kind], checked_name(v, it), slip_span_place(it->where, place, sizeof place),
        isnan(value) ? "not a number" : "infinite");
}

// The friction of an open contact is not used, so it need not have a value.
static bool is_relevant(const slip_value_checks *v, const slip_method *m, const item *it)
{
    return it->kind != SLIP_VALUE_FRICTION || !v->model->contacts[it->index].has_gap ||
           (m->mode[it->index] & SLIP_MODE_CLOSED);
}

static void warn_of_negative(const slip_value_checks *v, slip_method *m, item *it, double value)
{
    char place[160];
    if (it->warned) return;
    it->warned = true;
    const char *name = checked_name(v, it);
    slip_warning *w = slip_method_warn(m, SLIP_WARNING_NEGATIVE_FRICTION, name,
                                       "the friction of '%s' (%s) is negative from t = %.6g s on, %.4g: "
                                       "friction never drives, so it counts as "
                                       "0 there. Write max(0, ...) if that is meant",
                                       name, slip_span_place(it->where, place, sizeof place), m->t, value);
    slip_warning_value(w, "friction", value, "");
}

slip_run_outcome slip_value_checks_run(slip_value_checks *v, slip_method *m)
{
    if (!v) return SLIP_RUNNING;
    evaluate_checks(v, m, 0.0);
    for (int k = 0; k < v->count; k++) {
        double value = v->reg[slip_tape_result(v->tape, k)];
        if (!is_relevant(v, m, &v->items[k])) continue;
        if (!isfinite(value)) return report_no_value(v, m, &v->items[k], value);
        if (v->items[k].kind == SLIP_VALUE_FRICTION && value < 0.0)
            warn_of_negative(v, m, &v->items[k], value);
    }
    return SLIP_RUNNING;
}

bool slip_value_checks_pass(slip_value_checks *v, const slip_method *m)
{
    evaluate_checks(v, m, 0.0);
    double finite = 0.0, least = 0.0;
    for (int k = 0; k < v->count; k++) {
        const double value = v->reg[slip_tape_result(v->tape, k)];
        finite += 0.0 * value; // NaN if the value is not finite
        if (v->items[k].kind == SLIP_VALUE_FRICTION) least = fmin(least, value);
    }
    return finite == 0.0 && least == 0.0;
}

bool slip_value_checks_explain(slip_value_checks *v, slip_method *m, double ahead)
{
    if (!v) return false;
    for (int nearer = 12; nearer >= 0; nearer--) {
        evaluate_checks(v, m, ahead * slip_pow10(-nearer));
        for (int k = 0; k < v->count; k++) {
            double value = v->reg[slip_tape_result(v->tape, k)];
            if (is_relevant(v, m, &v->items[k]) && !isfinite(value))
                return report_no_value(v, m, &v->items[k], value), true;
        }
    }
    return false;
}
