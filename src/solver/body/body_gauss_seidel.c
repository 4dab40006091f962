/// solver/body/body_gauss_seidel.c: one contact, the levels of contacts that threads solve together, and a sweep.
#include "solver/body/body_gauss_seidel.h"

#include "solver/problem/contact_law.h"
#include "solver/body/body_rows.h"

enum {
    MIN_CONTACTS_PER_THREAD = 8, // fewest contacts of a level that a thread takes
    MIN_CONTACTS_PER_LEVEL = 16  // mean number of contacts per level from which on threads pay
};

void slip_contact_levels_layout(slip_arena *a, slip_contact_levels *w, int contacts)
{
    w->count = 0;
    w->contact = SLIP_TAKE(a, int, contacts);
    w->first = SLIP_TAKE(a, int, contacts + 2);
    w->stage = SLIP_TAKE(a, int, contacts + 1);
    w->change = SLIP_TAKE(a, double, contacts);
}

// Numbers the level of each contact into `wave`. `last` holds, for each body, the level after that of its
// last contact.
static int number_levels(const slip_island *p, int *last, int *wave)
{
    const slip_delassus_operator *s = p->all;
    int count = 0;
    for (int k = p->first_body; k < p->first_body + p->bodies; k++) last[k] = 0;
    for (int c = 0; c < p->contacts; c++) {
        const int *body = s->body + 2 * (p->first + c);
        // a dependent contact reads the impulse of the one before it
        int mine = s->behind && s->behind[p->first + c] ? wave[c - 1] + 1 : 0;
        for (int k = 0; k < 2; k++)
            if (body[k] != s->bodies && last[body[k]] > mine) mine = last[body[k]];
        for (int k = 0; k < 2; k++)
            if (body[k] != s->bodies) last[body[k]] = mine + 1;
        wave[c] = mine;
        if (mine >= count) count = mine + 1;
    }
    return count;
}

void slip_contact_levels_find(slip_contact_levels *w, const slip_island *p)
{
    int *wave = w->stage; // borrowed until the contacts are sorted
    w->count = 0;
    if (slip_thread_pool_size(p->thread_pool) == 1) return;
    const int count = number_levels(p, p->all->parent, wave);
    if (p->contacts < MIN_CONTACTS_PER_LEVEL * count) return;
    w->count = count;
    for (int i = 0; i < count + 2; i++) w->first[i] = 0; // counted into first[i + 2], placed by first[i + 1]
    for (int c = 0; c < p->contacts; c++) w->first[wave[c] + 2]++;
    for (int i = 2; i < count + 2; i++) w->first[i] += w->first[i - 1];
    for (int c = 0; c < p->contacts; c++) w->contact[w->first[wave[c] + 1]++] = c;
}

SLIP_FIXED_SIZE double contact_step(const slip_delassus_operator *s, int at, int d, int side, double *r)
{
    const double *W = s->block + (long)at * d * d;
    double q[3], next[3], by[3], change = 0.0;
    slip_contact_gather(s, at, d, side, s->v, q);
    if (s->behind) slip_delassus_operator_add_coupling(s, at, r, q);
    for (int i = 0; i < d; i++) {
        q[i] += s->shift[at * d + i];
        for (int j = 0; j < d; j++) q[i] -= W[i * d + j] * r[j];
        next[i] = r[i];
    }
    if (!slip_one_contact_solve(d, W, q, s->mu[at], next)) return 0.0;
    for (int i = 0; i < d; i++) {
        by[i] = next[i] - r[i];
        r[i] = next[i];
        change += by[i] * by[i];
    }
    if (change == 0.0) return 0.0;
    slip_contact_scatter(s, at, d, side, by, s->v);
    return change * s->mean[at] * s->mean[at];
}

// ---- by one thread -----------------------------------------------------------------------------------

SLIP_FIXED_SIZE double sweep_island(const slip_island *p, int d, int side, bool backwards, double *r)
{
    double change = 0.0;
    if (backwards)
        for (int c = p->contacts; c-- > 0;)
            change += contact_step(p->all, p->first + c, d, side, r + (long)c * d);
    else
        for (int c = 0; c < p->contacts; c++)
            change += contact_step(p->all, p->first + c, d, side, r + (long)c * d);
    return change;
}

// ---- by several ----------------------------------------------------------------------------------------

typedef struct sweeping {
    const slip_island *p;
    const slip_contact_levels *w;
    bool backwards;
    double *r;
} sweeping;

// As many parts as there are threads, since all contacts cost the same.
static int parts_of(const sweeping *s, int wave)
{
    const int parts = (s->w->first[wave + 1] - s->w->first[wave]) / MIN_CONTACTS_PER_THREAD,
              most = slip_thread_pool_size(s->p->thread_pool);
    return parts < 1 ? 1 : parts < most ? parts : most;
}

static int level_of(const sweeping *s, int stage)
{
    return s->backwards ? s->w->count - 1 - stage : stage;
}

SLIP_FIXED_SIZE void sweep_range(const sweeping *s, int first, int end, int d, int side)
{
    for (int i = first; i < end; i++) {
        const int c = s->w->contact[i];
        s->w->change[c] = contact_step(s->p->all, s->p->first + c, d, side, s->r + (long)c * d);
    }
}

static void sweep_part(void *context, int k, int worker)
{
    const sweeping *s = context;
    const slip_delassus_operator *all = s->p->all;
    const int stage = slip_thread_pool_stage(s->w->count, s->w->stage, k), wave = level_of(s, stage);
    const int begin = s->w->first[wave];
    int first, end;
    slip_thread_pool_part(s->w->first[wave + 1] - begin, parts_of(s, wave), k - s->w->stage[stage], &first,
                          &end);
    (void)worker;
    if (all->d == 3 && all->side == 6)
        sweep_range(s, begin + first, begin + end, 3, 6);
    else if (all->d == 2 && all->side == 3)
        sweep_range(s, begin + first, begin + end, 2, 3);
    else
        sweep_range(s, begin + first, begin + end, all->d, all->side);
}

static double sweep_levels(const slip_island *p, const slip_contact_levels *w, bool backwards, double *r)
{
    sweeping s = { p, w, backwards, r };
    double change = 0.0;
    w->stage[0] = 0;
    for (int k = 0; k < w->count; k++) w->stage[k + 1] = w->stage[k] + parts_of(&s, level_of(&s, k));
    slip_thread_pool_run_stages(p->thread_pool, w->count, w->stage, sweep_part, &s);
    for (int c = 0; c < p->contacts; c++) change += w->change[backwards ? p->contacts - 1 - c : c];
    return change;
}

double slip_island_sweep(const slip_island *p, const slip_contact_levels *waves, bool backwards, double *r)
{
    if (waves->count > 0) return sweep_levels(p, waves, backwards, r);
    if (p->all->d == 3 && p->all->side == 6) return sweep_island(p, 3, 6, backwards, r);
    if (p->all->d == 2 && p->all->side == 3) return sweep_island(p, 2, 3, backwards, r);
    return sweep_island(p, p->all->d, p->all->side, backwards, r);
}
