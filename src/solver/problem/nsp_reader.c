/// solver/problem/nsp_reader.c: reading problems from the NSP text format.
///
/// The reader trusts nothing: sizes are limited before anything is taken, every index is checked, and
/// all memory comes from one pool that goes away with the problem.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "solver/problem/problem_storage.h"

enum { MAX_ROWS = 4000000, MAX_TOKEN = 400, MAX_BYTES = 1 << 30 };
static const long MAX_MATRIX_ENTRIES = 200000000;

typedef struct scanner {
    const char *file, *at, *end;
    int line;
    char token[MAX_TOKEN];
    slip_error *error;
    slip_status status;
} scanner;

static slip_status scan_error(scanner *s, const char *text, const char *detail)
{
    char where[160];
    if (s->status != SLIP_OK) return s->status;
    snprintf(where, sizeof where, "%.120s:%d", s->file, s->line);
    return s->status = slip_fail(s->error, SLIP_BAD_FILE, where, text, detail);
}

// the next token into s->token; false at the end of the text
static bool next_token(scanner *s)
{
    while (s->at < s->end) {
        const char c = *s->at;
        if (c == '#')
            while (s->at < s->end && *s->at != '\n') s->at++;
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
            if (c == '\n') s->line++;
            s->at++;
        } else
            break;
    }
    int length = 0;
    while (s->at < s->end && (unsigned char)*s->at > ' ' && length < MAX_TOKEN - 1)
        s->token[length++] = *s->at++;
    s->token[length] = '\0';
    return length > 0;
}

static bool word_is(const scanner *s, const char *word)
{
    return strcmp(s->token, word) == 0;
}

static long read_count(scanner *s, long most, const char *what)
{
    char *end;
    if (!next_token(s)) return scan_error(s, "the file ends where %s should stand", what), -1;
    errno = 0;
    const long value = strtol(s->token, &end, 10);
    if (*end || end == s->token || errno)
        return scan_error(s, "expected a whole number, got '%s'", s->token), -1;
    if (value < 0 || value > most) return scan_error(s, "%s is out of range", what), -1;
    return value;
}

static double read_number(scanner *s)
{
    char *end;
    if (!next_token(s)) return scan_error(s, "the file ends where a number should stand%s", ""), 0.0;
    const double value = strtod(s->token, &end);
    if (*end || end == s->token || isnan(value)) scan_error(s, "expected a number, got '%s'", s->token);
    return value;
}

typedef struct reader {
    scanner s;
    problem_storage *o;
    slip_problem *p;
    bool has[16];
} reader;

enum {
    GOT_KIND,
    GOT_SIZE,
    GOT_CONTACTS,
    GOT_DOFS,
    GOT_EQUALITIES,
    GOT_MATRIX,
    GOT_M,
    GOT_H,
    GOT_Q,
    GOT_MU,
    GOT_LOWER,
    GOT_UPPER,
    GOT_F,
    GOT_W
};

static bool first_time(reader *r, int what)
{
    if (r->has[what]) return scan_error(&r->s, "'%s' appears twice", r->s.token), false;
    return r->has[what] = true;
}

static bool global_kind(const slip_problem *p)
{
    return p->kind == SLIP_KIND_GFC2D || p->kind == SLIP_KIND_GFC3D;
}

typedef struct entries {
    int *row, *col;
    double *value;
    int count;
} entries;

static bool read_entries(reader *r, long rows, long cols, entries *e)
{
    for (int k = 0; k < e->count; k++) {
        const long i = read_count(&r->s, rows - 1, "a row index"),
                   j = read_count(&r->s, cols - 1, "a column index");
        const double value = read_number(&r->s);
        if (r->s.status != SLIP_OK) return false;
        if (!isfinite(value))
            return scan_error(&r->s, "matrix entries must be finite, got '%s'", r->s.token), false;
        if (k > 0 && (i < e->row[k - 1] || (i == e->row[k - 1] && j <= e->col[k - 1])))
            return scan_error(&r->s, "entries must be sorted by row, then column, without repetition%s", ""),
                   false;
        e->row[k] = (int)i;
        e->col[k] = (int)j;
        e->value[k] = value;
    }
    return true;
}

