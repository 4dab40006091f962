/// mesh.c: OBJ and STL files, right and wrong; hulls of their points.
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "collision/convex_hull.h"
#include "collision/mesh_file.h"

static slip_status read_text(const char *text, slip_mesh *mesh, slip_error *error)
{
    return slip_mesh_read("part", text, strlen(text), error, mesh);
}

static void obj(void **state)
{
    (void)state;
    slip_mesh mesh;
    const char *text = "# a roof\n"
                       "o roof\r\n"
                       "v 0 0 0\n  v 1 0 0\nv 1 2e0 0 1.0\nv 0 2 0\nvn 0 0 1\nv .5 1 +1.5\n"
                       "f 1 2 3 4\nf 1/1 2/2/2 5//1\nf -1 -2 -3\n";
    assert_int_equal(read_text(text, &mesh, NULL), SLIP_OK);
    assert_int_equal(mesh.count, 5);
    assert_near(mesh.points[3 * 4 + 2], 1.5, 0.0);
    slip_hull *hull;
    assert_int_equal(slip_hull_create(mesh.points, mesh.count, mesh.tolerance, "roof", NULL, &hull), SLIP_OK);
    assert_int_equal(hull->vertex_count, 5);
    assert_int_equal(hull->face_count, 5);
    assert_int_equal(hull->edge_count, 8);
    slip_hull_destroy(hull);
    slip_mesh_destroy(&mesh);
}

static double hollow_of(const char *text)
{
    slip_mesh mesh;
    slip_hull *hull;
    assert_int_equal(read_text(text, &mesh, NULL), SLIP_OK);
    assert_int_equal(slip_hull_create(mesh.points, mesh.count, mesh.tolerance, "part", NULL, &hull), SLIP_OK);
    const double hollow = slip_mesh_hollow(&mesh, hull);
    slip_hull_destroy(hull);
    slip_mesh_destroy(&mesh);
    return hollow;
}

