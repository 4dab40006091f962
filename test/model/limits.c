/// limits.c: files that are too long, too deep, too many, not text, not there, or nonsense.
#include <sys/resource.h>

#include "helper.h"

static slip_status status_of(const char *text, size_t length, char **said)
{
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    slip_status status = slip_model_read_text("m.yaml", text, length, NULL, 0, notes, &model);
    *said = slip_diagnostics_text(notes);
    slip_model_destroy(model);
    slip_diagnostics_destroy(notes);
    return status;
}

// the status, and the words with which the first message begins
static void expect(const char *text, size_t length, slip_status status, const char *words)
{
    char *said;
    assert_int_equal(status_of(text, length, &said), status);
    if (strncmp(said, words, strlen(words)) != 0) assert_string_equal(said, words);
    free(said);
}

static void odd_bytes_are_refused(void **state)
{
    (void)state;
    expect("", 0, SLIP_BAD_MODEL,
           "m.yaml: error: the file is empty\n       = a model begins with  slipstick: 1\n");
    expect("a: b\1", 5, SLIP_BAD_FILE,
           "m.yaml:1:5: error: control character U+0001 in a model file\n     1 | a: b \n       |     ^\n");
    expect("a\0b", 3, SLIP_BAD_FILE, "m.yaml:1:2: error: control character U+0000 in a model file\n");
    expect("\n\nab\xFF", 5, SLIP_BAD_FILE, "m.yaml:3:3: error: byte 0xFF is not UTF-8 text\n");
    expect("a\xC3", 2, SLIP_BAD_FILE, "m.yaml:1:2: error: byte 0xC3 is not UTF-8 text\n");
    expect("a\xED\xA0\x80", 4, SLIP_BAD_FILE,
           "m.yaml:1:2: error: byte 0xED is not UTF-8 text\n");                                // a surrogate
    expect("a\xC0\x80", 3, SLIP_BAD_FILE, "m.yaml:1:2: error: byte 0xC0 is not UTF-8 text\n"); // overlong
    expect("a\xEF\xBB\xBF", 4, SLIP_BAD_FILE, "m.yaml:1:2: error: control character U+FEFF");
    expect("\xFF\xFEs\0", 4, SLIP_BAD_FILE,
           "m.yaml: error: the file is UTF-16; a model file is UTF-8 text\n");
    expect("\xFE\xFF\0s", 4, SLIP_BAD_FILE,
           "m.yaml: error: the file is UTF-16; a model file is UTF-8 text\n");
}

// a text of `count` repetitions between two others
static char *repeat(const char *before, const char *part, int count, const char *after, size_t *length)
{
    slip_text text = { 0 };
    slip_text_add(&text, "%s", before);
    for (int k = 0; k < count; k++) slip_text_bytes(&text, part, strlen(part));
    slip_text_add(&text, "%s", after);
    *length = text.length;
    return slip_text_take(&text);
}

static void depth_is_limited(void **state)
{
    (void)state;
    static const char *const parts[] = { "[", "{a: ", "- " };
    for (int k = 0; k < 3; k++) {
        size_t length;
        char *text = repeat("", parts[k], 200000, "", &length), *said;
        assert_int_equal(status_of(text, length, &said), SLIP_BAD_FILE);
        assert_non_null(strstr(said, "error: nested more than 64 deep\n"));
        free(said);
        free(text);
    }
    size_t length;
    char *text = repeat("slipstick: 1\nname: n\ncoordinates: {x: 0}\nmass: {x: 1}\nforces: {x: '", "(", 300,
                        "'}", &length),
         *said;
    assert_int_equal(status_of(text, length, &said), SLIP_BAD_MODEL);
    free(said);
    free(text);
}

static void size_is_limited(void **state)
{
    (void)state;
    size_t length;
    char *text = repeat("", "# 456789abcdef\n", (64 << 20) / 15 + 1, "", &length);
    expect(text, length, SLIP_BAD_FILE, "m.yaml: error: the file is larger than 64 MiB\n");
    free(text);
    text = repeat("a: [", "1,", 1100000, "1]\n", &length);
    expect(text, length, SLIP_BAD_FILE,
           "m.yaml:1:2097151: error: the file has more than 1048576 keys and values\n");
    free(text);
}

#define HEAD "slipstick: 1\nname: n\ncoordinates: {x: 0}\nmass: {x: 1}\n"

