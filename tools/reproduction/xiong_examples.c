/// xiong_examples.c: Examples I to III of Xiong 2013.
#include <math.h>

#include "xiong.h"

static const char *const two[] = { "c1", "c2" };

// ---- example I: a rolling sphere ------------------------------------------------------------------

void xiong_figure_7(page *p)
{
    static const char *const names[] = { "pz", "pz'", "px'", "slip" },
                             *const titles[] = { "(a) height", "(b) vertical velocity",
                                                 "(c) horizontal velocity", "(d) slip at the contact" },
                             *const units[] = { "m", "m/s", "m/s", "m/s" };
    static const page_range ranges[] = { { 0.4, 1.2, 0.2 }, { -4, 4, 2 }, { 3, 6, 1 }, { -2, 6, 2 } };
    slip_model *model = page_model(p, "xiong/rolling-sphere", NULL);
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    svg_curve curves[4] = { { 0 } }, zoomed[2] = { { 0 } };
    page_trace(sim, 4, names, 4, curves);
    for (int k = 0; k < curves[0].count; k++) {
        if (curves[0].y[k] < 0.51) svg_add(&zoomed[0], curves[0].x[k], 1e3 * (curves[0].y[k] - 0.5));
        svg_add(&zoomed[1], curves[3].x[k], curves[3].y[k]);
    }
    FILE *out = page_picture(p, "Fig 7", "the sphere of Example I: bouncing, slip that ends, rolling", "7",
                             "(e) and (f) enlarge (a) and (d): penetration, and the oscillation that an "
                             "impact leaves in the slip.");
    page_begin(out, 3, "Xiong 2013, figure 7",
               "Height, velocities and slip of a sphere thrown along a floor.");
    for (int k = 0; k < 4; k++) {
        svg_axes axes =
            page_panel(k % 2, k / 2, 2, (page_range){ 0, 4, 1 }, ranges[k], titles[k], "time, s", units[k]);
        page_draw(out, &axes, &curves[k], two, 1);
    }
    svg_axes e = page_panel(0, 2, 2, (page_range){ 0.31, 0.34, 0.01 }, (page_range){ -10, 10, 5 },
                            "(e) height - R, first impact", "time, s", "mm"),
             f = page_panel(1, 2, 2, (page_range){ 1.5, 2.5, 0.25 }, (page_range){ -0.04, 0.04, 0.02 },
                            "(f) slip after the fourth", "time, s", "m/s");
    svg_curve near[2] = { { 0 } };
    for (int k = 0; k < zoomed[0].count; k++)
        if (zoomed[0].x[k] > 0.3 && zoomed[0].x[k] < 0.36) svg_add(&near[0], zoomed[0].x[k], zoomed[0].y[k]);
    for (int k = 0; k < zoomed[1].count; k++)
        if (zoomed[1].x[k] > 1.5 && zoomed[1].x[k] < 2.5 && fabs(zoomed[1].y[k]) <= 0.04)
            svg_add(&near[1], zoomed[1].x[k], zoomed[1].y[k]);
    page_draw(out, &e, &near[0], two, 1);
    page_draw(out, &f, &near[1], two, 1);
    svg_free(&zoomed[0]);
    svg_free(&zoomed[1]);
    page_end(out);
    page_close(sim, model);
}

void xiong_numbers_7(page *p)
{
    slip_model *model = page_model(p, "xiong/rolling-sphere", NULL);
    page_input(p, model, "Fig 6", "M", "1", "kg", "M");
    page_input(p, model, "Fig 6", "R", "0.5", "m", "R");
    page_input(p, model, "Fig 6", "mu", "0.1", "", "mu");
    page_input(p, model, "5.1", "g", "9.8", "m/s^2", "g");
    page_input(p, model, "Fig 7", "K1 = K2", "1e5", "N/m", "K");
    page_input(p, model, "Fig 7", "beta1 = beta2", "4e-3", "s", "beta");
    page_input(p, model, "Fig 7", "alpha", "2.8e-3", "s", "alpha");
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    page_datum(p, "Fig 6", "horizontal velocity at the start", "5.5", "m/s", slip_sim_get(sim, "px'"));
    page_datum(p, "Fig 6", "height at the start, 2 R", "1", "m", slip_sim_get(sim, "pz"));
    page_datum(p, "Fig 7", "time step", "0.001", "s", slip_sim_settings(sim).step);
    double deepest = 0, ends = 0, least = 0;
    do {
        const double slip = slip_sim_get(sim, "px'") - page_parameter(model, "R") * slip_sim_get(sim, "wy");
        deepest = fmax(deepest, page_parameter(model, "R") - slip_sim_get(sim, "pz"));
        if (ends == 0 && slip <= 0) ends = slip_sim_time(sim);
        least = fmin(least, slip);
    } while (slip_sim_step(sim) == SLIP_RUNNING);
    const double v = slip_sim_get(sim, "px'");
    page_claim(p, "5.1", "transition from slipping to pure rolling", fabs(v - 5.5 * 5 / 7) < 1e-9, NULL,
               "slip ends at %.3f s; then %.9f m/s, by angular momentum 5/7 of the first speed, %.9f", ends,
               v, 5.5 * 5 / 7);
    page_claim(p, "Fig 7(e)", "small penetrations", deepest > 0 && deepest < 0.02, NULL, "%.2f mm",
               1e3 * deepest);
    page_claim(p, "Fig 7(f)", "oscillations after collisions", least < 0, NULL, "slip back to %.4f m/s",
               least);
    page_close(sim, model);
}

