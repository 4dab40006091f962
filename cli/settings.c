#include "settings.h"

slip_sim_def cli_sim_def(const cli_args *args)
{
    slip_sim_def def = slip_default_sim_def();
    const struct {
        const char *name, **word;
        double *number;
    } all[] = {
        { "formulation", &def.formulation, NULL },
        { "solver", &def.solver, NULL },
        { "integrator", &def.integrator, NULL },
        { "branch", &def.branch, NULL },
        { "sensitivity", &def.sensitivity, NULL },
        { "on-disagreement", &def.on_disagreement, NULL },
        { "step", NULL, &def.step },
        { "until", NULL, &def.until },
        { "max-step", NULL, &def.max_step },
        { "relative", NULL, &def.relative },
        { "absolute", NULL, &def.absolute },
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const cli_value *given = cli_args_given(args, all[k].name);
        if (given && all[k].word) *all[k].word = given->text;
        if (given && all[k].number) *all[k].number = given->number;
    }
    def.strict = cli_args_given(args, "strict") != NULL;
    return def;
}
