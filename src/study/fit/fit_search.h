/// study/fit/fit_search.h: the search from one starting point.
#ifndef SLIP_STUDY_FIT_SEARCH_H
#define SLIP_STUDY_FIT_SEARCH_H

#include "study/fit/fitting.h"

/// Searches from x, which becomes the answer, and leaves its residuals in f->r: over the whole record, and
/// where the residuals are not noise over windows that grow from its beginning. False when the model cannot be
/// run at x.
bool slip_fitting_search(slip_fitting *f, double *x, double *best, int *iterations, bool *converged);

#endif
