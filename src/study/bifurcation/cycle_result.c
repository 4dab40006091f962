/// study/bifurcation/cycle_result.c: the result record of a periodic-orbit search.
#include "study/bifurcation/cycle_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/status.h"
#include "base/text.h"
#include "study/bifurcation/bifurcation_tolerances.h"
#include "study/bifurcation/floquet.h"

static char *copy_string(const char *text)
{
    size_t size = strlen(text) + 1;
    char *to = malloc(size);
    if (to) memcpy(to, text, size);
    return to;
}

static double *copy_numbers(const double *from, size_t count)
{
    double *to = calloc(count + 1, sizeof *to);
    if (to && count && from) memcpy(to, from, count * sizeof *to);
    return to;
}

// ---------------------------------------------------------------------------------------------- stability

// The multipliers closest to 1 are the trivial ones; all others decide on stability.
static void count_trivial_multipliers(slip_cycle *c, const slip_shooting *s)
{
    c->trivial = !s->forced;
    for (int k = 0; k < s->states; k++) c->trivial += s->shifts[k] && !s->fixed[k];
    int outside = 0, near = 0;
    c->neutral = 0;
    for (int k = 0; k < c->multiplier_count; k++) {
        double re = c->multiplier_re[k], im = c->multiplier_im[k];
        if (slip_hypot(re - 1.0, im) < TRIVIAL_MULTIPLIER_DISTANCE && near < c->trivial)
            near++;
        else if (fabs(slip_hypot(re, im) - 1.0) < NEUTRAL_MULTIPLIER)
            c->neutral++;
        else
            outside += slip_hypot(re, im) > 1.0;
    }
    c->stable = outside == 0 && c->neutral == 0;
    if (outside) c->neutral = 0;
    if (near < c->trivial)
        snprintf(c->text, sizeof c->text,
                 "%d multipliers should be exactly 1, and %d are: errors grow too much over a period "
                 "for these multipliers to be right; more segments, or smaller tolerances, may help",
                 c->trivial, near);
}

// ---------------------------------------------------------------------------------------------- parameters

// Derivatives of the orbit with respect to parameters, from (M - I) dx + F dT + P = 0. P includes the effect
// of a forcing period that depends on the parameter.
static bool orbit_derivatives(slip_cycle *c, slip_shooting *s)
{
    const slip_flow_map *shot = s->shot;
    int n = s->states, count = c->parameter_count = shot->parameters;
    c->period_derivative = calloc((size_t)count + 1, sizeof(double));
    c->state_derivative = calloc((size_t)(n * count) + 1, sizeof(double));
    c->parameter_name = calloc((size_t)count + 1, sizeof(char *));
    double *b = calloc(2 * (size_t)n + 1, sizeof *b), *dx = b ? b + n : NULL;
    bool fine = c->period_derivative && c->state_derivative && c->parameter_name && b;
    for (int p = 0; p < count && fine; p++) {
        double until = s->forced ? slip_flow_map_end_derivative(shot, p) : 0.0, dT;
        slip_shooting_parameter(s, p, b);
        for (int i = 0; i < n; i++) b[i] = -b[i];
        slip_shooting_solve(s, b, dx, &dT);
        c->period_derivative[p] = s->forced ? until : dT;
        for (int i = 0; i < n; i++) c->state_derivative[i * count + p] = dx[i];
        c->parameter_name[p] = copy_string(slip_flow_map_parameter_name(shot, p));
        fine = c->parameter_name[p] != NULL;
    }
    free(b);
    return fine;
}

// -------------------------------------------------------------------------------------------------- events

// Total derivative of a quantity of the orbit with respect to parameter p: the partial derivative, and the
// effect of the point of the orbit, which moves with the parameter.
static double along_orbit(const slip_cycle *c, const double *by_column, size_t stride, int p)
{
    double sum = by_column[(size_t)(c->state_count + p) * stride];
    for (int j = 0; j < c->state_count; j++)
        sum += by_column[(size_t)j * stride] * c->state_derivative[j * c->parameter_count + p];
    return sum;
}

static bool copy_event(slip_cycle *c, const slip_flow_map_event *from, slip_cycle_event *to)
{
    size_t n = (size_t)c->state_count, count = (size_t)c->parameter_count;
    *to = (slip_cycle_event){ .t = from->t, .kind = from->kind, .approach = from->approach };
    to->element = copy_string(from->element);
    to->before = copy_numbers(from->before, n);
    to->after = copy_numbers(from->after, n);
    to->time_derivative = copy_numbers(NULL, count);
    to->before_derivative = copy_numbers(NULL, n * count);
    to->after_derivative = copy_numbers(NULL, n * count);
    if (!to->element || !to->before || !to->after || !to->time_derivative || !to->before_derivative ||
        !to->after_derivative)
        return false;
    for (size_t p = 0; p < count; p++) {
        to->time_derivative[p] = along_orbit(c, from->dt, 1, (int)p);
        for (size_t k = 0; k < n; k++) {
            to->before_derivative[k * count + p] = along_orbit(c, from->d_before + k, n, (int)p);
            to->after_derivative[k * count + p] = along_orbit(c, from->d_after + k, n, (int)p);
        }
    }
    return true;
}

