/// model/reader/unit_check.c: units of formulas against what their keys take.
#include <stdio.h>
#include <string.h>

#include "model/reader/reader.h"

// the next of "m or rad"; false at the end
static bool next_unit(const char **list, char *unit, size_t size)
{
    const char *end = strstr(*list, " or ");
    size_t length = end ? (size_t)(end - *list) : strlen(*list);
    if (length == 0 || length >= size) return false;
    memcpy(unit, *list, length);
    unit[length] = '\0';
    *list += end ? length + strlen(" or ") : length;
    return true;
}

static bool unit_fits(const char *unit, const char *factor, const slip_dimension *given)
{
    slip_dimension one = slip_dimension_read(unit, SLIP_GIVEN_UNIT),
                   times = slip_dimension_read(factor, SLIP_GIVEN_UNIT);
    one = slip_dimension_product(&one, &times, 1.0);
    return slip_dimension_equal(&one, given);
}

// Parameters of a law are those of a force along a displacement. Where the slip is an angle they are those of
// a torque, and at a contact they may be per newton of normal force.
static bool fits_law(const char *unit, const slip_dimension *given)
{
    return unit_fits(unit, "m^2", given) || unit_fits(unit, "1/m", given) || unit_fits(unit, "1/N", given);
}

static bool key_accepts_unit(const slip_key *key, const slip_dimension *given)
{
    char unit[SLIP_UNIT_LENGTH];
    if (strcmp(key->unit, "1") == 0)
        return slip_dimension_is_number(given) && !slip_dimension_is_angle(given);
    for (const char *list = key->unit; next_unit(&list, unit, sizeof unit);)
        if (unit_fits(unit, "1", given) || (strstr(key->parent, ".law.") && fits_law(unit, given)))
            return true;
    return false;
}

// A force is J over the unit of its coordinate, a mass J s^2 over its square: where that unit is given,
// nothing else will do.
static bool follows_coordinate(slip_reader *r, const slip_yaml *node, slip_dimension *expected)
{
    bool force = strcmp(node->entry->parent, "forces") == 0, mass = strcmp(node->entry->parent, "mass") == 0;
    if (!node->key || (!force && !mass)) return false;
    const slip_symbol *s = slip_lookup(r, node->key->text, node->key->length);
    if (!s || s->kind != SLIP_SYMBOL_COORDINATE || s->value.dimension.known != SLIP_GIVEN_UNIT) return false;
    slip_dimension whole = slip_dimension_read(force ? "J" : "J s^2", SLIP_GIVEN_UNIT);
    *expected = slip_dimension_product(&whole, &s->value.dimension, force ? -1.0 : -2.0);
    return true;
}

bool slip_check_unit(slip_reader *r, const slip_yaml *node, const char *what, const slip_dimension *given)
{
    const slip_key *key = node->entry;
    if (!key || !key->unit[0] || given->known != SLIP_GIVEN_UNIT) return true;
    slip_dimension expected;
    char unit[SLIP_UNIT_LENGTH], wanted[2 * SLIP_UNIT_LENGTH];
    snprintf(wanted, sizeof wanted, "in %s", key->unit);
    if (follows_coordinate(r, node, &expected)) {
        if (slip_dimension_equal(&expected, given)) return true;
        snprintf(wanted, sizeof wanted, "in %s", slip_dimension_text(&expected, unit, sizeof unit));
    } else if (key_accepts_unit(key, given)) {
        return true;
    }
    bool pure = strcmp(key->unit, "1") == 0, angle = pure && strcmp(key->key, "friction") == 0;
    slip_reader_error(r, node->where,
                      angle && slip_dimension_is_angle(given) ? "a friction angle is written tan(20 deg)"
                                                              : NULL,
                      "%s must be %s, and this is %s%s", what, pure ? "a pure number" : wanted,
                      slip_dimension_phrase(given, unit, sizeof unit)[0] == 'a' ? "" : "in ",
                      slip_dimension_phrase(given, unit, sizeof unit));
    return false;
}
