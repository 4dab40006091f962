// lab.js: puts the laboratory together.
import { read, unpack } from "../src/data.js";
import { h, tool } from "../src/dom.js";
import { keyboard } from "../src/keyboard.js";
import { themeButton } from "../src/theme.js";
import { View } from "../src/view.js";
import { Client } from "./client.js";
import { downloads } from "./downloads.js";
import { editor } from "./editor.js";
import { messageList, statusLine } from "./messages.js";
import { Parts } from "./parts.js";
import { Session } from "./session.js";
import { fromFragment, toFragment } from "./share.js";
import { sliders } from "./sliders.js";
import { sweepPart } from "./sweep.js";
import { texts } from "./texts.js";
import { whyPart } from "./why.js";
import { OWN_PATH, START } from "./start.js";

/* global SLIPSTICK_WORKER */

const MODELS = "/models/";

// What the program put into the page: models, and files that they name.
function given() {
    const source = document.getElementById("slipstick-data");
    const data = source ? JSON.parse(source.textContent) : {};
    const models = (data.models ?? []).filter(({ file, text }) => typeof file === "string" && typeof text === "string");
    return {
        models: models.length ? models : [START],
        files: [...(data.files ?? []), ...models].map(({ file, text, bytes }) => ({ path: MODELS + file, text: text ?? unpack(bytes) })),
        state: data.state ?? null,
    };
}

const EMPTY = { format: 1, kind: "run", title: "", runs: [] };

function modelChoice(models, session, choose) {
    const folders = new Map();
    for (const model of models) {
        const folder = model.file.includes("/") ? model.file.slice(0, model.file.lastIndexOf("/")) : "";
        if (!folders.has(folder)) folders.set(folder, []);
        folders.get(folder).push(model);
    }
    const option = ({ file, name }) => h("option", { value: file }, name || file.split("/").pop().replace(/\.yaml$/, ""));
    const choice = h(
        "select",
        { class: "model-choice", "aria-label": texts.model, onchange: () => choose(models.find(({ file }) => file === choice.value)) },
        [...folders].map(([folder, list]) => (folder ? h("optgroup", { label: folder }, list.map(option)) : list.map(option))),
    );
    const own = h("option", { value: "" }, texts.ownModel);
    const update = () => {
        const file = session.state.path.replace(MODELS, "");
        const known = models.some((model) => model.file === file);
        if (known) own.remove();
        else choice.append(own);
        choice.value = known ? file : "";
    };
    session.on("opened", update);
    return choice;
}

// A link that holds everything; where the clipboard is closed, it is shown.
function shareButton(session, view) {
    const field = h("input", { class: "share-link", readonly: true, "aria-label": texts.shareBy });
    const dialog = h(
        "dialog",
        { class: "help" },
        h("p", {}, texts.shareTitle),
        field,
        h("form", { method: "dialog" }, h("button", {}, texts.close)),
    );
    const button = h("button", { type: "button", title: texts.shareTitle, onclick: share }, texts.share);
    async function share() {
        const { path, text, sets, formulation, step, until, all } = session.state;
        const known = session.models.find(({ file }) => MODELS + file === path);
        const fragment = await toFragment({
            model: path.replace(MODELS, ""),
            ...(known?.text === text ? {} : { text }),
            sets,
            formulation,
            step,
            until,
            all,
            t: view.time,
        });
        history.replaceState(null, "", `#${fragment}`);
        field.value = location.href;
        dialog.showModal();
        field.select();
        try {
            await navigator.clipboard.writeText(field.value);
            button.textContent = texts.shared;
            setTimeout(() => (button.textContent = texts.share), 1500);
        } catch {
            /* the link is in the field */
        }
    }
    return [button, dialog];
}

function compareButton(session) {
    const button = h(
        "button",
        { type: "button", title: texts.compareAllLabel, onclick: () => session.change({ all: !session.state.all }) },
        texts.compareAll,
    );
    const update = () => button.setAttribute("aria-pressed", session.state.all);
    session.on("opened", update);
    session.on("changed", update);
    update();
    return button;
}

function playTools(view) {
    return h(
        "div",
        { class: "buttons", role: "group", "aria-label": texts.playing },
        tool(texts.rewindSign, texts.rewind, () => view.setTime(view.from)),
        tool("−1", texts.stepBack, () => view.step(-1)),
        tool("+1", texts.stepOn, () => view.step(1)),
        tool(texts.slowerSign, texts.slower, () => view.changeSpeed(-1)),
        tool(texts.fasterSign, texts.faster, () => view.changeSpeed(1)),
        tool(texts.eventBeforeSign, texts.eventBefore, () => view.stepEvent(-1)),
        tool(texts.eventNextSign, texts.eventNext, () => view.stepEvent(1)),
    );
}

