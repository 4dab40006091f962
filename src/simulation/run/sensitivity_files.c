/// simulation/run/sensitivity_files.c: sensitivities in the files of a run.
#include "simulation/run/sensitivity_files.h"

#include <math.h>
#include <stdio.h>

#include "simulation/run/line_files.h"
#include "simulation/sim/sim.h"
#include "slipstick/sensitivity.h"

static void add_name(slip_text *line, const char *of, const char *mark, const char *to)
{
    char name[400];
    snprintf(name, sizeof name, "d(%.150s%s)/d(%.150s)", of, mark, to);
    slip_text_add(line, ",");
    slip_csv_field(line, name);
}

void slip_event_derivative_names(const slip_sim *sim, slip_text *line)
{
    const slip_method *m = sim->method;
    const char *to;
    for (int k = 0; (to = slip_sim_sensitivity_name(sim, k)); k++) {
        add_name(line, "t", "", to);
        for (int i = 0; i < m->state_count; i++) {
            add_name(line, m->state_name[i], "-", to);
            add_name(line, m->state_name[i], "+", to);
        }
    }
}

// Verdicts and warnings do not mark an instant of the motion, so they have no derivatives.
void slip_event_derivatives(const slip_sim *sim, const slip_event *event, slip_text *line)
{
    const bool moves = event->kind != SLIP_EVENT_VERDICT && event->kind != SLIP_EVENT_WARN;
    for (int k = 0; slip_sim_sensitivity_name(sim, k); k++) {
        slip_csv_number(line, moves ? slip_sim_event_time_derivative(sim, k) : NAN);
        for (int i = 0; i < sim->method->state_count; i++) {
            slip_csv_number(line, moves ? slip_sim_event_state_derivative(sim, i, k) : NAN);
            slip_csv_number(line, moves ? slip_sim_event_state_derivative_after(sim, i, k) : NAN);
        }
    }
}

// ----------------------------------------------------------------------------------------------- summary

static void add_energies(slip_json *json, slip_sim *sim)
{
    const char *to;
    slip_json_open(json, "energy", '{');
    for (int k = 0; (to = slip_sim_sensitivity_name(sim, k)); k++) {
        double kinetic, potential;
        slip_sim_energy_derivative(sim, k, &kinetic, &potential);
        slip_json_open(json, to, '{');
        slip_json_number(json, "kinetic", kinetic);
        slip_json_number(json, "potential", potential);
        slip_json_close(json, '}');
    }
    slip_json_close(json, '}');
}

static void add_end(slip_json *json, const slip_sim *sim)
{
    double t;
    const char *why = slip_sim_derivatives_end(sim, &t);
    if (!why) {
        slip_json_null(json, "end");
        return;
    }
    slip_json_open(json, "end", '{');
    slip_json_number(json, "t", t);
    slip_json_text(json, "text", why);
    slip_json_close(json, '}');
}

static void add_grazing(slip_json *json, const slip_sim *sim)
{
    const int grazed = slip_derivative_columns_grazed(sim->derivatives);
    const slip_method *m = sim->method;
    const char *to;
    if (grazed < 0) {
        slip_json_null(json, "grazing");
        return;
    }
    slip_json_open(json, "grazing", '{');
    slip_json_text(json, "element", m->element_name[grazed]);
    slip_json_open(json, "coefficient", '{');
    for (int k = 0; (to = slip_sim_sensitivity_name(sim, k)); k++) {
        int side = 0;
        slip_json_open(json, to, '{');
        for (int i = 0; i < m->equations->n; i++)
            slip_json_number(json, m->state_name[m->equations->n + i], slip_sim_grazing(sim, i, k, &side));
        slip_json_integer(json, "side", side);
        slip_json_close(json, '}');
    }
    slip_json_close(json, '}');
    slip_json_close(json, '}');
}

void slip_summary_sensitivity(slip_json *json, slip_sim *sim)
{
    const char *to;
    if (!sim->derivatives) {
        slip_json_null(json, "sensitivity");
        return;
    }
    slip_json_open(json, "sensitivity", '{');
    slip_json_open(json, "to", '[');
    for (int k = 0; (to = slip_sim_sensitivity_name(sim, k)); k++) slip_json_text(json, NULL, to);
    slip_json_close(json, ']');
    add_end(json, sim);
    add_energies(json, sim);
    add_grazing(json, sim);
    slip_json_close(json, '}');
}
