/// formulation/many_body/many_body.c: many bodies under the formulation moreau, as a slip_method.
#include "formulation/many_body/many_body.h"
#include "formulation/many_body/many_body_tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SUBSTEPS = 1000, MAX_STEP_HALVINGS = 5 };

// --------------------------------------------------------------------------------------------- stepping

// parts of a step in which nothing passes through anything
static int substeps_of(const slip_many_body *c, double step)
{
    double most = 1.0;
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_dynamic_body *b = &c->body[k];
        if (!slip_dynamic_body_is_free(b) && !b->moves) continue;
        const double speed =
            v3_norm(b->v) + c->pull * step + v3_norm(b->w) * b->reach + b->kinematic_travel / step;
        if (isfinite(b->least)) most = fmax(most, speed * step / (MAX_TRAVEL_OF_EXTENT * b->least));
        most = fmax(most, v3_norm(b->w) * step / MAX_ROTATION_PER_SUBSTEP);
    }
    return most < 1e9 ? (int)ceil(most) : 1000000000;
}

// all that could move sleeps, and nothing that is kinematic moves: the step is over before it begins
static bool is_asleep(slip_many_body *c, double t)
{
    if (c->articulation || c->sleepers < c->crowd->body_count - c->pose_count) return false;
    slip_many_body_move_kinematic(c, t + c->h, SLIP_KINEMATIC_END);
    for (int k = 0; k < c->pose_count; k++)
        if (c->body[c->kinematic[k]].moves) return false;
    return true;
}

static slip_run_outcome take_substep(slip_many_body *c, double t)
{
    c->substeps++;
    if (is_asleep(c, t)) return SLIP_RUNNING;
    for (int k = 0; k < c->crowd->body_count; k++) {
        slip_dynamic_body *b = &c->body[k];
        b->still = v3_norm(b->v) == 0.0 && v3_norm(b->w) == 0.0;
    }
    slip_run_outcome outcome = slip_many_body_detect(c, t);
    if (outcome == SLIP_RUNNING && !slip_many_body_find_islands(c)) outcome = SLIP_OUT_OF_MEMORY;
    if (outcome == SLIP_RUNNING) outcome = slip_many_body_solve(c, t);
    if (outcome == SLIP_RUNNING && !c->takes_other && !slip_many_body_prove_uniqueness(c))
        outcome = SLIP_OUT_OF_MEMORY;
    if (outcome != SLIP_RUNNING) return outcome;
    if (c->substeps == 1) slip_many_body_check_start_overlap(c);
    slip_many_body_hold_at_rest(c);
    slip_many_body_project(c);
    slip_many_body_end_positions(c, t);
    return slip_many_body_sleep(c) && slip_many_body_cache_contacts(c) ? SLIP_RUNNING : SLIP_OUT_OF_MEMORY;
}

static bool is_finite(const slip_many_body *c)
{
    double sum = 0.0;
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_dynamic_body *b = &c->body[k];
        sum += 0.0 * (v3_dot(b->x, b->x) + v3_dot(b->v, b->v) + v3_dot(b->w, b->w));
    }
    for (int k = 0; c->articulation && k < 2 * c->n; k++) sum += 0.0 * c->state[k];
    return sum == 0.0;
}

