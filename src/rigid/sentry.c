/// rigid/sentry.c: a verdict on every instant of a rigid run.
#include "rigid/sentry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { EFFORT = 1 << 12 }; // combinations of modes that a look during a run may try

static bool same_shape(const slip_contact_set *a, const slip_contact_set *b)
{
    if (a->count != b->count) return false;
    for (int i = 0; i < a->count; i++)
        if (a->element[i] != b->element[i] || a->slips[i] != b->slips[i] || a->slide[i] != b->slide[i])
            return false;
    return true;
}

static bool near_by(int n, const double *a, const double *b)
{
    double most = 0.0, off = 0.0;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(a[k])), off = fmax(off, fabs(a[k] - b[k]));
    return off <= 0.02 * most;
}

// the last full look still holds
static bool unchanged(const slip_sentry *s, const slip_contact_set *now)
{
    int rows = 2 * now->count;
    bool settled = s->judgement.verdict == SLIP_TRUSTED || s->judgement.verdict == SLIP_UNKNOWN_VERDICT;
    return s->full > 0 && settled && same_shape(&s->set, now) && near_by(rows * rows, s->set.W, now->W) &&
           near_by(rows, s->set.b, now->b);
}

static bool good_to_go_on(const slip_judgement *j)
{
    if (j->verdict == SLIP_AMBIGUOUS) return j->taken >= 0 && j->taken == j->preferred;
    return j->verdict == SLIP_TRUSTED || j->verdict == SLIP_UNKNOWN_VERDICT;
}

// ---- certificates: cheap reasons to trust, for one or two contacts

static double response(const slip_contact_set *set, int i, int j)
{
    int rows = 2 * set->count;
    double w = set->W[2 * i * rows + 2 * j];
    return set->slips[j] ? w - set->slide[j] * set->mu[j] * set->W[2 * i * rows + 2 * j + 1] : w;
}

// one contact at rest: mu |W_NT| < W_NN makes A > 0 whichever way it starts, and a rolling contact is always
// stable
static bool one_at_rest(const slip_contact_set *set)
{
    return set->count == 1 && set->contact[0] && set->slips[0] && !set->slide[0] &&
           set->mu[0] * fabs(set->W[1]) < 0.999 * set->W[0];
}

// Two contacts that slide: a P-matrix has one solution. Its layer when both are loaded: where A01 A10 >= 0 a
// scaling makes A symmetric and positive definite, and it is stable whatever the compliance. Else the
// characteristic polynomial s^4 + a s^3 + b s^2 + c s + d is, by Routh and Hurwitz, when all are positive and
// a b c > c^2 + a^2 d
static bool two_slide(const slip_contact_set *set, const slip_compliant_constants *constants, const double *N)
{
    if (set->count != 2) return false;
    for (int i = 0; i < 2; i++)
        if (!set->contact[i] || (set->slips[i] && set->mu[i] > 0.0 && !set->slide[i])) return false;
    double A00 = response(set, 0, 0), A01 = response(set, 0, 1), A10 = response(set, 1, 0),
           A11 = response(set, 1, 1);
    double determinant = A00 * A11 - A01 * A10;
    if (!(A00 > 0.0 && A11 > 0.0 && determinant > 1e-9 * A00 * A11)) return false;
    double cross = A01 * A10, K[2], C[2];
    if (cross >= 0.0 || !(N[0] > 0.0 && N[1] > 0.0)) return true; // one loaded, or none: Theorem 5.1
    for (int i = 0; i < 2; i++) {
        slip_compliant_constants one = slip_compliant_at(&constants[set->element[i]], set->mass[i]);
        slip_normal_force f = slip_compliant_normal(&one, slip_compliant_rest(&one, N[i]), 0.0);
        K[i] = f.stiffness, C[i] = f.damping;
    }
    double P0 = A00 * C[0], P1 = A11 * C[1], Q0 = A00 * K[0], Q1 = A11 * K[1];
    double a = P0 + P1, b = determinant * C[0] * C[1] + Q0 + Q1, d = determinant * K[0] * K[1];
    double c = P0 * Q1 + P1 * Q0 - cross * (C[1] * K[0] + C[0] * K[1]);
    return a > 0.0 && b > 0.0 && c > 0.0 && d > 0.0 && a * b * c > (c * c + a * a * d) * (1.0 + 1e-6);
}

static bool trust(slip_sentry *s, slip_method *method)
{
    s->judgement.verdict = SLIP_TRUSTED;
    s->set.count = -1;
    slip_method_trust(method, SLIP_TRUSTED, NULL);
    return true;
}

