// wasi.mjs PROGRAM.wasm [ARGUMENT...]: runs a WebAssembly program under Node, in the current folder and with access to /.
import { readFile } from "node:fs/promises";

process.removeAllListeners("warning"); // that WASI is experimental: it does what is asked of it here
const { WASI } = await import("node:wasi");

const [program, ...args] = process.argv.slice(2);
if (!program) {
    console.error("usage: node wasi.mjs PROGRAM.wasm [ARGUMENT...]");
    process.exit(2);
}
const { PATH, ...env } = process.env; // nothing is looked for there
const wasi = new WASI({
    version: "preview1",
    args: ["slipstick", ...args],
    env: { ...env, PWD: process.cwd() },
    preopens: { "/": "/" },
    returnOnExit: true,
});
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
