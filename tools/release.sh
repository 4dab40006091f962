#!/bin/sh
# release.sh DIRECTORY: everything that people can take, of the last commit, in DIRECTORY: the source, the static program,
# the Debian packages, the Python wheel, the npm package, a list of what is in them (SPDX), and the checksums of all.
# The same commit gives the same bytes: times are those of the commit, and archives are sorted.
set -eu
out=${1:?usage: release.sh DIRECTORY}
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
version=$(sed -n 's/^project(slipstick VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf 'release: %s\n' "$*" >&2; }
quietly() { "$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }; }

# pack ARCHIVE FOLDER: a folder of $work as a tarball that depends on its contents alone
pack() {
    find "$work/$2" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w --format=ustar -cf - "$2" | gzip -n9 >"$out/$1"
}

say "source"
tools/dist.sh "$out" >/dev/null

say "static program"
quietly tools/cross/build.sh static
mkdir -p "$work/slipstick-$version-x86_64-linux/share/slipstick" "$work/slipstick-$version-x86_64-linux/bin"
strip -o "$work/slipstick-$version-x86_64-linux/bin/slipstick" build-static/slipstick
cp -r models "$work/slipstick-$version-x86_64-linux/share/slipstick/models"
cp LICENSE README.md "$work/slipstick-$version-x86_64-linux"
pack "slipstick-$version-x86_64-linux.tar.gz" "slipstick-$version-x86_64-linux"

say "npm package"
quietly tools/cross/build.sh wasm
mkdir -p "$work/package"
cp npm/package.json npm/*.mjs npm/*.d.ts npm/README.md LICENSE build-wasm/slipstick.wasm "$work/package"
sed -i "s/\"version\": *\"[^\"]*\"/\"version\": \"$version\"/" "$work/package/package.json"
pack "slipstick-$version.tgz" package

say "Python wheel"
quietly tools/release_wheel.sh "$out"

say "Debian packages"
quietly tools/deb.sh "$work/deb"
cp "$work"/deb/*.deb "$out"

say "list of contents and checksums"
python3 tools/sbom.py "$version" "$SOURCE_DATE_EPOCH" "$out" >"$out/slipstick-$version.spdx.json"
(cd "$out" && sha256sum -- * >SHA256SUMS.part && mv SHA256SUMS.part SHA256SUMS)
ls -1 "$out"
