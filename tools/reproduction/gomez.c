/// gomez.c: Gomez 2008, chapter 2: least constraint on a particle, a rod and a block. The pendulum of chapter
/// 4 is in gomez_pendulum.c.
#include "gomez.h"

#include <math.h>
#include <stdlib.h>

#include "papers.h"

static const char *const one_style[] = { "c1" };

// ---- sections 2.6 to 2.8: a particle, Painleve's rod ---------------------------------------------------

static void particle(page *p)
{
    double N[2][2];
    for (int k = 0; k < 2; k++) {
        slip_model *model = page_model(p, "gomez/particle-between-planes", k ? "mu=0" : NULL);
        slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
        slip_sim_step(sim);
        const double weight = page_parameter(model, "m") * page_parameter(model, "g");
        N[k][0] = slip_sim_get(sim, "N1") / weight;
        N[k][1] = slip_sim_get(sim, "N2") / weight;
        page_close(sim, model);
    }
    page_number(p, "2.6", "particle between planes: N1/(m g), friction", "1", "", N[0][0], NULL);
    page_number(p, "2.6", "the same: N2", "0", "", N[0][1], NULL);
    page_number(p, "2.6", "without friction, least norm: N1/(m g)", "1", "", N[1][0], NULL);
    page_number(p, "2.6", "the same: N2", "0", "", N[1][1], NULL);
}

/// The contact problem of the rod in the paper's units: g'' = (b - A N)/eps.
typedef struct rod {
    double A, b, eps, mu, th;
} rod;

static rod rod_at(page *p, const char *sets)
{
    slip_model *model = page_model(p, "gomez/painleve-rod", sets);
    slip_analysis *a = page_analyse(model);
    const double eps = page_parameter(model, "eps");
    // gap'' = A_lcp N + B_lcp is -g''
    const rod r = { eps * slip_analysis_A(a)[0], -eps * slip_analysis_B(a)[0], eps,
                    page_parameter(model, "mu"), page_parameter(model, "th0") };
    slip_analysis_destroy(a);
    slip_model_destroy(model);
    return r;
}

static double objective(const rod *r, double N)
{
    const double turn = cos(r->th) - r->mu * sin(r->th); // (2.83) with the sign of W (2.77)
    return 0.5 * N * N * (1 + r->mu * r->mu + turn * turn / r->eps);
}

// objective over N, with the feasible set as a band and the optimum named
static void draw_program(FILE *out, int column, int row, const rod *r, const char *title)
{
    const double ratio = r->b / r->A;
    svg_axes axes = page_panel(column, row, 2, (page_range){ -1, 3, 1 }, (page_range){ 0, 10, 5 }, title,
                               "N/(m g)", "phi");
    svg_curve c[1] = { { 0 } };
    for (int k = -100; k <= 300; k++)
        if (objective(r, 0.01 * k) <= 10) svg_add(&c[0], 0.01 * k, objective(r, 0.01 * k));
    const double from = r->A > 0 ? fmax(ratio, 0) : 0, to = r->A > 0 ? 3 : fmin(ratio, 3);
    svg_draw_band(out, &axes, from, to);
    page_draw(out, &axes, c, one_style, 1);
    char text[64];
    snprintf(text, sizeof text, "N = %.3f", from);
    svg_draw_text(out, &axes, from, objective(r, from), 8, -8, "start", "c2", text);
}

static const char steep_fast[] = "th0=57.3 deg;thd0=1.5", steep_slow[] = "th0=57.3 deg;thd0=0.5",
                  flat_slow[] = "th0=30 deg;thd0=0.5", flat_fast[] = "th0=30 deg;thd0=2";

