/// sides.c: conditions and kinks have the side of their argument behind every event.
#include "formulation/event_driven/event_driven.h"

#include "helper.h"
#include "simulation/sim/sim.h"

// constant accelerations in turn, whatever made the argument of a condition jump
static void whatever_makes_it_jump(void **state)
{
    (void)state;
    const known_end cases[] = {
        // an impact: 1 m down with 10, up again from sqrt(20)/2 with 20 for 0.1 s
        { HEAD "coordinates: {y: 1}\nmass: {y: 1}\nforces: {y: \"if(y' > 0, -20, -10)\"}\n"
               "contacts: {floor: {gap: y, restitution: 0.5}}\nrun: {until: 0.5472135954999579}\n",
          "y", 0.05 * sqrt(20) - 0.1, 1e-9 },
        // the impact of another body: the cart is pushed while the ball rises
        { HEAD "coordinates: {x: 0, y: 0.2}\nmass: {x: 1, y: 1}\n"
               "forces: {x: \"3*max(sign(y'), 0)\", y: -10}\n"
               "contacts: {floor: {gap: y, restitution: 1}}\nrun: {until: 0.4}\n",
          "x", 0.06, 1e-9 },
        // an event of the model, and the impact that it brings about: dropped at 0.5 s from 0.2 m
        { HEAD "coordinates: {x: 0, y: {start: 2, rate: 0}}\nmass: {x: 1, y: 1}\n"
               "forces: {x: \"if(abs(y') < 0.1, 1, 0)\", y: \"-10*if(t > 0.5, 1, 0)\"}\n"
               "when: {down: {condition: t > 0.5, set: {y: 0.2}}}\n"
               "contacts: {floor: {gap: y}}\nrun: {until: 1}\n",
          // 0.5 s at 1, a drop of 0.2 s of which the first 0.01 s count, 0.3 s at rest
          "x", 0.125 + 0.5 * 0.01 + 0.5 * 1e-4 + 0.51 * 0.49 + 0.5 * 0.3 * 0.3, 1e-9 },
        // a condition inside it: a step of a table, a floor, a sign, a mode of the time
        { HEAD "tables: {gear: {x: [0, 0.3, 0.6], y: [1, 3, 2], interpolation: step}}\n"
               "coordinates: {x: {rate: 1}}\nmass: {x: 1}\n"
               "forces: {x: \"if(gear(x) >= 3, 2, 0)\"}\nrun: {until: 1}\n",
          "x", 0.6 + sqrt(2.2) * (0.7 - 0.5 * (sqrt(2.2) - 1)), 1e-9 },
        { HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\n"
               "forces: {x: \"min(floor(2*x), 1)*4\"}\nrun: {until: 1}\n",
          "x", 0.5 + 0.5 + 0.5, 1e-9 },
        { HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\n"
               "forces: {x: \"if(floor(10*t) + floor(10*x) >= 8, 6, 0)\"}\nrun: {until: 1}\n",
          "x", 1.0 + 3.0 * 0.36, 1e-9 },
        // three deep
        { HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\n"
               "forces: {x: \"4*max(sign(floor(4*x) - 1.5) + sign(x - 0.75), 0)\"}\nrun: {until: 1}\n",
          "x", 0.75 + 0.25 + 4.0 * 0.0625, 1e-9 },
        // a floor whose step is turned round in, a little behind its end
        { HEAD "coordinates: {x: {start: 0.9, rate: 0.4}}\nmass: {x: 1}\n"
               "forces: {x: \"-0.5 - 0.25*floor(x)\"}\nrun: {until: 1}\n",
          "x", 0, 0 },
    };
    enum { CASES = sizeof cases / sizeof *cases };
    known_end list[CASES];
    memcpy(list, cases, sizeof cases);
    // 0.9 to 1 at -0.5: v^2 = 0.16 - 0.1; to the turn and back to 1 at -0.75; then at -0.5 again
    const double v = sqrt(0.06), t = (0.4 - v) / 0.5 + 2.0 * v / 0.75, rest = 1.0 - t;
    list[CASES - 1].value = 1.0 - v * rest - 0.25 * rest * rest;
    list[CASES - 1].tolerance = 1e-9;
    ends_as_known(list, CASES);
}

// A step that ends with a condition on the wrong side is settled there, and the run says so
static void a_wrong_side_is_seen(void **state)
{
    (void)state;
    slip_model *model =
        read_model("",
                   HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\nforces: {x: \"if(x > 0.5, 2, 0)\"}\n"
                        "run: {until: 2}\n",
                   "", ";");
    slip_sim *sim = event_sim(model, "lcp");
    step_until(sim, 0.1);
    slip_event_driven *m = slip_event_driven_of(sim->method);
    assert_int_equal(m->switches, 1);
    assert_null(slip_sim_warning(sim, 0));
    const double right = m->side[0];
    slip_event_set_side(m, 0, -right);
    m->fresh = m->ahead.made = false;
    assert_int_equal(slip_sim_step(sim), SLIP_RUNNING);
    assert_true(m->side[0] == right);
    assert_non_null(slip_sim_warning(sim, 0));
    assert_non_null(strstr(slip_sim_warning(sim, 0), "does not have the side"));
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// At rest friction would have to hold more than its limit, and any slip makes it enough: it stays at rest,
// and what the condition is there is open. A force that ends as soon as it has set something moving is the
// same
static void a_contradiction_is_said(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\nforces: {x: \"-1 + 0.5*if(x' < 0, 1, 0)\"}\n"
             "frictions: {f: {slip: x, limit: 0.75}}\nrun: {until: 2}\n",
        HEAD "coordinates: {x: 2/7}\nmass: {x: 1}\nforces: {x: \"if(x' > 0, 0, 1)\"}\nrun: {until: 1}\n",
    };
    for (int k = 0; k < 2; k++) {
        slip_model *model = read_model("", texts[k], "", ";");
        for (int f = 0; f < 3; f++) {
            slip_sim *sim = event_sim(model, event_driven[f]);
            run_to_end(sim);
            assert_near(slip_sim_get(sim, "x"), 2.0 / 7, 1e-9);
            assert_non_null(slip_sim_warning(sim, 0));
            assert_non_null(strstr(slip_sim_warning(sim, 0), "contradicts itself"));
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

// the same of a floor, which is held at one number or the other: neither goes on
static void one_without_an_end_too(void **state)
{
    (void)state;
    slip_model *model = read_model("",
                                   HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\n"
                                        "forces: {x: \"-1 - 0.5*floor(x')\"}\n"
                                        "frictions: {f: {slip: x, limit: 0.75}}\nrun: {until: 2}\n",
                                   "", ";");
    for (int f = 0; f < 3; f++) {
        slip_sim *sim = event_sim(model, event_driven[f]);
        assert_int_equal(run_to_failure(sim), SLIP_UNSOLVED);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_makes_it_jump),
        cmocka_unit_test(a_wrong_side_is_seen),
        cmocka_unit_test(a_contradiction_is_said),
        cmocka_unit_test(one_without_an_end_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
