// engine_NAME [--settings FILE] [--profile NAME] [--scene NAME]... [--limit SECONDS] [--check | --describe]
// Runs scenes and prints one line of JSON for each. --check runs each once and fails where one is not right.
// --describe prints the scenes themselves.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trial.h"

typedef struct options {
    const char *file, *profile;
    const char *scenes[64];
    int scene_count;
    double limit;
    bool check, describe;
} options;

double setting(const settings *s, const char *key, double fallback)
{
    for (int k = 0; k < s->count; k++)
        if (strcmp(s->entries[k].key, key) == 0) return s->entries[k].value;
    return fallback;
}

// "engine profile key value", with comments; a line of engine and profile alone is a profile without changes
static int read_settings(const char *file, const char *engine_name, settings *profiles, int max_count)
{
    FILE *f = fopen(file, "r");
    if (!f) {
        fprintf(stderr, "%s: cannot be read\n", file);
        exit(2);
    }
    char line[512];
    int count = 0;
    for (int number = 1; fgets(line, sizeof line, f); number++) {
        char name[32], profile[32], key[32];
        double value;
        line[strcspn(line, "#")] = '\0';
        int got = sscanf(line, "%31s %31s %31s %lf", name, profile, key, &value);
        if (got <= 0) continue;
        if (got != 2 && got != 4) {
            fprintf(stderr, "%s:%d: expected: engine profile [key number]\n", file, number);
            exit(2);
        }
        if (strcmp(name, engine_name) != 0) continue;
        int k = 0;
        while (k < count && strcmp(profiles[k].profile, profile) != 0) k++;
        if (k == max_count) break;
        if (k == count) {
            count++;
            memset(&profiles[k], 0, sizeof profiles[k]);
            strcpy(profiles[k].engine, name);
            strcpy(profiles[k].profile, profile);
        }
        if (got == 4 && profiles[k].count < 32) {
            strcpy(profiles[k].entries[profiles[k].count].key, key);
            profiles[k].entries[profiles[k].count++].value = value;
        }
    }
    fclose(f);
    return count;
}

static void print_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar((unsigned char)*text < 32 ? ' ' : *text);
    }
    putchar('"');
}

static void print_number(const char *name, double value)
{
    if (isfinite(value))
        printf("\"%s\":%.9g", name, value);
    else
        printf("\"%s\":null", name);
}

static void print_list(const char *name, const double *values, int count)
{
    printf("\"%s\":[", name);
    for (int k = 0; k < count; k++)
        printf(isfinite(values[k]) ? "%s%.5g" : "%snull", k ? "," : "", values[k]);
    printf("]");
}

static void print_trial(const trial *r, int level, const double *times, int time_count)
{
    printf("{\"level\":%d,\"done\":%s,", level, r->done ? "true" : "false");
    print_number("step", r->step), putchar(',');
    if (!r->done) {
        printf("\"message\":");
        print_text(r->message);
        putchar('}');
        return;
    }
    print_number("value", r->value), putchar(',');
    print_number("error", r->error), putchar(',');
    print_number("penetration", r->penetration), putchar(',');
    print_number("energy", r->energy), putchar(',');
    print_number("momentum", r->momentum), putchar(',');
    print_number("create", r->create_time), putchar(',');
    print_list("times", times, time_count);
    printf(",\"steps\":%ld,\"memory\":%.0f,", r->steps, r->memory);
    if (level == TRIAL_USUAL) {
        print_list("t", r->sample_t, r->sample_count), putchar(',');
        print_list("x", r->sample, r->sample_count), putchar(',');
    }
    printf("\"hash\":\"%016llx\"}", (unsigned long long)r->hash);
}

static void print_film(const scene *s, const trial *r)
{
    printf("\"film\":[");
    for (int f = 0; f < r->frame_count; f++) {
        printf("%s[", f ? "," : "");
        for (int k = 0; k < s->body_count * 7; k++)
            printf("%s%.4g", k ? "," : "", (double)r->frames[f][k / 7][k % 7]);
        printf("]");
    }
    printf("],");
}

