/// profile.h: performance profiles (Dolan and More) as a plot.
#ifndef SLIP_BENCH_PROFILE_H
#define SLIP_BENCH_PROFILE_H

#include <stdbool.h>

enum { PROFILE_CURVES = 12, PROFILE_PROBLEMS = 400 };

/// Seconds of each solver on each problem; infinity where it did not solve it.
typedef struct profile {
    int curves, problems;
    const char *names[PROFILE_CURVES];
    double seconds[PROFILE_CURVES][PROFILE_PROBLEMS];
} profile;

/// Part of the problems that a curve solves within `factor` times the fastest.
double profile_part(const profile *p, int curve, double factor);

/// Writes an SVG file; false when it cannot be written.
bool profile_write(const profile *p, const char *title, const char *path);

#endif
