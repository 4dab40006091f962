/// symbolic/simd/simd_sse2.c: lanes, two numbers at a time: SSE2, which every x86-64 has; elsewhere what the compiler makes
/// of it.
#include "symbolic/simd/simd_kernels.h"

#define WIDTH     2
#define RUN_LANES slip_lanes_run_2
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));
typedef uint64_t U __attribute__((vector_size(8 * WIDTH)));
typedef int64_t M __attribute__((vector_size(8 * WIDTH)));

#ifdef __SSE2__
#include <emmintrin.h>

static inline V root(V x)
{
    return (V)_mm_sqrt_pd((__m128d)x);
}
#else
#include <math.h>

static inline V root(V x)
{
    return (V){ sqrt(x[0]), sqrt(x[1]) };
}
#endif

#include "symbolic/simd/simd_interpreter.h"