static void figures_2(page *p)
{
    FILE *out =
        page_picture(p, "Figs 2.4, 2.5, 2.6",
                     "objective and feasible set of the sliding rod: contact holds, vanishes, vanishes "
                     "again",
                     "2.4",
                     "Blue: the objective (2.83), with the sign of its term corrected. Grey: forces that the "
                     "contact allows. "
                     "The states of the paper are\nnot printed; these are of "
                     "[painleve-rod.yaml](../../models/gomez/painleve-rod.yaml), mu = 2.");
    page_begin(out, 2, "Gomez 2008, figures 2.4 to 2.6",
               "Quadratic programs of a sliding rod in three states.");
    const rod a = rod_at(p, flat_slow), b = rod_at(p, flat_fast), c = rod_at(p, steep_fast);
    draw_program(out, 0, 0, &a, "Fig 2.4: A &gt; 0, b &gt; 0");
    draw_program(out, 1, 0, &b, "Fig 2.5: A &gt; 0, b &lt; 0");
    draw_program(out, 0, 1, &c, "Fig 2.6: A &lt; 0, b &lt; 0");
    page_end(out);
}

static void map_figure(page *p, const char *figure, const char *shows, const char *file, const char *sets,
                       const char *text)
{
    static const slip_domain_axis axes[2] = { { "th", 0.1, 3.04, 99 }, { "th'", -2.5, 2.5, 101 } };
    char path[4096];
    slip_error error = { 0 };
    slip_domain_map *map = NULL;
    slip_model *model = page_model(p, "gomez/painleve-rod", sets);
    page_picture_path(p, figure, shows, file, text, path, sizeof path);
    if (slip_domain_map_create(model, axes, &error, &map) != SLIP_OK ||
        slip_domain_map_write_svg(map, path, &error) != SLIP_OK) {
        fprintf(stderr, "reproduction: map: %s\n", error.text);
        exit(1);
    }
    slip_domain_map_destroy(map);
    slip_model_destroy(model);
}

// the critical angles, where A = 0, between slow states
static void critical_angles(page *p, double at[2])
{
    static const slip_domain_axis axes[2] = { { "th", 0.1, 1.5, 99 }, { "th'", -0.1, 0.1, 3 } };
    slip_error error = { 0 };
    slip_domain_border borders[4];
    slip_domain_map *map = NULL;
    slip_model *model = page_model(p, "gomez/painleve-rod", NULL);
    if (slip_domain_map_create(model, axes, &error, &map) != SLIP_OK ||
        slip_domain_map_borders(map, 0, borders, 4) != 2) {
        fprintf(stderr, "reproduction: borders: %s\n", error.text);
        exit(1);
    }
    at[0] = borders[0].at;
    at[1] = borders[1].at;
    slip_domain_map_destroy(map);
    slip_model_destroy(model);
}

static void rod_numbers(page *p)
{
    double at[2];
    critical_angles(p, at);
    const double eps = 1.0 / 3, mu = 2;
    page_claim(p, "2.7", "two angles where A of (2.81) vanishes, for mu large enough",
               fabs(1 + 2 * eps + cos(2 * at[0]) - mu * sin(2 * at[0])) < 1e-9 &&
                   fabs(1 + 2 * eps + cos(2 * at[1]) - mu * sin(2 * at[1])) < 1e-9,
               NULL, "mu = 2: %.7f and %.7f rad, where the program finds the borders", at[0], at[1]);
    const rod slow = rod_at(p, steep_slow), fast = rod_at(p, steep_fast);
    slip_model *model = page_model(p, "gomez/painleve-rod", steep_fast),
               *none = page_model(p, "gomez/painleve-rod", steep_slow);
    slip_analysis *a = page_analyse(model), *b = page_analyse(none);
    page_number(p, "2.7", "solutions of the LCP for A < 0, b < 0", "2", "", slip_analysis_solution_count(a),
                NULL);
    page_claim(p, "2.7", "A < 0, b > 0 has no solution",
               slow.A < 0 && slow.b > 0 && slip_analysis_solution_count(b) == 0, NULL,
               "A = %.3f, b = %.3f: %d", slow.A, slow.b, slip_analysis_solution_count(b));
    page_claim(p, "2.8", "the stable solutions of Song 2001 are those of Gauss' principle",
               fast.A < 0 && fast.b < 0, NULL,
               "180 states with one contact: test `song.verdict`; not so for several contacts");
    slip_analysis_destroy(a);
    slip_analysis_destroy(b);
    slip_model_destroy(model);
    slip_model_destroy(none);
}

