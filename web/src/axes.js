// axes.js: a frame with ticks and grid on a canvas, for pictures that are not over time.
import { colour } from "./colours.js";
import { tickTexts } from "./format.js";

export const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";

// Round steps: 1, 2, 2.5 or 5 times a power of ten, about `wanted` of them.
export function ticks(from, to, wanted) {
    const span = to - from;
    if (!(span > 0) || !Number.isFinite(span)) return { step: 1, at: [from] };
    const raw = span / Math.max(1, wanted);
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999);
    const at = [];
    for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9; k++) at.push(k * step);
    return { step, at };
}

// Limits with some air; a single value gets a range around it.
export function padded([low, high], share = 0.06) {
    if (low === high) {
        const around = low === 0 ? 1 : Math.abs(low) * 0.1;
        return [low - around, high + around];
    }
    return [low - share * (high - low), high + share * (high - low)];
}

// Draws the frame and returns where a point goes. `x` and `y` are { limits, label, ticks? }.
export function axes(context, width, height, x, y) {
    const box = { left: 62, right: width - 12, top: 10, bottom: height - 40 };
    const at = {
        x: (value) => box.left + ((value - x.limits[0]) / (x.limits[1] - x.limits[0])) * (box.right - box.left),
        y: (value) => box.bottom - ((value - y.limits[0]) / (y.limits[1] - y.limits[0])) * (box.bottom - box.top),
        box,
    };
    context.font = FONT;
    context.lineWidth = 1;
    const across = x.ticks ?? labelled(ticks(...x.limits, (box.right - box.left) / 90));
    const up = y.ticks ?? labelled(ticks(...y.limits, (box.bottom - box.top) / 45));

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
