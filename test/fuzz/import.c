/// import.c: whatever bytes a robot description holds, taking it over ends, with a model or with messages;
/// and the model file that comes out can be read, up to what its numbers mean.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/import.h"
#include "slipstick/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_model(const char *yaml)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status = slip_model_read_text("import.yaml", yaml, strlen(yaml), NULL, 0, notes, &model);
    if (status == SLIP_BAD_FILE) abort(); // it has to be YAML, whatever the names are
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    slip_import_def def = { .free = size & 1, .skip_meshes = size & 2, .floor = size & 4 ? 0.5 : -1.0 };
    slip_diagnostics *notes = slip_diagnostics_create();
    char *yaml = NULL;
    slip_status status = slip_import_text("fuzz.urdf", (const char *)data, size, &def, notes, &yaml);
    // an answer is a model or a reason
    if ((status == SLIP_OK) != (yaml != NULL)) abort();
    if (status != SLIP_OK && slip_diagnostics_error_count(notes) == 0) abort();
    if (yaml && size < 4000) read_model(yaml);
    free(slip_diagnostics_text(notes));
    free(yaml);
    slip_diagnostics_destroy(notes);
    return 0;
}
