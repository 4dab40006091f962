/// read.c: valid models, key by key.
#include "helper.h"

static const char block[] =
    "slipstick: 1\n"
    "name: Block on a table\n"
    "about: >\n"
    "  It stops\n"
    "  after 0.5 s.\n"
    "parameters: {m: 1 kg, mu: 0.3, g: 9.81 m/s^2, w: 2*sqrt(k/m), k: 25 N/m}\n"
    "define: {N0: m*g, v: x' - w*t}\n"
    "coordinates:\n"
    "  x: {start: 5 mm, rate: 1.5}\n"
    "  y: 2*mu\n"
    "energy: {kinetic: 0.5*m*(x'^2 + y'^2), potential: N0*y + 0.5*k*x^2}\n"
    "forces: {x: if(t < 2, min(0.52, 0.8*t), 0.336), y: -1 kg/s*v}\n"
    "constraints: {rod: x^2 + y^2 - 1}\n"
    "contacts:\n"
    "  floor: {gap: y, slip: x, friction: mu, restitution: 0.4, restitution_t: -0.5,\n"
    "          dai: {K: 1e5, alpha: 1 ms, beta: 2 ms, K_t: 2e5, beta_t: 3 ms}}\n"
    "  wall: {gap: 1 - x}\n"
    "frictions:\n"
    "  guide: {slip': y' - x', limit: mu*N0, dai: {K: 7, beta: 8}}\n"
    "  plate: {slip: [x, y + t], limit: 3}\n"
    "record: {stuck: floor.stick, sum: floor.normal + guide.friction*2, again: floor.normal}\n"
    "run: {formulation: dai, integrator: rk4, solver: pgs, projection: all, step: 1 ms, until: 10, every: "
    "0.01,\n"
    "      relative: 1e-6, absolute: 1e-9}\n";

static void block_is_read(void **state)
{
    (void)state;
    slip_model *m = read_quietly(block, NULL, 0);
    assert_string_equal(slip_model_name(m), "Block on a table");
    assert_string_equal(slip_model_about(m), "It stops after 0.5 s.");
    assert_string_equal(slip_model_file(m), "m.yaml");
    assert_string_equal(slip_model_kind(m), "mechanics");
    size_t length;
    assert_string_equal(slip_model_text(m, &length), block);
    assert_int_equal(length, strlen(block));

    // in the order of the file, whatever the order in which they need one another
    assert_int_equal(slip_model_parameter_count(m), 5);
    assert_string_equal(slip_model_parameter_name(m, 3), "w");
    assert_near(slip_model_parameter_value(m, 3), 10.0, 0.0);
    assert_null(slip_model_parameter_name(m, 5));

    assert_int_equal(m->coordinate_count, 2);
    assert_int_equal(slip_model_mass_coordinate_count(m), 2);
    assert_string_equal(slip_model_coordinate_name(m, 0), "x");
    assert_string_equal(slip_model_coordinate_name(m, 1), "y");
    assert_null(slip_model_coordinate_name(m, 2));
    assert_null(slip_model_coordinate_name(m, -1));
    assert_near(m->coordinates[0].start, 0.005, 1e-18);
    assert_near(m->coordinates[0].rate, 1.5, 0.0);
    assert_near(m->coordinates[1].start, 0.6, 0.0);

    // inputs: t, x, y, x', y', then quantities
    assert_string_equal(slip_graph_input_name(m->graph, 0), "t");
    assert_string_equal(slip_graph_input_name(m->graph, 2), "y");
    assert_string_equal(slip_graph_input_name(m->graph, 3), "x'");
    double at[] = { 1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 10.0, 100.0 };
    assert_near(value_at(m, m->kinetic.ref, at), 0.5 * (16.0 + 25.0), 1e-15);
    assert_near(value_at(m, m->potential.ref, at), 9.81 * 3.0 + 50.0, 1e-13);
    assert_near(value_at(m, m->forces[0].ref, at), 0.52, 0.0);
    assert_near(value_at(m, m->forces[1].ref, at), 6.0, 1e-15);
    assert_int_equal(m->constraint_count, 1);
    assert_near(value_at(m, m->constraints[0].zero.ref, at), 12.0, 0.0);
    slip_model_destroy(m);
}

