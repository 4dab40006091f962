// session.js: what the reader wants computed, and what was computed last. Wishes come faster than runs end: the latest one counts, and
// what shows stays until there is something newer.

const QUICK = 60; // ms: runs that take no longer are made whole while a slider moves
const REST = 250; // ms after the last change: then the run is checked by a second one
const PATIENCE = 400; // ms: a run that has taken longer than that gives way to a newer wish
export const LIMIT = 20; // s of one run, unless the reader wants more

export const WHOLE = { points: 2048, frames: 400, companion: 1 };
const SKETCH = { points: 1024, frames: 240, companion: 0 };

export class Session {
    constructor(client) {
        this.client = client;
        this.state = { path: "", text: "", sets: {}, formulation: "", step: 0, until: 0, all: false };
        this.described = null; // the model that is shown: parameters, coordinates, settings
        this.report = null;
        this.wanted = null;
        this.going = false;
        this.took = 0; // ms that a whole run of this model takes
        this.limit = LIMIT;
        this.listeners = new Map();
        client.onprogress = (fraction) => this.progress(fraction);
    }

    on(name, listener) {
        if (!this.listeners.has(name)) this.listeners.set(name, new Set());
        this.listeners.get(name).add(listener);
    }

    tell(name, ...details) {
        for (const listener of this.listeners.get(name) ?? []) listener(...details);
    }

    // Another model; nothing of the old one's settings stays.
    open(path, text, more = {}) {
        this.state = { path, text, sets: {}, formulation: "", step: 0, until: 0, all: false, ...more };
        this.took = 0;
        this.limit = LIMIT;
        this.tell("opened");
        return this.go();
    }

    // `live`: more changes of this kind will follow at once
    change(patch, live = false) {
        Object.assign(this.state, patch);
        if (patch.text !== undefined) this.limit = LIMIT;
        this.tell("changed", live);
        return this.go(live);
    }

    set(key, value, live = false) {
        const sets = { ...this.state.sets };
        if (value === null) delete sets[key];
        else sets[key] = value;
        return this.change({ sets }, live);
    }

    get model() {
        const { path, text, sets } = this.state;
        return { path, text, sets: Object.entries(sets).map(([key, value]) => `${key}=${value}`) };
    }

    request(sketch) {
        const { formulation, step, until, all } = this.state;
        const act = all ? "compare" : "run";
        return { act, model: this.model, formulation, step, until, budget: this.limit, ...(sketch ? SKETCH : WHOLE) };
    }

    async go(live = false) {
        clearTimeout(this.rest);
        this.wanted = { sketch: live && !this.state.all && !(this.took > 0 && this.took < QUICK) };
        if (this.going) {
            if (performance.now() - this.since > PATIENCE) this.client.stop();
            return;
        }
        this.going = true;
        while (this.wanted) {
            const { sketch } = this.wanted;
            this.wanted = null;
            this.since = performance.now();
            this.tell("going");
            const reply = await this.client.ask(this.request(sketch));
            this.take(reply, sketch);
        }
        this.going = false;
        this.tell("gone");
    }

    take(reply, sketch) {
        if (reply.opened) this.described = reply.opened;
        if (reply.mistakes) this.tell("mistakes", reply.mistakes);
        else if (reply.failed) this.tell("failed", reply.failed);
        else if (reply.broken !== undefined) this.tell("broken", reply.broken);
        else if (reply.stopped && !this.wanted) this.tell("stopped");
        else if (reply.report) {
            this.report = reply.report;
            if (!sketch) this.took = reply.took;
            this.tell("report", reply.report, sketch);
            if (sketch) this.rest = setTimeout(() => this.go(), REST);
        }
    }

    progress(fraction) {
        const passed = (performance.now() - this.since) / 1000;
        this.tell("progress", fraction, passed, fraction > 0 ? passed / fraction : NaN);
    }

    stop() {
        this.wanted = null;
        this.client.stop();
    }

    // However long it takes.
    unlimited() {
        this.limit = 0;
        this.client.stop();
        return this.go();
    }
}
