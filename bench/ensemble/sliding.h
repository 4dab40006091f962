/// sliding.h: a block on a rough floor, held by a spring, under formulations with a compliant layer, as a
/// person would write it in C.
#ifndef SLIP_BENCH_SLIDING_H
#define SLIP_BENCH_SLIDING_H

/// The same as a model; its parameter is mu.
#define SLIDING_MODEL                                                                                        \
    "slipstick: 1\nname: Sliding block\nparameters: {mu: 0.3}\n"                                             \
    "coordinates: {x: {start: 0, rate: 2}, y: {start: 0.05, rate: 0}}\nmass: {x: 2, y: 2}\n"                 \
    "forces: {x: -40*x, y: -19.62}\n"                                                                        \
    "contacts: {floor: {gap: y, slip: x, friction: mu, compliance: {stiffness: 1e5, damping: 100, "          \
    "stiffness_t: 5e4, damping_t: 50}}}\n"

/// x, y, their rates, and the way of the layer along the floor.
enum { SLIDING_STATES = 5 };

/// Steps of rk4, and of rk4-generalised (Kikuuwe 2008, eq 21) for `modular`, from the start of the model.
typedef void sliding_steps(double *x, double h, long steps);
sliding_steps sliding_kelvin_voigt, sliding_hunt_crossley, sliding_modular;

#endif
