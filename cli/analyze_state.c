/// analyze_state.c: the contact problem at one state.
#include "analyze_state.h"

#include <stdio.h>

#include "command.h"
#include "model_files.h"
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
    cli_style style = verdict == SLIP_TRUSTED ? CLI_GREEN : CLI_YELLOW; // as `run` paints them
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

int cli_analyze_state(const slip_model *model, double t, const cli_args *args)
{
    bool json = cli_args_has(args, "json");
    slip_error error = { 0 };
    slip_analysis *a = NULL;
    slip_status status = slip_analysis_create(model, NULL, &error, &a);
    if (status == SLIP_OK) status = slip_analysis_after(a, model, t, &error);
    int code = CLI_EXIT_DONE;
    if (status != SLIP_OK) {
        code = cli_report_error(json, &error);
    } else {
        slip_verdict verdict = slip_analysis_verdict(a);
        if (verdict != SLIP_TRUSTED && verdict != SLIP_UNKNOWN_VERDICT) code = CLI_EXIT_EARLY;
        if (!json)
            print_text(a, model, t);
        else if (!cli_print_json(slip_analysis_json(a)))
            code = CLI_EXIT_EARLY;
        slip_report_def report = slip_default_report_def();
        report.model = model, report.analysis = a;
        code = cli_report_write(args, &report, !json, code);
        if (!cli_stdout_done()) code = CLI_EXIT_EARLY;
    }
    slip_analysis_destroy(a);
    return code;
}
