// site.mjs: the documentation as a web site that works from disk: pages, search, a live report of every shipped model, and, where the
// program has it (`make lab`), the laboratory: on the first page, beside every model of the gallery, and in the lessons.
//
//   node tools/site/site.mjs --program build/slipstick --out build/site [--no-reports]
//
// Pandoc turns Markdown into HTML, with formulas as MathML. Files keep the places they have in the repository, so that their
// links hold; only .md becomes .html and README.md index.html. At the end every link of every page must lead somewhere.
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "../..");
const SKIPPED = 77; // what ctest takes for "skipped"
const WORKERS = 2;
const REPORT_SECONDS = 120;

const option = (name, fallback) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? fallback : path.resolve(process.argv[at + 1]);
};
const program = option("program", path.join(root, "build/slipstick"));
const out = option("out", path.join(root, "build/site"));
const withReports = !process.argv.includes("--no-reports");
const withLab = /^ *lab *yes/m.test(execFileSync(program, ["--version"], { encoding: "utf8" }));

const LESSONS = readdirSync(path.join(root, "docs/lessons"))
    .filter((file) => file.endsWith(".md"))
    .sort((a, b) => (b === "README.md") - (a === "README.md") || a.localeCompare(b))
    .map((file) => `docs/lessons/${file.slice(0, -3)}`);

// The order in which a reader wants them; what is not named here comes last.
const PARTS = [
    ["Start", ["README", "docs/install", "docs/first-model", "docs/gallery", "docs/coming-from", "docs/features", "docs/glossary"]],
    ["Lessons", LESSONS],
    ["Use", ["docs/cli", "docs/report", "docs/lab", "docs/choosing", "docs/trust", "docs/troubleshooting", "docs/csv", "docs/json"]],
    ["Models", ["docs/model", "docs/bodies", "docs/formulas", "docs/laws", "docs/parts"]],
    ["Methods", ["docs/theory", "docs/dai", "docs/moreau", "docs/least-constraint", "docs/solvers", "docs/machine-code"]],
    ["Python, JavaScript and C", ["docs/python", "docs/c-api", "npm/README", "docs/network", "docs/architecture", "CONTRIBUTING", "SECURITY", "CHANGELOG"]],
];

const escape = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const plain = (html) =>
    html
        .replace(/<annotation[^>]*>.*?<\/annotation>/gs, " ")
        .replace(/<\/?(?:code|em|strong|a|span|sub|sup)\b[^>]*>/g, "")
        .replace(/<[^>]+>/g, " ")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&#39;/g, "'")
        .replace(/&amp;/g, "&")
        .replace(/\s+/g, " ")
        .trim();

const htmlName = (name) => `${name.replace(/(^|\/)README$/, "$1index")}.html`;

function pageNames() {
    const inFolder = (folder) =>
        readdirSync(path.join(root, folder))
            .filter((file) => file.endsWith(".md"))
            .map((file) => path.join(folder, file.slice(0, -3)));
    return ["README", "CONTRIBUTING", "SECURITY", "CHANGELOG", "npm/README", ...inFolder("docs"), ...inFolder("docs/lessons"), ...inFolder("docs/reproduction")];
}

function parts(names) {
    const placed = new Set(PARTS.flatMap(([, list]) => list));
    const rest = names.filter((name) => !placed.has(name));
    const known = PARTS.map(([title, list]) => [title, list.filter((name) => names.includes(name))]);
    return rest.length ? [...known, ["Papers and more", rest]] : known;
}

// ------------------------------------------------------------------------------------------ pages

const models = () =>
    readdirSync(path.join(root, "models"), { recursive: true })
        .filter((file) => file.endsWith(".yaml"))
        .map((file) => file.slice(0, -5))
        .sort();

const reportName = (model) => `reports/${model.replaceAll("/", "-")}.html`;

// In the gallery links to the live report of a model and to the laboratory stand beside the link to its file.
function withLiveLinks(name, text) {
    if (name !== "docs/gallery") return text;
    return text.replace(/\[the file\]\(\.\.\/models\/([\w/-]+)\.yaml\)/g, (link, model) =>
        [link, withReports && `[live report](../${reportName(model)})`, withLab && `[try it](../lab.html#model=${model}.yaml)`]
            .filter(Boolean)
            .join(", "),
    );
}

// A block ```lab with a model, and the parameters that get a slider, is the laboratory itself where there is one.
function withLaboratories(name, html) {
    const up = path.relative(path.dirname(name), ".") || ".";
    return html.replace(/<pre class="lab"><code>([\w./-]+) ?([\w ]*)\n?<\/code><\/pre>/g, (block, model, names) => {
        if (!withLab) return block;
        const link = `${up}/lab.html?embed=${names.trim().replace(/ +/g, ",")}#model=${model}.yaml`;
        const whole = `<a href="${up}/lab.html#model=${model}.yaml">Open it in the laboratory</a>`;
        return `<iframe class="lab" loading="lazy" title="${escape(model)}, to try" src="${link}"></iframe><p class="lab-link">${whole}</p>`;
    });
}

const startButton = (name) => (name === "README" && withLab ? `<p class="try"><a href="lab.html">Try it in your browser</a></p>` : "");

