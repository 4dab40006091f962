// sweep.js: many runs: a diagram or a map of what was kept, its distribution, bands over time. Each point is a run with its verdict and the
// command that makes it alone.
import { axes, circle, clicked, padded, spread } from "./axes.js";
import { colour } from "./colours.js";
import { limits, unpack } from "./data.js";
import { canvas, h, section, select, table } from "./dom.js";
import { count, number, percent } from "./format.js";
import { copyButton } from "./header.js";
import { ramp, Sweep, TRUST, UNCHECKED } from "./sweep_data.js";

const REACH = 14; // px from a point at which it is met
const MARK = { trusted: 2.2, other: 3 };

// A choice among names, with its label before it.
const choice = (label, names, chosen, changed) => h("label", {}, `${label} `, select(label, names, chosen, changed));

// What is known of one run, and how to make it again.
function details(sweep) {
    const box = h("div", { class: "run-details", role: "status" }, h("p", { class: "muted" }, "Choose a point to see its run."));
    function show(k) {
        const facts = [
            ["run", count(sweep.number[k])],
            ...sweep.varied.map(({ name, values }) => [name, number(values[k], 6)]),
            ["verdict", TRUST[sweep.trust[k]]],
            ["horizon", Number.isNaN(sweep.horizon[k]) ? "not looked for" : `${number(sweep.horizon[k])} s of ${number(sweep.t[k])} s`],
            ["events", sweep.eventsOf(k)],
        ];
        const command = sweep.commandOf(k);
        box.replaceChildren(
            table(
                null,
                facts.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "number" }, value))),
                { class: "facts-table" },
            ),
            ...(sweep.texts[k] ? [h("p", {}, sweep.texts[k])] : []),
            command
                ? h("div", { class: "command" }, h("code", { tabindex: 0 }, command), copyButton(command))
                : h("p", { class: "muted" }, "It began where the run before it ended, so it cannot be made alone."),
        );
    }
    return { box, show };
}

function mark(context, x, y, sweep, run) {
    const doubted = sweep.isDoubted(run);
    circle(context, x, y, doubted ? MARK.other : MARK.trusted);
    context.fillStyle = colour(sweep.trust[run] === UNCHECKED ? "muted" : "line-0");
    if (doubted) context.stroke();
    else context.fill();
}

// Dots over what was varied: a bifurcation diagram where there are points. Returns what finds the run of a click.
function paintDots(context, width, height, sweep, x, y) {
    const across = sweep.varied[x];
    const place = axes(
        context,
        width,
        height,
        { limits: padded(limits(across.values, 0, across.values.length) ?? [0, 1], 0.03), label: across.name },
        { limits: padded(limits(y.values, 0, y.values.length) ?? [0, 1]), label: y.name },
    );
    const dots = [];
    context.strokeStyle = colour("warn");
    y.values.forEach((value, k) => {
        const run = y.run ? y.run[k] : k;
        const dot = { run, x: place.x(across.values[run]), y: Number.isFinite(value) ? place.y(value) : place.box.bottom };
        if (!Number.isFinite(value) && !sweep.isDoubted(run)) return;
        dots.push(dot);
        if (Number.isFinite(value)) mark(context, dot.x, dot.y, sweep, run);
    });
    context.strokeStyle = colour("bad"); // no answer: a stroke at the foot
    context.beginPath();
    sweep.trust.forEach((trust, run) => {
        if (trust < 2 || trust === UNCHECKED) return;
        const at = place.x(across.values[run]);
        context.moveTo(at, place.box.bottom);
        context.lineTo(at, place.box.bottom - 9);
    });
    context.stroke();
    return (event) => clicked(event, dots, REACH)?.run ?? null;
}

// Where the cells of values in order end: half way to the next one.
function borders(values) {
    const middles = values.slice(1).map((value, k) => (values[k] + value) / 2);
    const last = values.length - 1;
    const [first, end] = last > 0 ? [values[1] - values[0], values[last] - values[last - 1]] : [1, 1];
    return [values[0] - first / 2, ...middles, values[last] + end / 2];
}

// The scale of colours, right of the frame.
function paintRamp(context, { right, top, bottom }, [low, high]) {
    for (let k = 0; k < 100; k++) {
        context.fillStyle = ramp(k / 99);
        context.fillRect(right + 14, bottom - ((k + 1) * (bottom - top)) / 100, 12, (bottom - top) / 100 + 0.6);
    }
    context.fillStyle = colour("muted");
    context.textAlign = "left";
    context.fillText(number(high), right + 30, top + 8);
    context.fillText(number(Math.abs(low) < 1e-12 * (high - low) ? 0 : low), right + 30, bottom - 4);
}

