/// helper.h: models under every event-driven formulation, against closed forms.
#ifndef SLIP_TEST_EVENT_HELPER_H
#define SLIP_TEST_EVENT_HELPER_H

#include <math.h>

#include "models.h"

static const char *const event_driven[] = { "lcp", "gauss", "auto" };

/// A model, one of its columns and what that is at the end.
typedef struct known_end {
    const char *text, *column;
    double value, tolerance;
} known_end;

#define HEAD  "slipstick: 1\nname: test\n"
#define PLANE "energy: {kinetic: \"0.5*(x'^2 + y'^2)\", potential: 10*y}\n"

static inline slip_sim *event_sim(const slip_model *model, const char *formulation)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    return make_sim(model, &def);
}

/// Every model under every formulation, without a warning.
static inline void ends_as_known(const known_end *cases, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        slip_model *model = read_model("", cases[k].text, "", ";");
        for (int f = 0; f < 3; f++) {
            slip_sim *sim = event_sim(model, event_driven[f]);
            run_to_end(sim);
            double got = slip_sim_get(sim, cases[k].column);
            if (!(fabs(got - cases[k].value) <= cases[k].tolerance))
                print_error("%s under %s\n", cases[k].text, event_driven[f]);
            assert_near(got, cases[k].value, cases[k].tolerance);
            if (slip_sim_warning(sim, 0)) print_error("%s\n", slip_sim_warning(sim, 0));
            assert_null(slip_sim_warning(sim, 0));
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

#endif
