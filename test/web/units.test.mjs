// units.test.mjs: the parts of the page that need no browser.
import assert from "node:assert/strict";
import test from "node:test";
import { axes, clicked, padded, spread, ticks } from "../../web/src/axes.js";
import { lineKey, thickness } from "../../web/src/forces.js";
import { describe, pieces } from "../../web/src/band.js";
import { lineDash } from "../../web/src/colours.js";
import { distribution } from "../../web/src/contacts.js";
import { joined, limits, placeOf, read, unpack, within } from "../../web/src/data.js";
import { bandOf } from "../../web/src/derived.js";
import { clockTime, count, duration, number, percent, tick, tickTexts } from "../../web/src/format.js";
import { curve } from "../../web/src/line.js";
import { usualRange } from "../../web/src/usual.js";
import { View } from "../../web/src/view.js";
import { f32, f64, sampleRun, u8 } from "./samples.mjs";

// A path that keeps its points.
globalThis.Path2D = class {
    constructor() {
        this.points = [];
    }
    moveTo(x, y) {
        this.points.push([x, y, "move"]);
    }
    lineTo(x, y) {
        this.points.push([x, y, "line"]);
    }
    arc(x, y) {
        this.points.push([x, y, "dot"]);
    }
};

test("packed arrays come back bit for bit", () => {
    assert.deepEqual([...unpack(f64([1, -0.1, 1e300, NaN]))], [1, -0.1, 1e300, NaN]);
    assert.deepEqual([...unpack(f32([0.5, -2]))], [0.5, -2]);
    assert.deepEqual([...unpack(u8([0, 255]))], [0, 255]);
    assert.equal(unpack(null).length, 0);
    assert.equal(unpack(f64([])).length, 0);
});

test("a band from derivatives: all parameters at the unfavourable ends", () => {
    const channels = [
        { name: "x", values: Float64Array.of(1, 2, 3) },
        { name: "d(x)/d(a)", values: Float64Array.of(0, -2, NaN) },
        { name: "d(x)/d(b)", values: Float64Array.of(1, 1, 1) },
    ];
    const run = {
        summary: { sensitivity: { to: ["a", "b", "x'"] }, settings: { parameters: { a: 5, b: -10, c: 1 } } },
        channel: (name) => channels.find((channel) => channel.name === name) ?? null,
    };
    const band = bandOf(run, channels[0]);
    assert.deepEqual(band.names, ["a", "b"]);
    assert.deepEqual([...band.above].slice(0, 2), [1.1, 2.2]);
    assert.deepEqual([...band.below].slice(0, 2), [0.9, 1.8]);
    assert.ok(Number.isNaN(band.above[2])); // no derivatives, no band
    assert.equal(bandOf(run, channels[1]), null);
    assert.equal(bandOf({ ...run, summary: {} }, { ...channels[0] }), null);
});

test("the place of a time", () => {
    const times = [0, 1, 1, 2];
    assert.deepEqual(
        [-1, 0, 0.5, 1, 1.5, 2, 9].map((t) => placeOf(times, t)),
        [-1, 0, 0, 2, 2, 3, 3],
    );
    assert.equal(placeOf([], 1), -1);
});

test("limits leave out what is no number", () => {
    assert.deepEqual(limits([NaN, 3, -1, Infinity, -Infinity], 0, 5), [-1, 3]);
    assert.equal(limits([NaN], 0, 1), null);
    assert.equal(limits([], 0, 0), null);
});

test("numbers as people read them", () => {
    assert.equal(number(0.000123456), "0.0001235");
    assert.equal(number(-1.5e-7), "−1.5e−7");
    assert.equal(number(12345678), "1.235e7");
    assert.equal(number(1234567), "1234567");
    assert.equal(number(NaN), "–");
    assert.equal(number(null), "–");
    assert.equal(number(0.1 + 0.2), "0.3");
    assert.equal(count(1234567), "1\u2009234\u2009567");
    assert.equal(percent(1e-6), "< 0.1 %");
    assert.equal(duration(2.5e-5), "25 µs");
    assert.equal(clockTime(1.23456, 2), "1.235");
    assert.equal(clockTime(0.00123456, 0.002), "0.001235");
});

test("nine formulations have nine lines, told apart by their dashes alone", () => {
    const dashes = Array.from({ length: 9 }, (_, k) => lineDash(k).join(" "));
    assert.equal(new Set(dashes).size, 9);
});

test("what is usual leaves out rare peaks, and nothing where there are few values", () => {
    const xs = Float64Array.from({ length: 1000 }, (_, k) => k);
    const ys = Float64Array.from(xs, (k) => (k === 500 ? 1e4 : k % 2 ? 10 : -4));
    assert.deepEqual(usualRange([{ xs, ys }], 0, 999), [-4, 10]);
    assert.equal(usualRange([{ xs: xs.subarray(0, 20), ys: ys.subarray(0, 20) }], 0, 19), null);
    assert.equal(usualRange([{ xs, ys: xs.map(() => 0) }], 0, 999), null);
});

