/// simulation/sim/sim_query.c: queries of a simulation: columns, energies, warnings, verdict; and setters by
/// column name.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "simulation/sim/sim.h"

// Fills the derivatives at time row[0]; they follow the columns of the method and precede the hidden ones.
static void add_derivatives(slip_sim *sim)
{
    int width = slip_derivative_columns_width(sim->derivatives), plain = sim->column_count - width;
    int hidden = 1 + sim->method->state_count + sim->method->record_count - plain;
    double *row = sim->row;
    if (!width) return;
    memmove(row + sim->column_count, row + plain, (size_t)hidden * sizeof *row);
    slip_derivative_columns_fill(sim->derivatives, row[0], row + plain);
}

slip_run_outcome slip_sim_peek(slip_sim *sim, double t, double *row)
{
    sim->row[0] = t;
    slip_run_outcome outcome = sim->method->ops->peek(sim->method, t, sim->row + 1);
    if (outcome == SLIP_RUNNING) add_derivatives(sim);
    if (row != sim->row) memcpy(row, sim->row, (size_t)sim->column_count * sizeof *row);
    return outcome;
}

double slip_sim_time(const slip_sim *sim)
{
    return sim->method->t;
}
long slip_sim_steps(const slip_sim *sim)
{
    return sim->steps;
}
slip_sim_def slip_sim_settings(const slip_sim *sim)
{
    slip_sim_def def = sim->def;
    if (!sim->formulation->integrator) def.integrator = NULL;
    if (!sim->formulation->solver) def.solver = NULL, def.solver_options = NULL;
    return def;
}
const char *slip_sim_formulation_reason(const slip_sim *sim)
{
    return sim->formulation_reason;
}
const char *slip_sim_start_reason(const slip_sim *sim)
{
    return sim->start_reason;
}
const char *slip_sim_step_reason(const slip_sim *sim)
{
    return sim->step_reason;
}
int slip_sim_column_count(const slip_sim *sim)
{
    return sim->column_count;
}
int slip_sim_state_count(const slip_sim *sim)
{
    return sim->method->state_count;
}

const char *slip_sim_column_name(const slip_sim *sim, int k)
{
    const slip_method *m = sim->method;
    if (k < 0 || k >= sim->column_count) return NULL;
    if (k == 0) return "t";
    int derivative = k - (sim->column_count - slip_derivative_columns_width(sim->derivatives));
    if (derivative >= 0) return slip_derivative_columns_name(sim->derivatives, derivative);
    return k <= m->state_count ? m->state_name[k - 1] : m->record_name[k - 1 - m->state_count];
}

static void evaluate_state(slip_sim *sim, double *kinetic, double *potential)
{
    slip_method *m = sim->method;
    sim->row[0] = m->t;
    memcpy(sim->row + 1, m->state, (size_t)m->state_count * sizeof *sim->row);
    m->ops->record(m, sim->row + 1 + m->state_count, kinetic, potential);
    add_derivatives(sim);
}

void slip_sim_columns(slip_sim *sim, double *row)
{
    double kinetic, potential;
    evaluate_state(sim, &kinetic, &potential);
    if (row != sim->row) memcpy(row, sim->row, (size_t)sim->column_count * sizeof *row);
}

static int column_by_name(const slip_sim *sim, const char *name)
{
    for (int k = 0; k < sim->column_count; k++)
        if (strcmp(slip_sim_column_name(sim, k), name) == 0) return k;
    return -1;
}

double slip_sim_get(slip_sim *sim, const char *column)
{
    int k = column_by_name(sim, column);
    if (k < 0) return NAN;
    if (k == 0) return sim->method->t;
    if (k <= sim->method->state_count)
        return sim->method->state[k - 1]; // recorded quantities may need a solution of the contact problem
    slip_sim_columns(sim, sim->row);
    return sim->row[k];
}

