// view.js: what the reader looks at: the moment, the part of the time that is shown, the run in focus. Parts of the page
// change it here and are told here when it changed; they do not know each other.

const SPEEDS = [
    1e-6,
    1e-5,
    1e-4,
    1 / 5000,
    1 / 2000,
    1 / 1000,
    1 / 500,
    1 / 200,
    1 / 100,
    1 / 50,
    1 / 20,
    1 / 10,
    1 / 5,
    1 / 2,
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    1000,
    1e4,
    1e5,
];

// The whole run in about eight seconds, at real speed when that is not far from it.
function firstSpeed(span) {
    if (!(span > 0) || (span >= 3 && span <= 30)) return 1;
    const wanted = span / 8;
    return SPEEDS.reduce(
        (best, speed) => (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best),
        1,
    );
}

export class View {
    constructor(data) {
        this.listeners = new Map();
        this.playing = false;
        this.take(data);
        this.time = data.from;
        this.hover = null;
        this.zoom = null;
        this.speed = firstSpeed(this.span);
    }

    take(data) {
        this.data = data;
        this.runs = data.runs;
        this.from = data.from;
        this.to = data.to;
        this.active = 0; // of a comparison, the one to be trusted at the least cost
        this.shown = new Set(data.runs.map((run) => run.index));
    }

    // Other data for the same parts: the moment stays where it was, as far as there still is one.
    replace(data) {
        const long = this.span;
        this.take(data);
        this.time = Math.min(this.to, Math.max(this.from, this.time));
        this.hover = null;
        if (this.span !== long) [this.zoom, this.speed] = [null, firstSpeed(this.span)];
        for (const what of ["run", "zoom", "time", "speed"]) this.tell(what);
    }

    // Other data for other parts: nobody who was told of the old ones is told any more.
    renew(data) {
        this.listeners.clear();
        this.setPlaying(false);
        this.replace(data);
    }

    get span() {
        return this.to - this.from;
    }
    get run() {
        return this.runs[this.active] ?? null;
    }
    get speeds() {
        return SPEEDS.filter((speed) => speed === this.speed || (speed >= this.span / 1000 && speed <= this.span / 0.5));
    }
    get window() {
        return this.zoom ?? [this.from, this.to];
    }
    get shownRuns() {
        return this.runs.filter((run) => this.shown.has(run.index));
    }

    // Calls `listener` when one of the named things changes; the function it returns ends that.
    on(names, listener) {
        for (const name of names.split(" ")) {
            if (!this.listeners.has(name)) this.listeners.set(name, new Set());
            this.listeners.get(name).add(listener);
        }
        return () => names.split(" ").forEach((name) => this.listeners.get(name).delete(listener));
    }

    tell(what) {
        for (const listener of this.listeners.get(what) ?? []) listener();
    }

    setTime(t) {
        const time = Math.min(this.to, Math.max(this.from, t));
        if (time === this.time) return;
        this.time = time;
        this.tell("time");
    }

    setHover(t) {
        if (t === this.hover) return;
        this.hover = t;
        this.tell("hover");
    }

    // null shows all; a window keeps within the run and above what numbers can tell apart
    setZoom(from, to) {
        const least = Math.max(this.span * 1e-7, Number.EPSILON * 64 * Math.abs(this.to));
        if (from === null || !(to - from < this.span * (1 - 1e-9))) this.zoom = null;
        else {
            const width = Math.max(to - from, least);
            const start = Math.min(Math.max(from, this.from), this.to - width);
            this.zoom = [start, start + width];
        }
        this.tell("zoom");
    }

    zoomBy(factor, centre) {
        const [from, to] = this.window;
        const middle = centre ?? (this.time >= from && this.time <= to ? this.time : (from + to) / 2);
        this.setZoom(middle - (middle - from) * factor, middle + (to - middle) * factor);
    }

    pan(share) {
        const [from, to] = this.window;
        if (this.zoom) this.setZoom(from + share * (to - from), to + share * (to - from));
    }

    setActive(index) {
        if (!this.runs[index] || index === this.active) return;
        this.active = index;
        this.shown.add(index);
        this.tell("run");
    }

    setShown(index, visible) {
        if (visible) this.shown.add(index);
        else this.shown.delete(index);
        this.tell("run");
    }

    setSpeed(speed) {
        this.speed = speed;
        this.tell("speed");
    }

    changeSpeed(places) {
        const all = this.speeds;
        this.setSpeed(all[Math.min(all.length - 1, Math.max(0, all.indexOf(this.speed) + places))]);
    }

    setPlaying(playing) {
        if (playing === this.playing || !(this.span > 0)) return;
        this.playing = playing;
        if (playing) {
            if (this.time >= this.to) this.setTime(this.from);
            this.last = null;
            requestAnimationFrame((now) => this.advance(now));
        }
        this.tell("playing");
    }

    advance(now) {
        if (!this.playing) return;
        const passed = this.last === null ? 0 : Math.min(0.1, (now - this.last) / 1000);
        this.last = now;
        if (passed > 0) this.setTime(this.time + passed * this.speed);
        if (this.time >= this.to) this.setPlaying(false);
        else requestAnimationFrame((next) => this.advance(next));
    }

    // One drawn frame on or back; without a drawing a five hundredth of the run.
    step(frames) {
        const times = this.run?.drawing?.time;
        if (!times?.length || times.length < 2) return this.setTime(this.time + (frames * this.span) / 500);
        const at = this.run.drawing.frameAt(this.time);
        return this.setTime(times[Math.min(times.length - 1, Math.max(0, at + frames))]);
    }

    // To the next event of the run in focus, or to the one before.
    stepEvent(direction) {
        const times = (this.run?.events ?? []).map((event) => event.t);
        const next = direction > 0 ? times.find((t) => t > this.time) : times.filter((t) => t < this.time).pop();
        if (next !== undefined) this.setTime(next);
    }
}
