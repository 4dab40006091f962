// plots.js: the time plots, one below the other, one channel each; formulations lie over each other in them.
import { tint } from "./band.js";
import { bandOf, SHARE } from "./derived.js";
import { lineColour, lineColourVariable, lineDash } from "./colours.js";
import { modeStrips } from "./strips.js";
import { empty, h, section, tool } from "./dom.js";
import { count, number } from "./format.js";
import { picker } from "./picker.js";
import { TimePlot } from "./plot.js";

const FIRST = 8; // plots to begin with

// Channels by name over all runs, in the order of the first run that has them.
export function allChannels(runs) {
    const found = new Map();
    for (const run of runs) for (const channel of run.channels) if (!found.has(channel.name)) found.set(channel.name, channel);
    return [...found.values()];
}

const ROUNDING = 1e-12; // of the largest value among like channels: what is smaller is zero with rounding

// What a channel's axis must at least span, so that rounding is drawn as the flat line it is; 0 where it matters.
function leastSpan(channels, channel) {
    const like = Math.max(...channels.filter(({ group }) => group === channel.group).map(({ largest }) => largest));
    return channel.largest > 0 && channel.largest < ROUNDING * like && channel.largest < 10 * ROUNDING ? 1e-3 * like : 0;
}

// How far a channel goes, and whether that is more than rounding among channels in the same unit.
const extent = (channel) => {
    const [low, high] = channel.limits() ?? [0, 0];
    return high - low;
};
const NOISE = 1e-9; // of the widest channel in the same unit

// Channels by how far they go, those of each unit among themselves: the widest of every unit, then the second of every unit, and so on.
function widestFirst(channels) {
    const units = new Map();
    for (const channel of channels) units.set(channel.unit, [...(units.get(channel.unit) ?? []), channel]);
    const ranked = [...units.values()].flatMap((like) => {
        const sorted = like.toSorted((one, other) => extent(other) - extent(one));
        return sorted.filter((channel) => extent(channel) >= NOISE * extent(sorted[0])).map((channel, rank) => ({ channel, rank }));
    });
    return ranked.toSorted((one, other) => one.rank - other.rank).map(({ channel }) => channel);
}

// What to show before anyone has chosen: what the model's author wanted recorded, then the coordinates that move most.
function firstChoice(all) {
    const moving = all.filter((channel) => !channel.still);
    const channels = moving.length ? moving : all;
    const of = (...groups) => channels.filter((channel) => groups.includes(channel.group));
    const recorded = of("recorded").filter((channel) => !leastSpan(all, channel));
    const room = Math.max(FIRST / 2, FIRST - recorded.length);
    const chosen = [...recorded.slice(0, FIRST - Math.min(FIRST / 2, of("coordinates").length)), ...widestFirst(of("coordinates")).slice(0, room)];
    return new Set(
        (chosen.length ? chosen.slice(0, FIRST) : [...of("states"), ...of("rates"), ...channels].slice(0, 4)).map((channel) => channel.name),
    );
}

function lines(view, name) {
    const several = view.runs.length > 1;
    return view.shownRuns
        .flatMap((run) => {
            const channel = run.channel(name);
            if (!channel) return [];
            const focus = run.index === view.active;
            const band = bandOf(run, channel);
            return [
                ...(band ? [{ xs: run.time, ys: band.above, below: band.below, bare: true, colour: lineColour(run.index), focus }] : []),
                {
                    xs: run.time,
                    ys: channel.values,
                    colour: lineColour(run.index),
                    dash: lineDash(run.index),
                    width: several && focus ? 2.2 : 1.5,
                    span: channel.group === "energy",
                    focus,
                },
            ];
        })
        .sort((a, b) => a.focus - b.focus); // the one in focus lies on top
}

function readouts(view, channel) {
    const values = h("span", { class: "readout" });
    function update() {
        const t = view.hover ?? view.time;
        values.replaceChildren(
            ...view.shownRuns.map((run) =>
                h(
                    "span",
                    {
                        style: view.runs.length > 1 ? `--key:${lineColourVariable(run.index)}` : null,
                        class: view.runs.length > 1 ? "keyed" : null,
                    },
                    view.runs.length > 1 && h("span", { class: "value-name" }, run.name),
                    number(run.valueAt(run.channel(channel.name), t)),
                ),
            ),
        );
    }
    update();
    return { values, end: view.on("time hover run", update) };
}

const FORCES = /\.(normal|friction|friction_y|impulse)$/;

// Peaks that the axis leaves out are named, and shown when asked for.
function cutNote(plot) {
    const button = h("button", { type: "button", class: "link", onclick: toggle });
    const note = h("span", { class: "cut-note", hidden: true });
    let everCut = false;
    function toggle() {
        plot.clips = !plot.clips;
        plot.redraw();
    }
    plot.oncut = (cut) => {
        everCut ||= Boolean(cut);
        note.hidden = plot.clips ? !cut : !everCut;
        button.textContent = plot.clips ? "show peaks" : "cut peaks";
        const far = cut && (Math.abs(cut[0]) > Math.abs(cut[1]) ? cut[0] : cut[1]);
        note.replaceChildren(cut ? `peaks to ${number(far, 3)} cut; ` : "", button);
    };
    return note;
}

