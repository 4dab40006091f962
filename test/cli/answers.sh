#!/usr/bin/env bash
# Commands that judge: analyze at a state, compare, and what a doubtful answer does to the exit code.
. "$(dirname "$0")/lib.sh"

# one state, every solution, and the verdict (Song 2001: case 2 has three solutions at its start)
try 1 analyze song/rod-case2; says out "ambiguous"; says out "3 solutions"; says out "slides backward"; silent err
try 1 analyze song/rod-case2 --json; json verdict "ambiguous"; json solutions/0/stability "stable*"
try 0 analyze song/rod-case1 --at 0.1; says out "trusted"; says out "P-matrix"
try 2 analyze flores/slider-crank --at 0.03; says err "strikes"
try 2 analyze song/rod-case1 --at 0.1 --map "th=0:1:3,th'=0:1:3"; says err "one at a time"

try 0 compare classics/bouncing-ball -f dai,moreau,lcp --until 1 --budget 0.1
says out "reference: lcp"; says out "cheapest"
try 0 compare classics/bouncing-ball -f moreau,lcp --until 0.5 --budget 0.1 --json
json confirmed true; json formulations/0/formulation "moreau"; json formulations/0/trusted true
try 0 compare classics/bouncing-ball -f moreau,lcp --until 0.5 --step 1ms --accuracy 0.01 --threads 1 --budget 0.1 -q; says out "cheapest"
try 0 compare classics/bouncing-ball -f tanh --until 0.5 --budget 0.1; says out "nothing is recommended"
try 0 compare classics/bouncing-ball -f all --until 0.2 --budget 0.02 --json; json reference
try 2 compare "$TMP/none.yaml"; says err "none.yaml"
try 2 compare classics/bouncing-ball --accuracy 0; says err "accuracy"
try 2 compare "$TMP/none.yaml" "$TMP/neither.yaml"; says err "none.yaml"; says err "neither.yaml"
try 0 run song/rod-case1 -f lcp --branch contact --until 0.1 --accuracy 0.05 -q; silent err
try 0 run gomez/sliding-block -f gauss --on-disagreement warn --until 0.1 -q; silent err
try 2 compare; says err "no model given"
try 2 compare classics/bouncing-ball -f nonsense; says err "not one of the formulations"

# a start that cannot be puts the answer in doubt; strict mode ends there
cat >"$TMP/inside.yaml" <<'YAML'
slipstick: 1
name: Inside
coordinates: {y: -0.1}
mass: {y: 1}
contacts: {floor: {gap: y}}
YAML
try 0 run "$TMP/inside.yaml"; says out "starts 0.1 m inside"
try 1 run "$TMP/inside.yaml" --strict; says err "untrusted"
try 2 run "$TMP/inside.yaml" -f moreau -i rk4; says err "uses no integrator"
finish
