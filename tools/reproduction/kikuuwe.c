/// kikuuwe.c: Kikuuwe 2008, networks of components with Coulomb friction under a generalised Runge-Kutta
/// method.
#include <math.h>

#include "page.h"
#include "papers.h"

static const char *const two[] = { "c1", "c2" };

// ---- simulation I: a sphere on a floor ------------------------------------------------------------

static void figure_4(page *p)
{
    slip_model *model = page_model(p, "kikuuwe/sphere", "record.slip=px' - R*thy'");
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    static const char *const columns[] = { "px'", "slip", "pz" };
    svg_curve c[3] = { { 0 } };
    page_trace(sim, 1, columns, 3, c);
    for (int k = 0; k < c[2].count; k++) c[2].y[k] = 1e3 * (c[2].y[k] - page_parameter(model, "R"));
    FILE *out = page_picture(
        p, "Fig 4", "simulation I: velocities of the centre and of the contact point, height", "4",
        "Blue: the centre. Orange: the contact point, whose velocity falls in stairs, one per bounce. The "
        "floor "
        "is almost elastic with\nthe printed K and B, so that the sphere still hops when it already rolls.");
    page_begin(out, 2, "Kikuuwe 2008, figure 4",
               "A sphere thrown along a floor: velocities, and height above the floor.");
    svg_axes a = page_panel(0, 0, 1, (page_range){ 0, 1, 0.1 }, (page_range){ 0, 2.5, 0.5 },
                            "Horizontal velocities", "time, s", "m/s"),
             b = page_panel(0, 1, 1, (page_range){ 0, 1, 0.1 }, (page_range){ 0, 2.5, 0.5 },
                            "Height above the floor", "time, s", "mm");
    page_draw(out, &a, c, two, 2);
    page_draw(out, &b, &c[2], two, 1);
    page_end(out);
    page_close(sim, model);
}

typedef struct sphere {
    double rolls, speed, turning, deepest, restitution;
} sphere;

static sphere throw_sphere(page *p, const char *sets)
{
    slip_model *model = page_model(p, "kikuuwe/sphere", sets);
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    const double R = page_parameter(model, "R");
    sphere s = { .rolls = NAN };
    double down = 0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        const double slip = slip_sim_get(sim, "px'") - R * slip_sim_get(sim, "thy'"),
                     rate = slip_sim_get(sim, "pz'");
        if (isnan(s.rolls) && slip <= 0) s.rolls = slip_sim_time(sim);
        if (slip_sim_get(sim, "load") == 0) {
            if (s.restitution == 0 && rate > 0 && down < 0) s.restitution = rate / -down;
            if (rate < 0) down = rate;
        }
        s.deepest = fmax(s.deepest, R - slip_sim_get(sim, "pz"));
    }
    s.speed = slip_sim_get(sim, "px'");
    s.turning = slip_sim_get(sim, "thy'");
    page_close(sim, model);
    return s;
}

static void simulation_1(page *p)
{
    slip_model *model = page_model(p, "kikuuwe/sphere", NULL);
    page_input(p, model, "IV-A", "M", "0.3", "kg", "M");
    page_input(p, model, "IV-A", "R", "0.2", "m", "R");
    page_input(p, model, "IV-A", "g, downwards", "9.8", "m/s^2", "g");
    page_input(p, model, "IV-A", "K", "1e7", "N/m", "K");
    page_input(p, model, "IV-A", "B", "10", "N s/m", "B");
    page_input(p, model, "IV-A", "mu", "0.1", "", "mu");
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    page_datum(p, "IV-A", "time step", "1e-4", "s", slip_sim_settings(sim).step);
    page_datum(p, "IV-A", "velocity at the start", "2", "m/s", slip_sim_get(sim, "px'"));
    page_datum(p, "IV-A", "height at the start over R", "1.01", "",
               slip_sim_get(sim, "pz") / page_parameter(model, "R"));
    page_not_printed(p, "IV-A", "inertia of the sphere over M R^2", "", 0.4,
                     "uniform; a thin shell would slip for 0.82 s");
    page_close(sim, model);
    const sphere s = throw_sphere(p, NULL);
    page_number(p, "IV-A", "the contact point comes to rest", "0.58", "s", s.rolls, NULL);
    page_claim(p, "IV-A", "pure rolling without slipping", fabs(s.speed - 10.0 / 7) < 1e-6, NULL,
               "%.6f m/s, by angular momentum 5/7 of 2 m/s = %.6f; turning at %.6f rad/s", s.speed, 10.0 / 7,
               s.turning);
    page_claim(p, "III", "K as high as stability permits", s.deepest < 1e-3, NULL,
               "deepest penetration %.3f mm; restitution of the first bounce %.3f", 1e3 * s.deepest,
               s.restitution);
}

