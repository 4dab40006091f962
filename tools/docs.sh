#!/usr/bin/env bash
# docs.sh BUILD: writes what the documentation shows from what the program does: pictures, reproduction pages.
set -eu
build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$root/docs/images/reproduction" "$root/docs/reproduction"
cmake --build "$build" --target figure_readme >/dev/null
"$build/tools/figures/figure_readme" "$root/models" >"$root/docs/images/readme.svg"
echo "docs/images/readme.svg"
cmake --build "$build" --target figure_flores >/dev/null
for figure in 10 11; do
  "$build/tools/figures/figure_flores" "$root/models" $figure >"$root/docs/images/flores-$figure.svg"
  echo "docs/images/flores-$figure.svg"
done
cmake --build "$build" --target figure_restitution >/dev/null
"$build/tools/figures/figure_restitution" >"$root/docs/images/dai-restitution.svg"
echo "docs/images/dai-restitution.svg"
cmake --build "$build" --target figure_laws >/dev/null
"$build/tools/figures/figure_laws" picture >"$root/docs/images/laws.svg"
echo "docs/images/laws.svg"
cmake --build "$build" --target figure_gomez >/dev/null
"$build/tools/figures/figure_gomez" "$root/models" >"$root/docs/images/gomez-load.svg"
echo "docs/images/gomez-load.svg"
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
