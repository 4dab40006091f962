/// study/equilibrium/linear_files.c: a linear model as JSON, CSV files and a MATLAB file.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/json.h"
#include "base/text.h"
#include "simulation/run/line_files.h"
#include "slipstick/linearize.h"
#include "slipstick/run.h"

// ------------------------------------------------------------------------------------------------- JSON

static void write_names(slip_json *j, const char *key, const char *const *names, int count)
{
    slip_json_open(j, key, '[');
    for (int k = 0; k < count; k++) slip_json_text(j, NULL, names[k]);
    slip_json_close(j, ']');
}

static void write_matrix(slip_json *j, const char *key, const double *M, int rows, int columns)
{
    slip_json_open(j, key, '[');
    for (int k = 0; k < rows; k++) slip_json_numbers(j, NULL, M + k * columns, columns);
    slip_json_close(j, ']');
}

static void write_modes(slip_json *j, const slip_linear_model *l)
{
    slip_json_open(j, "modes", '[');
    for (int k = 0; k < l->mode_count; k++) {
        const slip_linear_mode *mode = &l->modes[k];
        const double pair[] = { mode->re, mode->im };
        slip_json_open(j, NULL, '{');
        slip_json_numbers(j, "eigenvalue", pair, 2);
        slip_json_number(j, "frequency", mode->frequency);
        slip_json_number(j, "damping", mode->damping);
        slip_json_numbers(j, "shape_re", mode->shape_re, l->state_count);
        slip_json_numbers(j, "shape_im", mode->shape_im, l->state_count);
        slip_json_close(j, '}');
    }
    slip_json_close(j, ']');
}

static void write_response(slip_json *j, const slip_linear_model *l)
{
    const int cells = l->output_count * l->input_count;
    slip_json_open(j, "response", '{');
    slip_json_numbers(j, "frequency", l->frequency, l->frequency_count);
    write_matrix(j, "re", l->gain_re, l->frequency_count, cells);
    write_matrix(j, "im", l->gain_im, l->frequency_count, cells);
    slip_json_close(j, '}');
}

char *slip_linear_model_json(const slip_linear_model *l)
{
    slip_json j = { 0 };
    slip_json_open(&j, NULL, '{');
    slip_json_bool(&j, "found", l->found);
    if (l->text[0]) slip_json_text(&j, "text", l->text);
    if (l->found) {
        write_names(&j, "states", l->state_name, l->state_count);
        write_names(&j, "inputs", l->input_name, l->input_count);
        write_names(&j, "outputs", l->output_name, l->output_count);
        slip_json_numbers(&j, "state", l->state, l->state_count);
        slip_json_open(&j, "elements", '{');
        for (int k = 0; k < l->element_count; k++) slip_json_text(&j, l->element_name[k], l->element_mode[k]);
        slip_json_close(&j, '}');
        slip_json_integer(&j, "zeros", l->zeros);
        slip_json_bool(&j, "stable", l->stable);
        write_modes(&j, l);
        write_matrix(&j, "A", l->A, l->state_count, l->state_count);
        write_matrix(&j, "B", l->B, l->state_count, l->input_count);
        write_matrix(&j, "C", l->C, l->output_count, l->state_count);
        write_matrix(&j, "D", l->D, l->output_count, l->input_count);
        if (l->frequency_count) write_response(&j, l);
    }
    slip_json_close(&j, '}');
    return slip_json_take(&j);
}

// -------------------------------------------------------------------------------------------------- CSV

static void add_number(slip_text *out, double value, bool last)
{
    char text[SLIP_NUMBER_SIZE];
    slip_number_write(value, text);
    slip_text_add(out, "%s%s", text, last ? "\n" : ",");
}

// a line of names, then one line for each row
static char *matrix_text(const double *M, int rows, int columns, const char *const *names)
{
    slip_text out = { 0 };
    for (int k = 0; k < columns; k++) slip_text_add(&out, "%s%s", names[k], k + 1 < columns ? "," : "");
    slip_text_add(&out, "\n");
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) add_number(&out, M[i * columns + j], j + 1 == columns);
    return slip_text_take(&out);
}

static char *modes_text(const slip_linear_model *l)
{
    slip_text out = { 0 };
    slip_text_add(&out, "re,im,frequency,damping");
    for (int k = 0; k < l->state_count; k++)
        slip_text_add(&out, ",%s re,%s im", l->state_name[k], l->state_name[k]);
    slip_text_add(&out, "\n");
    for (int m = 0; m < l->mode_count; m++) {
        const slip_linear_mode *mode = &l->modes[m];
        const double first[] = { mode->re, mode->im, mode->frequency, mode->damping };
        for (int k = 0; k < 4; k++) add_number(&out, first[k], false);
        for (int k = 0; k < l->state_count; k++) {
            add_number(&out, mode->shape_re[k], false);
            add_number(&out, mode->shape_im[k], k + 1 == l->state_count);
        }
    }
    return slip_text_take(&out);
}

