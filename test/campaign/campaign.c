/// campaign.c: random models under formulations that are independent of each other.
///
///     model_campaign FOLDER COUNT [SEED [NUMBER]]
/// makes models number 0, 1, ... of a seed (grammar.h) until COUNT were run, and runs each under lcp, moreau at two
/// steps, one compliant formulation, and now and then gauss and auto; then the studies that apply to it. Runs that
/// are all trusted and differ, a hang and a crash are findings: the model is shrunk as long as it has the finding,
/// and written to FOLDER/SEED-NUMBER-NAME.yaml. Ctrl-C stops it; what was counted is in FOLDER/SEED.counts, and the
/// next call goes on there. The table at the end is of all calls together. Ends with 1 when something was found.
/// With - in place of FOLDER nothing is kept, and findings are printed. With NUMBER, this model alone, with all runs.
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "judge.h"
#include "shrink.h"
#include "study.h"

#if defined(__SANITIZE_ADDRESS__)
enum { LIMIT = 200 };
#else
enum { LIMIT = 20 }; // s of processor time for a run that takes some hundredths as a rule
#endif
enum { ROWS = 16, SHRINK_TRIES = 250 };
enum { RUNS, TRUSTED, TOLD, REFUSED, ALARMS, SILENT, HANGS, CRASHES, WORDS };
static const char *const words[WORDS] = { "runs",   "trusted", "told", "refused",
                                          "alarms", "SILENT",  "hang", "crash" };

typedef struct campaign {
    const char *folder;
    uint64_t seed;
    long next, count;
    int seconds;
    bool kept, verbose; ///< counts and findings are files; every run is printed
    long tally[ROWS][WORDS];
} campaign;

static volatile sig_atomic_t stopped;

static void stop(int signal_number)
{
    (void)signal_number;
    stopped = 1;
}

static const char *row_name(int k)
{
    const char *const name = judge_name(k);
    if (name) return name;
    int formulations = 0;
    while (judge_name(formulations)) formulations++;
    return study_name(k - formulations);
}

// ---- counts --------------------------------------------------------------------------------------------

static void counts_path(const campaign *c, char *path, size_t size, const char *end)
{
    snprintf(path, size, "%s/%" PRIu64 ".counts%s", c->folder, c->seed, end);
}

static void read_counts(campaign *c)
{
    char path[512];
    counts_path(c, path, sizeof path, "");
    FILE *const file = fopen(path, "r");
    if (!file) return;
    if (fscanf(file, "%ld", &c->next) != 1) c->next = 0;
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < WORDS; i++)
            if (fscanf(file, "%ld", &c->tally[k][i]) != 1) c->tally[k][i] = 0;
    fclose(file);
}

// the whole file anew, so that it is never half written
static void write_counts(const campaign *c)
{
    char path[512], part[512];
    counts_path(c, path, sizeof path, "");
    counts_path(c, part, sizeof part, ".part");
    FILE *const file = fopen(part, "w");
    if (!file) perror(part), exit(2);
    fprintf(file, "%ld\n", c->next);
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < WORDS; i++) fprintf(file, "%ld%c", c->tally[k][i], i + 1 < WORDS ? ' ' : '\n');
    if (fclose(file) != 0 || rename(part, path) != 0) perror(path), exit(2);
}

static long print_table(const campaign *c)
{
    long found = 0;
    printf("%ld models of seed %" PRIu64 "\n%-22s", c->next, c->seed, "");
    for (int i = 0; i < WORDS; i++) printf("%9s", words[i]);
    printf("\n");
    for (int k = 0; row_name(k); k++) {
        printf("%-22s", row_name(k));
        for (int i = 0; i < WORDS; i++) printf("%9ld", c->tally[k][i]);
        printf("\n");
        found += c->tally[k][SILENT] + c->tally[k][HANGS] + c->tally[k][CRASHES];
    }
    return found;
}

// ---- findings ------------------------------------------------------------------------------------------

// the model with what was found of it, as comments at its top
static void write_case(const campaign *c, long number, const char *name, const char *what, const char *text)
{
    char path[512], plain[64];
    if (!c->kept) {
        printf("# %s\n%s\n", what, text);
        return;
    }
    snprintf(plain, sizeof plain, "%s", name);
    for (char *at = plain; *at; at++)
        if (*at == ' ' || *at == ',') *at = '-';
    snprintf(path, sizeof path, "%s/%" PRIu64 "-%ld-%s.yaml", c->folder, c->seed, number, plain);
    FILE *const file = fopen(path, "w");
    if (!file) perror(path), exit(2);
    fprintf(file, "# %s\n%s", what, text);
    if (fclose(file) != 0) perror(path), exit(2);
    printf("%ld: %s; %s\n", number, what, path);
    fflush(stdout);
}

typedef struct same_finding {
    judge *j;
    judge_finding *f;
} same_finding;

