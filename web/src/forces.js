// forces.js: what is said of contacts and scales in a drawing, be it in the plane or in space.
import { ticks } from "./axes.js";
import { unique } from "./contacts.js";
import { number } from "./format.js";

export const OPEN = "open-force"; // kind of the note that a force is one of many
const FLASH = 0.12; // s on the reader's clock that an impact is seen

export const lengthText = (length) => (length < 0.01 ? `${number(length * 1000)} mm` : `${number(length)} m`);

// Contacts that struck between the last picture and this one, or a moment ago on the reader's clock.
export function struck(run, view, frame) {
    const { time } = run.drawing;
    const back = Math.max(frame > 0 ? time[frame] - time[frame - 1] : 0, view.playing ? FLASH * view.speed : 0);
    const out = new Set();
    for (const event of run.events) {
        if (event.t > view.time) break;
        if (event.kind === "impact" && event.t > view.time - back) out.add(event.element);
    }
    return out;
}

// Contacts whose force is not determined by the motion at the moment: other values explain it as well.
export function openForces(run, t) {
    const out = new Set();
    for (const { name, normal, low, high } of run.contacts) {
        const [value, least, most] = [normal, low, high].map((channel) => run.valueAt(run.channel(channel), t));
        if (Number.isFinite(least) && Number.isFinite(most) && !unique(value, least, most)) out.add(name);
    }
    for (const { kind, element, t: since } of run.summary.notes ?? []) if (kind === OPEN && t >= since) out.add(element);
    return out;
}

// A line for a force is as thick as its root, at most three times as thick as that of a force that 19 of 20 stay below.
const THICKEST = 3;
export const thickness = (force, strongest) => Math.min(THICKEST, Math.sqrt(force / strongest));

// Round forces for the key of such lines: [N, thickness], the weaker one first.
export function lineKey(strongest) {
    if (!(strongest > 0)) return [];
    const [force] = ticks(0, strongest, 2).at.slice(-1);
    return [force / 10, force].map((one) => [one, thickness(one, strongest)]);
}

// The button that shows forces between bodies, for drawings that have them.
export const forcesToggle = (view, act) =>
    view.runs.some((run) => run.drawing?.network) ? [["Forces", "Forces between bodies, as lines of their strength", act]] : [];
