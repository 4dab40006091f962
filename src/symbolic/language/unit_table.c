/// symbolic/language/unit_table.c: the units that may follow a number.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbolic/language/parser.h"

#define PI 3.14159265358979323846
#define UNIT(name, times, over, dimension, meaning)                                                          \
    {                                                                                                        \
        { name, meaning, (times) / (over) }, times, over, { SLIP_GIVEN_UNIT, dimension }, false              \
    }
#define YIELDING_UNIT(name, times, over, dimension, meaning)                                                 \
    {                                                                                                        \
        { name, meaning, (times) / (over) }, times, over, { SLIP_GIVEN_UNIT, dimension }, true               \
    }

// powers of kg, m, s, rad, A, K
// clang-format off
#define LENGTH      { 0, 1, 0, 0, 0, 0 }
#define MASS        { 1, 0, 0, 0, 0, 0 }
#define TIME        { 0, 0, 1, 0, 0, 0 }
#define ANGLE       { 0, 0, 0, 1, 0, 0 }
#define SPIN        { 0, 0, -1, 1, 0, 0 }
#define FREQUENCY   { 0, 0, -1, 0, 0, 0 }
#define FORCE       { 1, 1, -2, 0, 0, 0 }
#define ENERGY      { 1, 2, -2, 0, 0, 0 }
#define PRESSURE    { 1, -1, -2, 0, 0, 0 }
#define POWER       { 1, 2, -3, 0, 0, 0 }
#define VOLTAGE     { 1, 2, -3, 0, -1, 0 }
#define CURRENT     { 0, 0, 0, 0, 1, 0 }
#define RESISTANCE  { 1, 2, -3, 0, -2, 0 }
#define TEMPERATURE { 0, 0, 0, 0, 0, 1 }
// clang-format on

// The one list of units: the reader, its suggestions, `list` and the manual's test all use it.
static const slip_unit units[] = {
    UNIT("m", 1.0, 1.0, LENGTH, "metre"),
    UNIT("km", 1e3, 1.0, LENGTH, "kilometre"),
    UNIT("cm", 1.0, 1e2, LENGTH, "centimetre"),
    UNIT("mm", 1.0, 1e3, LENGTH, "millimetre"),
    UNIT("um", 1.0, 1e6, LENGTH, "micrometre"),
    UNIT("\xC2\xB5m", 1.0, 1e6, LENGTH, "micrometre"),
    UNIT("nm", 1.0, 1e9, LENGTH, "nanometre"),
    UNIT("kg", 1.0, 1.0, MASS, "kilogram"),
    YIELDING_UNIT("g", 1.0, 1e3, MASS, "gram"),
    UNIT("mg", 1.0, 1e6, MASS, "milligram"),
    UNIT("s", 1.0, 1.0, TIME, "second"),
    UNIT("ms", 1.0, 1e3, TIME, "millisecond"),
    UNIT("us", 1.0, 1e6, TIME, "microsecond"),
    UNIT("\xC2\xB5s", 1.0, 1e6, TIME, "microsecond"),
    UNIT("ns", 1.0, 1e9, TIME, "nanosecond"),
    UNIT("min", 60.0, 1.0, TIME, "minute"),
    YIELDING_UNIT("h", 3600.0, 1.0, TIME, "hour"),
    UNIT("rad", 1.0, 1.0, ANGLE, "radian"),
    UNIT("mrad", 1.0, 1e3, ANGLE, "milliradian"),
    UNIT("deg", PI, 180.0, ANGLE, "degree, pi/180 rad"),
    UNIT("rev", 2.0 * PI, 1.0, ANGLE, "revolution, 2 pi rad"),
    UNIT("rpm", PI, 30.0, SPIN, "revolutions per minute, pi/30 rad/s"),
    UNIT("Hz", 1.0, 1.0, FREQUENCY, "hertz, 1/s"),
    UNIT("kHz", 1e3, 1.0, FREQUENCY, "kilohertz"),
    UNIT("MHz", 1e6, 1.0, FREQUENCY, "megahertz"),
    YIELDING_UNIT("N", 1.0, 1.0, FORCE, "newton"),
    UNIT("mN", 1.0, 1e3, FORCE, "millinewton"),
    UNIT("kN", 1e3, 1.0, FORCE, "kilonewton"),
    UNIT("MN", 1e6, 1.0, FORCE, "meganewton"),
    UNIT("Nm", 1.0, 1.0, ENERGY, "newton metre"),
    UNIT("mNm", 1.0, 1e3, ENERGY, "millinewton metre"),
    UNIT("kNm", 1e3, 1.0, ENERGY, "kilonewton metre"),
    UNIT("Pa", 1.0, 1.0, PRESSURE, "pascal"),
    UNIT("kPa", 1e3, 1.0, PRESSURE, "kilopascal"),
    UNIT("MPa", 1e6, 1.0, PRESSURE, "megapascal"),
    UNIT("GPa", 1e9, 1.0, PRESSURE, "gigapascal"),
    UNIT("bar", 1e5, 1.0, PRESSURE, "bar, 1e5 Pa"),
    YIELDING_UNIT("J", 1.0, 1.0, ENERGY, "joule"),
    UNIT("mJ", 1.0, 1e3, ENERGY, "millijoule"),
    UNIT("kJ", 1e3, 1.0, ENERGY, "kilojoule"),
    YIELDING_UNIT("W", 1.0, 1.0, POWER, "watt"),
    UNIT("mW", 1.0, 1e3, POWER, "milliwatt"),
    UNIT("kW", 1e3, 1.0, POWER, "kilowatt"),
    YIELDING_UNIT("V", 1.0, 1.0, VOLTAGE, "volt"),
    UNIT("mV", 1.0, 1e3, VOLTAGE, "millivolt"),
    YIELDING_UNIT("A", 1.0, 1.0, CURRENT, "ampere"),
    UNIT("mA", 1.0, 1e3, CURRENT, "milliampere"),
    UNIT("ohm", 1.0, 1.0, RESISTANCE, "ohm"),
    YIELDING_UNIT("K", 1.0, 1.0, TEMPERATURE, "kelvin"),
};

