/// sweep.c: runs per second and ns per step of sweeps, beside hand-written C and a loop over `slipstick run`;
/// how threads, ranks and lanes scale; what a sweep costs beside its runs; what a calibration takes.
///
/// Usage: bench_sweep [runs]. Times of one core are processor time, those of threads, ranks and programs are
/// on the wall, and need a machine that is quiet.
#include "bench_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "native.h"
#include "simulation/sim/ensemble.h"

static const char ball[] =
    "slipstick: 1\nname: Ball\nparameters: {h: 1}\ncoordinates: {y: h}\nmass: {y: 1}\n"
    "forces: {y: -9.81}\ncontacts: {floor: {gap: y, restitution: 0.9}}\nrun: {until: 8.1}\n";
static const double LEAST = 0.9, MOST = 1.0; // heights: 27 to 37 impacts

static slip_sweep_def definition(const slip_model *model, const slip_distribution *draw, long runs,
                                 int threads)
{
    slip_sweep_def def = slip_default_sweep_def();
    def.model = model, def.draws = draw, def.draw_count = 1, def.samples = runs, def.threads = threads;
    def.companion = false;
    return def;
}

// s per run, by the clock that is given
static double time_sweep(const slip_sweep_def *def, double clock(void))
{
    slip_sweep *sweep = NULL;
    slip_error error = { 0 };
    const double start = clock();
    if (slip_sweep_run(def, &error, &sweep) != SLIP_OK) fprintf(stderr, "%s: %s\n", error.where, error.text);
    const double seconds = clock() - start;
    slip_sweep_destroy(sweep);
    return seconds / (double)def->samples;
}

static void tell(const char *what, double seconds, long steps)
{
    printf("  %-34s %9.1f us %10.0f runs/s", what, 1e6 * seconds, 1.0 / seconds);
    if (steps) printf(" %8.1f ns/step", 1e9 * seconds / (double)steps);
    printf("\n");
}

static long count_steps(const slip_model *model, const char *formulation)
{
    slip_sim_def def = slip_default_sim_def();
    slip_sim *sim = NULL;
    long steps = 0;
    def.formulation = formulation;
    if (slip_sim_create(model, &def, NULL, &sim) != SLIP_OK) return 0;
    while (slip_sim_step(sim) == SLIP_RUNNING) steps++;
    slip_sim_destroy(sim);
    return steps + 1;
}

// ------------------------------------------------------------------------------------------- programs

// s on the wall of a command, without what it prints
static double time_command(const char *command)
{
    char quiet[2100];
    snprintf(quiet, sizeof quiet, "%s >/dev/null 2>&1", command);
    const double start = wall_time();
    const int code = system(quiet);
    return code == 0 ? wall_time() - start : NAN;
}

static double time_program(const char *file)
{
    enum { RUNS = 20 };
    char command[1000];
    double sum = 0.0;
    for (int k = 0; k < RUNS; k++) {
        snprintf(command, sizeof command, "%s run %s -f lcp --no-companion -q --set h=%.17g", PROGRAM, file,
                 LEAST + (MOST - LEAST) * k / RUNS);
        sum += time_command(command);
    }
    return sum / RUNS;
}

// s per run of so many ranks, without the start of the job; NaN where there is no MPI
static double time_ranks(const char *file, int ranks, long runs)
{
    char command[1000];
    const long counts[2] = { ranks, runs };
    double seconds[2];
    for (int k = 0; k < 2; k++) {
        snprintf(command, sizeof command,
                 "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n %d %s "
                 "sweep %s "
                 "--distribution h=uniform:%g:%g --random %ld -f lcp --no-companion -q",
                 ranks, PROGRAM, file, LEAST, MOST, counts[k]);
        seconds[k] = time_command(command);
    }
    return (seconds[1] - seconds[0]) / (double)(runs - ranks);
}

static bool has_mpi(void)
{
    return access(PROGRAM "-mpi", X_OK) == 0 && system("command -v mpirun >/dev/null 2>&1") == 0;
}

static void scale(const slip_model *model, const slip_distribution *draw, const char *file, long runs)
{
    slip_sweep_def def = definition(model, draw, runs, 1);
    def.sim.formulation = "lcp";
    printf("\nthreads and ranks, on the wall\n");
    const double one = time_sweep(&def, wall_time);
    def.threads = 2;
    const double two = time_sweep(&def, wall_time);
    tell("1 thread", one, 0);
    tell("2 threads", two, 0);
    printf("  efficiency of 2 threads %.2f\n", one / (2.0 * two));
    if (!has_mpi()) return;
    const long many =
        10 * runs; // the start of a job takes as long as thousands of runs, give or take a tenth
    const double rank = time_ranks(file, 1, many), ranks = time_ranks(file, 2, many);
    tell("1 rank", rank, 0);
    tell("2 ranks", ranks, 0);
    printf("  efficiency of 2 ranks %.2f\n", rank / (2.0 * ranks));
}

