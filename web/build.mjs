// build.mjs: makes the pages of a report, each one file with its script and style inside.
//
//   node build.mjs --modules DIR/node_modules --out DIR [--engine ENGINE.wasm]
//
// page.html draws in the plane, page3d.html in space too; only the latter carries three.js. With the engine there is lab.html too,
// whose scripts are packed: a browser unpacks them faster than a disk reads them. The packages lie in the build
// directory, never beside this file, so that the source tree stays as it is.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));

function option(name, fallback) {
    const at = process.argv.indexOf(`--${name}`);
    return path.resolve(at < 0 ? fallback : process.argv[at + 1]);
}

const modules = option("modules", path.join(here, "node_modules"));
const out = option("out", "build-web/web");
const esbuild = createRequire(path.join(modules, "x.js"))("esbuild");

async function bundle(entry, extra) {
    const result = await esbuild.build({
        entryPoints: [path.join(here, entry)],
        nodePaths: [modules],
        bundle: true,
        minify: true,
        write: false,
        target: ["chrome100", "firefox100", "safari15"],
        charset: "utf8",
        legalComments: "inline", // the licences of the libraries stay in the page
        logLevel: "warning",
        ...extra,
    });
    return result.outputFiles[0].text;
}

// Text that goes between <script> tags must not end them; the libraries' licences go before it, in full.
const inScript = (text) => text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

function licences(names) {
    return names
        .map((name) => {
            const folder = path.join(modules, name);
            const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
            return `${name} ${version}\n\n${readFileSync(path.join(folder, "LICENSE"), "utf8").trim()}`;
        })
        .join("\n\n")
        .replaceAll("--", "- -");
}

// The dark colours stand once in style.css, for systems that are dark; the same block serves readers who choose dark.
function withChosenDark(style) {
    const start = style.search(/@media screen and \(prefers-color-scheme: ?dark\)/);
    const open = style.indexOf("{", style.indexOf("{", start) + 1);
    const rules = style.slice(open + 1, style.indexOf("}", open));
    if (start < 0 || !rules.includes("--bg")) throw new Error("style.css: the dark colours are not where they were");
    return `${style}@media screen{:root[data-theme=dark]{${rules}}}`;
}

async function page(entry, file, libraries) {
    const style = withChosenDark(await bundle("src/style.css", {}));
    const script = await bundle(`src/${entry}`, { format: "iife" });
    const html = readFileSync(path.join(here, "src", "page.html"), "utf8")
        .replace("<!--licences-->", () => `<!--\nThis page contains\n\n${licences(libraries)}\n-->`)
        .replace("<!--style-->", () => `<style>\n${style}</style>`)
        .replace("<!--script-->", () => `<script>\n${inScript(script)}</script>`);
    writeFileSync(path.join(out, file), html);
}

const packed = (id, bytes) =>
    `<script type="text/plain" id="${id}">\n${deflateRawSync(bytes, { level: 9 }).toString("base64")}\n</script>`;

// The laboratory: everything of a report, an editor, and the library as WebAssembly in workers.
async function lab(engine) {
    const style = withChosenDark(await bundle("src/style.css", {})) + (await bundle("lab/lab.css", {}));
    const worker = await bundle("lab/worker.js", { format: "iife" });
    const script = await bundle("lab/main.js", { format: "iife", legalComments: "none", define: { SLIPSTICK_WORKER: JSON.stringify(worker) } });
    const unpack = await bundle("lab/unpack.js", { format: "iife" });
    const html = readFileSync(path.join(here, "lab", "lab.html"), "utf8")
        .replace("<!--licences-->", () => `<!--\nThis page contains\n\n${licences(LAB_LIBRARIES)}\n-->`)
        .replace("<!--style-->", () => `<style data-lab>\n${style}</style>`)
        .replace("<!--engine-->", () => packed("slipstick-engine", readFileSync(engine)))
        .replace("<!--script-->", () => `${packed("slipstick-script", Buffer.from(script))}\n<script>\n${inScript(unpack)}</script>`);
    writeFileSync(path.join(out, "lab.html"), html);
}

const LAB_LIBRARIES = [
    "uplot",
    "three",
    ...["autocomplete", "commands", "language", "lint", "state", "view"].map((name) => `@codemirror/${name}`),
];

mkdirSync(out, { recursive: true });
await page("main.js", "page.html", ["uplot"]);
await page("main3d.js", "page3d.html", ["uplot", "three"]);
if (process.argv.includes("--engine")) await lab(option("engine", ""));
