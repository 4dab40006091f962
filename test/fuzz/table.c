/// table.c: whatever a file of numbers holds, reading it as a table, as an input, as data of `fit` or as the signal of an
/// encoder gives numbers or a reason.
#define _GNU_SOURCE // mkdtemp
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slipstick/slipstick.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model[] =
    "slipstick: 1\nname: Cart\ncoordinates: {x: 0}\nmass: {x: 1}\n"
    "tables: {pull: {file: fuzz.csv, columns: [t, a]}}\ninputs: {push: {file: fuzz.csv, column: a}}\n"
    "forces: {x: \"push + pull(x)\"}\nrun: {until: 1, step: 0.1}\n";

static char folder[] = "/tmp/slipstick-fuzz-XXXXXX", name[64], path[64];

static void read_model(void)
{
    slip_diagnostics *const notes = slip_diagnostics_create();
    slip_model *m = NULL;
    const slip_status status = slip_model_read_text(name, model, strlen(model), NULL, 0, notes, &m);
    if ((status == SLIP_OK) != (m != NULL)) abort();
    if (m) {
        slip_sim_def def = slip_default_sim_def();
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        if (slip_sim_create(m, &def, &error, &sim) != SLIP_OK && !error.text[0]) abort();
        for (int k = 0; sim && k < 5 && slip_sim_step(sim) == SLIP_RUNNING; k++) continue;
        slip_sim_destroy(sim);
    }
    slip_model_destroy(m);
    slip_diagnostics_destroy(notes);
}

static void read_signal(void)
{
    slip_error error = { 0 };
    slip_encoder_angle angle = { 0 };
    const slip_status status = slip_encoder_decode_file(path, 1000.0, 0.01, &error, &angle);
    if (status != SLIP_OK && !error.text[0]) abort();
    if (status == SLIP_OK) free(slip_encoder_angle_json(&angle));
    slip_encoder_angle_destroy(&angle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!path[0]) {
        if (!mkdtemp(folder)) perror(folder), abort();
        snprintf(path, sizeof path, "%s/fuzz.csv", folder);
        snprintf(name, sizeof name, "%s/fuzz.yaml", folder);
    }
    FILE *const file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) perror(path), abort();
    read_model();
    read_signal();
    return 0;
}
