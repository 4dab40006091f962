/// sensitivity/sens_ode_jumps.c: where the right-hand side of an ODE jumps, and events of the model. See
/// sens_ode.h.
#include <math.h>
#include <string.h>

#include "sensitivity/sens_ode.h"
#include "sensitivity/sensitivity_tolerances.h"

enum { MAX_ROOT_ITERATIONS = 80 };

// ------------------------------------------------------------------------------------------------- sides

static void evaluate_switches(slip_sens_ode *f, double t, const double *x)
{
    slip_sens_ode_load(f, SLIP_SENS_ODE_SWITCH, f->tau, t, x, NULL);
    slip_sens_ode_run_tape(f, SLIP_SENS_ODE_SWITCH);
}

// of a floor its level, of others the sign
static double side_of(const slip_sens_ode *f, int i)
{
    double value = slip_sens_ode_result(f, SLIP_SENS_ODE_SWITCH, i);
    if (f->switches.list[i].level >= 0) return value;
    return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0;
}

void slip_sens_ode_read_state(slip_sens_ode *f)
{
    const double t = f->m->base.t, *x = f->m->x;
    slip_sens_ode_columns *line = f->line = &f->run;
    memcpy(line->at, x, (size_t)f->states * sizeof *line->at);
    evaluate_switches(f, t, x);
    for (int i = 0; i < f->switches.count; i++) line->side[i] = side_of(f, i);
}

// rates at (t, x) with switch i on a side (-1: every switch as it is)
static bool find_rate(slip_sens_ode *f, double t, const double *x, int i, double side, double *rate)
{
    double *reg = f->reg[SLIP_SENS_ODE_RATE];
    slip_sens_ode_load(f, SLIP_SENS_ODE_RATE, f->tau, t, x, NULL);
    for (int k = 0; k < f->switches.count; k++)
        reg[f->switches.list[k].input] = k == i ? side : SLIP_SIDE_FREE;
    slip_sens_ode_run_tape(f, SLIP_SENS_ODE_RATE);
    for (int k = 0; k < f->states; k++) rate[k] = slip_sens_ode_result(f, SLIP_SENS_ODE_RATE, k);
    return slip_sens_ode_mass_solve(f, SLIP_SENS_ODE_RATE, f->states, 1, rate);
}

bool slip_sens_ode_rate(slip_sens_ode *f, double t, const double *x, double *rate)
{
    return find_rate(f, t, x, -1, 0.0, rate);
}

// ------------------------------------------------------------------------------------------------- jumps

// the share of a step after which switch i changes sides, along the straight line between its ends
static double crossing_fraction(slip_sens_ode *f, int i, double side, double t, const double *x, double h,
                                const double *end)
{
    double a = 0.0, b = 1.0;
    for (int k = 0; k < MAX_ROOT_ITERATIONS && b - a > BISECTION_DONE; k++) {
        double s = 0.5 * (a + b);
        for (int j = 0; j < f->states; j++) f->stage[j] = x[j] + s * (end[j] - x[j]);
        evaluate_switches(f, t + s * h, f->stage);
        if (side_of(f, i) == side)
            a = s;
        else
            b = s;
    }
    return b;
}

// whether the rates on both sides of switch i differ at (t, x): those before into rate[0], behind into [1]
static bool jumps_at(slip_sens_ode *f, int i, double from, double to, double t, const double *x)
{
    double size = 0.0, most = 0.0;
    if (!find_rate(f, t, x, i, from, f->rate[0]) || !find_rate(f, t, x, i, to, f->rate[1])) return true;
    for (int k = 0; k < f->states; k++) {
        size = fmax(size, fabs(f->rate[0][k]) + fabs(f->rate[1][k]));
        most = fmax(most, fabs(f->rate[0][k] - f->rate[1][k]));
    }
    f->jump_share = most / size;
    return !(most <= RATE_JUMP_TOLERANCE * size);
}

// dtau = -dg/g' of switch i at (t, x), where rate[0] is the motion; false when there is none
static bool switch_time_derivative(slip_sens_ode *f, int i, double t, const double *x)
{
    const size_t all = (size_t)f->column_count * (size_t)f->states;
    slip_sens_ode_load(f, SLIP_SENS_ODE_JUMP, f->tau, t, x, f->line->x);
    memcpy(f->reg[SLIP_SENS_ODE_JUMP] + f->in.dx + all, f->rate[0], (size_t)f->states * sizeof(double));
    slip_sens_ode_run_tape(f, SLIP_SENS_ODE_JUMP);
    const int count = f->switches.count;
    double speed = slip_sens_ode_result(f, SLIP_SENS_ODE_JUMP, f->column_count * count + i);
    bool known = true;
    for (int c = 0; c < f->column_count; c++) {
        f->moved[c] = -slip_sens_ode_result(f, SLIP_SENS_ODE_JUMP, c * count + i) / speed;
        known = known && isfinite(f->moved[c]);
    }
    return known;
}

