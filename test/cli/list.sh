#!/usr/bin/env bash
# slipstick list and check.
. "$(dirname "$0")/lib.sh"

try 0 list; says out "formulations"; says out "dai"; says out "rk4"; says out "cash-karp"; says out "xiong/friction-mass"; silent err
try 0 list --json; json formulations "<array>"; json models/0/name "<string>"; json solvers/0/summary "<string>"
try 0 list formulations; says out "dai"
try 0 list formulations --json; json formulations/0/name "<string>"; json formulations/0/reference "<string>"
try 0 list integrators; says out "rk4"; says out "cash-karp"
try 0 list solvers
try 0 list laws
try 0 list laws --json; json laws/1/options/0/name viscous; json laws/1/options/0/unit "N s/m"
try 0 list solvers --json; json solvers/1/options/0/default 1e-9; json solvers/1/options/0/range "from 0 to 1e-3"
try 0 list functions; says out "atan2"
try 0 list commands; says out "compare"
try 0 list laws --markdown; says out "| \`coulomb\` |"
try 0 list models; says out "xiong/bouncing-mass"
for file in "$ROOT"/models/*/*.yaml; do that "$file has an about" grep -q '^about:' "$file"; done
says out "A ball flies back and forth between two plates, without weight."
try 0 list keys; says out "coordinates"; says out "run.step"
try 0 list keys --json; json keys/0/path "<string>"; json keys/0/meaning "<string>"

# every formulation and every integrator that is listed can be asked for
for integrator in $("$SLIPSTICK" list integrators | awk '{ print $1 }'); do
    try 0 run "$STICK" --until 10ms --integrator "$integrator" -q
done

try 0 check "$STICK"; says out "valid"; says out "parameters"; silent err
try 0 check "$STICK" --json; json model/name "<string>"; json parameters "<object>"
try 0 check friction-mass --quiet; silent out
try 0 check "$BOUNCE" --set alpha=0.002 --json; json parameters/alpha 0.002
try 2 check "$BOUNCE" --set alpha=no; says err "--set"

# every shipped model is valid
for model in $("$SLIPSTICK" list models | awk '{ print $1 }'); do try 0 check "$model"; done
SLIPSTICK_MODELS=/nowhere try 0 list models; says out "none"

# names of files are any bytes; what is listed is text, and JSON is JSON
mkdir -p "$TMP/odd/deep/deeper/deepest" "$TMP/odd/.hidden"
for name in plain 'quo"te' 'back\slash' $'line\nend' $'tab\tbed' $'bell\a' grün 梁 🪀 $'half\xc3' $'over\xe0\x80\x80' \
    $'half\xed\xa0\x80' $'far\xf4\x90\x80\x80' $'long\xf0\x80\x80\x80' $'byte\xff' deep/one deep/deeper/two deep/deeper/deepest/three .hidden/four; do
    cp "$STICK" "$TMP/odd/$name.yaml"
done
echo text >"$TMP/odd/readme.txt"
SLIPSTICK_MODELS=$TMP/odd try 0 list models --json; json
says out '\ufffd'; says out 'grün'; says out '梁'; says out '\u0007'
that "not too deep, and nothing hidden" test -z "$(grep -E 'three|four|readme' "$TMP/out")"
# without a setting: models here, then beside the program
unset SLIPSTICK_MODELS
(cd "$ROOT" && "$SLIPSTICK" list models) >"$TMP/out" 2>"$TMP/err"; says out "friction-mass"
(cd "$TMP" && "$SLIPSTICK" list models) >"$TMP/out" 2>"$TMP/err"; that "an answer" test -s "$TMP/out"
finish
