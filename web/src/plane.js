// plane.js: what is special over two parameters: folds, doublings, tori, grazing and sticking as curves, with those of the contact problem.
import { axes, circle, clicked, spread } from "./axes.js";
import { colour, lineColour } from "./colours.js";
import { canvas, empty, h, numeric, section, table } from "./dom.js";
import { number } from "./format.js";

const REACH = 18; // px from a point at which it is met
const CONTACT = { inconsistent: "the contact problem has no solution on one side", ambiguous: "the contact problem has several solutions on one side" };

// Kinds in the order in which they are met, each with a colour of its own.
const kindsOf = (plane) => [...new Set(plane.curves.map((curve) => curve.kind))];

function paintPlane(context, width, height, plane, kinds, chosen) {
    const all = plane.curves.flatMap((curve) => curve.points);
    const at = axes(
        context,
        width,
        height,
        { limits: spread(all.map((point) => point.along)), label: plane.along },
        { limits: spread(plane.values), label: plane.across },
    );
    const dots = [];
    plane.curves.forEach((curve, c) => {
        context.strokeStyle = context.fillStyle = lineColour(kinds.indexOf(curve.kind));
        context.setLineDash(CONTACT[curve.kind] ? [6, 5] : []);
        context.lineWidth = 2;
        context.beginPath();
        curve.points.forEach((point, k) => {
            const [x, y] = [at.x(point.along), at.y(point.across)];
            if (k) context.lineTo(x, y);
            else context.moveTo(x, y);
            dots.push({ c, k, x, y });
        });
        context.stroke();
        context.setLineDash([]);
        for (const point of curve.points) {
            circle(context, at.x(point.along), at.y(point.across), 2.5);
            context.fill();
        }
    });
    const point = chosen && plane.curves[chosen.c].points[chosen.k];
    if (point) {
        circle(context, at.x(point.along), at.y(point.across), 6);
        context.lineWidth = 2;
        context.strokeStyle = colour("ink");
        context.stroke();
    }
    return dots;
}

const legend = (kinds) =>
    h(
        "div",
        { class: "key" },
        kinds.map((kind, k) =>
            h("span", {}, h("span", { class: "swatch", style: `background:${lineColour(k)}` }), CONTACT[kind] ? `${kind}: ${CONTACT[kind]}` : kind),
        ),
    );

function told(plane, { c, k }) {
    const curve = plane.curves[c];
    const point = curve.points[k];
    const period = Number.isFinite(point.period) ? `, period ${number(point.period, 7)} s` : "";
    return `${curve.kind} at ${plane.along} = ${number(point.along, 10)}, ${plane.across} = ${number(point.across, 7)}${period}`;
}

function curveTable(plane) {
    const rows = plane.curves.map((curve) => {
        const [first, last] = [curve.points[0], curve.points[curve.points.length - 1]];
        return h(
            "tr",
            {},
            h("td", {}, curve.kind),
            h("td", { class: "number" }, `${number(first.across, 6)} to ${number(last.across, 6)}`),
            h("td", { class: "number" }, `${number(first.along, 9)} to ${number(last.along, 9)}`),
            h("td", {}, curve.events || (CONTACT[curve.kind] ? "" : "none")),
            h("td", {}, [curve.begin && `begins: ${curve.begin}`, curve.end && `ends: ${curve.end}`].filter(Boolean).join("; ")),
        );
    });
    const head = ["curve", numeric(plane.across), numeric(plane.along), "events of the orbit", "where it stops"];
    return table(head, rows, {});
}

export function planeParts(view) {
    const plane = view.data.plane;
    if (!plane) return [];
    const note = [plane.critical, plane.curves.length ? "" : plane.text].filter(Boolean).join("; ");
    if (!plane.curves.length) return [section("plane", "Over two parameters", { note }, empty("Nothing special was found."))];
    const kinds = kindsOf(plane);
    let [chosen, dots] = [null, []];
    const line = h("p", { role: "status" }, "Choose a point to read it.");
    const chart = canvas({
        height: 460,
        label: `what is special over ${plane.along} and ${plane.across}: ${plane.curves.length} curves`,
        paint(context, width, height) {
            dots = paintPlane(context, width, height, plane, kinds, chosen);
        },
    });
    chart.element.addEventListener("click", (event) => {
        const best = clicked(event, dots, REACH);
        if (!best) return;
        chosen = best;
        line.textContent = told(plane, best);
        chart.draw();
    });
    view.on("theme", chart.draw);
    return [section("plane", "Over two parameters", { note }, legend(kinds), chart.element, line, curveTable(plane))];
}
