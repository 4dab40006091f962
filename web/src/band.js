// band.js: the verdict over the run, as a band. Short stretches are never narrower than two pixels: an instant without a
// solution matters more than its length.
import { colour, VERDICTS } from "./colours.js";
import { h } from "./dom.js";
import { number, percent } from "./format.js";

const MOST = 240; // pieces; beyond, neighbours share the worst verdict among them
const AGAINST = ["ambiguous", "unstable", "inconsistent"];
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
    if (!band) return "its contacts give way, so no verdict on rigid contacts is needed";
    if (!band.length) return "no verdict was recorded";
    return shares(band)
        .map(([verdict, seconds]) => `${verdict} ${span > 0 ? percent(seconds / span) : ""} of the time`.replace("  ", " "))
        .join(", ");
}

// Where two resolutions of the run no longer agree; null when they do to its end, or nobody looked.
export function horizonOf(run) {
    const until = run?.summary.horizon?.until;
    return Number.isFinite(until) && until < run.to ? until : null;
}

// The word for the run in focus: in a comparison that of its row.
export function wordOf(view) {
    const row = view.data.comparison?.formulations?.find((entry) => entry.formulation === view.run?.name);
    return row?.trust ?? view.run?.summary.trust;
}

// Since when a run is in doubt: the horizon, or the first verdict against the rigid contacts; null when it is the whole run.
export function doubtfulFrom(run) {
    const first = run.band?.find(({ verdict }) => AGAINST.includes(verdict))?.from;
    const since = Math.min(horizonOf(run) ?? Infinity, first ?? Infinity);
    return Number.isFinite(since) && since > run.from ? since : null;
}

// What the strip shows: the verdicts on rigid contacts, but never a good one where the word for the whole run is another.
export function stripBand(run, word = run?.summary.trust) {
    if (!run?.time.length) return [];
    const band = run.band ?? (word ? [{ from: run.from, to: run.to, verdict: "trusted" }] : []);
    if (!word || word === "trusted") return band;
    const since = (word === "doubtful" && doubtfulFrom(run)) || run.from;
    const verdict = word === "unchecked" ? word : "doubtful";
    return band.flatMap((piece) => {
        if (piece.verdict !== "trusted" || piece.to <= since) return [piece];
        const after = { from: Math.max(piece.from, since), to: piece.to, verdict };
        return piece.from < since ? [{ ...piece, to: since }, after] : [after];
    });
}

export function bandStrip(view) {
    const strip = h("div", { class: "band", role: "img" });
    function update() {
        const run = view.run;
        const { from, span } = view;
        const band = stripBand(run, wordOf(view));
        const horizon = horizonOf(run);
        strip.replaceChildren();
        strip.setAttribute(
            "aria-label",
            `verdict over time: ${describe(band, span)}${horizon === null ? "" : `; horizon at ${number(horizon)} s`}`,
        );
        strip.classList.toggle("none", !band.length);
        const place = (t) => (span > 0 ? (100 * (t - from)) / span : 0);
        for (const piece of pieces(band, view.from, view.to)) {
            strip.append(
                h("div", {
                    class: `piece ${piece.verdict}`,
                    style: `left:${place(piece.from)}%;width:${span > 0 ? place(piece.to) - place(piece.from) : 100}%`,
                    title: `${piece.verdict}, ${number(piece.from)} to ${number(piece.to)} s`,
                }),
            );
        }
        if (horizon !== null)
            strip.append(
                h("div", {
                    class: "beyond",
                    style: `left:${place(horizon)}%`,
                    title: `beyond the horizon, ${number(horizon)} s, two resolutions of the run differ`,
                }),
            );
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
