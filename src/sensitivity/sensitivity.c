/// sensitivity/sensitivity.c: derivatives along a run, from step to step.
#include "sensitivity/sensitivity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "integrator/cash_karp.h"
#include "model/reader/parameter_dependents.h"
#include "sensitivity/sens_moreau.h"
#include "sensitivity/sensitivity_tolerances.h"

static double *column_at(const slip_sensitivity *t, double *x, int c)
{
    return x + (size_t)c * 2 * (size_t)t->n;
}

void slip_sensitivity_report_end(slip_sensitivity *t)
{
    slip_method_warn(t->base, SLIP_WARNING_NO_DERIVATIVES, "", "derivatives end at t = %.9g s: %s",
                     t->lost_at, t->reason);
}

void slip_sensitivity_end(slip_sensitivity *t, const char *format, ...)
{
    if (t->lost) return;
    va_list list;
    va_start(list, format);
    vsnprintf(t->reason, sizeof t->reason, format, list);
    va_end(list);
    t->lost = true;
    t->lost_at = t->base->t;
    t->ahead = t->event.pending = t->event.reset = false;
    if (!t->steps || slip_sens_moreau_ends_run(t)) slip_sensitivity_report_end(t);
    for (int i = 0; i < t->problem.count; i++) t->x[i] = t->next[i] = t->work.k[0][i] = NAN;
}

// ------------------------------------------------------------------------------------------------- slots

void slip_sensitivity_save_slot(slip_sensitivity *t, double time, const double *u,
                                slip_sensitivity_slot *slot)
{
    const slip_event_driven *m = t->m;
    const slip_system *s = m->system;
    const slip_contact_problem *r = &m->rigid;
    size_t bytes = (size_t)t->n * sizeof(double);
    slot->t = time;
    memcpy(slot->q, m->q, bytes);
    memcpy(slot->u, u, bytes);
    memcpy(slot->a, r->a, bytes);
    if (t->switches) memcpy(slot->side, m->side, (size_t)t->switches * sizeof *slot->side);
    slip_system_velocity(s, time, slot->q, slot->u, &t->m->rigid.terms, slot->v);
    memcpy(slot->slip_direction, r->slip_direction, 2 * (size_t)t->elements * sizeof *slot->slip_direction);
    memcpy(slot->terms.flat, r->terms.flat, t->flat_count * sizeof(double));
    memcpy(slot->terms.factor, r->terms.factor, (size_t)s->factor_size * sizeof(double));
    memset(slot->force, 0, (size_t)t->rows * sizeof(double));
    for (int i = 0; i < s->constraint_count && r->joints; i++) slot->force[i] = r->lambda[i];
    for (int e = 0; e < t->elements; e++) {
        const slip_element *element = &s->elements[e];
        if (!r->contact_state[e].closed) continue;
        if (element->has_gap) slot->force[element->normal_row] = r->normal[e];
        for (int c = 0; c < element->slip_count && !r->contact_state[e].slide; c++)
            slot->force[element->tangent_row + c] = c ? r->tangent_y[e] : r->tangent[e];
    }
}

void slip_sensitivity_read_contacts(slip_sensitivity *t)
{
    for (int e = 0; e < t->elements; e++) {
        t->contact_state[e].closed = t->m->rigid.contact_state[e].closed;
        t->contact_state[e].slide = t->m->rigid.contact_state[e].slide;
    }
}

static void on_stage(void *context, double time)
{
    slip_sensitivity *t = context;
    if (!t->lost) slip_sensitivity_save_slot(t, time, t->m->u, t->ring[t->stages++ % SLIP_SENS_SLOT_COUNT]);
}

static void on_ahead(void *context)
{
    slip_sensitivity *t = context;
    for (int i = 0; i < SLIP_SENS_SLOT_COUNT; i++) {
        slip_sensitivity_slot **from = &t->ring[(t->stages + i) % SLIP_SENS_SLOT_COUNT], *kept = t->step[i];
        t->step[i] = *from;
        *from = kept;
    }
    t->ahead = false;
}

// ------------------------------------------------------------------------------------------------- steps

// sum of da/du on the diagonal, at the slot in hand
static double acceleration_trace(slip_sensitivity *t)
{
    double sum = 0.0;
    for (int k = 0; k < t->n && t->divergence.wanted; k++) {
        memset(t->line, 0, 2 * (size_t)t->n * sizeof *t->line);
        t->line[t->n + k] = 1.0;
        slip_sensitivity_acceleration(t, -1, 0.0, t->line);
        sum += t->da[k];
    }
    t->divergence.held_ever = t->divergence.held_ever || t->held.count > 0;
    return sum;
}

