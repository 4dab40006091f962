/// forces.c: contact forces at one instant: closed forms of Gomez 2008 and independent solutions of its QP.
#include "gomez/helper.h"

#include "base/arena.h"
#include "dynamics/contact/contact_problem.h"

/// A rigid problem with every contact held and sliding as its velocity says.
typedef struct instant {
    slip_model *model;
    slip_system *system;
    slip_contact_problem rigid;
    void *memory;
    double q[8], u[8];
} instant;

static void instant_open(instant *at, const char *text, const char *sets)
{
    slip_error error = { 0 };
    memset(at, 0, sizeof *at);
    at->model = load(text, sets);
    assert_int_equal(slip_system_create(at->model, &error, &at->system), SLIP_OK);
    at->rigid.solver = slip_solver_find("lemke");
    slip_arena count = { 0 }, real = { 0 };
    slip_contact_problem_layout(&count, at->system, &at->rigid);
    real.base = at->memory = slip_arena_memory(count.used);
    slip_contact_problem_layout(&real, at->system, &at->rigid);
    slip_terms_init(at->system, &at->rigid.terms);
    for (int k = 0; k < at->system->n; k++) {
        at->q[k] = at->model->coordinates[k].start;
        at->u[k] = at->model->coordinates[k].rate;
    }
    slip_system_evaluate(at->system, SLIP_LEVEL_ACCELERATION, 0.0, at->q, at->u, &at->rigid.terms);
    for (int e = 0; e < at->system->element_count; e++) {
        const slip_element *element = &at->system->elements[e];
        double v = element->slip_count
                       ? slip_system_row_rate(at->system, &at->rigid.terms, element->tangent_row, at->u)
                       : 0.0;
        at->rigid.contact_state[e] =
            (slip_contact_state){ .closed = true, .slide = (signed char)((v > 0) - (v < 0)) };
    }
    assert_true(slip_contact_problem_build(&at->rigid, 0.0, at->q, at->u));
}

static void instant_close(instant *at)
{
    slip_system_destroy(at->system);
    slip_model_destroy(at->model);
    free(at->memory);
}