static char *response_text(const slip_linear_model *l)
{
    slip_text out = { 0 };
    const int cells = l->output_count * l->input_count;
    slip_text_add(&out, "frequency");
    for (int i = 0; i < l->output_count; i++)
        for (int j = 0; j < l->input_count; j++)
            slip_text_add(&out, ",%s/%s re,%s/%s im", l->output_name[i], l->input_name[j], l->output_name[i],
                          l->input_name[j]);
    slip_text_add(&out, "\n");
    for (int f = 0; f < l->frequency_count; f++) {
        add_number(&out, l->frequency[f], cells == 0);
        for (int k = 0; k < cells; k++) {
            add_number(&out, l->gain_re[f * cells + k], false);
            add_number(&out, l->gain_im[f * cells + k], k + 1 == cells);
        }
    }
    return slip_text_take(&out);
}

// -------------------------------------------------------------------------------------------------- MATLAB

/// Bytes of a file of level 4: for each matrix five numbers of 32 bits (type 0: little-endian doubles by columns;
/// rows; columns; no imaginary part; length of the name with its 0), the name, the data.
typedef struct mat_bytes {
    unsigned char *data;
    size_t length;
} mat_bytes;

static void put_little_endian(mat_bytes *m, uint64_t value, int bytes)
{
    for (int k = 0; k < bytes; k++) m->data[m->length++] = (unsigned char)(value >> (8 * k) & 0xFF);
}

static void put_matrix(mat_bytes *m, char name, const double *M, int rows, int columns)
{
    const uint64_t header[] = { 0, (uint64_t)rows, (uint64_t)columns, 0, 2 };
    for (int k = 0; k < 5; k++) put_little_endian(m, header[k], 4);
    m->data[m->length++] = (unsigned char)name;
    m->data[m->length++] = 0;
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++) {
            uint64_t bits;
            memcpy(&bits, &M[i * columns + j], sizeof bits);
            put_little_endian(m, bits, 8);
        }
}

static bool write_mat(const slip_linear_model *l, const char *path, int *failure)
{
    const size_t n = (size_t)l->state_count, in = (size_t)l->input_count, out = (size_t)l->output_count;
    mat_bytes m = { malloc(4 * 22 + 8 * (n + out) * (n + in)), 0 };
    if (!m.data) return false;
    put_matrix(&m, 'A', l->A, l->state_count, l->state_count);
    put_matrix(&m, 'B', l->B, l->state_count, l->input_count);
    put_matrix(&m, 'C', l->C, l->output_count, l->state_count);
    put_matrix(&m, 'D', l->D, l->output_count, l->input_count);
    *failure = slip_file_write_atomic_bytes(path, (const char *)m.data, m.length);
    free(m.data);
    return true;
}

// ------------------------------------------------------------------------------------------------ all files

static slip_status say_failed(const char *path, int failure, slip_error *error)
{
    return slip_fail(error, SLIP_IO, path, "%s", strerror(failure));
}

static slip_status write_text(const char *directory, const char *name, char *text, slip_error *error)
{
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/%s", directory, name);
    const int failure = text ? slip_file_write_atomic(path, text) : 0;
    const bool made = text != NULL;
    free(text);
    if (!made) return slip_fail(error, SLIP_NO_MEMORY, "linearize", "out of memory");
    return failure ? say_failed(path, failure, error) : SLIP_OK;
}

slip_status slip_linear_model_write(const slip_linear_model *l, const char *directory, slip_error *error)
{
    const int n = l->state_count, in = l->input_count, out = l->output_count;
    const int code = slip_make_directories(directory);
    if (code) return say_failed(directory, code, error);
    slip_status status = write_text(directory, "A.csv", matrix_text(l->A, n, n, l->state_name), error);
    if (status == SLIP_OK)
        status = write_text(directory, "B.csv", matrix_text(l->B, n, in, l->input_name), error);
    if (status == SLIP_OK)
        status = write_text(directory, "C.csv", matrix_text(l->C, out, n, l->state_name), error);
    if (status == SLIP_OK)
        status = write_text(directory, "D.csv", matrix_text(l->D, out, in, l->input_name), error);
    if (status == SLIP_OK) status = write_text(directory, "modes.csv", modes_text(l), error);
    if (status == SLIP_OK && l->frequency_count)
        status = write_text(directory, "response.csv", response_text(l), error);
    if (status != SLIP_OK) return status;
    char path[4200];
    int failure = 0;
    snprintf(path, sizeof path, "%.4000s/linear.mat", directory);
    if (!write_mat(l, path, &failure)) return slip_fail(error, SLIP_NO_MEMORY, "linearize", "out of memory");
    return failure ? say_failed(path, failure, error) : SLIP_OK;
}