static bool column_rates(void *context, double time, const double *x, double *xdot)
{
    slip_sensitivity *t = context;
    (void)time;
    static const double weight[] = { 0.0, 250 / 621.0, 125 / 594.0, 0.0, 512 / 1771.0 }; // of Cash and Karp
    slip_sensitivity_set_slot(t, t->step[t->stage]);
    t->divergence.step_trace += weight[t->stage++] * acceleration_trace(t);
    memcpy(t->projected, x, (size_t)t->problem.count * sizeof *x);
    for (int c = 0; c < t->column_count; c++) slip_sensitivity_project(t, c, column_at(t, t->projected, c));
    slip_sensitivity_rates(t, t->projected, xdot);
    return true;
}

// columns at a slot: on what holds, with their rates
static void project_columns(slip_sensitivity *t, const slip_sensitivity_slot *slot, double *x, double *xdot)
{
    slip_sensitivity_set_slot(t, slot);
    for (int c = 0; c < t->column_count; c++) slip_sensitivity_project(t, c, column_at(t, x, c));
    slip_sensitivity_rates(t, x, xdot);
}

// stages of steps in which nothing touches are not asked for
static bool allows_fused_steps(void *context)
{
    const slip_sensitivity *t = context;
    return t->lost || (t->flies && !t->divergence.wanted);
}

static bool nothing_touches(const slip_sensitivity *t)
{
    for (int e = 0; e < t->elements; e++)
        if (t->contact_state[e].closed) return false;
    return true;
}

static void fused_step(slip_sensitivity *t, double from, double h)
{
    slip_fused_sensitivity *m = &t->flight;
    for (int k = 0; k < t->switches; k++)
        if (t->switch_list[k].input >= 0) m->reg[t->switch_list[k].input] = t->start_slot.side[k];
    slip_fused_sensitivity_load(m, 0, t->n, t->start_slot.q);
    slip_fused_sensitivity_load(m, t->n, t->n, t->start_slot.u);
    slip_fused_sensitivity_load(m, 2 * t->n, t->problem.count, t->x);
    slip_fused_sensitivity_step(m, from, h);
    slip_fused_sensitivity_read(m, 2 * t->n, t->problem.count, t->next);
}

// the end of the step ahead, or of the one that was just taken
void slip_sensitivity_next_step(slip_sensitivity *t)
{
    double from = t->start_slot.t, h = t->step[SLIP_SENS_SLOT_COUNT - 1]->t - from;
    if (t->ahead || t->lost) return;
    slip_sensitivity_read_contacts(t);
    slip_sensitivity_find_ending_slips(t);
    t->stage = 0;
    t->divergence.step_trace = 37 / 378.0 * t->divergence.start_trace;
    if (allows_fused_steps(t) && nothing_touches(t))
        fused_step(t, from, h);
    else
        slip_cash_karp_attempt(&t->problem, from, t->x, h, &t->work, t->next);
    t->divergence.step_trace *= h;
    project_columns(t, t->step[SLIP_SENS_SLOT_COUNT - 1], t->next, t->next_rate);
    t->divergence.end_trace = acceleration_trace(t);
    t->ahead = true;
}

static void on_arrived(void *context, bool event)
{
    slip_sensitivity *t = context;
    if (t->lost) return;
    slip_sensitivity_next_step(t);
    slip_sensitivity_read_contacts(t);
    slip_sensitivity_check_grazing(t);
    if (t->lost) return;
    slip_sensitivity_check_slides(t);
    if (t->lost) return;
    t->divergence.sum += t->divergence.step_trace;
    t->divergence.start_trace = t->divergence.end_trace;
    double *kept = t->x;
    t->x = t->next;
    t->next = kept;
    t->ahead = false;
    if (event)
        slip_sensitivity_event_time(t);
    else
        memcpy(t->work.k[0], t->next_rate, (size_t)t->problem.count * sizeof *t->x);
    t->settled = !event;
}

static void on_struck(void *context)
{
    slip_sensitivity *t = context;
    if (!t->lost && t->event.hits)
        slip_sensitivity_end(
            t, "a condition that changes with an impact makes contacts strike once more at once");
    if (!t->lost) slip_sensitivity_save_impact(t);
    if (!t->lost) slip_sensitivity_check_impact(t);
}

static void check_size(slip_sensitivity *t)
{
    for (int i = 0; i < t->problem.count; i++)
        if (!(fabs(t->x[i]) <= LARGEST_DERIVATIVE)) {
            slip_sensitivity_end(
                t, "they have grown beyond all bounds: the smallest change of a parameter changes the "
                   "motion wholly");
            return;
        }
}

