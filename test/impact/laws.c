/// laws.c: impact laws against impacts with known answers, test/truth/impacts/facts.json: in the plane
/// exact (40 digits, or by enumeration of all cases), in space integrated by two independent methods.
#include "impact/collision.h"
#include "impact/facts.h"

static strike read_case(const json_t *fact)
{
    strike s = { .d = (int)json_integer_value(json_object_get(fact, "d")) };
    const json_t *M = json_object_get(fact, "M"), *rows = json_object_get(fact, "rows");
    s.n = (int)json_array_size(M);
    s.contacts = (int)json_array_size(rows) / s.d;
    for (int i = 0; i < s.n; i++) {
        s.u[i] = item(json_object_get(fact, "u"), (size_t)i);
        for (int j = 0; j < s.n; j++) s.M[i][j] = item(json_array_get(M, (size_t)i), (size_t)j);
    }
    for (int i = 0; i < s.d * s.contacts; i++)
        for (int j = 0; j < s.n; j++) s.rows[i][j] = item(json_array_get(rows, (size_t)i), (size_t)j);
    for (int k = 0; k < s.contacts; k++) {
        s.mu[k] = item(json_object_get(fact, "mu"), (size_t)k);
        s.e[k] = item(json_object_get(fact, "e"), (size_t)k);
        s.pressed[k] = true;
    }
    prepare(&s);
    return s;
}

// largest difference to an answer
static double off(const strike *s, const json_t *u, double dT)
{
    double worst = fabs(kinetic(s, s->end) - kinetic(s, s->u) - dT);
    worst = fmax(worst, fabs(s->gain - dT));
    for (int k = 0; k < s->n; k++) worst = fmax(worst, fabs(s->end[k] - item(u, (size_t)k)));
    return worst;
}

static double off_from(const strike *s, const json_t *answer)
{
    const json_t *any = json_object_get(answer, "any"), *P = json_object_get(answer, "P");
    double worst = INFINITY;
    for (size_t k = 0; k < json_array_size(any); k++) {
        const json_t *one = json_array_get(any, k);
        worst = fmin(worst, off(s, json_array_get(one, 0), item(one, 1)));
    }
    if (any) return worst;
    worst = off(s, json_object_get(answer, "u"), json_number_value(json_object_get(answer, "dT")));
    for (size_t k = 0; k < json_array_size(P); k++) worst = fmax(worst, fabs(s->impulse[k] - item(P, k)));
    return worst;
}

