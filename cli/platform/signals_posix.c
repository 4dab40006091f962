/// platform/signals_posix.c: signals and a timer of POSIX.
#define _POSIX_C_SOURCE 200809L
#include "signals.h"

#if !defined(_WIN32) && !defined(__wasi__)

#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

enum { PATIENCE_MS = 150 };

static volatile sig_atomic_t stop;
static timer_t timer;
static bool has_timer;

static void set_timer(long ms)
{
    const struct itimerspec length = { .it_value = { .tv_nsec = ms * 1000000L } };
    if (has_timer) timer_settime(timer, 0, &length, NULL);
}

static void on_signal(int number)
{
    (void)number;
    stop = 1;
    set_timer(PATIENCE_MS);
}

// nobody heard: the step is long, and what was computed in it cannot be kept
static void on_timer(int number)
{
    static const char text[] =
        "slipstick: stopped in the middle of a step that takes long; the lines written so far are kept\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(CLI_EXIT_EARLY);
    _exit(CLI_EXIT_EARLY);
}

static void catch_one(int number, void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

const volatile sig_atomic_t *cli_signals_catch(void)
{
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM };
    catch_one(SIGALRM, on_timer);
    has_timer = has_timer || timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    catch_one(SIGINT, on_signal);
    catch_one(SIGTERM, on_signal);
    return &stop;
}

void cli_stop_heard(void)
{
    set_timer(0);
}

#endif
