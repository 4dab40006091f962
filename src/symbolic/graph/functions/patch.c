/// symbolic/graph/functions/patch.c: friction of a round patch that slides and spins (Contensou 1963): not to be called by
/// name.
///
/// Every point of the patch rubs against its own velocity. With slip v, spin w, radius R and e = v/(R w) the
/// whole has the force mu N F(e) and the torque mu N R T(e); pressure 0 is uniform, 1 that of Hertz. They are
/// the derivatives of D = int p |velocity| dA by v and R w, so T' = -e F'. D = v sum binom(1/2, n)^2 h_n
/// e^-2n for e > 1, h_n being the moments of the pressure; for e < 1 closed forms with E and K, or
/// polynomials.
///
/// Operands are the pressure and the squares v^2 and (R w)^2, so that the formula has no kink at rest. Rest
/// itself has F = 1 and T = T(0), the largest each can be.
#include "base/elementary.h"
#include "symbolic/graph/function.h"
#include "symbolic/graph/functions/function_tolerances.h"

enum { UNIFORM, HERTZ };
static const double PI = 3.14159265358979324;

/// F, F' and T.
typedef struct patch {
    double F, slope, T;
} patch;

// complete elliptic integrals of the parameter m < 1, by the arithmetic-geometric mean
static void elliptic_integrals(double m, double *E, double *K)
{
    double a = 1.0, b = sqrt(1.0 - m), sum = 0.5 * m, power = 0.5;
    while (fabs(a - b) > MEAN_CONVERGED * a) {
        const double c = 0.5 * (a - b), next = 0.5 * (a + b);
        b = sqrt(a * b);
        a = next;
        power *= 2.0;
        sum += power * c * c;
        if (power > 1e6) break;
    }
    *K = 0.5 * PI / a;
    *E = *K * (1.0 - sum);
}

static patch uniform_below_one(double e)
{
    patch p = { 0.0, 0.0, 2.0 / 3.0 };
    if (e < 0.5) { // E = pi/2 sum d_n e^2n
        double d = 1.0, power = e;
        for (int n = 0; n < 60; n++) {
            p.F += d * power / (n + 1);
            p.slope += d * (2 * n + 1) * power / e / (n + 1);
            p.T -= d * (2 * n + 1) * power * e / ((n + 1) * (2.0 * n + 2));
            const double step = (n + 0.5) / (n + 1.0);
            d *= step * step * (1.0 - 2.0 * n) / (1.0 - 2.0 * (n + 1));
            power *= e * e;
            if (fabs(power) < SERIES_TERM_NEGLIGIBLE * e) break;
        }
        return p;
    }
    double E, K, square = e * e;
    elliptic_integrals(square, &E, &K);
    const double A = (square + 1.0) * E + (square - 1.0) * K;
    p.F = 4.0 / (3.0 * PI * e) * A;
    p.slope = 4.0 / (3.0 * PI) * (3.0 * E - A / square);
    p.T = 4.0 / (9.0 * PI) * ((4.0 - 2.0 * square) * E + (square - 1.0) * K);
    return p;
}

static patch uniform_above_one(double e)
{
    double E, K, square = e * e;
    elliptic_integrals(1.0 / square, &E, &K);
    return (patch){ 4.0 / (3.0 * PI) * ((square + 1.0) * E - (square - 1.0) * K),
                    4.0 / (3.0 * PI) * ((2.0 * square - 1.0) * E - 2.0 * (square - 1.0) * K) / e,
                    4.0 * e / (9.0 * PI) *
                        ((4.0 - 2.0 * square) * E + (2.0 * square - 5.0 + 3.0 / square) * K) };
}

static patch hertz_pressure(double e)
{
    const double square = e * e, turn = e <= 1.0 ? 0.5 * PI : slip_asin(1.0 / e),
                 root = e <= 1.0 ? 0.0 : sqrt(square - 1.0);
    return (patch){ 3.0 / 16.0 * ((4.0 * e - e * square) * turn + (2.0 + square) * root / e),
                    3.0 / 16.0 * ((4.0 - 3.0 * square) * turn + (3.0 * square - 2.0) * root / square),
                    3.0 / 64.0 *
                        ((8.0 - 8.0 * square + 3.0 * square * square) * turn + (6.0 - 3.0 * square) * root) };
}

