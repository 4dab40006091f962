/// grammar_push.c: what pushes a coordinate: smooth forces, kinks, jumps, tables, delays, and what events and
/// controllers leave.
#include "grammar.h"

// a force that follows the time: one frequency where the model is to have a period
static void push_by_time(scene *s, double force)
{
    draft *d = s->d;
    if (s->periodic) {
        draft_say(d, " + p*%.3f*sin(w*t)", force * draft_uniform(d, 0.2, 1.0));
        return;
    }
    const double rate = draft_uniform(d, 1.0, 12.0);
    switch (draft_pick(d, 5)) {
    case 0:
        draft_say(d, " + if(t < %.3f, %.3f, %.3f)", draft_uniform(d, 0.1, 0.8),
                  draft_uniform(d, -force, force), draft_uniform(d, -force, force));
        break;
    case 1:
        draft_say(d, " + if(sin(%.3f*t) > %.2f, %.3f, 0)", rate, draft_uniform(d, -0.5, 0.5),
                  draft_uniform(d, -force, force));
        break;
    case 2:
        draft_say(d, " + %.3f*abs(sin(%.3f*t))", draft_uniform(d, -force, force), rate);
        break;
    default:
        draft_say(d, " + p*%.3f*sin(%.3f*t)", force * draft_uniform(d, 0.2, 1.0), rate);
    }
}

// jumps and kinks along the coordinate
static void push_by_place(scene *s, int k, double force)
{
    draft *d = s->d;
    const char *const x = s->name[k];
    const double at = s->home[k] + s->size[k] * draft_uniform(d, -0.5, 0.5), size = s->size[k];
    switch (draft_pick(d, 6)) {
    case 0:
        draft_say(d, " + if(%s > %.3f, %.3f, %.3f)", x, at, draft_uniform(d, -force, force),
                  draft_uniform(d, -force, force));
        break;
    case 1:
        draft_say(d, " - %.3f*max(%s - %.3f, 0)", force / size * draft_uniform(d, 0.5, 5.0), x, at);
        break;
    case 2:
        draft_say(d, " + %.3f*sign(%s - %.3f)", draft_uniform(d, -0.6, 0.6) * force, x, at);
        break;
    case 3:
        draft_say(d, " - %.3f*floor(%.3f*(%s - %.3f))", force * draft_uniform(d, 0.05, 0.3),
                  draft_uniform(d, 2.0, 8.0) / size, x, at);
        break;
    case 4:
        draft_say(d, " - %.3f*p*(%s - %.3f)^3", force / (size * size * size) * draft_uniform(d, 0.2, 2.0), x,
                  s->home[k]);
        break;
    default:
        draft_say(d, " - %.3f*abs(%s - %.3f)", force / size * draft_uniform(d, -0.4, 0.4), x, at);
    }
}

// drag of all kinds
static void push_by_rate(scene *s, int k, double force)
{
    draft *d = s->d;
    const char *const x = s->name[k];
    const double speed = 2.0 * s->size[k], c = force / speed * draft_uniform(d, 0.05, 0.6);
    switch (draft_pick(d, 7)) {
    case 0:
        draft_say(d, " - %.4f*%s'*abs(%s')", c / speed, x, x);
        break;
    case 1:
        draft_say(d, " - if(%s' > 0, %.4f, %.4f)*%s'", x, c, c * draft_uniform(d, 0.1, 3.0), x);
        break;
    case 2:
        draft_say(d, " + min(max(-%.4f*%s', %.3f), %.3f)", 4.0 * c, x, -0.3 * force, 0.3 * force);
        break;
    case 3:
        draft_say(d, " - %.3f*tanh(%s'/%.3f)", 0.3 * force, x, 0.3 * speed);
        break;
    case 4:
        draft_say(d, " + if(%s > %.3f and %s' > 0, %.3f, 0)", x, s->home[k], x,
                  draft_uniform(d, -0.3, 0.3) * force);
        break;
    default:
        draft_say(d, " - %.4f*%s'", c, x);
    }
}

// what other sections have to explain
static void push_by_section(scene *s, int k, double force)
{
    draft *d = s->d;
    const char *const x = s->name[k];
    switch (draft_pick(d, 5)) {
    case 0:
        s->relay = true;
        draft_say(d, " + %.3f*relay", draft_uniform(d, -0.5, 0.5) * force);
        break;
    case 1:
        s->sampled = true;
        draft_say(d, " + u");
        break;
    case 2:
        s->state = true;
        draft_say(d, " - %.3f*lag", draft_uniform(d, 0.1, 1.0) * force / s->size[0]);
        break;
    case 3:
        draft_say(d, " - %.4f*delay(%s', %.4f)", force / s->size[k] * draft_uniform(d, 0.02, 0.1), x,
                  draft_uniform(d, 0.01, 0.15));
        break;
    default:
        s->tables = 1;
        draft_say(d, " + %.3f*curve((%s - %.3f)/%.3f)", draft_uniform(d, -0.6, 0.6) * force, x, s->home[k],
                  s->size[k]);
    }
}

void grammar_push(scene *s, int k)
{
    draft *d = s->d;
    const double force = s->force[k];
    draft_begin(d);
    const int kind = draft_pick(d, 10);
    if (kind < 2 && !s->timeless)
        push_by_time(s, force);
    else if (kind < 5)
        push_by_place(s, k, force);
    else if (kind < 8)
        push_by_rate(s, k, force);
    else if (kind < 9 && !s->plain)
        push_by_section(s, k, force);
    else
        draft_say(d, " + %.3f", draft_uniform(d, -0.5, 0.5) * force);
    draft_end(d);
}