static bool still_wrong(void *context, const char *text)
{
    const same_finding *const s = context;
    return !stopped && judge_still(s->j, text, s->f);
}

static void tally_runs(campaign *c, const judge *j)
{
    for (int k = 0; k < j->count; k++) {
        long *const row = c->tally[j->run[k].column];
        const trial_end end = j->run[k].t.end;
        row[RUNS]++;
        row[TRUSTED] += end == TRIAL_TRUSTED;
        row[TOLD] += end == TRIAL_TOLD;
        row[REFUSED] += end == TRIAL_REFUSED;
        row[ALARMS] += judge_false_alarm(j, k);
    }
}

static void judge_one(campaign *c, grammar_model *m, long number, char *text)
{
    judge j;
    judge_plan(&j, m, number, c->seconds);
    judge_finding f = judge_model(&j, text);
    tally_runs(c, &j);
    if (c->verbose)
        for (int k = 0; k < j.count; k++)
            printf("%ld %s: %d, %.2f s, %s\n", number, j.run[k].name, (int)j.run[k].t.end, j.run[k].t.seconds,
                   j.run[k].t.text);
    if (f.kind == JUDGE_NOTHING) return;
    const int column = j.run[f.run].column;
    c->tally[column][f.kind == JUDGE_SILENT ? SILENT : f.kind == JUDGE_HANG ? HANGS : CRASHES]++;
    if (judge_still(&j, text, &f)) {
        same_finding same = { &j, &f };
        shrink_model(&m->d, still_wrong, &same, f.kind == JUDGE_HANG ? SHRINK_TRIES / 25 : SHRINK_TRIES,
                     text);
    }
    write_case(c, number, j.run[f.run].name, f.text, text);
}

// ---- studies -------------------------------------------------------------------------------------------

typedef struct same_study {
    int kind, seconds;
    const grammar_model *m;
    study_result *found;
} same_study;

static bool study_still(void *context, const char *text)
{
    const same_study *const s = context;
    study_result result;
    study_run(s->kind, s->m, text, s->seconds, &result);
    if (stopped || !result.wrong || result.end != s->found->end) return false;
    *s->found = result;
    return true;
}

static void study_one(campaign *c, grammar_model *m, long number, int kind)
{
    char text[DRAFT_SIZE];
    if (!study_applies(kind, m, number)) return;
    for (int k = 0; k < m->d.part_count; k++) m->d.part[k].dropped = false;
    draft_render(&m->d, text);
    study_result result;
    study_run(kind, m, text, c->seconds, &result);
    int formulations = 0;
    while (judge_name(formulations)) formulations++;
    long *const row = c->tally[formulations + kind];
    row[RUNS]++;
    row[TRUSTED] += !result.wrong && result.end == TRIAL_TRUSTED;
    row[TOLD] += result.end == TRIAL_TOLD;
    row[REFUSED] += result.end == TRIAL_REFUSED;
    if (c->verbose) printf("%ld %s: %d %s\n", number, study_name(kind), (int)result.end, result.text);
    if (!result.wrong) return;
    row[result.end == TRIAL_HANG ? HANGS : result.end == TRIAL_CRASH ? CRASHES : SILENT]++;
    same_study same = { kind, c->seconds, m, &result };
    shrink_model(&m->d, study_still, &same, result.end == TRIAL_HANG ? SHRINK_TRIES / 25 : SHRINK_TRIES,
                 text);
    write_case(c, number, study_name(kind), result.text, text);
}

static void one_model(campaign *c, long number)
{
    static grammar_model m;
    char text[DRAFT_SIZE];
    grammar_make(&m, c->seed, number);
    draft_render(&m.d, text);
    judge_one(c, &m, number, text);
    for (int kind = 0; study_name(kind) && !stopped; kind++) study_one(c, &m, number, kind);
}

static int usage(void)
{
    fputs(
        "usage: model_campaign FOLDER COUNT [SEED [NUMBER]]   NUMBER: this model alone, with all its runs\n",
        stderr);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 5) return usage();
    campaign c = { .folder = argv[1], .count = strtol(argv[2], NULL, 10), .seed = 1, .seconds = LIMIT };
    if (argc > 3) c.seed = strtoull(argv[3], NULL, 10);
    c.kept = strcmp(c.folder, "-") != 0;
    if (c.kept && mkdir(c.folder, 0777) != 0 && errno != EEXIST) return perror(c.folder), 2;
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    if (argc > 4) {
        c.verbose = true;
        one_model(&c, strtol(argv[4], NULL, 10));
        return 0;
    }
    if (c.kept) read_counts(&c);
    while (!stopped && c.next < c.count) {
        const campaign before = c; // a model that Ctrl-C cut short is not counted
        one_model(&c, c.next);
        if (stopped) {
            c = before;
            break;
        }
        c.next++;
        if (c.kept) write_counts(&c);
    }
    return print_table(&c) > 0;
}
