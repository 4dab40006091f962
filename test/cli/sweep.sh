#!/usr/bin/env bash
# sweep: its tables, what it refuses, and that Ctrl-C leaves something that --resume completes.
. "$(dirname "$0")/lib.sh"

cat >"$TMP/ball.yaml" <<'END'
slipstick: 1
name: Ball
parameters: {h: 1, e: 0.5}
coordinates: {y: h}
mass: {y: 1}
forces: {y: -9.81}
contacts: {floor: {gap: y, restitution: e}}
run: {until: 1}
END
BALL=$TMP/ball.yaml

try 0 sweep "$BALL" --over e=0.2:0.8:4 --over h=1,2 -o "$TMP/grid"
says out "8 of 8"; says out "trusted"
that "a line for each run" test "$(wc -l <"$TMP/grid/runs.csv")" = 9
that "the last axis is the fastest" test "$(sed -n 3p "$TMP/grid/runs.csv" | cut -d, -f1-3)" = "1,0.2,2"

printf 'e,h\n0.5,1\n0.25,4\n' >"$TMP/points.csv"
try 0 sweep "$BALL" --points "$TMP/points.csv" --outputs events --json; json runs 2; json trusted 2; json varied/1 h
printf 'e,h\n0.5,1\n0.25,nan\n' >"$TMP/bad.csv"
try 2 sweep "$BALL" --points "$TMP/bad.csv"; says err "line 3"
printf '0.5,1\n0.25,2\n' >"$TMP/bad.csv"
try 2 sweep "$BALL" --points "$TMP/bad.csv"; says err "expected the names"

# what the model itself spreads, and what --distribution says instead
sed 's/^coordinates/spread: {e: {uniform: [0.3, 0.8]}}\ncoordinates/' "$BALL" >"$TMP/spread.yaml"
try 0 sweep "$TMP/spread.yaml" --random 5 --json; json runs 5; json varied/0 e
try 0 sweep "$TMP/spread.yaml" --random 5 -o "$TMP/spread" -q
try 0 sweep "$BALL" --distribution e=uniform:0.3:0.8 --random 5 -o "$TMP/drawn" -q
that "the same values" cmp -s "$TMP/spread/runs.csv" "$TMP/drawn/runs.csv"
try 0 sweep "$TMP/spread.yaml" --distribution e=normal:0.5:0.01 --random 5 -o "$TMP/other" -q
that "other values" test "$(cmp "$TMP/other/runs.csv" "$TMP/drawn/runs.csv" | wc -l)" = 1
wrong_spread() { sed "s/uniform: .0.3, 0.8./$1/" "$TMP/spread.yaml" >"$TMP/wrong.yaml"; try 2 check "$TMP/wrong.yaml"; says err "$2"; }
wrong_spread "uniform: [0.8, 0.3]" "wrong.yaml:4:23: error: the least value comes first"
wrong_spread "normal: [0.5, -1]" "deviation must not be negative"
wrong_spread "log: [0, 1]" "must be > 0"
wrong_spread "log: [1]" "log takes two numbers"
wrong_spread "normal: [0.5 m, 1 s]" "is in m, this number in s"
wrong_spread "normal: [1, 2], log: [1, 2]" "several distributions"
wrong_spread "" "no distribution"

# a run that cannot begin is a line with its reason
try 0 sweep "$BALL" --over e=0.5,7 --json; json refused 1; json trusted 1