// A bar whose section is an L: the inner edge is 1/sqrt 2 below the plane across the hollow, the middle of the
// nearest triangle two thirds of that. The same without the inner faces is open, and touches like its hull
static void hollows(void **state)
{
    (void)state;
#define BAR                                                                                                  \
    "v 0 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 1\nv 1 0 2\nv 0 0 2\n"                                                 \
    "v 0 9 0\nv 2 9 0\nv 2 9 1\nv 1 9 1\nv 1 9 2\nv 0 9 2\n"                                                 \
    "f 1 2 8 7\nf 2 3 9 8\nf 5 6 12 11\nf 6 1 7 12\nf 6 5 4 3 2 1\nf -6 -5 -4 -3 -2 -1\n"
    assert_near(hollow_of(BAR "f 3 4 10 9\nf 4 5 11 10\n"), 2.0 / 3.0 * sqrt(0.5), 1e-12);
    assert_near(hollow_of(BAR), 0.0, 1e-12);
    assert_near(hollow_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\n"), 0.0, 0.0); // no faces
}

static const char tetrahedron[] =
    "solid a name\n"
    "facet normal 0 0 -1\n outer loop\n  vertex 0 0 0\n  vertex 0 1 0\n  vertex 1 0 0\n endloop\nendfacet\n"
    "facet normal 0 -1 0\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 0 1\n endloop\nendfacet\n"
    "FACET NORMAL -1 0 0\n outer loop\n  vertex 0 0 0\n  vertex 0 0 1\n  vertex 0 1 0\n endloop\nendfacet\n"
    "endsolid a name\n";

static void stl_text(void **state)
{
    (void)state;
    slip_mesh mesh;
    assert_int_equal(read_text(tetrahedron, &mesh, NULL), SLIP_OK);
    assert_int_equal(mesh.count, 9);
    slip_hull *hull;
    assert_int_equal(slip_hull_create(mesh.points, mesh.count, mesh.tolerance, "t", NULL, &hull), SLIP_OK);
    assert_int_equal(hull->vertex_count, 4);
    slip_hull_destroy(hull);
    slip_mesh_destroy(&mesh);
}

// two triangles in bytes: little-endian whatever the machine is
static size_t stl_bytes_of(unsigned char *bytes, float corner[6][3])
{
    memset(bytes, 0, 84 + 2 * 50);
    memcpy(bytes, "solid, though not text", 22);
    bytes[80] = 2;
    for (int c = 0; c < 6; c++)
        for (int k = 0; k < 3; k++) {
            uint32_t bits;
            memcpy(&bits, &corner[c][k], sizeof bits);
            unsigned char *at = bytes + 84 + 50 * (c / 3) + 12 + 12 * (c % 3) + 4 * k;
            for (int b = 0; b < 4; b++) at[b] = (unsigned char)(bits >> 8 * b);
        }
    return 84 + 2 * 50;
}

static void stl_bytes(void **state)
{
    (void)state;
    unsigned char bytes[84 + 100];
    float corner[6][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1.5f, 0, 1 }, { 0, -2, 1 } };
    slip_mesh mesh;
    slip_error error;
    const size_t length = stl_bytes_of(bytes, corner);
    assert_int_equal(slip_mesh_read("b", (char *)bytes, length, NULL, &mesh), SLIP_OK);
    assert_int_equal(mesh.count, 6);
    assert_near(mesh.points[3 * 4], 1.5, 0.0);
    slip_mesh_destroy(&mesh);
    // cut short
    assert_int_equal(slip_mesh_read("b", (char *)bytes, length - 10, &error, &mesh), SLIP_BAD_FILE);
    assert_non_null(strstr(error.text, "2 triangles has 184 bytes, this one has 174"));
    // not a number
    corner[3][1] = NAN;
    stl_bytes_of(bytes, corner);
    assert_int_equal(slip_mesh_read("b", (char *)bytes, length, &error, &mesh), SLIP_BAD_FILE);
    assert_non_null(strstr(error.text, "triangle 2"));
}

static void wrong_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *message;
    } wrong[] = {
        { "", "part:1", "expected points" },
        { "hello\nworld\n", "part:3", "expected points" },
        { "v 1 2 3\nv 1 2\n", "part:2", "expected a number, got the end of the line" },
        { "v 1 2 3\nv 1 x 3\n", "part:2", "expected a number, got 'x'" },
        { "v 1 2 nan\n", "part:1", "expected a number, got 'nan'" },
        { "v 1 2 1e999\n", "part:1", "expected a number, got '1e999'" },
        { "v 1 2 3\nf 1 1 2\n", "part:2", "expected a point that was given above, got '2'" },
        { "v 1 2 3\nf 1 1\n", "part:2", "expected 3 corners" },
        { "v 1 2 3\nf 0 1 1\n", "part:2", "expected the number of a point" },
        { "solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2\n", "part:4", "got the end of the line" },
        { "solid x\nfacet normal 0 0 1\nouter\nvertex 1 2 3\n", "part:4", "expected 'loop', got 'vertex'" },
        { "solid x\n", "part:2", "expected 'facet' or 'endsolid', got the end of the file" },
        { "solid x\nendsolid\n", "part:3", "expected a facet" },
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        slip_mesh mesh;
        slip_error error = { 0 };
        assert_int_equal(read_text(wrong[k].text, &mesh, &error), SLIP_BAD_FILE);
        assert_null(mesh.points);
        assert_string_equal(error.where, wrong[k].where);
        if (!strstr(error.text, wrong[k].message)) fail_msg("'%s' lacks '%s'", error.text, wrong[k].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj),       cmocka_unit_test(hollows),     cmocka_unit_test(stl_text),
        cmocka_unit_test(stl_bytes), cmocka_unit_test(wrong_files),
    };
    return cmocka_run_group_tests_name("collide.mesh", tests, NULL, NULL);
}
