/// study/sweep/sweep_hdf5.c: the results of a sweep as HDF5, when the library was built with it.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "simulation/run/line_files.h"
#include "slipstick_config.h"
#include "study/sweep/run_statistics.h"
#include "study/sweep/sweep.h"

#if SLIP_HAVE_HDF5
#include <hdf5.h>

enum { CHUNK_BYTES = 1 << 18, COMPRESSION_LEVEL = 4 }; // of a chunk before it is compressed; of zlib

/// A table while it is written: `fill` gives one row.
typedef struct table {
    const char *name;
    hid_t type;
    size_t size; // of an entry
    long rows;
    int columns; // 0: a list
    void (*fill)(const slip_sweep *sweep, long row, void *to);
} table;

// ----------------------------------------------------------------------------------------------- tables

// compressed where the library can; without times, so that the same results are the same bytes
static hid_t make_list(const table *t, long chunk)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, 0);
    if (t->rows == 0) return list;
    hsize_t size[2] = { (hsize_t)chunk, (hsize_t)t->columns };
    H5Pset_chunk(list, t->columns ? 2 : 1, size);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
        H5Pset_shuffle(list);
        H5Pset_deflate(list, COMPRESSION_LEVEL);
    }
    return list;
}

static bool write_rows(const slip_sweep *s, const table *t, hid_t data, long chunk, char *buffer,
                       size_t width)
{
    bool fine = true;
    for (long from = 0; fine && from < t->rows; from += chunk) {
        const long count = t->rows - from < chunk ? t->rows - from : chunk;
        for (long k = 0; k < count; k++) t->fill(s, from + k, buffer + (size_t)k * width);
        hsize_t at[2] = { (hsize_t)from, 0 }, size[2] = { (hsize_t)count, (hsize_t)t->columns };
        hid_t space = H5Dget_space(data), memory = H5Screate_simple(t->columns ? 2 : 1, size, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL);
        fine = H5Dwrite(data, t->type, memory, space, H5P_DEFAULT, buffer) >= 0;
        H5Sclose(memory);
        H5Sclose(space);
    }
    return fine;
}

