/// exact.c: modes in fractions, see exact.h.
#include "exact.h"

#include <string.h>

static const wide LONG = (wide)1 << 62;

// ---- fractions -----------------------------------------------------------------------------------------

static bool too_long;

static wide size_of(wide x)
{
    return x < 0 ? -x : x;
}

static fraction make(wide over, wide under)
{
    wide a = size_of(over), b = size_of(under);
    while (b) {
        const wide rest = a % b;
        a = b;
        b = rest;
    }
    if (under < 0) over = -over, under = -under;
    over /= a, under /= a;
    if (size_of(over) >= LONG || under >= LONG) {
        too_long = true;
        return (fraction){ 0, 1 };
    }
    return (fraction){ over, under };
}

static fraction whole(long long x)
{
    return (fraction){ x, 1 };
}
static fraction plus(fraction a, fraction b)
{
    return make(a.over * b.under + b.over * a.under, a.under * b.under);
}
static fraction times(fraction a, fraction b)
{
    return make(a.over * b.over, a.under * b.under);
}
static fraction minus(fraction a, fraction b)
{
    return plus(a, (fraction){ -b.over, b.under });
}
static fraction divided(fraction a, fraction b)
{
    return make(a.over * b.under, a.under * b.over);
}
static int sign(fraction a)
{
    return a.over > 0 ? 1 : a.over < 0 ? -1 : 0;
}
static double rounded(fraction a)
{
    return (double)((long double)a.over / (long double)a.under);
}

// ---- lines: c . z + c[size] = 0 or >= 0 -----------------------------------------------------------------

enum { MANY = 400 };

typedef struct line {
    fraction c[EXACT_SIZE + 1];
} line;

typedef struct system {
    int size, equations, inequalities;
    line equation[2 * EXACT_SIZE], inequality[MANY];
} system;

static line row_of_w(const exact_problem *p, int i, int by)
{
    line l;
    for (int j = 0; j <= EXACT_SIZE; j++) l.c[j] = whole(0);
    for (int j = 0; j < p->size; j++) l.c[j] = whole(by * p->M[i][j]);
    l.c[p->size] = whole(by * p->q[i]);
    return l;
}

// by z_i + with z_other + constant
static line row_of_z(const exact_problem *p, int i, long long by, int other, long long with,
                     long long constant)
{
    line l;
    for (int j = 0; j <= EXACT_SIZE; j++) l.c[j] = whole(0);
    l.c[i] = whole(by);
    if (other >= 0) l.c[other] = whole(with);
    l.c[p->size] = whole(constant);
    return l;
}

static void equal(system *s, line l)
{
    s->equation[s->equations++] = l;
}
static void at_least(system *s, line l)
{
    if (s->inequalities < MANY)
        s->inequality[s->inequalities++] = l;
    else
        too_long = true;
}

static int states_of(const exact_problem *p, int i)
{
    return p->law[i] == EXACT_CONTACT ? 4 : 3;
}

// false when unknown i has no such state
static bool add_state(system *s, const exact_problem *p, int i, int state)
{
    if (p->law[i] == EXACT_CONTACT) {
        const long long mu = p->quarters[i];
        const int t = i + 1;
        if (state == 0) { // open
            equal(s, row_of_z(p, i, 1, -1, 0, 0));
            equal(s, row_of_z(p, t, 1, -1, 0, 0));
            at_least(s, row_of_w(p, i, 1));
            return true;
        }
        if (mu == 0 && state > 1) return false;
        equal(s, row_of_w(p, i, 1));
        at_least(s, row_of_z(p, i, 1, -1, 0, 0));
        if (mu == 0) {
            equal(s, row_of_z(p, t, 1, -1, 0, 0));
        } else if (state == 1) { // sticking
            equal(s, row_of_w(p, t, 1));
            at_least(s, row_of_z(p, i, mu, t, 4, 0));
            at_least(s, row_of_z(p, i, mu, t, -4, 0));
        } else { // slipping, up and down
            equal(s, row_of_z(p, i, state == 2 ? mu : -mu, t, 4, 0));
            at_least(s, row_of_w(p, t, state == 2 ? 1 : -1));
        }
        return true;
    }
    if (state == 0) { // between the bounds
        equal(s, row_of_w(p, i, 1));
        if (p->has_low[i]) at_least(s, row_of_z(p, i, 1, -1, 0, -p->low[i]));
        if (p->has_high[i]) at_least(s, row_of_z(p, i, -1, -1, 0, p->high[i]));
        return true;
    }
    const bool low = state == 1;
    if (low ? !p->has_low[i] : !p->has_high[i]) return false;
    equal(s, row_of_z(p, i, 1, -1, 0, low ? -p->low[i] : -p->high[i]));
    at_least(s, row_of_w(p, i, low ? 1 : -1));
    return true;
}

// ---- one mode ------------------------------------------------------------------------------------------

static void eliminate_from(line *l, const line *pivot, int column, int size)
{
    const fraction f = divided(l->c[column], pivot->c[column]);
    if (sign(f) == 0) return;
    for (int j = 0; j <= size; j++) l->c[j] = minus(l->c[j], times(f, pivot->c[j]));
}

