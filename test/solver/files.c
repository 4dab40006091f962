/// files.c: problem files, right, wrong and mutilated.
#include <string.h>

#include "helpers.h"

static const char GOOD[] =
    "NSP 1\n# a comment\nname two\nkind LCP\nsize 2\nmatrix M 2 2 3\n0 0 2.0\n0 1 1.0\n1 1 2.0\n"
    "vector q 2\n-1.0\n-3.5\nend\n";

static slip_status read_string(const char *text, slip_problem **p, slip_error *error)
{
    return slip_problem_read_text("test.nsp", text, strlen(text), error, p);
}

static void a_file_is_read(void **state)
{
    (void)state;
    slip_problem *p;
    slip_error error = { 0 };
    assert_int_equal(read_string(GOOD, &p, &error), SLIP_OK);
    assert_int_equal(p->kind, SLIP_KIND_LCP);
    assert_string_equal(p->name, "two");
    const double x[2] = { 1.0, 10.0 };
    double y[2];
    slip_matrix_apply(&p->W, x, y);
    assert_near(y[0], 12.0, 0.0);
    assert_near(y[1], 20.0, 0.0);
    assert_near(p->q[1], -3.5, 0.0);
    slip_problem_destroy(p);
}

// each mistake, the line it is found on, and a word of what is said
static void mistakes_are_placed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *word;
    } cases[] = {
        { "", "test.nsp:1", "NSP 1" },
        { "NSP 2\n", "test.nsp:1", "NSP 1" },
        { "NSP 1\nkind LCQ\n", "test.nsp:2", "LCQ" },
        { "NSP 1\nkind LCP\nsize -2\n", "test.nsp:3", "range" },
        { "NSP 1\nkind LCP\nsize two\n", "test.nsp:3", "two" },
        { "NSP 1\nkind LCP\nkind LCP\n", "test.nsp:3", "twice" },
        { "NSP 1\nmatrix M 2 2 0\n", "test.nsp:2", "before" },
        { "NSP 1\nkind LCP\nsize 2\nmatrix M 3 3 0\n", "test.nsp:4", "size x size" },
        { "NSP 1\nkind LCP\nsize 2\nmatrix M 2 2 1\n0 2 1.0\n", "test.nsp:5", "column" },
        { "NSP 1\nkind LCP\nsize 2\nmatrix M 2 2 2\n1 0 1.0\n0 0 1.0\n", "test.nsp:6", "sorted" },
        { "NSP 1\nkind LCP\nsize 2\nmatrix M 2 2 1\n0 0 nan\n", "test.nsp:5", "nan" },
        { "NSP 1\nkind LCP\nsize 2\nmatrix M 2 2 1\n0 0 inf\n", "test.nsp:5", "finite" },
        { "NSP 1\nkind LCP\nsize 2\nmatrix M 2 2 100000000\n0 0 1\n", "test.nsp:4", "short" },
        { "NSP 1\nkind LCP\nsize 2\nvector q 3\n", "test.nsp:4", "length" },
        { "NSP 1\nkind LCP\nsize 2\nvector p 2\n", "test.nsp:4", "p" },
        { "NSP 1\nkind LCP\nsize 2\nmatrix M 2 2 0\nend\n", "test.nsp:5", "vector q" },
        { "NSP 1\nkind LCP\nsize 2\nmatrix M 2 2 0\nvector q 2\n1\n1\n", "test.nsp:8", "end" },
        { "NSP 1\nkind LCP\nsize 2\nwombat\n", "test.nsp:4", "wombat" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        slip_problem *p;
        slip_error error = { 0 };
        assert_int_equal(read_string(cases[i].text, &p, &error), SLIP_BAD_FILE);
        assert_null(p);
        if (strcmp(error.where, cases[i].where) != 0 || !strstr(error.text, cases[i].word))
            fail_msg("case %d: %s: %s", (int)i, error.where, error.text);
    }
}

