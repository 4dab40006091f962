/// song.c: Song 2001, when the rigid contact problem can be trusted, and compliant contacts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "papers.h"

static const char *const ramp[] = { "c2", "r1", "r2", "r4" }; // rigid, then eps from large to small
static const char *const softness[] = { "eps=1e-2", "eps=1e-3", "eps=1e-4" };
enum { SOFT = 3 };

/// First times of events.
typedef struct seen {
    double slide, stick, release;
} seen;

static void see(void *context, const slip_event *event)
{
    seen *s = context;
    if (event->kind == SLIP_EVENT_SLIDE) s->slide = event->t;
    if (event->kind == SLIP_EVENT_STICK) s->stick = event->t;
    if (event->kind == SLIP_EVENT_RELEASE && isnan(s->release)) s->release = event->t;
}

// rigid formulations bring their own
static const char *integrator_of(const char *formulation)
{
    return strcmp(formulation, "lcp") == 0 ? NULL : "cash-karp";
}

// ---- case 1 -----------------------------------------------------------------------------------------

// the rod with spherical ends, which roll: a capsule of the printed length and diameter
static void round_ends(char *sets, size_t size)
{
    const double l = 0.468, r = 0.00474, h = l - 2 * r, m = 0.088, shaft = m * h / (h + 4 * r / 3),
                 ends = m - shaft,
                 inertia =
                     shaft * (h * h / 12 + r * r / 4) + ends * (0.4 * r * r + h * h / 4 + 3 * h * r / 8);
    snprintf(
        sets, size,
        "I=%.17g;contacts.tip.gap=y - (L - %g)*sin(th) - %g;contacts.tip.slip=x - (L - %g)*cos(th) + %g*th;"
        "coordinates.y.start=(L - %g)*sin(th0) + %g",
        inertia, r, r, r, r, r, r);
}

static seen reversal(page *p, const char *sets, const char *formulation)
{
    slip_model *model = page_model(p, "song/rod-case1", sets);
    slip_sim *sim = page_sim(model, formulation, integrator_of(formulation), NAN, 0.21);
    seen s = { NAN, NAN, NAN };
    slip_sim_on_event(sim, see, &s);
    page_step_to(sim, 0.21);
    page_close(sim, model);
    return s;
}

static double contact_point_at(page *p, const char *sets, const char *formulation, double t)
{
    slip_model *model = page_model(p, "song/rod-case1", sets);
    slip_sim *sim = page_sim(model, formulation, integrator_of(formulation), NAN, t);
    page_step_to(sim, t);
    const double x = slip_sim_get(sim, "xc");
    page_close(sim, model);
    return x;
}

// columns of one model under one formulation as curves
static void trace(page *p, const char *name, const char *sets, const char *formulation, double until,
                  const char *const *columns, int count, svg_curve *curves)
{
    slip_model *model = page_model(p, name, sets);
    slip_sim *sim = page_sim(model, formulation, integrator_of(formulation), NAN, until);
    page_trace(sim, until, columns, count, curves);
    page_close(sim, model);
}

