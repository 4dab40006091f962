/// linearize.c: slipstick linearize MODEL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "start", 0, CLI_OPTION_TEXT, "X=V,...",
      "coordinates near the equilibrium (initial values of the model)", NULL },
    { "frequencies", 0, CLI_OPTION_TEXT, "LOW:HIGH:N",
      "frequency response at N frequencies, Hz, in equal ratios", NULL },
    { "output", 'o', CLI_OPTION_TEXT, "DIR",
      "write A, B, C, D, modes and response there: CSV files and linear.mat", "dir" },
    { "formulation", 'f', CLI_OPTION_TEXT, "F", "lcp or gauss (lcp)", "formulations" },
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    CLI_OPTION_JSON,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no summary; errors and exit code only", NULL },
    { 0 },
};

// LOW:HIGH:N, or LOW:HIGH; false when it is neither
static bool read_frequencies(const char *text, slip_linearize_def *def)
{
    char *rest = NULL;
    if (!text) return true;
    def->lowest = strtod(text, &rest);
    if (*rest != ':') return false;
    def->highest = strtod(rest + 1, &rest);
    if (*rest == ':') def->frequency_count = (int)strtol(rest + 1, &rest, 10);
    return !*rest && def->lowest > 0.0 && def->highest >= def->lowest;
}

static void print_elements(const slip_linear_model *l)
{
    for (int k = 0; k < l->element_count; k++)
        printf("%-11s %s is %s\n", k ? "" : "contacts", l->element_name[k], l->element_mode[k]);
}

// the coordinates and rates that take part, the largest as 1
static void print_shape(const slip_linear_model *l, const slip_linear_mode *mode)
{
    int shown = 0;
    for (int k = 0; k < l->state_count && shown < 6; k++) {
        const double re = mode->shape_re[k], im = mode->shape_im[k], size = hypot(re, im);
        if (strchr(l->state_name[k], '\'') || !(size > 1e-6)) continue;
        printf("%s%s %.4g", shown++ ? ", " : "            ", l->state_name[k],
               fabs(im) > 1e-6 * size ? size : re);
        if (fabs(im) > 1e-6 * size) printf(" at %.3g deg", atan2(im, re) * 180.0 / 3.14159265358979323846);
    }
    if (shown) printf("\n");
}

// no mode grows by more than rounding
static bool is_neutral(const slip_linear_model *l)
{
    double largest = 0.0, most = 0.0;
    for (int k = 0; k < l->mode_count; k++) {
        largest = fmax(largest, hypot(l->modes[k].re, l->modes[k].im));
        most = fmax(most, l->modes[k].re);
    }
    return most <= 1e-9 * largest;
}

static void print_linear(const slip_linear_model *l)
{
    for (int k = 0; k < l->state_count; k++)
        if (!strchr(l->state_name[k], '\''))
            printf("%-11s %s = %.12g\n", k ? "" : "place", l->state_name[k], l->state[k]);
    print_elements(l);
    for (int k = 0; k < l->mode_count; k++) {
        const slip_linear_mode *mode = &l->modes[k];
        if (mode->im > 0.0)
            printf("mode %-6d %.9g Hz, damping ratio %.6g\n", k + 1, mode->frequency,
                   fabs(mode->damping) < 1e-12 ? 0.0 : mode->damping);
        else
            printf("mode %-6d %.9g 1/s\n", k + 1, mode->re);
        print_shape(l, mode);
    }
    if (l->zeros)
        printf("            %d eigenvalues are exactly 0: what is stuck or held does not move\n", l->zeros);
    printf("            %s\n", l->stable       ? "stable"
                               : is_neutral(l) ? "neutral: a mode is not damped"
                                               : "unstable");
    printf("matrices    %d states, %d inputs, %d outputs\n", l->state_count, l->input_count, l->output_count);
}

static int show(const cli_args *args, const slip_linear_model *l, bool json)
{
    const bool text = !json && !cli_args_has(args, "quiet");
    const char *directory = cli_args_text(args, "output");
    slip_error error = { 0 };
    if (json && !cli_print_json(slip_linear_model_json(l))) return CLI_EXIT_EARLY;
    if (text && !l->found) printf("no equilibrium to linearize about was found: %s\n", l->text);
    if (text && l->found) print_linear(l);
    if (!l->found) return CLI_EXIT_EARLY;
    if (directory && slip_linear_model_write(l, directory, &error) != SLIP_OK)
        return cli_report_error(json, &error);
    if (text && directory) printf("files       in %s\n", cli_shown(directory, (char[4200]){ 0 }, 4200));
    return CLI_EXIT_DONE;
}

static int linearize(const cli_args *args)
{
    slip_linearize_def def = slip_default_linearize_def();
    if (args->operand_count != 1)
        return cli_report_usage(args, "one model is needed: slipstick linearize MODEL");
    if (!read_frequencies(cli_args_text(args, "frequencies"), &def))
        return cli_report_usage(args, "--frequencies wants LOW:HIGH:N in Hz, above 0 and rising");
    const bool json = cli_args_has(args, "json");
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"), json,
                                       cli_args_has(args, "quiet"));
    if (!model) return CLI_EXIT_BAD;
    def.start = cli_args_text(args, "start");
    def.formulation = cli_args_text(args, "formulation");
    slip_error error = { 0 };
    slip_linear_model *linear = NULL;
    const int code = slip_linearize(model, &def, &error, &linear) == SLIP_OK ? show(args, linear, json)
                                                                             : cli_report_error(json, &error);
    slip_linear_model_destroy(linear);
    slip_model_destroy(model);
    return code;
}

const cli_command cli_command_linearize = {
    .name = "linearize",
    .operands = "MODEL",
    .summary = "natural frequencies, modes and state-space matrices about an equilibrium",
    .about = "Finds an equilibrium and linearizes the model there: natural frequencies, damping ratios, mode "
             "shapes, and\n"
             "the matrices A, B, C, D from its `inputs` to what it records. What sticks there stays stuck, "
             "what is open\n"
             "stays open; both are listed.",
    .examples = "slipstick linearize classics/belt # a mass on a belt that slides: its natural frequency\n"
                "slipstick linearize model.yaml --frequencies 0.1:100:400 -o linear # linear/response.csv, "
                "linear.mat, ...",
    .options = options,
    .run = linearize,
};
