/// study/fit/fit_search.c: the search from one starting point.
///
/// The sum of squares over a long record of something that swings has many minima: a model whose phase is off
/// by a whole swing at the end fits better than one that is off by half. The first swing alone has one minimum,
/// and the fit to it is a good start for a record twice as long, and so on up to the whole. This is done where
/// the search over the whole record ends at residuals that are not noise.
#include "study/fit/fit_search.h"

#include <string.h>

#include "study/fit/fit_tolerances.h"
#include "study/fit/lack_of_fit.h"

static bool is_noise(slip_fitting *f)
{
    slip_lack_of_fit fit = { 0 };
    if (!slip_lack_of_fit_test(f->data, f->noise, f->r, &fit)) return f->status = SLIP_NO_MEMORY, false;
    return fit.kind == SLIP_RESIDUALS_NOISE;
}

// One fit to the first rows of the data.
static bool search_window(slip_fitting *f, int rows, double *x, double *best, int *iterations,
                          bool *converged)
{
    const slip_fit_data *whole = f->data;
    slip_fit_data window = *whole;
    int more = 0;
    window.rows = rows;
    f->data = &window, f->n = rows * window.columns;
    const bool good = slip_fitting_minimise(f, x, best, &more, converged);
    f->data = whole, f->n = whole->rows * whole->columns;
    *iterations += more;
    return good;
}

static bool search_windows(slip_fitting *f, double *x, double *best, int *iterations, bool *converged)
{
    const int all = f->data->rows;
    int rows = (int)(FIRST_WINDOW * all), least = WINDOW_ROWS * f->p;
    if (rows < least) rows = least;
    for (; rows < all; rows *= 2)
        if (!search_window(f, rows, x, best, iterations, converged) || f->interrupted) return false;
    return search_window(f, all, x, best, iterations, converged);
}

bool slip_fitting_search(slip_fitting *f, double *x, double *best, int *iterations, bool *converged)
{
    double start[SLIP_FIT_MAX_FREE], other;
    bool ended;
    memcpy(start, x, sizeof start);
    *iterations = 0;
    if (!search_window(f, f->data->rows, x, best, iterations, converged)) return false;
    if (f->interrupted || f->stopped || is_noise(f) || f->status != SLIP_OK) return f->status == SLIP_OK;
    const bool good = search_windows(f, start, &other, iterations, &ended);
    if (f->status == SLIP_NO_MEMORY) return false;
    f->status = SLIP_OK;
    if (good && other < *best) {
        memcpy(x, start, sizeof start);
        *best = other, *converged = ended;
        return true;
    }
    f->finishing = f->interrupted; // the residuals of the first search again
    return slip_fitting_residuals(f, x, f->r);
}
