/// solver/body/delassus_operator.c: sorting by island, products with H and M^-1.
#include "solver/body/delassus_operator.h"

#include <math.h>
#include <string.h>

#include "solver/body/body_rows.h"
#include "solver/linalg/union_find.h"

void slip_delassus_operator_layout(slip_arena *a, slip_delassus_operator *s, int d, int side, int bodies,
                                   int contacts)
{
    const size_t rows = (size_t)contacts * (size_t)d, pair = 2 * rows * (size_t)side,
                 velocities = (size_t)(bodies + 1) * (size_t)side;
    *s = (slip_delassus_operator){ .d = d, .side = side, .bodies = bodies, .contacts = contacts };
    s->contact = SLIP_TAKE(a, int, contacts);
    s->where = SLIP_TAKE(a, int, bodies);
    s->place = SLIP_TAKE(a, int, bodies);
    s->first_contact = SLIP_TAKE(a, int, bodies + 2);
    s->first_body = SLIP_TAKE(a, int, bodies + 2);
    s->body = SLIP_TAKE(a, int, 2 * (size_t)contacts);
    s->touch = SLIP_TAKE(a, int, 2 * (size_t)contacts);
    s->first_touch = SLIP_TAKE(a, int, bodies);
    s->end_touch = SLIP_TAKE(a, int, bodies);
    s->back = SLIP_TAKE(a, double, pair);
    s->block = SLIP_TAKE(a, double, rows *(size_t)d);
    s->mean = SLIP_TAKE(a, double, contacts);
    s->mu = SLIP_TAKE(a, double, contacts);
    double **of_rows[] = { &s->q, &s->shift, &s->r, &s->u };
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) *of_rows[i] = SLIP_TAKE(a, double, rows);
    double **of_bodies[] = { &s->free, &s->v, &s->scratch };
    for (size_t i = 0; i < sizeof of_bodies / sizeof *of_bodies; i++)
        *of_bodies[i] = SLIP_TAKE(a, double, velocities);
    s->parent = SLIP_TAKE(a, int, (bodies > contacts ? bodies : contacts) + 1);
    s->turn = SLIP_TAKE(a, int, bodies + 1);
}

void slip_delassus_layout_groups(slip_arena *a, slip_delassus_operator *s, int contacts)
{
    s->behind = SLIP_TAKE(a, int, contacts);
    s->share = SLIP_TAKE(a, double, contacts);
    s->weight = SLIP_TAKE(a, double, contacts);
    s->idle = SLIP_TAKE(a, double, contacts);
}

void slip_delassus_operator_add_coupling(const slip_delassus_operator *s, int at, const double *r, double *u)
{
    const int d = s->d, back = s->behind[at];
    if (back) {
        u[0] += s->weight[at] * (r[0] - s->share[at] * r[-(long)back * d]);
        if (d == 3) u[2] += s->idle[at] * r[2];
        return;
    }
    const int count = slip_contact_group_size(s, at);
    for (int k = 1; k < count; k++)
        u[0] -= s->share[at + k] * s->weight[at + k] * (r[(long)k * d] - s->share[at + k] * r[0]);
}

// Bodies that touch are joined; the ground joins nothing. A body without contacts is an island of its own. A
// contact belongs to the island of its bodies; one between the ground and itself cannot move anything, and
// goes to island 0.
static void sort_by_island(slip_delassus_operator *s, const slip_body_problem *b)
{
    int *island = s->parent;
    slip_union_find_init(b->bodies, island);
    for (int c = 0; c < b->contacts; c++)
        if (b->body[2 * c] >= 0 && b->body[2 * c + 1] >= 0)
            slip_union_find_join(island, b->body[2 * c], b->body[2 * c + 1]);
    s->islands = slip_union_find_number(b->bodies, island);
    slip_union_find_sort(b->bodies, s->islands, island, s->first_body, s->where);
    for (int k = 0; k < b->bodies; k++) s->place[s->where[k]] = k;
    int *of_contact = s->body; // borrowed until the places are filled in
    for (int c = 0; c < b->contacts; c++) {
        const int one = b->body[2 * c] >= 0 ? b->body[2 * c] : b->body[2 * c + 1];
        of_contact[c] = one >= 0 ? island[one] : 0;
    }
    if (s->islands == 0) s->islands = 1, s->first_body[1] = 0;
    slip_union_find_sort(b->contacts, s->islands, of_contact, s->first_contact, s->contact);
    for (int at = 0; at < b->contacts && s->behind; at++) // keeps the order within an island
        s->behind[at] = b->behind[s->contact[at]];
}

