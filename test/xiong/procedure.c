/// procedure.c: section 4.4 of Xiong 2013 as a program: what it replaces, what it shares, what it refuses and
/// where.
#include "xiong/helper.h"

static char *derive(const char *text, bool latex)
{
    slip_model *model = load_model(text, "");
    slip_error error = { 0 };
    char *out = NULL;
    slip_status status = slip_model_derive(model, latex, &error, &out);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    slip_model_destroy(model);
    return out;
}

static void expect(const char *text, const char *const *lines, int count)
{
    char *out = derive(text, false);
    for (int k = 0; k < count; k++) {
        bool found = strstr(out, lines[k]) != NULL;
        if (!found) print_error("missing: %s\nin:\n%s\n", lines[k], out);
        assert_true(found);
    }
    free(out);
}
#define EXPECT(text, ...)                                                                                    \
    do {                                                                                                     \
        const char *const lines[] = { __VA_ARGS__ };                                                         \
        expect((text), lines, (int)(sizeof lines / sizeof *lines));                                          \
    } while (0)

#define HEAD                                                                                                 \
    "slipstick: 1\nname: test\nparameters: {F: 2, mu: 0.3, M: 4, V: 1}\ndai: {K: 1e4, alpha: 1 ms, beta: 2 " \
    "ms}\n"

static void one_state_per_distinct_element(void **state)
{
    (void)state;
    // the same dio in three places, the same friction in two equations with different constants in front
    EXPECT(HEAD "inclusion:\n  x': -mu*dio(z)*sgn(x)/M\n  y': 5/(2*M)*(mu*dio(z)*sgn(x)) + 2*dio(z)\n  z': "
                "dio(z) - 9.8\n",
           "dio1 in dio(z)\n", "sgn1 in mu*dio(z)*sgn(x)\n", "x' = -sgn1/M\n", "z' = dio1 - 9.8\n");
    slip_model *model = load_model(HEAD "inclusion:\n  x': -mu*dio(z)*sgn(x)/M\n  y': "
                                        "5/(2*M)*(mu*dio(z)*sgn(x)) + 2*dio(z)\n  z': dio(z) - 9.8\n",
                                   "");
    slip_sim *sim = make_sim(model, NULL);
    assert_int_equal(slip_sim_state_count(sim), 5); // x y z, one e, one a
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

static void factors_as_the_paper_has_them(void **state)
{
    (void)state;
    EXPECT(HEAD "inclusion: {x': -F*sgn(x)/M}\n", "sgn1 in F*sgn(x)",
           "K_sgn1*sat(F/K_sgn1, sgn1.a + beta_sgn1*x)", "x' = -sgn1/M");
    // eq 48: a factor that varies goes inside sat, wherever it is written
    EXPECT(HEAD "inclusion: {x': -F/(V + abs(x))*sgn(x)}\n", "sat(F/(V + abs(x))/K_sgn1,");
    EXPECT(HEAD "inclusion: {x': -F*sgn(x)/(V + abs(x))}\n", "sat(F/(V + abs(x))/K_sgn1,");
    // a constant in front of a sum stays there, a varying one goes to each term
    EXPECT(HEAD "inclusion: {x': 1/M*(t - F*sgn(x))}\n", "sgn1 in F*sgn(x)", "x' = 1/M*(t - sgn1)");
    EXPECT(HEAD "inclusion: {x': abs(x)*(t - F*sgn(x))}\n", "sgn1 in abs(x)*F*sgn(x)");
    EXPECT("slipstick: 1\nname: nested\ndai: {K: 1, beta: 1}\ndefine: {f: 3*sgn(x)}\n"
           "inclusion: {x': abs(x)*(t - 2*f)/(1 + t^2)}\n",
           "sgn1 in abs(x)/(1 + t^2)*2*3*sgn(x)");
    // a minus in front is the user's, not the factor's
    EXPECT(HEAD "inclusion: {x': t + (-F)*sgn(x)}\n", "x' = t - sgn1");
    EXPECT(HEAD "inclusion: {x': -sgn(x)}\n", "sat(1/K_sgn1,", "x' = -sgn1");
    // no element at all is an ODE
    EXPECT(HEAD "inclusion: {x': -x}\n", "none: the right-hand sides hold no sgn", "x' = -x");
}

static void definitions_name_elements(void **state)
{
    (void)state;
    EXPECT("slipstick: 1\nname: two\nparameters: {mu: 0.3}\n"
           "define: {N: dio(z), f: 'mu*N*sgn(x, y)', unused: dio(x)}\n"
           "inclusion: {x': -f.x, y': -f.y, z': N - 9.8}\n"
           "dai: {K: 1e4, alpha: 1 ms, beta: 2 ms, f: {K: 7e4}, N: {beta: 3 ms}}\n",
           "N in dio(z)", "f.x in mu*dio(z)*sgn(x, y).x", "f.y in",
           "N.e' = ", "f.a.x' = ", "f.a.y' = ", "K_f = 70000", "beta_N = 0.003", "K_N = 10000",
           "beta_f = 0.002");
}

// what is refused, and where the message points
static void refusals(void **state)
{
    (void)state;
    const struct {
        const char *inclusion, *said;
        int column;
    } cases[] = {
        { "{x': -x*sgn(x)}", "not known to be nonnegative", 20 },
        { "{x': -sin(t)*sgn(x)}", "not known to be nonnegative", 25 },
        { "{x': -floor(abs(x))*sgn(x)}", "may jump through dio only", 0 },
        { "{x': -if(t < 1, 1, 2)*sgn(x)}", "may jump through dio only", 0 },
        { "{x': exp(sgn(x))}", "inside another function", 0 },
        { "{x': sgn(x)^2}", "inside another function", 0 },
        { "{x': 1/sgn(x)}", "inside another function", 0 },
        { "{x': abs(x)*(1 + 1/sgn(x))}", "inside another function", 0 },
        { "{x': max(0, sgn(x))}", "inside another function", 0 },
        { "{x': if(t < 1, sgn(x), 0)}", "inside another function", 0 },
        { "{x': -sgn(x)*sgn(t)}", "product of two sgn", 0 },
        { "{x': -sgn(x + sgn(t))}", "argument of sgn must be single-valued", 0 },
        { "{x': -sgn(x + dio(t))}", "argument of sgn must be single-valued", 0 },
        { "{x': dio(x + sgn(t))}", "argument of dio must be single-valued", 0 },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "inclusion: %s\n", cases[k].inclusion);
        slip_model *model = load_model(text, "");
        slip_sim *sim = NULL;
        slip_error error = { 0 };
        slip_status status = slip_sim_create(model, NULL, &error, &sim);
        if (status == SLIP_OK || !strstr(error.text, cases[k].said))
            print_error("%s: %s\n", cases[k].inclusion, error.text);
        assert_int_equal(status, SLIP_BAD_MODEL);
        assert_non_null(strstr(error.text, cases[k].said));
        char place[64];
        snprintf(place, sizeof place, "test.yaml:5:%d", cases[k].column);
        if (!strstr(error.where, cases[k].column ? place : "test.yaml:5:"))
            print_error("%s at %s\n", cases[k].inclusion, error.where);
        assert_non_null(strstr(error.where, cases[k].column ? place : "test.yaml:5:"));
        char *derived = NULL;
        assert_int_equal(slip_model_derive(model, false, &error, &derived), SLIP_BAD_MODEL);
        assert_null(derived);
        slip_model_destroy(model);
    }
}

