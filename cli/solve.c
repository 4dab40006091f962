/// solve.c: slipstick solve PROBLEM. One problem file, one solver or all of them, one residual.
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "model_files.h"
#include "slipstick/solver.h"
#include "terminal.h"

static const cli_option options[] = {
    { "solver", 's', CLI_OPTION_TEXT, "S", "by name, see slipstick list solvers (auto)", "solvers" },
    { "all", 'a', CLI_OPTION_FLAG, NULL, "every solver that takes the problem, one line each", NULL },
    { "set", 0, CLI_OPTION_LIST, "KEY=VALUE", "a solver option, as tolerance=1e-6 or newton.inner=50", NULL },
    { "options", 0, CLI_OPTION_FLAG, NULL, "list the solver options with their defaults, and exit", NULL },
    { "vectors", 0, CLI_OPTION_FLAG, NULL, "print z and w too", NULL },
    CLI_OPTION_JSON,
    { "quiet", 'q', CLI_OPTION_FLAG, NULL, "errors and exit code only", NULL },
    { 0 },
};

static void print_path(const slip_solve_info *info)
{
    if (info->stage_count < 2) return;
    printf("  path:");
    for (int i = 0; i < info->stage_count; i++)
        printf("%s %s %d (%.1e)", i ? "," : "", info->stages[i].solver, info->stages[i].iterations,
               info->stages[i].residual);
    printf("\n");
}

static void print_answer(const slip_solve_result *a)
{
    char time[40];
    if (a->seconds < 1e-3)
        snprintf(time, sizeof time, "%.3g us", 1e6 * a->seconds);
    else
        cli_seconds_text(a->seconds, time, sizeof time);
    const bool good = a->outcome == SLIP_CONVERGED;
    printf("%-7s %s%s%s", a->solver->name, cli_paint(stdout, good ? CLI_GREEN : CLI_YELLOW),
           slip_outcome_name(a->outcome), cli_paint(stdout, CLI_PLAIN));
    if (a->outcome == SLIP_UNSUITED) {
        printf(": %s\n", slip_outcome_text(a->outcome));
        return;
    }
    printf(", residual %.3e, %d iterations, %s", a->info.residual, a->info.iterations, time);
    if (a->info.solutions >= 0) printf(", %d solutions", a->info.solutions);
    if (a->info.uniqueness != SLIP_UNIQUENESS_UNKNOWN)
        printf(", %s", slip_uniqueness_name(a->info.uniqueness));
    printf("\n");
    print_path(&a->info);
}

static void print_vectors(const slip_problem *p, const slip_solve_result *a)
{
    printf("%6s %24s %24s\n", "i", "z", "w");
    for (int i = 0; i < p->size; i++) printf("%6d %24.17g %24.17g\n", i, a->z[i], a->w[i]);
}

static void print_text(const slip_problem *p, const slip_solve_result *answers, int count, bool vectors)
{
    printf("%s%s%s: %s", cli_paint(stdout, CLI_BOLD), p->name ? p->name : "problem",
           cli_paint(stdout, CLI_PLAIN), slip_kind_name(p->kind));
    if (p->contacts > 0) printf(", %d contacts", p->contacts);
    printf(", %d unknowns, %ld nonzeros\n", p->size, slip_problem_nonzeros(p));
    for (int i = 0; i < count; i++) {
        print_answer(&answers[i]);
        if (vectors && answers[i].outcome != SLIP_UNSUITED) print_vectors(p, &answers[i]);
    }
}

static void print_options(void)
{
    slip_option_entry e;
    for (int i = 0; slip_solve_option_entry(i, &e); i++)
        printf("  %-22s %-8s %-20s %s\n", e.key, e.option.fallback, e.option.range.text, e.option.meaning);
}

