/// integrator/cvode.c: the backward differentiation formulas of SUNDIALS' CVODE, orders 1 to 5, with error
/// control.
///
/// A multistep method depends on its history, which is kept as long as each step continues from the state
/// that the last one left, to the bit; from any other state it starts anew at order 1. CVODE takes its step
/// ahead of the call: states within that step are values of the polynomial through its history, and cost
/// almost nothing. Quadratures are integrated along that polynomial by Gauss' rule of order 6.
#include "integrator/integrator.h"

#include "slipstick_config.h"

#define SUMMARY                                                                                              \
    "multistep (BDF of SUNDIALS), orders 1 to 5, with error control: stiff and smooth, high accuracy"
#define REFERENCE "Hindmarsh and others 2005"

#if SLIP_HAVE_SUNDIALS

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

// A jump is located by halving the step as often as necessary, not just the seven times that are CVODE's
// default.
enum { MAX_ERROR_TEST_FAILURES = 60 };

typedef struct history {
    const slip_ode_problem *problem;
    int n; // components without the quadratures, which CVODE does not see
    double relative, absolute;
    SUNContext context;
    void *cvode;
    N_Vector state;  // the state of CVODE: the end of the step ahead
    N_Vector middle; // a state within that step
    SUNMatrix matrix;
    SUNLinearSolver solver;
    double *end, *within;     // entries of `state` and of `middle`, with room for quadratures
    double *from, from_t;     // start of the step ahead
    double *x, *xdot;         // one evaluation, with quadratures
    double length;            // of the step ahead
    bool begun;               // there is a step ahead
    slip_run_outcome outcome; // its outcome
} history;

static void cvode_layout(slip_arena *arena, int count, slip_integrator_work *work)
{
    for (int k = 0; k < 4; k++) work->k[k] = SLIP_TAKE(arena, double, count);
    work->stage = SLIP_TAKE(arena, double, count);
    work->low = SLIP_TAKE(arena, double, count);
    work->history = SLIP_TAKE(arena, history, 1);
}

// ------------------------------------------------------------------------------------ what CVODE calls

static bool all_finite(const double *x, int count)
{
    double sum = 0.0; // 0 * x is 0 for every finite number and NaN for the rest
    for (int k = 0; k < count; k++) sum += 0.0 * x[k];
    return sum == 0.0;
}

// above 0: CVODE tries a shorter step
static int cvode_rate(realtype t, N_Vector y, N_Vector ydot, void *user)
{
    history *h = user;
    size_t bytes = (size_t)h->n * sizeof *h->x;
    memcpy(h->x, N_VGetArrayPointer(y), bytes);
    if (!h->problem->rate(h->problem->context, t, h->x, h->xdot) || !all_finite(h->xdot, h->n)) return 1;
    memcpy(N_VGetArrayPointer(ydot), h->xdot, bytes);
    return 0;
}

static int cvode_jacobian(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user, N_Vector a,
                          N_Vector b, N_Vector c)
{
    const history *h = user;
    const slip_ode_problem *p = h->problem;
    (void)a, (void)b, (void)c;
    return p->derivative(p->context, t, N_VGetArrayPointer(y), N_VGetArrayPointer(fy), SM_DATA_D(J), h->n)
               ? 0
               : 1;
}

static int error_weights(N_Vector y, N_Vector weight, void *user)
{
    const history *h = user;
    const double *x = N_VGetArrayPointer(y);
    double *w = N_VGetArrayPointer(weight);
    for (int k = 0; k < h->n; k++) w[k] = 1.0 / (h->absolute + h->relative * fabs(x[k]));
    return 0;
}