static bool fill_events(slip_cycle *c, const slip_flow_map *shot)
{
    slip_text signature = { 0 };
    c->events = calloc(shot->event_count + 1, sizeof *c->events);
    bool fine = c->events != NULL;
    slip_text_add(&signature, "%s", "");
    for (size_t k = 0; k < shot->event_count && fine; k++) {
        const slip_flow_map_event *e = &shot->events[k];
        fine = copy_event(c, e, &c->events[c->event_count++]);
        slip_text_add(&signature, "%s%s %s", k ? ", " : "", slip_event_name(e->kind), e->element);
    }
    c->signature = slip_text_take(&signature);
    return fine && c->signature;
}

// ---------------------------------------------------------------------------------------------------- motion

static bool fill_motion(slip_cycle *c, const slip_flow_map *shot)
{
    size_t n = (size_t)c->state_count, width = n + 1;
    c->low = copy_numbers(shot->rows + 1, n);
    c->high = copy_numbers(shot->rows + 1, n);
    c->rows = copy_numbers(shot->rows, shot->row_count * width);
    if (!c->low || !c->high || !c->rows) return false;
    c->row_count = (int)shot->row_count;
    for (size_t row = 0; row < shot->row_count; row++)
        for (size_t k = 0; k < n; k++) {
            c->low[k] = fmin(c->low[k], c->rows[row * width + 1 + k]);
            c->high[k] = fmax(c->high[k], c->rows[row * width + 1 + k]);
        }
    return true;
}

// ------------------------------------------------------------------------------------------------------- all

static bool cycle_fill(slip_cycle *c, slip_shooting *s)
{
    slip_flow_map *shot = s->shot;
    int n = c->state_count = s->states;
    c->period = s->period;
    c->period_multiple = 1;
    c->forced = s->forced;
    c->start = slip_shooting_time(s, 0);
    c->iterations = s->iterations;
    c->residual = s->residual;
    c->state = copy_numbers(s->node, (size_t)n);
    c->advance = copy_numbers(NULL, (size_t)n);
    c->size = copy_numbers(s->scale, (size_t)n);
    c->state_name = calloc((size_t)n + 1, sizeof *c->state_name);
    bool fine = c->state && c->advance && c->size && c->state_name;
    for (int k = 0; k < n && fine; k++) {
        c->state_name[k] = copy_string(slip_sim_column_name(shot->sim, 1 + k));
        c->advance[k] = s->shifts[k] ? shot->end[k] - s->node[k] : 0.0;
        fine = c->state_name[k] != NULL;
    }
    if (!fine) return false;
    count_trivial_multipliers(c, s);
    c->work = shot->work, c->friction = shot->friction, c->impact = shot->impact;
    c->least_gap = shot->least_gap;
    bool impacts_alone = !shot->held && c->multiplier_count == n;
    for (size_t k = 0; k < shot->event_count; k++)
        impacts_alone = impacts_alone && shot->events[k].kind == SLIP_EVENT_IMPACT;
    c->expected = impacts_alone ? shot->restitutions * slip_exp(shot->divergence) : NAN;
    if (impacts_alone && shot->restitutions > 0.0)
        c->zeros = 0; // impacts alone make no multiplier zero: it is too small for a double
    else if (c->zeros > 0)
        c->determinant = 0.0; // exactly, where the product of pivots leaves rounding
    return orbit_derivatives(c, s) && fill_events(c, shot) && fill_motion(c, shot);
}

bool slip_cycle_moves(const slip_cycle *c)
{
    for (int k = 0; k < c->state_count; k++) {
        const double span = c->high[k] - c->low[k];
        if (span > MOVING_EXTENT * c->size[k] && span > MOVING_EXTENT_ROUNDING * (1.0 + fabs(c->state[k])))
            return true;
    }
    return false;
}

slip_status slip_cycle_fill_result(slip_cycle *c, slip_shooting *s, slip_error *error)
{
    bool elsewhere = s->segments > 1; // the last run covered one segment, not the whole orbit
    if (!slip_floquet_fill(c, s, &elsewhere))
        return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    if (elsewhere && !slip_flow_map_run(s->shot, slip_shooting_time(s, 0), s->period, s->node)) {
        snprintf(c->text, sizeof c->text, "the orbit in one piece: %.300s", s->shot->reason);
        return SLIP_OK;
    }
    slip_shooting_factor(s);
    if (!cycle_fill(c, s)) return slip_fail(error, SLIP_NO_MEMORY, "cycle", "out of memory");
    c->found = c->forced || slip_cycle_moves(c);
    if (!c->found)
        snprintf(
            c->text, sizeof c->text,
            "the search ended at an equilibrium; start nearer to the motion (see slipstick equilibrium)");
    else if (!slip_cycle_moves(c))
        snprintf(c->text, sizeof c->text, "nothing moves there: what drives it does not");
    return SLIP_OK;
}

void slip_cycle_destroy(slip_cycle *c)
{
    if (!c) return;
    for (int k = 0; k < c->event_count; k++) {
        slip_cycle_event *e = &c->events[k];
        free(e->element), free(e->before), free(e->after);
        free(e->time_derivative), free(e->before_derivative), free(e->after_derivative);
    }
    for (int k = 0; k < c->state_count && c->state_name; k++) free(c->state_name[k]);
    for (int k = 0; k < c->parameter_count && c->parameter_name; k++) free(c->parameter_name[k]);
    free(c->events), free(c->state_name), free(c->parameter_name), free(c->signature);
    free(c->low), free(c->high), free(c->rows);
    free(c->state), free(c->size), free(c->advance), free(c->monodromy), free(c->multiplier_re),
        free(c->multiplier_im);
    free(c->period_derivative), free(c->state_derivative);
    free(c);
}
