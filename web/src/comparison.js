// comparison.js: who agrees, who is fast, who gave up.
import { lineColourVariable, lineDash } from "./colours.js";
import { h, lineKey, numeric, section, table } from "./dom.js";
import { TONE_OF } from "./header.js";
import { count, duration, number } from "./format.js";

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
    const key = run
        ? lineKey(lineColourVariable(run.index), lineDash(run.index))
        : h("i", { class: "line-key", style: "visibility:hidden" });
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
        {
            text: "verdict",
            title: "trusted: reached the end without a warning and stays within 1 % of the reference; doubtful: the last column says why",
        },
        numeric("spread", "largest difference of a coordinate from the reference at the end of the run"),
        numeric("energy error", "energy that the scheme itself made or lost, over the largest energy of the run"),
        numeric("penetration, m", "deepest overlap of two bodies"),
        numeric("creep, m/s", "largest slip speed of a contact that should stick, averaged over a stick phase"),
        numeric("cone violation, N", "largest amount by which a friction force exceeded its limit"),
        numeric("steps", "steps that the run took"),
        numeric("time", "processor time of the run at the common step"),
        numeric(`time to ${number(comparison.accuracy)}`, "processor time once the step is small enough for this accuracy"),
        { text: "why", title: "the first warning, how the run ended, or why the formulation does not apply" },
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
            note: "Spread is the largest difference of a coordinate from the reference at the end of the run. Rest the pointer on a heading for what it means.",
        },
        comparison.verdict && h("p", { class: "verdict-line" }, comparison.verdict),
        box,
    );
}
