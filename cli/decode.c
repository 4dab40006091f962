/// decode.c: slipstick decode SIGNAL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "models.h"
#include "outputs.h"
#include "slipstick/decode.h"
#include "terminal.h"

static const cli_option options[] = {
    { "rate", 'r', CLI_OPTION_TEXT, "R", "samples per second: 10000, 10kHz", NULL },
    { "tick", 0, CLI_OPTION_TEXT, "ANGLE", "between two edges: radians, or 0.36deg (the default)", NULL },
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

static void print_edges(const slip_decoding *d)
{
    printf("t,theta\n");
    for (int k = 0; k < d->count; k++) printf("%.17g,%.17g\n", d->edges[k].t, d->edges[k].angle);
}

static int decode(const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    double rate, tick = 2 * 3.14159265358979323846 / 1000;
    slip_error error = { 0 };
    slip_decoding d;
    if (!read_rate(cli_args_value(args, "rate")->text, &rate)) {
        cli_complain("--rate wants a frequency, as in 10kHz, got '%s'", cli_args_value(args, "rate")->text);
        return CLI_EXIT_BAD;
    }
    if (cli_args_has(args, "tick") && !read_tick(cli_args_value(args, "tick")->text, &tick)) {
        cli_complain("--tick wants an angle, as in 0.36deg, got '%s'", cli_args_value(args, "tick")->text);
        return CLI_EXIT_BAD;
    }
    if (!cli_outputs_spare_inputs(args)) return CLI_EXIT_BAD;
    if (slip_decode_file(args->operands[0], rate, tick, &error, &d) != SLIP_OK)
        return cli_report_error(json, &error);
    cli_warn_unfinished(args->operands[0], d.unfinished);
    int code = CLI_EXIT_DONE;
    if (!cli_args_has(args, "output"))
        print_edges(&d);
    else if (slip_decoding_write_csv(&d, cli_args_value(args, "output")->text, &error) != SLIP_OK)
        code = cli_report_error(json, &error);
    if (json && code == CLI_EXIT_DONE && !cli_print_json(slip_decoding_json(&d))) code = CLI_EXIT_EARLY;
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
    slip_decoding_destroy(&d);
    return code;
}

static int cmd_decode(int argc, char **argv)
{
    cli_args args;
    int code = CLI_EXIT_DONE;
    bool good = cli_args_read(&args, &cli_command_decode, argc, argv);
    if (good && !args.help) {
        good = false;
        if (args.operand_count != 1)
            snprintf(args.error, sizeof args.error, "%s",
                     args.operand_count ? "one signal at a time"
                                        : "no signal given: slipstick decode SIGNAL --rate R");
        else if (!cli_args_has(&args, "rate"))
            snprintf(args.error, sizeof args.error, "--rate is needed: samples per second");
        else if (cli_args_has(&args, "json") && !cli_args_has(&args, "output"))
            snprintf(args.error, sizeof args.error, "--json needs -o, because stdout holds one or the other");
        else
            good = true;
    }
    if (!good)
        code = cli_report_usage(&args, argc, argv);
    else if (args.help)
        cli_command_help(&cli_command_decode);
    else
        code = decode(&args);
    cli_args_free(&args);
    return code;
}

const cli_command cli_command_decode = {
    .name = "decode",
    .operands = "SIGNAL",
    .summary = "a two-channel encoder signal to an angle",
    .about = "SIGNAL is a file of two columns, the levels of both channels, one line per sample. Every edge "
             "is kept,\n"
             "the direction is decoded, and missed edges are counted.",
    .examples = "slipstick decode swing.csv --rate 10kHz -o swing-angle.csv # edges as t,theta\n",
    .options = options,
    .run = cmd_decode,
};