bool slip_sentry_look_at(slip_sentry *s, slip_method *method, const slip_contact_set *now, const double *N)
{
    s->looks++;
    if (one_at_rest(now) || two_slide(now, s->constants, N)) return trust(s, method);
    if (unchanged(s, now)) {
        slip_method_trust(method, s->judgement.verdict, NULL);
        return true;
    }
    s->full++;
    s->set = *now;
    slip_set_judge(&s->set, s->constants, N, EFFORT, &s->judgement);
    slip_judgement *j = &s->judgement; // forces that are not determined, but one motion
    if (s->one_motion && j->verdict == SLIP_UNKNOWN_VERDICT && j->solutions > 0 && j->motions == 1)
        j->verdict = SLIP_TRUSTED;
    char text[SLIP_JUDGEMENT_LENGTH];
    slip_judgement_text(&s->set, &s->judgement, method->element_name, text, sizeof text);
    slip_method_trust(method, s->judgement.verdict, text);
    return good_to_go_on(&s->judgement);
}

// Forces that are not determined: is the motion? Says so where it is not
static bool motion_is_open(slip_sentry *s, slip_method *method, const slip_rigid *r)
{
    if (!s->open_work || r->normal_count < 2) return false;
    slip_openness o = slip_rigid_openness(r, s->open_work);
    s->one_motion = o.dimension > 0 && !o.motion;
    if (!o.motion) return false;
    char text[SLIP_JUDGEMENT_LENGTH];
    snprintf(
        text, sizeof text,
        "the motion is not determined: redundant contacts leave open who carries the load, and with it the "
        "acceleration of %s, anything from %.4g to %.4g",
        r->system->equations->model->coordinates[o.coordinate].name, o.low, o.high);
    s->judgement = (slip_judgement){ .verdict = SLIP_AMBIGUOUS, .taken = -1, .preferred = -1 };
    slip_method_trust(method, SLIP_AMBIGUOUS, text);
    return true;
}

bool slip_sentry_prove(slip_sentry *s, slip_method *method, const slip_instant *instant, const double *c)
{
    slip_motion_count found = slip_prove(&s->proof, instant, c, s->constants);
    if (found != SLIP_ONE_STABLE) return false;
    s->looks++;
    trust(s, method);
    return true;
}

// effective masses that the damping of a contact may follow
static bool prove_rigid(slip_sentry *s, slip_method *method, const slip_rigid *r)
{
    slip_proof *p = &s->proof;
    if (r->count > p->most) return false;
    for (int i = 0; i < r->normal_count; i++)
        p->now.mass[i] = s->constants[r->owner[i]].zeta > 0.0 ? slip_rigid_mass(r, r->owner[i]) : 0.0;
    slip_instant now = { .count = r->count,
                         .normal_count = r->normal_count,
                         .owner = r->owner,
                         .mu = r->friction,
                         .mass = p->now.mass,
                         .D = r->D,
                         .S = r->S,
                         .x = r->x,
                         .rate = r->rate,
                         .small = slip_rigid_small(r) };
    return slip_sentry_prove(s, method, &now, r->c);
}

static bool look_in_space(slip_sentry *s, slip_method *method, const slip_rigid *r)
{
    if (slip_rigid_cone_trusted(r)) return trust(s, method);
    if (motion_is_open(s, method, r)) return false;
    slip_method_trust(method, SLIP_UNKNOWN_VERDICT,
                      "contacts that stick in two directions: no theorem says that their forces are unique");
    return true;
}

bool slip_sentry_look(slip_sentry *s, slip_method *method, const slip_rigid *r)
{
    double N[SLIP_SET_MAX] = { 0 };
    if (s->off) return true;
    bool one_slides = r->count == 1 && r->normal_count == 1 && r->D[0] > 1e-12 * r->S[0];
    if (r->count == 0 || one_slides) { // A > 0: one solution, and it is stable (Theorem 5.1)
        s->looks++;
        return trust(s, method);
    }
    if (prove_rigid(s, method, r)) return true;
    if (r->spatial) return look_in_space(s, method, r);
    if (!slip_set_from_rigid(r, s->constants, &s->now)) {
        if (motion_is_open(s, method, r)) return false;
        slip_method_trust(method, SLIP_UNKNOWN_VERDICT, "too many contacts at once to try every mode");
        return true;
    }
    for (int i = 0; i < r->normal_count; i++)
        for (int k = 0; k < s->now.count; k++)
            if (s->now.element[k] == r->owner[i]) N[k] = r->x[i];
    s->one_motion = false;
    if (!unchanged(s, &s->now) && motion_is_open(s, method, r)) return false;
    bool good = slip_sentry_look_at(s, method, &s->now, N);
    s->one_motion = false;
    return good;
}
