// samples.mjs: reports made up by hand, after web/data.md, so that the page is tested apart from the program.
//
//   node samples.mjs PAGES OUT    writes them all, for looking at

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");
export const f64 = (values) => ({ f64: base64(Float64Array.from(values)) });
export const f32 = (values) => ({ f32: base64(Float32Array.from(values)) });
export const u8 = (values) => ({ u8: base64(Uint8Array.from(values)) });
const range = (count, f) => Array.from({ length: count }, (_, k) => f(k));

const PROGRAM = { version: "0.2.0", compiler: "GNU 12.2.0", build: "Release", HDF5: true };
const MODEL = {
    file: "models/sample/slider.yaml",
    text: `# A slider in a guide with play, made up for the page's tests.\nslipstick: 1\nname: Sample slider\nparameters: {l1: 0.15 m, l2: 0.3 m, mu: 0.1}\n${range(40, (k) => `# line ${k} of a long comment`).join("\n")}\nrun: {formulation: moreau, step: 1 ms, until: 2}\n`,
};

function summary(extra = {}) {
    return {
        format: 1,
        version: "0.2.0",
        model: "Sample slider",
        formulation: "moreau",
        integrator: null,
        solver: "lemke",
        step: 1e-3,
        largest_stable_step: null,
        until: 2,
        steps: 2000,
        rows: 2001,
        events: 12,
        outcome: "done",
        message: "",
        trust: "doubtful",
        doubt: "two resolutions agree to 1 % up to t = 1.5 s of 2 s only",
        horizon: { until: 1.5, accuracy: 0.01, agreement: 0.03, companion: "step 5e-04 s", chaotic: false },
        warnings: [],
        verdict: {
            worst: "ambiguous",
            text: "the contact problem has several solutions for a while",
            seconds: { trusted: 1.6, ambiguous: 0.3, unstable: 0.1, inconsistent: 0, unknown: 0 },
        },
        state: { t: 2, th: 12.2, "th'": 5.8 },
        recorded: { load: 12.5 },
        energy: {
            kinetic: 3.4,
            potential: -0.2,
            start: 4.1,
            work: 0.5,
            friction: 0.9,
            contact: 0,
            impact: 0.48,
            numerical: -0.02,
        },
        measures: { worst_residual: 2.5e-15, penetration: 1.1e-5 },
        settings: {
            relative: 1e-6,
            absolute: 1e-9,
            strict: false,
            parameters: { l1: 0.15, l2: 0.3, mu: 0.1, m: 0.076 },
            constants: { floor: { K: 1e6, alpha: 0.4 } },
        },
        wall_seconds: 0.143,
        peak_bytes: 13430784,
        build: PROGRAM,
        ...extra,
    };
}

// A crank of radius r that drives a block between two walls; forces at the block's corners come and go.
function motion(t, shift) {
    const th = 6 * t + 0.3 * Math.sin(3 * t) + shift;
    const [r, l] = [0.15, 0.3];
    const x = r * Math.cos(th) + Math.sqrt(l * l - (r * Math.sin(th)) ** 2);
    return {
        th,
        rate: 6 + 0.9 * Math.cos(3 * t),
        x,
        pin: [r * Math.cos(th), r * Math.sin(th)],
        load: Math.max(0, 20 * Math.sin(5 * t + shift)),
        other: Math.max(0, -14 * Math.sin(5 * t + shift)),
    };
}

const modeOf = (t, load) => (load === 0 ? 0 : Math.sin(17 * t) > 0.2 ? 1 : 2);

