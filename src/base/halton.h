/// base/halton.h: Halton's sequence: points that fill a box evenly.
#ifndef SLIP_BASE_HALTON_H
#define SLIP_BASE_HALTON_H

/// Coordinate `axis`, 0 to 11, of point `index`, from 1 on: the digits of the index in a prime base, mirrored
/// at the point.
static inline double slip_halton(int index, int axis)
{
    static const int primes[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37 };
    double sum = 0.0, part = 1.0;
    for (; index > 0; index /= primes[axis]) {
        part /= primes[axis];
        sum += part * (index % primes[axis]);
    }
    return sum;
}

#endif
