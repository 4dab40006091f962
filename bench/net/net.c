/// net.c: the haptic loop of examples/haptic.h: how long its steps take, and for which K and B it holds
/// still.
///
/// Usage: bench_net [passes]. The loop makes the same steps in every pass, so the best time of a step over
/// the passes is that of its work, without interrupts and other processes; the worst of these is the worst
/// case of the code. Fails when it is not below 20 us, or when a pair of K and B inside the documented region
/// chatters.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haptic.h"
#include "clock.h"

enum { STEPS = 4000 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double at_fraction(const double *sorted, int count, double fraction)
{
    return sorted[(int)(fraction * (count - 1))];
}

/// One pass over the four seconds of the loop: the time of every step, and into `best` where it beats the
/// others.
static int time_pass(double *taken, double *best)
{
    plate p;
    slip_error error;
    if (make_plate(&p, 2000, 2, 1e-3, &error) != SLIP_OK) return 1;
    for (int k = 0; k < STEPS; k++) {
        double start = wall_time();
        move_hand(&p, slip_net_time(p.net));
        if (slip_net_step(p.net) != SLIP_RUNNING) return 1;
        (void)slip_net_output(p.net, p.coupling, 0);
        taken[k] = 1e6 * (wall_time() - start);
        best[k] = fmin(best[k], taken[k]);
    }
    slip_net_destroy(p.net);
    return 0;
}

static int time_steps(int passes)
{
    static double taken[STEPS], best[STEPS];
    double *all = malloc((size_t)passes * STEPS * sizeof *all);
    if (!all) return 1;
    for (int k = 0; k < STEPS; k++) best[k] = INFINITY;
    for (int pass = 0; pass < passes; pass++) {
        if (time_pass(taken, best)) return 1;
        memcpy(all + (size_t)pass * STEPS, taken, sizeof taken);
    }
    int count = passes * STEPS;
    qsort(best, STEPS, sizeof *best, by_size);
    qsort(all, (size_t)count, sizeof *all, by_size);
    printf("haptic loop, 10 feet, %d passes over %d steps of 1 ms\n", passes, STEPS);
    printf("  each step at its best  median %.2f us, worst %.2f us\n", best[STEPS / 2], best[STEPS - 1]);
    printf("  as it came             median %.2f us, 99 %% below %.2f us, worst %.2f us (with what else the "
           "machine "
           "did)\n",
           at_fraction(all, count, 0.5), at_fraction(all, count, 0.99), all[count - 1]);
    free(all);
    return best[STEPS - 1] < 20.0 ? 0 : 1;
}

/// Peak to peak of the force on the hand in the last second, at rest; infinite when the loop blew up.
static double ripple(double K, double B)
{
    plate p;
    slip_error error;
    if (make_plate(&p, K, B, 1e-3, &error) != SLIP_OK) exit(1);
    double least = INFINITY, most = -INFINITY;
    slip_run_outcome outcome = SLIP_RUNNING;
    for (int k = 0; k < 4000 && outcome == SLIP_RUNNING; k++) {
        move_hand(&p, slip_net_time(p.net));
        outcome = slip_net_step(p.net);
        double felt = slip_net_output(p.net, p.coupling, 0);
        if (k >= 3000) least = fmin(least, felt), most = fmax(most, felt);
    }
    slip_net_destroy(p.net);
    return outcome == SLIP_RUNNING ? most - least : INFINITY;
}

static int map_region(void)
{
    static const double K[] = { 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000 };
    static const double B[] = { 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100 };
    int bad = 0;
    printf("ripple of the force at rest, N (. below 1 mN); rows K = 200 .. 1e5 N/m per foot, columns B = 0.2 "
           ".. 100 "
           "N s/m\n");
    for (int i = 0; i < 9; i++) {
        printf("%8g", K[i]);
        for (int j = 0; j < 9; j++) {
            double r = ripple(K[i], B[j]);
            bool inside = K[i] <= 100000 && B[j] <= 20; // as docs/network.md says
            if (inside && !(r < 1e-3)) bad++;
            if (r < 1e-3)
                printf("        .");
            else
                printf(" %8.2g", r);
        }
        printf("\n");
    }
    return bad;
}

int main(int argc, char **argv)
{
    int slow = time_steps(argc > 1 ? atoi(argv[1]) : 50), bad = map_region();
    if (bad) printf("%d pairs of the documented region chatter\n", bad);
    return slow || bad;
}
