/// manual.c: docs/model.md and docs/bodies.md have every key of the table and nothing else. The tables
/// in them are written by this test: run it with SLIPSTICK_BLESS=1 at the root of the source tree.
#include "helper.h"
#include "model/reader/schema.h"

static const char model_path[] = "docs/model.md", bodies_path[] = "docs/bodies.md";

static void rows(slip_text *out, bool bodies)
{
    slip_text_add(out, "| key | value | when absent | meaning |\n|---|---|---|---|\n");
    slip_pool *pool = slip_pool_create();
    slip_schema schema;
    assert_true(slip_schema_create(pool, &schema));
    for (int k = 0; k < schema.count; k++) {
        const slip_key_info *key = &schema.keys[k].info;
        if ((schema.keys[k].front == SLIP_FRONT_BODIES) != bodies) continue;
        slip_text_add(out, "| `%s` | %s%s%s | %s | %s%s%s |\n", key->path, key->type,
                      key->range[0] ? ", " : "", key->range, key->fallback, key->meaning,
                      key->unit[0] ? ", " : "", key->unit);
    }
    slip_pool_destroy(pool);
}

static void key_table(slip_text *out)
{
    rows(out, false);
}

static void body_table(slip_text *out)
{
    rows(out, true);
}

static void quantity_table(slip_text *out)
{
#define ROW(name, word, needs, unit, meaning) slip_text_add(out, "| `floor.%s` | %s |\n", word, meaning);
    slip_text_add(out, "| quantity | meaning |\n|---|---|\n");
    SLIP_QUANTITIES(ROW)
}

// the text between a marker's line and the end marker is what make() writes
static void check_table(const char *path, const char *marker, const char *end_marker,
                        void (*make)(slip_text *))
{
    char *manual = read_whole(path);
    slip_text expected = { 0 };
    make(&expected);
    const char *begin = strstr(manual, marker);
    assert_non_null(begin);
    begin = strchr(begin, '\n') + 1;
    const char *end = strstr(begin, end_marker);
    assert_non_null(end);
    bool same =
        (size_t)(end - begin) == expected.length && memcmp(begin, expected.data, expected.length) == 0;
    if (!same && getenv("SLIPSTICK_BLESS")) {
        FILE *stream = fopen(path, "wb");
        assert_non_null(stream);
        fprintf(stream, "%.*s%s%s", (int)(begin - manual), manual, expected.data, end);
        fclose(stream);
    }
    if (!same) print_error("%s should have, after \"%s\",\n%s", path, marker, expected.data);
    slip_text_destroy(&expected);
    free(manual);
    assert_true(same);
}

static void manual_has_the_keys(void **state)
{
    (void)state;
    check_table(model_path, "<!-- keys:", "<!-- end of keys -->", key_table);
    check_table(bodies_path, "<!-- keys:", "<!-- end of keys -->", body_table);
}

static void manual_has_the_quantities(void **state)
{
    (void)state;
    check_table(model_path, "<!-- quantities:", "<!-- end of quantities -->", quantity_table);
}

static int valid_examples(const char *path)
{
    char *manual = read_whole(path);
    int count = 0;
    for (char *at = manual; (at = strstr(at, "```yaml\n")); count++) {
        at += strlen("```yaml\n");
        char *end = strstr(at, "```");
        assert_non_null(end);
        *end = '\0';
        slip_model_destroy(read_quietly(at, NULL, 0));
        at = end + 1;
    }
    free(manual);
    return count;
}

// every model in the manual is valid
static void examples_are_valid(void **state)
{
    (void)state;
    assert_true(valid_examples(model_path) >= 5);
    assert_true(valid_examples(bodies_path) >= 4);
}

static void table_is_sound(void **state)
{
    (void)state;
    slip_key_info *keys;
    int total = slip_model_keys(&keys), count = 0;
    for (; count < total; count++) {
        const slip_key_info *key = &keys[count];
        assert_true(key->path[0] && key->path[0] != '.' && key->type[0] && key->meaning[0]);
        for (int k = 0; k < count; k++) assert_string_not_equal(keys[k].path, key->path);
        // what a key stands in is in the table before it
        const char *dot = strrchr(key->path, '.');
        bool found = dot == NULL;
        for (int k = 0; k < count && !found; k++)
            found = strlen(keys[k].path) == (size_t)(dot - key->path) &&
                    strncmp(keys[k].path, key->path, (size_t)(dot - key->path)) == 0;
        assert_true(found);
    }
    assert_true(count > 60);
    free(keys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manual_has_the_keys),
        cmocka_unit_test(manual_has_the_quantities),
        cmocka_unit_test(examples_are_valid),
        cmocka_unit_test(table_is_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
