/// model/bodies/fill_placement.c: where the bodies of `fill:` start.
///
/// The region is cut into equal cells, each at least as large as the box around the largest body, as few as
/// hold all of them. Bodies go to cells by chance, and to a place by chance in their cell, so that none
/// overlaps another whatever its shape. Chance is a function of the seed and the number of the body
/// (base/philox.h).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/philox.h"
#include "model/bodies/rigid_bodies.h"
#include "model/detect_model.h"
#include "model/model_tolerances.h"

typedef struct packing {
    slip_reader *r;
    const slip_yaml *fill;
    slip_detect_model *crowd;
    int count, dimensions;
    uint64_t seed, stream;
    double low[3], wide[3]; // region, m
    double size[3];         // m, of the largest body
    int cells[3];
    const slip_body **body;
    slip_aabb *box; // around each, about its reference point
} packing;

// --------------------------------------------------------------------------------------------- numbers

static bool read_numbers(packing *p)
{
    const slip_yaml *node = slip_yaml_find(p->fill, "seed");
    double seed, count;
    char of[120];
    snprintf(of, sizeof of, "fill '%.80s'", p->fill->key->text);
    if (!slip_read_constant(p->r, p->fill, "fill.*", "count", of, 0.0, &count) ||
        !slip_read_constant(p->r, p->fill, "fill.*", "seed", of, 0.0, &seed))
        return false;
    if (seed != floor(seed) || !(seed >= 0.0 && seed <= 9e15)) {
        slip_reader_error(p->r, node->where, "seed: 7", "a seed is a whole number from 0 to 9e15, got %g",
                          seed);
        return false;
    }
    p->count = (int)count; // as it was when they were written out
    p->seed = (uint64_t)seed;
    return true;
}

static bool read_corner(packing *p, slip_yaml *node, double corner[3])
{
    slip_vec at;
    if (!slip_read_place(p->r, node, "region", &at)) return false;
    const slip_ref part[3] = { at.x, at.y, at.z };
    for (int k = 0; k < p->dimensions; k++) {
        if (!slip_evaluate(p->r, part[k], &corner[k])) return false;
        if (!isnan(corner[k])) continue;
        slip_reader_error(p->r, node->where, "numbers, or formulas of parameters",
                          "the region of a fill has to be constant");
        return false;
    }
    return true;
}

