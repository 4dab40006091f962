/// memory.c: each allocation fails once; what cannot be done says so, and nothing is lost.
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "alloc_fail.h"
#include "collision/broad_phase.h"
#include "collision/convex_hull.h"
#include "collision/mesh_file.h"
#include "scene.h"

static slip_status make_hull(void)
{
    uint64_t seed = 2;
    double points[3 * 60];
    for (int i = 0; i < 3 * 60; i++) points[i] = floor(4.0 * uniform(&seed)) + 1e-12 * uniform(&seed);
    slip_hull *hull;
    const slip_status status = slip_hull_create(points, 60, SLIP_HULL_TOLERANCE, "points", NULL, &hull);
    assert_true((hull != NULL) == (status == SLIP_OK));
    slip_hull_destroy(hull);
    return status;
}

static slip_status read_mesh(void)
{
    char text[4000] = "";
    slip_mesh mesh;
    for (int k = 0; k < 60; k++) strcat(text, "v 1 2 3\n");
    const slip_status status = slip_mesh_read("m", text, strlen(text), NULL, &mesh);
    slip_mesh_destroy(&mesh);
    return status;
}

static slip_status find_pairs(void)
{
    slip_aabb box[200];
    for (int i = 0; i < 200; i++) box[i] = (slip_aabb){ { 0, 0, i }, { 1, 1, i + 2 } };
    slip_broad_phase *broad = slip_broad_phase_create();
    if (!broad) return SLIP_NO_MEMORY;
    const slip_status status = slip_broad_phase_find(broad, 200, box, NULL, NULL);
    assert_int_equal(broad->pair_count, status == SLIP_OK ? 199 + 198 : 0);
    slip_broad_phase_destroy(broad);
    return status;
}

static void every_allocation(void **state)
{
    (void)state;
    slip_status (*const work[])(void) = { make_hull, read_mesh, find_pairs };
    for (size_t w = 0; w < sizeof work / sizeof *work; w++) {
        long failures = 0;
        for (long k = 1;; k++) {
            alloc_fail_at(k);
            const slip_status status = work[w]();
            if (alloc_fail_stop() < k) {
                assert_int_equal(status, SLIP_OK);
                break;
            }
            assert_int_equal(status, SLIP_NO_MEMORY);
            failures++;
        }
        assert_true(failures > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_allocation) };
    return cmocka_run_group_tests_name("collide.memory", tests, NULL, NULL);
}
