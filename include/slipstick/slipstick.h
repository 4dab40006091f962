/// slipstick.h: machines that stick, slip and strike. Includes the whole public interface:
///
///   status.h       how a call and a solve end
///   diagnostics.h  what is wrong with a file, all of it, with carets
///   model.h        reading a model
///   parts.h        formulations, integrators, solvers, laws by name
///   sim.h          a model under one formulation, step by step
///   run.h          a whole run with its files and its JSON summary
#ifndef SLIPSTICK_H
#define SLIPSTICK_H

#include "slipstick/diagnostics.h"
#include "slipstick/model.h"
#include "slipstick/parts.h"
#include "slipstick/run.h"
#include "slipstick/sim.h"
#include "slipstick/status.h"

#endif