// Where the reader begins: a link, else what the page was made with, else the first model.
async function firstModel(session, models, state) {
    const linked = await fromFragment(location.hash);
    const wanted = linked ?? state ?? {};
    const found = models.find(({ file }) => file === wanted.model || file === `${wanted.model}.yaml`);
    const { sets = {}, formulation = "", step = 0, until = 0, all = false, text } = wanted;
    const settings = { sets, formulation, step, until, all };
    if (text) return session.open(found ? MODELS + found.file : OWN_PATH, text, settings);
    const model = found ?? models[0];
    return session.open(MODELS + model.file, model.text, found || !linked ? settings : {});
}

function studies(session, options) {
    let client = null; // compare, sweep and the like do not wait for the runs of the sliders
    session.study = (request) => {
        client ??= new Client(options);
        return client.ask(request);
    };
    session.stopStudy = () => client?.stop();
}

// `?embed` shows the motion alone, `?embed=mu,v` the sliders of these parameters beside it; null: the whole laboratory.
function embedded() {
    const names = new URLSearchParams(location.search).get("embed");
    return names === null ? null : names.split(",").filter(Boolean);
}

export async function laboratory(stage3d, engine) {
    const page = document.getElementById("page");
    page.className = "lab";
    document.title = texts.title;
    const only = embedded();
    if (only) page.classList.add("lab-embed");
    if (only?.length) page.classList.add("lab-embed-sliders");
    page.replaceChildren(h("p", { class: "empty" }, texts.unpacking));
    try {
        const module = await WebAssembly.compile(await engine);
        const script = URL.createObjectURL(new Blob([SLIPSTICK_WORKER], { type: "text/javascript" }));
        const { models, files, state } = given();
        const options = { module, script, files };
        const session = new Session(new Client(options));
        Object.assign(session, { models, files: files.map(({ path, text }) => ({ file: path.replace(MODELS, ""), [typeof text === "string" ? "text" : "bytes"]: text })) });
        studies(session, options);
        await assemble(page, session, stage3d, state);
    } catch (error) {
        page.replaceChildren(h("p", { class: "fatal", role: "alert" }, texts.noEngine(error.message)));
        throw error;
    }
}

async function assemble(page, session, stage3d, state) {
    const { models } = session;
    const view = new View(read(EMPTY));
    const theme = themeButton(view);
    const keys = keyboard(view, theme);
    const parts = new Parts(view, stage3d, (shown) => [...whyPart(shown, session), ...sweepPart(shown, session)]);
    const text = editor("", (next) => session.change({ text: next }, true));
    const values = sliders(session, embedded());
    const messages = messageList(session, text);
    const status = statusLine(session);
    const choose = (model) => {
        if (!model) return;
        history.replaceState(null, "", `#model=${encodeURIComponent(model.file)}`);
        session.open(MODELS + model.file, model.text);
    };

    session.on("opened", () => text.set(session.state.text));
    let fresh = true; // a model that was just opened moves by itself, where the reader allows it
    session.on("opened", () => {
        fresh = true;
    });
    session.on("report", (report, sketch) => {
        values.renew();
        parts.show(read(report));
        if (fresh && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
            view.setTime(view.from);
            view.setPlaying(true);
        }
        fresh = false;
        page.classList.remove("lab-stale");
        page.classList.toggle("lab-sketch", sketch);
        document.title = `${report.title} · ${texts.title}`;
    });
    for (const name of ["mistakes", "failed", "broken"]) session.on(name, () => page.classList.add("lab-stale"));
    session.on("opened", () => values.rebuild());

    page.replaceChildren(
        h(
            "header",
            { class: "lab-bar" },
            h("span", { class: "brand" }, texts.brand),
            h("span", { class: "kind-badge" }, texts.laboratory),
            modelChoice(models, session, choose),
            h("span", { class: "spring" }),
            compareButton(session),
            shareButton(session, view),
            downloads(session, view, status.say),
            keys.button,
            theme.button,
        ),
        h(
            "div",
            { class: "lab-grid" },
            h(
                "div",
                { class: "lab-left" },
                h("div", { class: "panel values-panel" }, values.element),
                h("div", { class: "panel editor" }, h("div", { class: "editor-head" }, texts.editor), text.element, messages),
            ),
            h("div", { class: "lab-right" }, parts.head, parts.stage, parts.transport, h("div", { class: "lab-tools" }, playTools(view), status.element), parts.after),
        ),
        h("footer", {}, texts.footer),
        keys.dialog,
    );
    addEventListener("hashchange", () => firstModel(session, models, null));
    await firstModel(session, models, state);
    page.dataset.ready = "";
    const { language } = await session.study({ act: "language" });
    values.know(language);
    text.complete({
        language,
        names: () => [
            ...(session.described?.parameters ?? []).map(({ name }) => name),
            ...(session.described?.coordinates ?? []).flatMap(({ name }) => [name, `${name}'`]),
        ],
    });
}
