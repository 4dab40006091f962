/// analysis.c: solutions of the contact problem, boundary layers and verdicts against Song 2001 and its
/// errata.
#include "song/helper.h"

#include <complex.h>

#include "verdict/contact/contact_verdict.h"

static void check_layer(slip_analysis *a, int solution, const json_t *expected, double T, double eps)
{
    if (!expected) return;
    slip_analysis_layer l = slip_analysis_boundary_layer(a, solution);
    double tau = T * sqrt(eps);
    assert_int_equal(l.count, 1);
    assert_near(l.P[0] * tau, number(expected, "P"), 1e-9 * fabs(number(expected, "P")));
    assert_near(l.Q[0] * tau * tau, number(expected, "Q"), 1e-9 * fabs(number(expected, "Q")));
    json_t *values = json_object_get(expected, "eigenvalues"), *one;
    size_t k;
    json_array_foreach(values, k, one)
    {
        double re = json_is_array(one) ? json_number_value(json_array_get(one, 0)) : json_number_value(one);
        double im = json_is_array(one) ? json_number_value(json_array_get(one, 1)) : 0.0, best = INFINITY;
        for (int i = 0; i < 2; i++) best = fmin(best, hypot(l.re[i] * tau - re, l.im[i] * tau - im));
        assert_near(best, 0.0, 1e-9 * hypot(re, im));
    }
    assert_string_equal(slip_analysis_stability(a, solution),
                        json_is_true(json_object_get(expected, "stable")) ? "stable" : "unstable");
}

// the four states of the truth: A, B, every solution, its row in Table 1, both boundary layers
static void states_of_table_1(void **state)
{
    (void)state;
    static const char *const names[] = { "table1 state A>0,B<0", "table1 state A>0,B>0",
                                         "table1 state A<0,B>0", "table1 state A<0,B<0" };
    for (int n = 0; n < 4; n++) {
        json_t *root, *v = truth(names[n], &root), *solutions = json_object_get(v, "lcp_solutions");
        char sets[200];
        snprintf(sets, sizeof sets, "mu=%.17g;th0=%.17g deg;om=%.17g", number(v, "mu"),
                 number(v, "theta_deg"), number(v, "thetadot"));
        slip_model *model = load("table1", sets);
        for (int law = 0; law < 2; law++) {
            slip_analysis *a = look(model, law ? "hunt-crossley" : "kelvin-voigt");
            assert_near(slip_analysis_A(a)[0], number(v, "A"), 1e-12);
            assert_near(slip_analysis_B(a)[0], number(v, "B"), 1e-11);
            assert_int_equal(slip_analysis_p_matrix(a), number(v, "A") > 0.0);
            assert_int_equal(slip_analysis_solution_count(a), (int)json_array_size(solutions));
            for (int k = 0; k < slip_analysis_solution_count(a); k++) {
                json_t *one = json_array_get(solutions, (size_t)k);
                slip_analysis_contact c = slip_analysis_solution(a, k, 0);
                assert_near(c.normal, number(one, "N"), 1e-9 * fabs(number(one, "N")));
                assert_near(c.gap_rate, number(one, "phiN_dd"), 1e-9 * fabs(number(one, "phiN_dd")) + 1e-10);
                if (c.normal > 0.0)
                    check_layer(a, k, json_object_get(v, law ? "HC" : "KV"), number(v, "T"), 1e-3);
                else
                    assert_string_equal(slip_analysis_stability(a, k), "stable*");
            }
            bool rigid = json_array_size(solutions) > 0;
            assert_int_equal(slip_analysis_rigid_preferred(a), rigid);
            slip_analysis_destroy(a);
        }
        slip_model_destroy(model);
        json_decref(root);
    }
}

// Table 1 after the errata, from A and B in closed form
typedef struct row {
    int solutions;
    slip_verdict verdict;
    bool rigid;
} row;

