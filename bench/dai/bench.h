/// bench.h: what the parts of bench_dai share.
#ifndef SLIP_BENCH_DAI_H
#define SLIP_BENCH_DAI_H

#include "slipstick/slipstick.h"

double bench_clock(void); ///< s of processor time

/// A model from text, or NULL with its mistakes on stderr.
slip_model *bench_model(const char *text, size_t length);

/// How time grows with the number of independent contacts.
void bench_scaling(int most);

#endif