// Fills in M^-1 H' for one side of a contact.
static void fill_side(slip_delassus_operator *s, const slip_body_problem *b, int old, int at, int which)
{
    const int d = s->d, side = s->side, body = b->body[2 * old + which];
    const size_t size = (size_t)(d * side);
    const double *H = b->rows + (2 * (size_t)old + (size_t)which) * size;
    double *back = s->back + (2 * (size_t)at + (size_t)which) * size;
    if (body < 0) {
        memset(back, 0, sizeof(double) * size);
        s->body[2 * at + which] = s->bodies;
        return;
    }
    s->body[2 * at + which] = s->place[body];
    const double *inverse = b->inverse + (long)body * side * side;
    for (int i = 0; i < d; i++)
        for (int k = 0; k < side; k++) {
            double sum = 0.0;
            for (int l = 0; l < side; l++) sum += inverse[k * side + l] * H[i * side + l];
            back[i * side + k] = sum;
        }
}

// Whether row i of a contact is absent.
static bool lacks_row(const slip_delassus_operator *s, int at, int i)
{
    const double *H = slip_delassus_operator_rows(s, at);
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < s->side && s->body[2 * at + which] != s->bodies; k++)
            if (H[(which * s->d + i) * s->side + k] != 0.0) return false;
    return true;
}

// Adds the diagonal block of L.
static void add_coupling_diagonal(const slip_delassus_operator *s, int at, double *block)
{
    const int d = s->d;
    double unit[3 * (2 * SLIP_CONTACT_GROUP_MAX - 1)] = { 0.0 },
                                                  *r = unit + (long)(SLIP_CONTACT_GROUP_MAX - 1) * d;
    for (int j = 0; j < d; j++) {
        double u[3] = { 0.0 };
        r[j] = 1.0;
        slip_delassus_operator_add_coupling(s, at, r, u);
        r[j] = 0.0;
        for (int i = 0; i < d; i++) block[i * d + j] += u[i];
    }
}

// W_aa = sum over both bodies of H M^-1 H'
static void fill_block(slip_delassus_operator *s, int at)
{
    const int d = s->d, side = s->side;
    const double *H = slip_delassus_operator_rows(s, at), *back = s->back + 2L * at * d * side;
    double *block = s->block + (long)at * d * d, trace = 0.0;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            double sum = 0.0;
            for (int which = 0; which < 2; which++)
                for (int k = 0; k < side && s->body[2 * at + which] != s->bodies; k++)
                    sum += H[(which * d + i) * side + k] * back[(which * d + j) * side + k];
            block[i * d + j] = sum;
        }
    if (s->behind) add_coupling_diagonal(s, at, block);
    for (int i = 0; i < d; i++) trace += block[i * d + i];
    s->mean[at] = trace > 0.0 ? trace / d : 1.0;
}

// ---- products over an island -------------------------------------------------------------------------
//
// Threads share these by contacts or by bodies; each body adds its contacts in the same order as one thread
// would.

enum { LOOP_BATCH = 128 }; // contacts or bodies that a thread takes at once

typedef struct product {
    const slip_island *p;
    const double *from;
    double *to;
} product;

static void run_parts(const slip_island *p, int count, slip_thread_pool_task *task, void *context)
{
    slip_thread_pool_run(p->thread_pool, (count + LOOP_BATCH - 1) / LOOP_BATCH, task, context);
}

static int end_of(int part, int count)
{
    return (part + 1) * LOOP_BATCH < count ? (part + 1) * LOOP_BATCH : count;
}

typedef struct contacts_loop {
    int count;
    slip_contact_range_task *task;
    void *context;
} contacts_loop;

static void contacts_part(void *context, int k, int worker)
{
    const contacts_loop *l = context;
    (void)worker;
    l->task(l->context, k * LOOP_BATCH, end_of(k, l->count));
}

void slip_island_parallel_for(const slip_island *p, slip_contact_range_task *task, void *context)
{
    contacts_loop l = { p->contacts, task, context };
    run_parts(p, p->contacts, contacts_part, &l);
}

SLIP_FIXED_SIZE void gather_range(const slip_island *p, int first, int end, int d, int side, const double *v,
                                  double *u)
{
    for (int c = first; c < end; c++) slip_contact_gather(p->all, p->first + c, d, side, v, u + (long)c * d);
}

SLIP_FIXED_SIZE void scatter_all(const slip_island *p, int d, int side, const double *r, double *v)
{
    for (int c = 0; c < p->contacts; c++)
        slip_contact_scatter(p->all, p->first + c, d, side, r + (long)c * d, v);
}

SLIP_FIXED_SIZE void scatter_to_bodies(const slip_island *p, int first, int end, int d, int side,
                                       const double *r, double *v)
{
    const slip_delassus_operator *s = p->all;
    for (int body = p->first_body + first; body < p->first_body + end; body++)
        for (int t = s->first_touch[body]; t < s->end_touch[body]; t++)
            slip_contact_scatter_side(d, side, s->back + (long)s->touch[t] * d * side,
                                      r + (long)(s->touch[t] / 2 - p->first) * d, v + (long)body * side);
}