// A part that no solver answers is taken in halves, from the same state: another length is another problem
static slip_run_outcome advance_substep(slip_many_body *c, double t, double step)
{
    slip_many_body_move_kinematic(c, t, SLIP_KINEMATIC_START);
    slip_many_body_move_kinematic(c, t + step, SLIP_KINEMATIC_END);
    if (c->articulation) slip_articulation_start_velocities(c, t);
    const double wanted = c->articulation ? slip_articulation_substep_count(c, t, step) : 1.0;
    if (!(wanted <= MAX_SUBSTEPS))
        return slip_method_fail(
            &c->base,
            "at t = %.9g s springs or dampers are so stiff that a thousandth of the step of %g s is too long "
            "for them; take a smaller step, or softer ones",
            t, step);
    int parts = substeps_of(c, step);
    // odd, so that a step and its half have parts of different lengths: else a companion run would agree with
    // its errors
    if (wanted > parts) parts = (int)ceil(wanted) | 1;
    if (parts > MAX_SUBSTEPS)
        return slip_method_fail(
            &c->base,
            "at t = %.9g s a body goes so fast that it would pass through others in a step of %g s, and "
            "in a thousandth of it; take a smaller step",
            t, step);
    const double least = step / parts / (1 << MAX_STEP_HALVINGS);
    double done = 0.0, part = step / parts;
    slip_run_outcome outcome = SLIP_RUNNING;
    while (outcome == SLIP_RUNNING && step - done > STEP_COMPLETE_RELATIVE * step) {
        c->h = fmin(part, step - done);
        outcome = take_substep(c, t + done);
        if (outcome == SLIP_RUNNING) done += c->h;
        if (outcome != SLIP_UNSOLVED || !(part > least)) continue;
        part *= 0.5;
        outcome = SLIP_RUNNING;
        c->halved++;
    }
    if (outcome == SLIP_RUNNING && !is_finite(c)) outcome = SLIP_BLOWN_UP;
    return outcome;
}

// ------------------------------------------------------------------------------------------- as a method

// somebody set the state of a articulation alone, as controllers do: the crowd beside it goes on
static bool is_state_unchanged(const slip_many_body *c)
{
    if (!c->articulation || !c->articulation->left) return false;
    for (int k = 0; k < 2 * c->n; k++)
        if (c->crowd->numeric[k % c->n] && c->state[k] != c->articulation->aside[k]) return false;
    return true;
}

static slip_run_outcome many_body_observe(slip_method *method)
{
    slip_many_body *c = (slip_many_body *)method;
    if (c->fresh) return SLIP_RUNNING;
    c->fresh = is_state_unchanged(c);
    if (c->fresh) return SLIP_RUNNING;
    slip_many_body_read_state(c);
    for (int k = 0; k < c->crowd->body_count; k++) c->body[k].group = c->body[k].wait = c->body[k].due = 0;
    c->last.count = c->resting.count = c->sleepers = 0;
    if (c->articulation) slip_articulation_forget_sticking(c);
    c->h = c->step;
    memset(c->mode, 0, (size_t)method->element_count);
    c->fresh = true;
    return SLIP_RUNNING;
}

// something carries load on the hull of a mesh that is not convex, and would be inside of it
static void warn_of_hollows(slip_many_body *c)
{
    for (int k = 0; k < c->last.count && !c->said_hollow; k++) {
        const slip_cached_contact *m = &c->last.items[k];
        const slip_detect_shape *a = &c->crowd->shapes[m->shape[0]], *b = &c->crowd->shapes[m->shape[1]];
        if (!(m->impulse[0] > 0.0)) continue;
        const slip_detect_shape *mesh = slip_detect_hollow_matters(a, b)   ? a
                                        : slip_detect_hollow_matters(b, a) ? b
                                                                           : NULL;
        if (!mesh) continue;
        c->said_hollow = slip_method_warn(
            &c->base, SLIP_WARNING_CONVEX_HULL, "",
            "'%.60s' and '%.60s' touch, and a mesh of '%.60s' is not convex: its convex hull touches in its "
            "place, and fills hollows of %.3g m; split the mesh into convex parts",
            c->crowd->bodies[a->body].name, c->crowd->bodies[b->body].name, c->crowd->bodies[mesh->body].name,
            mesh->hollow);
        slip_warning_value(c->said_hollow, "depth", mesh->hollow, "m");
    }
}

