/// passing.c: nothing is stepped over, however quiet the motion is before and after it.
#include "helper.h"
#include "simulation/sim/sim.h"

#define PUSHED  HEAD "coordinates: {x: 0}\nmass: {x: 2}\n"
#define AT_REST HEAD "coordinates: {x: 0}\nmass: {x: 1}\n"

// impulses J of pushes that last a hundred-thousandth to a thousandth of the run: x(T) = J/m (T - t0)
static void short_pushes(void **state)
{
    (void)state;
    const known_end cases[] = {
        { PUSHED "forces: {x: 'if(t > 0.3333 and t < 0.33333, 1e5, 0)'}\nrun: {until: 3}\n", "x",
          1e5 * 3e-5 / 2 * (3 - 0.333315), 1e-6 },
        { PUSHED "forces: {x: '1000*exp(-((t - 1.234)/1e-3)^2)'}\nrun: {until: 10}\n", "x",
          1000 * 1e-3 * 1.7724538509055160 / 2 * (10 - 1.234), 1e-4 },
        { PUSHED "forces: {x: '20*max(0, 1 - abs(t - 6.2)/0.002)'}\nrun: {until: 10}\n", "x'", 20 * 0.002 / 2,
          1e-9 },
        { PUSHED "forces: {x: 'if(t - floor(t) < 0.01, 10, 0)'}\nrun: {until: 10}\n", "x'",
          10 * 10 * 0.01 / 2, 1e-9 },
        { PUSHED "forces: {x: '5*max(0, sin(40*pi*t))^2*if(t > 4.99, 1, 0)'}\nrun: {until: 6}\n", "x'",
          5 * 1.0 / 4 / 2 + 5 * 0.005 / 2, 0.02 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

// what sticks breaks loose for a moment: v = a w, then it slides v^2/(2 d) under the deceleration d
static void short_slips(void **state)
{
    (void)state;
    const known_end cases[] = {
        // 20 N for 10 ms against 5 N
        { AT_REST "forces: {x: 'if(t > 7.7 and t < 7.71, 20, 0)'}\nfrictions: {f: {slip: x, limit: 5}}\nrun: "
                  "{until: 10}\n",
          "x", 0.5 * 15 * 1e-4 + 0.15 * 0.15 / 10, 1e-9 },
        // a limit that gives way for 10 ms: 4 N against 3 N, then against 5 N
        { AT_REST "forces: {x: 4}\nfrictions: {f: {slip: x, limit: 'if(abs(t - 2.505) < 0.005, 3, "
                  "5)'}}\nrun: {until: 5}\n",
          "x", 0.5e-4 + 0.5e-4, 1e-9 },
        // the same by a load: for 10 ms the floor carries 1 N
        { HEAD "coordinates: {x: 0, y: 0}\n" PLANE "forces: {x: 0.9, y: 'if(t > 1.5 and t < 1.51, 9, 0)'}\n"
               "contacts: {floor: {gap: y, slip: x, friction: 0.1}}\nrun: {until: 3}\n",
          "x", 0.5 * 0.8e-4 + 0.008 * 0.008 / (2 * 0.1), 1e-9 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

// gaps that close and open again within what would be one step
static void short_contacts(void **state)
{
    (void)state;
    const known_end cases[] = {
        // discs of 1 mm that meet at a third of a radius off centre; head on in effect: speeds are exchanged
        { HEAD "bodies:\n  a: {mass: 1, inertia: 1e-4, x: {start: -5, rate: 10}, shape: {circle: 0.001}}\n"
               "  b: {mass: 1, inertia: 1e-4, x: {start: 5, rate: -10}, shape: {circle: 0.001}}\n"
               "contacts: {hit: {between: [a, b], restitution: 1}}\nrun: {until: 1}\n",
          "a.x'", -10, 1e-9 },
        // a driven arm of 0.5 m at 20 rad/s sweeps a puck along
        { HEAD "bodies:\n  arm: {joint: {revolute: ground}, th: {motion: 20*t - 70 deg}, shape: {circle: 5 "
               "mm, at: [0.5, 0]}}\n"
               "  puck: {mass: 0.1, inertia: 1e-5, x: {start: 0.5}, shape: {circle: 5 mm}}\n"
               "contacts: {hit: {between: [puck, arm], restitution: 1}}\nrun: {until: 0.3}\n",
          "puck.y'", 20, 0.02 },
        // a wall that comes and goes within 1e-3 of the run, at rest where it turns: struck at its fastest
        // way there
        { AT_REST "contacts: {wall: {gap: 'x + 1 - 1.1*max(0, 1 - abs(t - 6)/0.01)', restitution: 0}}\nrun: "
                  "{until: 10}\n",
          "x'", 110, 1e-6 },
        // a bump of 10 cm on the way of a puck
        { HEAD "coordinates: {x: {rate: 1}, y: 0.05}\nmass: {x: 1, y: 1}\n"
               "contacts: {bump: {gap: 'sqrt((x - 7)^2 + y^2) - 0.1', restitution: 1}}\nrun: {until: 12}\n",
          "y'", 0.86602540378443865, 1e-9 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

// forces on a short stretch of the way
static void short_stretches(void **state)
{
    (void)state;
    const known_end cases[] = {
        { HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\nforces: {x: 'if(abs(x - 3) < 0.01, 10, 0)'}\nrun: "
               "{until: 6}\n",
          "x'", 1.1832159566199232, 1e-9 },
        { HEAD "coordinates: {x: {rate: 1}}\nenergy: {kinetic: \"0.5*x'^2\", potential: '0.6*exp(-((x - "
               "3)/0.01)^2)'}\n"
               "run: {until: 6}\n",
          "x'", -1, 1e-4 },
        { HEAD "coordinates: {x: {rate: 1}, y: 0}\n" PLANE
               "contacts: {floor: {gap: y, slip: x, friction: 'if(x > 0.4 and x < 0.42, 1, 0)'}}\nrun: "
               "{until: 1}\n",
          "x'", 0.77459666924148338, 1e-9 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

static int column(const slip_sim *sim, const char *name)
{
    int k = 0;
    while (strcmp(slip_sim_column_name(sim, k), name) != 0) k++;
    return k;
}

// rows that are asked for between steps are states of the run itself: a ball on a shaken table flies freely
// between the impacts that the run has
static void rows_belong_to_the_run(void **state)
{
    (void)state;
    slip_model *model = read_model(
        "",
        HEAD "gravity: 10\nbodies:\n"
             "  ball: {mass: 0.1, y: {start: 0.003}, shape: {circle: 1 mm, at: [0, 1 mm]}}\n"
             "  table: {joint: {prismatic: ground, along: 90 deg}, s: {motion: 1.6e-3*sin(100*t)}, "
             "shape: {line: [0, 0]}}\n"
             "contacts: {b: {between: [ball, table], restitution: 0.5}}\nrun: {until: 0.5}\n",
        "", ";");
    for (int f = 0; f < 2; f++) {
        slip_sim *sim = event_sim(model, event_driven[f]);
        double row[16];
        int rows = 0;
        assert_true(slip_sim_column_count(sim) <= 16);
        int at_y = column(sim, "ball.y"), at_v = column(sim, "ball.y'");
        do {
            assert_int_equal(slip_sim_observe(sim), SLIP_RUNNING);
            double t = slip_sim_time(sim), y = slip_sim_get(sim, "ball.y"), v = slip_sim_get(sim, "ball.y'");
            double reach = slip_sim_next_step_end(sim);
            bool flies = !(sim->method->mode[0] & SLIP_MODE_CLOSED);
            for (int k = 1; k < 5 && flies; k++, rows++) {
                double s = 0.2 * k * (reach - t);
                assert_int_equal(slip_sim_peek(sim, t + s, row), SLIP_RUNNING);
                assert_near(row[at_y], y + v * s - 5 * s * s, 1e-12);
                assert_near(row[at_v], v - 10 * s, 1e-10);
            }
            assert_near(slip_sim_get(sim, "ball.y"), y, 0);
        } while (slip_sim_step(sim) == SLIP_RUNNING);
        assert_true(rows > 100);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

// a step is never longer than max_step; without one it is a fiftieth of the run
static void the_longest_step(void **state)
{
    (void)state;
    slip_model *model =
        read_model("", HEAD "coordinates: {x: {rate: 1}}\nmass: {x: 1}\nrun: {until: 10}\n", "", ";");
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < 2; k++) {
            slip_sim_def def = slip_default_sim_def();
            def.formulation = event_driven[f];
            if (k) def.max_step = 0.01;
            slip_sim *sim = make_sim(model, &def);
            double t, longest = 0.0;
            do {
                t = slip_sim_time(sim);
                slip_sim_step(sim);
                longest = fmax(longest, slip_sim_time(sim) - t);
            } while (slip_sim_time(sim) < 10);
            assert_near(longest, k ? 0.01 : 0.2, 1e-9);
            slip_sim_destroy(sim);
        }
    slip_model_destroy(model);
}

// balls 1 um and 10 nm apart are struck one after the other: the last one leaves with all the speed
static void nearly_touching(void **state)
{
    (void)state;
    const known_end cases[] = {
        { HEAD
          "coordinates: {a: {start: -0.1, rate: 1}, b: 0, c: 1e-6, e: 2e-6}\nmass: {a: 1, b: 1, c: 1, e: 1}\n"
          "contacts: {ab: {gap: b - a, restitution: 1}, bc: {gap: c - b, restitution: 1}, ce: {gap: e - c, "
          "restitution: 1}}\nrun: {until: 0.2}\n",
          "e'", 1, 1e-9 },
        { HEAD
          "coordinates: {a: {start: -0.1, rate: 1}, b: 0, c: 1e-8, e: 2e-8}\nmass: {a: 1, b: 1, c: 1, e: 1}\n"
          "contacts: {ab: {gap: b - a, restitution: 1}, bc: {gap: c - b, restitution: 1}, ce: {gap: e - c, "
          "restitution: 1}}\nrun: {until: 0.2}\n",
          "e'", 1, 1e-9 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

// a wheel of six spokes with nearly all mass at its hub: it stays on the foot that it turns about, although
// that is light. It loses half of its speed with each step, sin(pi/2 - 2 a) of it, and comes to rest on two
// feet. Lighter still, 1e-6 kg m^2, and rounding decides whether the LCP of an impact is solved
static void a_wheel_of_spokes(void **state)
{
    (void)state;
    const known_end cases[] = {
        { HEAD
          "parameters: {l: 1, a: pi/6}\ngravity: [1.2, -12]\nbodies:\n  ground: {shape: {line: [0, 0]}}\n"
          "  wheel: {mass: 1, inertia: 1e-4, y: {start: l*cos(a)}, th: {rate: -1.0}, x: {rate: l*cos(a)}, "
          "shape: {corners: "
          "[[l*sin(a), -l*cos(a)], [-l*sin(a), -l*cos(a)], [l, 0], [-l, 0], [l*sin(a), l*cos(a)], "
          "[-l*sin(a), l*cos(a)]]}}\n"
          "contacts: {foot: {between: [wheel, ground], friction: 2}}\nrun: {until: 4}\n",
          "wheel.th", 0, 1e-9 },
    };
    ends_as_known(cases, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_pushes),           cmocka_unit_test(short_slips),
        cmocka_unit_test(short_contacts),         cmocka_unit_test(short_stretches),
        cmocka_unit_test(rows_belong_to_the_run), cmocka_unit_test(the_longest_step),
        cmocka_unit_test(nearly_touching),        cmocka_unit_test(a_wheel_of_spokes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
