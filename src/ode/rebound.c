/// ode/rebound.c: what rigid contacts would make of an impact with friction. See rebound.h.
#include "ode/rebound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/dense.h"
#include "core/elementary.h"

enum { MOST_COORDINATES = 40 }; // larger models pay too much for looking

struct slip_rebound {
    const slip_ode *ode;
    const int *element;
    int count;
    int *first; // of the roots of each contact; -1: not looked at
    int forces; // first of their roots
    slip_tape *tape;
    double *reg;
    double *factor, *row, *response; // of a mass block; n, and n for each direction
};

static const slip_element *element_of(const slip_rebound *r, int k)
{
    return &r->ode->equations->elements[r->element[k]];
}

static bool is_judged(const slip_rebound *r, int k)
{
    const slip_element *e = element_of(r, k);
    return e->has_gap && e->slip_count && e->friction >= 0 && !e->contact->law &&
           e->contact->load.kind == SLIP_LOAD_NONE;
}

static const slip_row *row_of(const slip_element *e, int direction)
{
    return direction == 0 ? &e->normal : &e->tangent[direction - 1];
}

// masses and forces first, then for each contact its friction and its rows: the rate, then the entries
static int collect(slip_rebound *r, slip_ref *roots)
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
        r->first[k] = is_judged(r, k) ? count : -1;
        if (r->first[k] < 0) continue;
        const slip_element *e = element_of(r, k);
        if (roots) roots[count] = e->friction;
        count++;
        for (int a = 0; a <= e->slip_count; a++) {
            const slip_row *row = row_of(e, a);
            if (roots) roots[count] = row->rate;
            if (roots) memcpy(roots + count + 1, row->value, (size_t)row->count * sizeof *roots);
            count += 1 + row->count;
        }
    }
    return count;
}

static bool fill(slip_rebound *r)
{
    const size_t n = (size_t)r->ode->equations->n;
    int count = collect(r, NULL);
    slip_ref *roots = malloc((size_t)count * sizeof *roots);
    if (roots) collect(r, roots);
    r->tape = roots ? slip_tape_create(r->ode->graph, roots, count) : NULL;
    free(roots);
    r->reg = r->tape ? calloc((size_t)slip_tape_registers(r->tape) + 1, sizeof *r->reg) : NULL;
    r->factor = malloc((n * n + 4 * n) * sizeof *r->factor);
    if (!r->reg || !r->factor) return false;
    r->row = r->factor + n * n, r->response = r->row + n;
    slip_tape_start(r->tape, r->reg);
    return true;
}

slip_status slip_rebound_create(const slip_ode *ode, int count, const int *element, slip_rebound **out)
{
    *out = NULL;
    const slip_equations *q = ode->equations;
    if (!q || q->constraint_count || q->n > MOST_COORDINATES) return SLIP_OK;
    slip_rebound *r = calloc(1, sizeof *r);
    if (!r) return SLIP_NO_MEMORY;
    *r = (slip_rebound){ .ode = ode, .element = element, .count = count };
    bool any = false;
    for (int k = 0; k < count; k++) any = any || is_judged(r, k);
    r->first = any ? malloc((size_t)count * sizeof *r->first) : NULL;
    const bool fine = any && r->first && fill(r);
    if (fine) {
        *out = r;
        return SLIP_OK;
    }
    slip_rebound_destroy(r);
    return any ? SLIP_NO_MEMORY : SLIP_OK;
}

void slip_rebound_destroy(slip_rebound *r)
{
    if (!r) return;
    slip_tape_destroy(r->tape);
    free(r->reg);
    free(r->factor);
    free(r->first);
    free(r);
}

// ------------------------------------------------------------------------------------------ one contact

static double value(const slip_rebound *r, int root)
{
    return r->reg[slip_tape_result(r->tape, root)];
}

// x := M^-1 x, block by block; blocks that x does not touch are left alone
static bool respond(slip_rebound *r, double *x)
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
        for (int i = 0; i < m * m; i++) r->factor[i] = value(r, root + i);
        root += m * m;
        if (!touched) continue;
        if (!slip_cholesky(m, r->factor)) return false;
        slip_cholesky_solve(m, r->factor, r->row);
        for (int i = 0; i < m; i++) x[block->coordinate[i]] = r->row[i];
    }
    return true;
}

