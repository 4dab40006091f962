/// dynamics/step_scan.c: values of functions within a step.
#include "dynamics/step_scan.h"
#include "dynamics/dynamics_tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES_PER_RUN = 2048,
    MAX_SAMPLES_PER_STEP = 4096,
    MAX_SIGNAL_SAMPLES = 64,
    MAX_BISECTIONS = 60,
    QUINTIC_COEFFICIENTS = 6
};

// --------------------------------------------------------------------------------------------- making

static slip_tape *compile_scan_tape(slip_equations *e, slip_ref *roots, int count, double **reg)
{
    slip_tape *tape = slip_tape_create(e->graph, roots, count);
    *reg = tape ? calloc((size_t)slip_tape_registers(tape) + 1, sizeof **reg) : NULL;
    if (*reg) slip_tape_start(tape, *reg);
    return tape;
}

// of a locked switch what it is while those inside it stay on their sides, as its method watches it
static slip_ref function_of(const slip_switch *w)
{
    if (w->input < 0) return w->value;
    return w->level >= 0 ? w->within : w->locked;
}

static bool make_functions(slip_step_scan *s, slip_equations *e, const slip_switches *w, slip_ref *roots)
{
    slip_ref one = slip_graph_constant(e->graph, 1.0);
    for (int k = 0; k < e->element_count; k++)
        roots[s->function_count++] = e->elements[k].has_gap ? e->elements[k].gap : one;
    for (int k = 0; w && k < w->count; k++) roots[s->function_count++] = function_of(&w->list[k]);
    s->functions = compile_scan_tape(e, roots, s->function_count, &s->function_reg);
    return s->function_reg != NULL;
}

static bool make_signals(slip_step_scan *s, slip_equations *e, slip_ref *roots)
{
    for (int k = 0; k < e->n; k++)
        if (slip_graph_depends_on_state(e->graph, e->h[k])) roots[s->signal_count++] = e->h[k];
    for (int k = 0; k < e->element_count; k++) {
        const slip_ref frictions[] = { e->elements[k].friction, e->elements[k].static_friction };
        for (int i = 0; i < 2; i++)
            if (slip_graph_depends_on_state(e->graph, frictions[i])) roots[s->signal_count++] = frictions[i];
    }
    if (s->signal_count == 0) return true;
    s->signals = compile_scan_tape(e, roots, s->signal_count, &s->signal_reg);
    return s->signal_reg != NULL;
}

static bool is_number(const slip_graph *graph, slip_ref ref, double *value)
{
    const slip_node node = slip_graph_node(graph, ref);
    *value = node.value;
    return node.op == SLIP_OP_CONSTANT;
}

// a gap whose row is constant, and which the time does not move
static void find_gap_slopes(slip_step_scan *s)
{
    const slip_equations *e = s->equations;
    for (int k = 0; k < s->function_count; k++) {
        double *slope = s->slopes + (size_t)k * (size_t)e->n;
        const slip_row *row = k < e->element_count ? &e->elements[k].normal : NULL;
        bool linear = row && e->elements[k].has_gap && row->drift == SLIP_NONE && !e->turns;
        for (int c = 0; linear && c < row->count; c++)
            linear = is_number(e->graph, row->value[c], &slope[row->column[c]]);
        if (!linear && e->n > 0) slope[0] = NAN;
    }
}

bool slip_step_scan_create(slip_step_scan *s, slip_equations *e, const slip_switches *w, double until)
{
    *s = (slip_step_scan){ .equations = e, .resolution = until / SAMPLES_PER_RUN };
    size_t most = (size_t)(e->element_count + e->n + (w ? w->count : 0)) + 1;
    slip_ref *roots = malloc(2 * most * sizeof *roots);
    bool fine = roots && make_functions(s, e, w, roots) && make_signals(s, e, roots);
    free(roots);
    double **const each[] = { &s->value, &s->before, &s->last };
    for (size_t k = 0; k < sizeof each / sizeof *each && fine; k++)
        fine = (*each[k] = calloc((size_t)s->function_count + 1, sizeof **each[k])) != NULL;
    double **const of[] = { &s->low, &s->high, &s->scale };
    for (size_t k = 0; k < sizeof of / sizeof *of && fine; k++)
        fine = (*of[k] = calloc((size_t)s->signal_count + 1, sizeof **of[k])) != NULL;
    s->quintic = fine ? calloc(QUINTIC_COEFFICIENTS * (size_t)e->n + 1, sizeof *s->quintic) : NULL;
    s->slopes = s->quintic ? calloc((size_t)s->function_count * (size_t)e->n + 1, sizeof *s->slopes) : NULL;
    if (s->slopes) find_gap_slopes(s);
    return s->slopes != NULL;
}

