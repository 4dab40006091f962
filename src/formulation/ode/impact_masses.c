/// formulation/ode/impact_masses.c: the mass that falls to each contact of an impact. See impact_masses.h.
#include "formulation/ode/impact_masses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "model/model.h"
#include "formulation/ode/ode_tolerances.h"

// Contacts of one impact, and directions of each; impacts of more keep the masses of single contacts.
enum { MAX_SET = 16, DIRECTIONS = 3, MAX_ROWS = MAX_SET * DIRECTIONS };
// Operations that one impact may take, and most sweeps over it.
enum { MAX_OPERATIONS = 4000000, MAX_SWEEPS = 6000, PROXIMAL_STEPS = 12 };

struct slip_impact_masses {
    const slip_ode *ode;
    slip_contact_response *response;
    int count;
    const int *element;

    // the impact at hand
    int size, rows;
    int contact[MAX_SET];   // of the set
    bool strikes[MAX_SET];  // or rests
    int first[MAX_SET + 1]; // its first row, which is the normal one
    double e[MAX_SET], mu[MAX_SET];
    double W[MAX_ROWS * MAX_ROWS], before[MAX_ROWS], P[MAX_ROWS], centre[MAX_ROWS];
    double *y;
};

slip_status slip_impact_masses_create(const slip_ode *ode, int count, const int *element,
                                      slip_contact_response *response, slip_impact_masses **out)
{
    *out = NULL;
    bool any = false;
    for (int k = 0; k < count; k++) any = any || ode->elements[element[k]].impact.stiffness >= 0;
    if (!any || !response) return SLIP_OK;
    slip_impact_masses *s = calloc(1, sizeof *s);
    double *y = calloc((size_t)ode->equations->n + 1, sizeof *y);
    if (!s || !y) {
        free(s);
        free(y);
        return SLIP_NO_MEMORY;
    }
    s->ode = ode, s->response = response, s->count = count, s->element = element, s->y = y;
    *out = s;
    return SLIP_OK;
}

void slip_impact_masses_destroy(slip_impact_masses *s)
{
    if (!s) return;
    free(s->y);
    free(s);
}

// ------------------------------------------------------------------------------------------ Newton's law

// W and the rates before, for all directions of the set
static void fill_problem(slip_impact_masses *s)
{
    for (int j = 0; j < s->size; j++)
        for (int b = 0; b < s->first[j + 1] - s->first[j]; b++) {
            const int column = s->first[j] + b;
            s->before[column] = slip_contact_response_rate(s->response, s->contact[j], b);
            slip_contact_response_velocities(s->response, s->contact[j], b, s->y);
            for (int i = 0; i < s->size; i++)
                for (int a = 0; a < s->first[i + 1] - s->first[i]; a++)
                    s->W[(s->first[i] + a) * s->rows + column] =
                        slip_contact_response_along(s->response, s->contact[i], a, s->y);
        }
}

// the rate of a row after the impulses so far, and what draws these to the centre
static double rate_after(const slip_impact_masses *s, int row, double ease)
{
    double v = s->before[row] + ease * (s->P[row] - s->centre[row]);
    for (int c = 0; c < s->rows; c++) v += s->W[row * s->rows + c] * s->P[c];
    return v;
}

// one contact, given the others; returns the largest change of an impulse
static double sweep_contact(slip_impact_masses *s, int j, double ease)
{
    const int n = s->first[j], slips = s->first[j + 1] - n - 1;
    const double closing = fmin(0.0, s->before[n]), old = s->P[n];
    s->P[n] = fmax(0.0, old - (rate_after(s, n, ease) + s->e[j] * closing) / (s->W[n * s->rows + n] + ease));
    double moved = fabs(s->P[n] - old), was[2] = { 0.0, 0.0 }, size = 0.0;
    for (int a = 1; a <= slips; a++) {
        const int t = n + a;
        was[a - 1] = s->P[t];
        s->P[t] -= rate_after(s, t, ease) / (s->W[t * s->rows + t] + ease);
        size = slip_hypot(size, s->P[t]);
    }
    for (int a = 1; a <= slips; a++) {
        if (size > s->mu[j] * s->P[n]) s->P[n + a] *= s->mu[j] * s->P[n] / size;
        moved = fmax(moved, fabs(s->P[n + a] - was[a - 1]));
    }
    return moved;
}

