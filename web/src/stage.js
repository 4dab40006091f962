// stage.js: the frame around the animation: its colours explained, its buttons; in the plane or in space.
import { stage2d } from "./draw2d.js";
import { empty, h } from "./dom.js";

const HEIGHT = 380;

function key(dimensions) {
    return h(
        "div",
        { class: "key stage-key" },
        ["stick", "slip", "impact", "open"].map((mode) => h("span", {}, h("i", { class: `swatch mode-${mode}` }), mode)),
        h("span", { class: "hint wide-only" }, dimensions === 3 ? "drag to turn" : "drag to shift, double-click for all"),
    );
}

export function stage(view, stage3d) {
    if (!view.runs.length) return null;
    const first = view.runs.find((run) => run.drawing?.frames);
    if (!first)
        return h(
            "div",
            { class: "stage none" },
            empty(
                view.runs.some((run) => run.time.length)
                    ? "The model says nothing to draw."
                    : "Nothing to draw: no sample was recorded.",
            ),
        );
    const { dimensions } = first.drawing;
    let inside;
    try {
        inside = dimensions === 3 ? stage3d?.(view, HEIGHT) : stage2d(view, HEIGHT);
    } catch {
        inside = null; // a browser without WebGL
    }
    if (!inside)
        return h(
            "div",
            { class: "stage none" },
            empty(dimensions === 3 ? "This browser cannot draw in space (no WebGL)." : "Nothing to draw."),
        );
    const tool = (text, label, act) => h("button", { type: "button", title: label, "aria-label": label, onclick: act }, text);
    return h(
        "div",
        { class: "stage" },
        inside.element,
        h(
            "div",
            { class: "stage-tools buttons", role: "group", "aria-label": "view of the animation" },
            inside.views?.map(([text, label, act]) => tool(text, label, act)),
            tool("+", "Closer", () => inside.zoom(1.4)),
            tool("−", "Farther", () => inside.zoom(1 / 1.4)),
            tool("Fit", "Fit all", () => inside.reset()),
        ),
        first.drawing.forces.length > 0 && key(dimensions),
    );
}
