/// formulation/moreau/moreau_force_discontinuity.c: internal steps end where forces and frictions jump or
/// bend along the motion, or change on a short way.
#include "formulation/moreau/moreau.h"
#include "formulation/moreau/moreau_tolerances.h"

enum { MAX_DISCONTINUITIES_PER_STEP = 32 };

// q' and u' at an end of the attempt, whose acceleration is taken as constant
static void fill_rates(slip_moreau *m, double t, double dt, const double *x, const slip_moreau_step *step,
                       double *rate)
{
    const int n = m->n;
    slip_system_velocity(m->system, t, x, x + n, &m->terms, rate);
    for (int i = 0; i < n; i++) rate[n + i] = (m->trial.x[n + i] - step->x[n + i]) / dt;
}

double slip_moreau_time_to_discontinuity(slip_moreau *m, double t, double dt, const slip_moreau_step *step)
{
    slip_force_discontinuity *b = &m->border;
    if (b->count == 0 || step->history.borders >= MAX_DISCONTINUITIES_PER_STEP) return dt;
    fill_rates(m, t, dt, step->x, step, b->rate);
    fill_rates(m, t + dt, dt, m->trial.x, step, b->rate_end);
    const slip_step_interval leg = { t, dt, step->x, b->rate, m->trial.x, b->rate_end };
    const double after = dt * slip_force_discontinuity_first(b, &leg);
    return after > AT_DISCONTINUITY_OF_STEP * m->step ? after : dt;
}

double slip_moreau_time_to_narrow_feature(slip_moreau *m, double t, double dt, const slip_moreau_step *step)
{
    slip_narrow_features *s = &m->narrow;
    if (s->count == 0 || step->history.substeps >= m->max_substeps) return dt;
    fill_rates(m, t, dt, step->x, step, s->rate);
    fill_rates(m, t + dt, dt, m->trial.x, step, s->rate_end);
    const slip_step_interval leg = { t, dt, step->x, s->rate, m->trial.x, s->rate_end };
    const double after = dt * slip_narrow_features_midpoint(s, &leg);
    return after > AT_DISCONTINUITY_OF_STEP * m->step ? after : dt;
}
