// events.js: what happened when; a row takes the page to its moment.
import { placeOf } from "./data.js";
import { empty, h, numeric, section, table } from "./dom.js";
import { clockTime, count } from "./format.js";

const HEAD = [
    numeric("t, s", "when it happened; under a fixed step, the end of the step in which it was seen"),
    { text: "element", title: "contact or friction it happened to" },
    { text: "kind", title: "a contact closes, opens, strikes; a friction begins to slip or to stick; the run warns" },
    { text: "what", title: "how fast the gap closed, and the impulse of an impact; or what the run has to say" },
];
const FIRST = 200;

export function eventsTable(view) {
    if (!view.runs.length) return null;
    let words = "";
    let kinds = new Set();
    let all = false;
    const search = h("input", {
        type: "search",
        placeholder: "Filter events",
        "aria-label": "filter events",
        oninput: () => {
            words = search.value.trim().toLowerCase();
            fill();
        },
    });
    const chips = h("div", { class: "kinds", role: "group", "aria-label": "kinds of events" });
    const body = h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "events" });
    const note = h("span");
    let shown = [];

    const fits = (event) =>
        (!kinds.size || kinds.has(event.kind)) &&
        (!words || `${event.element} ${event.kind} ${event.text}`.toLowerCase().includes(words));

    function row(event) {
        return h(
            "tr",
            { "data-kind": event.kind },
            h(
                "td",
                { class: "number" },
                h(
                    "button",
                    { type: "button", class: "link", title: "Go to this moment", onclick: () => view.setTime(event.t) },
                    clockTime(event.t, view.span / 1000),
                ),
            ),
            h("td", {}, event.element),
            h("td", {}, h("span", { class: "mode" }, h("i", { class: `swatch event-${event.kind}` }), event.kind)),
            h("td", { class: "text" }, event.text),
        );
    }
    function fill() {
        const run = view.run;
        shown = run.events.filter(fits);
        const part = all ? shown : shown.slice(0, FIRST);
        note.textContent = eventNote(run, shown.length);
        if (!shown.length)
            body.replaceChildren(
                empty(
                    run.events.length
                        ? "No event fits the filter."
                        : "Nothing happened: no contact opened, closed, stuck or slipped.",
                ),
            );
        else body.replaceChildren(table(HEAD, part.map(row), { class: "events" }));
        if (part.length < shown.length)
            body.append(
                h(
                    "button",
                    {
                        type: "button",
                        class: "more",
                        onclick: () => {
                            all = true;
                            fill();
                        },
                    },
                    `Show all ${count(shown.length)}`,
                ),
            );
        mark();
    }
    function fillKinds() {
        const present = [...new Set(view.run.events.map((event) => event.kind))].sort();
        kinds = new Set([...kinds].filter((kind) => present.includes(kind)));
        chips.replaceChildren(
            ...present.map((kind) =>
                h(
                    "button",
                    {
                        type: "button",
                        class: "kind",
                        "aria-pressed": kinds.has(kind),
                        onclick: (event) => {
                            if (kinds.has(kind)) kinds.delete(kind);
                            else kinds.add(kind);
                            event.currentTarget.setAttribute("aria-pressed", kinds.has(kind));
                            fill();
                        },
                    },
                    kind,
                ),
            ),
        );
        chips.hidden = present.length < 2;
    }
    // the last event before the moment
    function mark() {
        const rows = body.querySelectorAll("tbody tr");
        body.querySelector("tr.current")?.classList.remove("current");
        const times = shown.map((event) => event.t);
        rows[placeOf(times, view.time)]?.classList.add("current");
    }
    function renew() {
        all = false;
        fillKinds();
        fill();
    }
    renew();
    view.on("run", renew);
    view.on("time", mark);
    return section("events", "Events", { note, tools: [chips, search] }, body);
}

function eventNote(run, fitting) {
    const kept = run.events.length;
    const total = run.eventsTotal > kept ? `first ${count(kept)} of ${count(run.eventsTotal)}` : count(kept);
    return fitting === kept ? `${total} events.` : `${count(fitting)} of ${total} events.`;
}
