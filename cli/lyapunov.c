/// lyapunov.c: slipstick lyapunov MODEL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "model_files.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "period", 0, CLI_OPTION_TEXT, "FORMULA", "period of a forced motion, a formula of parameters: 2*pi/w",
      NULL },
    { "settle", 0, CLI_OPTION_TIME, "T", "motion before measuring begins (as long as the model runs)", NULL },
    { "length", 0, CLI_OPTION_TIME, "T", "motion to measure over (2000 periods or blocks)", NULL },
    { "block", 0, CLI_OPTION_TIME, "T", "without a period: time between two frames (settle/200)", NULL },
    { "start", 0, CLI_OPTION_TEXT, "X=V,...", "coordinates and rates at which the motion starts", NULL },
    { "drift", 0, CLI_OPTION_TEXT, "X,...", "coordinates that nothing depends on", NULL },
    { "formulation", 'f', CLI_OPTION_TEXT, "F", "lcp or gauss (lcp)", "formulations" },
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    { "relative", 0, CLI_OPTION_NUMBER, "TOL", "relative error of the run (1e-9)", NULL },
    { "absolute", 0, CLI_OPTION_NUMBER, "TOL", "absolute error of the run (1e-11)", NULL },
    CLI_OPTION_JSON,
    { 0 },
};

static slip_lyapunov_def definition(const cli_args *args)
{
    slip_lyapunov_def def = slip_default_lyapunov_def();
    def.formulation = cli_args_text(args, "formulation");
    def.period = cli_args_text(args, "period");
    def.start = cli_args_text(args, "start");
    def.drift = cli_args_text(args, "drift");
    def.settle = cli_args_number(args, "settle", def.settle);
    def.length = cli_args_number(args, "length", def.length);
    def.block = cli_args_number(args, "block", def.block);
    def.relative = cli_args_number(args, "relative", def.relative);
    def.absolute = cli_args_number(args, "absolute", def.absolute);
    return def;
}

static void print_answer(const slip_lyapunov *a)
{
    printf("%s: %s\n", slip_lyapunov_verdict_name(a->verdict), a->text);
    for (int k = 0; k < a->count; k++) {
        printf("%-10s", k ? "" : "exponents");
        if (isfinite(a->exponent[k]))
            printf(" %+.6f +- %.1g 1/s\n", a->exponent[k], a->error[k]);
        else
            printf(" minus infinity: this direction is forgotten\n");
    }
    if (a->count && isfinite(a->sum)) printf("sum        %+.6f 1/s", a->sum);
    if (a->count && isfinite(a->sum) && !isnan(a->expected))
        printf(", by impacts and divergence %+.6f", a->expected);
    if (a->count && isfinite(a->sum)) printf("\n");
    printf("measured   from t = %.6g s to %.6g s, %d blocks, %.6g impacts in each\n", a->from, a->to,
           a->blocks, a->impacts);
    if (a->lost)
        printf("           %d blocks have no derivatives and do not count; %s\n", a->lost, a->reason);
}

static int lyapunov(const cli_args *args)
{
    if (args->operand_count != 1)
        return cli_report_usage(args, "one model is needed: slipstick lyapunov MODEL");
    bool json = cli_args_has(args, "json");
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), json, false);
    if (!model) return CLI_EXIT_BAD;
    slip_lyapunov_def def = definition(args);
    slip_error error = { 0 };
    slip_lyapunov *answer = NULL;
    int code = CLI_EXIT_DONE;
    if (slip_lyapunov_find(model, &def, &error, &answer) != SLIP_OK) code = cli_report_error(json, &error);
    if (answer && !json) print_answer(answer);
    if (answer && json && !cli_print_json(slip_lyapunov_json(answer))) code = CLI_EXIT_EARLY;
    if (answer && !answer->count) code = CLI_EXIT_EARLY;
    slip_lyapunov_destroy(answer);
    slip_model_destroy(model);
    return code;
}

const cli_command cli_command_lyapunov = {
    .name = "lyapunov",
    .operands = "MODEL",
    .summary = "Lyapunov exponents: periodic, quasi-periodic or chaotic",
    .about =
        "Runs the model with derivatives with respect to all states, through impacts, sticking and\n"
        "sliding. Prints Lyapunov exponents with standard errors, and the kind of motion: rest, periodic,\n"
        "quasi-periodic, chaotic, collapsed (independent of its initial state), or undecided.",
    .examples = "slipstick lyapunov osc.yaml --period 2*pi/w # of a forced oscillator\n"
                "slipstick lyapunov osc.yaml --period 2*pi/w --length 50000 # with a smaller error\n"
                "slipstick lyapunov classics/belt # one that runs by itself",
    .options = options,
    .run = lyapunov,
};