enum { UNIT_COUNT = sizeof units / sizeof units[0] };

const slip_unit_info *slip_formula_unit(int k)
{
    return k >= 0 && k < UNIT_COUNT ? &units[k].info : NULL;
}

const slip_unit *slip_unit_find(const char *name, size_t length)
{
    char plain[16];
    // a Greek mu is taken for the micro sign
    if (length > 2 && length < sizeof plain && memcmp(name, "\xCE\xBC", 2) == 0) {
        memcpy(plain, name, length);
        memcpy(plain, "\xC2\xB5", 2);
        name = plain;
    }
    for (int k = 0; k < UNIT_COUNT; k++)
        if (strlen(units[k].info.name) == length && memcmp(units[k].info.name, name, length) == 0)
            return &units[k];
    return NULL;
}

static const char *suggest_unit(const char *word, char *buffer, int size)
{
    const char *names[UNIT_COUNT];
    for (int k = 0; k < UNIT_COUNT; k++) names[k] = units[k].info.name;
    return slip_suggest_name(word, names, UNIT_COUNT, buffer, size);
}

// ----------------------------------------------------------------------------------- after a number

static bool is_plain_name(const slip_token *t)
{
    return t->kind == SLIP_TOKEN_NAME && t->primes == 0;
}

static const slip_unit *unit_of(const slip_parser *r, const slip_token *t)
{
    return is_plain_name(t) ? slip_unit_find(r->text + t->start, t->end - t->start) : NULL;
}

static bool opens_call(slip_parser *r, const slip_token *name)
{
    size_t k = name->end;
    while (k < r->length && (r->text[k] == ' ' || r->text[k] == '\t')) k++;
    return k < r->length && r->text[k] == '(';
}

bool slip_token_is_symbol(const slip_parser *r, const slip_token *t)
{
    char name[SLIP_NAME_LENGTH + 1];
    slip_value ignored;
    size_t length = t->name_end - t->start;
    if (length > SLIP_NAME_LENGTH) return false;
    memcpy(name, r->text + t->start, length);
    name[length] = '\0';
    return slip_function_find(name, length, NULL) || slip_parser_knows(r, name, t->primes, &ignored);
}

// the unit after `*` or `/`, when what stands there is one. A symbol of that name wins where there
// is space around the sign (100 N / m divides by m), the unit where there is none (100 N/m), since
// in a model with a mass m the stiffness is still written so.
static const slip_unit *following_unit(slip_parser *r, const slip_token *sign, slip_token *name)
{
    size_t k = sign->end;
    while (k < r->length && (r->text[k] == ' ' || r->text[k] == '\t')) k++;
    bool starts_name =
        k < r->length && (slip_formula_is_name(r->text + k, 1) || (unsigned char)r->text[k] > 127);
    if (!starts_name || !slip_parser_lex(r, sign->end, name)) return NULL;
    const slip_unit *unit = unit_of(r, name);
    if (!unit || opens_call(r, name)) return NULL;
    bool tight = sign->start == r->last_end && name->start == sign->end;
    if (tight && !unit->shy) return unit; // without asking: a scope may take the question for a dependence
    return slip_token_is_symbol(r, name) ? NULL : unit;
}

