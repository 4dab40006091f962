/// symbolic/analysis/time_schedule.c: time events and time scales of expressions of time.
#include "symbolic/analysis/time_schedule.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/graph/graph.h"
#include "symbolic/analysis/switching_functions.h"
#include "symbolic/analysis/analysis_tolerances.h"

// A run is sampled MAX_SAMPLES times, less often if that takes more than some milliseconds, but at least
// MIN_SAMPLES times, so that a pulse of 1e-4 of the run does not fall between two samples.
enum {
    MIN_SAMPLES = 1 << 14,
    MAX_SAMPLES = 1 << 16,
    MAX_SAMPLED_OPERATIONS = 1 << 21,
    MIN_SAMPLES_PER_PIECE = 16
};

/// The expressions of t alone, on their own tape: switching functions first, then signals.
typedef struct clock {
    slip_tape *tape;
    double *reg;
    int deciding, signals, samples;
    double until;
    double *low, *high; // of each signal
    double *value;      // of a piece, signal by signal
    size_t switch_capacity, cell_capacity;
} clock;

static double value_at(clock *c, double t, int k)
{
    c->reg[0] = t;
    slip_tape_run(c->tape, c->reg);
    return c->reg[slip_tape_result(c->tape, k)];
}

// ------------------------------------------------------------------------------------------- signals

// Nodes that depend on t alone and are roots, or are used by one that does not: appended to `list`.
static bool find_signals(const slip_graph *g, const slip_ref *roots, int count, slip_ref **list, int *found)
{
    slip_traversal s;
    bool swept = slip_traversal_create(&s, g, roots, count);
    unsigned char *motion = swept ? slip_traversal_dependence(&s, g) : NULL,
                  *wanted = swept ? calloc((size_t)s.count + 1, 1) : NULL;
    slip_ref *grown = swept ? realloc(*list, (size_t)(*found + s.count + 1) * sizeof *grown) : NULL;
    if (grown) *list = grown;
    bool fine = motion && wanted && grown;
    for (int k = 0; fine && k < count; k++)
        if (roots[k] >= 0) wanted[slip_traversal_find(&s, roots[k])] = 1;
    for (int k = s.count - 1; fine && k >= 0; k--) {
        const slip_node *n = slip_graph_at(g, s.refs[k]);
        for (int j = 0; j < slip_op_arity(n->op) && motion[k] == SLIP_DEPENDS_ON_STATE; j++)
            wanted[slip_traversal_find(&s, n->arg[j])] = 1;
        if (wanted[k] && motion[k] == SLIP_DEPENDS_ON_TIME && n->op != SLIP_OP_INPUT)
            (*list)[(*found)++] = s.refs[k];
    }
    free(motion);
    free(wanted);
    slip_traversal_destroy(&s);
    return fine;
}

static bool keep_time(slip_time_schedule *table, clock *c, double t)
{
    if (!slip_array_grow((void **)&table->switches, &c->switch_capacity, (size_t)table->switch_count,
                         sizeof *table->switches))
        return false;
    table->switches[table->switch_count++] = t;
    return true;
}

// t - c and c - t change sign at c: no search is needed. Tables over time have thousands of them.
static bool is_plain(const slip_graph *g, slip_ref value, double *t)
{
    const slip_node *n = slip_graph_at(g, value);
    if (n->op != SLIP_OP_SUB) return false;
    const slip_node *a = slip_graph_at(g, n->arg[0]), *b = slip_graph_at(g, n->arg[1]);
    const slip_node *other = a->op == SLIP_OP_INPUT ? b : a, *time = a->op == SLIP_OP_INPUT ? a : b;
    if (time->op != SLIP_OP_INPUT || time->index != 0) return false;
    *t = other->op == SLIP_OP_CONSTANT || other->op == SLIP_OP_PARAMETER ? slip_graph_leaf_value(g, other)
                                                                         : NAN;
    return !isnan(*t);
}

