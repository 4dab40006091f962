/// run.c: slipstick run MODEL.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "models.h"
#include "report.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "formulation", 'f', CLI_OPTION_TEXT, "F", "how friction and contact are treated", "formulations" },
    { "solver", 's', CLI_OPTION_TEXT, "S", "for the contact problem of a step", "solvers" },
    { "integrator", 'i', CLI_OPTION_TEXT, "I", "for formulations that are ODEs", "integrators" },
    { "set", 0, CLI_OPTION_LIST, "PATH=VALUE", "override a parameter or any key; may be repeated", NULL },
    { "step", 0, CLI_OPTION_TIME, "H", "time step, seconds or with a unit: 1ms", NULL },
    { "until", 0, CLI_OPTION_TIME, "T", "end of the run", NULL },
    { "every", 0, CLI_OPTION_TIME, "DT", "record once in DT instead of every step", NULL },
    { "at", 0, CLI_OPTION_TIMES, "T1,T2,...", "record at these times only", NULL },
    { "max-step", 0, CLI_OPTION_TIME, "H", "longest step, for integrators that choose their steps", NULL },
    { "relative", 0, CLI_OPTION_NUMBER, "TOL", "relative error, for integrators that control it", NULL },
    { "absolute", 0, CLI_OPTION_NUMBER, "TOL", "absolute error, the same", NULL },
    { "branch", 0, CLI_OPTION_TEXT, "WHICH",
      "lcp, several solutions for a sliding contact: stable or contact", NULL },
    { "on-disagreement", 0, CLI_OPTION_TEXT, "WHAT", "gauss is not a solution of the LCP: lcp, warn or stop",
      NULL },
    { "accuracy", 0, CLI_OPTION_NUMBER, "A",
      "agreement of two resolutions up to which the run is trusted (0.01)", NULL },
    { "no-companion", 0, CLI_OPTION_FLAG, NULL, "do not run a second time to find how far the answer holds",
      NULL },
    { "output", 'o', CLI_OPTION_TEXT, "DIR", "write trajectory.csv, events.csv, summary.json there", "dir" },
    CLI_OPTION_REPORT,
    { "hdf5", 0, CLI_OPTION_FLAG, NULL, "also write trajectory.h5 (needs -o)", NULL },
    { "json", 0, CLI_OPTION_FLAG, NULL, "print one JSON object and nothing else on stdout", NULL },
    { "strict", 0, CLI_OPTION_FLAG, NULL, "end at the first warning or verdict that puts the answer in doubt",
      NULL },
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "no summary, no progress; errors and exit code only", NULL },
    { 0 },
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

