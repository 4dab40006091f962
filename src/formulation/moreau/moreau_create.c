/// formulation/moreau/moreau_create.c: the making of a time-stepping run: memory, solvers, settings.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "formulation/many_body/many_body.h"
#include "symbolic/graph/caches.h"
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

void slip_moreau_destroy(slip_method *method)
{
    slip_moreau *m = (slip_moreau *)method;
    slip_log_destroy(method->log);
    slip_time_schedule_destroy(&m->timetable);
    slip_force_discontinuity_destroy(&m->border);
    slip_narrow_features_destroy(&m->narrow);
    slip_fused_midpoint_destroy(m->fused);
    slip_system_destroy(m->system);
    slip_uniqueness_cache_destroy(&m->monitor.proof);
    free(m->memory);
    free(m);
}

// ---- memory

static void layout_step(slip_arena *a, const slip_moreau *m, slip_moreau_step *step)
{
    const int elements = m->system->element_count;
    step->impulse = SLIP_TAKE(a, double, 3 * elements);
    step->slip = SLIP_TAKE(a, double, 2 * elements);
    step->limit = SLIP_TAKE(a, double, elements);
    step->approach = SLIP_TAKE(a, double, elements);
    const size_t begin = a->used; // what follows is one block, x first
    step->x = SLIP_TAKE(a, double, 2 * m->n);
    step->depth = SLIP_TAKE(a, double, elements);
    step->mode = SLIP_TAKE(a, unsigned char, elements);
    step->state = SLIP_TAKE(a, unsigned char, elements);
    step->history.warm = SLIP_TAKE(a, double, 3 * elements);
    step->history.gap = SLIP_TAKE(a, double, elements);
    step->history.level = SLIP_TAKE(a, double, elements);
    step->history.leaving = SLIP_TAKE(a, double, elements);
    step->history.back = SLIP_TAKE(a, double, elements);
    step->history.load = SLIP_TAKE(a, double, m->loads.count);
    step->history.a = SLIP_TAKE(a, double, m->n);
    step->history.a_before = SLIP_TAKE(a, double, m->n);
    step->handed_on = a->used - begin;
}

static void layout_problem(slip_arena *a, const slip_moreau *m, slip_moreau_problem *p)
{
    const size_t size = (size_t)(m->d * m->most), n = (size_t)m->n, c = (size_t)m->system->constraint_count;
    const size_t dense = size < SLIP_MOREAU_MAX_DENSE_UNKNOWNS ? size : SLIP_MOREAU_MAX_DENSE_UNKNOWNS;
    double **of_size[] = { &p->q, &p->r,   &p->w,    &p->before,         &p->smooth_change,
                           &p->x, &p->eps, &p->best, &p->slip_direction, &p->rest };
    for (int k = 0; k < 10; k++) *of_size[k] = SLIP_TAKE(a, double, size);
    p->mu = SLIP_TAKE(a, double, m->most);
    p->friction = SLIP_TAKE(a, double, m->most);
    p->element = SLIP_TAKE(a, int, m->most);
    p->row = SLIP_TAKE(a, int, size);
    p->unknown = SLIP_TAKE(a, int, size);
    p->W = SLIP_TAKE(a, double, size *size);
    p->J = SLIP_TAKE(a, double, size *size);
    p->gram = SLIP_TAKE(a, double, dense *dense);
    p->sparse_row = SLIP_TAKE(a, int, m->most + 1);
    p->sparse_column = SLIP_TAKE(a, int, (size_t)m->most *(size_t)m->most);
    p->state = SLIP_TAKE(a, unsigned char, m->most);
    p->Y = SLIP_TAKE(a, double, size *n);
    p->response = SLIP_TAKE_SCRATCH(a, const double *, size);
    p->coupled = SLIP_TAKE(a, double, size *c);
    p->hits = SLIP_TAKE(a, bool, m->most);
    p->pull = SLIP_TAKE(a, double, n);
    p->free = SLIP_TAKE(a, double, n);
    p->start = SLIP_TAKE(a, double, n);
    p->JY = SLIP_TAKE(a, double, c *n);
    p->S = SLIP_TAKE(a, double, c *c);
    p->lambda = SLIP_TAKE(a, double, c);
    p->of.element = SLIP_TAKE_SCRATCH(a, int, m->most);
    p->of.value = SLIP_TAKE_SCRATCH(a, double, m->system->start[m->system->row_count]);
    p->of.least = SLIP_TAKE_SCRATCH(a, double, m->system->row_count);
    p->of.factor = SLIP_TAKE_SCRATCH(a, double, m->system->factor_size);
    p->factored.state = SLIP_TAKE_SCRATCH(a, unsigned char, m->most);
    p->factored.J = SLIP_TAKE_SCRATCH(a, double, dense *dense);
    p->factored.columns = SLIP_TAKE_SCRATCH(a, double, dense *dense);
    p->factored.inverse = SLIP_TAKE_SCRATCH(a, double, dense *dense);
    p->factored.pivot = SLIP_TAKE_SCRATCH(a, int, dense);
}

