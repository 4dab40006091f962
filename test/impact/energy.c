/// energy.c: impacts at random: the energetic law creates no energy, in the plane and in space, with one
/// contact and with several. `test_impact.energy 1000000` makes as many of them.
#include "impact/collision.h"

static int rounds = 20000;
static uint64_t seed;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

// a point at r of a body strikes a floor: rates of the centre and spins to rates of the point, normal first
static void add_point(strike *s, int contact, double x, double y, double z)
{
    const double plane[2][3] = { { 0, 1, x }, { 1, 0, -y } },
                 space[3][6] = { { 0, 0, 1, y, -x, 0 }, { 1, 0, 0, 0, z, -y }, { 0, 1, 0, -z, 0, x } };
    for (int i = 0; i < s->d; i++)
        for (int k = 0; k < s->n; k++) s->rows[contact * s->d + i][k] = s->d == 2 ? plane[i][k] : space[i][k];
}

static strike random_strike(int d, int contacts)
{
    strike s = { .n = d == 2 ? 3 : 6, .d = d, .contacts = contacts };
    for (int i = 0; i < s.n; i++) {
        s.M[i][i] = i < d ? 1.0 : uniform(0.02, 0.2);
        s.u[i] = i == d - 1 ? uniform(-1.0, 0.0) : uniform(-1.0, 1.0);
    }
    for (int k = 0; k < contacts; k++) {
        add_point(&s, k, uniform(-1.0, 1.0), uniform(-1.0, d == 2 ? 0.0 : 1.0), uniform(-1.0, 0.0));
        s.mu[k] = uniform(0.0, 1.5);
        s.e[k] = uniform(0.0, 1.0);
        s.pressed[k] = true;
    }
    if (uniform(0.0, 1.0) < 0.1) s.e[0] = 1.0;
    prepare(&s);
    return s;
}

static void create_none(int d, int contacts, int count)
{
    double worst = 0.0;
    for (int k = 0; k < count; k++) {
        strike s = random_strike(d, contacts);
        assert_true(collide(&s, &slip_impact_energetic, SLIP_ORDER_FASTEST_FIRST));
        const double before = kinetic(&s, s.u), gain = kinetic(&s, s.end) - before;
        worst = fmax(worst, gain / before);
        for (int j = 0; j < contacts; j++) {
            const double *P = s.impulse + j * d, T = d == 2 ? fabs(P[1]) : hypot(P[1], P[2]);
            assert_true(P[0] >= 0.0 && T <= s.mu[j] * P[0] * (1.0 + 1e-9) + 1e-14);
            assert_true(s.after[j * d] >= -1e-9);
        }
    }
    print_message("%d in %dd with %d contacts: largest gain %.2g of the energy\n", count, d, contacts, worst);
    assert_true(worst < 1e-12);
}

static void one_contact_in_the_plane(void **state)
{
    (void)state;
    create_none(2, 1, rounds);
}

static void one_contact_in_space(void **state)
{
    (void)state;
    create_none(3, 1, rounds / 2);
}

static void two_contacts(void **state)
{
    (void)state;
    create_none(2, 2, rounds / 4);
    create_none(3, 2, rounds / 10);
}

// the normal work of compression and restitution of one contact are in the ratio -e^2
static void work_ratio(void **state)
{
    (void)state;
    for (int k = 0; k < 1000; k++) {
        strike s = random_strike(2 + k % 2, 1);
        const double e = s.e[0];
        if (s.before[0] >= 0.0) continue;
        s.e[0] = 0.0;
        assert_true(collide(&s, &slip_impact_energetic, SLIP_ORDER_FASTEST_FIRST));
        const double taken = s.work[0];
        s.e[0] = e;
        assert_true(collide(&s, &slip_impact_energetic, SLIP_ORDER_FASTEST_FIRST));
        assert_near(s.work[0], (1.0 - e * e) * taken, 1e-12 * fabs(taken));
    }
}

// points of one body with different restitutions and friction: Poisson's law can create energy there, and
// does; with one contact it does not (see docs/impacts.md)
static void poisson_creates_with_several(void **state)
{
    (void)state;
    int gains = 0;
    seed = 1;
    for (int k = 0; k < 2000; k++) {
        strike s = random_strike(2, 1);
        assert_true(collide(&s, &slip_impact_poisson_process, SLIP_ORDER_FASTEST_FIRST));
        assert_true(s.gain <= 1e-13);
        s = random_strike(2, 2);
        s.e[0] = 0.0, s.e[1] = 1.0;
        if (collide(&s, &slip_impact_poisson, SLIP_ORDER_FASTEST_FIRST)) gains += s.gain > 1e-6;
    }
    assert_true(gains > 0);
}

int main(int count, char **arguments)
{
    if (count > 1) rounds = atoi(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact_in_the_plane),
        cmocka_unit_test(one_contact_in_space),
        cmocka_unit_test(two_contacts),
        cmocka_unit_test(work_ratio),
        cmocka_unit_test(poisson_creates_with_several),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