// A grid of two axes in colours; what is not trusted has a stroke through it. Returns what finds the run of a click.
function paintMap(context, width, height, sweep, y) {
    const [a, b] = sweep.varied;
    const [columns, rows] = [a, b].map(({ values }) => [...new Set(values)].sort((p, q) => p - q));
    const [across, up] = [columns, rows].map(borders);
    const span = (edges) => [edges[0], edges[edges.length - 1]];
    const place = axes(context, width - 90, height, { limits: span(across), label: a.name }, { limits: span(up), label: b.name });
    const [low, high] = limits(y.values, 0, y.values.length) ?? [0, 1];
    const { left, right, top, bottom } = place.box;
    const [column, row] = [
        across.map((edge) => left + ((right - left) * (edge - across[0])) / (across[columns.length] - across[0])),
        up.map((edge) => bottom - ((bottom - top) * (edge - up[0])) / (up[rows.length] - up[0])),
    ];
    const cells = new Map();
    const [atColumn, atRow] = [columns, rows].map((list) => new Map(list.map((value, k) => [value, k])));
    y.values.forEach((value, k) => {
        const run = y.run ? y.run[k] : k;
        const [i, j] = [atColumn.get(a.values[run]), atRow.get(b.values[run])];
        if (cells.has(j * columns.length + i)) return; // the first sample stands for all
        cells.set(j * columns.length + i, run);
        const [px, py, wide, tall] = [column[i], row[j + 1], column[i + 1] - column[i], row[j] - row[j + 1]];
        context.fillStyle = Number.isFinite(value) ? ramp((value - low) / (high - low || 1)) : colour("open");
        context.fillRect(px, py, wide + 0.5, tall + 0.5);
        if (!sweep.isDoubted(run)) return;
        context.strokeStyle = colour("ink");
        context.beginPath();
        context.moveTo(px, py + tall);
        context.lineTo(px + wide, py);
        context.stroke();
    });
    paintRamp(context, place.box, [low, high]);
    return (event) => {
        const rect = event.currentTarget.getBoundingClientRect();
        const [px, py] = [event.clientX - rect.left, event.clientY - rect.top];
        const [i, j] = [column.findIndex((edge) => px < edge) - 1, row.findIndex((edge) => py > edge) - 1];
        return i >= 0 && j >= 0 ? (cells.get(j * columns.length + i) ?? null) : null;
    };
}

function diagram(view, sweep) {
    const shown = sweep.shown();
    const info = details(sweep);
    let [x, y] = [0, 0];
    let find = () => null;
    const isMap = () => sweep.axes > 1 && !shown[y].run;
    const chart = canvas({
        height: 430,
        label: "runs",
        paint(context, width, height) {
            const over = isMap() ? `${sweep.varied[0].name} and ${sweep.varied[1].name}` : sweep.varied[x].name;
            chart.element.setAttribute("aria-label", `${shown[y].name} over ${over}, ${count(sweep.shownCount)} runs`);
            find = isMap() ? paintMap(context, width, height, sweep, shown[y]) : paintDots(context, width, height, sweep, x, shown[y]);
        },
    });
    chart.element.addEventListener("click", (event) => {
        const run = find(event);
        if (run !== null) info.show(run);
    });
    view.on("theme", () => chart.draw());
    if (sweep.shownCount) info.show(Math.max(0, sweep.trust.findIndex((trust) => trust !== 0)));
    const tools = [
        choice("Show", shown.map(({ name, run }) => (run ? `${name} (points)` : name)), y, (k) => {
            y = k;
            chart.draw();
        }),
        sweep.varied.length > 1 &&
            (sweep.axes < 2 || sweep.points) &&
            choice("over", sweep.varied.map(({ name }) => name), x, (k) => {
                x = k;
                chart.draw();
            }),
    ];
    const note = `${count(sweep.shownCount)}${sweep.count > sweep.shownCount ? ` of ${count(sweep.count)}` : ""} runs; ${sweep.trustText(percent)}.`;
    return section("diagram", "Runs", { note, tools }, h("div", { class: "map-grid" }, h("div", {}, chart.element), info.box));
}

// Counts of values in equal bins, of trusted runs and of others.
function binned(sweep, values, [low, high]) {
    const bins = Math.max(8, Math.min(60, Math.round(Math.sqrt(values.length))));
    const [good, bad] = [new Array(bins).fill(0), new Array(bins).fill(0)];
    values.forEach((value, k) => {
        if (!Number.isFinite(value)) return;
        const bin = Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins));
        (sweep.trust[k] === 0 ? good : bad)[bin]++;
    });
    return { bins, good, bad };
}

