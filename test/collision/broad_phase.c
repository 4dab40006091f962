/// broad.c: pairs of boxes that overlap, against all pairs; order, growth, and how many tests it takes.
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "collision/broad_phase.h"
#include "scene.h"

static bool overlap(const slip_aabb *a, const slip_aabb *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k]) return false;
    return true;
}

// boxes in a cube whose volume grows with their number; sizes from 1 down to 1 / spread
static slip_aabb *scene(int count, double spread, bool flat, uint64_t seed)
{
    slip_aabb *box = calloc((size_t)count + 1, sizeof *box);
    const double wide = 1.5 * (flat ? sqrt(count) : cbrt(count));
    for (int i = 0; i < count; i++) {
        const double size = pow(spread, -uniform(&seed));
        for (int k = 0; k < 3; k++) {
            const double middle = wide * (uniform(&seed) - 0.5), half = 0.5 * size * uniform(&seed);
            box[i].low[k] = flat && k == 2 ? 0.0 : middle - half;
            box[i].high[k] = flat && k == 2 ? 0.0 : middle + half;
        }
    }
    return box;
}

// every pair once, in ascending order, and no other
static void check_pairs(slip_broad_phase *broad, int count, const slip_aabb *box, const bool *fixed)
{
    assert_int_equal(slip_broad_phase_find(broad, count, box, fixed, NULL), SLIP_OK);
    int k = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            if (!overlap(&box[i], &box[j]) || (fixed && fixed[i] && fixed[j])) continue;
            assert_true(k < broad->pair_count);
            assert_int_equal(broad->pair[k][0], i);
            assert_int_equal(broad->pair[k][1], j);
            k++;
        }
    assert_int_equal(k, broad->pair_count);
}

static void all_pairs(void **state)
{
    (void)state;
    slip_broad_phase *broad = slip_broad_phase_create();
    const double spread[] = { 1.0, 3.0, 1e3, 1e12 };
    for (int s = 0; s < 4; s++)
        for (int count = 0; count <= 700; count = 3 * count + 1)
            for (int flat = 0; flat < 2; flat++) {
                slip_aabb *box = scene(count, spread[s], flat, (uint64_t)(7 * s + flat + 1));
                check_pairs(broad, count, box, NULL);
                free(box);
            }
    slip_broad_phase_destroy(broad);
}

static void odd_boxes(void **state)
{
    (void)state;
    enum { N = 200 };
    slip_broad_phase *broad = slip_broad_phase_create();
    slip_aabb *box = scene(N, 10.0, false, 5);
    bool fixed[N] = { false };
    for (int i = 0; i < N; i++) fixed[i] = i % 3 == 0;
    for (int k = 0; k < 3; k++) {
        box[7].low[k] = -INFINITY, box[7].high[k] = INFINITY; // everything
        box[11].low[k] = k == 2 ? -INFINITY : -1e300;         // a half-space, and numbers near the end
        box[11].high[k] = k == 2 ? 0.0 : 1e300;
        box[12] = box[13];                                    // the same place
        box[14].low[k] = box[14].high[k] = box[15].high[k];   // a point that touches
        box[16].low[k] = 1e18, box[16].high[k] = 1e18 + 1024; // far away
        box[17].low[k] = 1e18 + 1024, box[17].high[k] = 2e18;
    }
    check_pairs(broad, N, box, NULL);
    check_pairs(broad, N, box, fixed);
    box[3].low[1] = NAN;
    slip_error error;
    assert_int_equal(slip_broad_phase_find(broad, N, box, NULL, &error), SLIP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "box 3"));
    free(box);
    slip_broad_phase_destroy(broad);
}

// all in a row, all in one place, a pile on one floor
static void crowded(void **state)
{
    (void)state;
    enum { N = 300 };
    slip_broad_phase *broad = slip_broad_phase_create();
    slip_aabb box[N];
    for (int i = 0; i < N; i++) box[i] = (slip_aabb){ { i, 0, 0 }, { i + 1, 1, 1 } };
    check_pairs(broad, N, box, NULL);
    for (int i = 0; i < N; i++) box[i] = (slip_aabb){ { 0, 0, 0 }, { 1, 1, 1e-3 * i } };
    check_pairs(broad, N, box, NULL);
    for (int i = 0; i < N; i++) box[i] = (slip_aabb){ { 2 * i, 0, 0 }, { 2 * i + 1, 1, 1 } };
    box[N - 1] = (slip_aabb){ { -1000, -1000, -1 }, { 1000, 1000, 0 } };
    check_pairs(broad, N, box, NULL);
    slip_broad_phase_destroy(broad);
}

// the same bits whatever was asked before, and no memory when it was asked before
static void history(void **state)
{
    (void)state;
    slip_broad_phase *broad = slip_broad_phase_create(), *fresh = slip_broad_phase_create();
    slip_aabb *one = scene(500, 30.0, false, 1), *other = scene(900, 2.0, false, 2);
    assert_int_equal(slip_broad_phase_find(fresh, 500, one, NULL, NULL), SLIP_OK);
    assert_int_equal(slip_broad_phase_find(broad, 900, other, NULL, NULL), SLIP_OK);
    assert_int_equal(slip_broad_phase_find(broad, 500, one, NULL, NULL), SLIP_OK);
    assert_int_equal(broad->pair_count, fresh->pair_count);
    assert_memory_equal(broad->pair, fresh->pair, sizeof *fresh->pair * (size_t)fresh->pair_count);
    const long growth = broad->growth;
    for (int k = 0; k < 5; k++) {
        slip_broad_phase_find(broad, 500, one, NULL, NULL);
        slip_broad_phase_find(broad, 900, other, NULL, NULL);
    }
    assert_int_equal(broad->growth, growth);
    free(one);
    free(other);
    slip_broad_phase_destroy(broad);
    slip_broad_phase_destroy(fresh);
}

// tests per box stay the same from 10^2 to 10^5 boxes, for equal and for mixed sizes
static void linear(void **state)
{
    (void)state;
    const double spread[] = { 1.0, 100.0 };
    for (int s = 0; s < 2; s++) {
        double most = 0.0;
        for (int count = 100; count <= 100000; count *= 10) {
            slip_broad_phase *broad = slip_broad_phase_create();
            slip_aabb *box = scene(count, spread[s], false, 3);
            slip_broad_phase_find(broad, count, box, NULL, NULL);
            most = fmax(most, (double)broad->tests / count);
            free(box);
            slip_broad_phase_destroy(broad);
        }
        assert_true(most < 40.0); // all pairs of 10^5 would be 50 000 per box
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs), cmocka_unit_test(odd_boxes), cmocka_unit_test(crowded),
        cmocka_unit_test(history),   cmocka_unit_test(linear),
    };
    return cmocka_run_group_tests_name("collide.broad", tests, NULL, NULL);
}