static void read_matrix(reader *r)
{
    scanner *s = &r->s;
    slip_problem *p = r->p;
    if (!r->has[GOT_KIND] || !r->has[GOT_SIZE]) {
        scan_error(s, "'kind' and 'size' must come before 'matrix'%s", "");
        return;
    }
    if (!next_token(s)) {
        scan_error(s, "the file ends where %s should stand", "a matrix name");
        return;
    }
    slip_matrix *target = NULL;
    const bool global = global_kind(p);
    int block = slip_problem_block(p);
    if (global && word_is(s, "M"))
        target = &p->M, block = 1, first_time(r, GOT_M);
    else if (global && word_is(s, "H"))
        target = &p->H, block = 1, first_time(r, GOT_H);
    else if (!global && (word_is(s, "M") || word_is(s, "W")))
        target = &p->W, first_time(r, GOT_MATRIX);
    else
        scan_error(s, "no matrix '%s' belongs to this kind of problem", s->token);
    const long rows = read_count(s, MAX_ROWS, "the number of rows");
    const long cols = read_count(s, MAX_ROWS, "the number of columns");
    const long count = read_count(s, MAX_MATRIX_ENTRIES, "the number of entries");
    // an entry takes at least "0 0 0\n": a count beyond that is a lie not worth the memory
    if (s->status == SLIP_OK && count > (s->end - s->at) / 5 + 1)
        scan_error(s, "the file is too short for its number of entries%s", "");
    if (s->status == SLIP_OK && target != &p->M && target != &p->H && (rows != p->size || cols != p->size))
        scan_error(s, "the matrix must be size x size%s", "");
    if (s->status != SLIP_OK) return;
    slip_pool *scrap = slip_pool_create();
    entries e = { .count = (int)count };
    if (scrap) {
        e.row = SLIP_POOL_NEW(scrap, int, count);
        e.col = SLIP_POOL_NEW(scrap, int, count);
        e.value = SLIP_POOL_NEW(scrap, double, count);
    }
    if (!scrap || !e.row || !e.col || !e.value)
        s->status = slip_fail(s->error, SLIP_NO_MEMORY, s->file, "%s", slip_status_text(SLIP_NO_MEMORY));
    else if (read_entries(r, rows, cols, &e) &&
             !slip_problem_storage_blocks(r->o, (int)rows, (int)cols, block, e.count, e.row, e.col, e.value,
                                          target))
        s->status = slip_fail(s->error, SLIP_NO_MEMORY, s->file, "%s", slip_status_text(SLIP_NO_MEMORY));
    slip_pool_destroy(scrap);
}

static void read_vector(reader *r)
{
    scanner *s = &r->s;
    slip_problem *p = r->p;
    static const struct {
        const char *name;
        int got;
    } names[] = { { "q", GOT_Q },      { "mu", GOT_MU }, { "lb", GOT_LOWER },
                  { "ub", GOT_UPPER }, { "f", GOT_F },   { "w", GOT_W } };
    const double **targets[] = { &p->q, &p->mu, &p->lower, &p->upper, &p->f, &p->w };
    if (!next_token(s)) {
        scan_error(s, "the file ends where %s should stand", "a vector name");
        return;
    }
    int which = 0;
    while (which < 6 && !word_is(s, names[which].name)) which++;
    if (which == 6) {
        scan_error(s, "unknown vector '%s'", s->token);
        return;
    }
    if (!first_time(r, names[which].got)) return;
    const long length = read_count(s, MAX_ROWS, "the length of a vector");
    const int wanted = which == 1 ? p->contacts : which == 4 ? p->dofs : p->size;
    if (s->status == SLIP_OK && length != wanted)
        scan_error(s, "the vector '%s' has the wrong length", names[which].name);
    if (s->status == SLIP_OK && length > (s->end - s->at) / 2 + 1)
        scan_error(s, "the file is too short for its vector%s", "");
    if (s->status != SLIP_OK) return;
    double *values = SLIP_POOL_NEW(r->o->pool, double, length);
    if (!values) {
        s->status = slip_fail(s->error, SLIP_NO_MEMORY, s->file, "%s", slip_status_text(SLIP_NO_MEMORY));
        return;
    }
    *targets[which] = values;
    for (long i = 0; i < length && s->status == SLIP_OK; i++) values[i] = read_number(s);
}

static void read_kind(reader *r)
{
    scanner *s = &r->s;
    if (!first_time(r, GOT_KIND)) return;
    next_token(s);
    for (int k = 0; k < SLIP_KIND_QP; k++)
        if (word_is(s, slip_kind_name((slip_kind)k))) {
            r->p->kind = (slip_kind)k;
            return;
        }
    scan_error(s, "unknown kind '%s'", s->token);
}

static void read_size(reader *r, int got, const char *what, int *target)
{
    if (first_time(r, got)) *target = (int)read_count(&r->s, MAX_ROWS, what);
}