static void warn_after_step(slip_many_body *c)
{
    slip_method *m = &c->base;
    if (c->unsolved && !c->said_unsolved) {
        c->said_unsolved = slip_method_warn(
            m, SLIP_WARNING_STEP_TOO_LONG, "",
            "contacts of a step were solved to a residual of %.2g only, wanted %g: take a smaller step "
            "or another solver",
            c->worst, c->options.tolerance);
        slip_warning_value(c->said_unsolved, "residual", c->worst, "");
    }
    if (c->dull && !c->said_dull)
        c->said_dull = slip_method_warn(
            m, SLIP_WARNING_RESTITUTION, "",
            "bodies struck where friction jams them, and no impulses give the rebound that Newton's law of "
            "impact asks for: all strikes of that step were without rebound");
    if (!c->said_hollow) warn_of_hollows(c);
    double least = INFINITY;
    for (int k = 0; k < c->crowd->body_count; k++) least = fmin(least, c->body[k].least);
    if (c->deepest > OVERLAP_WARNING_OF_EXTENT * least && !c->said_depth) {
        c->said_depth =
            slip_method_warn(m, SLIP_WARNING_TOO_DEEP, "",
                             "bodies overlapped by %.3g m, and the smallest is %.3g m wide: take a smaller "
                             "step",
                             c->deepest, least);
        slip_warning_value(c->said_depth, "depth", c->deepest, "m");
    }
}

static void count_step(slip_many_body *c)
{
    const double values[SLIP_MANY_BODY_MEASURE_COUNT] = { c->last.count + c->resting.count,
                                                          c->most,
                                                          c->worst,
                                                          c->deepest,
                                                          c->sleepers,
                                                          (double)c->substeps,
                                                          (double)c->unsolved,
                                                          (double)c->growth,
                                                          (double)c->dull,
                                                          (double)c->proof.steps_open,
                                                          (double)c->proof.starts,
                                                          (double)c->proof.ended };
    for (int k = 0; k < SLIP_MANY_BODY_MEASURE_COUNT; k++) c->measures[k].value = values[k];
    c->base.finer_steps = c->substeps;
}

static slip_run_outcome many_body_advance(slip_method *method, double step, double t_after)
{
    slip_many_body *c = (slip_many_body *)method;
    many_body_observe(method);
    const double work = method->work, friction = method->friction, impact = method->impact;
    if (c->articulation) slip_articulation_save_state(c, false);
    slip_run_outcome outcome = advance_substep(c, method->t, step);
    if (outcome != SLIP_RUNNING) {
        if (c->articulation) memcpy(c->state, c->articulation->aside, 2 * (size_t)c->n * sizeof *c->state);
        slip_many_body_read_state(c);
        method->work = work, method->friction = friction, method->impact = impact;
        c->fresh = false; // contacts are those of the step that failed
        return outcome;
    }
    slip_many_body_write_state(c);
    if (c->articulation) slip_articulation_save_state(c, true);
    slip_many_body_modes(c);
    slip_many_body_set_verdict(c);
    method->t = t_after;
    warn_after_step(c);
    count_step(c);
    return SLIP_RUNNING;
}

static void record_state(slip_many_body *c, double t, double *records)
{
    const slip_model *model = c->model;
    if (!c->records) return;
    double *reg = c->record_reg;
    reg[0] = t;
    memcpy(reg + 1, c->state, 2 * (size_t)c->n * sizeof *reg);
    for (int k = 0; k < c->crowd->body_count; k++) // a state that was set may have any length
        if (c->crowd->bodies[k].plain)
            memcpy(reg + 1 + c->crowd->bodies[k].coordinate + 3, c->body[k].q, sizeof c->body[k].q);
    slip_recorded_quantities_read(&c->readings, slip_many_body_read_quantities, c, reg);
    slip_tape_run(c->records, reg);
    for (int k = 0; k < model->record_count; k++) records[k] = reg[slip_tape_result(c->records, k)];
}

static void many_body_record(slip_method *method, double *records, double *kinetic, double *potential)
{
    slip_many_body *c = (slip_many_body *)method;
    many_body_observe(method);
    record_state(c, method->t, records);
    slip_many_body_energy(c, kinetic, potential);
    method->driven = c->articulation
                         ? slip_system_rheonomic_energy(c->articulation->system, &c->articulation->terms)
                         : 0.0;
}

