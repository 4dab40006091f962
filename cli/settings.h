/// settings.h: options of a simulation that several commands have.
#ifndef SLIPSTICK_CLI_SETTINGS_H
#define SLIPSTICK_CLI_SETTINGS_H

#include "args.h"
#include "slipstick/sim.h"

/// What the command line says of the simulation, as far as the command has options for it; the rest is as the
/// model says.
slip_sim_def cli_sim_def(const cli_args *args);

#endif
