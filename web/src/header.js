// header.js: what was run, whether to believe it, and what came out: the first screen.
import { describe } from "./band.js";
import { h } from "./dom.js";
import { count, duration, number } from "./format.js";

const KINDS = { run: "Run", compare: "Comparison", analyze: "Analysis", fit: "Fit" };
const MARKS = { good: "✓", warn: "!", bad: "✕", plain: "·" };
const TONE_NAMES = { good: "good", warn: "beware", bad: "bad", plain: "note" };

function copyButton(text) {
    const button = h(
        "button",
        {
            type: "button",
            class: "quiet small",
            "aria-label": "copy the command",
            async onclick() {
                try {
                    await navigator.clipboard.writeText(text);
                    button.textContent = "Copied";
                } catch {
                    getSelection().selectAllChildren(button.previousElementSibling);
                    button.textContent = "Selected";
                }
                setTimeout(() => {
                    button.textContent = "Copy";
                }, 1500);
            },
        },
        "Copy",
    );
    return button;
}

export function banner(data, tools) {
    const made = data.made ? new Date(data.made) : null;
    return h(
        "header",
        {},
        h(
            "div",
            { class: "topline" },
            h(
                "span",
                { class: "brand" },
                "slipstick",
                data.program?.version && h("span", { class: "version" }, ` ${data.program.version}`),
            ),
            h("span", { class: "kind-badge" }, KINDS[data.kind] ?? data.kind),
            made &&
                !Number.isNaN(made.getTime()) &&
                h(
                    "time",
                    { datetime: data.made, class: "muted" },
                    made.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }),
                ),
            h("span", { class: "spring" }),
            tools,
        ),
        h("h1", {}, data.title),
        about(data.about),
        data.command &&
            h(
                "div",
                { class: "command" },
                h("code", { tabindex: 0, "aria-label": "command" }, data.command),
                copyButton(data.command),
            ),
    );
}

// Two lines of what the author says; the rest on demand.
function about(text) {
    if (!text) return null;
    const short = text.length < 260;
    if (short) return h("p", { class: "about" }, text);
    const cut = text.lastIndexOf(" ", 220);
    return h(
        "details",
        { class: "about" },
        h(
            "summary",
            {},
            h("span", { class: "start" }, `${text.slice(0, cut)} …`),
            h("span", { class: "link more-word" }, "more"),
        ),
        h("p", {}, text),
    );
}

// An option is not broken after its dashes.
const whole = (text) =>
    text.split(/(--[a-z][\w-]*)/).map((part) => (part.startsWith("--") ? h("span", { class: "nowrap" }, part) : part));

export function foundList(found) {
    if (!found.length) return null;
    return h(
        "ul",
        { class: "found", "aria-label": "what to read first" },
        found.map(({ tone, text }) =>
            h(
                "li",
                { class: `tone-${tone}` },
                h("span", { class: "mark", role: "img", "aria-label": TONE_NAMES[tone] ?? tone }, MARKS[tone] ?? "·"),
                h("span", {}, whole(text)),
            ),
        ),
    );
}

function fact(name, value, wide = false) {
    return value === null || value === undefined || value === ""
        ? null
        : h("div", { class: wide ? "fact wide" : "fact" }, h("dt", {}, name), h("dd", {}, value));
}

function stepText(summary) {
    if (!Number.isFinite(summary.step)) return null;
    return `${number(summary.step)} s`;
}

// The run in focus, in a dozen numbers.
export function facts(view) {
    if (!view.runs.length) return null;
    const list = h("dl", { class: "facts" });
    function update() {
        const run = view.run;
        const s = run.summary;
        const how = [s.integrator, s.solver].filter(Boolean).join(" + ");
        list.replaceChildren(
            ...[
                fact("Formulation", s.formulation ?? run.name),
                fact(s.solver && !s.integrator ? "Solver" : "Integrator", how),
                fact("Step", stepText(s)),
                fact("Until", Number.isFinite(s.until) ? `${number(s.until)} s` : null),
                fact("Steps", count(s.steps)),
                fact("Samples", count(run.samples)),
                fact("Events", count(run.eventsTotal)),
                fact("Took", Number.isFinite(s.wall_seconds) ? duration(s.wall_seconds) : null),
                fact("Ended", s.outcome && h("span", { class: s.outcome === "done" ? "tone-good" : "tone-bad" }, s.outcome)),
                fact("Verdict", verdictText(run, view.span, view.data.found), true),
            ].filter(Boolean),
        );
    }
    update();
    view.on("run", update);
    return list;
}

// Whether what is read first says it already, perhaps behind a heading of its own ("ambiguous: ...").
function said(found, text) {
    const all = found.map((entry) => entry.text).join("\n");
    return all.includes(text) || all.includes(text.slice(text.indexOf(": ") + 2));
}

function verdictText(run, span, found) {
    const worst = run.summary.verdict?.worst;
    if (!run.time.length) return null;
    if (!worst) return run.band ? describe(run.band, span) : "none needed: its contacts give way";
    const { text } = run.summary.verdict;
    return [h("span", { class: `verdict ${worst}` }, worst), text && !said(found, text) ? ` ${text}` : ""];
}

// Messages and warnings of the run in focus that `found` does not say already.
export function warnings(view) {
    const box = h("div", { class: "warnings" });
    function update() {
        const { message, warnings: list = [] } = view.run?.summary ?? {};
        const texts = [...(message ? [message] : []), ...list].filter((text) => !said(view.data.found, text));
        box.replaceChildren(
            ...(texts.length ? [foundList(texts.map((text) => ({ tone: text === message ? "bad" : "warn", text })))] : []),
        );
    }
    update();
    view.on("run", update);
    return box;
}