static void follow_facts(const char *kind, double tolerance, int expected)
{
    size_t k;
    json_t *fact, *answer;
    int count = 0, wrong = 0;
    json_array_foreach(facts, k, fact)
    {
        const char *name = json_string_value(json_object_get(fact, "name")), *law;
        if (strncmp(name, kind, strlen(kind)) != 0) continue;
        strike s = read_case(fact);
        json_object_foreach(json_object_get(fact, "laws"), law, answer)
        {
            const bool found = collide(&s, slip_impact_named(law), SLIP_ORDER_FASTEST_FIRST);
            const double by = found ? off_from(&s, answer) : INFINITY;
            count++;
            if (by <= tolerance) continue;
            wrong++;
            print_error("%s by %s is off by %g\n", name, law, by);
        }
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(count, expected);
}

static void in_the_plane(void **state)
{
    (void)state;
    follow_facts("planar", 1e-9, 5 * 259);
}

static void in_space(void **state)
{
    (void)state;
    follow_facts("spatial", 1e-9, 3 * 60);
}

static void several_contacts(void **state)
{
    (void)state;
    follow_facts("multi", 1e-9, 2 * 44);
}

// how many planar facts create energy under a law
static int gains(const char *law)
{
    size_t k;
    json_t *fact;
    int count = 0;
    json_array_foreach(facts, k, fact)
    {
        if (strncmp(json_string_value(json_object_get(fact, "name")), "planar", 6) != 0) continue;
        strike s = read_case(fact);
        assert_true(collide(&s, slip_impact_named(law), SLIP_ORDER_FASTEST_FIRST));
        count += s.gain > 1e-9;
    }
    return count;
}

static void who_creates_energy(void **state)
{
    (void)state;
    assert_int_equal(gains("newton-process"), 20);
    assert_int_equal(gains("poisson-process"), 0);
    assert_int_equal(gains("energetic"), 0);
}

// P_n = (1 + e) |v_n| / a_nn
static void without_friction_laws_agree(void **state)
{
    (void)state;
    size_t k;
    json_t *fact;
    json_array_foreach(facts, k, fact)
    {
        strike s = read_case(fact);
        if (s.contacts > 1) continue;
        s.mu[0] = 0.0;
        for (int law = 0; slip_impact_at(law); law++) {
            assert_true(collide(&s, slip_impact_at(law), SLIP_ORDER_FASTEST_FIRST));
            assert_near(s.impulse[0], (1.0 + s.e[0]) * fmax(0.0, -s.before[0]) / s.W[0], 1e-11);
            for (int c = 1; c < s.d; c++) assert_near(s.impulse[c], 0.0, 1e-14);
        }
    }
}

// three balls of one mass, e = 1: pairs one after another give (0, 0, 1), all at once (-1/3, 2/3, 2/3)
static void a_cradle(void **state)
{
    (void)state;
    strike s = { .n = 3, .d = 2, .contacts = 2, .u = { 1.0 }, .e = { 1.0, 1.0 } };
    for (int k = 0; k < 3; k++) s.M[k][k] = 1.0;
    for (int k = 0; k < 2; k++) s.rows[2 * k][k] = -1.0, s.rows[2 * k][k + 1] = 1.0;
    prepare(&s);
    assert_true(collide(&s, &slip_impact_energetic, SLIP_ORDER_FASTEST_FIRST));
    assert_int_equal(s.turns, 2);
    for (int k = 0; k < 3; k++) assert_near(s.end[k], k == 2, 1e-14);
    assert_true(collide(&s, &slip_impact_poisson, SLIP_ORDER_FASTEST_FIRST));
    for (int k = 0; k < 3; k++) assert_near(s.end[k], k ? 2.0 / 3.0 : -1.0 / 3.0, 1e-14);
}

// a ball between two walls that it touches, e = 1: an endless sequence is ended without restitution
static void no_end(void **state)
{
    (void)state;
    strike s = { .n = 1, .d = 2, .contacts = 2, .u = { 1.0 }, .e = { 1.0, 1.0 } };
    s.M[0][0] = 1.0, s.rows[0][0] = 1.0, s.rows[2][0] = -1.0;
    prepare(&s);
    assert_true(collide(&s, &slip_impact_energetic, SLIP_ORDER_FASTEST_FIRST));
    assert_true(s.unfinished);
    assert_near(s.end[0], 0.0, 1e-14);
}

// two contacts with laws of their own are struck one after another, each by its own
static void mixed_laws(void **state)
{
    (void)state;
    strike s = { .n = 2, .d = 2, .contacts = 2, .u = { -1.0, -2.0 }, .e = { 0.5, 0.25 } };
    s.M[0][0] = s.M[1][1] = 1.0, s.rows[0][0] = 1.0, s.rows[2][1] = 1.0;
    prepare(&s);
    const slip_impact_law *laws[] = { &slip_impact_newton, &slip_impact_energetic };
    slip_multi_impact c = { .d = 2,
                            .contacts = 2,
                            .W = s.W,
                            .before = s.before,
                            .mu = s.mu,
                            .e = s.e,
                            .e_t = s.e_t,
                            .law = laws,
                            .small = 1e-13,
                            .solve = solve_contacts,
                            .context = &s.d,
                            .impulse = s.impulse,
                            .after = s.after,
                            .work = s.work,
                            .path = s.path,
                            .scratch = s.scratch };
    assert_true(slip_multi_impact_apply(&c));
    assert_int_equal(c.turns, 2);
    assert_near(s.after[0], 0.5, 1e-14);
    assert_near(s.after[2], 0.5, 1e-14);
}

// a rod that slides where a push presses it in (tan th = 2, mu = 1.5): struck without approach
static void a_jam(void **state)
{
    (void)state;
    strike s = { .n = 3, .d = 2, .contacts = 1, .u = { -1.0 }, .mu = { 1.5 }, .e = { 0.0 } };
    const double M[] = { 1.0, 1.0, 1.0 / 12.0 }, c = 0.5 / sqrt(5.0), sine = 1.0 / sqrt(5.0);
    for (int k = 0; k < 3; k++) s.M[k][k] = M[k];
    s.rows[0][1] = 1.0, s.rows[0][2] = -c, s.rows[1][0] = 1.0, s.rows[1][2] = sine;
    prepare(&s);
    assert_true(collide(&s, &slip_impact_energetic, SLIP_ORDER_FASTEST_FIRST));
    assert_near(s.impulse[0], 0.0, 0.0); // nothing presses
    s.pressed[0] = true;
    for (int law = 0; slip_impact_at(law); law++) {
        assert_true(collide(&s, slip_impact_at(law), SLIP_ORDER_FASTEST_FIRST));
        assert_near(s.impulse[0], 0.3, 1e-14);
        assert_near(s.impulse[1], 0.4, 1e-14);
        assert_int_equal(s.path[0], SLIP_PATH_SLID | SLIP_PATH_STUCK | SLIP_PATH_JAMMED);
    }
}

// the same in space, along both directions; in a sequence beside a contact by another law
static void a_jam_in_space(void **state)
{
    (void)state;
    const double half = sqrt(0.5), c = 0.5 / sqrt(5.0), sine = 1.0 / sqrt(5.0);
    strike s = { .n = 5, .d = 3, .contacts = 1, .u = { -half, -half }, .mu = { 1.5 }, .e = { 0.0 } };
    // a point: centre x, y, z; turns about the horizontal axis across (1, 1), and about the one along it
    for (int k = 0; k < 5; k++) s.M[k][k] = k < 3 ? 1.0 : 1.0 / 12.0;
    s.rows[0][2] = 1.0, s.rows[0][3] = -c;
    s.rows[1][0] = 1.0, s.rows[1][3] = half * sine, s.rows[1][4] = half * sine;
    s.rows[2][1] = 1.0, s.rows[2][3] = half * sine, s.rows[2][4] = -half * sine;
    s.pressed[0] = true;
    prepare(&s);
    for (int law = 0; slip_impact_at(law); law++) {
        assert_true(collide(&s, slip_impact_at(law), SLIP_ORDER_FASTEST_FIRST));
        assert_near(s.impulse[0], 0.3, 1e-9);
        assert_near(s.impulse[1], 0.4 * half, 1e-9);
        assert_near(s.impulse[2], 0.4 * half, 1e-9);
        assert_true(s.path[0] & SLIP_PATH_JAMMED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_plane),
        cmocka_unit_test(in_space),
        cmocka_unit_test(several_contacts),
        cmocka_unit_test(who_creates_energy),
        cmocka_unit_test(without_friction_laws_agree),
        cmocka_unit_test(a_cradle),
        cmocka_unit_test(no_end),
        cmocka_unit_test(mixed_laws),
        cmocka_unit_test(a_jam),
        cmocka_unit_test(a_jam_in_space),
    };
    return cmocka_run_group_tests(tests, read_facts, drop_facts);
}
