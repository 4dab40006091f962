// data.js: the object in the page, unpacked when it is asked for. web/data.md says what is in it.

function bytes(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const out = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
    return out;
}

// Packed arrays are little-endian, as is every machine with a browser that matters here.
export function unpack(packed) {
    if (!packed) return new Float64Array(0);
    if (ArrayBuffer.isView(packed)) return packed; // the laboratory's engine hands them over as they are
    if (Array.isArray(packed)) return Float64Array.from(packed, (value) => value ?? NaN);
    if (packed.u8 !== undefined) return bytes(packed.u8);
    const raw = bytes(packed.f64 ?? packed.f32);
    return packed.f64 !== undefined
        ? new Float64Array(raw.buffer, 0, raw.length >> 3)
        : new Float32Array(raw.buffer, 0, raw.length >> 2);
}

// A function that does its work when it is first called, and remembers the answer.
function once(make) {
    let value;
    let made = false;
    return () => {
        if (!made) [value, made] = [make(), true];
        return value;
    };
}

// Last place in `sorted` whose value is <= x; -1 before the first.
export function placeOf(sorted, x) {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (sorted[middle] <= x) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}

// The places [begin, end) of a window in `times`, with the last one before it and the first one behind it: curves go on past its edges.
export function within(times, from, to) {
    return [Math.max(0, placeOf(times, from)), Math.min(times.length, placeOf(times, to) + 2)];
}

// A value that 19 of 20 stay below; 0 when there is none. Sorts what it is given.
function mostly(values) {
    values.sort((a, b) => a - b);
    return values.length ? values[Math.floor(0.95 * (values.length - 1))] : 0;
}

class Channel {
    constructor(raw) {
        this.name = raw.name;
        this.unit = raw.unit ?? "";
        this.group = raw.group ?? "recorded";
        this.unpacked = once(() => unpack(raw.values));
        this.limits = once(() => limits(this.values, 0, this.values.length));
    }

    get values() {
        return this.unpacked();
    }
    get largest() {
        return Math.max(0, ...(this.limits() ?? []).map(Math.abs));
    }
    get still() {
        const found = this.limits();
        return !found || found[0] === found[1];
    }
}

// Least and greatest finite value in values[from, to), or null.
export function limits(values, from, to) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = from; i < to; i++) {
        const value = values[i];
        if (value < low && value !== -Infinity) low = value;
        if (value > high && value !== Infinity) high = value;
    }
    return low <= high ? [low, high] : null;
}

// [low, high] that takes in another pair; either may be null.
export const joined = (one, other) =>
    one && other ? [Math.min(one[0], other[0]), Math.max(one[1], other[1])] : (one ?? other);

class Run {
    constructor(raw, index) {
        this.index = index;
        this.name = raw.name ?? `run ${index + 1}`;
        this.summary = raw.summary ?? {};
        this.samples = raw.samples ?? 0;
        this.shown = raw.shown ?? 0;
        this.leftOut = raw.left_out ?? 0;
        this.events = raw.events ?? [];
        this.eventsTotal = raw.events_total ?? this.events.length;
        this.band = raw.band ?? null;
        this.contacts = raw.contacts ?? [];
        this.drawing = raw.drawing ? new Drawing(raw.drawing) : null;
        this.channels = (raw.channels ?? []).map((channel) => new Channel(channel));
        this.byName = new Map(this.channels.map((channel) => [channel.name, channel]));
        this.unpackedTime = once(() => unpack(raw.time));
    }

    get time() {
        return this.unpackedTime();
    }
    get from() {
        return this.time.length ? this.time[0] : null;
    }
    get to() {
        return this.time.length ? this.time[this.time.length - 1] : null;
    }
    get decimated() {
        return this.shown < this.samples;
    }
    channel(name) {
        return name === null || name === undefined ? null : (this.byName.get(name) ?? null);
    }

    // What was recorded last at or before t; NaN where there is nothing. Energies may be known at steps only.
    valueAt(channel, t) {
        if (!channel || !this.time.length || !(t >= this.from)) return NaN;
        let place = placeOf(this.time, t);
        if (channel.group === "energy") while (place > 0 && Number.isNaN(channel.values[place])) place--;
        return channel.values[place];
    }
}

// Forces between bodies, as lines: x y z of both ends and N, instant after instant.
class Network {
    constructor(raw) {
        this.first = raw.first ?? [0];
        this.time = unpack(raw.time);
        this.unpackedLines = once(() => unpack(raw.lines));
        this.strongest = once(() => mostly(this.unpackedLines().filter((_, k) => k % 7 === 6)));
    }

    most() {
        return this.first.slice(1).reduce((most, end, k) => Math.max(most, end - this.first[k]), 0);
    }

    at(t) {
        const k = placeOf(this.time, t);
        return k < 0 ? new Float32Array(0) : this.unpackedLines().subarray(7 * this.first[k], 7 * this.first[k + 1]);
    }
}

class Drawing {
    constructor(raw) {
        this.dimensions = raw.dimensions ?? 2;
        this.width = raw.width ?? 0;
        this.box = raw.box ?? [];
        this.shapes = raw.shapes ?? [];
        this.forces = raw.forces ?? [];
        this.network = raw.network ? new Network(raw.network) : null;
        this.unpackedTime = once(() => unpack(raw.time));
        this.unpackedValues = once(() => unpack(raw.values));
        this.strongest = once(() => mostly(this.forceSizes()));
    }

    get time() {
        return this.unpackedTime();
    }
    get frames() {
        return this.time.length;
    }

    frameAt(t) {
        return Math.max(0, placeOf(this.time, t));
    }

    // The numbers of a frame.
    frame(index) {
        const values = this.unpackedValues();
        return values.subarray(index * this.width, (index + 1) * this.width);
    }

    // Sizes of all forces that are drawn. Arrows are drawn to the scale of a usual one, so that a stroke does not hide the rest.
    forceSizes() {
        const dim = this.dimensions;
        const sizes = [];
        const values = this.unpackedValues();
        for (let index = 0; index < this.frames; index++) {
            for (const { at } of this.forces) {
                let square = 0;
                for (let k = 0; k < dim; k++) square += values[index * this.width + at + dim + k] ** 2;
                if (square > 0 && Number.isFinite(square)) sizes.push(Math.sqrt(square));
            }
        }
        return sizes;
    }
}

export function read(raw) {
    const runs = (raw.runs ?? []).map((run, index) => new Run(run, index));
    const times = [...runs.map((run) => run.time), ...[raw.fit?.curves].flat().map((curves) => unpack(curves?.time))].filter(
        (time) => time.length,
    );
    return {
        ...raw,
        kind: raw.kind ?? "run",
        title: raw.title ?? "Untitled",
        found: raw.found ?? [],
        runs,
        from: times.length ? Math.min(...times.map((time) => time[0])) : 0,
        to: times.length ? Math.max(...times.map((time) => time[time.length - 1])) : 0,
    };
}
