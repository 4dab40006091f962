// format.js: numbers as people read them. The minus is a real one; a number that is not there is a dash.

export const MISSING = "–";
const minus = (text) => text.replaceAll("-", "−");

// Four significant digits unless told; powers of ten only where zeros would have to be counted.
export function number(value, digits = 4) {
    if (value === null || value === undefined || Number.isNaN(value)) return MISSING;
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size < 1e-4 || size >= 1e7) {
        const [mantissa, power] = value.toExponential(digits - 1).split("e");
        return minus(`${trim(mantissa)}e${Number(power)}`);
    }
    return minus(trim(value.toPrecision(Math.max(digits, Math.min(7, Math.floor(Math.log10(size)) + 1)))));
}

function trim(text) {
    return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

export const percent = (share) => (share > 0 && share < 0.001 ? "< 0.1 %" : `${number(100 * share, 3)} %`);
export const count = (value) => (Number.isFinite(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, "\u2009") : MISSING);

// A time within [from, to]: as many decimals as a thousandth of the span needs, so that its width stays while it runs.
export function clockTime(value, span) {
    if (!Number.isFinite(value)) return MISSING;
    const decimals = span > 0 ? Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(span)))) : 3;
    return minus(value.toFixed(decimals));
}

// Seconds a computer took.
export function duration(seconds) {
    if (!Number.isFinite(seconds)) return MISSING;
    if (seconds >= 1) return `${number(seconds, 3)} s`;
    return seconds >= 1e-3 ? `${number(1e3 * seconds, 3)} ms` : `${number(1e6 * seconds, 3)} µs`;
}

// How many decimals a multiple of `step` needs: 0.25 needs two.
function decimalsOf(step) {
    for (let decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)); decimals < 15; decimals++) {
        const scaled = step * 10 ** decimals;
        if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return decimals;
    }
    return 15;
}

// Labels of an axis whose ticks are `step` apart.
export function tick(value, step) {
    if (Math.abs(value) < step * 1e-6) return "0";
    const size = Math.abs(value);
    if (size >= 1e6 || step < 1e-4) {
        const power = Math.floor(Math.log10(size) + 1e-9);
        const mantissa = value / 10 ** power;
        const text = mantissa.toFixed(Math.min(8, decimalsOf(Number((step / 10 ** power).toPrecision(6)))));
        return minus(`${text}e${power}`);
    }
    return minus(value.toFixed(Math.min(12, decimalsOf(step))));
}

const LONGEST = 9; // characters that fit beside an axis

// Labels of a whole axis. Where they would be too long to tell values apart, the first stands rounded, and the others say how far from it they are.
export function tickTexts(values, step) {
    const texts = values.map((value) => tick(value, step));
    if (values.length < 2 || texts.every((text) => text.length <= LONGEST)) return texts;
    return values.map((value, k) => (k === 0 ? `≈ ${number(value, 4)}` : `+${tick(value - values[0], step)}`));
}
