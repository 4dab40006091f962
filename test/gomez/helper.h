/// helper.h: models and facts as the tests of the event-driven formulations use them.
#ifndef SLIP_TEST_GOMEZ_HELPER_H
#define SLIP_TEST_GOMEZ_HELPER_H

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"

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
    return read_model("gomez", text, sets, ";");
}

static inline slip_sim *simulate(const slip_model *model, const char *formulation, double tolerance,
                                 double until)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.relative = def.absolute = tolerance;
    if (until > 0.0) def.until = until;
    return make_sim(model, &def);
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
