/// derivatives.c: exact derivatives against the complex step, which is exact to the last digits:
/// f'(x) = Im f(x + i h)/h with h = 1e-40 subtracts nothing.
#include <complex.h>

#include "random_formula.h"

typedef double complex number;

static number evaluate_kink(slip_op op, number a, number b, number c)
{
    number r = csqrt(b * b + c * c);
    switch (op) {
    case SLIP_OP_ABS:
        return creal(a) < 0 ? -a : a;
    case SLIP_OP_MIN:
        return creal(a) <= creal(b) ? a : b;
    case SLIP_OP_MAX:
        return creal(a) >= creal(b) ? a : b;
    case SLIP_OP_IF:
        return creal(a) != 0 ? b : c;
    case SLIP_OP_LT:
        return creal(a) < creal(b);
    case SLIP_OP_LE:
        return creal(a) <= creal(b);
    case SLIP_OP_AND:
        return creal(a) != 0 && creal(b) != 0;
    case SLIP_OP_NOT:
        return creal(a) == 0;
    case SLIP_OP_SIGN:
        return (creal(a) > 0) - (creal(a) < 0);
    case SLIP_OP_SAT:
        return fabs(creal(b)) <= creal(a) ? b : creal(b) < 0 ? -a : a;
    case SLIP_OP_SAT_X:
        return creal(r) <= creal(a) ? b : a * b / r;
    case SLIP_OP_SAT_Y:
        return creal(r) <= creal(a) ? c : a * c / r;
    default:
        print_error("no complex %d\n", (int)op);
        return NAN;
    }
}

static number evaluate_op(slip_op op, number a, number b, number c)
{
    switch (op) {
    case SLIP_OP_ADD:
        return a + b;
    case SLIP_OP_SUB:
        return a - b;
    case SLIP_OP_MUL:
        return a * b;
    case SLIP_OP_DIV:
        return a / b;
    case SLIP_OP_NEG:
        return -a;
    case SLIP_OP_POW: // by multiplication where the tape does, since the base may be negative
        if (cimag(b) == 0 && (creal(b) == 2 || creal(b) == 3 || creal(b) == 4))
            return creal(b) == 2 ? a * a : creal(b) == 3 ? a * a * a : a * a * a * a;
        return cexp(b * clog(a));
    case SLIP_OP_SQRT:
        return csqrt(a);
    case SLIP_OP_EXP:
        return cexp(a);
    case SLIP_OP_LOG:
        return clog(a);
    case SLIP_OP_SIN:
        return csin(a);
    case SLIP_OP_COS:
        return ccos(a);
    case SLIP_OP_TAN:
        return csin(a) / ccos(a);
    // inverse functions to first order: the library's lose tiny imaginary parts
    case SLIP_OP_ASIN:
        return asin(creal(a)) + I * (cimag(a) / sqrt(1 - creal(a) * creal(a)));
    case SLIP_OP_ACOS:
        return acos(creal(a)) - I * (cimag(a) / sqrt(1 - creal(a) * creal(a)));
    case SLIP_OP_ATAN:
        return atan(creal(a)) + I * (cimag(a) / (1 + creal(a) * creal(a)));
    case SLIP_OP_ATAN2: {
        double y = creal(a), x = creal(b);
        return atan2(y, x) + I * ((x * cimag(a) - y * cimag(b)) / (x * x + y * y));
    }
    case SLIP_OP_SINH:
        return csinh(a);
    case SLIP_OP_COSH:
        return ccosh(a);
    case SLIP_OP_TANH:
        return tanh(creal(a)) + I * (cimag(a) * (1 - tanh(creal(a)) * tanh(creal(a))));
    default:
        return evaluate_kink(op, a, b, c);
    }
}

static number evaluate(const slip_graph *g, slip_ref root, const number *inputs)
{
    number *v = calloc((size_t)root + 1, sizeof *v), result;
    for (slip_ref k = 0; k <= root; k++) {
        slip_node n = slip_graph_node(g, k);
        number arg[3] = { 0 };
        for (int j = 0; j < 3; j++)
            if (n.arg[j] >= 0) arg[j] = v[n.arg[j]];
        v[k] = n.op == SLIP_OP_INPUT ? inputs[n.index]
               : n.op == SLIP_OP_CONSTANT || n.op == SLIP_OP_PARAMETER
                   ? n.value
                   : evaluate_op(n.op, arg[0], arg[1], arg[2]);
    }
    result = v[root];
    free(v);
    return result;
}

static double complex_step(const slip_graph *g, slip_ref root, const double *at, int input)
{
    const double h = 1e-40;
    number z[7];
    for (int k = 0; k < 7; k++) z[k] = at[k];
    z[input] += I * h;
    return cimag(evaluate(g, root, z)) / h;
}

static slip_ref partial(slip_graph *g, slip_ref root, int input)
{
    slip_partial *list;
    int count = slip_graph_gradient(g, root, &list);
    slip_ref found = slip_graph_constant(g, 0.0);
    assert_true(count >= 0);
    for (int k = 0; k < count; k++) {
        if (k > 0) assert_true(list[k - 1].input < list[k].input);
        if (list[k].input == input) found = list[k].value;
    }
    free(list);
    return found;
}

