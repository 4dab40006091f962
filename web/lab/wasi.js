// wasi.js: the operating system of the engine: a clock, and files that live in memory. What is not here, the engine does not have: no
// network, no processes, no files of the reader's.

const OK = 0;
const EBADF = 8;
const EEXIST = 20;
const EINVAL = 28;
const EISDIR = 31;
const ENOENT = 44;
const ENOTDIR = 54;
const ENOTEMPTY = 55;

const CREATE = 1;
const DIRECTORY = 2;
const EXCLUSIVE = 4;
const TRUNCATE = 8;
const APPEND = 1;

const TYPE_DEVICE = 2;
const TYPE_DIRECTORY = 3;
const TYPE_FILE = 4;

const ROOT = 3; // the first free descriptor is the root folder

let filesMade = 0;

class File {
    constructor(bytes = new Uint8Array(0)) {
        this.number = ++filesMade; // tells it from others, as an inode does
        this.bytes = bytes;
        this.size = bytes.length;
    }

    get content() {
        return this.bytes.subarray(0, this.size);
    }

    resize(size) {
        if (size > this.bytes.length) {
            const wider = new Uint8Array(Math.max(size, 2 * this.bytes.length, 1024));
            wider.set(this.content);
            this.bytes = wider;
        } else if (size < this.size) this.bytes.fill(0, size, this.size);
        this.size = size;
    }

    write(at, bytes) {
        if (at + bytes.length > this.size) this.resize(at + bytes.length);
        this.bytes.set(bytes, at);
    }
}

// A path from the root, without "." and "..".
function clean(path) {
    const parts = [];
    for (const part of path.split("/"))
        if (part === "..") parts.pop();
        else if (part && part !== ".") parts.push(part);
    return parts.join("/");
}

const folderOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

export class FileSystem {
    constructor() {
        this.files = new Map();
        this.folders = new Set([""]);
    }

    write(path, content) {
        const name = clean(path);
        for (let folder = folderOf(name); folder; folder = folderOf(folder)) this.folders.add(folder);
        this.files.set(name, new File(typeof content === "string" ? new TextEncoder().encode(content) : content));
    }

    read(path) {
        return this.files.get(clean(path))?.content ?? null;
    }

    remove(path) {
        this.files.delete(clean(path));
    }

    isEmpty(folder) {
        return ![...this.files.keys(), ...this.folders].some((name) => name.startsWith(`${folder}/`));
    }
}

