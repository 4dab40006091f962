/// verdict/contact/contact_verdict.c: from solutions and boundary layers to a verdict and its sentence.
#include "verdict/contact/contact_verdict.h"
#include "verdict/contact/verdict_tolerances.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static bool is_settling(slip_stability s)
{
    return s == SLIP_IS_STABLE || s == SLIP_IS_FREE;
}

// Table 1 after the errata: one contact that slides is decided by the signs of A and B alone, edges included
static void judge_single_sliding(const slip_contact_set *set, slip_set_verdict *j)
{
    double A, B;
    if (set->count != 1 || !slip_set_lcp(set, &A, &B)) return;
    for (int k = 0; k < j->kept; k++)
        if (j->branch[k].mode[0] == SLIP_IS_OPEN && A != 0.0) j->stability[k] = SLIP_IS_FREE;
}

static void find_taken(const slip_contact_set *set, const double *N, slip_set_verdict *j)
{
    double best = INFINITY, size = 0.0;
    for (int i = 0; N && i < set->count; i++) size = fmax(size, fabs(N[i]));
    for (int k = 0; N && k < j->kept; k++) {
        double off = 0.0;
        for (int i = 0; i < set->count; i++)
            if (set->contact[i]) off = fmax(off, fabs(j->branch[k].N[i] - N[i]));
        if (off < best && off <= TAKEN_BRANCH_DISTANCE * size + TAKEN_BRANCH_FORCE) best = off, j->taken = k;
    }
}

static slip_verdict decide_verdict(const slip_set_verdict *j)
{
    if (j->solutions < 0) return SLIP_UNKNOWN_VERDICT;
    if (j->solutions == 0)
        return j->continuum ? SLIP_AMBIGUOUS : j->unsure ? SLIP_UNKNOWN_VERDICT : SLIP_INCONSISTENT;
    slip_stability mine = j->stability[j->taken >= 0 ? j->taken : 0];
    if (j->motions > 1 && j->taken >= 0 && mine == SLIP_IS_UNSTABLE) return SLIP_UNSTABLE_BRANCH;
    if (j->motions > 1 || j->continuum) return SLIP_AMBIGUOUS;
    if (j->unsure) return SLIP_UNKNOWN_VERDICT;
    // one motion. Where the loads are open a layer may find others than those in use, and settle on them
    for (int k = 0; k < j->kept && !is_settling(mine) && (j->dependent || mine == SLIP_IS_UNDECIDED); k++)
        if (is_settling(j->stability[k])) mine = j->stability[k];
    if (j->dependent && mine == SLIP_IS_UNSTABLE) return SLIP_UNKNOWN_VERDICT;
    return is_settling(mine)          ? SLIP_TRUSTED
           : mine == SLIP_IS_UNSTABLE ? SLIP_UNSTABLE_BRANCH
                                      : SLIP_UNKNOWN_VERDICT;
}

void slip_set_find_verdict(const slip_contact_set *set, const slip_compliant_constants *constants,
                           const double *N, long effort, slip_set_verdict *j)
{
    *j = (slip_set_verdict){ .taken = -1, .preferred = -1 };
    slip_solution_openings open;
    j->solutions = slip_set_solutions(set, effort, j->branch, SLIP_SET_MAX_SOLUTIONS, &open);
    j->dependent = open.dependent, j->unsure = open.unsure, j->continuum = open.continuum;
    j->kept = j->solutions < SLIP_SET_MAX_SOLUTIONS ? j->solutions : SLIP_SET_MAX_SOLUTIONS;
    for (int k = 0; k < j->kept; k++) {
        slip_boundary_layer layer;
        slip_contact_branch_layer(set, &j->branch[k], constants, &layer);
        j->stability[k] = layer.stability;
        j->growth[k] = layer.growth;
        bool known = false;
        for (int i = 0; i < k && !known; i++) known = slip_same_motion(set, &j->branch[i], &j->branch[k]);
        j->motions += !known;
    }
    judge_single_sliding(set, j);
    for (int k = 0; k < j->kept; k++)
        if (is_settling(j->stability[k])) j->preferred = j->stable++ ? -1 : k;
    find_taken(set, N, j);
    j->verdict = decide_verdict(j);
}

