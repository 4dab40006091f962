/// sensitivity/nondifferentiable.c: borders at which a motion is not differentiable.
///
/// At such a border an arbitrarily small change leads to a different motion, and a derivative on one side
/// says nothing about the other. The distance at which a motion counts as being on the border follows from
/// the tolerances of the run, since it cannot distinguish less.
#include <math.h>
#include <string.h>

#include "sensitivity/sensitivity.h"
#include "sensitivity/sensitivity_tolerances.h"

enum { MAX_ROOT_ITERATIONS = 60, MAX_SAMPLES_PER_STEP = 200 };

static double position_scale(const slip_sensitivity *t)
{
    double reach = 0.0;
    for (int k = 0; k < t->n; k++) reach = fmax(reach, fabs(t->start_slot.q[k]));
    return reach;
}

// m, gaps that cannot be distinguished from zero
double slip_sensitivity_grazing_gap(const slip_sensitivity *t)
{
    return TOLERANCE_MARGIN * (t->absolute + t->relative * position_scale(t));
}

// m/s, the same of speeds
static double small_speed(const slip_sensitivity *t)
{
    double fastest = 0.0;
    for (int k = 0; k < t->n; k++) fastest = fmax(fastest, fabs(t->start_slot.u[k]));
    return TOLERANCE_MARGIN * (t->absolute + t->relative * fastest);
}

// --------------------------------------------------------------------------------------------------- gaps

// q, u and their rates at both ends of the step that was taken
static slip_step_interval leg_of(slip_sensitivity *t)
{
    const slip_sensitivity_slot *from = &t->start_slot, *to = t->step[SLIP_SENS_SLOT_COUNT - 1];
    size_t n = (size_t)t->n;
    const slip_sensitivity_slot *ends[] = { from, to };
    for (int i = 0; i < 2; i++) {
        double *x = t->leg + 4 * n * (size_t)i;
        memcpy(x, ends[i]->q, n * sizeof *x);
        memcpy(x + n, ends[i]->u, n * sizeof *x);
        memcpy(x + 2 * n, ends[i]->v, n * sizeof *x);
        memcpy(x + 3 * n, ends[i]->a, n * sizeof *x);
    }
    return (slip_step_interval){ from->t,        to->t - from->t, t->leg,
                                 t->leg + 2 * n, t->leg + 4 * n,  t->leg + 6 * n };
}

// gap of an element at s in [0, 1] of the step, and its rate
static double gap_at(slip_sensitivity *t, const slip_step_interval *leg, double s, int e, double *rate)
{
    double *reg = t->reg[SLIP_SENS_GAP];
    slip_step_interval_state(t->system->equations, leg, s, t->within);
    memcpy(reg, t->input, (size_t)t->in.count * sizeof *reg);
    reg[0] = leg->t + s * leg->h;
    memcpy(reg + 1, t->within, 2 * (size_t)t->n * sizeof *reg);
    slip_tape_run(t->tape[SLIP_SENS_GAP], reg);
    *rate = slip_sensitivity_result(t, SLIP_SENS_GAP, t->elements + e);
    return slip_sensitivity_result(t, SLIP_SENS_GAP, e);
}

// where the rate of a gap passes zero upwards between a and b, by regula falsi with halved ends
static double gap_turning_point(slip_sensitivity *t, const slip_step_interval *leg, double a, double b, int e,
                                double *at)
{
    double fa, fb, gap = INFINITY, s = 0.5 * (a + b);
    gap_at(t, leg, a, e, &fa);
    gap_at(t, leg, b, e, &fb);
    for (int look = 0; look < MAX_ROOT_ITERATIONS && b - a > FALSE_POSITION_DONE; look++) {
        double f;
        s = look % 4 == 3 ? 0.5 * (a + b) : a - fa * (b - a) / (fb - fa);
        gap = gap_at(t, leg, s, e, &f);
        if (f == 0.0) break;
        if (f < 0.0)
            a = s, fa = f, fb *= 0.5;
        else
            b = s, fb = f, fa *= 0.5;
    }
    *at = leg->t + s * leg->h;
    return gap;
}

// What was held until now leaves with a rate that is rounding, of either sign: that is no approach
static bool is_approaching(const slip_sensitivity *t, const slip_sensitivity_slot *from, int row)
{
    double fastest = 0.0;
    for (int k = 0; k < t->n; k++) fastest = fmax(fastest, fabs(from->u[k]));
    return slip_system_row_rate(t->system, &from->terms, row, from->u) < -APPROACH_ROUNDING * fastest;
}

