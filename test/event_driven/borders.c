/// borders.c: conditions whose argument stays at its border, leaves it, or comes to rest there.
#include "helper.h"

// y is 0 for the whole run, exactly: what each formula is there
static void what_a_formula_is_at_its_border(void **state)
{
    (void)state;
    const struct {
        const char *formula;
        double value;
    } at[] = {
        { "if(y > 0, 2, 1)", 1 },
        { "if(y >= 0, 2, 1)", 2 },
        { "if(y < 0, 2, 1)", 1 },
        { "if(y <= 0, 2, 1)", 2 },
        { "if(0 < y, 2, 1)", 1 },
        { "if(0 <= y, 2, 1)", 2 },
        { "2 + sign(y)", 2 },
        { "2 - sign(-y)", 2 },
        { "1 + floor(y)", 1 },
        { "1 + abs(y) + max(y, 0) + min(y, 0)", 1 },
        { "if(y > 0 or y < 0, 2, 1)", 1 },
        { "if(floor(y) >= 0, 2, 1)", 2 },
        { "if(sign(y') < 0, 2, 1)", 1 },
        { "if(y > x - x, 2, 1)", 1 },
    };
    for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 HEAD "coordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\nforces: {x: \"%s\"}\nrun: {until: 1}\n",
                 at[k].formula);
        const known_end one = { text, "x", 0.5 * at[k].value, 1e-9 };
        ends_as_known(&one, 1);
    }
}

static void where_it_comes_to_rest_or_leaves(void **state)
{
    (void)state;
    const known_end cases[] = {
        // friction stops x at 0.5 s: x' is at the border from then on
        { HEAD "coordinates: {x: {rate: 1}, y: 0}\nmass: {x: 1, y: 1}\nforces: {y: \"if(x' > 0, 1, 3)\"}\n"
               "frictions: {f: {slip: x, limit: 2}}\nrun: {until: 1}\n",
          "y", 0.125 + 0.25 + 0.375, 1e-9 },
        // and a push starts it again at 1 s, the other way
        { HEAD "coordinates: {x: {rate: 1}, y: 0}\nmass: {x: 1, y: 1}\n"
               "forces: {x: \"if(t > 1, -4, 0)\", y: \"sign(x')\"}\n"
               "frictions: {f: {slip: x, limit: 2}}\nrun: {until: 1.5}\n",
          "y", 0.125 + 0.5 - 0.125, 1e-9 },
        // it starts at the border and leaves it at once, to either side
        { HEAD "coordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\nforces: {x: \"1 + if(x > 0, 1, 5)\", y: 0}\n"
               "run: {until: 1}\n",
          "x", 1.0, 1e-9 },
        { HEAD "coordinates: {x: 0}\nmass: {x: 1}\nforces: {x: \"-1 - if(x' < 0, 1, 5)\"}\nrun: {until: 1}\n",
          "x", -1.0, 1e-9 },
        // along the border, with neither side left: the force comes on slowly
        { HEAD "coordinates: {x: 0, y: 0}\nmass: {x: 1, y: 1}\n"
               "forces: {x: \"if(y > 0, 1, 0)\", y: \"6*max(t - 0.5, 0)\"}\nrun: {until: 1}\n",
          "x", 0.125, 1e-3 },
        // a ball that stays on the floor: its rate is at the border behind an impact without restitution
        { HEAD "coordinates: {x: 0, y: 0.2}\nmass: {x: 1, y: 1}\n"
               "forces: {x: \"if(y' < 0, 6, if(y' > 0, 9, 1))\", y: -10}\ncontacts: {floor: {gap: y}}\n"
               "run: {until: 1}\n",
          "x", 0.12 + 1.2 * 0.8 + 0.32, 1e-9 },
        // behind endless bounces too
        { HEAD "coordinates: {x: 0, y: 0.2}\nmass: {x: 1, y: 1}\n"
               "forces: {x: \"if(abs(y') > 0, 0, 2)\", y: -10}\n"
               "contacts: {floor: {gap: y, restitution: 0.5}}\nrun: {until: 1}\n",
          "x", 0.16, 1e-5 },
    };
    ends_as_known(cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_formula_is_at_its_border),
        cmocka_unit_test(where_it_comes_to_rest_or_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
