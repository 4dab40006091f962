// downloads.js: taking things away: the model, tables, a picture, a film, the report, the laboratory itself.
import { h } from "../src/dom.js";
import { texts } from "./texts.js";

const LONGEST = 30; // s of a film

function save(name, content, type) {
    const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    h("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const baseName = ({ path }) => path.split("/").pop().replace(/\.ya?ml$/, "") || "model";

function letters(array) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let text = "";
    for (let k = 0; k < bytes.length; k += 8192) text += String.fromCharCode(...bytes.subarray(k, k + 8192));
    return btoa(text);
}

// Typed arrays as web/data.md packs them.
const packed = (key, value) => {
    if (value instanceof Float64Array) return { f64: letters(value) };
    if (value instanceof Float32Array) return { f32: letters(value) };
    return value instanceof Uint8Array ? { u8: letters(value) } : value;
};

// This page with other data in it; a report needs no engine.
function pageWith(data, engine) {
    const page = document.documentElement.cloneNode(true);
    page.querySelector("#page").replaceChildren();
    page.querySelector("#page").className = "";
    page.querySelectorAll("[data-unpacked], head style:not([data-lab])").forEach((one) => one.remove());
    page.removeAttribute("data-theme");
    page.className = "";
    if (!engine) page.querySelector("#slipstick-engine")?.remove();
    let holder = page.querySelector("#slipstick-data");
    if (!holder) {
        holder = h("script", { type: "application/json", id: "slipstick-data" });
        page.querySelector("#page").after(holder);
    }
    holder.textContent = JSON.stringify(data, packed).replaceAll("<", "\\u003c");
    return `<!doctype html>\n${page.outerHTML}\n`;
}

const canvasOf = () => document.querySelector(".stage canvas");

function film(view, name, done) {
    const canvas = canvasOf();
    if (!canvas?.captureStream || !globalThis.MediaRecorder) return done(null);
    const recorder = new MediaRecorder(canvas.captureStream(30));
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => {
        save(`${name}.webm`, new Blob(parts, { type: recorder.mimeType }));
        done(true);
    };
    const end = view.on("playing", () => {
        if (view.playing) return;
        end();
        recorder.stop();
    });
    view.setTime(view.from);
    recorder.start();
    view.setPlaying(true);
    setTimeout(() => view.setPlaying(false), 1000 * LONGEST);
    return undefined;
}

export function downloads(session, view, busy) {
    const name = () => baseName(session.state);
    async function results(file, type) {
        const { formulation, step, until } = session.state;
        busy(texts.running);
        const reply = await session.study({ act: "results", model: session.model, formulation, step, until });
        busy("");
        const text = reply.results?.[file];
        if (text) save(`${name()}-${file}`, text, type);
        else busy((reply.failed ?? reply.mistakes)?.error?.text ?? texts.stopped);
    }
    const labData = () => ({
        format: 1,
        kind: "lab",
        models: [{ file: session.state.path.replace(/^\/models\//, ""), text: session.state.text }],
        files: session.files,
        state: { ...session.state, text: undefined, path: undefined },
    });
    const entries = [
        [texts.downloadModel, () => save(`${name()}.yaml`, session.state.text, "text/yaml")],
        [texts.downloadTrajectory, () => results("trajectory.csv", "text/csv")],
        [texts.downloadEvents, () => results("events.csv", "text/csv")],
        [texts.downloadSummary, () => results("summary.json", "application/json")],
        [texts.downloadPicture, () => canvasOf()?.toBlob((blob) => save(`${name()}.png`, blob))],
        [texts.downloadFilm, () => (busy(texts.filming), film(view, name(), () => busy("")))],
        [texts.downloadReport, () => save(`${name()}-report.html`, pageWith(session.report, false), "text/html")],
        [texts.downloadPage, () => save(`${name()}-lab.html`, pageWith(labData(), true), "text/html")],
    ];
    const menu = h("details", { class: "dropdown" }, h("summary", {}, texts.download));
    menu.append(
        h(
            "div",
            { class: "menu narrow" },
            entries.map(([label, act]) =>
                h("button", { type: "button", class: "quiet", onclick: () => ((menu.open = false), act()) }, label),
            ),
        ),
    );
    document.addEventListener("pointerdown", (event) => menu.contains(event.target) || (menu.open = false));
    menu.addEventListener("keydown", (event) => event.key === "Escape" && (menu.open = false));
    return menu;
}
