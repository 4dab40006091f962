/// derive.h: the equations that the program makes of a model, for people.
///
/// Of an inclusion: the inclusion as written, what replaces every dio and sgn, and the ODE that is
/// integrated (Xiong 2013, eqs 31 and 32). Of a mechanical model: the mass matrix, the smooth forces, and the
/// gap, directions and law of every contact and friction.
#ifndef SLIPSTICK_DERIVE_H
#define SLIPSTICK_DERIVE_H

#include <stdbool.h>

#include "slipstick/model.h"
#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// As text, or as a LaTeX document that compiles by itself (amsmath). *text is to be released with free().
slip_status slip_model_derive(const slip_model *model, bool latex, slip_error *error, char **text);

/// The system in a few lines: what moves, what pushes, how it is coupled. To be released with free().
slip_status slip_model_describe(const slip_model *model, slip_error *error, char **text);

#ifdef __cplusplus
}
#endif
#endif