static bool collect_expressions(slip_time_schedule *table, slip_graph *g, const slip_ref *roots, int count,
                                slip_ref **list, clock *c)
{
    slip_switches switches = { 0 };
    slip_ref *pieces = malloc((size_t)(count + 1) * sizeof *pieces);
    if (pieces && count) memcpy(pieces, roots, (size_t)count * sizeof *pieces);
    bool fine = pieces && slip_switches_create(&switches, g, pieces, count);
    *list = malloc((size_t)(switches.count + 1) * sizeof **list);
    fine = fine && *list;
    for (int k = 0; fine && k < switches.count; k++) {
        double t;
        if (!switches.list[k].timed) continue;
        if (!is_plain(g, switches.list[k].value, &t))
            (*list)[c->deciding++] = switches.list[k].value;
        else if (t > 0.0 && t < table->until)
            fine = keep_time(table, c, t);
    }
    int found = c->deciding;
    fine = fine && find_signals(g, roots, count, list, &found);
    c->signals = found - c->deciding;
    free(pieces);
    slip_switches_destroy(&switches);
    return fine;
}

// ------------------------------------------------------------------------------------ switching times

// The zero of function k between a and b, whose signs differ, to rounding (Illinois method with occasional
// bisection).
static double locate_zero(clock *c, int k, double a, double fa, double b, double fb)
{
    double width = SWITCHING_TIME_ROUNDINGS * DBL_EPSILON * c->until;
    for (int round = 0; round < 100 && b - a > width; round++) {
        double s = round % 4 == 3 ? 0.5 * (a + b) : a + (b - a) * (fa / (fa - fb));
        s = fmin(fmax(s, a + 0.5 * width), b - 0.5 * width);
        double f = value_at(c, s, k);
        if ((f > 0.0) == (fb > 0.0) && f != 0.0) {
            b = s, fb = f;
            fa *= 0.5;
        } else {
            a = s, fa = f;
            fb *= 0.5;
            if (f == 0.0) return s;
        }
    }
    return b;
}

// Function k has a local minimum f near t: adds both zeros if it passes through zero.
static bool find_double_zero(slip_time_schedule *table, clock *c, int k, double a, double b, double sign)
{
    const double golden = 0.38196601125010515;
    double fa = sign * value_at(c, a, k), fb = sign * value_at(c, b, k), low = a, high = b;
    double s = low + golden * (high - low), t = high - golden * (high - low);
    double fs = sign * value_at(c, s, k), ft = sign * value_at(c, t, k);
    for (int round = 0; round < 60 && fs > 0.0 && ft > 0.0; round++) {
        if (fs < ft) {
            high = t, t = s, ft = fs;
            s = low + golden * (high - low), fs = sign * value_at(c, s, k);
        } else {
            low = s, s = t, fs = ft;
            t = high - golden * (high - low), ft = sign * value_at(c, t, k);
        }
    }
    double through = fs <= 0.0 ? s : t, f = fs <= 0.0 ? fs : ft;
    if (!(f < 0.0)) return true;
    return keep_time(table, c, locate_zero(c, k, a, sign * fa, through, sign * f)) &&
           keep_time(table, c, locate_zero(c, k, through, sign * f, b, sign * fb));
}

// The last two nonzero samples of a switching function.
typedef struct trace {
    double t[2], f[2];
} trace;

