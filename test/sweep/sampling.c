/// sampling.c: random numbers that are known, and points that fill the cube as they should.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/philox.h"
#include "study/sweep/sampling.h"
#include "test.h"

// known answers of the authors of Philox4x32-10
static void philox_is_philox(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], block[4];
    } known[] = {
        { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
          { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
          { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint32_t block[4];
        slip_philox(known[k].counter, known[k].key, block);
        assert_memory_equal(block, known[k].block, sizeof block);
    }
}

// mean 1/2 and variance 1/12, within five standard errors of each
static void uniform_numbers_are_uniform(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    double sum = 0.0, squares = 0.0;
    for (uint64_t k = 0; k < COUNT; k++) {
        double u = slip_philox_uniform(7, k, 3);
        assert_true(u > 0.0 && u < 1.0);
        sum += u;
        squares += (u - 0.5) * (u - 0.5);
    }
    assert_near(sum / COUNT, 0.5, 5.0 * sqrt(1.0 / 12.0 / COUNT));
    assert_near(squares / COUNT, 1.0 / 12.0, 5.0 * sqrt((1.0 / 80.0 - 1.0 / 144.0) / COUNT));
}

// one sample in each of `count` strata, in every dimension, for counts that are no powers of two
static void latin_samples_are_stratified(void **state)
{
    (void)state;
    static const uint64_t counts[] = { 1, 2, 3, 7, 100, 1023 };
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int dimension = 0; dimension < 4; dimension++) {
            char seen[1024] = { 0 };
            for (uint64_t k = 0; k < counts[c]; k++) {
                double u = slip_sampling_coordinate(SLIP_SAMPLING_LATIN, 5, k, counts[c], dimension);
                assert_true(u > 0.0 && u < 1.0);
                char *cell = &seen[(int)(u * (double)counts[c])];
                assert_int_equal(*cell, 0);
                *cell = 1;
            }
        }
}

// 2^8 points are spread evenly over the 2^8 slices of each dimension (of all ten), and over all 2^8 boxes of
// any shape in the first two: Sobol's sequence is a (0, 2)-sequence there
static void sobol_points_are_a_net(void **state)
{
    (void)state;
    enum { M = 8, COUNT = 1 << M };
    for (int dimension = 0; dimension < SLIP_SOBOL_MAX; dimension++) {
        char seen[COUNT] = { 0 };
        for (uint64_t k = 0; k < COUNT; k++) {
            char *cell =
                &seen[(int)(COUNT * slip_sampling_coordinate(SLIP_SAMPLING_SOBOL, 11, k, COUNT, dimension))];
            assert_int_equal(*cell, 0);
            *cell = 1;
        }
    }
    for (int a = 0; a <= M; a++) {
        char seen[COUNT] = { 0 };
        for (uint64_t k = 0; k < COUNT; k++) {
            int x = (int)((1 << a) * slip_sampling_coordinate(SLIP_SAMPLING_SOBOL, 11, k, COUNT, 0));
            int y = (int)((1 << (M - a)) * slip_sampling_coordinate(SLIP_SAMPLING_SOBOL, 11, k, COUNT, 1));
            char *cell = &seen[x << (M - a) | y];
            assert_int_equal(*cell, 0);
            *cell = 1;
        }
    }
}

// The points of Joe and Kuo's directions themselves, from scipy.stats.qmc.Sobol without scrambling: the shift by the seed is that of the first point
static void sobol_points_are_those_of_joe_and_kuo(void **state)
{
    (void)state;
    const struct {
        uint64_t run;
        double at[SLIP_SOBOL_MAX];
    } rows[] = {
        { 37,
          { 0.921875, 0.640625, 0.578125, 0.921875, 0.765625, 0.296875, 0.171875, 0.796875, 0.609375,
            0.171875 } },
        { 777,
          { 0.6923828125, 0.9365234375, 0.1630859375, 0.2744140625, 0.6357421875, 0.3564453125, 0.1904296875,
            0.7626953125, 0.3486328125, 0.3232421875 } },
    };
    for (int k = 0; k < 2; k++)
        for (int d = 0; d < SLIP_SOBOL_MAX; d++) {
            const double first = slip_sampling_coordinate(SLIP_SAMPLING_SOBOL, 5, 0, 1024, d),
                         point = slip_sampling_coordinate(SLIP_SAMPLING_SOBOL, 5, rows[k].run, 1024, d);
            const uint64_t bits = (uint64_t)(first * 0x1p52) ^ (uint64_t)(point * 0x1p52);
            assert_near((double)bits * 0x1p-52, rows[k].at[d], 0.0);
        }
}

static void quantiles_are_normal(void **state)
{
    (void)state;
    assert_near(slip_normal_quantile(0.5), 0.0, 1e-16);
    assert_near(slip_normal_quantile(0.975), 1.959963984540054, 1e-14);
    assert_near(slip_normal_quantile(0.001), -3.090232306167813, 1e-14);
    assert_near(slip_normal_quantile(1e-10), -6.361340902404056, 1e-13);
    assert_near(slip_normal_quantile(1e-20), -9.262340089798409,
                1e-13); // the far tail has a formula of its own
    assert_near(slip_normal_quantile(1e-50), -14.933337534788487, 1e-13);
    assert_near(slip_normal_quantile(1e-300), -37.0470962993612, 1e-12);
    for (double p = 1e-6; p < 1.0; p += 0.013)
        assert_near(0.5 * erfc(-slip_normal_quantile(p) * sqrt(0.5)), p, 1e-14);
}

static void draws_have_their_bounds(void **state)
{
    (void)state;
    slip_distribution uniform = { "a", SLIP_DISTRIBUTION_UNIFORM, 2.0, 6.0 },
                      logarithm = { "b", SLIP_DISTRIBUTION_LOG_UNIFORM, 1e-3, 1e3 },
                      normal = { "c", SLIP_DISTRIBUTION_NORMAL, 10.0, 2.0 };
    assert_near(slip_distribution_quantile(&uniform, 0.25), 3.0, 1e-15);
    assert_near(slip_distribution_quantile(&logarithm, 0.5), 1.0, 1e-14);
    assert_near(slip_distribution_quantile(&normal, 0.5), 10.0, 1e-14);
    assert_near(slip_distribution_quantile(&normal, 0.975), 10.0 + 2.0 * 1.959963984540054, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_is_philox),
        cmocka_unit_test(uniform_numbers_are_uniform),
        cmocka_unit_test(latin_samples_are_stratified),
        cmocka_unit_test(sobol_points_are_a_net),
        cmocka_unit_test(sobol_points_are_those_of_joe_and_kuo),
        cmocka_unit_test(quantiles_are_normal),
        cmocka_unit_test(draws_have_their_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
