/// base/decimal.c: decimal numbers in and out, whatever the locale of the program around us.
///
/// Writing follows R. Giulietti, "The Schubfach way to render doubles" (2020): of all decimals that round to the double, those with
/// the fewest digits, and of these the nearest. Its cost is three products of 64 by 128 bits, where printf and strtod
/// take turns with long integers.
#include "base/decimal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// strtod follows the locale's decimal point, formulas do not
static char decimal_point(void)
{
    char sample[16];
    snprintf(sample, sizeof sample, "%.1f", 0.5);
    return sample[1];
}

bool slip_decimal_read(const char *text, size_t length, double *value)
{
    char copy[SLIP_DECIMAL_MAX_LENGTH + 1], point = decimal_point();
    if (length > SLIP_DECIMAL_MAX_LENGTH) return false;
    for (size_t k = 0; k < length; k++) copy[k] = text[k] == '.' ? point : text[k];
    copy[length] = '\0';
    *value = strtod(copy, NULL);
    return true;
}

// -------------------------------------------------------------------------------------------- shortest digits

// value = digits 10^exponent
typedef struct decimal {
    uint64_t digits;
    int exponent;
} decimal;

// a 2^64 + b
typedef struct power_of_ten {
    uint64_t high, low;
} power_of_ten;

enum { LEAST_POWER = -292, STORED_BITS = 52, LEAST_EXPONENT = -1074 };

static const power_of_ten powers[] = {
#define POWER(high, low) { high, low },
#include "base/powers_of_ten.def"
#undef POWER
};

__extension__ typedef unsigned __int128 wide;

// floor(e log2(10)) and floor(e log10(2)), floor(e log10(2) + log10(3/4)): exact for every exponent of a double (section 9 of the paper)
static int floor_log2_power_of_ten(int e)
{
    return (e * 1741647) >> 19;
}

static int floor_log10_spacing(int e, bool uneven)
{
    return (e * 1262611 - (uneven ? 524031 : 0)) >> 22;
}

// Upper 64 of the 192 bits of g c; its last bit is set where anything of weight was cut off (section 9.2: rounding to odd).
static uint64_t multiply_round_to_odd(power_of_ten g, uint64_t c)
{
    const wide low = (wide)g.low * c, high = (wide)g.high * c + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

// The shortest decimal in the rounding interval of c 2^q, c > 0 (figure 7 of the paper).
static decimal shortest_decimal(uint64_t c, int q)
{
    const bool even = c % 2 == 0;
    const bool uneven =
        c == (uint64_t)1 << STORED_BITS && q > LEAST_EXPONENT; // the double below is half as far
    const int k = floor_log10_spacing(q, uneven), h = q + floor_log2_power_of_ten(-k) + 1;
    const power_of_ten g = powers[-k - LEAST_POWER];
    // four times the ends of the interval and the value, in units of 10^k; an odd c does not own its ends
    const uint64_t below = multiply_round_to_odd(g, (4 * c - (uneven ? 1 : 2)) << h) + !even;
    const uint64_t value = multiply_round_to_odd(g, (4 * c) << h);
    const uint64_t above = multiply_round_to_odd(g, (4 * c + 2) << h) - !even;
    const uint64_t s = value / 4, tens = s / 10;
    if (s >= 10) {
        const bool lower = below <= 40 * tens, upper = 40 * tens + 40 <= above;
        if (lower != upper) return (decimal){ tens + upper, k + 1 };
    }
    const bool lower = below <= 4 * s, upper = 4 * s + 4 <= above;
    if (lower != upper) return (decimal){ s + upper, k };
    const uint64_t middle = 4 * s + 2;
    return (decimal){ s + (value > middle || (value == middle && s % 2 == 1)), k };
}

static decimal decimal_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & (((uint64_t)1 << STORED_BITS) - 1);
    const int biased = (int)(bits >> STORED_BITS) & 0x7ff;
    return biased == 0 ? shortest_decimal(fraction, LEAST_EXPONENT)
                       : shortest_decimal(fraction | (uint64_t)1 << STORED_BITS, biased - 1 + LEAST_EXPONENT);
}

// -------------------------------------------------------------------------------------------- text

// Digits of n, without its trailing zeros, which go into the exponent; returns their number. Two at a time: half the divisions.
static int write_digits(decimal *n, char *digits)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
        "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
        "9899";
    while (n->digits % 10 == 0) n->digits /= 10, n->exponent++;
    char reversed[20], *from = reversed + sizeof reversed;
    uint64_t rest = n->digits;
    for (; rest >= 100; rest /= 100) memcpy(from -= 2, pairs + 2 * (rest % 100), 2);
    if (rest >= 10)
        memcpy(from -= 2, pairs + 2 * rest, 2);
    else
        *--from = (char)('0' + rest);
    const int count = (int)(reversed + sizeof reversed - from);
    memcpy(digits, from, (size_t)count);
    return count;
}

static char *put_bytes(char *at, const char *bytes, int count)
{
    memcpy(at, bytes, (size_t)count);
    return at + count;
}

static char *put_zeros(char *at, int count)
{
    memset(at, '0', (size_t)count);
    return at + count;
}

static char *put_exponent(char *at, int exponent)
{
    const int size = abs(exponent);
    *at++ = 'e';
    *at++ = exponent < 0 ? '-' : '+';
    if (size >= 100) *at++ = (char)('0' + size / 100);
    *at++ = (char)('0' + size / 10 % 10);
    *at++ = (char)('0' + size % 10);
    return at;
}

// `point` digits stand before the decimal point; 0 or less: so many zeros follow it.
static char *put_positional(char *at, const char *digits, int count, int point)
{
    if (point <= 0) return put_bytes(put_zeros(put_bytes(at, "0.", 2), -point), digits, count);
    if (point >= count) return put_zeros(put_bytes(at, digits, count), point - count);
    at = put_bytes(at, digits, point);
    *at++ = '.';
    return put_bytes(at, digits + point, count - point);
}

static char *put_scientific(char *at, const char *digits, int count, int point)
{
    *at++ = digits[0];
    if (count > 1) *at++ = '.';
    return put_exponent(put_bytes(at, digits + 1, count - 1), point - 1);
}

int slip_decimal_write(double value, char buffer[SLIP_DECIMAL_SIZE])
{
    enum {
        LEAST_POINT = -3,
        MOST_POINT = 15
    }; // from 0.0001 to 15 digits, or to as many as there are, no exponent is needed
    char *at = buffer;
    if (signbit(value) && !isnan(value)) *at++ = '-'; // the sign bit of a NaN depends on the processor
    if (!isfinite(value)) {
        at = put_bytes(at, isnan(value) ? "nan" : "inf", 3);
    } else if (value == 0.0) {
        *at++ = '0';
    } else {
        char digits[20];
        decimal n = decimal_of(value);
        const int count = write_digits(&n, digits), point = count + n.exponent;
        const bool positional = LEAST_POINT <= point && (point <= MOST_POINT || point <= count);
        at = (positional ? put_positional : put_scientific)(at, digits, count, point);
    }
    *at = '\0';
    return (int)(at - buffer);
}
