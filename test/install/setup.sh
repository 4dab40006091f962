#!/usr/bin/env bash
# tools/setup.sh: silent and quick when nothing is missing, helpful when it cannot act.
set -u
setup=$(cd "$(dirname "$0")/../.." && pwd)/tools/setup.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

sh -n "$setup" || fail "syntax"
SLIPSTICK_SETUP=no "$setup" all || fail "SLIPSTICK_SETUP=no"
"$setup" nonsense 2>"$work/err" && fail "an unknown set is an error"
grep -q "unknown set 'nonsense'" "$work/err" || fail "names the unknown set"

if command -v dpkg-query >/dev/null; then
    # what built this is here, so nothing is missing
    out=$(SLIPSTICK_SETUP=check "$setup" build test 2>&1) || fail "says something is missing: $out"
    [ -z "$out" ] || fail "not silent: $out"
    start=$(date +%s%N)
    SLIPSTICK_SETUP=check "$setup" build test
    [ $((($(date +%s%N) - start) / 1000000)) -lt 1000 ] || fail "slow"
fi

# a system without apt and without the packages: names, and a non-zero exit
mkdir "$work/bin"
for tool in sh cat sed id env printf; do ln -s "$(command -v $tool)" "$work/bin/$tool" 2>/dev/null; done
PATH=$work/bin "$work/bin/sh" "$setup" build >"$work/out" 2>"$work/err" && fail "nothing is there, and it says so with exit 0"
for word in missing: cmake pacman dnf brew; do grep -q "$word" "$work/err" || fail "does not say $word"; done
echo "all good"
