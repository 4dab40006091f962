/// solver/body/body_sparse_lu.c: pattern from the contacts, assembly, left-looking elimination of blocks. The
/// loops for blocks of free bodies, of side 3 and 6, have constant lengths.
#include "solver/body/body_sparse_lu.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "solver/linalg/small_inverse.h"

enum {
    PARALLEL_MIN_PRODUCTS_PER_BODY =
        8,               // products of blocks per body from which on threads pay; a tower has two
    PANEL_POSITIONS = 4, // positions at the top of the tree that one thread eliminates alone
    MAX_CHUNKS = 16,     // parts that the other positions there are divided into
};

void slip_body_lu_layout(slip_arena *a, slip_body_lu *f, int side, int bodies, int contacts, long room)
{
    const size_t square = (size_t)(side * side);
    *f = (slip_body_lu){ .nodes = bodies, .side = side, .room = room };
    f->joined = SLIP_TAKE(a, bool, contacts);
    f->graph.start = SLIP_TAKE(a, int, bodies + 2);
    f->graph.neighbour = SLIP_TAKE(a, int, 2 * (size_t)contacts);
    slip_ordering_layout(a, &f->ordering, bodies, contacts > room / 2 ? contacts : (int)(room / 2 + 1));
    f->earlier_at = f->ordering.list; // scratch once the order is known
    f->start = SLIP_TAKE(a, int, bodies + 1);
    f->member = SLIP_TAKE(a, int, room);
    f->earlier_start = SLIP_TAKE(a, int, bodies + 2);
    f->earlier = SLIP_TAKE(a, int, room);
    f->next = SLIP_TAKE(a, int, bodies);
    f->stage = SLIP_TAKE(a, int, bodies / PANEL_POSITIONS + 4);
    slip_etree_partition_layout(a, &f->share, bodies);
    f->lower = SLIP_TAKE(a, double, (size_t)room *square);
    f->upper = SLIP_TAKE(a, double, (size_t)room *square);
    f->pivot = SLIP_TAKE(a, double, (size_t)bodies *square);
    f->x = SLIP_TAKE(a, double, (size_t)bodies *(size_t)side);
}

void slip_body_lu_begin(slip_body_lu *f, int bodies)
{
    f->nodes = bodies;
    f->analysed = false;
}

// A body of a contact, numbered within the island; -1 for the ground.
static inline int body_of(const slip_island *p, int contact, int which)
{
    const int body = p->all->body[2 * (p->first + contact) + which];
    return body == p->all->bodies ? -1 : body - p->first_body;
}

// Pairs of bodies that touch, each once in both rows. Rows are filled from all contacts first; duplicates are
// removed afterwards.
static void find_pairs(slip_body_lu *f, const slip_island *p)
{
    slip_adjacency *g = &f->graph;
    g->nodes = f->nodes;
    memset(g->start, 0, sizeof(int) * (size_t)(f->nodes + 2));
    // the first pass counts into start[i + 2], the second places by start[i + 1]
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < p->contacts; c++) {
            const int a = body_of(p, c, 0), b = body_of(p, c, 1);
            if (!f->joined[c] || a < 0 || b < 0) continue;
            if (pass == 0)
                g->start[a + 2]++, g->start[b + 2]++;
            else
                g->neighbour[g->start[a + 1]++] = b, g->neighbour[g->start[b + 1]++] = a;
        }
        for (int i = 2; pass == 0 && i < f->nodes + 2; i++) g->start[i] += g->start[i - 1];
    }
    slip_adjacency_merge(g, f->ordering.mark);
}

static void transpose_pattern(slip_body_lu *f)
{
    int *at = f->earlier_start; // the first pass counts into at[i + 2], the second places by at[i + 1]
    memset(at, 0, sizeof(int) * (size_t)(f->nodes + 2));
    for (int m = 0; m < f->start[f->nodes]; m++) at[f->member[m] + 2]++;
    for (int i = 2; i < f->nodes + 2; i++) at[i] += at[i - 1];
    for (int k = 0; k < f->nodes; k++)
        for (int m = f->start[k]; m < f->start[k + 1]; m++) {
            const int to = at[f->member[m] + 1]++;
            f->earlier[to] = k;
            f->earlier_at[to] = m;
        }
}