function paintBars(context, width, height, sweep, { name, values }, limit) {
    const [low, high] = padded(limits(values, 0, values.length), 0);
    const { bins, good, bad } = binned(sweep, values, [low, high]);
    const most = Math.max(1, ...good.map((n, k) => n + bad[k]));
    const place = axes(context, width, height, { limits: [low, high], label: name }, { limits: [0, most * 1.05], label: "runs" });
    for (let k = 0; k < bins; k++) {
        const [from, to] = [place.x(low + (k * (high - low)) / bins), place.x(low + ((k + 1) * (high - low)) / bins)];
        context.fillStyle = colour("line-0");
        context.fillRect(from + 0.5, place.y(good[k]), to - from - 1, place.y(0) - place.y(good[k]));
        context.fillStyle = colour("warn");
        context.fillRect(from + 0.5, place.y(good[k] + bad[k]), to - from - 1, place.y(good[k]) - place.y(good[k] + bad[k]));
    }
    context.strokeStyle = colour("ink");
    context.beginPath();
    context.moveTo(place.x(limit), place.box.top);
    context.lineTo(place.x(limit), place.box.bottom);
    context.stroke();
}

// How often a value occurs; what is not trusted stands on top in another colour.
function distribution(view, sweep) {
    const values = sweep.values.filter(({ values: all }) => limits(all, 0, all.length));
    if (!values.length || sweep.shownCount < 10) return null;
    let at = 0;
    let limit = NaN;
    const sentence = h("p", { class: "map-readout", role: "status" });
    const chart = canvas({
        height: 240,
        label: "histogram",
        paint(context, width, height) {
            chart.element.setAttribute("aria-label", `histogram of ${values[at].name}`);
            paintBars(context, width, height, sweep, values[at], limit);
        },
    });
    function say() {
        const all = values[at].values;
        const share = sweep.probability(all, limit);
        const bounds = `; between ${number(share.low, 3)} and ${number(share.high, 3)} whatever the ${count(share.open)} runs that are not trusted would have given`;
        sentence.textContent = `P(${values[at].name} ≤ ${number(limit)}) = ${number(share.all, 3)}${share.open ? `, by all runs that have a value${bounds}` : ""}.`;
        chart.draw();
    }
    const input = h("input", {
        type: "number",
        step: "any",
        "aria-label": "limit",
        oninput: (event) => {
            if (event.target.value === "") return;
            limit = Number(event.target.value);
            say();
        },
    });
    function reset() {
        const finite = values[at].values.filter(Number.isFinite).sort((p, q) => p - q);
        limit = Number(finite[Math.floor(finite.length / 2)].toPrecision(4));
        input.value = limit;
        say();
    }
    reset();
    view.on("theme", () => chart.draw());
    const tools = [
        choice("Value", values.map(({ name }) => name), at, (k) => {
            at = k;
            reset();
        }),
        h("label", {}, "at most ", input),
    ];
    return section("distribution", "Distribution", { note: "Runs that are not trusted stand on top.", tools }, chart.element, sentence);
}

// The median as a line, with bands that hold 50 and 90 % around it.
function paintBands(context, width, height, times, rows, name) {
    const place = axes(
        context,
        width,
        height,
        { limits: [times[0].t, times[times.length - 1].t], label: "t, s" },
        { limits: spread(rows.flat()), label: name },
    );
    const between = (low, high, alpha) => {
        context.beginPath();
        times.forEach(({ t }, k) => context.lineTo(place.x(t), place.y(rows[k][low])));
        [...times.keys()].reverse().forEach((k) => context.lineTo(place.x(times[k].t), place.y(rows[k][high])));
        context.closePath();
        context.globalAlpha = alpha;
        context.fillStyle = colour("line-0");
        context.fill();
        context.globalAlpha = 1;
    };
    between(0, 4, 0.18);
    between(1, 3, 0.3);
    context.strokeStyle = colour("line-0");
    context.lineWidth = 1.8;
    context.beginPath();
    times.forEach(({ t }, k) => context.lineTo(place.x(t), place.y(rows[k][2])));
    context.stroke();
}

// Quantiles of a column at the times that the runs share.
function bands(view, sweep) {
    const times = sweep.sharedTimes();
    if (!times) return null;
    const columns = sweep.points.columns.slice(1);
    let at = 0;
    const chart = canvas({
        height: 280,
        label: "quantiles",
        paint(context, width, height) {
            const { name, values } = columns[at];
            chart.element.setAttribute("aria-label", `quantiles of ${name} over time`);
            paintBands(context, width, height, times, times.map(({ members }) => sweep.quantiles(values, members)), name);
        },
    });
    view.on("theme", () => chart.draw());
    const tools = choice("Column", columns.map(({ name }) => name), at, (k) => {
        at = k;
        chart.draw();
    });
    return section(
        "bands",
        "Over time",
        { note: `Median, and bands that hold 50 and 90 % of the runs; ${percent(sweep.untrusted / sweep.shownCount)} of them are not to be trusted.`, tools },
        chart.element,
    );
}

export function sweepParts(view) {
    if (!view.data.sweep) return [];
    const sweep = new Sweep(view.data.sweep, unpack);
    return [diagram(view, sweep), distribution(view, sweep), bands(view, sweep)];
}