// ---- simulation II: two links ------------------------------------------------------------------------

static void figure_6(page *p)
{
    static const char *const names[] = { "friction0", "friction1" };
    slip_model *model = page_model(p, "kikuuwe/two-link", "record.friction0=tau0;record.friction1=tau1");
    slip_sim *sim = page_sim(model, NULL, NULL, 1e-3, 5);
    svg_curve c[2] = { { 0 } };
    page_trace(sim, 5, names, 2, c);
    FILE *out = page_picture(p, "Fig 6", "torques applied in simulations II and III", "6",
                             "Blue: joint 0, eq (28c). Orange: joint 1, eq (28d).");
    page_begin(out, 1, "Kikuuwe 2008, figure 6", "Torques of the two joints over time.");
    svg_axes axes = page_panel(0, 0, 1, (page_range){ 0, 5, 0.5 }, (page_range){ 0, 0.6, 0.1 },
                               "Applied torques", "time, s", "N m");
    page_draw(out, &axes, c, two, 2);
    page_end(out);
    page_close(sim, model);
}

static void figure_7(page *p)
{
    static const char *const columns[] = { "th0", "th1" },
                             *const files[] = { "kikuuwe/two-link", "kikuuwe/two-link-lugre" },
                             *const styles[] = { "c1", "c1", "c2", "c2" };
    svg_curve c[4] = { { 0 } };
    for (int k = 0; k < 2; k++) {
        slip_model *model = page_model(p, files[k], NULL);
        slip_sim *sim = page_sim(model, NULL, NULL, NAN, 8);
        page_trace(sim, 8, columns, 2, &c[2 * k]);
        page_close(sim, model);
    }
    FILE *out = page_picture(p, "Fig 7",
                             "simulation II: angles of the joints, with fricK and with LuGre friction", "7",
                             "Blue: fricK, which holds. Orange: LuGre, which drifts. Upper curves: joint 1. "
                             "Masses and lengths of the "
                             "arm are not printed.");
    page_begin(out, 1, "Kikuuwe 2008, figure 7", "Angles of a two-link arm over time.");
    svg_axes axes = page_panel(0, 0, 1, (page_range){ 0, 8, 1 }, (page_range){ 0, 3, 0.5 }, "Joint angles",
                               "time, s", "rad");
    page_draw(out, &axes, c, styles, 4);
    page_end(out);
}

typedef struct arm {
    double stops, drift[2], torque[2]; // s, rad/s from 6 to 10 s, N m at 1 s and its largest after 4 s
} arm;

static arm swing(page *p, const char *name, bool has_slider)
{
    slip_model *model = page_model(p, name, NULL);
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    arm a = { 0 };
    page_step_to(sim, 4);
    while (slip_sim_time(sim) < 6 * (1 - 1e-12)) {
        slip_sim_step(sim);
        if (has_slider && (slip_sim_get(sim, "stick0") == 0 || slip_sim_get(sim, "stick1") == 0))
            a.stops = slip_sim_time(sim);
    }
    const char *const columns[] = { "th0", "th1" }, *const states[] = { "joint0.e", "joint1.e" };
    double early[2];
    for (int k = 0; k < 2; k++)
        early[k] = slip_sim_get(sim, columns[k]) - (has_slider ? slip_sim_get(sim, states[k]) : 0);
    page_step_to(sim, 10);
    for (int k = 0; k < 2; k++)
        a.drift[k] =
            (slip_sim_get(sim, columns[k]) - (has_slider ? slip_sim_get(sim, states[k]) : 0) - early[k]) / 4;
    page_close(sim, model);
    return a;
}

