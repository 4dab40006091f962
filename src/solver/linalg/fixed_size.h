/// solver/linalg/fixed_size.h: loops whose lengths are arguments, and constants where they are called.
#ifndef SLIP_SOLVER_LINALG_FIXED_SIZE_H
#define SLIP_SOLVER_LINALG_FIXED_SIZE_H

/// In place of `static inline`: written once for all sizes of blocks, compiled for each. Left to itself a
/// compiler keeps one copy with variable sizes, which takes three times as long.
#define SLIP_FIXED_SIZE static inline __attribute__((always_inline))

/// Before a loop of few rounds: one after the other, without jumps, so that what they add to stays in
/// registers.
#define SLIP_UNROLLED _Pragma("GCC unroll 8")

#endif
