#include "run_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "terminal.h"

// the left column of the summary
static void label(const char *text)
{
    printf("  %s%-9s%s ", cli_paint(stdout, CLI_DIM), text, cli_paint(stdout, CLI_PLAIN));
}

// a state that a formulation keeps for an element, floor.e, or a delay for its past, not one that the model
// names
static bool is_internal(const slip_sim *sim, int own, int k)
{
    const char *name = slip_sim_column_name(sim, k), *dot = strrchr(name, '.');
    if (k > slip_sim_state_count(sim) || !dot) return false;
    if (strncmp(name, "delay.", 6) == 0) return true;
    return own ? k > 2 * own || strcmp(dot, ".integral") == 0 : true;
}

static void print_column(const slip_sim *sim, int k, int width, double value)
{
    const char *unit = slip_sim_column_unit(sim, k);
    label(k ? "" : "state");
    printf("%-*s = %.10g%s%s\n", width, slip_sim_column_name(sim, k), value, unit[0] ? " " : "", unit);
}

// of many bodies a screenful is shown, and what was asked for under record
enum { FEW_STATES = 60, FIRST_STATES = 24 };

static bool is_one_of_many(const slip_sim *sim, int k)
{
    return slip_sim_state_count(sim) > FEW_STATES && k > FIRST_STATES && k <= slip_sim_state_count(sim);
}

