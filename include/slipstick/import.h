/// import.h: from a robot description to a model file.
///
///     char *yaml = NULL;
///     slip_import_def def = slip_default_import_def();
///     if (slip_import_file("arm.urdf", &def, notes, &yaml) == SLIP_OK) puts(yaml);
///
/// URDF and MJCF are told apart by their first element. What is taken over and what is not is in
/// docs/import.md.
#ifndef SLIPSTICK_IMPORT_H
#define SLIPSTICK_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "slipstick/diagnostics.h"
#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How to take a description over. Start from slip_default_import_def().
typedef struct slip_import_def {
    bool free;        ///< the root link moves freely instead of standing on the ground (false)
    bool skip_meshes; ///< meshes as collision shapes are left out (false)
    double floor;     ///< friction of a floor at z = 0 that all shapes may touch; negative: none (-1)
} slip_import_def;

slip_import_def slip_default_import_def(void); ///< a root on the ground, no floor

/// The model file in *yaml, to be released with free(). Mistakes are recorded in `notes` with their places,
/// and so is what was left out, as warnings; *yaml is set only when the status is SLIP_OK.
slip_status slip_import_file(const char *path, const slip_import_def *def, slip_diagnostics *notes,
                             char **yaml);

/// The same from memory; `name` stands for the file in messages.
slip_status slip_import_text(const char *name, const char *text, size_t length, const slip_import_def *def,
                             slip_diagnostics *notes, char **yaml);

#ifdef __cplusplus
}
#endif
#endif
