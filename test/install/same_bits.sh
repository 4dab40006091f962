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
                "$variant/slipstick" run "$model" --integrator $integrator -q -o "$work/out" || exit 1
                printf '%s %s ' "$(basename "$model" .yaml)" $integrator
                cat "$work/out/trajectory.csv" "$work/out/events.csv" | sha256sum | cut -c1-16
            done
        done >"$work/$compiler-$level"
        printf '%-5s -%s  %s\n' $compiler $level "$(sha256sum <"$work/$compiler-$level" | cut -c1-16)"
        [ -n "${first:-}" ] || first=$work/$compiler-$level
        if ! diff "$first" "$work/$compiler-$level"; then
            echo "FAILED: not the same as $(basename "$first")"
            status=1
        fi
    done
done
exit $status
