/// formulation/ode/contact_response.c: how contacts answer to impulses. See contact_response.h.
#include "formulation/ode/contact_response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/linalg/linalg.h"
#include "formulation/ode/ode_tolerances.h"

struct slip_contact_response {
    const slip_ode *ode;
    const int *element;
    int count;
    int *first;              // of the roots of each contact: its friction, then its rows
    int forces, constraints; // first of their roots
    int held;                // independent constraints
    slip_tape *tape;
    double *reg;
    double *factor, *part; // Cholesky factors of the mass blocks, one after another; a block
    double *hold;          // M^-1 J', orthonormal in the energy, n each
};

static const slip_element *element_of(const slip_contact_response *r, int k)
{
    return &r->ode->equations->elements[r->element[k]];
}

static const slip_row *row_of(const slip_contact_response *r, int k, int direction)
{
    const slip_element *e = element_of(r, k);
    return direction == 0 ? &e->normal : &e->tangent[direction - 1];
}

int slip_contact_response_slips(const slip_contact_response *r, int k)
{
    const slip_element *e = element_of(r, k);
    bool rubs = e->friction >= 0 && !e->contact->law && e->contact->load.kind == SLIP_LOAD_NONE;
    return rubs ? e->slip_count : 0;
}

static int put_root(slip_ref *roots, int at, slip_ref root)
{
    if (roots) roots[at] = root;
    return at + 1;
}

// a row: its rate, then its entries
static int put_row(slip_ref *roots, int at, const slip_row *row)
{
    at = put_root(roots, at, row->rate);
    for (int i = 0; i < row->count; i++) at = put_root(roots, at, row->value[i]);
    return at;
}

// masses, forces, constraints, then each contact; without `roots` they are only counted
static int collect_roots(slip_contact_response *r, slip_ref *roots)
{
    const slip_equations *q = r->ode->equations;
    int at = 0;
    for (int b = 0; b < q->block_count; b++)
        for (int i = 0; i < q->blocks[b].count * q->blocks[b].count; i++)
            at = put_root(roots, at, q->blocks[b].entry[i]);
    r->forces = at;
    for (int i = 0; i < q->n; i++) at = put_root(roots, at, q->h[i]);
    r->constraints = at;
    for (int c = 0; c < q->constraint_count; c++) at = put_row(roots, at, &q->constraints[c]);
    for (int k = 0; k < r->count; k++) {
        const slip_element *e = element_of(r, k);
        r->first[k] = at;
        at = put_root(roots, at, e->friction >= 0 ? e->friction : e->normal.rate);
        for (int a = 0; a <= e->slip_count; a++) at = put_row(roots, at, row_of(r, k, a));
    }
    return at;
}

static bool init_response(slip_contact_response *r)
{
    const slip_equations *q = r->ode->equations;
    const size_t n = (size_t)q->n, c = (size_t)q->constraint_count;
    r->first = malloc(((size_t)r->count + 1) * sizeof *r->first);
    int count = r->first ? collect_roots(r, NULL) : 0;
    slip_ref *roots = malloc(((size_t)count + 1) * sizeof *roots);
    if (r->first && roots) collect_roots(r, roots);
    r->tape = r->first && roots ? slip_tape_create(r->ode->graph, roots, count) : NULL;
    free(roots);
    r->reg = r->tape ? calloc((size_t)slip_tape_registers(r->tape) + 1, sizeof *r->reg) : NULL;
    r->factor = calloc(n * n + n + c * n + 1, sizeof *r->factor);
    if (!r->reg || !r->factor) return false;
    r->part = r->factor + n * n, r->hold = r->part + n;
    slip_tape_start(r->tape, r->reg);
    return true;
}

slip_status slip_contact_response_create(const slip_ode *ode, int count, const int *element,
                                         slip_contact_response **out)
{
    *out = NULL;
    const slip_equations *q = ode->equations;
    if (!q || q->n > SLIP_CONTACT_RESPONSE_MAX || count == 0) return SLIP_OK;
    slip_contact_response *r = calloc(1, sizeof *r);
    if (!r) return SLIP_NO_MEMORY;
    *r = (slip_contact_response){ .ode = ode, .element = element, .count = count };
    if (init_response(r)) {
        *out = r;
        return SLIP_OK;
    }
    slip_contact_response_destroy(r);
    return SLIP_NO_MEMORY;
}

void slip_contact_response_destroy(slip_contact_response *r)
{
    if (!r) return;
    slip_tape_destroy(r->tape);
    free(r->reg);
    free(r->factor);
    free(r->first);
    free(r);
}

// ----------------------------------------------------------------------------------------- at one state

