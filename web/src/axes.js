// axes.js: a frame with ticks and grid on a canvas, for pictures that are not over time.
import { colour } from "./colours.js";
import { tickTexts } from "./format.js";

export const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";

const ROUNDING = 1e-14; // of a value: ticks nearer than this are one number
const LEAST = 1e-290; // so is all that is nearer than this

// Round steps: 1, 2, 2.5 or 5 times a power of ten, about `wanted` of them.
export function ticks(from, to, wanted) {
    const span = to - from;
    if (!(span > Math.max(LEAST, ROUNDING * Math.max(Math.abs(from), Math.abs(to)))) || !Number.isFinite(span)) return { step: 1, at: [from] };
    const raw = span / Math.max(1, wanted);
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999);
    const at = [];
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9; k++) at.push(k * step);
    return { step, at };
}

// Limits with some air; a single value gets a range around it, and so do values that differ by rounding only.
export function padded([low, high], share = 0.06) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (high - low <= Math.max(LEAST, 10 * ROUNDING * size)) {
        const around = size < LEAST ? 1 : size * 0.1;
        return [low - around, high + around];
    }
    return [low - share * (high - low), high + share * (high - low)];
}

// Limits of an axis for these values, as far as they are numbers.
export function spread(values) {
    const known = values.filter(Number.isFinite);
    return known.length ? padded(known.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity])) : [0, 1];
}

const BESIDE = 62; // px left of the frame at least, so that pictures line up; more where labels are long
const NAME = 20; // px for the name of the axis

// Draws the frame and returns where a point goes. `x` and `y` are { limits, label, ticks? }.
export function axes(context, width, height, x, y) {
    const [top, bottom] = [10, height - 40];
    context.font = FONT;
    context.lineWidth = 1;
    const up = y.ticks ?? labelled(ticks(...y.limits, (bottom - top) / 45));
    const widest = Math.max(0, ...up.map(({ text }) => context.measureText(text).width));
    const box = { left: Math.max(BESIDE, Math.ceil(widest) + NAME + 7), right: width - 12, top, bottom };
    const at = {
        x: (value) => box.left + ((value - x.limits[0]) / (x.limits[1] - x.limits[0])) * (box.right - box.left),
        y: (value) => box.bottom - ((value - y.limits[0]) / (y.limits[1] - y.limits[0])) * (box.bottom - box.top),
        box,
    };
    const across = x.ticks ?? labelled(ticks(...x.limits, (box.right - box.left) / 90));

    context.strokeStyle = colour("grid");
    context.beginPath();
    for (const { value } of across) vertical(context, at.x(value), box);
    for (const { value } of up) horizontal(context, at.y(value), box);
    context.stroke();

    context.fillStyle = colour("muted");
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const { value, text } of across) context.fillText(text, at.x(value), box.bottom + 6);
    context.fillText(x.label, (box.left + box.right) / 2, box.bottom + 23);
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const { value, text } of up) context.fillText(text, box.left - 7, at.y(value));
    context.save();
    context.translate(11, (box.top + box.bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.textAlign = "center";
    context.fillText(y.label, 0, 0);
    context.restore();
    return at;
}

function labelled({ step, at }) {
    const texts = tickTexts(at, step);
    return at.map((value, k) => ({ value, text: texts[k] }));
}

export function circle(context, x, y, radius) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
}

// The one of the dots { x, y } that was clicked on a canvas; null when none is within `reach` pixels.
export function clicked(event, dots, reach) {
    const rect = event.currentTarget.getBoundingClientRect();
    const [px, py] = [event.clientX - rect.left, event.clientY - rect.top];
    let best = null;
    let least = reach;
    for (const dot of dots) {
        const far = Math.hypot(dot.x - px, dot.y - py);
        if (far < least) [best, least] = [dot, far];
    }
    return best;
}

function vertical(context, x, box) {
    const sharp = Math.round(x) + 0.5;
    context.moveTo(sharp, box.top);
    context.lineTo(sharp, box.bottom);
}

function horizontal(context, y, box) {
    const sharp = Math.round(y) + 0.5;
    context.moveTo(box.left, sharp);
    context.lineTo(box.right, sharp);
}
