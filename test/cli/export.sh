#!/usr/bin/env bash
# slipstick export: programs of their own that have the bits of a run, and what is refused.
. "$(dirname "$0")/lib.sh"
command -v cc >/dev/null || { echo "no C compiler"; exit 77; }
compilers=$(for c in gcc clang; do command -v $c; done)
FLAGS="-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Werror"

# self_tests LEVELS MODEL OPTIONS...: exported, compiled without a warning at these levels, and the same bits
self_tests() {
    local levels=$1 compiler level
    shift
    rm -rf "$TMP/c"
    try 0 export "$@" --c "$TMP/c"; silent err
    for compiler in $compilers; do
        for level in $levels; do
            that "$* compiles by $compiler -O$level" \
                $compiler $FLAGS -O$level -DMODEL_SELF_TEST "$TMP/c/model.c" -lm -o "$TMP/c/test"
            that "$* has the bits of a run: $compiler -O$level" sh -c "'$TMP/c/test' >'$TMP/out'"
        done
    done
}

self_tests "0 1 2 3" flores/slider-crank -f dai -i rk4
self_tests "0 2" kikuuwe/two-link -f modular -i rk4-generalised
self_tests 1 xiong/friction-mass
self_tests 1 xiong/two-masses-conveyor -f dai -i rk4
self_tests 1 classics/double-pendulum-wall -f kelvin-voigt -i rk4 --fix-structure
self_tests 1 song/rod-case1 -f hunt-crossley -i rk4
self_tests 1 classics/block-on-incline -f tanh -i rk4-generalised
self_tests 1 gomez/journal-pendulum-bodies -f kelvin-voigt -i rk4 --fix-structure
that "nothing else is written" test "$(ls "$TMP/c" | grep -v '^test$' | tr '\n' ' ')" = "model.c model.h "

# no global state, and no calls but of exact functions
rm -rf "$TMP/c"
try 0 export flores/slider-crank -f dai -i rk4 --c "$TMP/c"
cc -O2 -c "$TMP/c/model.c" -o "$TMP/c/model.o"
that "no variables" sh -c "! nm '$TMP/c/model.o' | grep -v _table | grep -q ' [BbDdC] [a-z]'"
that "no calls but exact ones" sh -c "! nm -u '$TMP/c/model.o' | grep -vE ' (sqrt|floor|frexp|ldexp|memset|memcpy|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail)$' | grep -q U"
that "an error for fast-math" sh -c "! cc -ffast-math -c '$TMP/c/model.c' -o '$TMP/c/model.o' 2>/dev/null"

# parameters, step, save and restore: bits of a run with those
rm -rf "$TMP/c"
try 0 export xiong/friction-mass --name mass --c "$TMP/c"
cat >"$TMP/c/main.c" <<'C'
#include <stdio.h>
#include <string.h>
#include "mass.h"
int main(void)
{
    static mass a, b, saved;
    int k;
    mass_init(&a);
    mass_set_parameter(&a, MASS_P_F, 0.45);
    mass_set_parameter(&a, MASS_P_M, 1.25);
    mass_set_step(&a, 5e-4);
    for (k = 0; k < 1000; k++) mass_step(&a);
    memcpy(&saved, &a, sizeof a);
    mass_init(&b);
    for (k = 0; k < 17; k++) mass_step(&a), mass_step(&b);
    memcpy(&a, &saved, sizeof a);
    for (k = 0; k < 3000; k++) mass_step(&a);
    printf("%.17g %.17g %.17g\n", a.x[MASS_X_p], a.x[MASS_X_p_rate], a.x[MASS_X_friction_a]);
    return 0;
}
C
that "it compiles" cc $FLAGS -O2 "$TMP/c/mass.c" "$TMP/c/main.c" -lm -o "$TMP/c/main"
"$TMP/c/main" >"$TMP/c/states"
try 0 run xiong/friction-mass --set F=0.45 --set M=1.25 --step 0.5ms --until 2 --no-companion -o -
that "changed parameters and step give the bits of such a run" \
    test "$(tail -n 1 "$TMP/out" | awk -F, '{ printf "%.17g %.17g %.17g", $2, $3, $4 }')" = "$(cat "$TMP/c/states")"

