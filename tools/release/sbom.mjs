// sbom.mjs FOLDER VERSION SOURCES LOCK: the software bill of materials of a release as SPDX 2.3 in JSON: the files of FOLDER with their
// sums, and what is inside each. SOURCES holds the tarballs of the libraries, LOCK names the packages of the page. The same files give
// the same text: the time is SOURCE_DATE_EPOCH.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, version, sources, lock] = process.argv.slice(2);
const sum = (algorithm, path) => createHash(algorithm).update(readFileSync(path)).digest("hex");
const reference = (name) => "SPDXRef-" + name.replace(/[^A-Za-z0-9.-]/g, "-");
const packages = [], relationships = [];
const relate = (from, type, to) => relationships.push({ spdxElementId: from, relationshipType: type, relatedSpdxElement: to });

function addPackage(name, of, { license = "NOASSERTION", location = "NOASSERTION", checksums, purl } = {}) {
    const id = reference("Package-" + name);
    packages.push({
        SPDXID: id, name, versionInfo: of, downloadLocation: location, filesAnalyzed: false, licenseConcluded: license, licenseDeclared: license,
        copyrightText: "NOASSERTION", ...(checksums && { checksums }),
        ...(purl && { externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }] }),
    });
    return id;
}

// libraries whose sources Debian has, by the tarball that was compiled
function sourcePackage(name, license) {
    const tarball = readdirSync(sources).find((file) => file.startsWith(name + "_") && file.includes(".orig.tar."));
    const of = tarball ? tarball.slice(name.length + 1, tarball.indexOf(".orig")) : "NOASSERTION";
    return addPackage(name, of, {
        license, purl: `pkg:deb/debian/${name}@${of}?arch=source`,
        checksums: tarball && [{ algorithm: "SHA256", checksumValue: sum("sha256", join(sources, tarball)) }],
    });
}

// C libraries of Debian, where they are installed
function systemPackage(name, license) {
    try {
        const of = execFileSync("dpkg-query", ["-W", "-f", "${Version}", name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
        return addPackage(name, of, { license, purl: `pkg:deb/debian/${name}@${of}` });
    } catch {
        return undefined;
    }
}

// packages of npm that the page of reports holds; the others of the lock file are for tests, the bundler and the laboratory
function pagePackages() {
    return Object.entries(JSON.parse(readFileSync(lock, "utf8")).packages)
        .filter(([path]) => path === "node_modules/three" || path === "node_modules/uplot")
        .map(([path, entry]) => {
            const name = path.replace("node_modules/", ""), [algorithm, base64] = entry.integrity.split("-");
            return addPackage(name, entry.version, {
                license: entry.license, location: entry.resolved, purl: `pkg:npm/${name}@${entry.version}`,
                checksums: [{ algorithm: algorithm.toUpperCase(), checksumValue: Buffer.from(base64, "base64").toString("hex") }],
            });
        });
}

const own = addPackage("slipstick", version, { license: "MIT", purl: `pkg:generic/slipstick@${version}` });
relate("SPDXRef-DOCUMENT", "DESCRIBES", own);
const libraries = [
    sourcePackage("libyaml", "MIT"), sourcePackage("expat", "MIT"), sourcePackage("cminpack", "Minpack"),
    sourcePackage("nlopt", "LGPL-2.1-or-later AND MIT"),
];
const page = pagePackages();
const cLibrary = {
    "-linux-x86_64": systemPackage("musl", "MIT"), "-linux-arm64": systemPackage("libc6-dev-arm64-cross", "LGPL-2.1-or-later"),
    ".exe": systemPackage("mingw-w64-x86-64-dev", "ZPL-2.1"), ".tgz": systemPackage("wasi-libc", "Apache-2.0 WITH LLVM-exception AND MIT"),
};

// what a file of the release has inside, by its name
function relateFile(id, name) {
    const isProgram = /-linux-(x86_64|arm64)$|\.exe$/.test(name), isDebian = name.endsWith(".deb");
    relate(id, "GENERATED_FROM", own);
    if (isProgram || /\.(whl|tgz)$/.test(name)) libraries.forEach((library) => relate(id, "STATIC_LINK", library));
    if (isDebian && !name.includes("-doc") && !name.includes("-dev")) libraries.forEach((library) => relate(id, "DYNAMIC_LINK", library));
    if (isProgram || name.endsWith(".whl") || isDebian) page.forEach((part) => relate(id, "CONTAINS", part));
    for (const [suffix, library] of Object.entries(cLibrary)) if (library && name.endsWith(suffix)) relate(id, "STATIC_LINK", library);
}

const files = readdirSync(folder).filter((name) => !name.endsWith(".spdx.json") && name !== "SHA256SUMS").sort().map((name) => {
    const path = join(folder, name), id = reference("File-" + name);
    relate(own, "CONTAINS", id);
    relateFile(id, name);
    return {
        SPDXID: id, fileName: "./" + name, licenseConcluded: "NOASSERTION", licenseInfoInFiles: ["NOASSERTION"], copyrightText: "NOASSERTION",
        checksums: [{ algorithm: "SHA1", checksumValue: sum("sha1", path) }, { algorithm: "SHA256", checksumValue: sum("sha256", path) }],
    };
});
if (files.length === 0 || !existsSync(lock)) throw new Error("nothing to list");

const identity = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 32);
const document = {
    spdxVersion: "SPDX-2.3", dataLicense: "CC0-1.0", SPDXID: "SPDXRef-DOCUMENT", name: `slipstick-${version}`,
    documentNamespace: `https://slipstick.example.org/spdx/slipstick-${version}-${identity}`,
    creationInfo: {
        created: new Date(1000 * Number(process.env.SOURCE_DATE_EPOCH)).toISOString().replace(".000Z", "Z"),
        creators: ["Organization: The slipstick authors", `Tool: slipstick-sbom-${version}`],
    },
    packages, files, relationships,
};
console.log(JSON.stringify(document, null, 1));
