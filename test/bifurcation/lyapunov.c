/// lyapunov.c: exponents of linear systems in closed form, of the impact oscillator against independent
/// statistics, verdicts, and its stroboscopic diagram.
#include "bifurcation/scenes.h"
#include "sensitivity/facts.h"

static const char *const turn = "2*pi/w";

static slip_lyapunov *measure(const char *text, const char *sets, const slip_lyapunov_def *def)
{
    slip_model *model = read_model("", text, sets, ";");
    slip_error error = { 0 };
    slip_lyapunov *answer = NULL;
    slip_status status = slip_lyapunov_find(model, def, &error, &answer);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    slip_model_destroy(model);
    return answer;
}

static void expect(const slip_lyapunov *a, slip_lyapunov_verdict verdict)
{
    if (a->verdict != verdict) print_error("%s\n", a->text);
    assert_string_equal(slip_lyapunov_verdict_name(a->verdict), slip_lyapunov_verdict_name(verdict));
}

static const char linear[] = "slipstick: 1\n"
                             "name: two dampers\n"
                             "parameters: {a: 0.3, b: 1.5, k: 2}\n"
                             "coordinates: {x: {start: 1}}\n"
                             "energy: {kinetic: x'^2/2, potential: k*x^2/2}\n"
                             "forces: {x: -(a + b)*x' + (k - a*b)*x}\n"
                             "run: {until: 40}\n";

// x'' + (a + b) x' + a b x = 0 has the exponents -a and -b
static void exact(void **state)
{
    (void)state;
    slip_lyapunov_def def = slip_default_lyapunov_def();
    slip_lyapunov *a = measure(linear, "", &def);
    expect(a, SLIP_LYAPUNOV_REST);
    assert_int_equal(a->count, 2);
    assert_near(a->exponent[0], -0.3, 1e-9);
    assert_near(a->exponent[1], -1.5, 1e-9);
    assert_near(a->sum, -1.8, 1e-9);
    assert_near(a->expected, -1.8, 1e-9);
    slip_lyapunov_destroy(a);
    // a rest that repels is found out, not called chaotic
    a = measure(linear, "a=-0.3;coordinates.x.start=0", &def);
    expect(a, SLIP_LYAPUNOV_UNDECIDED);
    assert_near(a->exponent[0], 0.3, 1e-9);
    assert_non_null(strstr(a->text, "unstable"));
    slip_lyapunov_destroy(a);
}

static void statistics(void **state)
{
    (void)state;
    static const struct {
        const char *sets, *name;
        double w;
        bool chaotic;
    } list[] = { { "w=2.8;c=0", "(w=2.8,c=0)", 2.8, true },     { "w=4.8;c=0", "(w=4.8,c=0)", 4.8, true },
                 { "w=2.7;c=0.1", "(w=2.7,c=0.1)", 2.7, true }, { "w=1.4;c=0", "(w=1.4,c=0)", 1.4, false },
                 { "w=2.3;c=0", "(w=2.3,c=0)", 2.3, false },    { "w=3.5;c=0", "(w=3.5,c=0)", 3.5, false } };
    const char *group = "impact-oscillator-lyapunov";
    for (int k = 0; k < 6; k++) {
        char name[80];
        slip_lyapunov_def def = slip_default_lyapunov_def();
        def.period = turn;
        def.start = "x=-0.5, x'=0.3";
        def.length = (!list[k].chaotic  ? 600.0
                      : list[k].w > 4.0 ? 30000.0
                                        : 12000.0) *
                     2.0 * acos(-1.0) / list[k].w;
        slip_lyapunov *a = measure(oscillator, list[k].sets, &def);
        expect(a, list[k].chaotic ? SLIP_LYAPUNOV_CHAOTIC : SLIP_LYAPUNOV_PERIODIC);
        snprintf(name, sizeof name, "lyapunov%s", list[k].name);
        meet_one(group, name, 1.0, a->exponent[0]);
        // restitutions and divergence are summed up apart from the frame
        assert_near(a->sum, a->expected, 1e-8);
        if (list[k].chaotic) {
            assert_true(a->error[0] < 0.005 && a->exponent[0] > 10.0 * a->error[0]);
            snprintf(name, sizeof name, "lyapunov sum%s", list[k].name);
            meet_one(group, name, 1.0, a->sum);
            snprintf(name, sizeof name, "impacts per period%s", list[k].name);
            meet_one(group, name, 1.0, a->impacts);
        }
        slip_lyapunov_destroy(a);
    }
}

