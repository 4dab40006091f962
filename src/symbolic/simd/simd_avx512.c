/// symbolic/simd/simd_avx512.c: lanes, eight numbers at a time: AVX-512.
#include "symbolic/simd/simd_kernels.h"

#ifdef SLIP_LANES_X86
#include <immintrin.h>

#define WIDTH     8
#define RUN_LANES slip_lanes_run_8
typedef double V __attribute__((vector_size(8 * WIDTH), may_alias));
typedef uint64_t U __attribute__((vector_size(8 * WIDTH)));
typedef int64_t M __attribute__((vector_size(8 * WIDTH)));

static inline V root(V x)
{
    return (V)_mm512_sqrt_pd((__m512d)x);
}

static inline V multiply_subtract(V a, V b, V c)
{
    return (V)_mm512_fmsub_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
#define multiply_subtract multiply_subtract

#include "symbolic/simd/simd_interpreter.h"
#endif
