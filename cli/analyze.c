/// analyze.c: slipstick analyze MODEL.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze_state.h"
#include "args.h"
#include "sweep_axes.h"
#include "impacts.h"
#include "model_files.h"
#include "platform/cli_platform.h"
#include "report.h"
#include "slipstick/domain_map.h"
#include "slipstick/slipstick.h"
#include "signals.h"
#include "terminal.h"

static const cli_option options[] = {
    { "at", 0, CLI_OPTION_TIME, "T", "the state after a run to T instead of the start", NULL },
    { "map", 0, CLI_OPTION_TEXT, "X=A:B:N,Y=A:B:N",
      "domains of behaviour over two states: th=0.1:3:100,th'=-2:2:81", NULL },
    { "impact-laws", 0, CLI_OPTION_FLAG, NULL,
      "what each impact law makes of contacts that strike at the start", NULL },
    { "critical", 0, CLI_OPTION_TEXT, "P=LOW:HIGH",
      "up to which value the contact problem at the start has one solution: mu=0:3", NULL },
    CLI_OPTION_SET,
    CLI_OPTION_ALLOW,
    { "output", 'o', CLI_OPTION_TEXT, "DIR", "write map.csv and map.svg there", "dir" },
    CLI_OPTION_REPORT,
    CLI_OPTION_JSON,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no progress", NULL },
    { 0 },
};

// ------------------------------------------------------------------------------------------- the map

enum { MAX_BORDERS = 32 };

// "NAME=": the name is cut off in place; NULL when there is none
static const char *read_name(char *text, const char **name)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text) return NULL;
    *equals = '\0';
    *name = text;
    return equals + 1;
}

// "LOW:HIGH", *at behind it
static bool read_span(const char **at, double *low, double *high)
{
    if (!cli_take_number(at, low) || **at != ':') return false;
    ++*at;
    return cli_take_number(at, high);
}

// "th=0.1:3:100" from *text up to a comma
static bool read_axis(char **text, slip_domain_axis *axis)
{
    const char *at = read_name(*text, &axis->name);
    double count;
    if (!at || !read_span(&at, &axis->low, &axis->high) || *at++ != ':' || !cli_take_number(&at, &count))
        return false;
    if (!(count >= 1.0 && count <= 100000.0) || count != floor(count) || (*at && *at != ',')) return false;
    axis->count = (int)count;
    *text += at - *text + (*at == ',');
    return true;
}

static void print_map_text(slip_domain_map *map)
{
    slip_domain_border borders[MAX_BORDERS];
    const slip_domain_axis *axis = slip_domain_map_axis(map, 0);
    double y = slip_domain_map_middle(map);
    int count = slip_domain_map_borders(map, y, borders, MAX_BORDERS);
    int several = slip_domain_map_ambiguous_count(map),
        all = axis->count * slip_domain_map_axis(map, 1)->count;
    for (int k = 0; k < SLIP_DOMAIN_COUNT; k++)
        if (slip_domain_map_count(map, (slip_domain)k))
            printf("  %-12s %6.2f %%   %s\n", slip_domain_name((slip_domain)k),
                   100.0 * slip_domain_map_count(map, (slip_domain)k) / all,
                   slip_domain_text((slip_domain)k));
    if (several)
        printf("  %-12s %6.2f %%   the contact LCP allows more than one motion\n", "several",
               100.0 * several / all);
    printf("  borders along %s at %s = %.6g:%s\n", axis->name, slip_domain_map_axis(map, 1)->name, y,
           count ? "" : " none");
    for (int k = 0; k < count && k < MAX_BORDERS; k++)
        printf("    %-20.14g %s -> %s\n", borders[k].at, slip_domain_name(borders[k].before),
               slip_domain_name(borders[k].after));
    if (count > MAX_BORDERS) printf("    and %d more\n", count - MAX_BORDERS);
}

static int write_map(const slip_domain_map *map, const char *directory, bool json)
{
    slip_error error = { 0 };
    char path[4200];
    const int failed = cli_make_folder(directory);
    if (failed && failed != EEXIST) {
        cli_complain("%s: %s", directory, strerror(failed));
        return CLI_EXIT_BAD;
    }
    snprintf(path, sizeof path, "%.4000s/map.csv", directory);
    if (slip_domain_map_write_csv(map, path, &error) != SLIP_OK) return cli_report_error(json, &error);
    snprintf(path, sizeof path, "%.4000s/map.svg", directory);
    if (slip_domain_map_write_svg(map, path, &error) != SLIP_OK) return cli_report_error(json, &error);
    return CLI_EXIT_DONE;
}

typedef struct map_watch {
    cli_progress bar;
    const volatile sig_atomic_t *stop;
} map_watch;

static bool on_point(void *context, double fraction)
{
    map_watch *w = context;
    cli_progress_draw(&w->bar, fraction, "");
    return !*w->stop;
}