// the same for rigid contacts, whose steps are too long for a picture: runs that end where a point is wanted
static void sample(page *p, const char *name, const char *sets, double until, const char *const *columns,
                   int count, svg_curve *curves)
{
    enum { POINTS = 440 };
    slip_model *model = page_model(p, name, sets);
    for (int k = 1; k <= POINTS; k++) {
        slip_sim *sim = page_sim(model, "lcp", NULL, NAN, until * k / POINTS);
        page_step_to(sim, until * k / POINTS);
        for (int n = 0; n < count; n++)
            svg_add(&curves[n], slip_sim_time(sim), slip_sim_get(sim, columns[n]));
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

static void legend(FILE *out, const svg_axes *axes, const char *rigid, double y)
{
    const char *const words[] = { rigid, "eps = 1e-2", "1e-3", "1e-4" };
    for (int k = 0; k < 4; k++)
        svg_draw_text(out, axes, axes->x0, y, 240 + 150.0 * k, 0, "start", ramp[k], words[k]);
}

static void figure_4(page *p)
{
    static const char *const columns[] = { "xc", "N", "F" };
    svg_curve c[3][1 + SOFT] = { 0 }, one[3];
    for (int k = 0; k <= SOFT; k++) {
        memset(one, 0, sizeof one);
        if (k)
            trace(p, "song/rod-case1", softness[k - 1], "hunt-crossley", 0.22, columns, 3, one);
        else
            sample(p, "song/rod-case1", NULL, 0.22, columns, 3, one);
        for (int n = 0; n < 3; n++) c[n][k] = one[n];
    }
    FILE *out = page_picture(
        p, "Fig 4", "case 1: contact point, normal and tangential force, rigid and compliant", "4",
        "Orange: rigid. Blue: Hunt-Crossley, darker for smaller eps; the values of the paper are lost with "
        "the figure's legend.\nThe measured trajectory is not printed as numbers and cannot be shown.");
    page_begin(out, 3, "Song 2001, figure 4",
               "Displacement of the tip of a falling rod and its contact forces.");
    const page_range t = { 0, 0.22, 0.02 };
    svg_axes a = page_panel(0, 0, 1, t, (page_range){ -0.05, 0.01, 0.01 },
                            "(a) displacement of the contact point", "time, s", "m"),
             b = page_panel(0, 1, 1, t, (page_range){ 0, 1, 0.2 }, "(b) normal force", "time, s", "N"),
             f = page_panel(0, 2, 1, t, (page_range){ -0.1, 0.3, 0.1 }, "(c) tangential force", "time, s",
                            "N");
    page_draw(out, &a, c[0], ramp, 1 + SOFT);
    page_draw(out, &b, c[1], ramp, 1 + SOFT);
    page_draw(out, &f, c[2], ramp, 1 + SOFT);
    legend(out, &b, "rigid", 0.8);
    page_end(out);
}

static void case_1(page *p)
{
    slip_model *model = page_model(p, "song/rod-case1", NULL);
    page_input(p, model, "6", "length", "0.468", "m", "l");
    page_input(p, model, "6", "mass", "0.088", "kg", "m");
    page_datum(p, "6.1", "theta at the start", "42.3", "deg",
               page_parameter(model, "th0") * 180 / acos(-1.0));
    page_input(p, model, "6.1", "mu", "0.27", "", "mu");
    page_not_printed(p, "6.1", "characteristic time T = sqrt(L/g)", "s", page_parameter(model, "T"),
                     "then the static penetration is eps L for K-bar = 1");
    page_not_printed(p, "6.1", "tangential compliance: K-bar = C-bar", "", 1,
                     "Kelvin-Voigt; Hunt-Crossley has no inverse at rest");
    slip_model_destroy(model);
    char capsule_sets[400];
    round_ends(capsule_sets, sizeof capsule_sets);
    const seen rigid = reversal(p, NULL, "lcp"), capsule = reversal(p, capsule_sets, "lcp"),
               soft = reversal(p, "eps=1e-3", "hunt-crossley"),
               softer = reversal(p, "eps=1e-2", "hunt-crossley");
    page_about(p, "6.1", "the sliding velocity changes direction, point contact", "0.205", "s", rigid.slide,
               0.0025, NULL);
    page_about(p, "6.1", "the same with the spherical ends of the rod", "0.205", "s", capsule.slide, 0.0005,
               NULL);
    page_claim(p, "6.1", "the transition includes a very brief period of rolling", !isnan(soft.stick), NULL,
               "compliant, eps = 1e-3: %.2f ms; eps = 1e-2: %.2f ms; rigid: none",
               1e3 * (soft.slide - soft.stick), 1e3 * (softer.slide - softer.stick));
    const double exact = contact_point_at(p, NULL, "lcp", 0.19),
                 e4 = fabs(contact_point_at(p, "eps=1e-4", "hunt-crossley", 0.19) - exact),
                 e6 = fabs(contact_point_at(p, "eps=1e-6", "hunt-crossley", 0.19) - exact);
    page_claim(p, "6.1", "the compliant solution approaches that of the LCP as eps becomes small",
               e6 < 0.2 * e4, NULL, "contact point at 0.19 s off by %.2g and %.2g m for eps = 1e-4 and 1e-6",
               e4, e6);
    page_claim(p, "Thm 4.1", "the difference is O(sqrt(eps))", fabs(log10(e4 / e6) / 2 - 0.5) < 0.05, NULL,
               "order %.3f in eps", log10(e4 / e6) / 2);
}

// ---- case 2 -----------------------------------------------------------------------------------------

// the branch that keeps contact, which no formulation follows since it is unstable: eq (29) with N = -B/A
static const char held_branch[] = "slipstick: 1\nname: Rod, contact held\n"
                                  "parameters: {m: 1, L: 0.5, I: 0.088/12, g: 9.81, mu: 1, Mz: -1}\n"
                                  "define:\n"
                                  "  A: 1/m + L^2*cos(th)/I*(cos(th) - mu*sin(th))\n"
                                  "  B: L*th'^2*sin(th) - g - L*cos(th)*Mz/I\n"
                                  "  N: -B/A\n"
                                  "  v: x' + L*sin(th)*th'\n"
                                  "inclusion:\n"
                                  "  x'': mu*N/m\n"
                                  "  th'': (Mz + L*(mu*sin(th) - cos(th))*N)/I\n"
                                  "start: {x: 0.5*cos(70 deg), th: 70 deg}\n"
                                  "record: {N: N, v: v, xc: x - L*cos(th)}\n"
                                  "run: {formulation: dai, integrator: rk4, step: 1e-5, until: 0.2}\n";

typedef struct held {
    double end, force;
} held;

static held hold(svg_curve *xc, svg_curve *N)
{
    slip_model *model = page_model_text("held.yaml", held_branch);
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    double v = 0, before = 0, start = slip_sim_get(sim, "xc");
    do {
        if (xc) svg_add(xc, slip_sim_time(sim), slip_sim_get(sim, "xc") - start);
        if (N) svg_add(N, slip_sim_time(sim), slip_sim_get(sim, "N"));
        before = v;
        slip_sim_step(sim);
        v = slip_sim_get(sim, "v");
    } while (v < 0);
    const held h = { slip_sim_time(sim) - 1e-5 * v / (v - before), slip_sim_get(sim, "N") };
    if (N) svg_add(N, h.end, 0);
    page_close(sim, model);
    return h;
}

static int find_mode(const slip_analysis *a, const char *mode)
{
    for (int k = 0; k < slip_analysis_solution_count(a); k++)
        if (strcmp(slip_analysis_solution(a, k, 0).mode, mode) == 0) return k;
    return -1;
}

static double sliding_force(page *p)
{
    slip_model *model = page_model(p, "song/rod-case2", NULL);
    slip_analysis *a = page_analyse(model);
    const double N = slip_analysis_solution(a, find_mode(a, "slides backward"), 0).normal;
    slip_analysis_destroy(a);
    slip_model_destroy(model);
    return N;
}

// the compliant contact, started in equilibrium on the unstable branch and about to slide left
static double leave(page *p, const char *set, svg_curve *xc, svg_curve *N)
{
    char sets[200];
    slip_model *model = page_model(p, "song/rod-case2", set);
    const double eps = page_parameter(model, "eps"), L = page_parameter(model, "L"),
                 g = page_parameter(model, "g"), N0 = sliding_force(p);
    slip_model_destroy(model);
    snprintf(sets, sizeof sets, "%s;d0=%.17g", set, eps * L * sqrt(N0 / g)); // N = m g (depth/(eps L))^2
    model = page_model(p, "song/rod-case2", sets);
    slip_sim *sim = page_sim(model, "hunt-crossley", "cash-karp", NAN, 0.1);
    const double start = slip_sim_get(sim, "xc");
    slip_sim_set(sim, "tip.delta", N0 * eps * L / g * (1 + 1e-12), NULL);
    double left = NAN;
    do {
        if (xc) svg_add(xc, slip_sim_time(sim), slip_sim_get(sim, "xc") - start);
        if (N) svg_add(N, slip_sim_time(sim), slip_sim_get(sim, "N"));
        if (isnan(left) && slip_sim_get(sim, "gap") > 0) left = slip_sim_time(sim);
    } while (slip_sim_step(sim) == SLIP_RUNNING);
    page_close(sim, model);
    return left;
}

static void figure_5(page *p)
{
    static const char *const columns[] = { "xc", "N" }, *const styles[] = { "c2", "c2", "r1", "r2", "r4" };
    svg_curve x[2 + SOFT] = { { 0 } }, N[2 + SOFT] = { { 0 } }, apart[2] = { { 0 } };
    hold(&x[0], &N[0]);
    sample(p, "song/rod-case2", "v0=-1e-9", 0.1, columns, 2, apart);
    x[1] = apart[0];
    N[1] = apart[1];
    for (int k = 0; k < SOFT; k++) leave(p, softness[k], &x[2 + k], &N[2 + k]);
    FILE *out = page_picture(
        p, "Fig 5", "case 2: contact kept (unstable) or broken (stable), and the compliant contact", "5",
        "Orange: the two rigid solutions, contact kept until 0.163 s and contact broken at once. Blue: the "
        "compliant contact, started\non the first, goes over to the second, sooner for smaller eps. With the "
        "reconstructed data of\n[rod-case2.yaml](../../models/song/rod-case2.yaml), see the errata.");
    page_begin(out, 2, "Song 2001, figure 5",
               "Displacement of the tip and normal force where the LCP has two solutions.");
    const page_range t = { 0, 0.18, 0.02 };
    svg_axes a = page_panel(0, 0, 1, t, (page_range){ -0.3, 0.1, 0.1 },
                            "(a) displacement of the contact point", "time, s", "m"),
             b = page_panel(0, 1, 1, t, (page_range){ 0, 20, 5 }, "(b) normal force", "time, s", "N");
    page_draw(out, &a, x, styles, 2 + SOFT);
    page_draw(out, &b, N, styles, 2 + SOFT);
    legend(out, &b, "rigid", 17);
    page_end(out);
}

static void case_2(page *p)
{
    slip_model *printed = page_model(p, "song/rod-case2-printed", NULL),
               *model = page_model(p, "song/rod-case2", NULL);
    page_datum(p, "6.2", "length L, lever L/2", "1", "m", 2 * page_parameter(printed, "L"));
    page_input(p, printed, "6.2", "m", "1", "kg", "m");
    page_datum(p, "6.2", "theta at the start", "70", "deg",
               page_parameter(printed, "th0") * 180 / acos(-1.0));
    page_input(p, printed, "6.2", "M_z", "-1", "N m", "Mz");
    page_input(p, printed, "6.2", "mu", "1", "", "mu");
    slip_analysis *a = page_analyse(printed), *b = page_analyse(model);
    const int stuck = find_mode(b, "sticks");
    page_number(p, "6.2", "solutions of the LCP, data as printed", "2", "", slip_analysis_solution_count(a),
                "misprint: a uniform rod with mu = 1 has A > 0, one solution, and it sticks");
    page_number(p, "6.2", "solutions, inertia of case 1's mass", "2", "", slip_analysis_solution_count(b),
                "differs: two that slide or separate, as printed, and rolling, since the tip starts at rest");
    const held h = hold(NULL, NULL);
    page_number(p, "6.2", "contact kept: the LCP is left with separation alone", "0.163", "s", h.end, NULL);
    page_claim(p, "6.2", "discontinuous drop of the normal force there", h.force > 1, NULL,
               "from %.2f N to 0", h.force);
    page_claim(p, "6.2", "the compliant contact leaves the unstable solution, sooner for smaller eps",
               leave(p, softness[0], NULL, NULL) > leave(p, softness[1], NULL, NULL) &&
                   leave(p, softness[1], NULL, NULL) > leave(p, softness[2], NULL, NULL),
               NULL, "gap opens at %.1f, %.1f, %.1f ms for eps = 1e-2, 1e-3, 1e-4",
               1e3 * leave(p, softness[0], NULL, NULL), 1e3 * leave(p, softness[1], NULL, NULL),
               1e3 * leave(p, softness[2], NULL, NULL));
    // eigenvalues of the symmetric A of rolling, times the mass
    const slip_analysis_layer layer = slip_analysis_boundary_layer(b, stuck);
    const double m = page_parameter(model, "m"), L = page_parameter(model, "L"),
                 I = page_parameter(model, "I"), mean = 0.5 * m * (layer.A[0] + layer.A[3]),
                 apart = hypot(0.5 * m * (layer.A[0] - layer.A[3]), m * layer.A[1]);
    page_claim(p, "5.2", "rolling: eigenvalues of A are 1 and 1 + m L^2/I",
               layer.count == 2 && fabs(mean - apart - 1) < 1e-9 &&
                   fabs(mean + apart - 1 - m * L * L / I) < 1e-9,
               NULL, "%.6f and %.6f; 1 + m L^2/I = %.6f", mean - apart, mean + apart, 1 + m * L * L / I);
    slip_model *sliding = page_model(p, "song/rod-case2-printed", "v0=-1");
    slip_analysis *slides = page_analyse(sliding);
    page_erratum(p, "6.2", "uniform rod, L = 1 m, m = 1 kg", "I = 0.088/12 kg m^2, lever 0.5 m",
                 "as printed A = %+.3f, B = %+.2f (sliding left); with the inertia of case 1's mass A < 0, B "
                 "> 0 and everything else in the text fits",
                 slip_analysis_A(slides)[0], slip_analysis_B(slides)[0]);
    slip_analysis_destroy(slides);
    slip_model_destroy(sliding);
    slip_analysis_destroy(a);
    slip_analysis_destroy(b);
    slip_model_destroy(printed);
    slip_model_destroy(model);
}

// ---- Table 1 ----------------------------------------------------------------------------------------

static void table_row(page *p, const char *condition, const char *claim, const char *sets, int solutions,
                      const char *contact, bool rigid, const char *why)
{
    slip_model *model = page_model(p, "song/table1", sets);
    slip_analysis *a = page_analyse(model);
    const int touching = find_mode(a, "slides backward"), count = slip_analysis_solution_count(a);
    const char *stability = touching >= 0 ? slip_analysis_stability(a, touching) : "none";
    const double *A = slip_analysis_A(a), *B = slip_analysis_B(a);
    bool holds =
        count == solutions && strcmp(stability, contact) == 0 && slip_analysis_rigid_preferred(a) == rigid;
    page_claim(p, "Table 1", claim, why ? false : holds, why,
               "%s: A = %+.4g, B = %+.4g: %d solution%s%s, contact: %s, %s preferred", condition, A[0], B[0],
               count, count == 1 ? "" : "s", slip_analysis_continuum(a) ? " (a continuum)" : "", stability,
               slip_analysis_rigid_preferred(a) ? "RB" : "CC");
    slip_analysis_destroy(a);
    slip_model_destroy(model);
}

static void table_1(page *p)
{
    // A vanishes to rounding for mu = (1 + 3 cos^2)/(3 cos sin): 5/3 at 45 degrees
    table_row(p, "om = 5, mu = 0.5", "A > 0, B >= 0: NC, stable, RB", "mu=0.5", 1, "none", true, NULL);
    table_row(p, "om = 0, mu = 0.5", "A > 0, B < 0: C, stable, RB", "mu=0.5;om=0", 1, "stable", true, NULL);
    table_row(p, "om = 5, mu = 1.347", "A = 0, B > 0: NC, stable, RB",
              "mu=(1 + 3*cos(60 deg)^2)/(3*cos(60 deg)*sin(60 deg))", 1, "none", true, NULL);
    table_row(p, "om = 1, mu = 5/3", "A = 0, B < 0: no solution, CC", "mu=5/3;th0=45 deg;om=1", 0, "none",
              false, NULL);
    page_claim(p, "Table 1", "A = 0, B = 0: infinitely many solutions, CC", false,
               "differs: true, but numbers that make both exactly 0 are not to be had", "not computed");
    table_row(p, "om = 5, mu = 2", "A < 0, B >= 0: C, unstable", NULL, 2, "unstable", true, NULL);
    table_row(p, "om = 1, mu = 2", "A < 0, B < 0: NC, stable, RB", "om=1", 1, "none", true,
              "misprint: this row is the second solution of A < 0, B >= 0");
    table_row(p, "om = 1, mu = 2", "A < 0, B < 0: no solution, CC", "om=1", 0, "none", false, NULL);
}

// ---- smooth friction --------------------------------------------------------------------------------

static const char smooth_rigid[] = "contacts.tip.friction=mu*tanh(abs(x' + L*sin(th)*th')/1e-3)";

static void figure_6(page *p)
{
    slip_law_value speed = { "speed", 1e-3 };
    slip_error error = { 0 };
    slip_friction_law *law = NULL;
    if (slip_law_create("tanh", 0.27, 1, &speed, 1, &error, &law) != SLIP_OK) {
        fprintf(stderr, "reproduction: %s\n", error.text);
        exit(1);
    }
    svg_curve c[1] = { { 0 } };
    for (int k = -500; k <= 500; k++) {
        double v = 1e-5 * k, force, none = 0;
        slip_law_evaluate(law, &v, &none, 0, &force, &none);
        svg_add(&c[0], 1e3 * v, -force);
    }
    slip_law_destroy(law);
    static const char *const style[] = { "c1" };
    FILE *out = page_picture(p, "Fig 6", "the smooth friction law (42)", "6",
                             "Law `tanh` of [laws.md](../laws.md), mu = 0.27, gamma = 1 mm/s.");
    page_begin(out, 1, "Song 2001, figure 6", "Friction force over slip velocity.");
    svg_axes axes = page_panel(0, 0, 1, (page_range){ -5, 5, 1 }, (page_range){ -0.3, 0.3, 0.1 },
                               "Smooth friction", "slip, mm/s", "force / normal force");
    page_draw(out, &axes, c, style, 1);
    page_end(out);
}

static void figure_7(page *p)
{
    static const char *const columns[] = { "xc", "F" };
    svg_curve x[1 + SOFT] = { { 0 } }, F[1 + SOFT] = { { 0 } }, one[2];
    for (int k = 0; k <= SOFT; k++) {
        memset(one, 0, sizeof one);
        if (k)
            trace(p, "song/rod-case1", softness[k - 1], "tanh", 0.22, columns, 2, one);
        else
            sample(p, "song/rod-case1", smooth_rigid, 0.22, columns, 2, one);
        x[k] = one[0];
        F[k] = one[1];
    }
    FILE *out =
        page_picture(p, "Fig 7", "case 1 with smooth friction, gamma = 1e-3", "7",
                     "Orange: rigid contact with the smooth coefficient (41). Blue: compliant contact (42).");
    page_begin(out, 2, "Song 2001, figure 7",
               "Displacement of the tip and tangential force with smooth friction.");
    const page_range t = { 0, 0.22, 0.02 };
    svg_axes a = page_panel(0, 0, 1, t, (page_range){ -0.05, 0.01, 0.01 },
                            "(a) displacement of the contact point", "time, s", "m"),
             b = page_panel(0, 1, 1, t, (page_range){ -0.1, 0.3, 0.1 }, "(b) tangential force", "time, s",
                            "N");
    page_draw(out, &a, x, ramp, 1 + SOFT);
    page_draw(out, &b, F, ramp, 1 + SOFT);
    legend(out, &b, "rigid", 0.25);
    page_end(out);
}

// largest change of the friction force within a step around the reversal
static double largest_jump(page *p, const char *sets, const char *formulation)
{
    slip_model *model = page_model(p, "song/rod-case1", sets);
    slip_sim *sim = page_sim(model, formulation, integrator_of(formulation), NAN, 0.21);
    page_step_to(sim, 0.19);
    double jump = 0, F = slip_sim_get(sim, "F"), now;
    while (slip_sim_step(sim) == SLIP_RUNNING) {
        now = slip_sim_get(sim, "F");
        jump = fmax(jump, fabs(now - F));
        F = now;
    }
    page_close(sim, model);
    return jump;
}

static void smooth(page *p)
{
    const seen rigid = reversal(p, smooth_rigid, "lcp");
    page_about(p, "7", "transition from reverse to forward sliding, smooth friction", "0.205", "s",
               rigid.slide, 0.0025, NULL);
    const double coulomb = largest_jump(p, NULL, "lcp"), soft = largest_jump(p, "eps=1e-3", "tanh");
    page_claim(p, "7",
               "rigid contact predicts discontinuous forces, compliant contact with (42) a smooth transition",
               soft < 0.5 * coulomb, NULL,
               "largest change of T in a step %.3f N rigid with Coulomb friction, %.4f N compliant", coulomb,
               soft);
}

static void errata(page *p)
{
    page_erratum(p, "Table 1", "row A < 0, B < 0: NC, stable", "it belongs to A < 0, B >= 0",
                 "table above; at A < 0, B = 0 the two solutions merge");
    page_erratum(p, "6", "lever L not said to be half the rod", "L = 0.234 m, half of 0.468 m",
                 "the full length gives 0.26 s and more for the 0.205 s of the text");
    page_erratum(p, "(6)", "y = A x + B > 0", ">= 0", "y x = 0 with x > 0");
    page_erratum(p, "(13)", "g(delta + delta')", "g(delta, delta')", "as in (7)");
    page_erratum(p, "before (24)", "tau = t - t0/sqrt(eps)", "(t - t0)/sqrt(eps)", "a stretch, not a shift");
    page_erratum(p, "(29)", "Phi_N'", "Phi_N''", "A lambda + B are accelerations");
    page_erratum(p, "(31)", "eps L y2/T; F_x/(m L), F_th/T^2", "sqrt(eps) L y2/T; F_x T^2/(m L), F_th T^2/I",
                 "(20), (21) and dimensions");
    page_erratum(p, "(34), (37)", "fractions lost", "K = K-bar m/(eps T^2) and so on", "dimensions");
    page_erratum(p, "Thm 5.1", "unique if and only if A > 0", "also for A = 0, B > 0", "Table 1");
    page_erratum(p, "(41), (42)", "tanh of the displacement over gamma", "of the velocity", "Fig 6");
    page_erratum(p, "6.1", "rolling at the reversal", "only with compliant contact",
                 "the rigid rod would need more friction than "
                 "there is to stick");
    page_erratum(p, "8", "a P-matrix means stability",
                 "one contact only; else eigenvalues of the boundary layer",
                 "test "
                 "`song.analysis` has a P-matrix that flutters");
}

bool reproduce_song(const char *root, const char *out)
{
    static const page_title title = {
        "song",
        "Song 2001",
        "P. Song, P. Kraus, V. Kumar, P. Dupont: Analysis of rigid-body dynamic models for simulation of "
        "systems with "
        "frictional\ncontacts. Journal of Applied Mechanics 68(1), 118-128, 2001",
        "[models/song](../../models/song)",
        "`song.rod` (samples of independent integrations), `song.analysis`, `song.verdict`",
    };
    page *p = page_create(&title, root, out);
    page_say(p, "The paper prints two times, two sets of data and one table; it compares with a measurement "
                "whose points it does not print.");
    page_sketch(p, "Fig 1", "a model of contact compliance",
                "formulations `kelvin-voigt` and `hunt-crossley`, [trust.md](../trust.md)");
    page_sketch(p, "Fig 2", "a planar body on a rough surface",
                "[rod-case1.yaml](../../models/song/rod-case1.yaml)");
    page_sketch(p, "Fig 3", "photograph of the experiment", "a measurement; its data are not printed");
    figure_4(p);
    figure_5(p);
    figure_6(p);
    figure_7(p);
    case_1(p);
    case_2(p);
    table_1(p);
    smooth(p);
    errata(p);
    return page_finish(p);
}