// --------------------------------------------------------------------------------------------- sentences

typedef struct line {
    char *text;
    int size, at;
} line;

static void append_text(line *l, const char *format, ...) SLIP_PRINTF(2, 3);
static void append_text(line *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (l->at < l->size - 1) l->at += vsnprintf(l->text + l->at, (size_t)(l->size - l->at), format, list);
    va_end(list);
}

static const char *mode_word(const slip_contact_set *set, const slip_contact_branch *s, int i)
{
    if (s->mode[i] == SLIP_IS_OPEN) return "separates";
    if (s->mode[i] == SLIP_IS_STICKING) return "sticks";
    int way = set->slips[i] ? (s->mode[i] == SLIP_IS_FORWARD ? 1 : -1) : set->slide[i];
    return way > 0 ? "slides forward" : way < 0 ? "slides backward" : "stays closed";
}

static void add_branch(line *l, const slip_contact_set *set, const slip_contact_branch *s,
                       const char *const *names)
{
    for (int i = 0; i < set->count && i < 3; i++)
        append_text(l, "%s%s %s", i ? ", " : "", names[set->element[i]], mode_word(set, s, i));
    if (set->count > 3) append_text(l, ", ...");
}

static void add_ambiguous(line *l, const slip_contact_set *set, const slip_set_verdict *j,
                          const char *const *names)
{
    if (j->solutions == 0 || (j->continuum && j->motions < 2)) {
        append_text(l, "the contact problem has infinitely many solutions");
        return;
    }
    append_text(l, "the contact problem has %d solutions", j->solutions);
    for (int k = 0; k < j->kept && k < 4; k++) {
#define AS_STABILITY(name, word) word,
        static const char *const words[] = { SLIP_STABILITIES(AS_STABILITY) };
        append_text(l, "%s", k ? "; " : ": ");
        add_branch(l, set, &j->branch[k], names);
        append_text(l, " (%s%s)", words[j->stability[k]], k == j->taken ? ", taken" : "");
    }
    if (j->taken >= 0 && j->taken == j->preferred) append_text(l, "; the one taken is the only stable one");
}

void slip_set_verdict_text(const slip_contact_set *set, const slip_set_verdict *j, const char *const *names,
                           char *text, int size)
{
    line l = { text, size, 0 };
    text[0] = '\0';
    switch (j->verdict) {
    case SLIP_TRUSTED:
        if (set->count == 0)
            append_text(&l, "nothing touches");
        else
            append_text(&l,
                        j->dependent
                            ? "one motion, whoever carries the load, and a compliant contact settles on it"
                            : "one solution, and a compliant contact settles on it");
        break;
    case SLIP_AMBIGUOUS:
        add_ambiguous(&l, set, j, names);
        break;
    case SLIP_UNSTABLE_BRANCH:
        append_text(&l, "a compliant contact would leave the solution in use (");
        add_branch(&l, set, &j->branch[j->taken >= 0 ? j->taken : 0], names);
        append_text(&l, "): its boundary layer grows at %.3g 1/s", j->growth[j->taken >= 0 ? j->taken : 0]);
        if (j->solutions > 1) append_text(&l, "; there are %d solutions", j->solutions);
        break;
    case SLIP_INCONSISTENT:
        append_text(&l, "the rigid contact problem has no solution (Painleve's paradox)");
        break;
    case SLIP_UNKNOWN_VERDICT:
    case SLIP_VERDICT_COUNT:
        assert(j->verdict != SLIP_VERDICT_COUNT);
        if (j->solutions < 0)
            append_text(&l, "too many contacts to try every mode");
        else if (j->unsure)
            append_text(
                &l, "the contacts depend on one another, and whether other loads give another motion was not "
                    "decided");
        else if (j->dependent || j->solutions > 1)
            append_text(&l, "one motion, but no loads were found on which a compliant contact settles");
        else
            append_text(&l, "the contact is just changing its mode, where no theorem applies");
    }
}
