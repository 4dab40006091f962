/// trial.c: runs in child processes, and how far two of them are apart.
#define _GNU_SOURCE // MAP_ANONYMOUS
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "slipstick/slipstick.h"

trial_end trial_fork(trial_work *work, const void *context, void *result, int size, int seconds)
{
    void *const shared = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) perror("mmap"), exit(2);
    memcpy(shared, result, (size_t)size);
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) perror("fork"), exit(2);
    if (child == 0) {
        const struct rlimit time = { (rlim_t)seconds, (rlim_t)seconds + 1 }, none = { 0, 0 };
        setrlimit(RLIMIT_CPU, &time);
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGINT, SIG_IGN); // Ctrl-C ends the campaign between two models
        work(context, shared);
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) continue;
    memcpy(result, shared, (size_t)size);
    munmap(shared, (size_t)size);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return TRIAL_TRUSTED;
    const bool late = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    return late ? TRIAL_HANG : TRIAL_CRASH;
}

typedef struct run_context {
    const char *text;
    const trial_def *def;
    trial *t;
} run_context;

static bool keep_row(void *context, const slip_sim *sim, const double *row)
{
    trial *const t = context;
    (void)sim;
    if (t->rows < TRIAL_INSTANTS) {
        memcpy(t->place[t->rows], row + 1, (size_t)t->count * sizeof *row);
        t->rows++;
    }
    return true;
}

// runs the simulation to its end, with a companion, and keeps what it says
static void run_sim(slip_sim *sim, trial *t)
{
    double at[TRIAL_INSTANTS];
    const slip_sim_def settings = slip_sim_settings(sim);
    for (int k = 0; k < TRIAL_INSTANTS; k++) at[k] = settings.until * k / (TRIAL_INSTANTS - 1);
    slip_run_def def = slip_default_run_def();
    def.at = at, def.at_count = TRIAL_INSTANTS;
    def.companion = true;
    def.row = keep_row, def.context = t;
    slip_run_info info;
    slip_error error;
    t->step = settings.step;
    if (slip_run(sim, &def, &info, &error) != SLIP_OK) {
        t->end = TRIAL_REFUSED;
        snprintf(t->text, sizeof t->text, "%s", error.text);
        return;
    }
    const char *doubt = "";
    const char *const word = slip_run_trust(sim, &info, &doubt);
    t->end = strcmp(word, "trusted") == 0 ? TRIAL_TRUSTED : TRIAL_TOLD;
    snprintf(t->text, sizeof t->text, "%s", info.text[0] ? info.text : doubt);
}

// "between" in place of "detect", for the ground and for the bodies among themselves
static void declare_contacts(const char *text, char *declared, size_t size)
{
    const char *const at = strstr(text, "{detect: [b*, ground]"), *const end = at ? strchr(at, '\n') : NULL;
    if (!end) {
        snprintf(declared, size, "%s", text);
        return;
    }
    const char *const rest = at + strlen("{detect: [b*, ground]");
    const bool several = strstr(text, "  b1:") && strstr(text, "  b0:");
    int length = snprintf(declared, size, "%.*s{between: [b*, ground]%.*s\n", (int)(at - text), text,
                          (int)(end - rest), rest);
    if (several && length < (int)size)
        length += snprintf(declared + length, size - (size_t)length, "  pair: {between: [b*, b*]%.*s\n",
                           (int)(end - rest), rest);
    if (length < (int)size) snprintf(declared + length, size - (size_t)length, "%s", end + 1);
}

static void run_work(const void *context, void *result)
{
    const run_context *const c = context;
    trial *const t = result;
    static char declared[1 << 15];
    snprintf(declared, sizeof declared, "%s", c->text);
    if (c->def->declared) declare_contacts(c->text, declared, sizeof declared);
    t->end = TRIAL_REFUSED;
    slip_diagnostics *const notes = slip_diagnostics_create();
    slip_model *model = NULL;
    if (slip_model_read_text("random.yaml", declared, strlen(declared), NULL, 0, notes, &model) != SLIP_OK) {
        char *const said = slip_diagnostics_text(notes);
        snprintf(t->text, sizeof t->text, "model: %s", said);
        free(said);
        return;
    }
    slip_sim_def def = slip_default_sim_def();
    def.formulation = c->def->formulation;
    def.step = c->def->step;
    slip_error error;
    slip_sim *sim = NULL;
    if (slip_sim_create(model, &def, &error, &sim) != SLIP_OK) {
        snprintf(t->text, sizeof t->text, "%s", error.text);
        return;
    }
    t->count = slip_model_mass_coordinate_count(model);
    if (t->count > TRIAL_COORDINATES) t->count = TRIAL_COORDINATES;
    run_sim(sim, t);
}

static double processor_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

void trial_run(const char *text, const trial_def *def, int seconds, trial *t)
{
    const run_context c = { text, def, t };
    const double begin = processor_seconds();
    *t = (trial){ .end = TRIAL_CRASH };
    const trial_end end = trial_fork(run_work, &c, t, (int)sizeof *t, seconds);
    if (end != TRIAL_TRUSTED) t->end = end;
    t->seconds = processor_seconds() - begin;
}

// how far coordinate k moves in both
static double extent(const trial *a, const trial *b, int rows, int k)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < rows; i++) {
        low = fmin(low, fmin(a->place[i][k], b->place[i][k]));
        high = fmax(high, fmax(a->place[i][k], b->place[i][k]));
    }
    return high - low;
}

double trial_difference(const trial *a, const trial *b)
{
    const int rows = a->rows < b->rows ? a->rows : b->rows, count = a->count < b->count ? a->count : b->count;
    const double small = 1e-2; // of the coordinate that moves most: less is not a motion of its own
    double most = 1e-9, worst = 0.0;
    for (int k = 0; k < count; k++) most = fmax(most, extent(a, b, rows, k));
    for (int k = 0; k < count; k++) {
        const double scale = fmax(extent(a, b, rows, k), small * most);
        for (int i = 2; i < rows; i++) {
            double least = INFINITY; // of three in a row
            for (int j = i - 2; j <= i; j++) least = fmin(least, fabs(a->place[j][k] - b->place[j][k]));
            worst = fmax(worst, least / scale);
        }
    }
    return worst;
}
