// plot.js: one plot over time. uPlot makes scales, axes and the selection; the curves are painted here, since those of
// different formulations have times of their own. All plots show the same window and the same moment (view.js).
import uPlot from "uplot";
import { padded, FONT } from "./axes.js";
import { colour } from "./colours.js";
import { joined, limits, within } from "./data.js";
import { h } from "./dom.js";
import { number, tickTexts } from "./format.js";
import { curve } from "./line.js";
import { usualRange } from "./usual.js";

export const AXIS = 64; // px, the same in all plots so that they line up
export const MARGIN = 20; // px, right of them

const PEAK = 6; // times what is usual: beyond, peaks are cut

const plots = new Set();

// Everything that is drawn once it is seen must be there on paper.
addEventListener("beforeprint", () => plots.forEach((plot) => plot.build()));

// The page is about to be built anew.
export const forgetPlots = () => plots.forEach((plot) => plot.destroy());

export class TimePlot {
    // curves() gives [{ xs, ys, colour, dash, width, below, dots, stems }]: `below` fills down to another array of values,
    // `bare` without a line around it and without a say about the axis,
    // `dots` draws points instead of a line, `stems` joins them to zero, `span` passes over what is not known. The axis takes
    // in the values of `include`, and is no finer than `least`; with `clips` it leaves out rare peaks that would flatten the rest
    constructor(view, { height = 132, label, curves, background = null, include = [], least = 0, clips = false }) {
        Object.assign(this, { view, height, curves, background, include, least, clips });
        this.cut = null; // [low, high] of all values where the axis shows less
        this.playhead = h("div", { class: "playhead" });
        this.hoverline = h("div", { class: "hoverline" });
        this.label = label;
        this.element = h("div", { class: "plot", role: "img", style: `height:${height}px` });
        this.describe();
        this.plot = null;
        this.width = 0;
        plots.add(this);

        new ResizeObserver(([entry]) => this.resize(entry.contentRect.width)).observe(this.element);
        this.watcher = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && this.build(), {
            rootMargin: "300px",
        });
        this.watcher.observe(this.element);
        this.ends = [
            view.on("zoom", () => this.rescale()),
            view.on("run theme", () => this.redraw()),
            view.on("time", () => this.place(this.playhead, view.time)),
            view.on("hover", () => this.place(this.hoverline, view.hover)),
        ];
    }

    describe() {
        const [from, to] = this.range;
        this.element.setAttribute("aria-label", `${this.label}, ${number(from, 6)} to ${number(to, 6)} s`);
    }

    resize(width) {
        this.width = Math.floor(width);
        if (this.plot && this.width > 0) {
            this.plot.setSize({ width: this.width, height: this.height });
            this.placeAll();
        }
    }

    get range() {
        const [from, to] = this.view.window;
        return to > from ? [from, to] : padded([from, from]);
    }

    // What the curves span within the window.
    yRange() {
        const [from, to] = this.range;
        let all = null;
        for (const { xs, ys, below, bare } of this.curves()) {
            if (bare) continue; // a band may go far beyond what it is of
            for (const values of below ? [ys, below] : [ys]) all = joined(all, limits(values, ...within(xs, from, to)));
        }
        this.cut = null;
        const usual = all && this.clips ? usualRange(this.curves(), from, to) : null;
        if (usual && all[1] - all[0] > PEAK * (usual[1] - usual[0])) {
            this.cut = all;
            all = [Math.max(all[0], 1.5 * usual[0]), Math.min(all[1], 1.5 * usual[1])];
        }
        this.oncut?.(this.cut);
        if (all) for (const value of this.include) all = joined(all, [value, value]);
        if (all && all[1] - all[0] < this.least) all = joined(all, [-this.least, this.least]);
        return padded(all ?? [0, 0], 0.08);
    }

    build() {
        if (this.plot || !this.element.isConnected) return;
        this.width ||= Math.floor(this.element.clientWidth);
        if (!(this.width > 0)) return;
        this.watcher.disconnect();
        const view = this.view;
        const [from, to] = this.range;
        const axis = {
            stroke: () => colour("muted"),
            font: FONT,
            grid: { stroke: () => colour("grid"), width: 1 },
            ticks: { show: false },
        };
        const values = (u, splits, index, space, step) => tickTexts(splits, step);
        this.plot = new uPlot(
            {
                width: this.width,
                height: this.height,
                legend: { show: false },
                padding: [6, MARGIN, 0, 0],
                cursor: {
                    x: false,
                    y: false,
                    points: { show: false },
                    drag: { x: true, y: false, setScale: false },
                    bind: {
                        dblclick: () => () => {
                            view.setZoom(null);
                            return null;
                        },
                    },
                },
                scales: { x: { time: false, range: () => this.range }, y: { range: () => this.yRange() } },
                axes: [
                    { ...axis, size: 24, gap: 4, space: 80, values },
                    { ...axis, size: AXIS, gap: 6, space: 26, values },
                ],
                series: [{}, { scale: "y", paths: () => null, points: { show: false } }],
                hooks: {
                    ready: [
                        (u) => {
                            this.plot = u;
                            this.placeAll();
                        },
                    ],
                    drawClear: [(u) => this.paintBackground(u)],
                    draw: [(u) => this.paint(u)],
                    setSelect: [(u) => this.selected(u)],
                },
            },
            [
                [from, to],
                [0, 1],
            ],
            this.element,
        );
        this.plot.over.append(this.hoverline, this.playhead);
        this.listen(this.plot.over);
    }

    listen(over) {
        const view = this.view;
        const timeOf = (event) => this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, "x");
        over.addEventListener("pointermove", (event) => view.setHover(timeOf(event)));
        over.addEventListener("pointerleave", () => view.setHover(null));
        let pressed = null;
        over.addEventListener("pointerdown", (event) => {
            pressed = event.clientX;
        });
        over.addEventListener("pointerup", (event) => {
            if (pressed !== null && Math.abs(event.clientX - pressed) < 3) view.setTime(timeOf(event));
            pressed = null;
        });
        over.addEventListener(
            "wheel",
            (event) => {
                if (!event.ctrlKey && !event.metaKey) return; // else the page scrolls
                event.preventDefault();
                view.zoomBy(event.deltaY > 0 ? 1.25 : 0.8, timeOf(event));
            },
            { passive: false },
        );
    }

    selected(u) {
        const { left, width } = u.select;
        if (width < 3) return;
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        this.view.setHover(null); // the pointer is over another time now
        this.view.setZoom(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
    }

    rescale() {
        this.describe();
        if (!this.plot) return;
        const [min, max] = this.range;
        this.plot.setScale("x", { min, max });
        this.placeAll();
    }

    redraw() {
        this.plot?.redraw(true, true);
        if (this.plot) this.rescale();
    }

    placeAll() {
        this.place(this.playhead, this.view.time);
        this.place(this.hoverline, this.view.hover);
    }

    // uPlot takes up a new window later, all at once; the lines go by the window itself
    place(line, t) {
        if (!this.plot) return;
        const [from, to] = this.range;
        const outside = t === null || t < from || t > to || (line === this.playhead && !this.view.runs.length);
        line.hidden = outside;
        if (!outside)
            line.style.transform = `translateX(${(((t - from) / (to - from)) * this.plot.bbox.width) / uPlot.pxRatio}px)`;
    }

    paintBackground(u) {
        if (!this.background) return;
        const { ctx, bbox } = u;
        ctx.save();
        ctx.beginPath();
        ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
        ctx.clip();
        this.background(ctx, (t) => u.valToPos(t, "x", true), bbox);
        ctx.restore();
    }

    paint(u) {
        const { ctx, bbox } = u;
        const [from, to] = this.range;
        const scale = uPlot.pxRatio;
        const px = (x) => u.valToPos(x, "x", true);
        const py = (y) => u.valToPos(y, "y", true);
        ctx.save();
        ctx.beginPath();
        ctx.rect(bbox.left, bbox.top - scale, bbox.width, bbox.height + 2 * scale);
        ctx.clip();
        ctx.lineJoin = "round";
        for (const { xs, ys, below, bare, colour: stroke, dash = [], width = 1.5, dots, stems, span } of this.curves()) {
            if (below) fillBetween(ctx, { xs, ys, below, from, to, px, py, stroke });
            if (bare) continue;
            ctx.strokeStyle = ctx.fillStyle = stroke;
            ctx.lineWidth = width * scale;
            ctx.setLineDash(dash.map((length) => length * scale));
            if (dots) paintDots(ctx, { xs, ys, from, to, px, py, stems, scale });
            else ctx.stroke(curve(xs, ys, from, to, px, py, span));
        }
        ctx.restore();
        this.paintAxisName(ctx, bbox, scale);
    }

    // in the corner that the two axes leave free
    paintAxisName(ctx, bbox, scale) {
        ctx.save();
        ctx.font = FONT.replace(/^[0-9]+/, (size) => String(size * scale));
        ctx.fillStyle = colour("muted");
        ctx.textAlign = "right";
        ctx.textBaseline = "top";
        ctx.fillText("t, s", bbox.left - 8 * scale, bbox.top + bbox.height + 6 * scale);
        ctx.restore();
    }

    destroy() {
        this.ends.forEach((end) => end());
        this.plot?.destroy();
        this.plot = null;
        this.watcher.disconnect();
        plots.delete(this);
    }
}

function paintDots(ctx, { xs, ys, from, to, px, py, stems, scale }) {
    const [begin, end] = within(xs, from, to);
    const size = (end - begin > 400 ? 1.6 : 2.4) * scale;
    ctx.lineWidth = scale;
    for (let i = begin; i < end; i++) {
        if (!Number.isFinite(ys[i])) continue;
        ctx.beginPath();
        ctx.arc(px(xs[i]), py(ys[i]), size, 0, 2 * Math.PI);
        ctx.fill();
        if (!stems) continue;
        ctx.beginPath();
        ctx.moveTo(px(xs[i]), py(0));
        ctx.lineTo(px(xs[i]), py(ys[i]));
        ctx.stroke();
    }
}

function fillBetween(ctx, { xs, ys, below, from, to, px, py, stroke }) {
    const [begin, end] = within(xs, from, to);
    ctx.beginPath();
    for (let i = begin; i < end; i++) ctx.lineTo(px(xs[i]), py(ys[i]));
    for (let i = end - 1; i >= begin; i--) ctx.lineTo(px(xs[i]), py(below[i]));
    ctx.globalAlpha = 0.18;
    ctx.fillStyle = stroke;
    ctx.fill();
    ctx.globalAlpha = 1;
}
