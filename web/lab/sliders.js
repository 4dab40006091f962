// sliders.js: every number that may be changed: parameters, starts, the run itself. Dragging re-runs at once.
import { h, select } from "../src/dom.js";
import { number } from "../src/format.js";
import { rangeOf, rounded, stepOf, widened } from "./ranges.js";
import { texts } from "./texts.js";

const MANY = 14; // starts that are open without asking

// One number: its name, a slider, a field, a way back.
function row(session, { key, label, unit, value, distribution }) {
    let range = rangeOf(value, distribution);
    const slider = h("input", { type: "range", class: "value-slider", "aria-label": texts.sliderOf(label) });
    const field = h("input", { type: "number", step: "any", class: "value-field", "aria-label": texts.valueOf(label) });
    const back = h("button", { type: "button", class: "quiet small", title: texts.resetOne(label), "aria-label": texts.resetOne(label) }, "↺");
    const element = h(
        "div",
        { class: "value-row", "data-key": key },
        h("span", { class: "value-name", title: key }, label, unit && h("span", { class: "unit" }, ` ${unit}`)),
        slider,
        field,
        back,
    );
    function show(now) {
        range = widened(range, now);
        Object.assign(slider, { min: range[0], max: range[1], step: stepOf(range), value: now });
        slider.setAttribute("aria-valuetext", `${number(now)} ${unit ?? ""}`.trim());
        if (document.activeElement !== field) field.value = rounded(now, 8);
        back.disabled = session.state.sets[key] === undefined;
        element.classList.toggle("set", !back.disabled);
    }
    const take = (now, live) => {
        if (!Number.isFinite(now)) return;
        session.set(key, now, live);
        show(now);
    };
    slider.addEventListener("input", () => take(rounded(Number(slider.value), 8), true));
    slider.addEventListener("change", () => take(rounded(Number(slider.value), 8), false));
    field.addEventListener("input", () => field.value.trim() !== "" && take(Number(field.value), true));
    field.addEventListener("change", () => field.value.trim() !== "" && take(Number(field.value), false));
    back.addEventListener("click", () => {
        session.set(key, null);
        range = rangeOf(value, distribution);
        show(value);
    });
    show(session.state.sets[key] ?? value);
    return { key, element, renew: (next) => show(session.state.sets[key] ?? (value = next)) };
}

function startRows(coordinates) {
    return coordinates
        .filter(({ mass }) => mass)
        .flatMap(({ name, start, rate }) => [
            { key: `coordinates.${name}.start`, label: name, value: start },
            { key: `coordinates.${name}.rate`, label: texts.rateOf(name), value: rate },
        ])
        .filter(({ value }) => Number.isFinite(value));
}

function group(title, rows, open, tools = null) {
    return rows.length > 0 && h("details", { class: "value-group", open }, h("summary", {}, title), tools, rows);
}

// Which formulation, how long, how finely.
function runRows(session, described, formulations) {
    const { settings } = described;
    const usable = formulations.filter(({ accepts }) => !accepts || accepts.includes(settings.kind));
    const names = ["", ...usable.map(({ name }) => name)];
    const choice = select(
        texts.formulation,
        [texts.asModel(settings.formulation), ...usable.map(({ name }) => name)],
        Math.max(0, names.indexOf(session.state.formulation)),
        (k) => session.change({ formulation: names[k] }),
    );
    const field = (label, key, value) => {
        const input = h("input", {
            type: "number",
            step: "any",
            min: 0,
            class: "value-field",
            "aria-label": label,
            placeholder: number(value),
            value: session.state[key] || null,
            onchange: () => session.change({ [key]: Math.max(0, Number(input.value)) || 0 }),
        });
        return h("label", { class: "run-field" }, h("span", {}, label), input, h("span", { class: "unit" }, texts.seconds));
    };
    return [
        h("label", { class: "run-field" }, h("span", {}, texts.formulation), choice),
        field(texts.until, "until", settings.until),
        field(texts.step, "step", settings.step),
    ];
}

// `only` are the parameters that are shown, alone; null: everything that may be changed
export function sliders(session, only = null) {
    const element = h("div", { class: "values" });
    let rows = [];
    let shape = "";
    let formulations = [];

    function build(described) {
        const spread = new Map(described.distributions.map((one) => [one.name, one]));
        const parameters = described.parameters
            .filter(({ name, value }) => Number.isFinite(value) && (!only || only.includes(name)))
            .map(({ name, unit, value }) => row(session, { key: name, label: name, unit, value, distribution: spread.get(name) }));
        const starts = only ? [] : startRows(described.coordinates).map((one) => row(session, one));
        rows = [...parameters, ...starts];
        element.replaceChildren(
            ...[
                parameters.length
                    ? group(texts.sliders, parameters.map((one) => one.element), true)
                    : h("p", { class: "muted" }, texts.noSliders),
                !only && group(texts.starts, starts.map((one) => one.element), !parameters.length && starts.length <= MANY),
                !only && group(texts.runSettings, runRows(session, described, formulations), true),
            ].filter(Boolean),
        );
    }
    function update() {
        const { described } = session;
        if (!described) return;
        const next = JSON.stringify([
            session.state.path,
            described.parameters.map(({ name, unit }) => [name, unit]),
            described.coordinates.map(({ name }) => name),
            described.settings.formulation,
            described.distributions,
        ]);
        if (next !== shape) {
            shape = next;
            build(described);
        }
    }
    // the model's own values may have been edited in its text
    function renew() {
        update();
        const { described, state } = session;
        const values = new Map(described?.parameters.map(({ name, value }) => [name, value]));
        for (const { key, renew: set } of rows) if (values.has(key) && state.sets[key] === undefined) set(values.get(key));
    }
    return {
        element,
        renew,
        rebuild() {
            shape = "";
            update();
        },
        know(language) {
            formulations = language.formulations ?? [];
            shape = "";
            update();
        },
    };
}
