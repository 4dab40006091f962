/// linearize.h: a model as a linear one about an equilibrium: x' = A x + B u, y = C x + D u.
///
///     slip_linearize_def def = slip_default_linearize_def();
///     slip_linear_model *linear = NULL;
///     if (slip_linearize(model, &def, &error, &linear) != SLIP_OK) ...
///     if (linear->found) printf("%g Hz\n", linear->modes[0].frequency);
///     else puts(linear->text);                        // what was tried
///     slip_linear_model_destroy(linear);
///
/// x are the coordinates and rates that are free to move, u the `inputs` of the model, y what it records. What
/// sticks at the equilibrium stays stuck in the linear model, what is open stays open: `element_mode` says which.
#ifndef SLIPSTICK_LINEARIZE_H
#define SLIPSTICK_LINEARIZE_H

#include <stdbool.h>

#include "slipstick/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_linearize_def {
    const char *formulation; ///< lcp or gauss (lcp)
    const char *start;       ///< "x=1.5": coordinates near the equilibrium (NULL: as the model says)
    double lowest, highest;  ///< Hz, of the frequency response (0: none)
    int frequency_count;     ///< of it, in equal ratios (200)
} slip_linearize_def;

slip_linearize_def slip_default_linearize_def(void); ///< as in parentheses

/// An eigenvalue, of a pair the one with a positive imaginary part, and its shape.
typedef struct slip_linear_mode {
    double re, im;               ///< 1/s
    double frequency;            ///< natural, |eigenvalue|/(2 pi), Hz
    double damping;              ///< damping ratio, -re/|eigenvalue|; NaN for an eigenvalue of 0
    double *shape_re, *shape_im; ///< per state: relative to the coordinate that moves most, which is 1
} slip_linear_mode;

typedef struct slip_linear_model {
    bool found;     ///< false: only `text` is filled in
    char text[480]; ///< what was tried
    int state_count, input_count, output_count;
    const char **state_name, **input_name, **output_name; ///< of the model, which must outlive it
    double *state;                                        ///< of the equilibrium
    double *A, *B, *C, *D;                                ///< row by row
    int element_count;
    const char **element_name; ///< contacts and frictions
    const char **element_mode; ///< "open", "sliding", "sticking", "closed" without friction
    int mode_count;
    slip_linear_mode *modes; ///< by rising frequency
    int zeros;               ///< eigenvalues that are exactly 0: friction or contacts hold
    bool stable;             ///< all others have a negative real part
    int frequency_count;
    double *frequency;         ///< Hz
    double *gain_re, *gain_im; ///< C (i w - A)^-1 B + D: by frequency, output, input
} slip_linear_model;

/// A status other than SLIP_OK means that nothing could be tried.
slip_status slip_linearize(const slip_model *model, const slip_linearize_def *def, slip_error *error,
                           slip_linear_model **linear);
void slip_linear_model_destroy(slip_linear_model *linear); ///< NULL is fine

/// As one JSON object (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_linear_model_json(const slip_linear_model *linear);

/// Writes A.csv, B.csv, C.csv, D.csv, modes.csv, with a frequency response response.csv, and linear.mat, a MATLAB
/// file of level 4 with A, B, C, D, into a directory, which is made when
/// missing.
slip_status slip_linear_model_write(const slip_linear_model *linear, const char *directory,
                                    slip_error *error);

#ifdef __cplusplus
}
#endif
#endif
