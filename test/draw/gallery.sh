#!/usr/bin/env bash
# gallery.sh PROGRAM: the gallery and its pictures are what the program writes today. At the root of the source tree.
set -eu
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
mkdir -p "$made/docs/images/gallery"
"$1" . "$made"
diff docs/gallery.md "$made/docs/gallery.md" && diff -rq docs/images/gallery "$made/docs/images/gallery" || {
  echo "the gallery is not what the program writes today; look at the difference, then: make docs" >&2
  exit 1
}
