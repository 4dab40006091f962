/// lab.h: the laboratory: one HTML page in which models run, are changed and shared, without a network.
///
///     slip_lab_model entry = { .model = model, .name = "brake.yaml" };
///     slip_lab_def def = slip_default_lab_def();
///     def.models = &entry, def.model_count = 1;
///     slip_lab_write("lab.html", &def, &error);
///
/// The page holds this library as WebAssembly and computes to the same bits; see docs/lab.md.
#ifndef SLIPSTICK_LAB_H
#define SLIPSTICK_LAB_H

#include "slipstick/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A model of the page, with the files that it names.
typedef struct slip_lab_model {
    const slip_model *model;
    const char *name; ///< its file there: "classics/belt.yaml"; NULL: the last part of its path
} slip_lab_model;

typedef struct slip_lab_def {
    const slip_lab_model *models; ///< the first is shown first
    int model_count;              ///< 0: the page shows a small model of its own
} slip_lab_def;

slip_lab_def slip_default_lab_def(void); ///< no models

/// Whether slip_lab_write could write there: SLIP_UNSUPPORTED when this library was built without its
/// laboratory, SLIP_IO when the file cannot be made. Leaves nothing behind.
slip_status slip_lab_check(const char *path, slip_error *error);

/// Writes the whole page or nothing. Files that a model names are read again; SLIP_IO when one is gone.
slip_status slip_lab_write(const char *path, const slip_lab_def *def, slip_error *error);

#ifdef __cplusplus
}
#endif
#endif