slip_status slip_sim_set(slip_sim *sim, const char *column, double value, slip_error *error)
{
    int k = column_by_name(sim, column);
    if (k < 1 || k > sim->method->state_count)
        return slip_fail(error, SLIP_UNKNOWN_NAME, column, "is not a state of this simulation");
    if (!isfinite(value)) return slip_fail(error, SLIP_BAD_ARGUMENT, column, "must be finite, got %g", value);
    sim->method->state[k - 1] = value;
    slip_derivative_columns_invalidate(sim->derivatives);
    sim->method->ops->touched(sim->method);
    slip_model_events_state_changed(sim->whens);
    return SLIP_OK;
}

slip_status slip_sim_set_input(slip_sim *sim, const char *input, double value, slip_error *error)
{
    const slip_model *m = sim->model;
    int n = m->coordinate_count, k = m->moving_coordinate_count;
    while (k < n && !(m->coordinates[k].is_input && strcmp(m->coordinates[k].name, input) == 0)) k++;
    if (k == n)
        return slip_fail(error, SLIP_UNKNOWN_NAME, input, "is not an input of this model that can be set");
    if (!isfinite(value)) return slip_fail(error, SLIP_BAD_ARGUMENT, input, "must be finite, got %g", value);
    sim->method->state[n + k] = sim->method->t;
    return slip_sim_set(sim, input, value, error);
}

// The kinetic energy is T2 + T1 + T0, and the energy that moving guides add is work. Methods balance T2 - T0.
static slip_energy energy_ledger(const slip_sim *sim, double kinetic, double potential)
{
    const slip_method *m = sim->method;
    slip_energy e = { .known = m->has_energy,
                      .kinetic = kinetic + m->driven,
                      .potential = potential,
                      .start = sim->energy_start,
                      .work = m->work + (m->driven - sim->driven_start) + slip_model_events_work(sim->whens),
                      .friction = m->friction,
                      .contact = m->contact,
                      .impact = m->impact };
    e.numerical = e.kinetic + e.potential - e.start - (e.work - e.friction - e.contact - e.impact);
    return e;
}

slip_energy slip_sim_energy(slip_sim *sim)
{
    double kinetic, potential;
    if (!sim->method->has_energy) return (slip_energy){ .known = false };
    if (!sim->started) slip_sim_observe(sim);
    sim->method->ops->record(sim->method, sim->row, &kinetic, &potential);
    return energy_ledger(sim, kinetic, potential);
}

int slip_sim_detected_contacts(slip_sim *sim, slip_detected_contact *list, int most)
{
    if (!sim->method->found) return 0;
    if (!sim->started) slip_sim_observe(sim);
    return sim->method->found(sim->method, list, most);
}

void slip_sim_evaluate_row(slip_sim *sim, slip_energy *energy)
{
    double kinetic, potential;
    evaluate_state(sim, &kinetic, &potential);
    if (energy) *energy = energy_ledger(sim, kinetic, potential);
}

slip_run_outcome slip_sim_peek_row(slip_sim *sim, double t)
{
    sim->method->glancing = true;
    slip_run_outcome outcome = slip_sim_peek(sim, t, sim->row);
    sim->method->glancing = false;
    return outcome;
}

void slip_sim_on_event(slip_sim *sim, slip_event_sink *sink, void *context)
{
    sim->sink = sink;
    sim->sink_context = context;
}

const char *slip_sim_verdict(const slip_sim *sim, const char **text)
{
    const slip_method *m = sim->method;
    if (!m->trust.judged) return NULL;
    if (text) *text = m->trust.text ? m->trust.text : slip_verdict_text(m->trust.worst);
    return slip_verdict_name(m->trust.worst);
}

const slip_warning *slip_sim_warning_at(const slip_sim *sim, int k)
{
    return slip_log_warning(sim->method->log, k);
}

const slip_warning *slip_sim_note_at(const slip_sim *sim, int k)
{
    return slip_log_note_at(sim->method->log, k);
}

const char *slip_sim_warning(const slip_sim *sim, int k)
{
    const slip_warning *warning = slip_sim_warning_at(sim, k);
    return warning ? warning->text : NULL;
}

bool slip_sim_loads(const slip_sim *sim, int k, slip_element_loads *loads)
{
    return slip_contact_loads_get(sim->loads, k, loads);
}
