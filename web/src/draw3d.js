// draw3d.js: a mechanism in space, by three.js. Only page3d.html carries it.
import {
    AmbientLight,
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    CapsuleGeometry,
    Color,
    ConeGeometry,
    CylinderGeometry,
    DirectionalLight,
    DoubleSide,
    EdgesGeometry,
    FrontSide,
    Group,
    Line,
    LineBasicMaterial,
    LineSegments,
    Mesh,
    MeshBasicMaterial,
    MeshLambertMaterial,
    PerspectiveCamera,
    PlaneGeometry,
    Scene,
    SphereGeometry,
    Vector3,
    WebGLRenderer,
} from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { colour, lineColour, MODES } from "./colours.js";
import { instances, LINE, network, sortShapes } from "./crowd3d.js";
import { ticks } from "./axes.js";
import { forcesToggle, lengthText, lineKey, openForces, struck } from "./forces.js";
import { number } from "./format.js";
import { h } from "./dom.js";

const ARROW = 0.22; // of the scene's size, for a force that 19 of 20 stay below
const LONGEST = 0.6;
const Z = new Vector3(0, 0, 1);

// Cylinders and capsules of three.js lie along y; here the axis is z.
const upright = (geometry) => geometry.rotateX(Math.PI / 2);

const solids = {
    sphere: ([radius]) => new SphereGeometry(radius, 40, 24),
    box: ([a, b, c]) => new BoxGeometry(a, b, c),
    capsule: ([radius, length]) => upright(new CapsuleGeometry(radius, length, 10, 28)),
    cylinder: ([radius, length]) => upright(new CylinderGeometry(radius, radius, length, 40)),
    ellipsoid: ([a, b, c]) => new SphereGeometry(1, 40, 24).rotateX(Math.PI / 2).scale(a, b, c),
    plane: ([half]) => new PlaneGeometry(2 * half, 2 * half, 1, 1),
};

// Marks that show how a body turns: edges of a box, rings on a sphere.
function marks(kind, geometry, size) {
    if (kind === "box" || kind === "cylinder") return new EdgesGeometry(geometry, 30);
    if (kind === "hull") return new EdgesGeometry(geometry, 1);
    if (kind === "ellipsoid") return marks("sphere", geometry, [1]).scale(...size);
    if (kind !== "sphere" && kind !== "capsule") return null;
    const [radius, length = 0] = size;
    const points = [];
    const ring = (f) => {
        for (let k = 0; k < 64; k++) points.push(f((k * Math.PI) / 32), f(((k + 1) * Math.PI) / 32));
    };
    const r = radius * 1.004;
    ring((a) => new Vector3(r * Math.cos(a), r * Math.sin(a), length / 2));
    if (kind === "capsule") ring((a) => new Vector3(r * Math.cos(a), r * Math.sin(a), -length / 2));
    else ring((a) => new Vector3(r * Math.cos(a), 0, r * Math.sin(a)));
    return new BufferGeometry().setFromPoints(points);
}

function grid(half) {
    const points = [];
    for (let k = -5; k <= 5; k++)
        points.push(
            new Vector3((k * half) / 5, -half, 0),
            new Vector3((k * half) / 5, half, 0),
            new Vector3(-half, (k * half) / 5, 0),
            new Vector3(half, (k * half) / 5, 0),
        );
    return new BufferGeometry().setFromPoints(points);
}

// One object per shape; its materials get the theme's colours, move(v) puts it where a frame says.
function thing(shape, ghost, size, glass) {
    if (solids[shape.kind] || shape.kind === "hull") return solid(shape, ghost, glass);
    return shape.kind === "points" ? beads(shape, size) : bars(shape, ghost, size);
}

function corners({ corners: x }) {
    const points = [];
    for (let k = 0; k < x.length; k += 3) points.push(new Vector3(x[k], x[k + 1], x[k + 2]));
    return new ConvexGeometry(points);
}

const isSolid = ({ kind }) => (solids[kind] && kind !== "plane") || kind === "hull";
const geometryOf = (shape) => (shape.kind === "hull" ? corners(shape) : solids[shape.kind](shape.size ?? [1, 1, 1]));

