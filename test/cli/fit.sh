#!/usr/bin/env bash
# fit and analyze --critical: numbers that are known, what is said about them, and what is refused.
. "$(dirname "$0")/lib.sh"

cat >"$TMP/line.yaml" <<'MODEL'
slipstick: 1
name: line
parameters: {v: 1, w: 0.5, k: 3}
coordinates: {x: {start: 0, rate: v + w}, y: {start: k}}
energy: {kinetic: 0.5*x'^2 + 0.5*y'^2}
run: {formulation: lcp, until: 10}
MODEL
printf 't,x\n1,2.01\n2,3.98\n3,6.01\n4,8.02\n5,9.98\n' >"$TMP/line.csv"
fit() { local want=$1; shift; try "$want" fit "$TMP/line.yaml" "$TMP/line.csv" "$@"; }

# the slope is sum(t x)/sum(t^2) = 109.98/55, less w
fit 0 --free v --json; json free/0 "v"; json converged true
fit 0 --free v -o "$TMP/r.csv"; says out "1.4996364"; silent err
that "a picture beside the residuals" grep -q "</svg>" "$TMP/r.svg"
fit 0 --free v,k; says out "the data do not depend on k at all"
fit 0 --free v,w; says out "the data do not determine v, w one by one, but"; says out "w + 1*v"
fit 0 --free v,w --json; json undetermined/1 "w"; json combinations/0/formula "w + 1*v"; json lack_of_fit false
fit 0 --free v --bounds v=:1.25; says out "stopped by its bound"
fit 0 --free v --bounds v=0:5 --starts 5 --threads 2; says out "5 of 5 starts"; cp "$TMP/out" "$TMP/two"
fit 0 --free v --bounds v=0:5 --starts 5 --threads 1; that "threads change nothing" cmp -s "$TMP/out" "$TMP/two"
fit 0 --free v --against "$TMP/line.yaml" --against-set v=1.4 --against-free k --json
json against/free/0 "k"; json against/unseen/0 "k"; json aic_difference
fit 0 --free v --against "$TMP/line.yaml" --against-set v=1 --against-free k; says out "the first describes the data better"
fit 2 --free v --bounds u=0:1; says err "'u' is not among the free parameters"
fit 2 --free v --bounds v=2:1; says err "leave nothing"
fit 2 --free v --bounds v; says err "--bounds wants"
fit 2 --free v --starts 0; says err "--starts"

try 0 analyze gomez/sliding-block --critical mu=0:3; says out "1.6666666666"; says out "above: no solution"
try 0 analyze gomez/sliding-block --critical mu=0:1 --json; json critical/before 1; json critical/after 1
try 2 analyze gomez/sliding-block --critical mu; says err "as in mu=0:3"
try 2 analyze gomez/sliding-block --critical nu=0:1; says err "did you mean 'mu'"

fit 0 --free v --columns t,x --formulation lcp --relative 1e-8 --absolute 1e-10 --confidence 0.5; says out "1.499"
fit 0 --free v --profile; says out "profile"
fit 0 --free v --independent --json; json effective
fit 0 --free v -o "$TMP/residuals"; that "a picture beside a name without .csv" test -s "$TMP/residuals.svg"
fit 0 --free v --bounds v=0:; says out "1.499"
fit 2 --free v --bounds v=0:1:2; says err "--bounds wants"
fit 2 --free v --starts 10001; says err "--starts"
fit 2 --free v --confidence 1.5; says err "confidence"
fit 2 --free v -o "$TMP/none/r.csv"; says err "none/r.csv"
fit 2 --free q; says err "q"
fit 2 --free v --columns t; says err "no column to compare with"
fit 2 --free v --formulation lcpp; says err "lcp"
fit 2; says err "--free"
try 2 fit "$TMP/line.yaml" --free v; says err "DATA"
try 2 fit "$TMP/none.yaml" "$TMP/line.csv" --free v; says err "none.yaml"
try 2 fit "$TMP/line.yaml" "$TMP/none.csv" --free v; says err "none.csv"
try 2 fit "$TMP/line.yaml" "$TMP/none.csv" --free v --json; json error/text
# a number that may be cut off is no data: 0.8 would have been 8.01
printf 't,x\n1,2.01\n2,3.9\n3,6.1\n' >"$TMP/whole.csv"; cp "$TMP/whole.csv" "$TMP/cut.csv"; printf '4,0.8' >>"$TMP/cut.csv"
try 0 fit "$TMP/line.yaml" "$TMP/whole.csv" --free v; grep -w v "$TMP/out" >"$TMP/v"
try 0 fit "$TMP/line.yaml" "$TMP/cut.csv" --free v; says err "line 5 does not end with a newline"
that "the fit is that of the whole lines" test "$(grep -w v "$TMP/out")" = "$(cat "$TMP/v")"
printf 't,x,y\n1,2.01,3\n2,3.98,3\n3,6.01,3.02\n' >"$TMP/two.csv"
try 0 fit "$TMP/line.yaml" "$TMP/two.csv" --free v,k; says out "k"
# the same model on both sides: neither is better
fit 0 --free v --against "$TMP/line.yaml"; says out "data"
fit 2 --free v --against "$TMP/none.yaml"; says err "none.yaml"
fit 2 --free v --against "$TMP/line.yaml" --against-free q; says err "q"

try 2 analyze gomez/sliding-block --critical =0:1; says err "as in mu=0:3"
try 2 analyze gomez/sliding-block --critical mu=0; says err "as in mu=0:3"
try 2 analyze gomez/sliding-block --critical mu=0:1:2; says err "as in mu=0:3"
for axes in "th=0:1:3" "th" "=0:1:3,th'=0:1:3" "th=0,th'=0:1:3" "th=0:1,th'=0:1:3" "th=0:1:0,th'=0:1:3" "th=0:1:3,th'=0:1:3,x=0:1:3"; do
    try 2 analyze song/rod-case1 --map "$axes"; says err "--map wants two axes"
done
try 2 analyze song/rod-case1 --map "nothing=0:1:3,th'=0:1:3"; says err "nothing"
try 0 analyze song/rod-case1 --map "th=0.2:1.4:5,th'=-2:2:5" --json; json
try 0 analyze song/rod-case1 --map "th=0.2:1.4:5,th'=-2:2:5" -o "$TMP/map"; that "a table of it" test -s "$TMP/map/map.csv"
touch "$TMP/file"
try 2 analyze song/rod-case1 --map "th=0.2:1.4:5,th'=-2:2:5" -o "$TMP/file/map"; says err "file/map"
try 2 analyze; says err "no model given"
try 2 analyze song/rod-case1 song/rod-case2; says err "one model at a time"
try 2 analyze "$TMP/none.yaml"; says err "none.yaml"

finish
