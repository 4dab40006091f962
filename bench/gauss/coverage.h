/// coverage.h: how often the intervals of a fit hold the truth.
#ifndef SLIP_BENCH_GAUSS_COVERAGE_H
#define SLIP_BENCH_GAUSS_COVERAGE_H

void bench_coverage(int repeats);

#endif
