// worker.js: the engine's own thread. Calls come in one after the other; the page ends a call by ending the worker.
import { Engine } from "./engine.js";

const TELL = 60; // ms between two messages on progress

let engine = null;
let opened = null; // what is open: path and text
let told = 0;

function progress(fraction) {
    const now = performance.now();
    if (now - told < TELL) return;
    told = now;
    postMessage({ progress: fraction });
}

function open({ path, text, sets }) {
    if (opened && opened.path === path && opened.text === text) {
        const varied = engine.call("vary", sets.join("\n"));
        return varied.error ? varied : null;
    }
    engine.files.write(path, text);
    const answer = engine.call("open", path, sets.join("\n"));
    opened = answer.error ? null : { path, text };
    return answer;
}

const runOf = ({ formulation = "", step = 0, until = 0, points = 2048, frames = 400, companion = 1, budget = 0, results = 0 }) =>
    engine.call("run", formulation, step, until, points, frames, companion, budget, results);

// What the page may ask for; each gets the request and answers an object.
const acts = {
    run: (request, buffers) => {
        const said = runOf(request);
        return said.error ? { failed: said } : { report: engine.report(buffers) };
    },
    compare: ({ step = 0, until = 0, points = 2048, refine = 0.05, budget = 0 }, buffers) => {
        const said = engine.call("compare", step, until, points, refine, budget);
        return said.error ? { failed: said } : { report: engine.report(buffers) };
    },
    sweep: ({ key, values, formulation = "", step = 0, until = 0, after = 0, strobe = 0, section = "", level = 0 }, buffers) => {
        const said = engine.call("sweep", key, values, values.length, formulation, step, until, after, strobe, section, level);
        return said.error ? { failed: said } : { report: engine.report(buffers) };
    },
    why: ({ t }) => {
        const said = engine.call("why", t);
        return said.error ? { failed: said } : { analysis: said };
    },
    results: (request) => {
        const said = runOf({ ...request, results: 1 });
        return said.error ? { failed: said } : { results: engine.results() };
    },
    language: () => ({ language: engine.call("language") }),
    check: () => ({}),
};

async function begin({ module, files }) {
    engine = await Engine.create(module, { progress });
    for (const { path, text } of files) engine.files.write(path, text);
    return { build: engine.call("build") };
}

function answer(request, buffers) {
    const said = request.model ? open(request.model) : null;
    if (said?.error) return { mistakes: said };
    return { opened: said, ...acts[request.act](request, buffers) };
}

onmessage = async ({ data: request }) => {
    const buffers = [];
    const since = performance.now();
    let reply;
    try {
        reply = request.act === "begin" ? await begin(request) : answer(request, buffers);
    } catch (error) {
        reply = { broken: String(error?.message ?? error) };
    }
    reply.took = performance.now() - since;
    postMessage({ id: request.id, reply }, buffers);
};