bool slip_body_lu_analyse(slip_body_lu *f, const slip_island *p, const bool *on)
{
    const size_t bytes = sizeof(bool) * (size_t)p->contacts;
    if (f->analysed && memcmp(f->joined, on, bytes) == 0) return f->fits;
    memcpy(f->joined, on, bytes);
    find_pairs(f, p);
    slip_ordering_find(&f->ordering, &f->graph);
    f->analysed = true;
    f->fits = f->ordering.blocks <= f->room;
    f->thread_pool = f->ordering.work < PARALLEL_MIN_PRODUCTS_PER_BODY * f->nodes ? NULL : p->thread_pool;
    if (!f->fits) return false;
    slip_ordering_pattern(&f->ordering, &f->graph, f->start, f->member);
    transpose_pattern(f);
    if (slip_thread_pool_size(f->thread_pool) > 1)
        slip_etree_partition_find(&f->share, &f->ordering, f->nodes, f->x);
    else
        slip_etree_partition_single(&f->share, f->nodes);
    return true;
}

// to += back' KH
SLIP_FIXED_SIZE void add_half(int d, int s, const double *back, const double *KH, double *to)
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < d; j++)
            for (int k = 0; k < s; k++) to[i * s + k] += back[j * s + i] * KH[j * s + k];
}

// to += back' K H
SLIP_FIXED_SIZE void add_product(int d, int s, const double *back, const double *K, const double *H,
                                 double *to)
{
    double KH[3 * SLIP_BODY_MAX_VELOCITIES];
    for (int i = 0; i < d; i++)
        for (int k = 0; k < s; k++) {
            double sum = 0.0;
            for (int j = 0; j < d; j++) sum += K[i * d + j] * H[j * s + k];
            KH[i * s + k] = sum;
        }
    add_half(d, s, back, KH, to);
}

// K H of one side of a contact, where K has blocks for all contacts of its group, which are between the same
// two bodies.
SLIP_FIXED_SIZE void sum_group(const slip_island *p, int d, int s, const bool *on, int c, const double *K,
                               size_t side, double *KH)
{
    const int first = c - p->all->behind[p->first + c],
              count = slip_contact_group_size(p->all, p->first + first);
    memset(KH, 0, sizeof(double) * (size_t)(d * s));
    for (int b = 0; b < count; b++) {
        const double *H = slip_delassus_operator_rows(p->all, p->first + first + b) + side,
                     *Kb = K + ((long)c * SLIP_CONTACT_GROUP_MAX + b) * d * d;
        for (int i = 0; i < d && on[first + b]; i++)
            for (int j = 0; j < d; j++)
                for (int l = 0; l < s; l++) KH[i * s + l] += Kb[i * d + j] * H[j * s + l];
    }
}

// Adds the contribution of a contact to the body on its side `mine`, and to the pair of bodies if this body
// comes first.
SLIP_FIXED_SIZE void load_contact(const slip_island *p, int d, int s, int c, const double *K, size_t mine,
                                  double *pivot, double *upper, double *lower)
{
    const size_t size = (size_t)(d * s), its = size - mine;
    const double *H = slip_delassus_operator_rows(p->all, p->first + c),
                 *back = p->all->back + 2 * (size_t)(p->first + c) * size;
    add_product(d, s, back + mine, K, H + mine, pivot);
    if (!upper) return;
    add_product(d, s, back + mine, K, H + its, upper);
    add_product(d, s, back + its, K, H + mine, lower);
}

SLIP_FIXED_SIZE void load_group(const slip_island *p, int d, int s, const bool *on, int c, const double *K,
                                size_t mine, double *pivot, double *upper, double *lower)
{
    const size_t size = (size_t)(d * s), its = size - mine;
    const double *back = p->all->back + 2 * (size_t)(p->first + c) * size;
    double KH[3 * SLIP_BODY_MAX_VELOCITIES];
    sum_group(p, d, s, on, c, K, mine, KH);
    add_half(d, s, back + mine, KH, pivot);
    if (!upper) return;
    add_half(d, s, back + its, KH, lower);
    sum_group(p, d, s, on, c, K, its, KH);
    add_half(d, s, back + mine, KH, upper);
}