// one of many: seen from afar
function coarse(shape, count) {
    if (shape.kind !== "sphere") return geometryOf(shape);
    return count > 300 ? new SphereGeometry(shape.size[0], 12, 8) : new SphereGeometry(shape.size[0], 20, 14);
}

// `glass` is looked through: walls that hold many bodies.
function solid(shape, ghost, glass) {
    const geometry = geometryOf(shape);
    const flat = shape.kind === "plane";
    const clear = ghost || flat || glass;
    const material = new MeshLambertMaterial({
        transparent: clear,
        opacity: ghost ? 0.16 : flat ? 0.55 : glass ? 0.25 : 1,
        side: flat ? DoubleSide : FrontSide,
        depthWrite: !clear,
    });
    const lines = flat ? grid((shape.size ?? [1])[0]) : marks(shape.kind, geometry, shape.size ?? [1]);
    const ink = new LineBasicMaterial({ transparent: ghost, opacity: ghost ? 0.5 : 1 });
    const object = new Group();
    object.add(new Mesh(geometry, material), ...(lines ? [new LineSegments(lines, ink)] : []));
    return {
        object,
        materials: [material],
        inks: [ink],
        move(v) {
            object.position.set(v[shape.at], v[shape.at + 1], v[shape.at + 2]);
            object.quaternion.set(v[shape.at + 4], v[shape.at + 5], v[shape.at + 6], v[shape.at + 3]);
        },
    };
}

const pointAt = (v, at, k) => new Vector3(v[at + 3 * k], v[at + 3 * k + 1], v[at + 3 * k + 2]);

function beads(shape, size) {
    const ink = new MeshLambertMaterial();
    const object = new Group();
    for (let k = 0; k < shape.count; k++) object.add(new Mesh(new SphereGeometry(0.014 * size, 16, 12), ink));
    return {
        object,
        materials: [],
        inks: [ink],
        move: (v) => object.children.forEach((bead, k) => bead.position.copy(pointAt(v, shape.at, k))),
    };
}

// A cylinder of length 1 along z, to be laid from one point to another: lines of WebGL are a pixel wide whatever one asks.
const unitBar = (radius) => upright(new CylinderGeometry(radius, radius, 1, 10));

function lay(bar, from, to) {
    const along = to.clone().sub(from);
    const length = along.length();
    bar.visible = length > 0 && Number.isFinite(length);
    if (!bar.visible) return;
    bar.position.copy(from).addScaledVector(along, 0.5);
    bar.quaternion.setFromUnitVectors(Z, along.divideScalar(length));
    bar.scale.z = length;
}

// Lines and the edges of polygons, which are filled besides.
function bars(shape, ghost, size) {
    const closed = shape.kind === "polygon";
    const ink = new MeshLambertMaterial({ transparent: ghost, opacity: ghost ? 0.4 : 1 });
    const object = new Group();
    const geometry = unitBar((shape.fixed || shape.style === "thin" ? 0.002 : 0.005) * size);
    const edges = Array.from({ length: closed ? shape.count : shape.count - 1 }, () => new Mesh(geometry, ink));
    if (edges.length) object.add(...edges);
    const materials = [];
    const places = new BufferAttribute(new Float32Array(3 * shape.count), 3);
    if (closed && !ghost) {
        const face = new BufferGeometry();
        face.setAttribute("position", places);
        face.setIndex(Array.from({ length: Math.max(0, shape.count - 2) }, (_, k) => [0, k + 1, k + 2]).flat());
        const material = new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity: 0.6 });
        const mesh = new Mesh(face, material);
        mesh.frustumCulled = false;
        materials.push(material);
        object.add(mesh);
    }
    return {
        object,
        materials,
        inks: [ink],
        move(v) {
            edges.forEach((bar, k) => lay(bar, pointAt(v, shape.at, k), pointAt(v, shape.at, (k + 1) % shape.count)));
            places.array.set(v.subarray(shape.at, shape.at + 3 * shape.count));
            places.needsUpdate = true;
        },
    };
}