static bool time_is_sensitive(const slip_sens_ode *f, double h)
{
    for (int c = 0; c < f->column_count; c++)
        if (fabs(f->moved[c]) > EVENT_TIME_TOLERANCE * h) return true;
    return false;
}

static void jump_columns(slip_sens_ode *f)
{
    for (int c = 0; c < f->column_count; c++)
        for (int k = 0; k < f->states; k++)
            f->line->x[c * f->states + k] += (f->rate[0][k] - f->rate[1][k]) * f->moved[c];
}

// Switch i has changed sides. At the start of the step the columns jump; at its end they will: `side` is kept
// until then
static void cross_switch(slip_sens_ode *f, int i, double side, double t, const double *x, double h,
                         const double *end)
{
    double *kept = &f->line->side[i], from = *kept, share = crossing_fraction(f, i, from, t, x, h, end);
    for (int j = 0; j < f->states; j++) f->stage[j] = x[j] + share * (end[j] - x[j]);
    if (!jumps_at(f, i, from, side, t + share * h, f->stage)) {
        *kept = side;
        return;
    }
    const bool known = switch_time_derivative(f, i, t + share * h, f->stage);
    if (known && !time_is_sensitive(f, h)) {
        *kept = side;
    } else if (!known && f->jump_share <= FORGETTABLE_JUMP) { // it rests on the border
        *kept = side;
    } else if (!known) {
        slip_sens_ode_end(
            f, "a force jumps where the motion only just gets to, and the time of it has no derivatives");
    } else if (share <= AT_STEP_END_FRACTION) {
        jump_columns(f);
        *kept = side;
    } else if (share < 1.0 - AT_STEP_END_FRACTION && !f->shifts) {
        slip_sens_ode_end(
            f,
            "a force jumps within a step of %s, which passes over it; substeps, lcp and gauss stop "
            "there",
            f->m->integrator->info.name);
    }
}

void slip_sens_ode_check_step(slip_sens_ode *f, double t, const double *x, double h, const double *end)
{
    bool looked = false;
    f->due = false;
    for (int i = 0; i < f->switches.count && !f->lost && f->changes; i++) {
        if (!looked) evaluate_switches(f, t + h, end);
        looked = true;
        double side = side_of(f, i), *kept = &f->line->side[i];
        if (*kept == 0.0) *kept = side;
        if (side == 0.0 || side == *kept) continue;
        cross_switch(f, i, side, t, x, h, end);
        f->due = f->due || *kept != side;
        looked = false;
    }
}

void slip_sens_ode_jump_at_end(slip_sens_ode *f, double t, const double *end)
{
    if (!f->due) return;
    for (int i = 0; i < f->switches.count; i++) {
        evaluate_switches(f, t, end);
        double side = side_of(f, i), from = f->line->side[i];
        if (side == 0.0 || side == from) continue;
        if (jumps_at(f, i, from, side, t, end) && switch_time_derivative(f, i, t, end)) jump_columns(f);
        f->line->side[i] = side;
    }
}

// --------------------------------------------------------------------------------------------- touch-downs

static double gap_of(const slip_sens_ode *f, int e)
{
    return slip_sens_ode_result(f, SLIP_SENS_ODE_GAP, 2 * (f->column_count + 1) * f->ode->element_count + e);
}

static void evaluate_gap_derivatives(slip_sens_ode *f, double t, const double *x, const double *rate)
{
    const size_t all = (size_t)f->column_count * (size_t)f->states;
    slip_sens_ode_load(f, SLIP_SENS_ODE_GAP, 0.0, t, x, f->line->x);
    memcpy(f->reg[SLIP_SENS_ODE_GAP] + f->in.dx + all, rate, (size_t)f->states * sizeof(double));
    slip_sens_ode_run_tape(f, SLIP_SENS_ODE_GAP);
}

// how the time at which element e touches moves, beyond the shift of column c
static double touchdown_time_change(const slip_sens_ode *f, int e, int c)
{
    const int count = 2 * f->ode->element_count;
    return -slip_sens_ode_result(f, SLIP_SENS_ODE_GAP, c * count + 2 * e) /
           slip_sens_ode_result(f, SLIP_SENS_ODE_GAP, f->column_count * count + 2 * e);
}

