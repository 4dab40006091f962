/// study/fit/lack_of_fit.c: are the residuals of a fit noise?
///
/// Three questions are asked of each column.
///   1. Are they larger than the noise in the data? That noise is what remains of neighbouring rows when a
///      polynomial through them is taken away (Gasser, Sroka and Jennen-Steinmetz 1986), for several degrees:
///      each is an estimate of the noise plus what the motion bends within a few rows, so the least one is
///      taken. The median makes it blind to the few rows around an impact.
///   2. Are they noise of one of the kinds for which intervals are made (correlated_residuals.c)? Then their
///      innovations under the most likely kind are white: their cumulated periodogram is a straight line
///      (Bartlett 1955), by the test of Kolmogorov and Smirnov.
///   3. Do their signs alternate as those of independent values (Wald and Wolfowitz 1940)? That is reported, and
///      decides where there are too few rows for a spectrum.
#include "study/fit/lack_of_fit.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "study/fit/correlated_residuals.h"
#include "study/fit/fit_tolerances.h"

enum { MIN_ORDER = 2, MAX_ORDER = 6, MIN_ROWS = 12, MAX_FREQUENCIES = 4000 };

// ---------------------------------------------------------------------------------- noise from the data

// The divided difference of rows k .. k + order, with weights of unit length: noise keeps its variance.
static double unit_difference(const slip_fit_data *data, int column, int k, int order)
{
    double sum = 0.0, squares = 0.0;
    const double width = data->t[k + order] - data->t[k];
    for (int i = k; i <= k + order; i++) {
        double w = 1.0;
        for (int j = k; j <= k + order; j++)
            if (j != i) w *= width / (data->t[i] - data->t[j]);
        sum += w * data->value[i * data->columns + column];
        squares += w * w;
    }
    return sum / sqrt(squares);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The noise of one column from differences of one order; `size` has room for the rows.
static double noise_of_order(const slip_fit_data *data, int column, int order, double *size)
{
    const int count = data->rows - order;
    for (int k = 0; k < count; k++) size[k] = fabs(unit_difference(data, column, k, order));
    qsort(size, (size_t)count, sizeof *size, compare_numbers);
    return size[count / 2] / MEDIAN_OF_NORMAL;
}

bool slip_fit_data_noise(const slip_fit_data *data, double *noise)
{
    double *size = malloc((size_t)(data->rows + 1) * sizeof *size);
    if (!size) return false;
    for (int c = 0; c < data->columns; c++) {
        noise[c] = NAN;
        for (int order = MIN_ORDER; order <= MAX_ORDER && data->rows >= MIN_ROWS; order++)
            noise[c] = fmin(noise[c], noise_of_order(data, c, order, size));
    }
    free(size);
    return true;
}

// ---------------------------------------------------------------------------------------- the two tests

// Runs of equal sign, compared with those of independent values.
static double runs_deviation(const double *e, int rows)
{
    double plus = 0.0, minus = 0.0, runs = 0.0;
    bool before = false, any = false;
    for (int k = 0; k < rows; k++) {
        if (e[k] == 0.0) continue;
        const bool up = e[k] > 0.0;
        *(up ? &plus : &minus) += 1.0;
        if (!any || up != before) runs += 1.0;
        before = up, any = true;
    }
    const double all = plus + minus, both = 2.0 * plus * minus;
    if (!(both > 0.0) || all < 3.0) return 0.0;
    const double variance = both * (both - all) / (all * all * (all - 1.0));
    return variance > 0.0 ? (runs - both / all - 1.0) / sqrt(variance) : 0.0;
}

// The periodogram of e at k of the rows' Fourier frequencies.
static double periodogram(const double *e, int rows, int k)
{
    const double angle = 2.0 * 3.14159265358979323846 * k / rows, c = slip_cos(angle), s = slip_sin(angle);
    double x = 1.0, y = 0.0, a = 0.0, b = 0.0;
    for (int i = 0; i < rows; i++) {
        const double next = c * x - s * y;
        a += e[i] * x, b += e[i] * y;
        y = s * x + c * y, x = next;
    }
    return a * a + b * b;
}

// Kolmogorov and Smirnov's statistic of the cumulated periodogram, times the root of the number of
// frequencies; the strongest of them as a fraction of the sampling frequency. `power` has room for the rows.
static double spectrum_deviation(const double *e, int rows, double *power, double *strongest)
{
    int count = (rows - 1) / 2;
    double all = 0.0, sum = 0.0, most = 0.0, deviation = 0.0;
    if (count > MAX_FREQUENCIES) count = MAX_FREQUENCIES;
    *strongest = 0.0;
    for (int k = 1; k <= count; k++) {
        power[k] = periodogram(e, rows, k), all += power[k];
        if (power[k] > most) most = power[k], *strongest = (double)k / rows;
    }
    for (int k = 1; k < count && all > 0.0; k++) {
        sum += power[k];
        deviation = fmax(deviation, fabs(sum / all - (double)k / count));
    }
    return deviation * sqrt(count);
}

// -------------------------------------------------------------------------------------------- judgement

static double column_range(const slip_fit_data *data, int column)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < data->rows; k++) {
        low = fmin(low, data->value[k * data->columns + column]);
        high = fmax(high, data->value[k * data->columns + column]);
    }
    return high - low;
}

// One column; work has room for four numbers a row.
static slip_lack_of_fit test_column(const slip_fit_data *data, int column, double noise, const double *r,
                                    double *work)
{
    const int rows = data->rows;
    double *e = work, *innovation = work + rows, *power = work + 3 * rows;
    slip_lack_of_fit out = { .column = column, .noise = noise };
    for (int k = 0; k < rows; k++) {
        e[k] = r[k * data->columns + column];
        out.rms += e[k] * e[k] / rows;
    }
    out.rms = sqrt(out.rms);
    out.runs = runs_deviation(e, rows);
    const double allowed = noise * (NOISE_MARGIN + NOISE_DEVIATIONS / sqrt(2.0 * rows));
    slip_noise kind;
    double strongest = 0.0;
    if (isnan(noise) || out.rms <= RESIDUAL_RESOLUTION * column_range(data, column) || out.rms <= allowed ||
        !slip_noise_most_likely(data->t, e, rows, &kind, innovation))
        return out;
    const double deviation = spectrum_deviation(innovation, rows, power, &strongest);
    spectrum_deviation(e, rows, power, &strongest);
    const double record = data->t[rows - 1] - data->t[0];
    out.frequency = strongest * (rows - 1) / record;
    if (kind.kind == SLIP_NOISE_SMOOTH) out.kind = SLIP_RESIDUALS_SMOOTH;
    const bool not_noise = deviation > SPECTRUM_NOT_WHITE ||
                           (kind.kind == SLIP_NOISE_SMOOTH && kind.memory > NOISE_MEMORY_SHOWN * record);
    if (rows < SPECTRUM_ROWS ? out.runs < FEW_RUNS : not_noise) out.kind = SLIP_RESIDUALS_MISFIT;
    return out;
}

bool slip_lack_of_fit_test(const slip_fit_data *data, const double *noise, const double *r,
                           slip_lack_of_fit *out)
{
    double *work = malloc((size_t)data->rows * 4 * sizeof *work);
    if (!work) return false;
    for (int c = 0; c < data->columns; c++) {
        const slip_lack_of_fit one = test_column(data, c, noise[c], r, work);
        const bool larger = one.rms * out->noise > out->rms * one.noise;
        if (c == 0 || one.kind > out->kind || (one.kind == out->kind && larger)) *out = one;
    }
    free(work);
    return true;
}