// ---- section 2.9: a sliding block ----------------------------------------------------------------------

/// Least constraint on the block: constraints g'' = 1 - a N1 - b N2 of both corners, forces over the weight.
typedef struct block {
    double a[2][2], N[2], total;
} block;

static block slide(page *p, const char *mu)
{
    slip_model *model = page_model(p, "gomez/sliding-block", mu);
    slip_analysis *a = page_analyse(model);
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    const double m = page_parameter(model, "m"), f = page_parameter(model, "mu");
    block b;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) b.a[i][j] = m * slip_analysis_A(a)[2 * i + j];
    b.N[0] = slip_sim_get(sim, "N1");
    b.N[1] = slip_sim_get(sim, "N2");
    b.total = b.N[0] * hypot(1, f);
    slip_analysis_destroy(a);
    page_close(sim, model);
    return b;
}

// where a N1 + b N2 = 1 within the picture
static void draw_constraint(FILE *out, const svg_axes *axes, const double *a, const char *style)
{
    svg_curve c[1] = { { 0 } };
    for (int k = 0; k <= 200; k++) {
        const double N1 = axes->x1 * k / 200, N2 = (1 - a[0] * N1) / a[1];
        if (N2 >= axes->y0 && N2 <= axes->y1) svg_add(&c[0], N1, N2);
    }
    if (fabs(a[1]) < 1e-12)
        for (int k = 0; k <= 1; k++) svg_add(&c[0], 1 / a[0], k ? axes->y1 : axes->y0);
    svg_draw_curve(out, axes, c, style);
    svg_free(c);
}

// the level of the objective (2.102) through the optimum, for the square: alpha = beta, eps = 1/3
static void draw_level(FILE *out, const svg_axes *axes, const block *b, double mu)
{
    const double half = sqrt(0.5), e = 1.0 / 3, l = half * (1 - mu), r = half * (1 + mu),
                 P[2][2] = { { 1 + mu * mu + l * l / e, 1 + mu * mu - l * r / e },
                             { 0, 1 + mu * mu + r * r / e } };
    const double level =
        P[0][0] * b->N[0] * b->N[0] + 2 * P[0][1] * b->N[0] * b->N[1] + P[1][1] * b->N[1] * b->N[1];
    svg_curve c[1] = { { 0 } };
    for (int k = 0; k <= 360; k++) {
        const double x = cos(k * acos(-1.0) / 180), y = sin(k * acos(-1.0) / 180),
                     size = sqrt(level / (P[0][0] * x * x + 2 * P[0][1] * x * y + P[1][1] * y * y));
        if (size * x >= axes->x0 && size * x <= axes->x1 && size * y >= axes->y0 && size * y <= axes->y1)
            svg_add(&c[0], size * x, size * y);
    }
    svg_draw_curve(out, axes, c, "r1");
    svg_free(c);
}

