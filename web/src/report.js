// report.js: puts the page together: what was run and whether to believe it first, then what happened, then the details.
import { analysisParts } from "./analysis.js";
import { comparisonTable } from "./comparison.js";
import { contactForces } from "./contacts.js";
import { cycleParts } from "./cycle.js";
import { planeParts } from "./plane.js";
import { read } from "./data.js";
import { h } from "./dom.js";
import { eventsTable } from "./events.js";
import { fitParts } from "./fit.js";
import { banner, facts, otherFindings, verdictCard, warnings } from "./header.js";
import { keyboard } from "./keyboard.js";
import { energyLedger } from "./ledger.js";
import { elementLoads } from "./loads.js";
import { phasePortrait } from "./phase.js";
import { timePlots } from "./plots.js";
import { model, settings } from "./settings.js";
import { stage } from "./stage.js";
import { sweepParts } from "./sweep.js";
import { themeButton } from "./theme.js";
import { transport } from "./transport.js";
import { View } from "./view.js";

function contents(parts) {
    return h(
        "nav",
        { "aria-label": "parts of the report" },
        [...parts].map((part) => h("a", { href: `#${part.id}` }, part.querySelector("h2").textContent)),
    );
}

// Two parts share the width where there is enough of it.
function beside(left, right) {
    return left && right ? [h("div", { class: "side-by-side" }, left, right)] : [left, right];
}

function body(view, stage3d) {
    const data = view.data;
    const said = [...otherFindings(view), view.runs.length ? warnings(view) : null, facts(view)].filter(Boolean);
    const screen = h(
        "div",
        { class: view.runs.length ? "first" : "first alone" },
        verdictCard(view),
        stage(view, stage3d),
        said.length ? h("div", { class: "summary" }, said) : null,
    );
    const parts = [
        comparisonTable(view),
        ...analysisParts(view),
        ...fitParts(view),
        ...sweepParts(view),
        ...cycleParts(view),
        ...planeParts(view),
        timePlots(view),
        ...beside(phasePortrait(view), energyLedger(view)),
        contactForces(view),
        elementLoads(view),
        eventsTable(view),
        settings(view),
        model(data),
    ].filter(Boolean);
    const main = h("main", {}, parts);
    return [
        contents(main.querySelectorAll("section")),
        screen,
        transport(view),
        main,
        h("footer", {}, "Made by slipstick. This file holds everything it shows; it loads nothing."),
    ];
}

export function start(stage3d) {
    const page = document.getElementById("page");
    const source = document.getElementById("slipstick-data");
    try {
        if (!source) throw new Error("there is no data in it");
        const data = read(JSON.parse(source.textContent));
        if (data.format > 1) throw new Error(`its data have format ${data.format}, and this page knows format 1`);
        const view = new View(data);
        const theme = themeButton(view);
        const keys = keyboard(view, theme);
        document.title = `${data.title} · slipstick`;
        page.replaceChildren(banner(data, [keys.button, theme.button]), ...body(view, stage3d).filter(Boolean), keys.dialog);
    } catch (error) {
        page.replaceChildren(h("p", { class: "fatal", role: "alert" }, `This report cannot be shown: ${error.message}`));
        throw error;
    }
}
