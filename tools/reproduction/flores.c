/// flores.c: Flores 2010, the slider-crank with a translational clearance joint.
#include <math.h>

#include "page.h"
#include "papers.h"

enum { CORNERS = 4 };
static const char *const forces[CORNERS] = { "P1", "P2", "P3", "P4" };

/// What two turns of the crank, or 0.2 s, show.
typedef struct motion {
    double turns_time, lost, deepest, highest, longest_rest, tilt, rod_jump, strike_jump;
    double step_gain, gained;          // energy: most in one step of free flight, all of them
    long flights, one, face, diagonal; // steps by which corners are pressed: Fig 8 (a) to (d)
} motion;

static void count_corners(slip_sim *sim, motion *m)
{
    bool pressed[CORNERS];
    int count = 0;
    for (int k = 0; k < CORNERS; k++) count += pressed[k] = slip_sim_get(sim, forces[k]) > 0.0;
    if (count == 0)
        m->flights++;
    else if (count == 1)
        m->one++;
    else if ((pressed[0] && pressed[1]) || (pressed[2] && pressed[3]))
        m->face++;
    else
        m->diagonal++;
}

static double energy(slip_sim *sim)
{
    slip_energy e = slip_sim_energy(sim);
    return e.kinetic + e.potential;
}

// where the crank has turned twice, by the line through the last two states
static void end_of_turns(slip_sim *sim, motion *m, double was, double start)
{
    const double turns = 4.0 * acos(-1.0), th = slip_sim_get(sim, "th1"), step = slip_sim_settings(sim).step;
    if (th < turns || was >= turns) return;
    m->turns_time = slip_sim_time(sim) - step * (th - turns) / (th - was);
    m->lost = start - energy(sim);
}

static motion follow(page *p, const char *sets, double step)
{
    slip_model *model = page_model(p, "flores/slider-crank", sets);
    slip_sim *sim = page_sim(model, NULL, NULL, step, NAN);
    motion m = { 0 };
    const double start = energy(sim);
    double before = start, rest = 0.0;
    while (slip_sim_time(sim) < 0.2 * (1 - 1e-12)) {
        const double th = slip_sim_get(sim, "th1"), rod = slip_sim_get(sim, "th2'");
        slip_sim_step(sim);
        count_corners(sim, &m);
        bool pressed = false;
        for (int k = 0; k < CORNERS; k++) pressed = pressed || slip_sim_get(sim, forces[k]) > 0.0;
        rest = pressed ? rest + slip_sim_settings(sim).step : 0.0;
        m.longest_rest = fmax(m.longest_rest, rest);
        const double jump = fabs(slip_sim_get(sim, "th2'") - rod), now = energy(sim);
        if (pressed && m.strike_jump == 0.0) m.strike_jump = jump;
        if (!pressed) m.rod_jump = fmax(m.rod_jump, jump);
        m.step_gain = fmax(m.step_gain, now - before);
        m.gained += fmax(now - before, 0.0);
        before = now;
        m.deepest = fmin(m.deepest, fmin(slip_sim_get(sim, "y1"), slip_sim_get(sim, "y2")));
        m.highest = fmax(m.highest, fmax(slip_sim_get(sim, "y1"), slip_sim_get(sim, "y2")));
        m.tilt = fmax(m.tilt, fabs(slip_sim_get(sim, "th3")));
        end_of_turns(sim, &m, th, start);
    }
    page_close(sim, model);
    return m;
}

static double crank_after(page *p, double step, double t)
{
    slip_model *model = page_model(p, "flores/slider-crank", NULL);
    slip_sim *sim = page_sim(model, NULL, NULL, step, NAN);
    page_step_to(sim, t);
    const double th = slip_sim_get(sim, "th1");
    page_close(sim, model);
    return th;
}

static void figures(page *p)
{
    page_sketch(p, "Fig 1", "the set-valued maps Upr and Sgn",
                "definitions; `normal cone` laws of [theory.md](../theory.md)");
    page_sketch(p, "Fig 2", "gap and forces between two bodies", "conventions of `src/dynamics/equations.h`");
    page_sketch(p, "Fig 3", "Signorini's and Coulomb's laws",
                "what every solver is judged by, [solvers.md](../solvers.md)");
    page_sketch(p, "Fig 4", "flowchart of the time stepping",
                "`src/formulation/moreau/moreau.c`, [moreau.md](../moreau.md#the-step)");
    page_sketch(p, "Fig 5", "flowchart with the LCP (85)", "`slip_lcp_from_planar` in `src/solver`");
    page_sketch(p, "Fig 6", "the slider-crank", "[slider-crank.yaml](../../models/flores/slider-crank.yaml)");
    page_sketch(p, "Fig 7", "slider and guide", "the same file; `clearances` of [bodies.md](../bodies.md)");
    page_sketch(p, "Fig 8", "four ways in which the slider touches its guide",
                "how often each occurs stands in the table below");
    page_sketch(p, "Fig 9", "the chain from crank to corner", "gaps and slips of the model file");
    page_drawn(p, "Fig 10", "motion of the slider's corners over two turns", "../images/flores-10.svg",
               "Drawn by `tools/figures/flores.c`. With the printed start the "
               "slider never "
               "tilts, so the four curves of the\npaper fall on one; the lower half has a start that tilts.");
    page_drawn(p, "Fig 11", "crank speed, rod speed, portraits of rod and slider", "../images/flores-11.svg",
               "Strikes are jumps of the rod's speed and corners in its portrait; where the slider lies on "
               "its guide "
               "the curves are smooth.");
}

