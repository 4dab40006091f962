/// export.h: a model as a program of its own: C99 without allocation, or an FMU.
///
///     slip_export_def def = slip_default_export_def();
///     slip_export_c(model, &settings, &def, "crank", &info, &error); // crank/model.h, crank/model.c
///
/// What leaves takes the steps of slip_sim with the same bits. Parameters, step and states can be changed in it.
/// What cannot be exported is refused, with the reason and its place in the model, and nothing is written.
#ifndef SLIPSTICK_EXPORT_H
#define SLIPSTICK_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "slipstick/model.h"
#include "slipstick/sim.h"
#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Start from slip_default_export_def() and change what you mean to change.
typedef struct slip_export_def {
    const char *name;       ///< C identifier that files, functions and types begin with ("model")
    const char *const *fix; ///< parameters that become numbers instead of variables (none)
    int fix_count;          ///< how many these are
    bool
        fix_structure; ///< so do all parameters that decide what the model is made of (false: they are refused)
    int fmi;           ///< version of the FMI standard, 2 or 3 (3)
    const char *binary;      ///< a shared library of these sources, to go into an FMU (NULL: sources alone)
    size_t binary_size;      ///< bytes of it
    const char *binary_name; ///< its place, as "binaries/linux64/model.so"
} slip_export_def;

slip_export_def slip_default_export_def(void); ///< every parameter a variable, named "model"

/// What was exported.
typedef struct slip_export_info {
    const char *formulation, *integrator; ///< by name
    double step;                          ///< s, that it starts with
    int states, parameters, outputs;      ///< how many there are; parameters: those that stay variables
    int tested_steps;                     ///< that its self test replays
} slip_export_info;

/// Writes NAME.h and NAME.c into a folder, which is made if it is not there. `settings` as for slip_sim_create (may be
/// NULL), `info` may be NULL. After a failure nothing has been written.
slip_status slip_export_c(const slip_model *model, const slip_sim_def *settings, const slip_export_def *def,
                          const char *folder, slip_export_info *info, slip_error *error);

/// The sources of an FMU as one text for a compiler, which makes its binary of it:
///     cc -O2 -shared -fPIC -fvisibility=hidden -x c - -lm -o model.so
/// To be released with free().
slip_status slip_export_fmu_program(const slip_model *model, const slip_sim_def *settings,
                                    const slip_export_def *def, slip_error *error, char **program);

/// Writes a functional mock-up unit of FMI 2.0 or 3.0 for co-simulation: description, sources, documentation and, if
/// given, a binary. After a failure nothing has been written.
slip_status slip_export_fmu(const slip_model *model, const slip_sim_def *settings, const slip_export_def *def,
                            const char *file, slip_export_info *info, slip_error *error);

#ifdef __cplusplus
}
#endif
#endif
