/// xiong.c: Xiong 2013, dry friction and rigid contact as ordinary differential equations.
#include <math.h>

#include "papers.h"
#include "xiong.h"

enum { CURVES = 2 };
static const char *const two[] = { "c1", "c2" };

// ---- figure 3: a mass with dry friction ---------------------------------------------------------

static double drift(page *p, const char *name, const char *sets)
{
    slip_model *model = page_model(p, name, sets);
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    page_step_to(sim, 3);
    const double early = slip_sim_get(sim, "p");
    page_step_to(sim, 10);
    const double rate = (slip_sim_get(sim, "p") - early) / 7;
    page_close(sim, model);
    return rate;
}

// by how much the slider p - a moves from 3 to 10 s
static double creep(page *p)
{
    slip_model *model = page_model(p, "xiong/friction-mass", NULL);
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    page_step_to(sim, 3);
    double low = INFINITY, high = -INFINITY;
    do {
        const double slider = slip_sim_get(sim, "p") - slip_sim_get(sim, "friction.a");
        low = fmin(low, slider);
        high = fmax(high, slider);
    } while (slip_sim_step(sim) == SLIP_RUNNING);
    page_close(sim, model);
    return high - low;
}

static void figure_3(page *p)
{
    static const char *const columns[] = { "p" }, *const force[] = { "fe" };
    slip_model *held = page_model(p, "xiong/friction-mass", NULL),
               *creeps = page_model(p, "xiong/friction-mass-lugre", "record.fe=f_e");
    slip_sim *a = page_sim(held, NULL, NULL, NAN, 8), *b = page_sim(creeps, NULL, NULL, NAN, 8),
             *c = page_sim(creeps, NULL, NULL, NAN, 8);
    svg_curve curves[CURVES] = { { 0 } }, push[1] = { { 0 } };
    page_trace(a, 8, columns, 1, &curves[0]);
    page_trace(b, 8, columns, 1, &curves[1]);
    page_trace(c, 8, force, 1, push);
    FILE *out = page_picture(
        p, "Fig 3", "(a) the external force (20), (b) the position under (19) and under LuGre friction", "3",
        "Blue: eq (19). Orange: LuGre friction with B = K beta and D = 0, which the paper does not print.");
    page_begin(out, 2, "Xiong 2013, figure 3",
               "Force on a mass and its position: held by eq 19, creeping under LuGre.");
    svg_axes top = page_panel(0, 0, 1, (page_range){ 0, 8, 1 }, (page_range){ 0, 0.6, 0.1 }, "External force",
                              "time, s", "f_e, N"),
             bottom = page_panel(0, 1, 1, (page_range){ 0, 8, 1 }, (page_range){ 0, 0.035, 0.005 },
                                 "Position", "time, s", "p, m");
    page_draw(out, &top, push, two, 1);
    page_draw(out, &bottom, curves, two, CURVES);
    page_end(out);
    slip_sim_destroy(c);
    page_close(a, held);
    page_close(b, creeps);
}

static void numbers_3(page *p)
{
    slip_model *model = page_model(p, "xiong/friction-mass", NULL);
    page_input(p, model, "Fig 3", "M", "1", "kg", "M");
    page_input(p, model, "Fig 3", "F", "0.5", "N", "F");
    page_input(p, model, "Fig 3", "K", "5e3", "N/m", "K");
    page_input(p, model, "Fig 3", "beta", "2e-3", "s", "beta");
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    page_datum(p, "Fig 3", "time step", "0.001", "s", slip_sim_settings(sim).step);
    page_close(sim, model);
    model = page_model(p, "xiong/friction-mass-lugre", "record.fe=f_e");
    page_not_printed(p, "Fig 3", "B of the LuGre friction", "N s/m", page_parameter(model, "B"), "K beta");
    page_not_printed(p, "Fig 3", "D of the LuGre friction", "N s/m", page_parameter(model, "D"), "none");
    sim = page_sim(model, NULL, NULL, NAN, NAN);
    double most = 0;
    page_step_to(sim, 0.5);
    page_datum(p, "(20)", "force at 0.5 s, 0.8 t", "0.4", "N", slip_sim_get(sim, "fe"));
    page_step_to(sim, 1);
    page_datum(p, "(20)", "force at 1 s", "0.52", "N", slip_sim_get(sim, "fe"));
    page_step_to(sim, 2);
    while (slip_sim_step(sim) == SLIP_RUNNING) most = fmax(most, slip_sim_get(sim, "fe"));
    page_identity(p, "(20)", "largest force after 2 s, 0.336 + 0.144 N", "0.480", "N", most);
    page_close(sim, model);
    const double ours = drift(p, "xiong/friction-mass", NULL),
                 lugre = drift(p, "xiong/friction-mass-lugre", NULL), slider = creep(p);
    page_claim(p, "4.1", "LuGre friction drifts below the friction level", lugre > 1e-4, NULL,
               "%.4g m/s; with B = 1 and 50 instead %.2g and %.2g", lugre,
               drift(p, "xiong/friction-mass-lugre", "B=1"), drift(p, "xiong/friction-mass-lugre", "B=50"));
    page_claim(p, "4.1", "the presented method (19) does not", slider < 1e-14 && fabs(ours) < 1e-5, NULL,
               "the slider p - a moves by %.1g m in 7 s", slider);
}

