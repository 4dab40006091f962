/// verdict/run/agreement.c: how two runs of a model compare. See agreement.h.
#include "verdict/run/agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "verdict/contact/verdict_tolerances.h"

enum { DRIFT_WINDOW = 16, MIN_SWING_CROSSINGS = 6 };

static double sample_of(const slip_trajectory_samples *track, int i, int k)
{
    return track->q[(size_t)i * (size_t)track->n + (size_t)k];
}

// ---------------------------------------------------------------------------------- size of the motion

static double standstill_size(const slip_model *model, double until)
{
    double size = 0.0;
    if (model->type != SLIP_MECHANICS) return STANDSTILL_SIZE;
    for (int k = 0; k < model->coordinate_count; k++) {
        size = fmax(size, fabs(model->coordinates[k].start));
        size = fmax(size, fabs(model->coordinates[k].rate) * until);
    }
    return size > 0.0 ? fmin(STANDSTILL_SIZE, MIN_MOTION_SHARE * size) : STANDSTILL_SIZE;
}

// A polynomial of degree two in time, by least squares in the orthogonal basis 1, x, x^2 - lean x - square with
// x = t - middle
typedef struct drift {
    double middle, lean, square;
    double level, slope, bow; // coefficients
} drift;

static double drift_bow(const drift *d, double x)
{
    return x * x - d->lean * x - d->square;
}

static drift fit_drift(const slip_trajectory_samples *track, int k)
{
    const double n = (double)track->count;
    drift d = { 0 };
    double xx = 0.0, xxx = 0.0, pp = 0.0, level = 0.0, slope = 0.0, bow = 0.0;
    for (int i = 0; i < track->count; i++) d.middle += track->time[i] / n;
    for (int i = 0; i < track->count; i++) {
        const double x = track->time[i] - d.middle;
        xx += x * x, xxx += x * x * x;
    }
    d.square = xx / n;
    d.lean = xx > 0.0 ? xxx / xx : 0.0;
    for (int i = 0; i < track->count; i++) {
        const double x = track->time[i] - d.middle, p = drift_bow(&d, x), q = sample_of(track, i, k);
        level += q, slope += x * q, bow += p * q, pp += p * p;
    }
    d.level = level / n;
    d.slope = xx > 0.0 ? slope / xx : 0.0;
    d.bow = pp > 0.0 ? bow / pp : 0.0;
    return d;
}

static double drift_at(const drift *d, double t)
{
    const double x = t - d->middle;
    return d->level + d->slope * x + d->bow * drift_bow(d, x);
}

// The range of what is left of a coordinate without its drift, if that is a swing much narrower than the whole
static double swing_about_drift(const slip_trajectory_samples *track, int k, double range)
{
    const drift d = fit_drift(track, k);
    double low = 0.0, high = 0.0, before = 0.0;
    int crossings = 0;
    for (int i = 0; i < track->count; i++) {
        const double left = sample_of(track, i, k) - drift_at(&d, track->time[i]);
        low = fmin(low, left), high = fmax(high, left);
        crossings += left * before < 0.0;
        before = left;
    }
    const double swing = high - low;
    const bool swings = crossings >= MIN_SWING_CROSSINGS && swing < MAX_SWING_SHARE * range;
    return swings && swing > MIN_SWING_SHARE * range ? swing : 0.0;
}

// what turns or travels steadily is no larger than about a turn, beside what moves to and fro
static double size_beside_others(const slip_trajectory_samples *track, int k, double range)
{
    const drift d = fit_drift(track, k);
    const double line = fabs(d.slope) * (track->time[track->count - 1] - track->time[0]);
    return fabs(range - line) <= STEADY_TOLERANCE * range ? fmin(range, STEADY_SIZE) : range;
}

// A coordinate at zero, in a model in which nothing moves, has no size of its own: rounding of the others is
// none
static void measure_motion(slip_agreement_measure *m)
{
    const slip_trajectory_samples *run = m->run;
    for (int k = 0; k < run->n; k++) {
        m->range[k] = run->high[k] - run->low[k];
        m->widest = fmax(m->widest, size_beside_others(run, k, m->range[k]));
        m->farthest = fmax(m->farthest, fmax(fabs(run->high[k]), fabs(run->low[k])));
    }
    m->dust = m->farthest <= standstill_size(m->model, m->until)
                  ? STANDSTILL_SIZE / m->accuracy
                  : NO_MOTION_TOLERANCE * fmax(1.0, m->farthest);
}

// the least that a difference along a coordinate is compared with; `share` is of the widest motion
static double least_scale(const slip_agreement_measure *m, int k, double share)
{
    const double gap = m->run->widest_gap, widest = fmax(m->widest, gap);
    double far = fmax(fabs(m->run->high[k]), fabs(m->run->low[k]));
    // contacts that are detected are solved to a residual, and have no gap here that says how large things are
    if (m->model->crowd) far = m->farthest, share = MIN_MOTION_SHARE;
    return fmax(fmax(share * m->widest, m->rest * fmax(far, widest)), m->dust);
}

static double scale_of(const slip_agreement_measure *m, int k, double share)
{
    return fmax(m->range[k], least_scale(m, k, share));
}

// --------------------------------------------------------------------------------------------- comparing

