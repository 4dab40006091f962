#!/usr/bin/env bash
# campaign_kills.sh BUILD FIRST COUNT: kill -9 at a random moment, numbers FIRST to FIRST + COUNT - 1: of a sweep in the middle of its store, of one of
# two MPI ranks, of `fit` and `optimize`. What was killed is completed, and is then what an undisturbed run leaves; nothing half written
# is left behind. Findings are printed; ends with 1 when there was one.
set -u
build=$1 first=$2 count=$3
program=$(realpath "$build/slipstick")
root=$(cd "$(dirname "$0")/.." && pwd)
mpi=$build/slipstick-mpi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
found=0
complain() { found=1; echo "kill $number: $*"; }
sweep=(sweep "$root/models/classics/bouncing-ball.yaml" --over coordinates.y.start=0.1:2:300 --no-companion -q)
awk 'BEGIN { print "t,x"; for (k = 0; k <= 100; k++) print k * 0.02, exp(-0.3 * k * 0.02) * cos(2 * k * 0.02) }' > "$work/data.csv"
cat > "$work/mass.yaml" <<'TEXT'
slipstick: 1
name: Mass on a spring
parameters: {k: 3, c: 0.2}
coordinates: {x: 1}
mass: {x: 1}
forces: {x: "-k*x - c*x'"}
run: {until: 2, step: 2ms}
TEXT
"$program" "${sweep[@]}" -o "$work/whole" > /dev/null 2>&1 || { echo "the sweep itself fails"; exit 2; }

nothing_half_written() { [ -z "$(find "$work" -name '*.part')" ] || complain "a .part file was left"; }
# kills a command after 0 to 0.4 s; the rest of the words are the command
kill_soon() {
    "$@" > /dev/null 2>&1 < /dev/null &
    local pid=$!
    sleep "0.$(printf '%03d' $((RANDOM % 400)))"
    kill -KILL $pid 2> /dev/null
    wait $pid 2> /dev/null
}
same_sweep() {
    "$program" "${sweep[@]}" -o "$1" --resume > /dev/null 2> "$work/err" || complain "not resumed: $(head -n 1 "$work/err")"
    cmp -s "$1/runs.csv" "$work/whole/runs.csv" || complain "the completed sweep differs"
}

for ((number = first; number < first + count; number++)); do
    RANDOM=$number
    case $((number % 4)) in
    0)
        rm -rf "$work/parts"
        kill_soon "$program" "${sweep[@]}" -o "$work/parts"
        kill_soon "$program" "${sweep[@]}" -o "$work/parts" --resume
        same_sweep "$work/parts"
        ;;
    1)
        if [ -x "$mpi" ] && command -v mpirun > /dev/null; then
            rm -rf "$work/ranks"
            kill_soon mpirun --allow-run-as-root --oversubscribe -n 2 "$mpi" "${sweep[@]}" -o "$work/ranks"
            pkill -KILL -f "$work/ranks" 2> /dev/null
            sleep 0.1
            same_sweep "$work/ranks"
        fi
        ;;
    2)
        echo old > "$work/fit.html"
        kill_soon "$program" fit "$work/mass.yaml" "$work/data.csv" --free k,c --starts 8 --report "$work/fit.html"
        [ "$(head -c 3 "$work/fit.html")" = old ] || grep -q '</html>' "$work/fit.html" || complain "the page of fit is half there"
        nothing_half_written
        ;;
    3)
        kill_soon "$program" optimize "$work/mass.yaml" --minimize "max(x')" --free k,c --bounds k=1:9,c=0:1 --starts 8
        nothing_half_written
        ;;
    esac
done
exit $found