// Assembles one position of J from the contacts of its body, in ascending order.
SLIP_FIXED_SIZE void assemble_position(slip_body_lu *f, const slip_island *p, int i, int d, int s,
                                       const bool *on, const double *K)
{
    const slip_delassus_operator *all = p->all;
    const size_t square = (size_t)(s * s), size = (size_t)(d * s),
                 count = (size_t)(f->start[i + 1] - f->start[i]);
    const int body = p->first_body + f->ordering.order[i];
    double *pivot = f->pivot + (size_t)i * square;
    memset(f->lower + (size_t)f->start[i] * square, 0, sizeof(double) * count * square);
    memset(f->upper + (size_t)f->start[i] * square, 0, sizeof(double) * count * square);
    memset(pivot, 0, sizeof(double) * square);
    for (int k = 0; k < s; k++) pivot[k * (s + 1)] = 1.0;
    for (int t = all->first_touch[body]; t < all->end_touch[body]; t++) {
        const int at = all->touch[t] / 2, c = at - p->first, other = body_of(p, c, 1 - all->touch[t] % 2);
        if (!on[c]) continue;
        const size_t mine = (size_t)(all->touch[t] % 2) * size;
        double *upper = NULL, *lower = NULL;
        if (other >= 0 && f->ordering.place[other] >= i) {
            const int block = slip_pattern_find(f->start, f->member, i, f->ordering.place[other]);
            upper = f->upper + (size_t)block * square, lower = f->lower + (size_t)block * square;
        }
        if (all->behind)
            load_group(p, d, s, on, c, K, mine, pivot, upper, lower);
        else
            load_contact(p, d, s, c, K + (long)c * d * d, mine, pivot, upper, lower);
    }
    f->next[i] = f->earlier_start[i];
}

// C -= A B. A row of C stays in registers while the products are subtracted one after the other; compilers
// left to themselves keep such short loops as loops and the row in memory.
SLIP_FIXED_SIZE void subtract_product(int s, const double *restrict A, const double *restrict B,
                                      double *restrict C)
{
    for (int i = 0; i < s; i++) {
        double row[SLIP_BODY_MAX_VELOCITIES];
        SLIP_UNROLLED
        for (int j = 0; j < s; j++) row[j] = C[i * s + j];
        SLIP_UNROLLED
        for (int k = 0; k < s; k++) {
            const double a = A[i * s + k];
            SLIP_UNROLLED
            for (int j = 0; j < s; j++) row[j] -= a * B[k * s + j];
        }
        SLIP_UNROLLED
        for (int j = 0; j < s; j++) C[i * s + j] = row[j];
    }
}

// Subtracts the contribution of position k < i from position i: U_ij -= L_ik U_kj and L_ji -= L_jk U_ki for
// the members j > i of k, which are at the same place in the list of i; both lists are walked together. `a`
// is the index of i among the members of k.
SLIP_FIXED_SIZE void subtract_earlier(const slip_body_lu *f, int i, int k, int a, int s)
{
    const size_t square = (size_t)(s * s);
    const double *L_ik = f->lower + (size_t)a * square, *U_ki = f->upper + (size_t)a * square,
                 *L_jk = L_ik + square, *U_kj = U_ki + square;
    const int *member = f->member, *at = member + f->start[i], *end = member + f->start[k + 1];
    double *lower = f->lower, *upper = f->upper;
    subtract_product(s, L_ik, U_ki, f->pivot + (size_t)i * square);
    for (const int *j = member + a + 1; j < end; j++, L_jk += square, U_kj += square) {
        while (*at < *j) at++;
        const size_t block = (size_t)(at - member) * square;
        subtract_product(s, L_ik, U_kj, upper + block);
        subtract_product(s, L_jk, U_ki, lower + block);
    }
}

// Subtracts the earlier positions before `end` that are still pending.
SLIP_FIXED_SIZE void subtract_pending(slip_body_lu *f, int i, int end, int s)
{
    int e = f->next[i];
    for (; e < f->earlier_start[i + 1] && f->earlier[e] < end; e++)
        subtract_earlier(f, i, f->earlier[e], f->earlier_at[e], s);
    f->next[i] = e;
}