// Beyond grazing there is an impact of speed sqrt(2 a d), where the free motion would be d behind the wall at
// its turn and a is the acceleration of the gap there: rates change by (1 + e) of that, over w M^-1 w'
// (Nordmark 1991). With d = -g_p dp this is a coefficient of sqrt|dp| on the side where the gap closes.
// t->input is of the turn.
static void store_grazing(slip_sensitivity *t, int e, const slip_sensitivity_slot *slot, double a,
                          const double *x)
{
    const slip_system *s = t->system;
    const int row = s->elements[e].normal_row, n = t->n;
    memset(t->da, 0, (size_t)n * sizeof *t->da);
    slip_system_row_add(s, &slot->terms, row, 1.0, t->da);
    slip_system_solve(s, &slot->terms, t->da);
    const double answer = slip_system_row_dot(s, &slot->terms, row, t->da);
    for (int c = 0; c < t->column_count; c++) {
        slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, c, 0.0, x + (size_t)c * 2 * (size_t)n);
        const double change = t->graze.change[c] = slip_sensitivity_result(t, SLIP_SENS_EVENT, e);
        const double speed =
            (1.0 + s->elements[e].contact->restitution) * sqrt(2.0 * fmax(a, 0.0) * fabs(change));
        for (int k = 0; k < n; k++) t->graze.coefficient[c * n + k] = speed * t->da[k] / answer;
    }
    t->graze.element = e;
}

// the state at s of a step into the inputs, columns there into t->event.at, and the acceleration of the gap
static double load_turning_point(slip_sensitivity *t, const slip_step_interval *leg, double s, int e)
{
    const double near = GAP_DIFFERENCE_OF_STEP;
    const size_t wide = 2 * (size_t)t->n;
    double before, after;
    gap_at(t, leg, fmax(s - near, 0.0), e, &before);
    gap_at(t, leg, fmin(s + near, 1.0), e, &after);
    for (int c = 0; c < t->column_count; c++) {
        const size_t at = (size_t)c * wide;
        const slip_step_interval own = { leg->t,       leg->h,           t->x + at, t->work.k[0] + at,
                                         t->next + at, t->next_rate + at };
        slip_step_interval_state(t->system->equations, &own, s, t->event.at + at);
    }
    slip_step_interval_state(t->system->equations, leg, s, t->within);
    t->input[0] = leg->t + s * leg->h;
    memcpy(t->input + 1, t->within, wide * sizeof *t->input);
    return (after - before) / (leg->h * (fmin(s + near, 1.0) - fmax(s - near, 0.0)));
}

// an open gap turns between two places of the step
static void check_turning_point(slip_sensitivity *t, const slip_step_interval *leg, double from, double to,
                                int e)
{
    double at, gap = gap_turning_point(t, leg, from, to, e, &at);
    if (gap < t->least.gap) t->least.gap = gap, t->least.element = e, t->least.at = at;
    if (!(gap <= slip_sensitivity_grazing_gap(t))) return;
    const double share = (at - leg->t) / leg->h, a = load_turning_point(t, leg, share, e);
    store_grazing(t, e, share < 0.5 ? &t->start_slot : t->step[SLIP_SENS_SLOT_COUNT - 1], a, t->event.at);
    slip_sensitivity_end(
        t,
        "'%s' comes within %.3g m without touching: a little more is an impact, and there the "
        "derivatives grow without bound",
        t->system->elements[e].name, fmax(gap, 0.0));
}

// Gaps may turn several times within a long step of a slow motion, as at a wall that shakes: they are looked
// at as often as the run looks for strikes there
static int places_within(const slip_sensitivity *t, double h)
{
    const double wanted = t->m ? h / t->m->scan.resolution : 0.0;
    return wanted < MAX_SAMPLES_PER_STEP ? 1 + (int)wanted : MAX_SAMPLES_PER_STEP;
}

void slip_sensitivity_check_grazing(slip_sensitivity *t)
{
    const slip_sensitivity_slot *from = &t->start_slot, *to = t->step[SLIP_SENS_SLOT_COUNT - 1];
    const slip_system *s = t->system;
    const int places = places_within(t, to->t - from->t);
    for (int e = 0; e < t->elements && !t->lost; e++) {
        const int row = s->elements[e].normal_row;
        if (!s->elements[e].has_gap || t->contact_state[e].closed) continue;
        bool falls = is_approaching(t, from, row);
        const double last = slip_system_row_rate(s, &to->terms, row, to->u);
        if (places == 1 && !(falls && last > 0.0)) continue;
        const slip_step_interval leg = leg_of(t);
        for (int i = 1; i <= places && !t->lost; i++) {
            double rate = last;
            if (i < places) gap_at(t, &leg, (double)i / places, e, &rate);
            if (falls && rate > 0.0) check_turning_point(t, &leg, (i - 1.0) / places, (double)i / places, e);
            falls = rate < 0.0;
        }
    }
}

