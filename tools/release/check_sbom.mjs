// check_sbom.mjs FOLDER FILE: whether FILE is SPDX 2.3 as far as the specification demands it, and lists every file of FOLDER with its sums.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, file] = process.argv.slice(2);
const sbom = JSON.parse(readFileSync(file, "utf8"));
assert.equal(sbom.spdxVersion, "SPDX-2.3");
assert.equal(sbom.dataLicense, "CC0-1.0");
assert.equal(sbom.SPDXID, "SPDXRef-DOCUMENT");
assert.match(sbom.documentNamespace, /^https:\/\/[^#\s]+$/);
assert.match(sbom.creationInfo.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
assert.ok(sbom.name && sbom.creationInfo.creators.every((who) => /^(Person|Organization|Tool): /.test(who)));

const known = new Set(["SPDXRef-DOCUMENT"]);
for (const element of [...sbom.packages, ...sbom.files]) {
    assert.match(element.SPDXID, /^SPDXRef-[A-Za-z0-9.-]+$/);
    assert.ok(!known.has(element.SPDXID), `${element.SPDXID} twice`);
    known.add(element.SPDXID);
}
for (const one of sbom.packages) for (const key of ["name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared"]) assert.ok(one[key], `${one.SPDXID}: ${key}`);
for (const { spdxElementId, relatedSpdxElement } of sbom.relationships) assert.ok(known.has(spdxElementId) && known.has(relatedSpdxElement));
assert.ok(sbom.relationships.some((r) => r.spdxElementId === "SPDXRef-DOCUMENT" && r.relationshipType === "DESCRIBES"));

const listed = new Map(sbom.files.map((one) => [one.fileName, one]));
const expected = readdirSync(folder).filter((name) => !name.endsWith(".spdx.json") && name !== "SHA256SUMS");
assert.deepEqual([...listed.keys()].sort(), expected.map((name) => "./" + name).sort());
for (const name of expected)
    for (const { algorithm, checksumValue } of listed.get("./" + name).checksums)
        assert.equal(checksumValue, createHash(algorithm.toLowerCase()).update(readFileSync(join(folder, name))).digest("hex"), name);
for (const library of ["libyaml", "expat", "cminpack", "nlopt"]) assert.ok(sbom.packages.some((one) => one.name === library), library);
