/// study/bifurcation/lyapunov_exponents.c: Lyapunov exponents and a verdict from the growth of a frame.
#include "study/bifurcation/lyapunov_exponents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "study/bifurcation/bifurcation_tolerances.h"

enum { MAX_REPORTED_POINTS = 64 };

const char *slip_lyapunov_verdict_name(slip_lyapunov_verdict verdict)
{
#define AS_WORD(name, word, text) word,
    static const char *const words[] = { SLIP_LYAPUNOV_VERDICTS(AS_WORD) };
    return verdict >= 0 && verdict < SLIP_LYAPUNOV_COUNT ? words[verdict] : "undecided";
}

static const char *verdict_sentence(slip_lyapunov_verdict verdict)
{
#define AS_TEXT(name, word, text) text,
    static const char *const texts[] = { SLIP_LYAPUNOV_VERDICTS(AS_TEXT) };
    return texts[verdict];
}

bool slip_lyapunov_series_create(slip_lyapunov_series *e, int states, const bool *counts, int room)
{
    *e = (slip_lyapunov_series){ .states = states, .counts = counts, .room = room };
    for (int k = 0; k < states; k++) e->count += counts[k];
    size_t n = (size_t)states;
    e->growth = calloc((size_t)room * (size_t)e->count + 1, sizeof *e->growth);
    e->time = calloc((size_t)room + 1, sizeof *e->time);
    e->forgotten = calloc(n + 1, sizeof *e->forgotten);
    e->point = calloc(n * SLIP_LYAPUNOV_MAX_POINTS + 1, sizeof *e->point);
    e->low = calloc(2 * n + 1, sizeof *e->low);
    if (!e->growth || !e->time || !e->forgotten || !e->point || !e->low) {
        slip_lyapunov_series_destroy(e);
        return false;
    }
    e->high = e->low + n;
    for (int k = 0; k < states; k++) e->low[k] = INFINITY, e->high[k] = -INFINITY, e->forgotten[k] = NAN;
    return true;
}

void slip_lyapunov_series_destroy(slip_lyapunov_series *e)
{
    free(e->growth);
    free(e->time);
    free(e->forgotten);
    free(e->point);
    free(e->low);
    *e = (slip_lyapunov_series){ 0 };
}

void slip_lyapunov_series_add(slip_lyapunov_series *e, double time, const double *length)
{
    if (e->blocks == e->room) return;
    double *to = e->growth + (size_t)e->blocks * (size_t)e->count;
    e->clock += time;
    for (int k = 0, i = 0; k < e->states; k++) {
        if (!e->counts[k]) continue;
        if (length[k] == 0.0 && isnan(e->forgotten[i])) e->forgotten[i] = e->clock;
        to[i++] = length[k] > 0.0 ? slip_ln(length[k]) : 0.0;
    }
    e->time[e->blocks++] = time;
}

void slip_lyapunov_series_add_point(slip_lyapunov_series *e, const double *state)
{
    double *to = e->point + (size_t)(e->points++ % SLIP_LYAPUNOV_MAX_POINTS) * (size_t)e->states;
    memcpy(to, state, (size_t)e->states * sizeof *to);
    for (int k = 0; k < e->states; k++) {
        e->low[k] = fmin(e->low[k], state[k]);
        e->high[k] = fmax(e->high[k], state[k]);
    }
}

// ------------------------------------------------------------------------------------------------- numbers

// Mean growth rate of exponent i, and its standard error from the scatter of batch means.
static double mean_of(const slip_lyapunov_series *e, int i, double *error)
{
    double batch[SLIP_LYAPUNOV_BATCHES] = { 0 }, sum = 0.0, square = 0.0;
    const int B = SLIP_LYAPUNOV_BATCHES;
    for (int b = 0; b < B; b++) {
        double time = 0.0;
        int from = (int)((long)e->blocks * b / B), to = (int)((long)e->blocks * (b + 1) / B);
        for (int k = from; k < to; k++) {
            batch[b] += e->growth[(size_t)k * (size_t)e->count + (size_t)i];
            time += e->time[k];
        }
        sum += batch[b];
        batch[b] /= time;
    }
    double mean = sum / e->clock;
    for (int b = 0; b < B; b++) square += (batch[b] - mean) * (batch[b] - mean);
    *error = sqrt(square / (B * (B - 1.0)));
    return mean;
}