// Gauss and Jordan; fixed[j] is the equation that fixes unknown j, -1 for none. False when they contradict.
static bool solve_equations(system *s, int *fixed)
{
    int rank = 0;
    for (int j = 0; j < s->size; j++) {
        int at = rank;
        fixed[j] = -1;
        while (at < s->equations && sign(s->equation[at].c[j]) == 0) at++;
        if (at == s->equations) continue;
        const line keep = s->equation[at];
        s->equation[at] = s->equation[rank];
        s->equation[rank] = keep;
        for (int k = 0; k < s->equations; k++)
            if (k != rank) eliminate_from(&s->equation[k], &s->equation[rank], j, s->size);
        for (int k = 0; k < s->inequalities; k++)
            eliminate_from(&s->inequality[k], &s->equation[rank], j, s->size);
        fixed[j] = rank++;
    }
    for (int k = rank; k < s->equations; k++)
        if (sign(s->equation[k].c[s->size]) != 0) return false;
    return true;
}

// removes unknown j from the inequalities: every lower bound meets every upper one
static void project(system *s, int j)
{
    static system next;
    next = *s;
    next.inequalities = 0;
    for (int a = 0; a < s->inequalities; a++) {
        if (sign(s->inequality[a].c[j]) == 0) {
            at_least(&next, s->inequality[a]);
            continue;
        }
        for (int b = 0; sign(s->inequality[a].c[j]) > 0 && b < s->inequalities; b++) {
            if (sign(s->inequality[b].c[j]) >= 0) continue;
            line sum;
            const fraction up = s->inequality[a].c[j], down = s->inequality[b].c[j];
            for (int k = 0; k <= s->size; k++)
                sum.c[k] = minus(divided(s->inequality[a].c[k], up), divided(s->inequality[b].c[k], down));
            at_least(&next, sum);
        }
    }
    *s = next;
}

typedef struct range {
    bool empty, has_low, has_high;
    fraction low, high;
} range;

// what the inequalities allow for unknown j when all others are projected out
static range range_of(const system *given, const int *fixed, int j)
{
    static system s;
    range r = { 0 };
    s = *given;
    for (int k = 0; k < s.size; k++)
        if (k != j && fixed[k] < 0) project(&s, k);
    for (int k = 0; k < s.inequalities; k++) {
        const line *l = &s.inequality[k];
        const int way = j < s.size ? sign(l->c[j]) : 0;
        if (way == 0) {
            r.empty = r.empty || sign(l->c[s.size]) < 0;
            continue;
        }
        const fraction bound = divided((fraction){ -l->c[s.size].over, l->c[s.size].under }, l->c[j]);
        if (way > 0 && (!r.has_low || sign(minus(bound, r.low)) > 0)) r.has_low = true, r.low = bound;
        if (way < 0 && (!r.has_high || sign(minus(bound, r.high)) < 0)) r.has_high = true, r.high = bound;
    }
    if (r.has_low && r.has_high && sign(minus(r.high, r.low)) < 0) r.empty = true;
    return r;
}

static void keep(exact_answer *a, fraction points[][EXACT_SIZE], const fraction *z, int size)
{
    for (int k = 0; k < a->points; k++) {
        bool same = true;
        for (int j = 0; j < size; j++) same = same && sign(minus(points[k][j], z[j])) == 0;
        if (same) return;
    }
    if (a->points == EXACT_POINTS) {
        too_long = true;
        return;
    }
    for (int j = 0; j < size; j++) {
        points[a->points][j] = z[j];
        a->z[a->points][j] = rounded(z[j]);
    }
    a->points++;
}

static void solve_mode(system *s, exact_answer *a, fraction points[][EXACT_SIZE])
{
    int fixed[EXACT_SIZE];
    fraction z[EXACT_SIZE];
    if (!solve_equations(s, fixed)) return;
    if (range_of(s, fixed, s->size).empty) return;
    for (int j = 0; j < s->size; j++) {
        if (fixed[j] >= 0) continue;
        const range r = range_of(s, fixed, j);
        if (r.empty) return;
        if (!r.has_low || !r.has_high || sign(minus(r.high, r.low)) != 0) {
            a->continuum = true;
            return;
        }
        z[j] = r.low;
    }
    for (int j = 0; j < s->size; j++) {
        if (fixed[j] < 0) continue;
        const line *l = &s->equation[fixed[j]];
        fraction sum = l->c[s->size];
        for (int k = 0; k < s->size; k++)
            if (k != j && fixed[k] < 0) sum = plus(sum, times(l->c[k], z[k]));
        z[j] = divided((fraction){ -sum.over, sum.under }, l->c[j]);
    }
    keep(a, points, z, s->size);
}

exact_answer exact_solve(const exact_problem *p)
{
    static fraction points[EXACT_POINTS][EXACT_SIZE];
    static system s;
    exact_answer a = { 0 };
    int state[EXACT_SIZE] = { 0 };
    too_long = false;
    for (;;) {
        s.size = p->size;
        s.equations = s.inequalities = 0;
        bool real = true;
        for (int i = 0; i < p->size; i += p->law[i] == EXACT_CONTACT ? 2 : 1)
            real = real && add_state(&s, p, i, state[i]);
        if (real) solve_mode(&s, &a, points);
        int i = 0; // the next choice, as an odometer
        while (i < p->size && ++state[i] == states_of(p, i)) {
            state[i] = 0;
            i += p->law[i] == EXACT_CONTACT ? 2 : 1;
        }
        if (i >= p->size) break;
    }
    a.judged = !too_long;
    return a;
}