static void scatter_part(void *context, int k, int worker)
{
    const product *w = context;
    const slip_island *p = w->p;
    const int first = k * LOOP_BATCH, end = end_of(k, p->bodies);
    (void)worker;
    if (p->all->d == 3 && p->all->side == 6)
        scatter_to_bodies(p, first, end, 3, 6, w->from, w->to);
    else if (p->all->d == 2 && p->all->side == 3)
        scatter_to_bodies(p, first, end, 2, 3, w->from, w->to);
    else
        scatter_to_bodies(p, first, end, p->all->d, p->all->side, w->from, w->to);
}

static void add_impulses(const slip_island *p, const double *r, double *v)
{
    product w = { p, r, v };
    if (slip_thread_pool_size(p->thread_pool) > 1)
        run_parts(p, p->bodies, scatter_part, &w);
    else if (p->all->d == 3 && p->all->side == 6)
        scatter_all(p, 3, 6, r, v);
    else if (p->all->d == 2 && p->all->side == 3)
        scatter_all(p, 2, 3, r, v);
    else
        scatter_all(p, p->all->d, p->all->side, r, v);
}

static void gather_part(void *context, int first, int end)
{
    const product *w = context;
    const slip_island *p = w->p;
    if (p->all->d == 3 && p->all->side == 6)
        gather_range(p, first, end, 3, 6, w->from, w->to);
    else if (p->all->d == 2 && p->all->side == 3)
        gather_range(p, first, end, 2, 3, w->from, w->to);
    else
        gather_range(p, first, end, p->all->d, p->all->side, w->from, w->to);
}

static void read_velocities(const slip_island *p, const double *v, double *u)
{
    product w = { p, v, u };
    slip_island_parallel_for(p, gather_part, &w);
}

void slip_delassus_operator_sort(slip_delassus_operator *s, const slip_body_problem *b)
{
    s->rows = b->rows;
    sort_by_island(s, b);
    for (int k = 0; k < s->side; k++) {
        const long ground = (long)s->bodies * s->side + k;
        s->free[ground] = s->v[ground] = s->scratch[ground] = 0.0;
    }
}

// Counting sort; the lists of an island begin where its contacts do.
static void list_contacts_of_bodies(const slip_island *p)
{
    slip_delassus_operator *s = p->all;
    const int end = 2 * (p->first + p->contacts);
    for (int k = p->first_body; k < p->first_body + p->bodies; k++) s->end_touch[k] = 0;
    for (int i = 2 * p->first; i < end; i++)
        if (s->body[i] != s->bodies) s->end_touch[s->body[i]]++;
    for (int k = p->first_body, at = 2 * p->first; k < p->first_body + p->bodies; k++) {
        s->first_touch[k] = at;
        at += s->end_touch[k];
        s->end_touch[k] = s->first_touch[k];
    }
    for (int i = 2 * p->first; i < end; i++)
        if (s->body[i] != s->bodies) s->touch[s->end_touch[s->body[i]]++] = i;
}

typedef struct filling {
    const slip_island *p;
    const slip_body_problem *b;
    const double *r;
} filling;

static void fill_part(void *context, int first, int end)
{
    const filling *w = context;
    slip_delassus_operator *s = w->p->all;
    const int d = s->d;
    for (int at = w->p->first + first; at < w->p->first + end; at++) {
        const int old = s->contact[at];
        fill_side(s, w->b, old, at, 0);
        fill_side(s, w->b, old, at, 1);
        if (s->behind) s->idle[at] = d == 3 && lacks_row(s, at, 2) ? s->weight[at] : 0.0;
        fill_block(s, at);
        s->mu[at] = w->b->mu[old];
        for (int i = 0; i < d; i++) {
            s->shift[at * d + i] = w->b->shift ? w->b->shift[old * d + i] : 0.0;
            s->r[at * d + i] = isfinite(w->r[old * d + i]) ? w->r[old * d + i] : 0.0;
        }
    }
}

void slip_delassus_operator_fill(const slip_island *p, const slip_body_problem *b, const double *r)
{
    slip_delassus_operator *s = p->all;
    const int d = s->d, side = s->side;
    filling w = { p, b, r };
    for (int k = p->first_body; k < p->first_body + p->bodies; k++)
        memcpy(s->free + (long)k * side, b->free + (long)s->where[k] * side, sizeof(double) * (size_t)side);
    for (int at = p->first; at < p->first + p->contacts && s->behind; at++) {
        s->share[at] = b->share[s->contact[at]];
        s->weight[at] = b->weight[s->contact[at]];
    }
    slip_island_parallel_for(p, fill_part, &w);
    list_contacts_of_bodies(p);
    read_velocities(p, s->free, s->q + (long)p->first * d);
    for (int i = p->first * d; i < (p->first + p->contacts) * d; i++) s->q[i] += s->shift[i];
}

