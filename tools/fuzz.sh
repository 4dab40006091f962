#!/usr/bin/env bash
# fuzz.sh BUILD [NAME]...: runs the fuzz programs of a build, each FUZZ_SECONDS (600), from their seeds.
# What is learned is kept in BUILD/fuzz/<name>.corpus; a crash leaves its input in BUILD/fuzz/<name>.crash-*.
set -eu
build=$1
shift
[ $# -gt 0 ] || set -- $(cd "$build/fuzz" && ls -- *.seeds | sed 's/\.seeds$//')
for name in "$@"; do
    corpus=$build/fuzz/$name.corpus
    mkdir -p "$corpus"
    mapfile -t seeds < "$build/fuzz/$name.seeds"
    echo "fuzz $name: ${FUZZ_SECONDS:=600} s"
    "$build/fuzz/fuzz_$name" -max_total_time="$FUZZ_SECONDS" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
        -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/fuzz/$name." "$corpus" "${seeds[@]}"
done
