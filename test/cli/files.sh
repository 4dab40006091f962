#!/usr/bin/env bash
# What -o leaves behind, and what happens when it cannot.
. "$(dirname "$0")/lib.sh"

try 0 run "$BOUNCE" --until 0.6 -o "$TMP/deep/er" --json
for file in trajectory.csv events.csv summary.json; do that "$file is there" test -s "$TMP/deep/er/$file"; done
that "the header names t, coordinates, rates" grep -q "^t,p,p'" "$TMP/deep/er/trajectory.csv"
that "every row has as many cells as the header" awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$TMP/deep/er/trajectory.csv"
that "events have their header" grep -q "^t,element,kind,text,approach," "$TMP/deep/er/events.csv"
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

# files without an end are refused with their limit
for command in "check /dev/zero" "import /dev/zero" "solve /dev/zero" "run $STICK --resume /dev/zero" "plot /dev/zero" "decode /dev/zero --rate 1kHz"; do
    try 2 $command
    that "$command says how much is too much" grep -qE "larger than [0-9]+ MiB|more than [0-9]+ characters|too large" "$TMP/err"
done

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

# a full standard output is called by its name, also when it was full long ago
if [ -w /dev/full ]; then
    for command in "compare $STICK --until 0.1" "analyze $STICK" "run $STICK --until 0.1"; do
        LAST=$command
        "$SLIPSTICK" $command >/dev/full 2>"$TMP/err"
        says err "o space left"
    done
fi

# bytes behind the end of a saved state
"$SLIPSTICK" run "$STICK" --until 0.1 --pause 0.05 --save "$TMP/state" -q
try 0 run "$STICK" --until 0.1 --resume "$TMP/state" -q
cp "$TMP/state" "$TMP/longer"; echo "x" >>"$TMP/longer"
try 2 run "$STICK" --until 0.1 --resume "$TMP/longer" -q; says err "does not end behind its checksum"
cp "$TMP/state" "$TMP/zero"; printf '\0x' >>"$TMP/zero"
try 2 run "$STICK" --until 0.1 --resume "$TMP/zero" -q; says err "zero byte"

# names reach a terminal without what commands it
try 0 run "$STICK" --until 1ms -o "$TMP/a"$'\033[31m'; says out "files"
that "no escape in stdout" test -z "$(grep -l $'\033\[31m' "$TMP/out")"

# no output replaces an input, however it is spelled
cp "$STICK" "$TMP/m.yaml"; cp "$STICK" "$TMP/keep.yaml"
printf 't,x\n0.1,1\n0.2,2\n' >"$TMP/data.csv"; cp "$TMP/data.csv" "$TMP/keep.csv"
ln -s m.yaml "$TMP/link.yaml"
printf '0,0\n1,0\n1,1\n' >"$TMP/levels.csv"; cp "$TMP/levels.csv" "$TMP/keep-levels.csv"
spared() { says err "would overwrite the input"; says err "$1"; }
try 2 fit "$TMP/m.yaml" "$TMP/data.csv" --free F -o "$TMP/data.csv"; spared data.csv
try 2 fit "$TMP/m.yaml" "$TMP/data.csv" --free F -o "$TMP/m.yaml"; spared m.yaml
try 2 fit "$TMP/keep.yaml" "$TMP/data.csv" --free F --against "$TMP/m.yaml" --report "$TMP/./m.yaml"; spared m.yaml
try 2 encoder "$TMP/levels.csv" --rate 1kHz -o "$TMP/levels.csv"; spared levels.csv
try 2 run "$TMP/m.yaml" --report "$TMP/m.yaml"; spared m.yaml
try 2 run "$TMP/m.yaml" --report "$TMP/link.yaml" --json; json error/text

