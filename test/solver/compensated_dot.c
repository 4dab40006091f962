/// solver.compensated_dot: sums of products whose terms cancel, with twice the digits.
#include "test.h"

#include "solver/linalg/compensated_dot.h"

static double row_sum(int n, const double *row, const double *x, double start)
{
    slip_matrix dense = { .form = SLIP_DENSE, .rows = 1, .cols = n, .values = (double *)row };
    return slip_compensated_row(&dense, 0, x, start);
}

// 1 is lost in 1e16, and comes back when that has gone
static void sums_that_cancel(void **state)
{
    (void)state;
    const double ones[] = { 1, 1, 1, 1 }, terms[] = { 1e16, 1, -1e16, 1 };
    assert_near(row_sum(4, terms, ones, 0.0), 2.0, 0.0);
    assert_near(row_sum(3, terms, ones, -1.0), 0.0, 0.0);
}

// (1 + 2^-30)^2 - 1 - 2^-29 = 2^-60, which the rounded product does not hold
static void products_that_cancel(void **state)
{
    (void)state;
    const double a = 1.0 + 0x1p-30, left[] = { a, -1.0 }, right[] = { a, 1.0 + 0x1p-29 };
    assert_near(row_sum(2, left, right, 0.0), 0x1p-60, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_that_cancel),
        cmocka_unit_test(products_that_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
