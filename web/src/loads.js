// loads.js: how hard an element was loaded over a run, from `loads` of the summary. A rigid impact is an impulse: its force
// is not known, or estimated, and never taken from between the impacts.
import { h, numeric, section, table } from "./dom.js";
import { MISSING, number } from "./format.js";

const known = (value) => Number.isFinite(value);
const MOST = 64; // elements with a row of their own

// The largest force as text, and what has to be said about it.
export function largestForce({ force, estimate, estimate_low: low, estimate_high: high, numerical, strikes, unit }) {
    if (known(force)) return { text: number(force), title: "resolved by the run" };
    if (known(estimate))
        return {
            text: `about ${number(estimate, 3)}`,
            title: `estimate by Hertz: ${number(low, 3)} to ${number(high, 3)} ${unit}, by how impacts are damped`,
        };
    if (known(numerical))
        return {
            text: "not known",
            title:
                `${number(numerical)} ${unit} with the stiffness that was chosen for the numbers; ` +
                "give the contact its stiffness, or elastic: {young, poisson, radius}",
        };
    return strikes > 0
        ? { text: "not known", title: "a rigid impact has an impulse and no force; elastic: {young, poisson, radius} allows an estimate" }
        : { text: MISSING, title: "" };
}

const HEAD = [
    "element",
    numeric("largest force, N", "N m where it turns; of the whole run, impacts included"),
    numeric("at, s", "when the largest force acted"),
    numeric("between impacts, N", "largest force outside of rigid impacts"),
    numeric("rms, N", "root mean square over the run"),
    numeric("strikes", "impacts, or touch-downs of compliant contacts"),
    numeric("largest impulse, N s", "of one strike"),
    numeric("under load, s", "closed, or with a force, in all"),
    numeric("friction took, J", "work of its friction"),
    numeric("pressure, MPa", "largest Hertz pressure, where material and curvature are known"),
];

function row(element, load) {
    const largest = largestForce(load);
    const cell = (value) => h("td", { class: "number" }, number(known(value) ? value : NaN));
    return h(
        "tr",
        {},
        h("th", { scope: "row" }, element),
        h("td", { class: "number", title: largest.title }, largest.text),
        cell(load.force_t),
        cell(load.between_impacts),
        cell(load.rms),
        cell(load.strikes),
        cell(load.impulse),
        cell(load.contact_time),
        cell(load.friction_work),
        cell(load.pressure / 1e6),
    );
}

const explain = (loads) =>
    Object.values(loads).some((load) => largestForce(load).text === "not known")
        ? "Where a force is not known, an impact is rigid or has a stiffness chosen for the numbers: pointing at it says what would help."
        : "";

export function elementLoads(view) {
    const loads = () => view.run?.summary.loads ?? {};
    if (!view.runs.some((run) => Object.keys(run.summary.loads ?? {}).length)) return null;
    const place = h("div", { class: "scroll" });
    const note = h("span");
    function fill() {
        const rows = Object.entries(loads()).slice(0, MOST);
        place.replaceChildren(table(HEAD, rows.map(([element, load]) => row(element, load))));
        note.textContent = explain(loads());
    }
    fill();
    view.on("run", fill);
    return section("loads", "Loads", { note }, place);
}
