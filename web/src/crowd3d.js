// crowd3d.js: many bodies of the same shape in one object, and the forces between them as lines of their strength.
import { BufferAttribute, InstancedMesh, Matrix4, MeshBasicMaterial, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { thickness } from "./forces.js";

const FEW = 24; // of one shape: up to so many each has its own object, with its marks
export const LINE = 0.006; // of the scene's size: radius of a line for a force that 19 of 20 stay below
const Z = new Vector3(0, 0, 1);

// Shapes of one kind and size that move, in groups; the others as they are.
export function sortShapes(shapes, isSolid) {
    const groups = new Map();
    for (const shape of shapes) {
        if (shape.fixed || !isSolid(shape)) continue;
        const name = JSON.stringify([shape.kind, shape.size, shape.corners, shape.style]);
        if (!groups.has(name)) groups.set(name, []);
        groups.get(name).push(shape);
    }
    const many = [...groups.values()].filter((group) => group.length > FEW);
    const taken = new Set(many.flat());
    return { many, few: shapes.filter((shape) => !taken.has(shape)) };
}

// One half is darker, so that one sees them turn.
function shade(geometry) {
    const places = geometry.getAttribute("position");
    const colours = new Float32Array(3 * places.count);
    for (let k = 0; k < places.count; k++) colours.fill(places.getX(k) > 0 ? 1 : 0.72, 3 * k, 3 * k + 3);
    geometry.setAttribute("color", new BufferAttribute(colours, 3));
    return geometry;
}

export function instances(group, geometry, ghost) {
    const material = new MeshLambertMaterial({
        transparent: ghost,
        opacity: ghost ? 0.16 : 1,
        depthWrite: !ghost,
        vertexColors: true, // closed solids: their backs are not seen, and need not be drawn
    });
    const object = new InstancedMesh(shade(geometry), material, group.length);
    object.frustumCulled = false;
    const [matrix, place, turn, one] = [new Matrix4(), new Vector3(), new Quaternion(), new Vector3(1, 1, 1)];
    return {
        shape: group[0],
        object,
        materials: [material],
        inks: [],
        move(v) {
            group.forEach(({ at }, k) => {
                place.set(v[at], v[at + 1], v[at + 2]);
                turn.set(v[at + 4], v[at + 5], v[at + 6], v[at + 3]);
                object.setMatrixAt(k, matrix.compose(place, turn, one));
            });
            object.instanceMatrix.needsUpdate = true;
        },
    };
}

// Lines from centre to centre; `bar` is a cylinder of radius and length 1 along z.
export function network(drawing, bar, size) {
    const { network: net } = drawing;
    const material = new MeshBasicMaterial();
    const object = new InstancedMesh(bar, material, Math.max(1, net.most()));
    object.frustumCulled = false;
    object.visible = false;
    const [matrix, from, along, turn, scale] = [new Matrix4(), new Vector3(), new Vector3(), new Quaternion(), new Vector3()];
    return {
        object,
        material,
        show(t) {
            const lines = net.at(t);
            const strongest = net.strongest() || 1;
            object.count = lines.length / 7;
            for (let k = 0; k < object.count; k++) {
                const [x, y, z, p, q, r, force] = lines.subarray(7 * k, 7 * k + 7);
                along.set(p - x, q - y, r - z);
                const length = along.length();
                const thick = LINE * size * thickness(force, strongest);
                from.set((x + p) / 2, (y + q) / 2, (z + r) / 2);
                turn.setFromUnitVectors(Z, length > 0 ? along.divideScalar(length) : Z);
                object.setMatrixAt(k, matrix.compose(from, turn, scale.set(thick, thick, Math.max(length, 1e-9))));
            }
            object.instanceMatrix.needsUpdate = true;
        },
    };
}
