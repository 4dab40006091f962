/// test.h: what every test includes. cmocka's float asserts compare in single precision, so
/// doubles have their own here.
#ifndef SLIP_TEST_H
#define SLIP_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/// |value - expected| <= tolerance, with NaN always failing and both numbers printed in full.
#define assert_near(value, expected, tolerance)                                                              \
    check_near((value), (expected), (tolerance), #value, __FILE__, __LINE__)

static inline void check_near(double value, double expected, double tolerance, const char *what,
                              const char *file, int line)
{
    if (fabs(value - expected) <= tolerance) return;
    print_error("%s = %.17g, expected %.17g within %g (off by %g)\n", what, value, expected, tolerance,
                fabs(value - expected));
    _fail(file, line);
}

#endif
