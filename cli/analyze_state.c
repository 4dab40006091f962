/// analyze_state.c: the contact problem at one state.
#include "analyze_state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "models.h"
#include "report.h"
#include "slipstick/analysis.h"
#include "terminal.h"

static void print_matrix(const slip_analysis *a)
{
    int n = slip_analysis_contact_count(a);
    const double *A = slip_analysis_A(a), *B = slip_analysis_B(a);
    if (!A || n > 6) return;
    printf("\n  y = A x + B, x the normal forces, y the gap accelerations%s\n",
           slip_analysis_p_matrix(a) == 1 ? "; A is a P-matrix: one solution whatever B" : "");
    for (int i = 0; i < n; i++) {
        printf("    A = [");
        for (int j = 0; j < n; j++) printf(" %11.5g", A[i * n + j]);
        printf(" ]   B = %11.5g   %s\n", B[i], slip_analysis_contact_name(a, i));
    }
}

static void print_solution(slip_analysis *a, int s)
{
    printf("\n  solution %d: %s\n", s + 1, slip_analysis_stability(a, s));
    for (int c = 0; c < slip_analysis_contact_count(a); c++) {
        slip_analysis_contact k = slip_analysis_solution(a, s, c);
        printf("    %-14s %-15s N = %11.5g N   T = %11.5g N   gap'' = %11.5g   slip' = %11.5g m/s^2\n",
               slip_analysis_contact_name(a, c), k.mode, k.normal, k.tangent, k.gap_rate, k.slip_rate);
    }
    slip_analysis_layer layer = slip_analysis_boundary_layer(a, s);
    if (layer.count == 0) return;
    printf("    boundary layer  ");
    for (int k = 0; k < 2 * layer.count; k++) printf("%s%.4g%+.4gi", k ? ", " : "", layer.re[k], layer.im[k]);
    printf(" 1/s\n");
}

static void print_text(slip_analysis *a, const slip_model *model, double t)
{
    slip_verdict verdict = slip_analysis_verdict(a);
    cli_style style = verdict == SLIP_TRUSTED           ? CLI_GREEN
                      : verdict == SLIP_UNKNOWN_VERDICT ? CLI_YELLOW
                                                        : CLI_RED;
    printf("%s%s%s at t = %g s: %s%s%s, %s\n", cli_paint(stdout, CLI_BOLD), slip_model_name(model),
           cli_paint(stdout, CLI_PLAIN), t, cli_paint(stdout, style), slip_verdict_name(verdict),
           cli_paint(stdout, CLI_PLAIN),
           slip_analysis_rigid_preferred(a) ? "rigid contacts will do" : "use compliant contacts");
    printf("  %s\n", slip_analysis_text(a));
    int solutions = slip_analysis_solution_count(a);
    if (slip_analysis_contact_count(a) == 0) return;
    if (solutions < 0)
        printf("  too many contacts to try every mode\n");
    else
        printf("  %d solution%s of the contact problem%s\n", solutions, solutions == 1 ? "" : "s",
               slip_analysis_continuum(a) ? ", among them a continuum that counts as one" : "");
    print_matrix(a);
    for (int s = 0; s < solutions; s++) print_solution(a, s);
}

static void print_json(FILE *out, slip_analysis *a, double t)
{
    int n = slip_analysis_contact_count(a), solutions = slip_analysis_solution_count(a);
    fprintf(out, "{\"t\": %.17g, \"verdict\": \"%s\", \"text\": ", t,
            slip_verdict_name(slip_analysis_verdict(a)));
    cli_print_json_text(out, slip_analysis_text(a));
    fprintf(out, ",\n \"prefer\": \"%s\", \"p_matrix\": %s, \"continuum\": %s,\n \"solutions\": [",
            slip_analysis_rigid_preferred(a) ? "rigid" : "compliant",
            slip_analysis_p_matrix(a) < 0 ? "null"
            : slip_analysis_p_matrix(a)   ? "true"
                                          : "false",
            slip_analysis_continuum(a) ? "true" : "false");
    for (int s = 0; s < solutions; s++) {
        fprintf(out, "%s\n  {\"stability\": \"%s\", \"contacts\": {", s ? "," : "",
                slip_analysis_stability(a, s));
        for (int c = 0; c < n; c++) {
            slip_analysis_contact k = slip_analysis_solution(a, s, c);
            fprintf(out, "%s", c ? ", " : "");
            cli_print_json_text(out, slip_analysis_contact_name(a, c));
            fprintf(out,
                    ": {\"mode\": \"%s\", \"normal\": %.17g, \"tangent\": %.17g, \"gap_rate\": %.17g, "
                    "\"slip_rate\": %.17g}",
                    k.mode, k.normal, k.tangent, k.gap_rate, k.slip_rate);
        }
        fprintf(out, "}}");
    }
    fprintf(out, "]}\n");
}

