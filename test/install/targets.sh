#!/bin/sh
# targets.sh BUILD: the short form of `make same-bits`, on the targets that are built (77: none is), and what they do where the system
# refuses something, as far as it can be refused to them: qemu and Node need executable memory and threads for themselves.
set -eu
cd "$(dirname "$0")/../.."
build=$1
said=$(SLIPSTICK=$build/slipstick tools/cross/same_bits.sh short)
printf '%s\n' "$said"
case $said in *'no other target is built'*) exit 77 ;; esac

# refuse NAME WHAT PROGRAM...: if it was compared above
refuse() {
    printf '%s\n' "$said" | grep -q "^$1 .*all equal" || return 0
    [ -x "$build/test/install/hostile" ] || return 0
    printf '%s, where something is refused:\n' "$1"
    what=$2
    shift 2
    code=0
    REFUSALS=$what bash test/install/hostile.sh "$build/test/install/hostile" "$@" || code=$?
    [ $code = 0 ] || [ $code = 77 ]
}
refuse static "no-exec no-threads read-only stack" "$PWD/build-static/slipstick"
refuse arm64 read-only qemu-aarch64 "$PWD/build-arm64/slipstick"
refuse wasm read-only node "$PWD/tools/cross/wasi.mjs" "$PWD/build-wasm/slipstick.wasm"
