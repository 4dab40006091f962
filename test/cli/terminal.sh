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
with_terminal "timeout --foreground -s INT 2 '$SLIPSTICK' run '$STICK' --until 1e6 --step 1ms"
that "a progress bar with the time left" grep -q "left" "$TMP/out"
with_terminal "timeout --foreground -s INT 2 '$SLIPSTICK' run '$STICK' --until 1e6 --step 1ms --quiet"
that "no bar when quiet" test -z "$(grep left "$TMP/out")"

# maps and searches from many points show how long they take, and keep what they have when they are stopped
LAST="analyze --map on a terminal"
MAP="th=0.1:3.04:49,th'=-2.5:2.5:100000"
with_terminal "timeout --foreground -s INT 2 '$SLIPSTICK' analyze gomez/painleve-rod --map \"$MAP\" -o '$TMP/map'"
that "a bar with the time left" grep -q "left" "$TMP/out"
that "says where the map ends" grep -q "of 100000 rows: the map ends at th' = " "$TMP/out"
that "keeps what was looked at" test "$(wc -l <"$TMP/map/map.csv")" -gt 49
awk 'BEGIN { print "t,p"; for (k = 1; k < 400; k++) print k * 1e-2 "," sin(k * 1e-2) }' >"$TMP/data.csv"
LAST="fit --starts on a terminal"
FIT="fit '$STICK' '$TMP/data.csv' --columns t,p --free F,M --bounds F=0:10,M=0.1:10 --starts 10000"
with_terminal "timeout --foreground -s INT 4 '$SLIPSTICK' $FIT"
that "a bar with the time left" grep -q "of 10000 starts.* left" "$TMP/out"
that "says how far it came" grep -q "of 10000 starts; the best of them is the answer" "$TMP/out"
that "gives the answer" grep -q "rms" "$TMP/out"
with_terminal "timeout --foreground -s INT 2 '$SLIPSTICK' $FIT --quiet"
that "no bar when quiet" test -z "$(grep left "$TMP/out")"
finish
