/// solver/linalg/fixed_size.h: functions whose loop lengths are arguments, and constants at every call.
#ifndef SLIP_SOLVER_LINALG_FIXED_SIZE_H
#define SLIP_SOLVER_LINALG_FIXED_SIZE_H

/// In place of `static inline`: written once for all block sizes, compiled for each. Left to itself a
/// compiler keeps one copy with variable sizes, which takes three times as long.
#define SLIP_FIXED_SIZE static inline __attribute__((always_inline))

/// Before a loop of few iterations: unrolls it completely, so that its sums stay in registers.
#define SLIP_UNROLLED _Pragma("GCC unroll 8")

#endif
