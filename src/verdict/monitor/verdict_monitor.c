/// verdict/monitor/verdict_monitor.c: a verdict on every instant of a rigid run.
#include "verdict/monitor/verdict_monitor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "verdict/contact/verdict_tolerances.h"

enum { MAX_MODE_COMBINATIONS = 1 << 12 }; // combinations of modes that a look during a run may try

static bool same_shape(const slip_contact_set *a, const slip_contact_set *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; i++)
        if (a->element[i] != b->element[i] || a->slips[i] != b->slips[i] || a->slide[i] != b->slide[i])
            return false;
    return true;
}

static bool are_close(int n, const double *a, const double *b, double part)
{
    double most = 0.0, off = 0.0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(a[k])), off = fmax(off, fabs(a[k] - b[k]));
    return off <= part * most;
}

// The last full look still holds. Of few contacts it is cheap, so that it is made again sooner, and every
// time when it was against the answer
static bool last_check_holds(const slip_verdict_monitor *s, const slip_contact_set *now, const double *N)
{
    int rows = 2 * now->count;
    bool settled = s->judgement.verdict == SLIP_TRUSTED || s->judgement.verdict == SLIP_UNKNOWN_VERDICT,
         few = now->count <= 3;
    double part = few ? REUSE_CHANGE_SMALL : REUSE_CHANGE;
    return !s->proof.forgets && s->full > 0 && (settled || (!few && are_close(now->count, s->N, N, part))) &&
           same_shape(&s->set, now) && slip_limits_near(now->count, s->set.mu, now->mu, part) &&
           are_close(rows, s->set.b, now->b, part) && are_close(rows * rows, s->set.W, now->W, part);
}

static bool is_acceptable(const slip_set_verdict *j)
{
    if (j->verdict == SLIP_AMBIGUOUS) return j->taken >= 0 && j->taken == j->preferred;
    return j->verdict == SLIP_TRUSTED || j->verdict == SLIP_UNKNOWN_VERDICT;
}

void slip_verdict_monitor_archive(slip_verdict_monitor *s, int elements, int coordinates, slip_archive *a)
{
    slip_archive_open(a, "sentry");
    slip_archive_bytes(a, "set", &s->set, sizeof s->set);
    slip_archive_bytes(a, "judgement", &s->judgement, sizeof s->judgement);
    slip_archive_int(a, "passed", &s->passed);
    slip_archive_bytes(a, "parts", &s->parts, sizeof s->parts);
    slip_archive_bool(a, "good", &s->good);
    slip_archive_doubles(a, "N", s->N, SLIP_SET_MAX_CONTACTS);
    slip_archive_long(a, "looks", &s->looks);
    slip_archive_long(a, "full", &s->full);
    slip_uniqueness_cache_archive(&s->proof, elements, coordinates, a);
    slip_archive_close(a);
}

// the tables, which are long, are those of the last full look: where there was none they are as they were
// made
void slip_verdict_monitor_reset(slip_verdict_monitor *s, const slip_verdict_monitor *made)
{
    if (s->full != made->full || s->judgement.solutions != made->judgement.solutions) {
        *s = *made;
        return;
    }
    s->set.count = made->set.count;
    s->judgement.verdict = made->judgement.verdict;
    s->judgement.taken = made->judgement.taken;
    s->judgement.preferred = made->judgement.preferred;
    s->proof = made->proof;
    s->passed = made->passed;
    s->parts = made->parts;
    s->good = made->good;
    s->looks = made->looks;
}

// ---- certificates: cheap reasons to trust, for one or two contacts

// one contact at rest: mu |W_NT| < W_NN makes A > 0 whichever way it starts, and a rolling contact is always
// stable
static bool one_at_rest(double mu, double W_NN, double W_NT)
{
    return mu * fabs(W_NT) < REST_PROOF_MARGIN * W_NN;
}

// Two contacts that slide: a P-matrix has one solution. Its layer when both are loaded: where A01 A10 >= 0 a
// scaling makes A symmetric and positive definite, and it is stable whatever the compliance. Else the
// characteristic polynomial s^4 + a s^3 + b s^2 + c s + d is, by Routh and Hurwitz, when all are positive and
// a b c > c^2 + a^2 d
static bool two_slide(const double *A, const double *N, const int *element, const double *mass,
                      const slip_compliant_constants *constants)
{
    double cross = A[1] * A[2], determinant = A[0] * A[3] - cross, K[2], C[2];
    if (!(A[0] > 0.0 && A[3] > 0.0 && determinant > DETERMINANT_MARGIN * A[0] * A[3])) return false;
    if (cross >= 0.0 || !(N[0] > 0.0 && N[1] > 0.0)) return true; // one loaded, or none: Theorem 5.1
    for (int i = 0; i < 2; i++) {
        slip_compliant_constants one = slip_compliant_with_mass(&constants[element[i]], mass[i]);
        slip_normal_force f = slip_compliant_normal(&one, slip_compliant_static_depth(&one, N[i]), 0.0);
        K[i] = f.stiffness, C[i] = f.damping;
    }
    double P0 = A[0] * C[0], P1 = A[3] * C[1], Q0 = A[0] * K[0], Q1 = A[3] * K[1];
    double a = P0 + P1, b = determinant * C[0] * C[1] + Q0 + Q1, d = determinant * K[0] * K[1];
    double c = P0 * Q1 + P1 * Q0 - cross * (C[1] * K[0] + C[0] * K[1]);
    return a > 0.0 && b > 0.0 && c > 0.0 && d > 0.0 &&
           a * b * c > (c * c + a * a * d) * (1.0 + ROUTH_HURWITZ_MARGIN);
}