// Subtracts all that are pending, inverts the pivot P, and sets L_ji = L_ji P.
SLIP_FIXED_SIZE bool eliminate_position(slip_body_lu *f, int i, int s)
{
    const size_t square = (size_t)(s * s);
    double *pivot = f->pivot + (size_t)i * square;
    subtract_pending(f, i, i, s);
    double room[SLIP_BODY_MAX_VELOCITIES * SLIP_BODY_MAX_VELOCITIES];
    if (!slip_invert(s, pivot, room)) return false;
    for (int m = f->start[i]; m < f->start[i + 1]; m++) {
        double L[SLIP_BODY_MAX_VELOCITIES * SLIP_BODY_MAX_VELOCITIES], *lower = f->lower + (size_t)m * square;
        memset(L, 0, sizeof(double) * square);
        for (int n = 0; n < s * s; n++) lower[n] = -lower[n];
        subtract_product(s, lower, pivot, L);
        memcpy(lower, L, sizeof(double) * square);
    }
    return true;
}

// ---- the factorisation in stages -------------------------------------------------------------------------
//
// First the subtrees, each from its assembly to its last pivot, while other threads assemble the top. Then
// the top takes the contributions of the subtrees, up to its first position. Then it is eliminated panel by
// panel: one thread completes a panel while the others subtract the finished positions from the columns after
// it.

typedef struct factor_task {
    slip_body_lu *f;
    const slip_island *p;
    const bool *on;
    const double *K;
    int stages;
    atomic_bool singular;
} factor_task;

static int chunks_of(int positions)
{
    return positions < MAX_CHUNKS ? positions : MAX_CHUNKS;
}

static int plan_stages(slip_body_lu *f)
{
    const int top = slip_etree_top_size(&f->share);
    int stages = 0;
    f->stage[0] = 0;
    f->stage[++stages] = f->share.groups + chunks_of(top);
    if (top == 0) return stages;
    f->stage[stages + 1] = f->stage[stages] + chunks_of(top);
    stages++;
    for (int first = 0; first < top; first += PANEL_POSITIONS, stages++) {
        const int behind = top - first - PANEL_POSITIONS;
        f->stage[stages + 1] = f->stage[stages] + 1 + (behind > 0 ? chunks_of(behind) : 0);
    }
    return stages;
}

SLIP_FIXED_SIZE void factor_group(factor_task *w, int group, int d, int s)
{
    slip_body_lu *f = w->f;
    for (int n = f->share.start[group]; n < f->share.start[group + 1]; n++) {
        const int i = f->share.position[n];
        assemble_position(f, w->p, i, d, s, w->on, w->K);
        if (eliminate_position(f, i, s)) continue;
        atomic_store(&w->singular, true);
        return;
    }
}

SLIP_FIXED_SIZE void factor_top(factor_task *w, int stage, int k, int d, int s)
{
    slip_body_lu *f = w->f;
    const int *top = f->share.position + f->share.start[f->share.groups],
              count = slip_etree_top_size(&f->share);
    const int panel = stage < 2 ? 0 : (stage - 2) * PANEL_POSITIONS,
              behind = stage < 2 ? 0 : panel + PANEL_POSITIONS;
    if (stage > 1 && k == 0) {
        for (int n = panel; n < behind && n < count; n++)
            if (!eliminate_position(f, top[n], s)) {
                atomic_store(&w->singular, true);
                return;
            }
        return;
    }
    if (stage > 1) k--;
    for (int n = behind + k; n < count; n += MAX_CHUNKS)
        if (stage == 0)
            assemble_position(f, w->p, top[n], d, s, w->on, w->K);
        else
            subtract_pending(f, top[n], top[panel], s);
}

SLIP_FIXED_SIZE void factor_piece(factor_task *w, int k, int d, int s)
{
    const int stage = slip_thread_pool_stage(w->stages, w->f->stage, k), at = k - w->f->stage[stage];
    if (atomic_load(&w->singular)) return;
    if (stage > 0)
        factor_top(w, stage, at, d, s);
    else if (at < w->f->share.groups)
        factor_group(w, at, d, s);
    else
        factor_top(w, stage, at - w->f->share.groups, d, s);
}