// two components where one is needed, one where two are: the reader says so
static void refused_by_the_reader(void **state)
{
    (void)state;
    const char *const wrong[] = { "{x': 'sgn(x, t)'}", "{x': 'sgn(x, t).z'}", "{x': sgn()}" };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "inclusion: %s\n", wrong[k]);
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        assert_int_not_equal(slip_model_read_text("test.yaml", text, strlen(text), NULL, 0, notes, &model),
                             SLIP_OK);
        assert_null(model);
        assert_int_equal(slip_diagnostics_get(notes, 0).line, 5);
        slip_diagnostics_destroy(notes);
    }
}

// a definition with sgn and dio in it has the value that the equations give it, recorded or drawn
static void set_valued_definitions_are_recorded(void **state)
{
    (void)state;
    slip_model *model =
        load_model("slipstick: 1\nname: test\ndai: {K: 1000, alpha: 0.1, beta: 0.2}\n"
                   "define: {N: dio(z), f: 0.5*N*sgn(x), g: f - 2*N}\n"
                   "inclusion: {x': 3 - f, z': N - 9.8}\nstart: {x: 1}\n"
                   "record: {two: 2*f + z, all: g, load: N.normal, rub: f.friction, plain: x*z}\n"
                   "draw: {mass: {box: [f, N], size: [1, 1]}}\n",
                   "");
    slip_sim_def def = slip_default_sim_def();
    def.until = 0.05;
    def.draw = true;
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    assert_int_equal(slip_sim_create(model, &def, &error, &sim), SLIP_OK);
    while (slip_sim_step(sim) == SLIP_RUNNING) continue;
    double row[16];
    assert_int_equal(slip_sim_column_count(sim), 1 + 2 + 2 + 5);
    slip_sim_columns(sim, row);
    double x = row[1], z = row[2], two = row[5], all = row[6], load = row[7], rub = row[8];
    assert_true(load > 1.0 && rub < -0.1); // friction on the system, against the slip
    assert_near(two, -2.0 * rub + z, 1e-15);
    assert_near(all, -rub - 2.0 * load, 1e-14);
    assert_near(row[9], x * z, 0.0);
    slip_sim_destroy(sim);
    slip_model_destroy(model);
}

