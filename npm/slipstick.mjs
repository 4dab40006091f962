// slipstick.mjs: slipstick in Node and in browsers. Models are texts, results JSON and typed arrays; the bits are those of the program.
//
//     import { load } from "slipstick";
//     const slipstick = await load();
//     const { summary, columns } = await slipstick.run(text, { until: 1, set: { mu: 0.3 } });
//
// Every command of the program is a function of the same name; options are those of its --help, in camel case.
import { MemoryWasi } from "./memory_wasi.mjs";

export { MemoryWasi };

const COMMANDS = [
    "run", "compare", "sweep", "basin", "cycle", "equilibrium", "lyapunov", "check", "import", "plot", "animate", "analyze", "encoder", "fit", "optimize",
    "derive", "export", "design", "solve", "list",
];
const WITHOUT_JSON = ["import", "plot", "animate", "derive", "export"];
const OUTPUT = { run: "", sweep: "", basin: "", animate: "/film.svg", plot: "/plot.svg" }; // what is written below OUT

const MODEL = "/model/model.yaml", TABLE = "/model/trajectory.csv", OUT = "/model/out";

// { maxStep: 1e-3, set: { mu: 0.3 }, free: ["a", "b"], strict: true } as a command line has it
function optionWords(options) {
    const words = [];
    for (const [key, value] of Object.entries(options)) {
        const name = "--" + key.replace(/[A-Z]/g, (c) => "-" + c.toLowerCase());
        if (value === undefined || value === null || value === false) continue;
        if (value === true) words.push(name);
        else if (Array.isArray(value)) words.push(name, value.join(","));
        else if (typeof value === "object") for (const [path, one] of Object.entries(value)) words.push(name, `${path}=${one}`);
        else words.push(name, String(value));
    }
    return words;
}

// one line of a CSV file; fields in quotes may hold commas
function fields(line) {
    if (!line.includes('"')) return line.split(",");
    const found = [];
    for (const match of line.matchAll(/("(?:[^"]|"")*"|[^,]*)(,|$)/g)) {
        found.push(match[1].startsWith('"') ? match[1].slice(1, -1).replaceAll('""', '"') : match[1]);
        if (match[2] === "") break;
    }
    return found;
}

/** The columns of a CSV file, by name; a column of numbers is a Float64Array, another one an array of texts. */
export function readColumns(text) {
    const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
    const names = lines.length ? fields(lines[0]) : [], rows = lines.slice(1).map(fields), columns = {};
    const isNumber = (field) => field === "nan" || field === "inf" || field === "-inf" || (field !== "" && !Number.isNaN(Number(field)));
    const number = (field) => (field === "inf" ? Infinity : field === "-inf" ? -Infinity : Number(field));
    names.forEach((name, k) => {
        const column = rows.map((row) => row[k] ?? "");
        columns[name] = column.every(isNumber) ? Float64Array.from(column, number) : column;
    });
    return columns;
}

export class Slipstick {
    constructor(module) {
        this.module = module;
        for (const command of COMMANDS) {
            this[command === "import" ? "importModel" : command] = (model, options = {}, extra = {}) => this.call(command, model, options, extra);
        }
    }

    /**
     * The program as on a command line, over files in memory. A program that ends with a failure is no exception: look at `code`
     * (0 done, 1 ended early or not to be trusted as asked, 2 bad usage or bad input).
     */
    async command(words, { files = {}, stdin = "" } = {}) {
        const wasi = new MemoryWasi({ args: ["slipstick", ...words], env: { PWD: "/model", NO_COLOR: "1" }, files: { "/model/out/.keep": "", ...files }, stdin });
        const code = await wasi.run(this.module);
        const { ".keep": nothing, ...written } = wasi.files(OUT);
        return { code, stdout: wasi.stdout, stderr: wasi.stderr, files: written };
    }

    async call(command, model, options, { files = {}, operands = [] } = {}) {
        const given = { ...files }, words = [command];
        if (typeof model === "string" && command !== "list") {
            const file = command === "plot" ? TABLE : MODEL;
            given[file] = model;
            words.push(file);
        } else if (typeof model === "string") words.push(model);
        words.push(...operands.map(String), ...optionWords(options));
        if (!WITHOUT_JSON.includes(command)) words.push("--json");
        if (command in OUTPUT && !("output" in options)) words.push("-o", OUT + OUTPUT[command]);
        if (command === "export" && !("c" in options) && !("fmu" in options)) words.push("--c", OUT);
        const result = await this.command(words, { files: given });
        const decoder = new TextDecoder();
        result.json = parse(result.stdout);
        for (const [name, key] of [["trajectory.csv", "columns"], ["events.csv", "events"], ["runs.csv", "runs"]])
            if (result.files[name]) result[key] = readColumns(decoder.decode(result.files[name]));
        if (result.files["summary.json"]) result.summary = parse(decoder.decode(result.files["summary.json"]));
        return result;
    }

    /** Version and parts of this build. */
    async version() {
        return parse((await this.command(["--version", "--json"])).stdout);
    }
}

function parse(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** The library; `source` is where slipstick.wasm is: bytes, a response, a module or an address. Beside this file by default. */
export async function load(source = new URL("./slipstick.wasm", import.meta.url)) {
    let given = await source;
    if (given instanceof WebAssembly.Module) return new Slipstick(given);
    if ((given instanceof URL || typeof given === "string") && String(given).startsWith("file:"))
        given = await (await import("node:fs/promises")).readFile(new URL(given));
    else if (given instanceof URL || typeof given === "string") given = await fetch(given);
    if (typeof Response !== "undefined" && given instanceof Response) given = await given.arrayBuffer();
    return new Slipstick(await WebAssembly.compile(given));
}
