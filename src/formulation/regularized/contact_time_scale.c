/// formulation/regularized/contact_time_scale.c: how fast contacts are to answer. See contact_time_scale.h.
#include "formulation/regularized/contact_time_scale.h"

#include <float.h>
#include <math.h>

#include "integrator/integrator.h"
#include "dynamics/effective_mass.h"
#include "formulation/regularized/regularized_tolerances.h"

// tau against the step that was asked for, and against the time in which a contact moves its own distance.
// Stiffer is not better: errors of h^2 v^3/R^2 in the velocity across a curved surface are forces that grow
// as 1/tau, and a load a is carried well when they are below a tau.
static const double TAU_OF_STEP = 1e-2, TAU_OF_MOTION_TIME = 3e-5;
static const double TAU_OF_UNLOADED_MOTION_TIME =
    1e-6; // the same where no load is carried: stiffer costs nothing there
// tau against the time in which the smallest open gap is crossed, so that one impact is over before the next
static const double TAU_OF_CLEARANCE_TIME = 1e-2, MIN_TAU_OF_MOTION_TIME = 1e-5;
static const double FRICTION_TAU_OF_CONTACT_TAU =
    0.15; // tau of frictions against that of contacts, by the rules of the step
static const double CREEP_OF_LOAD_SPEED = 0.1; // of the speed that a load gives in tau

slip_contact_time_scale slip_contact_time_scale_of_step(double step)
{
    return (slip_contact_time_scale){ .step = step, .stick = step, .speed = 1.0 };
}

/// What the start of a model says about the motion.
typedef struct survey {
    double until;                        // s, end of the run
    double time;                         // s, in which a contact or friction moves its own distance
    double size, speed, pull, clearance; // the largest three, the smallest open gap
} survey;

static void survey_row(survey *s, slip_mass_probe *probe, const slip_row *row, double size)
{
    slip_row_start course = slip_row_start_of(probe, row);
    size = fmax(size, course.size);
    // what moves nothing in the whole run is rounding, or the foot of a power
    if (course.speed * s->until < UNNOTICED_OF_SIZE * size) course.speed = 0.0;
    if (course.pull * s->until * s->until < UNNOTICED_OF_SIZE * size) course.pull = 0.0;
    if (size > 0.0 && course.pull > 0.0) s->time = fmin(s->time, sqrt(size / course.pull));
    if (size > 0.0 && course.speed > 0.0) s->time = fmin(s->time, size / course.speed);
    s->size = fmax(s->size, size);
    s->speed = fmax(s->speed, course.speed);
    s->pull = fmax(s->pull, course.pull);
}

static survey survey_start(slip_mass_probe *probe, const slip_equations *e, double until)
{
    survey s = { .until = until, .time = INFINITY, .clearance = INFINITY };
    for (int k = 0; k < e->element_count; k++) {
        const slip_element *element = &e->elements[k];
        if (element->has_gap) survey_row(&s, probe, &element->normal, slip_gap_size(probe, element));
        for (int i = 0; i < element->slip_count; i++) survey_row(&s, probe, &element->tangent[i], 0.0);
    }
    for (int k = 0; k < e->element_count; k++) {
        double gap = e->elements[k].has_gap ? slip_gap_at_start(probe, &e->elements[k]) : 0.0;
        if (gap > GAP_CLOSED_OF_SIZE * s.size) s.clearance = fmin(s.clearance, gap);
    }
    return s;
}

// the least tau that the digits of a double allow for
static double min_tau_of_rounding(const survey *s)
{
    if (s->pull > 0.0) return sqrt(DBL_EPSILON * s->size / (MAX_LOAD_ROUNDING * s->pull));
    return s->speed > 0.0 ? DBL_EPSILON * s->size / (MAX_LOAD_ROUNDING * s->speed) : 0.0;
}

static void choose_tau(slip_contact_time_scale *time_scale, const survey *s, const slip_sim_def *settings)
{
    double time = s->time, speed = isfinite(time) ? s->size / time : s->speed;
    double tau = TAU_OF_STEP * settings->step;
    if (isfinite(time) && s->pull > 0.0)
        tau = fmin(fmax(tau, MIN_TAU_OF_MOTION_TIME * time), TAU_OF_MOTION_TIME * time);
    if (s->pull == 0.0) tau = fmin(tau, TAU_OF_UNLOADED_MOTION_TIME * time);
    if (speed > 0.0)
        tau = fmin(tau, fmax(TAU_OF_CLEARANCE_TIME * s->clearance / speed, MIN_TAU_OF_MOTION_TIME * time));
    if (s->speed > 0.0) tau = fmin(tau, TAU_OF_CLEARANCE_TIME * s->clearance / s->speed);
    time_scale->tau = fmax(settings->softness * tau, min_tau_of_rounding(s));
    time_scale->stick = FRICTION_TAU_OF_CONTACT_TAU * time_scale->tau;
    time_scale->size = s->size;
    time_scale->speed = speed > 0.0 ? speed : 1.0;
    time_scale->creep = CREEP_OF_LOAD_SPEED * (s->pull > 0.0 ? s->pull * time_scale->tau
                                                             : UNLOADED_CREEP_OF_SPEED * time_scale->speed);
}

slip_status slip_contact_time_scale_choose(slip_equations *equations, const slip_sim_def *settings,
                                           slip_error *error, slip_contact_time_scale *time_scale)
{
    const slip_integrator *integrator = slip_integrator_named(settings->integrator);
    // an explicit integrator that chooses its own steps follows faster contacts than its first step would
    *time_scale = slip_contact_time_scale_of_step(integrator && integrator->adaptive ? 0.1 * settings->step
                                                                                     : settings->step);
    if (!integrator || !integrator->any_stiffness) return SLIP_OK;
    slip_mass_probe *probe = NULL;
    slip_status status = slip_mass_probe_create(equations, error, &probe);
    if (status != SLIP_OK) return status;
    survey s = survey_start(probe, equations, settings->until);
    slip_mass_probe_destroy(probe);
    choose_tau(time_scale, &s, settings);
    time_scale->located = integrator->finer;
    return SLIP_OK;
}
