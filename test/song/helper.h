/// helper.h: models and truth of Song 2001, as its tests use them.
#ifndef SLIP_TEST_SONG_HELPER_H
#define SLIP_TEST_SONG_HELPER_H

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/analysis.h"
#include "models.h"

/// models/song/NAME.yaml, or a text with a newline, with overrides "mu=0.2;eps=1e-3".
static inline slip_model *load(const char *name, const char *sets)
{
    return read_model("song", name, sets, ";");
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
    return make_sim(model, &def);
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
