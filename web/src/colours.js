// colours.js: the colours of style.css, for what is painted on canvas. They differ for the colour-blind too: Okabe and
// Ito's, shifted until they stand out on both grounds; lines of equal colour differ by their dashes.

const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
const LINES = 6;

let cache = new Map();

export function colour(name) {
    if (!cache.has(name)) cache.set(name, getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
    return cache.get(name);
}

export const forgetColours = () => {
    cache = new Map();
};

export const lineColour = (index) => colour(`line-${index % LINES}`);
export const lineColourVariable = (index) => `var(--line-${index % LINES})`;
export const lineDash = (index) => DASHES[Math.floor(index / LINES) % DASHES.length];

export const MODES = ["open", "stick", "slip"];
export const VERDICTS = ["trusted", "compliant", "unknown", "doubtful", "ambiguous", "unstable", "inconsistent"]; // from good to bad