static void sort_exponents(int n, double *value, double *error)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && value[k] > value[k - 1]; k--) {
            double v = value[k], s = error[k];
            value[k] = value[k - 1], error[k] = error[k - 1];
            value[k - 1] = v, error[k - 1] = s;
        }
}

static bool fill_exponents(const slip_lyapunov_series *e, slip_lyapunov *a)
{
    a->count = e->count;
    a->exponent = calloc((size_t)e->count + 1, sizeof *a->exponent);
    a->error = calloc((size_t)e->count + 1, sizeof *a->error);
    if (!a->exponent || !a->error) return false;
    a->sum = 0.0;
    for (int i = 0; i < e->count; i++) {
        if (isnan(e->forgotten[i])) {
            a->exponent[i] = mean_of(e, i, &a->error[i]);
        } else {
            a->exponent[i] = -INFINITY;
            a->forgotten++;
            a->forgotten_at = fmax(a->from + e->forgotten[i], isnan(a->forgotten_at) ? 0.0 : a->forgotten_at);
        }
        a->sum += a->exponent[i];
    }
    sort_exponents(a->count, a->exponent, a->error);
    return true;
}

// ------------------------------------------------------------------------------------------------- points

static const double *stored_point(const slip_lyapunov_series *e, long back)
{
    return e->point + (size_t)((e->points - 1 - back) % SLIP_LYAPUNOV_MAX_POINTS) * (size_t)e->states;
}

static bool is_repeated_state(const slip_lyapunov_series *e, long a, long b, double scale, const bool *shifts)
{
    const double *x = stored_point(e, a), *y = stored_point(e, b);
    for (int k = 0; k < e->states; k++)
        if (e->counts[k] && !shifts[k] && fabs(x[k] - y[k]) > STATES_EQUAL * scale) return false;
    return true;
}

// The smallest number of blocks after which the states at their ends repeat; 0: they do not. Every state of
// one repetition is compared with the one before.
static int find_repeat(const slip_lyapunov_series *e, const bool *shifts)
{
    double scale = 0.0;
    long most = (e->points < SLIP_LYAPUNOV_MAX_POINTS ? e->points : SLIP_LYAPUNOV_MAX_POINTS) / 2;
    for (int k = 0; k < e->states; k++)
        if (e->counts[k] && !shifts[k])
            scale = fmax(scale, fmax(fabs(e->low[k]), fmax(fabs(e->high[k]), e->high[k] - e->low[k])));
    for (long p = 1; p < most; p++) {
        bool same = true;
        for (long k = 0; k < p && same; k++) same = is_repeated_state(e, k, k + p, scale, shifts);
        if (same) return (int)p;
    }
    return 0;
}

static bool keep_points(const slip_lyapunov_series *e, slip_lyapunov *a)
{
    long most = e->points < MAX_REPORTED_POINTS ? e->points : MAX_REPORTED_POINTS;
    a->point_count = a->repeat ? a->repeat : (int)most;
    size_t n = (size_t)e->states;
    a->points = calloc((size_t)a->point_count * n + 1, sizeof *a->points);
    for (int k = 0; k < a->point_count && a->points; k++)
        memcpy(a->points + (size_t)k * n, stored_point(e, a->point_count - 1 - k), n * sizeof *a->points);
    return a->points != NULL;
}

// ------------------------------------------------------------------------------------------------ verdict

// Bound below which an exponent is zero. The logarithms of a zero exponent have a sum that stays bounded or
// grows logarithmically; in the latter case the first batch is an outlier, and the error is as large as the
// mean.
static double zero_bound(const slip_lyapunov_series *e, const slip_lyapunov *a, int i)
{
    return ZERO_EXPONENT_ERRORS * (a->error[i] + 1.0 / e->clock);
}

