/// dynamics/contact/contact_problem_layout.c: memory of the problem of one instant.
#include "dynamics/contact/contact_problem.h"

#include "base/linalg/linalg.h"

// the largest problems that can come: every contact held, everything that slips sticking
typedef struct sizes {
    int contacts, slips, cones; // with a gap; with a slip, each direction counted; with both
    int blocks, spatial;        // contacts and frictions; those that slip in two directions
    int struck;                 // contacts, and frictions that follow a force: all that impacts may involve
} sizes;

static sizes sizes_of(const slip_system *s)
{
    sizes z = { 0 };
    for (int e = 0; e < s->element_count; e++) {
        z.contacts += s->elements[e].has_gap;
        z.slips += s->elements[e].slip_count;
        z.cones += s->elements[e].has_gap ? s->elements[e].slip_count : 0;
        z.spatial += s->elements[e].slip_count > 1;
        z.struck += s->elements[e].has_gap || s->elements[e].contact->load.kind != SLIP_LOAD_NONE;
    }
    z.blocks = s->element_count;
    return z;
}

static size_t larger_work(size_t most, const slip_contact_problem *r, const slip_solver *solver,
                          const slip_problem *p)
{
    size_t bytes = 0;
    if (solver && p->size > 0) slip_solve_work_size(solver, p, &r->options, &bytes);
    return bytes > most ? bytes : most;
}

// work for the largest LCP, impact and QP; the shapes alone decide. A box problem has two rows for each
// unknown at the most, so an LCP of twice the size stands for it.
static size_t contact_problem_work_size(const slip_contact_problem *r, sizes z, int lcp, int variables,
                                        int constraints)
{
    const slip_solver *lemke = slip_solver_find("lemke"), *enumeration = slip_solver_find("enum");
    const double none = 0.0;
    int few = lcp < SLIP_CONTACT_MAX_ENUMERATED ? lcp : SLIP_CONTACT_MAX_ENUMERATED;
    slip_problem whole = slip_problem_lcp(lcp, &none, &none), box = slip_problem_lcp(2 * lcp, &none, &none),
                 small = slip_problem_lcp(few, &none, &none),
                 impact = slip_problem_contacts(2, z.struck, &none, &none, &none),
                 qp = slip_problem_qp(variables, &none, &none, constraints, &none, &none, NULL);
    qp.equalities = variables; // as many as contact_forces.c asks for
    slip_problem space = slip_problem_contacts(3, z.spatial ? z.blocks : 0, &none, &none, &none);
    size_t most = larger_work(larger_work(64, r, r->solver, &box), r, r->solver, &whole);
    most = larger_work(most, r, lemke, &box);
    most = larger_work(most, r, enumeration, &small);
    most = larger_work(most, r, lemke, &impact);
    most = larger_work(most, r, slip_solver_find("auto"), &space);
    return larger_work(most, r, slip_solver_find("qp"), &qp);
}

bool slip_contact_problem_solver_fits(const slip_contact_problem *r, const slip_system *s)
{
    sizes z = sizes_of(s);
    const double none = 0.0;
    int lcp = z.contacts + 2 * z.slips;
    slip_problem p = slip_problem_lcp(lcp, &none, &none);
    bool boxes = z.slips > z.cones;
    if (boxes && !(r->solver->kinds & 1u << SLIP_KIND_RELAY)) return false;
    slip_solve_options options = slip_default_solve_options();
    size_t bytes;
    return lcp == 0 || slip_solve_work_size(r->solver, &p, &options, &bytes) == SLIP_OK;
}

// rows of the unknowns, what bilateral constraints take out of them, and the limits of friction
static void take_rows(slip_arena *arena, const slip_system *s, slip_contact_problem *r)
{
    const int q = r->most, n = s->n, e = s->element_count, c = s->constraint_count;
    slip_terms_layout(arena, s, &r->terms);
    r->contact_state = SLIP_TAKE_PLAIN(arena, slip_contact_state, e);
    r->bilateral_row = SLIP_TAKE(arena, double, c *n);
    r->bilateral_response = SLIP_TAKE(arena, double, c *n);
    r->bilateral_z = SLIP_TAKE(arena, double, c);
    r->slip = SLIP_TAKE(arena, double, 2 * e);
    r->slip_direction = SLIP_TAKE(arena, double, 2 * e);
    r->heading = SLIP_TAKE(arena, double, 2 * e);
    r->owner = SLIP_TAKE(arena, int, q);
    r->row = SLIP_TAKE(arena, int, q);
    r->friction = SLIP_TAKE(arena, double, e);
    slip_friction_loads_layout(arena, s, &r->loads);
    r->joints = arena->base && slip_friction_loads_need_joints(&r->loads, s);
    r->bilateral_of = SLIP_TAKE(arena, int, c);
    r->bilateral_by = SLIP_TAKE(arena, double, c *c);
    r->lambda = SLIP_TAKE(arena, double, c);
}

