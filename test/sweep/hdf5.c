/// hdf5.c: sweep.h5 holds the numbers of the sweep, compressed.
#include "slipstick_config.h"
#include "scratch.h"
#include "sweeps.h"

static const char ball[] =
    "slipstick: 1\nname: Ball\nparameters: {h: 1, e: 0.5}\ncoordinates: {y: h}\nmass: {y: 1}\n"
    "forces: {y: -9.81}\ncontacts: {floor: {gap: y, restitution: e}}\nrun: {until: 1}\n";

static slip_sweep *make_sweep(slip_model *model)
{
    static double e[] = { 0.25, 0.5, 7.0, 0.75 };
    static slip_sweep_axis axis = { "e", e, 4 };
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.axes = &axis, def.axis_count = 1, def.strobe = 0.125;
    def.sim.formulation = "lcp", def.companion = false;
    return run_sweep(&def);
}

#if SLIP_HAVE_HDF5
#include <hdf5.h>

static void read_table(hid_t file, const char *name, double *to, hsize_t expected)
{
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data),
          list = H5Dget_create_plist(data);
    assert_int_equal(H5Sget_simple_extent_npoints(space), expected);
    assert_int_equal(H5Pget_layout(list), H5D_CHUNKED);
    assert_int_equal(H5Pget_nfilters(list), 2); // shuffled and deflated
    assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0);
    H5Pclose(list);
    H5Sclose(space);
    H5Dclose(data);
}

static void read_words(hid_t file, const char *name, char *words[4])
{
    hid_t data = H5Dopen2(file, name, H5P_DEFAULT), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    assert_true(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words) >= 0);
    H5Tclose(type);
    H5Dclose(data);
}

static void test_numbers(void **state)
{
    (void)state;
    slip_model *model = read_model("", ball, "", " ");
    slip_sweep *s = make_sweep(model);
    const char *path = scratch_path(".h5");
    assert_int_equal(slip_sweep_write_hdf5(s, path, NULL), SLIP_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    const int width = slip_sweep_value_count(s), columns = slip_sweep_point_width(s);
    double values[400], varied[4], counts[4], points[400];
    char *words[4];
    read_table(file, "/runs/values", values, (hsize_t)(4 * width));
    read_table(file, "/runs/varied", varied, 4);
    read_table(file, "/runs/points", counts, 4);
    read_words(file, "/runs/trust", words);
    assert_string_equal(words[0], "unchecked");
    assert_string_equal(words[2], "refused");
    long total = 0;
    for (long k = 0; k < 4; k++) total += slip_sweep_result_of(s, k).point_count;
    assert_int_equal(total, 27); // 0, 1/8 .. 1 of three runs
    read_table(file, "/points", points, (hsize_t)(total * columns));
    long at = 0;
    for (long k = 0; k < 4; k++) {
        const slip_sweep_result r = slip_sweep_result_of(s, k);
        assert_memory_equal(values + k * width, r.values, (size_t)width * sizeof *values);
        assert_true(varied[k] == slip_sweep_point(s, k, 0));
        assert_int_equal((long)counts[k], r.point_count);
        if (r.point_count)
            assert_memory_equal(points + at * columns, r.points,
                                (size_t)(r.point_count * columns) * sizeof *points);
        at += r.point_count;
        H5free_memory(words[k]);
    }
    H5Fclose(file);
    assert_int_equal(slip_sweep_write_hdf5(s, "/nowhere/at/all.h5", NULL), SLIP_IO);
    remove(path);
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

#else

static void test_numbers(void **state)
{
    (void)state;
    slip_model *model = read_model("", ball, "", " ");
    slip_sweep *s = make_sweep(model);
    assert_int_equal(slip_sweep_write_hdf5(s, scratch_path(".h5"), NULL), SLIP_UNSUPPORTED);
    slip_sweep_destroy(s);
    slip_model_destroy(model);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numbers) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
