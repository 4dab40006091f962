/// symbolic/language/dimension.c: products, sums and print of dimensions.
#include "symbolic/graph/dimension.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/language/parser.h"

// Powers of base units that differ by less are equal. Powers come from products and roots, so they are ratios of
// small integers, known to the rounding of a float (1e-7); no two of them are as near as a thousandth.
static const float SAME_POWER_TOLERANCE = 1e-3f;

static bool same_power(float a, float b)
{
    return fabsf(a - b) < SAME_POWER_TOLERANCE;
}

bool slip_dimension_equal(const slip_dimension *a, const slip_dimension *b)
{
    if (!a->known || !b->known) return false;
    for (int k = 0; k < SLIP_BASE_COUNT; k++)
        if (k != SLIP_RADIAN && !same_power(a->power[k], b->power[k])) return false;
    return true;
}

bool slip_dimension_is_number(const slip_dimension *a)
{
    return slip_dimension_equal(a, &(slip_dimension){ .known = SLIP_GIVEN_UNIT });
}

bool slip_dimension_is_angle(const slip_dimension *a)
{
    return slip_dimension_is_number(a) && same_power(a->power[SLIP_RADIAN], 1.0f);
}

bool slip_dimension_clash(const slip_dimension *a, const slip_dimension *b)
{
    bool given = a->known == SLIP_GIVEN_UNIT || b->known == SLIP_GIVEN_UNIT;
    return given && a->known && b->known && !slip_dimension_equal(a, b);
}

slip_dimension slip_dimension_sum(const slip_dimension *a, const slip_dimension *b)
{
    if (!a->known) return *b;
    if (!b->known) return *a;
    if (!slip_dimension_equal(a, b)) return (slip_dimension){ 0 };
    return a->known >= b->known ? *a : *b;
}

slip_dimension slip_dimension_product(const slip_dimension *a, const slip_dimension *b, double n)
{
    slip_dimension out = { .known = a->known < b->known ? a->known : b->known };
    for (int k = 0; k < SLIP_BASE_COUNT && out.known; k++)
        out.power[k] = a->power[k] + (float)n * b->power[k];
    return out;
}

slip_dimension slip_dimension_power(const slip_dimension *a, double n)
{
    slip_dimension number = { .known = SLIP_GIVEN_UNIT };
    return slip_dimension_product(&number, a, n);
}

slip_dimension slip_dimension_rate(const slip_dimension *a)
{
    slip_dimension second = { .known = SLIP_GIVEN_UNIT, .power[SLIP_SECOND] = 1.0f };
    return slip_dimension_product(a, &second, -1.0);
}

// ----------------------------------------------------------------------------------------- as text

slip_dimension slip_dimension_read(const char *unit, slip_unit_origin known)
{
    slip_dimension out = { .known = known };
    double way = 1.0; // -1 behind a /
    if (!unit[0]) return (slip_dimension){ 0 };
    if (unit[0] == '1') unit++;
    while (*unit) {
        size_t length = strcspn(unit, " */^");
        if (length == 0) {
            way = *unit++ == '/' ? -1.0 : way;
            continue;
        }
        const slip_unit *one = slip_unit_find(unit, length);
        if (!one) return (slip_dimension){ 0 };
        unit += length;
        double exponent = 1.0;
        if (*unit == '^') {
            char *end;
            exponent = strtod(unit + 1, &end);
            unit = end;
        }
        slip_dimension factor = one->dimension;
        factor.known = known;
        out = slip_dimension_product(&out, &factor, way * exponent);
        way = 1.0;
    }
    return out;
}

// what people write, the shortest first; the rest is put together from base units
static const char *const usual[] = { "m",   "m/s",     "m/s^2", "rad",   "rad/s",     "rad/s^2", "N",
                                     "N m", "N m/rad", "N/m",   "N s/m", "N m s/rad", "N s",     "N m s",
                                     "kg",  "kg m^2",  "W",     "Pa",    "s",         "1/s",     "1/m",
                                     "s/m", "V",       "ohm",   "A",     "K",         "m^2",     "m^3" };

static const char *usual_unit(const slip_dimension *a)
{
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++) {
        slip_dimension one = slip_dimension_read(usual[k], SLIP_GIVEN_UNIT);
        if (slip_dimension_equal(a, &one) && same_power(a->power[SLIP_RADIAN], one.power[SLIP_RADIAN]))
            return usual[k];
    }
    return NULL;
}

static void print_base_units(const slip_dimension *a, char *buffer, size_t size)
{
    static const char *const names[] = { "kg", "m", "s", "rad", "A", "K" };
    size_t at = 0;
    for (int below = 0; below < 2; below++)
        for (int k = 0; k < SLIP_BASE_COUNT && at < size; k++) {
            float power = below ? -a->power[k] : a->power[k];
            if (k == SLIP_RADIAN || power < SAME_POWER_TOLERANCE) continue;
            const char *before = below ? (at ? "/" : "1/") : at ? " " : "";
            at += (size_t)snprintf(buffer + at, size - at, "%s%s", before, names[k]);
            if (!same_power(power, 1.0f) && at < size)
                at += (size_t)snprintf(buffer + at, size - at, "^%g", (double)power);
        }
}

const char *slip_dimension_text(const slip_dimension *a, char *buffer, size_t size)
{
    buffer[0] = '\0';
    if (!a->known) return buffer;
    slip_dimension plain = *a;
    plain.power[SLIP_RADIAN] = 0.0f;
    const char *name = usual_unit(a);
    if (!name) name = usual_unit(&plain);
    if (name)
        snprintf(buffer, size, "%s", name);
    else
        print_base_units(a, buffer, size);
    return buffer;
}

const char *slip_dimension_phrase(const slip_dimension *a, char *buffer, size_t size)
{
    slip_dimension_text(a, buffer, size);
    if (!buffer[0]) snprintf(buffer, size, "a pure number");
    return buffer;
}
