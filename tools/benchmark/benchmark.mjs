// benchmark.mjs BUILD [--keep] [--engine NAME]... [--limit SECONDS] [--scene NAME]...: runs every engine_* program that BUILD has, one after the
// other, and writes BUILD/benchmark.json and BUILD/benchmark.html. What each printed stays in BUILD/runs: --engine runs that one again and takes
// the others from there; --engine none makes the page anew. --keep also writes the numbers, without films, to bench/results for this kind of
// machine.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cpus, totalmem, release } from 'node:os';
import { join } from 'node:path';
import { page } from './page.mjs';

const args = process.argv.slice(2);
const build = args[0];
if (!build || build.startsWith('--')) {
    console.error('usage: node tools/benchmark/benchmark.mjs BUILD [--keep] [--engine NAME]... [--limit SECONDS] [--scene NAME]...');
    process.exit(2);
}
const passed = args.flatMap((word, k) => (word === '--scene' || word === '--limit' ? [word, args[k + 1]] : []));
const chosen = args.flatMap((word, k) => (word === '--engine' ? [args[k + 1]] : []));
const folder = join(build, 'bench/engines');
const runsFolder = join(build, 'runs');
mkdirSync(runsFolder, { recursive: true });
const sources = 'bench/engines';
const settings = readFileSync(join(sources, 'settings.txt'), 'utf8');

// every engine that has settings, in that order, whether it is installed or not
function names() {
    const lines = settings.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/)).filter((words) => words.length > 1);
    return [...new Set(lines.map((words) => words[0]))];
}

function source(name) {
    const file = ['c', 'cpp'].map((end) => join(sources, `${name}.${end}`)).find(existsSync);
    return file ? { file, text: readFileSync(file, 'utf8') } : null;
}

const lines = (file) => readFileSync(file, 'utf8').split('\n').filter((line) => line).map((line) => JSON.parse(line));

// Into a file of its own, which takes its name when the program has ended: what is there is whole.
function run(program, words, file) {
    const partial = `${file}.partial`;
    const out = openSync(partial, 'w');
    const { error } = spawnSync(program, words, { stdio: ['ignore', out, 'inherit'] });
    closeSync(out);
    if (error) throw error;
    renameSync(partial, file);
}

function measure() {
    const described = join(runsFolder, 'scenes.jsonl');
    run(join(folder, 'engine_slipstick'), ['--describe'], described);
    const scenes = lines(described);
    const engines = [];
    const runs = [];
    for (const name of names()) {
        const program = join(folder, `engine_${name}`);
        const code = source(name);
        const file = join(runsFolder, `${name}.jsonl`);
        const again = !chosen.length || chosen.includes(name);
        const built = existsSync(program);
        const engine = { name, built, installed: built && (again || existsSync(file)), lines: code ? code.text.split('\n').length - 1 : 0, file: code?.file };
        engines.push(engine);
        if (!engine.installed) {
            console.log(`${name.padEnd(10)} ${built ? 'not run' : 'not installed'}`);
            continue;
        }
        const start = Date.now();
        if (again) run(program, passed, file);
        const [about, ...rows] = lines(file);
        Object.assign(engine, { version: about.version, language: about.language });
        runs.push(...rows);
        console.log(`${name.padEnd(10)} ${about.version.padEnd(8)} ${rows.length} runs in ${((Date.now() - start) / 1000).toFixed(0)} s`);
    }
    const machine = {
        processor: cpus()[0]?.model.trim() ?? 'unknown', processors: cpus().length,
        memory: Math.round(totalmem() / 2 ** 30), system: `Linux ${release()}`,
    };
    return { made: new Date().toISOString().slice(0, 10), machine, settings, engines, scenes, runs };
}

const file = join(build, 'benchmark.json');
const results = measure();
writeFileSync(file, JSON.stringify(results));
const codes = Object.fromEntries(names().map((name) => [name, source(name)?.text ?? '']));
writeFileSync(join(build, 'benchmark.html'), page(results, codes));
console.log(`page: ${join(build, 'benchmark.html')}`);

if (args.includes('--keep')) {
    const machine = results.machine.processor.replace(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '');
    const lean = {
        ...results,
        scenes: results.scenes.map(({ shapes, ...rest }) => rest),
        runs: results.runs.map(({ film, ...rest }) => ({ ...rest, levels: rest.levels.map(({ t, x, ...level }) => level) })),
    };
    const kept = `bench/results/${machine || 'unknown'}.json`;
    writeFileSync(kept, JSON.stringify(lean).replaceAll('{"engine"', '\n{"engine"').replaceAll('{"name"', '\n{"name"') + '\n');
    console.log(`kept: ${kept}`);
}