test("the key of force lines names round forces as thick as they are drawn", () => {
    for (const strongest of [3.7e-9, 1, 23, 1.2e6]) {
        const [[weak, thin], [strong, thick]] = lineKey(strongest);
        assert.ok(strong <= strongest * 1.0001 && strong > 0.3 * strongest && Math.abs(weak - strong / 10) < 1e-9 * strong);
        assert.ok(Math.abs(thick - Math.sqrt(strong / strongest)) < 1e-12 && Math.abs(thick / thin - Math.sqrt(10)) < 1e-9);
    }
    assert.deepEqual(lineKey(0), []);
    assert.equal(thickness(1e6, 1), 3);
});

test("ticks tell their values apart", () => {
    for (const [from, to] of [
        [0, 1],
        [-3e-7, 2e-7],
        [1e8, 1.0000001e8],
        [0.1, 3.04],
        [-250, 1e4],
        [1, 1.0002],
    ]) {
        const { step, at } = ticks(from, to, 6);
        const texts = at.map((value) => tick(value, step));
        assert.equal(new Set(texts).size, texts.length, `${from} to ${to}: ${texts}`);
        assert.ok(at.length >= 2 && at.length <= 13, `${from} to ${to}: ${texts}`);
        at.forEach((value, k) =>
            assert.ok(Math.abs(Number(texts[k].replaceAll("−", "-")) - value) <= 1e-6 * step, `${texts[k]} is not ${value}`),
        );
    }
    assert.equal(tick(0.25, 0.25), "0.25");
    assert.deepEqual(tickTexts([0, 0.25, 0.5], 0.25), ["0", "0.25", "0.50"]);
    assert.deepEqual(tickTexts([-0.025, -0.02499995, -0.0249999], 5e-8), ["≈ −0.025", "+5e−8", "+1.0e−7"]);
    assert.deepEqual(padded([2, 2]), [1.8, 2.2]);
    // values that differ by rounding: a range around them, and never ticks without end
    for (const [from, to] of [
        [136900, 136900 + 6e-11],
        [1, 1 + 2.3e-16],
        [0, 4e-320],
        [-1e300, 1e-300 - 1e300],
    ]) {
        assert.ok(ticks(from, to, 6).at.length <= 13, `${from} to ${to}`);
        const [low, high] = padded([from, to]);
        assert.ok(ticks(low, high, 6).at.length >= 2 && low < from && high > to, `${low} to ${high}`);
    }
});

// A canvas that remembers its texts; a character is six pixels wide.
function recorder() {
    const texts = [];
    const context = { texts, measureText: (text) => ({ width: 6 * text.length }), fillText: (text, x, y) => texts.push({ text, x, y }) };
    return new Proxy(context, { get: (target, name) => target[name] ?? (() => {}), set: () => true });
}

test("a frame leaves room for its labels, however long, and takes limits to its corners", () => {
    globalThis.getComputedStyle = () => ({ getPropertyValue: () => "black" });
    globalThis.document = { documentElement: null };
    for (const [low, high] of [
        [0, 1],
        [5e-6, 2.5e-5],
        [1e8, 1.0000001e8],
        [-123456.25, -123455.75],
    ]) {
        const context = recorder();
        const at = axes(context, 600, 400, { limits: [0, 10], label: "mu" }, { limits: [low, high], label: "step" });
        assert.deepEqual([at.x(0), at.x(10)], [at.box.left, at.box.right]);
        assert.deepEqual([at.y(low), at.y(high)], [at.box.bottom, at.box.top]);
        const beside = context.texts.filter(({ x }) => x === at.box.left - 7);
        assert.ok(beside.length >= 2);
        for (const { text } of beside) assert.ok(at.box.left - 7 - 6 * text.length >= 20, `${text} lies over the name of the axis`);
    }
    delete globalThis.document;
    delete globalThis.getComputedStyle;
});

test("limits, windows and clicks", () => {
    assert.deepEqual(spread([NaN, 1, 2, Infinity]), padded([1, 2]));
    assert.deepEqual(spread([NaN]), [0, 1]);
    assert.deepEqual(joined(null, [1, 2]), [1, 2]);
    assert.deepEqual(joined([0, 3], null), [0, 3]);
    assert.deepEqual(joined([0, 3], [-1, 2]), [-1, 3]);
    assert.deepEqual(within([0, 1, 2, 3, 4], 1.5, 2.5), [1, 4]);
    assert.deepEqual(within([0, 1, 2], -5, 50), [0, 3]);
    const dots = [
        { x: 10, y: 10 },
        { x: 14, y: 10 },
    ];
    const at = (clientX, clientY) => ({ clientX, clientY, currentTarget: { getBoundingClientRect: () => ({ left: 100, top: 50 }) } });
    assert.equal(clicked(at(113, 60), dots, 5), dots[1]);
    assert.equal(clicked(at(111, 60), dots, 5), dots[0]);
    assert.equal(clicked(at(150, 60), dots, 5), null);
});

