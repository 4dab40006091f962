"""sbom.py VERSION TIME DIRECTORY: what is in the packages of DIRECTORY, in SPDX 2.3, on standard output."""

import datetime
import hashlib
import json
import sys
from pathlib import Path

version, stamp, folder = sys.argv[1:]
inside = [  # what the static program, the wheel and the npm package hold besides slipstick
    ("libyaml", "0.2.5", "MIT"),
    ("expat", "2.5.0", "MIT"),
    ("cminpack", "1.3.6", "Minpack"),
    ("nlopt", "2.7.1", "MIT AND LGPL-2.1-or-later"),
]


def package(name, number, licence, **more):
    return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": number, "licenseConcluded": licence, "licenseDeclared": licence,
            "copyrightText": "NOASSERTION", "filesAnalyzed": False, **more}


parts = [package("slipstick", version, "MIT", downloadLocation="NOASSERTION")]
parts += [package(n, v, l, downloadLocation=f"https://deb.debian.org/debian/pool/main/{n[:4] if n.startswith('lib') else n[0]}/{n}/") for n, v, l in inside]
files, relations = [], [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-slipstick")]
for path in sorted(Path(folder).iterdir()):
    if path.name.startswith("SHA256SUMS") or path.name.endswith(".spdx.json"):
        continue
    name = "SPDXRef-File-" + path.name.replace("_", "-").replace("+", "-").replace("~", "-")
    bytes_ = path.read_bytes()
    files.append({"SPDXID": name, "fileName": "./" + path.name, "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION",
                  "checksums": [{"algorithm": a, "checksumValue": hashlib.new(a.lower(), bytes_).hexdigest()} for a in ("SHA1", "SHA256")]})
    relations.append((name, "GENERATED_FROM", "SPDXRef-slipstick"))
    if path.suffix in (".whl", ".tgz") or "x86_64-linux" in path.name:
        relations += [(name, "CONTAINS", f"SPDXRef-{n}") for n, _, _ in inside]
        relations = list(dict.fromkeys(relations))
digest = hashlib.sha256("".join(f["checksums"][1]["checksumValue"] for f in files).encode()).hexdigest()
print(json.dumps({
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"slipstick-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/slipstick-{version}-{digest[:32]}",
    "creationInfo": {"created": datetime.datetime.fromtimestamp(int(stamp), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "creators": ["Tool: slipstick tools/sbom.py"]},
    "packages": parts, "files": files,
    "relationships": [{"spdxElementId": a, "relationshipType": t, "relatedSpdxElement": b} for a, t, b in relations],
}, indent=1))
