#define _POSIX_C_SOURCE 200809L // open_memstream
#include "page.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct section {
    char *text;
    size_t size;
    FILE *out;
} section;

enum { AGREES, HOLDS, IDENTITY, MISPRINT, DIFFERS, MISSING_VALUE, STATUS_COUNT };
enum { DRAWN, SKETCH, NOT_HAD, FIGURE_COUNT };

struct page {
    page_title title;
    const char *root, *out;
    section say, figures, pictures, data, numbers, errata;
    int status[STATUS_COUNT], figure[FIGURE_COUNT], input_count, erratum_count;
    bool failed;
};

_Noreturn static void die(const char *what, const char *detail)
{
    fprintf(stderr, "reproduction: %s: %s\n", what, detail);
    exit(1);
}

static void section_open(section *s)
{
    s->out = open_memstream(&s->text, &s->size);
    if (!s->out) die("open_memstream", "out of memory");
}

page *page_create(const page_title *title, const char *root, const char *out)
{
    page *p = calloc(1, sizeof *p);
    if (!p) die(title->name, "out of memory");
    p->title = *title;
    p->root = root;
    p->out = out;
    section_open(&p->say);
    section_open(&p->figures);
    section_open(&p->pictures);
    section_open(&p->data);
    section_open(&p->numbers);
    section_open(&p->errata);
    return p;
}

const char *page_root(const page *p)
{
    return p->root;
}

static FILE *open_below(const page *p, const char *folder, const char *name, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/docs/%s/%s%s", p->out, folder, name, ending);
    FILE *f = fopen(path, "w");
    if (!f) die(path, "cannot be written");
    return f;
}

static const char *end_section(section *s)
{
    if (fclose(s->out) != 0) die("a section", "out of memory");
    return s->text;
}

static void write_summary(const page *p, FILE *f)
{
    const int *s = p->status, *g = p->figure;
    fprintf(f, "# %s, figure by figure and number by number\n\n%s\n\n", p->title.short_name,
            p->title.reference);
    fprintf(f, "| | |\n|---|---|\n");
    fprintf(f, "| figures | %d: %d drawn from our runs, %d sketches and diagrams, %d not reproducible |\n",
            g[DRAWN] + g[SKETCH] + g[NOT_HAD], g[DRAWN], g[SKETCH], g[NOT_HAD]);
    fprintf(f, "| data | %d printed, all in the models as printed; %d not printed, chosen |\n",
            p->input_count, s[MISSING_VALUE]);
    fprintf(
        f,
        "| results | printed numbers that agree: %d; statements without a number that hold: %d; misprints: "
        "%d; different for a stated reason: %d |\n",
        s[AGREES], s[HOLDS], s[MISPRINT], s[DIFFERS]);
    fprintf(f, "| identities | %d, which follow from the data and are not counted as results |\n",
            s[IDENTITY]);
    fprintf(f, "| errata and points left open | %d |\n", p->erratum_count);
    fprintf(f, "| models | %s |\n", p->title.models);
    fprintf(f,
            "| written by | `make docs`, from `tools/reproduction/%s.c`; nothing in the columns \"ours\" and "
            "\"difference\" is typed |\n",
            p->title.name);
    fprintf(f,
            "| held by | test `docs.reproduction-%s` (this page and its pictures are what the program gives "
            "today), "
            "%s |\n\n",
            p->title.name, p->title.tests);
}

bool page_finish(page *p)
{
    FILE *f = open_below(p, "reproduction", p->title.name, ".md");
    write_summary(p, f);
    fputs(end_section(&p->say), f);
    fprintf(f, "## Figures\n\n| figure | shows | here |\n|---|---|---|\n%s\n%s", end_section(&p->figures),
            end_section(&p->pictures));
    const char *numbers = end_section(&p->numbers), *data = end_section(&p->data);
    fprintf(f,
            "## Results and statements\n\n"
            "A number agrees when it differs by no more than half a unit of its last printed digit; "
            "\"about\" has its\n"
            "tolerance beside it. A statement for which the paper prints no number holds or does not. An "
            "identity is a number that\n"
            "follows from the data without a run.\n\n"
            "| where | what | printed | ours | difference | status |\n|---|---|---|---|---|---|\n%s\n",
            numbers);
    fprintf(f,
            "## Data\n\n| where | what | printed | in the models | difference | "
            "|\n|---|---|---|---|---|---|\n%s\n",
            data);
    fprintf(f,
            "## Errata, and what is left open\n\n| where | printed | taken here | seen by "
            "|\n|---|---|---|---|\n%s",
            end_section(&p->errata));
    bool good = fflush(f) == 0 && !p->failed;
    fclose(f);
    section *all[] = { &p->say, &p->figures, &p->pictures, &p->data, &p->numbers, &p->errata };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]->text);
    free(p);
    return good;
}

void page_say(page *p, const char *text)
{
    fprintf(p->say.out, "%s\n\n", text);
}

void page_sketch(page *p, const char *figure, const char *shows, const char *here)
{
    p->figure[SKETCH]++;
    fprintf(p->figures.out, "| %s | %s | nothing to compute: %s |\n", figure, shows, here);
}

void page_missing(page *p, const char *figure, const char *shows, const char *why)
{
    p->figure[NOT_HAD]++;
    fprintf(p->figures.out, "| %s | %s | not reproducible: %s |\n", figure, shows, why);
}