static row table_1(double A, double B)
{
    if (A > 0.0) return (row){ 1, SLIP_TRUSTED, true };
    if (B < 0.0) return (row){ 0, SLIP_INCONSISTENT, false };
    if (A == 0.0) return B > 0.0 ? (row){ 1, SLIP_TRUSTED, true } : (row){ 0, SLIP_AMBIGUOUS, false };
    return (row){ 2, SLIP_AMBIGUOUS, true };
}

static void grid_of_table_1(void **state)
{
    (void)state;
    int points = 0, seen[4] = { 0 };
    for (int i = 0; i < 20; i++) {
        double mu = 0.1 + 2.9 * i / 19;
        char sets[64];
        snprintf(sets, sizeof sets, "mu=%.17g", mu);
        slip_model *model = load("table1", sets);
        slip_error error = { 0 };
        slip_analysis *a = NULL;
        assert_int_equal(slip_analysis_create(model, NULL, &error, &a), SLIP_OK);
        for (int j = 0; j < 25; j++)
            for (int k = 0; k < 20; k++, points++) {
                double th = (2.0 + 86.0 * j / 24) * acos(-1.0) / 180.0, om = 7.0 * k / 19, c = cos(th),
                       s = sin(th);
                double q[3] = { c, s, th }, u[3] = { -1.0 - s * om, c * om, om };
                double A = 1.0 + 3.0 * c * (c - mu * s), B = om * om * s - 9.81;
                row expected = table_1(A, B);
                assert_int_equal(slip_analysis_at(a, 0.0, q, u, &error), SLIP_OK);
                assert_near(slip_analysis_A(a)[0], A, 1e-12);
                assert_near(slip_analysis_B(a)[0], B, 1e-11);
                assert_int_equal(slip_analysis_solution_count(a), expected.solutions);
                assert_int_equal(slip_analysis_verdict(a), expected.verdict);
                assert_int_equal(slip_analysis_rigid_preferred(a), expected.rigid);
                for (int n = 0; n < expected.solutions; n++) {
                    bool contact = slip_analysis_solution(a, n, 0).normal > 0.0;
                    assert_string_equal(slip_analysis_stability(a, n), !contact  ? "stable*"
                                                                       : A > 0.0 ? "stable"
                                                                                 : "unstable");
                }
                seen[(A > 0.0) + 2 * (B > 0.0)]++;
            }
        slip_analysis_destroy(a);
        slip_model_destroy(model);
    }
    assert_int_equal(points, 10000);
    for (int k = 0; k < 4; k++) assert_true(seen[k] > 300); // every row is met
}

// the rows with A = 0 or B = 0 exactly
static void edges_of_table_1(void **state)
{
    (void)state;
    static const double sign[] = { -1.0, 0.0, 1.0 };
    slip_compliant_constants c = {
        .law = SLIP_KELVIN_VOIGT, .K = 1e6, .C = 1e3, .K_t = 1e6, .C_t = 1e3, .gamma = 1e-3
    };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            slip_contact_set set = { .count = 1,
                                     .contact = { true },
                                     .slide = { -1 },
                                     .W = { sign[i] },
                                     .b = { sign[j] },
                                     .scale = 1.0 };
            slip_set_verdict found;
            slip_set_find_verdict(&set, &c, NULL, 100, &found);
            row expected = table_1(sign[i], sign[j]);
            if (sign[i] < 0.0 && sign[j] == 0.0)
                expected = (row){ 1, SLIP_TRUSTED, true };                // they merge at N = 0
            if (sign[i] == 0.0 && sign[j] == 0.0) expected.solutions = 1; // N = 0, and any other
            assert_int_equal(found.solutions, expected.solutions);
            assert_int_equal(found.verdict, expected.verdict);
        }
}

