/// formulation/moreau/moreau_verdict.c: a verdict on each step of Moreau's rule that has no impact (Song
/// 2001).
///
/// Rows are taken at midpoints one step apart, and a contact that lasts had rate 0 at the last one; so its
/// rate at the present midpoint is dt times the velocity-dependent part of its acceleration, and (before +
/// smooth_change)/dt is its acceleration without contact forces. A contact that was closed and that the
/// midpoint finds open is in no problem of the rule: it is judged as if it still touched, with rows one step
/// ahead of the last state, where its rate is again dt times that part.
#include <math.h>
#include <string.h>

#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

static bool step_has_impact(const slip_moreau *m, const slip_moreau_step *step)
{
    if (slip_moreau_is_impact(m)) return true;
    for (int b = 0; b < m->problem.blocks; b++)
        if (!isnan(step->approach[m->problem.element[b]])) return true;
    return false;
}

// which way a block slips as the step begins: what the forces of this step make of it is theirs to explain. A
// contact that sticks in a row that turns has a rate of dt times its acceleration: the last step knows better
static int block_slides(const slip_moreau *m, int b)
{
    int e = m->problem.element[b];
    if (!m->system->elements[e].slip_count) return 0;
    double v = m->problem.before[b * m->d + 1];
    if (m->last.mode[e] & SLIP_MODE_STICK || fabs(v) < SLIP_DIRECTION_SPEED) return 0;
    return v > 0.0 ? 1 : -1;
}

// false when the problem has no place in a planar set
static bool make_set(slip_moreau *m, slip_contact_set *set, double *N)
{
    const slip_moreau_problem *p = &m->problem;
    int count = p->blocks, side = 2 * count;
    if (m->d != 2 || count > SLIP_SET_MAX_CONTACTS) return false;
    set->count = count;
    set->scale = 1.0;
    for (int b = 0; b < count; b++) {
        int e = p->element[b];
        const slip_element *element = &m->system->elements[e];
        set->element[b] = e;
        set->contact[b] = element->has_gap;
        set->slips[b] = element->slip_count > 0;
        set->mu[b] = p->friction[b];
        set->slide[b] = (signed char)block_slides(m, b);
        set->mass[b] = p->W[2 * b * side + 2 * b] > 0.0 ? 1.0 / p->W[2 * b * side + 2 * b] : 0.0;
        N[b] = p->length > 0.0 ? p->r[2 * b] / p->length : 0.0;
    }
    for (int i = 0; i < side; i++) {
        set->b[i] = p->row[i] >= 0 ? (p->before[i] + p->smooth_change[i]) / p->length : 0.0;
        set->scale = fmax(set->scale, fabs(set->b[i]));
        for (int j = 0; j < side; j++) set->W[i * side + j] = p->W[i * side + j];
    }
    return true;
}

// Two sliding contacts, A = W_NN - W_NT s mu with positive diagonal and determinant and off-diagonal entries
// of one sign. A is then a P-matrix (forces exist and are unique) and A = S D with S symmetric, positive
// definite and D diagonal, positive, so x'' + A (C x' + K x) = 0 has mass S^-1, damping D C and stiffness D
// K: stable for any springs and dampers. A face that slides is the common case, and this is all it costs.
static bool two_sliding_are_stable(const slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    double A[2][2];
    if (p->blocks != 2 || m->d != 2) return false;
    for (int b = 0; b < 2; b++) {
        const int way = block_slides(m, b);
        if (!m->system->elements[p->element[b]].has_gap || (way == 0 && p->mu[b] > 0.0)) return false;
        for (int a = 0; a < 2; a++) A[a][b] = p->W[8 * a + 2 * b] - way * p->mu[b] * p->W[8 * a + 2 * b + 1];
    }
    const double product = A[0][0] * A[1][1];
    return A[0][0] > 0.0 && A[1][1] > 0.0 && A[0][1] * A[1][0] >= 0.0 &&
           product - A[0][1] * A[1][0] > PROOF_MARGIN * product;
}

static bool in_problem(const slip_moreau *m, int e)
{
    for (int b = 0; b < m->problem.blocks; b++)
        if (m->problem.element[b] == e) return true;
    return false;
}

// closed when the step began, without an impact that threw it open, and not among the contacts of the step
static bool was_released(const slip_moreau *m, int e)
{
    return (m->last.mode[e] & SLIP_MODE_CLOSED) && isnan(m->last.approach[e]) && !in_problem(m, e);
}

// Neither a proof nor a direction along which the motion is open: the problem of the step is solved once
// more, from nothing. A bearing that is held by its own tension has a second answer in which it is not. True
// when the accelerations differ
static bool find_second_solution(slip_moreau *m, const slip_contact_solution *now)
{
    slip_moreau_problem *p = &m->problem;
    const int size = p->blocks * m->d;
    const slip_problem problem = slip_problem_contacts(m->d, p->blocks, p->W, p->q, p->mu);
    slip_solve_options options = m->options;
    slip_solve_info info;
    double most = DISTINCT_ACCELERATION * now->scale, other = 0.0;
    int open = -1;
    options.warm_start = 0.0;
    memset(p->best, 0, sizeof(double) * (size_t)size);
    if (slip_solve(m->solver[0], &problem, &options, p->best, p->rest, m->solver_work, &info) !=
        SLIP_CONVERGED)
        return false;
    for (int j = 0; j < m->n; j++) {
        double change = 0.0;
        for (int i = 0; i < size; i++)
            if (p->row[i] >= 0) change += (p->best[i] - p->r[i]) / p->length * p->response[i][j];
        if (fabs(change) > most) most = fabs(change), open = j, other = now->a[j] + change;
    }
    if (open >= 0) slip_uniqueness_cache_set_second(&m->monitor.proof, open, now->a[open], other);
    return open >= 0;
}

