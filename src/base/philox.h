/// base/philox.h: random numbers as a function of their index.
///
/// Philox4x32-10 (J. K. Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a counter
/// is scrambled in ten rounds under a key. Numbers of one run do not depend on how many runs there are, nor
/// on who computes them.
#ifndef SLIP_BASE_PHILOX_H
#define SLIP_BASE_PHILOX_H

#include <stdint.h>

/// The block of a counter under a key.
void slip_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4]);

/// Uniform in (0, 1), a multiple of 2^-53 plus half of it; number `index` of run `run` under a seed.
double slip_philox_uniform(uint64_t seed, uint64_t run, uint32_t index);

#endif
