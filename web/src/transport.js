// transport.js: play, scrub, speed, and the run in focus. It stays at the top while the page scrolls.
import { bandStrip, horizonOf, stripBand, wordOf } from "./band.js";
import { lineColourVariable, lineDash, VERDICTS } from "./colours.js";
import { h, lineKey } from "./dom.js";
import { clockTime } from "./format.js";

const RESOLUTION = 10000;
const speedText = (speed) => (speed >= 1 ? `${speed} ×` : `1/${Math.round(1 / speed)} ×`);

function playButton(view) {
    const button = h("button", { type: "button", class: "play", onclick: () => view.setPlaying(!view.playing) });
    function update() {
        button.dataset.playing = view.playing;
        button.setAttribute("aria-label", view.playing ? "pause" : "play");
        button.title = view.playing ? "Pause (space)" : "Play (space)";
    }
    update();
    button.disabled = !(view.span > 0);
    view.on("playing", update);
    return button;
}

function scrubber(view) {
    const slider = h("input", {
        type: "range",
        class: "scrub",
        min: 0,
        max: RESOLUTION,
        step: 1,
        value: 0,
        "aria-label": "time",
        oninput: () => view.setTime(view.from + (view.span * slider.value) / RESOLUTION),
    });
    const window = h("div", { class: "zoom-window", hidden: true });
    const ticks = h("canvas", { class: "event-ticks", "aria-hidden": true });
    function update() {
        slider.value = view.span > 0 ? Math.round((RESOLUTION * (view.time - view.from)) / view.span) : 0;
        slider.setAttribute("aria-valuetext", `${clockTime(view.time, view.span)} s`);
    }
    function showWindow() {
        window.hidden = !view.zoom;
        if (!view.zoom) return;
        window.style.left = `${(100 * (view.zoom[0] - view.from)) / view.span}%`;
        window.style.width = `${(100 * (view.zoom[1] - view.zoom[0])) / view.span}%`;
    }
    function paintTicks() {
        const width = Math.round(ticks.clientWidth * (devicePixelRatio || 1));
        if (!width) return;
        ticks.width = width;
        ticks.height = 1;
        const context = ticks.getContext("2d");
        context.fillStyle = getComputedStyle(ticks).color;
        for (const { t } of view.run?.events ?? [])
            context.fillRect(
                Math.round(((t - view.from) / (view.span || 1)) * (width - 1)),
                0,
                Math.max(1, devicePixelRatio || 1),
                1,
            );
    }
    new ResizeObserver(paintTicks).observe(ticks);
    view.on("time", update);
    view.on("zoom", showWindow);
    view.on("run theme", paintTicks);
    update();
    slider.disabled = !(view.span > 0);
    return h("div", { class: "scrubber" }, bandStrip(view), ticks, window, slider);
}

function readout(view) {
    const now = h("span", { class: "now" });
    const end = h("span", { class: "of" });
    const update = () => {
        now.textContent = clockTime(view.time, view.span);
        end.textContent = ` / ${clockTime(view.to, view.span)} s`;
    };
    update();
    view.on("time run", update);
    return h("output", { class: "clock", "aria-label": "time" }, now, end);
}

function speedChoice(view) {
    const choice = h("select", { "aria-label": "speed of playing", onchange: () => view.setSpeed(Number(choice.value)) });
    let offered = "";
    const update = () => {
        if (offered !== view.speeds.join()) {
            offered = view.speeds.join();
            choice.replaceChildren(...view.speeds.map((speed) => h("option", { value: speed }, speedText(speed))));
        }
        choice.value = view.speed;
    };
    update();
    view.on("speed", update);
    return h("label", { class: "speed" }, h("span", { class: "wide-only" }, "Speed "), choice);
}

function bandKey(view) {
    const key = h("div", { class: "band-key" });
    function update() {
        const met = new Set(stripBand(view.run, wordOf(view)).map((piece) => piece.verdict));
        key.replaceChildren(
            ...VERDICTS.filter((verdict) => met.has(verdict)).map((verdict) =>
                h("span", {}, h("i", { class: `swatch ${verdict}` }), verdict),
            ),
        );
        if (horizonOf(view.run) !== null) key.append(h("span", {}, h("i", { class: "swatch faded" }), "beyond the horizon"));
        if (view.run?.events.length) key.append(h("span", {}, h("i", { class: "swatch tick" }), "event"));
    }
    update();
    view.on("run", update);
    return key;
}

// One chip per run: its line, whether it is drawn, and whether it is the one in focus.
function runChips(view) {
    if (view.runs.length < 2) return null;
    const chips = view.runs.map((run) => {
        const box = h("input", {
            type: "checkbox",
            "aria-label": `draw ${run.name}`,
            title: `Draw ${run.name} in the plots`,
            onchange: () => view.setShown(run.index, box.checked),
        });
        const button = h(
            "button",
            { type: "button", title: `Focus on ${run.name}`, onclick: () => view.setActive(run.index) },
            run.name,
        );
        const line = lineKey(lineColourVariable(run.index), lineDash(run.index));
        return { run, box, button, chip: h("span", { class: "chip" }, box, line, button) };
    });
    function update() {
        for (const { run, box, button, chip } of chips) {
            box.checked = view.shown.has(run.index);
            button.setAttribute("aria-pressed", run.index === view.active);
            chip.classList.toggle("active", run.index === view.active);
        }
    }
    update();
    view.on("run", update);
    return h(
        "div",
        { class: "chips", role: "group", "aria-label": "formulations" },
        h("span", { class: "chips-label" }, "Formulations"),
        chips.map(({ chip }) => chip),
    );
}

export function transport(view) {
    if (!view.runs.length) return null;
    return h(
        "div",
        { class: "transport", role: "region", "aria-label": "time and formulation" },
        h("div", { class: "transport-row" }, playButton(view), scrubber(view), readout(view), speedChoice(view)),
        h("div", { class: "transport-keys" }, bandKey(view)),
        runChips(view),
    );
}