// the arm as two free bodies, joints as springs and dampers
static const char penalty_arm[] =
    "slipstick: 1\nname: Two-link arm, penalty joints\n"
    "parameters: {m: 0.5, l: 0.3, F: 0.5, K: 5000, B: 1, Kp: 1e6, Bp: 500}\n"
    "define:\n"
    "  push: min(0.52, 0.3*t)\n"
    "  tau0: if(t < 4, push, 0.336 + 0.144*sin(100*t))\n"
    "  tau1: if(t < 4, push, 0.336 + 0.144*cos(100*t))\n"
    "  ux: x0' + l/2*sin(a0)*a0'\n"
    "  uy: y0' - l/2*cos(a0)*a0'\n"
    "  wx: x1' + l/2*sin(a1)*a1' - x0' + l/2*sin(a0)*a0'\n"
    "  wy: y1' - l/2*cos(a1)*a1' - y0' - l/2*cos(a0)*a0'\n"
    "coordinates: {x0: 0.15, y0: 0, a0: 0, x1: 0.45, y1: 0, a1: 0}\n"
    "energy:\n"
    "  kinetic: 0.5*m*(x0'^2 + y0'^2 + x1'^2 + y1'^2) + m*l^2/24*(a0'^2 + a1'^2)\n"
    "  potential: 0.5*Kp*((x0 - l/2*cos(a0))^2 + (y0 - l/2*sin(a0))^2\n"
    "    + (x1 - l/2*cos(a1) - x0 - l/2*cos(a0))^2 + (y1 - l/2*sin(a1) - y0 - l/2*sin(a0))^2)\n"
    "forces:\n"
    "  x0: Bp*(wx - ux)\n"
    "  y0: Bp*(wy - uy)\n"
    "  a0: tau0 - tau1 - Bp*l/2*((ux + wx)*sin(a0) - (uy + wy)*cos(a0))\n"
    "  x1: -Bp*wx\n"
    "  y1: -Bp*wy\n"
    "  a1: tau1 - Bp*l/2*(wx*sin(a1) - wy*cos(a1))\n"
    "frictions:\n"
    "  joint0: {slip: a0, limit: F, compliance: {stiffness_t: K, damping_t: B}}\n"
    "  joint1: {slip: a1 - a0, limit: F, compliance: {stiffness_t: K, damping_t: B}}\n"
    "run: {formulation: modular, integrator: rk4-generalised, step: 0.1 ms, until: 8}\n";

// largest difference of the angles between simulations II and III
static double penalty_difference(page *p)
{
    slip_model *a = page_model(p, "kikuuwe/two-link", NULL),
               *b = page_model_text("penalty.yaml", penalty_arm);
    slip_sim *x = page_sim(a, NULL, NULL, NAN, 8), *y = page_sim(b, NULL, NULL, NAN, NAN);
    double worst = 0;
    while (slip_sim_step(x) == SLIP_RUNNING && slip_sim_step(y) == SLIP_RUNNING)
        if (slip_sim_steps(x) % 10 == 0)
            worst = fmax(worst,
                         fmax(fabs(slip_sim_get(x, "th0") - slip_sim_get(y, "a0")),
                              fabs(slip_sim_get(x, "th1") - slip_sim_get(y, "a1") + slip_sim_get(y, "a0"))));
    page_close(x, a);
    page_close(y, b);
    return worst;
}

static void simulations_2_3(page *p)
{
    slip_model *model = page_model(p, "kikuuwe/two-link", "record.friction0=tau0;record.friction1=tau1");
    page_input(p, model, "IV-B", "K", "5000", "N m/rad", "K");
    page_input(p, model, "IV-B", "B", "1", "N m s/rad", "B");
    page_input(p, model, "IV-B", "F", "0.5", "N m", "F");
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    page_datum(p, "IV-B", "time step", "1e-4", "s", slip_sim_settings(sim).step);
    page_step_to(sim, 1);
    page_datum(p, "(28c)", "torque at 1 s, 0.3 t", "0.3", "N m", slip_sim_get(sim, "friction0"));
    page_step_to(sim, 3);
    page_datum(p, "(28c)", "torque at 3 s", "0.52", "N m", slip_sim_get(sim, "friction0"));
    page_step_to(sim, 4);
    double low = INFINITY, high = 0;
    while (slip_sim_time(sim) < 5) {
        slip_sim_step(sim);
        low = fmin(low, slip_sim_get(sim, "friction0"));
        high = fmax(high, slip_sim_get(sim, "friction0"));
    }
    page_identity(p, "(28c)", "torque after 4 s, middle", "0.336", "N m", 0.5 * (low + high));
    page_identity(p, "(28c)", "torque after 4 s, amplitude", "0.144", "N m", 0.5 * (high - low));
    page_not_printed(p, "IV-B", "mass of a link", "kg", page_parameter(model, "m"),
                     "slender rods in a horizontal plane");
    page_not_printed(p, "IV-B", "length of a link", "m", page_parameter(model, "l"), "");
    page_close(sim, model);
    const arm held = swing(p, "kikuuwe/two-link", true), lugre = swing(p, "kikuuwe/two-link-lugre", false),
              dahl = swing(p, "kikuuwe/two-link-dahl", false);
    page_about(p, "IV-B", "the mechanism stops", "4.5", "s", held.stops, 0.1, NULL);
    page_claim(p, "IV-B", "with LuGre friction the angles drift", lugre.drift[0] > 1e-3, NULL,
               "%.3e and %.3e rad/s; Dahl %.3e and %.3e", lugre.drift[0], lugre.drift[1], dahl.drift[0],
               dahl.drift[1]);
    page_claim(p, "IV-B", "with fricK they do not",
               fabs(held.drift[0]) < 1e-13 && fabs(held.drift[1]) < 1e-13, NULL,
               "th - e moves by %.0e and %.0e rad/s", fabs(held.drift[0]), fabs(held.drift[1]));
    const double difference = penalty_difference(p);
    page_claim(p, "IV-C", "penalty joints give almost the same result", difference < 1e-3, NULL,
               "angles differ by %.1e rad at most in 8 s, joints of 1e6 N/m and 500 N s/m", difference);
}

