/// models.h: reading models and running simulations in tests; what goes wrong is printed and fails the test.
#ifndef SLIP_TEST_MODELS_H
#define SLIP_TEST_MODELS_H

#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

/// models/FOLDER/NAME.yaml, or the text itself when `name` holds a newline, with overrides separated by
/// any of `separators`: "mu=0.2;eps=1e-3".
static inline slip_model *read_model(const char *folder, const char *name, const char *sets,
                                     const char *separators)
{
    char text[512], path[256];
    const char *list[24];
    int count = 0;
    snprintf(text, sizeof text, "%s", sets);
    for (char *word = strtok(text, separators); word && count < 24; word = strtok(NULL, separators))
        list[count++] = word;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status;
    if (strchr(name, '\n')) {
        status = slip_model_read_text("test.yaml", name, strlen(name), list, count, notes, &model);
    } else {
        snprintf(path, sizeof path, "models/%.40s/%.200s.yaml", folder, name);
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

/// To the end of the run.
static inline void run_to_end(slip_sim *sim)
{
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    if (outcome != SLIP_DONE)
        print_error("%s at t = %.17g\n", slip_run_outcome_name(outcome), slip_sim_time(sim));
    assert_int_equal(outcome, SLIP_DONE);
}

/// To where the run cannot go on: how it ended.
static inline slip_run_outcome run_to_failure(slip_sim *sim)
{
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    assert_int_not_equal(outcome, SLIP_DONE);
    return outcome;
}

#endif
