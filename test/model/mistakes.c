/// mistakes.c: every kind of mistake and the exact words about it.
///
/// mistakes/*.txt hold cases as a user would see them:
///     #### name of the case
///     $ mu=3               what stands after --set, if anything
///     ...                  the model file
///     ----
///     ...                  all that is said about it, "" when nothing
/// After a deliberate change of wording run the program with SLIPSTICK_BLESS=1 at the root of the
/// source tree and read the difference.
#include "helper.h"

enum { MAX_SETS = 4 };

// what is said about one case; `from` stands behind its title
static char *words_about(const char *from, const char *end)
{
    char sets[MAX_SETS][200], model[8000];
    const char *given[MAX_SETS];
    int count = 0;
    while (from[0] == '$' && from[1] == ' ') {
        const char *line = strchr(from, '\n');
        assert_true(count < MAX_SETS && line - from < 200);
        snprintf(sets[count], sizeof sets[count], "%.*s", (int)(line - from - 2), from + 2);
        given[count] = sets[count];
        count++;
        from = line + 1;
    }
    assert_true(end - from < (long)sizeof model);
    snprintf(model, sizeof model, "%.*s", (int)(end - from), from);
    char *said;
    slip_model_destroy(read_saying(model, given, count, &said, NULL));
    return said;
}

static void check_file(void **state)
{
    const char *path = *state;
    char *text = read_whole(path);
    slip_text blessed = { 0 };
    bool wrong = false;
    int cases = 0;
    for (const char *at = text; *at; cases++) {
        assert_int_equal(strncmp(at, "#### ", 5), 0);
        const char *line = strchr(at, '\n') + 1, *end = strstr(line, "----\n");
        assert_non_null(end);
        const char *expected = end + 5, *next = strstr(expected, "#### ");
        if (!next) next = expected + strlen(expected);
        char *said = words_about(line, end);
        if (strlen(said) != (size_t)(next - expected) || memcmp(said, expected, strlen(said)) != 0) {
            wrong = true;
            print_error("%s: %.*sexpected\n%.*sbut it says\n%s\n", path, (int)(line - at), at,
                        (int)(next - expected), expected, said);
        }
        slip_text_add(&blessed, "%.*s%s", (int)(expected - at), at, said);
        free(said);
        at = next;
    }
    assert_true(cases > 0);
    if (wrong && getenv("SLIPSTICK_BLESS")) {
        FILE *stream = fopen(path, "wb");
        assert_non_null(stream);
        fputs(blessed.data, stream);
        fclose(stream);
    }
    slip_text_destroy(&blessed);
    free(text);
    assert_false(wrong);
}

#define FILE_TEST(name)                                                                                      \
    {                                                                                                        \
#name, check_file, NULL, NULL, "test/model/mistakes/" #name ".txt"                                   \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        FILE_TEST(yaml),      FILE_TEST(key),    FILE_TEST(name),      FILE_TEST(mechanics),
        FILE_TEST(inclusion), FILE_TEST(places), FILE_TEST(overrides), FILE_TEST(bodies),
        FILE_TEST(space),     FILE_TEST(draw),   FILE_TEST(repeat),    FILE_TEST(functions),
        FILE_TEST(starts),    FILE_TEST(whens),  FILE_TEST(tables),    FILE_TEST(delays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