// ---- example II: two masses, a wall and a conveyor ------------------------------------------------

void xiong_figure_9(page *p)
{
    static const char *const names[] = { "p1x", "p2x", "p1x'", "p2x'", "p1y", "p2y", "N" };
    slip_model *model = page_model(p, "xiong/two-masses-conveyor", "record.N=N2.normal");
    slip_sim *sim = page_sim(model, NULL, NULL, 5e-4, 1);
    svg_curve c[7] = { { 0 } };
    page_trace(sim, 1, names, 7, c);
    for (int k = 0; k < c[5].count; k++) c[5].y[k] *= 1e3;
    FILE *out = page_picture(p, "Fig 9", "two masses, a wall and a conveyor: Example II", "9",
                             "Grey: M1 and M2 touch. Step 0.5 ms instead of the printed 1 ms, at which the "
                             "stuck masses are numerically unstable.");
    page_begin(out, 2, "Xiong 2013, figure 9",
               "Positions and velocities of two masses that rattle against a wall.");
    const page_range t = { 0, 1, 0.2 };
    svg_axes axes[] = {
        page_panel(0, 0, 2, t, (page_range){ -0.02, 0.08, 0.02 }, "(a) horizontal positions", "time, s", "m"),
        page_panel(1, 0, 2, t, (page_range){ -1, 1, 0.5 }, "(b) horizontal velocities", "time, s", "m/s"),
        page_panel(0, 1, 2, t, (page_range){ -0.3, 0.3, 0.1 }, "(c) M1, vertical", "time, s", "m"),
        page_panel(1, 1, 2, t, (page_range){ -1, 5, 1 }, "(d) M2, vertical", "time, s", "mm")
    };
    for (int k = 1, from = -1; k < c[6].count; k++) {
        if (c[6].y[k] > 0 && from < 0) from = k;
        if (from >= 0 && (c[6].y[k] <= 0 || k == c[6].count - 1)) {
            for (int a = 0; a < 4; a++) svg_draw_band(out, &axes[a], c[6].x[from], c[6].x[k]);
            from = -1;
        }
    }
    svg_free(&c[6]);
    page_draw(out, &axes[0], &c[0], two, 2);
    page_draw(out, &axes[1], &c[2], two, 2);
    page_draw(out, &axes[2], &c[4], two, 1);
    page_draw(out, &axes[3], &c[5], &two[1], 1);
    page_end(out);
    page_close(sim, model);
}

static double creep_of_M1(page *p, double step)
{
    slip_model *model = page_model(p, "xiong/two-masses-conveyor", NULL);
    slip_sim *sim = page_sim(model, NULL, NULL, step, 4);
    page_step_to(sim, 2);
    const double early = slip_sim_get(sim, "p1y");
    page_step_to(sim, 4);
    const double rate = (slip_sim_get(sim, "p1y") - early) / 2;
    page_close(sim, model);
    return rate;
}

