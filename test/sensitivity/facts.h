/// facts.h: test/truth/cycles/facts.json: numbers of derivatives and periodic motions, computed from closed
/// forms and piecewise exact solutions.
#ifndef SLIP_TEST_TANGENT_FACTS_H
#define SLIP_TEST_TANGENT_FACTS_H

#include <jansson.h>
#include <math.h>

#include "models.h"

static json_t *facts_root;
static int facts_met, facts_wrong; // different ones; with repetitions

static inline int read_facts(void **state)
{
    (void)state;
    json_error_t error;
    facts_root = json_load_file("test/truth/cycles/facts.json", 0, &error);
    return facts_root ? 0 : -1;
}

static inline int drop_facts(void **state)
{
    (void)state;
    json_decref(facts_root);
    return 0;
}

static inline json_t *find_fact(const char *group, const char *name)
{
    const json_t *all =
        json_object_get(json_object_get(json_object_get(facts_root, "examples"), group), "facts");
    size_t k;
    json_t *fact;
    json_array_foreach(all, k, fact)
    {
        if (strcmp(json_string_value(json_object_get(fact, "name")), name) == 0) return fact;
    }
    print_error("no fact '%s' of %s\n", name, group);
    fail();
    return NULL;
}

/// The numbers of a fact one behind the other, lists of lists too; returns how many.
static inline int flatten(const json_t *value, double *to, int count)
{
    if (!json_is_array(value)) {
        to[count] = json_number_value(value);
        return count + 1;
    }
    size_t k;
    json_t *item;
    json_array_foreach(value, k, item)
    {
        count = flatten(item, to, count);
    }
    return count;
}

static inline int fact_numbers(const char *group, const char *name, double *to)
{
    return flatten(json_object_get(find_fact(group, name), "value"), to, 0);
}

/// Numbers against a fact, within its tolerance times `slack`.
static inline void meet(const char *group, const char *name, double slack, const double *found, int count)
{
    json_t *fact = find_fact(group, name);
    const json_t *relative = json_object_get(fact, "rel_tol");
    double wanted[64], tolerance = json_number_value(json_object_get(fact, "abs_tol"));
    int size = flatten(json_object_get(fact, "value"), wanted, 0);
    bool right = size == count;
    for (int k = 0; k < size && k < count; k++) {
        double allowed = relative ? json_number_value(relative) * fabs(wanted[k]) : tolerance;
        if (fabs(found[k] - wanted[k]) <= slack * allowed) continue;
        right = false;
        print_error("%s: %s [%d] is %.12g instead of %.12g (%.2g, allowed %.2g)\n", group, name, k, found[k],
                    wanted[k], found[k] - wanted[k], slack * allowed);
    }
    facts_met += json_object_get(fact, "met") == NULL;
    json_object_set_new(fact, "met", json_true());
    facts_wrong += !right;
}

static inline void meet_one(const char *group, const char *name, double slack, double found)
{
    meet(group, name, slack, &found, 1);
}

/// The last test of a group: all that were looked at are right.
static inline void counted(void **state)
{
    (void)state;
    print_message("%d facts looked at, %d wrong\n", facts_met, facts_wrong);
    assert_int_equal(facts_wrong, 0);
}

#endif
