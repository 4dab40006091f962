/// solver/auto_solver.c: chooses by kind, size and storage, and escalates until the residual meets the tolerance.
///
/// A plan is a list of stages. Each stage starts from the best point so far or from zero, and the first one
/// that converges ends the plan. If none does, the best point is returned with the outcome of its stage.
/// Cheap stages come first; the choice was made by measurements on the problems under test/problems:
///   contacts   nothing to do, or one contact: closed form
///              Gauss-Seidel while it promises to converge soon, then proximal Newton; after that longer
///              and softer versions of the two, pivoting in the plane, a first-order method
///   boxes      pivoting while small, Newton first when large, enumeration as the last resort
/// If a sparse problem splits into islands, the first stage solves all of it, and the plan is then run for
/// each island that is not solved yet.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/problem/solver_record.h"
#include "solver/problem/contact_law.h"
#include "solver/linalg/matrix.h"
#include "solver/problem/problem_islands.h"
#include "solver/lcp/direct_pivoting.h"

enum { OPTION_SWEEPS, OPTION_EFFORT };

typedef struct stage {
    const slip_solver *solver;
    double iterations;           // limit at effort 1, 0: the solver's own
    bool cold;                   // start from zero and not from the best point
    double proximal, rho, inner; // of newton, in place of its options; 0: as the options say
} stage;

enum {
    PLAN_MAX_STAGES = SLIP_MAX_STAGES,
    SMALL_MAX_UNKNOWNS = 60,
    MURTY_MAX_UNKNOWNS = 120,
    MLCP_SMALL_MAX_UNKNOWNS = 400,
    LEMKE_MAX_UNKNOWNS = 1300,
    ENUMERATION_MAX_UNKNOWNS = 20
};
enum {
    PLANAR_SMALL_CONTACTS = 6,
    ENUMERATION_MAX_PLANAR = 8,
    LEMKE_EARLY_MAX_PLANAR = 200,
    LEMKE_MAX_PLANAR = 900
};

static int plan_boxes(const slip_problem *p, stage *plan)
{
    int count = 0;
    const bool lcp = p->kind == SLIP_KIND_LCP;
    const bool small =
        p->size <= SMALL_MAX_UNKNOWNS || (p->kind == SLIP_KIND_MLCP && p->size <= MLCP_SMALL_MAX_UNKNOWNS);
    // One sweep shows whether the problem is trivial; least-index pivots are cheap even if they fail.
    if (!lcp || p->size > SLIP_DIRECT_PIVOTING_MAX)
        plan[count++] = (stage){ .solver = &slip_solver_pgs,
                                 .iterations = !lcp                            ? 3
                                               : p->size <= MURTY_MAX_UNKNOWNS ? 1
                                                                               : 10 };
    if (lcp && p->size <= MURTY_MAX_UNKNOWNS)
        plan[count++] = (stage){ .solver = &slip_solver_murty, .cold = true };
    if (small) plan[count++] = (stage){ .solver = &slip_solver_lemke, .cold = true };
    const double steps = p->size <= MLCP_SMALL_MAX_UNKNOWNS ? 60 : p->size <= LEMKE_MAX_UNKNOWNS ? 100 : 300;
    plan[count++] = (stage){ .solver = &slip_solver_newton, .iterations = steps };
    plan[count++] = (stage){ .solver = &slip_solver_newton, .iterations = steps, .cold = true };
    if (!small && p->size <= LEMKE_MAX_UNKNOWNS)
        plan[count++] = (stage){ .solver = &slip_solver_lemke, .cold = true };
    if (p->size <= ENUMERATION_MAX_UNKNOWNS)
        plan[count++] = (stage){ .solver = &slip_solver_enum, .cold = true };
    plan[count++] = (stage){ .solver = &slip_solver_pgs, .iterations = 2000 };
    plan[count++] = (stage){
        .solver = &slip_solver_newton, .iterations = 500, .proximal = 1.0, .rho = 10.0, .inner = 60.0
    };
    return count;
}

