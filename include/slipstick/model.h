/// model.h: what the user wrote, read, checked and immutable.
///
///     slip_model *model = NULL;
///     slip_diagnostics *notes = slip_diagnostics_create();
///     slip_status status = slip_model_read_file("models/xiong/friction-mass.yaml", NULL, 0, notes, &model);
///
/// A model may be used by any number of simulations and threads at the same time; it must outlive them.
#ifndef SLIPSTICK_MODEL_H
#define SLIPSTICK_MODEL_H

#include <stddef.h>

#include "slipstick/diagnostics.h"
#include "slipstick/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slip_model slip_model;

/// What a model is read from. Set what you need, over slip_default_model_def().
/// A file in memory.
typedef struct slip_memory_file {
    const char *path;
    const char *text;
    size_t length;
} slip_memory_file;

typedef struct slip_model_def {
    const char *file; ///< its path, or with `text` the name that stands for it in messages
    const char *text; ///< the model in memory; NULL: read the file
    size_t length;    ///< of the text

    const char *const *sets; ///< overrides, see slip_model_read_file
    int set_count;

    /// Folders from which the model may read what it names (`include`, tables, inputs, meshes), with all that is
    /// below them, beside the folder of `file` (the working directory where it has none). Links are followed
    /// before that is decided.
    const char *const *allow;
    int allow_count;

    /// Files in memory, which are found before those on the disk: under `path` as the folder of the file that names
    /// them and the name make it ("parts/arm.yaml" in "robots/walker.yaml" is "robots/parts/arm.yaml").
    const slip_memory_file *files;
    int file_count;
} slip_model_def;

slip_model_def slip_default_model_def(void); ///< everything empty

/// Reads a model. The functions below are short forms of it.
slip_status slip_model_read(const slip_model_def *def, slip_diagnostics *notes, slip_model **model);

/// Reads a model file. `sets` are overrides as typed after --set: "mu=0.2" for a parameter, or the
/// path of any key of the file, "run.step=1e-4", "contacts.floor.restitution=0.5", "parameters.mu=0.2".
/// All mistakes of the file and of the overrides are recorded in `notes` (must not be NULL), warnings
/// too; *model is set only when the status is SLIP_OK.
slip_status slip_model_read_file(const char *path, const char *const *sets, int set_count,
                                 slip_diagnostics *notes, slip_model **model);

/// The same from memory; `name` stands for the file in messages. Files that the text includes are relative to
/// the folder of that name, or to the working directory where it has none.
slip_status slip_model_read_text(const char *name, const char *text, size_t length, const char *const *sets,
                                 int set_count, slip_diagnostics *notes, slip_model **model);

/// The model with changes, which are overrides as above and come after those it has. Numbers of parameters,
/// starts and settings of the run are changed in memory: the new model shares everything else with the old
/// one and costs some microseconds. Other changes read the text again that the model keeps; no file is
/// touched. In both cases the result is the same as that of reading with all overrides, to the last bit, and
/// either model may be destroyed first.
///
///     char change[64];
///     for (int k = 0; k < 100; k++) {
///         snprintf(change, sizeof change, "mu=%.17g", 0.01 * k);
///         slip_status status = slip_model_vary(model, (const char *[]){ change }, 1, notes, &varied);
///
/// Mistakes of the changes are recorded in `notes` with their place, as those of a file.
slip_status slip_model_vary(const slip_model *model, const char *const *changes, int change_count,
                            slip_diagnostics *notes, slip_model **varied);

/// A model that others were varied from may be destroyed before them.
void slip_model_destroy(slip_model *model);

const char *slip_model_name(const slip_model *model);  ///< the `name:` of the file
const char *slip_model_about(const slip_model *model); ///< its `about:`, or ""
const char *slip_model_file(const slip_model *model);  ///< where it was read from

/// The files that were read for it: the model itself, then those that it names, as paths from the working
/// directory of that time. A program that writes files can spare them. NULL past the end.
int slip_model_file_count(const slip_model *model);             ///< how many there are
const char *slip_model_file_at(const slip_model *model, int k); ///< the k-th

const char *slip_model_text(const slip_model *model, size_t *length); ///< the file itself, as read

/// "mechanics" (coordinates, masses, contacts) or "inclusion" (x' in Phi(x)).
const char *slip_model_kind(const slip_model *model);

int slip_model_coordinate_count(const slip_model *model); ///< 0 for inclusions

/// The name of coordinate k, in the order of the columns of a run; NULL past the end.
const char *slip_model_coordinate_name(const slip_model *model, int k);

/// How many of them have a mass; they come first. The others are states, modes and inputs of the model.
int slip_model_mass_coordinate_count(const slip_model *model);
int slip_model_parameter_count(const slip_model *model); ///< number of parameters

/// The name of parameter k, in the order of the file; NULL past the end.
const char *slip_model_parameter_name(const slip_model *model, int k);
double slip_model_parameter_value(const slip_model *model, int k); ///< its value in force; NaN past the end
const char *slip_model_parameter_unit(const slip_model *model, int k); ///< "kg"; "" when it is not known

/// How a number is spread, in the model file or for a sweep (sweep.h).
typedef enum slip_distribution_kind {
    SLIP_DISTRIBUTION_UNIFORM,    ///< between a and b
    SLIP_DISTRIBUTION_NORMAL,     ///< mean a, standard deviation b
    SLIP_DISTRIBUTION_LOG_UNIFORM ///< its logarithm uniform, between a and b > 0
} slip_distribution_kind;

typedef struct slip_distribution {
    const char *key; ///< an override without its value: "mu", "coordinates.x.start"
    slip_distribution_kind kind;
    double a, b;
} slip_distribution;

int slip_model_distribution_count(
    const slip_model *model); ///< number of parameters that the model itself spreads
slip_distribution slip_model_distribution(const slip_model *model, int k); ///< how; a NULL key past the end

/// Name, kind, file, parameters and a description (see derive.h; NULL: none) as one JSON object
/// (docs/json.md). To be released with free(); NULL when out of memory.
char *slip_model_json(const slip_model *model, const char *description);

/// One key of the model file.
typedef struct slip_key_info {
    const char *path;     ///< "contacts.*.friction"; * stands for a name of the user's
    const char *type;     ///< "formula", "constant", "text", "map", ...
    const char *range;    ///< "greater than 0"; "" when any value will do
    const char *fallback; ///< what holds when the key is absent; "required" when it must be there
    const char *meaning;
    const char *unit; ///< "N/m"; "" where `meaning` says it, or there is none
} slip_key_info;

/// All keys, the one table behind reader, checks, defaults and manual, in one block to be released with
/// free(). Returns how many there are; -1 when out of memory.
int slip_model_keys(slip_key_info **keys);

#ifdef __cplusplus
}
#endif
#endif