static void shift_by(slip_sens_ode *f, int c, double by)
{
    for (int k = 0; k < f->states; k++) f->line->x[c * f->states + k] += f->line->rate[k] * by;
    f->line->shift[c] += by;
    f->line->chains = false;
}

void slip_sens_ode_unshift(slip_sens_ode *f)
{
    for (int c = 0; c < f->column_count; c++)
        if (f->line->shift[c] != 0.0) shift_by(f, c, -f->line->shift[c]);
}

int slip_sens_ode_first_crossing(slip_sens_ode *f, double t, const double *x, double h, const double *end)
{
    int found = -1;
    f->changes = false;
    if (!f->switches.count) return -1;
    evaluate_switches(f, t + h, end);
    for (int i = 0; i < f->switches.count && found < 0; i++) {
        double side = side_of(f, i), kept = f->line->side[i];
        f->changes = f->changes || side != kept;
        if (side != 0.0 && kept != 0.0 && side != kept && f->switches.list[i].level < 0) found = i;
    }
    if (found < 0 || !f->shifts) return -1;
    evaluate_switches(f, t, x); // what begins on the border has the rate of the other side there already
    return side_of(f, found) != 0.0 ? found : -1;
}

void slip_sens_ode_crossing_times(slip_sens_ode *f, int i, double t, const double *x, double *by)
{
    memcpy(f->rate[0], f->line->rate, (size_t)f->states * sizeof *f->rate[0]);
    switch_time_derivative(f, i, t, x);
    memcpy(by, f->moved, (size_t)f->column_count * sizeof *by);
}

bool slip_sens_ode_is_contact_free(slip_sens_ode *f, double t, const double *x)
{
    evaluate_gap_derivatives(f, t, x, f->line->rate);
    for (int e = 0; e < f->ode->element_count; e++)
        if (gap_of(f, e) <= 0.0) return false;
    return true;
}

void slip_sens_ode_shift(slip_sens_ode *f, const double *by)
{
    for (int c = 0; c < f->column_count; c++) shift_by(f, c, by[c]);
}

void slip_sens_ode_impact_speeds(slip_sens_ode *f, double t, const double *x)
{
    const slip_ode *ode = f->ode;
    const int count = 2 * ode->element_count;
    bool ready = false;
    for (int e = 0; e < ode->element_count; e++) {
        const int state = ode->elements[e].speed;
        if (state < 0 || x[state] == f->line->at[state]) continue;
        if (!ready) evaluate_gap_derivatives(f, t, x, f->line->rate);
        ready = true;
        double pull = slip_sens_ode_result(f, SLIP_SENS_ODE_GAP, f->column_count * count + 2 * e + 1);
        for (int c = 0; c < f->column_count; c++) {
            double rate = slip_sens_ode_result(f, SLIP_SENS_ODE_GAP, c * count + 2 * e + 1) +
                          pull * touchdown_time_change(f, e, c);
            f->line->x[c * f->states + state] = x[state] > 0.0 ? -rate : 0.0;
        }
    }
}

// -------------------------------------------------------------------------------------- events of the model

// the state at the time of the event, then with what it sets
static void set_values(slip_sens_ode *f, int k)
{
    const slip_model *model = f->ode->model;
    int all = 0, own = 0;
    for (int i = 0; i < model->when_count; i++) {
        if (i < k) own += model->whens[i].assignment_count;
        all += model->whens[i].assignment_count;
    }
    const int first = (f->column_count + 1) * model->when_count + own;
    slip_sens_ode_load(f, SLIP_SENS_ODE_MODEL_EVENT, 0.0, f->m->base.t, f->m->x, f->run.x);
    for (int c = 0; c < f->column_count; c++) f->reg[SLIP_SENS_ODE_MODEL_EVENT][f->in.dt + c] = f->dtau[c];
    slip_sens_ode_run_tape(f, SLIP_SENS_ODE_MODEL_EVENT);
    for (int c = 0; c < f->column_count; c++)
        for (int i = 0; i < model->whens[k].assignment_count; i++) {
            const slip_assignment *a = &model->whens[k].assignments[i];
            f->run.x[c * f->states + a->coordinate + (a->rate ? f->ode->n : 0)] =
                slip_sens_ode_result(f, SLIP_SENS_ODE_MODEL_EVENT, first + c * all + i);
            if (model->coordinates && model->coordinates[a->coordinate].is_held) // since when
                f->run.x[c * f->states + f->ode->n + a->coordinate] = f->dtau[c];
        }
}