// projected Gauss-Seidel; returns how many sweeps are left
static int sweep_contacts(slip_impact_masses *s, double ease, int sweeps)
{
    for (; sweeps > 0; sweeps--) {
        double moved = 0.0, most = 0.0;
        for (int j = 0; j < s->size; j++) {
            moved = fmax(moved, sweep_contact(s, j, ease));
            most = fmax(most, s->P[s->first[j]]);
        }
        if (moved <= IMPULSES_CONVERGED * most) break;
    }
    return sweeps;
}

// Impulses by the proximal point method: those nearest to the last ones, from 0 on, so that redundant contacts
// share an impulse evenly.
static void solve_impact(slip_impact_masses *s)
{
    double ease = 0.0;
    for (int r = 0; r < s->rows; r++) ease = fmax(ease, s->W[r * s->rows + r]);
    ease *= s->size > 1 ? REDUNDANT_IMPULSE_EASE : 0.0;
    memset(s->P, 0, sizeof s->P);
    int sweeps = MAX_OPERATIONS / (s->rows * s->rows);
    if (sweeps > MAX_SWEEPS) sweeps = MAX_SWEEPS;
    for (int k = 0; k < PROXIMAL_STEPS && sweeps > 0; k++) {
        memcpy(s->centre, s->P, sizeof s->centre);
        sweeps = sweep_contacts(s, ease, sweeps);
    }
}

// --------------------------------------------------------------------------------------------- the set

static const slip_impact_following *following_of(const slip_impact_masses *s, int k)
{
    return &s->ode->elements[s->element[k]].impact;
}

static void add_to_set(slip_impact_masses *s, int k, bool strikes)
{
    const int j = s->size++, slips = slip_contact_response_slips(s->response, k);
    s->contact[j] = k;
    s->strikes[j] = strikes;
    s->e[j] = s->ode->equations->elements[s->element[k]].contact->restitution;
    s->mu[j] = slip_contact_response_friction(s->response, k);
    s->first[j] = s->rows;
    s->rows += 1 + (s->mu[j] > 0.0 ? slips : 0);
    s->first[j + 1] = s->rows;
}

// Those that touch now, or will while this impact lasts, and those at rest. One in the middle of an impact
// keeps what it has, and takes no part. False when they are too many.
static bool collect_set(slip_impact_masses *s, double time, const unsigned char *touched, const double *gap,
                        const double *rate)
{
    double fastest = 0.0;
    for (int k = 0; k < s->count; k++)
        if (touched[k]) fastest = fmax(fastest, -rate[k]);
    const double slow = RESTING_OF_IMPACT_SPEED * fastest;
    s->size = s->rows = 0;
    for (int k = 0; k < s->count; k++) {
        const bool soon = -rate[k] > slow && fabs(gap[k]) <= TOGETHER_WITHIN_TAU * time * -rate[k] &&
                          gap[k] > -BEGUN_IMPACT_OF_TAU * time * -rate[k];
        const bool rests = gap[k] <= BEGUN_IMPACT_OF_TAU * time * fastest && fabs(rate[k]) <= slow;
        if (!touched[k] && !soon && !rests) continue;
        if (s->size == MAX_SET) return false;
        add_to_set(s, k, soon || (touched[k] && -rate[k] > slow));
    }
    return s->size > 0 && fastest > 0.0;
}

// leaves out those whose touch-down belongs to an impact that is going on; whether any are left
static bool leave_out_begun(const slip_impact_masses *s, double t, const double *x, unsigned char *touched)
{
    bool any = false;
    for (int k = 0; k < s->count; k++) {
        const slip_impact_following *a = following_of(s, k);
        if (a->stiffness >= 0 && t < x[a->until]) touched[k] = 0;
        any = any || touched[k];
    }
    return any;
}

