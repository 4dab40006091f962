// ranges.js: how far a slider goes: as the model spreads the number, else around its value.

const UNIFORM = 0;
const NORMAL = 1;
const STEPS = 400; // of a slider from end to end
const SPREADS = 3; // standard deviations to both sides

// A number with at most `digits` digits, so that nobody reads 0.30000000000000004.
export const rounded = (value, digits = 6) => (value === 0 ? 0 : Number(value.toPrecision(digits)));

const roundUp = (value) => {
    const power = 10 ** Math.floor(Math.log10(Math.abs(value)));
    return Math.sign(value) * Math.ceil(Math.abs(value) / power - 1e-9) * power;
};

export function rangeOf(value, distribution) {
    if (distribution?.kind === NORMAL) {
        const [low, high] = [distribution.a - SPREADS * distribution.b, distribution.a + SPREADS * distribution.b];
        return [distribution.a > 0 ? Math.max(0, low) : low, high];
    }
    if (distribution?.kind === UNIFORM || distribution) return [distribution.a, distribution.b];
    if (!Number.isFinite(value) || value === 0) return [-1, 1];
    return value > 0 ? [0, rounded(roundUp(2 * value))] : [rounded(roundUp(2 * value)), 0];
}

// The range, widened where a number was typed beyond it.
export const widened = ([low, high], value) => [Math.min(low, value), Math.max(high, value)];

export const stepOf = ([low, high]) => rounded((high - low) / STEPS, 2);