// the first Ctrl-C ends the run cleanly; a second one ends the program
static void catch_signals(void)
{
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static slip_sim_def sim_def(const cli_args *args)
{
    slip_sim_def def = slip_default_sim_def();
    if (cli_args_has(args, "formulation")) def.formulation = cli_args_value(args, "formulation")->text;
    if (cli_args_has(args, "solver")) def.solver = cli_args_value(args, "solver")->text;
    if (cli_args_has(args, "integrator")) def.integrator = cli_args_value(args, "integrator")->text;
    if (cli_args_has(args, "step")) def.step = cli_args_value(args, "step")->number;
    if (cli_args_has(args, "until")) def.until = cli_args_value(args, "until")->number;
    if (cli_args_has(args, "max-step")) def.max_step = cli_args_value(args, "max-step")->number;
    if (cli_args_has(args, "relative")) def.relative = cli_args_value(args, "relative")->number;
    if (cli_args_has(args, "absolute")) def.absolute = cli_args_value(args, "absolute")->number;
    if (cli_args_has(args, "branch")) def.branch = cli_args_value(args, "branch")->text;
    if (cli_args_has(args, "on-disagreement"))
        def.on_disagreement = cli_args_value(args, "on-disagreement")->text;
    def.strict = cli_args_has(args, "strict");
    return def;
}

static slip_run_def run_def(const cli_args *args)
{
    slip_run_def def = slip_default_run_def();
    if (cli_args_has(args, "output")) def.directory = cli_args_value(args, "output")->text;
    if (cli_args_has(args, "every")) def.every = cli_args_value(args, "every")->number;
    if (cli_args_has(args, "at")) {
        def.at = cli_args_value(args, "at")->times;
        def.at_count = cli_args_value(args, "at")->time_count;
    }
    if (cli_args_has(args, "accuracy")) def.accuracy = cli_args_value(args, "accuracy")->number;
    def.companion = !cli_args_has(args, "no-companion");
    def.hdf5 = cli_args_has(args, "hdf5");
    def.stop = &stop;
    return def;
}

static void on_progress(void *context, double fraction, const slip_sim *sim)
{
    cli_progress_draw(context, fraction, slip_sim_time(sim));
}

static void on_event(void *context, const slip_event *event)
{
    long *counts = context;
    counts[event->kind]++;
}

// the left column of the summary
static void label(const char *text)
{
    printf("  %s%-9s%s ", cli_paint(stdout, CLI_DIM), text, cli_paint(stdout, CLI_PLAIN));
}

static void print_state(slip_sim *sim)
{
    int count = slip_sim_column_count(sim), width = 1;
    double *row = calloc((size_t)count, sizeof *row);
    if (!row) return;
    slip_sim_columns(sim, row);
    for (int k = 1; k < count; k++) {
        int length = (int)strlen(slip_sim_column_name(sim, k));
        if (length > width) width = length;
    }
    label("state");
    printf("%-*s = %.10g s\n", width, "t", row[0]);
    for (int k = 1; k < count; k++) {
        label("");
        printf("%-*s = %.10g\n", width, slip_sim_column_name(sim, k), row[k]);
    }
    free(row);
}

// `total` also knows events that others consumed; the kinds are shown when all of them were seen here
static void print_events(const long *counts, long total)
{
    label("events");
    long seen = 0;
    for (int k = 0; k < SLIP_EVENT_COUNT; k++) seen += counts[k];
    if (total == 0) {
        puts("none");
        return;
    }
    printf("%ld", total);
    for (int k = 0, shown = 0; seen == total && k < SLIP_EVENT_COUNT; k++) {
        if (counts[k] > 0)
            printf("%s%ld %s", shown++ ? ", " : ": ", counts[k], slip_event_name((slip_event_kind)k));
    }
    putchar('\n');
}

// sim.h: the sum closes by definition, so the ledger is printed as the sum it is
static void print_energy(slip_sim *sim)
{
    slip_energy energy = slip_sim_energy(sim);
    if (!energy.known) return;
    const struct {
        const char *name;
        double value;
    } lines[] = { { "at the start", energy.start },
                  { "work of forces", energy.work },
                  { "friction took", -energy.friction },
                  { "contact took", -energy.contact },
                  { "impacts took", -energy.impact },
                  { "numerical", energy.numerical },
                  { "now", energy.kinetic + energy.potential } };
    int count = (int)(sizeof lines / sizeof lines[0]);
    for (int k = 0; k < count; k++) {
        if (lines[k].value == 0 && k > 0 && k < count - 1) continue;
        label(k ? "" : "energy");
        printf("%-14s %+.6g J", lines[k].name, lines[k].value + 0.0);
        if (k == count - 1)
            printf("   (kinetic %.6g, potential %.6g)", energy.kinetic + 0.0, energy.potential + 0.0);
        putchar('\n');
    }
}

// "dai, rk4, step 0.001 s" or "moreau, lemke, step 1e-05 s": only the parts that were used
static void print_method(const slip_sim *sim)
{
    slip_sim_def used = slip_sim_settings(sim);
    label("method");
    printf("%s", used.formulation);
    if (used.integrator) printf(", %s", used.integrator);
    if (used.solver) printf(", %s", used.solver);
    printf(", step %g s\n", used.step);
    if (slip_sim_formulation_reason(sim)[0]) {
        label("");
        printf("%s was chosen: %s\n", used.formulation, slip_sim_formulation_reason(sim));
    }
    if (slip_sim_step_reason(sim)[0]) {
        label("");
        printf("the step was chosen: %s\n", slip_sim_step_reason(sim));
    }
}

static void print_horizon(const slip_sim *sim)
{
    slip_horizon horizon = slip_run_horizon(sim);
    if (!horizon.text[0]) return;
    bool early = horizon.known && horizon.until < slip_sim_settings(sim).until;
    label("horizon");
    if (horizon.known) printf("%g s%s", horizon.until, early ? "\n" : ": ");
    if (!early) printf("%s\n", horizon.text); // else the warning says it
}

// the option of this command for a key of the run section, or NULL
static const char *option_for(const char *key)
{
    if (strncmp(key, "run.", 4) != 0) return NULL;
    for (const cli_option *o = options; o->name; o++) {
        const char *a = o->name, *b = key + 4;
        while (*a && (*a == *b || (*a == '-' && *b == '_'))) a++, b++;
        if (!*a && !*b) return o->name;
    }
    return NULL;
}

// "--step 1e-4" or "--set contacts.floor.compliance.stiffness=1e7"
static void print_advice(const slip_advice *advice)
{
    const char *option = option_for(advice->key);
    printf(option ? "--%s " : "--set %s=", option ? option : advice->key);
    if (advice->word)
        printf("%s", advice->word);
    else
        printf("%.6g", advice->value);
}

// how often, and what to try
static void print_rest_of_warning(const slip_warning *w)
{
    if (w->count > 1) printf(" (%ld times, last at t = %.6g s)", w->count, w->last);
    putchar('\n');
    for (int k = 0; k < w->advice_count; k++) {
        if (k == 0) label("");
        printf(k ? ", or " : "try: ");
        print_advice(&w->advice[k]);
    }
    if (w->advice_count) putchar('\n');
}

static void print_warning(const slip_warning *w)
{
    printf("  %s%-9s%s %s", cli_paint(stdout, CLI_YELLOW), "warning", cli_paint(stdout, CLI_PLAIN), w->text);
    print_rest_of_warning(w);
}

// the warning that says this, or NULL
static const slip_warning *warning_of(const slip_sim *sim, const char *text)
{
    const slip_warning *w;
    for (int k = 0; (w = slip_sim_warning_at(sim, k)); k++)
        if (strcmp(w->text, text) == 0) return w;
    return NULL;
}

// The word first: whether to believe the run. What was found about rigid contacts has a line of its own.
static void print_verdict(slip_sim *sim, const slip_run_info *info)
{
    const char *doubt, *trust = slip_run_trust(sim, info, &doubt);
    const char *text = "", *contacts = slip_sim_verdict(sim, &text);
    cli_style style = strcmp(trust, "trusted") == 0 ? CLI_GREEN
                      : info->outcome == SLIP_DONE  ? CLI_YELLOW
                                                    : CLI_RED;
    label("verdict");
    printf("%s%s%s%s%s", cli_paint(stdout, style), trust, cli_paint(stdout, CLI_PLAIN), doubt[0] ? ": " : "",
           doubt);
    const slip_warning *said = doubt[0] ? warning_of(sim, doubt) : NULL;
    if (said)
        print_rest_of_warning(said);
    else
        putchar('\n');
    if (!contacts || strstr(doubt, text)) return;
    label("contacts");
    if (strcmp(contacts, "trusted") != 0) printf("%s: ", contacts);
    printf("%s\n", text);
}

// the first few of each kind: a heap of a hundred bodies can have the same to say of each of them
// what the verdict says is not said again
static void print_warnings(const slip_sim *sim, const char *doubt)
{
    enum { OF_A_KIND = 3 };
    long seen[SLIP_WARNING_COUNT] = { 0 };
    const slip_warning *w;
    for (int k = 0; (w = slip_sim_warning_at(sim, k)); k++)
        if (++seen[w->kind] <= OF_A_KIND && strcmp(w->text, doubt) != 0) print_warning(w);
    for (int kind = 0; kind < SLIP_WARNING_COUNT; kind++) {
        if (seen[kind] <= OF_A_KIND) continue;
        label("");
        printf("%ld more of kind %s (%s); --json lists all\n", seen[kind] - OF_A_KIND,
               slip_warning_kind_name((slip_warning_kind)kind),
               slip_warning_kind_text((slip_warning_kind)kind));
    }
}

static void print_summary(const slip_model *model, slip_sim *sim, const slip_run_info *info,
                          const long *counts, const char *directory)
{
    char wall[32];
    cli_seconds_text(info->wall_seconds, wall, sizeof wall);
    bool done = info->outcome == SLIP_DONE;

    printf("%s%s%s\n", cli_paint(stdout, CLI_BOLD), slip_model_name(model), cli_paint(stdout, CLI_PLAIN));
    print_verdict(sim, info);
    print_method(sim);
    label("outcome");
    printf("%s%s%s at t = %g s after %ld steps in %s\n", cli_paint(stdout, done ? CLI_GREEN : CLI_YELLOW),
           slip_run_outcome_name(info->outcome), cli_paint(stdout, CLI_PLAIN), slip_sim_time(sim),
           info->steps, wall);
    print_horizon(sim);
    print_state(sim);
    print_events(counts, info->events);
    print_energy(sim);
    const char *doubt;
    slip_run_trust(sim, info, &doubt);
    print_warnings(sim, doubt);
    if (directory) {
        label("files");
        printf("%s/trajectory.csv (%ld rows), events.csv (%ld), summary.json\n", directory, info->rows,
               info->events);
    }
}

static int finish(const cli_args *args, const slip_model *model, slip_sim *sim, const slip_run_info *info,
                  const long *counts)
{
    bool done = info->outcome == SLIP_DONE;
    if (!done) {
        fprintf(stderr, "slipstick: %s%s%s: %s\n", cli_paint(stderr, CLI_YELLOW),
                slip_run_outcome_name(info->outcome), cli_paint(stderr, CLI_PLAIN),
                info->text[0] ? info->text : slip_run_outcome_text(info->outcome));
    }
    if (cli_args_has(args, "json")) {
        char *text = slip_run_summary(sim, info);
        if (!text) {
            cli_complain("out of memory");
            return CLI_EXIT_EARLY;
        }
        fputs(text, stdout);
        if (text[0] && text[strlen(text) - 1] != '\n') putchar('\n');
        free(text);
    } else if (!cli_args_has(args, "quiet")) {
        print_summary(model, sim, info, counts, cli_args_value(args, "output")->text);
    }
    return done ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
}

static int report(const cli_args *args, const slip_model *model, slip_recording *recording, int code)
{
    if (!recording) return code;
    slip_report_def def = slip_default_report_def();
    def.model = model;
    def.runs = &recording, def.run_count = 1;
    return cli_report_write(args, &def, !cli_args_has(args, "json") && !cli_args_has(args, "quiet"), code);
}

static int run_model(const cli_args *args, const slip_model *model)
{
    bool json = cli_args_has(args, "json"), quiet = cli_args_has(args, "quiet");
    slip_sim_def def = sim_def(args);
    slip_run_def run = run_def(args);
    slip_recording *recording = NULL;
    slip_error error = { 0 };
    slip_sim *sim = NULL;
    if (!cli_report_possible(args)) return CLI_EXIT_BAD;
    def.draw = cli_args_has(args, "report");
    if (def.draw && slip_recording_create(NULL, &error, &recording) != SLIP_OK)
        return cli_report_error(json, &error);
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        slip_recording_destroy(recording);
        return cli_report_error(json, &error);
    }

    long counts[SLIP_EVENT_COUNT] = { 0 };
    slip_sim_on_event(sim, on_event, counts);
    cli_progress bar = cli_progress_begin(!quiet);
    run.progress = on_progress;
    run.context = &bar;
    catch_signals();

    slip_run_info info = { 0 };
    run.observer = slip_recording_observer(recording);
    slip_status status = slip_run(sim, &run, &info, &error);
    cli_progress_end(&bar);
    int code = status == SLIP_OK ? finish(args, model, sim, &info, counts) : cli_report_error(json, &error);
    if (status == SLIP_OK) code = report(args, model, recording, code);
    slip_sim_destroy(sim);
    slip_recording_destroy(recording);
    return code;
}

