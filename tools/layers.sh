#!/usr/bin/env bash
# layers.sh BUILD: includes and linker symbols of src point downwards only. The order is the list at the top of
# docs/architecture.md, one line per folder, lowest first; every folder of src must be in it. No exceptions.
set -eu
build=$1
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n '/^<!-- layers -->/,/^<!-- end -->/s/^| `\([a-z]*\)` |.*/\1/p' docs/architecture.md >"$work/order"
[ -s "$work/order" ] || { echo "layers: docs/architecture.md has no list of layers" >&2; exit 1; }
ls -d src/*/ | sed 's|src/||; s|/$||' | sort >"$work/folders"
if ! sort "$work/order" | diff - "$work/folders" >"$work/diff"; then
    echo "layers: docs/architecture.md (<) and src (>) differ:"
    cat "$work/diff"
    exit 1
fi

# from to, one line per include of a header of src, and per use of a symbol that src defines
grep -rnoE '^ *# *include "[a-z_]+/[a-z_/]+\.(h|def)"' src --include='*.c' --include='*.h' --include='*.def' |
    sed -E 's|^src/([a-z_]+)/([^:]*):([0-9]*):.*"([a-z_]+)/(.*)"|\1 \4 src/\1/\2:\3 includes \4/\5|' >"$work/edges"
objects=$build/CMakeFiles/slipstick_objects.dir/src
(cd "$objects" && find . -name '*.o' | while read -r object; do
    [ ! -f "$root/src/${object%.o}" ] || echo "$object" # else it is left over from a file that was moved
done | xargs nm -A) |
    sed -n 's|^\./\(.*\)\.o:.* \([TDBRVU]\) \(slip_[A-Za-z0-9_]*\)$|\2 \3 \1|p' >"$work/symbols"
awk 'NR == FNR { if ($1 != "U") home[$2] = $3; next }
     $1 == "U" && home[$2] != "" {
         split($3, a, "/"); split(home[$2], b, "/")
         print a[1], b[1], "src/" $3, "uses", $2, "of", home[$2]
     }' "$work/symbols" "$work/symbols" >>"$work/edges"

awk 'NR == FNR { rank[$1] = ++count; next }
     ($2 in rank) && rank[$2] > rank[$1] { bad++; sub(/^[^ ]* [^ ]* /, ""); print "upward: " $0 }
     { seen++ }
     END { printf "%d layers, %d edges, %d upward\n", count, seen, bad; exit bad > 0 || seen < 1000 }' \
    "$work/order" "$work/edges"
