// analysis.js: the contact problem itself: its solutions at a state, its borders, its map.
import { h, numeric, section, table } from "./dom.js";
import { domainMap } from "./map.js";
import { number } from "./format.js";
import { pairs } from "./settings.js";

function solutions(analysis) {
    const names = [...new Set(analysis.solutions.flatMap((solution) => Object.keys(solution.contacts ?? {})))];
    const rows = analysis.solutions.flatMap((solution, index) =>
        names.map((name, k) => {
            const contact = solution.contacts[name] ?? {};
            return h(
                "tr",
                { class: k === 0 ? "group" : null },
                k === 0 && h("th", { scope: "row", rowspan: names.length }, `${index + 1}`),
                k === 0 &&
                    h(
                        "td",
                        {
                            rowspan: names.length,
                            class: String(solution.stability).startsWith("stable") ? "tone-good" : "tone-bad",
                        },
                        solution.stability,
                    ),
                h("td", {}, name),
                h("td", {}, contact.mode),
                ["normal", "tangent", "gap_rate", "slip_rate"].map((key) => h("td", { class: "number" }, number(contact[key]))),
            );
        }),
    );
    const head = [
        "solution",
        { text: "stability", title: "whether a thin compliant layer at the contacts would settle on this solution" },
        "contact",
        { text: "does", title: "what the contact does in this solution: opens, sticks or slides" },
        numeric("normal, N", "normal force of the contact"),
        numeric("tangent, N", "friction force of the contact"),
        numeric("gap, m/s²", "acceleration with which the gap opens"),
        numeric("slip, m/s²", "acceleration of the slip"),
    ];
    return h("div", { class: "scroll" }, table(head, rows, { class: "solutions" }));
}

function borders(found) {
    if (!found?.at?.length) return null;
    const rows = found.at.map(({ at, before, after }) =>
        h("tr", {}, h("td", { class: "number" }, number(at, 7)), h("td", {}, before), h("td", {}, after)),
    );
    return h(
        "div",
        { class: "borders" },
        h("h3", {}, `Borders along ${found.along}`),
        table(
            [
                numeric(found.along, "value at which the answer changes"),
                { text: "below", title: "what the contact problem has for smaller values" },
                { text: "above", title: "what it has for larger ones" },
            ],
            rows,
        ),
    );
}

function state(analysis) {
    const facts = pairs("Contact problem", {
        "better formulation": analysis.prefer,
        "P-matrix": analysis.p_matrix,
        continuum: analysis.continuum,
    });
    return section(
        "solutions",
        "Solutions",
        { note: Number.isFinite(analysis.t) ? `At t = ${number(analysis.t)} s.` : null },
        analysis.verdict &&
            h(
                "p",
                { class: "verdict-line" },
                h("span", { class: `verdict ${analysis.verdict}` }, analysis.verdict),
                ` ${analysis.text ?? ""}`,
            ),
        solutions(analysis),
        h("div", { class: "pairs-grid" }, facts),
    );
}

// What has a picture or a table of its own gets it; the rest is listed by name.
export function analysisParts(view) {
    const { analysis } = view.data;
    if (!analysis) return [];
    const { map, borders: found, solutions: list, ...rest } = analysis;
    const drawn = map?.axes?.length === 2 && map.cells;
    const others = list ? null : pairs("Found", drawn ? rest : { ...rest, map });
    return [
        drawn && domainMap(view, map, borders(found)),
        list && state(analysis),
        (others || (found && !drawn)) &&
            section("analysis", "Analysis", {}, h("div", { class: "pairs-grid" }, others, drawn ? null : borders(found))),
    ].filter(Boolean);
}
