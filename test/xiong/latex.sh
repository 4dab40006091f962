#!/usr/bin/env bash
# latex.sh PROG: the equations of every shipped model compile as LaTeX, and none runs off the page.
set -u
prog=$1
command -v pdflatex >/dev/null || { echo "skipped: there is no pdflatex (Debian: texlive-latex-base)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

# one document of all bodies: one run of pdflatex instead of forty
count=0
for model in models/*/*.yaml; do
    case $model in */stack-of-blocks.yaml) continue ;; esac # as long as all others together, and no other way to go wrong
    "$prog" derive "$model" --latex >"$work/one.tex" || fail "derive $model"
    [ $count -gt 0 ] || sed '/\\begin{document}/q' "$work/one.tex" >"$work/all.tex"
    printf '\\typeout{MODEL %s}\n' "$model" >>"$work/all.tex"
    sed -e '1,/\\begin{document}/d' -e '/\\end{document}/d' "$work/one.tex" >>"$work/all.tex"
    count=$((count + 1))
done
[ $count -ge 40 ] || fail "only $count models"
echo '\end{document}' >>"$work/all.tex"
cd "$work" && pdflatex -interaction=nonstopmode -halt-on-error all.tex >all.out 2>&1 ||
    fail "$(grep -m1 '^MODEL' <(grep -B100000 -m1 '^!' all.out | tac)): $(grep -m1 -A5 '^!' all.out)"
awk '/^MODEL/ { model = $2 } /Overfull .hbox/ { sub(/.*\(/, ""); if ($1 + 0 > 20) { print model ": " $1 " too wide"; bad = 1 } }
     END { exit bad }' all.out || fail "equations that leave the page"
echo "all good: $count models"
