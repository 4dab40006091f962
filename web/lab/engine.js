// engine.js: the library as functions of JavaScript. It runs in a worker of the page, and in Node for the tests.
import { unpack } from "../src/data.js";
import { FileSystem, wasi } from "./wasi.js";

const STRING = "s";
const NUMBERS = "n";

// What the functions of engine.c take: a letter per argument; "." is a number.
const SIGNATURES = {
    open: "ss",
    vary: "s",
    language: "",
    build: "",
    run: "s.......",
    compare: ".....",
    sweep: "sn.s....s.",
    why: ".",
};

// Packed arrays become typed ones, in place; their buffers are collected, for handing over.
export function unpackAll(value, buffers) {
    if (!value || typeof value !== "object") return value;
    for (const key of Object.keys(value)) {
        const member = value[key];
        if (!member || typeof member !== "object") continue;
        if (member.f64 !== undefined || member.f32 !== undefined || member.u8 !== undefined) {
            value[key] = unpack(member);
            buffers.push(value[key].buffer);
        } else unpackAll(member, buffers);
    }
    return value;
}

export class Engine {
    static async create(module, options = {}) {
        const engine = new Engine(options);
        engine.instance = await WebAssembly.instantiate(module, engine.imports());
        engine.exports = engine.instance.exports;
        engine.exports._initialize?.();
        return engine;
    }

    constructor({ progress = () => {}, print = () => {} } = {}) {
        this.files = new FileSystem();
        this.progress = progress;
        this.print = print;
    }

    imports() {
        const system = wasi(this.files, () => this.exports.memory, this.print);
        return { wasi_snapshot_preview1: system, lab: { progress: (fraction) => this.progress(fraction) } };
    }

    // places for what an argument points to; released after the call
    place(kind, value) {
        const bytes =
            kind === STRING ? new TextEncoder().encode(`${value ?? ""}\0`) : new Uint8Array(Float64Array.from(value).buffer);
        const at = this.exports.malloc(Math.max(8, bytes.length));
        if (!at) throw new Error("the engine is out of memory");
        new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
        return at;
    }

    call(name, ...values) {
        const placed = [];
        const passed = [...SIGNATURES[name]].map((kind, k) => {
            if (kind !== STRING && kind !== NUMBERS) return Number(values[k] ?? 0);
            placed.push(this.place(kind, values[k]));
            return placed.at(-1);
        });
        const answer = this.text(this.exports[name](...passed));
        for (const at of placed) this.exports.free(at);
        return JSON.parse(answer);
    }

    text(at) {
        const memory = new Uint8Array(this.exports.memory.buffer);
        return new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at)));
    }

    // What the last call put into the report, with its arrays unpacked; their buffers go to `buffers`.
    report(buffers = []) {
        const page = new TextDecoder().decode(this.files.read("/report"));
        this.files.remove("/report");
        return unpackAll(JSON.parse(page.slice(page.indexOf(">") + 1, page.lastIndexOf("</script"))), buffers);
    }

    // The files of a run that was to leave some.
    results() {
        const texts = {};
        for (const name of ["trajectory.csv", "events.csv", "summary.json"]) {
            const content = this.files.read(`/results/${name}`);
            if (content) texts[name] = new TextDecoder().decode(content);
        }
        return texts;
    }
}