static int plan_contacts(const slip_problem *p, const slip_solve_options *o, stage *plan)
{
    int count = 0;
    const bool stored = p->W.form == SLIP_DENSE || p->W.form == SLIP_SPARSE,
               planar = p->kind == SLIP_KIND_FC2D;
    if (stored) {
        // With few contacts two or three sweeps show whether the problem is easy; a Newton step or a handful
        // of pivots then costs less than more sweeps.
        const bool few = planar && p->contacts <= PLANAR_SMALL_CONTACTS;
        const double sweeps = few ? 2.0
                              : p->contacts <= 10
                                  ? 3.0
                                  : slip_solver_own_options(&slip_solver_auto, o)[OPTION_SWEEPS];
        plan[count++] = (stage){ .solver = &slip_solver_nsgs, .iterations = sweeps };
        if (few) plan[count++] = (stage){ .solver = &slip_solver_murty, .cold = true };
        if (few) plan[count++] = (stage){ .solver = &slip_solver_lemke, .cold = true };
        // In space, contacts with almost no load slow Newton's method down; a larger rho skips them.
        plan[count++] = (stage){ .solver = &slip_solver_newton, .iterations = planar ? 300 : 60 };
        if (!planar) plan[count++] = (stage){ .solver = &slip_solver_nsgs, .iterations = 150 };
        if (!planar)
            plan[count++] = (stage){ .solver = &slip_solver_newton, .iterations = 300, .rho = 100.0 };
        plan[count++] = (stage){ .solver = &slip_solver_newton, .iterations = 300, .cold = true };
        if (few) plan[count++] = (stage){ .solver = &slip_solver_enum, .cold = true };
        // Pivoting costs n^3: it comes early for small problems, late where softer Newton steps are cheaper.
        const bool pivots = planar && !few && p->size <= LEMKE_MAX_PLANAR;
        if (pivots && p->size <= LEMKE_EARLY_MAX_PLANAR)
            plan[count++] = (stage){ .solver = &slip_solver_lemke, .cold = true };
        plan[count++] = (stage){ .solver = &slip_solver_nsgs, .iterations = 500 };
        plan[count++] = (stage){
            .solver = &slip_solver_newton, .iterations = 500, .proximal = 1.0, .rho = 3.0, .inner = 50.0
        };
        if (pivots && p->size > LEMKE_EARLY_MAX_PLANAR)
            plan[count++] = (stage){ .solver = &slip_solver_lemke, .cold = true };
        plan[count++] = (stage){ .solver = &slip_solver_nsgs, .iterations = 2000 };
        plan[count++] = (stage){
            .solver = &slip_solver_newton, .iterations = 1000, .proximal = 0.03, .rho = 30.0, .inner = 100.0
        };
        if (planar && !few && p->contacts <= ENUMERATION_MAX_PLANAR)
            plan[count++] = (stage){ .solver = &slip_solver_enum, .cold = true };
    } else if (p->W.form == SLIP_DELASSUS)
        plan[count++] = (stage){ .solver = &slip_solver_nsgs, .iterations = 5000 };
    // A first-order method stalls less often from zero than from a point at which the other methods have
    // stalled.
    if (stored && p->size <= SMALL_MAX_UNKNOWNS)
        plan[count++] = (stage){ .solver = &slip_solver_ala, .iterations = 500, .cold = true };
    plan[count++] = (stage){ .solver = &slip_solver_ala, .iterations = 20000 };
    return count;
}

static int make_plan(const slip_problem *p, const slip_solve_options *o, stage *plan)
{
    if (p->kind == SLIP_KIND_QP) {
        plan[0] = (stage){ .solver = &slip_solver_qp, .cold = true };
        return 1;
    }
    return slip_problem_is_contact(p) ? plan_contacts(p, o, plan) : plan_boxes(p, plan);
}

static double *auto_layout(slip_arena *a, const slip_problem *p)
{
    return SLIP_TAKE(a, double, p->size);
}