// What the band around a curve means; nothing where there is none.
function bandNote(view, channel) {
    const names = new Set(
        view.runs.flatMap((run) => {
            const own = run.channel(channel.name);
            return (own && bandOf(run, own)?.names) ?? [];
        }),
    );
    return names.size > 0 && h("span", { class: "band-note" }, `band: ${[...names].join(", ")} ± ${100 * SHARE} %, to first order`);
}

function plotHead(channel, ...more) {
    return h(
        "div",
        { class: "plot-head" },
        h("span", { class: "plot-name" }, channel.name),
        channel.unit && h("span", { class: "unit" }, channel.unit),
        more,
    );
}

function plotOf(view, channel, least, remove) {
    const { values, end } = readouts(view, channel);
    const plot = new TimePlot(view, {
        label: `${channel.name} over time`,
        curves: () => lines(view, channel.name),
        least,
        background: tint(view),
        clips: channel.unit === "N" || channel.unit === "N m" || FORCES.test(channel.name),
    });
    const cut = cutNote(plot);
    const element = h(
        "div",
        { class: "plot-row", "data-channel": channel.name },
        plotHead(
            channel,
            values,
            bandNote(view, channel),
            cut,
            h(
                "button",
                {
                    type: "button",
                    class: "remove",
                    "aria-label": `remove the plot of ${channel.name}`,
                    title: "Remove",
                    onclick: remove,
                },
                "×",
            ),
        ),
        plot.element,
    );
    return {
        element,
        destroy: () => {
            end();
            plot.destroy();
        },
    };
}

function zoomTools(view) {
    const reset = tool("All", "Show the whole run (0)", () => view.setZoom(null));
    const buttons = [
        tool("◀", "Earlier ([)", () => view.pan(-0.25)),
        tool("▶", "Later (])", () => view.pan(0.25)),
        tool("+", "Zoom in on the moment (+)", () => view.zoomBy(0.5)),
        tool("−", "Zoom out (−)", () => view.zoomBy(2)),
        reset,
    ];
    const update = () =>
        buttons.forEach((button, index) => {
            button.disabled = !(view.span > 0) || (!view.zoom && index !== 2);
        });
    update();
    view.on("zoom", update);
    return h("div", { class: "buttons", role: "group", "aria-label": "zoom" }, buttons);
}

function note(view) {
    const run = view.run;
    if (!run) return "";
    if (!run.decimated) return run.shown === 1 ? "One sample." : `${count(run.shown)} samples.`;
    return `${count(run.samples)} samples as ${count(run.shown)} points: of each stretch the least and the greatest value, so no peak is lost.`;
}

// The first of the plots alone, for the place of a drawing.
export function firstPlot(view, height) {
    const channels = allChannels(view.runs);
    const [name] = firstChoice(channels);
    const channel = channels.find((one) => one.name === name);
    const { values } = readouts(view, channel);
    const plot = new TimePlot(view, {
        height,
        label: `${name} over time`,
        curves: () => lines(view, name),
        least: leastSpan(channels, channel),
        background: tint(view),
    });
    return h("div", { class: "plot-row" }, plotHead(channel, values), plot.element);
}

export function timePlots(view) {
    const channels = allChannels(view.runs);
    if (!view.runs.length) return null;
    if (!channels.length || !view.runs.some((run) => run.time.length)) {
        return section(
            "plots",
            "Over time",
            {},
            empty(view.run?.summary.message ? `No sample was recorded: ${view.run.summary.message}` : "No sample was recorded."),
        );
    }
    const chosen = firstChoice(channels);
    const list = h("div", { class: "plot-list" });
    const built = new Map();

    // keeps the plots that stay, so that adding one does not draw all anew
    function update() {
        for (const [name, plot] of built)
            if (!chosen.has(name)) {
                plot.destroy();
                plot.element.remove();
                built.delete(name);
            }
        for (const channel of channels) {
            if (!chosen.has(channel.name)) continue;
            if (!built.has(channel.name))
                built.set(
                    channel.name,
                    plotOf(view, channel, leastSpan(channels, channel), () => {
                        chosen.delete(channel.name);
                        update();
                    }),
                );
            list.append(built.get(channel.name).element);
        }
        choice.update();
        none.hidden = chosen.size > 0;
    }
    const choice = picker(channels, chosen, () => update());
    const none = empty("No channel is chosen.");
    const words = h("span");
    const tell = () => {
        words.textContent = `${note(view)} Drag to zoom, double-click for all, click to set the moment.`;
    };
    tell();
    view.on("run", tell);
    update();
    return section("plots", "Over time", { note: words, tools: [choice.element, zoomTools(view)] }, modeStrips(view), none, list);
}
