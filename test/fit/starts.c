/// starts.c: a fit from several starts is the best of the fits from each of them, to the bit and on any
/// number of threads, and what it is worth is asked of that one alone.
#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/halton.h"
#include "models.h"

static const char pushed[] = "slipstick: 1\n"
                             "name: Push\n"
                             "parameters: {v0: 2, mu: 0.3, g: 9.81, m: 1}\n"
                             "coordinates: {x: {rate: v0}, y: 0}\n"
                             "mass: {x: m, y: m}\n"
                             "forces: {y: -m*g}\n"
                             "contacts: {ground: {gap: y, slip: x, friction: mu}}\n"
                             "run: {until: 1 s, step: 2 ms}\n";

enum { ROWS = 20, STARTS = 5, FREE = 2, ITERATIONS = 4 };

// x of a block that slows down with mu g until it rests; mu = 0.25, v0 = 2.2; and a ripple of 1 mm
static slip_fit_data make_data(double *t, double *x)
{
    const double v0 = 2.2, slows = 0.25 * 9.81, stop = v0 / slows;
    slip_fit_data data = { .rows = ROWS, .columns = 1, .name = { "x" }, .t = t, .value = x };
    for (int k = 0; k < ROWS; k++) {
        t[k] = 0.04 * (k + 1);
        const double s = fmin(t[k], stop);
        x[k] = v0 * s - 0.5 * slows * s * s + 1e-3 * sin(37.0 * k);
    }
    return data;
}

/// A model, data and how it is to be fitted to them.
typedef struct task {
    double t[ROWS], x[ROWS], lower[FREE], upper[FREE], guess[FREE];
    slip_fit_data data;
    slip_fit_def def;
    slip_model *model;
} task;

static void set_up(task *a, const char *formulation, const char *const *names)
{
    a->data = make_data(a->t, a->x);
    a->model = read_model("", pushed, "", ";");
    a->def = slip_default_fit_def();
    a->def.model = a->model, a->def.formulation = formulation;
    a->def.free = names, a->def.free_count = FREE;
    a->def.lower = a->lower, a->def.upper = a->upper, a->def.starts = STARTS;
    a->def.max_iterations = ITERATIONS; // the end of a search is not what this is about
}

static const char *const plain_names[] = { "mu", "v0" };

static void set_up_plain(task *a, const char *formulation)
{
    *a = (task){ .lower = { 0.05, 1.0 }, .upper = { 0.6, 4.0 }, .guess = { 0.3, 2.0 } };
    set_up(a, formulation, plain_names);
}

// a fit from start `index` alone; NULL when it cannot be made
static slip_fit *fit_alone(const task *a, int index)
{
    slip_fit_def def = a->def;
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    double start[FREE];
    for (int k = 0; k < FREE; k++)
        start[k] =
            index == 0 ? a->guess[k] : a->lower[k] + (a->upper[k] - a->lower[k]) * slip_halton(index, k);
    def.start = start, def.starts = 1, def.threads = 1, def.progress = NULL, def.stop = NULL;
    slip_fit_run(&def, &a->data, &error, &fit);
    return fit;
}

static void assert_same(const slip_fit *a, const slip_fit *b)
{
    assert_memory_equal(a->value, b->value, sizeof a->value);
    assert_memory_equal(a->error, b->error, sizeof a->error);
    assert_memory_equal(a->error_independent, b->error_independent, sizeof a->error_independent);
    assert_memory_equal(a->correlation, b->correlation, sizeof a->correlation);
    assert_memory_equal(a->low, b->low, sizeof a->low);
    assert_memory_equal(a->high, b->high, sizeof a->high);
    assert_memory_equal(a->residual, b->residual, ROWS * sizeof *a->residual);
    const double of_a[] = { a->rms, a->aic, a->bic, a->effective, a->condition };
    const double of_b[] = { b->rms, b->aic, b->bic, b->effective, b->condition };
    assert_memory_equal(of_a, of_b, sizeof of_a);
    assert_int_equal(a->iterations, b->iterations);
    assert_true(a->exact == b->exact && a->converged == b->converged);
}

