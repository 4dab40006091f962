#!/usr/bin/env bash
# What -o leaves behind, and what happens when it cannot.
. "$(dirname "$0")/lib.sh"

try 0 run "$BOUNCE" --until 0.6 -o "$TMP/deep/er" --json
for file in trajectory.csv events.csv summary.json; do that "$file is there" test -s "$TMP/deep/er/$file"; done
that "the header names t, coordinates, rates" grep -q "^t,p,p'" "$TMP/deep/er/trajectory.csv"
that "every row has as many cells as the header" awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$TMP/deep/er/trajectory.csv"
that "events have their header" grep -qx "t,element,kind,text" "$TMP/deep/er/events.csv"
that "the contact was seen" grep -q ",contact," "$TMP/deep/er/events.csv"
that "times increase" awk -F, 'NR > 2 && !($1 + 0 > last + 0) { exit 1 } { last = $1 }' "$TMP/deep/er/trajectory.csv"

# summary.json is what --json prints
cp "$TMP/out" "$TMP/printed"
cp "$TMP/deep/er/summary.json" "$TMP/out"
json ""; json model "<string>"; json file "<string>"; json kind mechanics; json formulation dai; json integrator rk4; json step 0.001; json steps 600; json outcome done
json warnings "<array>"; json state/p "<number>"; json "state/p'" "<number>"; json state/t 0.6; json rows 601; json recorded "<object>"; json message ""; json wall_seconds "<number>"
json peak_bytes "<number>"; json version "<string>"; json settings/parameters "<object>"; json settings/constants "<object>"; json build/compiler "<string>"; json format 1
for entry in kinetic potential work friction contact impact numerical; do json energy/$entry "<number>"; done

# docs/json.md names every member
for member in $(grep -oE '^  "[a-z_]+"' "$TMP/out" | tr -d ' "'); do
    that "$member is in docs/json.md" grep -qF "\`$member\`" "$ROOT/docs/json.md"
done

# where no directory can be
touch "$TMP/file"
try 2 run "$STICK" --until 1ms -o "$TMP/file/out"; says err "$TMP/file"
try 2 run "$STICK" --until 1ms -o "$TMP/file"; says err "$TMP/file"
try 2 run "$STICK" --until 1ms -o /proc/nowhere --json; json error/status io; says err "/proc/nowhere"
if [ "$(id -u)" != 0 ]; then
    mkdir "$TMP/locked"; chmod a-w "$TMP/locked"
    try 2 run "$STICK" --until 1ms -o "$TMP/locked/out"; says err "ermission denied"
fi

# a full disk: the run ends, says so, and is not "done"
if [ -w /dev/full ]; then
    mkdir "$TMP/full"
    ln -s /dev/full "$TMP/full/trajectory.csv"
    "$SLIPSTICK" run "$STICK" --until 2 -o "$TMP/full" >"$TMP/out" 2>"$TMP/err"
    code=$?
    that "a full disk is a non-zero exit" test $code -ne 0
    says err "trajectory.csv"
    says err "o space left"
fi

# HDF5 where it was built in, else an error that says so
if "$SLIPSTICK" --version | grep -q "HDF5 *yes"; then
    try 0 run "$STICK" --until 0.1 -q -o "$TMP/h5" --hdf5
    that "trajectory.h5 is there" test -s "$TMP/h5/trajectory.h5"
else
    try 2 run "$STICK" --until 0.1 -q -o "$TMP/h5" --hdf5; says err "HDF5"
fi
finish
