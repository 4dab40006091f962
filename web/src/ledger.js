// ledger.js: where the energy went. The ledger closes by definition; what no part accounts for is the scheme's own.
import { colour } from "./colours.js";
import { empty, h, numeric, section, table } from "./dom.js";
import { number, percent } from "./format.js";
import { TimePlot } from "./plot.js";

// name, sign in  start + work - friction - contact - impact + numerical = kinetic + potential, what it is
const TERMS = [
    ["work", 1, "by forces and moving guides"],
    ["friction", -1, "by friction"],
    ["contact", -1, "by contacts that give way"],
    ["impact", -1, "by impacts"],
    ["numerical", 1, "by the scheme itself"],
];
const CURVES = ["kinetic", "potential", "work", "friction", "contact", "impact", "numerical"];

const energyColour = (name) => colour(`energy-${name}`);

// A bar from a to b on a line that runs from low to high.
function bar(a, b, [low, high], kind) {
    const place = (value) => (100 * (value - low)) / (high - low || 1);
    const left = Math.min(place(a), place(b));
    return h(
        "td",
        { class: "bar-cell" },
        h(
            "div",
            { class: "bars" },
            h("div", { class: `bar ${kind}`, style: `left:${left}%;width:${Math.abs(place(a) - place(b))}%` }),
        ),
    );
}

function rows(view) {
    const run = view.run;
    const energy = run.summary.energy;
    const at = (name) => run.valueAt(run.channel(name), view.time);
    // running totals give the bars their places
    let level = energy.start;
    const levels = [0, level];
    const steps = TERMS.map(([name, sign, text]) => {
        const from = level;
        level += sign * (energy[name] ?? 0);
        levels.push(level);
        return { name, sign, text, from, to: level };
    });
    const range = [Math.min(...levels), Math.max(...levels)];
    const cells = (whole, now) => [h("td", { class: "number" }, number(whole)), h("td", { class: "number now" }, number(now))];
    const end = (energy.kinetic ?? 0) + (energy.potential ?? 0);
    return [
        h(
            "tr",
            {},
            h("th", { scope: "row" }, "start"),
            cells(energy.start, energy.start),
            bar(0, energy.start, range, "level"),
            h("td", { class: "muted" }, "kinetic + potential"),
        ),
        steps
            .filter(({ name }) => energy[name] !== 0 || name === "numerical")
            .map(({ name, sign, text, from, to }) =>
                h(
                    "tr",
                    {},
                    h("th", { scope: "row" }, `${sign > 0 ? "+" : "−"} ${name}`),
                    cells(energy[name], at(name)),
                    bar(from, to, range, `term-${name}`),
                    h("td", { class: "muted" }, text),
                ),
            ),
        h(
            "tr",
            { class: "total" },
            h("th", { scope: "row" }, "= end"),
            cells(end, at("kinetic") + at("potential")),
            bar(0, end, range, "level"),
            h("td", { class: "muted" }, `kinetic ${number(energy.kinetic)}, potential ${number(energy.potential)}`),
        ),
    ];
}

function judgement(energy) {
    const turned = Math.max(
        Math.abs(energy.kinetic ?? 0),
        Math.abs(energy.work ?? 0),
        energy.friction + energy.contact + energy.impact,
        Math.abs((energy.start ?? 0) - (energy.potential ?? 0)),
    );
    if (!(turned > 0)) return "No energy was turned over.";
    return `The scheme itself ${energy.numerical > 0 ? "made" : "lost"} ${number(Math.abs(energy.numerical), 3)} J, ${percent(Math.abs(energy.numerical) / turned)} of what was turned over.`;
}

export function energyLedger(view) {
    if (!view.runs.length) return null;
    const body = h("div", { class: "ledger" });
    const note = h("span");
    const plotted = (run) =>
        CURVES.filter(
            (name) =>
                run?.channel(name) &&
                (name === "kinetic" ||
                    name === "potential" ||
                    run
                        .channel(name)
                        .limits()
                        ?.some((value) => value !== 0)),
        );
    const key = h("span", { class: "key" });
    let table_ = null;

    const plot =
        view.runs.some((run) => plotted(run).length && run.time.length) &&
        new TimePlot(view, {
            height: 190,
            label: "energies over time",
            include: [0],
            curves: () =>
                plotted(view.run).map((name) => ({
                    xs: view.run.time,
                    ys: view.run.channel(name).values,
                    colour: energyColour(name),
                    span: true,
                })),
        });
    function fill() {
        const energy = view.run.summary.energy;
        note.textContent = energy ? judgement(energy) : "";
        key.replaceChildren(
            ...plotted(view.run).map((name) =>
                h("span", {}, h("i", { class: "line-key", style: `--key:var(--energy-${name})` }), name),
            ),
        );
        if (!energy) {
            body.replaceChildren(
                empty(
                    view.run.time.length
                        ? "This model has no masses, so no energies."
                        : "No sample was recorded, so there is no energy to tell of.",
                ),
            );
            table_ = null;
            return;
        }
        table_ = table(
            [
                { text: "" },
                numeric("whole run, J", "from the start to the end of the run"),
                numeric("at the moment, J", "from the start to the moment that the time bar shows"),
                { text: "" },
                { text: "" },
            ],
            rows(view),
            { class: "ledger-table" },
        );
        body.replaceChildren(table_);
    }
    fill();
    view.on("run", fill);
    view.on("time", () => {
        if (table_) table_.tBodies[0].replaceChildren(...rows(view).flat());
    });
    return section(
        "energy",
        "Energy",
        { note },
        h("div", { class: "scroll" }, body),
        plot &&
            h(
                "div",
                { class: "plot-row" },
                h(
                    "div",
                    { class: "plot-head" },
                    h("span", { class: "plot-name" }, "energy"),
                    h("span", { class: "unit" }, "J"),
                    key,
                ),
                plot.element,
            ),
    );
}
