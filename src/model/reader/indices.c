/// model/reader/indices.c: indices, and whole numbers made of them.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "symbolic/graph/formula.h"
#include "model/reader/index_expansion.h"

typedef struct number_reader {
    slip_indices *ix;
    const slip_yaml *from;
    size_t at, end;
    int depth;
    bool indexed;        // an index was met
    const char *problem; // NULL: none yet
    size_t problem_at;
} number_reader;

static void skip_blanks(number_reader *n)
{
    while (n->at < n->end && strchr(" \t\r\n", n->from->text[n->at])) n->at++;
}

static bool set_problem(number_reader *n, const char *problem)
{
    if (!n->problem) n->problem = problem, n->problem_at = n->at;
    return false;
}

static bool accept_value(number_reader *n, long value)
{
    if (value > SLIP_MAX_INDEX || value < -SLIP_MAX_INDEX)
        return set_problem(n, "this is too large for an index");
    return true;
}

size_t slip_name_end(const char *text, size_t at, size_t end)
{
    if (at >= end || (!isalpha((unsigned char)text[at]) && text[at] != '_')) return at;
    while (at < end && (isalnum((unsigned char)text[at]) || text[at] == '_')) at++;
    return at;
}

const slip_index *slip_index_named(const slip_indices *ix, const char *name, size_t length)
{
    for (int k = ix->count - 1; k >= 0; k--)
        if (ix->list[k].length == length && memcmp(ix->list[k].name, name, length) == 0) return &ix->list[k];
    return NULL;
}

static bool read_digits(const char *text, size_t length, long *value)
{
    *value = 0;
    for (size_t k = 0; k < length; k++) {
        if (!isdigit((unsigned char)text[k]) || *value > SLIP_MAX_INDEX) return false;
        *value = 10 * *value + (text[k] - '0');
    }
    return length > 0 && *value <= SLIP_MAX_INDEX;
}

// a parameter that is given as a whole number decides how many parts there are: another value means reading
// again
static bool read_parameter(number_reader *n, const char *name, size_t length, long *value)
{
    const slip_yaml *map = slip_reader_map(n->ix->r->root, "parameters");
    for (slip_yaml *child = map ? map->first : NULL; child; child = child->next) {
        if (child->key->length != length || memcmp(child->key->text, name, length) != 0) continue;
        if (child->kind != SLIP_YAML_SCALAR || !read_digits(child->text, child->length, value))
            return set_problem(n, "this parameter is not given as a whole number");
        child->counts = true;
        return true;
    }
    return set_problem(n, "this is neither an index nor a parameter");
}

static bool read_sum(number_reader *n, long *value);

static bool read_factor(number_reader *n, long *value)
{
    skip_blanks(n);
    const char *text = n->from->text;
    if (n->at == n->end) return set_problem(n, "expected a whole number");
    if (++n->depth > SLIP_YAML_DEPTH) return set_problem(n, "this is nested too deep");
    bool good;
    size_t start = n->at;
    if (text[n->at] == '-' || text[n->at] == '(') {
        bool minus = text[n->at++] == '-';
        good = minus ? read_factor(n, value) : read_sum(n, value);
        if (minus) *value = -*value;
        skip_blanks(n);
        if (good && !minus && (n->at == n->end || text[n->at++] != ')'))
            good = set_problem(n, "expected ')'");
    } else if (isdigit((unsigned char)text[n->at])) {
        while (n->at < n->end && isdigit((unsigned char)text[n->at])) n->at++;
        good = read_digits(text + start, n->at - start, value) ||
               set_problem(n, "this is too large for an index");
    } else {
        n->at = slip_name_end(text, start, n->end);
        const slip_index *index = slip_index_named(n->ix, text + start, n->at - start);
        n->indexed = n->indexed || index;
        size_t end = n->at;
        n->at = start;
        good = end == start ? set_problem(n, "expected a whole number")
               : index      ? (*value = index->value, true)
                            : read_parameter(n, text + start, end - start, value);
        if (good) n->at = end;
    }
    n->depth--;
    return good;
}

static bool read_product(number_reader *n, long *value)
{
    if (!read_factor(n, value)) return false;
    for (skip_blanks(n); n->at < n->end && n->from->text[n->at] == '*'; skip_blanks(n)) {
        long other;
        n->at++;
        if (!read_factor(n, &other) || !accept_value(n, *value *= other)) return false;
    }
    return true;
}

static bool read_sum(number_reader *n, long *value)
{
    if (!read_product(n, value)) return false;
    for (skip_blanks(n); n->at < n->end && strchr("+-", n->from->text[n->at]); skip_blanks(n)) {
        long other;
        bool minus = n->from->text[n->at++] == '-';
        if (!read_product(n, &other) || !accept_value(n, *value += minus ? -other : other)) return false;
    }
    return true;
}

static bool read_whole(number_reader *n, long *value)
{
    if (!read_sum(n, value)) return false;
    skip_blanks(n);
    return n->at == n->end || set_problem(n, "expected the end of the index");
}

bool slip_indices_number(slip_indices *ix, const slip_yaml *scalar, size_t start, size_t end, bool quiet,
                         long *value)
{
    number_reader n = { .ix = ix, .from = scalar, .at = start, .end = end };
    *value = 0;
    if (read_whole(&n, value)) return !quiet || n.indexed;
    if (!quiet)
        slip_reader_error(ix->r, slip_yaml_part(scalar, n.problem_at, 1),
                          ix->example ? ix->example : "for: {i: 1..5}", "%s", n.problem);
    return false;
}

bool slip_indices_range(slip_indices *ix, const slip_yaml *scalar, size_t start, size_t end, long *first,
                        long *last)
{
    for (size_t k = start; k + 1 < end; k++)
        if (scalar->text[k] == '.' && scalar->text[k + 1] == '.')
            return slip_indices_number(ix, scalar, start, k, false, first) &&
                   slip_indices_number(ix, scalar, k + 2, end, false, last);
    slip_reader_error(ix->r, slip_yaml_part(scalar, start, end - start), "1..5",
                      "expected a range of whole numbers");
    return false;
}

bool slip_indices_push(slip_indices *ix, const slip_yaml *scalar, size_t start, size_t length)
{
    char name[80];
    snprintf(name, sizeof name, "%.*s", (int)(length < 70 ? length : 70), scalar->text + start);
    slip_span where = slip_yaml_part(scalar, start, length);
    const char *problem = NULL;
    if (!slip_formula_is_name(scalar->text + start, length))
        problem = "cannot be the name of an index";
    else if (slip_formula_is_reserved(name))
        problem = "means something in formulas already";
    else if (slip_index_named(ix, scalar->text + start, length))
        problem = "is an index already";
    else if (ix->count == SLIP_MAX_INDICES)
        problem = "is one index too many";
    if (problem) {
        slip_reader_error(ix->r, where, "for: {i: 1..5}", "'%s' %s", name, problem);
        return false;
    }
    ix->list[ix->count++] = (slip_index){ .name = scalar->text + start, .length = length };
    return true;
}
