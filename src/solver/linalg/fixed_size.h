/// solver/linalg/fixed_size.h: functions whose loop lengths are arguments, and constants at every call.
#ifndef SLIP_SOLVER_LINALG_FIXED_SIZE_H
#define SLIP_SOLVER_LINALG_FIXED_SIZE_H

/// SLIP_FIXED_SIZE, in place of `static inline`: written once for all block sizes, compiled for each. Left to itself a
/// compiler keeps one copy with variable sizes, which takes three times as long.
/// SLIP_UNROLLED, before a loop of few iterations: unrolls it completely, so that its sums stay in registers.
/// Builds with sanitizers leave both out: each access in each copy gets checks of its own, and one file then takes clang minutes.
#ifdef SLIP_SANITIZED
#define SLIP_FIXED_SIZE static inline
#define SLIP_UNROLLED
#else
#define SLIP_FIXED_SIZE static inline __attribute__((always_inline))
#define SLIP_UNROLLED   _Pragma("GCC unroll 8")
#endif

#endif
