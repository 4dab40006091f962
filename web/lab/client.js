// client.js: the page's end of a worker: requests, answers, and an end to what takes too long.

export class Client {
    // module: the compiled engine; script: address of the worker's script; files: what models may name
    constructor({ module, script, files }) {
        this.given = { module, files };
        this.script = script;
        this.waiting = new Map();
        this.count = 0;
        this.onprogress = null;
        this.start();
    }

    start() {
        this.worker = new Worker(this.script);
        this.worker.onmessage = ({ data }) => {
            if (data.progress !== undefined) return this.onprogress?.(data.progress);
            const settle = this.waiting.get(data.id);
            this.waiting.delete(data.id);
            if (data.reply.broken !== undefined) this.restart(); // its memory may be in any state
            settle?.(data.reply);
        };
        this.worker.onerror = (event) => {
            event.preventDefault();
            this.end({ broken: event.message || "the engine could not be started" });
        };
        this.ready = this.post({ act: "begin", ...this.given });
    }

    post(request) {
        const id = ++this.count;
        return new Promise((settle) => {
            this.waiting.set(id, settle);
            this.worker.postMessage({ id, ...request });
        });
    }

    async ask(request) {
        await this.ready;
        return this.post(request);
    }

    get busy() {
        return this.waiting.size > 0;
    }

    end(reply) {
        const all = [...this.waiting.values()];
        this.waiting.clear();
        for (const settle of all) settle(reply);
    }

    restart() {
        this.worker.terminate();
        this.end({ stopped: true });
        this.start();
    }

    // Ends what is under way; its answer is { stopped: true }.
    stop() {
        if (this.busy) this.restart();
    }

    close() {
        this.worker.terminate();
        this.end({ stopped: true });
    }
}