function drawing(frames, until, shift) {
    const values = [];
    for (let k = 0; k < frames; k++) {
        const t = (until * k) / (frames - 1);
        const { x, pin, load, other } = motion(t, shift);
        const [a, b] = [0.05, 0.025];
        values.push(0, 0, pin[0], pin[1], x, 0); // 0: crank and rod
        values.push(x - a, -b, x + a, -b, x + a, b, x - a, b); // 6: block
        values.push(-0.02, 0, 0.02, 0); // 14: ground
        values.push(0.1, 0.027, 0.55, 0.027, 0.1, -0.027, 0.55, -0.027); // 18: guides
        values.push(0, 0, 0.15, motion(t, shift).th); // 26: wheel
        values.push(x - a, b, -0.1 * load, -load, modeOf(t, load)); // 30: force
        values.push(x + a, -b, 0.1 * other, other, modeOf(t, other)); // 35: force
    }
    return {
        dimensions: 2,
        time: f64(range(frames, (k) => (until * k) / (frames - 1))),
        width: 40,
        values: f32(values),
        box: [-0.15, -0.15, 0.55, 0.15],
        shapes: [
            { kind: "circle", name: "wheel", at: 26, style: "thin" },
            { kind: "line", name: "upper guide", at: 18, count: 2, fixed: true },
            { kind: "line", name: "lower guide", at: 22, count: 2, fixed: true },
            { kind: "polygon", name: "slider", at: 6, count: 4 },
            { kind: "line", name: "crank and rod", at: 0, count: 3 },
            { kind: "points", name: "pins", at: 0, count: 3 },
        ],
        forces: [
            { name: "upper", at: 30 },
            { name: "lower", at: 35 },
        ],
    };
}

const BAND = [
    { from: 0, to: 0.7, verdict: "trusted" },
    { from: 0.7, to: 1, verdict: "ambiguous" },
    { from: 1, to: 1.1, verdict: "unstable" },
    { from: 1.1, to: 1.1002, verdict: "inconsistent" },
    { from: 1.1002, to: 1.9, verdict: "trusted" },
    { from: 1.9, to: 2, verdict: "unknown" },
];

function events(count, until) {
    const kinds = ["impact", "contact", "slip", "stick", "open"];
    return range(count, (k) => ({
        t: (until * (k + 0.5)) / count,
        element: k % 2 ? "lower" : "upper",
        kind: kinds[k % 5],
        text: k % 5 === 0 ? `approach ${0.1 * (k + 1)} m/s` : "",
    }));
}

export function sampleRun({
    name = "moreau",
    points = 2001,
    samples = points,
    until = 2,
    shift = 0,
    band = BAND,
    noise = 0,
    summary: extra = {},
    channels: more = [],
} = {}) {
    const time = range(points, (k) => (points > 1 ? (until * k) / (points - 1) : 0));
    const at = time.map((t) => motion(t, shift));
    const wobble = (k) => noise * Math.sin(k * 12.9898) * (k % 977 === 0 ? 8 : 1);
    const kinetic = at.map((m) => 0.1 * m.rate ** 2);
    const channel = (label, unit, group, values) => ({ name: label, unit, group, values: f64(values) });
    return {
        name,
        summary: summary({ formulation: name, ...extra }),
        samples,
        shown: points,
        time: f64(time),
        channels: [
            channel(
                "th",
                "rad",
                "coordinates",
                at.map((m, k) => m.th + wobble(k)),
            ),
            channel(
                "x",
                "m",
                "coordinates",
                at.map((m) => m.x),
            ),
            channel(
                "th'",
                "rad/s",
                "rates",
                at.map((m, k) => m.rate + 10 * wobble(k)),
            ),
            channel(
                "x'",
                "m/s",
                "rates",
                at.map((m) => -0.15 * m.rate * Math.sin(m.th)),
            ),
            channel(
                "load",
                "N",
                "recorded",
                at.map((m) => m.load),
            ),
            channel("kinetic", "J", "energy", kinetic),
            channel(
                "potential",
                "J",
                "energy",
                at.map((m) => 0.3 * Math.sin(m.th)),
            ),
            channel(
                "work",
                "J",
                "energy",
                time.map((t) => 0.25 * t),
            ),
            channel(
                "friction",
                "J",
                "energy",
                time.map((t) => 0.45 * t),
            ),
            channel(
                "contact",
                "J",
                "energy",
                time.map(() => 0),
            ),
            channel(
                "impact",
                "J",
                "energy",
                time.map((t) => (0.24 * Math.floor(t / 0.5)) / 2),
            ),
            channel(
                "numerical",
                "J",
                "energy",
                time.map((t) => -0.01 * t),
            ),
            channel(
                "upper.normal",
                "N",
                "contacts",
                at.map((m) => m.load),
            ),
            channel(
                "upper.friction",
                "N",
                "contacts",
                at.map((m) => -0.1 * m.load),
            ),
            channel(
                "upper.mode",
                "",
                "contacts",
                at.map((m, k) => modeOf(time[k], m.load)),
            ),
            channel(
                "upper.low",
                "N",
                "contacts",
                at.map((m) => 0.4 * m.load),
            ),
            channel(
                "upper.high",
                "N",
                "contacts",
                at.map((m) => 1.5 * m.load),
            ),
            channel(
                "lower.normal",
                "N",
                "contacts",
                at.map((m) => m.other),
            ),
            channel(
                "lower.mode",
                "",
                "contacts",
                at.map((m, k) => modeOf(time[k], m.other)),
            ),
            channel(
                "lower.low",
                "N",
                "contacts",
                at.map((m) => m.other),
            ),
            channel(
                "lower.high",
                "N",
                "contacts",
                at.map((m) => m.other),
            ),
            ...more.map(({ name: label, unit, group, f }) => channel(label, unit, group, time.map(f))),
        ],
        events: events(12, until),
        events_total: 12,
        band,
        contacts: [
            {
                name: "upper",
                normal: "upper.normal",
                friction: "upper.friction",
                mode: "upper.mode",
                low: "upper.low",
                high: "upper.high",
            },
            { name: "lower", normal: "lower.normal", friction: null, mode: "lower.mode", low: "lower.low", high: "lower.high" },
        ],
        drawing: drawing(401, until, shift),
    };
}

