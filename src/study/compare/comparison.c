/// study/compare/comparison.c: looking at a comparison, and its JSON.
#include "study/compare/comparison.h"

#include <stdlib.h>

#include "base/json.h"

enum { COMPARISON_FORMAT = 1 };

void slip_comparison_destroy(slip_comparison *c)
{
    if (!c) return;
    for (int k = 0; c->names && k < c->coordinate_count; k++) free(c->names[k]);
    free(c->names);
    for (int k = 0; c->recordings && k < c->count; k++) slip_recording_destroy(c->recordings[k]);
    free(c->recordings);
    slip_model_destroy(c->plain);
    free(c->rows);
    free(c->ends);
    free(c->travel);
    free(c->model);
    free(c);
}

int slip_comparison_count(const slip_comparison *c)
{
    return c->count;
}
const slip_compare_row *slip_comparison_row(const slip_comparison *c, int k)
{
    return k >= 0 && k < c->count ? &c->rows[k] : NULL;
}
const char *slip_comparison_model(const slip_comparison *c)
{
    return c->model;
}
const char *slip_comparison_reference(const slip_comparison *c)
{
    return c->reference;
}
bool slip_comparison_confirmed(const slip_comparison *c)
{
    return c->confirmed;
}
bool slip_comparison_disputed(const slip_comparison *c)
{
    return c->disputed;
}
bool slip_comparison_stopped(const slip_comparison *c)
{
    return c->stopped;
}
double slip_comparison_scale(const slip_comparison *c)
{
    return c->scale;
}
int slip_comparison_coordinate_count(const slip_comparison *c)
{
    return c->coordinate_count;
}
const char *slip_comparison_coordinate(const slip_comparison *c, int k)
{
    return k >= 0 && k < c->coordinate_count ? c->names[k] : NULL;
}
const char *slip_comparison_sentence(const slip_comparison *c)
{
    return c->sentence;
}
int slip_comparison_chosen(const slip_comparison *c)
{
    return c->chosen;
}

const slip_recording *slip_comparison_recording(const slip_comparison *c, int k)
{
    return c->recordings ? c->recordings[k] : NULL;
}

static void add_row(slip_json *json, const slip_comparison *c, const slip_compare_row *row)
{
    slip_json_open(json, NULL, '{');
    slip_json_text(json, "formulation", row->formulation);
    slip_json_bool(json, "applies", row->applies);
    slip_json_text(json, "text", row->text);
    if (row->applies) {
        slip_json_text(json, "outcome", slip_run_outcome_name(row->outcome));
        slip_json_text(json, "trust", slip_trust_name(row->outcome, row->trusted));
        slip_json_bool(json, "trusted", row->trusted);
        slip_json_integer(json, "steps", row->steps);
        slip_json_number(json, "seconds", row->seconds);
        slip_json_number(json, "off", row->off);
        slip_json_number(json, "spread", row->spread);
        slip_json_number(json, "energy_error", row->energy_error);
        slip_json_number(json, "penetration", row->penetration);
        slip_json_number(json, "creep", row->creep);
        slip_json_number(json, "cone_violation", row->cone_violation);
        slip_json_bool(json, "reached", row->reached);
        slip_json_number(json, "accurate_step", row->accurate_step);
        slip_json_number(json, "accurate_seconds", row->accurate_seconds);
        slip_json_open(json, "end", '{');
        for (int k = 0; k < c->coordinate_count; k++) slip_json_number(json, c->names[k], row->end[k]);
        slip_json_close(json, '}');
    }
    slip_json_close(json, '}');
}

char *slip_comparison_json(const slip_comparison *c)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_json_integer(&json, "format", COMPARISON_FORMAT);
    slip_json_text(&json, "model", c->model);
    slip_json_number(&json, "step", c->step);
    slip_json_number(&json, "until", c->until);
    slip_json_number(&json, "accuracy", c->accuracy);
    slip_json_number(&json, "scale", c->scale);
    slip_json_text(&json, "reference", c->reference);
    slip_json_bool(&json, "confirmed", c->confirmed);
    slip_json_bool(&json, "disputed", c->disputed);
    slip_json_bool(&json, "stopped", c->stopped);
    slip_json_text(&json, "verdict", c->sentence);
    slip_json_open(&json, "formulations", '[');
    for (int k = 0; k < c->count; k++) add_row(&json, c, &c->rows[k]);
    slip_json_close(&json, ']');
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
