// messages.js: mistakes of the text, and how a run goes: each where the reader looks for it.
import { h } from "../src/dom.js";
import { duration } from "../src/format.js";
import { LIMIT } from "./session.js";
import { texts } from "./texts.js";

const SHOW = 0.25; // s: shorter runs show no progress
const SURE = 0.8; // s of a run from which its length can be told

// Mistakes of the model's own text are under their places; all are listed below it.
export function messageList(session, editor) {
    const list = h("ul", { class: "messages", "aria-live": "polite", "aria-label": texts.mistakesLabel });
    const ofText = ({ file }) => file === session.state.path;
    const item = (one) =>
        h(
            "li",
            {},
            one.line > 0 && ofText(one)
                ? h("button", { type: "button", class: "link", onclick: () => editor.goTo(one) }, texts.line(one.line, one.column))
                : one.file,
            ": ",
            h("span", { class: one.severity }, one.text),
            one.hint && h("span", { class: "hint-text" }, one.hint),
        );
    function show(all, otherwise) {
        editor.mark(all.filter(ofText));
        list.replaceChildren(...(all.length ? all.map(item) : otherwise));
    }
    session.on("mistakes", ({ diagnostics = [], error }) =>
        show(diagnostics, [h("li", { class: "error" }, error?.text ?? texts.unknownMistake)]),
    );
    session.on("failed", ({ error }) => show([], [h("li", { class: "error" }, [error?.where, error?.text].filter(Boolean).join(": "))]));
    session.on("report", () => show(session.described?.said?.diagnostics ?? [], []));
    return list;
}

export function statusLine(session) {
    const words = h("span");
    const bar = h("progress", { max: 1, value: 0, hidden: true, "aria-label": texts.running });
    const stop = h("button", { type: "button", class: "small", hidden: true, onclick: () => session.stop() }, texts.stop);
    const more = h("button", { type: "button", class: "small", hidden: true, onclick: () => session.unlimited() }, texts.noLimit);
    const element = h("div", { class: "status-line", role: "status" }, words, bar, stop, more);
    function say(text, bad = false) {
        words.textContent = text;
        element.classList.toggle("bad", bad);
        for (const one of [bar, stop, more]) one.hidden = true;
    }
    session.on("progress", (fraction, passed, whole) => {
        if (passed < SHOW) return;
        const long = passed > SURE && whole > LIMIT && session.limit > 0;
        element.classList.remove("bad");
        words.textContent = long
            ? texts.tooLong(duration(whole), duration(session.limit))
            : passed > SURE
              ? texts.runningLong(duration(whole))
              : texts.running;
        bar.value = Number.isFinite(fraction) ? fraction : 0;
        [bar.hidden, stop.hidden, more.hidden] = [false, false, !long];
    });
    session.on("report", (report, sketch) => say(sketch ? texts.checking : texts.took(duration(session.took / 1000))));
    session.on("mistakes", ({ diagnostics = [] }) => say(texts.mistakes(Math.max(1, diagnostics.length)), true));
    session.on("failed", () => say(texts.failed, true));
    session.on("stopped", () => say(texts.stopped, true));
    session.on("broken", (what) => say(texts.broken(what), true));
    return { element, say };
}