// True if the motion does not decay to rest.
static bool keeps_moving(const slip_lyapunov_series *e)
{
    long last = e->points < SLIP_LYAPUNOV_MAX_POINTS ? e->points : SLIP_LYAPUNOV_MAX_POINTS;
    for (int k = 0; k < e->states; k++) {
        double low = INFINITY, high = -INFINITY, whole = e->high[k] - e->low[k];
        for (long i = 0; i < last; i++) {
            low = fmin(low, stored_point(e, i)[k]);
            high = fmax(high, stored_point(e, i)[k]);
        }
        if (high - low > LASTING_MOTION_SHARE * whole &&
            whole > STATES_EQUAL * fmax(fabs(e->low[k]), fabs(e->high[k])))
            return true;
    }
    return false;
}

static slip_lyapunov_verdict classify_motion(const slip_lyapunov_series *e, bool forced, slip_lyapunov *a)
{
    int zeros = 0, positive = 0;
    for (int i = 0; i < a->count; i++) {
        if (a->exponent[i] == -INFINITY) continue;
        zeros += fabs(a->exponent[i]) <= zero_bound(e, a, i);
        positive += a->exponent[i] > zero_bound(e, a, i);
    }
    if (a->forgotten == a->count) return SLIP_LYAPUNOV_COLLAPSED;
    bool stays = forced ? a->repeat > 0 : !keeps_moving(e);
    if (positive) return stays ? SLIP_LYAPUNOV_UNDECIDED : SLIP_LYAPUNOV_CHAOTIC;
    if (!forced && !zeros && stays) return SLIP_LYAPUNOV_REST;
    if (zeros < a->trivial) return SLIP_LYAPUNOV_UNDECIDED;
    if (zeros == a->trivial) return SLIP_LYAPUNOV_PERIODIC;
    return forced && !a->repeat ? SLIP_LYAPUNOV_QUASI_PERIODIC : SLIP_LYAPUNOV_UNDECIDED;
}

static void explain_verdict(const slip_lyapunov_series *e, slip_lyapunov *a, bool forced)
{
    size_t room = sizeof a->text;
    if (a->verdict == SLIP_LYAPUNOV_UNDECIDED && a->exponent[0] > zero_bound(e, a, 0)) {
        snprintf(a->text, room,
                 "the motion repeats or rests although it repels nearby motions: it is unstable, and "
                 "says nothing about where others end; start a little beside it");
        return;
    }
    int length = snprintf(a->text, room, "%s", verdict_sentence(a->verdict));
    if (a->verdict == SLIP_LYAPUNOV_COLLAPSED)
        snprintf(a->text + length, room - (size_t)length, ", from t = %.6g s on", a->forgotten_at);
    else if (a->verdict == SLIP_LYAPUNOV_PERIODIC && a->repeat > 1)
        snprintf(a->text + length, room - (size_t)length, "; it repeats after %d periods", a->repeat);
    else if (a->verdict == SLIP_LYAPUNOV_UNDECIDED && !forced)
        snprintf(
            a->text + length, room - (size_t)length,
            ", or more of them are 0 than a motion that repeats has: one of a family, as without damping, "
            "or quasi-periodic; if the model is forced, give the period, else a longer run tells more");
    else if (a->verdict == SLIP_LYAPUNOV_UNDECIDED)
        snprintf(a->text + length, room - (size_t)length,
                 ", although the motion repeats: a longer run tells more");
}

bool slip_lyapunov_series_classify(slip_lyapunov_series *e, bool forced, const bool *shifts, slip_lyapunov *a)
{
    if (e->blocks < SLIP_LYAPUNOV_BATCHES || 10 * a->lost > a->blocks) {
        snprintf(a->text, sizeof a->text, "%d of %d blocks have no derivatives: %.200s", a->lost, a->blocks,
                 a->reason);
        return true;
    }
    a->repeat = forced ? find_repeat(e, shifts) : 0;
    if (!fill_exponents(e, a) || !keep_points(e, a)) return false;
    a->verdict = classify_motion(e, forced, a);
    explain_verdict(e, a, forced);
    return true;
}