static void check_complete(reader *r)
{
    static const unsigned char needs[SLIP_KIND_QP][5] = {
        [SLIP_KIND_LCP] = { GOT_MATRIX, GOT_Q },
        [SLIP_KIND_MLCP] = { GOT_MATRIX, GOT_Q, GOT_EQUALITIES },
        [SLIP_KIND_RELAY] = { GOT_MATRIX, GOT_Q, GOT_LOWER, GOT_UPPER },
        [SLIP_KIND_FC2D] = { GOT_MATRIX, GOT_Q, GOT_MU },
        [SLIP_KIND_FC3D] = { GOT_MATRIX, GOT_Q, GOT_MU },
        [SLIP_KIND_GFC2D] = { GOT_M, GOT_H, GOT_F, GOT_W, GOT_MU },
        [SLIP_KIND_GFC3D] = { GOT_M, GOT_H, GOT_F, GOT_W, GOT_MU },
    };
    static const char *const words[] = { "kind",      "size",      "contacts", "dofs",     "equalities",
                                         "matrix",    "matrix M",  "matrix H", "vector q", "vector mu",
                                         "vector lb", "vector ub", "vector f", "vector w" };
    if (!r->has[GOT_KIND] || !r->has[GOT_SIZE]) scan_error(&r->s, "'kind' and 'size' are required%s", "");
    for (int i = 0; i < 5 && r->s.status == SLIP_OK; i++) {
        const int what = needs[r->p->kind][i];
        if (what && !r->has[what]) scan_error(&r->s, "'%s' is missing", words[what]);
    }
}

static void read_all(reader *r)
{
    scanner *s = &r->s;
    bool ended = false;
    if (!next_token(s) || !word_is(s, "NSP") || !next_token(s) || !word_is(s, "1"))
        scan_error(s, "the file must begin with 'NSP 1'%s", "");
    while (s->status == SLIP_OK && !ended && next_token(s)) {
        if (word_is(s, "name")) {
            next_token(s);
            r->p->name = slip_pool_text(r->o->pool, s->token, strlen(s->token));
        } else if (word_is(s, "kind"))
            read_kind(r);
        else if (word_is(s, "size"))
            read_size(r, GOT_SIZE, "size", &r->p->size);
        else if (word_is(s, "contacts"))
            read_size(r, GOT_CONTACTS, "contacts", &r->p->contacts);
        else if (word_is(s, "dofs"))
            read_size(r, GOT_DOFS, "dofs", &r->p->dofs);
        else if (word_is(s, "equalities"))
            read_size(r, GOT_EQUALITIES, "equalities", &r->p->equalities);
        else if (word_is(s, "matrix"))
            read_matrix(r);
        else if (word_is(s, "vector"))
            read_vector(r);
        else if (word_is(s, "end"))
            ended = true;
        else
            scan_error(s, "unknown word '%s'", s->token);
    }
    if (s->status == SLIP_OK && !ended) scan_error(s, "the file stops before 'end'%s", "");
    if (s->status == SLIP_OK) check_complete(r);
}

slip_status slip_problem_read_text(const char *name, const char *text, size_t length, slip_error *error,
                                   slip_problem **out)
{
    *out = NULL;
    problem_storage *o = slip_problem_storage_create();
    if (!o) return slip_fail(error, SLIP_NO_MEMORY, name, "%s", slip_status_text(SLIP_NO_MEMORY));
    reader *r = SLIP_POOL_NEW(o->pool, reader, 1);
    if (!r) {
        slip_problem_destroy(&o->problem);
        return slip_fail(error, SLIP_NO_MEMORY, name, "%s", slip_status_text(SLIP_NO_MEMORY));
    }
    r->s = (scanner){ .file = name, .at = text, .end = text + length, .line = 1, .error = error };
    r->o = o;
    r->p = &o->problem;
    read_all(r);
    slip_status status = r->s.status;
    if (status == SLIP_OK) status = slip_problem_check(r->p, error);
    if (status == SLIP_OK)
        *out = r->p;
    else
        slip_problem_destroy(r->p);
    return status;
}

// NULL when out of memory; with more than MAX_BYTES where the file has more, /dev/zero for one
static char *read_whole(FILE *file, size_t *length)
{
    char *text = NULL;
    size_t capacity = 0;
    *length = 0;
    for (;;) {
        if (*length == capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            char *grown = realloc(text, capacity);
            if (!grown) return free(text), NULL;
            text = grown;
        }
        const size_t got = fread(text + *length, 1, capacity - *length, file);
        *length += got;
        if (got == 0 || *length > MAX_BYTES) return text;
    }
}

slip_status slip_problem_read_file(const char *path, slip_error *error, slip_problem **out)
{
    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (!file) return slip_fail(error, SLIP_IO, path, "%s", strerror(errno));
    size_t length;
    char *text = read_whole(file, &length);
    const bool failed = ferror(file) != 0;
    fclose(file);
    slip_status status;
    if (!text)
        status = slip_fail(error, SLIP_NO_MEMORY, path, "%s", slip_status_text(SLIP_NO_MEMORY));
    else if (failed)
        status = slip_fail(error, SLIP_IO, path, "the file cannot be read");
    else if (length > MAX_BYTES)
        status = slip_fail(error, SLIP_BAD_FILE, path, "the file is larger than %d MiB", MAX_BYTES >> 20);
    else
        status = slip_problem_read_text(path, text, length, error, out);
    free(text);
    return status;
}
