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

/// A package of ROS: `package://NAME/meshes/arm.stl` is meshes/arm.stl in its folder.
typedef struct slip_import_package {
    const char *name, *folder;
} slip_import_package;

/// How to take a description over. Start from slip_default_import_def().
typedef struct slip_import_def {
    bool free;        ///< the root link moves freely instead of standing on the ground (false)
    bool skip_meshes; ///< meshes as collision shapes are left out (false)
    double floor;     ///< friction of a floor at z = 0 that all shapes may touch; negative: none (-1)
    const slip_import_package *packages; ///< where packages are (none)
    int package_count;
    const char *const *package_folders; ///< folders that hold packages, as ROS_PACKAGE_PATH has them (none)
    int package_folder_count;
    const char *const *allow; ///< further folders from which an MJCF file may include others (none)
    int allow_count;
    const char *folder; ///< where the model file will be, from which it names meshes (NULL: where this runs)
    const char *keyframe; ///< keyframe of an MJCF file in which the model starts (NULL: as the file shows it)
} slip_import_def;

slip_import_def slip_default_import_def(void); ///< a root on the ground, no floor

/// The model file in *yaml, to be released with free(). Mistakes are recorded in `notes` with their places,
/// and so is what was left out, as warnings; *yaml is set only when the status is SLIP_OK.
slip_status slip_import_file(const char *path, const slip_import_def *def, slip_diagnostics *notes,
                             char **yaml);

/// The same into a file, from which meshes are then named whatever `folder` is.
slip_status slip_import_save(const char *path, const char *output, const slip_import_def *def,
                             slip_diagnostics *notes, slip_error *error);

/// The same from memory; `name` stands for the file in messages.
slip_status slip_import_text(const char *name, const char *text, size_t length, const slip_import_def *def,
                             slip_diagnostics *notes, char **yaml);

#ifdef __cplusplus
}
#endif
#endif