static void on_present(void *context)
{
    slip_sensitivity *t = context;
    if (t->lost) return;
    check_size(t);
    if (t->lost) return;
    slip_sensitivity_save_slot(t, t->m->base.t, t->m->u, &t->start_slot);
    slip_sensitivity_clear_ending_slips(t);
    t->ahead = false;
    if (t->settled) {
        slip_tangent_look_at_conditions(t);
        return;
    }
    slip_sensitivity_read_contacts(t);
    if (!t->begun || t->event.pending || t->event.hits || t->event.reset) slip_sensitivity_saltation(t);
    if (!t->lost) slip_sensitivity_check_stick(t);
    t->begun = true;
    if (t->lost) return;
    project_columns(t, &t->start_slot, t->x, t->work.k[0]);
    t->divergence.start_trace = acceleration_trace(t);
    slip_tangent_look_at_conditions(t);
    t->settled = true;
}

// ---------------------------------------------------------------------------------------------- creating

static void layout_slot(slip_arena *a, const slip_sensitivity *t, slip_sensitivity_slot *slot)
{
    const slip_terms *like = t->like;
    slot->q = SLIP_TAKE(a, double, t->n);
    slot->u = SLIP_TAKE(a, double, t->n);
    slot->a = SLIP_TAKE(a, double, t->n);
    slot->v = SLIP_TAKE(a, double, t->n);
    slot->slip_direction = SLIP_TAKE(a, double, 2 * t->elements);
    slot->force = SLIP_TAKE(a, double, t->rows);
    slot->side = SLIP_TAKE(a, double, t->switches);
    slip_terms *terms = &slot->terms;
    double *flat = terms->flat = SLIP_TAKE(a, double, t->flat_count);
    terms->factor = SLIP_TAKE(a, double, t->system->factor_size);
    terms->scratch = SLIP_TAKE(a, double, t->n);
    if (!flat) return;
    terms->gap = flat + (like->gap - like->flat), terms->constraint = flat + (like->constraint - like->flat);
    terms->h = flat + (like->h - like->flat), terms->value = flat + (like->value - like->flat);
    terms->drift = flat + (like->drift - like->flat), terms->friction = flat + (like->friction - like->flat);
    terms->static_friction = flat + (like->static_friction - like->flat);
    terms->z = flat + (like->z - like->flat);
}

static void layout_solver(slip_arena *a, slip_sensitivity *t)
{
    size_t n = (size_t)t->n, rows = (size_t)t->rows;
    t->contact_state = SLIP_TAKE_PLAIN(a, slip_sens_contact_state, t->elements);
    t->held.row = SLIP_TAKE(a, int, rows);
    t->held.response = SLIP_TAKE(a, double, rows *n);
    t->held.G = SLIP_TAKE(a, double, rows *n);
    slip_lu_complete_layout(a, t->rows, &t->held.forces);
    slip_lu_complete_layout(a, t->rows, &t->held.positions);
    slip_lu_complete_layout(a, t->rows, &t->held.velocities);
    slip_lu_complete_layout(a, t->system->constraint_count, &t->held.bilateral);
    t->da = SLIP_TAKE(a, double, n);
    t->df = SLIP_TAKE(a, double, rows);
    t->bend = SLIP_TAKE(a, double, rows);
    t->residual = SLIP_TAKE(a, double, rows);
    t->line = SLIP_TAKE(a, double, 2 * n);
    t->push = SLIP_TAKE(a, double, 2 * n);
    slip_sensitivity_onset_layout(a, t);
}

