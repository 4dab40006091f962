/// solver/options.c: settings by name, all from the tables in solver.h.
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/diagnostics.h"
#include "core/status.h"
#include "slipstick/solver.h"

typedef struct option {
    slip_option_entry entry;
    size_t offset; // in slip_solve_options
} option;

#define COMMON_ROW(field, value, low, high, text)                                                            \
    { { #field, text, value, low, high }, offsetof(slip_solve_options, field) },

// one row macro per group, since offsetof needs the member's name
#define LEMKE_ROW(f, v, l, h, t) { { "lemke." #f, t, v, l, h }, offsetof(slip_solve_options, lemke.f) },
#define ENUM_ROW(f, v, l, h, t)                                                                              \
    { { "enumerate." #f, t, v, l, h }, offsetof(slip_solve_options, enumerate.f) },
#define PGS_ROW(f, v, l, h, t)    { { "pgs." #f, t, v, l, h }, offsetof(slip_solve_options, pgs.f) },
#define ALA_ROW(f, v, l, h, t)    { { "ala." #f, t, v, l, h }, offsetof(slip_solve_options, ala.f) },
#define NSGS_ROW(f, v, l, h, t)   { { "nsgs." #f, t, v, l, h }, offsetof(slip_solve_options, nsgs.f) },
#define NEWTON_ROW(f, v, l, h, t) { { "newton." #f, t, v, l, h }, offsetof(slip_solve_options, newton.f) },
#define APG_ROW(f, v, l, h, t)    { { "apg." #f, t, v, l, h }, offsetof(slip_solve_options, apg.f) },
#define QP_ROW(f, v, l, h, t)     { { "qp." #f, t, v, l, h }, offsetof(slip_solve_options, qp.f) },
#define AUTO_ROW(f, v, l, h, t)                                                                              \
    { { "automatic." #f, t, v, l, h }, offsetof(slip_solve_options, automatic.f) },

static const option options_table[] = { SLIP_COMMON_OPTIONS(COMMON_ROW) SLIP_LEMKE_OPTIONS(LEMKE_ROW)
                                            SLIP_ENUM_OPTIONS(ENUM_ROW) SLIP_PGS_OPTIONS(PGS_ROW)
                                                SLIP_ALA_OPTIONS(ALA_ROW) SLIP_NSGS_OPTIONS(NSGS_ROW)
                                                    SLIP_NEWTON_OPTIONS(NEWTON_ROW) SLIP_APG_OPTIONS(APG_ROW)
                                                        SLIP_QP_OPTIONS(QP_ROW) SLIP_AUTO_OPTIONS(AUTO_ROW) };
enum { OPTION_COUNT = sizeof options_table / sizeof *options_table };

static double *field_of(slip_solve_options *options, const option *o)
{
    return (double *)(void *)((char *)options + o->offset);
}

slip_solve_options slip_default_solve_options(void)
{
    slip_solve_options options;
    for (int i = 0; i < OPTION_COUNT; i++)
        *field_of(&options, &options_table[i]) = options_table[i].entry.value;
    return options;
}

bool slip_solve_option_entry(int index, slip_option_entry *entry)
{
    if (index < 0 || index >= OPTION_COUNT) return false;
    *entry = options_table[index].entry;
    return true;
}

static slip_status unknown_key(slip_error *error, const char *key)
{
    const char *names[OPTION_COUNT];
    char hint[120];
    for (int i = 0; i < OPTION_COUNT; i++) names[i] = options_table[i].entry.key;
    slip_nearest_name(key, names, OPTION_COUNT, hint, sizeof hint);
    return slip_fail(error, SLIP_UNKNOWN_NAME, "solver option", "unknown option '%s'%s%s", key,
                     *hint ? "; " : "", hint);
}

slip_status slip_solve_option_set(slip_solve_options *options, const char *key_value, slip_error *error)
{
    const char *equals = strchr(key_value, '=');
    char key[64];
    if (!equals)
        return slip_fail(error, SLIP_BAD_ARGUMENT, "solver option", "expected key=value, got '%.80s'",
                         key_value);
    snprintf(key, sizeof key, "%.*s", (int)(equals - key_value < 63 ? equals - key_value : 63), key_value);
    for (int i = 0; i < OPTION_COUNT; i++) {
        const option *o = &options_table[i];
        if (strcmp(o->entry.key, key) != 0) continue;
        char *end;
        const double value = strtod(equals + 1, &end);
        if (end == equals + 1 || *end || isnan(value))
            return slip_fail(error, SLIP_BAD_ARGUMENT, key, "expected a number, got '%.80s'", equals + 1);
        if (value < o->entry.low || value > o->entry.high)
            return slip_fail(error, SLIP_BAD_ARGUMENT, key, "must lie in [%g, %g], got %g", o->entry.low,
                             o->entry.high, value);
        *field_of(options, o) = value;
        return SLIP_OK;
    }
    return unknown_key(error, key);
}