static void block_figures(page *p, const block *half, const block *one, const block *more)
{
    const block *const blocks[] = { half, one, more };
    static const double mu[] = { 0.5, 1, 1.5 };
    static const char *const titles[] = { "Fig 2.11: mu = 1/2", "Fig 2.12: mu = 1", "Fig 2.13: mu = 3/2" };
    FILE *out = page_picture(p, "Figs 2.11, 2.12, 2.13",
                             "objective and feasible set of the sliding block, mu = 1/2, 1, 3/2", "2.11",
                             "Blue: g1'' = 0, orange: g2'' = 0, light: the level of the objective through "
                             "the optimum, which is named. "
                             "Feasible is what lies\nright of blue and above orange.");
    page_begin(out, 2, "Gomez 2008, figures 2.11 to 2.13",
               "Quadratic programs of a block that slides on two corners.");
    for (int k = 0; k < 3; k++) {
        svg_axes axes = page_panel(k % 2, k / 2, 2, (page_range){ 0, 6, 1 }, (page_range){ 0, 2, 0.5 },
                                   titles[k], "N1/(m g)", "N2/(m g)");
        char text[64];
        svg_draw_axes(out, &axes);
        draw_level(out, &axes, blocks[k], mu[k]);
        draw_constraint(out, &axes, blocks[k]->a[0], "c1");
        draw_constraint(out, &axes, blocks[k]->a[1], "c2");
        snprintf(text, sizeof text, "(%.2f, %.2f)", blocks[k]->N[0], blocks[k]->N[1]);
        svg_draw_text(out, &axes, blocks[k]->N[0], blocks[k]->N[1], 6, -10, "start", "r4", text);
    }
    page_end(out);
}

static void block_numbers(page *p, const block *half, const block *one, const block *more)
{
    static const struct {
        const char *where, *what, *printed;
        int which, i, j;
    } rows[] = {
        { "(2.109)", "mu = 1/2: factor of N1 in g1''", "-1.75", 0, 0, 0 },
        { "(2.109)", "of N2", "1.25", 0, 0, 1 },
        { "(2.110)", "mu = 1/2: factor of N1 in g2''", "-0.25", 0, 1, 0 },
        { "(2.110)", "of N2", "-3.25", 0, 1, 1 },
        { "(2.111)", "mu = 1: factor of N1 in g1''", "-1", 1, 0, 0 },
        { "(2.111)", "of N2", "2", 1, 0, 1 },
        { "(2.112)", "mu = 1: factor of N1 in g2''", "-1", 1, 1, 0 },
        { "(2.112)", "of N2", "-4", 1, 1, 1 },
        { "(2.113)", "mu = 3/2: factor of N1 in g1''", "-0.25", 2, 0, 0 },
        { "(2.113)", "of N2", "2.75", 2, 0, 1 },
        { "(2.114)", "mu = 3/2: factor of N1 in g2''", "-1", 2, 1, 0 },
        { "(2.114)", "of N2", "-4", 2, 1, 1 },
    };
    const block *const blocks[] = { half, one, more };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        page_number(p, rows[k].where, rows[k].what, rows[k].printed, "",
                    -blocks[rows[k].which]->a[rows[k].i][rows[k].j],
                    k < 10 ? NULL : "misprint: (2.112) copied; (2.107) gives 7/4 and 19/4");
    page_number(p, "2.9", "mu = 1/2: N1/(m g)", "0.75", "", half->N[0], NULL);
    page_number(p, "2.9", "mu = 1/2: N2/(m g)", "0.25", "", half->N[1], NULL);
    page_number(p, "2.9", "left over right: times greater", "3", "", half->N[0] / half->N[1], NULL);
    page_number(p, "2.9", "mu = 1: N1/(m g)", "1", "", one->N[0], NULL);
    page_number(p, "2.9", "mu = 1: N2/(m g)", "0", "", one->N[1], NULL);
    page_number(p, "2.9", "mu = 3/2: N1/(m g)", "4", "", more->N[0], NULL);
    page_number(p, "2.9", "mu = 3/2: N2/(m g)", "0", "", more->N[1], NULL);
    page_about(p, "2.9", "mu = 3/2: force at the corner over the weight", "7", "", more->total, 0.5, NULL);
}