# nor a file that the model names: included, table, recording
cat >"$TMP/names.yaml" <<'EOF'
slipstick: 1
name: Ball
include: part.yaml
coordinates: {y: {start: 1 m}}
tables: {tb: {file: tab.csv, columns: [1, 2]}}
inputs: {push: {file: rec/trajectory.csv, column: y}}
energy: {kinetic: 0.5*y'^2, potential: g*y}
forces: {y: tb(t) + push}
run: {until: 1 ms, step: 1 ms}
EOF
mkdir "$TMP/rec"; echo 'parameters: {g: 9.81}' >"$TMP/part.yaml"; printf '0 1\n1 1\n' >"$TMP/tab.csv"; printf 't,y\n0,0\n1,1\n' >"$TMP/rec/trajectory.csv"
sums=$(cat "$TMP"/part.yaml "$TMP"/tab.csv "$TMP"/rec/* | cksum)
try 2 run "$TMP/names.yaml" --report "$TMP/part.yaml"; spared part.yaml
try 2 run "$TMP/names.yaml" --save "$TMP/tab.csv"; spared tab.csv
try 2 run "$TMP/names.yaml" -o "$TMP/rec"; spared trajectory.csv
try 2 sweep "$TMP/names.yaml" --over g=9:10:2 --picture "$TMP/rec/../part.yaml"
try 2 compare "$TMP/names.yaml" --report "$TMP/tab.csv"; spared tab.csv
that "they are as they were" test "$sums" = "$(cat "$TMP"/part.yaml "$TMP"/tab.csv "$TMP"/rec/* | cksum)"

# a model reads from its own folder, the shipped models and --allow
mkdir "$TMP/own"; sed 's/part.yaml/..\/part.yaml/; /tables/d; /inputs/d; s/tb(t) + push/1/' "$TMP/names.yaml" >"$TMP/own/m.yaml"
try 2 check "$TMP/own/m.yaml"; says err "outside of the folders"
try 0 check "$TMP/own/m.yaml" --allow "$TMP"
try 0 run "$TMP/own/m.yaml" --allow /nowhere --allow "$TMP" -q
printf 'slipstick: 1\nname: shipped\ninclude: %s/models/classics/servo-windup.yaml\n' "$ROOT" >"$TMP/own/shipped.yaml"
try 0 check "$TMP/own/shipped.yaml"
printf "slipstick: 1\nname: x\ncoordinates: {y: 1}\nmass: {y: 1}\nforces: {y: f}\ninputs: {f: {file: /etc/passwd, time: 3, column: 4}}\n" >"$TMP/own/etc.yaml"
try 2 check "$TMP/own/etc.yaml"; says err "outside of the folders"
that "nothing of it is shown" test -z "$(grep root: "$TMP/err")"
mkdir "$TMP/in"; cp "$STICK" "$TMP/in/events.csv"
try 2 run "$TMP/in/events.csv" -o "$TMP/in"; spared events.csv
try 2 compare "$TMP/m.yaml" --report "$TMP/m.yaml"; spared m.yaml
try 2 run "$TMP/m.yaml" --save "$TMP/m.yaml"; spared m.yaml
cp "$STICK" "$TMP/m.svg"
try 2 sweep "$TMP/m.svg" --over F=1:2:2 --picture "$TMP/m.svg"; spared m.svg
that "a picture too" cmp -s "$TMP/m.svg" "$TMP/keep.yaml"
that "they are as they were" cmp -s "$TMP/m.yaml" "$TMP/keep.yaml"
that "data too" cmp -s "$TMP/data.csv" "$TMP/keep.csv"
that "and levels" cmp -s "$TMP/levels.csv" "$TMP/keep-levels.csv"

# a link stays a link, a device a device; no part of a file is left over
ln -s real.csv "$TMP/linked.csv"; echo old >"$TMP/real.csv"
try 0 encoder "$TMP/levels.csv" --rate 1kHz -o "$TMP/linked.csv"
that "the link" test -L "$TMP/linked.csv"
that "its target is new" grep -q theta "$TMP/real.csv"
try 0 encoder "$TMP/levels.csv" --rate 1kHz -o /dev/null; that "the device" test -c /dev/null
if [ -w /dev/full ]; then try 2 encoder "$TMP/levels.csv" --rate 1kHz -o /dev/full; says err "o space left"; fi
(ulimit -f 64; exec "$SLIPSTICK" run "$STICK" --until 5 --step 1ms -o "$TMP/small" -q) >"$TMP/out" 2>"$TMP/err"
that "a limit on file size is exit 1" test $? = 1
says err "trajectory.csv"
that "nothing half-written is left" test -z "$(find "$TMP" -name '*.part')"

# HDF5 where it was built in, else an error that says so
if "$SLIPSTICK" --version | grep -q "HDF5 *yes"; then
    try 0 run "$STICK" --until 0.1 -q -o "$TMP/h5" --hdf5
    that "trajectory.h5 is there" test -s "$TMP/h5/trajectory.h5"
else
    try 2 run "$STICK" --until 0.1 -q -o "$TMP/h5" --hdf5; says err "HDF5"
fi
finish