bool slip_verdict_monitor_is_certain(const slip_verdict_monitor *s, const slip_contact_set *set,
                                     const double *N)
{
    double A[4], B[2];
    if (set->count == 1)
        return set->contact[0] && set->slips[0] && !set->slide[0] &&
               one_at_rest(set->mu[0], set->W[0], set->W[1]);
    return set->count == 2 && slip_set_lcp(set, A, B) &&
           two_slide(A, N, set->element, set->mass, s->constants);
}

static bool rigid_is_certain(const slip_verdict_monitor *s, const slip_contact_problem *r)
{
    if (r->count == 0) return true;
    if (r->count == 1) // A > 0: one solution, and it is stable (Theorem 5.1)
        return r->normal_count == 1 && r->D[0] > SINGLE_CONTACT_MARGIN * r->S[0];
    if (r->count != 2 || r->normal_count == 0) return false;
    if (r->normal_count == 1)
        return r->owner[1] == r->owner[0] && one_at_rest(r->friction[r->owner[0]], r->D[0], r->D[1]);
    double mass[2];
    for (int i = 0; i < 2; i++)
        mass[i] = s->constants[r->owner[i]].zeta > 0.0 ? slip_contact_problem_mass(r, r->owner[i]) : 0.0;
    return two_slide(r->D, r->x, r->owner, mass, s->constants);
}

static bool set_trusted(slip_verdict_monitor *s, slip_method *method)
{
    s->judgement.verdict = SLIP_TRUSTED;
    s->set.count = -1;
    slip_method_set_verdict(method, SLIP_TRUSTED, NULL);
    return true;
}

// ---- proofs

// the motion is not determined: says what is open
static void report_indeterminacy(slip_verdict_monitor *s, slip_method *method, const slip_model *model)
{
    char text[SLIP_SET_VERDICT_LENGTH];
    slip_indeterminacy_text(&s->proof.open, model, text, sizeof text);
    s->judgement = (slip_set_verdict){ .verdict = SLIP_AMBIGUOUS, .taken = -1, .preferred = -1 };
    s->set.count = -1;
    slip_method_set_verdict(method, SLIP_AMBIGUOUS, text);
}

slip_monitor_finding slip_verdict_monitor_recall(slip_verdict_monitor *s, slip_method *method,
                                                 const slip_model *model)
{
    s->looks++;
    if (s->proof.found == SLIP_UNIQUE_STABLE) return set_trusted(s, method), SLIP_MONITOR_TRUSTED;
    if (s->proof.found != SLIP_MOTION_INDETERMINATE) return SLIP_MONITOR_UNDECIDED;
    if (!method->trust.judged || method->trust.now != SLIP_AMBIGUOUS) report_indeterminacy(s, method, model);
    return SLIP_MONITOR_DOUBTFUL;
}

slip_monitor_finding slip_verdict_monitor_prove(slip_verdict_monitor *s, slip_method *method,
                                                const slip_model *model, const slip_uniqueness_key *key,
                                                const slip_contact_solution *instant)
{
    slip_uniqueness_cache_renew(&s->proof, key, instant, s->constants);
    return slip_verdict_monitor_recall(s, method, model);
}

slip_uniqueness_key slip_sentry_key(slip_uniqueness_cache *p, const slip_contact_problem *r)
{
    for (int i = 0; i < r->count; i++) p->now.limit[i] = r->friction[r->owner[i]];
    return (slip_uniqueness_key){
        .count = r->count, .who = r->owner, .W = r->D, .b = r->c, .limit = p->now.limit
    };
}

