// browser.mjs NATIVE PACKAGE.tgz: the npm package in Chromium: a page that imports it and runs a model gives the bytes of the native program.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";

const [native, tarball] = process.argv.slice(2);
const root = new URL("../../", import.meta.url).pathname, work = mkdtempSync(join(tmpdir(), "slipstick-browser-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
execFileSync("tar", ["-xzf", resolve(tarball), "-C", work]); // package/
const model = join(root, "models/xiong/friction-mass.yaml");
execFileSync(native, ["run", model, "-q", "-o", join(work, "out")]);
const expected = createHash("sha256").update(readFileSync(join(work, "out/trajectory.csv"))).digest("hex");

writeFileSync(join(work, "index.html"), `<!doctype html><title>waiting</title><pre id="said"></pre><script type="module">
import { load } from "./package/slipstick.mjs";
const slipstick = await load(), run = await slipstick.run(${JSON.stringify(readFileSync(model, "utf8"))});
const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", run.files["trajectory.csv"]));
document.getElementById("said").textContent = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
await fetch("/done?" + document.getElementById("said").textContent);
</script>`);

const types = { ".html": "text/html", ".mjs": "text/javascript", ".wasm": "application/wasm" };
let browser;
const found = await new Promise((settle) => {
    const server = createServer((request, response) => {
        const [path, query] = request.url.split("?");
        if (path === "/done") {
            response.end();
            server.close();
            return settle(query);
        }
        try {
            const bytes = readFileSync(join(work, path === "/" ? "index.html" : path));
            response.writeHead(200, { "content-type": types[extname(path)] ?? "text/html" }).end(bytes);
        } catch {
            response.writeHead(404).end();
        }
    });
    server.listen(0, "127.0.0.1", () => {
        browser = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", `--user-data-dir=${join(work, "profile")}`,
            "--remote-debugging-port=0", `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
    });
    setTimeout(() => settle("nothing within two minutes"), 120e3).unref();
});
await new Promise((ended) => {
    browser.on("exit", ended);
    browser.kill();
});
if (found !== expected) {
    console.error(`the browser has ${found}, the native program ${expected}`);
    process.exit(1);
}
process.exit(0);
