/// study/compare/comparison_reference.c: the reference motion with which formulations are compared.
#include "study/compare/comparison_reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "study/compare/compare_tolerances.h"

enum { COMPARED_INSTANTS = 64, MAX_REFINEMENTS = 5 };

// ----------------------------------------------------------------------------------------- motions

bool slip_reference_create(slip_reference *r, const slip_measured_model *watched)
{
    slip_sim *sim = NULL;
    slip_sim_def def = slip_default_sim_def();
    r->watched = watched;
    r->scale = calloc((size_t)watched->coordinate_count + 1, sizeof *r->scale);
    for (int k = 0; slip_formulation_at(k) && !sim;
         k++) { // the first one that accepts the model defines its columns
        def.formulation = slip_formulation_at(k)->info.name;
        def.step = r->step, def.until = r->until;
        slip_sim_create(watched->plain, &def, NULL, &sim);
    }
    bool fine = r->scale && sim && slip_trajectory_samples_create(&r->instants, sim);
    for (int j = 0; j < COMPARED_INSTANTS && fine; j++)
        r->instants.time[r->instants.count++] = r->until * (j + 1) / COMPARED_INSTANTS;
    slip_sim_destroy(sim);
    return fine;
}

void slip_reference_destroy(slip_reference *r)
{
    slip_trajectory_samples_destroy(&r->instants);
    slip_trajectory_samples_destroy(&r->track);
    free(r->scale);
}

bool slip_reference_trace(const slip_reference *r, const char *formulation, double step,
                          slip_trajectory_samples *track, double *seconds)
{
    slip_sim *sim = NULL;
    slip_sim_def def = slip_default_sim_def();
    def.formulation = formulation;
    def.step = step, def.until = r->until;
    double begin = slip_thread_seconds();
    *track = (slip_trajectory_samples){ 0 };
    if (slip_sim_create(r->watched->plain, &def, NULL, &sim) != SLIP_OK)
        return true; // this formulation does not apply
    bool fine = slip_trajectory_samples_create(track, sim);
    if (fine) slip_trajectory_samples_follow(track, &r->instants, sim, r->stop);
    slip_sim_destroy(sim);
    if (seconds) *seconds = slip_thread_seconds() - begin;
    return fine;
}

static void measure_motion(slip_reference *r, const slip_trajectory_samples *a)
{
    double widest = 0.0;
    for (int k = 0; k < a->n; k++) {
        r->scale[k] = a->high[k] - a->low[k];
        widest = fmax(widest, r->scale[k]);
    }
    for (int k = 0; k < a->n; k++)
        r->scale[k] =
            fmax(fmax(r->scale[k], MIN_MOTION_SHARE * widest), MOTION_ROUNDING * fmax(1.0, fabs(a->high[k])));
}

double slip_reference_distance(const slip_reference *r, const slip_trajectory_samples *a,
                               const slip_trajectory_samples *b)
{
    double most = 0.0;
    if (a->count < COMPARED_INSTANTS || b->count < COMPARED_INSTANTS) return INFINITY;
    for (int j = 0; j < COMPARED_INSTANTS; j++)
        for (int k = 0; k < a->n; k++) {
            size_t at = (size_t)j * (size_t)a->n + (size_t)k;
            double off = fabs(a->q[at] - b->q[at]) / r->scale[k];
            if (!(off <= most)) most = isnan(off) ? INFINITY : off;
        }
    return most;
}

// ---------------------------------------------------------------------------------------- candidates

/// The best motion of one family.
typedef struct candidate {
    int row;
    double step; // NaN for a formulation without discretisation error
    slip_trajectory_samples track;
    bool settled; // two resolutions of it agree
} candidate;

// The row of a family that is the best reference: trusted ones come first.
static int best_row(const slip_comparison *c, const char *family, int other)
{
    int best = -1;
    for (int k = 0; k < c->count; k++) {
        const slip_compare_row *row = &c->rows[k], *to_beat = best < 0 ? NULL : &c->rows[best];
        const slip_formulation *f = slip_formulation_named(row->formulation);
        if (k == other || !row->applies || row->outcome != SLIP_DONE || !f->family ||
            strcmp(f->family, family) != 0)
            continue;
        bool better = !to_beat || (row->trusted && !to_beat->trusted) ||
                      (row->trusted == to_beat->trusted && f->reference &&
                       f->reference < slip_formulation_named(to_beat->formulation)->reference);
        if (better) best = k;
    }
    return best;
}