// Stages run one after another in the same memory, after the best point so far. To ask Newton for its size
// costs an ordering, so each solver is asked once. A solver that does not accept the problem says so again
// when it is run.
static slip_status plan_size(const slip_problem *p, const slip_solve_options *o, int stages, size_t *bytes)
{
    stage plan[PLAN_MAX_STAGES];
    slip_arena count = { 0 };
    const int all = make_plan(p, o, plan);
    size_t most = 0;
    auto_layout(&count, p);
    for (int i = 0; i < all && i < stages; i++) {
        bool asked = !slip_solver_accepts(plan[i].solver, p);
        size_t needs = 0;
        for (int j = 0; j < i; j++) asked = asked || plan[j].solver == plan[i].solver;
        if (asked) continue;
        if (plan[i].solver->work_size(p, o, &needs) == SLIP_NO_MEMORY) return SLIP_NO_MEMORY;
        if (needs > most) most = needs;
    }
    *bytes = count.used + most;
    return SLIP_OK;
}

// The size of the first stage for the whole, or of one island and its plan, after the list of islands.
static slip_status islands_size(slip_problem_islands *s, const slip_problem *p, const slip_solve_options *o,
                                slip_arena *one, size_t *bytes)
{
    slip_status status = plan_size(p, o, 1, bytes);
    slip_problem_islands_layout(one, s);
    for (int k = 0; status == SLIP_OK && k < s->count; k++) {
        size_t needs = 0;
        slip_problem_islands_copy_out(s, k, p->q);
        status = plan_size(&s->one, o, PLAN_MAX_STAGES, &needs);
        if (needs > *bytes) *bytes = needs;
    }
    return status;
}

static slip_status sparse_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    slip_problem_islands s;
    slip_arena count = { 0 };
    slip_problem_islands_find(&count, &s, p);
    slip_arena found = { .base = slip_arena_memory(count.used) };
    if (!found.base) return SLIP_NO_MEMORY;
    slip_problem_islands_find(&found, &s, p);
    slip_status status = SLIP_OK;
    if (s.count > 1) {
        slip_arena one = { 0 };
        slip_problem_islands_layout(&one, &s);
        one = (slip_arena){ .base = slip_arena_memory(one.used) };
        status = one.base ? islands_size(&s, p, o, &one, bytes) : SLIP_NO_MEMORY;
        free(one.base);
        count.used += one.used;
    } else
        status = plan_size(p, o, PLAN_MAX_STAGES, bytes);
    free(found.base);
    *bytes += count.used;
    return status;
}

// The plan changes with the size. Work for a dense problem must serve the smaller ones too, so the sizes
// just below each change are measured as well.
static slip_status auto_work_size(const slip_problem *p, const slip_solve_options *o, size_t *bytes)
{
    static const int changes[] = { ENUMERATION_MAX_UNKNOWNS,   SMALL_MAX_UNKNOWNS, MURTY_MAX_UNKNOWNS,
                                   MLCP_SMALL_MAX_UNKNOWNS,    LEMKE_MAX_UNKNOWNS, 2 * PLANAR_SMALL_CONTACTS,
                                   2 * ENUMERATION_MAX_PLANAR, LEMKE_MAX_PLANAR };
    const int d = slip_problem_block(p);
    if (slip_problem_islands_worthwhile(p)) return sparse_size(p, o, bytes);
    slip_status status = plan_size(p, o, PLAN_MAX_STAGES, bytes);
    for (size_t i = 0; status == SLIP_OK && p->W.form == SLIP_DENSE && p->kind != SLIP_KIND_QP &&
                       i < sizeof changes / sizeof *changes;
         i++) {
        slip_problem smaller = *p;
        size_t needs = 0;
        smaller.size = changes[i] / d * d;
        if (smaller.size >= p->size) continue;
        smaller.contacts = d > 1 ? smaller.size / d : 0;
        smaller.W.rows = smaller.W.cols = smaller.size;
        if (smaller.equalities > smaller.size) smaller.equalities = smaller.size;
        status = plan_size(&smaller, o, PLAN_MAX_STAGES, &needs);
        if (needs > *bytes) *bytes = needs;
    }
    return status;
}

// r = 0 solves every problem in which no contact approaches; one dense contact has a closed form.
static bool solve_trivially(const slip_problem *p, double *z)
{
    const int d = slip_problem_block(p);
    bool idle = p->kind == SLIP_KIND_LCP || d > 1;
    for (int i = 0; idle && i < p->size; i += d) idle = p->q[i] >= 0.0;
    if (idle) {
        memset(z, 0, sizeof(double) * (size_t)p->size);
        return true;
    }
    if (p->contacts != 1 || d == 1 || p->W.form == SLIP_CALLBACK) return false;
    double block[9];
    slip_matrix_diagonal(&p->W, 0, d, block);
    return slip_one_contact_solve(d, block, p->q, p->mu[0], z);
}

