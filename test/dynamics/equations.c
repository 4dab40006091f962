/// equations.c: the waist against mechanics worked out by hand.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/system.h"
#include "test.h"

static slip_model *read_model(const char *text)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text("test.yaml", text, strlen(text), NULL, 0, notes, &model) != SLIP_OK) {
        char *said = slip_diagnostics_text(notes);
        print_error("%s", said);
        free(said);
    }
    slip_diagnostics_destroy(notes);
    return model;
}

/// A system with its terms, ready to evaluate.
typedef struct bench {
    slip_model *model;
    slip_system *system;
    slip_terms terms;
    void *memory;
} bench;

static bench set_up(const char *text)
{
    bench b = { .model = read_model(text) };
    slip_error error;
    assert_non_null(b.model);
    if (slip_system_create(b.model, &error, &b.system) != SLIP_OK)
        fail_msg("%s: %s", error.where, error.text);
    slip_arena count = { 0 };
    slip_terms_layout(&count, b.system, &b.terms);
    slip_arena real = { .base = b.memory = slip_arena_memory(count.used) };
    slip_terms_layout(&real, b.system, &b.terms);
    slip_terms_init(b.system, &b.terms);
    return b;
}

static void tear_down(bench *b)
{
    slip_system_destroy(b->system);
    slip_model_destroy(b->model);
    free(b->memory);
}

// M back from its Cholesky factor
static double mass_entry(const bench *b, int i, int j)
{
    int n = b->system->blocks[0].count;
    const double *L = b->terms.factor;
    double sum = 0.0;
    for (int k = 0; k <= (i < j ? i : j); k++) sum += L[i * n + k] * L[j * n + k];
    return sum;
}

static const char double_pendulum[] =
    "slipstick: 1\nname: Double pendulum\n"
    "parameters: {m1: 1.3, m2: 0.7, l1: 0.9, l2: 0.6, g: 9.81}\n"
    "define:\n"
    "  vx: l1*cos(a)*a' + l2*cos(b)*b'\n"
    "  vy: l1*sin(a)*a' + l2*sin(b)*b'\n"
    "coordinates: {a: 0.3, b: -0.4}\n"
    "energy:\n"
    "  kinetic: 0.5*m1*(l1*a')^2 + 0.5*m2*(vx^2 + vy^2)\n"
    "  potential: -m1*g*l1*cos(a) - m2*g*(l1*cos(a) + l2*cos(b))\n"
    "contacts:\n"
    "  wall: {gap: 1 - l1*sin(a) - l2*sin(b), slip: l1*cos(a) + l2*cos(b) - 0.2*t, friction: 0.3}\n";

static const char double_pendulum_by_mass[] =
    "slipstick: 1\nname: Double pendulum\n"
    "parameters: {m1: 1.3, m2: 0.7, l1: 0.9, l2: 0.6, g: 9.81}\n"
    "coordinates: {a: 0.3, b: -0.4}\n"
    "mass: [[(m1 + m2)*l1^2], [m2*l1*l2*cos(a - b), m2*l2^2]]\n"
    "energy: {potential: -m1*g*l1*cos(a) - m2*g*(l1*cos(a) + l2*cos(b))}\n"
    "contacts:\n"
    "  wall: {gap: 1 - l1*sin(a) - l2*sin(b), slip: l1*cos(a) + l2*cos(b) - 0.2*t, friction: 0.3}\n";

// textbook equations of the double pendulum, absolute angles
static void check_double_pendulum(const char *text)
{
    const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 0.6, g = 9.81;
    bench s = set_up(text);
    for (int k = 0; k < 20; k++) {
        double q[2] = { sin(1.0 + k), cos(2.3 * k) }, u[2] = { cos(0.7 * k) * 3, sin(1.9 * k) * 2 };
        double a = q[0], b = q[1], c = cos(a - b), d = sin(a - b);
        assert_true(slip_system_evaluate(s.system, SLIP_LEVEL_ACCELERATION, 0.0, q, u, &s.terms));
        assert_near(mass_entry(&s, 0, 0), (m1 + m2) * l1 * l1, 1e-13);
        assert_near(mass_entry(&s, 0, 1), m2 * l1 * l2 * c, 1e-13);
        assert_near(mass_entry(&s, 1, 1), m2 * l2 * l2, 1e-13);
        assert_near(s.terms.h[0], -m2 * l1 * l2 * d * u[1] * u[1] - (m1 + m2) * g * l1 * sin(a), 1e-12);
        assert_near(s.terms.h[1], m2 * l1 * l2 * d * u[0] * u[0] - m2 * g * l2 * sin(b), 1e-12);
        // the wall: gap, its row, and the velocity part of its acceleration
        assert_near(s.terms.gap[0], 1 - l1 * sin(a) - l2 * sin(b), 1e-15);
        int normal = s.system->elements[0].normal_row, tangent = s.system->elements[0].tangent_row;
        assert_near(slip_system_row_rate(s.system, &s.terms, normal, u),
                    -l1 * cos(a) * u[0] - l2 * cos(b) * u[1], 1e-13);
        assert_near(s.terms.z[normal], l1 * sin(a) * u[0] * u[0] + l2 * sin(b) * u[1] * u[1], 1e-13);
        assert_near(s.terms.drift[tangent], -0.2, 0.0);
        assert_near(s.terms.z[tangent], -l1 * cos(a) * u[0] * u[0] - l2 * cos(b) * u[1] * u[1], 1e-13);
        assert_near(s.terms.friction[0], 0.3, 0.0);
    }
    tear_down(&s);
}