// the series, where closed forms lose their digits
static patch series_expansion(bool even, double e)
{
    patch p = { 0 };
    double c = 1.0, h = 1.0, power = 1.0;
    for (int n = 0; n < 60 && power > SERIES_TERM_NEGLIGIBLE; n++) {
        p.F += c * (1 - 2 * n) * h * power;
        p.slope += c * (2 * n - 1) * 2 * n * h * power / e;
        p.T += c * 2 * n * h * power * e;
        const double step = (0.5 - n) / (n + 1.0);
        c *= step * step;
        h *= even ? (n + 1.0) / (n + 2.0) : (n + 1.0) / (n + 2.5);
        power /= e * e;
    }
    return p;
}

static patch patch_at_ratio(double pressure, double e)
{
    const bool even = pressure == UNIFORM;
    if (!isfinite(e)) return (patch){ 1.0, 0.0, 0.0 };
    if (e == 0.0) return (patch){ 0.0, even ? 1.0 : 0.375 * PI, even ? 2.0 / 3.0 : 0.1875 * PI };
    if (e > 2.0) return series_expansion(even, e);
    if (!even) return hertz_pressure(e);
    if (e == 1.0) return (patch){ 8.0 / (3.0 * PI), 4.0 / (3.0 * PI), 8.0 / (9.0 * PI) };
    return e < 1.0 ? uniform_below_one(e) : uniform_above_one(e);
}

static double force_value(double pressure, double vv, double uu)
{
    return vv + uu < REST_SPEED_SQUARED ? 1.0 : patch_at_ratio(pressure, sqrt(vv / uu)).F;
}

static double torque_value(double pressure, double vv, double uu)
{
    return patch_at_ratio(pressure, vv + uu < REST_SPEED_SQUARED ? 0.0 : sqrt(vv / uu)).T;
}

// e dF/de; with it all derivatives by v^2 and (R w)^2 are known
static double force_change_value(double pressure, double vv, double uu)
{
    const double e = sqrt(vv / uu);
    return vv + uu < REST_SPEED_SQUARED || !isfinite(e) ? 0.0 : e * patch_at_ratio(pressure, e).slope;
}

// dF = F' e/2 (dvv/vv - duu/uu) and dT = -e dF, where neither is zero; e dF/dvv is regular where v is
static slip_ref patch_partial(slip_graph *g, slip_ref self, const slip_node *n, int k, slip_ref s)
{
    (void)self;
    if (k == 0) return SLIP_ZERO_DERIVATIVE;
    const bool turns = n->op == SLIP_OP_PATCH_TORQUE;
    slip_ref least = slip_graph_constant(g, REST_SPEED_SQUARED), vv = n->arg[1], uu = n->arg[2];
    slip_ref rate = slip_graph_op(g, SLIP_OP_PATCH_CHANGE, n->arg[0], vv, uu);
    slip_ref of = slip_binary(g, SLIP_OP_ADD, least, k == 1 ? vv : uu);
    slip_ref half = slip_graph_constant(g, (k == 1) != turns ? 0.5 : -0.5);
    slip_ref whole = slip_graph_quotient(g, slip_binary(g, SLIP_OP_MUL, half, rate), of);
    if (turns) {
        slip_ref ratio = slip_graph_quotient(g, vv, slip_binary(g, SLIP_OP_ADD, least, uu));
        whole = slip_binary(g, SLIP_OP_MUL, whole, slip_unary(g, SLIP_OP_SQRT, ratio));
    }
    return slip_graph_product(g, s, whole);
}

static slip_interval unit_interval(const slip_interval *operand)
{
    (void)operand;
    return slip_interval_of(0.0, 1.0);
}

SLIP_FUNCTION_OF_THREE(patch_force, force_value,
                       .info = { "patch_force", "p, vv, uu",
                                 "force of a patch over mu N; p: 0 uniform, 1 Hertz" },
                       .partial = patch_partial, .range = unit_interval, .narrow = true);
SLIP_FUNCTION_OF_THREE(patch_torque, torque_value,
                       .info = { "patch_torque", "p, vv, uu", "its torque over mu N R" },
                       .partial = patch_partial, .range = unit_interval, .narrow = true);
SLIP_FUNCTION_OF_THREE(patch_change, force_change_value,
                       .info = { "patch_change", "p, vv, uu", "e dF/de of its force F, e = v/(R w)" });
