/// kinks.c: gaps, frictions and forces that bend or jump, and conditions that lead nowhere.
#include "helper.h"

// a particle slides at 3 m/s into a ramp of angle a at x = 2, without restitution: what is left is v cos a
// along it
static void into_a_ramp(void **state)
{
    (void)state;
    const double a = 0.3, v = 3 * cos(a), t = 1.0 - 2.0 / 3, way = v * t - 0.5 * 10 * sin(a) * t * t;
    const known_end cases[] = {
        { HEAD "coordinates: {x: {rate: 3}, y: 0}\n" PLANE
               "contacts: {floor: {gap: 'y - max(0, tan(0.3)*(x - 2))'}}\nrun: {until: 1}\n",
          "x", 2 + way * cos(a), 1e-9 },
        // the other way round it takes off: x' stays, y falls freely
        { HEAD "coordinates: {x: {rate: 3}, y: 0}\n" PLANE
               "contacts: {floor: {gap: 'y + max(0, tan(1.2)*(x - 2))'}}\nrun: {until: 1}\n",
          "y", -5 / 9.0, 1e-9 },
        // a stair down: it falls 0.2 m in 0.2 s and lies on the lower floor
        { HEAD "coordinates: {x: {rate: 1}, y: 0}\n" PLANE
               "contacts: {floor: {gap: 'y + if(x > 0.5, 0.2, 0)'}}\nrun: {until: 0.6}\n",
          "y", -0.05, 1e-9 },
        { HEAD "coordinates: {x: {rate: 1}, y: 0}\n" PLANE
               "contacts: {floor: {gap: 'y + if(x > 0.5, 0.2, 0)'}}\nrun: {until: 1}\n",
          "y", -0.2, 1e-12 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

// over the end of a box: nothing holds a corner that has gone past it
static void over_an_edge(void **state)
{
    (void)state;
    const known_end cases[] = {
        { HEAD "gravity: 10\nbodies:\n  ground: {shape: {box: [2, 0.2], at: [-1, -0.1]}}\n"
               "  box: {mass: 1, inertia: 0.1, x: {start: -0.25, rate: 1}, y: {start: 0.05}, shape: {box: "
               "[0.2, 0.1]}}\n"
               "contacts: {edge: {between: [box, ground]}}\nrun: {until: 0.24}\n",
          "box.x", -0.01, 1e-6 },
        { HEAD "gravity: 10\nbodies:\n  ground: {shape: {box: [2, 0.2], at: [-1, -0.1]}}\n"
               "  disc: {mass: 1, inertia: 1e-3, x: {start: -0.3, rate: 3}, y: {start: 0.02}, shape: "
               "{circle: 0.02}}\n"
               "contacts: {edge: {between: [disc, ground]}}\nrun: {until: 0.3}\n",
          "disc.y", 0.02 - 5 * 0.04, 1e-9 },
        { HEAD "gravity: 10\nbodies:\n  ground: {shape: {segment: [[-2, 0], [0, 0]]}}\n"
               "  disc: {mass: 1, inertia: 1e-3, x: {start: -0.3, rate: 3}, y: {start: 0.02}, shape: "
               "{circle: 0.02}}\n"
               "contacts: {edge: {between: [disc, ground]}}\nrun: {until: 0.3}\n",
          "disc.y", 0.02 - 5 * 0.04, 1e-9 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

// springs that begin, saturate and stop: pieces of harmonic motion
static void forces_in_pieces(void **state)
{
    (void)state;
    // 1 kg at 1 m/s between springs of 100 N/m that begin at 0.5 m: 0.5 s, half a period, 1 s back, the other
    // one
    const double half = 0.1 * 3.14159265358979323846, in = 2 - 0.5 - half - 1;
    const known_end cases[] = {
        { HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\n"
               "forces: {x: '-100*max(0, x - 0.5) + 100*max(0, -0.5 - x)'}\nrun: {until: 2}\n",
          "x", -0.5 - 0.1 * sin(10 * in), 1e-6 },
        // a constant force up to where the spring is stiff: x = 1 - t^2/4 until x = 0.05
        { HEAD "coordinates: {x: 1}\nmass: {x: 1}\nforces: {x: '-sat(0.5, 10*x)'}\nrun: {until: 1.5}\n", "x",
          1 - 0.25 * 2.25, 1e-9 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

// friction written as a formula cannot hold; the run says so, where, and ends
static void conditions_that_lead_nowhere(void **state)
{
    (void)state;
    slip_model *model = read_model(
        "", HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\nforces: {x: \"-2*sign(x')\"}\nrun: {until: 2}\n",
        "", ";");
    for (int f = 0; f < 3; f++) {
        slip_sim *sim = event_sim(model, event_driven[f]);
        slip_run_info info;
        assert_int_equal(slip_run(sim, NULL, &info, NULL), SLIP_OK);
        assert_int_equal(info.outcome, SLIP_UNSOLVED);
        assert_non_null(strstr(info.text, "test.yaml:5"));
        assert_near(slip_sim_time(sim), 0.5, 1e-9);
        assert_near(slip_sim_get(sim, "x"), 0.25, 1e-9);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(into_a_ramp),
        cmocka_unit_test(over_an_edge),
        cmocka_unit_test(forces_in_pieces),
        cmocka_unit_test(conditions_that_lead_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
