#!/bin/sh
# targets.sh BUILD: the short form of `make same-bits`, on the targets that are built (77: none is).
set -eu
cd "$(dirname "$0")/../.."
said=$(SLIPSTICK=$1/slipstick tools/cross/same_bits.sh short)
printf '%s\n' "$said"
case $said in *'no other target is built'*) exit 77 ;; esac
