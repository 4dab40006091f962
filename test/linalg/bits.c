/// bits.c: one number for the bits of all results. It is the same with every compiler, at every level of
/// optimisation and on every machine; it changes only where operations or their order are changed on purpose.
#include "measure.h"

static const uint64_t EXPECTED = 0xa1a70734c13bb58c;

static double A[MOST * MOST], M[MOST * MOST], V[MOST * MOST], x[MOST], y[MOST], work[8 * MOST];
static int order[MOST];
static uint64_t hash = 14695981039346656037u; // Fowler, Noll and Vo

static void add(int count, const double *numbers)
{
    for (int k = 0; k < count; k++) {
        uint64_t bits;
        assert_true(isfinite(numbers[k])); // NaN has other bits elsewhere
        memcpy(&bits, &numbers[k], sizeof bits);
        for (int byte = 0; byte < 64; byte += 8) hash = (hash ^ (bits >> byte & 255)) * 1099511628211u;
    }
}

static double *copy(int n)
{
    return memcpy(M, A, (size_t)n * (size_t)n * sizeof *M);
}

// exact powers of 2 and whole numbers only: the C library's functions have bits of their own
static void fill(int kind, int n)
{
    static double B[MOST * MOST], C[MOST * MOST];
    for (int k = 0; k < n * n; k++) A[k] = draw();
    if (kind == 1) fill_of_rank(n, (n + 1) / 2, B, C, A);
    for (int i = 0; i < n && kind == 2; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = ldexp(A[i * n + j], -3 * i - j);
    for (int k = 0; k < n * n && kind == 3; k++) A[k] = ldexp(A[k], 1015);
}

static void add_all(int n)
{
    for (int i = 0; i < n; i++) x[i] = draw();
    memcpy(y, x, sizeof y);
    if (slip_lu(n, copy(n), order)) {
        slip_lu_solve(n, M, order, x);
        add(n, x);
    }
    add(n * n, M);
    slip_least_squares(n, copy(n), y, 1e-10, order, work);
    add(n, y);
    slip_balance(n, copy(n), n);
    add(n * n, M);
    if (slip_eigenvalues(n, copy(n), x, y, work)) add(n, x), add(n, y);
    if (slip_svd(n, copy(n), x, V, work)) add(n, x), add(n * n, V);
    make_symmetric(n, A);
    if (slip_symmetric_eigen(n, copy(n), x, work)) add(n, x), add(n * n, M);
    for (int i = 0; i < n; i++) A[i * n + i] += n;
    slip_cholesky(n, copy(n));
    add(n * n, M);
}

static void one_number(void **state)
{
    (void)state;
    seed_draws(1);
    for (int n = 0; n <= MOST; n++)
        for (int kind = 0; kind < 4; kind++) {
            fill(kind, n);
            add_all(n);
        }
    if (hash != EXPECTED) fail_msg("the bits are 0x%016llx", (unsigned long long)hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_number) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
