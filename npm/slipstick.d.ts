// slipstick.d.ts: types of slipstick.mjs.

/** Values of options as a command line has them: true for a flag, an object for `--set PATH=VALUE`, a list for `A,B,...`. */
export type OptionValue = string | number | boolean | null | undefined | readonly (string | number)[] | Readonly<Record<string, string | number>>;
export type Options = Readonly<Record<string, OptionValue>>;

/** Files that the model names, by absolute path (the model itself is /model/model.yaml), and further words of the command. */
export interface Extra {
    files?: Readonly<Record<string, string | Uint8Array>>;
    operands?: readonly (string | number)[];
}

export type Columns = Record<string, Float64Array | string[]>;

export interface Result {
    /** 0: done; 1: ended early or not to be trusted as asked; 2: bad usage or bad input. */
    code: number;
    /** The JSON that the command prints (docs/json.md). */
    json?: any;
    stdout: string;
    /** Errors and warnings, for people. */
    stderr: string;
    /** What was written with -o, by name. */
    files: Record<string, Uint8Array>;
}

export interface RunResult extends Result {
    /** summary.json: outcome, verdict, horizon, energies. */
    summary?: any;
    /** trajectory.csv by column: `t`, coordinates, rates, records. */
    columns?: Columns;
    /** events.csv by column. */
    events?: Columns;
    /** Of sweep and basin: runs.csv by column. */
    runs?: Columns;
}

export type Command = (model: string, options?: Options, extra?: Extra) => Promise<Result>;
export type RunCommand = (model: string, options?: Options, extra?: Extra) => Promise<RunResult>;

export declare class Slipstick {
    constructor(module: WebAssembly.Module);
    command(words: readonly string[], world?: { files?: Extra["files"]; stdin?: string | Uint8Array }): Promise<Result>;
    version(): Promise<any>;
    run: RunCommand;
    sweep: RunCommand;
    basin: RunCommand;
    compare: Command;
    cycle: Command;
    equilibrium: Command;
    lyapunov: Command;
    check: Command;
    analyze: Command;
    fit: Command;
    optimize: Command;
    derive: Command;
    animate: Command;
    /** Of the text of a trajectory.csv, not of a model: files["plot.svg"]. */
    plot: Command;
    /** C99 by default: files["model.c"], files["model.h"]. */
    export: Command;
    encoder: Command;
    design: Command;
    solve: Command;
    /** `import` is a word of the language. */
    importModel: Command;
    list: (what: string, options?: Options) => Promise<Result>;
}

export declare function load(source?: URL | string | BufferSource | Response | WebAssembly.Module | Promise<Response>): Promise<Slipstick>;
export declare function readColumns(text: string): Columns;
