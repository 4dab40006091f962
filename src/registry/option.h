/// registry/option.h: how the file of a part declares its options.
///
///     enum { INNER, RHO };
///     static const slip_option options[] = {
///         [INNER] = { "inner", "", SLIP_WITHIN(1, 1e4), SLIP_DEFAULT(25), "Newton steps per proximal step"
///         }, [RHO] = { "rho", "1/kg", SLIP_NONNEGATIVE, SLIP_DEFAULT(0), "augmentation; 0: chosen" },
///     };
#ifndef SLIP_REGISTRY_OPTION_H
#define SLIP_REGISTRY_OPTION_H

#include <math.h>
#include <stddef.h>

#include "slipstick/parts.h"

// Bounds of a value.
#define SLIP_ANY_NUMBER                                                                                      \
    {                                                                                                        \
        -HUGE_VAL, HUGE_VAL, true, "", NULL                                                                  \
    }
#define SLIP_POSITIVE                                                                                        \
    {                                                                                                        \
        0.0, HUGE_VAL, true, "greater than 0", NULL                                                          \
    }
#define SLIP_NONNEGATIVE                                                                                     \
    {                                                                                                        \
        0.0, HUGE_VAL, false, "0 or greater", NULL                                                           \
    }
#define SLIP_FRACTION                                                                                        \
    {                                                                                                        \
        0.0, 1.0, false, "from 0 to 1", NULL                                                                 \
    }
#define SLIP_AT_LEAST_ONE                                                                                    \
    {                                                                                                        \
        1.0, HUGE_VAL, false, "1 or greater", NULL                                                           \
    }
#define SLIP_SIGNED_FRACTION                                                                                 \
    {                                                                                                        \
        -1.0, 1.0, false, "from -1 to 1", NULL                                                               \
    }
#define SLIP_WITHIN(low, high)                                                                               \
    {                                                                                                        \
        low, high, false, "from " #low " to " #high, NULL                                                    \
    }

// Default when the option is not given: as a number and in words.
#define SLIP_DEFAULT(value)           value, #value
#define SLIP_REQUIRED                 NAN, "required"
#define SLIP_CHOSEN_BY_PROGRAM(words) NAN, words

/// In the record of a part.
#define SLIP_OPTIONS(table) .options = table, .option_count = sizeof table / sizeof *table

/// The usual bounds as objects.
extern const slip_bounds slip_bounds_positive, slip_bounds_nonnegative, slip_bounds_fraction,
    slip_bounds_at_least_one, slip_bounds_signed_fraction;

/// True when a value lies within bounds.
bool slip_bounds_contain(const slip_bounds *bounds, double value);

/// Number of the option with that name; -1 when there is none.
int slip_option_find(const slip_option *options, int count, const char *name);

#endif
