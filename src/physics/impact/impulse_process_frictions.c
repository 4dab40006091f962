/// physics/impact/impulse_process_frictions.c: the impulse process of a contact whose normal impulse other
/// frictions follow: rolling and spinning friction, friction of joints.
///
/// All frictions act against their own slips while the normal impulse P grows,
///     dv/dP = A (1, l),   |l_k| <= mu_k dL_k/dP,   l_k against v_k
/// with L_k the impulse that friction k follows. P advances in small steps, each a contact problem in which the
/// normal impulse is known and friction opposes the slips at the end of the step. In the plane that is exact
/// but for the order in which slips stop within one step, since velocities depend on sums of impulses alone.
#include <math.h>
#include <string.h>

#include "physics/impact/impact_tolerances.h"
#include "physics/impact/impulse_process.h"

enum {
    STEPS_OF_COMPRESSION = 256,
    MAX_STEPS = 400 * STEPS_OF_COMPRESSION, // of a process that ends
    MAX_END_ROUNDS = 90                     // to find where it ends within a step
};

// The process of contact k of an impact in which it is alone.
typedef struct friction_process {
    slip_multi_impact *one; // W: the normal is uncoupled, and `column` has what was there
    int k, normal, size;
    double *v, *total, *r, *q, *column, *w;
    slip_impulse_process so_far; // P, work, and where it ends
} friction_process;

static friction_process process_start(slip_multi_impact *one, int k, double *W)
{
    const int size = one->d * one->contacts, normal = one->d * k;
    friction_process p = { .one = one, .k = k, .normal = normal, .size = size };
    p.v = W + (long)size * size; // `before` of the impact
    p.total = one->impulse, p.r = one->after;
    p.q = p.r + size, p.column = p.q + size, p.w = p.column + size;
    memset(p.total, 0, sizeof(double) * (size_t)size);
    for (int i = 0; i < size; i++) {
        p.column[i] = W[(long)i * size + normal];
        if (i != normal) W[(long)i * size + normal] = W[(long)normal * size + i] = 0.0;
    }
    return p;
}

// Frictions of a step `by` of the normal impulse, into p->r.
static bool solve_step(friction_process *p, double by)
{
    const slip_multi_impact *c = p->one;
    for (int i = 0; i < p->size; i++) p->q[i] = p->v[i] + p->column[i] * by;
    p->q[p->normal] = -p->column[p->normal] * by;
    if (!c->solve(c->context, c->contacts, c->W, p->q, c->mu, p->r, p->w)) return false;
    p->r[p->normal] = by;
    return true;
}

// The gap rate behind that step.
static double rate_after(const friction_process *p)
{
    double rate = p->v[p->normal];
    for (int j = 0; j < p->size; j++) rate += p->column[j] * p->r[j];
    return rate;
}

// What is left to the end of the process behind that step: positive if it ended before.
static double excess_after(const friction_process *p, double by)
{
    const slip_impulse_process *s = &p->so_far;
    const double rate = rate_after(p);
    if (s->goal == SLIP_UNTIL_RATE) return rate - s->value;
    if (s->goal == SLIP_UNTIL_IMPULSE) return s->P + by - s->value;
    return s->work + 0.5 * by * (p->v[p->normal] + rate) - s->value;
}

static void take_step(friction_process *p, double by)
{
    const double *W = p->one->W, rate = rate_after(p);
    p->so_far.work += 0.5 * by * (p->v[p->normal] + rate);
    p->so_far.P += by;
    if (rate < p->v[p->normal]) p->so_far.path |= SLIP_PATH_JAMMED;
    for (int i = 0; i < p->size; i++) {
        p->total[i] += p->r[i];
        if (i == p->normal) continue;
        p->v[i] += p->column[i] * by;
        for (int j = 0; j < p->size; j++) p->v[i] += W[(long)i * p->size + j] * p->r[j];
    }
    p->v[p->normal] = rate;
}

// The first step within (0, by) at which the process ends. By false position with the Illinois rule; by
// bisection where everything holds once it is there, a contact that stops a turn and the pin of the turn.
static bool take_last_step(friction_process *p, double by, double before, double behind)
{
    double low = 0.0, high = by;
    const double step = behind - before, small = PROCESS_END_OF_STEP * step;
    for (int round = 0; round < MAX_END_ROUNDS; round++) {
        const double at =
            behind > small ? (low * behind - high * before) / (behind - before) : 0.5 * (low + high);
        if (!(at > low && at < high)) break;
        if (!solve_step(p, at)) return false;
        const double off = excess_after(p, at);
        if (off < -small)
            low = at, before = off, behind *= behind > 2.0 * small ? 0.5 : 1.0;
        else
            high = at, behind = off, before *= 0.5;
        if (fabs(off) <= LAST_STEP_END * step && p->so_far.goal != SLIP_UNTIL_RATE) break;
    }
    if (!solve_step(p, high)) return false;
    take_step(p, high);
    return true;
}

static bool run_to_goal(friction_process *p, double step)
{
    for (int k = 0; k < MAX_STEPS; k++) {
        memset(p->r, 0, sizeof(double) * (size_t)p->size);
        const double before = excess_after(p, 0.0);
        if (!solve_step(p, step)) return false;
        const double behind = excess_after(p, step);
        const bool jams = p->so_far.goal == SLIP_UNTIL_RATE && rate_after(p) < p->v[p->normal];
        const double small = PROCESS_END_OF_STEP * fabs(behind - before);
        const bool there = before >= -small;
        if (there && !jams) return true;
        if (!there && behind >= -small) return take_last_step(p, step, before, behind);
        take_step(p, step);
    }
    return false;
}

static double slip_speed(const friction_process *p, const double *v)
{
    double sum = 0.0;
    for (int t = 1; t < p->one->d; t++) sum += v[p->normal + t] * v[p->normal + t];
    return sqrt(sum);
}

bool slip_multi_impact_process_with_frictions(slip_multi_impact *c, int k)
{
    slip_multi_impact one = slip_multi_impact_alone(c, k);
    friction_process p = process_start(&one, k, c->spare);
    slip_impulse_process *s = &p.so_far;
    const double approach = fmax(0.0, -p.v[p.normal]), slid = slip_speed(&p, p.v);
    const double speed = fmax(approach, slid), rest = VELOCITY_ROUNDING_RELATIVE * speed;
    const double step = speed / (STEPS_OF_COMPRESSION * p.column[p.normal]);
    s->goal = SLIP_UNTIL_RATE;
    if (!run_to_goal(&p, step)) return false;
    c->law[k]->end(c->e[k], approach, s);
    if (!run_to_goal(&p, step)) return false;
    c->work[k] += s->work;
    if (c->mu[k] > 0.0)
        c->path[k] |= (unsigned char)(s->path | (slid > rest ? SLIP_PATH_SLID : 0) |
                                      (slip_speed(&p, p.v) <= rest ? SLIP_PATH_STUCK : 0));
    for (int j = 0; j < c->contacts; j++) slip_multi_impact_add(c, j, p.total + (long)j * c->d);
    if (s->goal == SLIP_UNTIL_RATE) c->after[p.normal] = s->value;
    return true;
}
