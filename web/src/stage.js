// stage.js: the frame around the animation: its colours explained, its buttons; in the plane or in space.
import { stage2d } from "./draw2d.js";
import { empty, h, tool } from "./dom.js";
import { OPEN } from "./forces.js";
import { firstPlot } from "./plots.js";
import { modeKeys } from "./strips.js";

const HEIGHT = 380;

function key(dimensions, bounded) {
    return h(
        "div",
        { class: "key stage-key" },
        modeKeys(),
        bounded && h("span", { title: "the motion does not determine this force" }, h("i", { class: "open-force" }), "not unique"),
        h("span", { class: "hint wide-only" }, dimensions === 3 ? "drag to turn" : "drag to shift, double-click for all"),
    );
}

// A button that stays pressed; act() says whether it is.
function toggle(text, label, act) {
    const button = tool(text, label, () => button.setAttribute("aria-pressed", act()));
    button.setAttribute("aria-pressed", false);
    return button;
}

// Whether forces may be drawn that the motion does not determine.
const mayBeOpen = ({ contacts, summary }) =>
    contacts.some(({ low }) => low !== null && low !== undefined) || (summary.notes ?? []).some(({ kind }) => kind === OPEN);

// A model without a drawing shows its first curve there, and how to add one.
function plotInstead(view) {
    const plot = firstPlot(view, 300);
    const coordinate = view.run.channels[0]?.name ?? "x";
    return h(
        "div",
        { class: "stage plain" },
        plot,
        h(
            "p",
            { class: "hint-draw" },
            "This model has no drawing. To see it move, say what it looks like, for example ",
            h("code", {}, `draw: {mass: {circle: [${coordinate}, 0, 0.1]}}`),
            " (centre and radius); docs/model.md lists the shapes. Bodies with shapes are drawn as they are.",
        ),
    );
}

export function stage(view, stage3d) {
    if (!view.runs.length) return null;
    const first = view.runs.find((run) => run.drawing?.frames);
    if (!first)
        return view.runs.some((run) => run.time.length > 1)
            ? plotInstead(view)
            : h("div", { class: "stage none" }, empty("Nothing to draw: no sample was recorded."));
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
    return h(
        "div",
        { class: "stage" },
        inside.element,
        h(
            "div",
            { class: "stage-tools buttons", role: "group", "aria-label": "view of the animation" },
            inside.views?.map(([text, label, act]) => tool(text, label, act)),
            inside.toggles?.map(([text, label, act]) => toggle(text, label, act)),
            tool("+", "Closer", () => inside.zoom(1.4)),
            tool("−", "Farther", () => inside.zoom(1 / 1.4)),
            tool("Fit", "Fit all", () => inside.reset()),
        ),
        first.drawing.forces.length > 0 && key(dimensions, mayBeOpen(first)),
    );
}
