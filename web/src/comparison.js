// comparison.js: who agrees, who is fast, who gave up.
import { lineColourVariable, lineDash } from "./colours.js";
import { h, section, table } from "./dom.js";
import { TONE_OF } from "./header.js";
import { count, duration, number } from "./format.js";

const text = (name) => ({ text: name, number: true });

function row(view, entry, comparison) {
    const run = view.runs.find(({ name }) => name === entry.formulation);
    const name = run
        ? h(
              "button",
              {
                  type: "button",
                  class: "link",
                  "aria-pressed": run.index === view.active,
                  onclick: () => view.setActive(run.index),
              },
              entry.formulation,
          )
        : entry.formulation;
    const key = h("i", {
        class: "line-key",
        style: run
            ? `--key:${lineColourVariable(run.index)};--dash:${lineDash(run.index).length ? "dashed" : "solid"}`
            : "visibility:hidden",
    });
    if (!entry.applies)
        return h(
            "tr",
            { class: "not-applied" },
            h("th", { scope: "row" }, key, name),
            h("td", { colspan: 9, class: "muted" }, entry.text || "does not take this model"),
        );
    const cell = (value, digits = 3) => h("td", { class: "number" }, number(value, digits));
    return h(
        "tr",
        { class: run && run.index === view.active ? "chosen" : null },
        h(
            "th",
            { scope: "row" },
            key,
            name,
            entry.formulation === comparison.reference && h("span", { class: "tag" }, "reference"),
        ),
        h(
            "td",
            {},
            h(
                "span",
                { class: `trust-tag tone-${TONE_OF[entry.trust] ?? "bad"}` },
                entry.trust,
            ),
        ),
        cell(entry.spread),
        cell(entry.energy_error),
        cell(entry.penetration),
        cell(entry.creep),
        cell(entry.cone_violation),
        h("td", { class: "number" }, count(entry.steps)),
        h("td", { class: "number" }, duration(entry.seconds)),
        h("td", { class: "number" }, entry.reached ? duration(entry.accurate_seconds) : "not reached"),
        entry.text ? h("td", { class: "muted text" }, entry.text) : h("td", {}),
    );
}

export function comparisonTable(view) {
    const { comparison } = view.data;
    if (!comparison?.formulations) return null;
    const box = h("div", { class: "scroll" });
    const head = [
        "formulation",
        "verdict",
        text("spread"),
        text("energy error"),
        text("penetration"),
        text("creep"),
        text("cone violation"),
        text("steps"),
        text("time"),
        text(`time to ${number(comparison.accuracy)}`),
        "",
    ];
    const fill = () =>
        box.replaceChildren(
            table(
                head,
                comparison.formulations.map((entry) => row(view, entry, comparison)),
                { class: "comparison" },
            ),
        );
    fill();
    view.on("run", fill);
    return section(
        "comparison",
        "Comparison",
        {
            note: "Spread is the distance from the reference in units of how far the coordinates move; the last time is what that accuracy costs.",
        },
        comparison.verdict && h("p", { class: "verdict-line" }, comparison.verdict),
        box,
    );
}