static void print_state(const slip_model *model, slip_sim *sim, bool verbose)
{
    int count = slip_sim_column_count(sim), own = slip_model_coordinate_count(model), width = 1, hidden = 0,
        further = 0;
    double *row = calloc((size_t)count, sizeof *row);
    if (!row) return;
    slip_sim_columns(sim, row);
    for (int k = 1; k < count; k++) {
        int length = (int)strlen(slip_sim_column_name(sim, k));
        if (length > width && (verbose || !is_internal(sim, own, k))) width = length;
    }
    for (int k = 0; k < count; k++) {
        bool hide = !verbose && is_internal(sim, own, k);
        bool skip = !verbose && !hide && is_one_of_many(sim, k);
        hidden += hide, further += skip;
        if (!hide && !skip) print_column(sim, k, width, row[k]);
    }
    if (further) label("");
    if (further) printf("and %d more (-v, or -o DIR for a table)\n", further);
    if (hidden) label("");
    if (hidden) printf("and %d state%s of elements (-v)\n", hidden, hidden == 1 ? "" : "s");
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
    if (slip_sim_start_reason(sim)[0]) {
        label("");
        printf("it starts at rest: %s\n", slip_sim_start_reason(sim));
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
    for (const cli_option *o = cli_command_run.options; o->name; o++) {
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

// the first of them, unless all are asked for: they cast no doubt on the motion
static void print_notes(const slip_sim *sim, bool verbose)
{
    const slip_warning *w;
    int k = 0;
    for (; (w = slip_sim_note_at(sim, k)) && (k == 0 || verbose); k++) {
        label("note");
        printf("%s", w->text);
        print_rest_of_warning(w);
    }
    int others = 0;
    while (slip_sim_note_at(sim, k + others)) others++;
    if (others) label("");
    if (others) printf("and %d more of this kind (-v)\n", others);
}

// the warning that says this, or NULL
static const slip_warning *warning_of(const slip_sim *sim, const char *text)
{
    const slip_warning *w;
    for (int k = 0; (w = slip_sim_warning_at(sim, k)); k++)
        if (strcmp(w->text, text) == 0) return w;
    return NULL;
}

// "from t = 1 s: what" without its time
static const char *without_time(const char *text)
{
    const char *end = strncmp(text, "from t = ", 9) == 0 ? strstr(text, " s: ") : NULL;
    return end ? end + 4 : text;
}

// The word first: whether to believe the run. What was found about rigid contacts has a line of its own.
static void print_verdict(slip_sim *sim, const slip_run_info *info)
{
    const char *doubt, *trust = slip_run_trust(sim, info, &doubt);
    const char *text = "", *contacts = slip_sim_verdict(sim, &text);
    bool whole = info->outcome == SLIP_DONE || info->outcome == SLIP_PAUSED;
    cli_style style = strcmp(trust, "trusted") == 0 ? CLI_GREEN : whole ? CLI_YELLOW : CLI_RED;
    label("verdict");
    printf("%s%s%s%s%s", cli_paint(stdout, style), trust, cli_paint(stdout, CLI_PLAIN), doubt[0] ? ": " : "",
           doubt);
    const slip_warning *said = doubt[0] ? warning_of(sim, doubt) : NULL;
    if (said)
        print_rest_of_warning(said);
    else
        putchar('\n');
    if (!contacts || strstr(doubt, without_time(text))) return;
    label("contacts");
    if (strcmp(contacts, "trusted") != 0) printf("%s: ", contacts);
    printf("%s\n", text);
}

// how many others there are of a kind; what the verdict says is not said again
static int count_others(const slip_sim *sim, const slip_warning *of, const char *doubt)
{
    int count = 0;
    const slip_warning *w;
    for (int k = 0; (w = slip_sim_warning_at(sim, k)); k++)
        count += w != of && w->kind == of->kind && strcmp(w->text, doubt) != 0;
    return count;
}

// one of each kind: a heap of a hundred bodies can have the same to say of each of them
static void print_warnings(const slip_sim *sim, const char *doubt, bool verbose)
{
    bool seen[SLIP_WARNING_COUNT] = { false };
    const slip_warning *w;
    for (int k = 0; (w = slip_sim_warning_at(sim, k)); k++) {
        if (strcmp(w->text, doubt) == 0 || (seen[w->kind] && !verbose)) continue;
        seen[w->kind] = true;
        print_warning(w);
        int others = verbose ? 0 : count_others(sim, w, doubt);
        if (others) label("");
        if (others) printf("and %d more of this kind, %s (-v)\n", others, slip_warning_kind_text(w->kind));
    }
}

static void print_stop(const slip_sim *sim)
{
    double t;
    const char *condition = slip_sim_stopped_by(sim, &t);
    if (!condition) return;
    label("stop");
    printf("run.stop: %s, at t = %.9g s\n", condition, t);
}

// The largest force, or why there is none: a rigid impact has an impulse, and a stiffness that was chosen for the
// numbers makes a force that belongs to no material
static void print_largest_force(const slip_element_loads *l)
{
    if (!isnan(l->force)) {
        printf("largest force %.4g %s at t = %.6g s", l->force, l->unit, l->force_t);
    } else if (!isnan(l->estimate)) {
        printf("largest force about %.4g %s (%.4g to %.4g, estimate by Hertz)", l->estimate, l->unit, l->low,
               l->high);
    } else if (!isnan(l->numerical)) {
        printf("largest force not known (%.4g %s with the stiffness that was chosen)", l->numerical, l->unit);
    } else {
        printf("largest force of its impacts not known");
    }
    if (!isnan(l->between_impacts) && l->strikes)
        printf(", %.4g %s between impacts", l->between_impacts, l->unit);
    if (!isnan(l->pressure)) printf(", pressure %.4g MPa", 1e-6 * l->pressure);
}

static void print_loads(const slip_sim *sim)
{
    slip_element_loads l;
    for (int k = 0; slip_sim_loads(sim, k, &l); k++) {
        if (isnan(l.contact_time)) continue; // nothing is known of it
        label(k ? "" : "loads");
        printf("%s: ", l.element);
        print_largest_force(&l);
        if (!isnan(l.rms)) printf(", rms %.4g %s", l.rms, l.unit);
        if (l.strikes) printf("; %ld strike%s", l.strikes, l.strikes == 1 ? "" : "s");
        if (!isnan(l.impulse)) printf(", largest %.4g %s s", l.impulse, l.unit);
        if (l.kind == SLIP_LOADED_CONTACT) printf("; closed for %.4g s", l.contact_time);
        if (l.friction_work != 0.0) printf("; friction took %.4g J", l.friction_work);
        putchar('\n');
    }
}

void cli_print_run(const slip_model *model, slip_sim *sim, const slip_run_info *info, const long *counts,
                   const char *directory, bool verbose)
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
    print_stop(sim);
    print_horizon(sim);
    print_state(model, sim, verbose);
    print_events(counts, info->events);
    print_energy(sim);
    if (verbose) print_loads(sim);
    const char *doubt;
    slip_run_trust(sim, info, &doubt);
    print_warnings(sim, doubt, verbose);
    print_notes(sim, verbose);
    if (directory) {
        label("files");
        printf("%s/trajectory.csv (%ld rows), events.csv (%ld), summary.json\n",
               cli_shown(directory, (char[4200]){ 0 }, 4200), info->rows, info->events);
    }
}
