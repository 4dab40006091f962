/// runs.c: the impacts of test/truth/impacts/facts.json as models, under every formulation with impacts:
/// rates right after a start in contact.
#include "models.h"
#include "impact/facts.h"
#include "test.h"

// "1*q0 + 2*q1"
static void put_row(char *text, size_t size, const json_t *row)
{
    size_t at = strlen(text);
    for (size_t k = 0; k < json_array_size(row); k++)
        at += (size_t)snprintf(text + at, size - at, "%s(%.17g)*q%zu", k ? " + " : "", item(row, k), k);
}

static void write_model(const json_t *fact, const char *law, char *text, size_t size)
{
    const json_t *M = json_object_get(fact, "M"), *rows = json_object_get(fact, "rows");
    const size_t d = (size_t)json_integer_value(json_object_get(fact, "d")), n = json_array_size(M);
    size_t at = (size_t)snprintf(text, size, "slipstick: 1\nname: strike\nimpact: %s\ncoordinates:\n", law);
    for (size_t k = 0; k < n; k++)
        at += (size_t)snprintf(text + at, size - at, "  q%zu: {start: 0, rate: %.17g}\n", k,
                               item(json_object_get(fact, "u"), k));
    at += (size_t)snprintf(text + at, size - at, "mass:\n");
    for (size_t i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, size - at, "  - [");
        for (size_t j = 0; j <= i; j++)
            at += (size_t)snprintf(text + at, size - at, "%s%.17g", j ? ", " : "",
                                   item(json_array_get(M, i), j));
        at += (size_t)snprintf(text + at, size - at, "]\n");
    }
    at += (size_t)snprintf(text + at, size - at, "contacts:\n");
    for (size_t k = 0; k < json_array_size(rows) / d; k++) {
        const double mu = item(json_object_get(fact, "mu"), k);
        snprintf(text + at, size - at, "  c%zu:\n    restitution: %.17g\n    gap: ", k,
                 item(json_object_get(fact, "e"), k));
        put_row(text, size, json_array_get(rows, k * d));
        at = strlen(text);
        if (mu > 0.0) {
            snprintf(text + at, size - at, "\n    friction: %.17g\n    slip: %s", mu, d > 2 ? "[" : "");
            for (size_t c = 1; c < d; c++) {
                put_row(text, size, json_array_get(rows, k * d + c));
                at = strlen(text);
                snprintf(text + at, size - at, "%s", c + 1 < d ? ", " : d > 2 ? "]" : "");
            }
        }
        at = strlen(text);
        at += (size_t)snprintf(text + at, size - at, "\n");
    }
}

static double off_by(const double *u, const json_t *expected)
{
    double worst = 0.0;
    for (size_t k = 0; k < json_array_size(expected); k++)
        worst = fmax(worst, fabs(u[k] - item(expected, k)));
    return worst;
}

static double off(const double *u, const json_t *answer)
{
    const json_t *any = json_object_get(answer, "any");
    double worst = INFINITY;
    if (!any) return off_by(u, json_object_get(answer, "u"));
    for (size_t k = 0; k < json_array_size(any); k++)
        worst = fmin(worst, off_by(u, json_array_get(json_array_get(any, k), 0)));
    return worst;
}

// rates after a millionth of a second without forces
static double run(const char *text, const char *formulation, const json_t *answer, size_t n)
{
    slip_model *model = read_model("", text, "", ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.step = def.until = 1e-6;
    slip_sim *sim = make_sim(model, &def);
    double row[64];
    assert_true(slip_sim_column_count(sim) < 64);
    run_to_end(sim);
    slip_sim_columns(sim, row);
    const double by = off(row + 1 + n, answer);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    return by;
}

static void follow(const char *formulation)
{
    size_t k;
    json_t *fact, *answer;
    int wrong = 0, count = 0;
    json_array_foreach(facts, k, fact)
    {
        const char *law;
        json_object_foreach(json_object_get(fact, "laws"), law, answer)
        {
            char text[8000];
            write_model(fact, law, text, sizeof text);
            const double by = run(text, formulation, answer, json_array_size(json_object_get(fact, "M")));
            count++;
            if (by <= 1e-8) continue;
            wrong++;
            print_error("%s by %s under %s is off by %g\n", json_string_value(json_object_get(fact, "name")),
                        law, formulation, by);
        }
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(count, 5 * 259 + 3 * 60 + 2 * 44);
}

static void under_lcp(void **state)
{
    (void)state;
    follow("lcp");
}

static void under_gauss(void **state)
{
    (void)state;
    follow("gauss");
}

static void under_auto(void **state)
{
    (void)state;
    follow("auto");
}

static void under_moreau(void **state)
{
    (void)state;
    follow("moreau");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_lcp),
        cmocka_unit_test(under_gauss),
        cmocka_unit_test(under_auto),
        cmocka_unit_test(under_moreau),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