slip_island slip_delassus_operator_island(slip_delassus_operator *s, int k)
{
    return (slip_island){ s,
                          s->first_contact[k],
                          s->first_contact[k + 1] - s->first_contact[k],
                          s->first_body[k],
                          s->first_body[k + 1] - s->first_body[k],
                          NULL };
}

static void widen_size(slip_island_size *most, const slip_island *p)
{
    if (p->bodies > most->bodies) most->bodies = p->bodies;
    if (p->contacts > most->contacts) most->contacts = p->contacts;
}

// Large islands come first, so that the threads finish together.
void slip_delassus_operator_order(slip_delassus_operator *s, slip_island_size largest[2])
{
    enum { CLASSES = 32 };
    int start[CLASSES + 1], *size_class = s->parent, most = 0;
    for (int i = 0; i < s->islands; i++) {
        const int contacts = slip_delassus_operator_island(s, i).contacts;
        size_class[i] = CLASSES - 1;
        for (int left = contacts; left > 0; left /= 2) size_class[i]--;
        if (contacts > slip_delassus_operator_island(s, most).contacts) most = i;
    }
    slip_union_find_sort(s->islands, CLASSES, size_class, start, s->turn);
    int at = 0;
    while (s->turn[at] != most) at++;
    s->turn[at] = s->turn[0];
    s->turn[0] = most;
    for (int i = 0; i < s->islands; i++) {
        const slip_island p = slip_delassus_operator_island(s, i);
        widen_size(&largest[0], &p);
        if (i != most) widen_size(&largest[1], &p);
    }
}

slip_island slip_delassus_operator_whole(slip_delassus_operator *s)
{
    return (slip_island){ s, 0, s->contacts, 0, s->bodies, NULL };
}

double *slip_island_r(const slip_island *p)
{
    return p->all->r + (long)p->first * p->all->d;
}

double *slip_island_u(const slip_island *p)
{
    return p->all->u + (long)p->first * p->all->d;
}

static void apply_delassus(void *user, const double *x, double *y)
{
    const slip_island *p = user;
    const size_t from = (size_t)p->first_body * (size_t)p->all->side,
                 count = (size_t)p->bodies * (size_t)p->all->side;
    memset(p->all->scratch + from, 0, sizeof(double) * count);
    add_impulses(p, x, p->all->scratch);
    read_velocities(p, p->all->scratch, y);
    for (int c = 0; c < p->contacts && p->all->behind; c++)
        slip_delassus_operator_add_coupling(p->all, p->first + c, x + (long)c * p->all->d,
                                            y + (long)c * p->all->d);
}

static void delassus_diagonal(void *user, int at, int side, double *out)
{
    const slip_island *p = user;
    memcpy(out, p->all->block + (long)(p->first + at) * side * side, sizeof(double) * (size_t)(side * side));
}

slip_problem slip_island_problem(slip_island *p)
{
    const int d = p->all->d, n = p->contacts * d;
    return (slip_problem){ .kind = d == 3 ? SLIP_KIND_FC3D : SLIP_KIND_FC2D,
                           .size = n,
                           .contacts = p->contacts,
                           .W = { .form = SLIP_CALLBACK,
                                  .rows = n,
                                  .cols = n,
                                  .apply = apply_delassus,
                                  .diagonal = delassus_diagonal,
                                  .user = p },
                           .q = p->all->q + (long)p->first * d,
                           .mu = p->all->mu + p->first };
}

void slip_island_velocities(const slip_island *p, const double *r)
{
    const size_t from = (size_t)p->first_body * (size_t)p->all->side,
                 count = (size_t)p->bodies * (size_t)p->all->side;
    memcpy(p->all->v + from, p->all->free + from, sizeof(double) * count);
    add_impulses(p, r, p->all->v);
}

// The scratch is numbered as the bodies are, and so is v from its first body on.
void slip_island_scatter(const slip_island *p, const double *r, double *v)
{
    const size_t from = (size_t)p->first_body * (size_t)p->all->side,
                 count = (size_t)p->bodies * (size_t)p->all->side;
    memset(p->all->scratch + from, 0, sizeof(double) * count);
    add_impulses(p, r, p->all->scratch);
    memcpy(v, p->all->scratch + from, sizeof(double) * count);
}

void slip_island_gather(const slip_island *p, const double *v, double *u)
{
    const size_t from = (size_t)p->first_body * (size_t)p->all->side,
                 count = (size_t)p->bodies * (size_t)p->all->side;
    memcpy(p->all->scratch + from, v, sizeof(double) * count);
    read_velocities(p, p->all->scratch, u);
}
