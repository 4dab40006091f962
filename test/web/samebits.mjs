// samebits.mjs ENGINE PROGRAM MODELS...: runs models in the laboratory's engine under Node and by the program, and compares every byte of
// what they leave: trajectory.csv and events.csv. Ends with 1 when one differs.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Engine } from "../../web/lab/engine.js";

export const FILES = ["trajectory.csv", "events.csv"];

export function modelFiles(folder) {
    return readdirSync(folder, { recursive: true }).filter((file) => statSync(path.join(folder, file)).isFile());
}

// What the program leaves of a run.
export function native(program, folder, model, until) {
    const out = mkdtempSync(path.join(tmpdir(), "samebits-"));
    const given = until ? ["--until", String(until)] : [];
    spawnSync(program, ["run", path.join(folder, model), "-q", "-o", out, ...given], { encoding: "utf8" });
    const texts = Object.fromEntries(FILES.map((name) => [name, read(path.join(out, name))]));
    rmSync(out, { recursive: true });
    return texts;
}

function read(file) {
    try {
        return readFileSync(file, "utf8");
    } catch {
        return null;
    }
}

// The same of the engine, which has the folder's files as its own.
export async function create(engineFile, folder) {
    const engine = await Engine.create(await WebAssembly.compile(readFileSync(engineFile)));
    for (const file of modelFiles(folder)) engine.files.write(`/models/${file}`, readFileSync(path.join(folder, file)));
    return engine;
}

export function inEngine(engine, model, until) {
    const opened = engine.call("open", `/models/${model}`, "");
    if (opened.error) return { error: JSON.stringify(opened) };
    const ran = engine.call("run", "", 0, until ?? 0, 64, 2, 1, 0, 1);
    return ran.error ? { error: JSON.stringify(ran) } : engine.results();
}

if (process.argv[1]?.endsWith("samebits.mjs")) {
    const [, , engineFile, program, folder, ...only] = process.argv;
    const engine = await create(engineFile, folder);
    let worse = 0;
    for (const model of modelFiles(folder).filter((file) => file.endsWith(".yaml") && (!only.length || only.includes(file)))) {
        let took = performance.now();
        const a = native(program, folder, model);
        const nativeTime = performance.now() - took;
        took = performance.now();
        let b;
        try {
            b = inEngine(engine, model);
        } catch (error) {
            b = { error: String(error) };
        }
        const engineTime = performance.now() - took;
        const other = FILES.filter((name) => a[name] !== b[name]);
        worse += other.length > 0;
        console.log(`${other.length ? "DIFFERS" : "same"} ${model} ${nativeTime.toFixed(0)} ms ${engineTime.toFixed(0)} ms ${other} ${b.error ?? ""}`);
    }
    process.exit(worse ? 1 : 0);
}
