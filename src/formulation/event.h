/// formulation/event.h: events and their numbers.
#ifndef SLIP_FORMULATION_EVENT_H
#define SLIP_FORMULATION_EVENT_H

#include "slipstick/sim.h"

/// An event whose numbers are unknown.
slip_event slip_event_at(double t, const char *element, slip_event_kind kind);

/// The direction of a slip of `count` components; one below `least`, m/s, sticks.
void slip_event_set_direction(slip_event *event, int count, const double *slip, double least);

#endif
