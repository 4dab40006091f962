/// equilibrium.c: equilibria, sets that friction holds, folds and Hopf points in closed form.
#include "bifurcation/scenes.h"
#include "sensitivity/facts.h"

static slip_equilibrium *find(const char *text, const char *sets, const slip_equilibrium_def *def)
{
    slip_model *model = read_model("", text, sets, ";");
    slip_error error = { 0 };
    slip_equilibrium *rest = NULL;
    slip_status status = slip_equilibrium_find(model, def, &error, &rest);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    slip_model_destroy(model);
    return rest;
}

static slip_equilibrium_branch *follow(const char *text, const char *sets, const char *along,
                                       const char *start)
{
    slip_model *model = read_model("", text, sets, ";");
    slip_error error = { 0 };
    slip_equilibrium_def def = slip_default_equilibrium_def();
    slip_equilibrium_branch *branch = NULL;
    def.along = along;
    def.start = start;
    slip_status status = slip_equilibrium_follow(model, &def, &error, &branch);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    slip_model_destroy(model);
    return branch;
}

static const slip_equilibrium_point *special(const slip_equilibrium_branch *b, slip_branch_kind kind)
{
    for (int k = 0; k < b->point_count; k++)
        if (b->points[k].kind == kind) return &b->points[k];
    print_error("no %s on the branch: %s\n", slip_branch_kind_name(kind), b->text);
    fail();
    return NULL;
}

// accelerations of 5e-16 m/s^2 are slow, not nothing: k = 1e-9 N/m holds 1000 kg at 0.5 mm, with 1e-6 rad/s
static void slow(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: slow\ncoordinates: {x: {start: 1e-3}}\nmass: {x: 1000}\n"
                               "forces: {x: -1e-9*(x - 5e-4)}\n";
    slip_equilibrium_def def = slip_default_equilibrium_def();
    slip_equilibrium *r = find(text, "", &def);
    assert_true(r->found);
    assert_near(r->place[0], 5e-4, 1e-12);
    assert_near(fabs(r->im[0]), 1e-6, 1e-15);
    slip_equilibrium_destroy(r);
}

// the mass stands while the belt slides under it: x = Fs/(1 + delta v)/k
static void on_the_belt(void **state)
{
    (void)state;
    static const char *const speeds[] = { "0.2", "0.1", "0.5" };
    for (int k = 0; k < 3; k++) {
        char sets[20], name[60];
        slip_equilibrium_def def = slip_default_equilibrium_def();
        snprintf(sets, sizeof sets, "v=%s", speeds[k]);
        slip_equilibrium *r = find(stribeck, sets, &def);
        assert_true(r->found && !r->held && !r->stable);
        snprintf(name, sizeof name, "equilibrium x(v=%s)", speeds[k]);
        meet_one("belt-stribeck", name, 1e-1, r->place[0]);
        snprintf(name, sizeof name, "equilibrium eigenvalues(v=%s)", speeds[k]);
        meet("belt-stribeck", name, 1e-3, (const double[]){ r->re[0], r->im[0], r->re[1], r->im[1] }, 4);
        slip_equilibrium_destroy(r);
    }
}

static void hopf(void **state)
{
    (void)state;
    slip_equilibrium_branch *b = follow(stribeck, "c=0.1", "v=1:2", NULL);
    const slip_equilibrium_point *p = special(b, SLIP_BRANCH_HOPF);
    meet_one("belt-damped", "v_hopf", 1e-4, p->value);
    assert_near(p->value, (sqrt(30.0) - 1.0) / 3.0, 1e-10);
    assert_near(fabs(p->rest->im[0]), 1.0, 1e-9); // sqrt(k/m)
    assert_near(p->rest->derivative[0], -3.0 / pow(1.0 + 3.0 * p->value, 2.0), 1e-9);
    assert_false(b->points[0].rest->stable);
    assert_true(b->points[b->point_count - 1].rest->stable);
    slip_equilibrium_branch_destroy(b);
}

