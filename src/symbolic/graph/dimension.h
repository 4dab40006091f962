/// symbolic/graph/dimension.h: dimensions of numbers: powers of kilogram, metre, second, radian, ampere and kelvin.
///
/// Formulas are checked as far as units are given. A unit in the file is given; a unit that the program knows
/// by itself (t is in seconds, the x of a body in metres) is assumed; a bare number may have any unit, so
/// results computed from it are unknown. Only given units can clash, with given or assumed ones: a file
/// without units has no unit errors.
///
/// Angles are pure numbers to sums and products (r*th is a length), but the radian is kept for print and for
/// keys that take a pure number.
#ifndef SLIP_SYMBOLIC_GRAPH_DIMENSION_H
#define SLIP_SYMBOLIC_GRAPH_DIMENSION_H

#include <stdbool.h>
#include <stddef.h>

typedef enum slip_base {
    SLIP_KILOGRAM,
    SLIP_METRE,
    SLIP_SECOND,
    SLIP_RADIAN,
    SLIP_AMPERE,
    SLIP_KELVIN,
    SLIP_BASE_COUNT
} slip_base;

typedef enum slip_unit_origin { SLIP_UNKNOWN_UNIT, SLIP_ASSUMED_UNIT, SLIP_GIVEN_UNIT } slip_unit_origin;

/// All zero: unknown.
typedef struct slip_dimension {
    slip_unit_origin known;
    float power[SLIP_BASE_COUNT]; ///< of the base units; halves come from sqrt
} slip_dimension;

/// From text: "N m/rad", "1" for a pure number. "" and what is not a unit is unknown.
slip_dimension slip_dimension_read(const char *unit, slip_unit_origin known);

/// The same dimension up to the radian; an unknown one equals nothing.
bool slip_dimension_equal(const slip_dimension *a, const slip_dimension *b);

bool slip_dimension_is_angle(const slip_dimension *a);  ///< the radian and nothing else
bool slip_dimension_is_number(const slip_dimension *a); ///< a pure number or an angle

/// True if the two cannot be added, judging by given units.
bool slip_dimension_clash(const slip_dimension *a, const slip_dimension *b);

/// Of a sum, of a*b^n and of a^n.
slip_dimension slip_dimension_sum(const slip_dimension *a, const slip_dimension *b);
slip_dimension slip_dimension_product(const slip_dimension *a, const slip_dimension *b, double n);
slip_dimension slip_dimension_power(const slip_dimension *a, double n);

/// Of the rate of a.
slip_dimension slip_dimension_rate(const slip_dimension *a);

/// The unit in SI: "N/m"; "" when it is unknown, and of a pure number. Returns buffer.
const char *slip_dimension_text(const slip_dimension *a, char *buffer, size_t size);

/// The same for a sentence: "N/m", "a pure number".
const char *slip_dimension_phrase(const slip_dimension *a, char *buffer, size_t size);

enum { SLIP_UNIT_LENGTH = 80 }; ///< enough for either

#endif