static bool read_region(packing *p)
{
    slip_yaml *node = slip_yaml_find(p->fill, "region");
    double end[3] = { 0.0, 0.0, 0.0 };
    if (!node || node->bad) return false;
    if (node->count != 2) {
        slip_reader_error(p->r, node->where, "region: [[0, 0, 0], [1, 1, 1]]",
                          "a region has two opposite corners, got %d", node->count);
        return false;
    }
    if (!read_corner(p, node->first, p->low) || !read_corner(p, node->first->next, end)) return false;
    for (int k = 0; k < p->dimensions; k++) {
        p->wide[k] = fabs(end[k] - p->low[k]);
        p->low[k] = fmin(p->low[k], end[k]);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------- bodies

// a start of its own, from the fill or by --set
static const slip_yaml *own_start(const slip_yaml *body, int dimensions)
{
    static const char *const axes[] = { "x", "y", "z" }, *const keys[] = { "start", "guess", "motion" };
    for (int k = 0; k < dimensions; k++) {
        const slip_yaml *axis = slip_yaml_find(body, axes[k]);
        if (axis && axis->kind == SLIP_YAML_SCALAR) return axis;
        for (int i = 0; axis && i < 3; i++)
            if (slip_yaml_find(axis, keys[i])) return axis;
    }
    return NULL;
}

static bool take_body(packing *p, int k)
{
    const slip_yaml *key = p->fill->key;
    char name[SLIP_FILLED_NAME];
    slip_name_filled(p->fill, k + 1, name, sizeof name);
    const slip_body *body = slip_find_body(p->r, key->where, name, strlen(name));
    if (!body || body->node->bad) return false;
    const slip_yaml *start = own_start(body->node, p->dimensions);
    if (start) {
        slip_reader_error(p->r, start->where, "x: {rate: 1} gives it a velocity",
                          "body '%.80s' is placed by 'fill', and has no start of its own", name);
        return false;
    }
    if (body->found && !body->crowd) {
        slip_reader_error(p->r, key->where, "list a body that formulas act on under 'bodies'",
                          "body '%.80s' is placed by 'fill', and a formula or another part names it", name);
        return false;
    }
    if (!body->crowd) {
        slip_reader_error(p->r, key->where, "contacts: {pile: {found: [ball*, ground]}}",
                          "body '%.80s' of a fill takes part in no detected contact", name);
        return false;
    }
    p->body[k] = body;
    return true;
}

// as it stands at t = 0 about its reference point
static slip_pose pose_of(const packing *p, const slip_detect_body *body)
{
    slip_pose pose = { { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0, 0.0 } };
    const slip_coordinate *c = p->r->model->coordinates + body->coordinate;
    if (!body->turns) return pose;
    if (p->dimensions == 2) {
        pose.q[0] = slip_cos(0.5 * c[2].start);
        pose.q[3] = slip_sin(0.5 * c[2].start);
        return pose;
    }
    double squares = 0.0;
    for (int k = 0; k < 4; k++) squares += c[3 + k].start * c[3 + k].start;
    for (int k = 0; k < 4; k++) pose.q[k] = c[3 + k].start / sqrt(squares);
    return pose;
}

static void bound_body(packing *p, int k)
{
    const slip_body *body = p->body[k];
    const slip_pose pose = pose_of(p, &p->crowd->bodies[body->found - 1]);
    slip_aabb *box = &p->box[k];
    for (int i = 0; i < 3; i++) box->low[i] = INFINITY, box->high[i] = -INFINITY;
    for (int s = body->first_found; s < body->first_found + body->found_count; s++) {
        const slip_aabb one = slip_solid_aabb(&p->crowd->shapes[s].solid, &pose, 0.0);
        for (int i = 0; i < 3; i++) {
            box->low[i] = fmin(box->low[i], one.low[i]);
            box->high[i] = fmax(box->high[i], one.high[i]);
        }
    }
    for (int i = 0; i < p->dimensions; i++) p->size[i] = fmax(p->size[i], box->high[i] - box->low[i]);
}

// --------------------------------------------------------------------------------------------- cells

static double cells_of(const packing *p)
{
    return (double)p->cells[0] * p->cells[1] * p->cells[2];
}

// one cell less along the direction in which they are tightest, where enough are left
static bool loosen_cells(packing *p)
{
    int best = -1;
    double tightest = INFINITY;
    for (int k = 0; k < p->dimensions; k++) {
        const double room = p->wide[k] / (p->cells[k] * p->size[k]);
        const bool enough = cells_of(p) / p->cells[k] * (p->cells[k] - 1) >= p->count;
        if (!enough || !(room < tightest)) continue;
        tightest = room;
        best = k;
    }
    if (best >= 0) p->cells[best]--;
    return best >= 0;
}

static bool cut_into_cells(packing *p)
{
    double all = 1.0;
    for (int k = 0; k < 3; k++) p->cells[k] = 1;
    for (int k = 0; k < p->dimensions; k++) {
        const double most = floor(p->wide[k] / p->size[k] * (1.0 + FILL_ROUNDING));
        all *= most;
        p->cells[k] = (int)fmin(most, p->count);
    }
    if (all < p->count) {
        char size[100];
        snprintf(size, sizeof size, p->dimensions == 2 ? "%.4g x %.4g" : "%.4g x %.4g x %.4g", p->size[0],
                 p->size[1], p->size[2]);
        slip_reader_error(p->r, slip_yaml_find(p->fill, "region")->where,
                          "a larger region, or fewer or smaller bodies",
                          "%d bodies of up to %s m do not fit into the region, which holds %.0f side by side",
                          p->count, size, isfinite(all) ? all : 0.0);
        return false;
    }
    while (loosen_cells(p)) continue;
    return true;
}

static void place_body(packing *p, int k, int cell)
{
    const int at[3] = { cell % p->cells[0], cell / p->cells[0] % p->cells[1],
                        cell / p->cells[0] / p->cells[1] };
    const slip_aabb *box = &p->box[k];
    slip_coordinate *c = p->r->model->coordinates + p->crowd->bodies[p->body[k]->found - 1].coordinate;
    for (int i = 0; i < p->dimensions; i++) {
        const double width = p->wide[i] / p->cells[i],
                     spare = fmax(0.0, width - (box->high[i] - box->low[i]));
        const double chance = slip_philox_uniform(p->seed, p->stream + (uint64_t)k, (uint32_t)i);
        c[i].start = p->low[i] + width * at[i] + chance * spare - box->low[i];
    }
}

// bodies in an order by chance, to the cells that chance picks out in turn (Knuth, "The art of computer
// programming" 2, section 3.4.2, algorithms P and S)
static void shuffle_cells(packing *p, int *order)
{
    enum { ORDER = 3, PICK = 4 };
    for (int k = 0; k < p->count; k++) {
        const int j =
            (int)(slip_philox_uniform(p->seed, p->stream + (uint64_t)k, ORDER) * (k + 1)); // k + 1 at most
        order[k] = order[j < k ? j : k];
        order[j < k ? j : k] = k;
    }
    const int cells = (int)cells_of(p);
    for (int cell = 0, placed = 0; placed < p->count; cell++) {
        const double chance = slip_philox_uniform(p->seed, p->stream + (uint64_t)cell, PICK);
        if (chance * (cells - cell) < p->count - placed) place_body(p, order[placed++], cell);
    }
}

static void pack_bodies(packing *p)
{
    for (int k = 0; k < p->count; k++)
        if (!take_body(p, k)) return;
    for (int k = 0; k < p->count; k++) bound_body(p, k);
    int *order = calloc((size_t)p->count, sizeof *order);
    if (!order) slip_reader_no_memory(p->r);
    if (order && cut_into_cells(p)) shuffle_cells(p, order);
    free(order);
}

void slip_place_fills(slip_reader *r, slip_detect_model *crowd)
{
    const slip_yaml *fills = slip_reader_map(r->root, "fill");
    uint64_t number = 0;
    if (!fills || slip_reader_stopped(r) || slip_diagnostics_error_count(r->notes) > 0) return;
    r->all_shape = true; // places stand where no variation copies them
    if (!crowd) {
        slip_reader_error(r, fills->key->where, "contacts: {pile: {found: [ball*, ground]}}",
                          "'fill' packs bodies whose contacts are detected, and none are");
        return;
    }
    for (const slip_yaml *fill = fills->first; fill && !slip_reader_stopped(r); fill = fill->next) {
        packing p = {
            .r = r, .fill = fill, .crowd = crowd, .dimensions = slip_dimensions(r), .stream = number++ << 32
        };
        if (fill->bad || !read_numbers(&p) || !read_region(&p)) continue;
        p.body = calloc((size_t)p.count + 1, sizeof(void *));
        p.box = calloc((size_t)p.count + 1, sizeof *p.box);
        if (p.body && p.box)
            pack_bodies(&p);
        else
            slip_reader_no_memory(r);
        free((void *)p.body);
        free(p.box);
    }
}