// bytes that the pools and tables of a reading take may grow with the file, not with its square
static void growth_is_linear(void **state)
{
    (void)state;
    static const struct {
        const char *before, *part, *after, *words;
    } cases[] = {
        { HEAD "forces: {x: ", "if(t<1,", "1}\n", "nested more than 200 levels deep" },
        { HEAD "define: {f(a", ",a", "): 1}\n", "two arguments are called 'a'" },
        { HEAD "define: {f(a", ", g(a", ": 1}\n", "" },
        { HEAD "parameters: {a: 1", ", a: 1", "}\n", "'a' is given twice" },
        { HEAD "repeat: {for: {i: [1", ",1", "]}, parameters: {p(i): 1}}\n", "'p1' is given twice" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct rlimit old;
        assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
        size_t length;
        char *text = repeat(cases[k].before, cases[k].part, 32000, cases[k].after, &length), *said;
#ifndef __SANITIZE_ADDRESS__ // which reserves terabytes
        const struct rlimit tight = { (rlim_t)1 << 30,
                                      old.rlim_max }; // what was quadratic took four times that
        assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
#endif
        slip_status status = status_of(text, length, &said);
        assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
        if (status != SLIP_BAD_MODEL && status != SLIP_BAD_FILE)
            fail_msg("case %zu: status %d", k, (int)status);
        if (!strstr(said, cases[k].words)) fail_msg("expected '%s' in\n%.2000s", cases[k].words, said);
        free(said);
        free(text);
    }
}

static void tables_are_limited(void **state)
{
    (void)state;
    slip_text text = { 0 };
    slip_text_add(&text, HEAD "inputs: {f: {t: [");
    for (int k = 0; k <= 10000; k++) slip_text_add(&text, "%s%d", k ? ", " : "", k);
    slip_text_add(&text, "], value: [");
    for (int k = 0; k <= 10000; k++) slip_text_add(&text, "%s1", k ? ", " : "");
    slip_text_add(&text, "]}}\nforces: {x: f}\n");
    char *said;
    assert_int_equal(status_of(text.data, text.length, &said), SLIP_BAD_MODEL);
    if (!strstr(said, "at most 10000 points")) fail_msg("%.2000s", said);
    free(said);
    slip_text_destroy(&text);
}

// forty functions that each call the next one twice: 2^40 calls
static void calls_are_bounded(void **state)
{
    (void)state;
    static const struct {
        int count, parentheses;
        const char *words;
    } cases[] = {
        { 40, 0, "the model becomes longer than 16777216 characters" },
        { 20000, 0, "more than 200 levels deep" },
        { 60, 190, "more than 200 levels deep" },
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        slip_text text = { 0 };
        slip_text_add(&text, HEAD "define:\n");
        for (int k = 0; k < cases[c].count; k++) {
            slip_text_add(&text, "  f%d(x): \"", k);
            for (int p = 0; p < cases[c].parentheses; p++) slip_text_add(&text, "(");
            slip_text_add(&text, cases[c].parentheses || cases[c].count > 40 ? "f%d(x)" : "f%d(x)*f%d(2*x)",
                          k + 1, k + 1);
            for (int p = 0; p < cases[c].parentheses; p++) slip_text_add(&text, ")");
            slip_text_add(&text, "\"\n");
        }
        slip_text_add(&text, "  f%d(x): x\nforces: {x: f0(x)}\n", cases[c].count);
        char *said;
        assert_int_equal(status_of(text.data, text.length, &said), SLIP_BAD_MODEL);
        if (!strstr(said, cases[c].words)) fail_msg("expected '%s' in\n%.2000s", cases[c].words, said);
        free(said);
        slip_text_destroy(&text);
    }
}

static void many_mistakes_end_early(void **state)
{
    (void)state;
    slip_text text = { 0 };
    slip_text_add(&text, "slipstick: 1\nname: n\ncoordinates: {x: 0}\nmass: {x: 1}\nparameters:\n");
    for (int k = 0; k < 20000; k++) slip_text_add(&text, "  p%d: q%d + r\n", k, k);
    char *said;
    assert_int_equal(status_of(text.data, text.length, &said), SLIP_BAD_MODEL);
    assert_non_null(strstr(said, "m.yaml:6:7: error: unknown name 'q0'\n"));
    assert_non_null(strstr(said, "... and "));
    free(said);
    slip_text_destroy(&text);
}

// deep chains of names are followed without recursion, and in time linear in their length
static void long_chains_are_followed(void **state)
{
    (void)state;
    enum { LENGTH = 20000 };
    for (int circle = 0; circle < 2; circle++) {
        slip_text text = { 0 };
        slip_text_add(&text, "slipstick: 1\nname: n\ncoordinates: {x: p0}\nmass: {x: 1}\nparameters:\n");
        for (int k = 0; k < LENGTH; k++) slip_text_add(&text, "  p%d: p%d + 1\n", k, k + 1);
        slip_text_add(&text, "  p%d: %s\n", LENGTH, circle ? "p0" : "1");
        char *said;
        slip_model *m = read_saying(text.data, NULL, 0, &said, NULL);
        if (circle) {
            assert_null(m);
            assert_non_null(strstr(said, "error: parameter 'p0' depends on itself: p0 -> ... -> p1999"));
        } else {
            assert_string_equal(said, "");
            assert_near(m->coordinates[0].start, LENGTH + 1.0, 0.0);
        }
        slip_model_destroy(m);
        free(said);
        slip_text_destroy(&text);
    }
}

static void large_models_are_read(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    slip_text text = { 0 };
    slip_text_add(&text, "slipstick: 1\nname: n\ncoordinates:\n");
    for (int k = 0; k < COUNT; k++) slip_text_add(&text, "  x%d: 1\n", k);
    slip_text_add(&text, "mass:\n");
    for (int k = 0; k < COUNT; k++) slip_text_add(&text, "  x%d: %d\n", k, k + 1);
    slip_text_add(&text, "contacts:\n");
    for (int k = 0; k < COUNT; k++) slip_text_add(&text, "  c%d: {gap: x%d, restitution: 0.5}\n", k, k);
    slip_text_add(&text, "record:\n");
    for (int k = 0; k < COUNT; k++) slip_text_add(&text, "  r%d: c%d.normal\n", k, k);
    slip_model *m = read_quietly(text.data, NULL, 0);
    assert_int_equal(m->contact_count, COUNT);
    assert_int_equal(m->quantity_count, COUNT);
    assert_int_equal(m->quantities[COUNT - 1].element, COUNT - 1);
    slip_model_destroy(m);
    slip_text_destroy(&text);
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    static const struct {
        const char *path, *said;
    } files[] = {
        { "no/such/file.yaml", "no/such/file.yaml: error: the file cannot be read: there is no such file\n" },
        { "models", "models: error: the file cannot be read: it is a directory\n" },
        { "LICENSE/a.yaml",
          "LICENSE/a.yaml: error: the file cannot be read: a part of the path is not a directory\n" },
    };
    for (int k = 0; k < 3; k++) {
        slip_diagnostics *notes = slip_diagnostics_create();
        slip_model *model = NULL;
        assert_int_equal(slip_model_read_file(files[k].path, NULL, 0, notes, &model), SLIP_IO);
        char *said = slip_diagnostics_text(notes);
        assert_string_equal(said, files[k].said);
        free(said);
        slip_diagnostics_destroy(notes);
    }
    slip_diagnostics *notes = slip_diagnostics_create();
    slip_model *model = NULL;
    assert_int_equal(slip_model_read_file("/dev/zero", NULL, 0, notes, &model), SLIP_BAD_FILE);
    slip_diagnostics_destroy(notes);
}

// ---------------------------------------------------------------------------- random mutations

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static const char *const fragments[] = {
    "{",  "}", "[",  "]",  "(",   ")",    ",",    ": ",  "\n",           "  ",       "'",
    "\"", "#", "&a", "*a", "!!x", "- ",   "|\n",  ">\n", "? ",           "---\n",    "\t",
    "''", ".", "t",  "x'", "1e9", "sgn(", "dio(", "if(", "floor.normal", "\xC3\xA4", "%"
};

// one to four places are overwritten, removed, doubled, or get a piece of YAML or formula
static size_t mutate(char *text, size_t length, size_t room, uint64_t *seed)
{
    int changes = 1 + (int)(next_random(seed) % 4);
    for (int k = 0; k < changes && length > 0; k++) {
        size_t at = next_random(seed) % length;
        size_t reach = 1 + next_random(seed) % 12;
        if (reach > length - at) reach = length - at;
        const char *piece = fragments[next_random(seed) % (sizeof fragments / sizeof fragments[0])];
        size_t size = strlen(piece);
        switch (next_random(seed) % 5) {
        case 0:
            text[at] = (char)(next_random(seed) % 256);
            break;
        case 1:
            text[at] = (char)(32 + next_random(seed) % 95);
            break;
        case 2:
            memmove(text + at, text + at + reach, length - at - reach);
            length -= reach;
            break;
        case 3:
            if (length + reach > room) break;
            memmove(text + at + reach, text + at, length - at);
            length += reach;
            break;
        default:
            if (length + size > room) break;
            memmove(text + at + size, text + at, length - at);
            memcpy(text + at, piece, size);
            length += size;
        }
    }
    return length;
}

static void mutated_files_never_crash(void **state)
{
    (void)state;
    static const char *const seeds[] = { "models/xiong/friction-mass.yaml",
                                         "test/fuzz/corpus/model/block.yaml",
                                         "test/fuzz/corpus/model/conveyor.yaml",
                                         "test/fuzz/corpus/model/quotes.yaml" };
    enum { ROUNDS = 1500 };
    uint64_t seed = 88172645463325252u;
    int valid = 0;
    for (int s = 0; s < 4; s++) {
        char *original = read_whole(seeds[s]);
        size_t length = strlen(original);
        char *copy = malloc(length + 200);
        for (int k = 0; k < ROUNDS; k++) {
            memcpy(copy, original, length);
            size_t changed = mutate(copy, length, length + 200, &seed);
            char *said;
            valid += status_of(copy, changed, &said) == SLIP_OK;
            assert_non_null(said);
            free(said);
        }
        free(copy);
        free(original);
    }
    assert_true(valid > 100 && valid < 4 * ROUNDS); // the mutations reach both sides
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_bytes_are_refused),     cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(size_is_limited),           cmocka_unit_test(growth_is_linear),
        cmocka_unit_test(tables_are_limited),        cmocka_unit_test(calls_are_bounded),
        cmocka_unit_test(many_mistakes_end_early),   cmocka_unit_test(long_chains_are_followed),
        cmocka_unit_test(large_models_are_read),     cmocka_unit_test(files_that_cannot_be_read),
        cmocka_unit_test(mutated_files_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
