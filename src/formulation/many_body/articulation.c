/// formulation/many_body/articulation.c: setup of the articulation: parts, frames of bodies, declared rows.
#include "formulation/many_body/articulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/many_body/many_body.h"
#include "dynamics/derivation.h"
#include "solver/linalg/union_find.h"

enum { POSE_SIZE = 7, TWIST_SIZE = 6 };

// ------------------------------------------------------------------------------------------------- parts

static void join_row(int *parent, const slip_row *row)
{
    for (int k = 1; k < row->count; k++) slip_union_find_join(parent, row->column[0], row->column[k]);
}

// the normal, then tangents; NULL where an element has none
static const slip_row *element_row(const slip_element *e, int r)
{
    if (r == 0) return e->has_gap ? &e->normal : NULL;
    return r <= e->slip_count ? &e->tangent[r - 1] : NULL;
}

// the parts that an element moves, the first two into `found`. Returns how many; 3 stands for more.
static int parts_of_element(const slip_element *e, int *parent, int found[2])
{
    int count = 0;
    for (int r = 0; r < 3; r++) {
        const slip_row *row = element_row(e, r);
        for (int k = 0; row && k < row->count; k++) {
            const int root = slip_union_find_root(parent, row->column[k]);
            if ((count > 0 && found[0] == root) || (count > 1 && found[1] == root)) continue;
            if (count == 2) return 3;
            found[count++] = root;
        }
    }
    return count;
}

static void join_element(const slip_element *e, int *parent)
{
    int first = -1;
    for (int r = 0; r < 3; r++) {
        const slip_row *row = element_row(e, r);
        for (int k = 0; row && k < row->count; k++) {
            if (first < 0) first = row->column[k];
            slip_union_find_join(parent, first, row->column[k]);
        }
    }
}

static bool has_all_rows(const slip_many_body *c, const slip_element *e)
{
    return e->has_gap && e->slip_count == c->problem.dimension - 1;
}

static void join_all(slip_many_body *c, int *parent)
{
    const slip_articulation *m = c->articulation;
    const slip_equations *e = m->system->equations;
    for (int b = 0; b < e->block_count; b++)
        for (int k = 1; k < e->blocks[b].count; k++)
            slip_union_find_join(parent, e->blocks[b].coordinate[0], e->blocks[b].coordinate[k]);
    for (int k = 0; k < e->constraint_count; k++) join_row(parent, &e->constraints[k]);
    for (int k = 0; k < e->element_count; k++)
        if (!has_all_rows(c, &e->elements[k])) join_element(&e->elements[k], parent);
    for (bool changed = true; changed;) { // a contact is between two at the most
        changed = false;
        for (int k = 0; k < e->element_count; k++) {
            int found[2];
            if (parts_of_element(&e->elements[k], parent, found) <= 2) continue;
            join_element(&e->elements[k], parent);
            changed = true;
        }
    }
}

static bool is_articulated(const slip_many_body *c, int k)
{
    return k < c->model->moving_coordinate_count && !c->crowd->numeric[k];
}

