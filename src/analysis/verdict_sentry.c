/// analysis/verdict_sentry.c: a verdict on every instant of a rigid run.
#include "analysis/verdict_sentry.h"

#include <math.h>
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
    return s->full > 0 && s->judgement.verdict == SLIP_TRUSTED && same_shape(&s->set, now) &&
           near_by(rows * rows, s->set.W, now->W) && near_by(rows, s->set.b, now->b);
}

static bool good_to_go_on(const slip_judgement *j)
{
    if (j->verdict == SLIP_AMBIGUOUS) return j->taken >= 0 && j->taken == j->preferred;
    return j->verdict == SLIP_TRUSTED || j->verdict == SLIP_UNKNOWN_VERDICT;
}

bool slip_sentry_look_at(slip_sentry *s, slip_method *method, const slip_contact_set *now, const double *N)
{
    s->looks++;
    if (unchanged(s, now)) {
        slip_method_trust(method, SLIP_TRUSTED, NULL);
        return true;
    }
    s->full++;
    s->set = *now;
    slip_set_judge(&s->set, s->constants, N, EFFORT, &s->judgement);
    char text[SLIP_WARNING_LENGTH];
    slip_judgement_text(&s->set, &s->judgement, method->element_name, text, sizeof text);
    slip_method_trust(method, s->judgement.verdict, text);
    return good_to_go_on(&s->judgement);
}

bool slip_sentry_look(slip_sentry *s, slip_method *method, const slip_rigid *r)
{
    double N[SLIP_SET_MOST] = { 0 };
    bool one_slides = r->count == 1 && r->normal_count == 1 && r->D[0] > 1e-12 * r->S[0];
    if (r->count == 0 || one_slides) { // A > 0: one solution, and it is stable (Theorem 5.1)
        s->looks++;
        s->judgement.verdict = SLIP_TRUSTED;
        s->set.count = -1;
        slip_method_trust(method, SLIP_TRUSTED, NULL);
        return true;
    }
    if (!slip_set_from_rigid(r, &s->now)) {
        slip_method_trust(method, SLIP_UNKNOWN_VERDICT, "too many contacts at once to try every mode");
        return true;
    }
    for (int i = 0; i < r->normal_count; i++)
        for (int k = 0; k < s->now.count; k++)
            if (s->now.element[k] == r->owner[i]) N[k] = r->x[i];
    return slip_sentry_look_at(s, method, &s->now, N);
}
