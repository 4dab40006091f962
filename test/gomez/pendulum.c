/// pendulum.c: the pendulum in a journal bearing, and with an empirical friction, as in the paper.
#include "gomez/helper.h"

/// Turns and stops of one element, as a run tells them.
typedef struct turns {
    const char *element;
    slip_sim *sim;
    int count;
    double t[64], th[64], stop;
} turns;

static void on_event(void *context, const slip_event *event)
{
    turns *seen = context;
    if (strcmp(event->element, seen->element) != 0) return;
    if (event->kind == SLIP_EVENT_STICK) seen->stop = event->t;
    bool turn = event->kind == SLIP_EVENT_STICK || (event->kind == SLIP_EVENT_SLIDE && event->text[0]);
    if (!turn || seen->count >= 64) return;
    seen->t[seen->count] = event->t;
    seen->th[seen->count++] = slip_sim_get(seen->sim, "th");
}

static turns swing(const slip_model *model, const char *formulation, const char *element, double tolerance,
                   double until)
{
    turns seen = { .element = element, .stop = NAN };
    seen.sim = simulate(model, formulation, tolerance, until);
    slip_sim_on_event(seen.sim, on_event, &seen);
    run_to_end(seen.sim);
    return seen;
}

static const json_t *parameters_of(const json_t *facts, const char *material, int washers)
{
    json_t *one;
    size_t k;
    json_array_foreach(json_object_get(facts, "parameters"), k,
                       one) if (strcmp(json_string_value(json_object_get(one, "material")), material) == 0 &&
                                (int)number(one, "washers") == washers) return one;
    fail();
    return NULL;
}

// the pendulum in the paper's units: b times r_p K; times are over K
static slip_model *pendulum(const json_t *facts, const json_t *run, int points, double *K)
{
    const json_t *p = parameters_of(facts, json_string_value(json_object_get(run, "material")),
                                    (int)number(run, "washers"));
    char sets[200], *text = journal_text(points);
    *K = number(p, "K");
    snprintf(sets, sizeof sets, "alpha=%.17g;beta=%.17g;mu=%.17g;b=%.17g", number(p, "alpha"),
             number(p, "beta"), number(run, "mu"), number(run, "b") * 0.01 * *K);
    slip_model *model = load(text, sets);
    free(text);
    return model;
}

static void pendulum_trajectories(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *run;
    size_t k;
    json_array_foreach(json_object_get(facts, "trajectories"), k, run)
    {
        const char *name;
        json_t *known;
        json_object_foreach(json_object_get(run, "points"), name, known)
        {
            int points = atoi(name);
            if (points > 16 && k > 0) continue; // 32 points once
            double K;
            slip_model *model = pendulum(facts, run, points, &K);
            json_t *list = json_object_get(known, "turns"), *stop = json_object_get(known, "stop");
            bool whole = points == 16 && json_is_array(stop);
            double last =
                whole ? item(stop, 0) + 0.3 : item(json_array_get(list, json_array_size(list) - 1), 0) + 0.05;
            turns seen = swing(model, "gauss", "p1", 1e-9, K * last);
            for (size_t j = 0; j < json_array_size(list); j++) {
                json_t *turn = json_array_get(list, j);
                assert_near(seen.t[j] / K, item(turn, 0), 2e-6);
                assert_near(seen.th[j], item(turn, 1), 2e-6 + 1e-6 * fabs(item(turn, 1)));
            }
            if (whole) {
                assert_near(seen.stop / K, item(stop, 0), 2e-6 + 1e-6 * item(stop, 0));
                assert_near(slip_sim_get(seen.sim, "th"), item(stop, 1), 4e-6);
                assert_int_equal(seen.count, (int)number(known, "n_turns"));
            }
            slip_sim_destroy(seen.sim);
            slip_model_destroy(model);
        }
    }
    json_decref(facts);
}

// the shipped model, in SI units, recorded at given times
static void the_shipped_pendulum(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *run = json_array_get(json_object_get(facts, "trajectories"), 0);
    json_t *known = json_object_get(json_object_get(json_object_get(run, "points"), "16"), "theta");
    slip_model *model = load("journal-pendulum", "");
    for (size_t k = 0; k < json_array_size(known); k++) {
        slip_sim *sim = simulate(model, "gauss", 1e-9, item(json_object_get(run, "t"), k));
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "th"), item(known, k), 3e-6);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
    json_decref(facts);
}