// The usual step first, with repetitions and threads; then the others, while they can be expected to end in time.
static bool run_scene(const scene *s, const settings *with, double limit)
{
    enum { REPETITIONS = 3 };
    const engine *e = &engine_under_test;
    static trial r, timed;
    double times[REPETITIONS] = { 0 };
    printf("{\"engine\":\"%s\",\"profile\":\"%s\",\"scene\":\"%s\",", e->name, with->profile, s->name);
    trial_run(e, s, with, TRIAL_USUAL, true, limit, &r);
    bool done = r.done, same = true;
    double longest = r.create_time + r.step_time;
    int count = !done ? 0 : longest > 0.25 * limit ? 1 : REPETITIONS;
    for (int k = 0; k < count; k++) {
        trial_run(e, s, with, TRIAL_USUAL, false, limit, &timed);
        same = same && timed.hash == r.hash;
        times[k] = timed.step_time;
    }
    if (done) printf("\"same_bits\":%s,", same ? "true" : "false");
    if (done && e->threads) {
        settings two = *with;
        strcpy(two.entries[two.count].key, "threads");
        two.entries[two.count++].value = 2.0;
        trial_run(e, s, &two, TRIAL_USUAL, false, limit, &timed);
        printf("\"same_bits_on_threads\":%s,", timed.hash == r.hash ? "true" : "false");
    }
    if (done) print_film(s, &r);
    printf("\"levels\":[");
    print_trial(&r, TRIAL_USUAL, times, count);
    for (int level = 0; done && level < TRIAL_LEVELS; level++) {
        double expected = longest * pow(4.0, level - TRIAL_USUAL);
        if (level == TRIAL_USUAL || (level > TRIAL_USUAL && expected > 0.3 * limit)) continue;
        trial_run(e, s, with, level, true, limit, &r);
        if (r.done) trial_run(e, s, with, level, false, limit, &timed);
        putchar(',');
        print_trial(&r, level, &timed.step_time, 1);
    }
    printf("]}\n");
    return done;
}

static bool check_scene(const scene *s, const settings *with, double limit)
{
    static trial r;
    trial_run(&engine_under_test, s, with, TRIAL_USUAL, true, limit, &r);
    bool right = r.done && r.error <= s->good;
    printf("%-9s %-20s %-10s %12.6g  truth %12.6g  error %8.2g  %6.3f s  %s\n", right ? "right" : "NOT RIGHT",
           s->name, with->profile, r.value, s->truth, r.error, r.create_time + r.step_time, r.message);
    return right;
}

static void describe_scene(const scene *s)
{
    const char *texts[][2] = { { "name", s->name },
                               { "title", s->title },
                               { "about", s->about },
                               { "source", s->source },
                               { "fair", s->fair } };
    for (int k = 0; k < 5; k++) {
        printf("%s\"%s\":", k ? "," : "{", texts[k][0]);
        print_text(texts[k][1]);
    }
    putchar(','), print_number("truth", s->truth);
    putchar(','), print_number("scale", s->scale);
    putchar(','), print_number("good", s->good);
    putchar(','), print_number("until", s->until);
    printf(",\"axis\":%d,\"planar\":%s,\"shapes\":[", s->axis, s->planar ? "true" : "false");
    int shown = s->body_count <= 6000 ? s->body_count : 0;
    for (int k = 0; k < shown; k++) {
        const scene_body *b = &s->bodies[k];
        const pose *p = &b->start;
        printf("%s[%d,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g]", k ? "," : "", (int)b->shape,
               b->size[0], b->size[1], b->size[2], p->x[0], p->x[1], p->x[2], p->q[0], p->q[1], p->q[2],
               p->q[3]);
    }
    printf("]}\n");
}

static bool wanted(const options *o, const char *name)
{
    for (int k = 0; k < o->scene_count; k++)
        if (strcmp(o->scenes[k], name) == 0) return true;
    return o->scene_count == 0;
}

static options read_options(int argc, char **argv)
{
    options o = { .file = "bench/engines/settings.txt", .limit = 10.0 };
    for (int k = 1; k < argc; k++) {
        const char *word = argv[k], *next = k + 1 < argc ? argv[k + 1] : "";
        if (strcmp(word, "--check") == 0)
            o.check = true;
        else if (strcmp(word, "--describe") == 0)
            o.describe = true;
        else if (k++, strcmp(word, "--settings") == 0)
            o.file = next;
        else if (strcmp(word, "--profile") == 0)
            o.profile = next;
        else if (strcmp(word, "--limit") == 0)
            o.limit = strtod(next, NULL);
        else if (strcmp(word, "--scene") == 0 && o.scene_count < 64)
            o.scenes[o.scene_count++] = next;
        else {
            fprintf(stderr,
                    "usage: %s [--settings FILE] [--profile NAME] [--scene NAME]... [--limit SECONDS] "
                    "[--check | --describe]\n",
                    argv[0]);
            exit(2);
        }
    }
    return o;
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    static settings profiles[4];
    int profile_count = read_settings(o.file, engine_under_test.name, profiles, 4), run = 0;
    bool right = true;
    if (!o.check && !o.describe)
        printf("{\"engine\":\"%s\",\"version\":\"%s\",\"language\":\"%s\"}\n", engine_under_test.name,
               engine_under_test.version(), engine_under_test.language);
    for (const scene_entry *entry = scene_list; entry->name; entry++) {
        if (!wanted(&o, entry->name)) continue;
        scene *s = scene_make(entry);
        if (o.describe) describe_scene(s), run++;
        for (int k = 0; k < profile_count && !o.describe; k++) {
            if (o.profile && strcmp(o.profile, profiles[k].profile) != 0) continue;
            run++;
            if (!o.check)
                run_scene(s, &profiles[k], o.limit);
            else if (!check_scene(s, &profiles[k], o.limit))
                right = false;
        }
        scene_free(s);
    }
    if (run == 0) fprintf(stderr, "%s: no such scene or profile\n", argv[0]);
    return run > 0 && right ? 0 : 1;
}