// `impulse` by element, three each; NULL: those of the problem, which was solved
static void judge_set(slip_moreau *m, const double *impulse)
{
    double N[SLIP_SET_MAX_CONTACTS];
    slip_uniqueness_key key;
    if (m->problem.blocks <= 2 && make_set(m, &m->monitor.now, N) &&
        slip_verdict_monitor_is_certain(&m->monitor, &m->monitor.now, N)) {
        slip_method_set_verdict(&m->base, SLIP_TRUSTED, NULL);
        return;
    }
    const slip_model *model = m->system->equations->model;
    if (slip_moreau_is_known_unique(m)) {
        slip_verdict_monitor_recall(&m->monitor, &m->base, model);
        return;
    }
    if (slip_moreau_uniqueness_key(m, &key)) {
        slip_monitor_finding word;
        if (slip_uniqueness_cache_is_valid(&m->monitor.proof, &key)) {
            word = slip_verdict_monitor_recall(&m->monitor, &m->base, model);
        } else {
            slip_contact_solution now = slip_moreau_acceleration_problem(m, impulse);
            word = slip_verdict_monitor_prove(&m->monitor, &m->base, model, &key, &now);
            if (word == SLIP_MONITOR_UNDECIDED && !impulse && m->problem.blocks > SLIP_SET_MAX_CONTACTS &&
                find_second_solution(m, &now))
                word = slip_verdict_monitor_recall(&m->monitor, &m->base, model);
        }
        if (word != SLIP_MONITOR_UNDECIDED) return;
    }
    if (make_set(m, &m->monitor.now, N))
        slip_verdict_monitor_check_set(&m->monitor, &m->base, &m->monitor.now, N);
    else
        slip_method_set_verdict(&m->base, SLIP_UNKNOWN_VERDICT,
                                "no proof of one motion was found, and there are too many modes to try");
}

// true when a contact was let go and the verdict includes it
static bool judge_released(slip_moreau *m, const slip_moreau_step *step)
{
    const slip_system *s = m->system;
    const double *u = m->last.x + m->n;
    bool any = false;
    if (!m->was_active || m->max_substeps > 1) return false; // nothing was closed
    for (int e = 0; e < s->contact_count && !any; e++) any = was_released(m, e);
    if (!any) return false;
    for (int e = 0; e < s->contact_count; e++) m->touching[e] = was_released(m, e) || in_problem(m, e);
    const int blocks = m->problem.blocks;
    slip_system_move(s, m->base.t, m->last.x, step->length, u, &m->terms, m->middle);
    any = slip_system_evaluate(s, SLIP_LEVEL_MOTION, m->base.t + step->length, m->middle, u, &m->terms);
    for (int e = 0; e < s->contact_count; e++) m->terms.gap[e] = m->touching[e] ? 0.0 : INFINITY;
    if (any) {
        slip_moreau_assemble(m, SLIP_MOREAU_REFERENCE, step->length, u);
        judge_set(m, step->impulse);
    }
    m->problem.blocks = blocks;
    return any;
}

// who takes part, and who sticks (FNV-1a)
static uint64_t participants_hash(const slip_moreau *m)
{
    uint64_t hash = 1469598103934665603u;
    for (int b = 0; b < m->problem.blocks; b++) {
        int e = m->problem.element[b];
        hash = (hash ^ (uint64_t)(2 * e + !!(m->last.mode[e] & SLIP_MODE_STICK))) * 1099511628211u;
    }
    return hash;
}

static bool loads_are_doubtful(slip_moreau *m)
{
    const slip_moreau_problem *p = &m->problem;
    bool slides = !(m->last.mode[m->loads.element[0]] & SLIP_MODE_STICK);
    for (int b = 0; b < p->blocks; b++) slides = slides && !m->system->elements[p->element[b]].has_gap;
    return slip_verdict_monitor_check_loads(&m->base, &m->loads, m->system, &m->terms, slides);
}

void slip_moreau_check_verdict(slip_moreau *m, const slip_moreau_step *step)
{
    const slip_moreau_problem *p = &m->problem;
    if (!slip_verdict_monitor_is_due(&m->monitor,
                                     m->monitor.level == SLIP_JUDGE_SOME ? participants_hash(m) : 0))
        return;
    if (p->blocks == 0 && !m->was_active && m->base.trust.judged && m->base.trust.now == SLIP_TRUSTED)
        return;                           // flies on
    if (step_has_impact(m, step)) return; // velocities jump: there are no accelerations to judge
    if (m->loads.count && loads_are_doubtful(m)) return;
    if (judge_released(m, step)) return;
    if (p->blocks == 0) {
        if (!m->base.trust.judged || m->base.trust.now != SLIP_TRUSTED)
            slip_method_set_verdict(&m->base, SLIP_TRUSTED, NULL);
        return;
    }
    if (p->blocks == 1 && m->d == 2 && m->system->elements[p->element[0]].has_gap) { // Theorem 5.1
        int way = block_slides(m, 0);
        bool slides_soundly =
                 (way || p->mu[0] == 0.0) && p->W[0] - way * p->mu[0] * p->W[1] > PROOF_MARGIN * p->W[0],
             rests_soundly = !way && p->mu[0] * fabs(p->W[1]) < REST_PROOF_MARGIN * p->W[0];
        if (slides_soundly || rests_soundly) {
            slip_method_set_verdict(&m->base, SLIP_TRUSTED, NULL);
            return;
        }
    }
    if (two_sliding_are_stable(m)) {
        slip_method_set_verdict(&m->base, SLIP_TRUSTED, NULL);
        return;
    }
    judge_set(m, NULL);
}