static void rolling_boundary_layer(void **state)
{
    (void)state;
    json_t *root, *v = truth("rolling boundary layer uniform rod 50 deg", &root);
    slip_contact_set set = {
        .count = 1, .contact = { true }, .slips = { true }, .mu = { 10.0 }, .b = { -1.0, 0.0 }, .scale = 1.0
    };
    for (int k = 0; k < 4; k++)
        set.W[k] = json_number_value(
            json_array_get(json_array_get(json_object_get(v, "A"), (size_t)k / 2), (size_t)k % 2));
    slip_compliant_constants c = {
        .law = SLIP_KELVIN_VOIGT, .K = 1.0, .C = 1.0, .K_t = 0.8, .C_t = 0.5, .gamma = 1e-3
    };
    slip_set_verdict found;
    slip_set_find_verdict(&set, &c, NULL, 100, &found);
    assert_int_equal(found.solutions, 1);
    assert_int_equal(found.branch[0].mode[0], SLIP_IS_STICKING);
    assert_int_equal(found.verdict, SLIP_TRUSTED); // Theorem 5.2
    slip_boundary_layer l;
    slip_contact_branch_layer(&set, &found.branch[0], &c, &l);
    assert_int_equal(l.count, 2);
    json_t *one;
    size_t k;
    json_array_foreach(json_object_get(v, "eigenvalues"), k, one)
    {
        double re = json_number_value(json_array_get(one, 0)), im = json_number_value(json_array_get(one, 1)),
               best = INFINITY;
        for (int i = 0; i < 4; i++) best = fmin(best, hypot(l.re[i] - re, l.im[i] - im));
        assert_near(best, 0.0, 1e-9);
    }
    json_decref(root);
}

// case 2: three solutions at rest in the reconstruction, one (sticking) as printed
// where A changes sign: mu = (1 + 3 c^2)/(3 c s) for a uniform rod, 4/3 at the least; and what other readings
// of the printed case 2 would give
static void critical_friction(void **state)
{
    (void)state;
    json_t *root;
    double critical =
        json_number_value(truth("table1 critical friction for A=0 at 60 deg, uniform rod", &root));
    double least = INFINITY;
    for (int side = -1; side <= 1; side += 2) {
        char sets[80];
        snprintf(sets, sizeof sets, "om=1;mu=%.17g", critical * (1.0 + side * 1e-12));
        slip_model *model = load("table1", sets);
        slip_analysis *a = look(model, NULL);
        assert_true(side * slip_analysis_A(a)[0] < 0.0);
        assert_near(slip_analysis_A(a)[0], 0.0, 1e-11);
        slip_analysis_destroy(a);
        slip_model_destroy(model);
    }
    for (double deg = 60.0; deg < 67.0; deg += 0.1) { // A is linear in mu
        char sets[80];
        double A[2];
        for (int k = 0; k < 2; k++) {
            snprintf(sets, sizeof sets, "om=1;mu=%d;th0=%.17g deg", k, deg);
            slip_model *model = load("table1", sets);
            slip_analysis *a = look(model, NULL);
            A[k] = slip_analysis_A(a)[0];
            slip_analysis_destroy(a);
            slip_model_destroy(model);
        }
        least = fmin(least, A[0] / (A[0] - A[1]));
    }
    json_decref(root);
    assert_near(least, json_number_value(truth("table1 uniform rod: minimum friction for A<=0", &root)),
                1e-5);
    json_decref(root);
    json_t *readings = truth("case2 other literal readings", &root), *one;
    size_t k;
    json_array_foreach(readings, k, one)
    {
        char sets[80];
        snprintf(sets, sizeof sets, "v0=-1e-6;L=%.17g;I=%.17g", number(one, "L"), number(one, "I"));
        slip_model *model = load("rod-case2", sets);
        slip_analysis *a = look(model, NULL);
        assert_near(slip_analysis_A(a)[0], json_number_value(json_array_get(json_object_get(one, "AB"), 0)),
                    1e-9);
        assert_near(slip_analysis_B(a)[0], json_number_value(json_array_get(json_object_get(one, "AB"), 1)),
                    1e-8);
        slip_analysis_destroy(a);
        slip_model_destroy(model);
    }
    json_decref(root);
}

