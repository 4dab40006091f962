/// base/philox.c: see philox.h.
#include "base/philox.h"

#include <string.h>

static void multiply_32(uint32_t a, uint32_t b, uint32_t *high, uint32_t *low)
{
    const uint64_t product = (uint64_t)a * b;
    *high = (uint32_t)(product >> 32);
    *low = (uint32_t)product;
}

void slip_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4])
{
    uint32_t c[4], k[2] = { key[0], key[1] };
    memcpy(c, counter, sizeof c);
    for (int round = 0; round < 10; round++) {
        uint32_t high[2], low[2];
        multiply_32(0xD2511F53u, c[0], &high[0], &low[0]);
        multiply_32(0xCD9E8D57u, c[2], &high[1], &low[1]);
        c[0] = high[1] ^ c[1] ^ k[0];
        c[1] = low[1];
        c[2] = high[0] ^ c[3] ^ k[1];
        c[3] = low[0];
        k[0] += 0x9E3779B9u; // the golden ratio, and sqrt(3) - 1, in 32 bits
        k[1] += 0xBB67AE85u;
    }
    memcpy(block, c, sizeof c);
}

double slip_philox_uniform(uint64_t seed, uint64_t run, uint32_t index)
{
    const uint32_t counter[4] = { (uint32_t)run, (uint32_t)(run >> 32), index, 0 };
    const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
    uint32_t block[4];
    slip_philox(counter, key, block);
    const uint64_t bits = (uint64_t)block[0] << 32 | block[1];
    return ((double)(bits >> 11) + 0.5) * 0x1p-53;
}
