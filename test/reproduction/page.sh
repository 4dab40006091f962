#!/usr/bin/env bash
# page.sh PROGRAM PAPER: writes the page and the pictures of a paper elsewhere and compares them with those in docs.
set -eu
program=$1 paper=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/docs/reproduction" "$work/docs/images/reproduction"
"$program" . "$work" "$paper"
diff "$work/docs/reproduction/$paper.md" "docs/reproduction/$paper.md"
for picture in "$work"/docs/images/reproduction/*.svg docs/images/reproduction/"$paper"-*.svg; do
    [ -e "$picture" ] || continue
    name=$(basename "$picture")
    cmp "$work/docs/images/reproduction/$name" "docs/images/reproduction/$name"
done