static void the_block_on_two_corners(void **state)
{
    (void)state;
    const double known[][3] = { { 0.5, 0.75, 0.25 }, { 1, 1, 0 }, { 1.5, 4, 0 } };
    for (int k = 0; k < 3; k++)
        for (int method = 0; method < 2; method++) {
            char sets[64];
            snprintf(sets, sizeof sets, "mu=%g", known[k][0]);
            slip_model *model = load("sliding-block", sets);
            slip_sim *sim = simulate(model, method ? "lcp" : "gauss", 1e-9, 0);
            assert_near(slip_sim_get(sim, "N1"), known[k][1], 1e-10);
            assert_near(slip_sim_get(sim, "N2"), known[k][2], 1e-10);
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
}

static void blocks_of_any_shape(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one;
    size_t k;
    json_array_foreach(json_object_get(facts, "block_samples"), k, one)
    {
        char sets[128];
        snprintf(sets, sizeof sets, "w=%.17g;h=%.17g;mu=%.17g", number(one, "w"), number(one, "h"),
                 number(one, "mu"));
        slip_model *model = load("sliding-block", sets);
        slip_sim *sim = simulate(model, "gauss", 1e-9, 0);
        json_t *N = json_object_get(one, "N");
        if (json_is_array(N)) {
            assert_near(slip_sim_get(sim, "N1"), item(N, 0), 1e-10 * fabs(item(N, 0)));
            assert_near(slip_sim_get(sim, "N2"), item(N, 1), 1e-10);
        } else {
            assert_int_equal(slip_sim_step(sim), SLIP_UNSOLVED);
        }
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    json_decref(facts);
}

static void no_sliding_above_the_critical_friction(void **state)
{
    (void)state;
    for (int method = 0; method < 2; method++)
        for (int above = 0; above < 2; above++) {
            slip_model *model = load("sliding-block", above ? "mu=1.667" : "mu=1.666");
            slip_sim *sim = simulate(model, method ? "lcp" : "gauss", 1e-9, 1e-9);
            slip_run_info info;
            assert_int_equal(slip_run(sim, NULL, &info, NULL), SLIP_OK);
            assert_int_equal(info.outcome, above ? SLIP_UNSOLVED : SLIP_DONE);
            if (above) assert_non_null(strstr(info.text, "left"));
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
}

static void the_particle_and_its_bounds(void **state)
{
    (void)state;
    const char *mu[] = { "mu=0", "mu=0.3", "mu=1", "mu=5" };
    for (int k = 0; k < 4; k++) {
        slip_model *model = load("particle-between-planes", mu[k]);
        slip_sim *sim = simulate(model, "gauss", 1e-9, 0);
        assert_near(slip_sim_get(sim, "N1"), 9.80665, 1e-9);
        assert_near(slip_sim_get(sim, "N2"), 0, 1e-9);
        assert_near(slip_sim_get(sim, "N1_low"), 9.80665, 1e-8);
        if (k == 0) { // the motion is the same however hard the planes squeeze
            assert_true(isinf(slip_sim_get(sim, "N1_high")));
            assert_near(slip_sim_get(sim, "known"), 0, 0);
        } else {
            assert_near(slip_sim_get(sim, "N1_high"), 9.80665, 1e-8);
            assert_near(slip_sim_get(sim, "known"), 1, 0);
        }
        slip_sim_destroy(sim);
        // every squeeze solves the LCP
        sim = simulate(model, "lcp", 1e-9, 0);
        assert_near(slip_sim_get(sim, "N1_low"), 9.80665, 1e-8);
        assert_true(isinf(slip_sim_get(sim, "N1_high")));
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

// four legs of a stool in the plane (three unknown too many for a bar on three legs): bounds by hand
static void a_bar_on_three_legs(void **state)
{
    (void)state;
    const char *text =
        "slipstick: 1\nname: bar\ncoordinates: {y: 0, th: 0}\n"
        "energy: {kinetic: 0.5*(y'^2 + th'^2), potential: y + 0.2*th}\n"
        "contacts: {a: {gap: y - th}, b: {gap: y}, c: {gap: y + th}}\n"
        "record: {a: a.normal, b: b.normal, c: c.normal, a0: a.normal.min, a1: a.normal.max, "
        "b0: b.normal.min, b1: b.normal.max, c0: c.normal.min, c1: c.normal.max, u: b.normal.unique}\n";
    slip_model *model = load(text, "");
    for (int method = 0; method < 2; method++) {
        slip_sim *sim = simulate(model, method ? "lcp" : "gauss", 1e-9, 0);
        // a + b + c = 1, c - a = 0.2: a in [0, 0.4], b = 0.8 - 2a, c = a + 0.2; least norm at a = 7/30
        if (!method) {
            assert_near(slip_sim_get(sim, "a"), 7 / 30.0, 1e-9);
            assert_near(slip_sim_get(sim, "b"), 1 / 3.0, 1e-9);
            assert_near(slip_sim_get(sim, "c"), 13 / 30.0, 1e-9);
        }
        assert_near(slip_sim_get(sim, "a0"), 0, 1e-8);
        assert_near(slip_sim_get(sim, "a1"), 0.4, 1e-8);
        assert_near(slip_sim_get(sim, "b0"), 0, 1e-8);
        assert_near(slip_sim_get(sim, "b1"), 0.8, 1e-8);
        assert_near(slip_sim_get(sim, "c0"), 0.2, 1e-8);
        assert_near(slip_sim_get(sim, "c1"), 0.6, 1e-8);
        assert_near(slip_sim_get(sim, "u"), 0, 0);
        slip_sim_destroy(sim);
    }
    slip_model_destroy(model);
}

static void painleve_samples(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one;
    size_t k;
    json_array_foreach(json_object_get(facts, "painleve_samples"), k, one)
    {
        char sets[160];
        snprintf(sets, sizeof sets, "eps=%.17g;mu=%.17g;th0=%.17g deg;thd0=%.17g", number(one, "eps"),
                 number(one, "mu"), number(one, "theta_deg"), number(one, "thetadot"));
        instant at;
        instant_open(&at, "painleve-rod", sets);
        slip_contact_problem *r = &at.rigid;
        assert_near(r->D[0] * number(one, "eps"), number(one, "A"), 1e-10);
        assert_near(-r->c[0] * number(one, "eps"), number(one, "b"), 1e-10);
        bool infeasible = strcmp(json_string_value(json_object_get(one, "cls")), "C") == 0;
        assert_int_equal(slip_contact_problem_solve_gauss(r),
                         infeasible ? SLIP_CONTACT_INFEASIBLE : SLIP_CONTACT_SOLVED);
        if (!infeasible) assert_near(r->x[0], number(one, "N"), 1e-10 * fmax(1.0, number(one, "N")));
        assert_int_equal(slip_contact_problem_solve_lcp(r),
                         infeasible ? SLIP_CONTACT_INFEASIBLE : SLIP_CONTACT_SOLVED);
        if (!infeasible) assert_int_equal(slip_contact_problem_motion_count(r), (int)number(one, "n_lcp"));
        instant_close(&at);
    }
    json_array_foreach(json_object_get(facts, "objective"), k, one)
    {
        char sets[160];
        snprintf(sets, sizeof sets, "eps=%.17g;mu=%.17g;th0=%.17g deg;thd0=0", number(one, "eps"),
                 number(one, "mu"), number(one, "theta_deg"));
        instant at;
        instant_open(&at, "painleve-rod", sets);
        assert_near(at.rigid.S[0], number(one, "value"), 1e-12 * number(one, "value"));
        instant_close(&at);
    }
    json_decref(facts);
}

static void the_bearing_spot_checks(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one, *pair;
    size_t k, j;
    json_array_foreach(json_object_get(facts, "spot_checks"), k, one)
    {
        int points = (int)number(one, "m");
        char sets[128], *text = journal_text(points);
        snprintf(sets, sizeof sets, "th0=%.17g;thd0=%.17g;mu=%.17g", number(one, "theta"),
                 number(one, "thetadot"), number(one, "f"));
        instant at;
        instant_open(&at, text, sets);
        assert_int_equal(slip_contact_problem_solve_gauss(&at.rigid), SLIP_CONTACT_SOLVED);
        double sum = 0.0;
        for (int i = 0; i < points; i++) sum += at.rigid.x[i];
        assert_near(sum, number(one, "sumN"), 1e-8);
        json_array_foreach(json_object_get(one, "N_nonzero"), j, pair)
            assert_near(at.rigid.x[(int)item(pair, 0)], item(pair, 1), 1e-8);
        for (size_t i = 0; i < 3; i++) assert_near(at.rigid.a[i], item(json_object_get(one, "acc"), i), 1e-8);
        instant_close(&at);
        free(text);
    }
    json_decref(facts);
}

static void four_points_in_closed_form(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one;
    size_t k;
    json_array_foreach(json_object_get(facts, "four_points"), k, one)
    {
        char sets[128], *text = journal_text(4);
        double spin = number(one, "thetadot");
        snprintf(sets, sizeof sets, "th0=%.17g;thd0=%.17g;mu=%.17g", number(one, "theta"), spin,
                 number(one, "f"));
        instant at;
        instant_open(&at, text, sets);
        for (int e = 0; e < 4; e++) at.rigid.contact_state[e].slide = -1; // released at rest it swings down
        slip_contact_problem_rebuild(&at.rigid, false);
        assert_int_equal(slip_contact_problem_solve_gauss(&at.rigid), SLIP_CONTACT_SOLVED);
        for (size_t i = 0; i < 4; i++)
            assert_near(at.rigid.x[i], item(json_object_get(one, "N_exact"), i), 1e-10);
        assert_near(at.rigid.a[2], number(one, "thdd_exact"), 1e-10);
        instant_close(&at);
        free(text);
    }
    json_decref(facts);
}

// Figs 4.16 to 4.18: minimum norm without friction, two points with it
static void loads_around_the_journal(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one;
    const char *lists[] = { "frictionless", "distribution" };
    char *text = journal_text(16);
    for (int kind = 0; kind < 2; kind++) {
        size_t k;
        json_array_foreach(json_object_get(facts, lists[kind]), k, one)
        {
            char sets[128];
            snprintf(sets, sizeof sets, "th0=%.17g;thd0=%.17g;mu=%.17g", number(one, "theta"),
                     number(one, "thetadot"), kind ? number(one, "f") : 0.0);
            slip_model *model = load(text, sets);
            slip_sim *sim = simulate(model, "gauss", 1e-9, 0);
            for (size_t i = 0; i < 16; i++) {
                char name[16];
                snprintf(name, sizeof name, "N%d", (int)i + 1);
                assert_near(slip_sim_get(sim, name), item(json_object_get(one, "N_over_mg"), i), 1e-8);
            }
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
    }
    slip_model *model = load(text, "th0=-90 deg;mu=0");
    slip_sim *sim = simulate(model, "gauss", 1e-9, 0);
    for (size_t i = 0; i < 16; i++) {
        char name[16];
        snprintf(name, sizeof name, "N%d", (int)i + 1);
        double known = item(json_object_get(json_object_get(facts, "stationary"), "N_over_mg"), i);
        assert_near(slip_sim_get(sim, name), known, 1e-9);
    }
    slip_sim_destroy(sim);
    slip_model_destroy(model);
    free(text);
    json_decref(facts);
}

// a particle on a rough floor, pulled away from a smooth wall at 45 degrees that it touches
static const char wall_text[] =
    "slipstick: 1\nname: wall\ncoordinates: {x: {start: 0, rate: 0}, y: 0, z: {start: 0, rate: 1}}\n"
    "energy: {kinetic: 0.5*(x'^2 + y'^2 + z'^2), potential: y - 0.5*x}\n"
    "contacts:\n  floor: {gap: y, slip: z, friction: 0.3}\n"
    "  wall: {gap: (x + y)/sqrt(2), slip: z, friction: 0}\n"
    "record: {N1: floor.normal, N2: wall.normal}\n";

static void least_constraint_is_not_always_the_lcp(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *wall = json_object_get(facts, "wall");
    instant at;
    instant_open(&at, wall_text, "");
    assert_int_equal(slip_contact_problem_solve_gauss(&at.rigid), SLIP_CONTACT_SOLVED);
    for (size_t i = 0; i < 2; i++) {
        assert_near(at.rigid.x[i], item(json_object_get(wall, "qp_N"), i), 1e-9);
        assert_near(-at.rigid.rate[i], item(json_object_get(wall, "gdd_qp"), i), 1e-9);
    }
    int element;
    assert_near(slip_contact_problem_disagreement(&at.rigid, &element),
                number(wall, "complementarity_residual"), 1e-9);
    assert_int_equal(element, 1);
    at.rigid.warm = false;
    assert_int_equal(slip_contact_problem_solve_lcp(&at.rigid), SLIP_CONTACT_SOLVED);
    assert_near(at.rigid.x[0], 1, 1e-12);
    assert_near(at.rigid.x[1], 0, 1e-12);
    instant_close(&at);
    json_decref(facts);
}

static void what_is_done_about_a_disagreement(void **state)
{
    (void)state;
    const char *policy[] = { "warn", "lcp", "stop" };
    slip_model *model = load(wall_text, "");
    for (int k = 0; k < 3; k++) {
        slip_sim_def def = slip_default_sim_def();
        slip_error error;
        slip_sim *sim = NULL;
        slip_run_info info;
        def.formulation = "gauss", def.on_disagreement = policy[k], def.until = 0.1;
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_OK);
        assert_int_equal(slip_run(sim, NULL, &info, &error), SLIP_OK);
        assert_int_equal(info.outcome, k == 2 ? SLIP_UNSOLVED : SLIP_DONE);
        if (k == 0) {
            assert_non_null(slip_sim_warning(sim, 0));
            assert_non_null(strstr(slip_sim_warning(sim, 0), "'wall'"));
        } else {
            assert_null(slip_sim_warning(sim, 0));
        }
        if (k == 2) assert_non_null(strstr(info.text, "'wall'"));
        slip_sim_destroy(sim);
        def.on_disagreement = "perhaps";
        assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_UNKNOWN_NAME);
    }
    slip_model_destroy(model);
}

// V-groove with a smooth and a rough face; the particle slides along it
static void the_groove(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *groove = json_object_get(facts, "groove");
    const char *text = "slipstick: 1\nname: groove\nparameters: {c: 0.9, mu2: 0.8}\n"
                       "define: {s: sqrt((1 - c)/2), k: sqrt((1 + c)/2)}\n"
                       "coordinates: {x: 0, y: 0, z: {start: 0, rate: 1}}\n"
                       "energy: {kinetic: 0.5*(x'^2 + y'^2 + z'^2), potential: y}\n"
                       "contacts:\n  a: {gap: s*x + k*y, slip: z, friction: 0}\n"
                       "  b: {gap: -s*x + k*y, slip: z, friction: mu2}\n";
    for (int rough = 0; rough < 2; rough++) {
        instant at;
        char sets[64];
        snprintf(sets, sizeof sets, "mu2=%.17g", rough ? 0.8 : number(groove, "threshold_mu2") * 0.999);
        instant_open(&at, text, sets);
        assert_int_equal(slip_contact_problem_solve_gauss(&at.rigid), SLIP_CONTACT_SOLVED);
        int element;
        if (rough) {
            for (size_t i = 0; i < 2; i++) {
                assert_near(at.rigid.x[i], item(json_object_get(groove, "qp_N"), i), 1e-9);
                assert_near(-at.rigid.rate[i], item(json_object_get(groove, "gdd_qp"), i), 1e-9);
            }
            at.rigid.warm = false;
            assert_int_equal(slip_contact_problem_solve_lcp(&at.rigid), SLIP_CONTACT_SOLVED);
            for (size_t i = 0; i < 2; i++)
                assert_near(at.rigid.x[i], item(json_array_get(json_object_get(groove, "lcp"), 0), i), 1e-9);
        } else { // below the threshold they agree
            assert_near(slip_contact_problem_disagreement(&at.rigid, &element), 0, 1e-12);
        }
        instant_close(&at);
    }
    json_decref(facts);
}

static void the_ladder(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one;
    size_t k;
    const char *text = "slipstick: 1\nname: ladder\nparameters: {mu: 0.2, th0: 1, thd0: -1}\n"
                       "coordinates:\n  x: {start: cos(th0), rate: -sin(th0)*thd0}\n"
                       "  y: {start: sin(th0), rate: cos(th0)*thd0}\n  th: {start: th0, rate: thd0}\n"
                       "energy: {kinetic: 0.5*(x'^2 + y'^2) + th'^2/6, potential: y}\n"
                       "contacts:\n  floor: {gap: y - sin(th), slip: x + cos(th), friction: mu}\n"
                       "  wall: {gap: x - cos(th), slip: y + sin(th), friction: mu}\n";
    json_array_foreach(json_object_get(facts, "ladder"), k, one)
    {
        char sets[128];
        snprintf(sets, sizeof sets, "th0=%.17g;thd0=%.17g;mu=%.17g", number(one, "theta"),
                 number(one, "thetadot"), number(one, "mu"));
        instant at;
        instant_open(&at, text, sets);
        assert_int_equal(slip_contact_problem_solve_gauss(&at.rigid), SLIP_CONTACT_SOLVED);
        for (size_t i = 0; i < 2; i++)
            assert_near(at.rigid.x[i], item(json_object_get(one, "qp_N"), i), 1e-8);
        int element;
        assert_near(slip_contact_problem_disagreement(&at.rigid, &element), number(one, "comp"), 1e-8);
        at.rigid.warm = false;
        assert_int_equal(slip_contact_problem_solve_lcp(&at.rigid), SLIP_CONTACT_SOLVED);
        for (size_t i = 0; i < 2; i++)
            assert_near(at.rigid.x[i], item(json_array_get(json_object_get(one, "lcp"), 0), i), 1e-8);
        instant_close(&at);
    }
    json_decref(facts);
}

// a body on two contacts for which the QP has an answer and the LCP has none
static void a_qp_without_an_lcp(void **state)
{
    (void)state;
    json_t *facts = read_facts(), *one = json_object_get(facts, "unsolvable");
    char text[2048];
    double n[2][2], p[2][2];
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 2; j++) {
            n[i][j] = item(json_array_get(json_object_get(one, "normals"), i), j);
            p[i][j] = item(json_array_get(json_object_get(one, "contacts"), i), j);
        }
    json_t *F = json_object_get(one, "F");
    // rows at th = 0: normal (n, p x n), tangent t = (-n_y, n_x) with sliding sign -1, so v = -1 along each
    // slip
    snprintf(
        text, sizeof text,
        "slipstick: 1\nname: two contacts\nparameters: {I: %.17g}\n"
        "coordinates: {x: 0, y: 0, th: 0, w: {start: 0, rate: -1}}\n"
        "energy: {kinetic: 0.5*(x'^2 + y'^2 + I*th'^2 + w'^2)}\nforces: {x: %.17g, y: %.17g, th: "
        "%.17g}\ncontacts:\n"
        "  a: {gap: %.17g*x + %.17g*y + %.17g*th, slip: %.17g*x + %.17g*y + %.17g*th + w, friction: 0.8}\n"
        "  b: {gap: %.17g*x + %.17g*y + %.17g*th, slip: %.17g*x + %.17g*y + %.17g*th + w, friction: 0.8}\n",
        number(one, "I"), item(F, 0), item(F, 1), item(F, 2), n[0][0], n[0][1],
        p[0][0] * n[0][1] - p[0][1] * n[0][0], -n[0][1], n[0][0], p[0][0] * n[0][0] + p[0][1] * n[0][1],
        n[1][0], n[1][1], p[1][0] * n[1][1] - p[1][1] * n[1][0], -n[1][1], n[1][0],
        p[1][0] * n[1][0] + p[1][1] * n[1][1]);
    instant at;
    instant_open(&at, text, "");
    slip_contact_problem *r = &at.rigid;
    for (size_t i = 0; i < 2;
         i++) // the fourth coordinate only gives the slip its sign; take it out of the QP
        for (size_t j = 0; j < 2; j++) {
            assert_near(r->D[i * 2 + j], item(json_array_get(json_object_get(one, "A"), i), j), 1e-8);
            r->S[i * 2 + j] -= 0.64;
            assert_near(r->S[i * 2 + j], item(json_array_get(json_object_get(one, "S"), i), j), 1e-8);
        }
    assert_int_equal(slip_contact_problem_solve_gauss(r), SLIP_CONTACT_SOLVED);
    for (size_t i = 0; i < 2; i++) assert_near(r->x[i], item(json_object_get(one, "qp_N"), i), 1e-7);
    int element;
    assert_true(slip_contact_problem_disagreement(r, &element) > 100);
    r->warm = false;
    assert_int_equal(slip_contact_problem_solve_lcp(r), SLIP_CONTACT_INFEASIBLE);
    instant_close(&at);
    json_decref(facts);
}

// with unequal friction and redundant contacts the QP moves the load to the smoothest contact
static void least_friction_of_three(void **state)
{
    (void)state;
    const char *text =
        "slipstick: 1\nname: three\ncoordinates: {x: {start: 0, rate: 1}, y: 0, th: 0}\n"
        "energy: {kinetic: 0.5*(x'^2 + y'^2 + th'^2), potential: y}\n"
        "contacts:\n  a: {gap: y - th, slip: x, friction: 0.5}\n  b: {gap: y, slip: x, friction: 0}\n"
        "  c: {gap: y + th, slip: x, friction: 0.5}\nrecord: {a: a.normal, b: b.normal, c: c.normal}\n";
    slip_model *model = load(text, "");
    slip_sim *sim = simulate(model, "gauss", 1e-9, 0.1);
    assert_near(slip_sim_get(sim, "b"), 1, 1e-9);
    assert_near(slip_sim_get(sim, "a"), 0, 1e-9);
    assert_near(slip_sim_get(sim, "c"), 0, 1e-9);
    run_to_end(sim);
    assert_near(slip_sim_get(sim, "x'"), 1, 1e-12);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_block_on_two_corners),
        cmocka_unit_test(blocks_of_any_shape),
        cmocka_unit_test(no_sliding_above_the_critical_friction),
        cmocka_unit_test(the_particle_and_its_bounds),
        cmocka_unit_test(a_bar_on_three_legs),
        cmocka_unit_test(painleve_samples),
        cmocka_unit_test(the_bearing_spot_checks),
        cmocka_unit_test(four_points_in_closed_form),
        cmocka_unit_test(loads_around_the_journal),
        cmocka_unit_test(least_constraint_is_not_always_the_lcp),
        cmocka_unit_test(what_is_done_about_a_disagreement),
        cmocka_unit_test(the_groove),
        cmocka_unit_test(the_ladder),
        cmocka_unit_test(a_qp_without_an_lcp),
        cmocka_unit_test(least_friction_of_three),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
