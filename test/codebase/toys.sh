#!/usr/bin/env bash
# toys.sh BUILD: a toy part of each kind, added as docs/architecture.md says, one file and one line, and run.
# Lists stand in a copy; what includes a list is compiled anew and linked before the library of BUILD.
set -eu
build=$(realpath "$1") root=$PWD cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/registry" "$work/symbolic/graph" "$work/cli" "$work/o"
add() { # list line
    cp "$1" "$work/$2"
    printf '%s\n' "$3" >> "$work/$2"
}
add src/registry/formulations.def registry/formulations.def 'PART(toy, "toy")'
add src/registry/integrators.def registry/integrators.def 'PART(toy, "toy")'
add src/registry/solvers.def registry/solvers.def 'PART(toy, "toy")'
add src/registry/friction_laws.def registry/friction_laws.def 'PART(toy, "toy")'
add src/registry/impact_laws.def registry/impact_laws.def 'PART(toy, "toy")'
add src/registry/damping_laws.def registry/damping_laws.def 'PART(toy, "toy")'
add src/registry/joints.def registry/joints.def 'PART(toy, "toy")'
add src/registry/shapes.def registry/shapes.def 'PART(toy, "toy")'
add src/registry/pairs.def registry/pairs.def 'PART(toy_on_toy, "toy on toy")'
add src/symbolic/graph/functions.def symbolic/graph/functions.def 'FUNCTION(TOY, toy)'
add cli/commands.def cli/commands.def 'COMMAND(toy)'
# the example of the page, as printed there
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' docs/architecture.md > "$work/symbolic/graph/cube.c"
printf '%s\n' 'FUNCTION(CUBE, cube)' >> "$work/symbolic/graph/functions.def"
cp cli/*.h "$work/cli" # beside the list: a header looks there first

flags=(-std=c17 -O1 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -I"$work" -I"$work/cli" -Iinclude -Isrc -Icli
    -I"$build/generated")
compile() { "$cc" "${flags[@]}" -c "$1" -o "$work/o/$(echo "$1" | tr / _).o"; }
lists='"(registry|symbolic/graph)/[a-z_]*\.def"'
for file in $(grep -lE "$lists" -r src --include='*.c') $(find test/codebase/toys -name '*.c'); do compile "$file"; done
compile "$work/symbolic/graph/cube.c"
for file in cli/*.c cli/platform/*.c; do cp "$file" "$work/cli"; compile "$work/cli/$(basename "$file")"; done
libraries=$(ninja -C "$build" -t commands slipstick_cli | tail -n 1 | sed 's/.*libslipstick\.a//; s/&&.*//')
"$cc" -o "$work/slipstick" "$work"/o/*.o "$build/libslipstick.a" $libraries -lpthread

status=0
try() { # text, arguments: the output has the text
    local text=$1
    shift
    "$work/slipstick" "$@" > "$work/out" 2>&1 || { echo "FAILED: slipstick $*"; head -5 "$work/out"; status=1; }
    grep -q -- "$text" "$work/out" || { echo "FAILED: slipstick $*: no '$text' in"; head -5 "$work/out"; status=1; }
}
for kind in formulations integrators solvers laws impacts dampings joints shapes functions commands; do try '^ *toy' list $kind; done
try 'frictions\.\*\.law\.toy\.width' list keys
try 'toy\.gain' solve --options
try 'converged' solve test/problems/lcp_trivial.nsp --solver toy --set toy.gain=0.5
try 'a toy speaks' toy
try ' toy ' --help
try '"formulation": *"toy"' run test/codebase/toys/block.yaml --json -o "$work/result"
sed 's/^energy.*/mass: {x: 1}\nenergy: {potential: cube(x)}/' test/codebase/toys/spring.yaml > "$work/cube.yaml"
try 'h_x = -3\*x^2' derive "$work/cube.yaml"
# ends MODEL COLUMN VALUE: the last row of a run has the value
ends() {
    local end
    "$work/slipstick" run "test/codebase/toys/$1.yaml" --no-companion -q -o "$work/$1" || { echo "FAILED: $1"; status=1; }
    end=$(awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } END { print $at }' "$work/$1/trajectory.csv")
    awk -v x="$end" -v y="$3" 'BEGIN { d = x - y; exit !(d < 1e-6 && d > -1e-6) }' || { echo "FAILED: $2 of $1 is $end at the end, expected $3"; status=1; }
}
ends spring x 0.540302306  # cos(1)
ends fall fallen 4.905
ends fall height -4.905
ends rest low 0.5
ends rest high 1.5
# Euler's method with a constant force is exact in the velocity: 2 - 1*1
rate=$(tail -n 1 "$work/result/trajectory.csv" | cut -d, -f3)
awk -v v="$rate" 'BEGIN { exit !(v > 0.9999999 && v < 1.0000001) }' || { echo "FAILED: rate $rate at the end, expected 1"; status=1; }
[ $status = 0 ] && echo "all good"
exit $status