// done when one of the solvers asked for converged
static int solve_all(const slip_problem *p, const cli_args *args, const slip_solver *only,
                     const slip_solve_options *o)
{
    const int most = slip_solver_count();
    slip_solve_result *answers = calloc((size_t)most, sizeof *answers);
    int count = 0, code = CLI_EXIT_EARLY;
    bool good = answers != NULL;
    for (int i = 0; good && i < most; i++) {
        const slip_solver *s = slip_solver_get(i);
        if (only ? s != only : !slip_solver_accepts(s, p)) continue;
        good = slip_solve_timed(p, s, o, &answers[count++]) == SLIP_OK;
        if (answers[count - 1].outcome == SLIP_CONVERGED) code = CLI_EXIT_DONE;
    }
    if (!good) {
        cli_complain("out of memory");
        code = CLI_EXIT_BAD;
    } else if (cli_args_has(args, "json")) {
        if (!cli_print_json(slip_solve_results_json(p, args->operands[0], answers, count)))
            code = CLI_EXIT_BAD;
    } else if (!cli_args_has(args, "quiet"))
        print_text(p, answers, count, cli_args_has(args, "vectors"));
    for (int i = 0; i < count; i++) slip_solve_result_free(&answers[i]);
    free(answers);
    return code;
}

static int solve_file(const cli_args *args, const slip_solver *only, const slip_solve_options *o)
{
    slip_problem *p, *condensed = NULL;
    slip_error error = { 0 };
    if (slip_problem_read_file(args->operands[0], &error, &p) != SLIP_OK)
        return cli_report_error(cli_args_has(args, "json"), &error);
    const bool global = p->kind == SLIP_KIND_GFC2D || p->kind == SLIP_KIND_GFC3D;
    int code;
    if (global && slip_problem_condense(p, &error, &condensed) != SLIP_OK)
        code = cli_report_error(cli_args_has(args, "json"), &error);
    else
        code = solve_all(global ? condensed : p, args, only, o);
    slip_problem_destroy(condensed);
    slip_problem_destroy(p);
    return code;
}

static int unknown_solver(const cli_args *args, const char *name)
{
    const char *names[32];
    int count = 0;
    for (; count < slip_solver_count() && count < 32; count++) names[count] = slip_solver_get(count)->name;
    const char *near = cli_nearest(name, names, count);
    return cli_report_usage(args, "there is no solver '%s'%s%s%s", name, near ? "; did you mean '" : "",
                            near ? near : "", near ? "'?" : "; see slipstick list solvers");
}

static int solve_with(const cli_args *args)
{
    slip_solve_options o = slip_default_solve_options();
    slip_error error = { 0 };
    const cli_value *set = cli_args_value(args, "set");
    for (int i = 0; i < set->count; i++)
        if (slip_solve_option_set(&o, set->list[i], &error) != SLIP_OK)
            return cli_report_error(cli_args_has(args, "json"), &error);
    const char *typed = cli_args_text(args, "solver"), *name = typed ? typed : "auto";
    const slip_solver *solver = slip_solver_find(name);
    if (!solver) return unknown_solver(args, name);
    return solve_file(args, cli_args_has(args, "all") ? NULL : solver, &o);
}

static int solve(const cli_args *args)
{
    if (cli_args_has(args, "options")) {
        print_options();
        return CLI_EXIT_DONE;
    }
    if (args->operand_count != 1)
        return cli_report_usage(args, "%s",
                                args->operand_count ? "one problem at a time"
                                                    : "no problem given: slipstick solve PROBLEM");
    return solve_with(args);
}

const cli_command cli_command_solve = {
    .name = "solve",
    .operands = "PROBLEM",
    .summary = "solve one complementarity or friction problem file",
    .about =
        "PROBLEM is an NSP file: LCP, mixed LCP, box LCP, planar or spatial Coulomb friction, local or\n"
        "global. Every answer is judged by the same residual, computed from the file. Exit code 0 when it\n"
        "is below the tolerance, 1 when not, 2 when the file or the call is wrong.",
    .examples = "slipstick solve pile.nsp # whatever works, and the path it took\n"
                "slipstick solve pile.nsp --all # every solver that takes the problem\n"
                "slipstick solve pile.nsp -s newton --set tolerance=1e-12 # one solver, its options\n"
                "slipstick solve pile.nsp --json # the answer and how it was found\n",
    .options = options,
    .run = solve,
};
