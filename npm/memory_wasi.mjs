// memory_wasi.mjs: the system interface WASI (preview 1) over files in memory, as much of it as slipstick asks for. A file is a Uint8Array,
// a folder a Map of them. Works wherever WebAssembly does.

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, ISDIR = 31, NOENT = 44, NOTDIR = 54, NOTEMPTY = 55, SPIPE = 70;
const DEVICE = 2, FOLDER = 3, FILE = 4; // kinds of descriptors
const CREATE = 1, DIRECTORY = 2, EXCLUSIVE = 4, TRUNCATE = 8; // of path_open

class File {
    constructor(bytes = new Uint8Array(0)) {
        this.bytes = bytes;
        this.size = bytes.length;
    }
    grow(size) {
        if (size > this.bytes.length) {
            const more = new Uint8Array(Math.max(size, 2 * this.bytes.length, 4096));
            more.set(this.bytes.subarray(0, this.size));
            this.bytes = more;
        }
        if (size > this.size) this.bytes.fill(0, this.size, size);
        this.size = size;
    }
    write(bytes, at) {
        if (at + bytes.length > this.size) this.grow(at + bytes.length);
        this.bytes.set(bytes, at);
    }
    get content() {
        return this.bytes.slice(0, this.size);
    }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

class Exit {
    constructor(code) {
        this.code = code;
    }
}

/** A program's world: its arguments and files. `files` maps absolute paths to texts or bytes. */
export class MemoryWasi {
    constructor({ args = [], env = {}, files = {}, stdin = "" } = {}) {
        this.args = args;
        this.env = Object.entries(env).map(([key, value]) => `${key}=${value}`);
        this.root = new Map();
        this.numbers = new WeakMap();
        this.next = 1;
        for (const [path, content] of Object.entries(files)) this.put(path, content);
        this.open = [
            { kind: DEVICE, file: new File(typeof stdin === "string" ? encoder.encode(stdin) : stdin), at: 0 },
            { kind: DEVICE, file: new File(), at: 0 },
            { kind: DEVICE, file: new File(), at: 0 },
            { kind: FOLDER, file: this.root, at: 0 },
        ];
    }

    put(path, content) {
        const parts = path.split("/").filter(Boolean), name = parts.pop();
        let folder = this.root;
        for (const part of parts) {
            if (!folder.has(part)) folder.set(part, new Map());
            folder = folder.get(part);
        }
        folder.set(name, new File(typeof content === "string" ? encoder.encode(content) : new Uint8Array(content)));
    }

    /** All files below a folder, as bytes by their paths within it. */
    files(path = "/") {
        const found = {}, at = this.find(this.root, path);
        const walk = (folder, before) => {
            for (const [name, entry] of folder) {
                if (entry instanceof Map) walk(entry, `${before}${name}/`);
                else found[before + name] = entry.content;
            }
        };
        if (at instanceof Map) walk(at, "");
        return found;
    }

    get stdout() {
        return decoder.decode(this.open[1].file.content);
    }
    get stderr() {
        return decoder.decode(this.open[2].file.content);
    }

