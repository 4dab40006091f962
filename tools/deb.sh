#!/bin/sh
# deb.sh DIRECTORY [TARBALL]: Debian packages of the last commit, or of a source tarball, in DIRECTORY. Ends with a failure when lintian
# finds an error or a warning in them.
set -eu
out=$1
root=$(cd "$(dirname "$0")/.." && pwd)
version=$(sed -n 's/^project(slipstick VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
rm -rf "$out"
mkdir -p "$out"
tarball=${2:-}
[ -n "$tarball" ] || tarball=$("$root/tools/dist.sh" "$out")
tar -xzf "$tarball" -C "$out"
cd "$out/slipstick-$version"
dpkg-buildpackage --no-sign --build=binary >"../build.log" 2>&1 || { tail -n 30 ../build.log >&2; exit 1; }
cd ..
lintian --fail-on error,warning --tag-display-limit 0 ./*.changes
ls -1 "$PWD"/*.deb