static void layout_projection(slip_arena *a, slip_moreau *m)
{
    const size_t rows = (size_t)(m->system->constraint_count + m->system->contact_count), n = (size_t)m->n;
    double **of_n[] = { &m->project.q, &m->project.u, &m->project.shift };
    for (int k = 0; k < 3; k++) *of_n[k] = SLIP_TAKE(a, double, n);
    m->project.g = SLIP_TAKE(a, double, rows);
    m->project.lambda = SLIP_TAKE(a, double, rows);
    m->project.Y = SLIP_TAKE(a, double, rows *n);
    m->project.S = SLIP_TAKE(a, double, rows *rows);
    m->project.row = SLIP_TAKE(a, int, rows);
    m->project.tied = SLIP_TAKE(a, bool, rows);
}

static void layout_names(slip_arena *a, slip_moreau *m)
{
    const slip_model *model = m->system->equations->model;
    const char **elements = SLIP_TAKE(a, const char *, m->system->element_count);
    const char **records = SLIP_TAKE(a, const char *, model->record_count);
    const char **states = SLIP_TAKE(a, const char *, 2 * m->n);
    m->base.element_name = elements, m->base.record_name = records, m->base.state_name = states;
    if (!a->base) return;
    for (int k = 0; k < m->system->element_count; k++) elements[k] = m->system->elements[k].name;
    for (int k = 0; k < model->record_count; k++) records[k] = slip_model_record_name(model, k);
    for (int k = 0; k < 2 * m->n; k++) states[k] = slip_graph_input_name(m->system->equations->graph, 1 + k);
}

