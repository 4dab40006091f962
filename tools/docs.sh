#!/usr/bin/env bash
# docs.sh BUILD: writes what the documentation shows from what the program does: pictures, reproduction pages.
set -eu
build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$root/docs/images/reproduction" "$root/docs/reproduction"

# figure PICTURE PROGRAM ARGUMENTS...: what a program of tools/figures prints
figure() {
  local picture=docs/images/$1 program=figure_$2
  shift 2
  cmake --build "$build" --target "$program" >/dev/null
  "$build/tools/figures/$program" "$@" >"$root/$picture"
  echo "$picture"
}
figure readme.svg readme "$root/models"
figure flores-10.svg flores "$root/models" 10
figure flores-11.svg flores "$root/models" 11
figure dai-restitution.svg restitution
figure laws.svg laws picture
figure gomez-load.svg gomez "$root/models"

cmake --build "$build" --target gallery >/dev/null
mkdir -p "$root/docs/images/gallery"
rm -f "$root/docs/images/gallery"/*.svg
"$build/tools/gallery/gallery" "$root" "$root"
echo "docs/gallery.md"
cmake --build "$build" --target reproduction >/dev/null
for paper in flores xiong song kikuuwe gomez; do
  rm -f "$root/docs/images/reproduction/$paper"-*.svg
  "$build/tools/reproduction/reproduction" "$root" "$root" $paper
  echo "docs/reproduction/$paper.md"
done
cmake --build "$build" --target slipstick_cli >/dev/null
"$root/tools/parts.sh" "$build/slipstick" >"$root/docs/parts.md"
echo "docs/parts.md"
map=$(mktemp -d)
trap 'rm -rf "$map"' EXIT
"$build/slipstick" analyze "$root/models/gomez/painleve-rod.yaml" --map "th=0.1:3.04:99,th'=-2.5:2.5:101" -o "$map" >/dev/null
cp "$map/map.svg" "$root/docs/images/painleve-map.svg"
echo "docs/images/painleve-map.svg"
[ ! -f "$build/generated/slipstick.1" ] || echo "$build/generated/slipstick.1"