static int by_x(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void diagram(void **state)
{
    (void)state;
    static const char *const list[] = { "1.4", "1.7", "2", "2.3", "2.5",  "2.69",
                                        "3.3", "3.5", "4", "4.4", "4.62", "4.64" };
    const char *group = "impact-oscillator-diagram";
    for (int k = 0; k < 12; k++) {
        char name[100], sets[40];
        slip_lyapunov_def def = slip_default_lyapunov_def();
        def.period = turn;
        def.start = "x=-0.5, x'=0.3";
        def.settle = 1000.0;
        def.length = 240.0 * 2.0 * acos(-1.0) / strtod(list[k], NULL); // every period is like the others
        snprintf(sets, sizeof sets, "c=0;w=%s", list[k]);
        slip_lyapunov *a = measure(oscillator, sets, &def);
        expect(a, SLIP_LYAPUNOV_PERIODIC);
        snprintf(name, sizeof name, "strobe(w=%s).period", list[k]);
        meet_one(group, name, 1.0, a->repeat);
        snprintf(name, sizeof name, "strobe(w=%s).impacts per forcing period", list[k]);
        meet_one(group, name, 1.0, a->impacts);
        snprintf(name, sizeof name, "strobe(w=%s).points x, v at w t = 0 mod 2 pi, sorted by x", list[k]);
        qsort(a->points, (size_t)a->point_count, 2 * sizeof *a->points, by_x);
        meet(group, name, 1.0, a->points, 2 * a->point_count);
        slip_lyapunov_destroy(a);
    }
}

// a ball that has come to rest has forgotten all of its past; a belt forgets one of two directions
static void forgotten(void **state)
{
    (void)state;
    static const char ball[] = "slipstick: 1\nname: ball\ncoordinates: {y: {start: 1}}\n"
                               "energy: {kinetic: y'^2/2, potential: 9.81*y}\n"
                               "contacts: {floor: {gap: y, restitution: 0.8}}\nrun: {until: 3}\n";
    slip_lyapunov_def def = slip_default_lyapunov_def();
    def.block = 0.1;
    def.length = 8.0;
    def.settle = 0.5; // t = 4.06 s, where its impacts accumulate, is within
    slip_lyapunov *a = measure(ball, "", &def);
    expect(a, SLIP_LYAPUNOV_COLLAPSED);
    assert_int_equal(a->forgotten, 2);
    double zeno = sqrt(2.0 / 9.81) * (1.0 + 0.8) / (1.0 - 0.8);
    assert_true(a->forgotten_at >= zeno && a->forgotten_at < zeno + 0.2);
    slip_lyapunov_destroy(a);
    def = slip_default_lyapunov_def();
    def.length = 2000.0;
    a = measure(belt, "", &def);
    expect(a, SLIP_LYAPUNOV_PERIODIC);
    assert_int_equal(a->forgotten, 1);
    assert_true(fabs(a->exponent[0]) < 3.0 * a->error[0] + 2e-3 && a->exponent[1] == -INFINITY);
    slip_lyapunov_destroy(a);
}

// two independent oscillators, one driven, one free and undamped: it does not repeat, and nothing parts
static void neutral(void **state)
{
    (void)state;
    static const char two[] =
        "slipstick: 1\nname: two\nparameters: {w: 1.618034, d: 0}\ncoordinates: {x: {start: 1}, y: {}}\n"
        "energy: {kinetic: (x'^2 + y'^2)/2, potential: (x^2 + 2*y^2)/2}\n"
        "forces: {x: -d*x', y: cos(w*t) - 0.4*y'}\nrun: {until: 60}\n";
    slip_lyapunov_def def = slip_default_lyapunov_def();
    def.period = turn;
    slip_lyapunov *a = measure(two, "", &def);
    expect(a, SLIP_LYAPUNOV_QUASI_PERIODIC);
    assert_near(a->exponent[0], 0.0, 1e-9);
    assert_near(a->exponent[1], 0.0, 1e-9);
    assert_near(a->sum, -0.4, 1e-9);
    assert_int_equal(a->repeat, 0);
    slip_lyapunov_destroy(a);
    a = measure(two, "d=0.1", &def);
    expect(a, SLIP_LYAPUNOV_PERIODIC);
    assert_near(a->exponent[0], -0.05, 1e-3); // real part of the roots of s^2 + 0.1 s + 1
    assert_int_equal(a->repeat, 1);
    slip_lyapunov_destroy(a);
}

static void same_bits(void **state)
{
    (void)state;
    slip_lyapunov_def def = slip_default_lyapunov_def();
    def.period = turn;
    def.length = 200.0 * 2.0 * acos(-1.0) / 2.8;
    slip_lyapunov *a = measure(oscillator, "w=2.8;c=0", &def), *b = measure(oscillator, "w=2.8;c=0", &def);
    assert_memory_equal(a->exponent, b->exponent, 2 * sizeof *a->exponent);
    assert_memory_equal(a->error, b->error, 2 * sizeof *a->error);
    char *one = slip_lyapunov_json(a), *two = slip_lyapunov_json(b);
    assert_string_equal(one, two);
    free(one);
    free(two);
    slip_lyapunov_destroy(a);
    slip_lyapunov_destroy(b);
}

static void refuse(const char *text, const slip_lyapunov_def *def, slip_status status, const char *where)
{
    slip_model *model = read_model("", text, "", ";");
    slip_error error = { 0 };
    slip_lyapunov *answer = NULL;
    assert_int_equal(slip_lyapunov_find(model, def, &error, &answer), status);
    assert_null(answer);
    assert_string_equal(error.where, where);
    slip_model_destroy(model);
}

static void wrong(void **state)
{
    (void)state;
    slip_lyapunov_def def = slip_default_lyapunov_def();
    def.settle = -1.0;
    refuse(oscillator, &def, SLIP_BAD_ARGUMENT, "settle");
    def = slip_default_lyapunov_def();
    def.length = 1e-3;
    refuse(oscillator, &def, SLIP_BAD_ARGUMENT, "length");
    def = slip_default_lyapunov_def();
    def.drift = "y";
    refuse(oscillator, &def, SLIP_UNKNOWN_NAME, "drift");
    def = slip_default_lyapunov_def();
    def.start = "y=1";
    refuse(oscillator, &def, SLIP_UNKNOWN_NAME, "y");
    def = slip_default_lyapunov_def();
    def.formulation = "moreau";
    refuse(oscillator, &def, SLIP_UNSUPPORTED, "formulation");
    // a run that ends before its time is no measurement
    static const char stops[] = "slipstick: 1\nname: falls\ncoordinates: {y: {start: 1}}\nenergy: {kinetic: "
                                "y'^2/2, potential: 9.81*y}\n"
                                "run: {until: 3, stop: y < 0}\n";
    def = slip_default_lyapunov_def();
    slip_lyapunov *a = measure(stops, "", &def);
    expect(a, SLIP_LYAPUNOV_UNDECIDED);
    assert_int_equal(a->count, 0);
    assert_non_null(strstr(a->text, "ended at t = 0.45"));
    slip_lyapunov_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact),     cmocka_unit_test(statistics), cmocka_unit_test(diagram),
        cmocka_unit_test(forgotten), cmocka_unit_test(neutral),    cmocka_unit_test(same_bits),
        cmocka_unit_test(wrong),     cmocka_unit_test(counted),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