void xiong_numbers_9(page *p)
{
    static const char *const inputs[][4] = {
        { "Fig 8", "0.5", "", "mu1" },       { "Fig 8", "0.5", "", "mu2" },  { "Fig 8", "0.5", "", "mu3" },
        { "Fig 8", "0.5", "kg", "M1" },      { "Fig 8", "1", "kg", "M2" },   { "Fig 8", "100", "N/m", "Ks" },
        { "Fig 8", "1", "m/s", "u" },        { "Fig 9", "5e5", "N/m", "K" }, { "Fig 9", "2e-3", "s", "beta" },
        { "Fig 9", "1.6e-3", "s", "alpha" },
    };
    slip_model *model = page_model(p, "xiong/two-masses-conveyor", NULL);
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
        page_input(p, model, inputs[k][0], inputs[k][3], inputs[k][1], inputs[k][2], inputs[k][3]);
    page_not_printed(p, "5.2", "g", "m/s^2", page_parameter(model, "g"), "as in 5.1");
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    page_datum(p, "Fig 8", "p1y at the start", "0.25", "m", slip_sim_get(sim, "p1y"));
    page_datum(p, "Fig 8", "p2x at the start", "0.05", "m", slip_sim_get(sim, "p2x"));
    page_datum(p, "Fig 9", "time step", "0.001", "s", slip_sim_settings(sim).step);
    const double limit = page_summary(sim, "largest_stable_step");
    page_close(sim, model);
    const double printed = creep_of_M1(p, 1e-3), half = creep_of_M1(p, 5e-4);
    page_claim(p, "5.2", "static friction holds M1 away from p1y = 0", fabs(printed) < 1e-9,
               "differs: at the printed step of 1 ms M1 creeps, the stuck state being numerically unstable; "
               "at 0.5 ms it holds",
               "creep %.1e m/s at 1 ms, %.0e at 0.5 ms; largest stable step %.3g ms", printed, half,
               1e3 * limit);
    model = page_model(p, "xiong/two-masses-conveyor", NULL);
    sim = page_sim(model, NULL, NULL, 5e-4, 4);
    double overlap = 0;
    while (slip_sim_step(sim) == SLIP_RUNNING)
        overlap = fmax(overlap,
                       fmax(-slip_sim_get(sim, "p1x"), slip_sim_get(sim, "p1x") - slip_sim_get(sim, "p2x")));
    page_claim(p, "5.2", "horizontal bouncing eventually converges; p1y does not converge to zero",
               fabs(slip_sim_get(sim, "p2x'")) < 1e-9 && fabs(slip_sim_get(sim, "p1y")) > 1e-6, NULL,
               "at 4 s p2x' = %.0e m/s, p1y = %.4g m", slip_sim_get(sim, "p2x'"), slip_sim_get(sim, "p1y"));
    page_claim(p, "5.2", "small penetrations at the time of collisions", overlap > 0 && overlap < 0.01, NULL,
               "%.2f mm", 1e3 * overlap);
    page_close(sim, model);
}

// ---- example III: periodic motion -----------------------------------------------------------------

// time between the last two upward passages of p through 0, and the longest stick
static double period(page *p, const char *sets, double step, const char *integrator, double *stuck)
{
    slip_model *model = page_model(p, "xiong/stick-slip", sets);
    slip_sim *sim = page_sim(model, NULL, integrator, step, NAN);
    double last = NAN, before = NAN, p0 = slip_sim_get(sim, "p"), t0 = 0, since = NAN;
    *stuck = 0;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        const double t = slip_sim_time(sim), p1 = slip_sim_get(sim, "p");
        if (p0 < 0 && p1 >= 0) {
            before = last;
            last = t0 + (t - t0) * p0 / (p0 - p1);
        }
        if (slip_sim_get(sim, "stick") > 0) {
            if (isnan(since)) since = t;
            *stuck = fmax(*stuck, t - since);
        } else {
            since = NAN;
        }
        p0 = p1;
        t0 = t;
    }
    page_close(sim, model);
    return last - before;
}

void xiong_figure_11(page *p)
{
    static const char *const names[] = { "p", "w" };
    FILE *out = page_picture(
        p, "Fig 11", "the oscillator of Example III under (49) and under the smoothing (50)", "11",
        "Blue (49), orange (50), which covers it. Bottom: the same with F = 0.5, where the mass sticks "
        "(w = 0), step 50 us, within the stable range of (49).");
    page_begin(out, 2, "Xiong 2013, figure 11",
               "Position and slip speed of a mass on a conveyor, over 30 s.");
    for (int row = 0; row < 2; row++) {
        const char *sets = row ? "F=0.5" : NULL;
        svg_curve c[4] = { { 0 } };
        for (int k = 0; k < 2; k++) {
            slip_model *model = page_model(p, k ? "xiong/stick-slip-smoothed" : "xiong/stick-slip", sets);
            slip_sim *sim = page_sim(model, NULL, NULL, row ? 5e-5 : NAN, 30);
            page_trace(sim, 30, names, 2, &c[2 * k]);
            page_close(sim, model);
        }
        svg_curve position[] = { c[0], c[2] }, speed[] = { c[1], c[3] };
        svg_axes a = page_panel(0, row, 2, (page_range){ 0, 30, 5 }, (page_range){ -2, 2, 1 },
                                row ? "position, F = 0.5" : "position, F = 0.2 as printed", "time, s",
                                "p, m"),
                 b = page_panel(1, row, 2, (page_range){ 0, 30, 5 }, (page_range){ -1, 3, 1 },
                                row ? "slip speed, F = 0.5" : "slip speed, F = 0.2", "time, s", "w, m/s");
        page_draw(out, &a, position, two, 2);
        page_draw(out, &b, speed, two, 2);
    }
    page_end(out);
}

