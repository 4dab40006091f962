/// helper.h: models as the tests of Kikuuwe 2008 use them.
#ifndef SLIP_TEST_KIKUUWE_HELPER_H
#define SLIP_TEST_KIKUUWE_HELPER_H

#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

/// A model from a file of models/kikuuwe ("sphere") with overrides "mu=0.2 K=1e6", or from text
/// when `name` holds a newline.
static inline slip_model *load_model(const char *name, const char *sets)
{
    char text[256], path[256];
    const char *list[16];
    int count = 0;
    snprintf(text, sizeof text, "%s", sets);
    for (char *word = strtok(text, " "); word && count < 16; word = strtok(NULL, " ")) list[count++] = word;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status;
    if (strchr(name, '\n')) {
        status = slip_model_read_text("test.yaml", name, strlen(name), list, count, notes, &model);
    } else {
        snprintf(path, sizeof path, "models/kikuuwe/%.200s.yaml", name);
        status = slip_model_read_file(path, list, count, notes, &model);
    }
    if (status != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s\n", said);
        free(said);
    }
    slip_diagnostics_destroy(notes);
    assert_int_equal(status, SLIP_OK);
    return model;
}

static inline slip_sim *make_sim(const slip_model *model, const slip_sim_def *def)
{
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    slip_status status = slip_sim_create(model, def, &error, &sim);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    return sim;
}

static inline void step_to(slip_sim *sim, long number)
{
    slip_run_outcome outcome = SLIP_RUNNING;
    while (slip_sim_steps(sim) < number && outcome == SLIP_RUNNING) outcome = slip_sim_step(sim);
    assert_int_equal(slip_sim_steps(sim), number);
}

static inline void step_until(slip_sim *sim, double t)
{
    while (slip_sim_time(sim) < t) assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
}

/// Steps of a run of `until`, to its end.
static inline void run_to_end(slip_sim *sim)
{
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    assert_int_equal(outcome, SLIP_DONE);
}

#endif
