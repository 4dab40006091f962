#!/usr/bin/env bash
# What only a terminal gets: colours, unless NO_COLOR, and the progress bar, on stderr.
. "$(dirname "$0")/lib.sh"
command -v script >/dev/null || { echo "no 'script' to make a terminal with"; exit 77; }

# with_terminal COMMAND: its output as a terminal shows it
with_terminal() { TERM=xterm script -qec "$1" /dev/null </dev/null >"$TMP/out" 2>/dev/null; }

with_terminal "echo works"
grep -q works "$TMP/out" || { echo "no terminal to be had here"; exit 77; }

LAST="check on a terminal"
with_terminal "'$SLIPSTICK' check '$STICK'";             that "colours" grep -q $'\033\\[1m' "$TMP/out"
NO_COLOR=1 with_terminal "'$SLIPSTICK' check '$STICK'";  that "NO_COLOR" test -z "$(tr -dc '\033' <"$TMP/out")"
LAST="run on a terminal"
with_terminal "timeout -s INT 2 '$SLIPSTICK' run '$STICK' --until 1e6 --step 1ms"
that "a progress bar with the time left" grep -q "left" "$TMP/out"
with_terminal "timeout -s INT 2 '$SLIPSTICK' run '$STICK' --until 1e6 --step 1ms --quiet"
that "no bar when quiet" test -z "$(grep left "$TMP/out")"
finish
