// draw2d.js: a mechanism in the plane, on a canvas. Exact frames are drawn, never values in between.
import { colour, lineColour, MODES } from "./colours.js";
import { canvas } from "./dom.js";
import { FONT, ticks } from "./axes.js";
import { forcesToggle, lengthText, lineKey, openForces, struck, thickness } from "./forces.js";
import { number } from "./format.js";

const ARROW = 0.16; // of the stage: length of an arrow for a force that 19 of 20 stay below
const LONGEST = 0.42; // of the stage: no arrow is longer

// From metres to pixels: the box of all frames, centred, with air around it; zoomed and shifted by the reader.
function transform([x0, y0, x1, y1], width, height, camera) {
    const pad = 34;
    const spanX = Math.max(x1 - x0, 1e-12);
    const spanY = Math.max(y1 - y0, 1e-12);
    const fit = Math.min((width - 2 * pad) / spanX, (height - 2 * pad) / spanY);
    const scale = (Number.isFinite(fit) ? Math.min(fit, 1e12) : 1) * camera.zoom;
    const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return {
        scale,
        x: (x) => width / 2 + (x - cx) * scale + camera.dx,
        y: (y) => height / 2 - (y - cy) * scale + camera.dy,
    };
}

function outline(context, shape, v, to) {
    context.beginPath();
    for (let k = 0; k < shape.count; k++) context.lineTo(to.x(v[shape.at + 2 * k]), to.y(v[shape.at + 2 * k + 1]));
    if (shape.kind === "polygon") context.closePath();
}

const painters = {
    points(context, shape, v, to) {
        for (let k = 0; k < shape.count; k++) {
            context.beginPath();
            context.arc(to.x(v[shape.at + 2 * k]), to.y(v[shape.at + 2 * k + 1]), 4, 0, 2 * Math.PI);
            context.fill();
            context.stroke();
        }
    },
    line(context, shape, v, to) {
        outline(context, shape, v, to);
        context.stroke();
    },
    polygon(context, shape, v, to) {
        outline(context, shape, v, to);
        context.fill();
        context.stroke();
    },
    circle(context, shape, v, to) {
        const [x, y, radius, angle] = v.subarray(shape.at, shape.at + 4);
        context.beginPath();
        context.arc(to.x(x), to.y(y), Math.max(1, radius * to.scale), 0, 2 * Math.PI);
        context.fill();
        context.stroke();
        if (!Number.isFinite(angle)) return;
        context.beginPath();
        context.moveTo(to.x(x), to.y(y));
        context.lineTo(to.x(x + radius * Math.cos(angle)), to.y(y + radius * Math.sin(angle)));
        context.stroke();
    },
};

function pen(context, shape, ghost) {
    context.setLineDash(shape.style === "dashed" ? [6, 4] : []);
    context.lineWidth = shape.style === "thin" || shape.fixed ? 1.2 : shape.kind === "line" ? 3 : 2;
    context.lineCap = "round";
    context.lineJoin = "round";
    if (ghost) {
        context.strokeStyle = ghost;
        context.fillStyle = "transparent";
        context.lineWidth = 1.4;
        return;
    }
    context.strokeStyle = colour(shape.fixed ? "ground" : shape.style === "accent" ? "accent" : "body");
    context.fillStyle = colour(
        shape.fixed ? "ground-fill" : shape.style === "accent" ? "accent-fill" : shape.kind === "points" ? "panel" : "body-fill",
    );
}

// `open` forces are drawn dashed, with a hollow head
function arrow(context, x, y, dx, dy, stroke, open = false) {
    const length = Math.hypot(dx, dy);
    if (!(length > 1)) return;
    const head = Math.min(9, length * 0.5);
    const [ux, uy] = [dx / length, dy / length];
    const [ex, ey] = [x + dx, y + dy];
    context.setLineDash(open ? [3, 3] : []);
    context.lineCap = "butt";
    context.lineWidth = 2.6;
    context.strokeStyle = context.fillStyle = stroke;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(ex - ux * head * 0.8, ey - uy * head * 0.8);
    context.stroke();
    context.beginPath();
    context.moveTo(ex, ey);
    context.lineTo(ex - ux * head - uy * head * 0.5, ey - uy * head + ux * head * 0.5);
    context.lineTo(ex - ux * head + uy * head * 0.5, ey - uy * head - ux * head * 0.5);
    context.closePath();
    context.setLineDash([]);
    if (open) {
        context.fillStyle = colour("panel");
        context.lineWidth = 1.6;
        context.fill();
        context.stroke();
    } else context.fill();
}

