/// platform/signals_c.c: signals as C has them, on Windows and WASI. Without a timer a long step ends by the
/// second signal.
#include "signals.h"

#if defined(_WIN32) || defined(__wasi__)

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    stop = 1;
    signal(number, SIG_DFL);
}

const volatile sig_atomic_t *cli_signals_catch(void)
{
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    return &stop;
}

void cli_stop_heard(void) {}

#endif