// A force: drawn over everything, since an arrow inside a body is still an arrow.
function arrow(size) {
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true });
    const shaft = new Mesh(unitBar(0.006 * size), material);
    const head = new Mesh(upright(new ConeGeometry(0.02 * size, 0.055 * size, 20)), material);
    const object = new Group();
    shaft.renderOrder = head.renderOrder = 10;
    object.add(shaft, head);
    return {
        object,
        point(from, way, length, shade, open) {
            const tip = Math.min(0.055 * size, 0.5 * length);
            const to = from.clone().addScaledVector(way, length - tip);
            lay(shaft, from, to);
            head.position.copy(to).addScaledVector(way, tip / 2);
            head.quaternion.setFromUnitVectors(Z, way);
            head.scale.setScalar(tip / (0.055 * size));
            material.color.set(new Color(shade));
            material.opacity = open ? 0.4 : 1;
            material.wireframe = open; // a force that the motion does not determine
        },
    };
}

const TRAIL = 400; // points at most
const TRAILS = 16; // bodies that have one, at most

// Where the middle of a moving body has been so far.
function trail(run, shape) {
    const { drawing } = run;
    const stride = Math.max(1, Math.ceil(drawing.frames / TRAIL));
    const points = [];
    for (let k = 0; k < drawing.frames; k += stride) points.push(...drawing.frame(k).subarray(shape.at, shape.at + 3));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
    const ink = new LineBasicMaterial({ transparent: true, opacity: 0.65 });
    const object = new Line(geometry, ink);
    object.frustumCulled = false;
    return { object, ink, upTo: (frame) => geometry.setDrawRange(0, Math.floor(frame / stride) + 1) };
}

function actors(run, ghost, size) {
    const group = new Group();
    const { many, few } = sortShapes(
        run.drawing.shapes.filter((shape) => !ghost || !shape.fixed),
        isSolid,
    );
    const parts = [
        ...few.map((shape) => ({ shape, ...thing(shape, ghost, size, Boolean(shape.fixed && run.drawing.network)) })),
        ...many.map((group) => instances(group, coarse(group[0], group.length), ghost)),
    ];
    const net = !ghost && run.drawing.network ? network(run.drawing, unitBar(1), size) : null;
    const arrows = ghost ? [] : run.drawing.forces.map((force) => ({ force, ...arrow(size) }));
    const moving = run.drawing.shapes.filter((shape) => !shape.fixed && solids[shape.kind] && shape.kind !== "plane");
    const trails = moving.length > TRAILS ? [] : moving.map((shape) => trail(run, shape));
    [...parts, ...arrows, ...trails, ...(net ? [net] : [])].forEach(({ object }) => group.add(object));
    return { run, ghost, group, parts, arrows, trails, net };
}

// Bodies step back where the forces between them are shown, and their trails, which are lines too, go.
function fade({ parts, trails, net }, on) {
    if (!net) return;
    net.object.visible = on;
    trails.forEach(({ object }) => (object.visible = !on));
    for (const { shape, materials, inks } of parts) {
        if (shape.fixed) continue;
        for (const material of [...materials, ...inks]) {
            material.transparent = on;
            material.opacity = on ? 0.12 : 1;
            material.depthWrite = !on;
            material.needsUpdate = true;
        }
    }
}

function paint({ run, ghost, parts, trails, net }) {
    net?.material.color.set(new Color(colour("accent")));
    trails.forEach(({ ink }) => ink.color.set(new Color(ghost ? lineColour(run.index) : colour("accent"))));
    for (const { shape, materials, inks } of parts) {
        const body = ghost
            ? lineColour(run.index)
            : colour(shape.fixed ? "ground-solid" : shape.style === "accent" ? "accent" : "body-solid");
        materials.forEach((material) => material.color.set(new Color(body)));
        inks.forEach((ink) => ink.color.set(new Color(ghost ? lineColour(run.index) : colour(shape.fixed ? "ground" : "body"))));
    }
}