// one that no equation uses as it stands has none, and that is said at its place
static void set_valued_records_without_a_value_are_refused(void **state)
{
    (void)state;
    static const char *const equations[] = { "{x': -x}", "{x': -(1 + abs(x))*f}" };
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "define: {f: F*sgn(x)}\ninclusion: %s\nrecord: {a: 2*f}\n",
                 equations[k]);
        slip_model *model = load_model(text, "");
        slip_error error = { 0 };
        slip_sim *sim = NULL;
        assert_int_equal(slip_sim_create(model, NULL, &error, &sim), SLIP_BAD_MODEL);
        assert_string_equal(error.where, "test.yaml:5:15");
        assert_non_null(strstr(error.text, "stands in no right-hand side"));
        slip_model_destroy(model);
    }
}

static void missing_constants_are_named(void **state)
{
    (void)state;
    slip_model *model = load_model("slipstick: 1\nname: test\ninclusion: {x': -sgn(x)}\n", "");
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    assert_int_equal(slip_sim_create(model, NULL, &error, &sim), SLIP_BAD_MODEL);
    assert_non_null(strstr(error.text, "needs K and beta"));
    slip_model_destroy(model);
}

static void latex_is_balanced(void **state)
{
    (void)state;
    const char *const names[] = { "two-masses-conveyor",           "rolling-sphere",
                                  "two-masses-conveyor-mechanics", "rolling-sphere-mechanics",
                                  "stick-slip-smoothed",           "friction-mass-lugre" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *out = derive(names[k], true);
        int braces = 0, left = 0, environments = 0;
        for (const char *c = out; *c; c++) {
            braces += *c == '{' && (c == out || c[-1] != '\\');
            braces -= *c == '}' && c[-1] != '\\';
            assert_true(braces >= 0);
            left += strncmp(c, "\\left", 5) == 0 && c[5] != 'a';
            left -= strncmp(c, "\\right", 6) == 0 && c[6] != 'a';
            environments += strncmp(c, "\\begin{", 7) == 0;
            environments -= strncmp(c, "\\end{", 5) == 0;
        }
        assert_int_equal(braces, 0);
        assert_int_equal(left, 0);
        assert_int_equal(environments, 0);
        assert_non_null(strstr(out, "\\end{document}"));
        free(out);
    }
}

// the whole of Example II, in 15 lines or fewer beside its prose, as the paper prints eq 45
static void example_two(void **state)
{
    (void)state;
    EXPECT("two-masses-conveyor", "p1x'' in (dio(p1x) - dio(p2x - p1x))/M1",
           "O2 in mu2*dio(p2x - p1x)*sgn(p1y' - p2y')", "p1x'' = (N1 - N2)/M1",
           "p1y'' = (-O1 - O2 - Ks*p1y)/M1", "p2x'' = (-O3 + N2)/M2", "p2y'' = (O2 + N3)/M2 - g",
           "N2.e' = max(-N2.e/beta_N2, -(p2x - p1x + N2.e)/alpha_N2)",
           "O3.a' = (sat(mu3*N3/K_O3, O3.a + beta_O3*(p2x' + u)) - O3.a)/beta_O3");
    slip_model *model = load_model("two-masses-conveyor", "");
    size_t length;
    const char *text = slip_model_text(model, &length);
    int lines = 0;
    for (const char *line = text; line < text + length; line = strchr(line, '\n') + 1)
        lines += *line != '#' && strncmp(line, "about:", 6) != 0;
    assert_true(lines <= 15);
    slip_model_destroy(model);
}

static void descriptions(void **state)
{
    (void)state;
    const struct {
        const char *name, *said;
    } cases[] = { { "rolling-sphere", "sgn, 2 components, of (px' - wy*R, py' + wx*R)" },
                  { "two-masses-conveyor-mechanics", "faces, restitution 0, friction in 1 direction" },
                  { "friction-mass", "friction  friction, friction in 1 direction" } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        slip_model *model = load_model(cases[k].name, "");
        char *text = NULL;
        assert_int_equal(slip_model_describe(model, NULL, &text), SLIP_OK);
        if (!strstr(text, cases[k].said)) print_error("%s\n", text);
        assert_non_null(strstr(text, cases[k].said));
        free(text);
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_state_per_distinct_element),
        cmocka_unit_test(factors_as_the_paper_has_them),
        cmocka_unit_test(definitions_name_elements),
        cmocka_unit_test(refusals),
        cmocka_unit_test(refused_by_the_reader),
        cmocka_unit_test(set_valued_definitions_are_recorded),
        cmocka_unit_test(set_valued_records_without_a_value_are_refused),
        cmocka_unit_test(missing_constants_are_named),
        cmocka_unit_test(latex_is_balanced),
        cmocka_unit_test(example_two),
        cmocka_unit_test(descriptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