void slip_step_scan_reset(slip_step_scan *s)
{
    s->step = 0;
    s->dust = 0.0;
    memset(s->scale, 0, (size_t)s->signal_count * sizeof *s->scale);
}

void slip_step_scan_archive(slip_step_scan *s, slip_archive *a)
{
    int step = (int)(s->step & 0x7fffffffu);
    slip_archive_open(a, "scan");
    slip_archive_int(a, "step", &step);
    slip_archive_double(a, "dust", &s->dust);
    slip_archive_doubles(a, "scale", s->scale, s->scale ? (size_t)s->signal_count : 0);
    slip_archive_close(a);
    if (slip_archive_reads(a)) s->step = (unsigned)step;
}

void slip_step_scan_destroy(slip_step_scan *s)
{
    slip_tape_destroy(s->functions);
    slip_tape_destroy(s->signals);
    double *const all[] = { s->function_reg, s->signal_reg, s->quintic, s->slopes, s->value,
                            s->before,       s->last,       s->low,     s->high,   s->scale };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
    *s = (slip_step_scan){ 0 };
}

// --------------------------------------------------------------------------------------- inside a leg

// the cubic with these values and slopes (times h) at 0 and 1
static double hermite_cubic(double a, double a_slope, double b, double b_slope, double s)
{
    double rise = b - a, c = 3.0 * rise - 2.0 * a_slope - b_slope, d = a_slope + b_slope - 2.0 * rise;
    return a + s * (a_slope + s * (c + s * d));
}

// the quintic with these values, slopes (times h) and curvatures (times h^2)
static void hermite_quintic(double a, double a1, double a2, double b, double b1, double b2, double *c)
{
    double r0 = b - a - a1 - 0.5 * a2, r1 = b1 - a1 - a2, r2 = b2 - a2;
    c[0] = a, c[1] = a1, c[2] = a2;
    c[3] = 10.0 * r0 - 4.0 * r1 + 0.5 * r2;
    c[4] = -15.0 * r0 + 7.0 * r1 - r2;
    c[5] = 6.0 * r0 - 3.0 * r1 + 0.5 * r2;
}