static void elements_are_read(void **state)
{
    (void)state;
    slip_model *m = read_quietly(block, NULL, 0);
    double at[] = { 1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 10.0, 100.0 };
    assert_int_equal(m->contact_count, 2);
    const slip_contact *floor = &m->contacts[0], *wall = &m->contacts[1];
    assert_string_equal(floor->name, "floor");
    assert_near(value_at(m, floor->gap.ref, at), 3.0, 0.0);
    assert_int_equal(floor->slip.count, 1);
    assert_false(floor->slip.is_rate);
    assert_near(value_at(m, floor->slip.part[0].ref, at), 2.0, 0.0);
    assert_near(value_at(m, floor->friction.ref, at), 0.3, 0.0);
    assert_true(floor->has_gap && floor->restitution_given);
    assert_near(floor->restitution, 0.4, 0.0);
    assert_near(floor->restitution_t, -0.5, 0.0);
    assert_ptr_equal(floor->impact, &slip_impact_newton);
    assert_near(floor->dai.K, 1e5, 0.0);
    assert_near(floor->dai.alpha, 1e-3, 1e-18);
    assert_near(floor->dai.beta, 2e-3, 1e-18);
    assert_near(floor->dai.K_t, 2e5, 0.0);
    assert_near(floor->dai.beta_t, 3e-3, 1e-18);
    assert_int_equal(wall->slip.count, 0);
    assert_int_equal(wall->friction.ref, SLIP_NONE);
    assert_false(wall->restitution_given);
    assert_near(wall->restitution, 0.0, 0.0);
    assert_true(isnan(wall->dai.K) && isnan(wall->dai.beta_t));

    // frictions of known limit stand behind them: contacts without a gap
    assert_int_equal(m->element_count, 4);
    const slip_contact *guide = &m->contacts[2], *plate = &m->contacts[3];
    assert_false(guide->has_gap || plate->has_gap);
    assert_int_equal(guide->gap.ref, SLIP_NONE);
    assert_true(guide->slip.is_rate);
    assert_near(value_at(m, guide->slip.part[0].ref, at), 1.0, 0.0);
    assert_near(value_at(m, guide->friction.ref, at), 0.3 * 9.81, 1e-15);
    assert_near(guide->dai.K, 7.0, 0.0);
    assert_near(guide->dai.beta, 8.0, 0.0);
    assert_int_equal(plate->slip.count, 2);
    assert_near(value_at(m, plate->slip.part[1].ref, at), 4.0, 0.0);

    // elements: contacts first, then frictions; each quantity is one input
    assert_int_equal(m->quantity_count, 3);
    assert_int_equal(m->quantities[0].element, 0);
    assert_int_equal(m->quantities[0].quantity, SLIP_QUANTITY_STICK);
    assert_int_equal(m->quantities[2].element, 2);
    assert_int_equal(m->quantities[2].quantity, SLIP_QUANTITY_FRICTION);
    assert_string_equal(m->quantities[2].element_name, "guide");
    assert_int_equal(m->quantities[2].input, 7);
    assert_int_equal(m->record_count, 3);
    assert_near(value_at(m, m->records[1].value.ref, at), 10.0 + 200.0, 0.0);
    assert_near(value_at(m, m->records[2].value.ref, at), 10.0, 0.0);

    assert_string_equal(m->run.formulation, "dai");
    assert_string_equal(m->run.integrator, "rk4");
    assert_string_equal(m->run.solver, "pgs");
    assert_string_equal(m->run.projection, "all");
    assert_int_equal(m->run.solver_at.length, 3);
    assert_near(m->run.step, 1e-3, 1e-18);
    assert_near(m->run.until, 10.0, 0.0);
    assert_near(m->run.every, 0.01, 0.0);
    assert_near(m->run.relative, 1e-6, 0.0);
    assert_near(m->run.absolute, 1e-9, 0.0);
    slip_model_destroy(m);
}

static void run_may_be_silent(void **state)
{
    (void)state;
    slip_model *m = read_quietly("{slipstick: 1, name: n, coordinates: {x: 0}, mass: {x: 2}}", NULL, 0);
    assert_string_equal(slip_model_about(m), "");
    assert_null(m->run.formulation);
    assert_null(m->run.integrator);
    assert_true(isnan(m->run.step) && isnan(m->run.until) && isnan(m->run.every));
    assert_int_equal(m->kinetic.ref, SLIP_NONE);
    assert_int_equal(m->potential.ref, SLIP_NONE);
    assert_int_equal(m->forces[0].ref, SLIP_NONE);
    slip_model_destroy(m);
}