static double *response_of(const slip_rebound *r, int direction)
{
    return r->response + (size_t)direction * (size_t)r->ode->equations->n;
}

// W = w' M^-1 w of contact k, 3 x 3
static bool delassus(slip_rebound *r, int k, double (*W)[3])
{
    const slip_element *e = element_of(r, k);
    const int n = r->ode->equations->n;
    for (int a = 0, root = r->first[k] + 1; a <= e->slip_count; a++) {
        const slip_row *row = row_of(e, a);
        double *y = response_of(r, a);
        memset(y, 0, (size_t)n * sizeof *y);
        for (int i = 0; i < row->count; i++) y[row->column[i]] = value(r, root + 1 + i);
        if (!respond(r, y)) return false;
        root += 1 + row->count;
    }
    for (int a = 0, root = r->first[k] + 1; a <= e->slip_count; a++) {
        const slip_row *row = row_of(e, a);
        for (int b = 0; b <= e->slip_count; b++) {
            W[a][b] = 0.0;
            for (int i = 0; i < row->count; i++)
                W[a][b] += value(r, root + 1 + i) * response_of(r, b)[row->column[i]];
        }
        root += 1 + row->count;
    }
    return true;
}

static slip_rates rates(const slip_rebound *r, int k)
{
    const slip_element *e = element_of(r, k);
    slip_rates v = { 0 };
    for (int a = 0, root = r->first[k] + 1; a <= e->slip_count; a++) {
        *(a ? &v.slip[a - 1] : &v.gap) = value(r, root);
        root += 1 + row_of(e, a)->count;
    }
    return v;
}

// what does not depend on rates alone; no contact pushes
static double pull(slip_rebound *r, int k)
{
    const slip_element *e = element_of(r, k);
    double *y = r->response, sum = 0.0;
    for (int i = 0; i < r->ode->equations->n; i++) y[i] = value(r, r->forces + i);
    if (!respond(r, y)) return NAN;
    for (int i = 0; i < e->normal.count; i++) sum += value(r, r->first[k] + 2 + i) * y[e->normal.column[i]];
    return sum;
}

bool slip_rebound_is_pressed(slip_rebound *r, int k, double t, const double *x)
{
    slip_rebound_rates(r, k, t, x);
    return pull(r, k) < 0.0;
}

slip_rates slip_rebound_rates(slip_rebound *r, int k, double t, const double *x)
{
    slip_ode_load_state(r->ode, r->reg, t, x);
    slip_tape_run(r->tape, r->reg);
    return rates(r, k);
}

// whether friction is enough to end the slip
static bool sticks(int slips, double (*W)[3], slip_rates v, double mu, double e)
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
static double slides(double (*W)[3], slip_rates v, double mu, double e, double s)
{
    double eased = W[0][0] - mu * s * W[0][1], P = -(1.0 + e) * v.gap / eased;
    double slip = v.slip[0] + (W[1][0] - mu * s * W[1][1]) * P;
    return eased > 0.0 && s * slip > 0.0 ? slip : NAN;
}

bool slip_rebound_strike(slip_rebound *r, int k, double t, const double *x, double e, slip_rates *before,
                         slip_rates *after)
{
    double W[3][3];
    if (r->first[k] < 0) return false;
    *before = slip_rebound_rates(r, k, t, x);
    if (!(before->gap < 0.0) || !delassus(r, k, W)) return false;
    const int slips = element_of(r, k)->slip_count;
    const double mu = fmax(0.0, value(r, r->first[k]));
    *after = (slip_rates){ .gap = -e * before->gap };
    const bool held = sticks(slips, W, *before, mu, e);
    if (slips > 1) return held; // where a slip in space ends takes a process
    double there = slides(W, *before, mu, e, 1.0), back = slides(W, *before, mu, e, -1.0);
    if (held + !isnan(there) + !isnan(back) != 1) return false;
    if (!held) after->slip[0] = isnan(there) ? back : there;
    return true;
}
