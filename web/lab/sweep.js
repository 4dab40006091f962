// sweep.js: a slider moved through its range, as a diagram that grows while it is computed. With a period the points are stroboscopic:
// where they fall apart there is a bifurcation.
import { axes, padded } from "../src/axes.js";
import { colour } from "../src/colours.js";
import { canvas, h, section, select } from "../src/dom.js";
import { duration } from "../src/format.js";
import { rangeOf } from "./ranges.js";
import { texts } from "./texts.js";

const AT_ONCE = 4; // runs of one call: the diagram grows by these
const RUNS = 150;
const SETTLED = 0.6; // of a run: what comes before is left out
const TRUSTED = 0;

// Values spread over [from, to] in an order that shows the whole range early: halves, quarters, eighths.
export function inOrder(from, to, count) {
    const all = Array.from({ length: count }, (_, k) => from + ((to - from) * k) / Math.max(1, count - 1));
    const order = [];
    const taken = new Set();
    for (let stride = 2 ** Math.ceil(Math.log2(Math.max(1, count))); stride >= 1; stride /= 2)
        for (let k = 0; k < count; k += stride)
            if (!taken.has(k)) {
                taken.add(k);
                order.push(all[k]);
            }
    return order;
}

// Points of one answer: { x, ys per column, trusted }.
function collect(report, into) {
    const { sweep } = report;
    const keys = sweep.varied[0].values;
    const points = sweep.points;
    if (points?.run.length) {
        for (let k = 0; k < points.run.length; k++) {
            const run = points.run[k];
            into.push({ x: keys[run], good: sweep.trust[run] === TRUSTED, at: (name) => points.columns.find((one) => one.name === name)?.values[k] });
        }
        return points.columns.map(({ name }) => name).filter((name) => name !== "t");
    }
    const names = sweep.values.filter(({ name }) => name.startsWith("max ")).map(({ name }) => name.slice(4));
    for (let run = 0; run < keys.length; run++)
        for (const kind of ["min", "max"])
            into.push({
                x: keys[run],
                good: sweep.trust[run] === TRUSTED,
                at: (name) => sweep.values.find((one) => one.name === `${kind} ${name}`)?.values[run],
            });
    return names;
}

function diagram(state) {
    return canvas({
        height: 360,
        label: texts.sweep,
        paint(context, width, height) {
            const shown = state.points.map(({ x, at, good }) => [x, at(state.column), good]).filter(([, y]) => Number.isFinite(y));
            const ys = shown.map(([, y]) => y);
            const low = ys.reduce((a, b) => Math.min(a, b), Infinity);
            const high = ys.reduce((a, b) => Math.max(a, b), -Infinity);
            const place = axes(
                context,
                width,
                height,
                { limits: padded([state.from, state.to], 0.02), label: state.key },
                { limits: ys.length ? padded([low, high]) : [0, 1], label: state.column ?? "" },
            );
            for (const [x, y, good] of shown) {
                context.globalAlpha = good ? 0.8 : 0.25;
                context.fillStyle = colour(good ? "line-0" : "warn");
                context.fillRect(place.x(x) - 1, place.y(y) - 1, 2.2, 2.2);
            }
            context.globalAlpha = 1;
        },
    });
}

const numberField = (label, value, attributes = {}) => h("input", { type: "number", step: "any", "aria-label": label, value, ...attributes });

export function sweepPart(view, session) {
    const { described } = session;
    const keys = (described?.parameters ?? []).filter(({ value }) => Number.isFinite(value));
    if (!keys.length) return [];
    const state = { points: [], column: null, key: keys[0].name, from: 0, to: 1, number: 0 };
    const picture = diagram(state);
    const status = h("span", { role: "status" });
    const columns = h("select", { "aria-label": texts.sweepShow, onchange: () => draw(columns.value) });
    const from = numberField(texts.sweepFrom, 0);
    const to = numberField(texts.sweepTo, 1);
    const count = numberField(texts.sweepCount, RUNS, { min: 2, max: 5000, step: 1 });
    const strobe = numberField(texts.sweepStrobe, "", { min: 0, placeholder: "–", title: texts.sweepStrobeTitle });
    const start = h("button", { type: "button", onclick: () => (state.running ? stop() : go()) }, texts.sweepStart);
    function chosen(k) {
        const { name, value } = keys[k];
        const [low, high] = rangeOf(value, described.distributions.find((one) => one.name === name));
        Object.assign(state, { key: name, from: low, to: high });
        [from.value, to.value] = [low || high / 20, high];
    }
    function draw(column) {
        state.column = column;
        picture.draw();
    }
    function name(all) {
        if (columns.length) return;
        columns.replaceChildren(...all.map((one) => h("option", {}, one)));
        state.column = all[0] ?? null;
    }
    function stop() {
        state.number++;
        state.running = false;
        start.textContent = texts.sweepStart;
        session.stopStudy();
    }
    async function go() {
        const mine = ++state.number;
        const [low, high] = [Number(from.value), Number(to.value)];
        const values = inOrder(low, high, Math.min(5000, Math.max(2, Math.round(Number(count.value)))));
        Object.assign(state, { points: [], from: Math.min(low, high), to: Math.max(low, high), running: true });
        columns.replaceChildren();
        start.textContent = texts.stop;
        const since = performance.now();
        const { formulation, step, until } = session.state;
        const end = until || described.settings.until;
        let doubtful = 0;
        for (let k = 0; k < values.length && state.number === mine; k += AT_ONCE) {
            const reply = await session.study({
                act: "sweep",
                model: session.model,
                key: state.key,
                values: values.slice(k, k + AT_ONCE),
                formulation,
                step,
                until,
                after: SETTLED * end,
                strobe: Number(strobe.value) || 0,
            });
            if (state.number !== mine) return;
            if (!reply.report) {
                status.textContent = (reply.failed ?? reply.mistakes)?.error?.text ?? texts.stopped;
                break;
            }
            name(collect(reply.report, state.points));
            doubtful += reply.report.sweep.trust.reduce((sum, one) => sum + (one !== TRUSTED), 0);
            const done = Math.min(values.length, k + AT_ONCE);
            status.textContent = `${texts.sweepDone(done, values.length, duration((performance.now() - since) / 1000))}${doubtful ? ` ${texts.sweepDoubtful(doubtful)}` : ""}`;
            picture.draw();
        }
        state.running = false;
        start.textContent = texts.sweepStart;
    }
    chosen(0);
    view.on("theme", picture.draw);
    const field = (text, input) => h("label", {}, `${text} `, input);
    return [
        section(
            "sweep",
            texts.sweep,
            { note: texts.sweepNote },
            h(
                "div",
                { class: "sweep-form" },
                field(texts.sweepOver, select(texts.sweepOver, keys.map(({ name: one }) => one), 0, chosen)),
                field(texts.sweepFrom, from),
                field(texts.sweepTo, to),
                field(texts.sweepCount, count),
                h("label", { title: texts.sweepStrobeTitle }, `${texts.sweepStrobe} `, strobe, " s"),
                start,
                field(texts.sweepShow, columns),
            ),
            status,
            picture.element,
        ),
    ];
}
