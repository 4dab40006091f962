/// settings.h: options of a simulation that several commands have.
#ifndef SLIPSTICK_CLI_SETTINGS_H
#define SLIPSTICK_CLI_SETTINGS_H

#include "args.h"
#include "slipstick/sim.h"

/// Options in a table: the method that cli_sim_def takes.
#define CLI_OPTIONS_METHOD                                                                                   \
    { "formulation", 'f', CLI_OPTION_TEXT, "F", "how friction and contact are treated", "formulations" },    \
        { "solver", 's', CLI_OPTION_TEXT, "S", "for the contact problem of a step", "solvers" },             \
    {                                                                                                        \
        "integrator", 'i', CLI_OPTION_TEXT, "I", "for formulations that are ODEs", "integrators"             \
    }

/// What the command line says of the simulation, as far as the command has options for it; the rest is as the
/// model says.
slip_sim_def cli_sim_def(const cli_args *args);

#endif
