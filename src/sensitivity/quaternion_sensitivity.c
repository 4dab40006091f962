/// sensitivity/quaternion_sensitivity.c: coordinates whose rates are not their velocities: quaternions, q' = H(q) u.
#include <math.h>
#include <string.h>

#include "sensitivity/sensitivity.h"

static bool is_quaternion(const slip_sensitivity *t, int k)
{
    const slip_equations *e = t->system->equations;
    return e->velocity[k] != e->u[k] && !e->model->coordinates[k].is_held;
}

void slip_sensitivity_velocity(slip_sensitivity *t, const double *q, const double *u, const double *dq,
                               const double *du, double *to)
{
    const slip_system *s = t->system;
    const size_t bytes = (size_t)t->n * sizeof *to;
    double *reg = t->reg[SLIP_SENS_QUATERNION];
    memcpy(to, du, bytes);
    for (int k = s->moving; k < t->n; k++) to[k] = 0.0;
    if (!s->equations->turns) return;
    memcpy(reg + 1, q, bytes);
    memcpy(reg + 1 + t->n, u, bytes);
    memset(reg + t->in.dq, 0, bytes);
    if (dq) memcpy(reg + t->in.dq, dq, bytes);
    memcpy(reg + t->in.du, du, bytes);
    slip_tape_run(t->tape[SLIP_SENS_QUATERNION], reg);
    for (int k = 0; k < t->n; k++)
        if (is_quaternion(t, k)) to[k] = slip_sensitivity_result(t, SLIP_SENS_QUATERNION, k);
}

static double quaternion_dot(const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < 4; k++) sum += a[k] * b[k];
    return sum;
}

// p+ = (p + h v) |p|/|p + h v|
static void step_quaternion(const double *p, double h, const double *v, const double *dv, double *dp)
{
    double straight[4], along[4], from = quaternion_dot(p, p), grows = quaternion_dot(p, dp) / from;
    for (int k = 0; k < 4; k++) straight[k] = p[k] + h * v[k], along[k] = dp[k] + h * dv[k];
    const double to = quaternion_dot(straight, straight), scale = sqrt(from / to);
    const double shrinks = quaternion_dot(straight, along) / to;
    for (int k = 0; k < 4; k++) dp[k] = scale * (along[k] + straight[k] * (grows - shrinks));
}

void slip_sensitivity_position_step(const slip_sensitivity *t, const double *q, double h, const double *v,
                                    const double *dv, double *dq)
{
    for (int k = 0; k < t->n; k++) {
        if (!is_quaternion(t, k)) {
            dq[k] += h * dv[k];
            continue;
        }
        step_quaternion(q + k, h, v + k, dv + k, dq + k);
        k += 3;
    }
}