// ---- figure 5: a bouncing mass --------------------------------------------------------------------

typedef struct bounce {
    double rebound, deepest, least_force;
} bounce;

static bounce drop(page *p, const char *sets)
{
    slip_model *model = page_model(p, "xiong/bouncing-mass", sets);
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, 3);
    bounce b = { 0, 0, INFINITY };
    bool struck = false, leaves = false;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        const double height = slip_sim_get(sim, "p");
        struck = struck || height < 0;
        leaves = leaves || (struck && slip_sim_get(sim, "p'") > 0);
        if (leaves && b.rebound >= 0 && height >= b.rebound)
            b.rebound = height;
        else if (leaves && height > 0)
            break;
        b.deepest = fmax(b.deepest, -height);
        b.least_force = fmin(b.least_force, slip_sim_get(sim, "f"));
    }
    page_close(sim, model);
    return b;
}

static void figure_5(page *p)
{
    static const char *const sets[] = { "alpha=0.01", "alpha=0.007", "alpha=0.005", "alpha=0.001" },
                             *const styles[] = { "r4", "r3", "r2", "r1" },
                             *const labels[] = { "10 ms", "7 ms", "5 ms", "1 ms" },
                             *const columns[] = { "p" };
    static const double at[][2] = { { 0.9, 1 }, { 0.85, 0.775 }, { 0.8, 0.594 }, { 0.76, 0.06 } };
    FILE *out = page_picture(
        p, "Fig 5", "a mass dropped from 1 m, for four values of alpha", "5",
        "The rebound falls with alpha, as in the paper. Restitution follows from alpha/beta and beta "
        "sqrt(K/M) alone: [dai.md](../dai.md#restitution-on-demand).");
    page_begin(out, 1, "Xiong 2013, figure 5", "Height of a mass that bounces, for four values of alpha.");
    svg_axes axes = page_panel(0, 0, 1, (page_range){ 0, 3, 0.5 }, (page_range){ 0, 1.2, 0.2 }, "Height",
                               "time, s", "p, m");
    svg_draw_axes(out, &axes);
    for (int k = 0; k < 4; k++) {
        slip_model *model = page_model(p, "xiong/bouncing-mass", sets[k]);
        slip_sim *sim = page_sim(model, NULL, NULL, NAN, 3);
        svg_curve curve = { 0 };
        page_trace(sim, 3, columns, 1, &curve);
        svg_draw_curve(out, &axes, &curve, styles[k]);
        svg_free(&curve);
        page_close(sim, model);
    }
    for (int k = 0; k < 4; k++)
        svg_draw_text(out, &axes, at[k][0], at[k][1], 0, -8, "middle", styles[k], labels[k]);
    page_end(out);
}

static void numbers_5(page *p)
{
    slip_model *model = page_model(p, "xiong/bouncing-mass", NULL);
    page_input(p, model, "Fig 5", "M", "1", "kg", "M");
    page_input(p, model, "Fig 5", "f_e", "-9.8", "N", "f_e");
    page_input(p, model, "Fig 5", "K", "1e5", "N/m", "K");
    page_input(p, model, "Fig 5", "beta", "0.01", "s", "beta");
    page_input(p, model, "Fig 5", "alpha, one of four", "0.007", "s", "alpha");
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    page_datum(p, "Fig 5", "height at the start", "1", "m", slip_sim_get(sim, "p"));
    page_datum(p, "Fig 5", "time step", "0.001", "s", slip_sim_settings(sim).step);
    const double w = sqrt(page_parameter(model, "K") / page_parameter(model, "M")),
                 beta = page_parameter(model, "beta");
    page_close(sim, model);
    const bounce b10 = drop(p, "alpha=0.01"), b7 = drop(p, "alpha=0.007"), b5 = drop(p, "alpha=0.005"),
                 b1 = drop(p, "alpha=0.001");
    page_claim(p, "4.2", "bouncing becomes smaller as alpha decreases",
               b10.rebound > b7.rebound && b7.rebound > b5.rebound && b5.rebound > b1.rebound, NULL,
               "first rebound %.4f, %.4f, %.4f, %.4f m", b10.rebound, b7.rebound, b5.rebound, b1.rebound);
    page_number(p, "4.2", "alpha = beta is perfectly elastic: restitution", "1", "",
                slip_dai_impact(1, beta * w).restitution, NULL);
    page_claim(p, "4.2", "relation of alpha, beta to restitution left to trial and error",
               slip_dai_impact(0.7, beta * w).restitution < 1, NULL,
               "has a closed form: %.5f, %.5f, %.5f for alpha = 7, 5, 1 ms",
               slip_dai_impact(0.7, beta * w).restitution, slip_dai_impact(0.5, beta * w).restitution,
               slip_dai_impact(0.1, beta * w).restitution);
    page_claim(p, "4.2", "no sucking force",
               fmin(fmin(b10.least_force, b7.least_force), fmin(b5.least_force, b1.least_force)) >= 0, NULL,
               "least force %g N",
               fmin(fmin(b10.least_force, b7.least_force), fmin(b5.least_force, b1.least_force)));
}