// A candidate by direct pivoting; a failure costs little, and the plan goes on as before.
static bool try_direct_pivoting(const slip_problem *p, double *z, slip_solve_info *info)
{
    const bool stored = p->W.form == SLIP_DENSE || p->W.form == SLIP_SPARSE,
               pivotable = p->kind == SLIP_KIND_LCP || p->kind == SLIP_KIND_MLCP;
    if (!stored || !((pivotable && p->size <= SLIP_DIRECT_PIVOTING_MAX) ||
                     (p->kind == SLIP_KIND_FC2D && p->contacts <= SLIP_DIRECT_PIVOTING_MAX_PLANAR)))
        return false;
    const int pivots = slip_direct_pivoting_solve(p, z);
    if (pivots > 0) info->iterations = pivots;
    return pivots >= 0;
}

static slip_solve_options options_of(const slip_solve_options *o, const stage *s)
{
    slip_solve_options own = *o;
    own.warm_start = 1.0;
    const double *given = slip_solver_own_options(&slip_solver_auto, o);
    double *of_stage = own.own + slip_solver_first_option(s->solver);
    own.max_iterations = ceil(s->iterations * given[OPTION_EFFORT]);
    if (s->proximal > 0.0) of_stage[SLIP_NEWTON_PROXIMAL] = s->proximal;
    if (s->rho > 0.0) of_stage[SLIP_NEWTON_RHO] = s->rho;
    if (s->inner > 0.0) of_stage[SLIP_NEWTON_INNER] = s->inner;
    if (s->solver == &slip_solver_nsgs)
        of_stage[SLIP_NSGS_GIVE_UP] = s->iterations <= given[OPTION_SWEEPS] ? 1.0 : 0.0;
    return own;
}

static slip_outcome run_stage(const slip_problem *p, const slip_solve_options *o, const stage *s, double *z,
                              double *w, void *work, slip_solve_info *info)
{
    const slip_solve_options own = options_of(o, s);
    if (s->cold) memset(z, 0, sizeof(double) * (size_t)p->size);
    const int before = info->iterations;
    slip_outcome outcome = s->solver->run(p, &own, z, w, work, info);
    for (int i = 0; i < p->size; i++)
        if (!isfinite(z[i])) z[i] = 0.0;
    // Gauss-Seidel converges by the residual itself, and z has not changed since.
    const bool judged = s->solver == &slip_solver_pgs || s->solver == &slip_solver_nsgs;
    if (outcome != SLIP_CONVERGED || !judged) outcome = slip_solution_judge(p, o, outcome, z, w, info);
    if (info->stage_count < SLIP_MAX_STAGES)
        info->stages[info->stage_count++] =
            (slip_solve_stage){ s->solver->name, info->iterations - before, outcome, info->residual };
    return outcome;
}

// the first `most` stages of the plan
static slip_outcome run_plan(const slip_problem *p, const slip_solve_options *o, int most, double *z,
                             double *w, void *work, slip_solve_info *info)
{
    stage plan[PLAN_MAX_STAGES];
    slip_arena arena = { .base = work };
    const size_t bytes = sizeof(double) * (size_t)p->size;
    double *best = auto_layout(&arena, p), least = INFINITY;
    void *rest = arena.base + arena.used;
    memcpy(best, z, bytes);
    if (solve_trivially(p, z) || try_direct_pivoting(p, z, info)) {
        if (slip_solution_judge(p, o, SLIP_STALLED, z, w, info) == SLIP_CONVERGED) return SLIP_CONVERGED;
        info->iterations = 0;
    }
    const int stages = make_plan(p, o, plan);
    slip_outcome outcome = SLIP_UNSUITED; // of the stage with the smallest residual
    for (int i = 0; i < stages && i < most; i++) {
        if (!slip_solver_accepts(plan[i].solver, p)) continue;
        memcpy(z, best, bytes);
        const slip_outcome now = run_stage(p, o, &plan[i], z, w, rest, info);
        if (now == SLIP_CONVERGED) return now;
        const double e = info->residual;
        if (now != SLIP_UNSUITED && (e < least || outcome == SLIP_UNSUITED)) {
            least = e;
            outcome = now;
            memcpy(best, z, bytes);
        }
        if (now == SLIP_INFEASIBLE) { // proved: nothing else can help
            outcome = now;
            break;
        }
    }
    memcpy(z, best, bytes);
    return slip_solution_judge(p, o, outcome, z, w, info);
}

