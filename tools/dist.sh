#!/bin/sh
# dist.sh DIRECTORY: the source of the last commit as DIRECTORY/slipstick-VERSION.tar.gz. It builds without git; the same
# commit gives the same bytes.
set -eu
out=$1
root=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^project(slipstick VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
name=slipstick-$version
mkdir -p "$out"
git -C "$root" archive --format=tar --prefix="$name/" HEAD | gzip -n9 >"$out/$name.tar.gz.part"
mv "$out/$name.tar.gz.part" "$out/$name.tar.gz"
printf '%s\n' "$out/$name.tar.gz"