// x^2 + p = 0: two places that meet at p = 0
static void fold(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: fold\nparameters: {p: -1}\ncoordinates: {x: {start: 1}}\n"
                               "energy: {kinetic: x'^2/2, potential: x^3/3 + p*x}\nforces: {x: -0.3*x'}\n";
    slip_equilibrium_branch *b = follow(text, "", "p=-1:1", NULL);
    assert_near(special(b, SLIP_BRANCH_FOLD)->value, 0.0, 1e-10);
    const slip_equilibrium *last = b->points[b->point_count - 1].rest;
    assert_true(b->points[0].rest->stable && !last->stable);
    assert_near(last->place[0], -sqrt(-b->points[b->point_count - 1].value), 1e-10);
    slip_equilibrium_branch_destroy(b);
}

static const char rubbed[] =
    "slipstick: 1\nname: spring and dry friction\nparameters: {m: 2, k: 50, F: 4, p: 0}\n"
    "coordinates: {x: {start: 0.02}}\n"
    "energy: {kinetic: m*x'^2/2, potential: k*x^2/2}\nforces: {x: p}\n"
    "frictions: {rub: {slip: x, limit: F}}\nrun: {until: 5}\n";

// friction holds everything from (p - F)/k to (p + F)/k
static void held(void **state)
{
    (void)state;
    slip_equilibrium_def def = slip_default_equilibrium_def();
    slip_equilibrium *r = find(rubbed, "", &def);
    assert_true(r->found && r->held && r->stable);
    assert_near(r->place[0], 0.02, 1e-15);
    assert_near(r->low[0], -0.08, 1e-10);
    assert_near(r->high[0], 0.08, 1e-10);
    assert_int_equal(r->zeros, 2);
    slip_equilibrium_destroy(r);
    slip_equilibrium_branch *b = follow(rubbed, "", "p=0:10", NULL);
    for (int k = 0; k < b->point_count; k++) {
        const slip_equilibrium *rest = b->points[k].rest;
        assert_near(rest->low[0], (b->points[k].value - 4.0) / 50.0, 1e-10);
        assert_near(rest->high[0], (b->points[k].value + 4.0) / 50.0, 1e-10);
    }
    assert_near(b->points[b->point_count - 1].value, 10.0, 1e-12);
    slip_equilibrium_branch_destroy(b);
}

static const char dry_pendulum[] =
    "slipstick: 1\nname: pendulum with dry friction\nparameters: {M: 0.7}\ncoordinates: {x: {start: 0.3}}\n"
    "energy: {kinetic: x'^2/2, potential: 1 - cos(x)}\nfrictions: {pin: {slip: x, limit: M}}\nrun: {until: "
    "5}\n";

// friction holds |sin x| <= M: about 0, and about pi, but not between them, however short that is
static void islands(void **state)
{
    (void)state;
    static const char *const limits[] = { "M=0.7", "M=0.2", "M=0.99", "M=0.999" };
    static const double limit[] = { 0.7, 0.2, 0.99, 0.999 };
    slip_equilibrium_def def = slip_default_equilibrium_def();
    for (int k = 0; k < 4; k++) {
        static const char *const start[] = { "x=-0.15", "x=3.2" };
        const double centre[] = { 0.0, 3.14159265358979323846 };
        for (int island = 0; island < 2; island++) {
            def.start = start[island];
            slip_equilibrium *r = find(dry_pendulum, limits[k], &def);
            assert_true(r->found && r->held);
            // what counts as rest, 1e-10 of the angle, over the slope of sin there
            const double off = 1e-9 / sqrt(1.0 - limit[k] * limit[k]);
            assert_near(r->low[0], centre[island] - asin(limit[k]), off);
            assert_near(r->high[0], centre[island] + asin(limit[k]), off);
            slip_equilibrium_destroy(r);
        }
    }
}

// a rubs, b does not and follows: 1.1 b = -0.3 a, so friction carries (1 + 0.09/1.1) a
static void the_others_follow(void **state)
{
    (void)state;
    static const char beside[] =
        "slipstick: 1\nname: follower\nparameters: {M: 0.01}\ncoordinates: {a: 0, b: 0}\n"
        "energy: {kinetic: a'^2/2 + b'^2/2, potential: a^2/2 + 0.55*b^2}\nforces: {a: 0.3*b, b: -0.3*a}\n"
        "frictions: {f: {slip: a, limit: M}}\nrun: {until: 5}\n";
    slip_equilibrium_def def = slip_default_equilibrium_def();
    slip_equilibrium *r = find(beside, "", &def);
    assert_true(r->found && r->held);
    assert_near(r->low[0], -0.01 / (1.0 + 0.09 / 1.1), 1e-9);
    assert_near(r->high[0], 0.01 / (1.0 + 0.09 / 1.1), 1e-9);
    slip_equilibrium_destroy(r);
}

