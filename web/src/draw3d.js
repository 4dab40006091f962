// draw3d.js: a mechanism in space, by three.js. Only page3d.html carries it.
import {
    AmbientLight, ArrowHelper, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, DirectionalLight,
    DoubleSide, EdgesGeometry, Group, Line, LineBasicMaterial, LineLoop, LineSegments, Mesh, MeshLambertMaterial, PerspectiveCamera,
    PlaneGeometry, Points, PointsMaterial, Scene, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { colour, lineColour, MODES } from "./colours.js";
import { struck } from "./draw2d.js";
import { h } from "./dom.js";

const ARROW = 0.22;    // of the scene's size, for a force that 19 of 20 stay below
const LONGEST = 0.6;
const Z = new Vector3(0, 0, 1);

// Cylinders and capsules of three.js lie along y; here the axis is z.
const upright = (geometry) => geometry.rotateX(Math.PI / 2);

const solids = {
    sphere: ([radius]) => new SphereGeometry(radius, 40, 24),
    box: ([a, b, c]) => new BoxGeometry(a, b, c),
    capsule: ([radius, length]) => upright(new CapsuleGeometry(radius, length, 10, 28)),
    cylinder: ([radius, length]) => upright(new CylinderGeometry(radius, radius, length, 40)),
    plane: ([half]) => new PlaneGeometry(2 * half, 2 * half, 1, 1),
};

// Marks that show how a body turns: edges of a box, rings on a sphere.
function marks(kind, geometry, size) {
    if (kind === "box" || kind === "cylinder") return new EdgesGeometry(geometry, 30);
    if (kind !== "sphere" && kind !== "capsule") return null;
    const [radius, length = 0] = size;
    const points = [];
    const ring = (f) => { for (let k = 0; k < 64; k++) points.push(f((k * Math.PI) / 32), f(((k + 1) * Math.PI) / 32)); };
    const r = radius * 1.004;
    ring((a) => new Vector3(r * Math.cos(a), r * Math.sin(a), length / 2));
    if (kind === "capsule") ring((a) => new Vector3(r * Math.cos(a), r * Math.sin(a), -length / 2));
    else ring((a) => new Vector3(r * Math.cos(a), 0, r * Math.sin(a)));
    return new BufferGeometry().setFromPoints(points);
}

function grid(half) {
    const points = [];
    for (let k = -5; k <= 5; k++) points.push(new Vector3((k * half) / 5, -half, 0), new Vector3((k * half) / 5, half, 0), new Vector3(-half, (k * half) / 5, 0), new Vector3(half, (k * half) / 5, 0));
    return new BufferGeometry().setFromPoints(points);
}

// One object per shape; paint() gives it the theme's colours, move(v) puts it where a frame says.
function thing(shape, ghost) {
    if (solids[shape.kind]) {
        const geometry = solids[shape.kind](shape.size ?? [1, 1, 1]);
        const material = new MeshLambertMaterial({ transparent: ghost || shape.kind === "plane", opacity: ghost ? 0.16 : shape.kind === "plane" ? 0.55 : 1, side: DoubleSide, depthWrite: !ghost && shape.kind !== "plane" });
        const group = new Group();
        const lines = shape.kind === "plane" ? grid((shape.size ?? [1])[0]) : marks(shape.kind, geometry, shape.size ?? [1]);
        const ink = new LineBasicMaterial({ transparent: ghost, opacity: ghost ? 0.5 : 1 });
        group.add(new Mesh(geometry, material), ...(lines ? [new LineSegments(lines, ink)] : []));
        return {
            object: group, materials: [material], inks: [ink],
            move(v) {
                group.position.set(v[shape.at], v[shape.at + 1], v[shape.at + 2]);
                group.quaternion.set(v[shape.at + 4], v[shape.at + 5], v[shape.at + 6], v[shape.at + 3]);
            },
        };
    }
    const geometry = new BufferGeometry();
    const places = new BufferAttribute(new Float32Array(3 * (shape.count ?? 0)), 3);
    geometry.setAttribute("position", places);
    const ink = shape.kind === "points" ? new PointsMaterial({ size: 7, sizeAttenuation: false }) : new LineBasicMaterial({ transparent: ghost, opacity: ghost ? 0.5 : 1 });
    const object = shape.kind === "points" ? new Points(geometry, ink) : shape.kind === "polygon" ? new LineLoop(geometry, ink) : new Line(geometry, ink);
    object.frustumCulled = false;
    return {
        object, materials: [], inks: [ink],
        move(v) {
            places.array.set(v.subarray(shape.at, shape.at + 3 * shape.count));
            places.needsUpdate = true;
        },
    };
}

function actors(run, ghost) {
    const group = new Group();
    const parts = run.drawing.shapes.filter((shape) => !ghost || !shape.fixed).map((shape) => ({ shape, ...thing(shape, ghost) }));
    parts.forEach(({ object }) => group.add(object));
    const arrows = ghost ? [] : run.drawing.forces.map((force) => {
        const helper = new ArrowHelper(Z, new Vector3(), 1, 0xffffff);
        helper.line.material.depthTest = helper.cone.material.depthTest = false;   // an arrow inside a body is still an arrow
        group.add(helper);
        return { force, helper };
    });
    return { run, ghost, group, parts, arrows };
}

function paint({ run, ghost, parts }) {
    for (const { shape, materials, inks } of parts) {
        const body = ghost ? lineColour(run.index) : colour(shape.fixed ? "ground-solid" : shape.style === "accent" ? "accent" : "body-solid");
        materials.forEach((material) => material.color.set(new Color(body)));
        inks.forEach((ink) => ink.color.set(new Color(ghost ? lineColour(run.index) : colour(shape.fixed ? "ground" : "body"))));
    }
}

function pose({ run, ghost, parts, arrows }, view, size) {
    const frame = run.drawing.frameAt(view.time);
    const v = run.drawing.frame(frame);
    for (const part of parts) part.move(v);
    if (ghost) return;
    const hits = struck(run, view, frame);
    const perNewton = (ARROW * size) / (run.drawing.strongest() || 1);
    for (const { force, helper } of arrows) {
        const [x, y, z, fx, fy, fz, mode] = v.subarray(force.at, force.at + 7);
        const length = Math.min(LONGEST * size, Math.hypot(fx, fy, fz) * perNewton);
        helper.visible = length > 1e-3 * size && Number.isFinite(x + y + z);
        if (!helper.visible) continue;
        helper.position.set(x, y, z);
        helper.setDirection(new Vector3(fx, fy, fz).normalize());
        helper.setLength(length, Math.min(0.06 * size, 0.4 * length), Math.min(0.035 * size, 0.25 * length));
        helper.setColor(new Color(colour(hits.has(force.name) ? "impact" : MODES[mode] ?? "open")));
    }
}

export function stage3d(view, height) {
    const renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    const element = renderer.domElement;
    element.className = "stage-canvas";
    element.style.height = `${height}px`;
    for (const [name, value] of Object.entries({ role: "img", "aria-label": "animation of the mechanism in space" })) element.setAttribute(name, value);

    const scene = new Scene();
    const light = new DirectionalLight(0xffffff, 2.2);
    scene.add(new AmbientLight(0xffffff, 1.6), light, light.target);
    const camera = new PerspectiveCamera(35, 2, 1e-3, 1e3);
    camera.up.copy(Z);
    const controls = new OrbitControls(camera, element);
    controls.enableZoom = false;   // the wheel scrolls the page; see the buttons
    controls.enablePan = false;

    const all = new Map();
    const [x0, y0, z0, x1, y1, z1] = view.runs.find((run) => run.drawing).drawing.box;
    const centre = new Vector3((x0 + x1) / 2, (y0 + y1) / 2, z0 + 0.35 * (z1 - z0));
    const size = Math.max(x1 - x0, y1 - y0, z1 - z0, 1e-9);

    function look(direction) {
        const distance = (0.5 * Math.hypot(x1 - x0, y1 - y0, z1 - z0) || size) / Math.tan((Math.PI / 360) * camera.fov) / 1.2;
        controls.target.copy(centre);
        camera.position.copy(centre).addScaledVector(direction.clone().normalize(), distance);
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
            if (!all.has(name)) all.set(name, actors(run, run !== view.run));
            scene.add(all.get(name).group);
            paint(all.get(name));
        }
        return wanted.map((run) => all.get(`${run.index} ${run === view.run}`));
    }
    let present = cast();
    function draw() {
        present.forEach((one) => pose(one, view, size));
        light.position.copy(camera.position).add(new Vector3(0, 0, size));
        light.target.position.copy(centre);
        renderer.render(scene, camera);
    }
    new ResizeObserver(([entry]) => {
        const { width, height: tall } = entry.contentRect;
        if (!width || !tall) return;
        renderer.setPixelRatio(devicePixelRatio || 1);
        renderer.setSize(width, tall, false);
        camera.aspect = width / tall;
        camera.updateProjectionMatrix();
        draw();
    }).observe(element);
    view.on("time", draw);
    view.on("run theme", () => { present = cast(); draw(); });
    controls.addEventListener("change", draw);

    const oblique = new Vector3(1, -1.5, 0.8);
    look(oblique);
    return {
        element: h("div", { class: "stage-box" }, element),
        views: [["Front", "Look along y", () => look(new Vector3(0, -1, 0.0001))], ["Side", "Look along x", () => look(new Vector3(1, 0, 0.0001))], ["Top", "Look down", () => look(new Vector3(0, -0.0001, 1))]],
        zoom(factor) {
            camera.position.sub(controls.target).divideScalar(factor).add(controls.target);
            controls.update();
            draw();
        },
        reset: () => look(oblique),
    };
}
