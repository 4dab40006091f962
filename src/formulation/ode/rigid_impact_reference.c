/// formulation/ode/rigid_impact_reference.c: what rigid contacts would make of an impact with friction. See rigid_impact_reference.h.
#include "formulation/ode/rigid_impact_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/linalg.h"

enum { MAX_CHECKED_COORDINATES = 40 }; // larger models pay too much for looking

struct slip_impact_reference {
    const slip_ode *ode;
    const int *element;
    int count;
    int *first; // of the roots of each contact; -1: not looked at
    int forces; // first of their roots
    slip_tape *tape;
    double *reg;
    double *factor, *row, *response; // of a mass block; n, and n for each direction
};

static const slip_element *checked_element(const slip_impact_reference *r, int k)
{
    return &r->ode->equations->elements[r->element[k]];
}

static bool is_checked(const slip_impact_reference *r, int k)
{
    const slip_element *e = checked_element(r, k);
    return e->has_gap && e->slip_count && e->friction >= 0 && !e->contact->law &&
           e->contact->load.kind == SLIP_LOAD_NONE;
}

static const slip_row *direction_row(const slip_element *e, int direction)
{
    return direction == 0 ? &e->normal : &e->tangent[direction - 1];
}

// masses and forces first, then for each contact its friction and its rows: the rate, then the entries
static int collect_roots(slip_impact_reference *r, slip_ref *roots)
{
    const slip_equations *q = r->ode->equations;
    int count = 0;
    for (int b = 0; b < q->block_count; b++)
        for (int i = 0; i < q->blocks[b].count * q->blocks[b].count; i++, count++)
            if (roots) roots[count] = q->blocks[b].entry[i];
    r->forces = count;
    for (int i = 0; i < q->n; i++, count++)
        if (roots) roots[count] = q->h[i];
    for (int k = 0; k < r->count; k++) {
        r->first[k] = is_checked(r, k) ? count : -1;
        if (r->first[k] < 0) continue;
        const slip_element *e = checked_element(r, k);
        if (roots) roots[count] = e->friction;
        count++;
        for (int a = 0; a <= e->slip_count; a++) {
            const slip_row *row = direction_row(e, a);
            if (roots) roots[count] = row->rate;
            if (roots) memcpy(roots + count + 1, row->value, (size_t)row->count * sizeof *roots);
            count += 1 + row->count;
        }
    }
    return count;
}

static bool init_reference(slip_impact_reference *r)
{
    const size_t n = (size_t)r->ode->equations->n;
    int count = collect_roots(r, NULL);
    slip_ref *roots = malloc((size_t)count * sizeof *roots);
    if (roots) collect_roots(r, roots);
    r->tape = roots ? slip_tape_create(r->ode->graph, roots, count) : NULL;
    free(roots);
    r->reg = r->tape ? calloc((size_t)slip_tape_registers(r->tape) + 1, sizeof *r->reg) : NULL;
    r->factor = malloc((n * n + 4 * n) * sizeof *r->factor);
    if (!r->reg || !r->factor) return false;
    r->row = r->factor + n * n, r->response = r->row + n;
    slip_tape_start(r->tape, r->reg);
    return true;
}

slip_status slip_impact_reference_create(const slip_ode *ode, int count, const int *element,
                                         slip_impact_reference **out)
{
    *out = NULL;
    const slip_equations *q = ode->equations;
    if (!q || q->constraint_count || q->n > MAX_CHECKED_COORDINATES) return SLIP_OK;
    slip_impact_reference *r = calloc(1, sizeof *r);
    if (!r) return SLIP_NO_MEMORY;
    *r = (slip_impact_reference){ .ode = ode, .element = element, .count = count };
    bool any = false;
    for (int k = 0; k < count; k++) any = any || is_checked(r, k);
    r->first = any ? malloc((size_t)count * sizeof *r->first) : NULL;
    const bool fine = any && r->first && init_reference(r);
    if (fine) {
        *out = r;
        return SLIP_OK;
    }
    slip_impact_reference_destroy(r);
    return any ? SLIP_NO_MEMORY : SLIP_OK;
}

void slip_impact_reference_destroy(slip_impact_reference *r)
{
    if (!r) return;
    slip_tape_destroy(r->tape);
    free(r->reg);
    free(r->factor);
    free(r->first);
    free(r);
}

// ------------------------------------------------------------------------------------------ one contact

static double root_value(const slip_impact_reference *r, int root)
{
    return r->reg[slip_tape_result(r->tape, root)];
}

// x := M^-1 x, block by block; blocks that x does not touch are left alone
static bool mass_solve(slip_impact_reference *r, double *x)
{
    const slip_equations *q = r->ode->equations;
    int root = 0;
    for (int b = 0; b < q->block_count; b++) {
        const slip_mass_block *block = &q->blocks[b];
        const int m = block->count;
        bool touched = false;
        for (int i = 0; i < m; i++) {
            r->row[i] = x[block->coordinate[i]];
            touched = touched || r->row[i] != 0.0;
        }
        for (int i = 0; i < m * m; i++) r->factor[i] = root_value(r, root + i);
        root += m * m;
        if (!touched) continue;
        if (!slip_cholesky(m, r->factor)) return false;
        slip_cholesky_solve(m, r->factor, r->row);
        for (int i = 0; i < m; i++) x[block->coordinate[i]] = r->row[i];
    }
    return true;
}

