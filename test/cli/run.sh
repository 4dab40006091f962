#!/usr/bin/env bash
# slipstick run: every option does what it says.
. "$(dirname "$0")/lib.sh"

rows() { tail -n +2 "$1/trajectory.csv" | wc -l; }
last_time() { tail -n 1 "$1/trajectory.csv" | cut -d, -f1; }
same_time() { awk -v a="$(last_time "$1")" -v b="$2" 'BEGIN { exit !(a - b < 1e-12 && b - a < 1e-12) }'; }

# a plain run says how it went
try 0 run "$STICK" --until 0.1
says out "done at t = 0.1 s"; says out "dai, rk4"; says out "p'"; says out "energy"; silent err
that "no colours outside a terminal" test -z "$(tr -dc '\033' <"$TMP/out")"

# by name: the whole name, the last part of it, a name that is nearly right
try 0 run xiong/friction-mass --until 1ms
try 0 run friction-mass --until 1ms
try 2 run friction-mas --until 1ms; says err "did you mean 'xiong/friction-mass'?"
try 2 run no/such/file.yaml; says err "no/such/file.yaml"
try 2 run "$TMP"; says err "$TMP"

# times, with and without units, in both spellings
try 0 run "$STICK" --step 1ms --until=0.05 -o "$TMP/a";      that "50 steps and the start" test "$(rows "$TMP/a")" = 51
try 0 run "$STICK" --step "2 ms" --until "50 ms" -o "$TMP/b"; that "25 steps" test "$(rows "$TMP/b")" = 26
try 0 run "$STICK" --step 500us --until 1e-2 -o"$TMP/c";     that "20 steps" test "$(rows "$TMP/c")" = 21
that "ends at 10 ms" same_time "$TMP/c" 0.01
try 0 run "$STICK" --until 0.1 --every 10ms -o "$TMP/d";     that "11 rows" test "$(rows "$TMP/d")" = 11
try 0 run "$STICK" --until 0.1 --at "0,0.01, 50 ms" -o "$TMP/e"; that "3 rows" test "$(rows "$TMP/e")" = 3
that "the last at 50 ms" same_time "$TMP/e" 0.05

# a row that --at or --every asks for is the row of the full run
full=$(sed -n '52p' "$TMP/a/trajectory.csv")
that "same row by --at" grep -qxF "$full" "$TMP/e/trajectory.csv"

# threads change nothing but the time
for n in 1 2; do try 0 run many-body/heap --until 20ms --no-companion --threads $n -q -o "$TMP/threads$n"; done
that "the same bytes" cmp -s "$TMP/threads1/trajectory.csv" "$TMP/threads2/trajectory.csv"

# parts by name
try 0 run "$STICK" --until 0.1 --formulation dai --integrator rk4 --json;  json formulation dai; json integrator rk4
try 0 run "$STICK" --until 0.1 -f dai -i cash-karp --relative 1e-8 --absolute 1e-10 --json
json integrator cash-karp; json settings/relative 1e-8; json settings/absolute 1e-10
json settings/max_step 0.002
try 0 run "$STICK" --until 0.1 -f dai -i cash-karp --max-step 50us --json; json settings/max_step 5e-5
that "steps of 50 us" test "$(sed -n 's/.*"steps": *\([0-9]*\).*/\1/p' "$TMP/out" | head -1)" -ge 2000
try 2 run "$STICK" --max-step 0;          says err "above 0"
try 2 run "$STICK" --threads 0;           says err "a whole number from 1 on"
try 2 run "$STICK" --threads 257;         says err "from 1 to 256"
try 2 run "$STICK" --formulation day;     says err "day"; says err "dai"
try 2 run "$STICK" --integrator rk5;      says err "rk5"; says err "rk4"
try 2 run "$STICK" --solver nosuchsolver; says err "nosuchsolver"
try 2 run "$STICK" --formulation day --json; says err "day"; json error/text "<string>"; json error/status "<string>"

# --set: parameters and keys, from nothing to nonsense
try 0 run "$BOUNCE" --set alpha=0.001 --set run.until=0.2 --json; json until 0.2
try 0 run "$BOUNCE" --set parameters.alpha=0.005 --until 0.01 --json
try 2 run "$BOUNCE" --set alfa=1;          says err "alfa"; says err "alpha"
try 2 run "$BOUNCE" --set alpha;           says err "--set"
try 2 run "$BOUNCE" --set alpha=;          says err "--set"
try 2 run "$BOUNCE" --set "alpha=1 +";     says err "--set"
try 2 run "$BOUNCE" --set run.stepp=1 --json; json error/status "<string>"; json diagnostics/0/text "<string>"; json diagnostics/0/file "--set"

# --json is one object and nothing else; --quiet is nothing at all
try 0 run "$STICK" --until 0.1 --json; json ""; silent err
try 0 run "$STICK" --until 0.1 --quiet; silent out; silent err
try 0 run "$STICK" --until 0.1 -q -o "$TMP/q"; silent out; that "files all the same" test -s "$TMP/q/trajectory.csv"
try 0 run "$STICK" --until 0.1 --strict; says out "done"

# operands after --
cp "$STICK" "$TMP/--odd.yaml"
(cd "$TMP" && "$SLIPSTICK" run --until 1ms -q -- --odd.yaml) >"$TMP/out" 2>"$TMP/err"
that "-- ends the options" test $? = 0

# the same bits every time
try 0 run "$STICK" --until 0.5 -q -o "$TMP/x"; try 0 run "$STICK" --until 0.5 -q -o "$TMP/y"
that "same bits" cmp -s "$TMP/x/trajectory.csv" "$TMP/y/trajectory.csv"

# the output cannot be written: said, not swallowed
if [ -w /dev/full ]; then
    "$SLIPSTICK" run "$STICK" --until 1ms >/dev/full 2>"$TMP/err"
    that "a full stdout is exit 1" test $? = 1
    says err "standard output could not be written"
fi
finish
