/// nearby.c: what lies beside an orbit: where its multipliers meet, how they and its extremes move with
/// parameters, and the monodromy matrix from a given point.
#include "bifurcation/scenes.h"
#include "sensitivity/facts.h"

static slip_cycle *find(const char *text, const char *sets, const slip_cycle_def *def)
{
    slip_model *model = read_model("", text, sets, ";");
    slip_error error = { 0 };
    slip_cycle *cycle = NULL;
    assert_int_equal(slip_cycle_find(model, def, &error, &cycle), SLIP_OK);
    if (!cycle->found) print_error("%s: %s\n", sets, cycle->text);
    assert_true(cycle->found);
    slip_model_destroy(model);
    return cycle;
}

// (trace^2/4 - determinant)/e^2 of the ball that is launched once in a period: negative where its multipliers
// are a complex pair of modulus e
static double discriminant(double e, double Gamma)
{
    char sets[60], start[80];
    slip_cycle_def def = slip_default_cycle_def();
    snprintf(sets, sizeof sets, "e=%g;Gamma=%.17g", e, Gamma);
    start_on_table(e, Gamma, start);
    def.period = "2*pi/w";
    def.settle = 0.1;
    def.start = start;
    slip_cycle *c = find(table, sets, &def);
    double half = 0.5 * (c->monodromy[0] + c->monodromy[3]), det = c->determinant;
    assert_true((half * half < det) == (c->multiplier_im[0] != 0.0));
    slip_cycle_destroy(c);
    return (half * half - det) / (e * e);
}

static double root_between(double e, double a, double b)
{
    double fa = discriminant(e, a), fb = discriminant(e, b);
    assert_true(fa * fb < 0.0);
    for (int k = 0; k < 40 && fabs(b - a) > 1e-11; k++) { // secants that keep their sides (Illinois)
        double c = b - fb * (b - a) / (fb - fa), fc = discriminant(e, c);
        if (fc * fb < 0.0)
            a = b, fa = fb;
        else
            fa *= 0.5;
        b = c, fb = fc;
        if (fabs(fc) < 1e-11) break;
    }
    return b;
}

// between the fold and the doubling: node, focus, node
static void pairs(void **state)
{
    (void)state;
    static const struct {
        const char *group;
        double e, low[2], high[2];
    } list[] = { { "table-e0.5", 0.5, { 1.0505, 1.1 }, { 1.4, 1.5 } },
                 { "table-e0.8", 0.8, { 0.34912, 0.36 }, { 1.0, 1.068 } } };
    for (int k = 0; k < 2; k++) {
        double e = list[k].e, ends[] = { root_between(e, list[k].low[0], list[k].low[1]),
                                         root_between(e, list[k].high[0], list[k].high[1]) };
        meet(list[k].group, "Gamma_complex", 1e-2, ends, 2);
    }
}

// a model that takes note of where its mass turns has the derivatives of that place
static void extreme(void **state)
{
    (void)state;
    char text[800];
    snprintf(text, sizeof text, "%swhen: {top: {condition: \"x' < 0\"}}\n", belt);
    slip_cycle_def def = slip_default_cycle_def();
    def.sensitivity = "m, k, v, Fs, Fk";
    slip_cycle *c = find(text, "", &def);
    const slip_cycle_event *top = NULL;
    for (int k = 0; k < c->event_count; k++)
        if (c->events[k].kind == SLIP_EVENT_WHEN) top = &c->events[k];
    assert_non_null(top);
    meet("belt-constant", "d x_max/d(m,k,v,Fs,Fk)", 1e-2, top->before_derivative, 5);
    meet_one("belt-constant", "x_max", 1e-2, top->before[0]);
    slip_cycle_destroy(c);
}

// rank one, from its rightmost point on
static void from_a_point(void **state)
{
    (void)state;
    static const char *const names[] = { "x", "x'" };
    double x_max, period, rows[4];
    char sets[60];
    fact_numbers("belt-constant", "x_max", &x_max);
    fact_numbers("belt-constant", "period", &period);
    snprintf(sets, sizeof sets, "coordinates.x.start=%.17g", x_max);
    slip_model *model = read_model("", belt, sets, ";");
    slip_sim_def def = slip_default_sim_def();
    def.formulation = "lcp";
    def.relative = 1e-11, def.absolute = 1e-13;
    def.until = period;
    def.sensitivity = "x, x'";
    slip_sim *sim = make_sim(model, &def);
    while (slip_sim_step(sim) == SLIP_RUNNING) {}
    for (int k = 0; k < 4; k++) rows[k] = slip_sim_derivative(sim, names[k / 2], names[k % 2]);
    meet("belt-constant", "monodromy from (x_max, 0)", 1e-2, rows, 4);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static double modulus_at(double w)
{
    char sets[40];
    slip_cycle_def def = slip_default_cycle_def();
    def.period = "2*pi/w";
    def.settle = 150.0;
    snprintf(sets, sizeof sets, "w=%.17g", w);
    slip_cycle *c = find(chain, sets, &def);
    assert_true(c->multiplier_im[0] != 0.0);
    double modulus = hypot(c->multiplier_re[0], c->multiplier_im[0]);
    slip_cycle_destroy(c);
    return modulus;
}

// how fast the pair of the two masses passes the unit circle: it leaves it towards lower frequencies
static void crossing(void **state)
{
    (void)state;
    const double h = 1e-4;
    double w;
    fact_numbers("chain-wall", "w_ns", &w);
    meet_one("chain-wall", "w_ns d|mu|/dw", 1e-2, (modulus_at(w + h) - modulus_at(w - h)) / (2.0 * h));
}

// what is looked for with a multiple of its period: its multipliers are powers, and it says so
static void period_multiple(void **state)
{
    (void)state;
    static const struct {
        const char *sets, *period;
        int period_multiple;
        const char *says;
    } list[] = { { "w=1.7", "2*pi/w", 1, "" },
                 { "w=1.7", "3*2*pi/w", 3, "--period '(3*2*pi/w)/3'" },
                 { "w=1.7", "12*pi/w", 6, "--period '(12*pi/w)/6'" },
                 { "w=2.7;c=0", "4*pi/w", 1, "" }, // behind a doubling this is its own
                 { "w=2.7;c=0", "8*pi/w", 2, "--period '(8*pi/w)/2'" } };
    double own = 0.0;
    slip_cycle_def def = slip_default_cycle_def();
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        def.period = list[k].period;
        slip_cycle *c = find(oscillator, list[k].sets, &def);
        assert_int_equal(c->period_multiple, list[k].period_multiple);
        assert_true(list[k].says[0] ? strstr(c->text, list[k].says) != NULL : !c->text[0]);
        const double modulus = hypot(c->multiplier_re[0], c->multiplier_im[0]);
        if (c->period_multiple == 1)
            own = modulus;
        else
            assert_near(modulus, pow(own, c->period_multiple), 1e-7);
        slip_cycle_destroy(c);
    }
    def = slip_default_cycle_def();
    def.guess = 16.1;
    slip_cycle *c = find(belt, "", &def);
    assert_int_equal(c->period_multiple, 2);
    assert_non_null(strstr(c->text, "--guess 8.068"));
    slip_cycle_destroy(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs),    cmocka_unit_test(extreme),         cmocka_unit_test(from_a_point),
        cmocka_unit_test(crossing), cmocka_unit_test(period_multiple), cmocka_unit_test(counted),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
