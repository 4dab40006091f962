#!/usr/bin/env bash
# same_bits.sh BUILD: the same trajectory, bit for bit, at -O0 and -O2, from gcc and from clang. The variants
# are built in BUILD/variants, the program only, and kept, so a second run costs little. None may warn.
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
variants=$build/variants
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "no $compiler here"; exit 77; }
    for level in O0 O2; do
        variant=$variants/$compiler-$level
        [ -f "$variant/build.ninja" ] || cmake -S "$root" -B "$variant" -G Ninja -D CMAKE_C_COMPILER=$compiler \
            -D CMAKE_BUILD_TYPE=None -D CMAKE_C_FLAGS=-$level -D SLIPSTICK_TESTS=OFF -D SLIPSTICK_HDF5=OFF >/dev/null
        cmake --build "$variant" --target slipstick_cli >"$work/log" || { cat "$work/log"; exit 1; }
        if grep -q 'warning:' "$work/log"; then
            cat "$work/log"
            echo "FAILED: $compiler -$level warns"
            status=1
        fi
        for model in "$root"/models/xiong/*.yaml; do
            for integrator in rk4 cash-karp; do
                out=$work/$compiler-$level
                "$variant/slipstick" run "$model" --integrator $integrator -q -o "$out" || echo "(exit $? for $model)"
                cat "$out/trajectory.csv" "$out/events.csv" >>"$work/$compiler-$level.all"
            done
        done
        sum=$(sha256sum "$work/$compiler-$level.all" | cut -c1-64)
        printf '%-5s -%s  %s\n' $compiler $level "$sum"
        [ "${first:=$sum}" = "$sum" ] || status=1
    done
done
[ $status = 0 ] || echo "FAILED: the trajectories differ, or a compiler warns"
exit $status
