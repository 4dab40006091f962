/// grammar_bodies.c: scenes of rigid bodies: boxes on slopes, links on joints, discs; and shapes whose contacts
/// are detected.
#include "grammar.h"

#include <math.h>
#include <stdio.h>

static void say_forces(scene *s)
{
    draft *d = s->d;
    draft_begin(d);
    draft_say(d, "forces:\n");
    for (int k = 0; k < s->count; k++) {
        if (k > 0 && draft_chance(d, 0.5)) continue;
        draft_begin(d);
        draft_say(d, "  %s: \"0", s->name[k]);
        grammar_push(s, k);
        if (draft_chance(d, 0.5)) grammar_push(s, k);
        draft_say(d, "\"\n");
        draft_end(d);
    }
    draft_end(d);
}

// a box or a disc that falls on a slope, slides, rolls or tips
static void say_box(scene *s)
{
    draft *d = s->d;
    const bool disc = draft_chance(d, 0.5);
    const double half = draft_uniform(d, 0.04, 0.15),
                 slope = draft_chance(d, 0.5) ? 0.0 : draft_uniform(d, -0.4, 0.4);
    const double lift = slope != 0.0 || draft_chance(d, 0.5) ? draft_uniform(d, 0.02, 0.2) : 0.0,
                 mass = draft_uniform(d, 0.5, 3.0);
    const double height = disc ? half / cos(slope) + lift : half + 2.0 * half * tan(fabs(slope)) + lift;
    draft_say(d,
              "gravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0], angle: %.4f}, points: {post: [0.1, "
              "0.6]}}\n",
              slope);
    draft_say(d, "  b: {mass: %.3f, inertia: %.5f, x: {start: 0, rate: %.3f}, y: %.17g, shape: {", mass,
              mass * half * half * draft_uniform(d, 0.3, 1.5), draft_uniform(d, -1.0, 1.0), height);
    if (disc)
        draft_say(d, "circle: %.17g}}\n", half);
    else
        draft_say(d, "box: [%.17g, %.17g]}}\n", 4.0 * half, 2.0 * half);
    if (draft_chance(d, 0.3)) {
        draft_begin(d);
        draft_say(
            d, "springs: {pull: {between: [b, ground.post], stiffness: %.2f, length: 0.4, damping: %.2f}}\n",
            draft_uniform(d, 5.0, 60.0), draft_uniform(d, 0.0, 3.0));
        draft_end(d);
    }
    grammar_coordinate(s, "b.x", 0.0, 0.3, 3.0 * mass);
    grammar_coordinate(s, "b.y", half, 0.2, 3.0 * mass);
    grammar_coordinate(s, "b.th", 0.0, 1.0, 3.0 * mass * half);
    say_forces(s);
    draft_say(d, "contacts:\n  c: {between: [b, ground], ");
    grammar_friction(s, draft_uniform(d, 0.05, 0.7));
    if (disc && draft_chance(d, 0.3)) {
        draft_begin(d);
        draft_say(d, ", rolling: %.5f", half * draft_uniform(d, 0.005, 0.1));
        draft_end(d);
    }
    grammar_contact_end(s);
}

// links on hinges, the last with a tip that meets the floor; friction in the hinges
static void say_links(scene *s)
{
    draft *d = s->d;
    const int count = 1 + draft_pick(d, 3);
    double reach = 0.0;
    draft_say(d, "gravity: 9.81\nbodies:\n");
    double angle[3], length[3], mass[3];
    for (int k = 0; k < count; k++) {
        length[k] = draft_uniform(d, 0.15, 0.4), mass[k] = draft_uniform(d, 0.3, 2.0);
        angle[k] = -1.57 + draft_uniform(d, -0.8, 0.8);
        reach += length[k] * -sin(angle[k]);
    }
    draft_say(d, "  ground: {shape: {line: [0, %.4f]}}\n", -reach - draft_uniform(d, 0.005, 0.1));
    for (int k = 0; k < count; k++) {
        char name[16], parent[16] = "ground";
        if (k > 0) snprintf(parent, sizeof parent, "l%d.tip", k - 1);
        draft_say(d, "  l%d: {mass: %.3f, inertia: %.5f, centre: [%.4f, 0], points: {tip: [%.4f, 0]}, ", k,
                  mass[k], mass[k] * length[k] * length[k] / 12.0, 0.5 * length[k], length[k]);
        draft_say(d, "joint: {revolute: %s", parent);
        draft_say(d, "}, th: {start: %.4f, rate: %.3f}", angle[k], draft_uniform(d, -2.0, 2.0));
        if (k == count - 1) draft_say(d, ", shape: {point: [%.4f, 0]}", length[k]);
        draft_say(d, "}\n");
        snprintf(name, sizeof name, "l%d.th", k);
        grammar_coordinate(s, name, angle[k], 0.6, 2.0 * mass[k] * length[k]);
    }
    say_forces(s);
    if (draft_chance(d, 0.5)) {
        draft_begin(d);
        draft_say(d, "frictions:\n");
        for (int k = 0; k < count; k++) {
            draft_begin(d);
            draft_say(d, "  hinge%d: {slip: \"l%d.th%s", k, k, k > 0 ? " - " : "");
            if (k > 0) draft_say(d, "l%d.th", k - 1);
            draft_say(d, "\", limit: %.4f}\n", draft_uniform(d, 0.02, 0.3) * mass[k] * length[k] * 5.0);
            draft_end(d);
        }
        draft_end(d);
    }
    draft_begin(d);
    draft_say(d, "contacts:\n  tip: {between: [l%d, ground], ", count - 1);
    grammar_friction(s, draft_uniform(d, 0.0, 0.5));
    grammar_contact_end(s);
    draft_end(d);
}