static void case_2_at_rest(void **state)
{
    (void)state;
    static const char *const names[] = { "case2 reconstruction: parameters",
                                         "case2 as printed (uniform rod, L=1 m full length)" };
    for (int n = 0; n < 2; n++) {
        json_t *root, *v = truth(names[n], &root), *expected = json_object_get(v, "rest_lcp"), *one;
        slip_model *model = load(n ? "rod-case2-printed" : "rod-case2", "");
        slip_analysis *a = look(model, NULL);
        assert_int_equal(slip_analysis_solution_count(a), (int)json_array_size(expected));
        size_t k;
        json_array_foreach(expected, k, one)
        {
            const char *mode = json_string_value(json_array_get(one, 0));
            const char *word = strcmp(mode, "stick") == 0    ? "sticks"
                               : strcmp(mode, "slide-") == 0 ? "slides backward"
                                                             : "open";
            double N = json_number_value(json_array_get(one, 1)),
                   T = json_number_value(json_array_get(one, 2));
            bool found = false;
            for (int i = 0; i < slip_analysis_solution_count(a); i++) {
                slip_analysis_contact c = slip_analysis_solution(a, i, 0);
                if (strcmp(c.mode, word) != 0) continue;
                found = true;
                assert_near(c.normal, N, 1e-9 * fabs(N));
                assert_near(c.tangent, T, 1e-9 * fabs(T));
                const char *stability = n == 0 && strcmp(mode, "slide-") == 0 ? "unstable"
                                        : N > 0.0                             ? "stable"
                                                                              : "stable*";
                assert_string_equal(slip_analysis_stability(a, i), stability);
            }
            assert_true(found);
        }
        assert_int_equal(slip_analysis_verdict(a), n ? SLIP_TRUSTED : SLIP_AMBIGUOUS);
        assert_int_equal(slip_analysis_rigid_preferred(a), n == 1);
        slip_analysis_destroy(a);
        slip_model_destroy(model);
        json_decref(root);
    }
}

// Block on two feet at -+a, centre of mass at height h, radius of inertia sqrt(rho), sliding forward:
//     A_ij = 1 + x_i (x_j - mu h)/rho, eigenvalues 2 and 2 a^2/rho whatever mu (errata)
static void block_on_two_feet(double mu, slip_contact_set *set, double *A)
{
    const double a = 1.0, h = 1.0, rho = 0.2, x[2] = { -a, a };
    double B[2];
    *set = (slip_contact_set){
        .count = 2, .element = { 0, 1 }, .contact = { true, true }, .slide = { 1, 1 }, .scale = 1.0
    };
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) set->W[2 * i * 4 + 2 * j] = 1.0 + x[i] * (x[j] - mu * h) / rho;
    assert_true(slip_set_lcp(set, A, B));
    assert_near(A[0] + A[3], 2.0 + 2.0 * a * a / rho, 1e-12);
    assert_near(A[0] * A[3] - A[1] * A[2], 4.0 * a * a / rho, 1e-9);
}

static slip_boundary_layer layer_of(const slip_contact_set *set, double K0, double K1, double beta)
{
    slip_compliant_constants c[2] = { { .law = SLIP_KELVIN_VOIGT, .K = K0, .C = beta * K0 },
                                      { .law = SLIP_KELVIN_VOIGT, .K = K1, .C = beta * K1 } };
    slip_contact_branch both = { .mode = { SLIP_IS_FORWARD, SLIP_IS_FORWARD }, .N = { 1.0, 1.0 } };
    slip_boundary_layer layer;
    slip_contact_branch_layer(set, &both, c, &layer);
    return layer;
}