void page_drawn(page *p, const char *figure, const char *shows, const char *path, const char *text)
{
    p->figure[DRAWN]++;
    for (const char *c = figure; *c; c++) p->figure[DRAWN] += *c == ','; // "Figs 2.4, 2.5"
    fprintf(p->figures.out, "| %s | %s | below |\n", figure, shows);
    fprintf(p->pictures.out, "### %s: %s\n\n![%s](%s)\n\n%s\n\n", figure, shows, shows, path, text);
}

FILE *page_picture(page *p, const char *figure, const char *shows, const char *file, const char *text)
{
    char name[128], path[256];
    snprintf(name, sizeof name, "%s-%s", p->title.name, file);
    snprintf(path, sizeof path, "../images/reproduction/%s.svg", name);
    page_drawn(p, figure, shows, path, text);
    return open_below(p, "images/reproduction", name, ".svg");
}

void page_picture_path(page *p, const char *figure, const char *shows, const char *file, const char *text,
                       char *path, size_t size)
{
    FILE *out = page_picture(p, figure, shows, file, text);
    fclose(out); // it can be written
    snprintf(path, size, "%s/docs/images/reproduction/%s-%s.svg", p->out, p->title.name, file);
}

// half a unit of the last digit of a number as it is printed: "0.1530" has 5e-5, "7.4e-5" 5e-7
static double half_digit(const char *printed)
{
    const char *exponent = strpbrk(printed, "eE"), *point = strchr(printed, '.');
    int decimals = 0;
    if (point)
        for (const char *c = point + 1; *c >= '0' && *c <= '9'; c++) decimals++;
    return 0.5 * pow(10.0, (exponent ? atoi(exponent + 1) : 0) - decimals);
}

// `good` is the status of what has no reason to differ
static const char *status_of(page *p, const char *what, int good, bool agrees, const char *why)
{
    static const char *const words[] = { [AGREES] = "agrees", [HOLDS] = "holds", [IDENTITY] = "identity" };
    int status = !why ? good : strncmp(why, "misprint", 8) == 0 ? MISPRINT : DIFFERS;
    p->status[status]++;
    if (agrees == (why != NULL)) {
        fprintf(stderr, "%s: %s: %s\n", p->title.name, what,
                agrees ? "agrees, though the page explains a difference"
                       : "differs, and the page has no reason");
        p->failed = true;
    }
    return why ? why : words[good];
}

static void row(page *p, FILE *out, int good, const char *where, const char *what, const char *printed,
                const char *unit, double ours, double tolerance, bool about, const char *why)
{
    char *end = NULL, difference[32], slack[32] = "";
    double off = ours - strtod(printed, &end);
    if (end == printed) die(what, "the printed number is none");
    // what is left of two equal decimals after rounding is no difference
    if (fabs(off) <= 1e-12 * fabs(ours)) off = 0.0;
    snprintf(difference, sizeof difference, off == 0.0 ? "0" : "%+.2g", off);
    if (about) snprintf(slack, sizeof slack, " (within %g)", tolerance);
    const char *status = status_of(p, what, good, fabs(off) <= tolerance * (1 + 1e-9), why);
    fprintf(out, "| %s | %s | %s%s%s%s%s | %.6g | %s | %s |\n", where, what, about ? "about " : "", printed,
            *unit ? " " : "", unit, slack, ours, difference, status);
}

void page_number(page *p, const char *where, const char *what, const char *printed, const char *unit,
                 double ours, const char *why)
{
    row(p, p->numbers.out, AGREES, where, what, printed, unit, ours, half_digit(printed), false, why);
}

void page_about(page *p, const char *where, const char *what, const char *printed, const char *unit,
                double ours, double tolerance, const char *why)
{
    row(p, p->numbers.out, AGREES, where, what, printed, unit, ours, tolerance, true, why);
}

void page_identity(page *p, const char *where, const char *what, const char *printed, const char *unit,
                   double ours)
{
    row(p, p->numbers.out, IDENTITY, where, what, printed, unit, ours, half_digit(printed), false, NULL);
}

void page_datum(page *p, const char *where, const char *what, const char *printed, const char *unit,
                double ours)
{
    const int agreed = p->status[AGREES];
    row(p, p->data.out, AGREES, where, what, printed, unit, ours, 0.0, false, NULL);
    p->status[AGREES] = agreed;
    p->input_count++;
}

void page_input(page *p, const slip_model *model, const char *where, const char *what, const char *printed,
                const char *unit, const char *parameter)
{
    page_datum(p, where, what, printed, unit, page_parameter(model, parameter));
}

void page_not_printed(page *p, const char *where, const char *what, const char *unit, double ours,
                      const char *why)
{
    p->status[MISSING_VALUE]++;
    fprintf(p->data.out, "| %s | %s | not printed | %.6g %s | | %s |\n", where, what, ours, unit, why);
}

void page_claim(page *p, const char *where, const char *claim, bool holds, const char *why,
                const char *format, ...)
{
    va_list list;
    const char *status = status_of(p, claim, HOLDS, holds, why);
    fprintf(p->numbers.out, "| %s | %s | | ", where, claim);
    va_start(list, format);
    vfprintf(p->numbers.out, format, list);
    va_end(list);
    fprintf(p->numbers.out, " | | %s |\n", status);
}

void page_erratum(page *p, const char *where, const char *printed, const char *taken, const char *format, ...)
{
    va_list list;
    p->erratum_count++;
    fprintf(p->errata.out, "| %s | %s | %s | ", where, printed, taken);
    va_start(list, format);
    vfprintf(p->errata.out, format, list);
    va_end(list);
    fprintf(p->errata.out, " |\n");
}