// what the table of options cannot say
static bool check_args(cli_args *args)
{
    const char *wrong = NULL;
    if (args->operand_count == 0)
        wrong = "no model given: slipstick run MODEL, where 'slipstick list models' names some";
    else if (args->operand_count > 1)
        wrong = "one model at a time";
    else if (cli_args_has(args, "every") && cli_args_has(args, "at"))
        wrong = "--every and --at exclude each other";
    else if (cli_args_has(args, "hdf5") && !cli_args_has(args, "output"))
        wrong = "--hdf5 needs -o DIR to write to";
    if (wrong) snprintf(args->error, sizeof args->error, "%s", wrong);
    return !wrong;
}

static int cmd_run(int argc, char **argv)
{
    cli_args args;
    int code = CLI_EXIT_DONE;
    if (!cli_args_read(&args, &cli_command_run, argc, argv) || (!args.help && !check_args(&args))) {
        code = cli_report_usage(&args, argc, argv);
    } else if (args.help) {
        cli_command_help(&cli_command_run);
    } else {
        slip_model *model = cli_model_load(args.operands[0], cli_args_value(&args, "set"),
                                           cli_args_has(&args, "json"), cli_args_has(&args, "quiet"));
        code = model ? run_model(&args, model) : CLI_EXIT_BAD;
        slip_model_destroy(model);
    }
    cli_args_free(&args);
    return code;
}

const cli_command cli_command_run = {
    .name = "run",
    .operands = "MODEL",
    .summary = "simulate a model",
    .about =
        "MODEL is a file, or the name of a shipped model (slipstick list models). What is not given here is\n"
        "as the model says, else the default. Ctrl-C ends the run cleanly and keeps what was computed.",
    .examples =
        "slipstick run xiong/friction-mass # print how it went\n"
        "slipstick run xiong/bouncing-mass -o out # keep trajectory.csv, events.csv, summary.json\n"
        "slipstick run model.yaml --set mu=0.2 --set run.until=5 # change a parameter and a key\n"
        "slipstick run model.yaml --integrator cash-karp --relative 1e-8 # controlled error\n"
        "slipstick run flores/slider-crank --report crank.html # plots, events, energies, an animation\n"
        "slipstick run model.yaml --at 0.1,0.5,1 --json # for another program\n",
    .options = options,
    .run = cmd_run,
};