function paintForces(context, run, view, frame, v, to, size) {
    const { forces } = run.drawing;
    const hits = struck(run, view, frame);
    const open = openForces(run, view.time);
    const perNewton = (ARROW * size) / (run.drawing.strongest() || 1);
    for (const { name, at } of forces) {
        const [x, y, fx, fy, mode] = v.subarray(at, at + 5);
        if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
        const shade = colour(hits.has(name) ? "impact" : (MODES[mode] ?? "open"));
        const length = Math.hypot(fx, fy) * perNewton;
        const factor = length > LONGEST * size ? (LONGEST * size) / length : 1;
        if (length > 0)
            arrow(context, to.x(x), to.y(y), fx * perNewton * factor, -fy * perNewton * factor, shade, open.has(name));
        context.beginPath();
        context.arc(to.x(x), to.y(y), hits.has(name) ? 6 : 3.2, 0, 2 * Math.PI);
        context.lineWidth = 1.5;
        context.fillStyle = mode > 0 || hits.has(name) ? shade : colour("panel");
        context.strokeStyle = shade;
        context.fill();
        context.stroke();
    }
}

// A round length and a round force, drawn as long as they are.
function paintScales(context, run, to, width, height, size) {
    const [length] = ticks(0, 110 / to.scale, 2).at.slice(-1);
    context.font = FONT;
    context.setLineDash([]);
    context.lineWidth = 1.5;
    context.strokeStyle = context.fillStyle = colour("muted");
    context.textBaseline = "alphabetic";
    context.textAlign = "left";
    const y = height - 12;
    if (length > 0 && Number.isFinite(length)) {
        const pixels = length * to.scale;
        context.beginPath();
        context.moveTo(12, y - 4);
        context.lineTo(12, y);
        context.lineTo(12 + pixels, y);
        context.lineTo(12 + pixels, y - 4);
        context.stroke();
        context.fillText(lengthText(length), 14, y - 6);
    }
    const strong = run.drawing.strongest();
    if (strong > 0) {
        const [force] = ticks(0, strong, 2).at.slice(-1);
        const pixels = (force / strong) * ARROW * size;
        arrow(context, width - 12 - pixels, y - 2, pixels, 0, colour("muted"));
        context.textAlign = "right";
        context.fillText(`${number(force)} N`, width - 12, y - 9);
    }
}

const LINE = 4; // px: a force that 19 of 20 stay below

// Forces between bodies, as lines of their strength.
function paintNetwork(context, run, t, to) {
    const lines = run.drawing.network.at(t);
    const strongest = run.drawing.network.strongest() || 1;
    context.strokeStyle = colour("accent");
    context.lineCap = "round";
    for (let k = 0; k < lines.length; k += 7) {
        context.lineWidth = LINE * thickness(lines[k + 6], strongest);
        context.beginPath();
        context.moveTo(to.x(lines[k]), to.y(lines[k + 1]));
        context.lineTo(to.x(lines[k + 3]), to.y(lines[k + 4]));
        context.stroke();
    }
}

// What the lines stand for: a weak and a strong force, beside one another at the bottom.
function paintLineKey(context, run, width, height) {
    const keys = lineKey(run.drawing.network.strongest());
    context.font = FONT;
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.fillStyle = colour("muted");
    context.strokeStyle = colour("accent");
    keys.forEach(([force, thick], k) => {
        const [x, y] = [width / 2 - 90 + 100 * k, height - 14];
        context.lineWidth = LINE * thick;
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(x + 26, y);
        context.stroke();
        context.fillText(`${number(force)} N`, x + 34, y);
    });
}