static void masses_come_in_three_shapes(void **state)
{
    (void)state;
    static const char head[] = "slipstick: 1\nname: n\ncoordinates: {x: 0, y: 0, z: 0}\nmass: ";
    static const char *const shapes[] = {
        "{z: 3, x: 1, y: 2 + x}\n", "[[1], [0, 2 + x], [0, 0, 3]]\n",
        "[[1, 0, 0], [0, 2 + x, 0], [0, 0, 3]]\n",
        "\n  - [1, min(x, 1), 0]\n  - [min(x, 1), 2 + x, 0]\n  - [0, 0, 3]\n"
    };
    for (int k = 0; k < 4; k++) {
        char text[300];
        snprintf(text, sizeof text, "%s%s", head, shapes[k]);
        slip_model *m = read_quietly(text, NULL, 0);
        double at[] = { 0, 0.5, 0, 0, 0, 0, 0 }, M[3][3] = { { 0 } };
        assert_int_equal(m->mass_count, k < 3 ? 3 : 4);
        for (int j = 0; j < m->mass_count; j++)
            M[m->mass[j].row][m->mass[j].column] = value_at(m, m->mass[j].value.ref, at);
        assert_near(M[0][0], 1.0, 0.0);
        assert_near(M[1][1], 2.5, 0.0);
        assert_near(M[2][2], 3.0, 0.0);
        assert_near(M[1][0], k < 3 ? 0.0 : 0.5, 0.0);
        slip_model_destroy(m);
    }
}

static const char conveyor[] =
    "slipstick: 1\n"
    "name: Two masses, a wall and a conveyor\n"
    "parameters: {M1: 0.5, M2: 1, Ks: 100, mu: 0.5, u: 1, g: 9.8}\n"
    "define:\n"
    "  O1: mu*N1*sgn(p1y')\n"
    "  O2: mu*N2*sgn(p1y' - p2y')\n"
    "  O3: mu*N3*sgn(p2x' + u)\n"
    "  N1: dio(p1x)\n"
    "  N2: dio(p2x - p1x)\n"
    "  N3: dio(p2y)\n"
    "inclusion:\n"
    "  p1x'': (N1 - N2)/M1\n"
    "  p1y'': (-O1 - O2 - Ks*p1y)/M1\n"
    "  p2x'': (-O3 + N2)/M2\n"
    "  p2y'': (O2 + N3)/M2 - g\n"
    "  w': -w + t\n"
    "start: {p1y: 0.25, p2x: 0.05, p2x': -mu, w: 3}\n"
    "dai: {K: 5e5, alpha: 1.6e-3, beta: 2e-3, K_t: 4e5, beta_t: 1e-3, O1: {K: 1e5, alpha: 1,\n"
    "      beta: 2, K_t: 3, beta_t: 4}}\n"
    "record: {wall: N1.normal, height: p2y*1000}\n";

static void inclusion_is_read(void **state)
{
    (void)state;
    slip_model *m = read_quietly(conveyor, NULL, 0);
    assert_string_equal(slip_model_kind(m), "inclusion");
    assert_int_equal(m->state_count, 9);
    assert_string_equal(m->states[4].name, "p2x");
    assert_string_equal(m->states[5].name, "p2x'");
    assert_string_equal(m->states[8].name, "w");
    assert_string_equal(slip_graph_input_name(m->graph, 6), "p2x'");
    assert_near(m->states[2].start, 0.25, 0.0);
    assert_near(m->states[5].start, -0.5, 0.0);
    assert_near(m->states[8].start, 3.0, 0.0);
    assert_near(m->states[0].start, 0.0, 0.0);
    double at[11] = { 2.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0 };
    assert_near(value_at(m, m->states[4].rate.ref, at), 6.0, 0.0); // p2x' is the state after p2x
    assert_near(value_at(m, m->states[8].rate.ref, at), -7.0, 0.0);
    assert_int_equal(slip_graph_node(m->graph, m->states[1].rate.ref).op, SLIP_OP_DIV);

    assert_int_equal(m->constants_count, 2);
    assert_null(m->constants[0].name);
    assert_near(m->constants[0].dai.K, 5e5, 0.0);
    assert_near(m->constants[0].dai.beta_t, 1e-3, 0.0);
    assert_string_equal(m->constants[1].name, "O1");
    assert_near(m->constants[1].dai.K, 1e5, 0.0);
    assert_near(m->constants[1].dai.beta_t, 4.0, 0.0);
    assert_int_equal(m->definition_count, 6);
    assert_string_equal(m->definitions[0].name, "O1");
    assert_int_equal(m->quantity_count, 1);
    assert_int_equal(m->quantities[0].element, -1);
    assert_string_equal(m->quantities[0].element_name, "N1");
    slip_model_destroy(m);
}