// The functions that the engine imports as wasi_snapshot_preview1. `memory()` is its memory, `print(text)` gets what it prints.
export function wasi(fileSystem, memory, print = () => {}) {
    const open = new Map([
        [0, { type: TYPE_DEVICE }],
        [1, { type: TYPE_DEVICE }],
        [2, { type: TYPE_DEVICE }],
        [ROOT, { type: TYPE_DIRECTORY, path: "" }],
    ]);
    const view = () => new DataView(memory().buffer);
    const bytes = (at, count) => new Uint8Array(memory().buffer, at, count);
    const text = (at, count) => new TextDecoder().decode(bytes(at, count).slice());
    const { files, folders } = fileSystem;

    function pathOf(descriptor, at, count) {
        const folder = open.get(descriptor);
        return folder?.type === TYPE_DIRECTORY ? clean(`${folder.path}/${text(at, count)}`) : null;
    }
    function firstFree() {
        let descriptor = ROOT + 1;
        while (open.has(descriptor)) descriptor++;
        return descriptor;
    }
    // calls act(bytes) for each part of a scattered buffer; it returns how many it took
    function each(vectors, count, act) {
        let total = 0;
        for (let k = 0; k < count; k++) {
            const part = bytes(view().getUint32(vectors + 8 * k, true), view().getUint32(vectors + 8 * k + 4, true));
            const done = act(part);
            total += done;
            if (done < part.length) break;
        }
        return total;
    }
    function readAt(file, at, part) {
        const taken = file.content.subarray(Math.min(at, file.size), Math.min(at + part.length, file.size));
        part.set(taken);
        return taken.length;
    }
    function putStat(at, type, file) {
        const data = view();
        for (let k = 0; k < 64; k += 8) data.setBigUint64(at + k, 0n, true);
        data.setBigUint64(at + 8, BigInt(file?.number ?? 0), true);
        data.setUint8(at + 16, type);
        data.setBigUint64(at + 24, 1n, true);
        data.setBigUint64(at + 32, BigInt(file?.size ?? 0), true);
        return OK;
    }

    return {
        clock_time_get(clock, precision, out) {
            const milliseconds = clock === 0 ? Date.now() : performance.now();
            view().setBigUint64(out, BigInt(Math.round(milliseconds * 1e6)), true);
            return OK;
        },
        fd_close(descriptor) {
            return open.delete(descriptor) ? OK : EBADF;
        },
        fd_fdstat_get(descriptor, out) {
            const entry = open.get(descriptor);
            if (!entry) return EBADF;
            const data = view();
            data.setUint8(out, entry.type);
            data.setUint16(out + 2, entry.append ? APPEND : 0, true);
            data.setBigUint64(out + 8, ~0n & 0xffffffffffffffffn, true);
            data.setBigUint64(out + 16, ~0n & 0xffffffffffffffffn, true);
            return OK;
        },
        fd_fdstat_set_flags: () => OK,
        fd_filestat_get(descriptor, out) {
            const entry = open.get(descriptor);
            return entry ? putStat(out, entry.type, entry.file) : EBADF;
        },
        fd_filestat_set_size(descriptor, size) {
            const file = open.get(descriptor)?.file;
            file?.resize(Number(size));
            return file ? OK : EBADF;
        },
        fd_prestat_get(descriptor, out) {
            if (descriptor !== ROOT) return EBADF;
            view().setUint32(out, 0, true);
            view().setUint32(out + 4, 1, true);
            return OK;
        },
        fd_prestat_dir_name(descriptor, at, count) {
            if (descriptor !== ROOT || count < 1) return EBADF;
            bytes(at, 1)[0] = 0x2f;
            return OK;
        },
        fd_read(descriptor, vectors, count, out) {
            const entry = open.get(descriptor);
            if (!entry) return EBADF;
            const total = entry.file
                ? each(vectors, count, (part) => {
                      const done = readAt(entry.file, entry.at, part);
                      entry.at += done;
                      return done;
                  })
                : 0;
            view().setUint32(out, total, true);
            return OK;
        },
        fd_pread(descriptor, vectors, count, offset, out) {
            const file = open.get(descriptor)?.file;
            if (!file) return EBADF;
            let at = Number(offset);
            const total = each(vectors, count, (part) => {
                const done = readAt(file, at, part);
                at += done;
                return done;
            });
            view().setUint32(out, total, true);
            return OK;
        },
        fd_write(descriptor, vectors, count, out) {
            const entry = open.get(descriptor);
            if (!entry) return EBADF;
            const total = each(vectors, count, (part) => {
                if (entry.file) {
                    if (entry.append) entry.at = entry.file.size;
                    entry.file.write(entry.at, part);
                    entry.at += part.length;
                } else print(new TextDecoder().decode(part.slice()));
                return part.length;
            });
            view().setUint32(out, total, true);
            return OK;
        },
        fd_pwrite(descriptor, vectors, count, offset, out) {
            const file = open.get(descriptor)?.file;
            if (!file) return EBADF;
            let at = Number(offset);
            const total = each(vectors, count, (part) => {
                file.write(at, part);
                at += part.length;
                return part.length;
            });
            view().setUint32(out, total, true);
            return OK;
        },
        fd_seek(descriptor, offset, whence, out) {
            const entry = open.get(descriptor);
            if (!entry?.file) return EBADF;
            const at = Number(offset) + [0, entry.at, entry.file.size][whence];
            if (!(at >= 0)) return EINVAL;
            entry.at = at;
            view().setBigUint64(out, BigInt(at), true);
            return OK;
        },
        fd_sync: () => OK,
        path_create_directory(descriptor, at, count) {
            const path = pathOf(descriptor, at, count);
            if (path === null) return EBADF;
            if (files.has(path) || folders.has(path)) return EEXIST;
            if (!folders.has(folderOf(path))) return ENOENT;
            folders.add(path);
            return OK;
        },
        path_filestat_get(descriptor, flags, at, count, out) {
            const path = pathOf(descriptor, at, count);
            if (path === null) return EBADF;
            if (folders.has(path)) return putStat(out, TYPE_DIRECTORY, null);
            const file = files.get(path);
            return file ? putStat(out, TYPE_FILE, file) : ENOENT;
        },
        path_open(descriptor, lookup, at, count, how, rights, inherited, flags, out) {
            const path = pathOf(descriptor, at, count);
            if (path === null) return EBADF;
            const found = firstFree();
            if (folders.has(path)) {
                if (how & (CREATE | TRUNCATE)) return EISDIR;
                open.set(found, { type: TYPE_DIRECTORY, path });
            } else {
                if (how & DIRECTORY) return files.has(path) ? ENOTDIR : ENOENT;
                if (files.has(path) && how & EXCLUSIVE && how & CREATE) return EEXIST;
                if (!files.has(path)) {
                    if (!(how & CREATE) || !folders.has(folderOf(path))) return ENOENT;
                    files.set(path, new File());
                }
                const file = files.get(path);
                if (how & TRUNCATE) file.resize(0);
                open.set(found, { type: TYPE_FILE, file, at: 0, append: Boolean(flags & APPEND) });
            }
            view().setUint32(out, found, true);
            return OK;
        },
        path_remove_directory(descriptor, at, count) {
            const path = pathOf(descriptor, at, count);
            if (path === null || !folders.has(path)) return ENOENT;
            if (!fileSystem.isEmpty(path)) return ENOTEMPTY;
            folders.delete(path);
            return OK;
        },
        path_rename(descriptor, at, count, other, to, toCount) {
            const from = pathOf(descriptor, at, count);
            const target = pathOf(other, to, toCount);
            if (!files.has(from)) return ENOENT;
            files.set(target, files.get(from));
            if (from !== target) files.delete(from);
            return OK;
        },
        path_unlink_file(descriptor, at, count) {
            return files.delete(pathOf(descriptor, at, count)) ? OK : ENOENT;
        },
        path_readlink: () => EINVAL, // there are no links
        fd_readdir(descriptor, buffer, room, cookie, out) {
            view().setUint32(out, 0, true); // the engine never asks what is in a folder
            return OK;
        },
        environ_sizes_get(count, size) {
            view().setUint32(count, 0, true);
            view().setUint32(size, 0, true);
            return OK;
        },
        environ_get: () => OK,
        args_sizes_get(count, size) {
            view().setUint32(count, 0, true);
            view().setUint32(size, 0, true);
            return OK;
        },
        args_get: () => OK,
        random_get(at, count) {
            bytes(at, count).fill(0); // nothing in a run is random
            return OK;
        },
        poll_oneoff: () => OK, // waiting: for nobody
        sched_yield: () => OK,
        proc_exit(code) {
            throw new Error(`the engine ended with code ${code}`);
        },
    };
}