// ---- errata ----------------------------------------------------------------------------------------------

// first step in which the state is not a number when friction does not know its stage step
static double ordinary_rk4(page *p)
{
    slip_model *model = page_model(p, "kikuuwe/sphere", NULL);
    slip_sim *sim = page_sim(model, NULL, "rk4", NAN, NAN);
    slip_run_outcome outcome;
    do outcome = slip_sim_step(sim);
    while (outcome == SLIP_RUNNING);
    const double t = outcome == SLIP_DONE ? NAN : slip_sim_time(sim);
    page_close(sim, model);
    return t;
}

static void errata(page *p)
{
    page_erratum(p, "(19), (23)", "f has the sign of v and is added to the body",
                 "the body receives its negative",
                 "else friction pushes along the motion and the arm runs away");
    page_erratum(p, "IV-A", "g = (0, 0, +9.8)", "(0, 0, -9.8)", "upwards the sphere never touches the floor");
    page_erratum(p, "(10)", "f = K p + B v as the force on the mass", "minus that", "as for (19)");
    page_erratum(p, "(23c)", "saturation radius -mu f_z", "max(0, -mu f_z)",
                 "f_z > 0 when a contact pulls: the radius would be negative");
    page_erratum(p, "(11), (12)", "left-hand sides f', e'", "f, e'", "K e is a force");
    page_erratum(p, "(6)", "rate of x-hat", "rate of x", "the state is x");
    page_erratum(p, "(1), (2a), (16a), (17)", "= with a set on the right", "element of", "sgn(0) is a set");
    page_erratum(p, "(28g), (28j), (29n, o)", "indices 0, i", "r", "stages of the scheme");
    page_erratum(p, "(29)", "torques computed and not used", "they act inside the joint component",
                 "else nothing moves the arm");
    page_erratum(p, "(29l)", "state 0 of the base", "with the unit quaternion", "0 is not an attitude");
    page_erratum(p, "IV-A", "illustrated in Fig 4", "Fig 3", "Fig 4 has the results");
    page_erratum(p, "IV-B", "LuGre parameters not printed", "the same K, B = 1, D = 0",
                 "explicit steps need abs(v) < 2.78 F/(K T)");
    const double t = ordinary_rk4(p);
    page_erratum(
        p, "III", "nothing about what the stage step is for", "`rk4-generalised`",
        "with ordinary rk4 simulation I ends at %.4f s, blown up: the friction's own rate is K/B = 1e6 1/s",
        t);
    const sphere up = throw_sphere(p, "coordinates.pz.start=1.01*R + 1e-10"),
                 down = throw_sphere(p, "coordinates.pz.start=1.01*R - 1e-10");
    page_erratum(
        p, "IV-A", "the contact point comes to rest at 0.58 s", "0.58 s",
        "sensitive: started 1e-10 m higher or lower it is %.4f and %.4f s, as every bounce amplifies",
        up.rolls, down.rolls);
}

bool reproduce_kikuuwe(const char *root, const char *out)
{
    static const page_title title = {
        "kikuuwe",
        "Kikuuwe 2008",
        "R. Kikuuwe, M. Yamamoto: A modular software architecture for simulating mechanical systems "
        "involving Coulomb friction\n"
        "integrable by the Runge-Kutta method. IROS 2008, 2277-2282",
        "[models/kikuuwe](../../models/kikuuwe); as networks in C: [network.md](../network.md)",
        "`kikuuwe.truth` (every state of the schemes), `kikuuwe.modular`, `network.simulations` (the same "
        "three "
        "as networks)",
    };
    page *p = page_create(&title, root, out);
    page_say(p, "The paper prints the data of three simulations and two times; the rest are curves.");
    page_sketch(p, "Fig 1", "friction behind a spring and damper", "law `kikuuwe` of [laws.md](../laws.md)");
    page_sketch(p, "Fig 2", "a network of components", "[network.md](../network.md)");
    page_sketch(p, "Fig 3", "a sphere on a floor", "[sphere.yaml](../../models/kikuuwe/sphere.yaml)");
    figure_4(p);
    page_sketch(p, "Fig 5", "a two-link arm", "[two-link.yaml](../../models/kikuuwe/two-link.yaml)");
    figure_6(p);
    figure_7(p);
    simulation_1(p);
    simulations_2_3(p);
    errata(p);
    return page_finish(p);
}
