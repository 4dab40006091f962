/// collision/mesh_file.c: readers of OBJ and STL.
///
/// OBJ: Wavefront, Appendix B1, object files: "v x y z" and "f a/b/c ...", numbers from 1, negative ones from
/// the end. STL: 3D Systems, StereoLithography Interface Specification (1989): "facet ... vertex x y z" as
/// text; as bytes 80 of heading, the count of triangles, and 50 for each, little-endian.
#include "collision/mesh_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

typedef struct reader {
    const char *where, *at, *end;
    int line;
    char point; ///< decimal point of the locale, which strtod expects
    slip_mesh *mesh;
    size_t room, triangle_room; ///< for points, for triangles
    slip_error *error;
    slip_status status;
} reader;

static bool fail_expected(reader *r, const char *expected)
{
    char place[160];
    char word[32];
    int length = 0;
    while (r->at + length < r->end && length < 24 && (unsigned char)r->at[length] > ' ' &&
           r->at[length] != 127)
        length++;
    snprintf(word, sizeof word, "%.*s", length, length ? r->at : "");
    for (char *c = word; *c; c++)
        if ((unsigned char)*c > 126) *c = '?';
    snprintf(place, sizeof place, "%s:%d", r->where, r->line);
    r->status = length ? slip_fail(r->error, SLIP_BAD_FILE, place, "expected %s, got '%s'", expected, word)
                       : slip_fail(r->error, SLIP_BAD_FILE, place, "expected %s, got the end of the %s",
                                   expected, r->at < r->end ? "line" : "file");
    return false;
}

static bool add_point(reader *r, const double x[3])
{
    slip_mesh *m = r->mesh;
    if (m->count >= SLIP_MESH_POINTS_MAX) {
        r->status = slip_fail(r->error, SLIP_BAD_FILE, r->where, "more than %d points", SLIP_MESH_POINTS_MAX);
        return false;
    }
    if (!slip_array_grow((void **)&m->points, &r->room, (size_t)m->count, 3 * sizeof *m->points)) {
        r->status = slip_fail(r->error, SLIP_NO_MEMORY, r->where, "no room for %d points", m->count);
        return false;
    }
    memcpy(m->points + 3 * m->count++, x, 3 * sizeof *x);
    return true;
}

static bool add_triangle(reader *r, const int corner[3])
{
    slip_mesh *m = r->mesh;
    if (!slip_array_grow((void **)&m->triangles, &r->triangle_room, (size_t)m->triangle_count,
                         sizeof *m->triangles)) {
        r->status =
            slip_fail(r->error, SLIP_NO_MEMORY, r->where, "no room for %d triangles", m->triangle_count);
        return false;
    }
    memcpy(m->triangles[m->triangle_count++], corner, sizeof *m->triangles);
    return true;
}

// ------------------------------------------------------------------------------------------- words

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && is_blank(*r->at)) r->at++;
}

static void skip_line(reader *r)
{
    while (r->at < r->end && *r->at != '\n') r->at++;
    if (r->at < r->end) r->at++, r->line++;
}

static void skip_space(reader *r)
{
    for (; r->at < r->end && (is_blank(*r->at) || *r->at == '\n'); r->at++)
        if (*r->at == '\n') r->line++;
}

