/// stop.h: Ctrl-C and SIGTERM. A command that keeps nothing leaves them to the system, which ends it at once.
/// One that can keep what it has computed catches them: the first sets a flag, at which the library ends its
/// work; where that takes longer than 0.15 s, in the middle of a long step, the program ends all the same. A
/// second signal ends it at once.
#ifndef SLIPSTICK_CLI_STOP_H
#define SLIPSTICK_CLI_STOP_H

#include <signal.h>

/// Catches the signals from now on; returns the flag.
const volatile sig_atomic_t *cli_signals_catch(void);

/// The work has ended, and what it gave may take its time to be written.
void cli_stop_heard(void);

#endif