static double root_value(const slip_contact_response *r, int root)
{
    return r->reg[slip_tape_result(r->tape, root)];
}

// x := M^-1 x, block by block
static void mass_solve(const slip_contact_response *r, double *x)
{
    const slip_equations *q = r->ode->equations;
    const double *factor = r->factor;
    for (int b = 0; b < q->block_count; b++) {
        const slip_mass_block *block = &q->blocks[b];
        for (int i = 0; i < block->count; i++) r->part[i] = x[block->coordinate[i]];
        slip_cholesky_solve(block->count, factor, r->part);
        for (int i = 0; i < block->count; i++) x[block->coordinate[i]] = r->part[i];
        factor += block->count * block->count;
    }
}

static bool factor_masses(slip_contact_response *r)
{
    const slip_equations *q = r->ode->equations;
    double *factor = r->factor;
    for (int b = 0, root = 0; b < q->block_count; b++) {
        const int size = q->blocks[b].count * q->blocks[b].count;
        for (int i = 0; i < size; i++) factor[i] = root_value(r, root + i);
        if (!slip_cholesky(q->blocks[b].count, factor)) return false;
        factor += size, root += size;
    }
    return true;
}

// entries of the row whose roots begin at `root`, over all coordinates
static void spread_row(const slip_contact_response *r, const slip_row *row, int root, double *y)
{
    memset(y, 0, (size_t)r->ode->equations->n * sizeof *y);
    for (int i = 0; i < row->count; i++) y[row->column[i]] = root_value(r, root + 1 + i);
}

static double row_along(const slip_contact_response *r, const slip_row *row, int root, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < row->count; i++) sum += root_value(r, root + 1 + i) * y[row->column[i]];
    return sum;
}

// y := y without what the first constraints hold, for the y of this row; returns the square of that
static double remove_held(const slip_contact_response *r, const slip_row *row, int root, double *y)
{
    const int n = r->ode->equations->n;
    double held = 0.0;
    for (int a = 0; a < r->held; a++) {
        const double *b = r->hold + (size_t)a * (size_t)n;
        double along = row_along(r, row, root, b);
        for (int i = 0; i < n; i++) y[i] -= along * b[i];
        held += along * along;
    }
    return held;
}

// the constraints one after another, each without what those before it hold already
static void orthonormalize_constraints(slip_contact_response *r)
{
    const slip_equations *q = r->ode->equations;
    r->held = 0;
    for (int c = 0, root = r->constraints; c < q->constraint_count; c++) {
        const slip_row *row = &q->constraints[c];
        double *y = r->hold + (size_t)r->held * (size_t)q->n;
        spread_row(r, row, root, y);
        mass_solve(r, y);
        double whole = row_along(r, row, root, y), left = whole - remove_held(r, row, root, y);
        root += 1 + row->count;
        if (!(left > DEPENDENT_CONSTRAINT * whole)) continue; // it says nothing new
        for (int i = 0; i < q->n; i++) y[i] /= sqrt(left);
        r->held++;
    }
}

bool slip_contact_response_evaluate(slip_contact_response *r, double t, const double *x)
{
    slip_ode_load_state(r->ode, r->reg, t, x);
    slip_tape_run(r->tape, r->reg);
    if (!factor_masses(r)) return false;
    orthonormalize_constraints(r);
    return true;
}

// ---------------------------------------------------------------------------------------- one direction

static int root_of(const slip_contact_response *r, int k, int direction)
{
    int root = r->first[k] + 1;
    for (int a = 0; a < direction; a++) root += 1 + row_of(r, k, a)->count;
    return root;
}

double slip_contact_response_rate(const slip_contact_response *r, int k, int direction)
{
    return root_value(r, root_of(r, k, direction));
}

void slip_contact_response_velocities(slip_contact_response *r, int k, int direction, double *y)
{
    const slip_row *row = row_of(r, k, direction);
    const int root = root_of(r, k, direction);
    spread_row(r, row, root, y);
    mass_solve(r, y);
    remove_held(r, row, root, y);
}

double slip_contact_response_along(const slip_contact_response *r, int k, int direction, const double *y)
{
    return row_along(r, row_of(r, k, direction), root_of(r, k, direction), y);
}

double slip_contact_response_friction(const slip_contact_response *r, int k)
{
    return slip_contact_response_slips(r, k) ? fmax(0.0, root_value(r, r->first[k])) : 0.0;
}

void slip_contact_response_forces(slip_contact_response *r, double *y)
{
    for (int i = 0; i < r->ode->equations->n; i++) y[i] = root_value(r, r->forces + i);
    mass_solve(r, y);
}
