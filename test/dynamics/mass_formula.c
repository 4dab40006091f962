/// mass_formula.c: M^-1 in symbols against closed forms and against the numbers of the waist.
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "dynamics/effective_mass.h"
#include "dynamics/mass_formula.h"
#include "dynamics/system.h"

static slip_equations *derive(const char *text, slip_model **model)
{
    *model = read_model("", text, "", ";");
    slip_equations *e = NULL;
    slip_error error = { 0 };
    assert_int_equal(slip_equations_create(*model, &error, &e), SLIP_OK);
    return e;
}

// an expression at (t, q, u)
static double value(slip_equations *e, slip_ref ref, const double *inputs)
{
    slip_tape *tape = slip_tape_create(e->graph, &ref, 1);
    double *reg = calloc((size_t)slip_tape_registers(tape) + 1, sizeof *reg);
    slip_tape_start(tape, reg);
    memcpy(reg, inputs, (size_t)(1 + 2 * e->n) * sizeof *reg);
    slip_tape_run(tape, reg);
    double result = reg[slip_tape_result(tape, 0)];
    free(reg);
    slip_tape_destroy(tape);
    return result;
}

static const char head[] = "slipstick: 1\nname: test\n";

// the tip of a rod: 1/m_eff = 1/m + (L cos th)^2/I
static void tip_of_a_rod(void **state)
{
    (void)state;
    char text[600];
    snprintf(text, sizeof text,
             "%sparameters: {m: 2, I: 0.3, L: 0.7}\ncoordinates: {x: 0, y: 1, th: 1}\n"
             "energy: {kinetic: 0.5*m*(x'^2 + y'^2) + 0.5*I*th'^2}\ncontacts: {tip: {gap: y - L*sin(th)}}\n",
             head);
    slip_model *model;
    slip_equations *e = derive(text, &model);
    slip_ref mass;
    assert_int_equal(slip_effective_mass_formula(e, &e->elements[0].normal, &mass), SLIP_OK);
    assert_true(mass >= 0);
    for (double th = -1.5; th < 3.2; th += 0.31) {
        double c = 0.7 * cos(th);
        assert_near(value(e, mass, (double[]){ 0, 0, 1, th, 0, 0, 0 }), 1.0 / (0.5 + c * c / 0.3), 1e-14);
    }
    slip_equations_destroy(e);
    slip_model_destroy(model);
}

// a mass that does not change along the motion needs no expression
static void what_is_constant(void **state)
{
    (void)state;
    char text[400];
    snprintf(text, sizeof text,
             "%scoordinates: {x: 0, y: 1}\nenergy: {kinetic: x'^2 + 0.5*x'*y' + 3*y'^2}\ncontacts: {f: {gap: "
             "y}}\n",
             head);
    slip_model *model;
    slip_equations *e = derive(text, &model);
    slip_ref mass;
    assert_int_equal(slip_effective_mass_formula(e, &e->elements[0].normal, &mass), SLIP_OK);
    assert_int_equal(mass, SLIP_NONE);
    slip_equations_destroy(e);
    slip_model_destroy(model);
}

