/// dedicated.h: the slider-crank of Flores 2010 and nothing else.
#ifndef BENCH_MOREAU_DEDICATED_H
#define BENCH_MOREAU_DEDICATED_H

/// Steps of Moreau's rule, eqs (85), (90)-(113), Lemke by the textbook. q and u have 3 numbers each and are
/// advanced in place. Returns the number of steps in which Lemke ended on a ray (their impulses are left
/// out).
long dedicated_steps(double *q, double *u, double dt, long steps);

/// The same, as fast as by hand: states of contacts are tried, those of the last step first. Returns the
/// number of steps in which none fits.
long tight_steps(double *q, double *u, double dt, long steps);

#endif
