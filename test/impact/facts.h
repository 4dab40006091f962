/// facts.h: impacts with known answers, test/truth/impacts/facts.json.
#ifndef SLIP_TEST_IMPACT_FACTS_H
#define SLIP_TEST_IMPACT_FACTS_H

#include <jansson.h>

static json_t *facts;

static inline int read_facts(void **state)
{
    (void)state;
    facts = json_load_file("test/truth/impacts/facts.json", 0, NULL);
    return facts ? 0 : -1;
}

static inline int drop_facts(void **state)
{
    (void)state;
    json_decref(facts);
    return 0;
}

static inline double item(const json_t *list, size_t k)
{
    return json_number_value(json_array_get(list, k));
}

#endif
