/// design.c: slipstick design.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "args.h"
#include "model_files.h"
#include "slipstick/slipstick.h"
#include "terminal.h"

static const cli_option options[] = {
    { "restitution", 'e', CLI_OPTION_NUMBER, "E", "wanted coefficient of restitution, up to 1", NULL },
    { "mass", 'm', CLI_OPTION_NUMBER, "M", "effective mass at the contact, kg (1)", NULL },
    { "step", 0, CLI_OPTION_TIME, "H", "time step, seconds or with a unit (1 ms)", NULL },
    CLI_OPTION_JSON,
    { 0 },
};

// What a drop from 1 m realises under its own weight, by the height that it reaches: the contact ends at a
// depth, with less speed (docs/dai.md)
static void print_weight(const slip_dai_design *d, double step)
{
    const double g = 9.81, speed = sqrt(2.0 * g), half_percent = 0.005;
    double e = d->restitution, lost = g * d->release / speed, rest = fmax(0.0, e - lost);
    double made = sqrt(fmax(0.0, rest * rest - 2.0 * lost)), allowed = half_percent * e * e / (1.0 + e);
    printf("  in a drop     from 1 m, under its weight: %.4g by the height that it reaches", made);
    if (lost > allowed) printf("; --step %.2g is within 0.5 %%", floor(1e7 * step * allowed / lost) / 1e7);
    printf("\n");
}

static void print_text(const slip_dai_design *d)
{
    printf("dai: {K: %.10g, alpha: %.10g, beta: %.10g, K_t: %.10g, beta_t: %.10g}\n\n", d->K, d->alpha,
           d->beta, d->K_t, d->beta_t);
    printf("  restitution   %.10g%s\n", d->restitution,
           d->reachable ? "" : "   (the nearest that formulation dai reaches at this step)");
    printf("  contact time  %.4g s\n", d->contact_time);
    printf("  penetration   %.4g m per m/s of impact speed\n", d->penetration);
    printf("  peak force    %.4g N per m/s of impact speed\n", d->peak_force);
}

static int design(const cli_args *args)
{
    if (args->operand_count) return cli_report_usage(args, "design takes options only");
    if (!cli_args_has(args, "restitution"))
        return cli_report_usage(args, "no restitution given: slipstick design --restitution E");
    const double restitution = cli_args_number(args, "restitution", 0.0);
    if (restitution > 1.0) return cli_report_usage(args, "--restitution must be at most 1");
    double mass = cli_args_number(args, "mass", 1.0);
    double step = cli_args_number(args, "step", 1e-3);
    slip_dai_design d = slip_design_dai(restitution, mass, step);
    if (!cli_args_has(args, "json"))
        print_text(&d), print_weight(&d, step);
    else if (!cli_print_json(slip_dai_design_json(&d)))
        return CLI_EXIT_EARLY;
    return d.reachable ? CLI_EXIT_DONE : CLI_EXIT_EARLY;
}

const cli_command cli_command_design = {
    .name = "design",
    .operands = "",
    .summary = "constants of formulation dai for a wanted restitution",
    .about = "Prints the stiffness, alpha and beta that give a contact the wanted restitution, as stiff as "
             "the step\nallows, and friction constants to go with them. A model that states `restitution:` "
             "gets them by itself.",
    .examples = "slipstick design --restitution 0.8 --mass 1 --step 1e-3 # for one contact\n"
                "slipstick design -e 0.5 -m 20 --step 0.1ms --json # for a program\n",
    .options = options,
    .run = design,
};
