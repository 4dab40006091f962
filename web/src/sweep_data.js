// sweep_data.js: the numbers of a sweep, and what follows from them.

export const TRUST = ["trusted", "doubtful", "ended early", "could not begin", "not made", "unchecked"];
export const UNCHECKED = TRUST.indexOf("unchecked");
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95];

// From dark blue over green to yellow, even in lightness (after viridis).
const RAMP = [
    [68, 1, 84],
    [59, 82, 139],
    [33, 145, 140],
    [94, 201, 98],
    [253, 231, 37],
];
export function ramp(share) {
    const at = Math.max(0, Math.min(1, share)) * (RAMP.length - 1);
    const k = Math.min(RAMP.length - 2, Math.floor(at));
    return `rgb(${RAMP[k].map((from, c) => Math.round(from + (at - k) * (RAMP[k + 1][c] - from))).join(" ")})`;
}

// Seventeen digits at the most, as few as say the same number.
const exact = (value) => String(value);

export class Sweep {
    constructor(raw, unpack) {
        const column = ({ name, values }) => ({ name, values: Array.from(unpack(values)) });
        Object.assign(this, { count: raw.count, shownCount: raw.shown, axes: raw.axes, follow: raw.follow, alone: raw.alone });
        this.varied = raw.varied.map(column);
        this.values = raw.values.map(column);
        this.number = unpack(raw.number);
        this.trust = Array.from(unpack(raw.trust));
        this.t = unpack(raw.t);
        this.horizon = unpack(raw.horizon);
        this.texts = raw.texts;
        this.points = raw.points ? { run: unpack(raw.points.run), columns: raw.points.columns.map(column) } : null;
        this.unchecked = this.trust.filter((trust) => trust === UNCHECKED).length;
        this.untrusted = this.trust.filter((trust) => trust !== 0).length - this.unchecked;
    }

    // What a diagram can show: columns of the points, then values.
    shown() {
        const points = (this.points?.columns ?? []).slice(1).map((one) => ({ ...one, run: this.points.run }));
        return [...points, ...this.values];
    }

    eventsOf(k) {
        const counts = this.values.filter(({ name }) => name.startsWith("count("));
        return counts.length ? String(counts.reduce((sum, { values }) => sum + (values[k] || 0), 0)) : "not counted";
    }

    commandOf(k) {
        if (this.follow) return null;
        return [this.alone, ...this.varied.map(({ name, values }) => `--set '${name}=${exact(values[k])}'`)].join(" ");
    }

    // Something speaks against this run.
    isDoubted(k) {
        return this.trust[k] !== 0 && this.trust[k] !== UNCHECKED;
    }

    // What their words come to, in half a sentence.
    trustText(share) {
        const parts = [];
        if (this.untrusted)
            parts.push(`${share(this.untrusted / this.shownCount)} are not to be trusted: hollow or struck through, a stroke at the foot where there is no answer`);
        if (this.unchecked) parts.push(`${this.unchecked === this.shownCount ? "all" : share(this.unchecked / this.shownCount)} are unchecked (grey)`);
        return parts.length ? parts.join("; ") : "all are trusted";
    }

    // The share of runs whose value is at most `limit`, and its bounds when those that are not trusted may be anything.
    probability(values, limit) {
        let [below, above, open, found, all] = [0, 0, 0, 0, 0];
        values.forEach((value, k) => {
            if (Number.isFinite(value)) {
                all++;
                found += value <= limit;
            }
            if (this.trust[k] !== 0 || !Number.isFinite(value)) open++;
            else if (value <= limit) below++;
            else above++;
        });
        const total = below + above + open;
        return { all: found / all, low: below / total, high: (below + open) / total, open };
    }

    // Times at which at least five runs have a point, where nearly all points are at such times; else null.
    sharedTimes() {
        if (!this.points || this.shownCount < 5) return null;
        const groups = new Map();
        this.points.columns[0].values.forEach((t, k) => {
            if (!groups.has(t)) groups.set(t, []);
            groups.get(t).push(k);
        });
        const times = [...groups].filter(([, members]) => members.length >= 5).sort(([a], [b]) => a - b);
        const shared = times.reduce((sum, [, members]) => sum + members.length, 0);
        return times.length >= 3 && shared > 0.9 * this.points.run.length ? times.map(([t, members]) => ({ t, members })) : null;
    }

    quantiles(values, members) {
        const sorted = members.map((k) => values[k]).filter(Number.isFinite).sort((a, b) => a - b);
        return QUANTILES.map((q) => {
            const at = q * (sorted.length - 1);
            const k = Math.floor(at);
            return sorted.length ? sorted[k] + (at - k) * ((sorted[k + 1] ?? sorted[k]) - sorted[k]) : NaN;
        });
    }
}
