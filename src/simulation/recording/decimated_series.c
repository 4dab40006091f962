/// simulation/recording/decimated_series.c: any number of rows in constant memory, without losing an extreme.
#include "simulation/recording/decimated_series.h"

#include <math.h>
#include <string.h>

void slip_decimated_series_layout(slip_arena *arena, int width, int most, slip_decimated_series *series)
{
    *series = (slip_decimated_series){ .width = width, .most = most, .per = 2 };
    series->point = SLIP_TAKE(arena, double, (size_t)most * 2 * (size_t)width);
}

static double *first_of(const slip_decimated_series *s, int bucket)
{
    return s->point + (size_t)bucket * 2 * (size_t)s->width;
}

// Adds a row to the bucket (a, b). A new extreme becomes the later point, and the other extreme the earlier
// one.
static void widen_bucket(int width, double *a, double *b, const double *row)
{
    b[0] = row[0];
    for (int k = 1; k < width; k++) {
        double v = row[k], low = b[k] < a[k] ? b[k] : a[k], high = b[k] < a[k] ? a[k] : b[k];
        if (v >= low && v <= high) continue;
        if (isnan(v)) continue;
        if (isnan(low) || isnan(high)) { // at most one of the two is a number
            double known = isnan(a[k]) ? b[k] : a[k];
            a[k] = isnan(known) ? v : known;
            b[k] = v;
            continue;
        }
        a[k] = v < low ? high : low;
        b[k] = v;
    }
}

static void merge_pairs(slip_decimated_series *s)
{
    size_t bytes = 2 * (size_t)s->width * sizeof *s->point;
    for (int k = 0; k < s->count / 2; k++) {
        double *into = first_of(s, k), *left = first_of(s, 2 * k), *right = first_of(s, 2 * k + 1);
        if (k) memcpy(into, left, bytes);
        widen_bucket(s->width, into, into + s->width, right);
        widen_bucket(s->width, into, into + s->width, right + s->width);
    }
    s->count /= 2;
    s->per *= 2;
}

void slip_decimated_series_add(slip_decimated_series *s, const double *row)
{
    size_t bytes = (size_t)s->width * sizeof *row;
    s->rows++;
    if (s->count == 0 || s->in_last == s->per) {
        if (s->count == s->most) merge_pairs(s);
        memcpy(first_of(s, s->count++), row, bytes);
        s->in_last = 1;
        return;
    }
    double *a = first_of(s, s->count - 1), *b = a + s->width;
    if (s->in_last++ == 1)
        memcpy(b, row, bytes);
    else
        widen_bucket(s->width, a, b, row);
}

int slip_decimated_series_points(const slip_decimated_series *s)
{
    return s->count ? 2 * s->count - (s->in_last == 1) : 0;
}

double slip_decimated_series_at(const slip_decimated_series *s, int point, int column)
{
    return s->point[(size_t)point * (size_t)s->width + (size_t)column];
}