const page = (kind, extra) => ({
    format: 1,
    kind,
    title: "Sample slider",
    about: "A slider in a guide with play.",
    command: `slipstick ${kind} sample/slider --report out.html`,
    program: PROGRAM,
    model: MODEL,
    found: [],
    runs: [],
    ...extra,
});

const oneRun = () =>
    page("run", {
        made: "2026-01-31T12:00:00Z",
        found: [
            { tone: "good", text: "Ran to the end: 2 s in 2000 steps." },
            { tone: "warn", text: "For 0.3 s the contact problem had several solutions; the motion there is one of several." },
            { tone: "bad", text: "At 1.1 s the contact problem had no solution: try --formulation auto." },
            { tone: "plain", text: "The scheme itself lost 0.02 J, 0.5 % of what was turned over." },
        ],
        runs: [sampleRun()],
    });

const FORMULATIONS = ["moreau", "dai", "hunt-crossley"];

const compare = () =>
    page("compare", {
        found: [{ tone: "good", text: "moreau is the cheapest formulation to be trusted here." }],
        runs: FORMULATIONS.map((name, k) =>
            sampleRun({
                name,
                shift: 0.06 * k,
                points: 2001 - 300 * k,
                band: k === 0 ? BAND : null,
                summary: k ? { verdict: null } : {},
            }),
        ),
        comparison: {
            format: 1,
            model: "Sample slider",
            step: 1e-3,
            until: 2,
            accuracy: 1e-3,
            scale: 0.7,
            reference: "moreau",
            verdict:
                "moreau is the cheapest formulation to be trusted here: it agrees with the reference to 0.001 at a step of 0.001 s in 0.07 ms",
            formulations: [
                ...FORMULATIONS.map((name, k) => ({
                    formulation: name,
                    applies: true,
                    text: k === 2 ? "a step of 1 ms is near the largest stable one" : "",
                    outcome: "done",
                    trusted: k < 2,
                    trust: k < 2 ? "trusted" : "doubtful",
                    steps: 2000 - 300 * k,
                    seconds: 1e-3 * (k + 1),
                    spread: k * 1e-3,
                    energy_error: 1e-7 * k,
                    penetration: 1e-5,
                    creep: 0,
                    cone_violation: 0,
                    reached: k < 2,
                    accurate_step: 1e-3,
                    accurate_seconds: 7e-5 * (k + 1),
                    end: { th: 12 },
                })),
                { formulation: "gauss", applies: false, text: "contacts that slip in two directions are not taken" },
            ],
        },
    });