// kg, what falls to contact j of the set; it stays within bounds, because the stiffness follows it
static double mass_of(const slip_impact_masses *s, int j)
{
    const int n = s->first[j];
    const double inverse = s->W[n * s->rows + n], alone = 1.0 / inverse;
    if (!(inverse > 0.0)) return NAN;
    const double mass = s->P[n] / ((1.0 + s->e[j]) * -s->before[n]);
    if (!(mass > 0.0)) return alone;
    return fmin(fmax(mass, MIN_SHARED_MASS * alone), MAX_SHARED_MASS * alone);
}

// How much longer than tau squared this impact takes, so that no stiffness is much above that which its contact
// has alone: stiffer ones turn the rounding of gaps into forces.
static double stretch_of(const slip_impact_masses *s)
{
    double most = 1.0;
    for (int j = 0; j < s->size; j++) {
        const slip_impact_following *a = following_of(s, s->contact[j]);
        const double ratio = mass_of(s, j) * s->W[s->first[j] * (s->rows + 1)];
        if (a->stiffness >= 0 && s->strikes[j]) most = fmax(most, ratio / MAX_STIFFER);
    }
    return most;
}

static void set_striking(const slip_impact_masses *s, int j, double t, double fastest, double stretch,
                         double *x)
{
    const slip_impact_following *a = following_of(s, s->contact[j]);
    const double mass = mass_of(s, j) / a->mass, slower = fastest / -s->before[s->first[j]];
    if (a->stiffness < 0 || !isfinite(mass)) return;
    // K d^n is to be proportional to m v for every speed v of the set
    x[a->stiffness] = a->given ? 0.0 : mass / stretch * slip_pow(slower, a->exponent - 1.0) - 1.0;
    x[a->damping] = a->zeta * ((a->given ? sqrt(mass) : mass / sqrt(stretch)) - 1.0);
    if (a->slower >= 0) x[a->slower] = sqrt(stretch) - 1.0;
    x[a->until] = t + TOGETHER_WITHIN_TAU * sqrt(stretch) * s->ode->tau;
}

static void set_states(const slip_impact_masses *s, double t, double stretch, double *x,
                       unsigned char *touched)
{
    double fastest = 0.0;
    for (int j = 0; j < s->size; j++) fastest = fmax(fastest, -s->before[s->first[j]]);
    for (int j = 0; j < s->size; j++) {
        const slip_impact_following *a = following_of(s, s->contact[j]);
        touched[s->contact[j]] |= s->strikes[j];
        if (s->strikes[j])
            set_striking(s, j, t, fastest, stretch, x);
        else if (a->stiffness >= 0 && s->P[s->first[j]] > 0.0)
            x[a->damping] = a->hold;
    }
}

// the set that strikes within `time`, and its impulses
static bool solve_set(slip_impact_masses *s, double time, const unsigned char *touched, const double *gap,
                      const double *rate)
{
    if (!collect_set(s, time, touched, gap, rate)) return false;
    fill_problem(s);
    solve_impact(s);
    return true;
}

void slip_impact_masses_update(slip_impact_masses *s, double t, double *x, unsigned char *touched,
                               const double *gap, const double *rate)
{
    if (!s || !leave_out_begun(s, t, x, touched) || !slip_contact_response_evaluate(s->response, t, x) ||
        !solve_set(s, LONGEST_IMPACT_OVER_TAU * s->ode->tau, touched, gap, rate))
        return;
    // how long this impact lasts says who takes part in it
    const double time = fmin(sqrt(stretch_of(s)), LONGEST_IMPACT_OVER_TAU) * s->ode->tau;
    if (s->size > 1 && !solve_set(s, time, touched, gap, rate)) return;
    set_states(s, t, stretch_of(s), x, touched);
}