# FMUs: 1000 random sequences of calls have the bits of an undisturbed run, which are those of slipstick
unpack() {
    rm -rf "$TMP/fmu" && mkdir "$TMP/fmu" && python3 -c "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); \
        sys.exit(1) if z.testzip() else z.extractall(sys.argv[2])" "$1" "$TMP/fmu"
}
if command -v python3 >/dev/null; then
    for version in 2 3; do
        try 0 export classics/bouncing-ball -f dai -i rk4 --name ball --fmu "$TMP/ball.fmu" --fmi $version
        that "the archive is sound" unpack "$TMP/ball.fmu"
        that "it has a page" grep -q "Verdict" "$TMP/fmu/documentation/index.html"
        that "the host compiles" cc -std=c99 -O1 -g -Wall -Wextra -fsanitize=address,undefined -fno-sanitize-recover=all \
            -DFMI_VERSION=$version -DINTERFACE="\"ball_fmi$version.c\"" -I "$TMP/fmu/sources" "$ROOT/test/cli/fmu_host.c" \
            "$TMP/fmu/sources/ball.c" -lm -o "$TMP/host"
        that "sequences of FMI $version have the bits of a run" sh -c "'$TMP/host' >'$TMP/states'"
        try 0 run classics/bouncing-ball -f dai -i rk4 --until 0.64 --no-companion -o -
        that "FMI $version has the bits of slipstick" \
            test "$(tail -n 1 "$TMP/out" | awk -F, '{ printf "%.17g %.17g %.17g", $2, $3, $4 }')" = "$(cat "$TMP/states")"
        if [ "$(uname -sm)" = "Linux x86_64" ]; then that "a binary" test -s "$TMP"/fmu/binaries/*/ball.so; fi
        schema=${FMI_SCHEMAS:-/nowhere}/fmi$version/fmi${version}ModelDescription.xsd
        if command -v xmllint >/dev/null && [ -f "$schema" ]; then
            for model in "flores/slider-crank -f dai" "xiong/friction-mass" "kikuuwe/two-link -f modular"; do
                try 0 export $model -i rk4 --fmu "$TMP/x.fmu" --fmi $version --sources-only
                that "$model unpacks" unpack "$TMP/x.fmu"
                that "$model is valid FMI $version" xmllint --noout --schema "$schema" "$TMP/fmu/modelDescription.xml"
            done
        fi
    done
fi

# what is refused, and then nothing is written
rm -rf "$TMP/c"
try 2 export xiong/friction-mass; says err "--c DIR"
try 2 export --c "$TMP/c"; says err "one model"
try 2 export xiong/friction-mass --c "$TMP/c" --name 2fast; says err "not an identifier of C"
try 2 export xiong/friction-mass --c "$TMP/c" --name double; says err "not an identifier of C"
try 2 export xiong/friction-mass --c "$TMP/c" --fix nothing; says err "no parameter 'nothing'"
try 2 export flores/slider-crank -f moreau --c "$TMP/c"; says err "solves a contact problem"
try 2 export flores/slider-crank -f dai -i sdirk4 --c "$TMP/c"; says err "chooses its steps"
try 2 export xiong/rolling-sphere -f dai -i rk4 --c "$TMP/c"; says err "decides what the model is made of"
try 2 export classics/clutch -f dai -i rk4 --c "$TMP/c"; says err "not exported yet"
that "nothing was written" test ! -e "$TMP/c"
try 2 export xiong/friction-mass --fmu "$TMP/x.fmu" --fmi 4; says err "--fmi is 2 or 3, not '4'"
for version in 2.0 3.0; do try 0 export xiong/friction-mass -i rk4 --fmu "$TMP/v.fmu" --fmi $version --sources-only; done
try 2 export flores/slider-crank -f lcp --fmu "$TMP/y.fmu"; says err "solves a contact problem"
try 2 export xiong/friction-mass --fmu "$TMP/no/where.fmu" --sources-only; says err "No such file"
that "no FMU was written" test ! -e "$TMP/y.fmu" -a ! -e "$TMP/y.fmu.binary"
try 2 export xiong/friction-mass --c "$TMP/no/where"; says err "cannot make this folder"
echo full >"$TMP/file"
try 2 export xiong/friction-mass --c "$TMP/file"; says err "cannot make this folder"
finish