static double quintic_at(const double *c, double s)
{
    return c[0] + s * (c[1] + s * (0.5 * c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
}

static double quintic_slope(const double *c, double s)
{
    return c[1] + s * (c[2] + s * (3.0 * c[3] + s * (4.0 * c[4] + s * 5.0 * c[5])));
}

// of coordinate k along the leg, whose rate is its velocity
static void find_quintic(const slip_step_interval *leg, int n, int k, double *c)
{
    const double *a = leg->x, *p = leg->rate, *b = leg->x_end, *r = leg->rate_end;
    double h = leg->h;
    hermite_quintic(a[k], h * p[k], h * h * p[n + k], b[k], h * r[k], h * h * r[n + k], c);
}

static void cubics_at(const slip_step_interval *leg, int n, int k, double s, double *x)
{
    const double *a = leg->x, *p = leg->rate, *b = leg->x_end, *r = leg->rate_end;
    double h = leg->h;
    for (int i = k; i <= n + k; i += n) x[i] = hermite_cubic(a[i], h * p[i], b[i], h * r[i], s);
}

void slip_step_interval_state(const slip_equations *e, const slip_step_interval *leg, double s, double *x)
{
    double c[QUINTIC_COEFFICIENTS];
    for (int k = 0; k < e->n; k++) {
        if (e->velocity[k] != e->u[k]) {
            cubics_at(leg, e->n, k, s, x);
            continue;
        }
        find_quintic(leg, e->n, k, c);
        x[k] = quintic_at(c, s);
        x[e->n + k] = quintic_slope(c, s) / leg->h;
    }
}

// the leg that `run` looks into from now on
static void set_leg(slip_step_scan *s, const slip_step_interval *leg)
{
    const slip_equations *e = s->equations;
    s->leg = *leg;
    for (int k = 0; k < e->n; k++)
        if (e->velocity[k] == e->u[k]) find_quintic(leg, e->n, k, s->quintic + QUINTIC_COEFFICIENTS * k);
}

// slip_step_interval_state where the tape wants it
static void run_scan_tape(const slip_step_scan *s, double at, const slip_tape *tape, double *reg)
{
    const slip_equations *e = s->equations;
    double *x = reg + 1;
    reg[0] = s->leg.t + at * s->leg.h;
    for (int k = 0; k < e->n; k++) {
        if (e->velocity[k] != e->u[k]) {
            cubics_at(&s->leg, e->n, k, at, x);
            continue;
        }
        x[k] = quintic_at(s->quintic + QUINTIC_COEFFICIENTS * k, at);
        x[e->n + k] = quintic_slope(s->quintic + QUINTIC_COEFFICIENTS * k, at) / s->leg.h;
    }
    slip_tape_run(tape, reg);
}

// ------------------------------------------------------------------------------------------ functions

void slip_scan_set_side(slip_step_scan *s, const slip_switch *w, double side)
{
    s->function_reg[w->input] = side;
}

static double function_at(const slip_step_scan *s, double at, int k)
{
    run_scan_tape(s, at, s->functions, s->function_reg);
    return s->function_reg[slip_tape_result(s->functions, k)];
}

// Function k falls from a to somewhere and rises to b; f is its least value known, at c. Golden section,
// until it is below zero by more than rounding (that place) or cannot get there at twice the slopes seen
// (NaN)
static double find_minimum(const slip_step_scan *s, int k, double sign, double a, double fa, double c,
                           double fc, double b, double fb)
{
    const double golden = 0.38196601125010515;
    for (int round = 0; round < MAX_BISECTIONS; round++) {
        if (!(fc - 2.0 * fmax(fa - fc, fb - fc) < 0.0)) return NAN;
        bool left = c - a > b - c;
        double d = left ? c - golden * (c - a) : c + golden * (b - c), fd = sign * function_at(s, d, k);
        if (!(fd > -s->dust)) return d;
        if (fd < fc) {
            *(left ? &b : &a) = c, *(left ? &fb : &fa) = fc;
            c = d, fc = fd;
        } else {
            *(left ? &a : &b) = d, *(left ? &fa : &fb) = fd;
        }
    }
    return NAN;
}

// three places in a row: whether a function that is watched is below zero at the last one, or was in between
static double crossing_between(const slip_step_scan *s, const double *sign, const double *at)
{
    for (int k = 0; k < s->function_count; k++) {
        double f = sign[k] * s->value[k], f1 = sign[k] * s->before[k], f2 = sign[k] * s->last[k];
        if (sign[k] == 0.0) continue;
        if (at[2] < 1.0 && !(f > -s->dust)) return at[2];
        if (!(f1 > 0.0 && f2 > 0.0) || f1 > f || f1 > f2 || (f1 == f && f1 == f2)) continue;
        double low = find_minimum(s, k, sign[k], at[0], f2, at[1], f1, at[2], f);
        if (!isnan(low)) return low;
    }
    return NAN;
}

static void take_values(slip_step_scan *s, double at)
{
    run_scan_tape(s, at, s->functions, s->function_reg);
    double *spare = s->last;
    s->last = s->before, s->before = s->value, s->value = spare;
    for (int k = 0; k < s->function_count; k++)
        s->value[k] = s->function_reg[slip_tape_result(s->functions, k)];
}

// a fraction in (0, 1) that never repeats: the golden rotation
static double golden_offset(slip_step_scan *s)
{
    double turn = 0.6180339887498949 * (double)(s->step++ & 0xffff) + 0.5;
    return turn - floor(turn);
}

// A gap that is linear in the coordinates is a quintic along the leg, and nowhere below the least of its
// coefficients in Bernstein's basis. True when none that is watched can be found below zero
static bool quintic_stays_positive(const slip_step_scan *s, const double *sign)
{
    static const double share[QUINTIC_COEFFICIENTS][QUINTIC_COEFFICIENTS] = {
        // binomials of row and column over those of 5 and column
        { 1.0 },
        { 1.0, 1 / 5.0 },
        { 1.0, 2 / 5.0, 1 / 10.0 },
        { 1.0, 3 / 5.0, 3 / 10.0, 1 / 10.0 },
        { 1.0, 4 / 5.0, 6 / 10.0, 4 / 10.0, 1 / 5.0 },
        { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 },
    };
    const int n = s->equations->n;
    for (int k = 0; k < s->function_count; k++)
        if (sign[k] != 0.0 && (n == 0 || isnan(s->slopes[(size_t)k * (size_t)n]))) return false;
    run_scan_tape(s, 0.0, s->functions, s->function_reg);
    for (int k = 0; k < s->function_count; k++) {
        double c[QUINTIC_COEFFICIENTS] = { s->function_reg[slip_tape_result(s->functions, k)] };
        if (sign[k] == 0.0) continue;
        for (int i = 0; i < n; i++) {
            const double slope = s->slopes[(size_t)k * (size_t)n + (size_t)i],
                         *q = s->quintic + QUINTIC_COEFFICIENTS * i;
            for (int j = 1; j < QUINTIC_COEFFICIENTS; j++) c[j] += slope * (j == 2 ? 0.5 * q[j] : q[j]);
        }
        for (int i = 0; i < QUINTIC_COEFFICIENTS; i++) {
            double sum = 0.0;
            for (int j = 0; j <= i; j++) sum += share[i][j] * c[j];
            if (!(sign[k] * sum > -0.5 * s->dust)) return false;
        }
    }
    return true;
}

double slip_step_scan_crossing(slip_step_scan *s, const slip_step_interval *leg, const double *sign)
{
    double wanted = leg->h / s->resolution, at[3] = { 0 }, reach = 1.0;
    for (int k = 0; k < s->equations->n; k++) reach = fmax(reach, fabs(leg->x[k]));
    s->dust = SCAN_ROUNDING_RELATIVE * reach;
    int count = wanted < MAX_SAMPLES_PER_STEP ? (int)wanted : MAX_SAMPLES_PER_STEP;
    bool any = false;
    for (int k = 0; k < s->function_count; k++) any = any || sign[k] != 0.0;
    if (!any || count < 1) return 1.0;
    set_leg(s, leg);
    double shift = 0.1 + 0.8 * golden_offset(s), edge = SCAN_EDGE / count;
    if (quintic_stays_positive(s, sign)) return 1.0;
    for (int i = -2; i <= count + 1; i++) { // the ends, a place right beside each, and those in between
        double place = i == -2      ? 0.0
                       : i == -1    ? edge
                       : i < count  ? (i + shift) / count
                       : i == count ? 1.0 - edge
                                    : 1.0;
        take_values(s, place);
        at[0] = at[1], at[1] = at[2], at[2] = place;
        double found = i < 0 ? NAN : crossing_between(s, sign, at);
        if (!isnan(found)) return found;
    }
    return 1.0;
}

void slip_step_scan_signs(slip_step_scan *s, const slip_step_interval *leg, double at, double *sign)
{
    set_leg(s, leg);
    run_scan_tape(s, at, s->functions, s->function_reg);
    for (int k = 0; k < s->function_count; k++)
        sign[k] = s->function_reg[slip_tape_result(s->functions, k)] < 0.0 ? -1.0 : 1.0;
}

static bool any_below(const slip_step_scan *s, const double *sign, double at)
{
    run_scan_tape(s, at, s->functions, s->function_reg);
    for (int k = 0; k < s->function_count; k++)
        if (sign[k] * s->function_reg[slip_tape_result(s->functions, k)] < -s->dust) return true;
    return false;
}

double slip_step_scan_first_crossing(slip_step_scan *s, const slip_step_interval *leg, const double *sign)
{
    double low = 0.0, high = slip_step_scan_crossing(s, leg, sign);
    for (int k = 0; k < MAX_BISECTIONS && high < 1.0 && high - low > SCAN_BISECTION_DONE; k++) {
        double half = 0.5 * (low + high);
        *(any_below(s, sign, half) ? &high : &low) = half;
    }
    return high;
}

// -------------------------------------------------------------------------------------------- signals

static double signal_value(const slip_step_scan *s, int k)
{
    return s->signal_reg[slip_tape_result(s->signals, k)];
}

// what the stages of a step see: its ends and some places in between
static void sample_stage_signals(slip_step_scan *s)
{
    static const double nodes[] = { 0.0, 0.2, 0.3, 0.6, 0.875, 1.0 };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        run_scan_tape(s, nodes[i], s->signals, s->signal_reg);
        for (int k = 0; k < s->signal_count; k++) {
            double f = signal_value(s, k);
            s->low[k] = i ? fmin(s->low[k], f) : f;
            s->high[k] = i ? fmax(s->high[k], f) : f;
            s->scale[k] = fmax(s->scale[k], fabs(f));
        }
    }
}

bool slip_step_scan_signal_missed(slip_step_scan *s, const slip_step_interval *leg)
{
    double wanted = 0.25 * leg->h / s->resolution;
    int count = wanted < MAX_SIGNAL_SAMPLES ? (int)wanted : MAX_SIGNAL_SAMPLES;
    if (s->signal_count == 0 || count < 1) return false;
    set_leg(s, leg);
    sample_stage_signals(s);
    double shift = golden_offset(s);
    for (int i = 0; i < count; i++) {
        run_scan_tape(s, (i + shift) / count, s->signals, s->signal_reg);
        for (int k = 0; k < s->signal_count; k++) {
            double f = signal_value(s, k), room = SIGNAL_MARGIN_OF_RANGE * (s->high[k] - s->low[k]) +
                                                  SIGNAL_MARGIN_OF_SIZE * s->scale[k];
            if (f < s->low[k] - room || f > s->high[k] + room) return true;
        }
    }
    return false;
}