static bool number_parts(slip_many_body *c, int *parent)
{
    slip_articulation *m = c->articulation;
    const slip_equations *e = m->system->equations;
    const int n = m->system->n;
    for (int k = 0; k < n; k++) {
        const int root = slip_union_find_root(parent, k);
        m->part_of[k] = !is_articulated(c, k) ? -1 : root == k ? m->part_count++ : m->part_of[root];
    }
    m->parts = SLIP_POOL_NEW(c->pool, slip_articulated_part, m->part_count);
    if (!m->parts) return false;
    int at = 0, tie = 0;
    for (int p = 0; p < m->part_count; p++) {
        slip_articulated_part *part = &m->parts[p];
        part->first = at;
        part->row = tie;
        for (int k = 0; k < n; k++) {
            if (m->part_of[k] != p) continue;
            m->place[k] = part->count++;
            m->coordinate[at++] = k;
        }
        for (int k = 0; k < e->constraint_count; k++)
            if (e->constraints[k].count && m->part_of[e->constraints[k].column[0]] == p)
                m->tie[tie++] = k, part->rows++;
        if (part->count > m->widest) m->widest = part->count;
        const size_t side = (size_t)part->count, rows = (size_t)part->rows;
        part->inverse = SLIP_POOL_NEW(c->pool, double, side *side);
        part->tied = SLIP_POOL_NEW(c->pool, double, rows *side);
        part->factor = SLIP_POOL_NEW(c->pool, double, rows *rows);
        part->shift = SLIP_POOL_NEW(c->pool, double, side);
        if (!part->inverse || !part->tied || !part->factor || !part->shift) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------ frames

// which rates a frame moves by; they become one part
static bool join_frame(slip_many_body *c, const slip_detect_body *def, int *parent)
{
    slip_graph *graph = c->articulation->system->equations->graph;
    const int n = c->articulation->system->n;
    int first = -1;
    for (int i = 0; i < TWIST_SIZE; i++) {
        slip_partial *partials = NULL;
        const int count = slip_graph_gradient(graph, i < 3 ? def->velocity[i] : def->spin[i - 3], &partials);
        for (int k = 0; k < count; k++) {
            const int at = partials[k].input - n - 1;
            if (at < 0 || at >= n) continue;
            if (first < 0) first = at;
            slip_union_find_join(parent, first, at);
        }
        free(partials);
        if (count < 0) return false;
    }
    return true;
}

// pose, drift, and the Jacobian row by row
static bool collect_frame(slip_many_body *c, const slip_body_frame *f, slip_ref *roots)
{
    slip_articulation *m = c->articulation;
    slip_equations *e = m->system->equations;
    const slip_detect_body *def = &c->crowd->bodies[f->member];
    const int side = m->parts[f->part].count;
    const slip_ref zero = slip_graph_constant(e->graph, 0.0);
    for (int i = 0; i < 3; i++) roots[i] = def->at[i];
    for (int i = 0; i < 4; i++) roots[3 + i] = def->turn[i];
    for (int i = 0; i < TWIST_SIZE; i++) {
        const slip_ref rate = i < 3 ? def->velocity[i] : def->spin[i - 3];
        slip_ref *row = roots + POSE_SIZE + TWIST_SIZE + i * side;
        slip_partial *partials = NULL;
        const int count = slip_graph_gradient(e->graph, rate, &partials);
        roots[POSE_SIZE + i] = slip_at_zero_rates(e, rate);
        for (int k = 0; k < side; k++) row[k] = zero;
        for (int k = 0; k < count; k++) {
            const int at = partials[k].input - e->n - 1;
            if (at >= 0 && at < e->n) row[m->place[at]] = partials[k].value;
        }
        free(partials);
        if (count < 0 || roots[POSE_SIZE + i] < 0) return false;
    }
    return zero >= 0;
}

static bool make_frames(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    size_t roots_count = 0;
    for (int k = 0; k < m->frame_count; k++) {
        slip_body_frame *f = &m->frames[k];
        const size_t side = (size_t)m->parts[f->part].count;
        f->jacobian = SLIP_POOL_NEW(c->pool, double, TWIST_SIZE *side);
        if (!f->jacobian) return false;
        roots_count += POSE_SIZE + TWIST_SIZE + TWIST_SIZE * side;
    }
    slip_ref *roots = malloc((roots_count + 1) * sizeof *roots);
    bool fine = roots != NULL;
    size_t at = 0;
    for (int k = 0; k < m->frame_count && fine; k++) {
        fine = collect_frame(c, &m->frames[k], roots + at);
        at += POSE_SIZE + TWIST_SIZE + TWIST_SIZE * (size_t)m->parts[m->frames[k].part].count;
    }
    m->tape = fine ? slip_tape_create(m->system->equations->graph, roots, (int)roots_count) : NULL;
    m->reg = m->tape ? calloc((size_t)slip_tape_registers(m->tape) + 1, sizeof *m->reg) : NULL;
    if (m->reg) slip_tape_start(m->tape, m->reg);
    free(roots);
    return m->reg != NULL;
}

// a frame belongs to the part of the first rate that moves it
static bool place_frames(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    slip_graph *graph = m->system->equations->graph;
    const int n = m->system->n;
    for (int k = 0; k < m->frame_count; k++) {
        const slip_detect_body *def = &c->crowd->bodies[m->frames[k].member];
        m->frames[k].part = -1;
        for (int i = 0; i < TWIST_SIZE && m->frames[k].part < 0; i++) {
            slip_partial *partials = NULL;
            const int count =
                slip_graph_gradient(graph, i < 3 ? def->velocity[i] : def->spin[i - 3], &partials);
            for (int p = 0; p < count; p++) {
                const int at = partials[p].input - n - 1;
                if (at >= 0 && at < n && m->frames[k].part < 0) m->frames[k].part = m->part_of[at];
            }
            free(partials);
            if (count < 0) return false;
        }
        if (m->frames[k].part < 0) m->frames[k].part = 0; // nothing moves it: a Jacobian of zeros
    }
    return true;
}

// --------------------------------------------------------------------------------------------- creation

static bool depends_on_rates(const slip_equations *e)
{
    bool found = false;
    for (int k = 0; k < e->n && !found; k++) {
        slip_partial *partials = NULL;
        const int count = slip_graph_gradient(e->graph, e->h[k], &partials);
        for (int i = 0; i < count && !found; i++)
            found = partials[i].input > e->n && partials[i].input <= 2 * e->n;
        free(partials);
        found = found || count < 0;
    }
    return found;
}

static void list_declared_contacts(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    for (int k = 0; k < m->system->element_count; k++) {
        const slip_element *e = &m->system->elements[k];
        slip_declared_contact w = { .element = k, .part = { -1, -1 }, .whole = has_all_rows(c, e) };
        int at = 0;
        for (int r = 0; r < 3; r++) {
            const slip_row *row = element_row(e, r);
            for (int i = 0; row && i < row->count; i++) {
                const int part = m->part_of[row->column[i]];
                if (part < 0 || part == w.part[0] || part == w.part[1]) continue;
                w.part[at++] = part;
            }
        }
        if (e->contact->found || at == 0) continue;
        m->declared[m->declared_count++] = w;
        m->holds = m->holds || e->static_friction >= 0;
    }
}

static bool allocate_articulation(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    const size_t n = (size_t)m->system->n;
    double **of_n[] = { &m->middle, &m->mean, &m->end, &m->push };
    bool fine = true;
    for (int k = 0; k < 4; k++) fine = (*of_n[k] = SLIP_POOL_NEW(c->pool, double, n)) && fine;
    m->aside = SLIP_POOL_NEW(c->pool, double, 2 * n);
    m->lambda = SLIP_POOL_NEW(c->pool, double, m->system->constraint_count);
    m->force = SLIP_POOL_NEW(c->pool, double, m->system->constraint_count);
    m->held = SLIP_POOL_NEW(c->pool, double, m->system->constraint_count);
    m->tie = SLIP_POOL_NEW(c->pool, int, m->system->constraint_count);
    m->coordinate = SLIP_POOL_NEW(c->pool, int, n);
    m->part_of = SLIP_POOL_NEW(c->pool, int, n);
    m->place = SLIP_POOL_NEW(c->pool, int, n);
    m->frame_of = SLIP_POOL_NEW(c->pool, int, c->crowd->body_count);
    m->frames = SLIP_POOL_NEW(c->pool, slip_body_frame, c->crowd->body_count);
    m->free_motion = SLIP_POOL_NEW(c->pool, slip_v3, 2 * c->crowd->body_count);
    m->declared = SLIP_POOL_NEW(c->pool, slip_declared_contact, m->system->element_count);
    return fine && m->aside && m->lambda && m->force && m->held && m->tie && m->coordinate && m->part_of &&
           m->place && m->frame_of && m->frames && m->free_motion && m->declared;
}

static void lay_out_loads(slip_arena *a, slip_articulation *m)
{
    slip_friction_loads_layout(a, m->system, &m->loads);
    m->low = SLIP_TAKE(a, double, m->loads.count);
    m->high = SLIP_TAKE(a, double, m->loads.count);
}

static bool take_terms(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    slip_arena arena = { 0 };
    while (slip_arena_next_pass(&arena, &m->memory)) {
        slip_terms_layout(&arena, m->system, &m->terms);
        lay_out_loads(&arena, m);
    }
    if (!m->memory) return false;
    slip_terms_init(m->system, &m->terms);
    return true;
}

static bool set_up_articulation(slip_many_body *c)
{
    slip_articulation *m = c->articulation;
    const slip_equations *e = m->system->equations;
    if (!allocate_articulation(c) || !take_terms(c)) return false;
    for (int k = 0; k < c->crowd->body_count; k++) {
        m->frame_of[k] = c->crowd->bodies[k].jointed ? m->frame_count : -1;
        if (c->crowd->bodies[k].jointed) m->frames[m->frame_count++].member = k;
    }
    int *parent = malloc(((size_t)e->n + 1) * sizeof *parent);
    bool fine = parent != NULL;
    if (fine) slip_union_find_init(e->n, parent);
    for (int k = 0; k < m->frame_count && fine; k++)
        fine = join_frame(c, &c->crowd->bodies[m->frames[k].member], parent);
    if (fine) join_all(c, parent);
    fine = fine && number_parts(c, parent) && place_frames(c) && make_frames(c);
    free(parent);
    if (!fine) return false;
    list_declared_contacts(c);
    for (int k = 0; k < e->constraint_count; k++)
        m->rheonomic = m->rheonomic || e->constraints[k].drift != SLIP_NONE;
    m->by_rates = depends_on_rates(e);
    if (m->widest <= SLIP_BODY_MAX_VELOCITIES && !slip_articulation_compile_slopes(c)) return false;
    m->driven = slip_graph_evaluate(e->graph, e->power) != 0.0; // NaN: it varies
    return true;
}

static slip_status fail_unsupported(const slip_many_body *c, slip_error *error)
{
    const slip_articulation *m = c->articulation;
    char place[160];
    if (m->widest <= SLIP_BODY_MAX_VELOCITIES) return SLIP_OK;
    int part = 0;
    while (m->parts[part].count < m->widest) part++;
    const slip_coordinate *first = &c->model->coordinates[m->coordinate[m->parts[part].first]];
    return slip_fail(
        error, SLIP_UNSUPPORTED, slip_span_place(first->where, place, sizeof place),
        "%d coordinates from '%s' on hang on one another, and %d may where contacts are detected: write its "
        "contacts with 'between', or leave out of the mechanism what touches nothing",
        m->widest, first->name, SLIP_BODY_MAX_VELOCITIES);
}

slip_status slip_articulation_create(slip_many_body *c, slip_error *error)
{
    c->articulation = SLIP_POOL_NEW(c->pool, slip_articulation, 1);
    if (!c->articulation) return SLIP_NO_MEMORY;
    const slip_status status = slip_system_create_many_body(c->model, error, &c->articulation->system);
    if (status != SLIP_OK) return status;
    if (!set_up_articulation(c)) return SLIP_NO_MEMORY;
    return fail_unsupported(c, error);
}

void slip_articulation_copy(slip_articulation *to, const slip_articulation *from)
{
    memcpy(to->declared, from->declared, (size_t)from->declared_count * sizeof *from->declared);
    if (from->loads.count)
        memcpy(to->loads.load, from->loads.load, (size_t)from->loads.count * sizeof *from->loads.load);
}

void slip_articulation_destroy(slip_articulation *m)
{
    if (!m) return;
    slip_system_destroy(m->system);
    slip_tape_destroy(m->tape);
    slip_tape_destroy(m->slope_tape);
    free(m->reg);
    free(m->slope_reg);
    free(m->slopes);
    free(m->memory);
}
