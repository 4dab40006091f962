#!/usr/bin/env bash
# Models from stdin, trajectories to stdout, several models on one command line; -q and -v.
. "$(dirname "$0")/lib.sh"

# a model on standard input is that model, and -o - writes what trajectory.csv holds
"$SLIPSTICK" run - -o - --every 0.1 <"$BOUNCE" >"$TMP/rows" 2>"$TMP/err"; code=$?
that "the run is done" [ "$code" = 0 ]
try 0 run "$BOUNCE" -o "$TMP/files" --every 0.1
that "the same rows" cmp -s "$TMP/rows" "$TMP/files/trajectory.csv"
"$SLIPSTICK" run - -o - --every 0.1 <"$BOUNCE" >"$TMP/rows" 2>"$TMP/err"
says err "Bouncing mass"; says err "outcome"
"$SLIPSTICK" run "$BOUNCE" -q -o - --every 0.1 >"$TMP/rows" 2>"$TMP/err"
silent err
that "a pipe that closes ends it" bash -c "'$SLIPSTICK' run '$BOUNCE' -q -o - | head -n 2 | grep -q '^t,p'"
if [ -e /dev/full ]; then
    "$SLIPSTICK" run "$BOUNCE" -q -o - >/dev/full 2>"$TMP/err"; code=$?
    that "a full disk is an error" [ "$code" = 1 ]
    says err "could not be written"
fi
printf 'slipstick: 1\nname: x\ncoordinates: {x: 0}\nmass: {x: nonsense}\n' >"$TMP/bad.yaml"
"$SLIPSTICK" check - <"$TMP/bad.yaml" >"$TMP/out" 2>"$TMP/err"; code=$?
that "mistakes on stdin are mistakes" [ "$code" = 2 ]
says err "<stdin>:4:11: error: unknown name 'nonsense'"
try 2 run "$BOUNCE" -o - --json; says err "standard output"
try 2 run "$BOUNCE" "$STICK" -o -; says err "-o - takes one model"
try 2 run "$BOUNCE" -q -v; says err "exclude each other"

# several: outputs by the name of the model, the worst exit code, one array of JSON
try 0 run "$BOUNCE" "$STICK" -o "$TMP/both" --report "$TMP/page.html"
says out "Bouncing mass"; says out "both/friction-mass/trajectory.csv"
for name in bouncing-mass friction-mass; do
    that "files of $name" [ -s "$TMP/both/$name/trajectory.csv" ]
    that "page of $name" [ -s "$TMP/page-$name.html" ]
done
cp "$BOUNCE" "$TMP/bouncing-mass.yaml"
try 0 run "$BOUNCE" "$TMP/bouncing-mass.yaml" -q -o "$TMP/twice"
that "the same name twice" [ -s "$TMP/twice/bouncing-mass-2/trajectory.csv" ]
mkdir -p "$TMP/third"; cp "$STICK" "$TMP/third/bouncing-mass-2.yaml"
try 0 run "$BOUNCE" "$TMP/bouncing-mass.yaml" "$TMP/third/bouncing-mass-2.yaml" -q -o "$TMP/thrice"
that "a number that makes no other name" [ -s "$TMP/thrice/bouncing-mass-3/trajectory.csv" ]
that "a name of its own" grep -q friction "$TMP/thrice/bouncing-mass-2/trajectory.csv"
try 2 check "$BOUNCE" "$TMP/bad.yaml" "$STICK" -q; says err "1 error in the model"
try 0 check "$BOUNCE" "$STICK" --json; json 0/model/name; json 1/model/name
try 2 check "$BOUNCE" "$TMP/bad.yaml" --json; json 0/model/name; json 1/error/status "<string>"
try 0 derive "$BOUNCE" "$STICK"

# states that a formulation keeps for its elements are shown on request only
try 0 run "$BOUNCE"; says out "and 1 state of elements (-v)"
that "no element state" [ "$(grep -c 'floor.e' "$TMP/out")" = 0 ]
try 0 run "$BOUNCE" -v; says out "floor.e"
# of many bodies a screenful, and what was asked for
try 0 run many-body/tower --no-companion; says out "and 116 more (-v"; says out "load  "
that "not all of them" [ "$(grep -c 'box10.z' "$TMP/out")" = 0 ]
finish