static void discard_message(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

// ------------------------------------------------------------------------------------------------ life

static void cvode_stop(slip_integrator_work *work)
{
    history *h = work->history;
    if (!h) return;
    if (h->cvode) CVodeFree(&h->cvode);
    if (h->solver) SUNLinSolFree(h->solver);
    if (h->matrix) SUNMatDestroy(h->matrix);
    if (h->middle) N_VDestroy(h->middle);
    if (h->state) N_VDestroy(h->state);
    if (h->context) SUNContext_Free(&h->context);
}

// SUNDIALS does not survive a failed allocation, so it is called only if there is room for all of it: two
// matrices, the history of five orders with the vectors of a step, and its bookkeeping.
static bool room_for(size_t n)
{
    void *volatile room = malloc((2 * n * n + 24 * n) * sizeof(double) + ((size_t)1 << 16));
    free(room);
    return room != NULL;
}

static bool make_cvode(history *h)
{
    if (!room_for((size_t)h->n)) return false;
    if (SUNContext_Create(NULL, &h->context) != 0) return false;
    h->state = N_VMake_Serial(h->n, h->end, h->context);
    h->middle = h->state ? N_VMake_Serial(h->n, h->within, h->context) : NULL;
    h->matrix = h->middle ? SUNDenseMatrix(h->n, h->n, h->context) : NULL;
    h->solver = h->matrix ? SUNLinSol_Dense(h->state, h->matrix, h->context) : NULL;
    h->cvode = h->solver ? CVodeCreate(CV_BDF, h->context) : NULL;
    return h->cvode && CVodeSetErrHandlerFn(h->cvode, discard_message, NULL) == CV_SUCCESS &&
           CVodeInit(h->cvode, cvode_rate, 0.0, h->state) == CV_SUCCESS &&
           CVodeSetUserData(h->cvode, h) == CV_SUCCESS &&
           CVodeWFtolerances(h->cvode, error_weights) == CV_SUCCESS &&
           CVodeSetLinearSolver(h->cvode, h->solver, h->matrix) == CV_SUCCESS &&
           CVodeSetJacFn(h->cvode, cvode_jacobian) == CV_SUCCESS &&
           CVodeSetMaxErrTestFails(h->cvode, MAX_ERROR_TEST_FAILURES) == CV_SUCCESS &&
           CVodeSetMaxConvFails(h->cvode, MAX_ERROR_TEST_FAILURES) == CV_SUCCESS;
}

static void run_ahead(history *h, double t, double first);

static bool cvode_start(const slip_ode_problem *problem, const slip_step_control *control, const double *x,
                        slip_integrator_work *work)
{
    history *h = work->history;
    *h = (history){ .problem = problem,
                    .n = problem->count - problem->quadratures,
                    .relative = control->relative,
                    .absolute = control->absolute,
                    .end = work->low,
                    .within = work->k[1],
                    .from = work->stage,
                    .x = work->k[2],
                    .xdot = work->k[3] };
    memcpy(h->end, x, (size_t)h->n * sizeof *x);
    if (!make_cvode(h) || CVodeSetMaxStep(h->cvode, control->max) != CV_SUCCESS) return false;
    run_ahead(h, 0.0, control->next); // CVODE takes its last piece of memory, a matrix, in its first step
    return CVodeReInit(h->cvode, 0.0, h->state) == CV_SUCCESS;
}

// ------------------------------------------------------------------------------------------------ steps

static slip_run_outcome outcome_of(int flag)
{
    switch (flag) {
    case CV_SUCCESS:
        return SLIP_RUNNING;
    case CV_ERR_FAILURE:
    case CV_CONV_FAILURE:
    case CV_TOO_CLOSE:
        return SLIP_STEP_TOO_SMALL;
    default:
        return SLIP_BLOWN_UP;
    }
}

static void run_ahead(history *h, double t, double first)
{
    double reached = t;
    h->from_t = t;
    memcpy(h->from, h->end, (size_t)h->n * sizeof *h->from);
    h->outcome = outcome_of(CVode(h->cvode, t + first, h->state, &reached, CV_ONE_STEP));
    h->length = reached - t;
    if (h->outcome == SLIP_RUNNING && slip_step_vanishes(h->length, INFINITY, t))
        h->outcome = SLIP_STEP_TOO_SMALL;
}

static bool same_state(const history *h, double t, const double *x, double its_t, const double *its_x)
{
    return t == its_t && memcmp(x, its_x, (size_t)h->n * sizeof *x) == 0;
}

static void cvode_prepare(slip_step_control *control, double t, const double *x, slip_integrator_work *work)
{
    history *h = work->history;
    if (h->begun && same_state(h, t, x, h->from_t, h->from)) return;
    bool goes_on =
        h->begun && h->outcome == SLIP_RUNNING && same_state(h, t, x, h->from_t + h->length, h->end);
    if (!goes_on) {
        memcpy(h->end, x, (size_t)h->n * sizeof *x);
        CVodeReInit(h->cvode, t, h->state);
    }
    run_ahead(h, t, control->next);
    h->begun = true;
    if (h->outcome == SLIP_RUNNING) control->next = h->length;
}

// the state at t within the step ahead
static slip_run_outcome interpolate_state(const history *h, double t)
{
    if (h->outcome != SLIP_RUNNING) return h->outcome;
    return CVodeGetDky(h->cvode, t, 0, h->middle) == CV_SUCCESS ? SLIP_RUNNING : SLIP_BLOWN_UP;
}

static slip_run_outcome cvode_between(const slip_integrator_work *work, double t, double *out)
{
    const history *h = work->history;
    slip_run_outcome outcome = interpolate_state(h, t);
    if (outcome == SLIP_RUNNING) memcpy(out, h->within, (size_t)h->n * sizeof *out);
    return outcome;
}

// The quadratures over the first `length` of the step ahead.
static slip_run_outcome integrate_quadratures(history *h, double length, double *quadrature)
{
    static const double node[] = { 0.11270166537925831, 0.5, 0.8872983346207417 };
    static const double weight[] = { 5 / 18.0, 8 / 18.0, 5 / 18.0 };
    const slip_ode_problem *p = h->problem;
    for (int g = 0; g < 3 && p->quadratures; g++) {
        double t = h->from_t + node[g] * length;
        slip_run_outcome outcome = interpolate_state(h, t);
        if (outcome != SLIP_RUNNING) return outcome;
        if (!p->rate(p->context, t, h->within, h->xdot)) return SLIP_BLOWN_UP;
        for (int k = 0; k < p->quadratures; k++) quadrature[k] += weight[g] * length * h->xdot[h->n + k];
    }
    return SLIP_RUNNING;
}

static slip_run_outcome cvode_step(const slip_ode_problem *p, slip_step_control *control, double t,
                                   const double *x, double most, slip_integrator_work *work, double *out,
                                   double *taken)
{
    history *h = work->history;
    cvode_prepare(control, t, x, work);
    if (h->outcome != SLIP_RUNNING) return h->outcome;
    *taken = fmin(h->length, most);
    memcpy(out + h->n, x + h->n, (size_t)p->quadratures * sizeof *out);
    slip_run_outcome outcome = integrate_quadratures(h, *taken, out + h->n);
    if (outcome == SLIP_RUNNING && h->length > most) return cvode_between(work, t + most, out);
    memcpy(out, h->end, (size_t)h->n * sizeof *out);
    return outcome;
}

const slip_integrator slip_integrator_cvode = {
    .info = { "cvode", SUMMARY, "", REFERENCE },
    .adaptive = true,
    .implicit = true,
    .any_stiffness = true,
    .layout = cvode_layout,
    .step = cvode_step,
    .start = cvode_start,
    .stop = cvode_stop,
    .prepare = cvode_prepare,
    .between = cvode_between,
};

#else

const slip_integrator slip_integrator_cvode = {
    .info = { "cvode", SUMMARY, "", REFERENCE },
    .adaptive = true,
    .implicit = true,
    .any_stiffness = true,
    .missing = "SUNDIALS",
};

#endif
