// build.mjs: makes the pages of a report, each one file with its script and style inside.
//
//   node build.mjs --modules DIR/node_modules --out DIR
//
// page.html draws in the plane, page3d.html in space too; only the latter carries three.js. The packages lie in the build
// directory, never beside this file, so that the source tree stays as it is.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
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
        entryPoints: [path.join(here, "src", entry)],
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
    const style = withChosenDark(await bundle("style.css", {}));
    const script = await bundle(entry, { format: "iife" });
    const html = readFileSync(path.join(here, "src", "page.html"), "utf8")
        .replace("<!--licences-->", () => `<!--\nThis page contains\n\n${licences(libraries)}\n-->`)
        .replace("<!--style-->", () => `<style>\n${style}</style>`)
        .replace("<!--script-->", () => `<script>\n${inScript(script)}</script>`);
    writeFileSync(path.join(out, file), html);
}

mkdirSync(out, { recursive: true });
await page("main.js", "page.html", ["uplot"]);
await page("main3d.js", "page3d.html", ["uplot", "three"]);
