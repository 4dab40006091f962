/// symbolic/simd/simd_avx2.c: lanes, four numbers at a time: AVX2.
#include "symbolic/simd/simd_kernels.h"

#ifdef SLIP_LANES_X86
#include <immintrin.h>

#define WIDTH     4
#define RUN_LANES slip_lanes_run_4
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));
typedef uint64_t U __attribute__((vector_size(8 * WIDTH)));
typedef int64_t M __attribute__((vector_size(8 * WIDTH)));

static inline V root(V x)
{
    return (V)_mm256_sqrt_pd((__m256d)x);
}

static inline V multiply_subtract(V a, V b, V c)
{
    return (V)_mm256_fmsub_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
#define multiply_subtract multiply_subtract

#include "symbolic/simd/simd_interpreter.h"
#endif