static const char incline[] = "slipstick: 1\nname: incline\nparameters: {mu: 0.5, alpha: 0.2}\n"
                              "coordinates: {s: {start: 0.3}, n: {}}\nmass: {s: 1, n: 1}\n"
                              "forces: {s: 9.81*sin(alpha), n: -9.81*cos(alpha)}\n"
                              "contacts: {plane: {gap: n, slip: s, friction: mu}}\nrun: {until: 1}\n";

// it stays up to tan(alpha) = mu
static void edge(void **state)
{
    (void)state;
    slip_equilibrium_branch *b = follow(incline, "", "alpha=0.2:0.8", NULL);
    assert_true(b->points[0].rest->held);
    assert_true(b->points[0].rest->low[0] == -INFINITY && b->points[0].rest->high[0] == INFINITY);
    assert_near(b->points[0].rest->high[1], 0.0, 0.0); // the contact holds that one
    assert_near(special(b, SLIP_BRANCH_EDGE)->value, atan(0.5), 1e-8);
    slip_equilibrium_branch_destroy(b);
}

static void wrong(void **state)
{
    (void)state;
    slip_equilibrium_def def = slip_default_equilibrium_def();
    // forced: at rest for a moment at the most
    slip_equilibrium *r = find(oscillator, "", &def);
    assert_false(r->found);
    assert_true(strstr(r->text, "time") || strstr(r->text, "accelerates"));
    slip_equilibrium_destroy(r);
    // nothing stops it
    r = find("slipstick: 1\nname: falls\ncoordinates: {y: {start: 1}}\nenergy: {kinetic: y'^2/2, potential: "
             "9.81*y}\n",
             "", &def);
    assert_false(r->found);
    assert_non_null(strstr(r->text, "still accelerates by 9.81"));
    slip_equilibrium_destroy(r);
    slip_model *model = read_model("", rubbed, "", ";");
    slip_error error = { 0 };
    slip_equilibrium_branch *b = NULL;
    def.along = "q=0:1";
    assert_int_equal(slip_equilibrium_follow(model, &def, &error, &b), SLIP_UNKNOWN_NAME);
    def.along = "p=0";
    assert_int_equal(slip_equilibrium_follow(model, &def, &error, &b), SLIP_BAD_ARGUMENT);
    assert_string_equal(error.where, "along");
    slip_model_destroy(model);
}

// a bead on a hoop that turns about its upright diameter leaves the lowest place at W^2 = g/R
static void crossings(void **state)
{
    (void)state;
    static const char hoop[] =
        "slipstick: 1\nname: hoop\nparameters: {W: 1, g: 2.25, R: 1, c: 0.1}\ncoordinates: {th: {start: 1}}\n"
        "energy: {kinetic: R^2*th'^2/2 + R^2*W^2*sin(th)^2/2, potential: -g*R*cos(th)}\n"
        "forces: {th: -c*th'}\nrun: {until: 5}\n";
    static const char *const starts[] = { "th=0", "th=1" }, *const ways[] = { "W=1:2", "W=2:1" };
    for (int k = 0; k < 2; k++) { // along what crosses, and along what turns back there
        slip_model *model = read_model("", hoop, "", ";");
        slip_equilibrium_def def = slip_default_equilibrium_def();
        slip_equilibrium_branch *b = NULL;
        slip_error error = { 0 };
        def.start = starts[k], def.along = ways[k];
        assert_int_equal(slip_equilibrium_follow(model, &def, &error, &b), SLIP_OK);
        int met = 0;
        for (int i = 0; i < b->point_count; i++) {
            assert_true(b->points[i].kind == SLIP_BRANCH_PLAIN || b->points[i].kind == SLIP_BRANCH_BRANCHING);
            if (b->points[i].kind != SLIP_BRANCH_BRANCHING) continue;
            assert_near(b->points[i].value, 1.5, 1e-8);
            met++;
        }
        assert_int_equal(met, 1);
        slip_equilibrium_branch_destroy(b);
        slip_model_destroy(model);
    }
}

