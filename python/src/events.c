/// events.c: events of a simulation as they happen, without the interpreter.
#include <stdlib.h>
#include <string.h>

#include "binding.h"

static int number_of(bind_events *all, const char *name)
{
    for (int k = 0; k < all->name_count; k++)
        if (all->names[k] == name || strcmp(all->names[k], name) == 0) return k;
    const char **more = realloc(all->names, (size_t)(all->name_count + 1) * sizeof *more);
    if (!more) return -1;
    all->names = more;
    const size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (!copy) return -1;
    more[all->name_count] = memcpy(copy, name, size);
    return all->name_count++;
}

static long long keep_text(bind_events *all, const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    if (size < 2) return -1;
    if (all->text_size + size > all->text_room) {
        const size_t room = 2 * (all->text_room + size);
        char *more = realloc(all->texts, room);
        if (!more) return -1;
        all->texts = more, all->text_room = room;
    }
    memcpy(all->texts + all->text_size, text, size);
    all->text_size += size;
    return (long long)(all->text_size - size);
}

void bind_events_take(void *events, const slip_event *event)
{
    bind_events *all = events;
    if (all->count == all->room) {
        const long room = all->room ? 2 * all->room : 16;
        bind_event *more = realloc(all->events, (size_t)room * sizeof *more);
        if (!more) {
            all->lost = true;
            return;
        }
        all->events = more, all->room = room;
    }
    bind_event *e = &all->events[all->count];
    *e = (bind_event){ .t = event->t, .kind = (int)event->kind };
    e->element = number_of(all, event->element ? event->element : "");
    e->text = keep_text(all, event->text);
    for (int k = 0; k < BIND_EVENT_NUMBERS; k++) e->number[k] = slip_event_number(event, k);
    if (e->element < 0)
        all->lost = true;
    else
        all->count++;
}

void bind_events_free(bind_events *events)
{
    for (int k = 0; k < events->name_count; k++) free((void *)events->names[k]);
    free(events->names);
    free(events->events);
    free(events->texts);
    *events = (bind_events){ 0 };
}

PyObject *bind_events_tuple(const bind_events *events)
{
    if (events->lost) return PyErr_NoMemory();
    PyObject *names = PyList_New(events->name_count);
    for (int k = 0; names && k < events->name_count; k++) {
        PyObject *name = PyUnicode_FromString(events->names[k]);
        if (!name || PyList_SetItem(names, k, name) < 0) Py_CLEAR(names);
    }
    PyObject *tuple = names
                          ? Py_BuildValue("y#Oy#", events->count ? (const char *)events->events : "",
                                          (Py_ssize_t)((size_t)events->count * sizeof *events->events), names,
                                          events->texts ? events->texts : "", (Py_ssize_t)events->text_size)
                          : NULL;
    Py_XDECREF(names);
    return tuple;
}