static void many_body_state_changed(slip_method *method)
{
    ((slip_many_body *)method)->fresh = false;
}

static void many_body_destroy(slip_method *method);

// ------------------------------------------------------------------------------------------------ peeks

static bool copy_contact_cache(slip_many_body *to, slip_contact_cache *into, const slip_contact_cache *from)
{
    if (!slip_contact_cache_reserve(to, into, from->count)) return false;
    if (from->count) memcpy(into->items, from->items, (size_t)from->count * sizeof *from->items);
    into->count = from->count;
    return true;
}

// a step of a crowd that looks the same leaves no trace in this one
static slip_run_outcome many_body_peek(slip_method *method, double t, double *row)
{
    slip_many_body *c = (slip_many_body *)method, *from = c;
    slip_run_outcome outcome = many_body_observe(method);
    if (outcome == SLIP_RUNNING && t > method->t) {
        slip_method *made = NULL;
        slip_sim_def alone = c->settings;
        alone.threads = 1;
        if (!c->peeker && slip_many_body_create(c->model, &alone, NULL, &made) != SLIP_OK)
            return SLIP_OUT_OF_MEMORY;
        if (made) c->peeker = (slip_many_body *)made, c->peeker->proof.blind = true;
        from = c->peeker;
        memcpy(from->body, c->body, (size_t)c->crowd->body_count * sizeof *c->body);
        memcpy(from->state, c->state, 2 * (size_t)c->n * sizeof *c->state);
        if (!copy_contact_cache(from, &from->last, &c->last) ||
            !copy_contact_cache(from, &from->resting, &c->resting))
            return SLIP_OUT_OF_MEMORY;
        from->sleepers = c->sleepers, from->fresh = true;
        if (c->articulation) slip_articulation_copy(from->articulation, c->articulation);
        outcome = advance_substep(from, method->t, t - method->t);
        if (outcome == SLIP_RUNNING) slip_many_body_write_state(from);
    }
    if (outcome != SLIP_RUNNING) return outcome;
    memcpy(row, from->state, 2 * (size_t)c->n * sizeof *row);
    record_state(from, t, row + 2 * c->n);
    return SLIP_RUNNING;
}

static const slip_method_ops ops = {
    .destroy = many_body_destroy,
    .observe = many_body_observe,
    .advance = many_body_advance,
    .peek = many_body_peek,
    .record = many_body_record,
    .touched = many_body_state_changed,
    .archive = slip_many_body_archive,
};

// --------------------------------------------------------------------------------------------- creation

static void many_body_destroy(slip_method *method)
{
    slip_many_body *c = (slip_many_body *)method;
    slip_many_body_problem *p = &c->problem;
    if (c->peeker) many_body_destroy(&c->peeker->base);
    slip_log_destroy(method->log);
    slip_broad_phase_destroy(c->broad);
    slip_tape_destroy(c->records);
    slip_tape_destroy(c->poses);
    slip_tape_destroy(c->gravity_tape);
    slip_tape_destroy(c->surface_tape);
    slip_articulation_destroy(c->articulation);
    slip_many_body_uniqueness_destroy(&c->proof);
    slip_pool_destroy(c->pool);
    free(c->record_reg);
    free(c->pose_reg);
    free(c->gravity_reg);
    free(c->surface_reg);
    free(c->last.items);
    free(c->next.items);
    free(c->resting.items);
    free(c->touches);
    slip_thread_pool_destroy(c->thread_pool);
    void *const blocks[] = { c->order, p->inverse, p->free, p->v,    p->rows,   p->shift, p->mu,
                             p->r,     p->u,       p->body, p->work, p->behind, p->share, p->weight };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) free(blocks[k]);
    free(c->memory);
    free(c);
}

