/// judge.c: formulations against each other.
#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RIGID_TOLERANCE                                                                                      \
    0.03 // of the motion: a trusted run promises 1 %, and two of them may be off to both sides
#define COMPLIANT_TOLERANCE 0.06 // compliant contacts give way, and their impacts take time
#define SAME                0.01 // two runs that agree this well vouch for each other

static const char *const names[] = { "lcp", "moreau",  "moreau, quarter step", "gauss",        "auto",
                                     "dai", "modular", "kelvin-voigt",         "hunt-crossley" };
static const char *const formulations[] = { "lcp", "moreau",  "moreau",       "gauss",        "auto",
                                            "dai", "modular", "kelvin-voigt", "hunt-crossley" };
enum { LCP, MOREAU, MOREAU_FINE, GAUSS, AUTO, DAI, NAMES = sizeof names / sizeof *names };

const char *judge_name(int column)
{
    return column >= 0 && column < NAMES ? names[column] : NULL;
}

static void plan(judge *j, int column, bool declared)
{
    judge_run *const r = &j->run[j->count++];
    *r = (judge_run){ .def = { .formulation = formulations[column], .step = NAN, .declared = declared },
                      .column = column };
    snprintf(r->name, sizeof r->name, "%s", names[column]);
}

void judge_plan(judge *j, const grammar_model *m, long number, int seconds)
{
    *j = (judge){ .seconds = seconds };
    plan(j, LCP, m->detects);
    plan(j, MOREAU, false);
    plan(j, MOREAU_FINE, false);
    plan(j, DAI + (int)(number % 4), m->detects);
    if (number % 5 == 0) plan(j, GAUSS, m->detects);
    if (number % 5 == 1) plan(j, AUTO, m->detects);
}

static void run_one(judge *j, int k, const char *text)
{
    judge_run *const r = &j->run[k];
    if (r->column == MOREAU_FINE)
        r->def.step = j->run[k - 1].t.step > 0.0 ? 0.25 * j->run[k - 1].t.step : NAN;
    trial_run(text, &r->def, j->seconds, &r->t);
}

static bool rigid(const judge_run *r)
{
    return r->column < DAI;
}

static bool whole(const judge_run *r)
{
    return r->t.end <= TRIAL_TOLD && r->t.rows == TRIAL_INSTANTS;
}

static double tolerance(const judge_run *a, const judge_run *b)
{
    return rigid(a) && rigid(b) ? RIGID_TOLERANCE : COMPLIANT_TOLERANCE;
}

// a and b are the same method, or one takes its answers from the other
static bool related(const judge_run *a, const judge_run *b)
{
    const bool moreau = a->def.formulation == b->def.formulation;
    const bool events =
        a->column != MOREAU && a->column != MOREAU_FINE && b->column != MOREAU && b->column != MOREAU_FINE;
    return moreau || (events && rigid(a) && rigid(b));
}

static int trusted_enemies(const judge *j, int k)
{
    int count = 0;
    for (int i = 0; i < j->count; i++)
        count += i != k && j->run[i].t.end == TRIAL_TRUSTED &&
                 trial_difference(&j->run[k].t, &j->run[i].t) > tolerance(&j->run[k], &j->run[i]);
    return count;
}

static void say_difference(const judge *j, judge_finding *f)
{
    snprintf(f->text, sizeof f->text, "%s and %s are both trusted and differ by %.1f %% of the motion",
             j->run[f->run].name, j->run[f->other].name, 100.0 * f->distance);
}