static void moreau_layout(slip_arena *a, slip_moreau *m, size_t solver_bytes)
{
    slip_terms_layout(a, m->system, &m->terms);
    slip_friction_loads_layout(a, m->system, &m->loads);
    m->joints = a->base && slip_friction_loads_need_joints(&m->loads, m->system);
    m->joint_force = SLIP_TAKE(a, double, m->system->constraint_count);
    layout_step(a, m, &m->last);
    layout_step(a, m, &m->next);
    layout_step(a, m, &m->aside);
    layout_problem(a, m, &m->problem);
    layout_projection(a, m);
    layout_names(a, m);
    slip_rigid_impact_layout(a, m->system, m->d, &m->rigid_impact);
    m->middle = SLIP_TAKE(a, double, m->n);
    m->mean = SLIP_TAKE(a, double, m->n);
    m->on_way = SLIP_TAKE(a, double, m->n);
    m->left = SLIP_TAKE(a, double, 2 * m->n);
    m->trial.x = SLIP_TAKE(a, double, 2 * m->n);
    m->trial.mid = SLIP_TAKE(a, double, m->n);
    m->trial.gap_mid = SLIP_TAKE(a, double, m->system->element_count);
    m->trial.gap_end = SLIP_TAKE(a, double, m->system->element_count);
    m->swept = SLIP_TAKE(a, double, slip_moreau_toi_work_size(m));
    m->turnover = SLIP_TAKE(a, double, m->n);
    double **of_step_control[] = { &m->step_control.fastest, &m->step_control.hardest,
                                   &m->step_control.speed,   &m->step_control.pull,
                                   &m->step_control.bend,    &m->step_control.inertia };
    for (int k = 0; k < 6; k++) *of_step_control[k] = SLIP_TAKE(a, double, m->n);
    m->closed = SLIP_TAKE(a, bool, m->system->element_count);
    m->sliding = SLIP_TAKE(a, double, m->system->element_count);
    m->was = SLIP_TAKE(a, unsigned char, m->system->element_count);
    m->not_unique = SLIP_TAKE(a, slip_warning *, m->system->element_count);
    m->touching = SLIP_TAKE(a, bool, m->system->element_count);
    m->compliance = SLIP_TAKE(a, slip_compliant_constants, m->system->element_count);
    m->slack = SLIP_TAKE(a, double, m->system->element_count);
    m->strength = SLIP_TAKE(a, double, m->system->element_count);
    m->solver_work = SLIP_TAKE(a, char, solver_bytes);
}

void slip_moreau_archive_memory(slip_moreau *copy, slip_archive *a)
{
    slip_arena arena = { .base = copy->memory, .archive = a };
    moreau_layout(&arena, copy, 0);
}

// ---- creation

// stand-ins answer rarely: they are offered problems of a size they are fast_up_to at, and take memory for no
// more
static int max_blocks(const slip_moreau *m, const slip_solver *solver, bool fallback_rank)
{
    return fallback_rank && solver && solver->fast_up_to > 0 && solver->fast_up_to < m->most
               ? solver->fast_up_to
               : m->most;
}

// the one that answers as number `order`; NULL when there is none
static const slip_solver *fallback_solver(int order)
{
    for (int k = 0; slip_solver_get(k); k++)
        if (slip_solver_get(k)->fallback_rank == order) return slip_solver_get(k);
    return NULL;
}

// the chosen solver and its stand-ins, those that take this kind of problem; work for the largest of them
static slip_status choose_solvers(slip_moreau *m, const slip_sim_def *settings, size_t *bytes,
                                  slip_error *error)
{
    const int size = m->d * m->most;
    double *W = calloc((size_t)size * (size_t)size, sizeof *W); // only shapes matter
    if (!W) return SLIP_NO_MEMORY;
    m->options = slip_default_solve_options();
    m->options.tolerance = SOLVER_TOLERANCE;
    m->options.warm_start = 1.0;
    slip_solve_options_take(&m->options, settings->solver_options);
    m->crowd_tolerance =
        m->options.tolerance == SOLVER_TOLERANCE ? MANY_CONTACTS_TOLERANCE : m->options.tolerance;
    *bytes = 0;
    slip_status status = SLIP_OK;
    for (int k = 0; k < SLIP_MOREAU_MAX_SOLVERS && status == SLIP_OK; k++) {
        const slip_solver *solver = k == 0 ? slip_solver_find(settings->solver) : fallback_solver(k);
        const int blocks = max_blocks(m, solver, k > 0), rows = m->d * blocks;
        for (int i = 0; i < rows * rows; i++) W[i] = i % (rows + 1) == 0;
        const slip_problem largest = slip_problem_contacts(m->d, blocks, W, W, W);
        const bool takes = solver && slip_solver_accepts(solver, &largest);
        if (k == 0 && !takes)
            status = slip_fail(
                error, SLIP_UNSUPPORTED, "solver",
                "solver %s does not take the contact problems of this model: %s friction, %d elements at "
                "most",
                settings->solver, m->d == 3 ? "two-component" : "planar", m->most);
        if (!takes || (k > 0 && solver == m->solver[0])) continue;
        m->solver_most[m->solver_count] = blocks;
        m->solver[m->solver_count++] = solver;
        size_t needs = 0;
        status = slip_solve_work_size(solver, &largest, &m->options, &needs);
        if (needs > *bytes) *bytes = needs;
    }
    free(W);
    return status;
}

