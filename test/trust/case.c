#include "case.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

// the next word of a line; its end is cut off
static char *next_word(char **line)
{
    char *word = *line + strspn(*line, " ");
    char *end = word + strcspn(word, " \n");
    *line = end + (*end != '\0');
    *end = '\0';
    return word;
}

static void copy(char *to, size_t size, const char *from)
{
    int length = snprintf(to, size, "%s", from);
    assert_true(length >= 0 && (size_t)length < size);
}

static double read_number(const char *word)
{
    char *end = NULL;
    double value = strtod(word, &end);
    if (end == word || *end) fail_msg("'%s' should be a number", word);
    return value;
}

static void read_measure(trust_case *c, char **line)
{
    const char *word = next_word(line);
    if (strcmp(word, "word") == 0) {
        c->measure = TRUST_WORD;
        return;
    }
    if (strcmp(word, "final") == 0)
        c->measure = TRUST_FINAL;
    else if (strcmp(word, "ledger") == 0)
        c->measure = TRUST_LEDGER;
    else if (strcmp(word, "event") == 0)
        c->measure = TRUST_EVENT;
    else if (strcmp(word, "count") == 0)
        c->measure = TRUST_COUNT;
    else
        fail_msg("%s: '%s' should be final, ledger, event, count or word", c->path, word);
    copy(c->name, sizeof c->name, next_word(line));
    if (c->measure == TRUST_EVENT || c->measure == TRUST_COUNT)
        copy(c->element, sizeof c->element, next_word(line));
    if (c->measure == TRUST_EVENT) c->nth = (int)read_number(next_word(line));
    c->reference = read_number(next_word(line));
    c->tolerance = 0.01 * fabs(c->reference);
}

static void read_sets(trust_case *c, char *text)
{
    for (char *set = strtok(text, ","); set; set = strtok(NULL, ",")) {
        assert_in_range(c->set_count, 0, 5);
        copy(c->sets[c->set_count++], sizeof c->sets[0], set + strspn(set, " "));
    }
}

static void read_rest(trust_case *c, char *line)
{
    c->doubt_is_due = strstr(line, "doubt is due") != NULL;
    char *under = strstr(line, "under "), *with = strstr(line, "with "), *within = strstr(line, "within ");
    if (with == within) with = with ? strstr(with + 6, "with ") : NULL;
    if (under) {
        copy(c->under, sizeof c->under, under + 6);
        c->under[strcspn(c->under, "\n")] = '\0';
        *under = '\0';
    }
    if (with) {
        with[strcspn(with, "\n")] = '\0';
        read_sets(c, with + 5);
        *with = '\0';
    }
    if (within) {
        within += 7;
        c->tolerance = read_number(next_word(&within));
        if (strcmp(next_word(&within), "%") == 0) c->tolerance *= 0.01 * fabs(c->reference);
    }
}

static int read_file(const char *path, trust_case *cases, int count, int max_count)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[512];
    int before = count;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "#= ", 3) != 0) continue;
        assert_true(count < max_count);
        trust_case *c = &cases[count++];
        *c = (trust_case){ 0 };
        copy(c->path, sizeof c->path, path);
        char *rest = line + 3;
        read_measure(c, &rest);
        read_rest(c, rest);
    }
    fclose(file);
    if (count == before) fail_msg("%s has no line that begins with '#= '", path);
    return count;
}

int trust_read_cases(const char *folder, trust_case *cases, int max_count)
{
    char pattern[300];
    snprintf(pattern, sizeof pattern, "%s/*.yaml", folder);
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    int count = 0;
    for (size_t k = 0; k < found.gl_pathc; k++) count = read_file(found.gl_pathv[k], cases, count, max_count);
    globfree(&found);
    return count;
}

bool trust_case_takes(const trust_case *c, const char *formulation)
{
    if (!c->under[0]) return true;
    size_t length = strlen(formulation);
    for (const char *at = c->under; (at = strstr(at, formulation)); at += length)
        if ((at == c->under || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}