// the problem and its answer
static void take_solution(slip_arena *arena, const slip_system *s, slip_contact_problem *r)
{
    const int q = r->most, n = s->n, e = s->element_count;
    r->free = SLIP_TAKE(arena, double, n);
    r->response = SLIP_TAKE(arena, double, q *n);
    r->D = SLIP_TAKE(arena, double, q *q);
    r->S = SLIP_TAKE(arena, double, q *q);
    r->c = SLIP_TAKE(arena, double, q);
    r->x = SLIP_TAKE(arena, double, q);
    r->rate = SLIP_TAKE(arena, double, q);
    r->a = SLIP_TAKE(arena, double, n);
    r->line = SLIP_TAKE(arena, double, n);
    r->normal = SLIP_TAKE(arena, double, e);
    r->tangent = SLIP_TAKE(arena, double, e);
    r->normal_rate = SLIP_TAKE(arena, double, e);
    r->slip_rate = SLIP_TAKE(arena, double, e);
    r->tangent_y = SLIP_TAKE(arena, double, e);
    r->slip_rate_y = SLIP_TAKE(arena, double, e);
    r->loaded = SLIP_TAKE(arena, bool, e);
    r->tight = SLIP_TAKE(arena, bool, e);
}

// what solvers need
static void take_work(slip_arena *arena, sizes z, slip_contact_problem *r)
{
    const int q = r->most, e = z.blocks, lcp = z.contacts + 2 * z.slips, cone = z.spatial ? 3 * z.blocks : 0,
              constraints = z.contacts + z.slips + 2 * z.cones + SLIP_MAX_CONE_PLANES * z.spatial;
    int side = q + constraints > lcp ? q + constraints : lcp;
    if (2 * z.struck > side) side = 2 * z.struck;
    if (cone > side) side = cone;
    r->K = SLIP_TAKE(arena, double, 4 * q * q);
    r->k = SLIP_TAKE(arena, double, 2 * q);
    r->kernel_work = SLIP_TAKE(arena, double, SLIP_LEAST_SQUARES_WORK *q);
    r->pivot = SLIP_TAKE(arena, int, 4 * q);
    r->Z = SLIP_TAKE(arena, double, (size_t)side *(size_t)side);
    r->zq = SLIP_TAKE(arena, double, side);
    r->low = SLIP_TAKE(arena, double, side);
    r->high = SLIP_TAKE(arena, double, side);
    r->z = SLIP_TAKE(arena, double, side);
    r->zw = SLIP_TAKE(arena, double, side);
    r->limits = SLIP_TAKE(arena, double, side);
    r->cone_J = SLIP_TAKE(arena, double, (size_t)cone *(size_t)cone);
    r->cone_F = SLIP_TAKE(arena, double, (5 + SLIP_LEAST_SQUARES_WORK) * cone);
    r->cone_pivot = SLIP_TAKE(arena, int, cone);
    r->cut = SLIP_TAKE(arena, double, z.spatial ? 2 * SLIP_MAX_CONE_PLANES *e : 0);
    r->cuts = SLIP_TAKE(arena, int, e);
    r->work = slip_arena_take(arena, contact_problem_work_size(r, z, lcp, q, constraints));
}

void slip_contact_problem_layout(slip_arena *arena, const slip_system *s, slip_contact_problem *r)
{
    const sizes z = sizes_of(s);
    r->system = s;
    r->most = z.contacts + z.slips;
    r->unit = 1.0;
    r->options = slip_default_solve_options();
    r->options.tolerance = 1e-9;
    slip_solve_options_take(&r->options, r->given);
    take_rows(arena, s, r);
    take_solution(arena, s, r);
    take_work(arena, z, r);
}
