/// study/bifurcation/cycle_json.c: a periodic motion as JSON.
#include "base/json.h"
#include "slipstick/cycle.h"

static void write_states(slip_json *j, const char *key, const slip_cycle *c, const double *x)
{
    slip_json_open(j, key, '{');
    for (int k = 0; k < c->state_count; k++) slip_json_number(j, c->state_name[k], x[k]);
    slip_json_close(j, '}');
}

static void write_multipliers(slip_json *j, const slip_cycle *c)
{
    slip_json_open(j, "multipliers", '[');
    for (int k = 0; k < c->multiplier_count; k++) {
        const double pair[] = { c->multiplier_re[k], c->multiplier_im[k] };
        slip_json_numbers(j, NULL, pair, 2);
    }
    slip_json_close(j, ']');
    slip_json_integer(j, "trivial", c->trivial);
    slip_json_integer(j, "zeros", c->zeros);
    slip_json_bool(j, "stable", c->stable);
    slip_json_integer(j, "neutral", c->neutral);
}

static void write_events(slip_json *j, const slip_cycle *c)
{
    slip_json_text(j, "signature", c->signature);
    slip_json_open(j, "events", '[');
    for (int k = 0; k < c->event_count; k++) {
        const slip_cycle_event *e = &c->events[k];
        slip_json_open(j, NULL, '{');
        slip_json_number(j, "t", e->t);
        slip_json_text(j, "element", e->element);
        slip_json_text(j, "kind", slip_event_name(e->kind));
        slip_json_number(j, "approach", e->approach);
        write_states(j, "before", c, e->before);
        write_states(j, "after", c, e->after);
        slip_json_close(j, '}');
    }
    slip_json_close(j, ']');
}

static void write_derivatives(slip_json *j, const slip_cycle *c)
{
    slip_json_open(j, "derivatives", '{');
    for (int p = 0; p < c->parameter_count; p++) {
        slip_json_open(j, c->parameter_name[p], '{');
        slip_json_number(j, "period", c->period_derivative[p]);
        for (int k = 0; k < c->state_count; k++)
            slip_json_number(j, c->state_name[k], c->state_derivative[k * c->parameter_count + p]);
        slip_json_close(j, '}');
    }
    slip_json_close(j, '}');
}

static void write_cycle(slip_json *json, const char *key, const slip_cycle *c)
{
    slip_json j = *json;
    slip_json_open(&j, key, '{');
    slip_json_bool(&j, "found", c->found);
    if (c->text[0]) slip_json_text(&j, "text", c->text);
    if (c->found) {
        slip_json_number(&j, "period", c->period);
        slip_json_integer(&j, "rounds", c->period_multiple);
        slip_json_bool(&j, "forced", c->forced);
        slip_json_number(&j, "start", c->start);
        write_states(&j, "state", c, c->state);
        write_states(&j, "advance", c, c->advance);
        write_states(&j, "low", c, c->low);
        write_states(&j, "high", c, c->high);
        write_multipliers(&j, c);
        slip_json_number(&j, "determinant", c->determinant);
        slip_json_number(&j, "expected", c->expected);
        slip_json_open(&j, "energy", '{');
        slip_json_number(&j, "work", c->work);
        slip_json_number(&j, "friction", c->friction);
        slip_json_number(&j, "impact", c->impact);
        slip_json_close(&j, '}');
        slip_json_number(&j, "least_gap", c->least_gap);
        slip_json_integer(&j, "iterations", c->iterations);
        slip_json_number(&j, "residual", c->residual);
        write_events(&j, c);
        write_derivatives(&j, c);
    }
    slip_json_close(&j, '}');
    *json = j;
}

char *slip_cycle_json(const slip_cycle *c)
{
    slip_json j = { 0 };
    write_cycle(&j, NULL, c);
    return slip_json_take(&j);
}

static void write_branch(slip_json *j, const slip_cycle_branch *b)
{
    slip_json_text(j, "text", b->text);
    if (b->between[0]) slip_json_text(j, "between", b->between);
    slip_json_open(j, "points", '[');
    for (int k = 0; k < b->point_count; k++) {
        slip_json_open(j, NULL, '{');
        slip_json_number(j, "value", b->points[k].value);
        slip_json_text(j, "special", slip_branch_kind_name(b->points[k].kind));
        if (b->points[k].cycle) write_cycle(j, "cycle", b->points[k].cycle);
        slip_json_close(j, '}');
    }
    slip_json_close(j, ']');
}

char *slip_cycle_branch_json(const slip_cycle_branch *b)
{
    slip_json j = { 0 };
    slip_json_open(&j, NULL, '{');
    write_branch(&j, b);
    slip_json_open(&j, "branches", '[');
    for (b = b->next; b; b = b->next) {
        slip_json_open(&j, NULL, '{');
        slip_json_text(&j, "origin", b->origin);
        write_branch(&j, b);
        slip_json_close(&j, '}');
    }
    slip_json_close(&j, ']');
    slip_json_close(&j, '}');
    return slip_json_take(&j);
}
