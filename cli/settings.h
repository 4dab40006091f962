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

/// The option of a command whose runs share a step.
#define CLI_OPTION_STEP                                                                                      \
    {                                                                                                        \
        "step", 0, CLI_OPTION_TIME, "H", "time step, seconds or with a unit: 1ms", NULL                      \
    }

/// Options of a command that makes many runs, each with its companion.
#define CLI_OPTIONS_COMPANION                                                                                \
    { "accuracy",                                                                                            \
      0,                                                                                                     \
      CLI_OPTION_NUMBER,                                                                                     \
      "A",                                                                                                   \
      "how closely two resolutions must agree for a run to be trusted (0.01)",                               \
      NULL },                                                                                                \
    {                                                                                                        \
        "no-companion", 0, CLI_OPTION_FLAG, NULL,                                                            \
            "skip the second run that finds how far each answer holds", NULL                                 \
    }

/// What the command line says of the simulation, as far as the command has options for it; the rest is as the
/// model says.
slip_sim_def cli_sim_def(const cli_args *args);

#endif