static void sensitivity_layout(slip_arena *a, slip_sensitivity *t)
{
    size_t n = (size_t)t->n, all = (size_t)t->problem.count, columns = (size_t)t->column_count;
    slip_sensitivity_slot *slots = SLIP_TAKE(a, slip_sensitivity_slot, 2 * SLIP_SENS_SLOT_COUNT), none;
    for (int k = 0; k < 2 * SLIP_SENS_SLOT_COUNT; k++) layout_slot(a, t, slots ? &slots[k] : &none);
    for (int k = 0; k < SLIP_SENS_SLOT_COUNT && slots; k++)
        t->ring[k] = &slots[k], t->step[k] = &slots[SLIP_SENS_SLOT_COUNT + k];
    layout_slot(a, t, &t->start_slot);
    layout_slot(a, t, &t->hit);
    layout_slot(a, t, &t->seen);
    layout_solver(a, t);
    for (int k = 0; k < SLIP_SENS_TAPE_COUNT; k++)
        t->reg[k] = SLIP_TAKE_SCRATCH(a, double, slip_tape_registers(t->tape[k]));
    t->input = SLIP_TAKE_SCRATCH(a, double, t->in.count);
    slip_integrator_cash_karp.layout(a, t->problem.count, &t->work);
    t->x = SLIP_TAKE(a, double, all);
    t->next = SLIP_TAKE(a, double, all);
    t->next_rate = SLIP_TAKE(a, double, all);
    t->projected = SLIP_TAKE(a, double, all);
    t->within = SLIP_TAKE(a, double, 2 * n);
    t->leg = SLIP_TAKE(a, double, 8 * n);
    t->event.dtau = SLIP_TAKE(a, double, columns);
    t->event.at = SLIP_TAKE(a, double, all);
    t->event.state_before = SLIP_TAKE(a, double, 2 * n);
    t->event.behind = SLIP_TAKE(a, double, all);
    t->event.dtau_other = SLIP_TAKE(a, double, columns);
    t->event.dtau_passed = SLIP_TAKE(a, double, columns);
    t->event.hit_contact_state = SLIP_TAKE_PLAIN(a, slip_sens_contact_state, t->elements);
    t->event.hit_e = SLIP_TAKE(a, double, t->rows);
    t->event.plastic = SLIP_TAKE(a, bool, t->rows);
    t->sampled = SLIP_TAKE(a, double, (size_t)t->value_count *columns);
    slip_impact_sensitivity_layout(a, t, t->steps ? t->steps->m->d : t->m->d);
    t->graze.change = SLIP_TAKE(a, double, columns);
    t->graze.coefficient = SLIP_TAKE(a, double, columns *n);
}

static slip_status allocate_sensitivity(slip_sensitivity *t)
{
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &t->memory)) sensitivity_layout(&arena, t);
    if (!t->memory) return SLIP_NO_MEMORY;
    for (int k = 0; k < SLIP_SENS_TAPE_COUNT; k++) slip_tape_start(t->tape[k], t->reg[k]);
    return SLIP_OK;
}

// where the columns start
static void fill_start(slip_sensitivity *t)
{
    for (int c = 0; c < t->column_count; c++)
        for (int k = 0; k < 2 * t->n; k++)
            column_at(t, t->x, c)[k] =
                t->columns[c].parameter >= 0
                    ? t->start[(size_t)k * (size_t)t->parameter_count + (size_t)t->columns[c].parameter]
                    : t->columns[c].state == k;
}

void slip_sensitivity_restart(slip_sensitivity *t)
{
    for (int c = 0; c < t->column_count; c++)
        for (int k = 0; k < 2 * t->n; k++) column_at(t, t->x, c)[k] = t->columns[c].state == k;
    t->graze.element = -1;
    t->event.passed_at = NAN;
    t->lost = t->begun = t->settled = t->event.pending = t->event.hits = t->event.reset = t->ahead = false;
    t->least.gap = t->least.strike = t->least.turn = t->least.rest = t->least.slide = INFINITY;
    t->least.element = -1;
    t->divergence.sum = 0.0;
    t->divergence.held_ever = false;
    if (t->steps) slip_sens_moreau_restart(t);
}

// ------------------------------------------------------------------------------------------------ asking

static slip_status unsupported(slip_error *error, const char *place, const char *why)
{
    return slip_fail(error, SLIP_UNSUPPORTED, place, "%s", why);
}

static slip_status check_model(const slip_sensitivity *t, slip_error *error)
{
    const slip_equations *e = t->system->equations;
    const slip_model *model = e->model;
    for (int k = 0; k < model->element_count && t->steps; k++)
        if (model->contacts[k].load.kind == SLIP_LOAD_JOINT)
            return unsupported(
                error, model->contacts[k].name,
                "there are no derivatives of friction that follows the force of a joint under moreau; "
                "lcp has them");
    return slip_sensitivity_check_model(model, error);
}

// conditions of the formulas that are differentiated
static slip_status find_conditions(slip_sensitivity *t, slip_error *error)
{
    const slip_switching *switching = t->form->switching;
    t->form_list = t->switch_list;
    if (t->form == t->system) return SLIP_OK;
    if (t->steps) return slip_sens_moreau_twin_conditions(t, error);
    t->form_list = t->switches ? switching->switches.list : NULL;
    return (switching ? switching->switches.count : 0) == t->switches
               ? SLIP_OK
               : unsupported(error, "sensitivity", "a parameter changes what the model is made of");
}

