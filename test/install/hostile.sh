#!/usr/bin/env bash
# hostile.sh HOSTILE PROGRAM...: a program (and what runs it, qemu say) where the system refuses something: the same bits, or a sentence and an
# exit code, and never a crash. REFUSALS: which to try (no-exec no-threads read-only stack). 77 where nothing can be refused.
set -u
hostile=$1
shift
program=("$@")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export SLIPSTICK_MODELS=$root/models
say() { printf '%s\n' "$*"; }
die() { say "FAILED: $*" >&2; cat said >&2; exit 1; }

"$hostile" no-threads -- true || exit 77

# hash REFUSAL...: what a run writes there
hash() {
    rm -rf out
    "$hostile" "$@" -- "${program[@]}" run classics/stack --until 0.05 -q -o out >said 2>&1 || die "$*: exit code $?"
    cat out/trajectory.csv out/events.csv | sha256sum | cut -c1-16
}

# sweep REFUSAL...: the same for a sweep on two threads
sweep() {
    rm -rf swept
    "$hostile" "$@" -- "${program[@]}" sweep classics/belt --over F_s=0.7:1.2:4 --until 0.2 --threads 2 -q -o swept >said 2>&1 || die "$*: exit code $?"
    sha256sum <swept/runs.csv | cut -c1-16
}

grid=$(sweep stack=8192) && [ -n "$grid" ] || exit 1
free=$("${program[@]}" run classics/stack --until 0.05 -q -o out >said 2>&1 && cat out/trajectory.csv out/events.csv | sha256sum | cut -c1-16) || die "a run"
for refusal in ${REFUSALS:-no-exec no-threads read-only stack}; do
    case $refusal in
    no-exec)
        "$hostile" no-exec -- "${program[@]}" --version >said 2>&1 || die "--version without executable memory"
        grep -q '^ *machine_code *no ' said || die "--version does not say that formulas are interpreted"
        [ "$(hash no-exec)" = "$free" ] || die "other bits without executable memory"
        ;;
    no-threads)
        [ "$(hash no-threads)" = "$free" ] || die "other bits without threads"
        [ "$(sweep no-threads)" = "$grid" ] || die "a sweep without threads"
        ;;
    read-only)
        code=0
        rm -rf out
        "$hostile" read-only -- "${program[@]}" run classics/stack --until 0.05 -q -o out >said 2>&1 || code=$?
        [ $code = 2 ] && grep -q 'Read-only file system' said || die "writing to a read-only disk: exit code $code"
        "$hostile" read-only -- "${program[@]}" run classics/stack --until 0.05 --json >said 2>&1 || die "a run that writes nothing, on a read-only disk: $?"
        grep -q '"outcome": *"done"' said || die "a run that writes nothing, on a read-only disk"
        ;;
    stack)
        [ "$(hash stack=192)" = "$free" ] || die "other bits with a stack of 192 KiB"
        [ "$(sweep stack=192)" = "$grid" ] || die "a sweep with a stack of 192 KiB"
        ;;
    esac
    say "- $refusal"
done
say "all good"
