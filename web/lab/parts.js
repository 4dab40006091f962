// parts.js: the parts of a report around the run of the laboratory. They are built once for a model and filled again for each run; only
// when there are other channels, contacts or formulations are they built anew.
import { comparisonTable } from "../src/comparison.js";
import { contactForces } from "../src/contacts.js";
import { eventsTable } from "../src/events.js";
import { facts, otherFindings, verdictCard, warnings } from "../src/header.js";
import { h, section } from "../src/dom.js";
import { energyLedger } from "../src/ledger.js";
import { phasePortrait } from "../src/phase.js";
import { forgetPlots } from "../src/plot.js";
import { timePlots } from "../src/plots.js";
import { settings } from "../src/settings.js";
import { stage } from "../src/stage.js";
import { transport } from "../src/transport.js";

// What the parts were built for.
const shapeOf = (data) =>
    JSON.stringify([
        data.kind,
        data.title,
        data.runs.map((run) => [
            run.name,
            run.time.length > 1,
            run.channels.map(({ name, unit }) => [name, unit]),
            run.contacts.map(({ name }) => name),
            run.drawing && [run.drawing.dimensions, run.drawing.shapes.map(({ kind, at, name }) => [kind, at, name])],
        ]),
    ]);

// Findings come and go with the runs.
function findings(view) {
    const box = h("div", { class: "findings" });
    const fill = () => box.replaceChildren(...otherFindings(view).filter(Boolean));
    fill();
    view.on("run", fill);
    return box;
}

// Browsers keep few contexts of WebGL: the one of a stage that goes is given back.
function releaseContext(place) {
    place.querySelector("canvas")?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
}

export class Parts {
    constructor(view, stage3d, extra) {
        Object.assign(this, { view, stage3d, extra });
        this.head = h("div", { class: "lab-head" });
        this.stage = h("div", { class: "stage-place" });
        this.transport = h("div", { class: "transport-place" });
        this.after = h("div", { class: "lab-after" });
        this.shape = "";
    }

    show(data) {
        const shape = shapeOf(data);
        if (shape === this.shape && data.kind !== "compare") return this.view.replace(data);
        this.shape = shape;
        forgetPlots();
        this.view.renew(data);
        return this.build();
    }

    build() {
        const { view } = this;
        this.head.replaceChildren(verdictCard(view));
        releaseContext(this.stage);
        this.stage.replaceChildren(...[stage(view, this.stage3d)].filter(Boolean));
        this.transport.replaceChildren(...[transport(view)].filter(Boolean));
        const parts = [
            comparisonTable(view),
            ...this.extra(view),
            timePlots(view),
            phasePortrait(view),
            energyLedger(view),
            contactForces(view),
            eventsTable(view),
            section("summary", "What was found", {}, findings(view), warnings(view), facts(view)),
            settings(view),
        ].filter(Boolean);
        this.after.replaceChildren(h("main", {}, parts));
        view.tell("built");
    }
}