static void values_are_checked(void **state)
{
    (void)state;
    slip_problem *p;
    slip_error error = { 0 };
    assert_int_equal(
        read_string("NSP 1\nkind FC2D\nsize 2\ncontacts 1\nmatrix W 2 2 1\n0 0 1\nvector q 2\n1\n1\n"
                    "vector mu 1\n-0.5\nend\n",
                    &p, &error),
        SLIP_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "mu"));
    assert_int_equal(
        read_string("NSP 1\nkind FC3D\nsize 4\ncontacts 1\nmatrix W 4 4 1\n3 3 1\nvector q 4\n1\n1\n1\n1\n"
                    "vector mu 1\n0.5\nend\n",
                    &p, &error),
        SLIP_BAD_ARGUMENT);
    assert_int_equal(
        read_string("NSP 1\nkind RELAY\nsize 1\nmatrix M 1 1 1\n0 0 1\nvector q 1\n1\nvector lb 1\n2\n"
                    "vector ub 1\n1\nend\n",
                    &p, &error),
        SLIP_BAD_ARGUMENT);
    assert_int_equal(slip_problem_read_file("test/problems/no-such-file.nsp", &error, &p), SLIP_IO);
}

// bytes changed, cut, doubled: an error or a problem that can be solved, never a crash
static void mutilated_files_do_no_harm(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        GOOD,
        "NSP 1\nkind FC3D\nsize 3\ncontacts 1\nmatrix W 3 3 4\n0 0 1\n1 1 1\n2 0 .5\n2 2 1\nvector q "
        "3\n-1\n1\n0\nvector mu 1\n.3\nend\n",
        "NSP 1\nkind GFC2D\nsize 2\ncontacts 1\ndofs 2\nmatrix M 2 2 2\n0 0 1\n1 1 2\nmatrix H 2 2 2\n0 0 "
        "1\n1 1 1\n"
        "vector f 2\n-1\n1\nvector w 2\n0\n0\nvector mu 1\n0.5\nend\n",
        "NSP 1\nkind RELAY\nsize 1\nmatrix M 1 1 1\n0 0 1\nvector q 1\n1\nvector lb 1\n-inf\nvector ub "
        "1\n1\nend\n",
        "NSP 1\nkind MLCP\nsize 2\nequalities 1\nmatrix M 2 2 3\n0 0 1\n0 1 1\n1 0 -1\nvector q "
        "2\n1\n-1\nend\n",
    };
    static const char alphabet[] = "0123456789-.e \nMWqkind#";
    uint64_t seed = 31;
    int read = 0;
    for (int trial = 0; trial < 20000; trial++) {
        char text[400];
        size_t length = strlen(seeds[trial % 5]);
        memcpy(text, seeds[trial % 5], length);
        for (int edits = 1 + (int)(3.0 * draw(&seed)); edits > 0; edits--) {
            const size_t at = (size_t)(draw(&seed) * (double)length);
            const double what = draw(&seed);
            if (what < 0.7)
                text[at] = alphabet[(int)(draw(&seed) * (sizeof alphabet - 1))];
            else if (what < 0.85)
                memmove(text + at, text + at + 1, --length - at);
            else
                memmove(text + at + 1, text + at, length++ - at);
        }
        slip_problem *p, *condensed;
        slip_error error;
        if (slip_problem_read_text("mutant", text, length, &error, &p) != SLIP_OK) continue;
        read++;
        if (p->kind == SLIP_KIND_GFC2D || p->kind == SLIP_KIND_GFC3D) {
            const slip_status status = slip_problem_condense(p, &error, &condensed);
            slip_problem_destroy(p);
            if (status != SLIP_OK) continue;
            p = condensed;
        }
        slip_solve_options o = slip_default_solve_options();
        slip_solve_option_set(&o, "auto.effort=0.1", NULL);
        if (p->size < 50) {
            bench b = bench_take("auto", p, &o);
            bench_solve(&b, "auto", p, &o);
            bench_free(&b);
        }
        slip_problem_destroy(p);
    }
    print_message("%d of 20000 mutants are problems\n", read);
    assert_true(read > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(mistakes_are_placed),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(mutilated_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