    /** Runs a module to its end; its exit code. */
    async run(module) {
        const { exports } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: this.imports() });
        this.memory = exports.memory;
        try {
            exports._start();
        } catch (end) {
            if (end instanceof Exit) return end.code;
            throw end;
        }
        return 0;
    }

    // ------------------------------------------------------------------------------------------- paths

    number(entry) {
        if (!this.numbers.has(entry)) this.numbers.set(entry, this.next++);
        return this.numbers.get(entry);
    }

    find(folder, path) {
        let at = [folder];
        for (const part of path.split("/")) {
            if (part === "" || part === ".") continue;
            if (part === "..") {
                if (at.length > 1) at.pop();
                continue;
            }
            const here = at[at.length - 1];
            if (!(here instanceof Map)) return undefined;
            if (!here.has(part)) return undefined;
            at.push(here.get(part));
        }
        return at[at.length - 1];
    }

    // the folder that a path's last part stands in, and that part
    place(folder, path) {
        const clean = path.replace(/\/+$/, ""), slash = clean.lastIndexOf("/");
        const parent = slash < 0 ? folder : this.find(folder, clean.slice(0, slash));
        return [parent instanceof Map ? parent : undefined, clean.slice(slash + 1)];
    }

    // ------------------------------------------------------------------------------------------ memory

    get view() {
        return new DataView(this.memory.buffer);
    }
    bytes(at, count) {
        return new Uint8Array(this.memory.buffer, at, count);
    }
    text(at, count) {
        return decoder.decode(this.bytes(at, count).slice());
    }
    // the parts of a list of buffers
    *buffers(at, count) {
        for (let k = 0; k < count; k++) yield this.bytes(this.view.getUint32(at + 8 * k, true), this.view.getUint32(at + 8 * k + 4, true));
    }
    strings(list, at, text) {
        for (const one of list) {
            const bytes = encoder.encode(one + "\0");
            this.view.setUint32(at, text, true);
            this.bytes(text, bytes.length).set(bytes);
            at += 4;
            text += bytes.length;
        }
        return OK;
    }
    sizes(list, count, bytes) {
        this.view.setUint32(count, list.length, true);
        this.view.setUint32(bytes, list.reduce((sum, one) => sum + encoder.encode(one).length + 1, 0), true);
        return OK;
    }
    about(entry, kind, to) {
        this.bytes(to, 64).fill(0);
        this.view.setBigUint64(to, 1n, true);
        this.view.setBigUint64(to + 8, BigInt(this.number(entry)), true);
        this.view.setUint8(to + 16, kind);
        this.view.setBigUint64(to + 24, 1n, true);
        this.view.setBigUint64(to + 32, BigInt(entry instanceof File ? entry.size : 0), true);
        return OK;
    }

    read(one, at, count, from, done) {
        let total = 0;
        for (const buffer of this.buffers(at, count)) {
            const part = one.file.bytes.subarray(from + total, Math.min(one.file.size, from + total + buffer.length));
            buffer.set(part);
            total += part.length;
            if (part.length < buffer.length) break;
        }
        this.view.setUint32(done, total, true);
        return total;
    }
    write(one, at, count, to, done) {
        let total = 0;
        for (const buffer of this.buffers(at, count)) {
            one.file.write(buffer, to + total);
            total += buffer.length;
        }
        this.view.setUint32(done, total, true);
        return total;
    }

    // ----------------------------------------------------------------------------------------- imports

    imports() {
        // with an open file, or an open folder
        const file = (f) => (fd, ...rest) => (this.open[fd]?.file instanceof File ? f(this.open[fd], ...rest) : this.open[fd] ? ISDIR : BADF);
        const folder = (f) => (fd, ...rest) => (this.open[fd]?.file instanceof Map ? f(this.open[fd].file, ...rest) : this.open[fd] ? NOTDIR : BADF);
        const any = (f) => (fd, ...rest) => (this.open[fd] ? f(this.open[fd], ...rest) : BADF);
        return {
            args_get: (at, text) => this.strings(this.args, at, text),
            args_sizes_get: (count, bytes) => this.sizes(this.args, count, bytes),
            environ_get: (at, text) => this.strings(this.env, at, text),
            environ_sizes_get: (count, bytes) => this.sizes(this.env, count, bytes),
            clock_time_get: (id, precision, to) => {
                const ms = id === 0 ? Date.now() : performance.now();
                this.view.setBigUint64(to, BigInt(Math.round(1e6 * ms)), true);
                return OK;
            },
            random_get: (at, count) => {
                for (let k = 0; k < count; k += 65536) crypto.getRandomValues(this.bytes(at + k, Math.min(65536, count - k)));
                return OK;
            },
            poll_oneoff: (from, to, count, done) => {
                this.view.setUint32(done, 0, true); // nobody is waited for
                return OK;
            },
            proc_exit: (code) => {
                throw new Exit(code);
            },
            fd_close: any((one) => {
                delete this.open[this.open.indexOf(one)];
                return OK;
            }),
            fd_fdstat_get: any((one, to) => {
                this.bytes(to, 24).fill(0);
                this.view.setUint8(to, one.kind);
                this.view.setUint16(to + 2, one.appends ? 1 : 0, true);
                this.view.setBigUint64(to + 8, 0x1fffffffn, true);
                this.view.setBigUint64(to + 16, 0x1fffffffn, true);
                return OK;
            }),
            fd_fdstat_set_flags: any(() => OK),
            fd_filestat_get: any((one, to) => this.about(one.file, one.kind, to)),
            fd_filestat_set_size: file((one, size) => {
                one.file.grow(Number(size));
                return OK;
            }),
            fd_prestat_get: (fd, to) => {
                if (fd !== 3) return BADF;
                this.view.setUint32(to, 0, true);
                this.view.setUint32(to + 4, 1, true);
                return OK;
            },
            fd_prestat_dir_name: (fd, at) => {
                this.bytes(at, 1)[0] = 47; // "/"
                return OK;
            },
            fd_read: file((one, at, count, done) => {
                one.at += this.read(one, at, count, one.at, done);
                return OK;
            }),
            fd_pread: file((one, at, count, from, done) => {
                this.read(one, at, count, Number(from), done);
                return OK;
            }),
            fd_write: file((one, at, count, done) => {
                one.at += this.write(one, at, count, one.at, done);
                return OK;
            }),
            fd_pwrite: file((one, at, count, to, done) => {
                this.write(one, at, count, Number(to), done);
                return OK;
            }),
            fd_seek: file((one, offset, whence, to) => {
                if (one.kind === DEVICE) return SPIPE;
                const at = [0, one.at, one.file.size][whence] + Number(offset);
                if (!(at >= 0)) return INVAL;
                one.at = at;
                this.view.setBigUint64(to, BigInt(at), true);
                return OK;
            }),
            fd_sync: any(() => OK),
            fd_readdir: folder((here, at, size, cookie, done) => {
                const entries = [...here];
                let used = 0;
                for (let k = Number(cookie); k < entries.length && used < size; k++) {
                    const [name, entry] = entries[k], bytes = encoder.encode(name), record = new Uint8Array(24 + bytes.length);
                    const view = new DataView(record.buffer);
                    view.setBigUint64(0, BigInt(k + 1), true);
                    view.setBigUint64(8, BigInt(this.number(entry)), true);
                    view.setUint32(16, bytes.length, true);
                    view.setUint8(20, entry instanceof Map ? FOLDER : FILE);
                    record.set(bytes, 24);
                    this.bytes(at + used, Math.min(record.length, size - used)).set(record.subarray(0, size - used));
                    used += Math.min(record.length, size - used);
                }
                this.view.setUint32(done, used, true);
                return OK;
            }),
            path_create_directory: folder((here, at, count) => {
                const [parent, name] = this.place(here, this.text(at, count));
                if (!parent) return NOENT;
                if (name === "" || name === "." || parent.has(name)) return EXIST;
                parent.set(name, new Map());
                return OK;
            }),
            path_filestat_get: folder((here, flags, at, count, to) => {
                const entry = this.find(here, this.text(at, count));
                return entry ? this.about(entry, entry instanceof Map ? FOLDER : FILE, to) : NOENT;
            }),
            path_open: folder((here, lookup, at, count, flags, rights, inheriting, fdflags, to) => {
                const path = this.text(at, count), [parent, name] = this.place(here, path);
                let entry = this.find(here, path);
                if (entry && flags & CREATE && flags & EXCLUSIVE) return EXIST;
                if (!entry && !(flags & CREATE)) return NOENT;
                if (!entry && (!parent || !name)) return NOENT;
                if (!entry) parent.set(name, (entry = new File()));
                if (entry instanceof File && flags & DIRECTORY) return NOTDIR;
                if (entry instanceof Map && flags & (CREATE | TRUNCATE)) return ISDIR;
                if (flags & TRUNCATE) entry.grow(0);
                this.open.push({ kind: entry instanceof Map ? FOLDER : FILE, file: entry, at: fdflags & 1 ? entry.size : 0, appends: fdflags & 1 });
                this.view.setUint32(to, this.open.length - 1, true);
                return OK;
            }),
            path_remove_directory: folder((here, at, count) => {
                const [parent, name] = this.place(here, this.text(at, count)), entry = parent?.get(name);
                if (!entry) return NOENT;
                if (!(entry instanceof Map)) return NOTDIR;
                if (entry.size > 0) return NOTEMPTY;
                parent.delete(name);
                return OK;
            }),
            path_rename: (fd, at, count, other, otherAt, otherCount) => {
                const from = this.open[fd]?.file, into = this.open[other]?.file;
                if (!(from instanceof Map && into instanceof Map)) return BADF;
                const [parent, name] = this.place(from, this.text(at, count)), [target, next] = this.place(into, this.text(otherAt, otherCount));
                if (!parent?.has(name) || !target) return NOENT;
                target.set(next, parent.get(name));
                if (parent !== target || name !== next) parent.delete(name);
                return OK;
            },
            path_unlink_file: folder((here, at, count) => {
                const [parent, name] = this.place(here, this.text(at, count)), entry = parent?.get(name);
                if (!entry) return NOENT;
                if (entry instanceof Map) return ISDIR;
                parent.delete(name);
                return OK;
            }),
        };
    }
}
