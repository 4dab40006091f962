#!/bin/sh
# same_bits.sh [short]: runs the shipped models, and sweeps, cycles, fits and other studies (studies.sh) on every target that is built, and compares the
# hashes of all they write with those of build/slipstick. `short`: a few models that call on most of the library, one
# step in two hundred. Ends with a failure when a hash differs. Targets that are out of date, or cannot be run here, are named.
set -eu
cd "$(dirname "$0")/../.."
short=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$short" = short ]; then
    MODELS="flores/slider-crank classics/stack classics/bar-on-a-stop xiong/friction-mass gomez/particle-between-planes" UNTIL=0.02
    export MODELS UNTIL
fi
native=${SLIPSTICK:-build/slipstick}

# all PROGRAM...: the hashes of models and studies
all() {
    tools/cross/hashes.sh "$@"
    [ "$short" = short ] || tools/cross/studies.sh "$work/swing.csv" "$@"
}

# compare NAME FILE PROGRAM...: FILE is what was built
compare() {
    name=$1 file=$2
    shift 2
    [ -f "$file" ] || return 0
    if [ -n "$(find src cli include -type f -newer "$file" -name '*.[ch]' -print -quit)" ]; then
        printf '%-10s is older than the sources: make %s\n' "$name" "$name"
        return
    fi
    if ! "$@" --version >/dev/null 2>&1; then
        printf '%-10s cannot be run here\n' "$name"
        return
    fi
    all "$@" >"$work/$name"
    if diff "$work/native" "$work/$name" >"$work/differences"; then
        printf '%-10s %s hashes, all equal\n' "$name" "$(wc -l <"$work/$name")"
    else
        printf '%-10s differs:\n' "$name"
        cat "$work/differences"
        bad=1
    fi
    ran=$((ran + 1))
}

bad=0 ran=0
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
"$native" run gomez/journal-pendulum -q -o "$work/swing"
sed -n '1p; 0~20p' "$work/swing/trajectory.csv" | cut -d, -f1,4 >"$work/swing.csv" # t and th, to be fitted
all "$native" >"$work/native"
printf '%-10s %s hashes\n' native "$(wc -l <"$work/native")"
compare static build-static/slipstick build-static/slipstick
compare arm64 build-arm64/slipstick qemu-aarch64 build-arm64/slipstick
compare wasm build-wasm/slipstick.wasm node tools/cross/wasi.mjs build-wasm/slipstick.wasm
compare windows build-windows/slipstick.exe env WINEDEBUG=-all "$wine" build-windows/slipstick.exe
[ $ran -gt 0 ] || echo 'same_bits: no other target is built; make static, arm64, wasm or windows builds one'
exit $bad