static void bench_ball(long runs)
{
    static const char file[] = "/tmp/bench-sweep-ball.yaml";
    const slip_distribution draw = { "h", SLIP_DISTRIBUTION_UNIFORM, LEAST, MOST };
    slip_model *model = bench_model("ball.yaml", ball, NULL);
    FILE *out = fopen(file, "w");
    if (!out) return;
    fputs(ball, out);
    fclose(out);
    double start = processor_time(), y = 0.0, sum = 0.0;
    long steps = 0;
    for (long k = 0; k < runs; k++)
        steps = native_ball(LEAST + (MOST - LEAST) * (double)k / (double)runs, 0.9, 8.1, &y), sum += y;
    const double native = (processor_time() - start) / (double)runs;
    slip_sweep_def def = definition(model, &draw, runs, 1);
    def.sim.formulation = "lcp";
    const double swept = time_sweep(&def, processor_time);
    printf("a ball that bounces 30 times, lcp, %ld runs%s\n", runs, sum == 1234.5 ? "!" : "");
    tell("C -O3 for this one case", native, steps);
    tell("sweep, one core", swept, count_steps(model, "lcp"));
    tell("a loop over slipstick run", time_program(file), 0);
    printf("  sweep to C: ratio %.1f\n", swept / native);
    scale(model, &draw, file, runs);
    remove(file);
    slip_model_destroy(model);
}

// --------------------------------------------------------------------------------------------- lanes

static double time_lanes(const slip_model *model, double until, int packing)
{
    enum { MEMBERS = 64 };
    static const char *const names[] = { "K" };
    double values[MEMBERS];
    for (int k = 0; k < MEMBERS; k++) values[k] = 5e3 * (1.0 + 1e-3 * k);
    slip_sim_def def = slip_default_sim_def();
    def.until = until, def.step = 1e-3;
    slip_ensemble *ensemble = NULL;
    if (slip_ensemble_create(model, &def, names, 1, values, MEMBERS, NULL, &ensemble) != SLIP_OK) return NAN;
    double start = processor_time();
    if (packing < 0) {
        for (int k = 0; k < MEMBERS; k++)
            while (slip_sim_step(slip_ensemble_member(ensemble, k)) == SLIP_RUNNING) {}
    } else if (slip_ensemble_set_packing(ensemble, (slip_simd_width)packing)) {
        start = processor_time();
        slip_ensemble_run(ensemble, INFINITY);
    } else {
        start = NAN;
    }
    const double seconds = processor_time() - start;
    slip_ensemble_destroy(ensemble);
    return seconds / MEMBERS;
}

static void bench_lanes(void)
{
    static const char *const names[] = { "1 lane", "2 lanes (SSE2)", "4 lanes (AVX2)", "8 lanes (AVX-512)" };
    const native_example *e = native_example_at(0);
    char path[200];
    snprintf(path, sizeof path, "models/xiong/%s.yaml", e->model);
    slip_model *model = bench_model(path, NULL, NULL);
    const long steps = lround(e->until / 1e-3);
    double x[NATIVE_MAX], start = processor_time();
    memcpy(x, e->start, sizeof x);
    for (long k = 0; k < steps; k++) e->step((double)k * 1e-3, 1e-3, x);
    printf("\n%s, dai, %ld steps of rk4\n", e->model, steps);
    tell("C -O3 for this one case", processor_time() - start, steps);
    const slip_distribution draw = { "K", SLIP_DISTRIBUTION_UNIFORM, 5e3, 5.3e3 };
    slip_sweep_def def = definition(model, &draw, 64, 1);
    def.sim.until = e->until, def.sim.step = 1e-3;
    tell("sweep, one core", time_sweep(&def, processor_time), steps);
    for (int p = -1; p + 1 < 4 && p < SLIP_SIMD_WIDTH_COUNT; p++) {
        const double seconds = time_lanes(model, e->until, p);
        if (isfinite(seconds)) tell(names[p + 1], seconds, steps);
    }
    slip_model_destroy(model);
}

int main(int argc, char **argv)
{
    const long runs = argc > 1 ? atol(argv[1]) : 4000;
    bench_ball(runs > 10 ? runs : 10);
    bench_overhead(runs > 10 ? 5 * runs : 50);
    bench_lanes();
    bench_calibration();
    return 0;
}
