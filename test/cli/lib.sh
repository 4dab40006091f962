# lib.sh: what the command line tests share. A test calls `try` and then says what must be true:
#
#     try 2 run nonsense                 # exit code, then the arguments of slipstick
#     says err "did you mean"            # the text stands in stderr (out, err)
#
# $SLIPSTICK is the program, $JSON the JSON helper; each script gets an empty directory $TMP.
set -u
SLIPSTICK=$(realpath "$1")
JSON=$(realpath "$2")
[ -x "$SLIPSTICK" ] || { echo "no program at $1"; exit 1; }
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
TMP=$(mktemp -d)
trap 'rm -rf "$TMP"' EXIT
export SLIPSTICK_MODELS=$ROOT/models
FAILED=0
CHECKS=0
STICK=$ROOT/models/xiong/friction-mass.yaml
BOUNCE=$ROOT/models/xiong/bouncing-mass.yaml

fail() {
    FAILED=$((FAILED + 1))
    printf 'FAILED %s:%s: %s\n' "$(basename "${BASH_SOURCE[2]}")" "${BASH_LINENO[1]}" "$1"
    printf '  command: slipstick %s\n' "${LAST:-}"
    sed 's/^/  stdout: /' "$TMP/out" 2>/dev/null | head -n 12
    sed 's/^/  stderr: /' "$TMP/err" 2>/dev/null | head -n 12
}

# try CODE ARGUMENT...
try() {
    local want=$1 got
    shift
    LAST=$*
    "$SLIPSTICK" "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
    got=$?
    CHECKS=$((CHECKS + 1))
    [ "$got" = "$want" ] || fail "exit code $got, expected $want"
}

# says out|err TEXT: the text stands there, literally
says() {
    CHECKS=$((CHECKS + 1))
    grep -qF -- "$2" "$TMP/$1" || fail "std$1 does not say: $2"
}

silent() {
    CHECKS=$((CHECKS + 1))
    [ ! -s "$TMP/$1" ] || fail "std$1 is not empty"
}

# that "what must be true" COMMAND...
that() {
    local what=$1
    shift
    CHECKS=$((CHECKS + 1))
    "$@" || fail "not true: $what"
}

# json PATH [VALUE]: stdout is one JSON value, and holds something (that) at the path
json() {
    CHECKS=$((CHECKS + 1))
    "$JSON" "$TMP/out" "$@" || fail "JSON: $*"
}

finish() {
    printf '%d checks, %d failed\n' "$CHECKS" "$FAILED"
    [ "$FAILED" = 0 ]
    exit
}