static void errata(page *p)
{
    page_erratum(p, "(2.11)", "r_B x (f + N)", "minus that", "reaction; (2.12) is right");
    page_erratum(p, "(2.53)", "g2'' = r_x''", "r_y''", "the planes are horizontal");
    page_erratum(p, "(2.78)", "g1 = r_cy", "-r_cy", "as in (2.64)");
    page_erratum(p, "(2.80)", "g'' = b - A N", "(b - A N)/eps", "with A and b of (2.81), (2.82)");
    page_erratum(p, "(2.83)", "(cos th + mu sin th)^2", "(cos th - mu sin th)^2", "W of (2.77)");
    page_erratum(p, "3.4", "both estimates with c_j; c1 for c1* in the listing", "c*_j in the embedded one",
                 "as printed the weights sum to 0.9957, not 1");
    page_erratum(p, "(4.12), (4.13)", "r' = K times the dimensionless one", "times l as well",
                 "(4.17), (4.18) are right");
    page_erratum(p, "(4.34), (4.35)", "-beta sin d cos th", "+", "(4.38) to (4.46) are right");
    page_erratum(p, "(4.49)", "(1 + alpha) beta (1 - f^2) sin th", "(1 + alpha) beta f (1 - f) sin th",
                 "only this tends to (4.50)");
    page_erratum(p, "(4.51)", "-b r_p K abs(th')", "-b r_p K th'", "friction opposes the motion");
    page_erratum(p, "Table 4.1", "w_sp twice", "width of a post, distance between posts", "two quantities");
    page_erratum(p, "4.4", "is a solution of Gauss' principle one of the LCP?",
                 "not always; `gauss` says when not",
                 "a particle on a rough floor at a smooth wall, in closed form: test `gomez.forces`");
    page_erratum(
        p, "A.1",
        "the encoder listing drops edges at reversals, restarts the clock at the first edge and assumes the "
        "direction",
        "`decode` does none of that", "test `gomez.calibration`");
}

bool reproduce_gomez(const char *root, const char *out)
{
    static const page_title title = {
        "gomez",
        "Gomez 2008",
        "M. J. Gomez: Optimization-based analysis of rigid mechanical systems with unilateral contact and "
        "kinetic friction.\n"
        "Dissertation, University of Washington, 2008",
        "[models/gomez](../../models/gomez)",
        "`gomez.forces`, `gomez.motion`, `gomez.pendulum`, `gomez.maps`, `gomez.calibration` (independent "
        "programs, closed "
        "forms)",
    };
    page *p = page_create(&title, root, out);
    page_say(p, "Measured trajectories are shown in the dissertation as curves only, so that a fit of our "
                "own to them is not possible; "
                "what its\nfits say about one another can be checked, and is.");
    page_sketch(p, "Fig 1.1", "local and global coordinates", "[bodies.md](../bodies.md)");
    page_sketch(p, "Fig 2.1", "two bodies in contact", "`src/dynamics/equations.h`");
    page_sketch(p, "Fig 2.2", "feasible set of a particle between planes: a ray from (1, 0)",
                "where it ends is in the table");
    page_sketch(p, "Fig 2.3", "Painleve's rod", "[painleve-rod.yaml](../../models/gomez/painleve-rod.yaml)");
    figures_2(p);
    map_figure(p, "Fig 2.7", "domains of behaviour with a control", "2.7", "F_th=0.5",
               "Control F = (0, -1, 0.5) m g, our choice: the paper prints none. A: contact holds, B: "
               "vanishes, C: no sliding solution.");
    map_figure(p, "Fig 2.8", "domains of behaviour of the classical example", "2.8", NULL,
               "Gravity alone, mu = 2 (not printed).");
    page_sketch(p, "Fig 2.9", "a block as a point mass",
                "mu m g; the point of the section is that it is not one");
    page_sketch(p, "Fig 2.10", "a block on two corners",
                "[sliding-block.yaml](../../models/gomez/sliding-block.yaml)");
    const block half = slide(p, "mu=0.5"), one = slide(p, "mu=1"), more = slide(p, "mu=1.5");
    block_figures(p, &half, &one, &more);
    gomez_pendulum_figures(p);
    particle(p);
    rod_numbers(p);
    block_numbers(p, &half, &one, &more);
    gomez_pendulum_numbers(p);
    errata(p);
    return page_finish(p);
}