static int analyze_map(const slip_model *model, const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    char text[400], *at = text;
    slip_domain_axis axis[2];
    slip_error error = { 0 };
    slip_domain_map *map = NULL;
    snprintf(text, sizeof text, "%s", cli_args_text(args, "map"));
    if (!read_axis(&at, &axis[0]) || !read_axis(&at, &axis[1]) || *at)
        return cli_report_usage(args, "--map wants two axes, as in th=0.1:3:100,th'=-2:2:81, got '%s'",
                                cli_args_text(args, "map"));
    map_watch watched = { .bar = cli_progress_begin(!json && !cli_args_has(args, "quiet")),
                          .stop = cli_signals_catch() };
    slip_status status = slip_domain_map_create_watched(model, axis, on_point, &watched, &error, &map);
    cli_stop_heard();
    cli_progress_end(&watched.bar);
    if (status != SLIP_OK) {
        int code = cli_report_error(json, &error);
        return *watched.stop ? CLI_EXIT_EARLY : code;
    }
    bool cut = slip_domain_map_axis(map, 1)->count < axis[1].count;
    if (cut)
        fprintf(stderr, "slipstick: stopped after %d of %d rows: the map ends at %s = %g\n",
                slip_domain_map_axis(map, 1)->count, axis[1].count, axis[1].name,
                slip_domain_map_axis(map, 1)->high);
    int code =
        cli_args_has(args, "output") ? write_map(map, cli_args_text(args, "output"), json) : CLI_EXIT_DONE;
    if (code == CLI_EXIT_DONE && json && !cli_print_json(slip_domain_map_json(map))) code = CLI_EXIT_EARLY;
    if (code == CLI_EXIT_DONE && !json) print_map_text(map);
    slip_report_def report = slip_default_report_def();
    report.model = model, report.map = map;
    code = cli_report_write(args, &report, !json, code);
    slip_domain_map_destroy(map);
    return cut && code == CLI_EXIT_DONE ? CLI_EXIT_EARLY : code;
}

// -------------------------------------------------------------------------------------- critical friction

// "mu=0:3"
static bool read_range(char *text, slip_critical_def *def)
{
    const char *at = read_name(text, &def->parameter);
    return at && read_span(&at, &def->low, &def->high) && !*at;
}

static int analyze_critical(const slip_model *model, const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    char text[200];
    slip_critical_def def = slip_default_critical_def();
    slip_critical found;
    slip_error error = { 0 };
    snprintf(text, sizeof text, "%s", cli_args_text(args, "critical"));
    if (!read_range(text, &def))
        return cli_report_usage(args, "--critical wants a parameter and its range, as in mu=0:3, got '%s'",
                                cli_args_text(args, "critical"));
    def.model = model;
    if (slip_find_critical(&def, &error, &found) != SLIP_OK) return cli_report_error(json, &error);
    char sentence[400];
    int code = CLI_EXIT_DONE;
    if (!json)
        printf("  %s\n", slip_critical_text(&found, sentence, sizeof sentence));
    else if (!cli_print_json(slip_critical_json(&found)))
        code = CLI_EXIT_EARLY;
    slip_report_def report = slip_default_report_def();
    report.model = model, report.critical = &found;
    return cli_report_write(args, &report, !json, code);
}

// --------------------------------------------------------------------------------------- the command

// what the table of options cannot say; NULL: nothing is wrong
static const char *check_args(const cli_args *args)
{
    const bool map = cli_args_has(args, "map"), impact = cli_args_has(args, "impact-laws");
    if (args->operand_count != 1)
        return args->operand_count ? "one model at a time" : "no model given: slipstick analyze MODEL";
    if (map + cli_args_has(args, "critical") + cli_args_has(args, "at") + impact > 1)
        return "--at, --map, --critical or --impact-laws, one at a time";
    if (impact && cli_args_has(args, "report")) return "--impact-laws and --report exclude each other";
    if (cli_args_has(args, "output") && !map) return "--output needs --map";
    return NULL;
}

static int analyze(const cli_args *args)
{
    const char *wrong = check_args(args);
    if (wrong) return cli_report_usage(args, "%s", wrong);
    slip_model *model = cli_model_load(args, args->operands[0], cli_args_value(args, "set"),
                                       cli_args_has(args, "json"), false);
    double at = cli_args_number(args, "at", 0.0);
    int code = !(model && cli_report_possible(args)) ? CLI_EXIT_BAD
               : cli_args_has(args, "impact-laws")   ? cli_analyze_impact(model, args)
               : cli_args_has(args, "critical")      ? analyze_critical(model, args)
               : cli_args_has(args, "map")           ? analyze_map(model, args)
                                                     : cli_analyze_state(model, at, args);
    slip_model_destroy(model);
    return code;
}

const cli_command cli_command_analyze = {
    .name = "analyze",
    .operands = "MODEL",
    .summary = "what rigid contacts can do: hold, vanish, no solution, several",
    .about = "Looks at the contact problem itself instead of a motion. At the start or at T it prints every "
             "solution,\nwhether a compliant contact would settle on it, and the verdict; --map does so over "
             "two states. Contacts that\nare closed at the start are closed at every point of a map, and "
             "slip as they do there.",
    .examples =
        "slipstick analyze song/rod-case2 # every solution at the start, and which to believe\n"
        "slipstick analyze gomez/painleve-rod --map \"th=0.1:3.04:99,th'=-2.5:2.5:101\" -o out # Fig. 2.8\n"
        "slipstick analyze song/rod-case2 --report rod.html # the same as a page\n"
        "slipstick analyze gomez/sliding-block --critical mu=0:3 # the friction at which it jams: 5/3\n"
        "slipstick analyze kane-pendulum --impact-laws # impact laws side by side\n",
    .options = options,
    .run = analyze,
};
