// keyboard.js: every key and what it does, in one table that also is the help.
import { h } from "./dom.js";

function bindings(view, theme, help) {
    return [
        [[" ", "k"], "Space", "play, pause", () => view.setPlaying(!view.playing)],
        [["ArrowLeft"], "←", "one frame back", () => view.step(-1)],
        [["ArrowRight"], "→", "one frame on", () => view.step(1)],
        [["Shift+ArrowLeft"], "Shift ←", "ten frames back", () => view.step(-10)],
        [["Shift+ArrowRight"], "Shift →", "ten frames on", () => view.step(10)],
        [["Home"], "Home", "to the start", () => view.setTime(view.from)],
        [["End"], "End", "to the end", () => view.setTime(view.to)],
        [["p"], "p", "to the event before", () => view.stepEvent(-1)],
        [["n"], "n", "to the next event", () => view.stepEvent(1)],
        [[","], ",", "slower", () => view.changeSpeed(-1)],
        [["."], ".", "faster", () => view.changeSpeed(1)],
        [["+", "="], "+", "zoom the plots in on the moment", () => view.zoomBy(0.5)],
        [["-"], "−", "zoom out", () => view.zoomBy(2)],
        [["["], "[", "earlier", () => view.pan(-0.25)],
        [["]"], "]", "later", () => view.pan(0.25)],
        [["0"], "0", "the whole run", () => view.setZoom(null)],
        [
            ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
            "1 … 9",
            "focus on that formulation",
            (key) => view.setActive(Number(key) - 1),
        ],
        [["t"], "t", "change the theme", () => theme.next()],
        [["?"], "?", "this help", () => help()],
    ];
}

// Keys that the focused element needs for itself stay with it.
function taken(event) {
    const target = event.target;
    if (target.closest?.("dialog")) return true;
    if (target.isContentEditable || target.matches?.(".value-slider")) return true; // of the laboratory
    if (target.matches?.("select, textarea, input:not([type=range]):not([type=checkbox])")) return true;
    if (event.key === " ") return Boolean(target.closest?.("button, summary, a, input[type=checkbox]"));
    return false;
}

export function keyboard(view, theme) {
    const table = bindings(view, theme, () => dialog.showModal());
    const dialog = h(
        "dialog",
        { class: "help", "aria-labelledby": "help-title" },
        h("h2", { id: "help-title" }, "Keyboard"),
        h(
            "table",
            {},
            h(
                "tbody",
                {},
                table.map(([, shown, text]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, shown)), h("td", {}, text))),
            ),
        ),
        h("form", { method: "dialog" }, h("button", {}, "Close")),
    );
    addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || taken(event)) return;
        const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
        const found = table.find(([keys]) => keys.includes(name));
        if (!found) return;
        event.preventDefault();
        found[3](event.key);
    });
    const button = h(
        "button",
        { type: "button", class: "quiet wide-only", onclick: () => dialog.showModal(), "aria-label": "keyboard help" },
        "Keys ?",
    );
    return { dialog, button };
}