static void factor_in_space(void *w, int k, int worker)
{
    (void)worker;
    factor_piece(w, k, 3, 6);
}

static void factor_in_plane(void *w, int k, int worker)
{
    (void)worker;
    factor_piece(w, k, 2, 3);
}

static void factor_any_side(void *w, int k, int worker)
{
    const factor_task *own = w;
    (void)worker;
    factor_piece(w, k, own->p->all->d, own->f->side);
}

bool slip_body_lu_factor(slip_body_lu *f, const slip_island *p, const bool *on, const double *K)
{
    factor_task w = { .f = f, .p = p, .on = on, .K = K, .stages = plan_stages(f) };
    const int d = p->all->d;
    slip_thread_pool_run_stages(f->thread_pool, w.stages, f->stage,
                                d == 3 && f->side == 6   ? factor_in_space
                                : d == 2 && f->side == 3 ? factor_in_plane
                                                         : factor_any_side,
                                &w);
    return !w.singular;
}

// ---- its use -------------------------------------------------------------------------------------------

// y -= B x
SLIP_FIXED_SIZE void subtract_vector(int s, const double *B, const double *x, double *y)
{
    for (int i = 0; i < s; i++) {
        double sum = 0.0;
        for (int j = 0; j < s; j++) sum += B[i * s + j] * x[j];
        y[i] -= sum;
    }
}

// x_i -= L_ik x_k
SLIP_FIXED_SIZE void forward_substitute(slip_body_lu *f, int i, int s, const double *x)
{
    double *y = f->x + (long)i * s;
    memcpy(y, x + (long)f->ordering.order[i] * s, sizeof(double) * (size_t)s);
    for (int e = f->earlier_start[i]; e < f->earlier_start[i + 1]; e++)
        subtract_vector(s, f->lower + (size_t)f->earlier_at[e] * (size_t)(s * s),
                        f->x + (long)f->earlier[e] * s, y);
}

// x_i = P (x_i - U_ij x_j)
SLIP_FIXED_SIZE void back_substitute(slip_body_lu *f, int i, int s, double *x)
{
    const size_t square = (size_t)(s * s);
    double y[SLIP_BODY_MAX_VELOCITIES], z[SLIP_BODY_MAX_VELOCITIES];
    memset(z, 0, sizeof(double) * (size_t)s);
    memcpy(y, f->x + (long)i * s, sizeof(double) * (size_t)s);
    for (int m = f->start[i]; m < f->start[i + 1]; m++)
        subtract_vector(s, f->upper + (size_t)m * square, f->x + (long)f->member[m] * s, y);
    subtract_vector(s, f->pivot + (size_t)i * square, y, z);
    for (int n = 0; n < s; n++) f->x[(long)i * s + n] = x[(long)f->ordering.order[i] * s + n] = -z[n];
}

typedef struct solve_task {
    slip_body_lu *f;
    double *x;
} solve_task;

SLIP_FIXED_SIZE void solve_list(const solve_task *w, int list, bool up, bool down, int s)
{
    const slip_etree_partition *t = &w->f->share;
    for (int n = t->start[list]; up && n < t->start[list + 1]; n++)
        forward_substitute(w->f, t->position[n], s, w->x);
    for (int n = t->start[list + 1]; down && n-- > t->start[list];)
        back_substitute(w->f, t->position[n], s, w->x);
}

// Subtrees forwards, the top both ways, subtrees backwards.
static void solve_piece(void *context, int k, int worker)
{
    const solve_task *w = context;
    const int groups = w->f->share.groups, list = k > groups ? k - groups - 1 : k;
    const bool up = k <= groups, down = k >= groups;
    (void)worker;
    if (w->f->side == 6)
        solve_list(w, list, up, down, 6);
    else if (w->f->side == 3)
        solve_list(w, list, up, down, 3);
    else
        solve_list(w, list, up, down, w->f->side);
}

void slip_body_lu_solve(slip_body_lu *f, double *x)
{
    solve_task w = { f, x };
    const int groups = f->share.groups, start[] = { 0, groups, groups + 1, 2 * groups + 1 };
    slip_thread_pool_run_stages(f->thread_pool, 3, start, solve_piece, &w);
}
