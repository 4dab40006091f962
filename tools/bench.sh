#!/usr/bin/env bash
# bench.sh BUILD [--keep]: runs every benchmark and compares its ratios to hand-written C, measured in the same run, with
# those that bench/results holds for this kind of machine. A ratio that is more than 10 % worse is a loss, and the exit code is 1.
# --keep writes today's ratios there.
set -eu
build=$1
keep=${2:-}
cd "$(dirname "$0")/.."
machine=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1 | tr -cs 'A-Za-z0-9\n' '-' | sed 's/-$//')
results=bench/results/${machine:-unknown}.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --build "$build" --target bench | tee "$work/output"
# "program.number ratio": the lines that say "ratio", in the order in which they are printed
awk '/^== / { program = $2; count = 0 }
     match($0, /ratio *[0-9][0-9.]*/) { value = substr($0, RSTART, RLENGTH); sub(/ratio */, "", value)
                                        print program "." ++count, value }' "$work/output" >"$work/now"
[ -s "$work/now" ] || { echo "bench: no ratio was printed" >&2; exit 1; }
status=0
if [ -f "$results" ]; then
    echo
    awk 'NR == FNR { was[$1] = $2; next }
         { printf "%-28s %6.2f  was %s%s\n", $1, $2, ($1 in was) ? was[$1] : "-",
                  ($1 in was) && $2 > 1.1 * was[$1] ? "   LOSS of more than 10 %" : ""
           bad += ($1 in was) && $2 > 1.1 * was[$1] }
         END { exit bad > 0 }' "$results" "$work/now" || status=1
else
    echo "bench: there are no results of this machine yet; tools/bench.sh $build --keep writes $results"
fi
if [ "$keep" = --keep ]; then
    mkdir -p bench/results
    cp "$work/now" "$results"
    echo "bench: kept in $results"
fi
exit $status
