#!/usr/bin/env bash
# parts.sh PROGRAM: docs/parts.md on stdout, every part that can be chosen by name, as the program lists it.
set -eu
cat <<'END'
# Parts

Everything that can be chosen by name, as `slipstick list` gives it; `tools/parts.sh build/slipstick > docs/parts.md` writes this page.
Options of solvers (`run.solver_options`) and parameters of laws are keys of the model file: [model.md](model.md#all-keys), `slipstick list keys`,
with their ranges and defaults also in `slipstick list --json`. How to add a part: [architecture.md](architecture.md#where-to-put-things).
END
for kind in formulations integrators solvers laws impacts dampings joints shapes functions commands; do
    printf '\n## %s\n\n' "${kind^}"
    "$1" list "$kind" --markdown
done