static bool write_table(const slip_sweep *s, hid_t where, table t)
{
    const size_t width = t.size * (size_t)(t.columns ? t.columns : 1);
    long chunk = (long)(CHUNK_BYTES / width) + 1;
    if (chunk > t.rows) chunk = t.rows;
    hsize_t size[2] = { (hsize_t)t.rows, (hsize_t)t.columns };
    hid_t space = H5Screate_simple(t.columns ? 2 : 1, size, NULL), list = make_list(&t, chunk);
    hid_t data = H5Dcreate2(where, t.name, t.type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    char *buffer = calloc((size_t)chunk + 1, width);
    const bool fine = data >= 0 && buffer && write_rows(s, &t, data, chunk, buffer, width);
    free(buffer);
    if (data >= 0) H5Dclose(data);
    H5Pclose(list);
    H5Sclose(space);
    return fine;
}

static bool write_names(const slip_sweep *s, hid_t where, const char *key,
                        const char *name(const slip_sweep *, int))
{
    int count = 0;
    while (name(s, count)) count++;
    const char **names = malloc(((size_t)count + 1) * sizeof *names);
    if (!names) return false;
    for (int k = 0; k < count; k++) names[k] = name(s, k);
    hsize_t size = (hsize_t)count;
    hid_t type = H5Tcopy(H5T_C_S1), space = count ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_NULL);
    H5Tset_size(type, H5T_VARIABLE);
    hid_t attribute = H5Acreate2(where, key, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool fine = attribute >= 0 && (count == 0 || H5Awrite(attribute, type, names) >= 0);
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    free((void *)names);
    return fine;
}

// ------------------------------------------------------------------------------------------------- rows

static void fill_varied(const slip_sweep *s, long run, void *to)
{
    for (int k = 0; slip_sweep_key(s, k); k++) ((double *)to)[k] = slip_sweep_plan_value(&s->plan, run, k);
}

static void fill_values(const slip_sweep *s, long run, void *to)
{
    memcpy(to, s->values + run * s->width, (size_t)s->width * sizeof(double));
}

static void fill_t(const slip_sweep *s, long run, void *to)
{
    *(double *)to = s->records[run].t;
}

static void fill_horizon(const slip_sweep *s, long run, void *to)
{
    *(double *)to = s->records[run].horizon;
}

static void fill_warnings(const slip_sweep *s, long run, void *to)
{
    *(int64_t *)to = s->records[run].warnings;
}

static void fill_point_count(const slip_sweep *s, long run, void *to)
{
    *(int64_t *)to = s->records[run].point_count;
}

static void fill_trust(const slip_sweep *s, long run, void *to)
{
    const slip_sweep_run_record *r = &s->records[run];
    *(const char **)to = r->done ? slip_sweep_trust_word(r) : "not made";
}

static void fill_outcome(const slip_sweep *s, long run, void *to)
{
    const slip_sweep_run_record *r = &s->records[run];
    *(const char **)to = !r->done ? "" : r->refused ? "refused" : slip_run_outcome_name(r->outcome);
}

static void fill_text(const slip_sweep *s, long run, void *to)
{
    *(const char **)to = s->records[run].text ? s->records[run].text : "";
}

// ------------------------------------------------------------------------------------------------- file

static bool write_runs(const slip_sweep *s, hid_t file)
{
    hid_t group = H5Gcreate2(file, "runs", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), word = H5Tcopy(H5T_C_S1);
    H5Tset_size(word, H5T_VARIABLE);
    const long n = s->plan.count;
    const hid_t real = H5T_NATIVE_DOUBLE, whole = H5T_NATIVE_INT64;
    const table tables[] = { { "varied", real, 8, n, slip_sweep_key_count(s), fill_varied },
                             { "values", real, 8, n, s->width, fill_values },
                             { "t", real, 8, n, 0, fill_t },
                             { "horizon", real, 8, n, 0, fill_horizon },
                             { "warnings", whole, 8, n, 0, fill_warnings },
                             { "points", whole, 8, n, 0, fill_point_count },
                             { "trust", word, sizeof(char *), n, 0, fill_trust },
                             { "outcome", word, sizeof(char *), n, 0, fill_outcome },
                             { "text", word, sizeof(char *), n, 0, fill_text } };
    bool fine = group >= 0;
    for (size_t k = 0; k < sizeof tables / sizeof *tables && fine; k++)
        if (tables[k].columns || tables[k].fill != fill_values) fine = write_table(s, group, tables[k]);
    fine = fine && write_names(s, group, "varied", slip_sweep_key) &&
           write_names(s, group, "values", slip_sweep_value_name);
    H5Tclose(word);
    if (group >= 0) H5Gclose(group);
    return fine;
}

static bool write_points(const slip_sweep *s, hid_t file)
{
    long count = 0;
    for (long run = 0; run < s->plan.count; run++) count += s->records[run].point_count;
    hsize_t size[2] = { (hsize_t)count, (hsize_t)s->columns };
    const table t = { "points", H5T_NATIVE_DOUBLE, 8, count, s->columns, NULL };
    long chunk = CHUNK_BYTES / 8 / s->columns + 1;
    if (chunk > count) chunk = count;
    hid_t space = H5Screate_simple(2, size, NULL), list = make_list(&t, chunk);
    hid_t data = H5Dcreate2(file, t.name, t.type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool fine = data >= 0;
    hsize_t at[2] = { 0, 0 };
    for (long run = 0; fine && run < s->plan.count; run++) {
        const slip_sweep_run_record *r = &s->records[run];
        hsize_t part[2] = { (hsize_t)r->point_count, (hsize_t)s->columns };
        if (r->point_count == 0) continue;
        hid_t memory = H5Screate_simple(2, part, NULL);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, part, NULL);
        fine = H5Dwrite(data, t.type, memory, space, H5P_DEFAULT, r->points) >= 0;
        at[0] += part[0];
        H5Sclose(memory);
    }
    fine = fine && write_names(s, data, "columns", slip_sweep_point_name);
    if (data >= 0) H5Dclose(data);
    H5Pclose(list);
    H5Sclose(space);
    return fine;
}

slip_status slip_sweep_write_hdf5(const slip_sweep *sweep, const char *path, slip_error *error)
{
    if (!slip_sweep_is_main_rank(sweep)) return SLIP_OK;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // the library never prints
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = file >= 0 && write_runs(sweep, file);
    if (fine && slip_run_statistics_need_points(&sweep->def)) fine = write_points(sweep, file);
    if (file >= 0) fine = H5Fclose(file) >= 0 && fine;
    return fine ? SLIP_OK : slip_fail(error, SLIP_IO, path, "the HDF5 file could not be written");
}

#else

slip_status slip_sweep_write_hdf5(const slip_sweep *sweep, const char *path, slip_error *error)
{
    (void)sweep;
    return slip_fail(error, SLIP_UNSUPPORTED, path,
                     "this build has no HDF5; install libhdf5-dev and build again, or leave --hdf5 out");
}

#endif