// a coupled mass matrix and a bar between two points: 1/m_eff and multipliers against the numeric waist
static void coupled_and_constrained(void **state)
{
    (void)state;
    char text[900];
    snprintf(text, sizeof text,
             "%scoordinates: {a: 0.3, b: {start: 0.9, rate: 0.4}, c: 0.2, d: {start: 1, rate: -0.2}}\n"
             "energy: {kinetic: 0.5*(2 + cos(a))*a'^2 + 0.4*cos(a - b)*a'*b' + b'^2 + c'^2 + d'^2 + "
             "0.3*sin(a)*b'*d',"
             " potential: 9.81*(a + 2*d)}\n"
             "constraints: {bar: (a - c)^2 + (b - d)^2 - 0.02, link: a*b + c - 0.47}\n"
             "contacts: {tip: {gap: d + sin(a)*b}}\n",
             head);
    slip_model *model;
    slip_equations *e = derive(text, &model);
    bool too_large;
    slip_mass_formula *f = slip_mass_formula_create(e, &too_large);
    assert_non_null(f);
    slip_ref zero = slip_graph_constant(e->graph, 0.0), lambda[2], wanted[2] = { zero, zero };
    for (int k = 0; k < 2; k++)
        wanted[k] = slip_graph_difference(e->graph, zero, slip_equations_drift_rate(e, &e->constraints[k]));
    assert_true(slip_mass_formula_multipliers(f, e->h, wanted, lambda));
    slip_ref along = slip_mass_formula_along(f, &e->elements[0].normal);
    const double q[4] = { 0.3, 0.9, 0.2, 1.0 }, u[4] = { 0.7, 0.4, -0.1, -0.2 };
    double inputs[9] = { 0, q[0], q[1], q[2], q[3], u[0], u[1], u[2], u[3] };

    slip_system *system = NULL;
    slip_error error = { 0 };
    assert_int_equal(slip_system_create(model, &error, &system), SLIP_OK);
    slip_terms terms;
    slip_arena count = { 0 };
    slip_terms_layout(&count, system, &terms);
    slip_arena real = { .base = slip_arena_memory(count.used) };
    slip_terms_layout(&real, system, &terms);
    slip_terms_init(system, &terms);
    assert_true(slip_system_evaluate(system, SLIP_LEVEL_ACCELERATION, 0.0, q, u, &terms));
    double a[4]; // M a = h + J' lambda keeps the constraints' rates
    memcpy(a, terms.h, sizeof a);
    for (int k = 0; k < 2; k++) slip_system_row_add(system, &terms, k, value(e, lambda[k], inputs), a);
    slip_system_solve(system, &terms, a);
    for (int k = 0; k < 2; k++)
        assert_near(slip_system_row_dot(system, &terms, k, a) + terms.z[k], 0.0, 1e-12);
    // a unit force along the tip, constraints held, accelerates the tip by 1/m_eff
    double y[4], g[2][4], G[3], v[2];
    int row = system->elements[0].normal_row;
    slip_system_solve_row(system, &terms, row, y);
    for (int k = 0; k < 2; k++) slip_system_solve_row(system, &terms, k, g[k]);
    G[0] = slip_system_row_dot(system, &terms, 0, g[0]), G[1] = slip_system_row_dot(system, &terms, 0, g[1]);
    G[2] = slip_system_row_dot(system, &terms, 1, g[1]);
    for (int k = 0; k < 2; k++) v[k] = slip_system_row_dot(system, &terms, k, y);
    double det = G[0] * G[2] - G[1] * G[1];
    double taken = (G[2] * v[0] * v[0] - 2.0 * G[1] * v[0] * v[1] + G[0] * v[1] * v[1]) / det;
    assert_near(1.0 / value(e, along, inputs), slip_system_row_dot(system, &terms, row, y) - taken, 1e-12);
    free(real.base);
    slip_system_destroy(system);
    slip_equations_destroy(e);
    slip_model_destroy(model);
}

// a chain of rods whose tip meets a floor: beyond 32 of them the constants of a compliant contact stay what
// they are at the start, and the run says so
static void too_many_to_follow(void **state)
{
    (void)state;
    static const char *const forms[] = { "dai", "modular", "kelvin-voigt", "tanh" };
    for (int coupled = 5; coupled <= 33; coupled += 28) {
        char text[1200];
        snprintf(
            text, sizeof text,
            "slipstick: 1\nname: chain\nrepeat:\n"
            "- for: {i: 1..1}\n  bodies: {b(i): {mass: 1, inertia: 1, centre: [0.1, 0], joint: {revolute: "
            "ground}, points: "
            "{tip: [0.2, 0]}}}\n"
            "- for: {i: 2..%d}\n  bodies: {b(i): {mass: 1, inertia: 1, centre: [0.1, 0], joint: {revolute: "
            "b(i-1).tip}, "
            "points: {tip: [0.2, 0]}}}\n"
            "contacts: {floor: {gap: b%d.tip.y + 9, restitution: 0.5}}\nrun: {step: 1e-3, until: 2e-3}\n",
            coupled, coupled);
        slip_model *model = read_model("", text, "", ";");
        for (int f = 0; f < 4; f++) {
            slip_sim_def def = slip_default_sim_def();
            def.formulation = forms[f];
            slip_sim *sim = make_sim(model, &def);
            const slip_warning *note = slip_sim_note_at(sim, 0);
            assert_true(coupled == 5 ? !note : note && note->kind == SLIP_WARNING_FIXED_MASS);
            slip_sim_destroy(sim);
        }
        slip_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tip_of_a_rod),
        cmocka_unit_test(what_is_constant),
        cmocka_unit_test(coupled_and_constrained),
        cmocka_unit_test(too_many_to_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
