/// verdict/run/creep_internal.h: a watch for creep, from inside.
#ifndef SLIP_VERDICT_RUN_CREEP_INTERNAL_H
#define SLIP_VERDICT_RUN_CREEP_INTERNAL_H

#include "verdict/run/creep.h"

typedef struct slip_creep_phase {
    bool open;
    double begin, distance[2];
} slip_creep_phase;

struct slip_creep_monitor {
    const slip_equations *equations;
    slip_tape *tape; ///< slip rates, element by element
    int *first;      ///< result of the tape that an element begins with
    double *reg, *last;
    double t;
    bool started;
    slip_creep_phase *phases;
    slip_creep worst;
};

#endif