static void many_body_layout(slip_arena *a, slip_many_body *c)
{
    const int bodies = c->crowd->body_count, shapes = c->crowd->shape_count, sets = c->crowd->set_count;
    c->body = SLIP_TAKE(a, slip_dynamic_body, bodies);
    c->box = SLIP_TAKE(a, slip_aabb, shapes);
    c->fixed = SLIP_TAKE(a, bool, shapes);
    c->to_wake = SLIP_TAKE(a, bool, bodies);
    c->place = SLIP_TAKE(a, int, bodies);
    c->start = SLIP_TAKE(a, int, bodies + 2);
    c->parent = SLIP_TAKE(a, int, bodies);
    c->root = SLIP_TAKE(a, int, bodies);
    c->kinematic = SLIP_TAKE(a, int, bodies);
    c->looks = slip_arena_take(a, slip_many_body_sleep_work_size(bodies + 1));
    c->state = SLIP_TAKE(a, double, 2 * c->n);
    c->mode = SLIP_TAKE(a, unsigned char, c->model->element_count);
    c->friction = SLIP_TAKE(a, double, sets);
    c->at_rest = SLIP_TAKE(a, double, sets);
    c->free_motion = SLIP_TAKE(a, slip_v3, 2 * bodies);
    c->restitution = SLIP_TAKE(a, double, sets);
    c->restitution_t = SLIP_TAKE(a, double, sets);
    const char **elements = SLIP_TAKE(a, const char *, c->model->element_count);
    const char **records = SLIP_TAKE(a, const char *, c->model->record_count);
    c->base.element_name = elements, c->base.record_name = records;
    c->base.state_name = slip_graph_input_names(c->model->graph) + 1; // behind t
    if (!a->base) return;
    for (int k = 0; k < c->model->element_count; k++) elements[k] = c->model->contacts[k].name;
    for (int k = 0; k < c->model->record_count; k++) records[k] = slip_model_record_name(c->model, k);
}

// what is to be known of bodies before they move
static void set_bodies(slip_many_body *c)
{
    for (int k = 0; k < c->crowd->body_count; k++) {
        const slip_detect_body *def = &c->crowd->bodies[k];
        slip_dynamic_body *b = &c->body[k];
        b->inverse_mass = def->coordinate < 0 ? 0.0 : 1.0 / def->mass;
        b->jointed = def->jointed;
        b->least = INFINITY;
        b->q[0] = b->mid.q[0] = 1.0;
        if (def->coordinate < 0 && !def->jointed) c->kinematic[c->pose_count++] = k;
    }
    for (int k = 0; k < c->crowd->shape_count; k++) {
        const slip_detect_shape *shape = &c->crowd->shapes[k];
        slip_dynamic_body *b = &c->body[shape->body];
        const double reach = slip_solid_bounding_radius(&shape->solid);
        const slip_aabb box = slip_solid_aabb(&shape->solid, &SLIP_POSE_IDENTITY, 0.0);
        if (isfinite(reach)) b->reach = fmax(b->reach, reach);
        for (int i = 0; i < c->problem.dimension && isfinite(reach); i++)
            b->least = fmin(b->least, box.high[i] - box.low[i]);
    }
}

static void set_laws(slip_many_body *c)
{
    for (int k = 0; k < c->crowd->set_count; k++) {
        const slip_contact *contact = &c->model->contacts[c->crowd->element[k]];
        c->friction[k] =
            contact->friction.ref < 0 ? 0.0 : slip_graph_evaluate(c->model->graph, contact->friction.ref);
        c->restitution[k] = contact->restitution;
        c->restitution_t[k] = contact->restitution_t;
    }
    slip_many_body_read_static_friction(c);
    slip_rolling_friction_read(c);
}