// a whole exponent after a unit; 1 when there is none
static bool read_exponent(slip_parser *r, int *exponent)
{
    *exponent = 1;
    if (r->token.kind != SLIP_TOKEN_SIGN || r->token.sign != '^') return true;
    size_t start = r->token.start;
    slip_parser_next(r);
    bool negative = !r->stopped && r->token.kind == SLIP_TOKEN_SIGN && r->token.sign == '-';
    if (negative) slip_parser_next(r);
    if (r->stopped) return false;
    double v = r->token.value;
    if (r->token.kind != SLIP_TOKEN_NUMBER || v != floor(v) || v > 9.0) {
        slip_parser_error(r, start, r->token.end > start ? r->token.end : start + 1,
                          "put the number and its unit in parentheses to take a power of it: (5 m)^x",
                          "the exponent of a unit must be a whole number up to 9");
        r->stopped = true;
        return false;
    }
    *exponent = negative ? -(int)v : (int)v;
    slip_parser_next(r);
    return !r->stopped;
}

static void scale_by(const slip_unit *unit, int exponent, double *times, double *over)
{
    for (int k = 0; k < abs(exponent); k++) {
        *times *= exponent > 0 ? unit->times : unit->over;
        *over *= exponent > 0 ? unit->over : unit->times;
    }
}

static void explain_unknown(slip_parser *r, const slip_token *number, const slip_token *name)
{
    char hint[200], nearest[120], word[SLIP_NAME_LENGTH + 1];
    int digits = (int)(number->end - number->start), letters = (int)(name->end - name->start);
    bool call = opens_call(r, name);
    if (digits > 40 || letters > SLIP_NAME_LENGTH) digits = letters = 0;
    memcpy(word, r->text + name->start, (size_t)letters);
    word[letters] = '\0';
    snprintf(hint, sizeof hint, "write %.*s*%.100s%s", digits, r->text + number->start, word,
             call ? "(...)" : "");
    if (call || slip_token_is_symbol(r, name)) {
        slip_parser_error(r, number->start, name->end, digits ? hint : NULL,
                          "an operator is missing between the number and '%.100s'", word);
        return;
    }
    suggest_unit(word, nearest, sizeof nearest);
    slip_parser_error(r, name->start, name->end,
                      nearest[0] ? nearest
                                 : "a name right after a number is a unit, such as mm, kg, N or rpm",
                      "unknown unit '%.100s'", word);
}

bool slip_parser_read_unit(slip_parser *r, const slip_token *number, double *value, slip_dimension *dimension)
{
    slip_token name = r->token;
    if (name.kind != SLIP_TOKEN_NAME || slip_token_is(r, &name, "and") || slip_token_is(r, &name, "or"))
        return true;
    const slip_unit *unit = opens_call(r, &name) ? NULL : unit_of(r, &name);
    if (!unit) {
        explain_unknown(r, number, &name);
        slip_parser_next(r);
        if (!r->stopped && r->token.kind == SLIP_TOKEN_SIGN && r->token.sign == '(') r->stopped = true;
        return false;
    }
    double times = 1.0, over = 1.0;
    int way = 1; // -1 after a division
    dimension->known = SLIP_GIVEN_UNIT;
    while (unit) {
        int exponent;
        slip_parser_next(r);
        if (r->stopped || !read_exponent(r, &exponent)) return false;
        scale_by(unit, way * exponent, &times, &over);
        *dimension = slip_dimension_product(dimension, &unit->dimension, way * exponent);
        slip_token sign = r->token;
        way = 1;
        unit = unit_of(r, &sign); // 0.5 kg m^2
        if (unit && opens_call(r, &sign)) unit = NULL;
        if (sign.kind != SLIP_TOKEN_SIGN || (sign.sign != '*' && sign.sign != '/')) continue;
        unit = following_unit(r, &sign, &name);
        if (unit) slip_parser_next(r);
        way = sign.sign == '/' ? -1 : 1;
    }
    *value = *value * times / over;
    return true;
}
