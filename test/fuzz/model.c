/// model.c: whatever bytes a model file holds, reading it ends, with a model or with messages.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// bytes behind a zero are an override, so that both readers are reached
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    size_t length = zero ? (size_t)(zero - data) : size;
    char *set = calloc(size - length + 1, 1);
    if (zero) memcpy(set, zero + 1, size - length - 1);
    const char *const sets[] = { set };
    slip_status status =
        slip_model_read_text("fuzz.yaml", (const char *)data, length, sets, zero ? 1 : 0, notes, &model);
    // an answer is a model or a reason
    if ((status == SLIP_OK) != (model != NULL)) abort();
    if (status != SLIP_OK && slip_diagnostics_error_count(notes) == 0) abort();
    free(slip_diagnostics_text(notes));
    free(set);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return 0;
}
