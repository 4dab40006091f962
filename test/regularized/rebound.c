/// rebound.c: what friction makes of an impact while it lasts: right, or with a word that it is not.
#include <math.h>
#include <string.h>

#include "models.h"

static const char *const formulations[] = { "dai", "modular", "kelvin-voigt", "hunt-crossley", "tanh" };
enum { COUNT = 5 };

/// A rod of 1 kg and 1 m, at an angle, whose lower tip strikes a floor.
typedef struct rod {
    double angle, mu, e, vx, vy;
    bool sticks;
} rod;

/// Rates after the strike: of the tip, and the spin.
typedef struct rest {
    double slip, gap, spin;
} rest;

// Newton's law for one contact (Kane, Levinson 1985), by hand: r from the centre of mass to the tip
static rest struck(const rod *c)
{
    const double I = 1.0 / 12.0, rx = -0.5 * cos(c->angle), ry = -0.5 * sin(c->angle);
    const double nn = 1.0 + rx * rx / I, tt = 1.0 + ry * ry / I, nt = -rx * ry / I;
    const double s = c->vx > 0 ? 1.0 : -1.0;
    double N = -(1.0 + c->e) * c->vy / (nn - c->mu * s * nt), T = -c->mu * s * N;
    if (c->sticks) {
        const double a = -(1.0 + c->e) * c->vy, b = -c->vx, det = nn * tt - nt * nt;
        N = (tt * a - nt * b) / det, T = (nn * b - nt * a) / det;
        assert_true(fabs(T) <= c->mu * N);
    }
    rest after = { c->vx + nt * N + tt * T, c->vy + nn * N + nt * T, (rx * N - ry * T) / I };
    assert_true(c->sticks || s * after.slip > 0.0);
    return after;
}

static slip_sim *run_rod(slip_model **model, const rod *c, const char *formulation)
{
    static const char text[] =
        "slipstick: 1\nname: rod\n"
        "parameters: {a: 1, mu: 0, e: 0, vx: 0, vy: -1}\n"
        "bodies:\n  ground: {shape: {line: [0, 0]}}\n"
        "  rod: {mass: 1, inertia: 1/12, x: {rate: vx}, y: {start: sin(a)/2 - 0.005*vy, "
        "rate: vy}, th: a, shape: {corners: [[-0.5, 0]]}}\n"
        "contacts: {tip: {between: [rod, ground], friction: mu, restitution: e}}\n"
        "run: {until: 0.006}\n";
    char sets[160];
    snprintf(sets, sizeof sets, "a=%.17g mu=%.17g e=%.17g vx=%.17g vy=%.17g", c->angle, c->mu, c->e, c->vx,
             c->vy);
    *model = read_model("", text, sets, " ");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    slip_sim *sim = make_sim(*model, &def);
    run_to_end(sim);
    return sim;
}

static const char *told(const slip_sim *sim)
{
    for (int k = 0; slip_sim_warning(sim, k); k++)
        if (strstr(slip_sim_warning(sim, k), "friction changes the impact")) return slip_sim_warning(sim, k);
    return NULL;
}

static const rod rods[] = {
    { 0.9, 10.0, 0.0, 0.0, -2.0, true }, { 0.7, 0.3, 0.5, 1.5, -2.0, true },
    { 1.0, 0.8, 0.5, 0.3, -2.0, true },  { 2.2, 0.5, 0.4, 1.0, -1.0, false },
    { 0.3, 0.6, 0.2, 2.0, -3.0, false },
};

// a strike between rates that nothing else changes, seen by the spin that it leaves
static void a_rod_on_its_tip_is_right_or_says_so(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rods / sizeof *rods; k++) {
        const double spin = struck(&rods[k]).spin;
        for (int f = 0; f < COUNT + 1; f++) {
            slip_model *model;
            slip_sim *sim = run_rod(&model, &rods[k], f < COUNT ? formulations[f] : "lcp");
            double off = fabs(slip_sim_get(sim, "rod.th'") / spin - 1.0);
            if (off > 0.02 && !told(sim)) print_error("rod %zu, %s: off by %g\n", k, formulations[f], off);
            assert_true(f < COUNT ? off <= 0.02 || told(sim) : off < 1e-6 && !told(sim));
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
    }
}

// the numbers that it names are those of the law
static void the_law_is_named_with_its_numbers(void **state)
{
    (void)state;
    int named = 0;
    for (int k = 0; k < COUNT * 5; k++) {
        slip_model *model;
        slip_sim *sim = run_rod(&model, &rods[k % 5], formulations[k / 5]);
        const rest after = struck(&rods[k % 5]);
        const char *text = told(sim), *numbers = text ? strstr(text, "a rigid contact would have ") : NULL;
        double gap = NAN, slip = NAN;
        if (numbers) {
            assert_int_equal(sscanf(numbers, "a rigid contact would have %lf and %lf", &gap, &slip), 2);
            assert_near(gap, after.gap, 0.005 * fabs(after.gap) + 1e-9);
            assert_near(slip, after.slip, 0.005 * fabs(after.slip) + 1e-9);
            named++;
        }
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
    assert_true(named > 0);
}

// where the tip slides all along, the mass that it meets is W_nn - mu s W_nt, and the restitution is met
static void a_tip_that_slides_has_its_restitution(void **state)
{
    (void)state;
    for (int k = 3; k <= 4; k++)
        for (int f = 0; f < COUNT; f++) {
            slip_model *model;
            slip_sim *sim = run_rod(&model, &rods[k], formulations[f]);
            assert_near(slip_sim_get(sim, "rod.th'"), struck(&rods[k]).spin,
                        0.02 * fabs(struck(&rods[k]).spin));
            assert_null(told(sim));
            slip_sim_destroy(sim);
            slip_model_destroy(model);
        }
}

// a disc on its edge: slip and gap do not see each other, and it rolls on with 2/3 of its speed
static void a_disc_that_grips_is_not_called_in_doubt(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: disc\ngravity: 9.81\n"
        "bodies:\n  ground: {shape: {line: [0, 0]}}\n"
        "  disc: {mass: 1, inertia: 0.005, x: {rate: 2}, y: 0.5, shape: {circle: 0.1}}\n"
        "contacts: {c: {between: [disc, ground], friction: 0.9, restitution: e}}\n"
        "parameters: {e: 0}\nrun: {until: 0.36}\n";
    for (int k = 0; k < 3 * COUNT; k++) {
        char sets[20];
        snprintf(sets, sizeof sets, "e=%g", 0.4 * (k % 3));
        slip_model *model = read_model("", text, sets, " ");
        slip_sim_def def = slip_default_sim_def();
        def.formulation = formulations[k / 3];
        slip_sim *sim = make_sim(model, &def);
        run_to_end(sim);
        assert_near(slip_sim_get(sim, "disc.x'"), 4.0 / 3.0, 0.01);
        assert_null(told(sim));
        slip_sim_destroy(sim);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_on_its_tip_is_right_or_says_so),
        cmocka_unit_test(the_law_is_named_with_its_numbers),
        cmocka_unit_test(a_tip_that_slides_has_its_restitution),
        cmocka_unit_test(a_disc_that_grips_is_not_called_in_doubt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