test("a curve of a million points keeps every extreme", () => {
    const total = 1e6;
    const xs = Float64Array.from({ length: total }, (_, k) => k);
    const ys = Float64Array.from({ length: total }, (_, k) => Math.sin(k / 5e4));
    ys[123457] = 100;
    ys[765433] = -50;
    const path = curve(
        xs,
        ys,
        0,
        total - 1,
        (x) => (x * 1000) / total,
        (y) => y,
    );
    const heights = path.points.map(([, y]) => y);
    assert.ok(heights.includes(100) && heights.includes(-50));
    assert.ok(path.points.length <= 4 * 1001, `${path.points.length} points`);
    const column = path.points.filter(([x]) => x === 500).map(([, y]) => y);
    const [low, high] = limits(ys, 499500, 500500);
    assert.equal(Math.min(...column), low);
    assert.equal(Math.max(...column), high);
});

test("a curve breaks where there is no number, and one sample is a dot", () => {
    const path = curve(
        [0, 1, 2, 3, 4],
        [1, 2, NaN, 3, 4],
        0,
        4,
        (x) => x * 100,
        (y) => y,
    );
    assert.deepEqual(
        path.points.map(([x, , how]) => `${how}${x}`),
        ["move0", "line100", "move300", "line400"],
    );
    assert.deepEqual(
        curve(
            [5],
            [1],
            4,
            6,
            (x) => x,
            (y) => y,
        ).points.map(([, , how]) => how),
        ["move", "dot"],
    );
    assert.equal(
        curve(
            [],
            [],
            0,
            1,
            (x) => x,
            (y) => y,
        ).points.length,
        0,
    );
});

test("a band of very many pieces keeps the worst of each stretch", () => {
    const band = Array.from({ length: 3000 }, (_, k) => ({
        from: k,
        to: k + 1,
        verdict: k === 1234 ? "inconsistent" : k % 2 ? "ambiguous" : "trusted",
    }));
    const short = pieces(band, 0, 3000);
    assert.ok(short.length <= 240);
    assert.equal(short.filter(({ verdict }) => verdict === "inconsistent").length, 1);
    const hit = short.find(({ verdict }) => verdict === "inconsistent");
    assert.ok(hit.from <= 1234 && hit.to >= 1235);
    assert.deepEqual(pieces(null, 0, 1), []);
    assert.match(
        describe(
            [
                { from: 0, to: 1, verdict: "trusted" },
                { from: 1, to: 4, verdict: "ambiguous" },
            ],
            4,
        ),
        /^ambiguous 75 % of the time, trusted 25 %/,
    );
});

const view = (...runs) => new View(read({ format: 1, runs }));

test("zoom keeps within the run", () => {
    const v = view(sampleRun());
    v.setZoom(-5, 0.5);
    assert.deepEqual(v.window, [0, 2]);
    v.setZoom(1.5, 3);
    assert.deepEqual(v.window, [0.5, 2]);
    v.setZoom(1, 1);
    assert.ok(v.window[1] > v.window[0] && v.window[0] >= 0);
    v.setZoom(0, 2);
    assert.equal(v.zoom, null);
    v.pan(1);
    assert.deepEqual(v.window, [0, 2]);
});

test("steps go from frame to frame and from event to event", () => {
    const v = view(sampleRun());
    v.step(1);
    assert.equal(v.time, v.run.drawing.time[1]);
    v.step(-5);
    assert.equal(v.time, 0);
    v.stepEvent(1);
    assert.equal(v.time, v.run.events[0].t);
    v.stepEvent(-1);
    assert.equal(v.time, v.run.events[0].t);
    v.setTime(99);
    assert.equal(v.time, 2);
});

test("speeds: a short run is slowed down, a long one hurried", () => {
    assert.equal(view(sampleRun({ until: 10 })).speed, 1);
    assert.equal(view(sampleRun({ until: 0.02 })).speed, 1 / 500);
    assert.equal(view(sampleRun({ until: 800 })).speed, 100);
    assert.equal(view(sampleRun({ points: 0 })).speed, 1);
});

test("the distribution of a force accounts for all of the time", () => {
    const run = read({ runs: [sampleRun()] }).runs[0];
    for (const contact of run.contacts) {
        const found = distribution(run, contact);
        const binned = found.bins.reduce((a, b) => a + b, 0);
        assert.ok(Math.abs(binned - found.closed) < 1e-9);
        assert.ok(Math.abs(found.modes.reduce((a, b) => a + b, 0) - found.total) < 1e-9);
        assert.ok(Math.abs(found.total - 2) < 1e-9 && found.closed > 0 && found.closed < found.total);
    }
});

test("members that are absent are lived with", () => {
    const data = read({ runs: [{}] });
    assert.equal(data.title, "Untitled");
    assert.equal(data.runs[0].time.length, 0);
    assert.ok(Number.isNaN(data.runs[0].valueAt(null, 0)));
    assert.equal(read({}).runs.length, 0);
});