// damping in proportion to stiffness: with lambda an eigenvalue of A K, s^2 + beta lambda s + lambda = 0
static void eigenvalues_of_two_contacts(void **state)
{
    (void)state;
    int oscillates = 0, flutters = 0;
    for (double mu = 0.0; mu < 4.0; mu += 0.37)
        for (double ratio = 0.02; ratio < 60.0; ratio *= 1.7)
            for (int damped = 0; damped < 2; damped++) {
                double A[4], beta = damped ? 2e-5 : 0.0, K0 = 1e6, K1 = 1e6 * ratio, growth = -INFINITY;
                slip_contact_set set;
                block_on_two_feet(mu, &set, A);
                slip_boundary_layer l = layer_of(&set, K0, K1, beta);
                assert_int_equal(l.count, 2);
                double trace = A[0] * K0 + A[3] * K1, determinant = (A[0] * A[3] - A[1] * A[2]) * K0 * K1;
                double complex root = csqrt(trace * trace - 4.0 * determinant);
                for (int k = 0; k < 4; k++) {
                    double complex lambda = 0.5 * (trace + (k < 2 ? root : -root));
                    double complex inner = csqrt(beta * beta * lambda * lambda - 4.0 * lambda);
                    double complex s = 0.5 * (-beta * lambda + (k % 2 ? inner : -inner));
                    double best = INFINITY;
                    for (int i = 0; i < 4; i++) best = fmin(best, cabs(s - (l.re[i] + I * l.im[i])));
                    assert_near(best, 0.0,
                                1e-7 * cabs(s)); // where two eigenvalues nearly meet, half the digits go
                    growth = fmax(growth, creal(s));
                }
                assert_near(l.growth, growth, 1e-7 * sqrt(fabs(trace)));
                if (damped && fabs(growth) > 1e-5 * sqrt(fabs(trace)))
                    assert_int_equal(l.stability, growth > 0.0 ? SLIP_IS_UNSTABLE : SLIP_IS_STABLE);
                bool flutter = trace * trace < 4.0 * determinant;
                oscillates += !flutter, flutters += flutter;
            }
    assert_true(oscillates > 50 && flutters > 20); // both kinds are there
}

// a P-matrix is not enough for several contacts: unequal stiffness makes the layer flutter (errata). Without
// damping it does between the two ratios at which (A_0 r + A_1)^2 = 4 r det A
static void flutter_of_a_p_matrix(void **state)
{
    (void)state;
    int found = 0;
    for (double mu = 1.1; mu < 1.2; mu += 0.02) { // A_11 > 0 up to mu = 1.2
        double A[4];
        slip_contact_set set;
        block_on_two_feet(mu, &set, A);
        assert_true(slip_is_p_matrix(2, A));
        double product = A[0] * A[3], middle = 4.0 * (product - A[1] * A[2]) - 2.0 * product;
        double spread = sqrt(middle * middle - 4.0 * product * product);
        for (int side = -1; side <= 1; side += 2) {
            double edge = (middle + side * spread) / (2.0 * A[0] * A[0]), low = edge * 0.5, high = edge * 2.0;
            bool begins = layer_of(&set, 1e6 * high, 1e6, 0.0).stability == SLIP_IS_UNSTABLE;
            assert_int_equal(begins, side < 0);
            while (high - low > 1e-9 * edge) {
                double r = 0.5 * (low + high);
                bool in = layer_of(&set, 1e6 * r, 1e6, 0.0).stability == SLIP_IS_UNSTABLE;
                *(in == begins ? &high : &low) = r;
            }
            assert_near(0.5 * (low + high), edge, 1e-6 * edge);
            found++;
        }
    }
    assert_true(found >= 8);
}

