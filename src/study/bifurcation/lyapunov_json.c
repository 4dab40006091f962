/// study/bifurcation/lyapunov_json.c: Lyapunov exponents as JSON.
#include "base/json.h"
#include "slipstick/lyapunov.h"

static void write_points(slip_json *j, const slip_lyapunov *a)
{
    slip_json_open(j, "points", '[');
    for (int p = 0; p < a->point_count; p++) {
        slip_json_open(j, NULL, '{');
        for (int k = 0; k < a->state_count; k++)
            slip_json_number(j, a->state_name[k], a->points[p * a->state_count + k]);
        slip_json_close(j, '}');
    }
    slip_json_close(j, ']');
}

char *slip_lyapunov_json(const slip_lyapunov *a)
{
    slip_json j = { 0 };
    slip_json_open(&j, NULL, '{');
    slip_json_text(&j, "verdict", slip_lyapunov_verdict_name(a->verdict));
    slip_json_text(&j, "text", a->text);
    slip_json_numbers(&j, "exponents", a->exponent, a->count);
    slip_json_numbers(&j, "errors", a->error, a->count);
    slip_json_integer(&j, "trivial", a->trivial);
    slip_json_integer(&j, "forgotten", a->forgotten);
    slip_json_number(&j, "forgotten_at", a->forgotten_at);
    slip_json_number(&j, "sum", a->sum);
    slip_json_number(&j, "expected", a->expected);
    slip_json_number(&j, "from", a->from);
    slip_json_number(&j, "to", a->to);
    slip_json_integer(&j, "blocks", a->blocks);
    slip_json_integer(&j, "lost", a->lost);
    slip_json_text(&j, "reason", a->reason);
    slip_json_number(&j, "impacts", a->impacts);
    slip_json_integer(&j, "repeat", a->repeat);
    write_points(&j, a);
    slip_json_close(&j, '}');
    return slip_json_take(&j);
}