static void name_measures(slip_many_body *c)
{
    static const char *const names[SLIP_MANY_BODY_MEASURE_COUNT] = { "contacts",
                                                                     "most_contacts",
                                                                     "residual",
                                                                     "depth",
                                                                     "bodies_at_rest",
                                                                     "substeps",
                                                                     "steps_over_tolerance",
                                                                     "memory_grown",
                                                                     "steps_without_rebound",
                                                                     "steps_not_proved",
                                                                     "search_starts",
                                                                     "search_solutions" };
    for (int k = 0; k < SLIP_MANY_BODY_MEASURE_COUNT; k++) c->measures[k].name = names[k];
    c->base.measures = c->measures;
    c->base.measure_count = SLIP_MANY_BODY_MEASURE_COUNT;
}

static bool make_threads(slip_many_body *c, int threads)
{
    if (threads > 1 && !(c->thread_pool = slip_thread_pool_create(threads))) return false;
    c->touches =
        malloc((size_t)slip_many_body_batch_size(slip_thread_pool_size(c->thread_pool)) * sizeof *c->touches);
    return c->touches != NULL;
}

// what formulas move, and how wide the contact problem is with it
static slip_status create_articulation(slip_many_body *c, slip_error *error)
{
    if (!c->crowd->mixed) return SLIP_OK;
    const slip_status status = slip_articulation_create(c, error);
    if (status != SLIP_OK) return status;
    c->part_place = SLIP_POOL_NEW(c->pool, int, c->articulation->part_count);
    if (c->articulation->widest > c->problem.side) c->problem.side = c->articulation->widest;
    return c->part_place ? SLIP_OK : SLIP_NO_MEMORY;
}

static bool set_up_many_body(slip_many_body *c, const slip_sim_def *settings)
{
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &c->memory)) many_body_layout(&arena, c);
    if (!c->memory) return false;
    c->problem.dimension = c->crowd->planar ? 2 : 3;
    c->problem.side = c->crowd->planar ? 3 : 6;
    set_bodies(c);
    set_laws(c);
    name_measures(c);
    c->pool = slip_pool_create();
    c->broad = slip_broad_phase_create();
    c->base.log = slip_log_create();
    if (!c->pool || !c->broad || !c->base.log || !slip_many_body_compile(c) ||
        !slip_recorded_quantities_create(c->model, c->pool, &c->readings) ||
        !make_threads(c, settings->threads))
        return false;
    c->options = slip_default_solve_options();
    c->options.tolerance = ISLAND_TOLERANCE;
    slip_solve_options_take(&c->options, settings->solver_options);
    c->pull = v3_norm(slip_many_body_gravity(c, 0.0));
    c->h = c->step = fmin(settings->step, settings->until);
    for (int k = 0; k < c->n; k++) {
        c->state[k] = c->model->coordinates[k].start;
        c->state[c->n + k] = c->model->coordinates[k].rate;
    }
    return true;
}

slip_status slip_many_body_create(const slip_model *model, const slip_sim_def *settings, slip_error *error,
                                  slip_method **method)
{
    *method = NULL;
    slip_many_body *c = calloc(1, sizeof *c);
    if (!c) return slip_fail(error, SLIP_NO_MEMORY, "formulation moreau", "out of memory");
    c->model = model;
    c->crowd = model->crowd;
    c->n = model->coordinate_count;
    c->settings = *settings;
    c->takes_other = strcmp(settings->branch, "other") == 0;
    slip_status status = set_up_many_body(c, settings) ? create_articulation(c, error) : SLIP_NO_MEMORY;
    if (status != SLIP_OK) {
        many_body_destroy(&c->base);
        return status == SLIP_NO_MEMORY ? slip_fail(error, status, "formulation moreau", "out of memory")
                                        : status;
    }
    slip_method *base = &c->base;
    base->ops = &ops;
    base->state_count = 2 * c->n;
    base->state = c->state;
    base->record_count = model->record_count;
    base->element_count = model->element_count;
    base->mode = c->mode;
    base->has_energy = true;
    base->found = slip_many_body_list_contacts;
    base->largest_stable_step = INFINITY;
    *method = base;
    return SLIP_OK;
}
