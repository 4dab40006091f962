/// study/analysis/analysis_json.c: the contact problem at a state, a map and a critical value as JSON.
#include "study/analysis/analysis_json.h"

#include <stdlib.h>

// ------------------------------------------------------------------------------------------- a state

static void add_contact(slip_json *json, const slip_analysis *a, int solution, int contact)
{
    slip_analysis_contact c = slip_analysis_solution(a, solution, contact);
    slip_json_open(json, slip_analysis_contact_name(a, contact), '{');
    slip_json_text(json, "mode", c.mode);
    slip_json_number(json, "normal", c.normal);
    slip_json_number(json, "tangent", c.tangent);
    slip_json_number(json, "gap_rate", c.gap_rate);
    slip_json_number(json, "slip_rate", c.slip_rate);
    slip_json_close(json, '}');
}

static void add_solutions(slip_json *json, const slip_analysis *a)
{
    slip_json_open(json, "solutions", '[');
    for (int s = 0; s < slip_analysis_solution_count(a); s++) {
        slip_json_open(json, NULL, '{');
        slip_json_text(json, "stability", slip_analysis_stability(a, s));
        slip_json_open(json, "contacts", '{');
        for (int c = 0; c < slip_analysis_contact_count(a); c++) add_contact(json, a, s, c);
        slip_json_close(json, '}');
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
}

void slip_analysis_add_json(slip_json *json, const slip_analysis *a)
{
    slip_json_number(json, "t", slip_analysis_time(a));
    slip_json_text(json, "verdict", slip_verdict_name(slip_analysis_verdict(a)));
    slip_json_text(json, "text", slip_analysis_text(a));
    slip_json_text(json, "prefer", slip_analysis_rigid_preferred(a) ? "rigid" : "compliant");
    if (slip_analysis_p_matrix(a) < 0)
        slip_json_null(json, "p_matrix");
    else
        slip_json_bool(json, "p_matrix", slip_analysis_p_matrix(a));
    slip_json_bool(json, "continuum", slip_analysis_continuum(a));
    add_solutions(json, a);
}

char *slip_analysis_json(const slip_analysis *a)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_analysis_add_json(&json, a);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}

// --------------------------------------------------------------------------------------------- a map

static void add_borders(slip_json *json, slip_domain_map *map, const slip_domain_border *borders, int count)
{
    slip_json_open(json, "borders", '{');
    slip_json_number(json, slip_domain_map_axis(map, 1)->name, slip_domain_map_middle(map));
    slip_json_text(json, "along", slip_domain_map_axis(map, 0)->name);
    slip_json_open(json, "at", '[');
    for (int k = 0; k < count; k++) {
        slip_json_open(json, NULL, '{');
        slip_json_number(json, "at", borders[k].at);
        slip_json_text(json, "before", slip_domain_name(borders[k].before));
        slip_json_text(json, "after", slip_domain_name(borders[k].after));
        slip_json_close(json, '}');
    }
    slip_json_close(json, ']');
    slip_json_close(json, '}');
}

void slip_domain_map_add_json(slip_json *json, const char *key, slip_domain_map *map)
{
    int columns = slip_domain_map_axis(map, 0)->count; // there is no more than one border between two of them
    slip_domain_border *borders = malloc((size_t)columns * sizeof *borders);
    json->text.failed |= !borders;
    if (!borders) return;
    slip_json_open(json, key, '{');
    for (int k = 0; k < SLIP_DOMAIN_COUNT; k++)
        slip_json_integer(json, slip_domain_name((slip_domain)k), slip_domain_map_count(map, (slip_domain)k));
    slip_json_close(json, '}');
    slip_json_integer(json, "several", slip_domain_map_ambiguous_count(map));
    add_borders(json, map, borders,
                slip_domain_map_borders(map, slip_domain_map_middle(map), borders, columns));
    free(borders);
}

char *slip_domain_map_json(slip_domain_map *map)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_domain_map_add_json(&json, "map", map);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}

// --------------------------------------------------------------------------------- a critical value

void slip_critical_add_json(slip_json *json, const slip_critical *c)
{
    slip_json_open(json, "critical", '{');
    slip_json_text(json, "parameter", c->parameter);
    slip_json_number(json, "at", c->at);
    slip_json_integer(json, "before", c->before);
    slip_json_integer(json, "after", c->after);
    slip_json_close(json, '}');
}

char *slip_critical_json(const slip_critical *c)
{
    slip_json json = { 0 };
    slip_json_open(&json, NULL, '{');
    slip_critical_add_json(&json, c);
    slip_json_close(&json, '}');
    return slip_json_take(&json);
}