static double spread_of(const slip_trajectory_samples *track, int k, int count)
{
    double mean = 0.0, sum = 0.0;
    for (int i = 0; i < count; i++) mean += sample_of(track, i, k) / count;
    for (int i = 0; i < count; i++) sum += fabs(sample_of(track, i, k) - mean);
    return sum;
}

// the coarser run moves more along it: the scheme makes this motion
static bool is_of_scheme(const slip_trajectory_samples *a, const slip_trajectory_samples *b,
                         const slip_trajectory_samples *coarser, int k, int count)
{
    if (!coarser) return false;
    const slip_trajectory_samples *finer = coarser == a ? b : a;
    return spread_of(coarser, k, count) > SCHEME_MOTION_RATIO * spread_of(finer, k, count);
}

// what switches does so at an instant: what follows from it is compared
static bool is_mode(const slip_model *model, int k)
{
    return model->type == SLIP_MECHANICS && model->coordinates[k].is_held;
}

// The difference of coordinate k at instant i, less what it has been lately: of the swing, not of the drift
static double swing_difference(const slip_trajectory_samples *a, const slip_trajectory_samples *b, int i,
                               int k)
{
    const int first = i > DRIFT_WINDOW ? i - DRIFT_WINDOW : 0;
    double mean = 0.0;
    for (int j = first; j <= i; j++)
        mean += (sample_of(a, j, k) - sample_of(b, j, k)) / (double)(i - first + 1);
    return fabs(sample_of(a, i, k) - sample_of(b, i, k) - mean);
}

static double relative_difference(const slip_agreement_measure *m, const slip_trajectory_samples *a,
                                  const slip_trajectory_samples *b, int i, int k, double depth)
{
    const double apart = fabs(sample_of(a, i, k) - sample_of(b, i, k));
    double off = fmax(0.0, apart - 2.0 * depth) / m->scale[k];
    if (m->swing[k] > 0.0)
        off = fmax(off, fmax(0.0, swing_difference(a, b, i, k) - 2.0 * depth) / m->swing[k]);
    return isnan(off) ? INFINITY : off;
}

// the largest difference at instant i, and whose it is
static double compare_instant(const slip_agreement_measure *m, const slip_trajectory_samples *a,
                              const slip_trajectory_samples *b, int i, double depth, int *whose)
{
    double most = 0.0;
    for (int k = 0; k < m->run->n; k++) {
        if (is_mode(m->model, k)) continue;
        const double off = relative_difference(m, a, b, i, k, depth);
        m->difference[k] = fmax(m->difference[k], off);
        if (off > most) most = off, *whose = k;
    }
    return most;
}

slip_agreement slip_agreement_of(slip_agreement_measure *m, const slip_trajectory_samples *a,
                                 const slip_trajectory_samples *b, const slip_trajectory_samples *coarser)
{
    const double *time = m->run->time;
    const int count = a->count < b->count ? a->count : b->count;
    const bool whole = m->run->count && count == m->run->count;
    const double allowed = fmax(IGNORED_DEPTH, IGNORED_DEPTH_SHARE * fmax(m->widest, m->run->widest_gap));
    slip_agreement found = { .until = whole ? m->until : count ? time[count - 1] : 0.0, .coordinate = -1 };
    double depth = 0.0;
    int last = -1; // instant at which they differ
    for (int k = 0; k < m->run->n; k++)
        m->scale[k] =
            scale_of(m, k, is_of_scheme(a, b, coarser, k, count) ? MIN_MOTION_SHARE : SMALL_MOTION_SHARE);
    memset(m->difference, 0, (size_t)m->run->n * sizeof *m->difference);
    for (int i = 0; i < count; i++) {
        int whose = -1;
        depth = fmin(allowed, fmax(depth, fmax(a->depth[i], b->depth[i])));
        const double off = compare_instant(m, a, b, i, depth, &whose);
        found.largest = fmax(found.largest, off);
        if (off <= m->accuracy) continue;
        if (last < 0) found.until = i ? time[i - 1] : 0.0, found.coordinate = whose;
        last = i;
    }
    const bool recovers =
        whole && last >= 0 && last < count - 1 && m->until - time[last] >= MIN_RECOVERED_SHARE * m->until;
    found.again = recovers ? time[last + 1] : NAN;
    return found;
}

// -------------------------------------------------------------------------------------------------- life

bool slip_agreement_create(slip_agreement_measure *m, const slip_sim *sim, const slip_trajectory_samples *run,
                           double accuracy)
{
    *m = (slip_agreement_measure){
        .model = sim->model, .run = run, .until = sim->def.until, .accuracy = accuracy, .rest = REST_TOLERANCE
    };
    const size_t n = (size_t)run->n;
    double *numbers = m->memory = calloc(5 * n, sizeof *numbers);
    if (!numbers) return false;
    m->range = numbers, m->swing = numbers + n, m->scale = numbers + 2 * n, m->difference = numbers + 3 * n;
    m->size = numbers + 4 * n;
    measure_motion(m);
    for (int k = 0; k < run->n; k++) {
        m->size[k] = scale_of(m, k, SMALL_MOTION_SHARE);
        m->swing[k] = swing_about_drift(run, k, m->range[k]);
        if (m->swing[k] < least_scale(m, k, SMALL_MOTION_SHARE)) m->swing[k] = 0.0;
    }
    return true;
}

void slip_agreement_destroy(slip_agreement_measure *m)
{
    free(m->memory);
    *m = (slip_agreement_measure){ 0 };
}
