/// native.h: see native.c.
#ifndef SLIP_BENCH_NATIVE_H
#define SLIP_BENCH_NATIVE_H

typedef void native_function(const double *in, double *out);

native_function native_friction, native_double_pendulum, native_slider_crank, native_contact,
    native_polynomial, native_branch;

#endif
