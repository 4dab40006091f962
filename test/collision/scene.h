/// scene.h: random numbers for the tests of this folder, the same in every run.
#ifndef SLIP_TEST_COLLIDE_SCENE_H
#define SLIP_TEST_COLLIDE_SCENE_H

#include <math.h>
#include <stdint.h>

#include "collision/collision.h"

/// In (0, 1); splitmix64.
static inline double uniform(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 12) + 0.5) * 0x1p-52;
}

static inline double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * uniform(seed);
}

/// Uniform over all attitudes: Shoemake 1992.
static inline void any_attitude(uint64_t *seed, double q[4])
{
    const double u = uniform(seed), s = 6.283185307179586 * uniform(seed),
                 t = 6.283185307179586 * uniform(seed);
    q[0] = sqrt(1 - u) * sin(s), q[1] = sqrt(1 - u) * cos(s);
    q[2] = sqrt(u) * sin(t), q[3] = sqrt(u) * cos(t);
}

#endif
