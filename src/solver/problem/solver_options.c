/// solver/problem/solver_options.c: settings by name, from the table below and those in the records of the solvers.
#include "solver/problem/solver_options.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/status.h"
#include "registry/option.h"

static const slip_option common[] = {
    { "tolerance", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(1e-8), "residual below which an answer is accepted" },
    { "max_iterations", "", SLIP_WITHIN(0, 1e9), SLIP_DEFAULT(0),
      "0: as many as the solver thinks reasonable" },
    { "warm_start", "", SLIP_WITHIN(0, 1), SLIP_DEFAULT(0),
      "1: begin from a guess; in a run, from what the last step found" },
};
enum { COMMON_COUNT = sizeof common / sizeof *common };

const slip_option *slip_common_solve_options(int *count)
{
    *count = COMMON_COUNT;
    return common;
}

int slip_solver_first_option(const slip_solver *solver)
{
    int first = 0;
    for (int s = 0; slip_solver_get(s) != solver; s++) first += slip_solver_get(s)->option_count;
    return first;
}

// The option number `index` and the place of its value.
static const slip_option *option_at(int index, const char **of, size_t *offset)
{
    static const size_t fields[COMMON_COUNT] = { offsetof(slip_solve_options, tolerance),
                                                 offsetof(slip_solve_options, max_iterations),
                                                 offsetof(slip_solve_options, warm_start) };
    *of = "";
    if (index < 0) return NULL;
    if (index < COMMON_COUNT) return *offset = fields[index], &common[index];
    index -= COMMON_COUNT;
    *offset = offsetof(slip_solve_options, own) + (size_t)index * sizeof(double);
    for (int s = 0; s < slip_solver_count(); s++) {
        const slip_solver *solver = slip_solver_get(s);
        *of = solver->name;
        if (index < solver->option_count) return &solver->options[index];
        index -= solver->option_count;
    }
    return NULL;
}

slip_solve_options slip_default_solve_options(void)
{
    slip_solve_options options = { 0 };
    const slip_option *option;
    const char *of;
    size_t offset;
    for (int k = 0; (option = option_at(k, &of, &offset)); k++) {
        assert(k < COMMON_COUNT + SLIP_MAX_SOLVER_OPTIONS);
        *(double *)(void *)((char *)&options + offset) = option->value;
    }
    return options;
}

// All settings are numbers, stored one after another.
enum { VALUE_COUNT = sizeof(slip_solve_options) / sizeof(double) };
_Static_assert(sizeof(slip_solve_options) == VALUE_COUNT * sizeof(double), "an option is a double");

static double *values_of(slip_solve_options *options)
{
    return (double *)(void *)options;
}

slip_solve_options slip_no_solve_options(void)
{
    slip_solve_options options;
    for (int k = 0; k < VALUE_COUNT; k++) values_of(&options)[k] = NAN;
    return options;
}

void slip_solve_options_take(slip_solve_options *options, const slip_solve_options *given)
{
    const double *from = (const double *)(const void *)given;
    for (int k = 0; k < VALUE_COUNT && given; k++)
        if (!isnan(from[k])) values_of(options)[k] = from[k];
}

bool slip_solve_option_entry(int index, slip_option_entry *entry)
{
    const char *of;
    size_t offset;
    const slip_option *option = option_at(index, &of, &offset);
    if (!option) return false;
    snprintf(entry->key, sizeof entry->key, "%s%s%s", of, *of ? "." : "", option->name);
    entry->option = *option;
    return true;
}

// The number of the option with that key; -1 if there is none.
static int find_option(const char *key)
{
    slip_option_entry entry;
    for (int k = 0; slip_solve_option_entry(k, &entry); k++)
        if (strcmp(entry.key, key) == 0) return k;
    return -1;
}

double *slip_solve_option_at(slip_solve_options *options, int index)
{
    const char *of;
    size_t offset;
    return option_at(index, &of, &offset) ? (double *)(void *)((char *)options + offset) : NULL;
}

double slip_solve_option(const slip_solve_options *options, const char *key)
{
    const char *of;
    size_t offset;
    if (!option_at(find_option(key), &of, &offset)) return NAN;
    return *(const double *)(const void *)((const char *)options + offset);
}

static slip_status unknown_key(slip_error *error, const char *key)
{
    enum { MAX_OPTIONS = COMMON_COUNT + SLIP_MAX_SOLVER_OPTIONS };
    slip_option_entry entries[MAX_OPTIONS];
    const char *names[MAX_OPTIONS];
    char hint[120];
    int count = 0;
    for (; count < MAX_OPTIONS && slip_solve_option_entry(count, &entries[count]); count++)
        names[count] = entries[count].key;
    slip_suggest_name(key, names, count, hint, sizeof hint);
    return slip_fail(error, SLIP_UNKNOWN_NAME, "solver option", "unknown option '%s'%s%s", key,
                     *hint ? "; " : "", hint);
}

slip_status slip_solve_option_set(slip_solve_options *options, const char *key_value, slip_error *error)
{
    const char *equals = strchr(key_value, '='), *of;
    char key[64];
    if (!equals)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "solver option", "expected key=value, got '%.80s'",
                         key_value);
    snprintf(key, sizeof key, "%.*s", (int)(equals - key_value < 63 ? equals - key_value : 63), key_value);
    size_t offset;
    const slip_option *option = option_at(find_option(key), &of, &offset);
    if (!option) return unknown_key(error, key);
    char *end;
    const double value = strtod(equals + 1, &end);
    if (end == equals + 1 || *end || isnan(value))
        return slip_fail(error, SLIP_BAD_ARGUMENT, key, "expected a number, got '%.80s'", equals + 1);
    if (!slip_bounds_contain(&option->range, value))
        return slip_fail(error, SLIP_BAD_ARGUMENT, key, "must be %s, got %g", option->range.text, value);
    *(double *)(void *)((char *)options + offset) = value;
    return SLIP_OK;
}
