#!/usr/bin/env bash
# plain.sh PROGRAM [REFERENCE]: a program without optional parts says so where one is asked for, and runs as the full one does.
. "$(dirname "$0")/lib.sh" "$1" "$1"

try 0 --version; says out "HDF5         no"; says out "page         no"
try 0 run "$BOUNCE" -o "$TMP/rows"
that "a run writes its rows" test "$(wc -l <"$TMP/rows/trajectory.csv")" -gt 10
try 2 run "$BOUNCE" -o "$TMP/h5" --hdf5; says err "HDF5"
try 2 run "$BOUNCE" --report "$TMP/report.html"; says err "without the page of reports"
that "no page is left behind" test ! -e "$TMP/report.html"
if [ $# -gt 1 ]; then
    "$(realpath "$2")" run "$BOUNCE" -q -o "$TMP/full"
    that "the same bytes as with every part" cmp -s "$TMP/rows/trajectory.csv" "$TMP/full/trajectory.csv"
fi
finish
