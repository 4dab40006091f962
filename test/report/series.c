/// series.c: decimation against brute force: every extreme is kept, in its order, in constant memory.
#include "simulation/recording/decimated_series.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { WIDTH = 5 };

static slip_decimated_series make(int most, char **memory)
{
    slip_decimated_series s;
    slip_arena count = { 0 };
    slip_decimated_series_layout(&count, WIDTH, most, &s);
    slip_arena real = { .base = *memory = slip_arena_memory(count.used) };
    assert_non_null(real.base);
    slip_decimated_series_layout(&real, WIDTH, most, &s);
    return s;
}

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

// a walk, noise, steps, a spike now and then
static void make_rows(double *rows, long count, unsigned seed)
{
    double walk = 0.0;
    for (long k = 0; k < count; k++) {
        double *row = rows + k * WIDTH;
        walk += noise(&seed);
        row[0] = 0.01 * (double)k;
        row[1] = walk;
        row[2] = noise(&seed);
        row[3] = (double)(k / 7 % 3);
        row[4] = noise(&seed) > 0.497 ? 1e6 * noise(&seed) : 0.0;
    }
}

// the bucket of rows [from, to): least and greatest of a column, the earlier one first
static void check_bucket(const double *rows, long from, long to, int column, double a, double b)
{
    long least = from, most = from;
    for (long k = from; k < to; k++) {
        double v = rows[k * WIDTH + column];
        if (v < rows[least * WIDTH + column]) least = k;
        if (v > rows[most * WIDTH + column]) most = k;
    }
    double low = rows[least * WIDTH + column], high = rows[most * WIDTH + column];
    if (!((a == low && b == high) || (a == high && b == low)))
        print_error("rows %ld to %ld, column %d: kept %g %g of %g %g\n", from, to, column, a, b, low, high);
    assert_true((a == low && b == high) || (a == high && b == low));
    // the order is that of some least before some greatest, or the other way round
    bool possible = low == high;
    double first = a, second = b;
    for (long k = from, seen = 0; k < to && !possible; k++) {
        double v = rows[k * WIDTH + column];
        if (v == first) seen = 1;
        if (seen && v == second) possible = true;
    }
    assert_true(possible);
}

static void check_against_brute_force(long count, int most, unsigned seed)
{
    double *rows = calloc((size_t)count * WIDTH + 1, sizeof *rows);
    char *memory;
    slip_decimated_series s = make(most, &memory);
    make_rows(rows, count, seed);
    for (long k = 0; k < count; k++) slip_decimated_series_add(&s, rows + k * WIDTH);
    assert_int_equal(s.rows, count);
    assert_true(slip_decimated_series_points(&s) <= 2 * most);
    assert_true(count <= 2 * most ? slip_decimated_series_points(&s) == count
                                  : slip_decimated_series_points(&s) >= most - 1);
    for (int b = 0; b < s.count; b++) {
        long from = b * s.per, to = from + s.per < count ? from + s.per : count;
        assert_true(slip_decimated_series_at(&s, 2 * b, 0) == rows[from * WIDTH]);
        if (to - from == 1) {
            for (int c = 0; c < WIDTH; c++)
                assert_true(slip_decimated_series_at(&s, 2 * b, c) == rows[from * WIDTH + c]);
            continue;
        }
        assert_true(slip_decimated_series_at(&s, 2 * b + 1, 0) == rows[(to - 1) * WIDTH]);
        for (int c = 1; c < WIDTH; c++)
            check_bucket(rows, from, to, c, slip_decimated_series_at(&s, 2 * b, c),
                         slip_decimated_series_at(&s, 2 * b + 1, c));
    }
    free(memory);
    free(rows);
}

static void test_extremes_are_kept(void **state)
{
    (void)state;
    static const int most[] = { 2, 4, 6, 64, 250 };
    for (unsigned seed = 1; seed <= 20; seed++)
        for (size_t m = 0; m < sizeof most / sizeof *most; m++)
            for (long count = 0; count < 3000; count = count < 20 ? count + 1 : count * 7 / 4)
                check_against_brute_force(count, most[m], seed);
}

// what is not merged is the rows themselves, in all their bits
static void test_short_runs_are_whole(void **state)
{
    (void)state;
    char *memory;
    slip_decimated_series s = make(8, &memory);
    double rows[16 * WIDTH];
    make_rows(rows, 16, 3);
    rows[5 * WIDTH + 2] = NAN;
    rows[6 * WIDTH + 2] = INFINITY;
    for (int k = 0; k < 16; k++) {
        slip_decimated_series_add(&s, rows + (long)k * WIDTH);
        assert_int_equal(slip_decimated_series_points(&s), k + 1);
    }
    assert_memory_equal(s.point, rows, sizeof rows);
    free(memory);
}

static void test_what_is_no_number_gives_way(void **state)
{
    (void)state;
    char *memory;
    slip_decimated_series s = make(2, &memory);
    for (int k = 0; k < 256;
         k++) { // one bucket per 128 rows; column 2 is known once in 16 rows, column 3 never
        double row[WIDTH] = { k, NAN, k % 16 == 5 ? (double)k : (double)NAN, NAN, -k };
        if (k == 77) row[1] = -3.0;
        if (k == 90) row[1] = 4.0;
        slip_decimated_series_add(&s, row);
    }
    assert_int_equal(slip_decimated_series_points(&s), 4);
    assert_true(slip_decimated_series_at(&s, 0, 1) == -3.0 && slip_decimated_series_at(&s, 1, 1) == 4.0);
    assert_true(isnan(slip_decimated_series_at(&s, 2, 1)) && isnan(slip_decimated_series_at(&s, 3, 1)));
    assert_true(slip_decimated_series_at(&s, 0, 2) == 5.0 && slip_decimated_series_at(&s, 1, 2) == 117.0);
    assert_true(isnan(slip_decimated_series_at(&s, 0, 3)) && isnan(slip_decimated_series_at(&s, 1, 3)));
    assert_true(slip_decimated_series_at(&s, 0, 4) == 0.0 && slip_decimated_series_at(&s, 1, 4) == -127.0);
    free(memory);
}

static void test_a_million_rows(void **state)
{
    (void)state;
    enum { ROWS = 1000000, MOST = 4096 };
    char *memory;
    slip_decimated_series s = make(MOST, &memory);
    double row[WIDTH] = { 0 };
    for (long k = 0; k < ROWS; k++) {
        row[0] = 1e-6 * (double)k;
        row[1] = k == 123457 ? 1e9 : sin(1e-3 * (double)k);
        row[2] = k == 999999 ? -1e9 : 0.0;
        slip_decimated_series_add(&s, row);
    }
    assert_int_equal(s.rows, ROWS);
    int points = slip_decimated_series_points(&s);
    assert_in_range(points, MOST, 2 * MOST);
    double high = -INFINITY, low = INFINITY, before = -1.0;
    for (int k = 0; k < points; k++) {
        double t = slip_decimated_series_at(&s, k, 0);
        assert_true(t >= before);
        before = t;
        high = fmax(high, slip_decimated_series_at(&s, k, 1));
        low = fmin(low, slip_decimated_series_at(&s, k, 2));
    }
    assert_true(high == 1e9 && low == -1e9 && before == 1e-6 * (ROWS - 1.0));
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_extremes_are_kept),
                                        cmocka_unit_test(test_short_runs_are_whole),
                                        cmocka_unit_test(test_what_is_no_number_gives_way),
                                        cmocka_unit_test(test_a_million_rows) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
