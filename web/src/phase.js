// phase.js: one channel over another.
import { axes, padded } from "./axes.js";
import { colour, lineColour, lineDash } from "./colours.js";
import { joined, limits, within } from "./data.js";
import { canvas, h, section, select } from "./dom.js";
import { number } from "./format.js";
import { allChannels } from "./plots.js";

const labelOf = (channel) => (channel.unit ? `${channel.name}, ${channel.unit}` : channel.name);

// A coordinate and its rate, the usual portrait; else the first two there are.
function firstPair(channels) {
    const names = new Set(channels.map((channel) => channel.name));
    const moving = channels.filter((channel) => names.has(`${channel.name}'`));
    const x = moving.find((channel) => !channel.still) ?? moving[0];
    return x ? [x.name, `${x.name}'`] : [channels[0].name, (channels[1] ?? channels[0]).name];
}

// Points of the window only, thinned to what a picture this size can show.
function trace(context, run, x, y, at, [from, to]) {
    const [begin, end] = within(run.time, from, to);
    context.beginPath();
    let pen = false;
    let [lastX, lastY] = [NaN, NaN];
    for (let i = begin; i < end; i++) {
        const [px, py] = [at.x(x.values[i]), at.y(y.values[i])];
        if (!Number.isFinite(px) || !Number.isFinite(py)) {
            pen = false;
            continue;
        }
        if (pen && Math.abs(px - lastX) < 0.4 && Math.abs(py - lastY) < 0.4) continue;
        if (pen) context.lineTo(px, py);
        else context.moveTo(px, py);
        [pen, lastX, lastY] = [true, px, py];
    }
    context.stroke();
}

function dot(context, x, y, fill) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    context.beginPath();
    context.arc(x, y, 4.5, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = colour("panel");
    context.stroke();
}

export function phasePortrait(view) {
    const channels = allChannels(view.runs);
    if (channels.length < 2 || !view.runs.some((run) => run.time.length > 1)) return null;
    let [xName, yName] = firstPair(channels);

    const pairs = () =>
        view.shownRuns.map((run) => ({ run, x: run.channel(xName), y: run.channel(yName) })).filter(({ x, y }) => x && y);
    function span(which) {
        let all = null;
        for (const pair of pairs()) all = joined(all, limits(pair[which].values, ...within(pair.run.time, ...view.window)));
        return padded(all ?? [0, 0]);
    }
    // the curves are painted once and kept; only the dots move with the time
    let kept = null;
    const picture = canvas({
        height: 390,
        label: "phase portrait",
        paint(context, width, height) {
            const [x, y] = [channels.find(({ name }) => name === xName), channels.find(({ name }) => name === yName)];
            if (!kept || kept.width !== context.canvas.width) {
                const at = axes(
                    context,
                    width,
                    height,
                    { limits: span("x"), label: labelOf(x) },
                    { limits: span("y"), label: labelOf(y) },
                );
                context.save();
                context.beginPath();
                context.rect(at.box.left, at.box.top, at.box.right - at.box.left, at.box.bottom - at.box.top);
                context.clip();
                for (const pair of pairs()) {
                    context.strokeStyle = lineColour(pair.run.index);
                    context.setLineDash(lineDash(pair.run.index));
                    context.lineWidth = 1.2;
                    trace(context, pair.run, pair.x, pair.y, at, view.window);
                }
                context.restore();
                kept = { at, width: context.canvas.width, image: copy(context.canvas) };
            } else {
                context.drawImage(kept.image, 0, 0, width, height);
            }
            for (const { run, x: a, y: b } of pairs())
                dot(context, kept.at.x(run.valueAt(a, view.time)), kept.at.y(run.valueAt(b, view.time)), lineColour(run.index));
            picture.element.setAttribute(
                "aria-label",
                `phase portrait, ${yName} over ${xName}; now ${number(view.run?.valueAt(view.run.channel(xName), view.time))}, ${number(view.run?.valueAt(view.run.channel(yName), view.time))}`,
            );
        },
    });
    const again = () => {
        kept = null;
        picture.draw();
    };
    view.on("run zoom theme", again);
    view.on("time", picture.draw);

    const names = channels.map(({ name }) => name);
    const choice = (label, value, set) =>
        select(label, names, names.indexOf(value), (k) => {
            set(names[k]);
            again();
        });
    const note = h("span");
    const tell = () => {
        note.textContent = view.run?.decimated
            ? "Drawn from thinned points: fine detail blurs. Zoom in time for parts of it."
            : "";
    };
    tell();
    view.on("run", tell);
    return section(
        "phase",
        "Phase portrait",
        {
            note,
            tools: h(
                "span",
                { class: "axes-choice" },
                choice("vertical axis", yName, (name) => {
                    yName = name;
                }),
                " over ",
                choice("horizontal axis", xName, (name) => {
                    xName = name;
                }),
            ),
        },
        picture.element,
    );
}

function copy(source) {
    const image = document.createElement("canvas");
    image.width = source.width;
    image.height = source.height;
    image.getContext("2d").drawImage(source, 0, 0);
    return image;
}