// of trusted runs, the one that most others speak against; compliant ones first where that is even
static judge_finding disagreement(const judge *j)
{
    judge_finding f = { .kind = JUDGE_NOTHING, .run = -1 };
    int most = 0;
    for (int k = 0; k < j->count; k++) {
        const int enemies = j->run[k].t.end == TRIAL_TRUSTED ? trusted_enemies(j, k) : 0;
        const int weight = enemies > 0 ? 2 * enemies + !rigid(&j->run[k]) : 0;
        if (weight > most) most = weight, f.run = k;
    }
    if (f.run < 0) return f;
    f.kind = JUDGE_SILENT;
    for (int k = 0; k < j->count; k++) {
        const double distance = trial_difference(&j->run[f.run].t, &j->run[k].t);
        if (k == f.run || j->run[k].t.end != TRIAL_TRUSTED || distance <= f.distance) continue;
        f.other = k, f.distance = distance;
    }
    say_difference(j, &f);
    return f;
}

// one trusted run against two methods that agree with each other, whatever they say of themselves
static judge_finding against_two(const judge *j)
{
    for (int k = 0; k < j->count; k++)
        for (int a = 0; a < j->count; a++)
            for (int b = a + 1; b < j->count; b++) {
                const judge_run *const r = &j->run[k], *const one = &j->run[a], *const two = &j->run[b];
                if (k == a || k == b || r->t.end != TRIAL_TRUSTED || !whole(one) || !whole(two) ||
                    related(one, two))
                    continue;
                const double distance = trial_difference(&r->t, &one->t);
                if (trial_difference(&one->t, &two->t) > SAME || distance < tolerance(r, one) ||
                    distance < tolerance(r, two))
                    continue;
                judge_finding f = {
                    .kind = JUDGE_SILENT, .run = k, .other = a, .distance = distance, .doubted = true
                };
                snprintf(f.text, sizeof f.text,
                         "%s is trusted; %s and %s agree with each other and differ from it by %.1f %% of "
                         "the motion",
                         r->name, one->name, two->name, 100.0 * distance);
                return f;
            }
    return (judge_finding){ .kind = JUDGE_NOTHING };
}

judge_finding judge_model(judge *j, const char *text)
{
    for (int k = 0; k < j->count; k++) run_one(j, k, text);
    for (int k = 0; k < j->count; k++) {
        judge_finding f = { .run = k, .other = k };
        const trial_end end = j->run[k].t.end;
        if (end != TRIAL_HANG && end != TRIAL_CRASH) continue;
        f.kind = end == TRIAL_HANG ? JUDGE_HANG : JUDGE_CRASH;
        snprintf(f.text, sizeof f.text,
                 end == TRIAL_HANG ? "%s is not done after %d s of processor time" : "%s crashes",
                 j->run[k].name, j->seconds);
        return f;
    }
    const judge_finding f = disagreement(j);
    return f.kind != JUDGE_NOTHING ? f : against_two(j);
}

bool judge_still(judge *j, const char *text, judge_finding *finding)
{
    bool needed[JUDGE_RUNS] = { false };
    needed[finding->run] = needed[finding->other] = true;
    for (int k = 0; k < j->count; k++)
        if (j->run[k].column == MOREAU_FINE && needed[k])
            needed[k - 1] = true; // its step is a quarter of that one's
    for (int k = 0; k < j->count; k++)
        if (needed[k]) run_one(j, k, text);
    const judge_run *const a = &j->run[finding->run], *const b = &j->run[finding->other];
    if (finding->kind == JUDGE_HANG) return a->t.end == TRIAL_HANG;
    if (finding->kind == JUDGE_CRASH) return a->t.end == TRIAL_CRASH;
    const double distance = trial_difference(&a->t, &b->t);
    if (a->t.end != TRIAL_TRUSTED || !whole(b) || distance <= tolerance(a, b)) return false;
    if (b->t.end != TRIAL_TRUSTED) return finding->doubted;
    finding->distance = distance;
    say_difference(j, finding);
    return true;
}

bool judge_false_alarm(const judge *j, int run)
{
    const judge_run *const r = &j->run[run];
    if (r->t.end != TRIAL_TOLD || !whole(r)) return false;
    for (int k = 0; k < j->count; k++)
        if (j->run[k].t.end == TRIAL_TRUSTED && !related(r, &j->run[k]) &&
            trial_difference(&r->t, &j->run[k].t) < SAME)
            return true;
    return false;
}
