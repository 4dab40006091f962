// why.js: why a contact does what it does at the moment: its forces, its friction cone, and what else the rigid contact problem allows.
import { h, section } from "../src/dom.js";
import { number, percent } from "../src/format.js";
import { texts } from "./texts.js";

const EDGE = 0.98; // of the friction cone: beyond, it is about to slide

const newtons = (value) => `${number(value)} N`;

// What is known of a contact at the moment, in a sentence or two.
function sentence(run, contact, t, friction) {
    const at = (name) => run.valueAt(run.channel(name), t);
    const mode = at(contact.mode);
    const normal = at(contact.normal);
    const tangential = Math.hypot(at(contact.friction) || 0, at(contact.friction_y) || 0);
    if (!(mode > 0)) return texts.whyOpen(contact.name, "");
    if (mode === 2) return texts.whySlides(contact.name, newtons(tangential), Number.isFinite(normal) ? newtons(normal) : null);
    const limit = friction !== null ? friction * (Number.isFinite(normal) ? normal : 1) : NaN;
    if (!(limit > 0)) return texts.whyHolds(contact.name, newtons(tangential), Number.isFinite(normal) ? newtons(normal) : null);
    const share = tangential / limit;
    return `${texts.whySticks(contact.name, newtons(tangential), newtons(limit), percent(share))}${share > EDGE ? ` ${texts.whyEdge}` : ""}`;
}

// The limit over the normal force, from a stretch of this run in which the contact slid; null when it never did.
function coefficient(run, contact) {
    const [mode, normal, friction, second] = [contact.mode, contact.normal, contact.friction, contact.friction_y].map((name) => run.channel(name));
    if (!mode || !friction) return null;
    let best = null;
    for (let k = 0; k < mode.values.length; k++) {
        if (mode.values[k] !== 2) continue;
        const load = normal ? normal.values[k] : 1;
        const force = Math.hypot(friction.values[k], second?.values[k] || 0);
        if (load > 1e-9 && Number.isFinite(force)) best = Math.max(best ?? 0, force / load);
    }
    return best;
}

const forces = ({ normal, tangent }) => (normal ? ` (N = ${newtons(normal)}, T = ${newtons(tangent)})` : "");
const solutionText = ({ contacts, stability }) => {
    const each = Object.entries(contacts).map(([name, contact]) => `${name} ${contact.mode}${forces(contact)}`);
    return `${each.join(", ")}: ${stability}`;
};

export function whyPart(view, session) {
    const list = h("ul", { class: "why-list" });
    const more = h("div", { class: "why-more", role: "status" });
    const heading = h("span");
    let asked = NaN;
    function fill() {
        const run = view.run;
        heading.textContent = texts.whyAt(number(view.time, 5));
        if (view.time !== asked) more.replaceChildren();
        list.replaceChildren(
            ...(run?.contacts ?? []).slice(0, 24).map((contact) => h("li", {}, sentence(run, contact, view.time, coefficient(run, contact)))),
        );
    }
    async function ask() {
        asked = view.time;
        more.replaceChildren(texts.running);
        const reply = await session.study({ act: "why", model: session.model, t: view.time });
        if (view.time !== asked) return;
        const { analysis, failed, mistakes } = reply;
        if (!analysis) {
            more.replaceChildren((failed ?? mistakes)?.error?.text ?? texts.stopped);
            return;
        }
        const solutions = analysis.solutions ?? [];
        more.replaceChildren(
            ...[
                h("p", {}, h("strong", {}, analysis.verdict), analysis.text ? `: ${analysis.text}` : ""),
                solutions.length > 0 && h("ul", { class: "why-list" }, solutions.map((one) => h("li", {}, solutionText(one)))),
            ].filter(Boolean),
        );
    }
    if (!view.runs.some((run) => run.contacts.length)) return [];
    fill();
    view.on("time run", fill);
    const button = h("button", { type: "button", onclick: ask, title: texts.whyTitle }, texts.whyAlternatives);
    return [section("why", texts.why, { note: heading, tools: button }, list, more)];
}
