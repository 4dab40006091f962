#!/usr/bin/env bash
# replay.sh PROGRAM PAGE [--bless]: runs every command of a page in an empty directory and compares what the page shows
# with what happens today. In the page
#   <!-- ball.yaml -->   before a fenced block: the block is that file
#   ```console           lines with "$ " are commands, the lines below each its output; exit code 0 unless said so
#   ```console exit 1    the last command ends with that code
#   ```console needs X   only where `slipstick --version` has the optional part X
#   ```console varies    the commands must work, but what they print holds times and is not compared
#   ```console within 20 % but 7 8 9
#                        words must be the same and numbers agree within the band, except in these columns of a table, which hold
#                        times; which formulation is the cheapest depends on them, so of that sentence only its sense is compared
# Times that runs took are left out of the comparison. --bless writes today's output into the page: look at the diff.
set -eu
program=$(realpath "$1") page=$(realpath "$2")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$program" "$work/bin/slipstick"
ln -s "$root/models" "$work/here/models"
export PATH=$work/bin:$PATH SLIPSTICK_MODELS=$root/models
cd "$work/here"

status=0
flush() { # runs the command that is waiting and writes it with its output
    [ -n "$command" ] || return 0
    printf '$ %s\n' "$command"
    code=0
    bash -c "$command" >"$work/out" 2>&1 </dev/null || code=$?
    cat "$work/out"
    if [ "$code" != "$expected" ]; then
        echo "FAILED: exit code $code of: $command" >&2
        cat "$work/out" >&2
        touch "$work/failed"
    fi
    command=
}

# near OLD NEW BAND COLUMNS: whether two outputs agree as `within` asks; says where they do not
near() {
    awk -v band="$3" -v but=" $4 " '
        function numeric(x) { return x ~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ }
        function size(x) { return x < 0 ? -x : x }
        /is the cheapest formulation/ { $0 = "the cheapest" }
        FNR == NR { old[FNR] = $0; lines = FNR; next }
        {
            n = split(old[FNR], a); bad = n != NF
            for (k = 1; k <= NF && !bad; k++) {
                if (a[k] == $k || (index(but, " " k " ") && NF > 8)) continue
                d = size(a[k] - $k); m = size(a[k]) > size($k) ? size(a[k]) : size($k)
                bad = !(numeric(a[k]) && numeric($k) && (d <= band * m || m < 1e-12))
            }
            if (bad) { print "page: " old[FNR] "\nnow:  " $0; wrong = 1 }
        }
        END { exit wrong || FNR != lines }' "$1" "$2" >&2
}

rewrite() {
    local kind=text file='' command='' expected=0 line kept
    while IFS= read -r line; do
        case $kind:$line in
        text:'<!-- '*' -->') file=${line#<!-- } file=${file% -->}; printf '%s\n' "$line" ;;
        text:'```console'*)
            kind=console expected=0
            case $line in
            *' exit '*) wanted=${line##* exit } ;;
            *' varies') kind=varies wanted=0 ;;
            *' within '*) kind=within wanted=0 band=${line##* within } but=${line##* but }; : >"$work/old_block"; : >"$work/new_block" ;;
            *' needs '*) wanted=0; slipstick --version | grep -q "^  ${line##* needs } *yes" || kind=shown ;;
            *) wanted=0 ;;
            esac
            printf '%s\n' "$line" ;;
        text:'```'*) kind=block; [ -z "$file" ] || : >"$file"; printf '%s\n' "$line" ;;
        block:'```') kind=text file=; printf '%s\n' "$line" ;;
        block:*) [ -z "$file" ] || printf '%s\n' "$line" >>"$file"; printf '%s\n' "$line" ;;
        console:'$ '* ) flush; command=${line#??} ;;
        console:'```') expected=$wanted; flush; expected=0; kind=text; printf '%s\n' "$line" ;;
        console:*) ;; # what the page showed before
        varies:'$ '*) kept=$line; command=${line#??}; flush >"$work/varies"; printf '%s\n' "$kept" ;;
        within:'$ '*) command=${line#??}; printf '%s\n' "$line" >>"$work/old_block"; flush >>"$work/new_block" ;;
        within:'```')
            if [ -z "$bless" ] && near "$work/old_block" "$work/new_block" "$(awk "BEGIN { print ${band%% *} / 100 }")" "$but"; then
                cat "$work/old_block"
            else
                cat "$work/new_block"
            fi
            kind=text; printf '%s\n' "$line" ;;
        within:*) printf '%s\n' "$line" >>"$work/old_block" ;;
        varies:'```' | shown:'```') kind=text; printf '%s\n' "$line" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
}

# how long something took, and how much memory
same() { sed -E 's/ in [0-9.e+-]+ (us|ms|s|min)$/ in TIME/; s/[0-9.]+ (us|ms) wall/TIME wall/'; }

bless=${3:-}
rewrite <"$page" >"$work/page"
[ ! -e "$work/failed" ] || status=1
if [ "${3:-}" = --bless ]; then
    cp "$work/page" "$page"
else
    same <"$page" >"$work/old"
    same <"$work/page" >"$work/new"
    diff "$work/old" "$work/new" || { echo "FAILED: $2 shows something else; test/docs/replay.sh PROGRAM $2 --bless writes it anew"; status=1; }
fi
exit $status
