// fit.js: measured data under the model, what is left, and the parameters with their uncertainty.
import { colour, lineColour } from "./colours.js";
import { unpack } from "./data.js";
import { h, numeric, section, table } from "./dom.js";
import { number } from "./format.js";
import { TimePlot } from "./plot.js";
import { pairs } from "./settings.js";

function parameters(fit) {
    const profiled = fit.profile_low?.some((value) => value !== null);
    const columns = [
        ["value", "what fits the data best"],
        ["standard error", "standard deviation of the value, from the curvature of the sum of squares"],
        ["low", "lower end of the confidence interval"],
        ["high", "upper end of the confidence interval"],
        ...(profiled
            ? [
                  ["profile low", "lower end of the interval found by refitting the other parameters"],
                  ["profile high", "upper end of the interval found by refitting the other parameters"],
              ]
            : []),
    ];
    const head = ["parameter", ...columns.map(([text, title]) => numeric(text, title))];
    const rows = fit.free.map((name, k) =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, name),
            ["value", "error", "low", "high", ...(profiled ? ["profile_low", "profile_high"] : [])].map((key) =>
                h("td", { class: "number" }, number(fit[key]?.[k], key === "value" ? 7 : 5)),
            ),
        ),
    );
    return h("div", { class: "scroll" }, table(head, rows, { class: "fit" }));
}

// |correlation| as the strength of a tint: pairs that the data cannot tell apart stand out.
function correlations({ free, correlation }) {
    if (!(free?.length > 1) || !correlation) return null;
    return h(
        "div",
        { class: "pairs" },
        h("h3", {}, "Correlation"),
        h(
            "table",
            { class: "correlation" },
            h(
                "thead",
                {},
                h(
                    "tr",
                    {},
                    h("td"),
                    free.map((name) => h("th", { scope: "col", class: "number" }, name)),
                ),
            ),
            h(
                "tbody",
                {},
                free.map((name, row) =>
                    h(
                        "tr",
                        {},
                        h("th", { scope: "row" }, name),
                        free.map((other, column) => {
                            const value = correlation[row]?.[column];
                            return h(
                                "td",
                                {
                                    class: "number",
                                    style: row === column ? null : `--strength:${Math.round(32 * Math.abs(value ?? 0))}%`,
                                },
                                number(value, 3),
                            );
                        }),
                    ),
                ),
            ),
        ),
    );
}

function curvePlots(view, curves) {
    const time = unpack(curves.time);
    const measured = unpack(curves.measured);
    const model = unpack(curves.model);
    const residual = measured.map((value, k) => value - model[k]);
    const unit = curves.unit ? h("span", { class: "unit" }, curves.unit) : null;
    const key = h(
        "span",
        { class: "key" },
        h("span", {}, h("i", { class: "dot-key" }), "measured"),
        h("span", {}, h("i", { class: "line-key", style: "--key:var(--line-1)" }), "model"),
    );
    const over = new TimePlot(view, {
        height: 260,
        label: `${curves.name}, measured and model`,
        curves: () => [
            { xs: time, ys: measured, colour: lineColour(0), dots: true },
            { xs: time, ys: model, colour: lineColour(1) },
        ],
    });
    const left = new TimePlot(view, {
        height: 150,
        label: `residuals of ${curves.name}`,
        include: [0],
        curves: () => [{ xs: time, ys: residual, colour: colour("muted"), dots: true, stems: true }],
    });
    const head = (name, ...more) =>
        h("div", { class: "plot-head" }, h("span", { class: "plot-name" }, name), unit?.cloneNode(true), more);
    return h(
        "div",
        {},
        h("div", { class: "plot-row" }, head(curves.name, key), over.element),
        h("div", { class: "plot-row" }, head("measured − model"), left.element),
    );
}

export function fitParts(view) {
    const { fit } = view.data;
    if (!fit) return [];
    const all = [fit.curves]
        .flat()
        .filter(Boolean)
        .map((curves) => curvePlots(view, curves));
    const { free, value, error, low, high, profile_low: a, profile_high: b, correlation, curves, ...rest } = fit;
    return [
        section(
            "parameters",
            "Parameters found",
            { note: fit.converged === false ? "The search did not converge." : null },
            h(
                "div",
                { class: "fit-grid" },
                free && parameters(fit),
                correlations(fit),
                pairs(
                    "Quality",
                    Object.fromEntries(Object.entries(rest).filter(([, entry]) => !Array.isArray(entry) || entry.length)),
                ),
            ),
        ),
        all.length && section("fit", "Data and model", { note: "Drag to zoom, double-click for all." }, all),
    ].filter(Boolean);
}
