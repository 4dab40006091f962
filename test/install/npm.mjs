// npm.mjs NATIVE WASM: the npm package as its user has it, against the native program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [native, wasm] = process.argv.slice(2);
const root = new URL("../../", import.meta.url).pathname;
const work = mkdtempSync(join(tmpdir(), "slipstick-npm-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
cpSync(join(root, "npm"), join(work, "node_modules/slipstick"), { recursive: true });
cpSync(wasm, join(work, "node_modules/slipstick/slipstick.wasm"));
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
assert.equal((await slipstick.version()).version, readFileSync(join(root, "CMakeLists.txt"), "utf8").match(/VERSION ([0-9.]+) LANG/)[1]);
console.log("the npm package gives the bytes of the native program");
