/// main.c: the gallery: every shipped model with a picture, what is said about it and what it did.
///     gallery ROOT OUT [MODEL]
/// reads ROOT/models and writes OUT/docs/gallery.md and OUT/docs/images/gallery/*.svg; with a model, that
/// picture alone and no page.
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gallery.h"

static const struct {
    const char *folder, *title;
} chapters[] = {
    { "xiong", "Xiong 2013: friction and contact as ODEs" },
    { "song", "Song 2001: when the rigid contact problem can be trusted" },
    { "kikuuwe", "Kikuuwe 2008: friction that knows its stage step" },
    { "gomez", "Gomez 2008: least constraint and the journal bearing" },
    { "flores", "Flores 2010: a slider with play" },
    { "classics", "Classics" },
    { "spatial", "Bodies in space" },
    { "many-body", "Many bodies, detected contacts" },
};
enum { CHAPTERS = sizeof chapters / sizeof *chapters, MAX_MODELS = 200 };

// ------------------------------------------------------------------------------------- the facts

// significant digits of a number as printed, and one more
static int digits_of(const char *printed)
{
    int digits = 0;
    for (const char *c = printed; *c && *c != 'e'; c++)
        digits += (*c >= '1' && *c <= '9') || (digits && *c == '0');
    return digits < 3 ? 4 : digits + 1;
}

static bool holds(const fact *f, const measured *m)
{
    if (!m->known) return false;
    if (f->kind == FACT_VERDICT) return strcmp(m->word, f->printed) == 0;
    return fabs(m->value - strtod(f->printed, NULL)) <= f->tolerance;
}

static bool write_facts(FILE *out, const show *s)
{
    bool good = true;
    if (!s->entry || s->entry->facts[0].kind == FACT_NONE) return true;
    fprintf(out, "| statement | by | value | measured now |\n|---|---|---|---|\n");
    for (int k = 0; k < MAX_FACTS && s->entry->facts[k].kind != FACT_NONE; k++) {
        const fact *f = &s->entry->facts[k];
        const measured *m = &s->measured[k];
        char value[60];
        bool tiny = strtod(f->printed, NULL) == 0.0;
        snprintf(value, sizeof value, "%.*g", tiny ? 1 : digits_of(f->printed), m->value);
        if (f->kind == FACT_VERDICT) snprintf(value, sizeof value, "%s", m->word);
        fprintf(out, "| %s | %s | %s%s%s | %s |\n", f->what, f->source, f->printed, f->unit[0] ? " " : "",
                f->unit, value);
        if (holds(f, m)) continue;
        fprintf(stderr, "gallery: %s: %s: printed %s, measured %s\n", s->entry->model, f->what, f->printed,
                m->known ? value : "nothing");
        good = false;
    }
    fprintf(out, "\n");
    return good;
}

// ----------------------------------------------------------------------------------- what to watch

// Markdown would take these for marks
static void write_plain(FILE *out, const char *text, size_t length)
{
    for (size_t k = 0; k < length; k++) {
        if (strchr("*_<`", text[k])) fputc('\\', out);
        fputc(text[k], out);
    }
}

// the comment that a model file opens with; what is indented in it is a table or a command
static void write_watch(FILE *out, const char *text)
{
    bool code = false, open = false;
    for (; *text == '#'; text = strchr(text, '\n') + 1) {
        size_t length = strcspn(text, "\n"), skip = length > 1 && text[1] == ' ' ? 2 : 1;
        bool indented = strncmp(text + skip, "  ", 2) == 0, empty = length <= skip;
        if (code && !indented) fprintf(out, "```\n\n"), code = false;
        if (indented && !code) fprintf(out, "%s```\n", open ? "\n" : ""), code = true;
        if (code)
            fprintf(out, "%.*s\n", (int)(length - skip), text + skip);
        else if (empty)
            fprintf(out, open ? "\n" : "");
        else
            write_plain(out, text + skip, length - skip), fputc('\n', out);
        open = !empty && !indented;
    }
    fprintf(out, code ? "```\n\n" : "\n");
}

// -------------------------------------------------------------------------------------- one model

static FILE *open_out(const char *out, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/docs/%s", out, name);
    FILE *file = fopen(path, "w");
    if (file) return file;
    perror(path);
    exit(1);
}

static bool write_model(FILE *page, const char *root, const char *out, const char *folder, const char *name)
{
    char model[200], picture[260];
    snprintf(model, sizeof model, "%s/%s", folder, name);
    snprintf(picture, sizeof picture, "images/gallery/%s-%s.svg", folder, name);
    show s = show_run(root, model, entry_of(model));
    FILE *file = open_out(out, picture);
    still_write(file, &s);
    fclose(file);
    bool good = true;
    if (page) {
        size_t length;
        fprintf(page, "### %s\n\n![%s](%s)\n\n", slip_model_name(s.model), slip_model_name(s.model), picture);
        write_watch(page, slip_model_text(s.model, &length));
        good = write_facts(page, &s);
        fprintf(page, "`slipstick run %s` ([the file](../models/%s.yaml))\n\n", model, model);
    }
    show_free(&s);
    return good;
}

// ----------------------------------------------------------------------------------------- the page

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static int find_models(const char *root, const char *folder, char names[][128])
{
    char path[4096];
    int count = 0;
    snprintf(path, sizeof path, "%s/models/%s", root, folder);
    DIR *directory = opendir(path);
    if (!directory) return 0;
    for (struct dirent *item; (item = readdir(directory)) && count < MAX_MODELS;) {
        char *dot = strrchr(item->d_name, '.');
        if (dot && strcmp(dot, ".yaml") == 0)
            snprintf(names[count++], 128, "%.*s", (int)(dot - item->d_name), item->d_name);
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof names[0], by_name);
    return count;
}

static const char head[] = "# Gallery\n\n"
                           "Every model that comes with the program: a picture, what to watch for, what the "
                           "paper states or a closed form gives, and\n"
                           "the number that the program measures, in a run with the settings of the file.\n\n"
                           "The pictures show frames of the motion, the last one strongest; grey is what "
                           "does not move, orange arrows are contact\n"
                           "forces on what moves. `slipstick list models` names the models on the command "
                           "line. This page and its pictures are\n"
                           "written by `make docs` from `tools/gallery`, which ends with a failure when a "
                           "measured number does not agree; the test\n"
                           "`docs.gallery` compares them with what the program does today.\n\n";

int main(int count, char **arguments)
{
    static char names[MAX_MODELS][128];
    if (count == 4) {
        char *slash = strchr(arguments[3], '/');
        if (!slash) return 2;
        *slash = '\0';
        return write_model(NULL, arguments[1], arguments[2], arguments[3], slash + 1) ? 0 : 1;
    }
    if (count != 3) {
        fprintf(stderr, "usage: gallery ROOT OUT [MODEL]\n");
        return 2;
    }
    FILE *page = open_out(arguments[2], "gallery.md");
    bool good = true;
    fputs(head, page);
    for (int c = 0; c < CHAPTERS; c++) {
        fprintf(page, "## %s\n\n", chapters[c].title);
        int models = find_models(arguments[1], chapters[c].folder, names);
        for (int k = 0; k < models; k++)
            good = write_model(page, arguments[1], arguments[2], chapters[c].folder, names[k]) && good;
    }
    fclose(page);
    return good ? 0 : 1;
}
