// cycle.js: periodic motions: the branch diagram with its stability, multipliers on the unit circle, the motion in the phase plane. A point
// that is chosen in the diagram is shown in the others.
import { axes, circle, clicked, FONT, spread } from "./axes.js";
import { colour, lineColour } from "./colours.js";
import { unpack } from "./data.js";
import { canvas, empty, h, numeric, section, select, table } from "./dom.js";
import { count, number } from "./format.js";

const REACH = 18; // px from a point at which it is met
const SPECIAL = {
    fold: ["F", "the branch turns back: two orbits meet"],
    doubling: ["D", "a multiplier passes −1: an orbit of twice the period branches off"],
    torus: ["T", "a pair of multipliers passes the unit circle (Neimark-Sacker)"],
    branching: ["X", "another branch crosses: a symmetry is lost, or two branches meet"],
    hopf: ["H", "the orbit shrinks to an equilibrium"],
    grazing: ["G", "a contact is touched without speed"],
    stop: ["S", "a sliding contact that reverses begins to stick, or the opposite"],
    sticking: ["S", "a sliding contact comes to rest on the way"],
    border: ["B", "the events of the orbit change"],
    end: ["E", "the branch could not be followed further"],
};

// The motion over a period, unpacked when it is looked at.
function orbitOf(point, width) {
    point.unpacked ??= unpack(point.orbit);
    const rows = Math.floor(point.unpacked.length / width);
    return { rows, at: (row, column) => point.unpacked[row * width + column] };
}

// What can be drawn upwards: extremes of every state, and the period.
function measures(cycle) {
    const list = cycle.states.flatMap((name, k) => [
        { name: `greatest ${name}`, of: (point) => point.high?.[k] ?? NaN },
        { name: `least ${name}`, of: (point) => point.low?.[k] ?? NaN },
    ]);
    return [...list, { name: "period, s", of: (point) => point.period ?? NaN }];
}

const NOISE = 1e-9; // of the state that goes furthest: what goes less far is 0 with rounding

// A wall may keep an extreme where it is along the whole of a branch, and a state may be 0 but for rounding: both tell nothing.
const varies = (cycle, { of }) => {
    const furthest = Math.max(...cycle.branches.flatMap(({ points }) => points.flatMap(({ high, low }) => (high ?? []).map((top, k) => top - low[k]))), 0);
    return cycle.branches.every(({ points }) => {
        const values = points.map(of).filter(Number.isFinite);
        const least = Math.max(1e-2 * Math.max(...values.map(Math.abs)), NOISE * furthest);
        return values.length < 2 || Math.max(...values) - Math.min(...values) > least;
    });
};

// a special point that is not reached itself lies where the branch ends
const place = (branch, k) => (branch.points[k].period === undefined && k > 0 ? k - 1 : k);

function paintBranches(context, width, height, cycle, measure, chosen) {
    const all = cycle.branches.flatMap((branch) => branch.points.filter((point) => point.period !== undefined));
    const at = axes(
        context,
        width,
        height,
        { limits: spread(cycle.branches.flatMap((branch) => branch.points.map((point) => point.value))), label: cycle.along },
        { limits: spread(all.map(measure.of)), label: measure.name },
    );
    const dots = [];
    cycle.branches.forEach((branch, b) => {
        context.strokeStyle = lineColour(b);
        for (let k = 0; k + 1 < branch.points.length; k++) {
            const [p, q] = [branch.points[place(branch, k)], branch.points[place(branch, k + 1)]];
            context.setLineDash(p.stable && q.stable ? [] : [5, 4]);
            context.lineWidth = p.stable && q.stable ? 2.6 : 1.3;
            context.beginPath();
            context.moveTo(at.x(p.value), at.y(measure.of(p)));
            context.lineTo(at.x(q.value), at.y(measure.of(q)));
            context.stroke();
        }
        branch.points.forEach((point, k) => {
            const [x, y] = [at.x(point.value), at.y(measure.of(branch.points[place(branch, k)]))];
            if (point.period !== undefined) dots.push({ b, k, x, y });
            if (point.special) letter(context, x, y, SPECIAL[point.special]?.[0] ?? "?");
        });
    });
    context.setLineDash([]);
    const point = cycle.branches[chosen.b].points[chosen.k];
    circle(context, at.x(point.value), at.y(measure.of(point)), 6);
    context.lineWidth = 2;
    context.strokeStyle = colour("ink");
    context.stroke();
    return dots;
}