function toHtml(name) {
    const text = withLiveLinks(name, readFileSync(path.join(root, `${name}.md`), "utf8"));
    const html = execFileSync("pandoc", ["-f", "gfm+tex_math_dollars", "-t", "html5", "--mathml", "--wrap=none"], {
        input: text,
        encoding: "utf8",
        maxBuffer: 1 << 26,
    });
    return withLaboratories(name, html)
        .replace(/(<h1[^>]*>.*?<\/h1>)/s, (head) => head + startButton(name))
        .replace(/href="([^":]*?)\.md(#[^"]*)?"/g, (all, target, hash = "") => {
            const file = path.basename(target) === "README" ? target.replace(/README$/, "index") : target;
            return `href="${file}.html${hash}"`;
        })
        .replace(/<table>/g, '<div class="scroll"><table>')
        .replace(/<\/table>/g, "</table></div>");
}

const titleOf = (html, name) => plain(html.match(/<h1[^>]*>(.*?)<\/h1>/s)?.[1] ?? path.basename(name));

function navigation(all, titles, current) {
    const up = path.relative(path.dirname(current), ".") || ".";
    return all
        .map(([title, list]) => {
            const items = list.map((name) => {
                const here_ = name === current ? ' aria-current="page"' : "";
                return `<li><a href="${up}/${htmlName(name)}"${here_}>${escape(titles.get(name))}</a></li>`;
            });
            return `<h2>${escape(title)}</h2><ul>${items.join("")}</ul>`;
        })
        .join("");
}

// Sections of a page for the search: the heading, where it is, what stands below it.
function sections(html, name, title) {
    const pieces = html.split(/(?=<h[1-4][ >])/);
    return pieces
        .map((piece) => {
            const head = piece.match(/^<h[1-4](?: id="([^"]*)")?[^>]*>(.*?)<\/h[1-4]>/s);
            return {
                page: htmlName(name),
                title,
                id: head?.[1] ?? "",
                head: head ? plain(head[2]) : title,
                text: plain(head ? piece.slice(head[0].length) : piece),
            };
        })
        .filter(({ text, head }) => text || head);
}

function writePages() {
    const names = pageNames();
    const bodies = new Map(names.map((name) => [name, toHtml(name)]));
    const titles = new Map(names.map((name) => [name, name === "README" ? "slipstick" : titleOf(bodies.get(name), name)]));
    const all = parts(names);
    const shell = readFileSync(path.join(here, "page.html"), "utf8");
    const index = [];
    for (const name of names) {
        const up = path.relative(path.dirname(name), ".") || ".";
        const filled = { title: escape(titles.get(name)), up, nav: navigation(all, titles, name), body: bodies.get(name) };
        const file = path.join(out, htmlName(name));
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(
            file,
            shell.replace(/\{\{(\w+)\}\}/g, (mark, key) => filled[key]),
        );
        index.push(...sections(bodies.get(name), name, titles.get(name)));
    }
    // a script, not JSON: pages opened from disk may not fetch
    writeFileSync(path.join(out, "index.js"), `globalThis.slipstickIndex = ${JSON.stringify(index)};\n`);
    for (const file of ["site.css", "site.js"]) cpSync(path.join(here, file), path.join(out, file));
    return names.map(htmlName);
}

// ---------------------------------------------------------------------------------------- reports

const run = (model) =>
    new Promise((done) => {
        const file = path.join(out, reportName(model));
        // from the site's own folder: the report shows the command, and no path of this machine belongs there
        const options = { cwd: out, timeout: 1000 * REPORT_SECONDS, env: { ...process.env, SLIPSTICK_MODELS: path.join(root, "models") } };
        execFile(program, ["run", model, "-q", "--report", reportName(model)], options, () => {
            if (!existsSync(file)) console.error(`site: no report of ${model}`);
            done(existsSync(file));
        });
    });

// A run that ends early has a report too: what counts is that there is one.
async function writeReports() {
    mkdirSync(path.join(out, "reports"), { recursive: true });
    const waiting = models();
    const results = [];
    const work = async () => {
        while (waiting.length) results.push(await run(waiting.shift()));
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    return results.every(Boolean);
}

// every shipped model in one page
function writeLab() {
    if (!withLab) return;
    const options = { cwd: out, env: { ...process.env, SLIPSTICK_MODELS: path.join(root, "models") } };
    execFileSync(program, ["lab", "--shipped", "-o", "lab.html"], options);
}

// ------------------------------------------------------------------------------------------ links

// What pages refer to and is not a page: models, examples, headers, pictures. It is copied to where they look for it.
function followLinks(pages) {
    let good = true;
    for (const page of pages) {
        const html = readFileSync(path.join(out, page), "utf8");
        for (const [, target] of html.matchAll(/(?:href|src)="([^"#?]+)[^"]*"/g)) {
            if (/^[a-z]+:/.test(target)) continue;
            const place = path.normalize(path.join(path.dirname(page), decodeURI(target)));
            const source = path.join(root, place);
            if (existsSync(path.join(out, place))) continue;
            if (place.startsWith("..") || !existsSync(source)) {
                console.error(`site: ${page} links to ${target}, which is not there`);
                good = false;
            } else if (statSync(source).isDirectory()) cpSync(source, path.join(out, place), { recursive: true });
            else {
                mkdirSync(path.dirname(path.join(out, place)), { recursive: true });
                cpSync(source, path.join(out, place));
            }
        }
    }
    return good;
}

try {
    execFileSync("pandoc", ["--version"], { stdio: "ignore" });
} catch {
    console.log("skipped: no pandoc on this machine (tools/setup.sh site installs it)");
    process.exit(SKIPPED);
}
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const pages = writePages();
writeLab();
const reported = withReports ? await writeReports() : true;
const linked = followLinks(pages);
console.log(`site: ${pages.length} pages${withReports ? `, ${models().length} reports` : ""}: ${path.join(out, "index.html")}`);
process.exit(reported && linked ? 0 : 1);
