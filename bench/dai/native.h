/// native.h: the examples of Xiong 2013 as a person would write them in C: the right-hand side, one rk4 step.
#ifndef SLIP_BENCH_DAI_NATIVE_H
#define SLIP_BENCH_DAI_NATIVE_H

enum { NATIVE_MAX = 16 };

typedef struct native_example {
    const char *model; ///< models/xiong/NAME.yaml
    int count;
    double start[NATIVE_MAX];
    double until; ///< s, of a run that shows its regimes
    int contacts; ///< evaluations of an element per right-hand side
    void (*step)(double t, double h, double *x);
    const char *column; ///< one state, to see that both compute the same
    int index;
} native_example;

/// NULL past the end.
const native_example *native_example_at(int k);

#endif
