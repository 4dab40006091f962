/// run/creep_work.h: a watch for creep, from inside.
#ifndef SLIP_RUN_CREEP_WORK_H
#define SLIP_RUN_CREEP_WORK_H

#include "run/creep.h"

typedef struct slip_creep_phase {
    bool open;
    double begin, way[2];
} slip_creep_phase;

struct slip_creep_watch {
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
