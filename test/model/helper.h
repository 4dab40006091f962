/// helper.h: reading a model from a string, and what was said about it.
#ifndef SLIP_TEST_MODEL_HELPER_H
#define SLIP_TEST_MODEL_HELPER_H

#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "test.h"

/// Reads `text` as file "m.yaml"; *said is all that was said, to be released with free(). NULL when
/// the model is not valid.
static inline slip_model *read_saying(const char *text, const char *const *sets, int count, char **said,
                                      slip_status *status)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status ended = slip_model_read_text("m.yaml", text, strlen(text), sets, count, notes, &model);
    *said = slip_diagnostics_text(notes);
    assert_int_equal(ended == SLIP_OK, model != NULL);
    assert_int_equal(ended == SLIP_OK, slip_diagnostics_error_count(notes) == 0);
    slip_diagnostics_destroy(notes);
    if (status) *status = ended;
    return model;
}

/// A model that must be read without a word.
static inline slip_model *read_quietly(const char *text, const char *const *sets, int count)
{
    char *said;
    slip_model *model = read_saying(text, sets, count, &said, NULL);
    assert_string_equal(said, "");
    free(said);
    assert_non_null(model);
    return model;
}

/// A file as text, to be released with free().
static inline char *read_whole(const char *path)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    slip_text text = { 0 };
    for (int c; (c = fgetc(stream)) != EOF;) slip_text_bytes(&text, &(char){ (char)c }, 1);
    fclose(stream);
    return slip_text_take(&text);
}

/// The value of an expression when input k has the value inputs[k], for the first `count` of them; others are
/// 0.
static inline double value_of(const slip_model *model, slip_ref ref, const double *inputs, int count)
{
    assert_true(ref != SLIP_NONE && count <= slip_graph_input_count(model->graph));
    slip_tape *tape = slip_tape_create(model->graph, &ref, 1);
    double *registers = calloc((size_t)slip_tape_registers(tape), sizeof *registers);
    slip_tape_start(tape, registers);
    for (int k = 0; k < slip_graph_input_count(model->graph); k++) registers[k] = k < count ? inputs[k] : 0.0;
    slip_tape_run(tape, registers);
    double value = registers[slip_tape_result(tape, 0)];
    free(registers);
    slip_tape_destroy(tape);
    return value;
}

/// The same for an array.
#define value_at(model, ref, inputs) value_of(model, ref, inputs, (int)(sizeof(inputs) / sizeof *(inputs)))

#endif