try 2 sweep "$BALL"; says err "nothing is varied"
try 0 sweep "$BALL" --over e=0:1:3; says out "-o DIR writes a line for every run"
try 2 sweep --over e=0:1:3; says err "one model is needed"
try 2 sweep "$BALL" --over e=0:1; says err "--over wants"
try 2 sweep "$BALL" --over e=0:1:2.5; says err "--over wants"
try 2 sweep "$BALL" --over e=0.1,; says err "--over wants"
try 2 sweep "$BALL" --distribution e=0:1 --random 5; says err "--distribution wants"
try 2 sweep "$BALL" --distribution e=uniform:0:1; says err "--distribution needs --random"
try 2 sweep "$BALL" --over e=0:1:3 --random 5; says err "--random needs --distribution"
try 2 sweep "$BALL" --random 5; says err "--random needs --distribution"
try 2 sweep "$BALL" --distribution e=uniform:0:1 --random 2.5; says err "--random: '2.5' is not a whole number"
try 2 sweep "$BALL" --distribution e=uniform:0:1 --random 1e40; says err "--random: '1e40' is not a whole number"
try 2 sweep "$BALL" --over e=0:1:3 --threads 0; says err "--threads: '0' is not a whole number"
try 2 sweep "$BALL" --distribution e=uniform:0:1 --random 2 --seed 2.5; says err "--seed: '2.5' is not a whole number"
try 2 sweep "$BALL" --distribution e=uniform:0:1 --random 5 --sampling dice; says err "--sampling wants"
try 2 sweep "$BALL" --over e=0:1:3 --outputs all; says err "--outputs wants"
try 2 sweep "$BALL" --over e=0:1:3 --section y; says err "--section wants"
try 2 sweep "$BALL" --over e=0:1:3 --section z=0; says err "not a column"
try 2 sweep "$BALL" --over e=0:1:3 --resume; says err "--resume needs"
try 2 sweep "$BALL" --over q=0:1:3; says err "q"
try 2 sweep "$BALL" --over e=0.2:0.8:4 -o "$TMP/grid"; says err "exists"
try 2 sweep "$BALL" --over e=0.2:0.8:5 --over h=1,2 -o "$TMP/grid" --resume; says err "'over e' differs"
mkdir "$TMP/here"; cp "$BALL" "$TMP/here/runs.csv"
try 2 sweep "$TMP/here/runs.csv" --over e=0:1:3 -o "$TMP/here"; says err "would overwrite"

# a picture: a dot for each run, hollow or a stroke where there is no trust
try 0 sweep "$BALL" --over e=0.1:0.9:9 --outputs final --picture "$TMP/ball.svg" --of "y'"
that "nine dots" test "$(grep -o 'fill:var(--LINE_1)' "$TMP/ball.svg" | wc -l)" = 9
that "it says what is drawn" grep -q 'all trusted' "$TMP/ball.svg"
try 0 sweep "$BALL" --over e=0.5,7 --picture "$TMP/ball.png" -q
that "a PNG" test "$(head -c 4 "$TMP/ball.png" | tail -c 3)" = PNG
try 2 sweep "$BALL" --over e=0.5,0.6 --picture "$TMP/ball.gif"; says err ".svg or .png"
try 2 sweep "$BALL" --over e=0.5,0.6 --picture "$TMP/ball.svg" --of q; says err "is not among what was kept"
try 2 sweep "$BALL" --over e=0.5,0.6 --of y; says err "--of needs --picture"

# HDF5: the numbers of the tables, the same bytes again
try 2 sweep "$BALL" --over e=0.5,0.6 --hdf5; says err "--hdf5 needs"
"$SLIPSTICK" --version | grep -q 'HDF5 *yes' && HDF5=1 || HDF5=
if [ -n "$HDF5" ]; then
    for k in 1 2; do try 0 sweep "$BALL" --over e=0.5:0.8:4 --over h=1,2 --outputs final --strobe 0.25 -o "$TMP/h$k" --hdf5 -q; done
    that "the same bytes again" cmp -s "$TMP/h1/sweep.h5" "$TMP/h2/sweep.h5"
fi

# where motions end
cat >"$TMP/wells.yaml" <<'END'
slipstick: 1
name: Two wells
coordinates: {x: -1}
mass: {x: 1}
forces: {x: "x - x^3 - x'"}
run: {until: 30}
END
MAP="basin $TMP/wells.yaml --over x=-1.6:1.6:5 --over x'=-0.4,0.4 -f lcp --no-companion"
try 0 $MAP -o "$TMP/map" --picture "$TMP/map.svg"; says out "50.00 %  rest at x = 1"
that "a line for each run" test "$(wc -l <"$TMP/map/basin.csv")" = 11
that "a cell for each run" test "$(grep -c '<path' "$TMP/map.svg")" -ge 10
try 0 $MAP --json -q; json runs 10; json attractors/0/runs 5; json not_settled 0
try 2 basin "$TMP/wells.yaml" --over x=0:1:3; says err "--over is needed twice"
try 2 basin "$TMP/wells.yaml" --over x=0:1:3 --over x=0:1:3; says err "twice"
try 2 $MAP --tail 2; says err "between 0 and 1"
try 2 $MAP --picture "$TMP/map.gif"; says err ".svg or .png"

