/// study/fit/identifiability.c: which parameters the data determine, and which combinations of the others.
///
/// A direction of the parameters that changes no residual is an eigenvector of J'J, with columns of J scaled to
/// length 1, whose eigenvalue is smaller than the derivatives are accurate. A parameter that takes part in such a
/// direction has no interval. What has one are the combinations that the direction leaves alone: if a mass, a
/// stiffness and a force only act by their ratios, all three may grow in proportion, and k/m and F/m are known.
#include "study/fit/identifiability.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "base/linalg/linalg.h"
#include "study/fit/fit_tolerances.h"

enum { P = SLIP_FIT_MAX_FREE };

// J'J with columns of length 1; a parameter without influence is alone with a 1.
static void scaled_normal_matrix(const slip_fitting *f, double *A, double *root)
{
    const int p = f->p;
    for (int j = 0; j < p; j++)
        for (int k = 0; k <= j; k++) {
            double sum = 0.0;
            for (int i = 0; i < f->n; i++) sum += f->J[j * f->n + i] * f->J[k * f->n + i];
            A[j * p + k] = A[k * p + j] = sum;
        }
    for (int k = 0; k < p; k++) root[k] = sqrt(A[k * p + k]);
    for (int j = 0; j < p; j++)
        for (int k = 0; k < p; k++) {
            const double both = root[j] * root[k];
            A[j * p + k] = both > 0.0 ? A[j * p + k] / both : j == k ? 1.0 : 0.0;
        }
}

// (J'J)^-1 where all parameters are determined.
static bool invert(const slip_fitting *f, double *A, slip_identifiability *out)
{
    const int p = f->p;
    double least = INFINITY, most = 0.0; // the diagonal of the factor gives a cheap condition number
    if (!slip_cholesky(p, A)) return false;
    for (int k = 0; k < p; k++) least = fmin(least, A[k * p + k]), most = fmax(most, A[k * p + k]);
    out->condition = most / least;
    for (int k = 0; k < p; k++) {
        double e[P] = { 0 };
        e[k] = 1.0;
        slip_cholesky_solve(p, A, e);
        for (int j = 0; j < p; j++) out->C[j][k] = e[j] / (out->root[j] * out->root[k]);
    }
    return true;
}

// The pseudoinverse from eigenvectors V and values.
static void pseudoinvert(const slip_fitting *f, const double *V, const double *value,
                         slip_identifiability *out)
{
    const int p = f->p;
    for (int j = 0; j < p; j++)
        for (int k = 0; k < p; k++) {
            double sum = 0.0;
            for (int i = out->null_count; i < p; i++) sum += V[i * p + j] * V[i * p + k] / value[i];
            const double both = out->root[j] * out->root[k];
            out->C[j][k] = both > 0.0 ? sum / both : 0.0;
        }
    for (int i = 0; i < out->null_count; i++)
        for (int k = 0; k < p; k++) {
            const double part = V[i * p + k];
            out->null[i][k] = fabs(part) > TAKES_PART && out->root[k] > 0.0 ? part / out->root[k] : 0.0;
        }
}

bool slip_fitting_identify(const slip_fitting *f, bool exact, slip_identifiability *out)
{
    const int p = f->p;
    double A[P * P], V[P * P], value[P], work[SLIP_SYMMETRIC_WORK * P];
    const double least = exact ? UNDETERMINED_EXACT : UNDETERMINED_DIFFERENCES;
    bool all = true;
    *out = (slip_identifiability){ .condition = INFINITY };
    scaled_normal_matrix(f, A, out->root);
    memcpy(V, A, sizeof V);
    if (!slip_symmetric_eigen(p, V, value, work)) return false;
    while (out->null_count < p && value[out->null_count] < least * least * value[p - 1]) out->null_count++;
    for (int k = 0; k < p; k++) all = all && out->root[k] > 0.0;
    if (all && !out->null_count) return invert(f, A, out);
    pseudoinvert(f, V, value, out);
    return true;
}

// ---------------------------------------------------------------------------------------- combinations

/// Null directions in the coordinates in which combinations are sums (logarithms for products), reduced: row i
/// has 1 at its pivot, where the other rows have 0.
typedef struct reduced_null {
    double row[P][P];
    int pivot[P], count;
} reduced_null;

static void swap_rows(double *a, double *b)
{
    for (int k = 0; k < P; k++) {
        const double kept = a[k];
        a[k] = b[k], b[k] = kept;
    }
}

// The largest entry of the rows from `from` on, the first of about equal ones, becomes the next pivot; false when all are 0.
static bool take_pivot(reduced_null *r, int from, int p)
{
    int at = from, column = 0;
    double most = 0.0;
    for (int i = from; i < r->count; i++)
        for (int k = 0; k < p; k++)
            if (fabs(r->row[i][k]) > PIVOT_LEAD * most) most = fabs(r->row[i][k]), at = i, column = k;
    if (!(most > 0.0)) return false;
    swap_rows(r->row[from], r->row[at]);
    r->pivot[from] = column;
    return true;
}

