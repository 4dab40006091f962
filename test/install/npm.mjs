// npm.mjs NATIVE WASM|PACKAGE.tgz: the npm package as its user has it, against the native program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [native, wasm] = process.argv.slice(2);
const root = new URL("../../", import.meta.url).pathname;
const work = mkdtempSync(join(tmpdir(), "slipstick-npm-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
if (wasm.endsWith(".tgz")) {
    writeFileSync(join(work, "package.json"), '{ "name": "user", "private": true }');
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", resolve(wasm)], { cwd: work, stdio: "ignore" });
} else {
    cpSync(join(root, "npm"), join(work, "node_modules/slipstick"), { recursive: true });
    cpSync(wasm, join(work, "node_modules/slipstick/slipstick.wasm"));
}
const { load } = await import(join(work, "node_modules/slipstick/slipstick.mjs"));
const slipstick = await load();

// the same bytes, and the same numbers in typed arrays
const file = join(root, "models/xiong/friction-mass.yaml"), text = readFileSync(file, "utf8");
execFileSync(native, ["run", file, "-q", "-o", join(work, "out")]);
const run = await slipstick.run(text);
assert.equal(run.code, 0, run.stderr);
for (const name of ["trajectory.csv", "events.csv"])
    assert.deepEqual(Buffer.from(run.files[name]), readFileSync(join(work, "out", name)), name);
const rows = readFileSync(join(work, "out/trajectory.csv"), "utf8").trim().split("\n");
assert.ok(run.columns.t instanceof Float64Array);
assert.equal(run.columns.t.length, rows.length - 1);
assert.equal(run.columns.t.at(-1), Number(rows.at(-1).split(",")[0]));
assert.equal(run.summary.outcome, "done");

// the model of the README, with an option; a sweep; a mistake, which is no exception
const model = readFileSync(join(root, "npm/README.md"), "utf8").match(/const model = `([^`]*)`/)[1];
assert.equal((await slipstick.run(model, { set: { mu: 0.3 }, noCompanion: true })).summary.settings.parameters.mu, 0.3);
const sweep = await slipstick.sweep(model, { over: "mu=0.1:0.3:3" });
assert.equal(sweep.code, 0, sweep.stderr);
assert.deepEqual([...sweep.runs.mu], [0.1, 0.2, 0.3]);
const wrong = await slipstick.check("slipstick: 1\nname: Nothing\nframes: 1\n");
assert.equal(wrong.code, 2);
assert.match(wrong.stderr, /frames/);
const named = await slipstick.run(model + "\ninclude: other.yaml\n");
assert.equal(named.code, 2); // there is no such file here
// pictures and programs; and every command has its function
const picture = await slipstick.plot(new TextDecoder().decode(run.files["trajectory.csv"]));
assert.match(new TextDecoder().decode(picture.files["plot.svg"]), /^<svg|^<\?xml/, picture.stderr);
const program = await slipstick.export(text, { formulation: "dai", integrator: "rk4" });
assert.equal(program.code, 0, program.stderr);
assert.ok(program.files["model.c"] && program.files["model.h"]);
const commands = JSON.parse(execFileSync(native, ["list", "commands", "--json"], { encoding: "utf8" })).commands.map((c) => c.name);
for (const name of commands.filter((name) => name !== "lab" && name !== "completion"))
    assert.equal(typeof slipstick[name === "import" ? "importModel" : name], "function", name);
assert.equal((await slipstick.version()).machine_code, false);
assert.equal((await slipstick.version()).version, readFileSync(join(root, "CMakeLists.txt"), "utf8").match(/VERSION ([0-9.]+) LANG/)[1]);
console.log("the npm package gives the bytes of the native program");
