/// grammar_happenings.c: events with resets, modes, controllers, states and tables, and how contacts end.
#include "grammar.h"

void grammar_friction(scene *s, double mu)
{
    draft *d = s->d;
    switch (draft_pick(d, 8)) {
    case 0:
        if (!s->timeless && !s->periodic) {
            draft_say(d, "friction: \"%.3f*(1 + 0.8*sin(%.3f*t))\"", mu, draft_uniform(d, 3.0, 20.0));
            break;
        }
        draft_say(d, "friction: %.3f*p", mu);
        break;
    case 1:
        draft_say(d, "friction: \"%.3f*(1 + 0.5*exp(-abs(%s')/%.3f))\"", mu, s->name[0], 2.0 * s->size[0]);
        break;
    case 2:
        draft_say(d, "friction: %.3f, static: %.3f", mu, mu * draft_uniform(d, 1.0, 1.6));
        break;
    case 3:
        draft_say(d, "friction: \"if(%s > %.3f, %.3f, %.3f)\"", s->name[0], s->home[0], mu,
                  mu * draft_uniform(d, 0.1, 2.0));
        break;
    default:
        draft_say(d, "friction: %.3f*p", mu);
    }
}

void grammar_contact_end(scene *s)
{
    static const char *const laws[] = { "newton", "newton-process", "poisson", "poisson-process",
                                        "energetic" };
    draft *d = s->d;
    if (draft_chance(d, 0.6)) {
        draft_begin(d);
        draft_say(d, ", restitution: %.3f", draft_chance(d, 0.1) ? 1.0 : draft_uniform(d, 0.05, 0.95));
        draft_end(d);
    }
    if (draft_chance(d, 0.15)) {
        draft_begin(d);
        draft_say(d, ", impact: %s", laws[draft_pick(d, 5)]);
        draft_end(d);
    }
    draft_say(d, "}\n");
}

// an event at the passage of a place, a rate or a time, which counts, kicks or switches
static void say_event(scene *s, int number)
{
    draft *d = s->d;
    const int k = draft_pick(d, s->count);
    const char *const x = s->name[k];
    const double at = s->home[k] + s->size[k] * draft_uniform(d, -0.6, 0.6);
    draft_begin(d);
    draft_say(d, "  event%d: {condition: \"", number);
    switch (draft_pick(d, s->timeless ? 3 : 4)) {
    case 0:
        draft_say(d, "%s > %.3f", x, at);
        break;
    case 1:
        draft_say(d, "%s < %.3f", x, at);
        break;
    case 2:
        draft_say(d, "%s' > %.3f", x, s->size[k] * draft_uniform(d, 0.2, 2.0));
        break;
    default:
        draft_say(d, "t > %.3f", draft_uniform(d, 0.05, 0.9));
    }
    draft_say(d, "\", set: {");
    switch (draft_pick(d, 4)) {
    case 0:
        draft_say(d, "n: n + 1");
        break;
    case 1:
        draft_say(d, "\"%s'\": \"%.3f*%s'\"", x, draft_uniform(d, -0.9, 0.9), x);
        break;
    case 2:
        draft_say(d, "\"%s'\": \"%s' + %.3f\"", x, x, s->size[k] * draft_uniform(d, -1.5, 1.5));
        break;
    default:
        draft_say(d, "n: \"2 - n\"");
    }
    draft_say(d, "}}\n");
    draft_end(d);
}

static void say_relay(scene *s)
{
    draft *d = s->d;
    const int k = draft_pick(d, s->count);
    const double at = s->home[k] + s->size[k] * draft_uniform(d, -0.3, 0.3),
                 gap = s->size[k] * draft_uniform(d, 0.02, 0.2);
    draft_say(d, "  on: {condition: \"%s < %.4f\", set: {relay: 1}}\n", s->name[k], at - gap);
    draft_say(d, "  off: {condition: \"%s > %.4f\", set: {relay: 0}}\n", s->name[k], at + gap);
}

static void say_controller(scene *s)
{
    draft *d = s->d;
    const int k = draft_pick(d, s->count);
    const double period = draft_uniform(d, 0.005, 0.06), gain = s->force[k] / s->size[k];
    draft_begin(d);
    draft_say(d, "controllers:\n  hold: {period: %.4f", period);
    if (draft_chance(d, 0.4)) {
        draft_begin(d);
        draft_say(d, ", delay: %.5f", period * draft_uniform(d, 0.1, 0.8));
        draft_end(d);
    }
    if (draft_chance(d, 0.3)) {
        draft_begin(d);
        draft_say(d, ", memory: {sum: {start: 0, next: \"sum + %.4f*(%.3f - %s)\"}}", period, s->home[k],
                  s->name[k]);
        draft_end(d);
    }
    if (s->sampled)
        draft_say(d, ", outputs: {u: \"%.3f*(%.3f - %s) - %.4f*%s'\"}", gain * draft_uniform(d, 0.2, 1.0),
                  s->home[k] + s->size[k] * draft_uniform(d, -0.3, 0.3), s->name[k],
                  gain * draft_uniform(d, 0.01, 0.08), s->name[k]);
    draft_say(d, "}\n");
    draft_end(d);
}

static void say_table(scene *s)
{
    static const char *const ways[] = { "linear", "step", "spline" };
    draft *d = s->d;
    draft_begin(d);
    draft_say(d, "tables:\n  curve: {x: [-1, -0.4, 0.1, 0.5, 1], y: [");
    for (int k = 0; k < 5; k++) draft_say(d, k == 0 ? "%.3f" : ", %.3f", draft_uniform(d, -1.0, 1.0));
    draft_say(d, "], interpolation: %s}\n", ways[draft_pick(d, 3)]);
    draft_end(d);
}

void grammar_happenings(scene *s)
{
    draft *d = s->d;
    const int events = s->plain || draft_chance(d, 0.5) ? 0 : 1 + draft_pick(d, 2);
    if (events > 0 || s->relay) {
        draft_begin(d);
        draft_say(d, "modes: {n: 0%s}\nwhen:\n", s->relay ? ", relay: 0" : "");
        for (int k = 0; k < events; k++) say_event(s, k);
        if (s->relay) say_relay(s);
        draft_end(d);
    }
    if (s->sampled || (!s->plain && draft_chance(d, 0.15))) say_controller(s);
    if (s->state) {
        draft_begin(d);
        draft_say(d, "states:\n  lag: {start: 0, rate: \"(%s - %.3f - lag)/%.3f\"}\n", s->name[0], s->home[0],
                  draft_uniform(d, 0.02, 0.3));
        draft_end(d);
    }
    if (s->tables > 0) say_table(s);
}