static double *response_of(const slip_impact_reference *r, int direction)
{
    return r->response + (size_t)direction * (size_t)r->ode->equations->n;
}

// W = w' M^-1 w of contact k, 3 x 3
static bool delassus_matrix(slip_impact_reference *r, int k, double (*W)[3])
{
    const slip_element *e = checked_element(r, k);
    const int n = r->ode->equations->n;
    for (int a = 0, root = r->first[k] + 1; a <= e->slip_count; a++) {
        const slip_row *row = direction_row(e, a);
        double *y = response_of(r, a);
        memset(y, 0, (size_t)n * sizeof *y);
        for (int i = 0; i < row->count; i++) y[row->column[i]] = root_value(r, root + 1 + i);
        if (!mass_solve(r, y)) return false;
        root += 1 + row->count;
    }
    for (int a = 0, root = r->first[k] + 1; a <= e->slip_count; a++) {
        const slip_row *row = direction_row(e, a);
        for (int b = 0; b <= e->slip_count; b++) {
            W[a][b] = 0.0;
            for (int i = 0; i < row->count; i++)
                W[a][b] += root_value(r, root + 1 + i) * response_of(r, b)[row->column[i]];
        }
        root += 1 + row->count;
    }
    return true;
}

static slip_contact_rates contact_rates_of(const slip_impact_reference *r, int k)
{
    const slip_element *e = checked_element(r, k);
    slip_contact_rates v = { 0 };
    for (int a = 0, root = r->first[k] + 1; a <= e->slip_count; a++) {
        *(a ? &v.slip[a - 1] : &v.gap) = root_value(r, root);
        root += 1 + direction_row(e, a)->count;
    }
    return v;
}

// what does not depend on rates alone; no contact pushes
static double free_gap_acceleration(slip_impact_reference *r, int k)
{
    const slip_element *e = checked_element(r, k);
    double *y = r->response, sum = 0.0;
    for (int i = 0; i < r->ode->equations->n; i++) y[i] = root_value(r, r->forces + i);
    if (!mass_solve(r, y)) return NAN;
    for (int i = 0; i < e->normal.count; i++)
        sum += root_value(r, r->first[k] + 2 + i) * y[e->normal.column[i]];
    return sum;
}

bool slip_impact_reference_is_pressed(slip_impact_reference *r, int k, double t, const double *x)
{
    slip_impact_reference_rates(r, k, t, x);
    return free_gap_acceleration(r, k) < 0.0;
}

slip_contact_rates slip_impact_reference_rates(slip_impact_reference *r, int k, double t, const double *x)
{
    slip_ode_load_state(r->ode, r->reg, t, x);
    slip_tape_run(r->tape, r->reg);
    return contact_rates_of(r, k);
}

// whether friction is enough to end the slip
static bool friction_stops_slip(int slips, double (*W)[3], slip_contact_rates v, double mu, double e)
{
    double A[9], P[3] = { -(1.0 + e) * v.gap, -v.slip[0], -v.slip[1] };
    int size = slips + 1;
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++) A[a * size + b] = W[a][b];
    if (!slip_cholesky(size, A)) return false;
    slip_cholesky_solve(size, A, P);
    return P[0] >= 0.0 && slip_hypot(P[1], slips > 1 ? P[2] : 0.0) <= mu * P[0];
}

// the slip after an impact that slides the way s; NaN when it does not
static double slip_after_sliding(double (*W)[3], slip_contact_rates v, double mu, double e, double s)
{
    double eased = W[0][0] - mu * s * W[0][1], P = -(1.0 + e) * v.gap / eased;
    double slip = v.slip[0] + (W[1][0] - mu * s * W[1][1]) * P;
    return eased > 0.0 && s * slip > 0.0 ? slip : NAN;
}

bool slip_impact_reference_solve(slip_impact_reference *r, int k, double t, const double *x, double e,
                                 slip_contact_rates *before, slip_contact_rates *after)
{
    double W[3][3];
    if (r->first[k] < 0) return false;
    *before = slip_impact_reference_rates(r, k, t, x);
    if (!(before->gap < 0.0) || !delassus_matrix(r, k, W)) return false;
    const int slips = checked_element(r, k)->slip_count;
    const double mu = fmax(0.0, root_value(r, r->first[k]));
    *after = (slip_contact_rates){ .gap = -e * before->gap };
    const bool held = friction_stops_slip(slips, W, *before, mu, e);
    if (slips > 1) return held; // where a slip in space ends takes a process
    double there = slip_after_sliding(W, *before, mu, e, 1.0),
           back = slip_after_sliding(W, *before, mu, e, -1.0);
    if (held + !isnan(there) + !isnan(back) != 1) return false;
    if (!held) after->slip[0] = isnan(there) ? back : there;
    return true;
}