static bool track_sign_change(slip_time_schedule *table, clock *c, int k, trace *w, double t, double f)
{
    bool fine = true;
    if (f == 0.0 || f != f) return true;
    if (w->f[1] != 0.0 && (f > 0.0) != (w->f[1] > 0.0))
        fine = keep_time(table, c, locate_zero(c, k, w->t[1], w->f[1], t, f));
    else if (w->f[0] * w->f[1] > 0.0 && fabs(w->f[1]) <= fabs(f) && fabs(w->f[1]) <= fabs(w->f[0]) &&
             fabs(w->f[1]) < 2.0 * fmax(fabs(f - w->f[1]), fabs(w->f[0] - w->f[1])))
        fine = find_double_zero(table, c, k, w->t[0], t, f > 0.0 ? 1.0 : -1.0);
    *w = (trace){ { w->t[1], t }, { w->f[1], f } };
    return fine;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_times(slip_time_schedule *table, double until)
{
    int kept = 0;
    double near = SAME_TIME_ROUNDINGS * DBL_EPSILON * until;
    if (table->switch_count)
        qsort(table->switches, (size_t)table->switch_count, sizeof *table->switches, by_time);
    for (int k = 0; k < table->switch_count; k++) {
        double t = table->switches[k], last = kept ? table->switches[kept - 1] : 0.0;
        if (t - last > near && until - t > near) table->switches[kept++] = t;
    }
    table->switch_count = kept;
}

// Samples the run: zeros of the switching functions, ranges of the signals.
static bool sample_run(slip_time_schedule *table, clock *c)
{
    trace *traces = calloc((size_t)c->deciding + 1, sizeof *traces);
    bool fine = traces != NULL;
    for (int s = 0; s < c->signals; s++) c->low[s] = INFINITY, c->high[s] = -INFINITY;
    for (int i = 0; i <= c->samples && fine; i++) {
        double t = c->until * ((double)i / c->samples);
        for (int k = 0; k < c->deciding && fine; k++)
            fine = track_sign_change(table, c, k, &traces[k], t, value_at(c, t, k));
        if (c->deciding == 0) value_at(c, t, 0);
        for (int s = 0; s < c->signals; s++) {
            double f = c->reg[slip_tape_result(c->tape, c->deciding + s)];
            c->low[s] = fmin(c->low[s], f), c->high[s] = fmax(c->high[s], f);
        }
    }
    free(traces);
    sort_times(table, c->until);
    return fine;
}

// -------------------------------------------------------------------------------------------- pieces

static bool keep_cell(slip_time_schedule *table, clock *c, double start, double length)
{
    size_t capacity = c->cell_capacity;
    if (!slip_array_grow((void **)&table->start, &capacity, (size_t)table->cell_count, sizeof *table->start))
        return false;
    if (!slip_array_grow((void **)&table->length, &c->cell_capacity, (size_t)table->cell_count,
                         sizeof *table->length))
        return false;
    table->start[table->cell_count] = start;
    table->length[table->cell_count++] = length;
    return true;
}

// Whether all samples are near the cubic through f(0), f(m/4), f(3m/4) and f(m), in Lagrange's form.
static bool is_cubic(const double *f, int m, double tolerance)
{
    double a = f[0], b = f[m / 4], c = f[m - m / 4], d = f[m];
    for (int i = 1; i < m; i++) {
        double s = (double)i / m, p = s - 0.25, q = s - 0.75, r = s - 1.0;
        double cubic = a * p * q * r / -(3 / 16.0) + b * s * q * r / (3 / 32.0) +
                       c * s * p * r / -(3 / 32.0) + d * s * p * q / (3 / 16.0);
        if (!(fabs(f[i] - cubic) <= tolerance)) return false;
    }
    return true;
}

static bool is_smooth(const clock *c, int samples, int from, int m)
{
    for (int s = 0; s < c->signals; s++) {
        double range = c->high[s] - c->low[s];
        if (!(range > SIGNAL_CONSTANT_RELATIVE * fmax(fabs(c->low[s]), fabs(c->high[s])))) continue;
        if (!is_cubic(c->value + (size_t)s * (size_t)(samples + 1) + from, m, CUBIC_FIT_TOLERANCE * range))
            return false;
    }
    return true;
}

// Bisects until every signal is close to a cubic.
static bool split_until_cubic(slip_time_schedule *table, clock *c, int samples, int from, int m, double start,
                              double spacing)
{
    if (m <= 4 || is_smooth(c, samples, from, m))
        return keep_cell(table, c, start + from * spacing, m * spacing);
    return split_until_cubic(table, c, samples, from, m / 2, start, spacing) &&
           split_until_cubic(table, c, samples, from + m / 2, m / 2, start, spacing);
}

// Samples of a piece between two switching times, slightly inside it.
static bool sample_piece(slip_time_schedule *table, clock *c, double from, double to)
{
    int samples = MIN_SAMPLES_PER_PIECE;
    while (samples < c->samples * ((to - from) / c->until) * (1.0 - SAMPLE_COUNT_SLACK)) samples *= 2;
    double spacing = (to - from) / samples;
    for (int i = 0; i <= samples; i++) {
        double inside = fmin(fmax((double)i / samples, SAMPLE_INSIDE), 1.0 - SAMPLE_INSIDE);
        value_at(c, from + inside * (to - from), 0);
        for (int s = 0; s < c->signals; s++)
            c->value[(size_t)s * (size_t)(samples + 1) + (size_t)i] =
                c->reg[slip_tape_result(c->tape, c->deciding + s)];
    }
    return split_until_cubic(table, c, samples, 0, samples, from, spacing);
}

static bool find_cells(slip_time_schedule *table, clock *c)
{
    bool fine = true;
    double from = 0.0;
    for (int k = 0; k <= table->switch_count && fine && c->signals; k++) {
        double to = k < table->switch_count ? table->switches[k] : c->until;
        fine = sample_piece(table, c, from, to);
        from = to;
    }
    return fine;
}

// ---------------------------------------------------------------------------------------------- life

static bool prepare_clock(clock *c, const slip_graph *g, const slip_ref *list, double until)
{
    c->until = until;
    c->tape = slip_tape_create(g, list, c->deciding + c->signals);
    if (!c->tape) return false;
    c->samples = MAX_SAMPLES;
    while (c->samples > MIN_SAMPLES &&
           (double)c->samples * (slip_tape_length(c->tape) + c->signals) > MAX_SAMPLED_OPERATIONS)
        c->samples /= 2;
    size_t most = 2 * (size_t)c->samples + MIN_SAMPLES_PER_PIECE + 1;
    c->reg = calloc((size_t)slip_tape_registers(c->tape) + 1, sizeof *c->reg);
    c->low = malloc(((size_t)c->signals + 1) * sizeof *c->low);
    c->high = malloc(((size_t)c->signals + 1) * sizeof *c->high);
    c->value = malloc(((size_t)c->signals * most + 1) * sizeof *c->value);
    if (!c->reg || !c->low || !c->high || !c->value) return false;
    slip_tape_start(c->tape, c->reg);
    return true;
}

static bool fill_schedule(slip_time_schedule *table, clock *c, const slip_graph *g, const slip_ref *list)
{
    if (c->deciding + c->signals == 0) return sort_times(table, table->until), true;
    return prepare_clock(c, g, list, table->until) && sample_run(table, c) && find_cells(table, c);
}

bool slip_time_schedule_create(slip_time_schedule *table, slip_graph *g, const slip_ref *roots, int count,
                               double until)
{
    *table = (slip_time_schedule){ .until = until };
    clock c = { 0 };
    slip_ref *list = NULL;
    bool fine = collect_expressions(table, g, roots, count, &list, &c) && fill_schedule(table, &c, g, list);
    slip_tape_destroy(c.tape);
    free(c.reg);
    free(c.low);
    free(c.high);
    free(c.value);
    free(list);
    return fine;
}

void slip_time_schedule_destroy(slip_time_schedule *table)
{
    free(table->switches);
    free(table->start);
    free(table->length);
    *table = (slip_time_schedule){ 0 };
}

// The number of entries of an increasing list that are not above t.
static int count_up_to(const double *list, int count, double t)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double slip_time_schedule_next(const slip_time_schedule *table, double t)
{
    int k = count_up_to(table->switches, table->switch_count, t);
    return k < table->switch_count ? table->switches[k] : INFINITY;
}

double slip_time_schedule_end(const slip_time_schedule *table, double t)
{
    double end = slip_time_schedule_next(table, t);
    int k = count_up_to(table->start, table->cell_count, t);
    if (table->cell_count == 0 || t >= table->until) return end;
    end = fmin(end, t + table->length[k ? k - 1 : 0]);
    for (; k < table->cell_count && table->start[k] < end; k++)
        end = fmin(end, table->start[k] + table->length[k]);
    return end;
}
