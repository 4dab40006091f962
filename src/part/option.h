/// part/option.h: how the file of a part declares its options.
///
///     enum { INNER, RHO };
///     static const slip_option options[] = {
///         [INNER] = { "inner", "", SLIP_WITHIN(1, 1e4), SLIP_DEFAULT(25), "Newton steps per proximal step"
///         }, [RHO] = { "rho", "1/kg", SLIP_NOT_NEGATIVE, SLIP_DEFAULT(0), "augmentation; 0: chosen" },
///     };
#ifndef SLIP_PART_OPTION_H
#define SLIP_PART_OPTION_H

#include <math.h>

#include "slipstick/parts.h"

// what it may be: low, high, whether low is excluded, in words
#define SLIP_ANY_NUMBER        -HUGE_VAL, HUGE_VAL, true, ""
#define SLIP_POSITIVE          0.0, HUGE_VAL, true, "greater than 0"
#define SLIP_NOT_NEGATIVE      0.0, HUGE_VAL, false, "0 or greater"
#define SLIP_FRACTION          0.0, 1.0, false, "from 0 to 1"
#define SLIP_WITHIN(low, high) low, high, false, "from " #low " to " #high

// what holds when it is not given: as a number, in words
#define SLIP_DEFAULT(value) value, #value
#define SLIP_REQUIRED       NAN, "required"
#define SLIP_CHOSEN(words)  NAN, words

/// In the record of a part.
#define SLIP_OPTIONS(table) .options = table, .option_count = sizeof table / sizeof *table

/// True when the option may have this value.
bool slip_option_holds(const slip_option *option, double value);

/// Number of the option with that name; -1 when there is none.
int slip_option_find(const slip_option *options, int count, const char *name);

#endif
