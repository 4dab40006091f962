// contacts.js: which contact carries what, at the moment and over the run; and which forces can be known at all.
import { axes } from "./axes.js";
import { colour, MODES } from "./colours.js";
import { canvas, empty, h, numeric, section, table } from "./dom.js";
import { MISSING, number, percent } from "./format.js";

const MOST = 64; // contacts with a row of their own
const BINS = 40;
const LEAST_SHARE = 1e-4; // of the time, lowest of the logarithmic scale

export const unique = (normal, low, high) => !(high - low > 1e-6 * Math.max(1e-12, Math.abs(normal), Math.abs(high)));

// A lying whisker from low to high with the value in it, on 0 to `most`.
function loadBar(normal, low, high, most, mode) {
    const place = (value) => (value > 0 && most > 0 ? Math.min(100, (100 * value) / most) : 0);
    return h(
        "div",
        { class: "load" },
        h("div", { class: `load-bar mode-${mode}`, style: `width:${place(normal)}%` }),
        Number.isFinite(low) &&
            Number.isFinite(high) &&
            h("div", { class: "whisker", style: `left:${place(low)}%;width:${place(high) - place(low)}%` }),
    );
}

function rowAt(run, contact, t, most, bounded) {
    const value = (name) => run.valueAt(run.channel(contact[name]), t);
    const [normal, along, across, low, high] = ["normal", "friction", "friction_y", "low", "high"].map(value);
    const friction = Number.isFinite(across) ? Math.hypot(along, across) : along;
    const mode = MODES[value("mode")] ?? null;
    const known = Number.isFinite(low) && Number.isFinite(high);
    return h(
        "tr",
        {},
        h("th", { scope: "row" }, contact.name),
        h("td", {}, mode ? h("span", { class: "mode" }, h("i", { class: `swatch mode-${mode}` }), mode) : MISSING),
        h("td", { class: "number" }, number(normal)),
        h("td", { class: "number" }, number(friction)),
        bounded && h("td", { class: "number" }, number(low)),
        bounded && h("td", { class: "number" }, number(high)),
        bounded &&
            h("td", {}, !known ? MISSING : unique(normal, low, high) ? "unique" : h("strong", { class: "tone-warn" }, "not unique")),
        h("td", { class: "load-cell" }, loadBar(normal, low, high, most, mode ?? "open")),
    );
}

// Seconds spent at each force while the contact held, from the points there are.
export function distribution(run, contact) {
    const channel = run.channel(contact.normal);
    const limit = channel?.limits()?.[1] ?? 0;
    const out = { bins: new Float64Array(BINS), most: limit, closed: 0, total: 0, mean: 0, modes: [0, 0, 0] };
    const modes = run.channel(contact.mode)?.values;
    const { time } = run;
    for (let i = 0; i + 1 < time.length; i++) {
        const dt = time[i + 1] - time[i];
        const force = channel?.values[i] ?? NaN;
        out.total += dt;
        const mode = modes ? modes[i] : force > 0 ? 1 : 0;
        if (mode >= 0 && mode <= 2) out.modes[mode] += dt;
        if (!(force > 0) || !(limit > 0)) continue;
        out.closed += dt;
        out.mean += dt * force;
        out.bins[Math.min(BINS - 1, Math.floor((force / limit) * BINS))] += dt;
    }
    if (out.closed > 0) out.mean /= out.closed;
    return out;
}

function histogram(view, pick) {
    const picture = canvas({
        height: 210,
        label: "distribution of the contact force",
        paint(context, width, height) {
            const run = view.run;
            const contact = run?.contacts[pick()];
            const found = contact && distribution(run, contact);
            if (!found || !(found.closed > 0)) return;
            const decade = (power) => ({ value: power, text: power === 0 ? "100 %" : `${number(100 * 10 ** power)} %` });
            const at = axes(
                context,
                width,
                height,
                { limits: [0, found.most], label: `normal force of ${contact.name}, N` },
                { limits: [Math.log10(LEAST_SHARE), 0], label: "share of the run", ticks: [0, -1, -2, -3, -4].map(decade) },
            );
            context.fillStyle = colour("accent");
            found.bins.forEach((seconds, bin) => {
                if (!(seconds > 0)) return;
                const share = Math.max(LEAST_SHARE * 1.3, seconds / found.total);
                const [left, right] = [at.x((bin * found.most) / BINS), at.x(((bin + 1) * found.most) / BINS)];
                context.fillRect(
                    left + 0.5,
                    at.y(Math.log10(share)),
                    Math.max(1, right - left - 1),
                    at.box.bottom - at.y(Math.log10(share)),
                );
            });
            picture.element.setAttribute(
                "aria-label",
                `distribution of the normal force of ${contact.name}: it holds ${percent(found.closed / found.total)} of the time, mean ${number(found.mean)} N, most ${number(found.most)} N`,
            );
        },
    });
    return picture;
}

