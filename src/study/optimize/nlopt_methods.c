/// study/optimize/nlopt_methods.c: the methods of NLopt that can be asked for.
#include <string.h>

#include "study/optimize/nlopt_search.h"

#define POWELL "M. J. D. Powell, "

static const slip_optimize_method_record methods[] = {
    { { "bobyqa", "local, by quadratic models, without derivatives", "bounds",
        POWELL "The BOBYQA algorithm, 2009" },
      NLOPT_LN_BOBYQA,
      .constraints = false },
    { { "cobyla", "local, by linear models, without derivatives", "bounds, constraints",
        POWELL "A direct search optimization method, 1994" },
      NLOPT_LN_COBYLA,
      .constraints = true,
      .equalities = true },
    { { "subplex", "local, simplices in subspaces: slow, takes noise", "bounds", "T. Rowan, 1990" },
      NLOPT_LN_SBPLX,
      .constraints = false },
    { { "slsqp", "local, quadratic programs, with derivatives", "bounds, constraints",
        "D. Kraft, ACM TOMS 20, 1994" },
      NLOPT_LD_SLSQP,
      .gradient = true,
      .constraints = true,
      .equalities = true },
    { { "direct", "global, divides the box, then a local search", "bounds (required)",
        "J. M. Gablonsky and C. T. Kelley, 2001" },
      NLOPT_GN_DIRECT_L,
      .bounded = true },
    { { "crs", "global, random with local mutation, then a local search", "bounds (required)",
        "P. Kaelo and M. M. Ali, 2006" },
      NLOPT_GN_CRS2_LM,
      .bounded = true,
      .draws = true },
    { { "isres", "global, an evolution strategy, then a local search", "bounds (required), constraints",
        "T. P. Runarsson and X. Yao, 2005" },
      NLOPT_GN_ISRES,
      .constraints = true,
      .equalities = true,
      .bounded = true,
      .draws = true },
};
enum { METHODS = (int)(sizeof methods / sizeof *methods) };

const slip_part_info *slip_optimize_method(int k)
{
    return k >= 0 && k < METHODS ? &methods[k].info : NULL;
}

const slip_optimize_method_record *slip_optimize_method_named(const char *name)
{
    for (int k = 0; k < METHODS; k++)
        if (strcmp(methods[k].info.name, name) == 0) return &methods[k];
    return NULL;
}

// With derivatives they are used. BOBYQA wants two variables at least, and takes no constraints
const slip_optimize_method_record *slip_optimize_method_for(const slip_objective *goal)
{
    if (goal->exact) return slip_optimize_method_named("slsqp");
    const bool plain = goal->count == 1 && goal->def->free_count > 1;
    return slip_optimize_method_named(plain ? "bobyqa" : "cobyla");
}