// Nothing came of it: the run ended before its first sample.
const nothing = () =>
    page("run", {
        found: [{ tone: "bad", text: "The run ended at once: the mass matrix is singular." }],
        runs: [
            {
                ...sampleRun({
                    points: 0,
                    summary: {
                        outcome: "unsolved",
                        message: "the mass matrix is singular at the start",
                        trust: "ended early",
                        doubt: "the mass matrix is singular at the start",
                        horizon: null,
                        verdict: null,
                        energy: null,
                    },
                }),
                events: [],
                events_total: 0,
                band: null,
                drawing: null,
            },
        ],
    });

const single = () =>
    page("run", {
        found: [{ tone: "warn", text: "Only the start was recorded." }],
        runs: [
            {
                ...sampleRun({ points: 1, summary: { outcome: "stopped", message: "stopped by the user at t = 0", trust: "stopped", doubt: "stopped by the user at t = 0", horizon: null } }),
                events: [],
                events_total: 0,
                band: [{ from: 0, to: 0, verdict: "unknown" }],
                drawing: { ...drawing(2, 2, 0), time: f64([0]) },
            },
        ],
    });

const BIG = 20000;
const big = () =>
    page("run", {
        found: [{ tone: "good", text: "Ran to the end: 1 000 000 samples." }],
        runs: [
            {
                ...sampleRun({
                    points: BIG,
                    samples: 1000001,
                    noise: 0.2,
                    channels: range(60, (k) => ({
                        name: `N${k + 1}`,
                        unit: "N",
                        group: "recorded",
                        f: (t) => Math.max(0, Math.sin((3 + k) * t)),
                    })),
                }),
                events: events(5000, 2),
                events_total: 81234,
                band: range(3000, (k) => ({
                    from: (2 * k) / 3000,
                    to: (2 * (k + 1)) / 3000,
                    verdict: k % 211 === 0 ? "ambiguous" : "trusted",
                })),
                drawing: drawing(2000, 2, 0),
            },
        ],
    });

// A ball that rolls and a box that tumbles, over a floor.
function spaceDrawing() {
    const frames = 240;
    const values = [];
    for (let k = 0; k < frames; k++) {
        const t = (2 * k) / (frames - 1);
        const a = 3 * t;
        values.push(-0.6 + 0.6 * t, 0.2 * Math.sin(2 * t), 0.15, Math.cos(a / 2), 0, Math.sin(a / 2), 0); // 0: sphere
        values.push(0.3, -0.3, 0.25 + 0.2 * Math.abs(Math.cos(4 * t)), Math.cos(t), Math.sin(t), 0, 0); // 7: box
        values.push(-0.3, 0.4, 0.2, Math.cos(0.3), 0, Math.sin(0.3), 0); // 14: capsule
        values.push(0, 0, 0, 1, 0, 0, 0); // 21: plane
        values.push(0.5, 0.4, 0.15, 1, 0, 0, 0); // 28: cylinder
        values.push(-0.6 + 0.6 * t, 0.2 * Math.sin(2 * t), 0, 0.2, 0, 9.81, t < 1 ? 2 : 1); // 35: force
    }
    return {
        dimensions: 3,
        time: f64(range(frames, (k) => (2 * k) / (frames - 1))),
        width: 42,
        values: f32(values),
        box: [-0.8, -0.8, 0, 0.8, 0.8, 0.7],
        shapes: [
            { kind: "plane", name: "floor", at: 21, size: [0.9], fixed: true },
            { kind: "sphere", name: "ball", at: 0, size: [0.15] },
            { kind: "box", name: "block", at: 7, size: [0.2, 0.3, 0.15], style: "accent" },
            { kind: "capsule", name: "rod", at: 14, size: [0.06, 0.4] },
            { kind: "cylinder", name: "post", at: 28, size: [0.08, 0.3], fixed: true },
        ],
        forces: [{ name: "upper", at: 35 }],
    };
}

const space = () =>
    page("run", {
        title: "Ball and block",
        found: [{ tone: "good", text: "Ran to the end." }],
        runs: [{ ...sampleRun(), drawing: spaceDrawing() }],
    });