// q and u at t: the start, or where a run of the model is by then
static slip_status state_at(const slip_model *model, double t, double **row, int *states, slip_error *error)
{
    slip_sim_def def = slip_default_sim_def();
    if (t > 0.0) def.until = t;
    slip_sim *sim = NULL;
    slip_status status = slip_sim_create(model, &def, error, &sim);
    if (status != SLIP_OK) return status;
    slip_run_outcome outcome = SLIP_DONE;
    while (t > 0.0 && (outcome = slip_sim_step(sim)) == SLIP_RUNNING) {}
    *row = malloc((size_t)slip_sim_column_count(sim) * sizeof **row);
    *states = slip_sim_state_count(sim);
    if (!*row) {
        status = SLIP_NO_MEMORY;
    } else if (outcome != SLIP_DONE) {
        *error = (slip_error){ .status = SLIP_BAD_ARGUMENT };
        snprintf(error->where, sizeof error->where, "--at");
        snprintf(error->text, sizeof error->text, "the run ended at %g s: %s", slip_sim_time(sim),
                 slip_run_outcome_text(outcome));
        status = SLIP_BAD_ARGUMENT;
    } else {
        slip_sim_columns(sim, *row);
    }
    slip_sim_destroy(sim);
    return status;
}

// what was found, and the object that --json prints
static int report(const cli_args *args, const slip_model *model, slip_analysis *a, double t, int code)
{
    char sentence[600];
    slip_verdict verdict = slip_analysis_verdict(a);
    snprintf(sentence, sizeof sentence, "At t = %g s the rigid contacts are %s, so %s: %.480s.", t,
             slip_verdict_name(verdict),
             slip_analysis_rigid_preferred(a) ? "rigid contacts will do" : "use compliant contacts",
             slip_analysis_text(a));
    slip_finding found = { verdict == SLIP_TRUSTED           ? SLIP_TONE_GOOD
                           : verdict == SLIP_UNKNOWN_VERDICT ? SLIP_TONE_WARN
                                                             : SLIP_TONE_BAD,
                           sentence };
    cli_json_text object;
    cli_json_begin(&object);
    if (object.stream) print_json(object.stream, a, t);
    slip_report_def def = slip_default_report_def();
    def.model = model;
    def.found = &found, def.found_count = 1;
    return cli_report_object(args, &def, "analyze", &object, code);
}

int cli_analyze_state(const slip_model *model, double t, const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    double *row = NULL;
    int states = 0;
    slip_error error = { 0 };
    slip_analysis *a = NULL;
    slip_status status = slip_analysis_create(model, NULL, &error, &a);
    if (status == SLIP_OK) status = state_at(model, t, &row, &states, &error);
    int n = status == SLIP_OK ? slip_model_coordinate_count(model) : 0;
    if (status == SLIP_OK) status = slip_analysis_at(a, t, row + 1, row + 1 + n, &error);
    int code = CLI_EXIT_DONE;
    if (status != SLIP_OK) {
        code = cli_report_error(json, &error);
    } else {
        if (json)
            print_json(stdout, a, t);
        else
            print_text(a, model, t);
        slip_verdict verdict = slip_analysis_verdict(a);
        code = verdict == SLIP_TRUSTED || verdict == SLIP_UNKNOWN_VERDICT ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
        if (cli_args_has(args, "report")) code = report(args, model, a, t, code);
        if (!cli_stdout_done()) code = CLI_EXIT_EARLY;
    }
    slip_analysis_destroy(a);
    free(row);
    return code;
}