static void errata(page *p)
{
    page_erratum(p, "(38)", "first row a garbled fraction, K_s1", "row by row as in the model file",
                 "each row divided by its mass");
    page_erratum(p, "(45)", "theta_3 without its argument u in the last row", "with it", "(44)");
    page_erratum(p, "(28)", "nothing presses the mass on the plane", "an external force is added",
                 "else there is no contact force");
    page_erratum(p, "after (30)", "f_z sgn", "mu f_z sgn", "as (29) uses it");
    page_erratum(p, "(5)", "dio for nonnegative arguments only", "any", "gaps become negative: penetration");
    page_erratum(p, "below (25)", "right-hand side always positive", "nonnegative", "it is 0 out of contact");
    page_erratum(p, "(47)", "F in N", "F in W", "F/(V + abs(w)) is the force");
    page_erratum(p, "4.4", "theta_i maps to R", "to R^r, r = 1 or 2", "the sphere slips in two directions");
    page_erratum(p, "Fig 10", "k2 = 1 N/m", "1 N/m^3", "k2 p^3 of (49) is a force");
    page_erratum(p, "1", "two example applications", "three", "5.1 to 5.3");
    page_erratum(p, "(20)", "which branch holds at t = 2, a grid point", "the second, with t_k = k T",
                 "rounding would decide if t were summed up");
    page_erratum(p, "4, 5", "start of a and e, attitude of the sphere",
                 "0; unit quaternion, not normalised again", "not printed");
}

bool reproduce_xiong(const char *root, const char *out)
{
    static const page_title title = {
        "xiong",
        "Xiong 2013",
        "X. Xiong, R. Kikuuwe, M. Yamamoto: A differential algebraic method to approximate nonsmooth "
        "mechanical systems by\n"
        "ordinary differential equations. Journal of Applied Mathematics, 2013",
        "[models/xiong](../../models/xiong)",
        "`xiong.truth` (571 values of the schemes step by step, 107 of the ODEs), `xiong.examples`, "
        "`xiong.guard`, `xiong.stiction`",
    };
    page *p = page_create(&title, root, out);
    page_say(p, "The paper prints the data of five simulations and shows their results as curves only; "
                "ranges of the axes are ours.");
    page_sketch(p, "Fig 1", "graphs of sgn, sat, dio and max", "functions of [formulas.md](../formulas.md)");
    page_sketch(p, "Fig 2", "friction as a massless slider on a spring and damper",
                "[dai.md](../dai.md#the-laws)");
    figure_3(p);
    page_sketch(p, "Fig 4", "contact as a massless object on a spring and damper",
                "[dai.md](../dai.md#the-laws)");
    figure_5(p);
    page_sketch(p, "Fig 6", "the sphere of Example I and its data",
                "[rolling-sphere.yaml](../../models/xiong/rolling-sphere.yaml)");
    xiong_figure_7(p);
    page_sketch(p, "Fig 8", "Example II and its data",
                "[two-masses-conveyor.yaml](../../models/xiong/two-masses-conveyor.yaml)");
    xiong_figure_9(p);
    page_sketch(p, "Fig 10", "Example III and its data",
                "[stick-slip.yaml](../../models/xiong/stick-slip.yaml)");
    xiong_figure_11(p);
    numbers_3(p);
    numbers_5(p);
    xiong_numbers_7(p);
    xiong_numbers_9(p);
    xiong_numbers_11(p);
    errata(p);
    return page_finish(p);
}
