#!/bin/sh
# release.sh FOLDER [WORK]: what people can take, of the last commit: source, programs of one file, Debian packages, a Python wheel, an
# npm package, the licences of what is inside, an SBOM (SPDX 2.3) and SHA-256 sums. All of it is built below WORK from the source
# tarball itself. The same commit gives the same bytes, wherever it is built: times are those of the commit (SOURCE_DATE_EPOCH).
#
# It takes the compilers of `make static arm64 wasm windows deb`. PARTS: which to make (all).
set -eu
out=${1:?usage: release.sh FOLDER [WORK]}
root=$(cd "$(dirname "$0")/../.." && pwd)
parts=${PARTS:-static arm64 windows npm wheel deb}
rm -rf "$out"
mkdir -p "$out" "${2:-$root/build-release}"
out=$(cd "$out" && pwd)
work=$(cd "${2:-$root/build-release}" && pwd)
version=$(sed -n 's/^project(slipstick VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C SLIPSTICK_SOURCES="${SLIPSTICK_SOURCES:-$root/build-sources}"
umask 022
say() { printf 'release: %s\n' "$*" >&2; }
quietly() { "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }; }

code=0
"$root/tools/abi/abi.sh" strict >&2 || code=$?
[ $code = 0 ] || [ $code = 77 ] || exit 1

[ -d "$SLIPSTICK_SOURCES" ] || quietly "$root/tools/cross/dependencies.sh" static # fetches them

say "source of $(git -C "$root" rev-parse --short HEAD)"
tarball=$("$root/tools/dist.sh" "$out")
source=$work/slipstick-$version
rm -rf "$source"
tar -xzf "$tarball" -C "$work"
cd "$source"
# the libraries from below here too: NLopt puts the names of its files into its messages, and they must not say where this is
mkdir build-sources
for entry in "$SLIPSTICK_SOURCES"/*; do [ "$(basename "$entry")" = apt ] || cp -r "$entry" build-sources; done
SLIPSTICK_SOURCES=$source/build-sources

# wants PART; program TARGET FILE STRIP: a program of one file
wants() { case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
program() {
    say "$2"
    quietly tools/cross/build.sh "$1" -D SLIPSTICK_PAGE=ON
    file=build-$1/slipstick
    [ -f "$file" ] || file=$file.exe
    cp "$file" "$out/$2"
    "$3" "$out/$2"
}
! wants static || program static "slipstick-$version-linux-x86_64" strip
! wants arm64 || program arm64 "slipstick-$version-linux-arm64" aarch64-linux-gnu-strip
! wants windows || program windows "slipstick-$version-windows-x86_64.exe" x86_64-w64-mingw32-strip

tools/release/notices.sh "$SLIPSTICK_SOURCES" >"$out/NOTICES"

if wants npm; then
    say "npm package"
    quietly tools/cross/build.sh wasm
    cp build-wasm/slipstick.wasm LICENSE "$out/NOTICES" npm
    llvm-strip npm/slipstick.wasm
    (cd npm && quietly npm pack --pack-destination "$out")
fi
if wants wheel; then
    say "Python wheel"
    cp LICENSE "$out/NOTICES" python
    quietly tools/release/wheel.sh "$out"
fi
if wants deb; then
    say "Debian packages"
    quietly env DEB_BUILD_OPTIONS="noautodbgsym parallel=${JOBS:-2}" tools/deb.sh "$work/deb" "$tarball"
    cp "$work"/deb/*.deb "$out"
fi

cd "$out"
node "$source/tools/release/sbom.mjs" "$out" "$version" "$SLIPSTICK_SOURCES" "$source/web/package-lock.json" >"$work/sbom"
mv "$work/sbom" "slipstick-$version.spdx.json"
sha256sum -- * >"$work/sums"
mv "$work/sums" SHA256SUMS
chmod 644 ./*
for file in slipstick-*-linux-*; do [ ! -f "$file" ] || chmod 755 "$file"; done
say "$(wc -l <SHA256SUMS) files in $out"
