/// formulation/event.c: events and their numbers.
#include "formulation/event.h"
#include "base/elementary.h"

#include <math.h>

const char *slip_event_name(slip_event_kind kind)
{
#define AS_EVENT(name, word, text) word,
    static const char *const words[] = { SLIP_EVENTS(AS_EVENT) };
    return kind >= 0 && kind < SLIP_EVENT_COUNT ? words[kind] : "unknown";
}

#define AS_ONE(name, member, unit) +1
enum { EVENT_NUMBER_COUNT = 0 SLIP_EVENT_NUMBERS(AS_ONE) };

const char *slip_event_number_name(int k)
{
#define AS_NAME(name, member, unit) name,
    static const char *const names[] = { SLIP_EVENT_NUMBERS(AS_NAME) };
    return k >= 0 && k < EVENT_NUMBER_COUNT ? names[k] : NULL;
}

const char *slip_event_number_unit(int k)
{
#define AS_UNIT(name, member, unit) unit,
    static const char *const units[] = { SLIP_EVENT_NUMBERS(AS_UNIT) };
    return k >= 0 && k < EVENT_NUMBER_COUNT ? units[k] : NULL;
}

double slip_event_number(const slip_event *event, int k)
{
#define AS_VALUE(name, member, unit) event->member,
    const double values[] = { SLIP_EVENT_NUMBERS(AS_VALUE) };
    return k >= 0 && k < EVENT_NUMBER_COUNT ? values[k] + 0.0 : NAN; // -0 is 0
}

slip_event slip_event_at(double t, const char *element, slip_event_kind kind)
{
    return (slip_event){ .t = t,
                         .element = element,
                         .kind = kind,
                         .text = "",
                         .approach = NAN,
                         .impulse = NAN,
                         .impulse_t = { NAN, NAN },
                         .slip = { NAN, NAN },
                         .direction = { NAN, NAN },
                         .energy = NAN,
                         .normal_work = NAN,
                         .path = NAN,
                         .solutions = NAN };
}

void slip_event_set_direction(slip_event *event, int count, const double *slip, double least)
{
    double speed = count > 1 ? slip_hypot(slip[0], slip[1]) : count ? fabs(slip[0]) : NAN;
    for (int c = 0; c < count; c++) event->direction[c] = speed > least ? slip[c] / speed : 0.0;
}