// A half-space is looked into from its free side; from behind it would hide what it holds, as the near walls of a box do.
// Walls are drawn more faintly than floors: they reach beyond one another.
function openUp({ shape, object, materials, inks }, camera) {
    if (shape.kind !== "plane") return;
    const outward = Z.clone().applyQuaternion(object.quaternion);
    if (Math.abs(outward.z) < 0.5) {
        materials.forEach((material) => (material.opacity = 0.25));
        inks.forEach((ink) => Object.assign(ink, { transparent: true, opacity: 0.25 }));
    }
    object.visible = outward.dot(camera.position.clone().sub(object.position)) > 0;
}

function pose({ run, ghost, parts, arrows, trails, net }, view, size) {
    const frame = run.drawing.frameAt(view.time);
    const v = run.drawing.frame(frame);
    for (const part of parts) part.move(v);
    for (const { upTo } of trails) upTo(frame);
    if (ghost) return;
    if (net?.object.visible) net.show(view.time);
    const hits = struck(run, view, frame);
    const open = openForces(run, view.time);
    const perNewton = (ARROW * size) / (run.drawing.strongest() || 1);
    for (const { force, object, point } of arrows) {
        const [x, y, z, fx, fy, fz, mode] = v.subarray(force.at, force.at + 7);
        const strength = Math.hypot(fx, fy, fz);
        const length = Math.min(LONGEST * size, strength * perNewton);
        object.visible = length > 1e-3 * size && Number.isFinite(x + y + z);
        if (object.visible)
            point(
                new Vector3(x, y, z),
                new Vector3(fx, fy, fz).divideScalar(strength),
                length,
                colour(hits.has(force.name) ? "impact" : (MODES[mode] ?? "open")),
                open.has(force.name),
            );
    }
}

// A round length and a round force, as long as they are at the middle of the scene.
function scales() {
    const length = h("span", { class: "scale-length" });
    const force = h("span", { class: "scale-force" });
    const lines = h("span", { class: "scale-lines" });
    const bar = (element, pixels, text) => {
        element.hidden = !(pixels > 8);
        element.style.width = `${pixels}px`;
        element.textContent = text;
    };
    return {
        element: h("div", { class: "scales-3d", "aria-hidden": true }, length, lines, force),
        update(perMetre, strongest, size, network) {
            const [metres] = ticks(0, 110 / perMetre, 2).at.slice(-1);
            bar(length, metres * perMetre, lengthText(metres));
            const [newtons] = strongest > 0 ? ticks(0, strongest, 2).at.slice(-1) : [0];
            bar(force, strongest > 0 ? (newtons / strongest) * ARROW * size * perMetre : 0, `${number(newtons)} N`);
            lines.replaceChildren(
                ...lineKey(network).map(([newtons, thick]) =>
                    h("span", {}, h("i", { style: `height:${2 * LINE * thick * size * perMetre}px` }), `${number(newtons)} N`),
                ),
            );
        },
    };
}

