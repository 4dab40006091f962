/// measure.h: what benchmarks share: clocks (clock.h), and models that are read or end the program.
#ifndef SLIP_BENCH_MEASURE_H
#define SLIP_BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "slipstick/slipstick.h"

/// The model in `text`, or in the file `name` where that is NULL, with an override (may be NULL). Mistakes
/// end the program; files are named from the root of the source tree.
static inline slip_model *bench_model(const char *name, const char *text, const char *set)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    const int sets = set != NULL;
    const slip_status status = text
                                   ? slip_model_read_text(name, text, strlen(text), &set, sets, notes, &model)
                                   : slip_model_read_file(name, &set, sets, notes, &model);
    if (status != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        fprintf(stderr, "%s%s cannot be read%s\n", said ? said : "", name,
                text ? "" : "; run this at the root of the source tree");
        exit(2);
    }
    slip_diagnostics_destroy(notes);
    return model;
}

#endif