static slip_status allocate_moreau(slip_moreau *m, const slip_sim_def *settings, slip_error *error)
{
    size_t solver_bytes = 0;
    slip_status status = m->most ? choose_solvers(m, settings, &solver_bytes, error) : SLIP_OK;
    if (status != SLIP_OK) return status;
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &m->memory)) moreau_layout(&arena, m, solver_bytes);
    if (!m->memory) return SLIP_NO_MEMORY;
    slip_terms_init(m->system, &m->terms);
    return SLIP_OK;
}

static slip_status read_projection(slip_moreau *m, slip_error *error)
{
    static const char *const words[] = { "none", "constraints", "all" };
    const slip_model *model = m->system->equations->model;
    const slip_moreau_projection usual = m->max_substeps > 1 ? SLIP_PROJECT_ALL : SLIP_PROJECT_CONSTRAINTS;
    const char *asked = model->run.projection ? model->run.projection : words[usual];
    for (int k = 0; k < 3; k++)
        if (strcmp(asked, words[k]) == 0) {
            m->projection = (slip_moreau_projection)k;
            return SLIP_OK;
        }
    char place[160];
    return slip_fail(error, SLIP_BAD_MODEL, slip_span_place(model->run.projection_at, place, sizeof place),
                     "projection is none, constraints or all, not '%s'", asked);
}

// the scheme as printed has Newton's law in its step, and no instant for another one
static slip_status check_impacts(const slip_moreau *m, slip_error *error)
{
    for (int e = 0; e < m->system->contact_count && m->max_substeps == 1; e++) {
        const slip_contact *c = m->system->elements[e].contact;
        char place[160];
        if (c->impact->in_step) continue;
        return slip_fail(
            error, SLIP_UNSUPPORTED, slip_span_place(c->where, place, sizeof place),
            "contact '%s' has impact law %s, and run.substeps: 1 is the scheme as printed, whose "
            "law is newton; leave substeps out",
            c->name, c->impact->info.name);
    }
    return SLIP_OK;
}

// In space the attitude of what rests on a plane is never quite the same, and rows would not be either. Where
// a program makes rows they are taken as they are
static double rounding_of_rows(const slip_moreau *m)
{
    const bool by_program = m->fused && slip_fused_midpoint_row_results(m->fused).Y;
    return m->d == 2 || by_program ? 0.0 : DBL_EPSILON / 16.0;
}

// programs are made all the same: rows are rounded by whether there are any
static void leave_out(slip_moreau *m)
{
    const slip_graph *graph = m->system->equations->graph;
    m->keeps_matrices = slip_graph_keeps(graph, SLIP_CACHE_MATRICES);
    m->guesses = slip_graph_keeps(graph, SLIP_CACHE_GUESSES);
    if (slip_graph_keeps(graph, SLIP_CACHE_PROGRAMS)) return;
    slip_fused_midpoint_destroy(m->fused);
    m->fused = NULL;
}

