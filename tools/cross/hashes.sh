#!/bin/sh
# hashes.sh PROGRAM...: one line per shipped model with the hash of what PROGRAM writes for it: the trajectory, the
# events, and the verdict. PROGRAM may have several words (qemu-aarch64 build-arm64/slipstick). MODELS: which ones
# (all); UNTIL limits each run. A run that fails has "fails" and its exit code for a hash.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for model in ${MODELS:-$(cd models && find . -name '*.yaml' ! -path './*/parts/*' | sed 's|^\./||; s|\.yaml$||' | sort)}; do
    rm -rf "$work/out"
    code=0
    "$@" run "models/$model.yaml" ${UNTIL:+--until "$UNTIL"} -o "$work/out" >"$work/said" 2>&1 </dev/null || code=$?
    if [ -f "$work/out/trajectory.csv" ]; then
        hash=$({ cat "$work/out/trajectory.csv" "$work/out/events.csv"; sed -n '/^  verdict/,/^  method/p' "$work/said"; } | sha256sum | cut -c1-16)
    else
        hash=fails-$code
    fi
    printf '%s %s\n' "$hash" "$model"
done