static void double_pendulum_matches_the_textbook(void **state)
{
    (void)state;
    check_double_pendulum(double_pendulum);
    check_double_pendulum(double_pendulum_by_mass);
}

// (m x')' = T_x with T = m x'^2/2: m x'' = -m_t x' - m_x x'^2/2, and the energy changes by -m_t x'^2/2
static void a_mass_that_changes_has_its_forces(void **state)
{
    (void)state;
    bench s = set_up("slipstick: 1\nname: Mass\ncoordinates: {x: 0}\nmass: {x: 2 - t + x^3}\n");
    double q[1] = { 0.7 }, u[1] = { 1.9 }, t = 0.4;
    assert_true(slip_system_evaluate(s.system, SLIP_LEVEL_ACCELERATION, t, q, u, &s.terms));
    assert_near(mass_entry(&s, 0, 0), 2 - t + 0.343, 1e-14);
    assert_near(s.terms.h[0], u[0] - 0.5 * 3 * 0.49 * u[0] * u[0], 1e-14);
    tear_down(&s);
}

// M^-1 of a system whose mass matrix splits into blocks, one of them varying
static void blocks_solve_independently(void **state)
{
    (void)state;
    bench s =
        set_up("slipstick: 1\nname: Blocks\n"
               "coordinates: {x: 0, y: 0, z: 0, w: 0}\n"
               "energy: {kinetic: \"0.5*2*x'^2 + 0.5*(3 + z^2)*y'^2 + y'*w' + 0.5*w'^2 + 0.5*5*z'^2\"}\n");
    assert_int_equal(s.system->block_count, 3);
    double q[4] = { 0.1, 0.2, 1.5, 0.3 }, u[4] = { 0 }, x[4] = { 1, 2, 3, 4 };
    for (int again = 0; again < 3; again++) { // constants must survive the factor of the step before
        assert_true(slip_system_evaluate(s.system, SLIP_LEVEL_MOTION, 0.0, q, u, &s.terms));
        double r[4];
        memcpy(r, x, sizeof r);
        slip_system_solve(s.system, &s.terms, r);
        double m = 3 + q[2] * q[2];
        assert_near(r[0], x[0] / 2, 1e-15);
        assert_near(r[2], x[2] / 5, 1e-15);
        assert_near(m * r[1] + r[3], x[1], 1e-13);
        assert_near(r[1] + r[3], x[3], 1e-13);
        q[2] += 0.5;
    }
    tear_down(&s);
}

// a bead on a turning wire: the Jacobi energy is T2 - T0 + V and is conserved without forces
static void moving_frame_has_its_jacobi_energy(void **state)
{
    (void)state;
    bench s = set_up("slipstick: 1\nname: Bead on a turning wire\nparameters: {m: 2, W: 3, k: 7}\n"
                     "coordinates: {r: 1}\n"
                     "energy: {kinetic: \"0.5*m*(r'^2 + (W*r)^2)\", potential: 0.5*k*r^2}\n");
    double q[1] = { 0.8 }, u[1] = { -1.1 }, kinetic, potential, power;
    slip_system_energy(s.system, 0.0, q, u, &s.terms, &kinetic, &potential, &power);
    assert_near(kinetic, 0.5 * 2 * (1.21 - 9 * 0.64), 1e-14);
    assert_near(potential, 0.5 * 7 * 0.64, 1e-14);
    assert_near(power, 0.0, 0.0);
    slip_system_evaluate(s.system, SLIP_LEVEL_MOTION, 0.0, q, u, &s.terms);
    assert_near(s.terms.h[0], 2 * 9 * 0.8 - 7 * 0.8, 1e-14);
    tear_down(&s);
}

static void expect_refusal(const char *text, const char *where, const char *words)
{
    slip_model *model = read_model(text);
    assert_non_null(model);
    slip_error error = { 0 };
    slip_system *system = NULL;
    assert_int_equal(slip_system_create(model, &error, &system), SLIP_BAD_MODEL);
    assert_null(system);
    assert_string_equal(error.where, where);
    assert_non_null(strstr(error.text, words));
    slip_model_destroy(model);
}