// two bodies joined by a bar, over a floor and beside a wall
static void say_bar(scene *s)
{
    draft *d = s->d;
    const double a = draft_uniform(d, 0.3, 1.2), length = draft_uniform(d, 0.3, 0.7),
                 r = draft_uniform(d, 0.03, 0.08);
    const double mass[2] = { draft_uniform(d, 0.3, 2.0), draft_uniform(d, 0.3, 2.0) },
                 lift = draft_uniform(d, 0.0, 0.1);
    draft_say(d, "gravity: 9.81\nbodies:\n  ground: {shapes: {floor: {line: [0, 0]}, wall: {line: [0, 0], "
                 "angle: -1.5707963267948966}}}\n");
    draft_say(d, "  a: {mass: %.3f, x: %.17g, y: %.17g, shape: {circle: %.4f}}\n", mass[0], r + lift,
              r + lift + length * sin(a), r);
    draft_say(d, "  b: {mass: %.3f, x: %.17g, y: %.17g, shape: {circle: %.4f}}\n", mass[1],
              r + lift + length * cos(a), r + lift, r);
    draft_say(d, "joints: {bar: {distance: [a, b], length: %.17g}}\n", length);
    grammar_coordinate(s, "a.x", r, 0.3, 3.0 * mass[0]);
    grammar_coordinate(s, "a.y", 0.3, 0.3, 3.0 * mass[0]);
    grammar_coordinate(s, "b.x", 0.3, 0.3, 3.0 * mass[1]);
    grammar_coordinate(s, "b.y", r, 0.3, 3.0 * mass[1]);
    say_forces(s);
    draft_say(d, "contacts:\n");
    static const char *const pairs[] = { "a, ground.wall", "b, ground.floor", "a, ground.floor",
                                         "b, ground.wall" };
    for (int k = 0; k < 4; k++) {
        draft_begin(d);
        draft_say(d, "  c%d: {between: [%s], ", k, pairs[k]);
        grammar_friction(s, draft_uniform(d, 0.0, 0.5));
        grammar_contact_end(s);
        draft_end(d);
    }
}

void grammar_bodies(grammar_model *m, scene *s)
{
    static void (*const kinds[])(scene *) = { say_box, say_links, say_bar };
    kinds[draft_pick(&m->d, 3)](s);
}

void grammar_detected(grammar_model *m, scene *s)
{
    draft *d = &m->d;
    (void)s;
    const int count = 1 + draft_pick(d, 2);
    const double slope = draft_chance(d, 0.6) ? 0.0 : draft_uniform(d, -0.3, 0.3);
    m->detects = true;
    draft_say(d, "gravity: 9.81\nbodies:\n  ground: {shape: {line: [0, 0], angle: %.4f}}\n", slope);
    for (int k = 0; k < count; k++) {
        const double a = draft_uniform(d, 0.03, 0.06);
        draft_begin(d);
        draft_say(d, "  b%d: {mass: %.3f, inertia: %.5f, x: {start: %.4f, rate: %.3f}, y: %.4f, shape: {", k,
                  draft_uniform(d, 0.5, 2.0), draft_uniform(d, 0.0005, 0.003),
                  0.3 * k + draft_uniform(d, -0.03, 0.03), draft_uniform(d, -1.0, 1.0),
                  0.16 + draft_uniform(d, 0.0, 0.1));
        if (draft_chance(d, 0.4))
            draft_say(d, "box: [%.4f, %.4f]}}\n", 2.0 * a, a);
        else
            draft_say(d, "circle: %.4f}}\n", a);
        draft_end(d);
    }
    draft_say(d, "contacts:\n  pile: {%s: [b*, ground], friction: %.3f*p", "detect",
              draft_uniform(d, 0.1, 0.7));
    if (draft_chance(d, 0.5)) {
        draft_begin(d);
        draft_say(d, ", restitution: %.3f", draft_uniform(d, 0.0, 0.6));
        draft_end(d);
    }
    draft_say(d, "}\n");
}