// Least value within a step of a speed with the values v and rates a at its ends: of the cubic through them
static double least_between(double v0, double v1, double a0, double a1, double h)
{
    double b = a0 * h, e = a1 * h, d = v1 - v0;
    double c2 = 3.0 * d - 2.0 * b - e, c3 = b + e - 2.0 * d;                     // v0 + b s + c2 s^2 + c3 s^3
    double root = sqrt(fmax(c2 * c2 - 3.0 * c3 * b, 0.0)), s = -b / (c2 + root); // where it turns upwards
    return s > 0.0 && s < 1.0 ? v0 + s * (b + s * (c2 + s * c3)) : fmin(v0, v1);
}

void slip_sensitivity_check_slides(slip_sensitivity *t)
{
    const slip_sensitivity_slot *from = &t->start_slot, *to = t->step[SLIP_SENS_SLOT_COUNT - 1];
    const slip_system *s = t->system;
    for (int e = 0; e < t->elements && !t->lost; e++) {
        const slip_element *element = &s->elements[e];
        double sense = t->m->rigid.contact_state[e].slide;
        int row = element->tangent_row;
        if (element->slip_count != 1 || !t->m->rigid.contact_state[e].closed || sense == 0.0) continue;
        double v0 = sense * slip_system_row_rate(s, &from->terms, row, from->u),
               v1 = sense * slip_system_row_rate(s, &to->terms, row, to->u),
               a0 = sense * (slip_system_row_dot(s, &from->terms, row, from->a) + from->terms.z[row]),
               a1 = sense * (slip_system_row_dot(s, &to->terms, row, to->a) + to->terms.z[row]);
        if (!(a0 < 0.0 && a1 > 0.0)) continue;
        const double least = least_between(v0, v1, a0, a1, to->t - from->t);
        t->least.slide = fmin(t->least.slide, least);
        if (least <= small_speed(t))
            slip_sensitivity_end(
                t,
                "'%s' slows down to %.3g m/s and slides on: with a little less it would come to "
                "rest, and the derivatives are others",
                element->name, fmax(least, 0.0));
    }
}

// a contact that would have turned by itself just behind the wall: v^2/2a is how far
void slip_sensitivity_check_impact(slip_sensitivity *t)
{
    const slip_system *s = t->system;
    const slip_sensitivity_slot *before = t->step[SLIP_SENS_SLOT_COUNT - 1];
    for (int e = 0; e < t->elements && t->begun && !t->lost; e++) {
        int row = s->elements[e].normal_row;
        if (!t->event.hit_contact_state[e].closed || t->contact_state[e].closed) continue;
        double v = slip_system_row_rate(s, &t->hit.terms, row, t->hit.u),
               a = slip_system_row_dot(s, &before->terms, row, before->a) + before->terms.z[row];
        if (v < 0.0 && a > 0.0) t->least.strike = fmin(t->least.strike, -v);
        if (v < 0.0 && a > 0.0 && v * v <= 2.0 * a * slip_sensitivity_grazing_gap(t)) {
            memcpy(t->input + 1, before->q, (size_t)t->n * sizeof *t->input);
            t->input[0] = before->t;
            store_grazing(t, e, before, a, t->x);
            slip_sensitivity_end(
                t,
                "'%s' is struck at %.3g m/s, which is hardly more than grazing: the derivatives grow "
                "without bound",
                s->elements[e].name, -v);
        }
    }
}

// ----------------------------------------------------------------------------------------- stick and slip

// friction that is left, of the limit; 1 when nothing sticks there
static double friction_reserve(const slip_sensitivity *t, int e)
{
    const slip_contact_problem *r = &t->m->rigid;
    const slip_element *element = &t->system->elements[e];
    double limit = element->has_gap ? r->friction[e] * r->normal[e] : r->friction[e];
    return limit > 0.0 ? (limit - slip_contact_problem_friction(r, e)) / limit : 1.0;
}

// acceleration of a slip just before the event
static double slip_rate_before(const slip_sensitivity *t, int e)
{
    const slip_system *s = t->system;
    const slip_sensitivity_slot *slot = t->step[SLIP_SENS_SLOT_COUNT - 1];
    int row = s->elements[e].tangent_row;
    return slip_system_row_dot(s, &slot->terms, row, slot->a) + slot->terms.z[row];
}