// Refines the step until two resolutions agree, or the budget is spent.
static slip_status refine_candidate(slip_reference *r, const char *formulation, candidate *out)
{
    double spent = 0.0, seconds = 0.0, step = r->step;
    bool exact = slip_formulation_named(formulation)->no_step_error;
    if (!slip_reference_trace(r, formulation, step, &out->track, &seconds)) return SLIP_NO_MEMORY;
    out->step = exact ? NAN : step;
    out->settled = exact;
    measure_motion(r, &out->track);
    for (int k = 0; k < MAX_REFINEMENTS && !out->settled && !(r->stop && *r->stop); k++) {
        spent += seconds;
        if (spent + 4.0 * seconds > fmax(r->budget, 4.0 * seconds) && k > 0) break;
        slip_trajectory_samples finer;
        step *= CANDIDATE_STEP_FACTOR;
        if (!slip_reference_trace(r, formulation, step, &finer, &seconds)) {
            slip_trajectory_samples_destroy(&finer);
            return SLIP_NO_MEMORY;
        }
        out->settled =
            slip_reference_distance(r, &out->track, &finer) <= CANDIDATE_AGREEMENT_SHARE * COMPARE_AGREEMENT;
        slip_trajectory_samples_destroy(&out->track);
        out->track = finer;
        out->step = step;
        measure_motion(r, &out->track);
    }
    return SLIP_OK;
}

static void name_candidate(const slip_comparison *c, const candidate *a, char *text, size_t size)
{
    const char *name = c->rows[a->row].formulation;
    if (isnan(a->step))
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%s with step %g s", name, a->step);
}

// Chooses two families that have run, the better one first; returns their number.
static int choose_pair(const slip_comparison *c, int pair[2])
{
    static const char *const families[] = { SLIP_FAMILY_EVENT_DRIVEN, SLIP_FAMILY_TIME_STEPPING,
                                            SLIP_FAMILY_COMPLIANT, SLIP_FAMILY_COMPLIANT };
    int count = 0;
    for (size_t k = 0; k < sizeof families / sizeof *families && count < 2; k++) {
        int row = best_row(c, families[k], count ? pair[0] : -1);
        if (row >= 0) pair[count++] = row;
    }
    if (count == 2 && !c->rows[pair[0]].trusted && c->rows[pair[1]].trusted) {
        const int first = pair[0];
        pair[0] = pair[1], pair[1] = first;
    }
    return count;
}

slip_status slip_reference_find(slip_reference *r, slip_comparison *c)
{
    int pair[2], count = choose_pair(c, pair);
    candidate a = { 0 }, b = { 0 };
    c->reference_row = count ? pair[0] : -1;
    if (count == 0) return SLIP_OK;
    char first[80], second[80];
    a.row = pair[0];
    slip_status status = refine_candidate(r, c->rows[a.row].formulation, &a);
    if (status == SLIP_OK) name_candidate(c, &a, first, sizeof first);
    if (status == SLIP_OK && count == 2) {
        b.row = pair[1];
        status = refine_candidate(r, c->rows[b.row].formulation, &b);
    }
    if (status == SLIP_OK) {
        measure_motion(r, &a.track);
        snprintf(c->reference, sizeof c->reference, "%s", first);
        c->confirmed = false;
        c->disputed = !a.settled;
        if (count == 2) {
            name_candidate(c, &b, second, sizeof second);
            double apart = slip_reference_distance(r, &a.track, &b.track);
            c->confirmed = apart <= COMPARE_AGREEMENT;
            c->disputed = !c->confirmed;
            if (c->confirmed)
                snprintf(c->reference, sizeof c->reference, "%s, confirmed by %s", first, second);
            else
                snprintf(c->reference, sizeof c->reference,
                         "disputed: %s and %s differ by %.2g %% of the motion", first, second, 100.0 * apart);
        }
        if (!c->rows[a.row].trusted) {
            // what warns of itself is no reference for others, whoever agrees with it
            c->disputed = true, c->confirmed = false;
            snprintf(c->reference, sizeof c->reference, "disputed: %s is doubtful itself (%.100s)", first,
                     c->rows[a.row].text);
        }
        r->track = a.track;
        a.track = (slip_trajectory_samples){ 0 };
    }
    slip_trajectory_samples_destroy(&a.track);
    slip_trajectory_samples_destroy(&b.track);
    return status;
}
