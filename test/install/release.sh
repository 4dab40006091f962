#!/usr/bin/env bash
# release.sh: what of `make release` takes no building: the source tarball and the SBOM, the same bytes when made twice, and an SBOM that
# notices a file which is not listed, and one that has changed. 77 without git or Node.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1 && command -v node >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { echo "FAILED: $*"; exit 1; }
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH

mkdir "$work/sources"
for library in libyaml_0.2.5 expat_2.5.0 cminpack_1.3.6 nlopt_2.7.1; do echo $library >"$work/sources/$library.orig.tar.gz"; done
for time in first second; do
    "$root/tools/dist.sh" "$work/$time" >/dev/null
    echo program >"$work/$time/slipstick-0-linux-x86_64"
    node "$root/tools/release/sbom.mjs" "$work/$time" 0 "$work/sources" "$root/web/package-lock.json" >"$work/sbom"
    mv "$work/sbom" "$work/$time/slipstick-0.spdx.json"
done
diff -r "$work/first" "$work/second" || die "not the same bytes when made twice"
check() { node "$root/tools/release/check_sbom.mjs" "$work/first" "$work/first/slipstick-0.spdx.json" 2>/dev/null; }
check || die "SBOM"
echo other >"$work/first/slipstick-0-linux-x86_64"
! check || die "a file that has changed is not noticed"
echo program >"$work/first/slipstick-0-linux-x86_64"
echo more >"$work/first/more"
! check || die "a file that is not listed is not noticed"

mkdir "$work/unpacked"
tar -xzf "$work"/second/slipstick-*.tar.gz -C "$work/unpacked" --strip-components=1
for file in CMakeLists.txt Makefile LICENSE tools/release/release.sh models/xiong/friction-mass.yaml; do
    [ -s "$work/unpacked/$file" ] || die "$file is not in the tarball"
done
echo "all good"