function paintGhost(context, run, t, to) {
    const v = run.drawing.frame(run.drawing.frameAt(t));
    context.globalAlpha = 0.55;
    for (const shape of run.drawing.shapes) {
        if (shape.fixed) continue;
        pen(context, shape, lineColour(run.index));
        painters[shape.kind]?.(context, shape, v, to);
    }
    context.globalAlpha = 1;
}

// What is fixed lies behind what moves, which steps back where the forces between bodies are shown.
function paintBodies(context, run, v, to, faded) {
    for (const shape of [...run.drawing.shapes].sort((a, b) => Boolean(b.fixed) - Boolean(a.fixed))) {
        pen(context, shape, null);
        context.globalAlpha = faded && !shape.fixed ? 0.25 : 1;
        painters[shape.kind]?.(context, shape, v, to);
    }
    context.globalAlpha = 1;
}

export function stage2d(view, height) {
    const camera = { zoom: 1, dx: 0, dy: 0 };
    let lines = false; // whether forces between bodies are shown
    function box() {
        const boxes = view.shownRuns.filter((run) => run.drawing).map((run) => run.drawing.box);
        if (view.run?.drawing) boxes.push(view.run.drawing.box);
        return [0, 1, 2, 3].map((k) => boxes.map((b) => b[k] ?? 0).reduce((a, b) => (k < 2 ? Math.min(a, b) : Math.max(a, b))));
    }
    const picture = canvas({
        height,
        class: "stage-canvas",
        label: "animation of the mechanism",
        paint(context, width, tall) {
            const run = view.run;
            if (!run?.drawing?.frames) return;
            const size = Math.min(width, tall);
            const to = transform(box(), width, tall, camera);
            const frame = run.drawing.frameAt(view.time);
            const v = run.drawing.frame(frame);
            for (const other of view.shownRuns)
                if (other !== run && other.drawing?.frames) paintGhost(context, other, view.time, to);
            const network = lines && run.drawing.network;
            paintBodies(context, run, v, to, network);
            if (network) paintNetwork(context, run, view.time, to);
            paintForces(context, run, view, frame, v, to, size);
            paintScales(context, run, to, width, tall, size);
            if (network) paintLineKey(context, run, width, tall);
        },
    });
    const element = picture.element;
    const again = () => picture.draw();
    view.on("time run theme", again);

    function zoomAt(factor, x = element.clientWidth / 2, y = element.clientHeight / 2) {
        const [ox, oy] = [x - element.clientWidth / 2, y - element.clientHeight / 2];
        const zoom = Math.min(1e5, Math.max(0.2, camera.zoom * factor));
        const real = zoom / camera.zoom;
        Object.assign(camera, { zoom, dx: ox - (ox - camera.dx) * real, dy: oy - (oy - camera.dy) * real });
        again();
    }
    let held = null;
    element.addEventListener("pointerdown", (event) => {
        held = [event.clientX, event.clientY];
        element.setPointerCapture(event.pointerId);
    });
    element.addEventListener("pointerup", () => {
        held = null;
    });
    element.addEventListener("pointermove", (event) => {
        if (!held) return;
        camera.dx += event.clientX - held[0];
        camera.dy += event.clientY - held[1];
        held = [event.clientX, event.clientY];
        again();
    });
    element.addEventListener(
        "wheel",
        (event) => {
            if (!event.ctrlKey && !event.metaKey) return;
            event.preventDefault();
            const rect = element.getBoundingClientRect();
            zoomAt(event.deltaY > 0 ? 0.8 : 1.25, event.clientX - rect.left, event.clientY - rect.top);
        },
        { passive: false },
    );
    const reset = () => {
        Object.assign(camera, { zoom: 1, dx: 0, dy: 0 });
        again();
    };
    element.addEventListener("dblclick", reset);
    const toggles = forcesToggle(view, () => {
        lines = !lines;
        again();
        return lines;
    });
    return { element, toggles, zoom: zoomAt, reset };
}
