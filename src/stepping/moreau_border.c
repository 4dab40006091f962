/// stepping/moreau_border.c: internal steps end where forces and frictions jump or bend along the motion, or
/// change on a short way.
#include "stepping/moreau.h"

enum { MAX_BORDERS = 32 };       // met in a step
static const double SOON = 1e-9; // of a step: a border that is nearer is where the motion is

// q' and u' at an end of the attempt, whose acceleration is taken as constant
static void fill_rates(slip_moreau *m, double t, double dt, const double *x, const slip_moreau_step *step,
                       double *rate)
{
    const int n = m->n;
    slip_system_velocity(m->system, t, x, x + n, &m->terms, rate);
    for (int i = 0; i < n; i++) rate[n + i] = (m->trial.x[n + i] - step->x[n + i]) / dt;
}

double slip_moreau_to_border(slip_moreau *m, double t, double dt, const slip_moreau_step *step)
{
    slip_force_border *b = &m->border;
    if (b->count == 0 || step->course.borders >= MAX_BORDERS) return dt;
    fill_rates(m, t, dt, step->x, step, b->rate);
    fill_rates(m, t + dt, dt, m->trial.x, step, b->rate_end);
    const slip_leg leg = { t, dt, step->x, b->rate, m->trial.x, b->rate_end };
    const double after = dt * slip_force_border_first(b, &leg);
    return after > SOON * m->step ? after : dt;
}

double slip_moreau_to_narrow(slip_moreau *m, double t, double dt, const slip_moreau_step *step)
{
    slip_narrow *s = &m->narrow;
    if (s->count == 0 || step->course.substeps >= m->max_substeps) return dt;
    fill_rates(m, t, dt, step->x, step, s->rate);
    fill_rates(m, t + dt, dt, m->trial.x, step, s->rate_end);
    const slip_leg leg = { t, dt, step->x, s->rate, m->trial.x, s->rate_end };
    const double after = dt * slip_narrow_of_middle(s, &leg);
    return after > SOON * m->step ? after : dt;
}
