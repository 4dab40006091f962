/// simulation/run/trajectory_hdf5.c: the trajectory as HDF5, when the library was built with it.
#include "simulation/run/trajectory_hdf5.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "slipstick_config.h"

#if SLIP_HAVE_HDF5
#include <hdf5.h>

enum { ROWS_PER_CHUNK = 1024 };

struct slip_trajectory_hdf5 {
    hid_t file, data;
    hsize_t rows, columns;
    int gathered; // number of rows in the buffer
    double *buffer;
    bool failed;
};

static bool write_names(hid_t data, const slip_sim *sim)
{
    hsize_t count = (hsize_t)sim->column_count;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &count, NULL);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t attribute = H5Acreate2(data, "columns", type, space, H5P_DEFAULT, H5P_DEFAULT);
    const char **names = malloc((size_t)count * sizeof *names);
    bool fine = attribute >= 0 && names;
    for (int k = 0; fine && k < sim->column_count; k++) names[k] = slip_sim_column_name(sim, k);
    if (fine) fine = H5Awrite(attribute, type, names) >= 0;
    free((void *)names);
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    return fine;
}

static hid_t make_dataset(hid_t file, hsize_t columns)
{
    hsize_t size[2] = { 0, columns }, most[2] = { H5S_UNLIMITED, columns },
            chunk[2] = { ROWS_PER_CHUNK, columns };
    hid_t space = H5Screate_simple(2, size, most), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk);
    hid_t data = H5Dcreate2(file, "trajectory", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    H5Sclose(space);
    return data;
}

slip_status slip_trajectory_hdf5_open(const char *directory, const slip_sim *sim, slip_error *error,
                                      slip_trajectory_hdf5 **out)
{
    *out = NULL;
    slip_text path = { 0 };
    slip_text_add(&path, "%s/trajectory.h5", directory);
    slip_trajectory_hdf5 *f = calloc(1, sizeof *f);
    double *buffer = malloc((size_t)ROWS_PER_CHUNK * (size_t)sim->column_count * sizeof *buffer);
    if (path.failed || !f || !buffer) {
        slip_text_destroy(&path);
        free(f);
        free(buffer);
        return slip_fail(error, SLIP_NO_MEMORY, "trajectory.h5", "out of memory");
    }
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // the library never prints
    f->buffer = buffer;
    f->columns = (hsize_t)sim->column_count;
    f->file = H5Fcreate(path.data, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    f->data = f->file >= 0 ? make_dataset(f->file, f->columns) : -1;
    slip_status status = f->data >= 0 && write_names(f->data, sim)
                             ? SLIP_OK
                             : slip_fail(error, SLIP_IO, path.data, "the HDF5 file could not be created");
    slip_text_destroy(&path);
    if (status == SLIP_OK)
        *out = f;
    else
        slip_trajectory_hdf5_close(f);
    return status;
}

static void flush_rows(slip_trajectory_hdf5 *f)
{
    if (f->gathered == 0 || f->failed) return;
    hsize_t size[2] = { f->rows + (hsize_t)f->gathered, f->columns }, from[2] = { f->rows, 0 };
    hsize_t count[2] = { (hsize_t)f->gathered, f->columns };
    f->failed = H5Dset_extent(f->data, size) < 0;
    hid_t space = H5Dget_space(f->data), memory = H5Screate_simple(2, count, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL);
    if (!f->failed)
        f->failed = H5Dwrite(f->data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, f->buffer) < 0;
    H5Sclose(memory);
    H5Sclose(space);
    f->rows += (hsize_t)f->gathered;
    f->gathered = 0;
}

void slip_trajectory_hdf5_row(slip_trajectory_hdf5 *f, const double *row)
{
    if (!f) return;
    memcpy(f->buffer + (size_t)f->gathered * f->columns, row, (size_t)f->columns * sizeof *row);
    if (++f->gathered == ROWS_PER_CHUNK) flush_rows(f);
}

bool slip_trajectory_hdf5_failed(const slip_trajectory_hdf5 *f)
{
    return f && f->failed;
}

bool slip_trajectory_hdf5_close(slip_trajectory_hdf5 *f)
{
    if (!f) return true;
    if (f->data >= 0) {
        flush_rows(f);
        if (H5Dclose(f->data) < 0) f->failed = true;
    }
    if (f->file >= 0 && H5Fclose(f->file) < 0) f->failed = true;
    bool fine = !f->failed;
    free(f->buffer);
    free(f);
    return fine;
}

#else

slip_status slip_trajectory_hdf5_open(const char *directory, const slip_sim *sim, slip_error *error,
                                      slip_trajectory_hdf5 **out)
{
    (void)sim;
    *out = NULL;
    return slip_fail(error, SLIP_UNSUPPORTED, directory,
                     "this build has no HDF5; install libhdf5-dev and build again, or leave --hdf5 out");
}

void slip_trajectory_hdf5_row(slip_trajectory_hdf5 *file, const double *row)
{
    (void)file, (void)row;
}
bool slip_trajectory_hdf5_failed(const slip_trajectory_hdf5 *file)
{
    return file != NULL;
}
bool slip_trajectory_hdf5_close(slip_trajectory_hdf5 *file)
{
    return file == NULL;
}

#endif