const map = () => {
    const axes = [
        { name: "th", from: 0.1, to: 3.04, count: 99 },
        { name: "th'", from: -2.5, to: 2.5, count: 101 },
    ];
    const cells = range(99 * 101, (k) => {
        const th = 0.1 + (2.94 * (k % 99)) / 98;
        const rate = -2.5 + (5 * Math.floor(k / 99)) / 100;
        return rate * rate > 2.5 * Math.abs(Math.cos(th)) + 1 ? 1 : th > 0.65 && th < 1.38 ? (rate > 0.6 ? 3 : 2) : 0;
    });
    return page("analyze", {
        title: "Painleve's rod",
        found: [{ tone: "warn", text: "In 19 % of the map there is no solution." }],
        analysis: {
            map: {
                axes,
                classes: ["holds", "vanishes", "none", "unknown"],
                texts: ["every contact stays closed", "a contact opens", "no force is consistent with sliding", "not decided"],
                cells: u8(cells),
                several: u8(cells.map((cell) => (cell === 1 ? 1 : 0))),
            },
            borders: {
                "th'": 0,
                along: "th",
                at: [
                    { at: 0.65235813978436763, before: "holds", after: "none" },
                    { at: 1.382085796011336, before: "none", after: "holds" },
                ],
            },
        },
    });
};

const state = () =>
    page("analyze", {
        title: "Falling rod",
        found: [{ tone: "warn", text: "The contact problem has 3 solutions." }],
        analysis: {
            t: 0,
            verdict: "ambiguous",
            text: "the contact problem has 3 solutions",
            prefer: "compliant",
            p_matrix: null,
            continuum: false,
            solutions: [
                {
                    stability: "stable*",
                    contacts: { tip: { mode: "open", normal: 0, tangent: 0, gap_rate: 13.5, slip_rate: -64 } },
                },
                {
                    stability: "unstable",
                    contacts: { tip: { mode: "slides backward", normal: 2.26, tangent: 2.26, gap_rate: 0, slip_rate: -18.5 } },
                },
            ],
        },
    });

const fit = () => {
    const time = range(300, (k) => k * 0.02);
    const model = time.map((t) => 0.4 * Math.exp(-0.3 * t) * Math.cos(5 * t));
    return page("fit", {
        title: "Swing of a pendulum",
        found: [{ tone: "good", text: "The search converged; 90 % intervals below." }],
        fit: {
            free: ["mu", "b"],
            value: [0.11508497903, 1.29909156],
            error: [0.000113, 0.00134],
            low: [0.11489, 1.29688],
            high: [0.11527, 1.3013],
            profile_low: [null, null],
            profile_high: [null, null],
            correlation: [
                [1, -0.9946],
                [-0.9946, 1],
            ],
            unseen: [],
            at_bound: [],
            condition: 9.65,
            rms: 0.0001256,
            aic: -461.1,
            bic: -457.3,
            residuals: 300,
            iterations: 4,
            runs: 32,
            starts: 1,
            agreed: 1,
            converged: true,
            curves: {
                name: "th",
                unit: "rad",
                time: f64(time),
                measured: f64(model.map((value, k) => value + 0.01 * Math.sin(k * 12.9898) * Math.cos(k * 78.233))),
                model: f64(model),
            },
        },
    });
};

export const samples = { run: oneRun, compare, nothing, single, big, space, map, state, fit };

// As the program does it: the marker replaced, every < escaped.
export function writeSample(name, data, pages, folder) {
    const shell = readFileSync(
        path.join(pages, data.runs.some((run) => run.drawing?.dimensions === 3) ? "page3d.html" : "page.html"),
        "utf8",
    );
    const parts = shell.split("<!--slipstick-data-->");
    if (parts.length !== 2) throw new Error("the marker must stand in the page once");
    const json = JSON.stringify(data).replaceAll("<", "\\u003c");
    const file = path.join(folder, `${name}.html`);
    writeFileSync(file, `${parts[0]}<script type="application/json" id="slipstick-data">${json}</script>${parts[1]}`);
    return file;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    const [, , pages, folder] = process.argv;
    mkdirSync(folder, { recursive: true });
    for (const [name, make] of Object.entries(samples)) writeSample(name, make(), pages, folder);
}
