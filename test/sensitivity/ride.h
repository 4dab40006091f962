/// ride.h: a run with derivatives, and quotients of runs without them.
#ifndef SLIP_TEST_TANGENT_RIDE_H
#define SLIP_TEST_TANGENT_RIDE_H

#include <math.h>

#include "models.h"

/// Settings that every run of a test file has.
#define RUN(step, until) "run: {step: " step ", until: " until ", relative: 1e-10, absolute: 1e-12}\n"

/// One run to its end.
typedef struct ride {
    slip_model *model;
    slip_sim *sim;
} ride;

/// `integrator` NULL: that of the formulation; `names` NULL: without derivatives; tolerances 0: of the model.
static inline ride run_with(const char *text, const char *sets, const slip_sim_def *def)
{
    ride r = { .model = read_model("", text, sets, ";") };
    r.sim = make_sim(r.model, def);
    run_to_end(r.sim);
    return r;
}

static inline ride run_by(const char *text, const char *sets, const char *formulation, const char *integrator,
                          const char *names)
{
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.integrator = integrator;
    def.sensitivity = names;
    return run_with(text, sets, &def);
}

static inline ride run(const char *text, const char *sets, const char *formulation, const char *names)
{
    return run_by(text, sets, formulation, NULL, names);
}

static inline void end(ride *r)
{
    slip_sim_destroy(r->sim);
    slip_model_destroy(r->model);
}

static inline double slope(const ride *r, const char *of, const char *to)
{
    const char *why = slip_sim_derivatives_end(r->sim, NULL);
    if (why) print_error("%s\n", why);
    assert_null(why);
    return slip_sim_derivative(r->sim, of, to);
}

/// Central quotients of runs, by two steps and Richardson's rule.
static inline double quotient_by(const char *text, const char *formulation, const char *integrator,
                                 const char *of, const char *to, double value, double small)
{
    double by[2], h = small * value;
    for (int k = 0; k < 2; k++) {
        double at[2];
        for (int s = 0; s < 2; s++) {
            char sets[80];
            snprintf(sets, sizeof sets, "%s=%.17g", to, value + (s ? h : -h) * (k + 1));
            ride r = run_by(text, sets, formulation, integrator, NULL);
            at[s] = slip_sim_get(r.sim, of);
            end(&r);
        }
        by[k] = (at[1] - at[0]) / (2 * h * (k + 1));
    }
    return (4 * by[0] - by[1]) / 3;
}

#endif