function letter(context, x, y, text) {
    context.setLineDash([]);
    context.font = `bold ${FONT}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    circle(context, x, y, 8);
    context.fillStyle = colour("panel");
    context.fill();
    context.lineWidth = 1.2;
    context.strokeStyle = colour("ink");
    context.stroke();
    context.fillStyle = colour("ink");
    context.fillText(text, x, y + 0.5);
}

// Multipliers on the complex plane; those far outside are drawn at the edge, with their size beside them.
function paintCircle(context, width, height, point) {
    const side = Math.min(width, height);
    const [cx, cy, unit] = [width / 2, height / 2, side / 2 / 1.55];
    context.font = FONT;
    context.strokeStyle = colour("grid");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(cx - 1.45 * unit, cy);
    context.lineTo(cx + 1.45 * unit, cy);
    context.moveTo(cx, cy - 1.45 * unit);
    context.lineTo(cx, cy + 1.45 * unit);
    context.stroke();
    context.strokeStyle = colour("ink");
    context.lineWidth = 1.5;
    circle(context, cx, cy, unit);
    context.stroke();
    context.fillStyle = colour("muted");
    context.textBaseline = "top";
    context.textAlign = "left";
    context.fillText("1", cx + unit + 4, cy + 4);
    context.textAlign = "right";
    context.fillText("−1", cx - unit - 4, cy + 4);
    for (const [re, im] of point.multipliers ?? []) {
        const size = Math.hypot(re, im);
        const far = size > 1.4 ? 1.4 / size : 1;
        const [x, y] = [cx + re * far * unit, cy - im * far * unit];
        circle(context, x, y, 5);
        context.fillStyle = size < 1 - 1e-9 ? colour("good") : size > 1 + 1e-6 ? colour("bad") : colour("ink");
        context.fill();
        if (far < 1) {
            context.textAlign = re < 0 ? "left" : "right";
            context.fillText(number(re, 4), x, y + 9);
        }
    }
}

// The motion in the plane of two of its columns, with its events.
function paintOrbit(context, width, height, cycle, point, [x, y]) {
    const wide = cycle.states.length + 1;
    const names = ["t, s", ...cycle.states];
    const orbit = orbitOf(point, wide);
    const column = (k) => Array.from({ length: orbit.rows }, (_, row) => orbit.at(row, k));
    const at = axes(
        context,
        width,
        height,
        { limits: spread(column(x)), label: names[x] },
        { limits: spread(column(y)), label: names[y] },
    );
    context.strokeStyle = lineColour(0);
    context.lineWidth = 1.8;
    context.setLineDash(point.stable ? [] : [5, 4]);
    context.beginPath();
    for (let row = 0; row < orbit.rows; row++) {
        const [px, py] = [at.x(orbit.at(row, x)), at.y(orbit.at(row, y))];
        if (row) context.lineTo(px, py);
        else context.moveTo(px, py);
    }
    context.stroke();
    context.setLineDash([]);
    for (const event of point.events ?? []) {
        const state = [event.t, ...event.before];
        circle(context, at.x(state[x]), at.y(state[y]), 4);
        context.fillStyle = colour(event.kind === "impact" ? "bad" : "warn");
        context.fill();
    }
    circle(context, at.x(orbit.at(0, x)), at.y(orbit.at(0, y)), 4.5);
    context.strokeStyle = colour("ink");
    context.lineWidth = 1.5;
    context.stroke();
}

const complex = ([re, im]) => (im === 0 ? number(re, 7) : `${number(re, 7)} ${im < 0 ? "−" : "+"} ${number(Math.abs(im), 7)} i`);

// What is known of the orbit that is chosen.
function details(cycle, box, point) {
    const facts = [
        ...(cycle.along ? [[cycle.along, number(point.value, 10)]] : []),
        ["period", `${number(point.period, 9)} s`],
        ["stability", point.stable ? "stable" : "unstable"],
        ["multipliers", (point.multipliers ?? []).map((pair) => h("div", {}, complex(pair)))],
        ...(point.trivial ? [["always 1", `${count(point.trivial)} of them, for every orbit`]] : []),
        ...(point.zeros ? [["exactly 0", `${count(point.zeros)} of them: what sticks forgets its past`]] : []),
        ["events", point.signature || "none"],
        ["work", `${number(point.work)} J; friction takes ${number(point.friction)} J, impacts ${number(point.impact)} J`],
    ];
    box.replaceChildren(
        table(
            null,
            facts.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value))),
            { class: "facts-table" },
        ),
    );
}

// Special points in words; a press on one shows its orbit.
function specialTable(cycle, choose) {
    const rows = cycle.branches.flatMap((branch, b) =>
        branch.points.flatMap((point, k) =>
            point.special
                ? [
                      h(
                          "tr",
                          {},
                          h("td", {}, SPECIAL[point.special]?.[0] ?? ""),
                          h(
                              "td",
                              {},
                              h("button", { type: "button", class: "quiet small", onclick: () => choose(b, place(branch, k)) }, point.special),
                          ),
                          h("td", { class: "number" }, number(point.value, 11)),
                          h("td", {}, SPECIAL[point.special]?.[1] ?? ""),
                          h("td", {}, branch.origin || "the first branch"),
                      ),
                  ]
                : [],
        ),
    );
    const head = ["", "point", numeric(cycle.along), "what happens", "branch"];
    return section(
        "special",
        "Special points",
        { note: cycle.branches.map((branch) => branch.text).join("; ") },
        rows.length ? table(head, rows, {}) : empty("There is none on the way."),
    );
}

function diagram(view, cycle, chosen, listeners, choose) {
    const list = measures(cycle);
    let measure = list[Math.max(0, list.findIndex((each) => varies(cycle, each)))];
    let dots = [];
    const chart = canvas({
        height: 420,
        label: `branches of periodic motions over ${cycle.along}: ${cycle.branches.length} of them`,
        paint(context, width, height) {
            dots = paintBranches(context, width, height, cycle, measure, chosen);
        },
    });
    chart.element.addEventListener("click", (event) => {
        const best = clicked(event, dots, REACH);
        if (best) choose(best.b, best.k);
    });
    listeners.push(chart.draw);
    view.on("theme", chart.draw);
    const tools = select("vertical axis", list.map(({ name }) => name), list.indexOf(measure), (k) => {
        measure = list[k];
        chart.draw();
    });
    const note = "Solid: stable; dashed: unstable. Choose a point to see its orbit below.";
    return section("branches", "Branches", { note, tools }, chart.element);
}

export function cycleParts(view) {
    const cycle = view.data.cycle;
    if (!cycle?.branches.some((branch) => branch.points.some((point) => point.period !== undefined))) return [];
    const chosen = { b: 0, k: 0 };
    const listeners = [];
    const point = () => cycle.branches[chosen.b].points[chosen.k];
    const choose = (b, k) => {
        Object.assign(chosen, { b, k });
        for (const listener of listeners) listener();
    };
    const box = h("div", { class: "run-details", role: "status" });
    const tell = () => details(cycle, box, point());
    listeners.push(tell);
    tell();

    const circle = canvas({
        height: 320,
        label: "multipliers and the unit circle",
        paint: (context, width, height) => paintCircle(context, width, height, point()),
    });
    const names = ["t, s", ...cycle.states];
    const pair = [1, 1 + cycle.states.length / 2];
    const orbit = canvas({
        height: 390,
        label: "the motion over a period in the phase plane",
        paint: (context, width, height) => paintOrbit(context, width, height, cycle, point(), pair),
    });
    listeners.push(circle.draw, orbit.draw);
    view.on("theme", () => {
        circle.draw();
        orbit.draw();
    });
    const axis = (label, which) =>
        select(label, names, pair[which], (k) => {
            pair[which] = k;
            orbit.draw();
        });
    const multipliers = section(
        "multipliers",
        "Multipliers",
        { note: "Inside the circle disturbances die out; outside they grow." },
        circle.element,
        box,
    );
    const motion = section(
        "orbit",
        "The motion over a period",
        { note: "Dots: impacts and other events; ring: the point that is given.", tools: h("span", { class: "axes-choice" }, axis("vertical axis", 1), " over ", axis("horizontal axis", 0)) },
        orbit.element,
    );
    const both = h("div", { class: "side-by-side" }, motion, multipliers);
    return cycle.along ? [diagram(view, cycle, chosen, listeners, choose), both, specialTable(cycle, choose)] : [both];
}
