#!/bin/sh
# abi.sh check|strict|record: compares the binary interface of libslipstick, functions and the types they take, with the recorded one
# (libslipstick.abi beside this file), or records it. Needs abigail-tools and takes seconds; without them it ends with 77.
#
# What a program compiled against the recorded interface relies on must not change while the soname stays: a changed struct or
# signature, or a function that is gone, is a failure. New functions are not. While there is no tag of this version, `check` only
# reports changes, since nobody has compiled against it yet; `strict`, as `make release` calls it, fails.
set -eu
mode=${1:?usage: abi.sh check|strict|record}
cd "$(dirname "$0")/../.."
recorded=tools/abi/libslipstick.abi
command -v abidw >/dev/null && command -v abidiff >/dev/null || { echo 'abi: no abidw here (Debian: abigail-tools)'; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo 'abi: recorded on x86-64, this is another machine'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A library that has the functions of the public headers, and nothing in them: so what lies behind a pointer to a struct that
# the headers only name is no part of the interface. Every declaration becomes a definition.
for header in include/slipstick/*.h; do printf '#include "slipstick/%s"\n' "$(basename "$header")"; done >"$work/all.c"
cc -E -P -Iinclude "$work/all.c" >"$work/declared"
awk 'BEGIN { RS = ";" }
    { gsub(/[ \t\n]+/, " "); gsub(/ ?__attribute__ ?\(\(.*\)\)/, ""); sub(/^ /, "") }
    /^[A-Za-z_][A-Za-z0-9_ *]*[ *]slip_[A-Za-z0-9_]+\([^{}]*\)$/ && !/^(typedef|static|return)/ { print $0 " { __builtin_trap(); }" }' \
    "$work/declared" >"$work/functions"
soname=libslipstick.so.$(sed -n 's/^project(slipstick VERSION \([0-9]*\.[0-9]*\).*/\1/p' CMakeLists.txt)
cat "$work/all.c" "$work/functions" >"$work/stub.c"
cc -std=c17 -w -g -O0 -fPIC -shared -Iinclude "-Wl,-soname,$soname" "$work/stub.c" -o "$work/libslipstick.so"

if [ "$mode" = record ]; then
    abidw --no-show-locs --no-corpus-path --no-comp-dir-path --no-elf-needed --out-file "$recorded" "$work/libslipstick.so"
    sed -i 's/ path=.[^ ]*stub\.c.//' "$recorded"
    echo "abi: recorded $(grep -c '<elf-symbol ' "$recorded") functions in $recorded"
    exit 0
fi
code=0
abidiff --no-added-syms --no-show-locs "$recorded" "$work/libslipstick.so" >"$work/changes" 2>&1 || code=$?
if [ $code = 0 ]; then
    echo "abi: the $(grep -c '<elf-symbol ' "$recorded") functions that are recorded are as they were"
    exit 0
fi
cat "$work/changes"
version=$(sed -n 's/^project(slipstick VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
if [ "$mode" = check ] && git rev-parse -q --verify HEAD >/dev/null 2>&1 && ! git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then
    echo "abi: $version is not released: make abi-record before it is"
    exit 0
fi
echo "abi: programs compiled before would break: give the library another soname (the version in CMakeLists.txt), then make abi-record"
exit 1
