#!/usr/bin/env bash
# same_bits.sh BUILD: the same trajectories, bit for bit, at -O0 and -O2, from gcc and from clang. BUILD itself
# is one of the four (gcc -O2); the others are built in BUILD/variants, the program only, without a warning.
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
variants=$build/variants
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# hash PROGRAM MODEL [OPTION]...: one line with the exit code and what the run left behind; a companion leaves nothing in these files
hash() {
    local code=0
    "$1" run "${@:2}" --no-companion -q -o "$work/out" 2>/dev/null || code=$?
    printf '%s %s %s ' "$(basename "$2" .yaml)" "${4:-}" $code
    cat "$work/out/trajectory.csv" "$work/out/events.csv" | sha256sum | cut -c1-16
}

build_variant() {
    [ -f "$variant/build.ninja" ] || cmake -S "$root" -B "$variant" -G Ninja -D CMAKE_C_COMPILER=$1 \
        -D CMAKE_BUILD_TYPE=None -D CMAKE_C_FLAGS=-$2 -D SLIPSTICK_TESTS=OFF -D SLIPSTICK_HDF5=OFF >/dev/null
    cmake --build "$variant" --target slipstick_cli >"$work/log" || { cat "$work/log"; exit 1; }
    if grep -q 'warning:' "$work/log"; then
        grep -A 3 'warning:' "$work/log"
        echo "FAILED: $1 -$2 warns"
        status=1
    fi
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "no $compiler here"; exit 77; }
    for level in O0 O2; do
        variant=$variants/$compiler-$level
        if [ $compiler-$level = gcc-O2 ] && grep -q 'CMAKE_C_COMPILER:.*/\(cc\|gcc\)$' "$build/CMakeCache.txt"; then
            variant=$build
        else
            build_variant $compiler $level
        fi
        # every model as it says, and the smallest ones under another integrator
        for model in "$root"/models/*/*.yaml; do
            hash "$variant/slipstick" "$model"
        done >"$work/$compiler-$level"
        for model in friction-mass bouncing-mass; do
            hash "$variant/slipstick" "$root/models/xiong/$model.yaml" --integrator cash-karp
        done >>"$work/$compiler-$level"
        printf '%-5s -%s  %s\n' $compiler $level "$(sha256sum <"$work/$compiler-$level" | cut -c1-16)"
        [ -n "${first:-}" ] || first=$work/$compiler-$level
        if ! diff "$first" "$work/$compiler-$level"; then
            echo "FAILED: not the same as $(basename "$first")"
            status=1
        fi
    done
done
exit $status