// dtau of event k by its margin, at a state of that rate and columns x; whether it crosses zero there
static bool model_event_derivative(slip_sens_ode *f, int k, const double *state, const double *rate,
                                   const double *x, double *dtau, bool *crosses)
{
    const slip_model *model = f->ode->model;
    const size_t all = (size_t)f->column_count * (size_t)f->states;
    const int count = model->when_count;
    double *reg = f->reg[SLIP_SENS_ODE_MODEL_EVENT];
    int sets = 0;
    for (int i = 0; i < count; i++) sets += model->whens[i].assignment_count;
    slip_sens_ode_load(f, SLIP_SENS_ODE_MODEL_EVENT, 0.0, f->m->base.t, state, x);
    memcpy(reg + f->in.dx + all, rate, (size_t)f->states * sizeof *reg);
    memset(reg + f->in.dt, 0, (size_t)f->column_count * sizeof *reg);
    slip_sens_ode_run_tape(f, SLIP_SENS_ODE_MODEL_EVENT);
    const double speed = slip_sens_ode_result(f, SLIP_SENS_ODE_MODEL_EVENT, f->column_count * count + k),
                 margin = slip_sens_ode_result(f, SLIP_SENS_ODE_MODEL_EVENT,
                                               (f->column_count + 1) * count + f->column_count * sets + k);
    bool known = true;
    *crosses = fabs(margin) <= MODEL_EVENT_NOW * fmax(1.0, f->m->base.t) * fabs(speed);
    for (int c = 0; c < f->column_count; c++) {
        dtau[c] = -slip_sens_ode_result(f, SLIP_SENS_ODE_MODEL_EVENT, c * count + k) / speed;
        known = known && isfinite(dtau[c]);
    }
    return known;
}

// In the instant of another event: because of that, and when that does; or by chance
static bool is_consequence(slip_sens_ode *f, int k)
{
    bool crosses, same = true;
    double *x = f->out;
    for (int c = 0; c < f->column_count; c++)
        for (int i = 0; i < f->states; i++) {
            const int at = c * f->states + i;
            x[at] = f->before[at] - f->rate_before[i] * f->dtau[c];
        }
    const bool known = model_event_derivative(f, k, f->state_before, f->rate_before, x, f->moves, &crosses);
    for (int c = 0; c < f->column_count; c++)
        same = same && fabs(f->moves[c] - f->dtau[c]) <=
                           SAME_TIME_DERIVATIVE * fmax(fabs(f->moves[c]), fabs(f->dtau[c])) +
                               SAME_TIME_DERIVATIVE_MIN;
    return !crosses || (known && same);
}

static bool begin_event(slip_sens_ode *f, int k)
{
    bool crosses;
    const double *state = f->m->x;
    if (!find_rate(f, f->m->base.t, state, -1, 0.0, f->rate[0]) ||
        !model_event_derivative(f, k, state, f->rate[0], f->run.x, f->dtau, &crosses))
        return false;
    memcpy(f->state_before, state, (size_t)f->states * sizeof *state);
    memcpy(f->rate_before, f->rate[0], (size_t)f->states * sizeof *state);
    for (int c = 0; c < f->column_count; c++)
        for (int i = 0; i < f->states; i++) f->run.x[c * f->states + i] += f->rate[0][i] * f->dtau[c];
    memcpy(f->before, f->run.x, (size_t)f->column_count * (size_t)f->states * sizeof *f->before);
    return true;
}

void slip_sens_ode_model_event(slip_sens_ode *f, int k)
{
    const slip_model_event *when = &f->ode->model->whens[k];
    if (f->lost) return;
    f->line = &f->run;
    slip_sens_ode_unshift(f);
    if (f->pending && !is_consequence(f, k))
        slip_sens_ode_end(f, "event '%s' happens at once with another one, and which comes first is open",
                          when->name);
    else if (!f->pending && !begin_event(f, k))
        slip_sens_ode_end(f, "event '%s' is only just reached, and its time has no derivatives", when->name);
    if (f->lost) return;
    set_values(f, k);
    memcpy(f->behind, f->run.x, (size_t)f->column_count * (size_t)f->states * sizeof *f->behind);
    f->pending = true;
}

void slip_sens_ode_finish_event(slip_sens_ode *f)
{
    if (!f->pending || f->lost) return;
    f->pending = false;
    f->line = &f->run;
    if (!find_rate(f, f->m->base.t, f->m->x, -1, 0.0, f->rate[1])) return;
    memcpy(f->run.rate, f->rate[1], (size_t)f->states * sizeof *f->run.rate);
    for (int c = 0; c < f->column_count; c++)
        for (int i = 0; i < f->states; i++) f->run.x[c * f->states + i] -= f->rate[1][i] * f->dtau[c];
    slip_sens_ode_read_state(f);
}