function shareBar({ modes, total }) {
    const part = (index) =>
        h("div", {
            class: `mode-${MODES[index]}`,
            style: `width:${(100 * modes[index]) / (total || 1)}%`,
            title: `${MODES[index]} ${percent(modes[index] / (total || 1))}`,
        });
    return h(
        "div",
        {
            class: "share-bar",
            role: "img",
            "aria-label": MODES.map((mode, index) => `${mode} ${percent(modes[index] / (total || 1))}`).join(", "),
        },
        [1, 2, 0].map(part),
    );
}

// Over the whole run, one row per contact.
function overallRow(run, contact, index, chosen, choose) {
    const found = distribution(run, contact);
    return h(
        "tr",
        { class: index === chosen ? "chosen" : null },
        h(
            "th",
            { scope: "row" },
            h(
                "button",
                { type: "button", class: "link", "aria-pressed": index === chosen, onclick: () => choose(index) },
                contact.name,
            ),
        ),
        h("td", { class: "share-cell" }, shareBar(found)),
        h("td", { class: "number" }, number(found.closed > 0 ? found.mean : NaN)),
        h(
            "td",
            { class: "number", title: unknown(run, contact) ? "its impacts have no force of their own: see Loads" : null },
            number(found.most > 0 && !unknown(run, contact) ? found.most : NaN),
        ),
    );
}

// A contact that was struck, and whose largest force is not known: rows of a rigid run hold impulses over a step.
function unknown(run, contact) {
    const load = run.summary.loads?.[contact.name];
    return load?.strikes > 0 && !Number.isFinite(load.force);
}

// The largest normal force that a bar has to show, bounds included.
function largestForce(run, contacts) {
    const most = (name) => run.channel(name)?.limits()?.[1] ?? 0;
    return Math.max(0, ...contacts.flatMap(({ normal, high }) => [most(normal), most(high)]));
}

const headNow = (bounded, largest) => [
    "contact",
    "mode",
    numeric("normal, N", "normal force at the moment"),
    numeric("friction, N", "friction force at the moment, its size where it has two directions"),
    ...(bounded
        ? [
              numeric("least, N", "smallest normal force that explains the same motion"),
              numeric("most, N", "largest normal force that explains the same motion"),
              { text: "known", title: "unique: the motion determines this force; not unique: other values explain it as well" },
          ]
        : []),
    largest > 0 ? `0 to ${number(largest, 3)} N` : "",
];

const HEAD_OVERALL = [
    "contact",
    { text: "stick, slip, open", title: "share of the run that the contact spent in each mode" },
    numeric("mean, N", "mean normal force while the contact was closed"),
    numeric("greatest, N", "greatest normal force of the run, where it is known; see Loads"),
];

function noteOf(total, bounded) {
    const which = bounded ? "Of the normal forces that explain the motion, the one of least norm; least and most bound the others." : "";
    return `${which}${total > MOST ? ` First ${MOST} of ${total} contacts.` : ""}`;
}

export function contactForces(view) {
    if (!view.runs.some((run) => run.contacts.length && run.time.length)) return null;
    let chosen = 0;
    let largest = 0;
    const now = h("div", { class: "scroll" });
    const overall = h("div", { class: "scroll" });
    const none = empty("No contact carried a force in this run.");
    const note = h("span");
    const picture = histogram(view, () => chosen);
    const contacts = () => (view.run?.contacts ?? []).slice(0, MOST);
    const isBounded = () => contacts().some((contact) => view.run.channel(contact.low));

    function fillNow() {
        const bounded = isBounded();
        const rows = contacts().map((contact) => rowAt(view.run, contact, view.time, largest, bounded));
        now.replaceChildren(table(headNow(bounded, largest), rows, { class: "legs" }));
    }
    function fillOverall() {
        const choose = (index) => {
            chosen = index;
            fillOverall();
        };
        // pressing a contact rebuilds the rows: the focus stays where it was
        const focused = overall.contains(document.activeElement);
        const rows = contacts().map((contact, index) => overallRow(view.run, contact, index, chosen, choose));
        overall.replaceChildren(table(HEAD_OVERALL, rows, { class: "overall" }));
        if (focused) overall.querySelectorAll("button")[chosen]?.focus();
        none.hidden = largest > 0;
        picture.element.hidden = !(largest > 0);
        picture.draw();
    }
    function fill() {
        largest = largestForce(view.run, contacts());
        chosen = Math.max(
            0,
            contacts().findIndex(({ normal }) => largestForce(view.run, [{ normal }]) > 0),
        );
        note.textContent = noteOf(view.run?.contacts.length ?? 0, isBounded());
        fillNow();
        fillOverall();
    }
    fill();
    view.on("run", fill);
    view.on("time", fillNow);
    view.on("theme", picture.draw);
    return section(
        "contacts",
        "Contact forces",
        { note },
        h("h3", {}, "At the moment"),
        now,
        h(
            "div",
            { class: "two" },
            h("div", {}, h("h3", {}, "Over the run"), overall),
            h("div", {}, h("h3", {}, "Distribution"), none, picture.element),
        ),
    );
}