static void more_points_approach_the_friction_circle(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one = json_array_get(json_object_get(facts, "refinement"), 2);
    json_t *run = json_pack("{s:s,s:i,s:f,s:f}", "material", "brass", "washers", 2, "mu", 0.2, "b", 0.0);
    double turn[3], K;
    const int points[] = { 8, 16, 32 };
    for (int k = 0; k < 3; k++) {
        slip_model *model = pendulum(facts, run, points[k], &K);
        turns seen = swing(model, "gauss", "p1", 1e-8, 19.0);
        assert_true(seen.count >= 5);
        turn[k] = seen.th[4];
        slip_sim_destroy(seen.sim);
        slip_model_destroy(model);
    }
    // the differences of the errors, signed the same way
    json_t *error = json_object_get(one, "err_turn5");
    double coarse = number(error, "8") - number(error, "16"),
           fine = number(error, "16") - number(error, "32");
    assert_near(fabs(turn[0] - turn[1]), coarse, 0.02 * coarse + 1e-6);
    assert_near(fabs(turn[1] - turn[2]), fine, 0.02 * fine + 1e-6);
    json_decref(run);
    json_decref(facts);
}

static void the_empirical_pendulum(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *all = json_object_get(facts, "empirical"), *known;
    const char *name;
    const char *formulations[] = { "lcp", "gauss" };
    json_object_foreach(all, name, known)
    {
        double mu, b;
        if (sscanf(name, "mu=%lf b=%lf", &mu, &b) != 2) continue;
        char sets[80];
        snprintf(sets, sizeof sets, "mu=%.17g;b=%.17g", mu, b);
        slip_model *model = load("pendulum-empirical", sets);
        for (int f = 0; f < 2; f++) {
            turns seen = swing(model, formulations[f], "pivot", 1e-10, 3.3);
            json_t *list = json_object_get(known, "turns");
            for (size_t j = 0; j < json_array_size(list); j++) {
                json_t *turn = json_array_get(list, j);
                if (item(turn, 0) > 3.2) break;
                assert_near(seen.t[j], item(turn, 0), 1e-6 + 1e-6 * item(turn, 0));
                assert_near(seen.th[j], item(turn, 1), 1e-6 + 1e-6 * fabs(item(turn, 1)));
            }
            slip_sim_destroy(seen.sim);
        }
        slip_model_destroy(model);
    }
    // sin(th) = mu th at the first turn
    slip_model *model = load("pendulum-empirical", "mu=0.03;b=0");
    turns seen = swing(model, "lcp", "pivot", 1e-12, 0.5);
    assert_near(seen.th[0], -3.0499655317459826, 1e-9);
    slip_sim_destroy(seen.sim);
    slip_model_destroy(model);
    json_decref(facts);
}

// the fastest point of the first swing comes before the vertical (the text says after)
static void the_fastest_angle(void **state)
{
    (void)state;
    json_t *facts = read_facts();
    slip_model *model = load("journal-pendulum", "");
    slip_sim *sim = simulate(model, "gauss", 1e-11, 0.4);
    double th0 = 0, v0 = 0, v1 = 0, th1 = 0, best = NAN;
    while (slip_sim_step(sim) ==
           SLIP_RUNNING) { // th'' from neighbouring steps would be crude; use a parabola
        double th = slip_sim_get(sim, "th"), v = -slip_sim_get(sim, "th'");
        if (v1 > v0 && v1 > v && isnan(best)) {
            double d0 = (v1 - v0) / (th1 - th0), d1 = (v - v1) / (th - th1), c = (d1 - d0) / (th - th0);
            best = 0.5 * (th0 + th1) - d0 / (2 * c);
        }
        th0 = th1, v0 = v1, th1 = th, v1 = v;
    }
    assert_near(best, json_number_value(json_object_get(facts, "fastest")), 1e-4);
    assert_true(best > -1.5707963);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    json_decref(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_trajectories),
        cmocka_unit_test(the_shipped_pendulum),
        cmocka_unit_test(more_points_approach_the_friction_circle),
        cmocka_unit_test(the_empirical_pendulum),
        cmocka_unit_test(the_fastest_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