// The best of the first `count` fits from one start each, and how many of them there are; runs of all
static slip_fit *best_alone(const task *a, int count, int *made, int *runs)
{
    slip_fit *best = NULL;
    *made = *runs = 0;
    for (int k = 0; k < count; k++) {
        slip_fit *fit = fit_alone(a, k);
        if (!fit) continue;
        ++*made;
        *runs += fit->runs;
        const bool better = !best || fit->rms < best->rms;
        slip_fit_destroy(better ? best : fit);
        if (better) best = fit;
    }
    return best;
}

static slip_fit *fit_from_all(const task *a)
{
    slip_error error = { 0 };
    slip_fit *fit = NULL;
    if (slip_fit_run(&a->def, &a->data, &error, &fit) != SLIP_OK) fail_msg("%s: %s", error.where, error.text);
    return fit;
}

static void the_best_of_them(void **state)
{
    (void)state;
    // derivatives that ride along with runs, of both kinds; and differences
    static const char *const formulations[] = { "lcp", "dai", "auto" };
    for (int f = 0; f < 3; f++) {
        task a;
        int made, runs, all = 0;
        set_up_plain(&a, formulations[f]);
        slip_fit *best = best_alone(&a, STARTS, &made, &runs);
        assert_true(isfinite(best->error[0]) && isfinite(best->error[1]));
        for (int threads = 1; threads <= 3; threads++) {
            a.def.threads = threads;
            slip_fit *fit = fit_from_all(&a);
            assert_same(fit, best);
            assert_int_equal(fit->starts, made);
            assert_true(fit->runs < runs); // the others are not judged
            assert_true(threads == 1 || fit->runs == all);
            all = fit->runs;
            slip_fit_destroy(fit);
        }
        slip_fit_destroy(best);
        slip_model_destroy(a.model);
    }
}

// no block has a mass below zero
static void starts_that_cannot_be_run(void **state)
{
    (void)state;
    static const char *const names[] = { "mu", "m" };
    task a = { .lower = { 0.05, -2.0 }, .upper = { 0.6, 3.0 }, .guess = { 0.3, 1.0 } };
    int made, runs;
    set_up(&a, "dai", names);
    slip_fit *best = best_alone(&a, STARTS, &made, &runs);
    assert_true(made > 0 && made < STARTS);
    for (int threads = 1; threads <= 3; threads++) {
        a.def.threads = threads;
        slip_fit *fit = fit_from_all(&a);
        assert_same(fit, best);
        assert_int_equal(fit->starts, made);
        slip_fit_destroy(fit);
    }
    slip_fit_destroy(best);
    slip_model_destroy(a.model);
}

static volatile sig_atomic_t stop;

static bool stop_after_two(void *context, int done, double rms)
{
    (void)context, (void)rms;
    if (done == 2) stop = 1;
    return true;
}

// one that has ended before all are stopped is the answer, with its errors
static void stopped_after_two(void **state)
{
    (void)state;
    task a;
    int made, runs;
    set_up_plain(&a, "lcp");
    slip_fit *best = best_alone(&a, 2, &made, &runs);
    stop = 0;
    a.def.stop = &stop, a.def.progress = stop_after_two, a.def.threads = 1;
    slip_fit *fit = fit_from_all(&a);
    assert_int_equal(stop, 1);
    assert_int_equal(fit->starts, 2);
    assert_same(fit, best);
    slip_fit_destroy(fit);
    slip_error error = { 0 };
    fit = NULL;
    assert_int_not_equal(slip_fit_run(&a.def, &a.data, &error, &fit), SLIP_OK); // none could begin
    assert_null(fit);
    assert_non_null(strstr(error.text, "stopped"));
    slip_fit_destroy(best);
    slip_model_destroy(a.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_of_them),
        cmocka_unit_test(starts_that_cannot_be_run),
        cmocka_unit_test(stopped_after_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
