#!/usr/bin/env bash
# layers.sh BUILD: includes and linker symbols of src point downwards only. The order is the list at the top of
# docs/architecture.md, one row per layer, lowest first. A file belongs to the row with the longest path that it lies
# in; every source file needs a row, and every row has files. No exceptions.
set -eu
build=$1
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sed -n '/^<!-- layers -->/,/^<!-- end -->/s/^| `\([a-z_/]*\)` |.*/\1/p' docs/architecture.md >"$work/order"
[ -s "$work/order" ] || { echo "layers: docs/architecture.md has no list of layers" >&2; exit 1; }

# from to, one line per include of a header of src, and per use of a symbol that src defines
grep -rnoE '^ *# *include "[a-z_0-9/]+\.(h|def)"' src --include='*.c' --include='*.h' --include='*.def' |
    sed -E 's|^src/([^:]*):([0-9]*):.*"(.*)"|\1 \3 src/\1:\2 includes \3|' >"$work/edges"
objects=$build/CMakeFiles/slipstick_objects.dir/src
(cd "$objects" && find . -name '*.o' | while read -r object; do
    [ ! -f "$root/src/${object%.o}" ] || echo "$object" # else it is left over from a file that was moved
done | xargs nm -A) |
    sed -n 's|^\./\(.*\)\.o:.* \([TDBRVU]\) \(slip_[A-Za-z0-9_]*\)$|\2 \3 \1|p' >"$work/symbols"
awk 'NR == FNR { if ($1 != "U") home[$2] = $3; next }
     $1 == "U" && home[$2] != "" { print $3, home[$2], "src/" $3, "uses", $2, "of", home[$2] }' \
    "$work/symbols" "$work/symbols" >>"$work/edges"
(cd src && find . -name '*.[ch]' -o -name '*.def') | sed 's|^\./||' >"$work/files"

awk -v order="$work/order" -v files="$work/files" '
     function layer(path) {
         if (path in known) return known[path]
         found = path
         while (found != "" && !(found in rank)) if (!sub(/\/[^\/]*$/, "", found)) found = ""
         return known[path] = found
     }
     BEGIN {
         while ((getline row < order) > 0) rank[row] = ++count
         while ((getline path < files) > 0) {
             if (layer(path) == "") { bad++; print "no layer: src/" path }
             used[layer(path)]++
         }
         for (row in rank) if (!used[row]) { bad++; print "no files: " row }
     }
     { seen++; from = layer($1); to = layer($2) }
     from != "" && to != "" && rank[to] > rank[from] { bad++; sub(/^[^ ]* [^ ]* /, ""); print "upward: " $0 }
     END { printf "%d layers, %d edges, %d wrong\n", count, seen, bad; exit bad > 0 || seen < 1000 }' "$work/edges"
