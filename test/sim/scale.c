/// scale.c: reading a model and making a simulation of it costs as much per contact for many contacts as for
/// few.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "slipstick/slipstick.h"
#include "test.h"

// masses in a row that touch one another, or one mass that touches many floors: all states are coupled
static char *write_model(int contacts, bool row)
{
    slip_text text = { 0 };
    const int masses = row ? contacts + 1 : 1;
    slip_text_add(&text, "slipstick: 1\nname: many\ncoordinates:\n");
    for (int k = 0; k < masses; k++) slip_text_add(&text, "  x%d: %d\n", k, k + 1);
    slip_text_add(&text, "mass:\n");
    for (int k = 0; k < masses; k++) slip_text_add(&text, "  x%d: 1\n", k);
    slip_text_add(&text, "contacts:\n");
    for (int k = 0; k < contacts; k++)
        slip_text_add(&text, row ? "  c%d: {gap: x%d - x%d - 1}\n" : "  c%d: {gap: x0 + 1e-4*%d}\n", k,
                      row ? k + 1 : k, k);
    return slip_text_take(&text);
}

// processor seconds of the fastest of three
static double cost(const char *text, const char *formulation, const char *integrator)
{
    double least = INFINITY;
    for (int trial = 0; trial < 3; trial++) {
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        slip_sim *sim = NULL;
        slip_error error = { 0 };
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulation, def.integrator = integrator, def.step = 1e-3;
        const clock_t begin = clock();
        assert_int_equal(slip_model_read_text("many.yaml", text, strlen(text), NULL, 0, notes, &model),
                         SLIP_OK);
        if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK)
            fail_msg("%s: %s", formulation, error.text);
        least = fmin(least, (double)(clock() - begin) / CLOCKS_PER_SEC);
        slip_sim_destroy(sim);
        slip_model_destroy(model);
        slip_diagnostics_destroy(notes);
    }
    return least;
}

// four times the contacts: 4 when the cost is linear, 16 when it is quadratic, 64 when it is cubic
static void the_cost_is_that_of_the_contacts(void **unused)
{
    (void)unused;
    static const struct {
        const char *formulation, *integrator;
    } parts[] = { { "dai", "rk4" }, { "kelvin-voigt", "rk4" }, { "modular", "rk4-generalised" } };
    for (int row = 0; row < 2; row++) {
        char *few = write_model(300, row), *many = write_model(1200, row);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            const double ratio = cost(many, parts[k].formulation, parts[k].integrator) /
                                 cost(few, parts[k].formulation, parts[k].integrator);
            if (!(ratio < 10.0)) fail_msg("%s: %.3g times the cost", parts[k].formulation, ratio);
        }
        free(few);
        free(many);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_cost_is_that_of_the_contacts) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