void slip_sensitivity_check_stick(slip_sensitivity *t)
{
    const slip_event_driven *m = t->m;
    double small = TOLERANCE_MARGIN * m->control.relative;
    for (int e = 0; e < t->elements && !t->lost; e++) {
        const slip_contact_state *now = &m->rigid.contact_state[e];
        const char *name = m->system->elements[e].name;
        if (!m->system->elements[e].slip_count || !now->closed) continue;
        bool came = !t->begun || (m->due[e] && m->before_slide[e]);
        if (came && t->begun && !now->slide) t->least.rest = fmin(t->least.rest, friction_reserve(t, e));
        if (came && !now->slide && friction_reserve(t, e) <= small)
            slip_sensitivity_end(
                t,
                "'%s' comes to rest where friction is at its limit: with a little more it would go on, "
                "and the derivatives are others",
                name);
        bool turned = t->begun && m->due[e] && m->before_slide[e] && now->slide &&
                      m->system->elements[e].slip_count == 1;
        double ratio = turned ? fabs(m->rigid.slip_rate[e] / slip_rate_before(t, e)) : INFINITY;
        t->least.turn = fmin(t->least.turn, ratio);
        if (ratio <= small)
            slip_sensitivity_end(
                t,
                "'%s' turns where friction is hardly below its limit: with a little more it would stay "
                "at rest, and the derivatives are others",
                name);
    }
}

// ------------------------------------------------------------------------------------------- conditions

static bool differ(const double *a, const double *b, size_t count)
{
    double size = 0.0;
    for (size_t k = 0; k < count; k++) size = fmax(size, fmax(fabs(a[k]), fabs(b[k])));
    for (size_t k = 0; k < count; k++)
        if (fabs(a[k] - b[k]) > VALUES_EQUAL * size) return true;
    return false;
}

// whether the equations at the present state are others on a side of condition k
static bool jumps_at(slip_sensitivity *t, int k)
{
    const slip_sensitivity_slot *slot = &t->start_slot;
    slip_terms *terms = &t->m->rigid.terms;
    bool others = false;
    for (int side = -1; side <= 1 && !others; side += 2) {
        slip_system_set_side(t->system, k, side, terms);
        others =
            !slip_system_evaluate(t->system, SLIP_LEVEL_ACCELERATION, slot->t, slot->q, slot->u, terms) ||
            differ(terms->flat, slot->terms.flat, t->flat_count) ||
            differ(terms->factor, slot->terms.factor, (size_t)t->system->factor_size);
    }
    slip_system_set_side(t->system, k, slot->side[k], terms);
    slip_system_evaluate(t->system, SLIP_LEVEL_ACCELERATION, slot->t, slot->q, slot->u, terms);
    return others;
}

// whether the accelerations of a column are others on a side of condition k
static bool bends_at(slip_sensitivity *t, int k, int c, const double *dx)
{
    double *side = &t->input[t->switch_list[k].input];
    bool others = false;
    slip_sensitivity_acceleration(t, c, 0.0, dx);
    memcpy(t->line, t->da, (size_t)t->n * sizeof *t->line);
    for (*side = -1.0; *side <= 1.0 && !others; *side += 2.0) {
        slip_sensitivity_acceleration(t, c, 0.0, dx);
        others = differ(t->line, t->da, (size_t)t->n);
    }
    *side = t->start_slot.side[k];
    return others;
}

// whether a column leads away from the border of condition k
static bool leaves(slip_sensitivity *t, int k, int c, const double *dx)
{
    double size = 0.0;
    for (int i = 0; i < 2 * t->n; i++) size = fmax(size, fabs(dx[i]));
    slip_sensitivity_run_tape(t, SLIP_SENS_EVENT, c, 0.0, dx);
    return fabs(slip_sensitivity_result(t, SLIP_SENS_EVENT, 2 * t->elements + k)) >
           VALUES_EQUAL * fmax(size, 1.0);
}

void slip_tangent_look_at_conditions(slip_sensitivity *t)
{
    for (int k = 0; k < t->switches && !t->lost; k++) {
        const slip_switch *w = &t->switch_list[k];
        if (w->timed || w->level >= 0 || t->start_slot.side[k] != 0.0) continue;
        slip_sensitivity_set_slot(t, &t->start_slot);
        for (int c = 0; c < t->column_count && !t->lost; c++) {
            const double *dx = t->x + (size_t)c * 2 * (size_t)t->n;
            if (leaves(t, k, c, dx) && (jumps_at(t, k) || bends_at(t, k, c, dx)))
                slip_sensitivity_end(t,
                                     "a condition stays at its border: with a little more or less the forces "
                                     "are others");
        }
    }
}
