/// formulation/ode/ode_work.h: an ODE that was compiled, from inside.
#ifndef SLIP_FORMULATION_ODE_ODE_WORK_H
#define SLIP_FORMULATION_ODE_ODE_WORK_H

#include "formulation/ode/ode.h"

/// A mass block larger than 1 x 1. A constant one is factored once.
typedef struct slip_ode_block {
    int count, *coordinate;
    bool constant;
    int *entry_reg;       // lower triangle, row-major, count (count + 1) / 2
    double *fixed;        // those known at compile time; NaN where a register must be read
    double *factor, *rhs; // count x count, count
} slip_ode_block;

/// One compiled tape with its registers and where the states enter them.
typedef struct slip_ode_tape {
    slip_tape *tape;
    double *reg;
} slip_ode_tape;

struct slip_ode_work {
    void *memory;
    slip_ode_tape motion, record;
    uint64_t asked;  // times that slip_ode_rate was
    int extra_input; // register of the first element state; the model's own states sit at 1 .. base_count
    int *source;     // register of each rate
    int block_count;
    slip_ode_block *blocks;
    int *closed_reg, *stick_reg, *decay_reg, *strain_reg; // -1: never; constants sit in registers too
    int *record_reg;                                      // records, then kinetic, potential, driven
};

/// Mode of element k (SLIP_MODE_*) as of the last slip_ode_rate; whether all elements are in the given modes.
/// Inline because every step calls them.
static inline unsigned char slip_ode_mode_of(const slip_ode *ode, int k)
{
    const struct slip_ode_work *w = ode->work;
    bool closed = w->motion.reg[w->closed_reg[k]] != 0.0, stick = w->motion.reg[w->stick_reg[k]] != 0.0;
    return (unsigned char)((closed ? SLIP_MODE_CLOSED : 0) | (stick ? SLIP_MODE_STICK : 0));
}

static inline bool slip_ode_modes_equal(const slip_ode *ode, const unsigned char *modes)
{
    for (int k = 0; k < ode->element_count; k++)
        if (slip_ode_mode_of(ode, k) != modes[k]) return false;
    return true;
}

#endif