static slip_status find_numbers(slip_sensitivity *t, slip_error *error)
{
    size_t p = (size_t)t->parameter_count;
    t->number = calloc((size_t)t->elements * SLIP_SENS_NUMBER_COUNT * p + 1, sizeof *t->number);
    t->start = calloc(2 * (size_t)t->n * p + 1, sizeof *t->start);
    t->until = calloc(p + 1, sizeof *t->until);
    if (!t->number || !t->start || !t->until || !slip_sensitivity_compile(t) ||
        allocate_sensitivity(t) != SLIP_OK)
        return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    return SLIP_OK;
}

// who is followed: a method with events, or one that steps in time
static slip_status attach_method(slip_sensitivity *t, slip_method *method, slip_error *error)
{
    slip_event_driven *m = t->m = slip_event_driven_of(method);
    slip_status status = m ? SLIP_OK : slip_sens_moreau_set_method(t, method, error);
    if (m) {
        t->base = method;
        t->system = m->system;
        t->n = m->n;
        t->elements = m->elements;
        t->like = &m->rigid.terms;
        t->switches = m->switches;
        t->switch_list = m->switches ? m->system->switching->switches.list : NULL;
        t->absolute = m->control.absolute;
        t->relative = m->control.relative;
    }
    if (status != SLIP_OK) return status;
    t->rows = t->system->row_count;
    t->flat_count = (size_t)(t->like->z - t->like->flat + t->rows);
    return SLIP_OK;
}

// which is no formula, and stands in no graph
static slip_status check_slide_lengths(const slip_sensitivity *t, slip_error *error)
{
    const size_t p = (size_t)t->parameter_count;
    for (int e = 0; e < t->elements; e++)
        for (size_t i = 0; i < p; i++)
            if (t->number[((size_t)e * SLIP_SENS_NUMBER_COUNT + SLIP_SENS_SLIDE_LENGTH) * p + i] != 0.0)
                return unsupported(
                    error, t->system->elements[e].name,
                    "there are no derivatives with respect to the length of a slide with friction");
    return SLIP_OK;
}

slip_status slip_sensitivity_create(slip_method *method, const slip_sensitivity_origin *origin,
                                    const char *const *names, int count, slip_error *error,
                                    slip_sensitivity **out)
{
    *out = NULL;
    slip_sensitivity *t = calloc(1, sizeof *t);
    if (!t) return slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    slip_status status = attach_method(t, method, error);
    if (status == SLIP_OK) status = check_model(t, error);
    if (status == SLIP_OK)
        status = slip_sensitivity_columns(t->system->equations->model, method, names, count, error,
                                          &t->columns, &t->parameter_count);
    if (status == SLIP_OK) t->column_count = count;
    if (status == SLIP_OK) status = slip_sensitivity_constants(t, origin, error);
    if (status == SLIP_OK) status = find_conditions(t, error);
    t->problem =
        (slip_ode_problem){ .count = 2 * t->n * t->column_count, .context = t, .rate = column_rates };
    if (status == SLIP_OK) status = find_numbers(t, error);
    if (status == SLIP_OK) status = check_slide_lengths(t, error);
    if (status == SLIP_OK && t->steps && !slip_sens_moreau_attach(t))
        status = slip_fail(error, SLIP_NO_MEMORY, "derivatives", "out of memory");
    if (status != SLIP_OK) {
        slip_sensitivity_destroy(t);
        return status;
    }
    fill_start(t);
    t->event.passed_at = NAN;
    t->graze.element = -1;
    t->least.gap = t->least.strike = t->least.turn = t->least.rest = t->least.slide = INFINITY;
    t->least.element = -1;
    t->observer =
        (slip_event_observer){ t, on_stage, on_ahead, on_arrived, on_struck, on_present, allows_fused_steps };
    if (t->m)
        t->m->observer = &t->observer;
    else
        slip_sens_moreau_restart(t);
    *out = t;
    return SLIP_OK;
}

void slip_sensitivity_destroy(slip_sensitivity *t)
{
    if (!t) return;
    if (t->m && t->m->observer == &t->observer) t->m->observer = NULL;
    slip_sens_moreau_destroy(t);
    for (int k = 0; k < SLIP_SENS_TAPE_COUNT; k++) slip_tape_destroy(t->tape[k]);
    slip_constant_derivatives_destroy(&t->constants);
    slip_fused_sensitivity_destroy(&t->flight);
    free(t->columns);
    free(t->number);
    free(t->start);
    free(t->until);
    free(t->memory);
    free(t);
}

// ----------------------------------------------------------------------------------------------- looking
