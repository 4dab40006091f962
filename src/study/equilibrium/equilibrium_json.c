/// study/equilibrium/equilibrium_json.c: equilibria as JSON.
#include "base/json.h"
#include "slipstick/equilibrium.h"

static void write_places(slip_json *j, const char *key, const slip_equilibrium *r, const double *x)
{
    slip_json_open(j, key, '{');
    for (int k = 0; k < r->coordinate_count; k++) slip_json_number(j, r->name[k], x[k]);
    slip_json_close(j, '}');
}

static void write_rest(slip_json *j, const char *key, const slip_equilibrium *r)
{
    slip_json_open(j, key, '{');
    slip_json_bool(j, "found", r->found);
    if (r->text[0]) slip_json_text(j, "text", r->text);
    if (r->found) {
        write_places(j, "place", r, r->place);
        slip_json_bool(j, "held", r->held);
        write_places(j, "low", r, r->low);
        write_places(j, "high", r, r->high);
        slip_json_open(j, "eigenvalues", '[');
        for (int k = 0; k < r->count; k++) {
            const double pair[] = { r->re[k], r->im[k] };
            slip_json_numbers(j, NULL, pair, 2);
        }
        slip_json_close(j, ']');
        slip_json_integer(j, "zeros", r->zeros);
        slip_json_bool(j, "stable", r->stable);
        slip_json_number(j, "residual", r->residual);
        if (r->derivative) write_places(j, "derivative", r, r->derivative);
    }
    slip_json_close(j, '}');
}

char *slip_equilibrium_json(const slip_equilibrium *r)
{
    slip_json j = { 0 };
    write_rest(&j, NULL, r);
    return slip_json_take(&j);
}

char *slip_equilibrium_branch_json(const slip_equilibrium_branch *b)
{
    slip_json j = { 0 };
    slip_json_open(&j, NULL, '{');
    slip_json_text(&j, "text", b->text);
    slip_json_open(&j, "points", '[');
    for (int k = 0; k < b->point_count; k++) {
        slip_json_open(&j, NULL, '{');
        slip_json_number(&j, "value", b->points[k].value);
        slip_json_text(&j, "special", slip_branch_kind_name(b->points[k].kind));
        if (b->points[k].rest) write_rest(&j, "rest", b->points[k].rest);
        slip_json_close(&j, '}');
    }
    slip_json_close(&j, ']');
    slip_json_close(&j, '}');
    return slip_json_take(&j);
}