static void overrides_change_the_tree(void **state)
{
    (void)state;
    const char *const sets[] = { "mu=0.1",
                                 "parameters.k=100 N/m",
                                 "run.step=1e-4",
                                 "contacts.floor.restitution=mu",
                                 "coordinates.y.rate=3",
                                 "contacts.wall.dai.K=42",
                                 "forces.x=min(t, mu)",
                                 "frictions.plate.slip.2=y",
                                 "name=Another",
                                 "define={N0: m*g, v: w*t}",
                                 "record.extra=2*x",
                                 "contacts.floor.dai={K: 3, alpha: if(1 < 2, 5, 6)}",
                                 "mu=0.2" };
    slip_model *m = read_quietly(block, sets, 13);
    double at[10] = { 1.0, 2.0, 3.0, 4.0, 5.0 };
    assert_string_equal(slip_model_name(m), "Another");
    assert_near(slip_model_parameter_value(m, 1), 0.2, 0.0); // the last one counts
    assert_near(slip_model_parameter_value(m, 3), 20.0, 0.0);
    assert_near(m->run.step, 1e-4, 0.0);
    assert_near(m->contacts[0].restitution, 0.2, 0.0);
    assert_near(m->coordinates[1].start, 0.4, 0.0); // y: 2*mu in the file
    assert_near(m->coordinates[1].rate, 3.0, 0.0);
    assert_near(m->contacts[1].dai.K, 42.0, 0.0);
    assert_near(value_at(m, m->forces[0].ref, at), 0.2, 0.0);
    assert_near(value_at(m, m->contacts[3].slip.part[1].ref, at), 3.0, 0.0);
    assert_near(value_at(m, m->forces[1].ref, at), -20.0, 0.0);
    assert_string_equal(m->records[3].name, "extra");
    assert_near(m->contacts[0].dai.K, 3.0, 0.0);
    assert_near(m->contacts[0].dai.alpha, 5.0, 0.0);
    assert_true(isnan(m->contacts[0].dai.beta));
    slip_model_destroy(m);
}

// what the layers behind a model take for granted holds, and is noticed when it does not
static void a_model_is_whole(void **state)
{
    (void)state;
    slip_model *m = read_quietly(block, NULL, 0);
    assert_true(slip_model_is_consistent(m));
    m->contacts[0].has_gap = false; // contacts stand before frictions
    assert_false(slip_model_is_consistent(m));
    m->contacts[0].has_gap = true;
    m->quantities[0].element = m->element_count;
    assert_false(slip_model_is_consistent(m));
    m->quantities[0].element = 1; // a wall without a slip
    assert_false(slip_model_is_consistent(m));
    m->quantities[0].element = 0;
    m->records[0].value.ref = SLIP_NONE;
    assert_false(slip_model_is_consistent(m));
    slip_model_destroy(m);
}

static void overrides_work_on_inclusions(void **state)
{
    (void)state;
    const char *const sets[] = { "start.p2x'=7", "dai.N2.K=9", "inclusion.w'=w", "run.until=2" };
    slip_model *m = read_quietly(conveyor, sets, 4);
    assert_near(m->states[5].start, 7.0, 0.0);
    assert_string_equal(m->constants[2].name, "N2");
    assert_near(m->constants[2].dai.K, 9.0, 0.0);
    assert_near(m->run.until, 2.0, 0.0);
    slip_model_destroy(m);
}

// the same formula in every way that YAML can write it
static void formulas_survive_yaml(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "{x: if(t < 2, min(0.5, 0.8*t), -max(1, 2))}\n",
        "{x: if(t < 2, min(0.5, 0.8*t), -max(1, 2)), y: 1}\n",
        "{y: 1, x: if(t < 2,   # first\n     min(0.5, 0.8*t),\n     -max(1,\n 2))}\n",
        "\n  x: if(t < 2, min(0.5, 0.8*t), -max(1, 2))\n",
        "\n  x: if(t < 2,\n      min(0.5, 0.8*t),\n      -max(1, 2))\n",
        "{x: 'if(t < 2, min(0.5, 0.8*t), -max(1, 2))'}\n",
        "{x: \"if(t < 2, min(0.5,\\\n  \\x200.8*t), -max(1,\\t2))\"}\n",
        "\n  x: >\n    if(t < 2,\n    min(0.5, 0.8*t),\n    -max(1, 2))\n",
        "\n  x: |\n    if(t < 2,\n      min(0.5, 0.8*t),\n      -max(1, 2))\n",
    };
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "slipstick: 1\nname: n\ncoordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\nforces: %s", ways[k]);
        slip_model *m = read_quietly(text, NULL, 0);
        double before[5] = { 0.25 }, later[5] = { 3.0 };
        assert_near(value_at(m, m->forces[0].ref, before), 0.2, 1e-15);
        assert_near(value_at(m, m->forces[0].ref, later), -2.0, 0.0);
        slip_model_destroy(m);
    }
}