// every solution of twelve contacts: a P-matrix has one for any right-hand side, minus the identity 2^12
static void twelve_contacts(void **state)
{
    (void)state;
    static slip_contact_branch all[4096];
    slip_contact_set set = { .count = SLIP_SET_MAX_CONTACTS, .scale = 1.0 };
    slip_solution_openings open;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < SLIP_SET_MAX_CONTACTS; i++) {
            set.contact[i] = true, set.element[i] = i, set.slide[i] = 1;
            set.b[2 * i] = sign > 0 ? -1.0 : 1.0;
            set.W[2 * i * SLIP_SET_MAX_ROWS + 2 * i] = sign;
        }
        int found = slip_set_solutions(&set, 1 << 24, all, 4096, &open);
        assert_int_equal(found, sign > 0 ? 1 : 4096);
        assert_false(open.dependent || open.continuum);
    }
    assert_int_equal(slip_set_solutions(&set, 4095, all, 4096, &open), -1);
}

static void p_matrices(void **state)
{
    (void)state;
    const double yes[9] = { 1, 0, 2, 2, 1, 0, 0, 2, 1 }; // a P-matrix that is far from positive definite
    const double no[4] = { 1, 2, 2, 1 };
    assert_true(slip_is_p_matrix(3, yes));
    assert_false(slip_is_p_matrix(2, no));
}

// a block that slides loses mu g, whichever way its friction enters the problem
static void sliding_contacts_have_a_rate(void **state)
{
    (void)state;
    slip_model *model = load("slipstick: 1\nname: Block\ncoordinates: {x: {rate: 1}, y: 0}\n"
                             "energy: {kinetic: 0.5*(x'^2 + y'^2), potential: 9.81*y}\n"
                             "contacts: {floor: {gap: y, slip: x, friction: 0.4}}\n",
                             "");
    slip_analysis *a = NULL;
    const double q[2] = { 0.0, 0.0 }, u[2] = { 1.0, 0.0 };
    assert_int_equal(slip_analysis_create(model, NULL, NULL, &a), SLIP_OK);
    assert_int_equal(slip_analysis_at(a, 0.0, q, u, NULL), SLIP_OK);
    assert_near(slip_analysis_solution(a, 0, 0).slip_rate, -0.4 * 9.81, 1e-12);
    slip_analysis_destroy(a);
    slip_model_destroy(model);
}

// three feet in line: rank 2, so one minor vanishes, whatever rounding makes of it
static void a_singular_matrix_is_no_p_matrix(void **state)
{
    (void)state;
    slip_model *model = load("slipstick: 1\nname: Three feet\ncoordinates: {x: {rate: 1}, y: 0, th: 0}\n"
                             "energy: {kinetic: 0.5*(x'^2 + y'^2 + 0.1*th'^2), potential: 9.81*y}\n"
                             "contacts:\n"
                             "  left: {gap: y - 0.3*th, slip: x, friction: 0.5}\n"
                             "  middle: {gap: y + 0.1*th, slip: x, friction: 0.05}\n"
                             "  right: {gap: y + 0.7*th, slip: x, friction: 0.5}\n",
                             "");
    slip_analysis *a = NULL;
    const double q[3] = { 0 }, u[3] = { 1.0, 0.0, 0.0 };
    assert_int_equal(slip_analysis_create(model, NULL, NULL, &a), SLIP_OK);
    assert_int_equal(slip_analysis_at(a, 0.0, q, u, NULL), SLIP_OK);
    assert_int_equal(slip_analysis_p_matrix(a), 0);
    slip_analysis_destroy(a);
    slip_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_of_table_1),
        cmocka_unit_test(grid_of_table_1),
        cmocka_unit_test(edges_of_table_1),
        cmocka_unit_test(rolling_boundary_layer),
        cmocka_unit_test(critical_friction),
        cmocka_unit_test(case_2_at_rest),
        cmocka_unit_test(eigenvalues_of_two_contacts),
        cmocka_unit_test(flutter_of_a_p_matrix),
        cmocka_unit_test(twelve_contacts),
        cmocka_unit_test(p_matrices),
        cmocka_unit_test(sliding_contacts_have_a_rate),
        cmocka_unit_test(a_singular_matrix_is_no_p_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