// The box of all frames: its middle, its corners seen from there, its longest side.
function roomOf([x0, y0, z0, x1, y1, z1]) {
    const centre = new Vector3((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2);
    const corners = [x0, x1].flatMap((x) => [y0, y1].flatMap((y) => [z0, z1].map((z) => new Vector3(x, y, z).sub(centre))));
    return { centre, corners, size: Math.max(x1 - x0, y1 - y0, z1 - z0, 1e-9) };
}

const halfHeight = (camera) => Math.tan((Math.PI / 360) * camera.fov); // of what is seen at a distance of 1

// From the middle along `back`, as near as lets every corner of the room be seen.
function distanceFor({ corners, size }, back, camera) {
    const right = new Vector3().crossVectors(Z, back).normalize();
    const up = new Vector3().crossVectors(back, right);
    const slope = 0.86 * halfHeight(camera);
    const needed = corners.map(
        (corner) => corner.dot(back) + Math.max(Math.abs(corner.dot(right)) / camera.aspect, Math.abs(corner.dot(up))) / slope,
    );
    return Math.max(size * 0.2, ...needed);
}

export function stage3d(view, height) {
    const renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    const element = renderer.domElement;
    element.className = "stage-canvas";
    element.style.height = `${height}px`;
    for (const [name, value] of Object.entries({ role: "img", "aria-label": "animation of the mechanism in space" }))
        element.setAttribute(name, value);

    const scene = new Scene();
    const light = new DirectionalLight(0xffffff, 2.2);
    scene.add(new AmbientLight(0xffffff, 1.6), light, light.target);
    const camera = new PerspectiveCamera(35, 2, 1e-3, 1e3);
    camera.up.copy(Z);
    const controls = new OrbitControls(camera, element);
    controls.enableZoom = false; // the wheel scrolls the page; see the buttons
    controls.enablePan = false;

    const all = new Map();
    const room = roomOf(view.runs.find((run) => run.drawing).drawing.box);
    const { centre, size } = room;
    let facing = null; // the direction looked along, until the reader turns the scene
    function look(direction) {
        facing = direction.clone().normalize();
        const distance = distanceFor(room, facing, camera);
        controls.target.copy(centre);
        camera.position.copy(centre).addScaledVector(facing, distance);
        camera.near = distance / 100;
        camera.far = distance * 100;
        camera.updateProjectionMatrix();
        controls.update();
        draw();
    }
    function cast() {
        for (const group of scene.children.filter((child) => child.isGroup)) scene.remove(group);
        const wanted = [...view.shownRuns.filter((run) => run !== view.run), view.run].filter((run) => run?.drawing?.frames);
        for (const run of wanted) {
            const name = `${run.index} ${run === view.run}`;
            if (!all.has(name)) all.set(name, actors(run, run !== view.run, size));
            scene.add(all.get(name).group);
            paint(all.get(name));
            fade(all.get(name), lines);
        }
        return wanted.map((run) => all.get(`${run.index} ${run === view.run}`));
    }
    let lines = false; // whether forces between bodies are shown
    let present = cast();
    const scale = scales();
    function draw() {
        present.forEach((one) => pose(one, view, size));
        light.position.copy(camera.position).add(new Vector3(0, 0, size));
        light.target.position.copy(centre);
        for (const { parts } of present) parts.forEach((part) => openUp(part, camera));
        renderer.render(scene, camera);
        const tall = element.clientHeight;
        const away = camera.position.distanceTo(controls.target);
        const perMetre = tall / (2 * away * halfHeight(camera));
        if (perMetre > 0 && Number.isFinite(perMetre)) {
            const { drawing } = view.run ?? {};
            scale.update(perMetre, drawing?.strongest() ?? 0, size, (lines && drawing?.network?.strongest()) || 0);
        }
    }
    new ResizeObserver(([entry]) => {
        const { width, height: tall } = entry.contentRect;
        if (!width || !tall) return;
        renderer.setPixelRatio(devicePixelRatio || 1);
        renderer.setSize(width, tall, false);
        camera.aspect = width / tall;
        if (facing) look(facing);
        camera.updateProjectionMatrix();
        draw();
    }).observe(element);
    controls.addEventListener("start", () => {
        facing = null;
    });
    view.on("time", draw);
    view.on("run theme", () => {
        present = cast();
        draw();
    });
    controls.addEventListener("change", draw);

    const oblique = new Vector3(1, -1.5, 0.8);
    look(oblique);
    return {
        element: h("div", { class: "stage-box" }, element, scale.element),
        views: [
            ["Front", "Look along y", () => look(new Vector3(0, -1, 0.0001))],
            ["Side", "Look along x", () => look(new Vector3(1, 0, 0.0001))],
            ["Top", "Look down", () => look(new Vector3(0, -0.0001, 1))],
        ],
        toggles: forcesToggle(view, () => {
            lines = !lines;
            present = cast();
            draw();
            return lines;
        }),
        zoom(factor) {
            facing = null;
            camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
            controls.update();
            draw();
        },
        reset: () => look(oblique),
    };
}
