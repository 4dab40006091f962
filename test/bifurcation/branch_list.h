/// branch_list.h: branches of periodic motions in tests.
#ifndef SLIP_TEST_CYCLE_BRANCH_LIST_H
#define SLIP_TEST_CYCLE_BRANCH_LIST_H

#include "bifurcation/scenes.h"
#include "sensitivity/facts.h"

/// Branches from the first orbit on.
static inline slip_cycle_branch *follow_all(const char *text, const char *sets, const slip_cycle_def *def,
                                            const char *along, int branches, bool doubled)
{
    slip_model *model = read_model("", text, sets, ";");
    slip_error error = { 0 };
    slip_cycle_branch *branch = NULL;
    slip_cycle_along way = slip_default_cycle_along();
    way.along = along;
    way.max_points = 200;
    way.max_branches = branches;
    way.doubled = doubled;
    slip_status status = slip_cycle_follow(model, def, &way, &error, &branch);
    if (status != SLIP_OK) print_error("%s: %s\n", error.where, error.text);
    assert_int_equal(status, SLIP_OK);
    if (branch->point_count == 0) print_error("%s: %s\n", along, branch->text);
    slip_model_destroy(model);
    return branch;
}

/// The first special point of a kind.
static inline const slip_cycle_branch_point *special(const slip_cycle_branch *b, slip_branch_kind kind)
{
    for (int k = 0; k < b->point_count; k++)
        if (b->points[k].kind == kind) return &b->points[k];
    print_error("no %s on the branch: %s\n", slip_branch_kind_name(kind), b->text);
    fail();
    return NULL;
}

static inline int count_of(const slip_cycle_branch *b, slip_branch_kind kind)
{
    int count = 0;
    for (int k = 0; k < b->point_count; k++) count += b->points[k].kind == kind;
    return count;
}

#endif
