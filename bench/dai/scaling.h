/// scaling.h: how time grows with the number of contacts.
#ifndef SLIP_BENCH_SCALING_H
#define SLIP_BENCH_SCALING_H

/// Prints the time of a step with 1 to `most` independent contacts.
void bench_scaling(int most);

#endif