static double largest_difference(page *p)
{
    slip_model *a = page_model(p, "xiong/stick-slip", NULL),
               *b = page_model(p, "xiong/stick-slip-smoothed", NULL);
    slip_sim *x = page_sim(a, NULL, NULL, NAN, NAN), *y = page_sim(b, NULL, NULL, NAN, NAN);
    double worst = 0;
    while (slip_sim_step(x) == SLIP_RUNNING && slip_sim_step(y) == SLIP_RUNNING)
        worst = fmax(worst, fabs(slip_sim_get(x, "p") - slip_sim_get(y, "p")));
    page_close(x, a);
    page_close(y, b);
    return worst;
}

void xiong_numbers_11(page *p)
{
    static const char *const inputs[][3] = { { "F", "0.2", "N" },  { "M", "1", "kg" },  { "k1", "1", "N/m" },
                                             { "k2", "1", "N/m" }, { "u", "1", "m/s" }, { "V", "1", "m/s" } };
    slip_model *model = page_model(p, "xiong/stick-slip", NULL),
               *smooth = page_model(p, "xiong/stick-slip-smoothed", NULL);
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
        page_input(p, model, "Fig 10", inputs[k][0], inputs[k][1], inputs[k][2], inputs[k][0]);
    page_input(p, model, "Fig 11", "K", "1e5", "N/m", "K");
    page_input(p, model, "Fig 11", "beta", "0.5", "s", "beta");
    page_input(p, smooth, "Fig 11", "epsilon of (50)", "1e-5", "m/s", "eps");
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN), *other = page_sim(smooth, NULL, NULL, NAN, NAN);
    page_datum(p, "Fig 10", "p at the start", "1.19149", "m", slip_sim_get(sim, "p"));
    page_datum(p, "Fig 10", "w at the start", "0", "m/s", slip_sim_get(sim, "w"));
    page_datum(p, "Fig 11", "time step", "0.001", "s", slip_sim_settings(sim).step);
    const double limit = page_summary(sim, "largest_stable_step"),
                 limit_50 = page_summary(other, "largest_stable_step");
    page_close(other, smooth);
    page_close(sim, model);
    // p^3 - p = 0.5, by Cardano
    const double inner = sqrt(0.0625 - 1.0 / 27), root = cbrt(0.25 + inner) + cbrt(0.25 - inner);
    double stuck, stuck_05;
    const double T = period(p, NULL, NAN, NULL, &stuck), T_05 = period(p, "F=0.5", 1e-3, "sdirk4", &stuck_05),
                 worst = largest_difference(p);
    page_claim(p, "5.3", "(49) gives a periodic solution", fabs(T - 7.7497) < 1e-3, NULL, "period %.4f s", T);
    page_claim(p, "5.3", "very close to that of (50)", worst < 1e-6, NULL,
               "positions differ by %.0e m at most in 40 s", worst);
    page_erratum(p, "Fig 10", "F = 0.2, with p = 1.19149 at the start", "kept; F = 0.5 also shown",
                 "p^3 - p = F/V has the root %.6f for F/V = 0.5: the start is the end of a stick phase of "
                 "that case, %.3f s "
                 "of a period of %.3f s; with F = 0.2 the mass never sticks (longest stick %.3f s)",
                 root, stuck_05, T_05, stuck);
    page_erratum(
        p, "Fig 11", "K, beta and epsilon with a step of 1 ms", "kept, with a warning",
        "in stick rk4 is stable up to %.3g us for (49), %.3g us for (50); without stick it does no harm",
        1e6 * limit, 1e6 * limit_50);
}