static void random_expressions_match_the_complex_step(void **state)
{
    (void)state;
    uint64_t seed = 2024;
    for (int trial = 0; trial < 400; trial++) {
        desk d;
        assert_true(desk_open(&d));
        slip_ref root = random_tame(&d, &seed, 2 + trial / 10);
        double at[7], way[7], along = 0.0;
        slip_ref direction[7];
        for (int k = 0; k < 7; k++) at[k] = random_number(&seed, -2, 2), way[k] = random_number(&seed, -1, 1);
        for (int k = 0; k < 7; k++) direction[k] = slip_graph_constant(d.graph, way[k]);
        for (int k = 0; k < 7; k++) {
            double expected = complex_step(d.graph, root, at, k);
            double got = desk_run(&d, partial(d.graph, root, k), at);
            assert_near(got, expected, 1e-9 * (1 + fabs(expected)));
            along += way[k] * expected;
        }
        slip_ref forward = slip_graph_directional(d.graph, root, direction, 7);
        assert_near(desk_run(&d, forward, at), along, 1e-8 * (1 + fabs(along)));
        desk_close(&d);
    }
}

static void second_derivatives_are_right_and_symmetric(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 120; trial++) {
        desk d;
        assert_true(desk_open(&d));
        slip_ref root = random_tame(&d, &seed, 2 + trial / 8), first[3];
        double at[7], second[3][3];
        for (int k = 0; k < 7; k++) at[k] = random_number(&seed, -2, 2);
        for (int k = 0; k < 3; k++) first[k] = partial(d.graph, root, k);
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++) {
                second[k][j] = desk_run(&d, partial(d.graph, first[k], j), at);
                double expected = complex_step(d.graph, first[k], at, j);
                assert_near(second[k][j], expected, 1e-8 * (1 + fabs(expected)));
            }
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < k; j++)
                assert_near(second[k][j], second[j][k], 1e-8 * (1 + fabs(second[k][j])));
        desk_close(&d);
    }
}

static void check_partial(const char *formula, int input, const char *expected)
{
    desk d;
    assert_true(desk_open(&d));
    char *text = desk_print(&d, partial(d.graph, desk_node(&d, formula), input), SLIP_PLAIN);
    assert_string_equal(text, expected);
    free(text);
    desk_close(&d);
}

static void derivatives_are_simple(void **state)
{
    (void)state;
    check_partial("0.5*m*(x'^2 + y'^2)", 4, "m*x'");
    check_partial("m*x'", 4, "m");
    check_partial("m*9.81*y", 1, "m*9.81");
    check_partial("sqrt(x^2 + y^2)", 0, "x/sqrt(x^2 + y^2)");
    check_partial("0.5*k*(x - y)^2", 1, "-k*(x - y)");
    check_partial("x*x", 0, "2*x");
    check_partial("x - y", 2, "0");
    check_partial("exp(-k*t)", 3, "-k*exp(-k*t)");
    check_partial("if(t < 1, x^2, 3*x)", 0, "if(t < 1, 2*x, 3)");
    check_partial("abs(x)", 0, "sign(x)");
    check_partial("floor(x) + sign(x)", 0, "0");
    check_partial("m*l1^2*x'^2/2 + m*l1*x'*y'*cos(x - y)", 5, "m*l1*x'*cos(x - y)");
}

// the branch that is not taken has an infinite slope there
static void a_branch_not_taken_does_not_spoil_the_derivative(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    const double at[7] = { 0 };
    const char *const formulas[] = { "if(x > 0, sqrt(x), 3*x)",
                                     "k*if(x > 0, log(x)*sqrt(x), 3*x)/3",
                                     "if(x > 0, if(y > 0, sqrt(x*y), 0), 3*x)",
                                     "if(x != 0, sin(x)/x, 3*x)",
                                     "sat(mu*max(0, -x), x') + 3*x",
                                     "sat(1, v).x*3" };
    for (size_t k = 0; k < sizeof formulas / sizeof formulas[0]; k++)
        assert_near(desk_run(&d, partial(d.graph, desk_node(&d, formulas[k]), 0), at), 3.0, 1e-15);
    desk_close(&d);
}

// a width of 0 leaves no room: sat(0, x) is 0 on both sides of x = 0
static void nothing_moves_in_a_width_of_nothing(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_graph_differentiate_narrow(d.graph, true);
    const double at[7] = { 0 };
    const char *const formulas[] = { "sat(y, x) + 3*x", "sat(abs(y), x, y).x + 3*x", "sat(y, y, x).y + 3*x" };
    for (size_t k = 0; k < sizeof formulas / sizeof formulas[0]; k++)
        assert_near(desk_run(&d, partial(d.graph, desk_node(&d, formulas[k]), 0), at), 3.0, 0.0);
    desk_close(&d);
}

// x_{k+1} = sin(x_k) * x_k: as text the derivative would double with each level
static void sharing_keeps_derivatives_small(void **state)
{
    (void)state;
    desk d;
    assert_true(desk_open(&d));
    slip_ref node = d.inputs[0];
    for (int k = 0; k < 200; k++)
        node = random_two(d.graph, SLIP_OP_MUL, random_one(d.graph, SLIP_OP_SIN, node), node);
    int before = slip_graph_node_count(d.graph);
    slip_ref first = partial(d.graph, node, 0);
    assert_true(slip_graph_node_count(d.graph) - before < 200 * 8);
    slip_ref direction[1] = { slip_graph_constant(d.graph, 1.0) };
    slip_ref forward = slip_graph_directional(d.graph, node, direction, 1);
    const double at[7] = { 1.1 };
    assert_near(desk_run(&d, first, at), desk_run(&d, forward, at), 1e-12 * fabs(desk_run(&d, first, at)));
    desk_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_expressions_match_the_complex_step),
        cmocka_unit_test(second_derivatives_are_right_and_symmetric),
        cmocka_unit_test(derivatives_are_simple),
        cmocka_unit_test(a_branch_not_taken_does_not_spoil_the_derivative),
        cmocka_unit_test(nothing_moves_in_a_width_of_nothing),
        cmocka_unit_test(sharing_keeps_derivatives_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