# under several laws
LAWS="sweep $BALL --over e=0.2:0.8:4 --outputs final,events --no-companion"
try 0 $LAWS --formulations lcp,gauss --impact-laws newton,poisson -o "$TMP/laws"; says out "lcp, newton"; says out "first(impact), from 0.451"
that "a directory for each" test "$(ls "$TMP/laws" | tr '\n' ' ')" = "gauss-newton gauss-poisson lcp-newton lcp-poisson "
that "a line for each run" test "$(wc -l <"$TMP/laws/lcp-poisson/runs.csv")" = 5
try 2 $LAWS --formulations lcp --impact-laws newton -o "$TMP/laws"; says err "sweep.store"
try 0 $LAWS --formulations lcp,kelvin-voigt --json; json laws/0/law lcp; json laws/1/shifts/0/runs 4; json laws/1/sweep/formulation kelvin-voigt
try 0 $LAWS --impact-laws newton -q; that "nothing is said" test ! -s "$TMP/out"
try 2 $LAWS --formulations lcp,nonsense; says err "nonsense"
try 2 $LAWS --formulations lcp --impact-laws nonsense; says err "nonsense"
try 2 $LAWS --formulations , ; says err "is empty"
try 2 $LAWS --formulations lcp --picture "$TMP/laws.svg"; says err "at a time"
try 0 $LAWS --over h=1,2 --formulations lcp,tanh --strobe 0.25; says out "under one alone"
try 0 sweep "$BALL" --over e=0.5,2 --formulations lcp,gauss; says out "1 refused"

# where periods change: by its exact flights between impacts the oscillator repeats 2 points at 0.3 and 0.35, 4 at 0.5
cat >"$TMP/osc.yaml" <<'END'
slipstick: 1
name: Driven
parameters: {e: 0.8}
coordinates: {x: -0.1}
mass: {x: 1}
forces: {x: cos(2.8*t) - x}
contacts: {stop: {gap: -x, restitution: e}}
run: {until: 400}
END
PERIODS="--strobe 2.2439947525641 --after 250 --no-companion"
try 0 sweep "$TMP/osc.yaml" --over e=0.3,0.5,0.7,0.8,0.9 --formulations lcp,moreau $PERIODS
says out "2 to 4: 0.4 +- 0.1; moreau +0"
try 0 sweep "$TMP/osc.yaml" --over e=0.3,0.35 --formulations lcp,moreau $PERIODS; says out "it does not under lcp"
try 0 sweep "$TMP/osc.yaml" --over e=0.3,0.5 --formulations lcp,moreau $PERIODS --json; json laws/1/law moreau

# axes that are none
for axis in 0:1:2.5 0:1:0 0x1:1:3 1:x:3 x:1:3 0:1 0:1:1e9 1e400:1:2 1,,2 1,2x 1:2:3:4 ''; do try 2 sweep "$BALL" --over "e=$axis"; says err "KEY=A:B:N"; done
try 0 sweep "$BALL" --over e=0.5:0.8:1 -q
try 2 basin "$TMP/none.yaml" --over x=0,1 --over "x'=0,1"; says err "none.yaml"
try 2 lyapunov "$TMP/none.yaml"; says err "none.yaml"
try 2 import "$TMP/none.urdf"; says err "none.urdf"

# more runs
try 0 sweep "$TMP/spread.yaml" --random 9 -o "$TMP/spread" -q --resume
that "more lines" test "$(wc -l <"$TMP/spread/runs.csv")" = 10
try 2 sweep "$TMP/spread.yaml" --random 8 -o "$TMP/spread" -q --resume; says err "'random' differs"

# stopped, and completed
WIDE="--distribution e=uniform:0.3:0.8 --random 3000 -f lcp --no-companion"
try 0 sweep "$BALL" $WIDE -o "$TMP/whole" -q
LAST="sweep, then SIGINT"
set -m
"$SLIPSTICK" sweep "$BALL" $WIDE -o "$TMP/parts" -q >"$TMP/out" 2>"$TMP/err" &
PID=$!
set +m
for _ in $(seq 200); do [ "$(stat -c %s "$TMP/parts/sweep.store" 2>/dev/null || echo 0)" -gt 20000 ] && break; sleep 0.02; done
kill -INT $PID
wait $PID
code=$?
that "exit code 1 when it was stopped, 0 when it was not in time: $code" test $code -le 1
[ $code = 0 ] || says err "stopped after"
try 0 sweep "$BALL" $WIDE -o "$TMP/parts" -q --resume --threads 1
for file in runs.csv sweep.store; do that "$file is the same" cmp -s "$TMP/whole/$file" "$TMP/parts/$file"; done
finish