// The path of an island is added to that of the whole after its first stage: one entry per solver, with the
// sum of its iterations and its worst residual.
static void add_path(const slip_solve_info *of, slip_solve_info *info)
{
    info->iterations += of->iterations;
    for (int i = 0; i < of->stage_count; i++) {
        int at = 1;
        while (at < info->stage_count && info->stages[at].solver != of->stages[i].solver) at++;
        if (at == SLIP_MAX_STAGES) continue;
        if (at == info->stage_count)
            info->stages[info->stage_count++] =
                (slip_solve_stage){ of->stages[i].solver, 0, SLIP_CONVERGED, 0.0 };
        slip_solve_stage *to = &info->stages[at];
        to->iterations += of->stages[i].iterations;
        if (of->stages[i].residual > to->residual)
            to->residual = of->stages[i].residual, to->outcome = of->stages[i].outcome;
    }
}

static slip_outcome run_islands(slip_problem_islands *s, const slip_problem *p, const slip_solve_options *o,
                                double *z, double *w, void *work, slip_solve_info *info)
{
    slip_outcome worst = run_plan(p, o, 1, z, w, work, info);
    if (worst == SLIP_CONVERGED) return worst;
    double most = 0.0;
    for (int k = 0; k < s->count; k++) {
        slip_solve_info own = { .stage_count = 0 };
        slip_problem_islands_copy_out(s, k, z);
        if (slip_solution_judge(&s->one, o, SLIP_STALLED, s->z, s->w, &own) == SLIP_CONVERGED) continue;
        const slip_outcome outcome = run_plan(&s->one, o, PLAN_MAX_STAGES, s->z, s->w, work, &own);
        slip_problem_islands_copy_back(s, k, z);
        add_path(&own, info);
        if (outcome == SLIP_INFEASIBLE) return slip_solution_judge(p, o, outcome, z, w, info);
        if (own.residual >= most) most = own.residual, worst = outcome;
    }
    return slip_solution_judge(p, o, worst, z, w, info);
}

static slip_outcome auto_run(const slip_problem *p, const slip_solve_options *o, double *z, double *w,
                             void *work, slip_solve_info *info)
{
    slip_arena arena = { .base = work };
    slip_problem_islands s;
    if (slip_problem_islands_worthwhile(p)) {
        slip_problem_islands_find(&arena, &s, p);
        if (s.count > 1) {
            slip_problem_islands_layout(&arena, &s);
            return run_islands(&s, p, o, z, w, arena.base + arena.used, info);
        }
    }
    return run_plan(p, o, PLAN_MAX_STAGES, z, w, arena.base + arena.used, info);
}

static const slip_option options[] = {
    [OPTION_SWEEPS] = { "sweeps", "", SLIP_WITHIN(0, 1e6), SLIP_DEFAULT(60),
                        "Gauss-Seidel sweeps before something stronger is tried" },
    [OPTION_EFFORT] = { "effort", "", SLIP_WITHIN(0.01, 1e3), SLIP_DEFAULT(1),
                        "scales the iteration limits of every stage" },
};

const slip_solver slip_solver_auto = {
    .name = "auto",
    .summary = "chooses by kind, size and storage, escalates, and reports the path it took",
    SLIP_ACCEPTS_ALL,
    .reference = "",
    .forms = SLIP_STORED | SLIP_BIT(SLIP_DELASSUS) | SLIP_BIT(SLIP_CALLBACK),
    .fallback_rank = 3,
    .chooses = true,
    .judges = true,
    SLIP_OPTIONS(options),
    .work_size = auto_work_size,
    .run = auto_run,
};
