// header.js: what was run, whether to believe it, and what came out: the first screen.
import { describe, doubtfulFrom, horizonOf, wordOf } from "./band.js";
import { h } from "./dom.js";
import { count, duration, number } from "./format.js";

const KINDS = { run: "Run", compare: "Comparison", analyze: "Analysis", fit: "Fit", sweep: "Sweep", cycle: "Cycle" };
const MARKS = { good: "✓", warn: "!", bad: "✕", plain: "·" };
const WARNINGS = 2; // that are shown without asking
const TONE_NAMES = { good: "good", warn: "beware", bad: "bad", plain: "note" };

export function copyButton(text) {
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

const listItem = ({ tone, text }) =>
    h(
        "li",
        { class: `tone-${tone}` },
        h("span", { class: "mark", role: "img", "aria-label": TONE_NAMES[tone] ?? tone }, MARKS[tone] ?? "·"),
        h("span", {}, whole(text)),
    );

const warningsText = (count, of = "") => `${count} more warning${count > 1 ? "s" : ""}${of}`;

// What is there on demand.
const folded = (entries, title) =>
    entries.length > 0 &&
    h(
        "details",
        { class: "folded" },
        h("summary", {}, title),
        h("ul", { class: "found", "aria-label": "more warnings" }, entries.map(listItem)),
    );

// The sentences in their order; of many warnings the first few, the others on demand.
function foundList(found, label = "what to read first") {
    if (!found.length) return [];
    const later = new Set(found.filter(({ tone }) => tone === "warn").slice(WARNINGS));
    const first = found.filter((entry) => !later.has(entry));
    return [
        h("ul", { class: "found", "aria-label": label }, first.map(listItem)),
        folded([...later], warningsText(later.size)),
    ];
}

export const TONE_OF = { trusted: "good", unchecked: "plain", doubtful: "warn", paused: "warn" }; // every other word: bad

// The word for the run in focus and the sentence behind it: in a comparison its row, else what its summary says.
function trustOf(view) {
    const row = view.data.comparison?.formulations?.find((entry) => entry.formulation === view.run?.name);
    const summary = view.run?.summary ?? {};
    const word = wordOf(view);
    const chosen = row && (row.text || view.data.comparison.verdict);
    const text = row ? chosen : word === "trusted" ? (summary.horizon?.text ?? "") : summary.doubt;
    return word ? { word, text } : null;
}

// The same sentence in the list need not be read twice.
const saysTrust = ({ text }, word, sentence) =>
    text === sentence || text === `${word}: ${sentence}.`;

// Where there is no run: what must be read before the result is used, else the first good news.
function worstFinding(found) {
    return ["bad", "warn", "good"].map((tone) => found.find((entry) => entry.tone === tone)).find(Boolean) ?? null;
}

// Whether to believe it, before anything else.
export function verdictCard(view) {
    const card = h("div", { class: "verdict-card" });
    function update() {
        const trust = trustOf(view);
        const worst = worstFinding(view.data.found);
        card.hidden = !trust && !worst;
        if (!trust) {
            card.className = `verdict-card tone-${worst?.tone ?? "plain"}`;
            card.replaceChildren(h("p", {}, whole(worst?.text ?? "")));
            return;
        }
        const { word, text } = trust;
        const from = word === "doubtful" ? doubtfulFrom(view.run) : null;
        card.className = `verdict-card tone-${TONE_OF[word] ?? "bad"}`;
        card.replaceChildren(
            h(
                "p",
                { class: "trust" },
                view.runs.length > 1 && h("span", { class: "trust-of" }, view.run.name),
                h("span", { class: "trust-word" }, word),
                from !== null && h("span", { class: "trust-from" }, `from t = ${number(from)} s`),
            ),
            ...(text ? [h("p", {}, whole(text))] : []),
        );
    }
    update();
    view.on("run", update);
    return card;
}

// What else was found; the verdict card has said its own sentence.
export function otherFindings(view) {
    const trust = trustOf(view);
    const found = view.data.found;
    const worst = worstFinding(found);
    return foundList(found.filter((entry) => (trust ? !saysTrust(entry, trust.word, trust.text) : entry !== worst)));
}

function fact(name, value, wide = false) {
    return value === null || value === undefined || value === ""
        ? null
        : h("div", { class: wide ? "fact wide" : "fact" }, h("dt", {}, name), h("dd", {}, value));
}

const secondsText = (value) => (Number.isFinite(value) ? `${number(value)} s` : null);

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
                fact("Step", secondsText(s.step)),
                fact("Until", secondsText(s.until)),
                fact("Steps", count(s.steps)),
                fact("Samples", count(run.samples)),
                fact("Events", count(run.eventsTotal)),
                fact("Took", Number.isFinite(s.wall_seconds) ? duration(s.wall_seconds) : null),
                fact("Ended", s.outcome),
                fact("Horizon", secondsText(s.horizon?.until)),
                fact("Rigid contacts", run.time.length && run.band ? describe(run.band, view.span) : null, true),
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

// Messages and warnings of the run in focus that `found` does not say already: one of each kind, the others on demand.
export function warnings(view) {
    const box = h("div", { class: "warnings" });
    function update() {
        const { message, doubt, log = [], warnings: plain = [] } = view.run?.summary ?? {};
        const entries = log.length ? log : plain.map((text) => ({ kind: text, text }));
        const open = entries.filter(({ text }) => text !== doubt && !said(view.data.found, text));
        const kinds = new Set(entries.filter(({ text }) => text === doubt || said(view.data.found, text)).map(({ kind }) => kind));
        const first = [];
        const alike = [];
        for (const { kind, text } of open) {
            (kinds.has(kind) ? alike : first).push({ tone: "warn", text });
            kinds.add(kind);
        }
        if (message && message !== doubt && !said(view.data.found, message)) first.unshift({ tone: "bad", text: message });
        box.replaceChildren(
            ...[
                ...foundList(first, "warnings of this run"),
                folded(alike, warningsText(alike.length, " of the same kind")),
            ].filter(Boolean),
        );
    }
    update();
    view.on("run", update);
    return box;
}
