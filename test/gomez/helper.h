/// helper.h: models and facts as the tests of the event-driven formulations use them.
#ifndef SLIP_TEST_GOMEZ_HELPER_H
#define SLIP_TEST_GOMEZ_HELPER_H

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "slipstick/slipstick.h"
#include "test.h"

/// Facts by name, from test/truth/gomez/facts.json.
static inline json_t *read_facts(void)
{
    json_error_t error;
    json_t *facts = json_load_file("test/truth/gomez/facts.json", 0, &error);
    if (!facts) print_error("facts.json:%d: %s\n", error.line, error.text);
    assert_non_null(facts);
    return facts;
}

static inline double number(const json_t *from, const char *key)
{
    json_t *value = json_object_get(from, key);
    if (!json_is_number(value)) print_error("no number '%s'\n", key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static inline double item(const json_t *list, size_t k)
{
    return json_number_value(json_array_get(list, k));
}

/// A model from text, or from models/gomez when `text` holds no newline; overrides by "key=value;key=value".
static inline slip_model *load(const char *text, const char *sets)
{
    char copy[512], path[256];
    const char *list[24];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", sets);
    for (char *word = strtok(copy, ";"); word && count < 24; word = strtok(NULL, ";")) list[count++] = word;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status;
    if (strchr(text, '\n')) {
        status = slip_model_read_text("test.yaml", text, strlen(text), list, count, notes, &model);
    } else {
        snprintf(path, sizeof path, "models/gomez/%.200s.yaml", text);
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

static inline slip_sim *simulate(const slip_model *model, const char *formulation, double tolerance,
                                 double until)
{
    slip_sim_def def = slip_default_sim_def();
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    def.formulation = formulation;
    def.relative = def.absolute = tolerance;
    if (until > 0.0) def.until = until;
    slip_status status = slip_sim_create(model, &def, &error, &sim);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    return sim;
}

static inline void run_to_end(slip_sim *sim)
{
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    if (outcome != SLIP_DONE)
        print_error("%s at t = %.17g\n", slip_run_outcome_name(outcome), slip_sim_time(sim));
    assert_int_equal(outcome, SLIP_DONE);
}

/// The journal bearing with any number of points, in the paper's units: masses over m, lengths over l, time
/// times K. Parameters alpha, beta, mu, b (times r_p K); th0 and thd0. Records N1 ... (over m g), ax, ay,
/// ath.
static inline char *journal_text(int points)
{
    size_t size = (size_t)points * 400 + 2000, at = 0;
    char *text = malloc(size);
    assert_non_null(text);
    at += (size_t)snprintf(
        text + at, size - at,
        "slipstick: 1\nname: journal\n"
        "parameters: {alpha: 0.9517307296129708, beta: 0.1574544743604067, mu: 0.1, b: 0, th0: 0, thd0: 0}\n"
        "define:\n  cx: x - cos(th)\n  cy: y - sin(th)\n"
        "coordinates:\n  x: {start: cos(th0), rate: -sin(th0)*thd0}\n"
        "  y: {start: sin(th0), rate: cos(th0)*thd0}\n  th: {start: th0, rate: thd0}\n"
        "energy: {kinetic: 0.5/(1+alpha)*(x'^2 + y'^2 + alpha*th'^2), potential: y}\ncontacts:\n");
    for (int k = 0; k < points; k++) {
        double d = 2 * 3.14159265358979323846 * k / points;
        at += (size_t)snprintf(
            text + at, size - at,
            "  p%d: {gap: -cx*cos(th + %.17g) - cy*sin(th + %.17g) - (cx^2 + cy^2)/(2*beta), slip': "
            "beta*th' - sin(th + %.17g)*(x' + sin(th)*th') + cos(th + %.17g)*(y' - cos(th)*th'), "
            "friction: mu + b*abs(th')}\n",
            k + 1, d, d, d, d);
    }
    at += (size_t)snprintf(text + at, size - at, "record:\n");
    for (int k = 0; k < points; k++)
        at += (size_t)snprintf(text + at, size - at, "  N%d: p%d.normal\n", k + 1, k + 1);
    assert_true(at < size - 1);
    return text;
}

#endif
