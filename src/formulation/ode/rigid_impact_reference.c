/// formulation/ode/rigid_impact_reference.c: what rigid contacts would make of an impact with friction. See rigid_impact_reference.h.
#include "formulation/ode/rigid_impact_reference.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "base/linalg/linalg.h"

struct slip_impact_reference {
    const slip_ode *ode;
    slip_contact_response *response; // borrowed
    double *velocities;              // n for each direction
};

slip_status slip_impact_reference_create(const slip_ode *ode, int count, slip_contact_response *response,
                                         slip_impact_reference **out)
{
    *out = NULL;
    bool any = false;
    for (int k = 0; k < count && response; k++) any = any || slip_contact_response_slips(response, k);
    if (!any || ode->equations->constraint_count) return SLIP_OK;
    slip_impact_reference *r = calloc(1, sizeof *r);
    if (!r) return SLIP_NO_MEMORY;
    *r = (slip_impact_reference){ .ode = ode, .response = response };
    r->velocities = malloc(3 * (size_t)ode->equations->n * sizeof *r->velocities);
    if (r->velocities) {
        *out = r;
        return SLIP_OK;
    }
    slip_impact_reference_destroy(r);
    return SLIP_NO_MEMORY;
}

void slip_impact_reference_destroy(slip_impact_reference *r)
{
    if (!r) return;
    free(r->velocities);
    free(r);
}

// ------------------------------------------------------------------------------------------ one contact

// W = w' M^-1 w of contact k, 3 x 3
static void delassus_matrix(slip_impact_reference *r, int k, double (*W)[3])
{
    const int slips = slip_contact_response_slips(r->response, k);
    for (int b = 0; b <= slips; b++) {
        slip_contact_response_velocities(r->response, k, b, r->velocities);
        for (int a = 0; a <= slips; a++)
            W[a][b] = slip_contact_response_along(r->response, k, a, r->velocities);
    }
}

static slip_contact_rates contact_rates_of(const slip_impact_reference *r, int k)
{
    slip_contact_rates v = { .gap = slip_contact_response_rate(r->response, k, 0) };
    for (int a = 0; a < slip_contact_response_slips(r->response, k); a++)
        v.slip[a] = slip_contact_response_rate(r->response, k, a + 1);
    return v;
}

// what does not depend on rates alone; no contact pushes
bool slip_impact_reference_is_pressed(slip_impact_reference *r, int k, double t, const double *x)
{
    if (!slip_contact_response_evaluate(r->response, t, x)) return false;
    slip_contact_response_forces(r->response, r->velocities);
    return slip_contact_response_along(r->response, k, 0, r->velocities) < 0.0;
}

slip_contact_rates slip_impact_reference_rates(slip_impact_reference *r, int k, double t, const double *x)
{
    slip_contact_response_evaluate(r->response, t, x);
    return contact_rates_of(r, k);
}

// whether friction is enough to end the slip
static bool friction_stops_slip(int slips, double (*W)[3], slip_contact_rates v, double mu, double e)
{
    double A[9], P[3] = { -(1.0 + e) * v.gap, -v.slip[0], -v.slip[1] };
    int size = slips + 1;
    for (int a = 0; a < size; a++)
        for (int b = 0; b < size; b++) A[a * size + b] = W[a][b];
    if (!slip_cholesky(size, A)) return false;
    slip_cholesky_solve(size, A, P);
    return P[0] >= 0.0 && slip_hypot(P[1], slips > 1 ? P[2] : 0.0) <= mu * P[0];
}

// the slip after an impact that slides the way s; NaN when it does not
static double slip_after_sliding(double (*W)[3], slip_contact_rates v, double mu, double e, double s)
{
    double eased = W[0][0] - mu * s * W[0][1], P = -(1.0 + e) * v.gap / eased;
    double slip = v.slip[0] + (W[1][0] - mu * s * W[1][1]) * P;
    return eased > 0.0 && s * slip > 0.0 ? slip : NAN;
}

bool slip_impact_reference_solve(slip_impact_reference *r, int k, double t, const double *x, double e,
                                 slip_contact_rates *before, slip_contact_rates *after)
{
    double W[3][3];
    const int slips = slip_contact_response_slips(r->response, k);
    if (!slips || !slip_contact_response_evaluate(r->response, t, x)) return false;
    *before = contact_rates_of(r, k);
    if (!(before->gap < 0.0)) return false;
    delassus_matrix(r, k, W);
    const double mu = slip_contact_response_friction(r->response, k);
    *after = (slip_contact_rates){ .gap = -e * before->gap };
    const bool held = friction_stops_slip(slips, W, *before, mu, e);
    if (slips > 1) return held; // where a slip in space ends takes a process
    double there = slip_after_sliding(W, *before, mu, e, 1.0),
           back = slip_after_sliding(W, *before, mu, e, -1.0);
    if (held + !isnan(there) + !isnan(back) != 1) return false;
    if (!held) after->slip[0] = isnan(there) ? back : there;
    return true;
}
