/// dynamics/contact/static_equilibrium.c: letting go of a model in a thick fluid, see static_equilibrium.h.
#include "dynamics/contact/static_equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/contact/static_equilibrium_search.h"
#include "dynamics/dynamics_tolerances.h"

static slip_status out_of_memory(slip_error *error)
{
    return slip_fail(error, SLIP_NO_MEMORY, "start: at rest", "out of memory");
}

// ------------------------------------------------------------------------------------------ other starts

enum { MAX_MULTISTART_COORDINATES = 12 }; // coordinates up to which other starts are tried, two for each

static const double FULL_TURN = 6.28318530717958648;

static bool is_same_place(const slip_static_search *r, const double *a, const double *b)
{
    const slip_coordinate *c = r->system->equations->model->coordinates;
    for (int k = 0; k < r->n; k++) {
        double apart = a[k] - b[k];
        if (strcmp(c[k].unit, "rad") == 0) apart = remainder(apart, FULL_TURN); // whole turns apart: the same
        if (!r->frozen[k] && fabs(apart) > SAME_EQUILIBRIUM * (1.0 + fabs(a[k]))) return false;
    }
    return true;
}

// equilibria that are met from starts to both sides along each coordinate; the first is described in `text`
static int count_others(slip_static_search *r, const double *start, double *found, char *text, size_t size)
{
    enum { MAX_KEPT = 2 * MAX_MULTISTART_COORDINATES };
    int n = r->n, count = 0;
    if (n > MAX_MULTISTART_COORDINATES) return 0;
    double kept[MAX_KEPT][MAX_MULTISTART_COORDINATES];
    for (int k = 0; k < 2 * n; k++) {
        int at = k / 2;
        if (r->frozen[at]) continue;
        bool angle = strcmp(r->system->equations->model->coordinates[at].unit, "rad") == 0;
        double far = angle ? 1.5 : fmax(0.1, 1.7 * fabs(start[at]));
        slip_static_equilibrium about = { 0 };
        memcpy(r->q, start, (size_t)n * sizeof *r->q);
        r->q[at] += k % 2 ? -far : far;
        if (slip_static_search_run(r) != SLIP_STATIC_FOUND || is_same_place(r, r->q, found)) continue;
        slip_static_search_classify(r, &about);
        bool again = about.unstable;
        for (int j = 0; j < count && !again; j++) again = is_same_place(r, r->q, kept[j]);
        if (again) continue;
        memcpy(kept[count++], r->q, (size_t)n * sizeof *r->q);
        if (count == 1)
            for (int j = 0, length = 0; j < n && length < (int)size - 40; j++)
                if (!r->frozen[j])
                    length +=
                        snprintf(text + length, size - (size_t)length, "%s%.30s = %.4g", length ? ", " : "",
                                 r->system->equations->model->coordinates[j].name, r->q[j]);
    }
    return count;
}

// ------------------------------------------------------------------------------------------------- words

static void describe_equilibrium(slip_static_equilibrium *rest, int coordinates, const char *other)
{
    if (rest->held)
        snprintf(rest->text, sizeof rest->text,
                 "friction holds it, and would hold it at other places nearby: this is the one reached from "
                 "the given "
                 "start");
    else if (rest->neutral)
        snprintf(rest->text, sizeof rest->text,
                 "it can stay at other places nearby too: this is the one reached from the given start");
    else if (rest->others > 0)
        snprintf(rest->text, sizeof rest->text,
                 "the equilibrium reached from the given start; there %s %s: %s",
                 rest->others == 1 ? "is" : "are", rest->others == 1 ? "another one" : "others, one of them",
                 other);
    else if (coordinates > MAX_MULTISTART_COORDINATES)
        snprintf(rest->text, sizeof rest->text,
                 "an equilibrium; with more than %d coordinates others are not searched for",
                 MAX_MULTISTART_COORDINATES);
    else
        snprintf(rest->text, sizeof rest->text, "one equilibrium was found");
    size_t length = strlen(rest->text);
    if (rest->unstable) snprintf(rest->text + length, sizeof rest->text - length, "; it is unstable");
}

static slip_status fail_not_found(const slip_model *model, const slip_static_search *r,
                                  slip_static_search_outcome end, slip_error *error)
{
    char place[200];
    slip_span_place(model->at_rest_at, place, (int)sizeof place);
    if (end == SLIP_STATIC_SINGULAR_MASS)
        return slip_fail(error, SLIP_BAD_MODEL, place,
                         "the mass matrix is not positive definite where it starts");
    return slip_fail(error, SLIP_BAD_MODEL, place,
                     end == SLIP_STATIC_DIVERGED
                         ? "there is no place to rest: nothing stops '%s', which has come to %.3g"
                         : "no place to rest was found: '%s' still moves at %.3g",
                     model->coordinates[r->worst].name, r->q[r->worst]);
}

slip_status slip_static_equilibrium_find(const slip_model *model, double *q, slip_static_equilibrium *rest,
                                         slip_error *error)
{
    *rest = (slip_static_equilibrium){ 0 };
    slip_static_search *r = NULL;
    slip_status status = slip_static_search_create(model, error, &r);
    if (status != SLIP_OK) return status;
    int n = r->n;
    double *start = malloc(((size_t)n + 1) * sizeof *start);
    if (!start) {
        slip_static_search_destroy(r);
        return out_of_memory(error);
    }
    for (int k = 0; k < n; k++) start[k] = r->q[k] = model->coordinates[k].start;
    slip_static_search_outcome end = slip_static_search_run(r);
    if (end == SLIP_STATIC_FOUND) {
        char other[160] = "";
        memcpy(q, r->q, (size_t)n * sizeof *q);
        slip_static_search_classify(r, rest);
        if (!rest->held && !rest->neutral) rest->others = count_others(r, start, q, other, sizeof other);
        describe_equilibrium(rest, n, other);
    } else {
        status = fail_not_found(model, r, end, error);
    }
    free(start);
    slip_static_search_destroy(r);
    return status;
}

slip_status slip_static_equilibrium_model(const slip_model *model, slip_static_equilibrium *rest,
                                          slip_error *error, slip_model **rested)
{
    *rested = NULL;
    size_t count = (size_t)model->coordinate_count;
    slip_model *copy = malloc(sizeof *copy + count * (sizeof *copy->coordinates + sizeof(double)));
    if (!copy) return out_of_memory(error);
    slip_coordinate *coordinates = (void *)(copy + 1);
    double *q = (void *)(coordinates + count);
    slip_status status = slip_static_equilibrium_find(model, q, rest, error);
    if (status != SLIP_OK) {
        free(copy);
        return status;
    }
    *copy = *model;
    copy->coordinates = coordinates;
    for (size_t k = 0; k < count; k++) {
        coordinates[k] = model->coordinates[k];
        coordinates[k].start = q[k];
    }
    *rested = copy;
    return SLIP_OK;
}
