// band.js: the verdict over the run, as a band. Short stretches are never narrower than two pixels: an instant without a
// solution matters more than its length.
import { colour, VERDICTS } from "./colours.js";
import { h } from "./dom.js";
import { number, percent } from "./format.js";

const MOST = 240; // pieces; beyond, neighbours share the worst verdict among them
const badness = (verdict) => Math.max(0, VERDICTS.indexOf(verdict));

// Pieces of the band, at most MOST of them.
export function pieces(band, from, to) {
    if (!band?.length) return [];
    if (band.length <= MOST || !(to > from)) return band;
    const cells = new Array(MOST).fill(null);
    const cellOf = (t) => Math.min(MOST - 1, Math.max(0, Math.floor(((t - from) / (to - from)) * MOST)));
    for (const piece of band) {
        for (let cell = cellOf(piece.from); cell <= cellOf(piece.to); cell++) {
            if (cells[cell] === null || badness(piece.verdict) > badness(cells[cell])) cells[cell] = piece.verdict;
        }
    }
    const out = [];
    cells.forEach((verdict, cell) => {
        const last = out[out.length - 1];
        const edge = (k) => from + ((to - from) * k) / MOST;
        if (last && last.verdict === verdict) last.to = edge(cell + 1);
        else if (verdict) out.push({ from: edge(cell), to: edge(cell + 1), verdict });
    });
    return out;
}

// Seconds of each verdict, worst first.
export function shares(band) {
    const total = new Map();
    for (const { from, to, verdict } of band ?? []) total.set(verdict, (total.get(verdict) ?? 0) + (to - from));
    return [...total].sort((a, b) => badness(b[0]) - badness(a[0]));
}

export function describe(band, span) {
    if (!band) return "This formulation needs no verdict: its contacts give way.";
    if (!band.length) return "No verdict was recorded.";
    return shares(band)
        .map(([verdict, seconds]) => `${verdict} ${span > 0 ? percent(seconds / span) : ""} of the time`.replace("  ", " "))
        .join(", ");
}

export function bandStrip(view) {
    const strip = h("div", { class: "band", role: "img" });
    function update() {
        const run = view.run;
        const { from, span } = view;
        strip.replaceChildren();
        strip.setAttribute("aria-label", `verdict over time: ${describe(run?.band, span)}`);
        strip.classList.toggle("none", !run?.band);
        for (const piece of pieces(run?.band, view.from, view.to)) {
            const left = span > 0 ? (100 * (piece.from - from)) / span : 0;
            const width = span > 0 ? (100 * (piece.to - piece.from)) / span : 100;
            strip.append(
                h("div", {
                    class: `piece ${piece.verdict}`,
                    style: `left:${left}%;width:${width}%`,
                    title: `${piece.verdict}, ${number(piece.from)} to ${number(piece.to)} s`,
                }),
            );
        }
    }
    update();
    view.on("run", update);
    return strip;
}

// Tints the background of a plot where the answer is not to be trusted.
export function tint(view) {
    return (context, px, bbox) => {
        for (const { from, to, verdict } of pieces(view.run?.band, view.from, view.to)) {
            if (verdict === "trusted" || verdict === "compliant" || verdict === "unknown") continue;
            context.globalAlpha = 0.16;
            context.fillStyle = colour(`verdict-${verdict}`) || colour("muted");
            context.fillRect(px(from), bbox.top, Math.max(2, px(to) - px(from)), bbox.height);
        }
        context.globalAlpha = 1;
    };
}