static slip_monitor_finding prove_uniqueness(slip_verdict_monitor *s, slip_method *method,
                                             const slip_contact_problem *r)
{
    slip_uniqueness_cache *p = &s->proof;
    const slip_model *model = r->system->equations->model;
    if (r->count > p->most) return SLIP_MONITOR_UNDECIDED;
    const slip_uniqueness_key key = slip_sentry_key(p, r);
    if (slip_uniqueness_cache_is_valid(p, &key)) return slip_verdict_monitor_recall(s, method, model);
    for (int i = 0; i < r->normal_count; i++)
        p->now.mass[i] =
            s->constants[r->owner[i]].zeta > 0.0 ? slip_contact_problem_mass(r, r->owner[i]) : 0.0;
    slip_contact_solution now = slip_contact_problem_instant(r, p->now.mass);
    return slip_verdict_monitor_prove(s, method, model, &key, &now);
}

// ---- limits that follow forces

bool slip_verdict_monitor_check_loads(slip_method *method, const slip_friction_loads *loads,
                                      const slip_system *system, const slip_terms *terms, bool slides)
{
    const double gain = slip_friction_loads_gain(loads, system, terms);
    const bool two = loads->count == 1 && slides;
    char text[SLIP_SET_VERDICT_LENGTH];
    if (gain < 1.0) return false;
    snprintf(text, sizeof text,
             "friction of '%.60s' follows a force of which it can make %.3g times as much itself: %s",
             system->elements[loads->element[0]].name, gain,
             two ? "there are two answers" : "there may be several answers");
    slip_method_set_verdict(method, two ? SLIP_AMBIGUOUS : SLIP_UNKNOWN_VERDICT, text);
    return true;
}

// ---- looking

bool slip_verdict_monitor_check_set(slip_verdict_monitor *s, slip_method *method, const slip_contact_set *now,
                                    const double *N)
{
    s->looks++;
    if (slip_verdict_monitor_is_certain(s, now, N)) return set_trusted(s, method);
    if (last_check_holds(s, now, N)) {
        slip_method_set_verdict(method, s->judgement.verdict, NULL);
        return is_acceptable(&s->judgement);
    }
    s->full++;
    s->set = *now;
    memcpy(s->N, N, (size_t)now->count * sizeof *N);
    slip_set_find_verdict(&s->set, s->constants, N, MAX_MODE_COMBINATIONS, &s->judgement);
    char text[SLIP_SET_VERDICT_LENGTH];
    slip_set_verdict_text(&s->set, &s->judgement, method->element_name, text, sizeof text);
    slip_method_set_verdict(method, s->judgement.verdict, text);
    return is_acceptable(&s->judgement);
}

bool slip_verdict_monitor_is_due(slip_verdict_monitor *s, uint64_t parts)
{
    enum { ONE_IN = 10 };
    if (s->level != SLIP_JUDGE_SOME) return s->level == SLIP_JUDGE_ALL;
    if (parts == s->parts && ++s->passed < ONE_IN) return false;
    s->passed = 0;
    s->parts = parts;
    return true;
}

// who takes part, and how (FNV-1a)
static uint64_t participants_hash(const slip_contact_problem *r)
{
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < r->count; i++)
        hash = (hash ^ (uint64_t)(4 * r->row[i] + r->contact_state[r->owner[i]].slide + 1)) * 1099511628211u;
    return hash;
}

static bool check_problem(slip_verdict_monitor *s, slip_method *method, const slip_contact_problem *r)
{
    double N[SLIP_SET_MAX_CONTACTS] = { 0 };
    if (r->loads.count && slip_verdict_monitor_check_loads(
                              method, &r->loads, r->system, &r->terms,
                              r->normal_count == 0 && r->contact_state[r->loads.element[0]].slide != 0))
        return true;
    if (rigid_is_certain(s, r)) {
        s->looks++;
        return set_trusted(s, method);
    }
    slip_monitor_finding word = prove_uniqueness(s, method, r);
    if (word != SLIP_MONITOR_UNDECIDED) return word == SLIP_MONITOR_TRUSTED;
    if (r->spatial && slip_contact_problem_cone_unique(r)) return set_trusted(s, method);
    if (r->spatial || !slip_set_from_problem(r, s->constants, &s->now)) {
        slip_method_set_verdict(method, SLIP_UNKNOWN_VERDICT,
                                "no proof of one motion was found, and there are too many modes to try");
        return true;
    }
    for (int i = 0; i < r->normal_count; i++)
        for (int k = 0; k < s->now.count; k++)
            if (s->now.element[k] == r->owner[i]) N[k] = r->x[i];
    return slip_verdict_monitor_check_set(s, method, &s->now, N);
}

bool slip_verdict_monitor_check(slip_verdict_monitor *s, slip_method *method, const slip_contact_problem *r)
{
    if (s->level == SLIP_JUDGE_NONE) return true;
    if (s->level == SLIP_JUDGE_SOME && !slip_verdict_monitor_is_due(s, participants_hash(r))) return s->good;
    return s->good = check_problem(s, method, r);
}