static void text_may_be_windows_text(void **state)
{
    (void)state;
    slip_model *m = read_quietly("\xEF\xBB\xBFslipstick: 1\r\nname: Gr\xC3\xB6\xC3\x9F"
                                 "e\r\ncoordinates:\r\n  x: 0\r\nmass:\r\n  x: 2\r\n",
                                 NULL, 0);
    assert_string_equal(slip_model_name(m), "Gr\xC3\xB6\xC3\x9F"
                                            "e");
    slip_model_destroy(m);
}

static void two_component_slips(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: n\ncoordinates: {x: 0, y: 0, z: 0}\nmass: {x: 1, y: 1, z: 1}\n"
        "contacts:\n"
        "  a: {gap: z, slip': [x', y' - 2*z'*cos(x)], friction: 0.1 + 0.2*exp(-abs(x'))}\n"
        "record: {f: a.friction.y, s: a.slip.y}\n";
    slip_model *m = read_quietly(text, NULL, 0);
    assert_int_equal(m->contacts[0].slip.count, 2);
    assert_true(m->contacts[0].slip.is_rate);
    assert_int_equal(m->quantities[0].quantity, SLIP_QUANTITY_FRICTION_Y);
    assert_int_equal(m->quantities[1].quantity, SLIP_QUANTITY_SLIP_Y);
    slip_model_destroy(m);
}

// the units of 9.81 m/s^2 are no uses of a mass m or a coordinate s
static void units_are_no_names(void **state)
{
    (void)state;
    static const char text[] =
        "slipstick: 1\nname: n\nparameters: {m: F/g, g: 9.81 m/s^2, F: 3 N, k: 5 N/m}\n"
        "coordinates: {s: {start: 1 m, rate: 3 m/s}}\nmass: {s: m}\nforces: {s: -k*s}\n";
    slip_model *m = read_quietly(text, NULL, 0);
    assert_near(slip_model_parameter_value(m, 0), 3.0 / 9.81, 1e-15);
    assert_near(m->coordinates[0].rate, 3.0, 0.0);
    slip_model_destroy(m);
}

static void shipped_models_are_read(void **state)
{
    (void)state;
    static const char *const files[] = { "models/xiong/friction-mass.yaml",
                                         "models/xiong/bouncing-mass.yaml" };
    for (int k = 0; k < 2; k++) {
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *m = NULL;
        assert_int_equal(slip_model_read_file(files[k], NULL, 0, notes, &m), SLIP_OK);
        assert_int_equal(slip_diagnostics_count(notes), 0);
        assert_string_equal(slip_model_file(m), files[k]);
        slip_model_destroy(m);
        slip_diagnostics_destroy(notes);
    }
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *m = NULL;
    assert_int_equal(slip_model_read_text("m", "", 0, NULL, 0, NULL, &m), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_model_read_text("m", "", 0, NULL, 0, notes, NULL), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_model_read_text("m", "", 0, NULL, 1, notes, &m), SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_model_read_file(NULL, NULL, 0, notes, &m), SLIP_BAD_ARGUMENT);
    slip_model_destroy(NULL);
    slip_diagnostics_destroy(notes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_is_read),
        cmocka_unit_test(elements_are_read),
        cmocka_unit_test(a_model_is_whole),
        cmocka_unit_test(run_may_be_silent),
        cmocka_unit_test(masses_come_in_three_shapes),
        cmocka_unit_test(inclusion_is_read),
        cmocka_unit_test(overrides_change_the_tree),
        cmocka_unit_test(overrides_work_on_inclusions),
        cmocka_unit_test(formulas_survive_yaml),
        cmocka_unit_test(text_may_be_windows_text),
        cmocka_unit_test(two_component_slips),
        cmocka_unit_test(units_are_no_names),
        cmocka_unit_test(shipped_models_are_read),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
