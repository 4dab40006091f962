/// helper.h: models and truth of Song 2001, as its tests use them.
#ifndef SLIP_TEST_SONG_HELPER_H
#define SLIP_TEST_SONG_HELPER_H

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/analysis.h"
#include "slipstick/slipstick.h"
#include "test.h"

/// models/song/NAME.yaml, or a text with a newline, with overrides "mu=0.2;eps=1e-3".
static inline slip_model *load(const char *name, const char *sets)
{
    char text[400], path[256];
    const char *list[16];
    int count = 0;
    snprintf(text, sizeof text, "%s", sets);
    for (char *word = strtok(text, ";"); word && count < 16; word = strtok(NULL, ";")) list[count++] = word;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status;
    if (strchr(name, '\n')) {
        status = slip_model_read_text("test.yaml", name, strlen(name), list, count, notes, &model);
    } else {
        snprintf(path, sizeof path, "models/song/%.200s.yaml", name);
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

static inline slip_sim *simulate(const slip_model *model, const char *formulation, const char *integrator,
                                 double tolerance, double until)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    const char *const rigid[] = { "lcp", "gauss", "moreau", "auto" }; // these use none
    def.integrator = integrator;
    for (int k = 0; k < 4; k++)
        if (strcmp(formulation, rigid[k]) == 0) def.integrator = NULL;
    def.until = until;
    if (tolerance > 0.0) def.relative = tolerance, def.absolute = 1e-3 * tolerance;
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    slip_status status = slip_sim_create(model, &def, &error, &sim);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    return sim;
}

static inline json_t *truth(const char *name, json_t **root)
{
    json_error_t error;
    *root = json_load_file("test/truth/song/truth.json", 0, &error);
    assert_non_null(*root);
    json_t *one;
    size_t k;
    json_array_foreach(*root, k, one) if (strcmp(json_string_value(json_object_get(one, "name")), name) ==
                                          0) return json_object_get(one, "value");
    fail_msg("no truth called %s", name);
    return NULL;
}

static inline double number(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) fail_msg("no number %s", key);
    return json_number_value(value);
}

/// The analysis at the start of a model.
static inline slip_analysis *look(const slip_model *model, const char *compliance)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = compliance;
    slip_error error = { 0 };
    slip_analysis *a = NULL;
    assert_int_equal(slip_analysis_create(model, &def, &error, &a), SLIP_OK);
    slip_sim *sim = simulate(model, "hunt-crossley", "rk4", 0.0, 1.0);
    double q[3] = { slip_sim_get(sim, "x"), slip_sim_get(sim, "y"), slip_sim_get(sim, "th") };
    double u[3] = { slip_sim_get(sim, "x'"), slip_sim_get(sim, "y'"), slip_sim_get(sim, "th'") };
    slip_sim_destroy(sim);
    slip_status status = slip_analysis_at(a, 0.0, q, u, &error);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    return a;
}

#endif
