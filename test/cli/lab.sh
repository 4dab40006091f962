#!/usr/bin/env bash
# The laboratory: a page with models in it; a program that was built without says how to get it.
. "$(dirname "$0")/lib.sh"

try 2 lab "$BOUNCE" --nonsense; says err "--nonsense"
try 2 lab "$BOUNCE" -o "$BOUNCE"; says err "bouncing-mass.yaml"
if "$SLIPSTICK" --version | grep -q '^ *lab *yes'; then
    try 0 lab "$BOUNCE" xiong/stick-slip -o "$TMP/lab.html"; says out "open it in a browser"
    that "the models are in it" grep -q 'Bouncing mass' "$TMP/lab.html"
    try 0 lab -q -o "$TMP/small.html"; silent out
    that "models take room" [ "$(wc -c <"$TMP/small.html")" -lt "$(wc -c <"$TMP/lab.html")" ]
    try 2 lab -o "$TMP/no/such/lab.html"; says err "No such file"
else
    cp "$BOUNCE" "$TMP/own.yaml"
    try 2 lab "$BOUNCE" "$TMP/own.yaml" xiong/stick-slip --shipped -o "$TMP/no.html"; says err "make lab"
    "$SLIPSTICK" lab - -q -o "$TMP/no.html" <"$BOUNCE" 2>"$TMP/err"; says err "make lab"
    cd "$ROOT" && try 2 lab models/xiong/stick-slip.yaml; says err "make lab"
fi
try 2 lab nowhere.yaml -o "$TMP/no.html"; says err "nowhere.yaml"
that "nothing half-written" test ! -e "$TMP/no.html"
finish
