// colours.js: the colours of style.css, for what is painted on canvas. They differ for the colour-blind too: Okabe and
// Ito's, shifted until they stand out on both grounds.

// Nine lines that differ by their dashes as well as by their colour, so that any two can be told apart without it.
const DASHES = [[], [9, 4], [2, 3], [10, 3, 2, 3], [16, 4], [6, 2, 1, 2, 1, 2], [5, 3], [14, 3, 4, 3], [1, 4]];
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
export const lineDash = (index) => DASHES[index % DASHES.length];

export const MODES = ["open", "stick", "slip"];
export const VERDICTS = ["trusted", "compliant", "unchecked", "unknown", "doubtful", "ambiguous", "unstable", "inconsistent"]; // from good to bad
