// map.js: domains of behaviour over two states, as a coloured picture.
import { axes } from "./axes.js";
import { colour } from "./colours.js";
import { unpack } from "./data.js";
import { canvas, h, section } from "./dom.js";
import { number, percent } from "./format.js";

const COLOURS = 6;
const named = ({ name, unit }) => (unit ? `${name}, ${unit}` : name);

// Centres of cells are the points that were computed: half a cell of room around them.
function edges({ from, to, count }) {
    const half = count > 1 ? (to - from) / (count - 1) / 2 : 0.5;
    return [from - half, to + half];
}

// A cell where several motions are possible is hatched: a dark stroke over its colour.
function hatch(context, map, several, { left, right, top, bottom }) {
    const [a, b] = map.axes;
    const [wide, tall] = [(right - left) / a.count, (bottom - top) / b.count];
    context.save();
    context.beginPath();
    several.forEach((flag, k) => {
        if (flag) context.rect(left + (k % a.count) * wide, bottom - (Math.floor(k / a.count) + 1) * tall, wide, tall);
    });
    context.clip();
    context.beginPath();
    for (let x = left - (bottom - top); x < right; x += 7) {
        context.moveTo(x, bottom);
        context.lineTo(x + (bottom - top), top);
    }
    context.strokeStyle = colour("ink");
    context.globalAlpha = 0.7;
    context.lineWidth = 1.4;
    context.stroke();
    context.restore();
}

function picture(map, cells) {
    const [a, b] = map.axes;
    const image = document.createElement("canvas");
    image.width = a.count;
    image.height = b.count;
    const context = image.getContext("2d");
    for (let row = 0; row < b.count; row++) {
        for (let column = 0; column < a.count; column++) {
            context.fillStyle = colour(`class-${cells[row * a.count + column] % COLOURS}`);
            context.fillRect(column, b.count - 1 - row, 1, 1);
        }
    }
    return image;
}

// `beside` stands below the legend.
export function domainMap(view, map, beside) {
    const cells = unpack(map.cells);
    const several = map.several ? unpack(map.several) : [];
    const severalCount = several.reduce((sum, flag) => sum + (flag > 0), 0);
    const [a, b] = map.axes;
    const readout = h("span", { class: "map-readout", role: "status" });
    const tally = map.classes.map((name, index) => cells.reduce((sum, cell) => sum + (cell === index), 0));
    let place = null;
    let image = null;
    const chart = canvas({
        height: 430,
        label: `map over ${a.name} and ${b.name}: ${map.classes.map((name, index) => `${name} ${percent(tally[index] / (cells.length || 1))}`).join(", ")}`,
        paint(context, width, height) {
            image ??= picture(map, cells);
            place = axes(context, width, height, { limits: edges(a), label: named(a) }, { limits: edges(b), label: named(b) });
            const { left, right, top, bottom } = place.box;
            context.imageSmoothingEnabled = false;
            context.drawImage(image, left, top, right - left, bottom - top);
            if (severalCount) hatch(context, map, several, place.box);
            context.strokeStyle = colour("line");
            context.strokeRect(left, top, right - left, bottom - top);
        },
    });
    chart.element.addEventListener("pointermove", (event) => {
        if (!place) return;
        const rect = chart.element.getBoundingClientRect();
        const { left, right, top, bottom } = place.box;
        const column = Math.floor(((event.clientX - rect.left - left) / (right - left)) * a.count);
        const row = Math.floor(((bottom - (event.clientY - rect.top)) / (bottom - top)) * b.count);
        const at = (axis, k) => axis.from + (axis.count > 1 ? (k * (axis.to - axis.from)) / (axis.count - 1) : 0);
        const inside = column >= 0 && column < a.count && row >= 0 && row < b.count;
        readout.textContent = inside
            ? `${a.name} = ${number(at(a, column))}, ${b.name} = ${number(at(b, row))}: ${map.classes[cells[row * a.count + column]] ?? "unknown"}${several[row * a.count + column] ? ", several motions" : ""}`
            : "";
    });
    chart.element.addEventListener("pointerleave", () => {
        readout.textContent = "";
    });
    view.on("theme", () => {
        image = null;
        chart.draw();
    });
    const legend = h(
        "ul",
        { class: "map-legend" },
        map.classes.map(
            (name, index) =>
                tally[index] > 0 &&
                h(
                    "li",
                    {},
                    h("i", { class: "swatch", style: `background:var(--class-${index % COLOURS})` }),
                    h("span", {}, h("strong", {}, name), map.texts?.[index] ? `: ${map.texts[index]}` : ""),
                    h("span", { class: "muted" }, ` ${percent(tally[index] / cells.length)}`),
                ),
        ),
        severalCount > 0 &&
            h(
                "li",
                {},
                h("i", { class: "swatch hatched" }),
                h("span", {}, h("strong", {}, "several"), ": the contact problem allows more than one motion"),
                h("span", { class: "muted" }, ` ${percent(severalCount / cells.length)}`),
            ),
    );
    return section(
        "map",
        "Domains",
        { note: `${a.count} × ${b.count} points.` },
        h("div", { class: "map-grid" }, h("div", {}, chart.element), h("div", {}, legend, readout, beside)),
    );
}