static slip_status set_up_moreau(slip_moreau *m, const slip_sim_def *settings, slip_error *error)
{
    const slip_system *s = m->system;
    const slip_model *model = s->equations->model;
    m->n = s->n;
    m->most = s->element_count;
    m->d = 2;
    for (int e = 0; e < s->element_count; e++)
        if (s->elements[e].slip_count == 2) m->d = 3;
    for (int e = 0; e < s->element_count; e++) m->holds = m->holds || s->elements[e].static_friction >= 0;
    m->always = s->constraint_count > 0 || s->element_count > s->contact_count;
    m->driven = slip_graph_evaluate(s->equations->graph, s->equations->power) != 0.0; // NaN: it varies
    m->max_substeps = isnan(model->run.substeps) ? 10000 : (int)fmax(1.0, fmin(model->run.substeps, 1e6));
    m->tolerance = 0.1 * settings->relative; // of each internal step; that of the run is their sum
    slip_status status = read_projection(m, error);
    if (status == SLIP_OK) status = check_impacts(m, error);
    if (status == SLIP_OK && m->max_substeps > 1 &&
        !(slip_equations_timetable(s->equations, settings->until, &m->timetable) &&
          slip_force_discontinuity_create(&m->border, s->equations, settings->until) &&
          slip_narrow_features_create(&m->narrow, s->equations)))
        status = SLIP_NO_MEMORY;
    if (status == SLIP_OK) status = allocate_moreau(m, settings, error);
    if (status == SLIP_OK && (m->max_substeps > 1 || !m->always))
        m->fused = slip_fused_midpoint_create(m->system, m->max_substeps == 1);
    m->rounding = rounding_of_rows(m);
    leave_out(m);
    m->plain = m->fused && !m->border.count && !m->narrow.count && !m->loads.count && !m->holds &&
               !s->constraint_count;
    if (status == SLIP_OK)
        status = slip_compliant_choose_for_step(m->system->equations, SLIP_NORMAL_LAW_AS_GIVEN,
                                                settings->step, NULL, m->compliance, error);
    m->monitor.constants = m->compliance;
    m->monitor.level = model->run.verdict;
    if (status == SLIP_OK && !slip_uniqueness_cache_create(&m->monitor.proof, m->most * m->d, m->most, m->n))
        status = slip_fail(error, SLIP_NO_MEMORY, "formulation", "out of memory");
    if (status != SLIP_OK) return status;
    m->monitor.proof.forgets = !slip_graph_keeps(s->equations->graph, SLIP_CACHE_VERDICTS);
    slip_method *base = &m->base;
    base->ops = &slip_moreau_ops;
    base->equations = m->system->equations;
    base->state_count = 2 * m->n;
    base->state = m->last.x;
    base->record_count = model->record_count;
    base->element_count = s->element_count;
    base->mode = m->last.mode;
    base->has_energy = true;
    m->last.length = m->step = fmin(settings->step, settings->until);
    m->until = settings->until;
    if (m->n) m->left[0] = NAN;
    slip_moreau_name_measures(m);
    for (int k = 0; k < m->n; k++) {
        m->last.x[k] = model->coordinates[k].start;
        m->last.x[m->n + k] = model->coordinates[k].rate;
    }
    return SLIP_OK;
}

static slip_status moreau_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                                 slip_method **method)
{
    *method = NULL;
    if (model->crowd) return slip_many_body_create(model, settings, error, method);
    slip_moreau *m = calloc(1, sizeof *m);
    if (!m) return slip_fail(error, SLIP_NO_MEMORY, "formulation moreau", "out of memory");
    m->base.log = slip_log_create();
    slip_status status = m->base.log ? slip_system_create(model, error, &m->system) : SLIP_NO_MEMORY;
    if (status == SLIP_OK) status = set_up_moreau(m, settings, error);
    if (status != SLIP_OK) {
        slip_moreau_destroy(&m->base);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "formulation moreau", "out of memory")
                                        : status;
    }
    *method = &m->base;
    return SLIP_OK;
}

const slip_formulation slip_formulation_moreau = {
    .info = { "moreau", "time stepping with impacts: any impact law, Coulomb friction, any solver",
              "mechanics", "Flores 2010, eqs 32-44, 85" },
    .mechanics = true,
    .family = SLIP_FAMILY_TIME_STEPPING,
    .solver = "auto",
    .chosen_for = SLIP_FOR_SOLVER | SLIP_FOR_MANY_CONTACTS | SLIP_FOR_FRICTION | SLIP_FOR_CONSTRAINTS,
    .takes_static = true,
    .knows_joints = true,
    .takes_constraints = true,
    .reference = 2,
    .create = moreau_create,
};