// friction mu holds where |x - x^3 + F| <= mu: on the left up to F = mu + 2/(3 sqrt 3), however long the way
// is
static void edges(void **state)
{
    (void)state;
    static const char wells[] = "slipstick: 1\nname: two wells\nparameters: {F: 0, mu: 0.1}\n"
                                "coordinates: {x: {start: -1}}\nmass: {x: 1}\nforces: {x: x - x^3 + F}\n"
                                "frictions: {rub: {slip: x, limit: mu}}\nrun: {until: 5}\n";
    static const char *const ways[] = { "F=0:0.5", "F=0:50" };
    for (int k = 0; k < 2; k++) {
        slip_model *model = read_model("", wells, "", ";");
        slip_equilibrium_def def = slip_default_equilibrium_def();
        slip_equilibrium_branch *b = NULL;
        slip_error error = { 0 };
        def.along = ways[k];
        assert_int_equal(slip_equilibrium_follow(model, &def, &error, &b), SLIP_OK);
        const slip_equilibrium_point *last = &b->points[b->point_count - 1];
        assert_int_equal(last->kind, SLIP_BRANCH_EDGE);
        assert_near(last->value, 0.1 + 2.0 / (3.0 * sqrt(3.0)), 1e-9);
        for (int i = 0; i + 1 < b->point_count; i++) assert_true(b->points[i].rest->place[0] < 0.0);
        slip_equilibrium_branch_destroy(b);
        slip_model_destroy(model);
    }
}

// on top of a hill without friction, on a contact or a guide: x'' = 2 x parts by exp(+-sqrt(2) t)
static void smooth(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "slipstick: 1\nname: contact\ncoordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\n"
        "forces: {x: 2*x, y: -9.81}\ncontacts: {f: {gap: y, slip: x, friction: 0}}\n",
        "slipstick: 1\nname: guide\ncoordinates: {x: 0}\nmass: {x: 1}\nforces: {x: 2*x}\n"
        "frictions: {f: {slip: x, limit: 0}}\n"
    };
    for (int k = 0; k < 2; k++) {
        slip_equilibrium_def def = slip_default_equilibrium_def();
        slip_equilibrium *r = find(texts[k], "", &def);
        assert_true(r->found && !r->stable && !r->held);
        assert_near(r->re[0], sqrt(2.0), 1e-9);
        slip_equilibrium_destroy(r);
    }
}

// a mass on a rope of length 0.5 that forces of 3 N and 4 N pull, from a start beside it: along them, on the rope
static void on_a_rope(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: rope\ncoordinates: {x: 0.1, y: -0.49}\nmass: {x: 2, y: 2}\n"
        "forces: {x: 3, y: -4}\nconstraints: {rope: (x^2 + y^2 - 0.25)/2}\n";
    slip_equilibrium_def def = slip_default_equilibrium_def();
    slip_equilibrium *r = find(text, "", &def);
    assert_true(r->found);
    assert_near(r->place[0], 0.3, 1e-9);
    assert_near(r->place[1], -0.4, 1e-9);
    slip_equilibrium_destroy(r);
}

// a block that friction holds everywhere between two walls, and not behind them
static void between_walls(void **state)
{
    (void)state;
    static const char text[] = "slipstick: 1\nname: walls\ncoordinates: {x: 0.01}\nmass: {x: 1}\nfrictions: "
                               "{f: {slip: x, limit: 1}}\n"
                               "contacts: {left: {gap: x + 0.2}, right: {gap: 0.3 - x}}\n";
    slip_equilibrium_def def = slip_default_equilibrium_def();
    slip_equilibrium *r = find(text, "", &def);
    assert_true(r->found);
    assert_near(r->low[0], -0.2, 1e-12);
    assert_near(r->high[0], 0.3, 1e-12);
    slip_equilibrium_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_the_belt),
        cmocka_unit_test(slow),
        cmocka_unit_test(hopf),
        cmocka_unit_test(fold),
        cmocka_unit_test(smooth),
        cmocka_unit_test(held),
        cmocka_unit_test(edge),
        cmocka_unit_test(wrong),
        cmocka_unit_test(crossings),
        cmocka_unit_test(edges),
        cmocka_unit_test(counted),
        cmocka_unit_test(islands),
        cmocka_unit_test(the_others_follow),
        cmocka_unit_test(on_a_rope),
        cmocka_unit_test(between_walls),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
