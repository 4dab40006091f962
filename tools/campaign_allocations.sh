#!/usr/bin/env bash
# campaign_allocations.sh BUILD FIRST COUNT: commands of the program in which one allocation fails, numbers FIRST to FIRST + COUNT - 1.
# A number chooses a command and which of its allocations fails. A command then ends with a message and exit code 1 or 2, or as if
# nothing had been, a run with the same output. Findings are printed; ends with 1 when there was one.
set -u
build=$1 first=$2 count=$3
program=$(realpath "$build/slipstick")
allocator=$(realpath "$build/test/campaign/failing_malloc.so")
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/models" "$root/test/import/robots" "$work"
cd "$work" || exit 2
awk 'BEGIN { print "t,x"; for (k = 0; k < 50; k++) print k * 0.02, 0.1 + 0.001 * k }' > data.csv
commands=(
    "check models/flores/slider-crank.yaml"
    "derive models/song/rod-case1.yaml"
    "run models/classics/bouncing-ball.yaml --until 0.5 -f lcp --json"
    "run models/classics/bouncing-ball.yaml --until 0.1 -f auto --json"
    "run models/kikuuwe/sphere.yaml --until 0.01 --json"
    "run models/many-body/gripper.yaml --until 0.02 --json"
    "run models/spatial/tumbling-box.yaml --until 0.02 -f moreau --json"
    "compare models/xiong/friction-mass.yaml --until 0.05 --budget 50ms --json"
    "sweep models/classics/bouncing-ball.yaml --over coordinates.y.start=0.1:0.5:3 --until 0.3 --threads 1 --json"
    "cycle models/classics/walker.yaml --json"
    "equilibrium models/xiong/friction-mass.yaml --json"
    "lyapunov models/classics/pendulum-wall.yaml --settle 1 --length 5 --json"
    "optimize models/classics/bouncing-ball.yaml --minimize max(y) --after 0.5 --free coordinates.y.start --bounds coordinates.y.start=0.1:0.9 --max-runs 8 --threads 1 --until 1 --json"
    "analyze models/song/rod-case1.yaml --json"
    "design --restitution 0.5 --mass 1 --json"
    "import robots/double-pendulum.urdf"
    "list models --json"
)
found=0
timeless() { grep -vE '"(wall_seconds|cpu_seconds|peak_bytes)"' "$1"; }
allocations() { # of command k, counted once
    if [ ! -f "count.$1" ]; then
        # shellcheck disable=SC2086
        FAIL_COUNT="$work/count.$1" LD_PRELOAD=$allocator $program ${commands[$1]} > "out.$1" 2> "err.$1" < /dev/null
        echo $? > "code.$1"
    fi
    cat "count.$1"
}
for ((number = first; number < first + count; number++)); do
    k=$((number % ${#commands[@]}))
    total=$(allocations $k)
    # a walk through all of them that spreads evenly, by the golden ratio
    at=$(awk -v n=$((number / ${#commands[@]})) -v total="$total" 'BEGIN { x = n * 0.6180339887498949; x -= int(x); print 1 + int(x * total) }')
    # shellcheck disable=SC2086
    FAIL_AT=$at LD_PRELOAD=$allocator timeout -k 5 120 $program ${commands[$k]} > out 2> err < /dev/null
    code=$?
    problem=
    if [ $code -gt 2 ]; then
        problem="exit code $code"
    elif [ $code -ne "$(cat code.$k)" ] && [ ! -s err ]; then
        problem="exit code $code without a message"
    elif [ $code -eq 0 ] && [ ! -s err ] && [[ ${commands[$k]} == run* ]] && ! cmp -s <(timeless out) <(timeless "out.$k"); then
        problem="another motion without a word"
    fi
    [ -z "$problem" ] || { echo "allocation $at of $total: $problem: slipstick ${commands[$k]}"; found=1; }
done
exit $found