static int word_length(const reader *r)
{
    int length = 0;
    while (r->at + length < r->end && !is_blank(r->at[length]) && r->at[length] != '\n') length++;
    return length;
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

// Whether the next word is `word`; if so it is consumed.
static bool take_word(reader *r, const char *word)
{
    const int length = word_length(r);
    if (length != (int)strlen(word)) return false;
    for (int k = 0; k < length; k++)
        if (to_lower(r->at[k]) != word[k]) return false;
    r->at += length;
    return true;
}

static bool take_number(reader *r, double *x)
{
    char copy[64], *stop;
    const int length = word_length(r);
    if (length == 0 || length >= (int)sizeof copy) return fail_expected(r, "a number");
    for (int k = 0; k < length; k++) {
        if (!r->at[k] || !strchr("0123456789+-.eE", r->at[k])) return fail_expected(r, "a number");
        copy[k] = r->at[k] == '.' ? r->point : r->at[k];
    }
    copy[length] = '\0';
    *x = strtod(copy, &stop);
    if (stop != copy + length || !isfinite(*x)) return fail_expected(r, "a number");
    r->at += length;
    return true;
}

static bool take_three(reader *r, double x[3])
{
    for (int k = 0; k < 3; k++) {
        skip_blanks(r);
        if (!take_number(r, &x[k])) return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------------- OBJ

// "7", "7/1", "7//3", "-1": only the point matters
static bool take_corner(reader *r, int *point)
{
    const char *at = r->at;
    const bool negative = at < r->end && *at == '-';
    long number = 0;
    at += negative;
    const char *digits = at;
    for (; at < r->end && *at >= '0' && *at <= '9'; at++)
        if (number <= SLIP_MESH_POINTS_MAX) number = 10 * number + (*at - '0');
    const bool rest = at < r->end && !is_blank(*at) && *at != '\n' && *at != '/';
    if (at == digits || rest || number < 1) return fail_expected(r, "the number of a point");
    if (number > r->mesh->count) return fail_expected(r, "a point that was given above");
    r->at += word_length(r);
    *point = (int)(negative ? r->mesh->count - number : number - 1);
    return true;
}

static bool read_face(reader *r)
{
    int corners = 0, fan[3] = { 0 };
    for (skip_blanks(r); r->at < r->end && *r->at != '\n' && *r->at != '#'; skip_blanks(r), corners++) {
        if (corners > 2) fan[1] = fan[2];
        if (!take_corner(r, &fan[corners < 2 ? corners : 2])) return false;
        if (corners >= 2 && !add_triangle(r, fan)) return false;
    }
    return corners >= 3 || fail_expected(r, "3 corners of a face at least");
}

// Lines of other kinds (normals, groups, materials, curves) say nothing about points.
static bool read_obj(reader *r)
{
    while (r->at < r->end) {
        double x[3];
        skip_blanks(r);
        if (take_word(r, "v")) {
            if (!take_three(r, x) || !add_point(r, x)) return false;
        } else if (take_word(r, "f")) {
            if (!read_face(r)) return false;
        }
        skip_line(r);
    }
    r->mesh->tolerance = SLIP_HULL_TOLERANCE_SINGLE; // written with six or seven digits
    return r->mesh->count > 0 || fail_expected(r, "points: lines \"v x y z\"");
}

// ---------------------------------------------------------------------------------------- STL as text

static bool expect_word(reader *r, const char *word)
{
    char expected[32];
    skip_space(r);
    if (take_word(r, word)) return true;
    snprintf(expected, sizeof expected, "'%s'", word);
    return fail_expected(r, expected);
}

static bool read_facet(reader *r)
{
    double x[3];
    skip_space(r);
    if (!expect_word(r, "normal") || !take_three(r, x) || !expect_word(r, "outer") || !expect_word(r, "loop"))
        return false;
    for (int k = 0; k < 3; k++)
        if (!expect_word(r, "vertex") || !take_three(r, x) || !add_point(r, x)) return false;
    return expect_word(r, "endloop") && expect_word(r, "endfacet");
}

// A file may hold several solids, one after another.
static bool read_stl_text(reader *r)
{
    for (skip_space(r); r->at < r->end; skip_space(r)) {
        if (!take_word(r, "solid")) return fail_expected(r, "'solid'");
        skip_line(r); // its name
        for (skip_space(r); take_word(r, "facet"); skip_space(r))
            if (!read_facet(r)) return false;
        if (!take_word(r, "endsolid")) return fail_expected(r, "'facet' or 'endsolid'");
        skip_line(r);
    }
    r->mesh->tolerance = SLIP_HULL_TOLERANCE_SINGLE;
    r->mesh->triangle_count = r->mesh->count / 3;
    return r->mesh->count > 0 || fail_expected(r, "a facet");
}

// --------------------------------------------------------------------------------------- STL as bytes

enum { STL_HEADER_BYTES = 80, STL_TRIANGLE_BYTES = 50 };

static uint32_t read_u32_le(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float read_float_le(const char *bytes)
{
    const uint32_t bits = read_u32_le(bytes);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool read_stl_bytes(reader *r, uint32_t triangles)
{
    for (uint32_t t = 0; t < triangles; t++) {
        const char *at =
            r->at + STL_HEADER_BYTES + 4 + (size_t)t * STL_TRIANGLE_BYTES + 12; // after its normal
        for (int corner = 0; corner < 3; corner++) {
            double x[3];
            for (int k = 0; k < 3; k++) x[k] = read_float_le(at + 12 * corner + 4 * k);
            if (!(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))) {
                r->status =
                    slip_fail(r->error, SLIP_BAD_FILE, r->where, "triangle %u has a corner at (%g, %g, %g)",
                              (unsigned)t + 1, x[0], x[1], x[2]);
                return false;
            }
            if (!add_point(r, x)) return false;
        }
    }
    r->mesh->tolerance = SLIP_HULL_TOLERANCE_SINGLE;
    r->mesh->triangle_count = (int)triangles;
    if (triangles > 0) return true;
    r->status = slip_fail(r->error, SLIP_BAD_FILE, r->where, "an STL file without triangles");
    return false;
}

// --------------------------------------------------------------------------------------------- which

// Whether the file is binary: its length is that of its count of triangles. A text for which this holds by
// chance is not a valid STL text either.
static bool is_stl_bytes(const char *text, size_t length, uint32_t *triangles)
{
    if (length < STL_HEADER_BYTES + 4) return false;
    *triangles = read_u32_le(text + STL_HEADER_BYTES);
    return length == STL_HEADER_BYTES + 4 + (size_t)*triangles * STL_TRIANGLE_BYTES;
}

static bool begins_with_solid(reader r)
{
    skip_space(&r);
    return take_word(&r, "solid");
}

// Neither ASCII STL nor a complete binary one: most often truncated.
static bool has_zero_bytes(const char *text, size_t length)
{
    return memchr(text, '\0', length) != NULL;
}

static bool read_any(reader *r, const char *text, size_t length)
{
    uint32_t triangles = 0;
    if (is_stl_bytes(text, length, &triangles)) return read_stl_bytes(r, triangles);
    if (has_zero_bytes(text, length)) {
        r->status =
            length < STL_HEADER_BYTES + 4
                ? slip_fail(r->error, SLIP_BAD_FILE, r->where,
                            "neither OBJ nor STL: zero bytes, and too short for a binary STL file")
                : slip_fail(r->error, SLIP_BAD_FILE, r->where,
                            "a binary STL file with %u triangles has %.0f bytes, this one has %.0f",
                            (unsigned)triangles,
                            STL_HEADER_BYTES + 4 + STL_TRIANGLE_BYTES * (double)triangles, (double)length);
        return false;
    }
    return begins_with_solid(*r) ? read_stl_text(r) : read_obj(r);
}

slip_status slip_mesh_read(const char *where, const char *text, size_t length, slip_error *error,
                           slip_mesh *mesh)
{
    *mesh = (slip_mesh){ 0 };
    char half[16];
    snprintf(half, sizeof half, "%.1f", 0.5);
    reader r = { where, text, text + length, .line = 1, .point = half[1], .mesh = mesh, .error = error };
    if (read_any(&r, text, length)) return SLIP_OK;
    slip_mesh_destroy(mesh);
    return r.status;
}

void slip_mesh_destroy(slip_mesh *mesh)
{
    free(mesh->points);
    free(mesh->triangles);
    *mesh = (slip_mesh){ 0 };
}
