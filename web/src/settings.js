// settings.js: everything in force, so that the run can be had again: settings, parameters, constants, versions, the model.
import { h, section } from "./dom.js";
import { MISSING, number } from "./format.js";

const LONG = 24; // lines of a model that are shown without asking
const MANY = 60; // values under one heading that are shown without asking
const FIRST = 24; // shown of more

function show(value) {
    if (value === null || value === undefined) return MISSING;
    if (typeof value === "number") return number(value, 7);
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (Array.isArray(value)) return value.map(show).join(", ");
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}

// { a: 1, b: { c: 2 } } as rows "a 1", "b.c 2"
function flat(object, prefix = "") {
    return Object.entries(object ?? {}).flatMap(([name, value]) =>
        value !== null && typeof value === "object" && !Array.isArray(value)
            ? flat(value, `${prefix}${name}.`)
            : [[`${prefix}${name}`, value]],
    );
}

function pairTable(rows, units) {
    const row = ([name, value]) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, name),
            h("td", {}, show(value), units[name] && h("span", { class: "unit" }, ` ${units[name]}`)),
        );
    return h("table", {}, h("tbody", {}, rows.map(row)));
}

// Names and values. Of very many, as of the states of a heap, the first are shown and the others are there on demand.
export function pairs(title, object, units = {}) {
    const rows = flat(object).filter(([, value]) => !(Array.isArray(value) && !value.length));
    if (!rows.length) return null;
    const first = rows.length > MANY ? FIRST : rows.length;
    return h(
        "div",
        { class: "pairs" },
        h("h3", {}, title),
        pairTable(rows.slice(0, first), units),
        first < rows.length &&
            h("details", { class: "folded" }, h("summary", {}, `${rows.length - first} more`), pairTable(rows.slice(first), units)),
    );
}

function inForce(summary) {
    const { settings = {}, formulation, integrator, solver, step, until, largest_stable_step: stable } = summary;
    const { parameters, parameter_units: units, constants, ...rest } = settings; // these have headings of their own
    return {
        formulation,
        integrator: integrator ?? "none",
        solver: solver ?? "none",
        "step, s": step,
        "largest stable step, s": stable ?? null,
        "until, s": until,
        ...rest,
    };
}

export function settings(view) {
    const grid = h("div", { class: "pairs-grid" });
    function update() {
        const summary = view.run?.summary;
        grid.replaceChildren(
            ...[
                summary && pairs("Run", inForce(summary)),
                pairs("Parameters", summary?.settings?.parameters, summary?.settings?.parameter_units),
                pairs("Constants of the formulation", summary?.settings?.constants),
                pairs("Checked during the run", summary?.measures),
                pairs("State at the end", summary?.state, { t: "s", ...summary?.units }),
                pairs("Recorded at the end", summary?.recorded, summary?.units),
                pairs("Program", view.data.program ?? summary?.build),
            ].filter(Boolean),
        );
    }
    update();
    view.on("run", update);
    if (!grid.childElementCount) return null;
    return section("settings", view.runs.length ? "Settings" : "Version", {}, grid);
}

// Comments stand back; nothing else is coloured.
function modelText(text) {
    return text.split("\n").map((line, index) => {
        const hash = line.search(/(^|\s)#/);
        const place = h("span", { class: "line-number", "aria-hidden": true }, String(index + 1));
        if (hash < 0) return h("span", { class: "code-line" }, place, line, "\n");
        return h(
            "span",
            { class: "code-line" },
            place,
            line.slice(0, hash),
            h("span", { class: "comment" }, line.slice(hash)),
            "\n",
        );
    });
}

export function model(data) {
    if (!data.model?.text) return null;
    const lines = data.model.text.trimEnd();
    const total = lines.split("\n").length;
    const code = h("pre", { class: "model", tabindex: 0, "aria-label": "model text" }, h("code", {}, modelText(lines)));
    return section(
        "model",
        "Model",
        { note: data.model.file && h("code", {}, data.model.file) },
        total <= LONG ? code : h("details", { class: "long" }, h("summary", {}, `${total} lines`), code),
    );
}
