/// store.c: whatever the store of a sweep holds, a sweep that is resumed from it is refused with a reason or completed: no
/// crash, no leak, no hang.
///
/// The input is a list of changes of a store that is right (edits.h); the checksums of records are made right again,
/// so that the reader of records sees the changes.
#define _GNU_SOURCE // mkdtemp
#include <stdio.h>
#include <unistd.h>

#include "base/checksum.h"
#include "edits.h"
#include "slipstick/slipstick.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RUNS = 5 };

static const char ball[] =
    "slipstick: 1\nname: Ball\nparameters: {e: 0.5}\ncoordinates: {y: 0.2}\nmass: {y: 1}\n"
    "forces: {y: -9.81}\ncontacts: {floor: {gap: y, restitution: e}}\nrun: {until: 0.3}\n";

static slip_model *model;
static char folder[] = "/tmp/slipstick-fuzz-XXXXXX", path[64];
static char right[1 << 16];
static size_t right_size;

static slip_status sweep(bool resume)
{
    double e[RUNS];
    slip_error error = { 0 };
    slip_sweep *s = NULL;
    for (int k = 0; k < RUNS; k++) e[k] = 0.1 * k;
    slip_sweep_axis axis = { "e", e, RUNS };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = &axis, def.axis_count = 1, def.strobe = 0.1;
    def.sim.formulation = "lcp", def.companion = false, def.threads = 1;
    def.directory = folder, def.resume = resume;
    const slip_status status = slip_sweep_run(&def, &error, &s);
    if (status != SLIP_OK && !error.text[0]) abort(); // a refusal has a reason
    if (s) free(slip_sweep_json(s));
    slip_sweep_destroy(s);
    return status;
}

static void prepare(void)
{
    slip_diagnostics *const notes = slip_diagnostics_create();
    if (slip_model_read_text("fuzz.yaml", ball, strlen(ball), NULL, 0, notes, &model) != SLIP_OK) abort();
    slip_diagnostics_destroy(notes);
    if (!mkdtemp(folder)) perror(folder), abort();
    snprintf(path, sizeof path, "%s/sweep.store", folder);
    if (sweep(false) != SLIP_OK) abort();
    FILE *const file = fopen(path, "rb");
    right_size = file ? fread(right, 1, sizeof right, file) : 0;
    if (right_size == 0 || right_size == sizeof right) abort();
    fclose(file);
}

// mark, number of bytes, checksum, bytes: as in study/sweep/run_store.c
static void sign(char *text, size_t size)
{
    const char *const head = strstr(text, "\n\n");
    size_t at = head ? (size_t)(head - text) + 2 : size;
    while (at + 16 <= size) {
        uint32_t count;
        memcpy(&count, text + at + 4, sizeof count);
        if (count > size - at - 16) return;
        const uint64_t sum = slip_checksum(SLIP_CHECKSUM, text + at + 16, count);
        memcpy(text + at + 8, &sum, sizeof sum);
        at += 16 + count;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!model) prepare();
    size_t length = right_size;
    char *const text = edited(right, &length, data, size);
    sign(text, length);
    FILE *const file = fopen(path, "wb");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file) != 0) perror(path), abort();
    free(text);
    sweep(true);
    return 0;
}