static void impossible_masses_are_refused_at_their_place(void **state)
{
    (void)state;
    expect_refusal("slipstick: 1\nname: A\ncoordinates: {x: 0, y: 0}\nenergy: {kinetic: \"x'^2 + x*y'\"}\n",
                   "test.yaml:3:21", "coordinate 'y' has no mass");
    expect_refusal("slipstick: 1\nname: B\ncoordinates: {x: 0}\nenergy: {kinetic: \"x'^4\"}\n",
                   "test.yaml:4:19", "must be quadratic in the rates");
    expect_refusal("slipstick: 1\nname: C\ncoordinates: {x: 0}\nenergy: {kinetic: \"-x'^2\"}\n", "test.yaml",
                   "not positive definite");
}

static const char elements_model[] =
    "slipstick: 1\nname: Elements\ncoordinates: {x: 0, y: 1, z: 0}\n"
    "energy: {kinetic: \"0.5*(x'^2 + y'^2 + z'^2)\"}\n"
    "frictions: {guide: {slip: x, limit: 3}}\n"
    "contacts: {floor: {gap: y, slip: [x, z], friction: 0.5, restitution: 0.25}, wall: {gap: 2 - x}}\n"
    "constraints: {rod: x - z}\n"
    "record: {a: floor.normal + 2*floor.slip.y, b: guide.limit, c: wall.normal.min, d: floor.normal}\n";

// the waist adds rows to the model's record; constraints have the first numbers
static void elements_refer_to_their_contacts(void **state)
{
    (void)state;
    bench s = set_up(elements_model);
    const slip_element *e = s.system->elements;
    assert_int_equal(s.system->element_count, 3);
    assert_int_equal(s.system->row_count, 1 + 3 + 1 + 1);
    static const int normal[] = { 1, 4, -1 }, tangent[] = { 2, -1, 5 }, slips[] = { 2, 0, 1 };
    static const char *const name[] = { "floor", "wall", "guide" };
    for (int k = 0; k < 3; k++) {
        assert_ptr_equal(e[k].contact, &s.model->contacts[k]);
        assert_string_equal(e[k].name, name[k]);
        assert_int_equal(e[k].has_gap, k < 2);
        assert_int_equal(e[k].slip_count, slips[k]);
        assert_int_equal(e[k].normal_row, normal[k]);
        assert_int_equal(e[k].tangent_row, tangent[k]);
    }
    assert_near(e[0].contact->restitution, 0.25, 0.0);
    tear_down(&s);
}

/// How often a reader was asked for each element, and for what.
typedef struct asked {
    int times[3];
    unsigned wanted[3];
} asked;

static void read_numbers(void *context, int element, unsigned wanted, double *value)
{
    asked *a = context;
    a->times[element]++;
    a->wanted[element] = wanted;
    value[SLIP_QUANTITY_NORMAL] = 10.0 * (element + 1);
    value[SLIP_QUANTITY_SLIP_Y] = 7.0;
    value[SLIP_QUANTITY_LIMIT] = 3.0;
}

// each element is read once, for what is recorded of it; what a reader does not give is not a number
static void quantities_are_read_once_per_element(void **state)
{
    (void)state;
    bench s = set_up(elements_model);
    double q[3] = { 0 }, u[3] = { 0 }, records[4];
    asked a = { 0 };
    slip_system_record(s.system, 0.0, q, u, read_numbers, &a, &s.terms, records);
    for (int k = 0; k < 3; k++) assert_int_equal(a.times[k], 1);
    assert_int_equal(a.wanted[0], 1u << SLIP_QUANTITY_NORMAL | 1u << SLIP_QUANTITY_SLIP_Y);
    assert_int_equal(a.wanted[1], 1u << SLIP_QUANTITY_NORMAL_MIN);
    assert_int_equal(a.wanted[2], 1u << SLIP_QUANTITY_LIMIT);
    for (int again = 0; again < 2; again++) {
        assert_near(records[0], 10.0 + 14.0, 0.0);
        assert_near(records[1], 3.0, 0.0);
        assert_true(isnan(records[2]));
        assert_near(records[3], 10.0, 0.0);
        slip_system_record(s.system, 0.0, q, u, NULL, NULL, &s.terms, records); // as it was
    }
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pendulum_matches_the_textbook),
        cmocka_unit_test(a_mass_that_changes_has_its_forces),
        cmocka_unit_test(blocks_solve_independently),
        cmocka_unit_test(moving_frame_has_its_jacobi_energy),
        cmocka_unit_test(impossible_masses_are_refused_at_their_place),
        cmocka_unit_test(elements_refer_to_their_contacts),
        cmocka_unit_test(quantities_are_read_once_per_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
