// strips.js: what each contact did, as strips over time that line up with the plots: open, stick, slip, and where it struck.
import { FONT } from "./axes.js";
import { colour, MODES } from "./colours.js";
import { placeOf } from "./data.js";
import { canvas, h } from "./dom.js";
import { AXIS, MARGIN } from "./plot.js";

const ROW = 16;
const MOST = 24;

// The mode that fills a column of pixels: what was held longest; a touch shorter than a column still shows.
function modeIn(modes, begin, end) {
    const seen = [0, 0, 0];
    for (let i = begin; i < end; i++) if (modes[i] >= 0 && modes[i] <= 2) seen[modes[i]]++;
    if (seen[1] === 0 && seen[2] === 0) return 0;
    return seen[1] >= seen[2] ? 1 : 2;
}

function paintModes(context, { run, contact, top, left, width, from, to }) {
    const channel = run.channel(contact.mode);
    if (!channel) return;
    const { time } = run;
    const { values } = channel;
    let start = 0;
    let current = null;
    let begin = Math.max(0, placeOf(time, from));
    const flush = (x) => {
        if (current !== null && current > 0) {
            context.fillStyle = colour(MODES[current]);
            context.fillRect(left + start, top + 3, x - start, ROW - 8);
        }
    };
    for (let x = 0; x < width; x++) {
        const until = from + ((to - from) * (x + 1)) / width;
        let end = begin;
        while (end + 1 < time.length && time[end + 1] <= until) end++;
        const within = time[begin] <= until && from + ((to - from) * x) / width <= run.to;
        const mode = within ? modeIn(values, begin, end + 1) : null;
        if (mode !== current) {
            flush(x);
            [start, current] = [x, mode];
        }
        begin = end;
    }
    flush(width);
}

function paintImpacts(context, { run, contact, top, left, width, from, to }) {
    context.fillStyle = colour("impact");
    for (const event of run.events) {
        if (event.kind !== "impact" || event.element !== contact.name || event.t < from || event.t > to) continue;
        context.fillRect(Math.round(left + ((event.t - from) / (to - from)) * width) - 0.5, top - 2, 1.5, 5);
    }
}

// What the colours of contacts mean.
export const modeKeys = () =>
    ["stick", "slip", "impact", "open"].map((mode) => h("span", {}, h("i", { class: `swatch mode-${mode}` }), mode));

export function modeStrips(view) {
    const contactsOf = (run) => (run?.contacts ?? []).filter((contact) => contact.mode !== null && run.channel(contact.mode));
    const most = Math.max(0, ...view.runs.map((run) => contactsOf(run).length));
    if (!most || !(view.span > 0)) return null;
    const rows = Math.min(most, MOST);
    const picture = canvas({
        height: rows * ROW + 4,
        label: "what each contact did over time",
        paint(context, width) {
            const [from, to] = view.window;
            const left = AXIS;
            const inner = width - AXIS - MARGIN;
            context.font = FONT;
            context.textBaseline = "middle";
            contactsOf(view.run)
                .slice(0, MOST)
                .forEach((contact, row) => {
                    const place = {
                        run: view.run,
                        contact,
                        top: row * ROW + 4,
                        left,
                        width: Math.max(1, Math.floor(inner)),
                        from,
                        to,
                    };
                    context.fillStyle = colour("open");
                    context.fillRect(left, place.top + ROW / 2 - 1, inner, 1);
                    paintModes(context, place);
                    paintImpacts(context, place);
                    context.fillStyle = colour("muted");
                    context.textAlign = "right";
                    context.fillText(shorten(context, contact.name, AXIS - 10), AXIS - 6, place.top + ROW / 2);
                });
        },
    });
    view.on("run zoom theme", picture.draw);
    const more = most > MOST ? ` First ${MOST} of ${most} contacts.` : "";
    return h(
        "div",
        { class: "strips" },
        h("div", { class: "plot-head" }, h("span", { class: "plot-name" }, "contacts"), h("span", { class: "key" }, modeKeys()), more),
        picture.element,
    );
}

function shorten(context, text, width) {
    if (context.measureText(text).width <= width) return text;
    let short = text;
    while (short.length > 1 && context.measureText(`${short}…`).width > width) short = short.slice(0, -1);
    return `${short}…`;
}