static void table_1(page *p, const slip_model *model)
{
    static const struct {
        const char *what, *printed, *unit, *parameter;
    } rows[] = {
        { "l1", "0.1530", "m", "l1" },
        { "l2", "0.3060", "m", "l2" },
        { "a", "0.0500", "m", "a" },
        { "b", "0.0250", "m", "b" },
        { "c", "0.0010", "m", "c" },
        { "m1", "0.0380", "kg", "m1" },
        { "m2", "0.0380", "kg", "m2" },
        { "m3", "0.0760", "kg", "m3" },
        { "J1", "7.4e-5", "kg m^2", "J1" },
        { "J2", "5.9e-4", "kg m^2", "J2" },
        { "J3", "2.7e-6", "kg m^2", "J3" },
        { "g", "9.81", "m/s^2", "g" },
        { "eps_N, four corners", "0.4", "", "eps_N" },
        { "eps_T, four corners", "0.0", "", "eps_T" },
        { "mu, four corners", "0.01", "", "mu" },
        { "omega1 at the start", "150.0", "rad/s", "w1" },
        { "omega2 at the start", "-75.0", "rad/s", "w2" },
        { "omega3 at the start", "0.0", "rad/s", "w3" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        page_input(p, model, "Table 1", rows[k].what, rows[k].printed, rows[k].unit, rows[k].parameter);
    slip_sim *sim = page_sim(model, NULL, NULL, NAN, NAN);
    page_datum(p, "Table 1", "theta1 at the start", "0.0", "rad", slip_sim_get(sim, "th1"));
    page_datum(p, "Table 1", "theta2 at the start", "0.0", "rad", slip_sim_get(sim, "th2"));
    page_datum(p, "Table 1", "theta3 at the start", "0.0", "rad", slip_sim_get(sim, "th3"));
    page_not_printed(p, "Table 1", "width d of the guide", "m", page_parameter(model, "d"),
                     "2 (b + c): then the motion of Fig 10 spans -1 to 1");
    page_not_printed(p, "5.4", "time step", "s", slip_sim_settings(sim).step, "what it changes stands below");
    page_identity(p, "5.2", "degrees of freedom", "3", "", slip_model_coordinate_count(model));
    slip_sim_destroy(sim);
}

static void statements(page *p)
{
    const motion m = follow(p, NULL, NAN), tilted = follow(p, "w3=-0.01", NAN),
                 narrow = follow(p, "d=0.051", NAN), turning = follow(p, "w3=300", NAN),
                 fine = follow(p, NULL, 5e-6);
    const double exact_turns = 0.137554494850565; // of an independent program
    page_claim(p, "Fig 10", "corner motion in units of the clearance stays between the guides",
               m.deepest > -1.02 && m.highest < 1.02, NULL,
               "from %.4f to %.4f; the rest is the depth that a strike "
               "leaves at this step",
               m.deepest, m.highest);
    page_claim(p, "5.4", "free motion, impacts with rebound and permanent contact all occur",
               m.flights > 0 && m.longest_rest > 1e-3, NULL, "longest contact %.2f ms", 1e3 * m.longest_rest);
    page_claim(p, "5.4", "impacts are discontinuities of the rod speed", m.strike_jump > 10 * m.rod_jump,
               NULL, "first strike %.2f rad/s in a step; without contact at most %.2f", m.strike_jump,
               m.rod_jump);
    page_claim(
        p, "Fig 8", "four scenarios (a) to (d) of contact", m.one > 0 && m.diagonal > 0,
        "differs: from the printed start only (a) and (c) occur, from a tilted one (b) too; (d) needs a "
        "slider that turns fast",
        "steps of (a) to (d): %ld, %ld, %ld, %ld; started tilting at 0.01 rad/s %ld, %ld, %ld, %ld; at 300 "
        "rad/s %ld, %ld, %ld, %ld",
        m.flights, m.one, m.face, m.diagonal, tilted.flights, tilted.one, tilted.face, tilted.diagonal,
        turning.flights, turning.one, turning.face, turning.diagonal);
    page_claim(
        p, "5.4", "two full crank rotations, the time of which can be read off no figure",
        fabs(2 * fine.turns_time - m.turns_time - exact_turns) < 5e-6, NULL,
        "%.6f s, with half the step %.6f, from both for no step %.6f; event-driven, in 113-bit arithmetic, "
        "%.6f. Energy lost %.4f J, with half the step %.4f",
        m.turns_time, fine.turns_time, 2 * fine.turns_time - m.turns_time, exact_turns, m.lost, fine.lost);
    page_claim(p, "5.4", "drift: penetration grows without projection", m.deepest < -1.0 && m.deepest > -1.02,
               NULL, "deepest %.2f um of 1000 um", 1e3 * fmax(-m.deepest - 1, m.highest - 1));
    const double t = 0.02, a = crank_after(p, 4e-5, t), b = crank_after(p, 2e-5, t),
                 c = crank_after(p, 1e-5, t);
    page_claim(p, "4.1", "midpoint rule (36) to (44)", fabs(log2((b - a) / (c - b)) - 1) < 0.15, NULL,
               "first order, %.2f from steps of 40, 20 and 10 us: h is taken with the velocity at the start",
               log2((b - a) / (c - b)));
    page_erratum(p, "Table 1",
                 "c is \"the difference between the distance of the guide and the slider surfaces\"",
                 "clearance c on each side", "with d - 2 b = c the corners of Fig 10 would span %.3f to %.3f",
                 narrow.deepest, narrow.highest);
    page_erratum(p, "4.1", "nothing about the energy of the scheme", "booked as `numerical` in the ledger",
                 "free flight changes the energy by up to %+.1e J in a step, %+.1e J over 0.2 s", m.step_gain,
                 m.gained);
    page_erratum(p, "5.4", "nothing about tilt", "both starts are shown in Fig 10",
                 "from the printed start the slider turns by no more than %.0e rad; corners 1 and 2, or 3 "
                 "and 4, always "
                 "touch together",
                 m.tilt);
}

static void errata(page *p)
{
    page_erratum(p, "4.3 (vii)", "P_L from x(n+1..2n), P_R from y(2n+1..3n)",
                 "exchanged, as (76) and (85) have it",
                 "as printed, step (viii) applies friction with the wrong sign and creates energy");
    page_erratum(p, "(43)", "-P_T in the normal cone at xi_T",
                 "xi_T in the normal cone of {abs(z) <= mu P_N} at -P_T",
                 "friction force is chosen from a set, not the velocity");
    page_erratum(p, "(42)", "C_N not defined", "the set of admissible xi_N, xi_N >= 0",
                 "with the set of admissible forces the sign would be wrong");
    page_erratum(p, "(29)", "active where g_N = 0", "where g_N <= 0 at the midpoint, as in 4.1",
                 "a computed gap is never exactly 0");
    page_erratum(p, "(22)", "almost everywhere", "at every time",
                 "what happens at single instants is what the equation is about");
    page_erratum(p, "after (33)", "(gamma_N+, gamma_T-)", "both signs for both", "as used in (32) and (33)");
    page_erratum(p, "before (69)", "Eqs (61) and (7.18)", "(61) and (62)", "there is no (7.18)");
    page_erratum(p, "after (76)", "not included in (28)", "in (76)", "(28) is about gaps");
    page_erratum(p, "(5)", "x y = 0 for vectors", "component by component", "as (8) has it");
    page_erratum(p, "1.1", "Lemke's algorithm converges for P-matrices",
                 "every answer is judged by its residual",
                 "the A of (85) has a zero block on its diagonal: it is never a P-matrix");
    page_erratum(p, "1.1", "LCP cited as [10, 11]", "[11, 12]", "[10] is about slider-cranks");
}

bool reproduce_flores(const char *root, const char *out)
{
    static const page_title title = {
        "flores",
        "Flores 2010",
        "P. Flores, R. Leine, C. Glocker: Modeling and analysis of planar rigid multibody systems with "
        "translational "
        "clearance\njoints based on the non-smooth dynamics approach. Multibody System Dynamics 23(2), "
        "165-190, 2010",
        "[slider-crank](../../models/flores/slider-crank.yaml), [from "
        "bodies](../../models/flores/slider-crank-bodies.yaml), [ideal "
        "guide](../../models/flores/slider-crank-ideal.yaml)",
        "`moreau.slider_crank` (every state of the scheme and the exact motion, by independent programs), "
        "`moreau.lcp`",
    };
    page *p = page_create(&title, root, out);
    page_say(p, "The paper prints the data of one machine and two figures of its motion, no results as "
                "numbers. What its text "
                "says\nof the figures is measured below.");
    slip_model *model = page_model(p, "flores/slider-crank", NULL);
    figures(p);
    table_1(p, model);
    statements(p);
    errata(p);
    slip_model_destroy(model);
    return page_finish(p);
}
