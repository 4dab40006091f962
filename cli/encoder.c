/// encoder.c: slipstick encoder SIGNAL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "model_files.h"
#include "output_files.h"
#include "slipstick/encoder.h"
#include "terminal.h"

static const cli_option options[] = {
    { "rate", 'r', CLI_OPTION_TEXT, "R", "samples per second: 10000, 10kHz", NULL },
    { "tick", 0, CLI_OPTION_TEXT, "ANGLE", "angle between two edges, rad or as 0.36deg (0.36deg)", NULL },
    { "output", 'o', CLI_OPTION_TEXT, "FILE", "write t,theta there instead of to stdout", NULL },
    { "json", 0, CLI_OPTION_FLAG, NULL, "print one JSON object and nothing else on stdout (needs -o)", NULL },
    { 0 },
};

// a number with one of a few units behind it
static bool read_unit(const char *text, const char *const *units, const double *scales, int count,
                      double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text) return false;
    while (*end == ' ') end++;
    for (int k = 0; k < count; k++)
        if (strcmp(end, units[k]) == 0) {
            *value *= scales[k];
            return *value > 0.0 && isfinite(*value);
        }
    return false;
}

static bool read_rate(const char *text, double *rate)
{
    static const char *const units[] = { "", "Hz", "kHz", "MHz" };
    static const double scales[] = { 1, 1, 1e3, 1e6 };
    return read_unit(text, units, scales, 4, rate);
}

static bool read_tick(const char *text, double *tick)
{
    static const char *const units[] = { "", "rad", "deg" };
    static const double scales[] = { 1, 1, 3.14159265358979323846 / 180 };
    return read_unit(text, units, scales, 3, tick);
}

static void print_edges(const slip_encoder_angle *d)
{
    printf("t,theta\n");
    for (int k = 0; k < d->count; k++) {
        char t[SLIP_NUMBER_SIZE], angle[SLIP_NUMBER_SIZE];
        slip_number_write(d->edges[k].t, t);
        slip_number_write(d->edges[k].angle, angle);
        printf("%s,%s\n", t, angle);
    }
}

// what the table of options cannot say; NULL: nothing is wrong
static const char *check_args(const cli_args *args)
{
    if (args->operand_count != 1)
        return args->operand_count ? "one signal at a time"
                                   : "no signal given: slipstick encoder SIGNAL --rate R";
    if (!cli_args_has(args, "rate")) return "--rate is needed: samples per second";
    if (cli_args_has(args, "json") && !cli_args_has(args, "output"))
        return "--json needs -o, because stdout holds one or the other";
    return NULL;
}

static int encoder(const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    double rate, tick = 2 * 3.14159265358979323846 / 1000;
    slip_error error = { 0 };
    slip_encoder_angle d;
    const char *wrong = check_args(args);
    if (wrong) return cli_report_usage(args, "%s", wrong);
    if (!read_rate(cli_args_text(args, "rate"), &rate))
        return cli_report_usage(args, "--rate wants a frequency, as in 10kHz, got '%s'",
                                cli_args_text(args, "rate"));
    if (cli_args_has(args, "tick") && !read_tick(cli_args_text(args, "tick"), &tick))
        return cli_report_usage(args, "--tick wants an angle, as in 0.36deg, got '%s'",
                                cli_args_text(args, "tick"));
    if (!cli_outputs_spare_inputs(args, NULL)) return CLI_EXIT_BAD;
    if (slip_encoder_decode_file(args->operands[0], rate, tick, &error, &d) != SLIP_OK)
        return cli_report_error(json, &error);
    cli_warn_unfinished(args->operands[0], d.unfinished);
    int code = CLI_EXIT_DONE;
    if (!cli_args_has(args, "output"))
        print_edges(&d);
    else if (slip_encoder_angle_write_csv(&d, cli_args_text(args, "output"), &error) != SLIP_OK)
        code = cli_report_error(json, &error);
    if (json && code == CLI_EXIT_DONE && !cli_print_json(slip_encoder_angle_json(&d))) code = CLI_EXIT_EARLY;
    if (!json)
        fprintf(stderr, "%ld samples, %d edges, %d reversals, %d missed\n", d.samples, d.count, d.reversals,
                d.missed);
    if (d.missed > 0) {
        cli_complain(
            "both channels changed between two samples %d times: edges were missed, and the angle after them "
            "rests on the direction before. Sample faster",
            d.missed);
        code = code == CLI_EXIT_DONE ? CLI_EXIT_EARLY : code;
    }
    slip_encoder_angle_destroy(&d);
    return code;
}

const cli_command cli_command_encoder = {
    .name = "encoder",
    .operands = "SIGNAL",
    .summary = "turn a two-channel encoder signal into an angle",
    .about = "SIGNAL is a file of two columns, the levels of both channels, one line per sample. Every edge "
             "is kept,\n"
             "the direction is decoded, and missed edges are counted.",
    .examples = "slipstick encoder swing.csv --rate 10kHz -o swing-angle.csv # edges as t,theta\n",
    .options = options,
    .run = encoder,
};
