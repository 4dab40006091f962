#!/usr/bin/env bash
# encoder: an encoder's levels to an angle, and what it refuses.
. "$(dirname "$0")/lib.sh"

printf 'a,b\n0,0\n1,0\n1,1\n0,1\n0,0\n' >"$TMP/turn.csv" # four edges, one after the other, all one way
try 0 encoder "$TMP/turn.csv" --rate 1kHz --tick 0.36deg
says err "5 samples, 4 edges, 0 reversals, 0 missed"
that "a header and four edges" test "$(wc -l <"$TMP/out")" = 5
cp "$TMP/out" "$TMP/printed.csv"
try 0 encoder "$TMP/turn.csv" --rate 1000 --tick "0.36 deg" -o "$TMP/angle.csv"; silent out
that "the same in a file" cmp -s "$TMP/angle.csv" "$TMP/printed.csv"
try 0 encoder "$TMP/turn.csv" --rate "1000 Hz" --tick 0.1rad -o "$TMP/angle.csv" --json
json edges 4; json missed 0; silent err
that "half a tick, then one tick an edge, in radians" \
    awk -F, 'NR > 1 { a = $2 < 0 ? -$2 : $2; if ((a - 0.05 - 0.1*(NR - 2))^2 > 1e-20) exit 1 }' "$TMP/angle.csv"

printf '0,0\n1,0\n1,1\n1,0\n' >"$TMP/back.csv"
try 0 encoder "$TMP/back.csv" --rate 1kHz; says err "1 reversals"
printf '0,0\n1,1\n0,0\n' >"$TMP/missed.csv" # both channels at once: an edge was missed
try 1 encoder "$TMP/missed.csv" --rate 1kHz; says err "missed"
try 1 encoder "$TMP/missed.csv" --rate 1kHz --json -o "$TMP/m.csv"; json missed 2
printf '0,0\n1,0\n1,1' >"$TMP/cut.csv"
try 0 encoder "$TMP/cut.csv" --rate 1kHz; says err "cut.csv: line 3 does not end with a newline"

try 2 encoder "$TMP/turn.csv"; says err "--rate"
try 2 encoder; says err "no signal"
try 2 encoder "$TMP/turn.csv" "$TMP/back.csv" --rate 1kHz; says err "one signal at a time"
try 2 encoder "$TMP/turn.csv" --rate fast; says err "--rate wants a frequency"
try 2 encoder "$TMP/turn.csv" --rate 0; says err "--rate wants a frequency"
try 2 encoder "$TMP/turn.csv" --rate 1parsec; says err "--rate wants a frequency"
try 2 encoder "$TMP/turn.csv" --rate 1kHz --tick wide; says err "--tick wants an angle"
try 2 encoder "$TMP/turn.csv" --rate 1kHz --json; says err "-o"
try 2 encoder "$TMP/none.csv" --rate 1kHz; says err "No such file"
try 2 encoder "$TMP/none.csv" --rate 1kHz --json -o "$TMP/x.csv"; json error/text
try 2 encoder "$TMP/turn.csv" --rate 1kHz -o "$TMP/none/x.csv"; says err "none/x.csv"
printf '0,0\n1,nan\n' >"$TMP/nan.csv"
try 2 encoder "$TMP/nan.csv" --rate 1kHz; says err "line 2: 'nan' is not a decimal number"
printf '0,0,0\n1,0,0\n' >"$TMP/three.csv"
try 2 encoder "$TMP/three.csv" --rate 1kHz; says err "line 1 has more than 2 fields"
try 2 encoder --no-such-option; says err "no-such-option"
try 0 encoder --help; says out "slipstick encoder"

finish
