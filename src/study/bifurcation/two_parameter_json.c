/// study/bifurcation/two_parameter_json.c: curves over two parameters as JSON.
#include "base/json.h"
#include "slipstick/two_parameter.h"

static void write_curve(slip_json *j, const slip_two_parameter_curve *c)
{
    slip_json_open(j, NULL, '{');
    slip_json_text(j, "kind", c->kind);
    slip_json_text(j, "events", c->events);
    slip_json_integer(j, "first", c->first);
    slip_json_open(j, "points", '[');
    for (int k = 0; k < c->point_count; k++) {
        slip_json_open(j, NULL, '{');
        slip_json_number(j, "along", c->points[k].along);
        slip_json_number(j, "across", c->points[k].across);
        slip_json_number(j, "period", c->points[k].period);
        slip_json_close(j, '}');
    }
    slip_json_close(j, ']');
    slip_json_text(j, "begin", c->begin);
    slip_json_text(j, "end", c->end);
    slip_json_close(j, '}');
}

char *slip_two_parameter_json(const slip_two_parameter_diagram *p)
{
    slip_json j = { 0 };
    const double ends[] = { p->from, p->to };
    slip_json_open(&j, NULL, '{');
    slip_json_text(&j, "along", p->along);
    slip_json_numbers(&j, "range", ends, 2);
    slip_json_text(&j, "across", p->across);
    slip_json_numbers(&j, "values", p->rows, p->row_count);
    slip_json_text(&j, "text", p->text);
    slip_json_text(&j, "critical", p->critical);
    slip_json_integer(&j, "whole", p->whole);
    slip_json_open(&j, "curves", '[');
    for (int k = 0; k < p->curve_count; k++) write_curve(&j, &p->curves[k]);
    slip_json_close(&j, ']');
    slip_json_close(&j, '}');
    return slip_json_take(&j);
}
