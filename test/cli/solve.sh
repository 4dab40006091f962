#!/usr/bin/env bash
# slipstick solve, derive and design.
. "$(dirname "$0")/lib.sh"
PROBLEM=$ROOT/test/problems/lcp_trivial.nsp

try 0 solve "$PROBLEM"; silent err
try 0 solve "$PROBLEM" --json; json answers/0/outcome converged; json answers/0/residual "<number>"
try 0 solve "$PROBLEM" --all
try 0 solve "$PROBLEM" --vectors
try 0 solve "$PROBLEM" -q; silent out
try 0 solve "$PROBLEM" -s lemke --set tolerance=1e-12
try 0 solve --options; says out "tolerance"
try 2 solve "$PROBLEM" -s lemko; says err "did you mean 'lemke'?"
try 2 solve "$PROBLEM" --set tolerence=1; says err "tolerance"
try 2 solve "$TMP/nothing.nsp"; says err "nothing.nsp"
try 2 solve; says err "no problem given"
try 2 solve "$PROBLEM" "$PROBLEM"; says err "one problem at a time"
try 2 solve "$PROBLEM" -s zzzzzz; says err "there is no solver 'zzzzzz'"
try 0 solve "$PROBLEM" --all --vectors --json; json answers/1/solver
echo nonsense >"$TMP/bad.nsp"
try 2 solve "$TMP/bad.nsp" --json; says err "bad.nsp"; json error/text "<string>"

try 0 derive "$STICK"; says out "p"; silent err
try 0 derive "$STICK" --latex; says out "documentclass"
try 0 derive "$BOUNCE" --set alpha=0.002
try 2 derive "$ROOT/test/cli/wrong/syntax.yaml"; says err "error"
for model in "$ROOT"/models/*/*.yaml; do
    case $model in
    */many-body/*) try 2 derive "$model"; says err "is detected while bodies move" ;; # no equations in print
    *) try 0 derive "$model" ;;
    esac
done

try 0 design --restitution 0.8 --mass 2 --step 1ms --json; json restitution 0.8; json reachable true; json K "<number>"
try 0 design -e 0.5; says out "restitution"; says out "dai: {K:"
finish