static void reduce_null(reduced_null *r, int p)
{
    for (int i = 0; i < r->count; i++) {
        if (!take_pivot(r, i, p)) {
            r->count = i;
            return;
        }
        const double one = r->row[i][r->pivot[i]];
        for (int k = 0; k < p; k++) r->row[i][k] /= one;
        for (int j = 0; j < r->count; j++) {
            const double times = r->row[j][r->pivot[i]];
            for (int k = 0; k < p && j != i; k++) r->row[j][k] -= times * r->row[i][k];
        }
    }
}

// Small rational numbers are meant where an exponent is close to one.
static double nearby_rational(double x)
{
    for (int q = 1; q <= 3; q++) {
        const double near = rint(x * q) / q;
        if (fabs(x - near) < EXPONENT_IS_RATIONAL) return near;
    }
    return x;
}

static double size_of(const slip_fitting *f, const double *x, int k)
{
    return fmax(f->scale[k], fabs(x[k]));
}

// Moves x along all null directions, by a fraction of the parameter that moves most, and asks how much the
// sum of squares grows.
static double growth_along(slip_fitting *f, const double *x, const slip_identifiability *id, bool product,
                           double best)
{
    double y[P], most = 0.0, way[P] = { 0 };
    for (int i = 0; i < id->null_count; i++) {
        double largest = 0.0;
        for (int k = 0; k < f->p; k++) largest = fmax(largest, fabs(id->null[i][k] / size_of(f, x, k)));
        for (int k = 0; k < f->p && largest > 0.0; k++) way[k] += id->null[i][k] / largest;
    }
    for (int k = 0; k < f->p; k++) most = fmax(most, fabs(way[k] / size_of(f, x, k)));
    for (int k = 0; k < f->p; k++) {
        const double by = most > 0.0 ? PROBE_ALONG_NULL * way[k] / most : 0.0;
        y[k] = slip_fitting_clamp(f, k, product && x[k] != 0.0 ? x[k] * slip_exp(by / x[k]) : x[k] + by);
    }
    const bool good = slip_fitting_residuals(f, y, f->trial);
    f->status = SLIP_OK;
    return good ? slip_fitting_squares(f, f->trial) - best : INFINITY;
}

static slip_parameter_combination make_combination(const reduced_null *r, const double *x, int p, int of,
                                                   bool product)
{
    slip_parameter_combination c = { .of = of, .product = product, .value = x[of] };
    c.power[of] = 1.0;
    for (int i = 0; i < r->count; i++) {
        const double e = r->row[i][of];
        c.power[r->pivot[i]] = -(product ? nearby_rational(e) : e);
    }
    for (int k = 0; k < p; k++) {
        if (k == of || c.power[k] == 0.0) continue;
        c.value = product ? c.value * slip_pow(fabs(x[k]), c.power[k]) : c.value + c.power[k] * x[k];
    }
    for (int k = 0; k < p; k++)
        c.gradient[k] = c.power[k] == 0.0 ? 0.0 : product ? c.value * c.power[k] / x[k] : c.power[k];
    return c;
}

int slip_fitting_combinations(slip_fitting *f, const double *x, const slip_identifiability *id, double best,
                              slip_parameter_combination *out)
{
    reduced_null r = { .count = id->null_count };
    bool taken[P] = { false }, part[P] = { false }, product = true;
    int count = 0;
    for (int k = 0; k < f->p; k++) {
        for (int i = 0; i < id->null_count; i++) part[k] = part[k] || id->null[i][k] != 0.0;
        product = product && (!part[k] || (x[k] > 0.0 && strcmp(f->def->free[k], "t0") != 0));
    }
    product = product && growth_along(f, x, id, true, best) <=
                             growth_along(f, x, id, false, best) + PRODUCT_PREFERRED * best;
    for (int i = 0; i < r.count; i++)
        for (int k = 0; k < f->p; k++) r.row[i][k] = id->null[i][k] / (product ? x[k] : 1.0);
    reduce_null(&r, f->p);
    for (int i = 0; i < r.count; i++) taken[r.pivot[i]] = true;
    for (int k = 0; k < f->p; k++)
        if (part[k] && !taken[k]) out[count++] = make_combination(&r, x, f->p, k, product);
    return count;
}

// One factor of a product, or one term of a sum.
static int print_part(const char *name, double power, bool product, char *text, size_t size)
{
    const double magnitude = fabs(power);
    if (product && magnitude == 1.0) return snprintf(text, size, "%c%s", power < 0.0 ? '/' : '*', name);
    if (product) return snprintf(text, size, "%c%s^%.4g", power < 0.0 ? '/' : '*', name, magnitude);
    return snprintf(text, size, " %c %.4g*%s", power < 0.0 ? '-' : '+', magnitude, name);
}

void slip_parameter_combination_print(const slip_parameter_combination *c, char *const *names, int count,
                                      char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%s", names[c->of]);
    for (int k = 0; k < count && at < size; k++)
        if (k != c->of && c->power[k] != 0.0)
            at += (size_t)print_part(names[k], c->power[k], c->product, text + at, size - at);
}
